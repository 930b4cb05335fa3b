/* overlap.c - pairs of touches that intervals and mixed radix alone cannot tell apart (disjoint.c).
 *
 * Two work-items u and v, their iterations and quotients become variables of one system of linear conditions:
 * their ranges, the guards that the accesses run behind, and that the places overlap.  With "u and v differ
 * in dimension d" added, it must be impossible, for each d and each sign.  So triangles (j > i), mirrored
 * places (x and w - 1 - x) and flat ranges (i / w, i % w) come out.
 *
 * Elimination knows little of integers, so mixed radix comes first, with variables chosen to suit it:
 *   digits      quotients of one number by d1 | d2 | ... become its digits e0 + d1 * e1 + ..., which
 *               stand for the number from then on
 *   triangles   an iteration that a guard bounds together with an id (i + LOOP < n) becomes z = i + LOOP, and
 *               so does the id if an iteration makes several steps (i + 16 * LOOP < n)
 *   unknowns    are one variable for both work-items where they have bounds
 *   radix       D = sum c_g * t_g + k, equal |c| put together, t_g a sum of variables.  From the largest
 *               c_g down, what the rest can reach leaves a range for t_g, often one value: a condition
 *               that the system could not find. */
#include "select/prove/system.h"
#include "select/prove/touch.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LOOPS    12 /* iterations and quotients of one touch */
#define MAX_GUARDS   32
#define MAX_DIGITS   6
#define MAX_UNKNOWNS 8
#define ALL_DIMS     7u
/* Bounds of a launch's proof, some ten milliseconds in all: pairs, each some tens of microseconds, and work
 * as system.h counts it. */
#define MAX_PAIRS 300
#define MAX_WORK  3000000
/* Divisors beyond are of no use, for numbers stay below 2^31. */
#define MAX_DIVISOR ((int64_t)1 << 31)

struct iteration {
    uint32_t loop;        /* index into kernel_summary.loops */
    unsigned variable;    /* its own, before anything was substituted */
    struct sys_row value; /* in terms of the system's variables */
    bool quotient;        /* floor(numerator / divisor) exactly */
    struct sel_form numerator;
    int64_t divisor;
};

/* A touch in terms of the system's variables. */
struct place {
    const struct touch *t;
    unsigned id[3]; /* the ids' own variables, before anything was substituted */
    struct sys_row gid[3];
    unsigned nloop, nguard;
    struct iteration loop[MAX_LOOPS];
    struct {
        bool equal;
        struct sel_form lhs, rhs;
    } guard[MAX_GUARDS];
};

struct overlap {
    const struct kernel_summary *k;
    const struct launch *l;
    unsigned pairs; /* compared so far */
    long work;      /* left */
    struct sys s, attempt;
    struct place place[2];
    unsigned nunknown;
    struct {
        struct sel_form_unknown u; /* without its coefficient */
        unsigned variable;
    } unknown[MAX_UNKNOWNS];
};

struct overlap *overlap_new(void)
{
    struct overlap *o = calloc(1, sizeof(*o));
    if (o)
        o->work = MAX_WORK;
    return o;
}

void overlap_free(struct overlap *o)
{
    free(o);
}

/* ---- places ---------------------------------------------------------------------------------------- */

static bool own_variable(struct sys *s, sel_wide lo, sel_wide hi, unsigned *v, struct sys_row *value)
{
    *v = sys_variable(s, lo, hi);
    memset(value, 0, sizeof *value);
    if (*v == SYS_VARS)
        return false;
    value->c[*v] = 1;
    return true;
}

static struct iteration *find_iteration(struct place *p, uint32_t loop)
{
    for (unsigned i = 0; i < p->nloop; i++)
        if (p->loop[i].loop == loop)
            return &p->loop[i];
    return NULL;
}

static bool add_iterations(struct overlap *o, struct place *p, const struct sel_form *f);
static bool add_unknowns(struct overlap *o, const struct sel_form *f);

