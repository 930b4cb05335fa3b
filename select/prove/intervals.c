/* intervals.c - see intervals.h.
 *
 * A value that overflows where it must not counts as the bound that it would pass: up to the first overflow
 * that is right, and whatever overflows is found.  Then the search starts anew with what was found being
 * anything at all (of_operation()), until nothing is added: later overflows may come of earlier ones. */
#include "select/prove/intervals.h"

#include "analysis/summary/conditions.h"
#include "analysis/summary/integer.h"
#include "select/prove/eval.h"
#include "select/prove/interval.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_UP       400     /* rounds over the body until nothing grows */
#define MOST_VISITS   2000000 /* of instructions, in all rounds: some 50 ms */
#define ROUNDS_DOWN   3       /* and to narrow what was widened */
#define PATIENCE      3       /* rounds in which a phi may grow before it is widened */
#define MOST_STARTS   12
#define MOST_CLIMB    64   /* branches above a block that are looked at */
#define MOST_NARROWED 256  /* at a time */
#define MOST_ORDERED  16   /* likewise */
#define MOST_CHAIN    24   /* sums between a phi and its next value */
#define MOST_WORK     4000 /* values looked at for one phi */
#define MOST_BACK     4    /* sums that are undone below a comparison */
#define MOST_STEPS    6    /* times that a phi is widened to what the launch is made of before anything */
#define MOST_DEEP     8    /* operations between what a branch compares and a place */
#define MOST_POINTERS 32   /* steps, choices and loops between an array and a place in it */

/* How a value is compared. */
enum compared {
    COMPARED = 1,
    LEAVES /* to decide whether a loop is left */
};

/* Everything is a step of a fixed-point search over the body. */
struct search {
    const struct kernel_summary *k;
    const struct cfg *c;
    const struct launch *l;
    uint8_t *open;            /* found so far */
    bool *reached, *taken;    /* block; edge, in this round */
    bool *seen;               /* block: it was looked at */
    bool keeps;               /* arguments passed by value stay as they are */
    struct sel_interval *of;  /* value -> where it can be used */
    struct sel_interval *now; /* ... narrowed by the branches that lead to the block being looked at */
    struct sel_interval *in;  /* operand of a phi -> what came by it */
    bool *came;               /* operand of a phi */
    uint8_t *compared;        /* value: with another, as it is or extended: enum compared */
    uint8_t *grown;           /* phi -> rounds */
    struct {
        uint32_t v;
        struct sel_interval was;
    } narrowed[MOST_NARROWED]; /* what made `now` of it, last first */
    uint32_t nnarrowed;
    struct {
        uint32_t x, y;
        bool strict;
        uint32_t mark;
    } ordered[MOST_ORDERED]; /* x < y or x <= y as these branches say, since so many were narrowed */
    uint32_t nordered;
    int64_t *step; /* where growing values stop first: what the launch is made of, ascending */
    size_t nstep;
    unsigned work, visits; /* left: for one phi, for all */
    bool up, changed, impossible;
};

static unsigned bits_of(const struct search *s, uint32_t v)
{
    return s->k->insns[v].bits;
}

static struct sel_interval operand(const struct search *s, uint32_t v, uint32_t i)
{
    return s->now[sum_opnd(s->k, v, i)];
}

/* ---- ids ------------------------------------------------------------------------------------------- */

/* The work-item function that v is, looking through changes of width; NULL if it is none. */
static const struct sum_insn *work_item_function(const struct kernel_summary *k, uint32_t v)
{
    while (k->insns[v].bits >= 32 &&
           (k->insns[v].op == SUM_TRUNC || k->insns[v].op == SUM_ZEXT || k->insns[v].op == SUM_SEXT))
        v = sum_opnd(k, v, 0);
    return k->insns[v].op == SUM_WI && k->insns[v].imm >= 0 && k->insns[v].imm <= 2 ? &k->insns[v] : NULL;
}

static bool is_size(unsigned sub)
{
    return sub == SUM_WI_LOCAL_SIZE || sub == SUM_WI_ENQUEUED_LOCAL_SIZE;
}

/* group_id * local_size is the global id of a group's first work-item, num_groups * local_size the global
 * size: the greatest that such a product can be, -1 if v is none or if factors may not fit their variables.
 */
static int64_t most_of_groups(const struct search *s, uint32_t v)
{
    const struct sum_insn *x = work_item_function(s->k, sum_opnd(s->k, v, 0)),
                          *y = work_item_function(s->k, sum_opnd(s->k, v, 1)), *other;
    const size_t largest = s->k->insns[v].flags & SUM_F_24 ? (1 << 23) - 1 : INT32_MAX;

    if (!x || !y || x->imm != y->imm || is_size(x->sub) == is_size(y->sub))
        return -1;
    other = is_size(x->sub) ? y : x;
    if (s->l->global[x->imm] > largest)
        return -1;
    if (other->sub == SUM_WI_GROUP_ID)
        return (int64_t)s->l->global[x->imm] - 1;
    return other->sub == SUM_WI_NUM_GROUPS ? (int64_t)s->l->global[x->imm] : -1;
}

/* What is asked about the application's own groups, of which the last one may be smaller. */
static bool of_own_groups(const struct launch *l, const struct sum_insn *in, struct sel_interval *out)
{
    const size_t d = in->imm >= 0 && in->imm <= 2 ? (size_t)in->imm : 3;
    const size_t local = l->own_groups && d < 3 ? l->local[d] : 0, n = d < 3 ? l->global[d] : 0;

    if (!local || local > n)
        return false;
    const size_t groups = n / local + (n % local != 0);
    switch (in->sub) {
    case SUM_WI_LOCAL_ID:
        *out = interval_span(0, local - 1);
        return true;
    case SUM_WI_LOCAL_SIZE:
        *out = interval_span(n % local ? 1 : local, local);
        return true;
    case SUM_WI_ENQUEUED_LOCAL_SIZE:
        *out = interval_span(local, local);
        return true;
    case SUM_WI_GROUP_ID:
        *out = interval_span(0, groups - 1);
        return true;
    case SUM_WI_NUM_GROUPS:
        *out = interval_span(groups, groups);
        return true;
    default:
        return false;
    }
}

