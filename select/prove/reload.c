/* reload.c - would it show if a driver loaded a value once more, where it is used, instead of keeping it?
 *
 * Seen with a driver that runs the work-items of a group in loops, one for each part of the kernel between
 * two barriers; it also puts barriers of its own around loops.  What one part computes and another one uses
 * it computes again there, loads included, though there may have been a store to that place since: `u = a[i];
 * a[i] = 9; for (...) v += u;` adds 9.  It does so for all sizes alike, but only for values that few
 * instructions make, so that the same kernel in other words may keep what it has loaded. */
#include <string.h>

#include "select/prove/parts.h"

#include "analysis/summary/cfg.h"
#include "select/prove/form.h"

#define MOST_STEPS 20000000u /* loads, times instructions */

struct reload {
    const struct kernel_summary *k;
    const struct launch *l;
    struct cfg cfg;
    uint32_t *behind; /* by block: the first instruction behind a store to the place of the load; or ninsn */
    uint32_t *stack;
    bool *seen;    /* by block: come to behind the load, without coming to it once more */
    bool *derived; /* by instruction: made of what was loaded */
    uint64_t steps;
};

static bool is_shared(const struct sum_insn *in)
{
    return in->space != SUM_PRIVATE && in->space != SUM_CONSTANT;
}

static bool may_store(const struct sum_insn *in)
{
    return in->op == SUM_CALL || ((in->op == SUM_STORE || in->op == SUM_ATOMIC) && is_shared(in));
}

/* May load `a` and store `b` touch one place? */
static bool may_meet(const struct reload *r, uint32_t a, uint32_t b)
{
    const struct kernel_summary *k = r->k;

    if (k->insns[b].op == SUM_CALL)
        return true;
    const uint32_t x = sum_base(k, sum_opnd(k, a, 0)), y = sum_base(k, sum_opnd(k, b, 0));
    const struct sum_insn *p = &k->insns[x], *q = &k->insns[y];

    if (x == y || (p->op != SUM_ARG && p->op != SUM_VAR) || (q->op != SUM_ARG && q->op != SUM_VAR))
        return true;
    if (p->op != q->op)
        return false;
    return p->imm == q->imm || (p->op == SUM_ARG && sel_shared(k, r->l, (unsigned)p->imm, (unsigned)q->imm));
}

/* Fill in r->behind.  False: no such store follows the load. */
static bool find_behind(struct reload *r, uint32_t load)
{
    const struct kernel_summary *k = r->k;
    const uint32_t own = r->cfg.block_of[load];
    bool follows = false;

    memset(r->seen, 0, k->nblock * sizeof *r->seen);
    cfg_reach(&r->cfg, own, own, NULL, r->seen, r->stack);
    for (uint32_t b = 0; b < k->nblock; b++) {
        r->behind[b] = k->ninsn;
        for (uint32_t v = b == own ? load + 1 : k->blocks[b].first;
             v < k->blocks[b].end && (r->seen[b] || b == own) && r->behind[b] == k->ninsn; v++)
            if (may_store(&k->insns[v]) && may_meet(r, load, v))
                r->behind[b] = v + 1;
        follows |= r->behind[b] != k->ninsn;
    }
    memset(r->seen, 0, k->nblock * sizeof *r->seen);
    for (uint32_t b = 0; b < k->nblock; b++)
        if (r->behind[b] != k->ninsn)
            cfg_reach(&r->cfg, b, own, NULL, r->seen, r->stack);
    for (uint32_t b = 0; b < k->nblock; b++)
        if (r->seen[b])
            r->behind[b] = k->blocks[b].first;
    r->steps += 2 * (uint64_t)k->nblock + k->ninsn;
    return follows;
}

/* A value that a loop takes from one round to the next is kept in memory: what makes it is done where it is.
 */
static bool is_kept(const struct reload *r, uint32_t v)
{
    const uint32_t b = r->cfg.block_of[v];

    return r->cfg.loop_of[b] != CFG_NONE && r->cfg.loop[r->cfg.loop_of[b]].header == b;
}

static bool uses_derived(const struct reload *r, uint32_t v)
{
    const struct sum_insn *in = &r->k->insns[v];

    for (uint32_t i = 0; i < in->nopnd; i++)
        if (!sum_operand_is_block(in, i) && r->derived[sum_opnd(r->k, v, i)])
            return true;
    return false;
}

/* Is instruction v, which may be a use, behind the store?  Of a PHI it is the end of a block before it. */
static bool is_behind(const struct reload *r, uint32_t v)
{
    const struct kernel_summary *k = r->k;

    if (k->insns[v].op != SUM_PHI)
        return v >= r->behind[r->cfg.block_of[v]];
    for (uint32_t i = 0; i + 1 < k->insns[v].nopnd; i += 2)
        if (r->derived[sum_opnd(k, v, i + 1)] && r->behind[sum_opnd(k, v, i)] != k->ninsn)
            return true;
    return false;
}

/* Does the kernel use what `load` finds behind a store to its place? */
static bool is_used_behind(struct reload *r, uint32_t load)
{
    const struct kernel_summary *k = r->k;

    memset(r->derived, 0, k->ninsn * sizeof *r->derived);
    r->derived[load] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
            if (r->derived[v] || !uses_derived(r, v))
                continue;
            if (is_behind(r, v))
                return true;
            if (k->insns[v].op != SUM_PHI || !is_kept(r, v))
                more = r->derived[v] = true;
        }
        r->steps += k->ninsn;
        if (r->steps > MOST_STEPS)
            return true;
    }
    return false;
}

/* A kernel without loops is one part.  What it is rewritten to has loops where it has private arrays. */
static bool has_parts(const struct kernel_summary *k)
{
    bool arrays = false;

    for (uint32_t v = 0; v < k->nleaf; v++)
        arrays |= k->insns[v].op == SUM_ALLOCA;
    return arrays || k->has_barrier || sum_has_loop(k);
}

bool sel_loads_stay(const struct kernel_summary *k, const struct launch *l)
{
    struct reload r = {.k = k, .l = l};
    bool stay = true;

    if (!l->reloads || !has_parts(k))
        return true;
    if (cfg_build(k, &r.cfg)) {
        cfg_free(&r.cfg);
        return false;
    }
    r.behind = cfg_array(&r.cfg, k->nblock, sizeof *r.behind);
    r.stack = cfg_array(&r.cfg, k->nblock, sizeof *r.stack);
    r.seen = cfg_array(&r.cfg, k->nblock, sizeof *r.seen);
    r.derived = cfg_array(&r.cfg, k->ninsn, sizeof *r.derived);
    stay = !r.cfg.failed;
    for (uint32_t v = k->nleaf; v < k->ninsn && stay; v++)
        if (k->insns[v].op == SUM_LOAD && is_shared(&k->insns[v]) && find_behind(&r, v))
            stay = r.steps <= MOST_STEPS && !is_used_behind(&r, v);
    cfg_free(&r.cfg);
    return stay;
}
