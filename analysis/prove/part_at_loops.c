/* part_at_loops.c - kernel_summary.parts_at_loops: may work-items part around or behind a loop?
 *
 * A driver may take a loop for one of all work-items, where it does not see that some do not come to it, or
 * go round differently.  Then they must not leave a loop around it in different rounds, nor part behind it
 * before the ways of a branch meet that leads to it.  The test before a loop is such a branch, and compilers
 * send who makes no round past what is known of him: its ways meet late. */
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

/* Is it loaded from a buffer that nothing is stored to? */
static bool is_given(const struct proof *p, uint32_t v)
{
    if (p->k->insns[v].op != SUM_LOAD)
        return false;
    const struct root r = roots_touched(p->k, &p->roots, v);
    return r.n == 1 && !r.unknown && ROOT_KIND(r.obj[0]) == ROOT_ARG && !roots_is_private(p->k, r.obj[0]) &&
           !p->k->args[ROOT_INDEX(r.obj[0])].may_write;
}

static bool is_id(const struct kernel_summary *k, uint32_t v)
{
    while (k->insns[v].op == SUM_TRUNC)
        v = sum_opnd(k, v, 0);
    return k->insns[v].op == SUM_WI && k->insns[v].sub == SUM_WI_GLOBAL_ID;
}

/* May v be another operand of an operation `op` whose result differs as the first one does?  i * n, i % n and
 * i & n may be 0, if n is told to a compiler, and so may i - v, if v depends on ids, too. */
static bool lets_differ(const struct proof *p, enum sum_op op, uint32_t v)
{
    const bool adds = op == SUM_ADD || op == SUM_SUB || op == SUM_XOR;
    return p->k->insns[v].op == SUM_CONST || (adds && !(p->taint.of[v] & TAINT_POSITION));
}

/* Is the value computed from global ids, or loaded from where they say, and differs whatever arguments are
 * told to a compiler?  Of local ids it may know that they are 0, and of functions' results more than is known
 * here. */
static bool shows_id(const struct proof *p, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &p->k->insns[v];
    const bool computes = in->op >= SUM_ADD && in->op <= SUM_XOR, chooses = in->op == SUM_SELECT;
    uint32_t n = 0;
    if (is_id(p->k, v) || ((in->op == SUM_UDIV || in->op == SUM_SDIV) && is_id(p->k, sum_opnd(p->k, v, 0))))
        return true;
    if (in->op == SUM_PHI || in->op == SUM_PURE || (in->op == SUM_LOAD && !is_given(p, v)) || !depth)
        return false;
    for (uint32_t i = 0; i < in->nopnd; i++) {
        const uint32_t operand = sum_opnd(p->k, v, i);
        if (sum_operand_is_block(in, i))
            continue;
        if (shows_id(p, operand, depth - 1))
            n++;
        else if ((chooses && i == 0) || (computes && !lets_differ(p, in->op, operand)))
            return false;
    }
    return computes ? n == 1 : n > chooses;
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
           (shows_id(p, sum_opnd(p->k, condition, 0), MAX_DEPTH) ||
            shows_id(p, sum_opnd(p->k, condition, 1), MAX_DEPTH));
}

/* What value v is when loop `l` is come to, if a phi of its header is asked for.  CFG_NONE: no loop is. */
static uint32_t at_first(const struct proof *p, uint32_t l, uint32_t v)
{
    const struct sum_insn *in = &p->k->insns[v];
    uint32_t first = CFG_NONE;
    if (l == CFG_NONE || in->op != SUM_PHI || p->cfg.block_of[v] != p->cfg.loop[l].header)
        return v;
    for (uint32_t i = 0; i < in->nopnd; i += 2) {
        if (cfg_in_loop(&p->cfg, l, sum_opnd(p->k, v, i)))
            continue;
        if (first != CFG_NONE)
            return v;
        first = sum_opnd(p->k, v, i + 1);
    }
    return first;
}

/* May it be any number, as far as a compiler can know: a global id, or what is loaded from where one says?
 * With a constant added that is above 0 (`away` > 0) or below (`away` < 0) it may still be the largest or
 * the smallest. */
static bool may_be_any(const struct meeting *m, uint32_t l, uint32_t v, int away)
{
    const struct kernel_summary *k = m->p->k;
    for (;;) {
        v = at_first(m->p, l, v);
        const struct sum_insn *in = &k->insns[v];
        const struct sum_insn *by = in->op == SUM_ADD ? &k->insns[sum_opnd(k, v, 1)] : NULL;
        const bool moves = by && by->op == SUM_CONST && (away > 0 ? by->imm > 0 : away < 0 && by->imm < 0);
        if (in->op != SUM_TRUNC && !moves)
            return is_id(k, v) || (m->varies[v] && is_given(m->p, v));
        v = sum_opnd(k, v, 0);
    }
}

/* Does it not depend on which work-item it is, nor on how many there are? */
static bool is_apart_from_ids(const struct meeting *m, uint32_t l, uint32_t v)
{
    const taint_set sizes = TAINT_DIMS(TAINT_LSIZE | TAINT_NGROUPS | TAINT_GSIZE | TAINT_OFFSET);
    v = at_first(m->p, l, v);
    return (!m->varies[v] && !(m->p->taint.of[v] & sizes)) || may_be_any(m, l, v, 0);
}

/* Is it a constant that is neither the smallest nor the largest number? */
static bool is_between(const struct sum_insn *in, bool is_signed)
{
    return in->op == SUM_CONST && in->bits >= 32 && in->imm > (is_signed ? -INT32_MAX : 0) &&
           in->imm < INT32_MAX;
}

