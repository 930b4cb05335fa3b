/* stay.c - do all work-items of a launch pass the guards of the range?
 *
 * Where only the last ones may leave, what is compared grows with the ids: then the guards need only be asked
 * for the last id of all dimensions. */
#include "analysis/summary/early_exit.h"
#include "select/prove/eval.h"
#include "select/select.h"

#define MOST_IDS (UINT64_C(1) << 30) /* in a dimension: no sum of them and of sizes wraps around */

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

bool sel_all_stay(const struct kernel_summary *k, const struct launch *l)
{
    struct early_exits e;
    uint64_t truth;

    if (!early_exits(k, &e))
        return false;
    for (unsigned i = 0; i < e.n; i++) {
        struct sel_eval last = {.k = k, .l = l, .id = last_of};
        if (!sel_eval_value(&last, e.branch[i].cond, 0, &truth) || (truth & 1) != e.branch[i].stays)
            return false;
    }
    return true;
}
