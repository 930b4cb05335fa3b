/* undef.c - see undef.h.
 *
 * Conditional constants (Wegman and Zadeck, "Constant Propagation with Conditional Branches", TOPLAS 1991)
 * over the body, from the launch's scalar arguments.  All starts as unseen and only rises, to one value and
 * then to any; a branch on what is known takes one edge. */
#include "select/prove/undef.h"

#include "select/prove/eval.h"
#include "select/prove/slice.h"
#include "analysis/summary/integer.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_ROUNDS 64 /* over the body: loops within loops need a few */

enum state { UNSEEN, KNOWN, ANY };

struct flow {
    const struct kernel_summary *k;
    const struct launch *l;
    uint8_t *state;  /* value -> enum state */
    uint64_t *value; /* where it is known; zero-extended */
    bool *reached;   /* block -> may be */
    bool changed;
};

/* May control go from block `from`, which is reached, to block `to`? */
static bool is_taken(const struct flow *f, uint32_t from, uint32_t to)
{
    const struct kernel_summary *k = f->k;
    const uint32_t t = k->blocks[from].end - 1;
    const struct sum_insn *in = &k->insns[t];
    if (in->op == SUM_BR)
        return sum_opnd(k, t, 0) == to;
    if (in->op != SUM_CONDBR && in->op != SUM_SWITCH)
        return false;
    const uint32_t condition = sum_opnd(k, t, 0);
    const uint64_t value = f->value[condition];
    if (f->state[condition] == UNSEEN)
        return false;
    if (f->state[condition] == KNOWN && in->op == SUM_CONDBR)
        return sum_opnd(k, t, value & 1 ? 1 : 2) == to;
    uint32_t known = sum_opnd(k, t, 1);
    bool named = known == to;
    for (uint32_t i = 2; in->op == SUM_SWITCH && i < in->nopnd; i += 2) {
        const uint32_t target = sum_opnd(k, t, i + 1);
        named |= target == to;
        if (f->value[sum_opnd(k, t, i)] == value)
            known = target;
    }
    if (in->op == SUM_CONDBR)
        named |= sum_opnd(k, t, 2) == to;
    return f->state[condition] == KNOWN ? known == to : named;
}

/* ---- values ---------------------------------------------------------------------------------------- */

struct known {
    enum state state;
    uint64_t value;
};

static struct known get(const struct flow *f, uint32_t v)
{
    return (struct known){f->state[v], f->value[v]};
}

static struct known either(struct known a, struct known b)
{
    if (a.state == UNSEEN || b.state == ANY)
        return b;
    return b.state == KNOWN && (a.state == ANY || a.value != b.value) ? (struct known){ANY, 0} : a;
}

static struct known of_phi(const struct flow *f, uint32_t v, uint32_t block)
{
    struct known r = {UNSEEN, 0};
    for (uint32_t i = 0; i < f->k->insns[v].nopnd; i += 2) {
        const uint32_t from = sum_opnd(f->k, v, i);
        if (f->reached[from] && is_taken(f, from, block))
            r = either(r, get(f, sum_opnd(f->k, v, i + 1)));
    }
    return r;
}

static struct known of_select(const struct flow *f, uint32_t v)
{
    const struct known c = get(f, sum_opnd(f->k, v, 0));
    const struct known yes = get(f, sum_opnd(f->k, v, 1)), no = get(f, sum_opnd(f->k, v, 2));
    if (c.state == UNSEEN)
        return c;
    if (c.state == KNOWN)
        return c.value & 1 ? yes : no;
    return either(yes, no);
}

/* x & 0 and x | ~0 are known whatever x is. */
static bool absorbs(const struct sum_insn *in, struct known x)
{
    return x.state == KNOWN && ((in->op == SUM_AND && x.value == 0) ||
                                (in->op == SUM_OR && x.value == sum_low(UINT64_MAX, in->bits)));
}

