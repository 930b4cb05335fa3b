/* meet.c - part of S, of the view of a group (group_view.c): all of a group meet at each barrier.
 *
 * Where a branch may take work-items of a group apart, no barrier may stand before its paths meet again, that
 * is, before its immediate post-dominator.  A branch takes them apart if its condition differs between them:
 * because of what it is computed from (taint.c; memory counts), or because a phi it depends on stands where
 * such a branch's paths run or meet. The latter counts what leaves a loop in different rounds, too: such a
 * loop's own phis stand there.
 *
 * Many groups are flat, and all of such a group have the same id in its other dimensions.  So what only holds
 * for flat groups is a condition of the launch (kernel_summary.flat). */
#include "analysis/prove/meet.h"

#include <string.h>

/* From what it is itself; operands apart. */
static bool varies_by_itself(const struct meeting *m, uint32_t v)
{
    const struct proof *p = m->p;
    const taint_set s = p->taint.of[v] & ~m->flat;
    switch (p->k->insns[v].op) {
    case SUM_WI:
        return (s & TAINT_POSITION) != 0;
    case SUM_LOAD:
        return (s & ~TAINT_SETTINGS) != 0;
    case SUM_ATOMIC:
    case SUM_CALL:
    case SUM_IMAGE_READ:
    case SUM_ALLOCA:
        return true;
    case SUM_OPAQUE:
        return (p->k->insns[v].flags & (SUM_F_UNDEF | SUM_F_GAP)) != 0;
    case SUM_PURE:
        return p->k->insns[v].nopnd == 0;
    default:
        return false;
    }
}

/* A value whose work-item function, load or operand varies, or a phi where work-items are apart. */
static void visit(struct meeting *m, uint32_t v, uint32_t block)
{
    const struct kernel_summary *k = m->p->k;
    const struct sum_insn *in = &k->insns[v];
    bool varies = varies_by_itself(m, v) || (in->op == SUM_PHI && m->apart[block]);
    for (uint32_t i = 0; i < in->nopnd && !varies; i++)
        varies = !sum_operand_is_block(in, i) && m->varies[sum_opnd(k, v, i)];
    m->changed |= varies && !m->varies[v];
    m->varies[v] |= varies;
}

void meet_walk(struct meeting *m, uint32_t from, uint32_t meet, uint32_t stop)
{
    const struct cfg *c = &m->p->cfg;
    memset(m->seen, 0, c->nblock * sizeof *m->seen);
    for (uint32_t b = 0; b < c->nblock; b++)
        m->ends[b] = b == meet || b == stop;
    cfg_reach(c, from, CFG_NONE, m->ends, m->seen, m->stack);
}

/* Mark where the paths of the branch of block d run, up to where they meet. */
static void follow(struct meeting *m, uint32_t d)
{
    const struct cfg *c = &m->p->cfg;
    const uint32_t meet = c->ipdom[d]; /* nblock: behind all returns; CFG_NONE: nowhere */
    meet_walk(m, d, meet, CFG_NONE);
    for (uint32_t b = 0; b < c->nblock; b++)
        m->apart[b] |= m->seen[b];
    if (meet < c->nblock) /* who comes here has met, though phis choose; unless it lies on a path, too */
        m->seen[meet] = false;
    for (uint32_t b = 0; b < c->nblock; b++)
        for (uint32_t v = m->p->k->blocks[b].first; m->seen[b] && v < m->p->k->blocks[b].end; v++)
            if (m->p->k->insns[v].op == SUM_BARRIER && m->parting == CFG_NONE)
                m->parting = v;
}

void meet_begin(struct meeting *m, struct proof *p)
{
    const uint32_t n = p->k->nblock;
    *m = (struct meeting){.p = p};
    m->varies = must_array(&p->cfg, p->k->ninsn, sizeof *m->varies);
    m->apart = must_array(&p->cfg, n, sizeof *m->apart);
    m->done = must_array(&p->cfg, n, sizeof *m->done);
    m->seen = must_array(&p->cfg, n, sizeof *m->seen);
    m->ends = must_array(&p->cfg, n, sizeof *m->ends);
    m->stack = must_array(&p->cfg, n, sizeof *m->stack);
    m->ways = must_array(&p->cfg, n, sizeof *m->ways);
}

