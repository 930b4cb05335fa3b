/* shared.c - do two arguments reach the same memory? */
#include "select/prove/form.h"

/* Images, and buffers of unknown size, cover their whole memory. */
bool sel_shared(const struct kernel_summary *k, const struct launch *l, unsigned i, unsigned j)
{
    const struct launch_arg *a = &l->args[i], *b = &l->args[j];
    if (!sel_has_memory(&k->args[i]) || !sel_has_memory(&k->args[j]) || a->memory == 0 ||
        a->memory != b->memory)
        return false;
    if (k->args[i].kind == SUM_ARG_IMAGE || k->args[j].kind == SUM_ARG_IMAGE || a->bytes == 0 ||
        b->bytes == 0)
        return true;
    return a->offset <= b->offset ? b->offset - a->offset < a->bytes : a->offset - b->offset < b->bytes;
}

bool sel_buffers_are_apart(const struct kernel_summary *k, const struct launch *l)
{
    for (unsigned i = 0; i < k->nargs; i++) {
        if (sel_has_memory(&k->args[i]) && (!l->args[i].set || l->args[i].opaque))
            return false;
        for (unsigned j = 0; j < i; j++)
            if ((k->args[i].may_write || k->args[j].may_write) && sel_shared(k, l, i, j))
                return false;
    }
    return true;
}
