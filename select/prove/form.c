/* form.c - puts a launch's values into summary polynomials; ranges of ids and loops.  See form.h. */
#include "select/prove/form.h"

#include "select/prove/eval.h"
#include "select/prove/interval.h"
#include "analysis/summary/integer.h"

#include <limits.h>
#include <string.h>

/* Loops whose trip count depends on the iterations of other loops: nesting followed, and
 * loops looked at in all. */
#define LOOP_DEPTH 4
#define LOOP_STEPS 64
/* Quotients of quotients, and the terms of one: what is read from a file may ask for more. */
#define QUOTIENT_DEPTH 3
#define MOST_TERMS     32
/* Values looked at to learn the bounds of one. */
#define RANGE_STEPS 32
#define NO_LOOP     UINT32_MAX
#define AGREED      SEL_FORM_AGREED

enum known { KNOWN, VARIES, NEVER_SET };

/* The leaf that is the argument; ninsn if none is. */
static uint32_t leaf_of(const struct kernel_summary *k, uint32_t argument)
{
    for (uint32_t v = 0; v < k->nleaf; v++)
        if (k->insns[v].op == SUM_ARG && k->insns[v].imm == argument && !(k->insns[v].flags & SUM_F_PART))
            return v;
    return k->ninsn;
}

/* The launch-wide value of a symbol, if it has one. */
static enum known symbol_value(const struct kernel_summary *k, const struct launch *l,
                               const struct sum_sym *s, int64_t *out)
{
    uint64_t bits_value;
    unsigned bits;
    switch (s->kind) {
    case SUM_SYM_GID:
        *out = (int64_t)l->offset[s->index];
        return l->global[s->index] == 1 ? KNOWN : VARIES;
    case SUM_SYM_OFFSET:
    case SUM_SYM_GSIZE:
        *out = (int64_t)(s->kind == SUM_SYM_OFFSET ? l->offset[s->index] : l->global[s->index]);
        return KNOWN;
    case SUM_SYM_ARG:
        if (s->index < l->nargs && l->args[s->index].bounded)
            return leaf_of(k, s->index) < k->nleaf ? VARIES : NEVER_SET;
        if (!sel_eval_scalar(k, l, s->index, &bits_value, &bits))
            return NEVER_SET;
        *out = s->zext ? (int64_t)bits_value : sum_signed(bits_value, bits);
        return KNOWN;
    case SUM_SYM_UNIFORM: {
        struct sel_eval e = {.k = k, .l = l};
        if (!sel_eval_value(&e, s->index, 0, &bits_value))
            return VARIES;
        *out = sum_signed(bits_value, k->insns[s->index].bits); /* the meaning of the symbol */
        return KNOWN;
    }
    default:
        return VARIES;
    }
}

static bool add_loop(struct sel_form *f, uint32_t loop, int64_t coef)
{
    for (unsigned i = 0; i < f->nloop; i++)
        if (f->loop[i].loop == loop)
            return !__builtin_add_overflow(f->loop[i].coef, coef, &f->loop[i].coef);
    if (f->nloop == SEL_FORM_LOOPS)
        return false;
    f->loop[f->nloop++] = (struct sel_form_loop){.loop = loop, .coef = coef, .trips = 1};
    return true;
}

/* Without the loops that have cancelled. */
static void drop_loops(struct sel_form *f)
{
    unsigned n = 0;
    for (unsigned i = 0; i < f->nloop; i++)
        if (f->loop[i].coef != 0)
            f->loop[n++] = f->loop[i];
    f->nloop = n;
}

static bool add_unknown(struct sel_form *f, const struct sel_form_unknown *u)
{
    for (unsigned i = 0; i < f->nunknown; i++)
        if (f->unknown[i].nid == u->nid && memcmp(f->unknown[i].id, u->id, u->nid * sizeof u->id[0]) == 0)
            return !__builtin_add_overflow(f->unknown[i].coef, u->coef, &f->unknown[i].coef);
    if (f->nunknown == SEL_FORM_UNKNOWNS)
        return false;
    f->unknown[f->nunknown++] = *u;
    return true;
}