static struct sel_interval of_work_item(const struct search *s, const struct sum_insn *in)
{
    struct sel_interval own;
    const size_t d = in->sub < SUM_WI_GLOBAL_LINEAR_ID && in->imm >= 0 && in->imm <= 2 ? (size_t)in->imm : 3;
    const size_t n = d < 3 ? s->l->global[d] : launch_items(s->l), from = d < 3 ? s->l->offset[d] : 0;

    if (n >= (size_t)SEL_FORM_MAX_ID || from >= (size_t)SEL_FORM_MAX_ID)
        return interval_all(in->bits);
    if (of_own_groups(s->l, in, &own))
        return own;
    if (in->sub == SUM_WI_GLOBAL_ID && d < 3)
        return interval_span(from, from + n - 1);
    if (in->sub == SUM_WI_LOCAL_SIZE || in->sub == SUM_WI_ENQUEUED_LOCAL_SIZE || in->sub == SUM_WI_NUM_GROUPS)
        return interval_span(1, n);
    if (in->sub == SUM_WI_LOCAL_ID || in->sub == SUM_WI_GROUP_ID || in->sub == SUM_WI_GLOBAL_LINEAR_ID ||
        in->sub == SUM_WI_LOCAL_LINEAR_ID)
        return interval_span(0, n - 1);
    return interval_all(in->bits);
}

static struct sel_interval of_leaf(const struct search *s, uint32_t v)
{
    const struct sum_insn *in = &s->k->insns[v];
    uint64_t known;
    struct sel_interval r = interval_all(in->bits);

    if (!sum_is_integer(in))
        return interval_all(64);
    if (sel_eval_leaf(s->k, s->l, v, &known)) {
        const int64_t x = sum_signed(known, in->bits);
        return interval_span(x, x);
    }
    if (in->op == SUM_WI)
        r = of_work_item(s, in);
    if (sel_eval_bounds(s->k, s->l, v, &r.lo, &r.hi))
        r = interval_span(r.lo, r.hi);
    return interval_fits(r.lo, r.hi, in->bits) ? r : interval_all(in->bits);
}

/* ---- conditions ------------------------------------------------------------------------------------ */

static void narrow_one(struct search *s, uint32_t v, struct sel_interval to)
{
    struct sel_interval *r = &s->now[v];
    const struct sel_interval old = *r;

    if (to.lo > r->lo)
        r->lo = to.lo;
    if (to.hi < r->hi)
        r->hi = to.hi;
    r->not_zero |= to.not_zero;
    if (r->not_zero && r->lo == 0)
        r->lo = 1;
    if (r->not_zero && r->hi == 0)
        r->hi = -1;
    r->not_zero |= r->lo > 0 || r->hi < 0;
    if (r->lo > r->hi)
        s->impossible = true;
    if (interval_same(old, *r))
        return;
    if (s->nnarrowed == MOST_NARROWED) {
        *r = old;
        return;
    }
    s->narrowed[s->nnarrowed].v = v;
    s->narrowed[s->nnarrowed++].was = old;
}

static struct sel_interval bounded(sel_wide lo, sel_wide hi)
{
    const struct sel_interval all = interval_all(64);

    return interval_span(lo < all.lo ? all.lo : lo, hi > all.hi ? all.hi : hi);
}

/* What is known of operand 0 of v if v is within its interval: for sums that did not wrap around, and changes
 * of width that did not change the value.  False: nothing; else *to is what it is within.  Narrows operand 1.
 */
static bool undo(struct search *s, uint32_t v, struct sel_interval *to)
{
    const struct sum_insn *in = &s->k->insns[v];
    const struct sel_interval r = s->now[v];

    if (v < s->k->nleaf || !sum_is_integer(in))
        return false;
    const uint32_t x = sum_opnd(s->k, v, 0), y = in->nopnd > 1 ? sum_opnd(s->k, v, 1) : x;
    const struct sel_interval a = s->now[x], b = s->now[y];
    *to = r;
    if (in->op == SUM_SEXT || in->op == SUM_TRUNC)
        return interval_fits(s->of[x].lo, s->of[x].hi, in->bits);
    if (in->op == SUM_ZEXT)
        return a.lo >= 0 || interval_fits(r.lo, r.hi, bits_of(s, x));
    if ((in->op != SUM_ADD && in->op != SUM_SUB) || s->open[v])
        return false;
    const struct interval_exact exact = interval_compute(in->op, s->of[x], s->of[y], in->bits);
    if (!(in->flags & SUM_F_NSW) && !interval_fits(exact.lo, exact.hi, in->bits))
        return false;
    if (in->op == SUM_ADD) {
        narrow_one(s, y, bounded((sel_wide)r.lo - a.hi, (sel_wide)r.hi - a.lo));
        *to = bounded((sel_wide)r.lo - b.hi, (sel_wide)r.hi - b.lo);
    } else {
        narrow_one(s, y, bounded((sel_wide)a.lo - r.hi, (sel_wide)a.hi - r.lo));
        *to = bounded((sel_wide)r.lo + b.lo, (sel_wide)r.hi + b.hi);
    }
    return true;
}

/* v is within `to`, and so is what it was made of, as far as that can be undone. */
static void narrow(struct search *s, uint32_t v, struct sel_interval to)
{
    narrow_one(s, v, to);
    for (unsigned depth = 0; depth < MOST_BACK && !s->impossible && undo(s, v, &to); depth++) {
        v = sum_opnd(s->k, v, 0);
        narrow_one(s, v, to);
    }
}

/* Back to what was known when `nnarrowed` was `mark`. */
static void forget(struct search *s, uint32_t mark)
{
    while (s->nnarrowed > mark) {
        s->nnarrowed--;
        s->now[s->narrowed[s->nnarrowed].v] = s->narrowed[s->nnarrowed].was;
    }
    while (s->nordered && s->ordered[s->nordered - 1].mark >= mark)
        s->nordered--;
    s->impossible = false;
}

/* x < y or x <= y, read as signed. */
static void narrow_less(struct search *s, uint32_t x, uint32_t y, bool strict)
{
    const struct sel_interval a = s->now[x], b = s->now[y];
    struct sel_interval below = {INT64_MIN, b.hi, false}, above = {a.lo, INT64_MAX, false};

    if (s->nordered < MOST_ORDERED) {
        s->ordered[s->nordered].x = x;
        s->ordered[s->nordered].y = y;
        s->ordered[s->nordered].strict = strict;
        s->ordered[s->nordered++].mark = s->nnarrowed;
    }
    if (strict && b.hi == INT64_MIN)
        s->impossible = true;
    else
        below.hi -= strict;
    if (strict && a.lo == INT64_MAX)
        s->impossible = true;
    else
        above.lo += strict;
    narrow(s, x, below);
    narrow(s, y, above);
}