static struct known of_operation(const struct flow *f, uint32_t v)
{
    const struct sum_insn *in = &f->k->insns[v];
    const struct known x = get(f, sum_opnd(f->k, v, 0));
    const struct known y = in->nopnd > 1 ? get(f, sum_opnd(f->k, v, 1)) : x;
    struct known r = {KNOWN, 0};
    if (x.state == UNSEEN || y.state == UNSEEN)
        return (struct known){UNSEEN, 0};
    if (absorbs(in, x))
        return x;
    if (absorbs(in, y))
        return y;
    if (x.state == ANY || y.state == ANY || !sel_eval_operation(f->k, v, x.value, y.value, &r.value))
        r.state = ANY;
    return r;
}

static bool is_followed(const struct sum_insn *in)
{
    return in->lanes == 1 && in->bits >= 1 && in->bits <= 64 && !(in->flags & SUM_F_FLOAT);
}

static void visit(struct flow *f, uint32_t v, uint32_t block)
{
    const struct sum_insn *in = &f->k->insns[v];
    struct known now = {ANY, 0};
    if (f->state[v] == ANY)
        return;
    if (is_followed(in) && in->op == SUM_PHI)
        now = of_phi(f, v, block);
    else if (is_followed(in) && in->op == SUM_SELECT)
        now = of_select(f, v);
    else if (is_followed(in) && in->op >= SUM_ADD && in->op <= SUM_SEXT)
        now = of_operation(f, v);
    now = either(get(f, v), now);
    if (now.state != f->state[v]) {
        f->state[v] = (uint8_t)now.state;
        f->value[v] = now.value;
        f->changed = true;
    }
}

/* ---- control --------------------------------------------------------------------------------------- */

static void see_leaves(struct flow *f)
{
    for (uint32_t v = 0; v < f->k->nleaf; v++) {
        const bool known = is_followed(&f->k->insns[v]) && sel_eval_leaf(f->k, f->l, v, &f->value[v]);
        f->state[v] = known ? KNOWN : ANY;
    }
}

static void follow(struct flow *f, uint32_t b)
{
    const uint32_t t = f->k->blocks[b].end - 1;
    for (uint32_t i = 0; i < f->k->insns[t].nopnd; i++) {
        const uint32_t to = sum_opnd(f->k, t, i);
        if (to < f->k->nblock && !f->reached[to] && is_taken(f, b, to))
            f->reached[to] = f->changed = true;
    }
}

/* False: no fixed point within reason. */
static bool solve(struct flow *f)
{
    see_leaves(f);
    f->reached[0] = true;
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        f->changed = false;
        for (uint32_t b = 0; b < f->k->nblock; b++) {
            if (!f->reached[b])
                continue;
            for (uint32_t v = f->k->blocks[b].first; v < f->k->blocks[b].end; v++)
                visit(f, v, b);
            follow(f, b);
        }
        if (!f->changed)
            return true;
    }
    return false;
}

bool sel_undef_unreachable(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why)
{
    struct flow f = {.k = k, .l = l};
    bool unreachable = true;
    if (k->nundef == 0)
        return true;
    f.state = calloc(k->ninsn, sizeof *f.state);
    f.value = calloc(k->ninsn, sizeof *f.value);
    f.reached = calloc(k->nblock, sizeof *f.reached);
    const bool solved = f.state && f.value && f.reached && solve(&f);
    for (uint32_t i = 0; i < k->nundef && unreachable; i++) {
        const struct sum_undef_edge *e = &k->undef[i];
        unreachable =
            solved && !(f.reached[e->from] && (e->to == SUM_ANYWHERE || is_taken(&f, e->from, e->to)));
        if (!unreachable) {
            why->proven = false;
            why->reason = SEL_R_UNDEFINED;
            snprintf(why->detail, sizeof why->detail,
                     "with these arguments a variable may have no value where line %u needs it",
                     (unsigned)e->line);
        }
    }
    free(f.state);
    free(f.value);
    free(f.reached);
    return unreachable;
}

static bool decides(const struct sum_insn *in)
{
    return in->op == SUM_CONDBR || in->op == SUM_SWITCH;
}

uint64_t sel_undef_arguments(const struct kernel_summary *k)
{
    return k->nundef ? slice_arguments(k, decides) : 0;
}