/* Is it the quotient of a division by zero, or by what no launch knows? */
static bool by_zero(const struct kernel_summary *k, const struct launch *l, const struct sum_sym *s)
{
    if (!s || s->kind != SUM_SYM_LOOP)
        return false;
    const struct sum_loop *loop = &k->loops[s->index];
    return loop->quotient == SUM_Q_DIVIDE && /* and this function is not asked in a circle */
           (sum_mentions(&loop->step_poly, SUM_SYM_LOOP) || sel_form_step(k, l, loop) == 0);
}

/* ---- quotients ------------------------------------------------------------------------------------- */

static enum sel_reason make(const struct kernel_summary *k, const struct launch *l, const struct sum_poly *p,
                            unsigned depth, struct sel_form *out);

/* The limit and divisor of entry `index` of k->loops, a quotient: floor((limit - 1) / divisor).  In the view
 * of a group, unknowns that are multiples of the divisor are taken out of the limit and put, divided by it,
 * into *whole: in forms, LOOP stands for the rest.  False if that cannot be said, or if it is none. */
static bool quotient_limit(const struct kernel_summary *k, const struct launch *l, uint32_t index,
                           unsigned depth, struct sel_form *limit, struct sel_form *whole, int64_t *divisor)
{
    const struct sum_loop *loop = &k->loops[index];
    bool multiple = l->whole != NULL;
    *whole = (struct sel_form){0};
    *divisor =
        loop->quotient && !sum_mentions(&loop->step_poly, SUM_SYM_LOOP) ? sel_form_step(k, l, loop) : 0;
    if (*divisor <= 0 || loop->limit.nterm > MOST_TERMS ||
        make(k, l, &loop->limit, depth + 1, limit) != SEL_R_OK)
        return false;
    for (unsigned i = 0; i < limit->nunknown; i++)
        multiple = multiple && limit->unknown[i].coef % *divisor == 0;
    if (!multiple)
        return true;
    for (unsigned i = 0; i < limit->nunknown; i++) {
        whole->unknown[i] = limit->unknown[i];
        whole->unknown[i].coef /= *divisor;
    }
    whole->nunknown = limit->nunknown;
    limit->nunknown = 0;
    return true;
}

/* f += coef * LOOP. */
static enum sel_reason add_loop_term(const struct kernel_summary *k, const struct launch *l, uint32_t index,
                                     int64_t coef, unsigned depth, struct sel_form *f)
{
    struct sel_form limit, whole;
    int64_t divisor;
    if (l->whole && k->loops[index].quotient) {
        const bool known =
            depth < QUOTIENT_DEPTH && quotient_limit(k, l, index, depth, &limit, &whole, &divisor);
        if (!known && depth > 0)
            return SEL_R_OVERLAP; /* for LOOP must stand for the same everywhere, and it may be known there */
        for (unsigned i = 0; i < (known ? whole.nunknown : 0); i++)
            if (__builtin_mul_overflow(whole.unknown[i].coef, coef, &whole.unknown[i].coef) ||
                !add_unknown(f, &whole.unknown[i]))
                return SEL_R_OVERLAP;
    }
    return add_loop(f, index, coef) ? SEL_R_OK : SEL_R_OVERLAP;
}

/* ---- forms ----------------------------------------------------------------------------------------- */

/* Add one term: known symbols go into the coefficient; what is left must be one id, one loop, or unknowns.
 * x % w is x - w * quotient: where w is 0 the quotient drops out, but the remainder is not x. */
