/* any_launch.c - what stands in the way of all launches of a kernel?
 *
 * Launches are judged that are as easy to prove as can be.  If none is proved, it is asked whether the range
 * and the arguments have any part in that: in what is computed (decided()), or in the way that is taken
 * (way_is_decided()). */
#include "select/prove/parts.h"

#include "analysis/summary/early_exit.h"

#include <stdlib.h>
#include <string.h>

#define EASY_BYTES ((uint64_t)1 << 31) /* of a buffer */
#define MOST_DEEP  12                  /* operations of a guard */

/* ---- what a launch decides --------------------------------------------------------------------------- */

/* Does a launch decide about an operand of v?  Whatever the place is, what is loaded may be anything, but
 * from a struct that is passed by value. */
static bool has_decided(const struct kernel_summary *k, const bool *by, uint32_t v)
{
    const struct sum_insn *in = &k->insns[v];
    bool is = false;

    if (in->op == SUM_LOAD) {
        const struct sum_insn *base = &k->insns[sum_base(k, sum_opnd(k, v, 0))];
        return base->op == SUM_ARG && k->args[base->imm].kind == SUM_ARG_SCALAR;
    }
    for (uint32_t i = 0; i < in->nopnd; i++)
        is |= !sum_operand_is_block(in, i) && by[sum_opnd(k, v, i)];
    return is;
}

/* value -> may the range or an argument decide more about it than it does about a number in a buffer?
 * `rounds`: where there are loops, so may they in all that changes in them (intervals.h stops first at the
 * launch's numbers when it looks how far something grows).  NULL when out of memory. */
static bool *decided(const struct kernel_summary *k, bool rounds)
{
    bool *by = calloc((size_t)k->ninsn + 1, sizeof *by), changed = by;

    for (uint32_t v = 0; by && v < k->ninsn; v++)
        by[v] = k->insns[v].op == SUM_WI || (k->insns[v].op == SUM_PHI && rounds && sum_has_loop(k)) ||
                (k->insns[v].op == SUM_ARG && k->args[k->insns[v].imm].kind == SUM_ARG_SCALAR);
    while (changed) {
        changed = false;
        for (uint32_t v = k->nleaf; v < k->ninsn; v++)
            if (!by[v] && has_decided(k, by, v))
                by[v] = changed = true;
    }
    return by;
}

/* Is it computed from the range and arguments alone, so that it tells nothing of what was loaded? */
static bool is_of_launch(const struct kernel_summary *k, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &k->insns[v];
    bool is = v < k->nleaf || (depth && in->op >= SUM_ADD && in->op <= SUM_SEXT);

    for (uint32_t i = 0; is && v >= k->nleaf && i < in->nopnd; i++)
        is = is_of_launch(k, sum_opnd(k, v, i), depth - 1);
    return is;
}

/* Is it a guard of the range?  Who leaves there has done nothing. */
static bool is_guard(const struct kernel_summary *k, const struct early_exits *exits, uint32_t condition)
{
    bool is = false;

    for (unsigned i = 0; i < exits->n; i++)
        is |= exits->branch[i].cond == condition;
    return is && is_of_launch(k, condition, MOST_DEEP);
}

/* May the range or an argument decide where work-items go that have passed the guards of the range? */
static bool way_is_decided(const struct kernel_summary *k, bool rounds)
{
    bool *by = decided(k, rounds), is = !by;
    struct early_exits exits;

    if (!early_exits(k, &exits))
        exits.n = 0;
    for (uint32_t v = k->nleaf; v < k->ninsn && !is; v++)
        if (k->insns[v].op == SUM_CONDBR || k->insns[v].op == SUM_SWITCH)
            is = by[sum_opnd(k, v, 0)] && !is_guard(k, &exits, sum_opnd(k, v, 0));
    free(by);
    return is;
}

/* Is what refuses the launch something that no launch decides?  *why says so, and then of what that is. */
static bool is_hopeless(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why)
{
    const bool computed = why->reason == SEL_R_OVERFLOW || why->reason == SEL_R_INDEX;
    struct sel_look x = {.k = k, .l = l};
    bool *by, is;

    if ((!computed && why->reason != SEL_R_UNDEFINED && why->reason != SEL_R_LOOPS) ||
        way_is_decided(k, !computed))
        return false;
    by = computed ? decided(k, true) : NULL;
    is = sel_look(&x) && /* there is an end to looking at its integers */
         (!computed || (by && !(why->reason == SEL_R_OVERFLOW ? sel_overflow_hidden(&x, by, why)
                                                              : sel_arrays_suffice(&x, by, why))));
    sel_look_end(&x);
    free(by);
    return is;
}

/* ---- launches that are easy to prove ----------------------------------------------------------------- */

/* What is passed by value, in each number of it. */
static void set_value(struct launch_arg *a, int64_t value)
{
    const size_t one = a->size <= sizeof value ? a->size : 4;

    for (size_t at = 0; at + one <= a->size && at + one <= sizeof a->value; at += one)
        memcpy(a->value + at, &value, one);
}

static void set_easy(const struct kernel_summary *k, struct launch_arg *args, int64_t value)
{
    for (uint32_t i = 0; i < k->nargs; i++) {
        args[i] = (struct launch_arg){.set = true,
                                      .size = k->args[i].size,
                                      .memory = i + 1,
                                      .bytes = EASY_BYTES,
                                      .components = (uint8_t)(0xF & ~k->args[i].gaps)};
        if (k->args[i].kind == SUM_ARG_LOCAL)
            args[i].size = UINT16_MAX;
        if (k->args[i].kind == SUM_ARG_SCALAR && args[i].size)
            set_value(&args[i], value);
    }
}

static bool is_proved(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why)
{
    struct sel_proof proof;

    sel_judge(k, l, &proof);
    *why = proof.size;
    return proof.size.proven;
}

static struct launch easy_launch(const struct kernel_summary *k, const struct driver *d)
{
    return (struct launch){.dim = 3,
                           .global = {1, 1, 1},
                           .local = {1, 1, 1},
                           .open = d ? sel_open(k, d) : LAUNCH_OPEN_NOWHERE,
                           .reorders = d && drv_has(d, DRV_LOSES_ORDER),
                           .ends_loops = d && drv_has(d, DRV_ENDS_LOOPS),
                           .nargs = k->nargs};
}

bool sel_driver_matters(const struct kernel_summary *k, const struct driver *d)
{
    const struct launch l = easy_launch(k, d);

    return l.open != LAUNCH_OPEN_NOWHERE || l.reorders || l.ends_loops;
}

enum sel_chance sel_judge_any(const struct kernel_summary *k, const struct driver *d, struct sel_verdict *why)
{
    static const int64_t values[] = {8, 1, 64};
    struct launch_arg *args = calloc((size_t)k->nargs + 1, sizeof *args);
    struct launch l = easy_launch(k, d);
    enum sel_chance chance = args ? SEL_CHANCE_FEW : SEL_CHANCE_GOOD;

    l.args = args;
    for (unsigned i = 0; i < sizeof values / sizeof *values && chance == SEL_CHANCE_FEW; i++) {
        set_easy(k, args, values[i]);
        if (is_proved(k, &l, why))
            chance = SEL_CHANCE_GOOD;
        else if (is_hopeless(k, &l, why))
            chance = SEL_CHANCE_NONE;
    }
    free(args);
    return chance;
}