/* x < y or x <= y, read as unsigned. */
static void narrow_below(struct search *s, uint32_t x, uint32_t y, bool strict)
{
    if (s->now[y].lo < 0) {
        if (strict)
            narrow(s, y, (struct sel_interval){INT64_MIN, INT64_MAX, true});
        return;
    }
    narrow(s, x, (struct sel_interval){0, INT64_MAX, false});
    if (!s->impossible)
        narrow_less(s, x, y, strict);
}

static void narrow_unequal(struct search *s, uint32_t x, uint32_t y)
{
    const struct sel_interval a = s->now[x], b = s->now[y];
    struct sel_interval to = {INT64_MIN, INT64_MAX, b.hi == 0};

    if (b.lo != b.hi)
        return;
    if (a.lo == b.lo && b.lo < INT64_MAX)
        to.lo = b.lo + 1;
    if (a.hi == b.hi && b.hi > INT64_MIN)
        to.hi = b.hi - 1;
    narrow(s, x, to);
}

static void assume_one(struct search *s, const struct condition *c)
{
    struct ordering o;

    if (!sum_is_integer(&s->k->insns[c->x]) || !sum_is_integer(&s->k->insns[c->y]))
        return;
    if (c->pred == SUM_EQ) {
        narrow(s, c->x, s->now[c->y]);
        narrow(s, c->y, s->now[c->x]);
    } else if (c->pred == SUM_NE) {
        narrow_unequal(s, c->x, c->y);
        narrow_unequal(s, c->y, c->x);
    } else if (condition_ordering(c, &o)) {
        if (o.is_signed)
            narrow_less(s, o.x, o.y, o.strict);
        else
            narrow_below(s, o.x, o.y, o.strict);
    }
}

static void assume(struct search *s, uint32_t condition, bool holds)
{
    struct condition all[CONDITIONS_MAX];
    const unsigned n = conditions_of(s->k, condition, holds, all);

    narrow_one(s, condition, interval_span(-holds, -holds));
    for (unsigned i = 0; i < n && !s->impossible; i++)
        assume_one(s, &all[i]);
}

/* The switch that ends with instruction t leads to block `to`: by cases, unless by default. */
static void assume_case(struct search *s, uint32_t t, uint32_t to)
{
    const uint32_t x = sum_opnd(s->k, t, 0);
    const struct sel_interval is = s->now[x];
    struct sel_interval cases = {INT64_MAX, INT64_MIN, false};
    bool by_default = sum_opnd(s->k, t, 1) == to;

    for (uint32_t i = 2; i < s->k->insns[t].nopnd; i += 2) {
        const int64_t at = s->k->insns[sum_opnd(s->k, t, i)].imm;
        if (at < is.lo || at > is.hi)
            continue;
        if (sum_opnd(s->k, t, i + 1) != to) {
            by_default &= is.lo != is.hi;
            continue;
        }
        cases.lo = at < cases.lo ? at : cases.lo;
        cases.hi = at > cases.hi ? at : cases.hi;
    }
    if (!by_default)
        narrow(s, x, cases);
}

static void assume_edge(struct search *s, uint32_t from, uint32_t to)
{
    const uint32_t t = s->k->blocks[from].end - 1;

    if (s->k->insns[t].op == SUM_SWITCH)
        assume_case(s, t, to);
    if (s->k->insns[t].op == SUM_CONDBR && sum_opnd(s->k, t, 1) != sum_opnd(s->k, t, 2))
        assume(s, sum_opnd(s->k, t, 0), sum_opnd(s->k, t, 1) == to);
}

/* What the branches say that lead to block b and to nowhere else. */
static void assume_branches(struct search *s, uint32_t b)
{
    uint32_t at[MOST_CLIMB], n = 0;

    for (uint32_t d = b; n < MOST_CLIMB && d != CFG_NONE; d = s->c->idom[d])
        if (s->c->pred_first[d + 1] - s->c->pred_first[d] == 1)
            at[n++] = d;
    while (n-- > 0 && !s->impossible)
        assume_edge(s, s->c->pred[s->c->pred_first[at[n]]], at[n]);
}

/* ---- sums in loops --------------------------------------------------------------------------------- */

/* Does it stand before the first block, but for its width? */
static bool is_given(const struct kernel_summary *k, uint32_t v)
{
    while (v >= k->nleaf &&
           (k->insns[v].op == SUM_TRUNC || k->insns[v].op == SUM_ZEXT || k->insns[v].op == SUM_SEXT))
        v = sum_opnd(k, v, 0);
    return v < k->nleaf;
}

/* Is operand i of phi v what a counter becomes: v and a constant, a size or an argument, compared before or
 * after?  Only the body's form counts: how often a loop goes round must not follow from a bound that follows
 * from it. */
static bool is_count(const struct search *s, uint32_t v, uint32_t i, enum compared how)
{
    const uint32_t next = sum_opnd(s->k, v, i);

    return sum_is_integer(&s->k->insns[v]) && s->k->insns[next].op == SUM_ADD &&
           sum_opnd(s->k, next, 0) == v && is_given(s->k, sum_opnd(s->k, next, 1)) &&
           (s->compared[v] >= how || s->compared[next] >= how);
}

static bool is_counter(const struct search *s, uint32_t v, enum compared how)
{
    for (uint32_t i = 1; i < s->k->insns[v].nopnd; i += 2)
        if (is_count(s, v, i, how))
            return true;
    return false;
}

/* By how much, at least, the counter v grows in each round of its loop, below 0 if it shrinks; 0: it is none,
 * or may do neither. */
static sel_wide step_of(const struct search *s, uint32_t v)
{
    const uint32_t l = s->c->loop_of[s->c->block_of[v]];
    sel_wide least = 0;

    for (uint32_t i = 0; i < s->k->insns[v].nopnd; i += 2) {
        if (!cfg_in_loop(s->c, l, sum_opnd(s->k, v, i)))
            continue;
        if (!is_count(s, v, i + 1, COMPARED))
            return 0;
        const struct sel_interval by = s->of[sum_opnd(s->k, sum_opnd(s->k, v, i + 1), 1)];
        const sel_wide step = by.lo > 0 ? by.lo : by.hi < 0 ? by.hi : 0;
        if (step == 0 || (least && (least > 0) != (step > 0)))
            return 0;
        if (least == 0 || (step > 0 ? step < least : step > least))
            least = step;
    }
    return least;
}