static enum sel_reason add_term(const struct kernel_summary *k, const struct launch *l,
                                const struct sum_term *t, unsigned depth, struct sel_form *f)
{
    struct sel_form_unknown u = {.coef = t->coef};
    const struct sum_sym *varying = NULL;
    for (uint32_t i = 0; i < t->nsym; i++) {
        const struct sum_sym *s = &t->sym[i];
        int64_t value;
        switch (symbol_value(k, l, s, &value)) {
        case NEVER_SET:
            return SEL_R_ARG_UNKNOWN;
        case KNOWN:
            if (__builtin_mul_overflow(u.coef, value, &u.coef))
                return SEL_R_WRAP;
            break;
        case VARIES:
            if (s->kind == SUM_SYM_UNIFORM || s->kind == SUM_SYM_ARG)
                u.id[u.nid++] = s->kind == SUM_SYM_ARG ? leaf_of(k, s->index) : s->index;
            else if (varying)
                return SEL_R_OVERLAP;
            else
                varying = s;
        }
    }
    if (u.coef == 0)
        return by_zero(k, l, varying) ? SEL_R_OVERLAP : SEL_R_OK;
    if (varying && u.nid > 0)
        return SEL_R_OVERLAP;
    if (varying && varying->kind == SUM_SYM_LOOP)
        return add_loop_term(k, l, varying->index, u.coef, depth, f);
    if (u.nid > 0)
        return add_unknown(f, &u) ? SEL_R_OK : SEL_R_OVERLAP;
    int64_t *sum = varying ? &f->gid[varying->index] : &f->constant;
    return __builtin_add_overflow(*sum, u.coef, sum) ? SEL_R_WRAP : SEL_R_OK;
}

static enum sel_reason make(const struct kernel_summary *k, const struct launch *l, const struct sum_poly *p,
                            unsigned depth, struct sel_form *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < p->nterm; i++) {
        enum sel_reason r = add_term(k, l, &p->term[i], depth, out);
        if (r != SEL_R_OK)
            return r;
    }
    drop_loops(out);
    unsigned n = 0;
    for (unsigned i = 0; i < out->nunknown; i++)
        if (out->unknown[i].coef != 0)
            out->unknown[n++] = out->unknown[i];
    out->nunknown = n;
    return SEL_R_OK;
}

enum sel_reason sel_form_make(const struct kernel_summary *k, const struct launch *l,
                              const struct sum_poly *p, struct sel_form *out)
{
    return make(k, l, p, 0, out);
}

bool sel_form_same_unknowns(const struct sel_form *a, const struct sel_form *b)
{
    bool same = a->nunknown == b->nunknown;
    for (unsigned i = 0; i < a->nunknown && same; i++) {
        const struct sel_form_unknown *u = &a->unknown[i];
        same = false;
        for (unsigned j = 0; j < b->nunknown && !same; j++)
            same = u->coef == b->unknown[j].coef && u->nid == b->unknown[j].nid &&
                   memcmp(u->id, b->unknown[j].id, u->nid * sizeof u->id[0]) == 0;
    }
    return same;
}

const struct sel_form_loop *sel_form_find(const struct sel_form *f, const struct sel_form_loop *like)
{
    for (unsigned i = 0; i < f->nloop; i++)
        if (f->loop[i].loop == like->loop && f->loop[i].coef == like->coef)
            return &f->loop[i];
    return NULL;
}

bool sel_form_same(const struct sel_form *a, const struct sel_form *b)
{
    bool same =
        memcmp(a->gid, b->gid, sizeof a->gid) == 0 && a->nloop == b->nloop && sel_form_same_unknowns(a, b);
    for (unsigned i = 0; i < a->nloop && same; i++)
        same = sel_form_find(b, &a->loop[i]);
    return same;
}

/* [*lo, *hi] += coef * [from, to] */
static void widen(sel_wide *lo, sel_wide *hi, int64_t coef, int64_t from, int64_t to)
{
    sel_wide a = (sel_wide)coef * from, b = (sel_wide)coef * to;
    *lo += a < b ? a : b;
    *hi += a < b ? b : a;
}

/* Smallest and largest value, each symbol anywhere within its range. */
static void plain_interval(const struct sel_form *f, const struct sel_range box[3], sel_wide *lo,
                           sel_wide *hi)
{
    *lo = *hi = f->constant;
    for (unsigned d = 0; d < 3; d++)
        widen(lo, hi, f->gid[d], box[d].lo, box[d].hi);
    for (unsigned i = 0; i < f->nloop; i++)
        widen(lo, hi, f->loop[i].coef, 0, f->loop[i].trips - 1);
}