/* That one form is less than another, or equal; without one that needs too many variables. */
static void add_guard(struct overlap *o, struct place *p, bool equal, const struct sel_form *lhs,
                      const struct sel_form *rhs)
{
    const unsigned loops = p->nloop, guards = p->nguard;
    if (add_unknowns(o, lhs) && add_unknowns(o, rhs) && add_iterations(o, p, lhs) &&
        add_iterations(o, p, rhs) && p->nguard < MAX_GUARDS) {
        p->guard[p->nguard].equal = equal;
        p->guard[p->nguard].lhs = *lhs;
        p->guard[p->nguard++].rhs = *rhs;
        return;
    }
    p->nloop = loops;
    p->nguard = guards;
}

/* step * LOOP < limit, if each iteration is one that this says. */
static void add_limit(struct overlap *o, struct place *p, uint32_t loop)
{
    const struct sum_loop *s = &o->k->loops[loop];
    const struct sel_form steps = {.nloop = 1, .loop = {{.loop = loop, .coef = s->step}}};
    struct sel_form limit;
    sel_wide lo, hi;
    if (s->quotient != SUM_Q_NONE || s->step <= 0 || s->step_poly.nterm ||
        sel_form_make(o->k, o->l, &s->limit, &limit) != SEL_R_OK ||
        !sel_form_loops(o->k, o->l, p->t->box, &limit) || limit.nunknown)
        return;
    sel_form_interval(o->k, o->l, p->t->box, &limit, &lo, &hi);
    if (lo > 0 && hi < SEL_FORM_AGREED - s->step)
        add_guard(o, p, false, &steps, &limit);
}

/* The numerator and divisor of a quotient; it stays an unknown number where they are not known. */
static bool add_quotient(struct overlap *o, struct place *p, struct iteration *it)
{
    it->quotient =
        sel_form_quotient(o->k, o->l, it->loop, &it->numerator, &it->divisor) && it->divisor < MAX_DIVISOR;
    return !it->quotient || add_iterations(o, p, &it->numerator);
}

/* Variables for the iterations that a form mentions.  False if there is no room, or one has no bound. */
static bool add_iterations(struct overlap *o, struct place *p, const struct sel_form *f)
{
    for (unsigned i = 0; i < f->nloop; i++) {
        if (find_iteration(p, f->loop[i].loop))
            continue;
        struct sel_form one = {.nloop = 1, .loop = {{.loop = f->loop[i].loop, .coef = 1}}};
        if (p->nloop == MAX_LOOPS || !sel_form_loops(o->k, o->l, p->t->box, &one))
            return false;
        struct iteration *it = &p->loop[p->nloop++];
        it->loop = one.loop[0].loop;
        if (!own_variable(&o->s, 0, one.loop[0].trips - 1, &it->variable, &it->value) ||
            !add_quotient(o, p, it))
            return false;
        add_limit(o, p, it->loop);
    }
    return true;
}

/* The variable of an unknown, SYS_VARS if it has none. */
static unsigned find_unknown(const struct overlap *o, const struct sel_form_unknown *u)
{
    for (unsigned i = 0; i < o->nunknown; i++)
        if (o->unknown[i].u.nid == u->nid && memcmp(o->unknown[i].u.id, u->id, u->nid * sizeof u->id[0]) == 0)
            return o->unknown[i].variable;
    return SYS_VARS;
}

