/* stay.c - do all work-items of a launch pass the guards of the range?
 *
 * Where only the last ones may leave, what is compared grows with the ids: then the guards need only be asked
 * for the last id of all dimensions. */
#include "analysis/summary/early_exit.h"
#include "select/prove/eval.h"
#include "select/select.h"

#define MOST_DEPTH 32
#define MOST_IDS   (UINT64_C(1) << 30) /* in a dimension: no sum of them and of sizes wraps around */

/* The last value of what a work-item is told. */
static bool last_of(const struct launch *l, const struct sum_insn *in, uint64_t *out)
{
    const unsigned d = in->imm >= 0 && in->imm < 3 ? (unsigned)in->imm : 3;

    if (d > 2 || l->offset[d] + l->global[d] > MOST_IDS)
        return false;
    const size_t local = l->local[d], whole = local && l->global[d] % local == 0 ? local : 0;
    switch (in->sub) {
    case SUM_WI_GLOBAL_ID:
        *out = l->offset[d] + l->global[d] - 1;
        return true;
    case SUM_WI_LOCAL_ID:
        *out = whole - 1;
        return whole;
    case SUM_WI_LOCAL_SIZE:
    case SUM_WI_ENQUEUED_LOCAL_SIZE:
        *out = whole;
        return whole;
    case SUM_WI_GROUP_ID:
        *out = whole ? l->global[d] / whole - 1 : 0;
        return whole;
    default:
        return false;
    }
}

/* A value for the last work-item. */
static bool value_of(const struct kernel_summary *k, const struct launch *l, uint32_t v, unsigned depth,
                     uint64_t *out)
{
    const struct sum_insn *in = &k->insns[v];
    uint64_t x, y = 0;

    if (!depth)
        return false;
    if (in->op == SUM_WI && last_of(l, in, out))
        return true;
    if (v < k->nleaf)
        return sel_eval_leaf(k, l, v, out);
    if ((in->op == SUM_TRUNC && in->bits < 32) || in->op == SUM_PHI || !in->nopnd ||
        !value_of(k, l, sum_opnd(k, v, 0), depth - 1, &x))
        return false;
    if (in->op == SUM_SELECT)
        return value_of(k, l, sum_opnd(k, v, x & 1 ? 1 : 2), depth - 1, out);
    if (in->nopnd > 1 && !value_of(k, l, sum_opnd(k, v, 1), depth - 1, &y))
        return false;
    return sel_eval_operation(k, v, x, y, out);
}

bool sel_all_stay(const struct kernel_summary *k, const struct launch *l)
{
    struct early_exits e;
    uint64_t truth;

    if (!early_exits(k, &e))
        return false;
    for (unsigned i = 0; i < e.n; i++)
        if (!value_of(k, l, e.branch[i].cond, MOST_DEPTH, &truth) || (truth & 1) != e.branch[i].stays)
            return false;
    return true;
}
