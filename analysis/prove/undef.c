/* undef.c - the part of fact S that is about undefined values: variables which were given none.
 *
 * Code for CPUs runs a group's work-items one after the other, and such a variable may hold the previous
 * one's value.  On a GPU it holds what was in its register last, which may be a local id or the number of the
 * group (clang 15 leaves half of an address there on gfx906).  So with either the results may depend on the
 * local size.
 *
 * What LLVM has folded away (prepare.c) is not seen here: LLVM then chose a value that is the same for every
 * size, as it does in drivers that use LLVM.
 *
 * `switch (mode)` without a default leaves a variable without a value only for some arguments.  Such
 * control-flow edges are recorded for the launch, which knows its arguments (select/prove/undef.c).  So is
 * the end of a loop in its first round, if only that leaves without a value what each round gives one. */
#include "analysis/prove/proof.h"

#define LOGIC_DEPTH 8 /* of conditions joined by && and || */

static void refuse(struct proof *p, const struct taint_sink *s)
{
    proof_refuse(p->k, SUM_FACT_S, SUM_R_UNDEFINED_VALUE, s->insn,
                 "a variable that has no value yet reaches %s", s->what);
}

/* Does the launch know value v, whoever computes it? */
static bool is_given(const struct proof *p, uint32_t v)
{
    return p->taint.constant[v] && !(p->taint.of[v] & TAINT_SETTINGS);
}

/* May the launch know `condition`, as its arguments are, or enough of it? */
static bool may_be_known(const struct proof *p, uint32_t condition, unsigned depth)
{
    const struct sum_insn *in = &p->k->insns[condition];
    const bool logic = in->op == SUM_AND || in->op == SUM_OR || in->op == SUM_SELECT;
    if (is_given(p, condition))
        return in->op != SUM_CONST;
    for (uint32_t i = 0; logic && depth < LOGIC_DEPTH && i < in->nopnd; i++)
        if (may_be_known(p, sum_opnd(p->k, condition, i), depth + 1))
            return true;
    return false;
}

/* May the launch know which edge control takes at the end of block b? */
static bool launch_decides(const struct proof *p, uint32_t b)
{
    const uint32_t t = p->k->blocks[b].end - 1;
    const unsigned op = p->k->insns[t].op;
    return (op == SUM_CONDBR || op == SUM_SWITCH) && may_be_known(p, sum_opnd(p->k, t, 0), 0);
}

struct walk {
    bool *reached; /* per block */
    uint32_t *stack, depth;
};

static void reach(struct walk *w, uint32_t b)
{
    if (!w->reached[b]) {
        w->reached[b] = true;
        w->stack[w->depth++] = b;
    }
}

/* Blocks that work-items may come to whatever the launch's arguments are; where these decide, that is where
 * the paths meet again. */
static bool *always_reached(struct proof *p)
{
    struct cfg *c = &p->cfg;
    const uint32_t n = p->k->nblock;
    struct walk w = {must_array(c, n, sizeof *w.reached), must_array(c, n, sizeof *w.stack), 0};
    reach(&w, 0);
    while (w.depth) {
        const uint32_t b = w.stack[--w.depth];
        if (!launch_decides(p, b))
            for (uint32_t i = c->succ_first[b]; i < c->succ_first[b + 1]; i++)
                reach(&w, c->succ[i]);
        else if (c->ipdom[b] < n)
            reach(&w, c->ipdom[b]);
    }
    return w.reached;
}

/* May the launch know value v of the loop's header, in the loop's first round? */
static bool given_at_first(const struct proof *p, uint32_t loop, uint32_t v)
{
    const struct kernel_summary *k = p->k;
    bool given = true;
    if (k->insns[v].op != SUM_PHI || p->cfg.block_of[v] != p->cfg.loop[loop].header)
        return is_given(p, v);
    for (uint32_t i = 0; i < k->insns[v].nopnd; i += 2)
        given &= cfg_in_loop(&p->cfg, loop, sum_opnd(k, v, i)) || is_given(p, sum_opnd(k, v, i + 1));
    return given;
}

/* Record the end of a loop in its first round.  False if the launch does not know about it. */
static bool record_first(struct proof *p, uint32_t loop, uint32_t line)
{
    struct kernel_summary *k = p->k;
    const uint32_t header = p->cfg.loop[loop].header, t = k->blocks[header].end - 1;
    if (k->insns[t].op != SUM_CONDBR)
        return false;
    const uint32_t test = sum_opnd(k, t, 0);
    const bool stays = cfg_in_loop(&p->cfg, loop, sum_opnd(k, t, 1));
    if (k->insns[test].op != SUM_ICMP || stays == cfg_in_loop(&p->cfg, loop, sum_opnd(k, t, 2)) ||
        !given_at_first(p, loop, sum_opnd(k, test, 0)) || !given_at_first(p, loop, sum_opnd(k, test, 1)))
        return false;
    k->undef[k->nundef++] =
        (struct sum_undef_edge){header, sum_opnd(k, t, stays ? 2 : 1), .first = true, .line = line};
    return true;
}

void proof_undef(struct proof *p)
{
    const struct taint *t = &p->taint;
    struct kernel_summary *k = p->k;
    const struct taint_sink *direct = &t->sink[__builtin_ctzll(TAINT_UNDEF)];
    if (direct->insn != CFG_NONE)
        refuse(p, direct);
    if (t->nedge == 0)
        return;
    bool *reached = always_reached(p);
    struct taint_sink *sink = must_array(&p->cfg, t->nedge, sizeof *sink), *later = NULL;
    k->undef = must_calloc(t->nedge, sizeof *k->undef);
    undef_paths(p, false, sink);
    for (uint32_t i = 0; i < t->nedge; i++) {
        const struct taint_edge *e = &t->edge[i];
        const struct taint_sink *s = &sink[i];
        if (s->insn == CFG_NONE)
            continue;
        const uint32_t line = k->insns[s->insn].line, entered = undef_entered(&p->cfg, e);
        if (!reached[e->from] || (e->to != SUM_ANYWHERE && launch_decides(p, e->from))) {
            k->undef[k->nundef++] = (struct sum_undef_edge){e->from, e->to, .line = line};
            continue;
        }
        if (entered != CFG_NONE && !later) {
            later = must_array(&p->cfg, t->nedge, sizeof *later);
            undef_paths(p, true, later);
        }
        if (entered == CFG_NONE || later[i].insn != CFG_NONE || !record_first(p, entered, line))
            refuse(p, s);
    }
}