/* Variables for the unknowns of a form.  False if there is no room, or one has no bounds. */
static bool add_unknowns(struct overlap *o, const struct sel_form *f)
{
    for (unsigned i = 0; i < f->nunknown; i++) {
        struct sel_form one = {.nunknown = 1, .unknown = {f->unknown[i]}};
        sel_wide lo, hi;
        one.unknown[0].coef = 1;
        if (find_unknown(o, &f->unknown[i]) < SYS_VARS)
            continue;
        if (o->nunknown == MAX_UNKNOWNS || !sel_form_unknowns(o->k, o->l, &one, &lo, &hi))
            return false;
        o->unknown[o->nunknown].u = one.unknown[0];
        o->unknown[o->nunknown].variable = sys_variable(&o->s, lo, hi);
        if (o->unknown[o->nunknown].variable == SYS_VARS)
            return false;
        o->nunknown++;
    }
    return true;
}

/* The guards whose sides are known. */
static void add_guards(struct overlap *o, struct place *p)
{
    const struct sum_access *a = p->t->from;
    struct sel_form lhs, rhs;
    for (uint32_t i = 0; i < a->nguard && i < 32; i++)
        if ((p->t->guards >> i & 1) && sel_form_guard(o->k, o->l, p->t->box, &a->guard[i], &lhs, &rhs))
            add_guard(o, p, a->guard[i].equal, &lhs, &rhs);
}

static bool make_place(struct overlap *o, struct place *p, const struct touch *t)
{
    p->t = t;
    p->nloop = p->nguard = 0;
    for (unsigned d = 0; d < 3; d++)
        if (!own_variable(&o->s, t->box[d].lo, t->box[d].hi, &p->id[d], &p->gid[d]))
            return false;
    for (unsigned c = 0; c < t->ncoord; c++)
        if (!add_iterations(o, p, &t->coord[c]))
            return false;
    add_guards(o, p);
    return true;
}

/* out = f in terms of the system's variables, without unknowns that have none.  False if a number becomes too
 * large. */
static bool linear(const struct overlap *o, struct place *p, const struct sel_form *f, struct sys_row *out)
{
    memset(out, 0, sizeof *out);
    out->k = f->constant;
    for (unsigned d = 0; d < 3; d++)
        if (!sys_row_add(out, f->gid[d], &p->gid[d]))
            return false;
    for (unsigned i = 0; i < f->nloop; i++) {
        const struct iteration *it = find_iteration(p, f->loop[i].loop);
        if (!it || !sys_row_add(out, f->loop[i].coef, &it->value))
            return false;
    }
    for (unsigned i = 0; i < f->nunknown; i++) {
        struct sys_row one = {0};
        const unsigned v = find_unknown(o, &f->unknown[i]);
        if (v < SYS_VARS)
            one.c[v] = 1;
        if (!sys_row_add(out, f->unknown[i].coef, &one))
            return false;
    }
    return true;
}

/* ---- other variables ------------------------------------------------------------------------------- */

static bool replace_in(struct sys_row *r, unsigned v, const struct sys_row *by)
{
    int64_t c = r->c[v];
    r->c[v] = 0;
    return c == 0 || sys_row_add(r, c, by);
}

/* From now on variable v is `by`, which does not mention v. */
static bool replace(struct overlap *o, unsigned v, const struct sys_row *by)
{
    struct sys *s = &o->s;
    bool good = true;
    for (struct place *p = o->place; p < o->place + 2; p++) {
        for (unsigned d = 0; d < 3; d++)
            good = good && replace_in(&p->gid[d], v, by);
        for (unsigned i = 0; i < p->nloop; i++)
            good = good && replace_in(&p->loop[i].value, v, by);
    }
    for (unsigned i = 0; i < s->nrow; i++)
        good = good && replace_in(&s->row[i], v, by);
    for (unsigned i = 0; i < s->nequal; i++)
        good = good && replace_in(&s->equal[i], v, by);
    good = sys_between(s, by, s->lo[v], s->hi[v]) && good;
    s->lo[v] = s->hi[v] = 0;
    return good;
}