/* Resolves the iterations of a form's loops.  `self` is the loop being bounded, whose form may mention it. */
struct bounding {
    const struct kernel_summary *k;
    const struct launch *l;
    const struct sel_range *box;
    uint32_t self;
    int64_t self_trips;
    unsigned *steps; /* left, over the whole recursion */
};

static struct bounding anew(const struct kernel_summary *k, const struct launch *l,
                            const struct sel_range box[3], unsigned *steps)
{
    return (struct bounding){.k = k, .l = l, .box = box, .self = NO_LOOP, .steps = steps};
}

static bool bound_loops(const struct bounding *b, struct sel_form *f, unsigned depth);
static bool loop_trips(const struct bounding *outer, uint32_t index, unsigned depth, int64_t *trips);

/* ---- remainders ------------------------------------------------------------------------------------ */

/* A quotient that has been bounded: floor(x / divisor), 0 <= x. */
struct quotient {
    uint32_t loop;
    struct sel_form x;
    int64_t divisor;
};

bool sel_form_quotient(const struct kernel_summary *k, const struct launch *l, uint32_t loop,
                       struct sel_form *x, int64_t *divisor)
{
    struct sel_form whole;
    return quotient_limit(k, l, loop, 0, x, &whole, divisor) && x->nunknown == 0 &&
           !__builtin_sub_overflow(x->constant, 1, &x->constant);
}

static bool quotient_of(const struct bounding *b, uint32_t loop, struct quotient *q)
{
    q->loop = loop;
    return loop != b->self && sel_form_quotient(b->k, b->l, loop, &q->x, &q->divisor);
}

/* a / b, 0 if it is none. */
static int64_t ratio(int64_t a, int64_t b)
{
    return b != -1 && a % b == 0 ? a / b : 0;
}

/* The multiple of a quotient's remainder that f has as a part, judged by what x begins with; 0: none. */
static int64_t multiple_in(const struct sel_form *f, const struct quotient *q)
{
    for (unsigned d = 0; d < 3; d++)
        if (q->x.gid[d] != 0)
            return ratio(f->gid[d], q->x.gid[d]);
    for (unsigned i = 0; i < f->nloop && q->x.nloop > 0; i++)
        if (f->loop[i].loop == q->x.loop[0].loop)
            return ratio(f->loop[i].coef, q->x.loop[0].coef);
    return 0;
}

static bool subtract(int64_t *from, int64_t c, int64_t by)
{
    int64_t product;
    return !__builtin_mul_overflow(c, by, &product) && !__builtin_sub_overflow(*from, product, from);
}

/* f -= c * (x - divisor * quotient).  False if that cannot be said. */
static bool take_remainder(const struct bounding *b, const struct quotient *q, int64_t c, unsigned depth,
                           struct sel_form *f)
{
    const unsigned known = f->nloop;
    int64_t by;
    bool good = subtract(&f->constant, c, q->x.constant);
    for (unsigned d = 0; d < 3; d++)
        good = good && subtract(&f->gid[d], c, q->x.gid[d]);
    for (unsigned i = 0; i < q->x.nloop; i++)
        good = good && !__builtin_mul_overflow(c, q->x.loop[i].coef, &by) && by != INT64_MIN &&
               add_loop(f, q->x.loop[i].loop, -by);
    good = good && !__builtin_mul_overflow(c, q->divisor, &by) && add_loop(f, q->loop, by);
    for (unsigned i = known; i < f->nloop; i++)
        good = good && f->loop[i].loop != b->self && loop_trips(b, f->loop[i].loop, depth, &f->loop[i].trips);
    drop_loops(f);
    return good;
}

/* Narrow [*lo, *hi], the plain interval of a form.  x - w * (x / w) lies in [0, w - 1], whatever x and the
 * quotient could be if each were alone: such parts are taken out as long as that narrows the rest. */