/* Does the comparison fail for some number, whatever it is compared with?  Or, if `holds` is not set, hold?
 * One that holds for equals holds for all if they are compared with the smallest or the largest. */
static bool fails_for_some(const struct meeting *m, uint32_t l, uint32_t v, bool holds)
{
    enum { BELOW = 1, ABOVE = 2, EQUALS = 4, SIGNED = 8 };
    static const uint8_t holds_for[] = {
        [SUM_EQ] = EQUALS,          [SUM_NE] = BELOW | ABOVE,
        [SUM_ULT] = BELOW,          [SUM_ULE] = BELOW | EQUALS,
        [SUM_UGT] = ABOVE,          [SUM_UGE] = ABOVE | EQUALS,
        [SUM_SLT] = BELOW | SIGNED, [SUM_SLE] = BELOW | EQUALS | SIGNED,
        [SUM_SGT] = ABOVE | SIGNED, [SUM_SGE] = ABOVE | EQUALS | SIGNED,
    };
    const struct kernel_summary *k = m->p->k;
    const uint32_t a = sum_opnd(k, v, 0), b = sum_opnd(k, v, 1);
    const unsigned is = holds_for[k->insns[v].sub] ^ (holds ? 0 : BELOW | ABOVE | EQUALS);
    const int below = (is & BELOW) != 0, above = (is & ABOVE) != 0;
    const bool sure = (is & EQUALS) && below != above; /* <= or >= */
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t any = i ? b : a, other = i ? a : b;
        if (may_be_any(m, l, any, i ? above - below : below - above) && is_apart_from_ids(m, l, other) &&
            (!sure || is_between(&k->insns[at_first(m->p, l, other)], is & SIGNED)))
            return true;
    }
    return false;
}

/* The same of a condition of several comparisons, all of which (`holds`) hold or do not. */
static bool is_never_sure(const struct meeting *m, uint32_t l, uint32_t v, bool holds, unsigned depth)
{
    const struct kernel_summary *k = m->p->k;
    const struct sum_insn *in = &k->insns[v];
    if (in->op == SUM_ICMP)
        return fails_for_some(m, l, v, holds);
    if (!depth || in->bits != 1 || (in->op != SUM_SELECT && in->op != (holds ? SUM_AND : SUM_OR)))
        return false;
    if (in->op == SUM_SELECT) { /* a && b: a ? b : false; a || b: a ? true : b */
        const struct sum_insn *fixed = &k->insns[sum_opnd(k, v, holds ? 2 : 1)];
        return fixed->op == SUM_CONST && (fixed->imm == 0) == holds &&
               (is_never_sure(m, l, sum_opnd(k, v, 0), holds, depth - 1) ||
                is_never_sure(m, l, sum_opnd(k, v, holds ? 1 : 2), holds, depth - 1));
    }
    return is_never_sure(m, l, sum_opnd(k, v, 0), holds, depth - 1) ||
           is_never_sure(m, l, sum_opnd(k, v, 1), holds, depth - 1);
}

/* Do only those come to the loop with header h for whom the branch of block b goes one way, and can no
 * compiler know that it does for all?  Of a loop's first test what it is in the first round: compilers put it
 * before the loop. */
static bool keeps_some_out(const struct meeting *m, uint32_t b, uint32_t h)
{
    const struct cfg *c = &m->p->cfg;
    const uint32_t t = m->p->k->blocks[b].end - 1, around = c->loop_of[b];
    const bool is_first = around != CFG_NONE && c->loop[around].header == b && cfg_leaves(c, around, b);
    if (m->p->k->insns[t].op != SUM_CONDBR || cfg_nsucc(c, b) < 2)
        return false;
    for (uint32_t i = 1; i <= 2; i++) {
        const uint32_t way = sum_opnd(m->p->k, t, i);
        const bool stays = around == CFG_NONE || (cfg_in_loop(c, around, way) && cfg_in_loop(c, around, h));
        if (stays && (b == h ? is_first : cfg_edge_dominates(c, b, way, h)))
            return is_never_sure(m, is_first ? around : CFG_NONE, sum_opnd(m->p->k, t, 0), i == 1, MAX_DEPTH);
    }
    return false;
}

/* May a driver think that all work-items come to loop `l` alike, and leave it alike?  It puts barriers into
 * none other. */
static bool may_seem_common(const struct meeting *m, uint32_t l)
{
    const uint32_t header = m->p->cfg.loop[l].header;
    if (cfg_leaves(&m->p->cfg, l, header) && is_shown(m->p, header))
        return false;
    for (uint32_t b = 0; b < m->p->cfg.nblock; b++)
        if (m->p->cfg.rpo_pos[b] != CFG_NONE && keeps_some_out(m, b, header))
            return false;
    return true;
}

/* Likewise loop `l`, or one in it. */
static bool has_common(const struct meeting *m, uint32_t l)
{
    const struct cfg *c = &m->p->cfg;
    for (uint32_t i = l; i < c->nloop; i++)
        if (cfg_in_loop(c, l, c->loop[i].header) && may_seem_common(m, i))
            return true;
    return false;
}

/* Is a loop around such a one left apart? */
static bool parts_in_nest(const struct meeting *m)
{
    const struct cfg *c = &m->p->cfg;
    for (uint32_t inner = 0; inner < c->nloop; inner++)
        for (uint32_t l = c->loop[inner].parent; l != CFG_NONE; l = c->loop[l].parent)
            if (is_left_apart(m, l) && may_seem_common(m, inner))
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
    if (!cfg_leaves(c, l, header) || !has_common(m, l))
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
        if (header == meet || !m->seen[header] || cfg_in_loop(c, l, d) || !has_common(m, l))
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
                parts_behind_loop(&m, d);
    }
    return parts;
}