/* r == 0: replace a variable before `end` by the others, or keep the equality if none has coefficient +-1. */
static bool solve(struct overlap *o, const struct sys_row *r, unsigned end)
{
    unsigned v = 0;
    while (v < end && r->c[v] != 1 && r->c[v] != -1)
        v++;
    if (v == end) {
        sys_equal_zero(&o->s, r);
        return true;
    }
    struct sys_row by = {0};
    bool good = sys_row_add(&by, -r->c[v], r); /* v's coefficient becomes -1 */
    by.c[v] = 0;
    return good && replace(o, v, &by);
}

/* A quotient of a quotient is one of the number itself: floor(floor(x / a) / b) = floor(x / (a * b)). */
static void flatten(struct place *p, struct iteration *it)
{
    for (unsigned depth = 0; depth < MAX_DIGITS; depth++) {
        const struct sel_form *n = &it->numerator;
        bool alone = n->nloop == 1 && n->loop[0].coef == 1 && n->constant == 0 && n->gid[0] == 0 &&
                     n->gid[1] == 0 && n->gid[2] == 0;
        const struct iteration *inner = alone ? find_iteration(p, n->loop[0].loop) : NULL;
        if (!inner || inner == it || !inner->quotient || it->divisor * inner->divisor >= MAX_DIVISOR)
            return;
        it->divisor *= inner->divisor;
        it->numerator = inner->numerator;
    }
}

/* 0 <= numerator - divisor * quotient < divisor */
static bool add_remainder(struct overlap *o, struct place *p, const struct iteration *it)
{
    struct sys_row rest;
    return linear(o, p, &it->numerator, &rest) && sys_row_add(&rest, -it->divisor, &it->value) &&
           sys_between(&o->s, &rest, 0, it->divisor - 1);
}

/* Write the number x with the digits of the divisors d[0] | d[1] | ...; `of` are the quotients by them, some
 * of which may be of one divisor. */
static bool write_digits(struct overlap *o, struct place *p, const struct sel_form *x, const int64_t *d,
                         unsigned n, struct iteration **of, unsigned nof)
{
    struct sys_row digit[MAX_DIGITS + 1], number, minus;
    unsigned v, first = o->s.nvar;
    sel_wide least, most;
    if (!linear(o, p, x, &number))
        return false;
    sys_interval(&o->s, &number, &least, &most);
    for (unsigned i = 0; i <= n; i++) {
        sel_wide top = i == n ? most / d[n - 1] : (i == 0 ? d[0] : d[i] / d[i - 1]) - 1;
        if (!own_variable(&o->s, 0, top < 0 ? 0 : top, &v, &digit[i]))
            return false;
    }
    memset(&minus, 0, sizeof minus);
    for (unsigned i = 0; i <= n; i++)
        if (!sys_row_add(&minus, i == 0 ? 1 : d[i - 1], &digit[i]))
            return false;
    if (!sys_row_add(&number, -1, &minus) || !solve(o, &number, first))
        return false;
    for (unsigned q = 0; q < nof; q++) {
        struct sys_row value = of[q]->value;
        for (unsigned i = 0; i < n; i++)
            if (d[i] >= of[q]->divisor && !sys_row_add(&value, -(d[i] / of[q]->divisor), &digit[i + 1]))
                return false;
        if (!solve(o, &value, first))
            return false;
    }
    return true;
}

/* The quotients of the number that p->loop[first] divides, smallest divisor first; `used` marks them. */
static unsigned quotients_of(struct place *p, unsigned first, bool used[MAX_LOOPS], struct iteration **of)
{
    unsigned n = 0;
    for (unsigned i = first; i < p->nloop; i++) {
        struct iteration *it = &p->loop[i];
        const struct sel_form *x = &p->loop[first].numerator;
        if (!it->quotient || used[i] || it->numerator.constant != x->constant ||
            !sel_form_same(&it->numerator, x))
            continue;
        used[i] = true;
        unsigned at = n++;
        for (; at > 0 && of[at - 1]->divisor > it->divisor; at--)
            of[at] = of[at - 1];
        of[at] = it;
    }
    return n;
}

