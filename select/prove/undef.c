/* undef.c - see undef.h. */
#include "select/prove/undef.h"

#include "select/prove/intervals.h"
#include "select/prove/refuse.h"

static bool may_be_taken(const struct sel_intervals *i, const struct sum_undef_edge *e)
{
    uint32_t at = i->cfg.succ_first[e->from];

    if (e->to == SUM_ANYWHERE)
        return i->reached[e->from];
    while (i->cfg.succ[at] != e->to) /* sum_check(): it is there */
        at++;
    return i->taken[at];
}

bool sel_undef_unreachable(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why)
{
    struct sel_intervals found;
    bool unreachable = true;

    if (k->nundef == 0)
        return true;
    const bool known = sel_intervals_find(k, l, &found) == 0;
    for (uint32_t i = 0; i < k->nundef && unreachable; i++) {
        unreachable = known && !may_be_taken(&found, &k->undef[i]);
        if (!unreachable)
            sel_refuse(why, SEL_R_UNDEFINED,
                       "with these arguments a variable may have no value where line %u needs it",
                       (unsigned)k->undef[i].line);
    }
    sel_intervals_free(&found);
    return unreachable;
}
