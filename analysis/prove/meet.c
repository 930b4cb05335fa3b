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
#include "analysis/prove/proof.h"

#include <string.h>

#define MAX_DEPTH 16 /* of an expression */

struct meeting {
    struct proof *p;
    bool *varies;    /* value: may differ between work-items that meet at the same barriers */
    bool *apart;     /* block: paths of a branch that takes work-items apart run here, or meet */
    bool *done;      /* block: its branch has been followed */
    uint32_t *stack; /* blocks */
    uint32_t *ways;  /* block: of how many successors of a branch it is ahead */
    bool *seen;
    bool changed;
    taint_set flat;   /* ids that all of a group share */
    bool joins_only;  /* who runs a block runs it with all that came the same way */
    uint32_t parting; /* a barrier that not all may reach, CFG_NONE */
};

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
        return taint_is_undef(p->k, v);
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

/* Mark in m->seen what block `from` leads to, up to `meet`, that included, and not through `stop`. */
static void walk(struct meeting *m, uint32_t from, uint32_t meet, uint32_t stop)
{
    const struct cfg *c = &m->p->cfg;
    uint32_t depth = 0;
    memset(m->seen, 0, c->nblock * sizeof *m->seen);
    for (m->stack[depth++] = from; depth;) {
        const uint32_t b = m->stack[--depth];
        for (uint32_t i = c->succ_first[b]; i < c->succ_first[b + 1]; i++) {
            const uint32_t next = c->succ[i];
            if (m->seen[next])
                continue;
            m->seen[next] = true;
            if (next != meet && next != stop)
                m->stack[depth++] = next;
        }
    }
}

/* Mark where the paths of the branch of block d run, up to where they meet. */
static void follow(struct meeting *m, uint32_t d)
{
    const struct cfg *c = &m->p->cfg;
    const uint32_t meet = c->ipdom[d]; /* nblock: behind all returns; CFG_NONE: nowhere */
    walk(m, d, meet, CFG_NONE);
    for (uint32_t b = 0; b < c->nblock; b++)
        m->apart[b] |= m->seen[b];
    if (meet < c->nblock) /* who comes here has met, though phis choose; unless it lies on a path, too */
        m->seen[meet] = false;
    for (uint32_t b = 0; b < c->nblock; b++)
        for (uint32_t v = m->p->k->blocks[b].first; m->seen[b] && v < m->p->k->blocks[b].end; v++)
            if (m->p->k->insns[v].op == SUM_BARRIER && m->parting == CFG_NONE)
                m->parting = v;
}

static void begin(struct meeting *m, struct proof *p)
{
    const uint32_t n = p->k->nblock;
    *m = (struct meeting){.p = p};
    m->varies = must_array(&p->cfg, p->k->ninsn, sizeof *m->varies);
    m->apart = must_array(&p->cfg, n, sizeof *m->apart);
    m->done = must_array(&p->cfg, n, sizeof *m->done);
    m->seen = must_array(&p->cfg, n, sizeof *m->seen);
    m->stack = must_array(&p->cfg, (size_t)n + 1, sizeof *m->stack);
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
            walk(m, way, c->ipdom[d], CFG_NONE);
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

/* The first barrier found that not all of a group may reach, if it is flat in the dimensions
 * `flat`; CFG_NONE. */
static uint32_t look(struct meeting *m, unsigned flat)
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
    begin(&m, p);
    const uint32_t parting = look(&m, 0);
    for (unsigned i = 0; i < sizeof flat / sizeof flat[0] && parting != CFG_NONE && !p->k->flat; i++)
        if (look(&m, flat[i]) == CFG_NONE)
            p->k->flat = flat[i];
    if (parting != CFG_NONE && !p->k->flat)
        proof_refuse(p->k, SUM_FACT_S, SUM_R_BARRIER, parting, "a barrier that not all of a group may reach");
    if (p->k->fact[SUM_FACT_S].reason != SUM_R_NONE)
        return;
    p->same = m.varies;
    for (uint32_t v = 0; v < p->k->ninsn; v++)
        p->same[v] = !m.varies[v] && p->k->insns[v].bits != 0;
}

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
    walk(m, header, c->nblock, CFG_NONE);
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
        walk(m, d, meet, d);
        if (header == meet || !m->seen[header] || cfg_in_loop(c, l, d) || starts_shown(m->p, l))
            continue;
        walk(m, header, meet, d);
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
    begin(&m, p);
    m.joins_only = true;
    look(&m, 0);
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