static void narrow_by_remainders(const struct bounding *b, const struct sel_form *form, unsigned depth,
                                 sel_wide *lo, sel_wide *hi)
{
    struct sel_form f = *form, rest;
    struct quotient q;
    sel_wide least, most, below = 0, above = 0; /* what has been taken out */
    for (unsigned i = 0, taken = 0; i < f.nloop && taken < 2 * SEL_FORM_LOOPS; i++) {
        int64_t c = quotient_of(b, f.loop[i].loop, &q) ? multiple_in(&f, &q) : 0;
        rest = f;
        if (c == 0 || !take_remainder(b, &q, c, depth, &rest))
            continue;
        sel_wide part = (sel_wide)c * (q.divisor - 1);
        plain_interval(&rest, b->box, &least, &most);
        least += below + (part < 0 ? part : 0);
        most += above + (part > 0 ? part : 0);
        if (most - least >= *hi - *lo)
            continue;
        below += part < 0 ? part : 0;
        above += part > 0 ? part : 0;
        *lo = least > *lo ? least : *lo;
        *hi = most < *hi ? most : *hi;
        f = rest;
        taken++;
        i = UINT_MAX; /* from the start */
    }
}

/* Smallest and largest value of a form whose loops are bounded. */
static void interval(const struct bounding *b, const struct sel_form *f, unsigned depth, sel_wide *lo,
                     sel_wide *hi)
{
    plain_interval(f, b->box, lo, hi);
    for (unsigned i = 0; i < f->nloop; i++)
        if (b->k->loops[f->loop[i].loop].quotient) {
            narrow_by_remainders(b, f, depth, lo, hi);
            return;
        }
}

/* ---- intervals of polynomials ------------------------------------------------------------------------ */

/* [*lo, *hi] *= [from, to].  False if a number becomes too large. */
static bool multiply(sel_wide *lo, sel_wide *hi, sel_wide from, sel_wide to)
{
    const sel_wide most = (sel_wide)1 << 62;
    if (*lo < -most || *hi > most || from < -most || to > most)
        return false;
    const struct interval_exact r = interval_corners(*lo * from, *lo * to, *hi * from, *hi * to);
    *lo = r.lo;
    *hi = r.hi;
    return true;
}

/* ---- unknowns ---------------------------------------------------------------------------------------- */

/* Is v a part of `of`, if that is not negative: x >> n, x / n? */
static bool is_part(const struct kernel_summary *k, uint32_t v, uint32_t of)
{
    const struct sum_insn *in = &k->insns[v];
    if ((in->op < SUM_UDIV || in->op > SUM_SDIV) && in->op != SUM_LSHR && in->op != SUM_ASHR)
        return false;
    const struct sum_insn *by = &k->insns[sum_opnd(k, v, 1)];
    return sum_opnd(k, v, 0) == of && by->op == SUM_CONST && by->imm > 0;
}

static struct sel_interval range_of(const struct kernel_summary *k, const struct launch *l, uint32_t id,
                                    unsigned *steps);

/* A phi that only becomes smaller, round by round: false if it is none. */
static bool range_of_phi(const struct kernel_summary *k, const struct launch *l, uint32_t id, unsigned *steps,
                         struct sel_interval *out)
{
    *out = interval_span(0, 0);
    for (uint32_t i = 1; i < k->insns[id].nopnd; i += 2)
        if (!is_part(k, sum_opnd(k, id, i), id))
            *out = interval_either(*out, range_of(k, l, sum_opnd(k, id, i), steps));
    return out->lo == 0;
}

