/* outside.c - may a launch touch what lies behind the end of a private array, or before it?
 *
 * Another variable lies there, of the same work-item or of its neighbour, or the counter of the driver's own
 * loop over the work-items.  Which one decides the local size. */
#include "select/prove/parts.h"

/* Is the place one that no launch decides? */
static bool is_fixed(const struct kernel_summary *k, uint32_t pointer, int64_t bytes)
{
    for (; k->insns[pointer].op == SUM_PTRADD; pointer = sum_opnd(k, pointer, 0)) {
        const struct sum_insn *by = &k->insns[sum_opnd(k, pointer, 1)];
        if (by->op != SUM_CONST || by->imm < 0 || by->imm > INT32_MAX)
            return false;
        bytes += by->imm;
    }
    const struct sum_insn *base = &k->insns[pointer];
    if (base->op == SUM_ARG)
        return k->args[base->imm].kind != SUM_ARG_SCALAR || bytes <= k->args[base->imm].size;
    return base->op == SUM_ALLOCA && bytes <= base->imm;
}

bool sel_place_is_computed(const struct kernel_summary *k, uint32_t v)
{
    return sum_may_touch_private(&k->insns[v]) && !is_fixed(k, sum_opnd(k, v, 0), k->insns[v].bytes);
}

bool sel_arrays_suffice(struct sel_look *x, const bool *but, struct sel_verdict *why)
{
    const struct kernel_summary *k = x->k;
    const struct sel_intervals *found;
    uint32_t at = k->nleaf;

    while (at < k->ninsn && !sel_place_is_computed(k, at))
        at++;
    if (at == k->ninsn)
        return true;
    if (!(found = sel_look(x)))
        return sel_refuse(why, SEL_R_INDEX, "too much to look at, or no memory");
    for (; at < k->ninsn; at++)
        if (found->outside[at] && !(but && but[sum_opnd(k, at, 0)]))
            return sel_refuse(why, SEL_R_INDEX, "line %u may touch what is behind or before a private array",
                              (unsigned)k->insns[at].line);
    return true;
}