/* How often the loop of this header comes back to it at most; -1: not known.  A counter that is compared like
 * this says so if it grows, or shrinks, and stays away from the ends of its type. */
static sel_wide rounds_of(const struct search *s, uint32_t header, enum compared how)
{
    const struct sum_block *b = &s->k->blocks[header];
    sel_wide least = -1;

    for (uint32_t v = b->first; v < b->end && s->k->insns[v].op == SUM_PHI; v++) {
        if (!is_counter(s, v, how))
            continue;
        const struct sel_interval all = interval_all(bits_of(s, v)), r = s->of[v];
        const sel_wide step = r.lo != all.lo && r.hi != all.hi ? step_of(s, v) : 0;
        const sel_wide rounds = step ? ((sel_wide)r.hi - r.lo) / (step > 0 ? step : -step) : -1;
        if (rounds >= 0 && (least < 0 || rounds < least))
            least = rounds;
    }
    return least;
}

/* Does the block's branch leave a loop? */
static bool may_leave(const struct search *s, uint32_t b)
{
    const uint32_t end = s->k->blocks[b].end - 1, l = s->c->loop_of[b];

    return l != CFG_NONE && s->k->insns[end].op == SUM_CONDBR &&
           (!cfg_in_loop(s->c, l, sum_opnd(s->k, end, 1)) || !cfg_in_loop(s->c, l, sum_opnd(s->k, end, 2)));
}

/* Note the operands of a comparison, as they are or extended. */
static void note_compared(struct search *s, uint32_t v, enum compared how)
{
    for (uint32_t i = 0; s->k->insns[v].op == SUM_ICMP && i < 2; i++) {
        uint32_t o = sum_opnd(s->k, v, i);
        s->compared[o] = s->compared[o] > how ? s->compared[o] : how;
        if (s->k->insns[o].op == SUM_ZEXT || s->k->insns[o].op == SUM_SEXT) {
            o = sum_opnd(s->k, o, 0);
            s->compared[o] = s->compared[o] > how ? s->compared[o] : how;
        }
    }
}

static void find_compared(struct search *s)
{
    for (uint32_t v = s->k->nleaf; v < s->k->ninsn; v++)
        note_compared(s, v, COMPARED);
    for (uint32_t b = 0; b < s->k->nblock; b++)
        if (may_leave(s, b))
            note_compared(s, sum_opnd(s->k, s->k->blocks[b].end - 1, 0), LEAVES);
}

static bool is_header(const struct search *s, uint32_t block)
{
    const uint32_t l = s->c->loop_of[block];

    return l != CFG_NONE && s->c->loop[l].header == block;
}

/* What is between two values, over the integers; saturated, so that sums of them stay within sel_wide. */
static struct interval_exact between(sel_wide lo, sel_wide hi)
{
    const sel_wide most = (sel_wide)1 << 100;

    return (struct interval_exact){lo < -most ? -most : lo, hi > most ? most : hi};
}

static struct interval_exact any_of(struct interval_exact a, struct interval_exact b)
{
    return between(a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi);
}

static bool grows(struct search *s, uint32_t v, uint32_t from, unsigned depth, struct interval_exact *by);

/* `times` times `one`, or less often. */
static struct interval_exact repeated(struct interval_exact one, sel_wide times)
{
    const sel_wide most = (sel_wide)1 << 50, far = (sel_wide)1 << 100;

    if (times > most || one.lo < -most || one.hi > most)
        return (struct interval_exact){one.lo < 0 ? -far : 0, one.hi > 0 ? far : 0};
    return (struct interval_exact){one.lo < 0 ? one.lo * times : 0, one.hi > 0 ? one.hi * times : 0};
}

/* Phi v: what comes in grows by as much as its operands have; a loop adds what its rounds do. */
static bool phi_grows(struct search *s, uint32_t v, uint32_t from, unsigned depth, struct interval_exact *by)
{
    const uint32_t block = s->c->block_of[v], l = s->c->loop_of[block];
    const bool header = is_header(s, block);
    struct interval_exact each = {0, 0}, one;
    bool first = true;

    for (uint32_t i = 0; i < s->k->insns[v].nopnd; i += 2) {
        const uint32_t o = sum_opnd(s->k, v, i + 1);
        const bool back = header && cfg_in_loop(s->c, l, sum_opnd(s->k, v, i));
        if (!grows(s, o, back ? v : from, depth + 1, &one))
            return false;
        if (back)
            each = any_of(each, one);
        else
            *by = first ? one : any_of(*by, one);
        first = first && back;
    }
    const sel_wide rounds = header ? rounds_of(s, block, COMPARED) : 0;
    if (rounds < 0 && (each.lo || each.hi))
        return false;
    const struct interval_exact all = repeated(each, rounds < 0 ? 0 : rounds);
    *by = between(by->lo + all.lo, by->hi + all.hi);
    return !first;
}

/* By how much is v greater than `from`, of which it is made by sums, choices and loops? */
static bool grows(struct search *s, uint32_t v, uint32_t from, unsigned depth, struct interval_exact *by)
{
    const struct sum_insn *in = &s->k->insns[v];
    struct interval_exact other;

    *by = (struct interval_exact){0, 0};
    if (v == from)
        return true;
    s->work -= s->work > 0;
    if (depth > MOST_CHAIN || s->work == 0 || v < s->k->nleaf || !sum_is_integer(in) || s->open[v])
        return false;
    if (in->op == SUM_PHI)
        return phi_grows(s, v, from, depth, by);
    if (in->op == SUM_SELECT) {
        if (!grows(s, sum_opnd(s->k, v, 1), from, depth + 1, by) ||
            !grows(s, sum_opnd(s->k, v, 2), from, depth + 1, &other))
            return false;
        *by = any_of(*by, other);
        return true;
    }
    if ((in->op != SUM_ADD && in->op != SUM_SUB) || !(in->flags & SUM_F_NSW))
        return false;
    for (unsigned i = 0; i < (in->op == SUM_ADD ? 2 : 1); i++) {
        const struct sel_interval o = s->of[sum_opnd(s->k, v, 1 - i)];
        if (!grows(s, sum_opnd(s->k, v, i), from, depth + 1, by))
            continue;
        *by =
            in->op == SUM_ADD ? between(by->lo + o.lo, by->hi + o.hi) : between(by->lo - o.hi, by->hi - o.lo);
        return true;
    }
    return false;
}

