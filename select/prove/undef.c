/* undef.c - can a launch come to where a kernel uses an undefined value? */
#include "select/prove/parts.h"

#include "select/prove/eval.h"

/* The value of v, at the end of a loop's header in the loop's first round. */
static bool at_first(struct sel_eval *e, const struct cfg *c, uint32_t header, uint32_t v, uint64_t *out)
{
    const struct kernel_summary *k = e->k;
    const uint32_t loop = c->loop_of[header];
    unsigned ways = 0;
    bool known = true;

    if (k->insns[v].op != SUM_PHI || c->block_of[v] != header)
        return sel_eval_value(e, v, 0, out);
    for (uint32_t i = 0; i < k->insns[v].nopnd; i += 2)
        if (loop == CFG_NONE || !cfg_in_loop(c, loop, sum_opnd(k, v, i))) {
            known = known && sel_eval_value(e, sum_opnd(k, v, i + 1), 0, out);
            ways++;
        }
    return known && ways == 1;
}

/* May a loop be left by the edge in its first round? */
static bool may_end_at_once(const struct kernel_summary *k, const struct launch *l, const struct cfg *c,
                            const struct sum_undef_edge *edge)
{
    struct sel_eval e = {.k = k, .l = l};
    const uint32_t t = k->blocks[edge->from].end - 1, test = sum_opnd(k, t, 0);
    uint64_t x, y, is;

    return !at_first(&e, c, edge->from, sum_opnd(k, test, 0), &x) ||
           !at_first(&e, c, edge->from, sum_opnd(k, test, 1), &y) ||
           !sel_eval_operation(k, test, x, y, &is) || sum_opnd(k, t, is & 1 ? 1 : 2) == edge->to;
}

static bool may_be_taken(const struct kernel_summary *k, const struct launch *l,
                         const struct sel_intervals *i, const struct sum_undef_edge *e)
{
    uint32_t at = i->cfg.succ_first[e->from];

    if (e->first)
        return may_end_at_once(k, l, &i->cfg, e);
    if (e->to == SUM_ANYWHERE)
        return i->reached[e->from];
    while (i->cfg.succ[at] != e->to) /* sum_check(): it is there */
        at++;
    return i->taken[at];
}

bool sel_undef_unreachable(struct sel_look *x, struct sel_verdict *why)
{
    const struct kernel_summary *k = x->k;
    const struct sel_intervals *found = k->nundef ? sel_look(x) : NULL;
    bool unreachable = true;

    for (uint32_t i = 0; i < k->nundef && unreachable; i++) {
        unreachable = found && !may_be_taken(k, x->l, found, &k->undef[i]);
        if (!unreachable)
            sel_refuse(why, SEL_R_UNDEFINED,
                       "with these arguments a variable may have no value where line %u needs it",
                       (unsigned)k->undef[i].line);
    }
    return unreachable;
}