/* The bounds of value `id`, whichever group and round it is. */
static struct sel_interval range_of(const struct kernel_summary *k, const struct launch *l, uint32_t id,
                                    unsigned *steps)
{
    const struct sum_insn *v = &k->insns[id];
    struct sel_eval e = {.k = k, .l = l};
    struct sel_interval x = interval_all(sum_is_integer(v) ? v->bits : 64), y;
    uint64_t known;
    if (!sum_is_integer(v) || *steps == 0)
        return x;
    --*steps;
    if (sel_eval_value(&e, id, 0, &known))
        return interval_span(sum_signed(known, v->bits), sum_signed(known, v->bits));
    if (v->op == SUM_PHI && range_of_phi(k, l, id, steps, &y))
        return y;
    if (sel_eval_bounds(k, l, id, &x.lo, &x.hi) || v->op < SUM_ADD || v->op > SUM_SEXT || v->op == SUM_ICMP)
        return x;
    const struct sel_interval all = x;
    x = range_of(k, l, sum_opnd(k, id, v->op == SUM_SELECT), steps);
    if (v->op >= SUM_TRUNC)
        return interval_cast(v->op, x, k->insns[sum_opnd(k, id, 0)].bits, v->bits);
    y = range_of(k, l, sum_opnd(k, id, 1 + (v->op == SUM_SELECT)), steps);
    if (v->op == SUM_SELECT)
        return interval_either(x, y);
    if (v->op == SUM_MUL && (v->flags & SUM_F_24))
        return interval_product24(x, y, v->flags & SUM_F_UNSIGNED, v->bits);
    const struct interval_exact r = interval_compute(v->op, x, y, v->bits);
    return interval_fits(r.lo, r.hi, v->bits) ? interval_span(r.lo, r.hi) : all;
}

bool sel_form_unknowns(const struct kernel_summary *k, const struct launch *l, const struct sel_form *f,
                       sel_wide *lo, sel_wide *hi)
{
    *lo = *hi = 0;
    for (unsigned i = 0; i < f->nunknown; i++) {
        sel_wide least = f->unknown[i].coef, most = least;
        for (uint32_t j = 0; j < f->unknown[i].nid; j++) {
            unsigned steps = RANGE_STEPS;
            const struct sel_interval r = range_of(k, l, f->unknown[i].id[j], &steps);
            if (!multiply(&least, &most, r.lo, r.hi))
                return false;
        }
        *lo += least; /* of at most 2^124 */
        *hi += most;
    }
    return true;
}

/* Bounds of a form's values, unknowns included.  False if they are not known. */
static bool form_interval(const struct bounding *b, struct sel_form *f, unsigned depth, sel_wide *lo,
                          sel_wide *hi)
{
    sel_wide least, most;
    if (!sel_form_unknowns(b->k, b->l, f, &least, &most) || !bound_loops(b, f, depth))
        return false;
    interval(b, f, depth, lo, hi);
    *lo += least;
    *hi += most;
    return true;
}

/* What a term can be, symbol by symbol. */
static bool term_interval(const struct bounding *b, const struct sum_term *t, unsigned depth, sel_wide *lo,
                          sel_wide *hi)
{
    *lo = *hi = t->coef;
    for (uint32_t i = 0; i < t->nsym; i++) {
        struct sum_term one = {.coef = 1, .nsym = 1, .sym = {t->sym[i]}};
        struct sel_form f = {0};
        sel_wide from, to;
        if (add_term(b->k, b->l, &one, 0, &f) != SEL_R_OK || !form_interval(b, &f, depth, &from, &to) ||
            !multiply(lo, hi, from, to))
            return false;
    }
    return true;
}

/* The smallest and largest value of a polynomial for the work-items of the box, whatever the iteration; term
 * by term where it is not linear.  False if that is not known. */
static bool interval_of(const struct bounding *b, const struct sum_poly *p, unsigned depth, sel_wide *lo,
                        sel_wide *hi)
{
    const sel_wide most = (sel_wide)1 << 126;
    struct sel_form f;
    enum sel_reason r = sel_form_make(b->k, b->l, p, &f);
    if (r == SEL_R_OK)
        return form_interval(b, &f, depth, lo, hi);
    *lo = *hi = 0;
    for (uint32_t i = 0; i < p->nterm; i++) {
        sel_wide from, to;
        if (r != SEL_R_OVERLAP || *lo < -most || *hi > most ||
            !term_interval(b, &p->term[i], depth, &from, &to))
            return false;
        *lo += from; /* of at most 2^124 */
        *hi += to;
    }
    return true;
}

/* Does the condition hold for all work-items of the box, whatever the iteration? */
static bool range_holds(const struct bounding *b, const struct sum_range *r, unsigned depth)
{
    sel_wide lo, hi;
    if (!interval_of(b, &r->poly, depth, &lo, &hi))
        return false;
    sel_wide top = (sel_wide)1 << (r->is_signed ? r->bits - 1 : r->bits);
    return lo >= (r->is_signed ? -top : 0) && hi < top;
}