/* Say what quotients are, by conditions on their remainders. */
static bool state_remainders(struct overlap *o, struct place *p)
{
    for (unsigned i = 0; i < p->nloop; i++)
        if (p->loop[i].quotient && !add_remainder(o, p, &p->loop[i]))
            return false;
    return true;
}

/* Say what quotients are: digits where each divisor divides the next, else conditions. */
static bool resolve_quotients(struct overlap *o, struct place *p)
{
    bool used[MAX_LOOPS] = {false};
    for (unsigned i = 0; i < p->nloop; i++)
        if (p->loop[i].quotient)
            flatten(p, &p->loop[i]);
    for (unsigned i = 0; i < p->nloop; i++) {
        struct iteration *all[MAX_LOOPS], *of[MAX_LOOPS];
        int64_t d[MAX_DIGITS];
        unsigned n = 0, nof = 0, nall = p->loop[i].quotient && !used[i] ? quotients_of(p, i, used, all) : 0;
        for (unsigned q = 0; q < nall; q++) {
            bool again = n > 0 && d[n - 1] == all[q]->divisor;
            if (!again && (n == MAX_DIGITS || (n > 0 && all[q]->divisor % d[n - 1] != 0))) {
                if (!add_remainder(o, p, all[q]))
                    return false;
                continue;
            }
            of[nof++] = all[q];
            if (!again)
                d[n++] = all[q]->divisor;
        }
        if (nof > 0 && !write_digits(o, p, &p->loop[i].numerator, d, n, of, nof))
            return false;
    }
    return true;
}

/* Keep the guards that can be relied upon. */
static void drop_guards(struct overlap *o, struct place *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->nguard; i++) {
        struct sys_row side[2];
        sel_wide lo[2], hi[2];
        if (!linear(o, p, &p->guard[i].lhs, &side[0]) || !linear(o, p, &p->guard[i].rhs, &side[1]))
            continue;
        for (unsigned j = 0; j < 2; j++)
            sys_interval(&o->s, &side[j], &lo[j], &hi[j]);
        bool agreed = lo[0] >= 0 && hi[0] < SEL_FORM_AGREED && lo[1] >= 0 && hi[1] < SEL_FORM_AGREED;
        if (agreed || (sel_form_agreed(o->k, o->l, p->t->box, &p->guard[i].lhs) &&
                       sel_form_agreed(o->k, o->l, p->t->box, &p->guard[i].rhs)))
            p->guard[n++] = p->guard[i];
    }
    p->nguard = n;
}

/* rhs - lhs - 1, which is >= 0, or rhs - lhs, which is 0. */
static bool guard_row(const struct overlap *o, struct place *p, unsigned i, struct sys_row *out)
{
    struct sys_row lhs;
    if (!linear(o, p, &p->guard[i].rhs, out) || !linear(o, p, &p->guard[i].lhs, &lhs) ||
        !sys_row_add(out, -1, &lhs))
        return false;
    out->k -= !p->guard[i].equal;
    return true;
}

/* Let variable v be the difference of a new one, which is the guard's row without its constant, and the rest
 * of that. */
static bool let_sum_be(struct overlap *o, const struct sys_row *guard, unsigned v)
{
    struct sys_row r = *guard, sum = {0}, value;
    sel_wide lo, hi;
    unsigned z;
    r.k = 0;
    if (!sys_row_add(&sum, r.c[v], &r)) /* v's coefficient becomes 1 */
        return true;
    sys_interval(&o->s, &sum, &lo, &hi);
    if (!own_variable(&o->s, lo, hi, &z, &value))
        return false;
    sum.c[v] = 0;
    return sys_row_add(&value, -1, &sum) && replace(o, v, &value);
}

/* Is it still a variable of its own, with coefficient +-1 in the row? */
static bool may_be_replaced(const struct sys_row *value, unsigned v, const struct sys_row *row)
{
    return value->c[v] == 1 && (row->c[v] == 1 || row->c[v] == -1);
}

