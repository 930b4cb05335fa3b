/* part_at_loops.c - kernel_summary.parts_at_loops: may work-items part around or behind a loop?
 *
 * A driver may take a loop for one of all work-items, where it does not see that they go round differently.
 * Then they must not leave a loop around it in different rounds, nor part behind it before the ways of a
 * branch meet that leads to it.  The test before a loop is such a branch, and compilers send who makes no
 * round past what is known of him: its ways meet late. */
#include "analysis/prove/meet.h"

#define MAX_DEPTH 16 /* of an expression */

/* Does work-item from work-item differ in which round it leaves loop `l`? */
static bool is_left_apart(const struct meeting *m, uint32_t l)
{
    const struct cfg *c = &m->p->cfg;
    for (uint32_t i = c->loop[l].first; i < c->loop[l].end; i++)
        if (m->done[c->loop_block[i]] && cfg_leaves(c, l, c->loop_block[i]))
            return true;
    return false;
}

/* Is the value computed from ids, or loaded from where they say, whichever way was taken? */
static bool shows_id(const struct proof *p, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &p->k->insns[v];
    const bool chooses = in->op == SUM_SELECT || (in->op == SUM_PURE && in->nopnd == 3);
    if (in->op == SUM_WI)
        return (p->taint.of[v] & TAINT_POSITION) != 0;
    if (in->op == SUM_PHI || !depth)
        return false;
    for (uint32_t i = chooses ? 1 : 0; i < in->nopnd; i++)
        if (!sum_operand_is_block(in, i) && shows_id(p, sum_opnd(p->k, v, i), depth - 1))
            return true;
    return false;
}

/* Does block b end with a comparison that shows to any compiler that it takes work-items apart? */
static bool is_shown(const struct proof *p, uint32_t b)
{
    const uint32_t t = p->k->blocks[b].end - 1;
    if (p->k->insns[t].op != SUM_CONDBR)
        return false;
    const uint32_t condition = sum_opnd(p->k, t, 0);
    const struct sum_insn *in = &p->k->insns[condition];
    return (in->op == SUM_ICMP || (in->op == SUM_PURE && in->nopnd == 2)) &&
           shows_id(p, condition, MAX_DEPTH);
}

static bool starts_shown(const struct proof *p, uint32_t l)
{
    const uint32_t header = p->cfg.loop[l].header;
    return cfg_leaves(&p->cfg, l, header) && is_shown(p, header);
}

/* Is one loop around another one left apart? */
static bool parts_in_nest(const struct meeting *m)
{
    const struct cfg *c = &m->p->cfg;
    for (uint32_t inner = 0; inner < c->nloop; inner++)
        for (uint32_t l = c->loop[inner].parent; l != CFG_NONE; l = c->loop[l].parent)
            if (is_left_apart(m, l) && !starts_shown(m->p, l) && !starts_shown(m->p, inner))
                return true;
    return false;
}

/* Do work-items take several ways from block b, or have chosen in it what may have been two ways that met? */
static bool takes_apart(const struct meeting *m, uint32_t b)
{
    const struct kernel_summary *k = m->p->k;
    bool apart = m->done[b];
    for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end && !apart && m->p->cfg.ipdom[b] < k->nblock;
         v++) {
        const struct sum_insn *in = &k->insns[v];
        const bool chooses = in->op == SUM_SELECT || (in->op >= SUM_SMIN && in->op <= SUM_UMAX) ||
                             (in->op == SUM_PURE && in->nopnd == 3 && k->insns[sum_opnd(k, v, 0)].bits == 1);
        apart = chooses && m->varies[v];
    }
    return apart;
}

/* Is the value known of work-items that make no round of loop `l`, or pass it by?  Of conditions also where
 * one part that is known may decide (`partly`).  m->seen: what the loop leads to. */
static bool is_known(const struct meeting *m, uint32_t l, uint32_t v, bool partly, unsigned depth)
{
    const struct cfg *c = &m->p->cfg;
    const struct kernel_summary *k = m->p->k;
    const struct sum_insn *in = &k->insns[v];
    const uint32_t header = c->loop[l].header;
    if (v < k->nleaf)
        return in->op == SUM_CONST || in->op == SUM_OPAQUE;
    if (!depth || !in->nopnd || (in->op > SUM_PHI && in->op != SUM_PURE))
        return false;
    if (in->op == SUM_PHI) {
        const uint32_t block = c->block_of[v], around = c->loop_of[block];
        const bool begins = around != CFG_NONE && c->loop[around].header == block;
        if (!m->seen[block] || (block != header && (begins || cfg_in_loop(c, l, block))))
            return false;
        for (uint32_t i = 0; i < in->nopnd; i += 2) {
            const uint32_t from = sum_opnd(k, v, i);
            if ((!cfg_in_loop(c, l, from) || (from == header && block != header)) &&
                is_known(m, l, sum_opnd(k, v, i + 1), partly, depth - 1))
                return true;
        }
        return false;
    }
    const bool one =
        partly && in->bits == 1 && (in->op == SUM_AND || in->op == SUM_OR || in->op == SUM_SELECT);
    for (uint32_t i = 0; i < in->nopnd; i++) {
        const bool known = is_known(m, l, sum_opnd(k, v, i), partly, depth - 1);
        if (known == one)
            return one;
    }
    return !one;
}