/* ---- loops ----------------------------------------------------------------------------------------- */

int64_t sel_form_step(const struct kernel_summary *k, const struct launch *l, const struct sum_loop *loop)
{
    struct sel_form f;
    int64_t step = loop->step;
    if (loop->step_poly.nterm > 0) {
        if (loop->bounded || sel_form_make(k, l, &loop->step_poly, &f) != SEL_R_OK || f.nloop > 0 ||
            f.nunknown > 0 || f.gid[0] != 0 || f.gid[1] != 0 || f.gid[2] != 0)
            return 0;
        step = f.constant;
    }
    if (loop->quotient == SUM_Q_SHIFT)
        return step >= 0 && step < 31 ? (int64_t)1 << step : 0;
    if (step <= 0 || (loop->quotient == SUM_Q_POWER && (step & (step - 1)) != 0))
        return 0;
    return step;
}

/* Bounds of a loop's limit; of a quotient's rest, which must not be negative, if a part of it is known as a
 * whole. */
static bool limit_interval(const struct bounding *b, uint32_t index, unsigned depth, sel_wide *lo,
                           sel_wide *hi)
{
    struct sel_form limit, whole;
    int64_t divisor;
    if (quotient_limit(b->k, b->l, index, 0, &limit, &whole, &divisor) && whole.nunknown > 0)
        return form_interval(b, &limit, depth, lo, hi) && *lo > 0;
    return interval_of(b, &b->k->loops[index].limit, depth, lo, hi);
}

/* Iterations of loop `index` at most, at least 1: ceil(limit / step), on the conditions of struct sum_loop.
 * Its own iteration count may stand in them one higher than in accesses: the test that ends the loop. */
static bool loop_trips(const struct bounding *outer, uint32_t index, unsigned depth, int64_t *trips)
{
    struct bounding b = anew(outer->k, outer->l, outer->box, outer->steps);
    sel_wide lo, hi;
    if (depth > LOOP_DEPTH || *b.steps == 0)
        return false;
    const struct sum_loop *loop = &b.k->loops[index];
    --*b.steps;
    int64_t step = sel_form_step(b.k, b.l, loop);
    const bool divides = loop->quotient && !loop->step_poly.nterm; /* by a constant, of any size */
    if (step == 0 || (!divides && step >= AGREED) || !limit_interval(&b, index, depth + 1, &lo, &hi))
        return false;
    if ((loop->bounded && lo < 0) || hi + (divides ? 0 : step) >= AGREED)
        return false;
    *trips = hi <= 0 ? 1 : (int64_t)((hi + step - 1) / step);
    b.self = index;
    b.self_trips = *trips + 1;
    for (uint32_t i = 0; !loop->bounded && i < loop->nrange; i++)
        if (!range_holds(&b, &loop->range[i], depth + 1))
            return false;
    return true;
}

static bool bound_loops(const struct bounding *b, struct sel_form *f, unsigned depth)
{
    for (unsigned i = 0; i < f->nloop; i++) {
        if (f->loop[i].loop == b->self)
            f->loop[i].trips = b->self_trips;
        else if (!loop_trips(b, f->loop[i].loop, depth, &f->loop[i].trips))
            return false;
    }
    return true;
}

bool sel_form_loops(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                    struct sel_form *f)
{
    const struct bounding b = anew(k, l, box, &(unsigned){LOOP_STEPS});
    return bound_loops(&b, f, 0);
}

void sel_form_interval(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                       const struct sel_form *f, sel_wide *lo, sel_wide *hi)
{
    const struct bounding b = anew(k, l, box, &(unsigned){LOOP_STEPS});
    interval(&b, f, 0, lo, hi);
}

bool sel_form_ranges(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                     const struct sum_access *a)
{
    const struct bounding b = anew(k, l, box, &(unsigned){LOOP_STEPS});
    for (uint32_t i = 0; i < a->nrange; i++)
        if (!range_holds(&b, &a->range[i], 0))
            return false;
    return true;
}