/* Where a guard bounds an iteration together with something else, let the sum be the variable, in the
 * iteration's place or, if each makes several steps (`for (x = id; x < n; x += 16)`), in that of the id. */
static bool resolve_triangles(struct overlap *o, struct place *p)
{
    for (unsigned i = 0; i < p->nguard; i++) {
        struct sys_row r;
        unsigned n = 0, v = SYS_VARS, steps = 0;
        if (p->guard[i].equal || !guard_row(o, p, i, &r))
            continue;
        for (unsigned w = 0; w < o->s.nvar; w++)
            n += r.c[w] != 0;
        for (unsigned j = 0; j < p->nloop; j++) {
            const unsigned w = p->loop[j].variable;
            if (!p->loop[j].quotient && v == SYS_VARS && may_be_replaced(&p->loop[j].value, w, &r))
                v = w;
            steps += r.c[w] != 0;
        }
        for (unsigned d = 0; d < 3 && steps; d++)
            if (v == SYS_VARS && may_be_replaced(&p->gid[d], p->id[d], &r))
                v = p->id[d];
        if (n > 1 && v < SYS_VARS && !let_sum_be(o, &r, v))
            return false;
    }
    return true;
}

/* ---- mixed radix ----------------------------------------------------------------------------------- */

/* from <= t <= to, which may be new.  True if that is impossible; the range is narrowed to what t
 * can reach. */
static bool found_range(struct sys *s, const struct sys_row *t, sel_wide *from, sel_wide *to)
{
    sel_wide least, most;
    sys_interval(s, t, &least, &most);
    if (*from > least || *to < most)
        sys_between(s, t, *from, *to);
    *from = *from > least ? *from : least;
    *to = *to < most ? *to : most;
    return *from > *to;
}

static int64_t largest(const struct sys *s, const struct sys_row *d)
{
    int64_t weight = 0;
    for (unsigned v = 0; v < s->nvar; v++) {
        int64_t c = d->c[v] < 0 ? -d->c[v] : d->c[v];
        weight = c > weight ? c : weight;
    }
    return weight;
}

/* c / weight, rounded down, or to the nearest. */
static int64_t share(int64_t c, int64_t weight, bool nearest)
{
    int64_t size = c < 0 ? -c : c, q = size / weight;
    q += nearest && size % weight > weight / 2;
    return c < 0 ? -q : q;
}

/* lo <= rest <= hi, rest without a constant: take weight * t out of it and see what follows for t.
 * Coefficients close to multiples of the weight count as those (`nearest`), the difference staying in the
 * rest, or only the multiples' part.  The bounds become those of the rest.  True if it is impossible. */
static bool take_out(struct sys *s, struct sys_row *rest, int64_t weight, bool nearest, sel_wide *lo,
                     sel_wide *hi)
{
    struct sys_row t = {0};
    sel_wide rest_lo, rest_hi, from, to;
    for (unsigned v = 0; v < s->nvar; v++) {
        t.c[v] = share(rest->c[v], weight, nearest);
        rest->c[v] -= t.c[v] * weight;
    }
    sys_interval(s, rest, &rest_lo, &rest_hi);
    from = -sel_floor_div(rest_hi - *lo, weight);
    to = sel_floor_div(*hi - rest_lo, weight);
    if (found_range(s, &t, &from, &to))
        return true;
    *lo -= weight * to;
    *hi -= weight * from;
    return false;
}