/* A phi of a loop's header: what came in, and what the rounds have added.  Where it is a counter itself, only
 * those count the rounds that decide when the loop is left, and which are not bounded like this. */
static void bound_sum(struct search *s, uint32_t v, struct sel_interval *r)
{
    const uint32_t block = s->c->block_of[v], first = s->k->insns[v].opnd;
    const bool has_rounds = is_header(s, block) && !s->c->irreducible && !is_counter(s, v, LEAVES);
    const sel_wide rounds =
        has_rounds ? rounds_of(s, block, is_counter(s, v, COMPARED) ? LEAVES : COMPARED) : -1;
    struct interval_exact each = {0, 0}, one;
    struct sel_interval start = {0, 0, false};
    bool any = false;

    s->work = MOST_WORK;
    for (uint32_t i = 0; rounds >= 0 && i < s->k->insns[v].nopnd; i += 2) {
        if (cfg_in_loop(s->c, s->c->loop_of[block], sum_opnd(s->k, v, i))) {
            if (!grows(s, sum_opnd(s->k, v, i + 1), v, 0, &one))
                return;
            each = any_of(each, one);
        } else if (s->came[first + i + 1]) {
            start = any ? interval_either(start, s->in[first + i + 1]) : s->in[first + i + 1];
            any = true;
        }
    }
    if (!any || rounds < 0)
        return;
    const struct interval_exact all = repeated(each, rounds);
    if (start.lo + all.lo > r->lo)
        r->lo = (int64_t)(start.lo + all.lo);
    if (start.hi + all.hi < r->hi)
        r->hi = (int64_t)(start.hi + all.hi);
    r->not_zero |= r->lo > 0 || r->hi < 0;
}

/* ---- values ---------------------------------------------------------------------------------------- */

static bool value_of(struct search *s, uint32_t v, struct sel_interval *out);

/* v where more is known of its operands than where it was computed. */
static struct sel_interval again(struct search *s, uint32_t v)
{
    const struct sum_insn *in = &s->k->insns[v];
    struct sel_interval r = s->now[v], anew;

    if (v < s->k->nleaf || in->op < SUM_ADD || in->op > SUM_SEXT || in->op == SUM_ICMP ||
        in->op == SUM_SELECT || !sum_is_integer(in) || !value_of(s, v, &anew))
        return r;
    if (anew.lo > r.lo)
        r.lo = anew.lo;
    if (anew.hi < r.hi)
        r.hi = anew.hi;
    r.not_zero |= anew.not_zero;
    return r.lo > r.hi ? s->now[v] : r;
}

/* Only what can be chosen is computed: where the condition cannot hold, intervals are empty. */
static struct sel_interval of_select(struct search *s, uint32_t v)
{
    const uint32_t mark = s->nnarrowed;
    struct sel_interval r = interval_all(bits_of(s, v)), arm;
    bool found = false;

    for (unsigned i = 0; i < 2; i++) {
        assume(s, sum_opnd(s->k, v, 0), i == 0);
        if (!s->impossible) {
            arm = again(s, sum_opnd(s->k, v, i + 1));
            r = found ? interval_either(r, arm) : arm;
            found = true;
        }
        forget(s, mark);
    }
    return r;
}

/* False: nothing comes this way yet. */
static bool of_phi(const struct search *s, uint32_t v, struct sel_interval *out)
{
    const uint32_t first = s->k->insns[v].opnd;
    bool found = false;

    for (uint32_t i = 1; i < s->k->insns[v].nopnd; i += 2) {
        if (!s->came[first + i])
            continue;
        *out = found ? interval_either(*out, s->in[first + i]) : s->in[first + i];
        found = true;
    }
    return found;
}

/* The least that v = y - x can be where a branch has found x to be less; INT64_MIN: none has. */
static int64_t least_between(const struct search *s, uint32_t v)
{
    for (uint32_t i = 0; s->k->insns[v].op == SUM_SUB && i < s->nordered; i++)
        if (s->ordered[i].x == sum_opnd(s->k, v, 1) && s->ordered[i].y == sum_opnd(s->k, v, 0))
            return s->ordered[i].strict;
    return INT64_MIN;
}

/* Is v x + (y - x) / c, some of the way from x to y, which is between them? */
static bool on_the_way(const struct search *s, uint32_t v, struct sel_interval *out)
{
    for (uint32_t i = 0; s->k->insns[v].op == SUM_ADD && i < 2; i++) {
        const uint32_t part = sum_opnd(s->k, v, i), x = sum_opnd(s->k, v, 1 - i);
        const unsigned op = s->k->insns[part].op;
        if (part < s->k->nleaf || (op != SUM_SDIV && op != SUM_UDIV && op != SUM_ASHR && op != SUM_LSHR))
            continue;
        const uint32_t d = sum_opnd(s->k, part, 0);
        const struct sel_interval by = operand(s, part, 1);
        if (s->k->insns[d].op != SUM_SUB || !(s->k->insns[d].flags & SUM_F_NSW) || s->open[d] ||
            s->open[part] || sum_opnd(s->k, d, 1) != x || by.lo < (op == SUM_SDIV || op == SUM_UDIV) ||
            ((op == SUM_UDIV || op == SUM_LSHR) && s->now[d].lo < 0))
            continue;
        *out = interval_either(s->now[x], operand(s, d, 0));
        return true;
    }
    return false;
}

/* A result that does not fit wraps around, unless it must not: then it counts as the bound. */
static struct sel_interval of_operation(const struct search *s, uint32_t v)
{
    const struct sum_insn *in = &s->k->insns[v];
    const struct sel_interval x = operand(s, v, 0), y = operand(s, v, 1), all = interval_all(in->bits);
    struct interval_exact r = interval_compute(in->op, x, y, in->bits);
    const int64_t groups = in->op == SUM_MUL ? most_of_groups(s, v) : -1;
    int64_t least;