static void make_empty(struct sel_range *r)
{
    r->lo = 1;
    r->hi = 0;
}

/* Narrow r to the ids g with c*g + e < 0, or == 0. */
static void narrow(struct sel_range *r, int64_t c, sel_wide e, bool equal)
{
    if (equal) {
        if (e % c != 0) {
            make_empty(r);
            return;
        }
        int64_t pin = (int64_t)(-e / c);
        r->lo = r->lo > pin ? r->lo : pin;
        r->hi = r->hi < pin ? r->hi : pin;
    } else if (c > 0) {
        int64_t most = (int64_t)sel_floor_div(-e - 1, c);
        r->hi = r->hi < most ? r->hi : most;
    } else {
        int64_t least = (int64_t)sel_floor_div(e, -c) + 1;
        r->lo = r->lo > least ? r->lo : least;
    }
}

static bool guard_side(const struct kernel_summary *k, const struct launch *l, const struct sum_poly *p,
                       const struct sel_range box[3], struct sel_form *f)
{
    return sel_form_make(k, l, p, f) == SEL_R_OK && sel_form_loops(k, l, box, f);
}

bool sel_form_guard(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                    const struct sum_guard *g, struct sel_form *lhs, struct sel_form *rhs)
{
    return guard_side(k, l, &g->lhs, box, lhs) && guard_side(k, l, &g->rhs, box, rhs);
}

bool sel_form_agreed(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                     const struct sel_form *f)
{
    sel_wide lo, hi, least, most;
    sel_form_interval(k, l, box, f, &lo, &hi);
    return sel_form_unknowns(k, l, f, &least, &most) && lo + least >= 0 && hi + most < AGREED;
}

/* Narrow the box by a guard about one dimension: to the ids that pass it in some group. */
static void apply_guard(const struct kernel_summary *k, const struct launch *l, const struct sum_guard *g,
                        const struct sel_form *lhs, const struct sel_form *rhs, struct sel_range box[3])
{
    sel_wide e = (sel_wide)lhs->constant - rhs->constant, coef[3], least, most, other;
    unsigned varying = 0, which = 0;
    if (lhs->nloop > 0 || rhs->nloop > 0)
        return;
    if (!sel_form_same_unknowns(lhs, rhs)) {
        if (g->equal || !sel_form_unknowns(k, l, lhs, &least, &other) ||
            !sel_form_unknowns(k, l, rhs, &other, &most))
            return;
        e += least - most;
    }
    for (unsigned d = 0; d < 3; d++) {
        coef[d] = (sel_wide)lhs->gid[d] - rhs->gid[d];
        if (coef[d] != 0) {
            varying++;
            which = d;
        }
    }
    if (varying == 0 && (g->equal ? e != 0 : e >= 0))
        make_empty(&box[0]);
    if (varying == 1 && coef[which] == (int64_t)coef[which])
        narrow(&box[which], (int64_t)coef[which], e, g->equal);
}

static bool is_empty(const struct sel_range box[3])
{
    return box[0].lo > box[0].hi || box[1].lo > box[1].hi || box[2].lo > box[2].hi;
}

/* What one guard says may be what another one needs to be relied upon, whatever their order: all of them hold
 * where the access runs. */
void sel_form_box(const struct kernel_summary *k, const struct launch *l, const struct sum_access *a,
                  struct sel_range box[3])
{
    struct sel_form lhs, rhs;
    for (unsigned d = 0; d < 3; d++) {
        box[d].lo = (int64_t)l->offset[d];
        box[d].hi = (int64_t)(l->offset[d] + l->global[d] - 1);
    }
    for (uint32_t i = 0; i < 2 * a->nguard && !is_empty(box); i++) {
        const struct sum_guard *g = &a->guard[i % a->nguard];
        if (sel_form_guard(k, l, box, g, &lhs, &rhs) && sel_form_agreed(k, l, box, &lhs) &&
            sel_form_agreed(k, l, box, &rhs))
            apply_guard(k, l, g, &lhs, &rhs, box);
    }
}