/* lo <= d <= hi: what follows for sums of its variables.  True if it is impossible. */
static bool radix(struct sys *s, const struct sys_row *d, sel_wide lo, sel_wide hi)
{
    lo -= d->k;
    hi -= d->k;
    for (int nearest = 0; nearest < 2; nearest++) {
        struct sys_row rest = *d;
        sel_wide from = lo, to = hi;
        rest.k = 0;
        for (int64_t weight; (weight = largest(s, &rest)) > 0;)
            if (take_out(s, &rest, weight, nearest, &from, &to))
                return true;
    }
    for (unsigned v = 0; v < s->nvar; v++) { /* all above one weight at once */
        struct sys_row rest = *d;
        sel_wide from = lo, to = hi;
        int64_t weight = d->c[v] < 0 ? -d->c[v] : d->c[v];
        rest.k = 0;
        if (weight > 1 && take_out(s, &rest, weight, true, &from, &to))
            return true;
    }
    return false;
}

/* ---- a pair ---------------------------------------------------------------------------------------- */

/* How a pair is stated.  Digits take the place of an id, which hides a sum of ids (the x + y of (x + y) % 2)
 * from the mixed radix of places: there, remainders remain conditions. */
enum manner { DIGITS, TRIANGLES, REMAINDERS, MANNERS };

/* Does a place divide a sum of several ids or iterations? */
static bool divides_sum(const struct place *p)
{
    for (unsigned i = 0; i < p->nloop; i++) {
        const struct sel_form *x = &p->loop[i].numerator;
        if (p->loop[i].quotient && (x->gid[0] != 0) + (x->gid[1] != 0) + (x->gid[2] != 0) + x->nloop > 1)
            return true;
    }
    return false;
}

/* One variable for the iterations of a loop that both are in at the same time. */
static bool keep_lockstep(struct overlap *o, const struct lockstep *steps)
{
    for (unsigned i = 0; i < steps->n; i++) {
        const struct iteration *a = find_iteration(&o->place[0], steps->of[i].loop),
                               *b = find_iteration(&o->place[1], steps->of[i].loop);
        if (!a || !b)
            continue;
        struct sys_row r = a->value;
        r.k -= steps->of[i].ahead;
        if (!sys_row_add(&r, -1, &b->value) || !solve(o, &r, o->s.nvar))
            return false;
    }
    return true;
}

/* State the pair's conditions.  *none: that alone shows that there is no overlap.  False: nothing can be
 * said. */
static bool state(struct overlap *o, const struct lockstep *steps, const struct touch *a,
                  const struct touch *b, enum manner manner, bool *none)
{
    struct place *p = o->place;
    struct sys_row r, other;
    memset(&o->s, 0, sizeof o->s);
    o->nunknown = 0;
    if (!make_place(o, &p[0], a) || !make_place(o, &p[1], b) || !keep_lockstep(o, steps))
        return false;
    for (unsigned c = 0; c < a->ncoord && c < b->ncoord; c++)
        if (!sel_form_same_unknowns(&a->coord[c], &b->coord[c]) &&
            (!add_unknowns(o, &a->coord[c]) || !add_unknowns(o, &b->coord[c])))
            return false;
    for (unsigned i = 0; i < 2; i++) {
        if (!(manner == REMAINDERS ? state_remainders : resolve_quotients)(o, &p[i]))
            return false;
        drop_guards(o, &p[i]);
        if (manner == TRIANGLES && !resolve_triangles(o, &p[i]))
            return false;
        for (unsigned g = 0; g < p[i].nguard; g++) {
            if (!guard_row(o, &p[i], g, &r))
                continue;
            if (p[i].guard[g].equal)
                sys_equal_zero(&o->s, &r);
            else
                sys_at_least_zero(&o->s, &r);
        }
    }
    *none = sys_propagate(&o->s);
    for (unsigned c = 0; c < a->ncoord && c < b->ncoord && !*none; c++) {
        if (!linear(o, &p[0], &a->coord[c], &r) || !linear(o, &p[1], &b->coord[c], &other) ||
            !sys_row_add(&r, -1, &other))
            return false;
        *none = radix(&o->s, &r, -(a->bytes - 1), b->bytes - 1);
        if (!sys_between(&o->s, &r, -(a->bytes - 1), b->bytes - 1))
            return false;
        *none = *none || sys_propagate(&o->s);
    }
    sys_find_equalities(&o->s);
    return true;
}