    if (s->open[v] == SEL_OPEN_DIVIDES)
        return all;
    if (groups >= 0)
        r = (struct interval_exact){0, groups};
    if (!interval_fits(r.lo, r.hi, in->bits)) {
        if (!(in->flags & SUM_F_NSW) || s->open[v] || r.lo > all.hi || r.hi < all.lo)
            return all;
        r.lo = r.lo < all.lo ? all.lo : r.lo;
        r.hi = r.hi > all.hi ? all.hi : r.hi;
    }
    least = in->flags & SUM_F_NSW && !s->open[v] ? least_between(s, v) : INT64_MIN;
    r.lo = r.lo < least && least <= r.hi ? least : r.lo;
    struct sel_interval result = interval_span(r.lo, r.hi), way;
    if (on_the_way(s, v, &way) && way.lo >= result.lo && way.hi <= result.hi)
        return way;
    result.not_zero |= in->op == SUM_OR && (x.not_zero || y.not_zero);
    return result;
}

/* Operand i of v is a choice: its condition may tell of the other operand, too (`at + (at < 9 ? 1 : -9)`). */
static struct sel_interval of_either(struct search *s, uint32_t v, uint32_t i)
{
    const uint32_t mark = s->nnarrowed, choice = sum_opnd(s->k, v, i);
    struct sel_interval r = of_operation(s, v), one;
    bool found = false;

    for (unsigned arm = 0; arm < 2; arm++) {
        assume(s, sum_opnd(s->k, choice, 0), arm == 0);
        if (!s->impossible)
            narrow_one(s, choice, again(s, sum_opnd(s->k, choice, arm + 1)));
        if (!s->impossible) {
            one = of_operation(s, v);
            r = found ? interval_either(r, one) : one;
            found = true;
        }
        forget(s, mark);
    }
    return r;
}

/* A sum of which one operand is a choice is a choice of sums. */
static struct sel_interval of_sum(struct search *s, uint32_t v)
{
    for (uint32_t i = 0; i < 2; i++)
        if (s->k->insns[sum_opnd(s->k, v, i)].op == SUM_SELECT)
            return of_either(s, v, i);
    return of_operation(s, v);
}

static struct sel_interval of_bounds(const struct sum_insn *in)
{
    const int32_t lo = sum_lower_bound(in->imm), hi = sum_upper_bound(in->imm);

    return interval_fits(lo, hi, in->bits) ? interval_span(lo, hi) : interval_all(in->bits);
}

/* What known numbers make. */
static bool of_numbers(const struct search *s, uint32_t v, struct sel_interval *out)
{
    const struct sel_interval x = operand(s, v, 0), y = s->k->insns[v].nopnd > 1 ? operand(s, v, 1) : x;
    const unsigned from = bits_of(s, sum_opnd(s->k, v, 0));
    uint64_t known;

    if (x.lo != x.hi || y.lo != y.hi ||
        !sel_eval_operation(s->k, v, sum_low((uint64_t)x.lo, from), sum_low((uint64_t)y.lo, from), &known))
        return false;
    *out = interval_span(sum_signed(known, bits_of(s, v)), sum_signed(known, bits_of(s, v)));
    return true;
}

/* False: not reached yet. */
static bool value_of(struct search *s, uint32_t v, struct sel_interval *out)
{
    const struct sum_insn *in = &s->k->insns[v];
    uint64_t known;

    *out = interval_all(in->bits);
    if (in->op == SUM_PHI)
        return sum_is_integer(in) ? of_phi(s, v, out) : true;
    if (!sum_is_integer(in))
        return true;
    if (in->op >= SUM_ADD && in->op <= SUM_SEXT && of_numbers(s, v, out))
        return true;
    if (in->op == SUM_LOAD && s->keeps && sel_eval_member(s->k, s->l, v, &known))
        *out = interval_span(sum_signed(known, in->bits), sum_signed(known, in->bits));
    else if (in->op == SUM_PURE && in->imm)
        *out = of_bounds(in);
    else if (in->op == SUM_SELECT)
        *out = of_select(s, v);
    else if (in->op == SUM_TRUNC || in->op == SUM_ZEXT || in->op == SUM_SEXT)
        *out = interval_cast(in->op, operand(s, v, 0), bits_of(s, sum_opnd(s->k, v, 0)), in->bits);
    else if (in->op == SUM_MUL && (in->flags & SUM_F_24) && most_of_groups(s, v) < 0)
        *out = interval_product24(operand(s, v, 0), operand(s, v, 1), in->flags & SUM_F_UNSIGNED, in->bits);
    else if (in->op == SUM_ADD || in->op == SUM_SUB)
        *out = of_sum(s, v);
    else if (in->op >= SUM_ADD && in->op <= SUM_UMAX)
        *out = of_operation(s, v);
    return true;
}