/* Mark where ways of different work-items from the branch of block d join: what both successors lead to, and
 * loops that they leave in different rounds. */
static void follow_joins(struct meeting *m, uint32_t d)
{
    const struct cfg *c = &m->p->cfg;
    memset(m->ways, 0, c->nblock * sizeof *m->ways);
    for (uint32_t i = c->succ_first[d]; i < c->succ_first[d + 1]; i++) {
        const uint32_t way = c->succ[i];
        if (way == c->ipdom[d])
            memset(m->seen, 0, c->nblock * sizeof *m->seen);
        else
            meet_walk(m, way, c->ipdom[d], CFG_NONE);
        m->seen[way] = true;
        for (uint32_t b = 0; b < c->nblock; b++)
            m->ways[b] += m->seen[b];
    }
    for (uint32_t b = 0; b < c->nblock; b++)
        m->apart[b] |= m->ways[b] > 1;
    for (uint32_t l = c->loop_of[d]; l != CFG_NONE; l = c->loop[l].parent)
        for (uint32_t i = c->loop[l].first; i < c->loop[l].end && cfg_leaves(c, l, d); i++)
            m->apart[c->loop_block[i]] = true;
}

uint32_t meet_look(struct meeting *m, unsigned flat)
{
    const struct kernel_summary *k = m->p->k;
    m->flat = flat * TAINT_GID;
    m->parting = CFG_NONE;
    memset(m->apart, 0, k->nblock * sizeof *m->apart);
    memset(m->done, 0, k->nblock * sizeof *m->done);
    memset(m->varies, 0, k->ninsn * sizeof *m->varies);
    for (uint32_t v = 0; v < k->nleaf; v++)
        m->varies[v] = varies_by_itself(m, v);
    for (m->changed = true; m->changed;) {
        m->changed = false;
        for (uint32_t b = 0; b < k->nblock; b++) {
            const uint32_t t = k->blocks[b].end - 1;
            for (uint32_t v = k->blocks[b].first; v < t; v++)
                visit(m, v, b);
            if ((k->insns[t].op == SUM_CONDBR || k->insns[t].op == SUM_SWITCH) && !m->done[b] &&
                m->varies[sum_opnd(k, t, 0)]) {
                m->done[b] = m->changed = true;
                (m->joins_only ? follow_joins : follow)(m, b);
            }
        }
    }
    return m->parting;
}

void proof_meet(struct proof *p)
{
    static const uint8_t flat[] = {4, 2, 6}; /* sets of dimensions */
    struct meeting m;
    for (uint32_t v = p->k->nleaf; v < p->k->ninsn; v++)
        if (p->k->insns[v].op == SUM_BARRIER && (p->k->insns[v].flags & SUM_F_SUBGROUP))
            proof_refuse(p->k, SUM_FACT_S, SUM_R_SUBGROUP, v, "a barrier of a sub-group");
    if (p->cfg.irreducible)
        proof_refuse(p->k, SUM_FACT_S, SUM_R_BARRIER, CFG_NONE, "a loop with several entries");
    meet_begin(&m, p);
    const uint32_t parting = meet_look(&m, 0);
    for (unsigned i = 0; i < sizeof flat / sizeof flat[0] && parting != CFG_NONE && !p->k->flat; i++)
        if (meet_look(&m, flat[i]) == CFG_NONE)
            p->k->flat = flat[i];
    if (parting != CFG_NONE && !p->k->flat)
        proof_refuse(p->k, SUM_FACT_S, SUM_R_BARRIER, parting, "a barrier that not all of a group may reach");
    if (p->k->fact[SUM_FACT_S].reason != SUM_R_NONE)
        return;
    p->same = m.varies;
    for (uint32_t v = 0; v < p->k->ninsn; v++)
        p->same[v] = !m.varies[v] && p->k->insns[v].bits != 0;
}