/* Is it the smaller or larger of the two that its condition compares? */
static bool is_extreme(const struct kernel_summary *k, uint32_t select)
{
    const uint32_t condition = sum_opnd(k, select, 0), a = sum_opnd(k, select, 1), b = sum_opnd(k, select, 2);
    if (k->insns[condition].nopnd != 2)
        return false;
    const uint32_t x = sum_opnd(k, condition, 0), y = sum_opnd(k, condition, 1);
    return (x == a && y == b) || (x == b && y == a);
}

/* Do work-items part at the end of block b, by what is known of those who pass loop `l` by?  Compilers send
 * these past it.  A choice may have been such a branch. */
static bool parts_by_known(const struct meeting *m, uint32_t l, uint32_t b)
{
    const struct kernel_summary *k = m->p->k;
    const uint32_t t = k->blocks[b].end - 1;
    bool parts = m->done[b] && is_known(m, l, sum_opnd(k, t, 0), true, MAX_DEPTH);
    for (uint32_t v = k->blocks[b].first; v < t && !parts; v++)
        parts = k->insns[v].op == SUM_SELECT && m->varies[sum_opnd(k, v, 0)] && !is_extreme(k, v) &&
                is_known(m, l, sum_opnd(k, v, 0), true, MAX_DEPTH);
    return parts;
}

/* Compilers test before a loop whether it makes a round.  Is there a branch behind loop `l` whose outcome is
 * known where it makes none? */
static bool parts_behind_test(struct meeting *m, uint32_t l)
{
    const struct cfg *c = &m->p->cfg;
    const uint32_t header = c->loop[l].header, t = m->p->k->blocks[header].end - 1;
    if (!cfg_leaves(c, l, header) || starts_shown(m->p, l))
        return false;
    meet_walk(m, header, c->nblock, CFG_NONE);
    m->seen[header] = true;
    if (is_known(m, l, sum_opnd(m->p->k, t, 0), false, MAX_DEPTH))
        return false;
    uint32_t b = c->succ[c->succ_first[header]];
    if (cfg_in_loop(c, l, b))
        b = c->succ[c->succ_first[header] + 1];
    for (uint32_t i = 0; i < c->nblock; i++) {
        if (parts_by_known(m, l, b))
            return true;
        if (cfg_nsucc(c, b) != 1)
            break;
        b = c->succ[c->succ_first[b]];
    }
    return false;
}

/* On a way from the branch of block d, which all may take alike: is there a loop, and behind it a branch that
 * takes work-items apart until the ways from d meet? */
static bool parts_behind_loop(struct meeting *m, uint32_t d)
{
    const struct cfg *c = &m->p->cfg;
    const uint32_t meet = c->ipdom[d];
    for (uint32_t l = 0; l < c->nloop; l++) {
        const uint32_t header = c->loop[l].header;
        meet_walk(m, d, meet, d);
        if (header == meet || !m->seen[header] || cfg_in_loop(c, l, d) || starts_shown(m->p, l))
            continue;
        meet_walk(m, header, meet, d);
        if (meet < c->nblock && parts_by_known(m, l, meet))
            return true;
        for (uint32_t b = 0; b < c->nblock; b++)
            if (m->seen[b] && b != d && !cfg_in_loop(c, l, b) && c->ipdom[b] == meet && takes_apart(m, b))
                return true;
    }
    return false;
}

/* Where a comparison shows it, no driver takes a loop for one of all work-items, nor those in it. */
bool proof_parts_at_loops(struct proof *p)
{
    const struct cfg *c = &p->cfg;
    struct meeting m;
    if (c->irreducible)
        return true;
    meet_begin(&m, p);
    m.joins_only = true;
    meet_look(&m, 0);
    bool parts = parts_in_nest(&m);
    for (uint32_t l = 0; l < c->nloop && !parts; l++)
        parts = parts_behind_test(&m, l);
    for (uint32_t d = 0; d < c->nblock && !parts; d++) {
        const uint32_t l = c->loop_of[d];
        parts = cfg_nsucc(c, d) > 1 && c->rpo_pos[d] != CFG_NONE && (l == CFG_NONE || !cfg_leaves(c, l, d)) &&
                !is_shown(p, d) && parts_behind_loop(&m, d);
    }
    return parts;
}