/* The nearest of the steps that is at least x (or at most x, if not `above`); `else_` if there is none. */
static int64_t step_from(const struct search *s, int64_t x, bool above, int64_t else_)
{
    size_t lo = 0, hi = s->nstep;

    while (lo < hi) {
        const size_t middle = (lo + hi) / 2;
        if (above ? s->step[middle] < x : s->step[middle] <= x)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (above)
        return lo < s->nstep && s->step[lo] < else_ ? s->step[lo] : else_;
    return lo > 0 && s->step[lo - 1] > else_ ? s->step[lo - 1] : else_;
}

static void widen(struct search *s, uint32_t v, struct sel_interval *r)
{
    const struct sel_interval old = s->of[v], all = interval_all(bits_of(s, v));
    const bool stepwise = s->grown[v] <= PATIENCE + MOST_STEPS;

    if (s->grown[v] <= PATIENCE)
        return;
    if (r->lo < old.lo)
        r->lo = stepwise ? step_from(s, r->lo, false, all.lo) : all.lo;
    if (r->hi > old.hi)
        r->hi = stepwise ? step_from(s, r->hi, true, all.hi) : all.hi;
}

static void visit(struct search *s, uint32_t v, bool first)
{
    struct sel_interval r;

    if (!value_of(s, v, &r))
        return;
    if (s->up && !first) {
        r = interval_either(s->of[v], r);
        s->grown[v] += s->grown[v] <= PATIENCE + MOST_STEPS && !interval_same(r, s->of[v]);
        if (s->k->insns[v].op == SUM_PHI)
            widen(s, v, &r);
    }
    if (s->k->insns[v].op == SUM_PHI && sum_is_integer(&s->k->insns[v]))
        bound_sum(s, v, &r);
    s->changed |= first || !interval_same(r, s->of[v]);
    s->of[v] = s->now[v] = r;
}

static int compare_steps(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Constants with which nothing is compared bound no loop; kernels may have any number of them. */
static void find_steps(struct search *s)
{
    s->nstep = 0;
    for (uint32_t v = 0; v < s->k->nleaf; v++)
        if (sum_is_integer(&s->k->insns[v]) && (s->k->insns[v].op != SUM_CONST || s->compared[v])) {
            s->step[s->nstep++] = s->of[v].lo;
            s->step[s->nstep++] = s->of[v].hi;
        }
    qsort(s->step, s->nstep, sizeof *s->step, compare_steps);
}

/* ---- control --------------------------------------------------------------------------------------- */

static void send(struct search *s, uint32_t from, uint32_t edge)
{
    const uint32_t to = s->c->succ[edge];
    const struct sum_block *b = &s->k->blocks[to];
    const uint32_t mark = s->nnarrowed;

    assume_edge(s, from, to);
    if (!s->impossible) {
        s->changed |= !s->reached[to];
        s->reached[to] = s->taken[edge] = true;
        for (uint32_t v = b->first; v < b->end && s->k->insns[v].op == SUM_PHI; v++)
            for (uint32_t i = 0; i < s->k->insns[v].nopnd; i += 2) {
                if (sum_opnd(s->k, v, i) != from)
                    continue;
                s->in[s->k->insns[v].opnd + i + 1] = again(s, sum_opnd(s->k, v, i + 1));
                s->came[s->k->insns[v].opnd + i + 1] = true;
            }
    }
    forget(s, mark);
}

static void look_at(struct search *s, uint32_t b)
{
    assume_branches(s, b);
    if (!s->impossible) {
        const uint32_t n = s->k->blocks[b].end - s->k->blocks[b].first;
        s->visits -= n < s->visits ? n : s->visits;
        for (uint32_t v = s->k->blocks[b].first; v < s->k->blocks[b].end; v++)
            visit(s, v, !s->seen[b]);
        s->seen[b] = true;
        for (uint32_t i = s->c->succ_first[b]; i < s->c->succ_first[b + 1]; i++)
            send(s, b, i);
    }
    forget(s, 0);
}

static void round_over_body(struct search *s)
{
    s->changed = false;
    memset(s->taken, 0, s->c->succ_first[s->k->nblock] * sizeof *s->taken);
    for (uint32_t i = 0; i < s->c->nreach; i++)
        if (s->reached[s->c->rpo[i]])
            look_at(s, s->c->rpo[i]);
}

/* From nothing, but what is in `open`, to a fixed point.  False: none within reason. */
static bool solve(struct search *s)
{
    const struct kernel_summary *k = s->k;

    memset(s->came, 0, k->nopnd * sizeof *s->came);
    memset(s->reached, 0, k->nblock * sizeof *s->reached);
    memset(s->grown, 0, k->ninsn * sizeof *s->grown);
    memset(s->seen, 0, k->nblock * sizeof *s->seen);
    for (uint32_t v = 0; v < k->nleaf; v++)
        s->of[v] = s->now[v] = of_leaf(s, v);
    find_steps(s);
    s->reached[0] = s->up = s->changed = true;
    for (unsigned i = 0; s->changed; i++) {
        if (i == MOST_UP || s->visits == 0)
            return false;
        round_over_body(s);
    }
    s->up = false;
    for (unsigned i = 0; i < ROUNDS_DOWN; i++)
        round_over_body(s);
    return true;
}

/* ---- what is left open ----------------------------------------------------------------------------- */

static bool quotient_is_open(const struct search *s, uint32_t v, struct sel_interval x, struct sel_interval y)
{
    const unsigned op = s->k->insns[v].op;
    const bool is_signed = op == SUM_SDIV || op == SUM_SREM;

    return (y.lo <= 0 && y.hi >= 0 && !y.not_zero) ||
           (is_signed && x.lo == interval_all(bits_of(s, v)).lo && y.lo <= -1 && y.hi >= -1);
}

static enum sel_open open_of(const struct search *s, uint32_t v)
{
    const struct sum_insn *in = &s->k->insns[v];

    if (in->op == SUM_PURE && (in->flags & SUM_F_NONZERO))
        return operand(s, v, 0).not_zero ? SEL_OPEN_NOT : SEL_OPEN_DIVIDES;
    if (!sum_is_integer(in) || in->op < SUM_ADD || in->op > SUM_ASHR)
        return SEL_OPEN_NOT;
    const struct sel_interval x = operand(s, v, 0), y = operand(s, v, 1);
    if (in->op >= SUM_UDIV && in->op <= SUM_SREM)
        return quotient_is_open(s, v, x, y) ? SEL_OPEN_DIVIDES : SEL_OPEN_NOT;
    if (in->op >= SUM_SHL && !interval_shifts(y, in->bits))
        return SEL_OPEN_DIVIDES;
    if (!(in->flags & SUM_F_NSW) || (in->op == SUM_ADD && in->flags & SUM_F_APART) ||
        (in->op == SUM_MUL && most_of_groups(s, v) >= 0))
        return SEL_OPEN_NOT;
    const struct interval_exact r = interval_compute(in->op, x, y, in->bits);
    return interval_fits(r.lo, r.hi, in->bits) ? SEL_OPEN_NOT : SEL_OPEN_WRAPS;
}

/* True if something was found that had not been. */
static bool find_open(struct search *s)
{
    bool found = false;

    for (uint32_t i = 0; i < s->c->nreach; i++) {
        const uint32_t b = s->c->rpo[i];
        if (!s->reached[b])
            continue;
        assume_branches(s, b);
        for (uint32_t v = s->k->blocks[b].first; !s->impossible && v < s->k->blocks[b].end; v++) {
            const enum sel_open open = open_of(s, v);
            found |= open > s->open[v];
            if (open > s->open[v])
                s->open[v] = open;
        }
        forget(s, 0);
    }
    return found;
}

/* ---- places in private arrays ------------------------------------------------------------------------ */

/* v, and what it is computed from, by what is known in the block that is looked at. */
static struct sel_interval now_of(struct search *s, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &s->k->insns[v];

    if (v >= s->k->nleaf && in->op >= SUM_ADD && in->op <= SUM_SEXT && depth < MOST_DEEP &&
        sum_is_integer(in)) {
        for (uint32_t i = 0; i < in->nopnd; i++)
            now_of(s, sum_opnd(s->k, v, i), depth + 1);
        narrow_one(s, v, again(s, v));
    }
    return s->now[v];
}

/* Steps from an array, or from several, to a place. */
struct steps {
    sel_wide from, to; /* bytes so far */
    bool any;          /* the place may be in other memory than a work-item's own */
    bool before;       /* pointers of a round before: what is known here is not known of them */
    unsigned *left;    /* pointers still to be looked at */
};

static bool is_outside(struct search *s, uint32_t pointer, struct steps at);

static bool any_outside(struct search *s, uint32_t pointer, uint32_t step, struct steps at)
{
    const struct sum_insn *in = &s->k->insns[pointer];

    for (uint32_t i = 1; i < in->nopnd; i += step)
        if (is_outside(s, sum_opnd(s->k, pointer, i), at))
            return true;
    return false;
}

static bool step_is_outside(struct search *s, uint32_t pointer, struct steps at)
{
    const uint32_t step = sum_opnd(s->k, pointer, 1);
    const struct sel_interval by = at.before ? s->of[step] : now_of(s, step, 0);

    at.from += by.lo;
    at.to += by.hi;
    return is_outside(s, sum_opnd(s->k, pointer, 0), at);
}

/* May the place lie before the array, or behind its end?  Or is it not known which array it is? */
static bool is_outside(struct search *s, uint32_t pointer, struct steps at)
{
    const struct sum_insn *in = &s->k->insns[pointer];

    if (*at.left == 0)
        return true;
    --*at.left;
    switch (in->op) {
    case SUM_PTRADD:
        return step_is_outside(s, pointer, at);
    case SUM_SELECT:
        return any_outside(s, pointer, 1, at);
    case SUM_PHI:
        at.before = true;
        return any_outside(s, pointer, 2, at);
    case SUM_ALLOCA:
        return at.from < 0 || at.to > in->imm;
    case SUM_ARG:
        if (s->k->args[in->imm].kind == SUM_ARG_SCALAR)
            return at.from < 0 || at.to > s->k->args[in->imm].size;
        return !at.any;
    default:
        return !at.any;
    }
}

static bool touches_outside(struct search *s, uint32_t v)
{
    const struct sum_insn *in = &s->k->insns[v];
    unsigned left = MOST_POINTERS;
    const struct steps none = {.to = in->bytes, .any = in->space == SUM_GENERIC, .left = &left};

    return is_outside(s, sum_opnd(s->k, v, 0), none) && !s->impossible;
}

static void find_outside(struct search *s, bool *outside)
{
    for (uint32_t i = 0; i < s->c->nreach; i++) {
        const uint32_t b = s->c->rpo[i];
        bool assumed = false;
        for (uint32_t v = s->k->blocks[b].first; s->reached[b] && v < s->k->blocks[b].end; v++) {
            if (!sum_may_touch_private(&s->k->insns[v]))
                continue;
            if (!assumed)
                assume_branches(s, b);
            assumed = true;
            outside[v] = !s->impossible && touches_outside(s, v);
        }
        forget(s, 0);
    }
}

/* Does nothing change what was passed by value? */
static bool keeps_arguments(const struct kernel_summary *k)
{
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        const struct sum_insn *in = &k->insns[v];
        if ((in->op != SUM_STORE && in->op != SUM_ATOMIC) ||
            (in->space != SUM_PRIVATE && in->space != SUM_GENERIC))
            continue;
        if (k->insns[sum_base(k, sum_opnd(k, v, 0))].op != SUM_ALLOCA)
            return false;
    }
    return true;
}

static int find(struct search *s)
{
    find_compared(s);
    for (unsigned i = 0; i < MOST_STARTS && solve(s); i++)
        if (!find_open(s))
            return 0;
    return -E2BIG;
}

static void find_rounds(const struct search *s, int64_t *back)
{
    for (uint32_t l = 0; l < s->c->nloop; l++) {
        const sel_wide rounds = rounds_of(s, s->c->loop[l].header, COMPARED);
        back[s->c->loop[l].header] = rounds < INT64_MAX ? (int64_t)rounds : -1;
    }
}

int sel_intervals_find(const struct kernel_summary *k, const struct launch *l, struct sel_intervals *out)
{
    struct cfg *c = &out->cfg;
    struct search s = {.k = k, .c = c, .l = l, .visits = MOST_VISITS, .keeps = keeps_arguments(k)};

    int err = cfg_build(k, c);
    if (err)
        return err;
    s.open = out->open = cfg_array(c, k->ninsn, sizeof *s.open);
    s.reached = out->reached = cfg_array(c, k->nblock, sizeof *s.reached);
    s.taken = out->taken = cfg_array(c, c->succ_first[k->nblock], sizeof *s.taken);
    s.seen = cfg_array(c, k->nblock, sizeof *s.seen);
    s.of = cfg_array(c, k->ninsn, sizeof *s.of);
    s.now = cfg_array(c, k->ninsn, sizeof *s.now);
    s.in = cfg_array(c, k->nopnd, sizeof *s.in);
    s.came = cfg_array(c, k->nopnd, sizeof *s.came);
    s.grown = cfg_array(c, k->ninsn, sizeof *s.grown);
    s.compared = cfg_array(c, k->ninsn, sizeof *s.compared);
    s.step = cfg_array(c, 2 * (size_t)k->nleaf, sizeof *s.step);
    out->back = cfg_array(c, k->nblock, sizeof *out->back);
    out->outside = cfg_array(c, k->ninsn, sizeof *out->outside);
    err = c->failed ? -ENOMEM : find(&s);
    if (err)
        return err;
    find_rounds(&s, out->back);
    find_outside(&s, out->outside);
    return 0;
}

struct sel_intervals *sel_look(struct sel_look *x)
{
    if (!x->done)
        x->known = sel_intervals_find(x->k, x->l, &x->found) == 0;
    x->done = true;
    return x->known ? &x->found : NULL;
}

void sel_look_end(struct sel_look *x)
{
    if (x->done)
        cfg_free(&x->found.cfg);
}