/* The iteration of the other place that is the same number if the ids in the dimensions `equal` (bits) are,
 * as those decide it; NULL. */
static const struct iteration *same_if_equal(struct overlap *o, const struct iteration *i, unsigned equal)
{
    const unsigned ids = o->k->loops[i->loop].ids;
    return (ids & SUM_BY_IDS) && !(ids & ~equal & ALL_DIMS) ? find_iteration(&o->place[1], i->loop) : NULL;
}

/* Add to the attempt that u and v have the same ids in these dimensions, and what follows. */
static bool let_be_equal(struct overlap *o, unsigned equal)
{
    for (unsigned d = 0; d < 3; d++) {
        struct sys_row r = o->place[0].gid[d];
        if (!(equal >> d & 1))
            continue;
        if (!sys_row_add(&r, -1, &o->place[1].gid[d]))
            return false;
        sys_equal_zero(&o->attempt, &r);
    }
    for (unsigned i = 0; i < o->place[0].nloop; i++) {
        const struct iteration *a = &o->place[0].loop[i], *b = same_if_equal(o, a, equal);
        struct sys_row r = a->value;
        if (!b)
            continue;
        if (!sys_row_add(&r, -1, &b->value))
            return false;
        sys_equal_zero(&o->attempt, &r);
    }
    return true;
}

/* Can u and v differ in dimension d, u being the larger one (sign 1) or the smaller, and not in those that
 * are `equal`? */
static bool may_differ(struct overlap *o, unsigned d, int sign, unsigned equal)
{
    struct sys_row r = {.k = -1};
    if (!sys_row_add(&r, sign, &o->place[0].gid[d]) || !sys_row_add(&r, -sign, &o->place[1].gid[d]))
        return true;
    memcpy(&o->attempt, &o->s, sizeof o->s);
    sys_at_least_zero(&o->attempt, &r);
    if (!let_be_equal(o, equal))
        return true;
    o->attempt.work = o->work;
    bool impossible = sys_impossible(&o->attempt);
    o->work = o->attempt.work;
    return !impossible;
}

/* Can u and v differ at all?  Of one touch, either may be the larger.  Where ids decide something, one
 * dimension after the other, in this order: those before are equal. */
static bool may_differ_in(struct overlap *o, const unsigned order[3], bool decided, bool one)
{
    unsigned equal = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (may_differ(o, order[i], 1, equal) || (!one && may_differ(o, order[i], -1, equal)))
            return true;
        equal |= decided ? 1u << order[i] : 0;
    }
    return false;
}

static bool are_decided(struct overlap *o)
{
    for (unsigned i = 0; i < o->place[0].nloop; i++)
        if (same_if_equal(o, &o->place[0].loop[i], ALL_DIMS))
            return true;
    return false;
}

bool overlap_excluded(struct overlap *o, const struct kernel_summary *k, const struct launch *l,
                      const struct lockstep *steps, const struct touch *a, const struct touch *b)
{
    static const unsigned first_to_last[3] = {0, 1, 2}, last_to_first[3] = {2, 1, 0};
    o->k = k;
    o->l = l;
    for (unsigned m = DIGITS; m < MANNERS && o->pairs < MAX_PAIRS && o->work > 0; m++) {
        bool none = false;
        if (m == REMAINDERS && !divides_sum(&o->place[0]) && !divides_sum(&o->place[1]))
            break; /* would say the same */
        o->pairs++;
        if (!state(o, steps, a, b, (enum manner)m, &none))
            continue;
        const bool decided = are_decided(o);
        if (none || !may_differ_in(o, first_to_last, decided, a == b) ||
            (decided && !may_differ_in(o, last_to_first, decided, a == b)))
            return true;
    }
    return false;
}
