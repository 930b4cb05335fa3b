/* slice.c - see slice.h. */
#include "select/prove/slice.h"

#include <stdlib.h>

struct slice {
    bool *seen;
    uint32_t *todo, n;
};

static void want(struct slice *s, uint32_t v)
{
    if (!s->seen[v]) {
        s->seen[v] = true;
        s->todo[s->n++] = v;
    }
}

static void want_operands(struct slice *s, const struct kernel_summary *k, uint32_t v)
{
    for (uint32_t i = 0; i < k->insns[v].nopnd; i++)
        if (!sum_operand_is_block(&k->insns[v], i))
            want(s, sum_opnd(k, v, i));
}

/* Is it computed from its operands, or loaded from what may be a struct passed by value? */
static bool is_computed(const struct sum_insn *in)
{
    return in->lanes == 1 && !(in->flags & SUM_F_FLOAT) &&
           ((in->op >= SUM_ADD && in->op <= SUM_PHI) || in->op == SUM_LOAD);
}

uint64_t slice_arguments(const struct kernel_summary *k, bool (*decides)(const struct sum_insn *in))
{
    struct slice s = {0};
    uint64_t bits = 0;

    s.seen = calloc(k->ninsn, sizeof *s.seen);
    s.todo = calloc(k->ninsn, sizeof *s.todo);
    for (uint32_t v = k->nleaf; s.seen && s.todo && v < k->ninsn; v++)
        if (decides(&k->insns[v]))
            want_operands(&s, k, v);
    while (s.n) {
        const uint32_t v = s.todo[--s.n];
        if (k->insns[v].op == SUM_ARG)
            bits |= slice_bit((uint32_t)k->insns[v].imm);
        if (is_computed(&k->insns[v]))
            want_operands(&s, k, v);
    }
    if (!s.seen || !s.todo)
        bits = UINT64_MAX;
    free(s.seen);
    free(s.todo);
    return bits;
}
