/* spin.c - the part of fact S that is about loops in which a work-item may wait for another one.
 *
 * Whether the other one runs at the same time depends on the local size, so such a loop may end with one size
 * and not with another.  Refused is every loop whose end depends on what another work-item may change while
 * it runs, and every loop whose end nothing is known about. */
#include "analysis/prove/proof.h"

struct slice {
    uint32_t *seen; /* value -> last loop that visited it + 1 */
    uint32_t *stack;
    bool whole; /* control inside the loop matters too */
};

/* Does v, in a loop, bring in what another work-item may change while the loop runs? */
static bool waits(const struct proof *p, uint32_t v)
{
    switch (p->k->insns[v].op) {
    case SUM_ATOMIC:
    case SUM_CALL:
        return true;
    case SUM_LOAD:
    case SUM_IMAGE_READ:
        return p->taint.of[v] & TAINT_SHARED;
    default:
        return false;
    }
}

/* Does v take its value from the path that control took inside loop l?  Phis of paths that meet in the loop;
 * private memory, which may have been stored to on some paths only. */
static bool chooses(const struct proof *p, uint32_t l, uint32_t v)
{
    const struct kernel_summary *k = p->k;
    unsigned inside = 0;
    if (k->insns[v].op == SUM_LOAD)
        return p->taint.of[v] & TAINT_VARIES;
    if (k->insns[v].op != SUM_PHI)
        return false;
    for (uint32_t i = 0; i < k->insns[v].nopnd; i += 2)
        inside += cfg_in_loop(&p->cfg, l, sum_opnd(k, v, i));
    return inside > 1;
}

/* Walk backwards from the condition of block b's branch through the values that loop l computes. */
static void judge_branch(struct proof *p, struct slice *s, uint32_t l, uint32_t b)
{
    const struct kernel_summary *k = p->k;
    uint32_t depth = 0, t = k->blocks[b].end - 1;
    if (k->insns[t].op != SUM_CONDBR && k->insns[t].op != SUM_SWITCH)
        return;
    s->stack[depth++] = sum_opnd(k, t, 0);
    while (depth) {
        uint32_t v = s->stack[--depth];
        if (v < k->nleaf || s->seen[v] == l + 1 || !cfg_in_loop(&p->cfg, l, p->cfg.block_of[v]))
            continue;
        s->seen[v] = l + 1;
        s->whole |= chooses(p, l, v);
        if (waits(p, v)) {
            proof_refuse(p->k, SUM_FACT_S, SUM_R_SPIN, t,
                         "a loop whose end depends on memory that is written");
            return;
        }
        const struct sum_insn *in = &k->insns[v];
        for (uint32_t i = in->op == SUM_PHI ? 1 : 0; i < in->nopnd; i += in->op == SUM_PHI ? 2 : 1)
            s->stack[depth++] = sum_opnd(k, v, i);
    }
}

/* The branches that leave; and where other branches decide whether those are reached
 * or what they see, all. */
static void judge_loop(struct proof *p, struct slice *s, uint32_t l)
{
    const struct cfg *c = &p->cfg;
    s->whole = false;
    for (uint32_t i = c->loop[l].first; i < c->loop[l].end; i++) {
        uint32_t b = c->loop_block[i];
        if (!cfg_leaves(c, l, b))
            continue;
        s->whole |= !cfg_each_round(c, l, b);
        judge_branch(p, s, l, b);
    }
    for (uint32_t i = c->loop[l].first; s->whole && i < c->loop[l].end; i++)
        judge_branch(p, s, l, c->loop_block[i]);
}

void proof_spin(struct proof *p)
{
    struct kernel_summary *k = p->k;
    struct slice s = {0};
    for (uint32_t b = 0; b < k->nblock; b++)
        if (p->cfg.ipdom[b] == CFG_NONE)
            proof_refuse(k, SUM_FACT_S, SUM_R_SPIN, k->blocks[b].first, "a loop without an end");
    if (p->cfg.irreducible)
        proof_refuse(k, SUM_FACT_S, SUM_R_SPIN, CFG_NONE, "a loop with several entries");
    s.seen = must_array(&p->cfg, k->ninsn, sizeof(*s.seen));
    s.stack = must_array(&p->cfg, (size_t)k->nopnd + k->ninsn, sizeof(*s.stack));
    for (uint32_t l = 0; l < p->cfg.nloop; l++)
        judge_loop(p, &s, l);
}
