/* system.c - see system.h. */
#include "select/prove/system.h"
#include "analysis/summary/integer.h"

#include <string.h>

/* Rounds of interval propagation: chains of conditions are short, and each round costs rows * variables. */
#define ROUNDS 12

static bool small(sel_wide v)
{
    return v >= -SYS_LIMIT && v <= SYS_LIMIT;
}

unsigned sys_variable(struct sys *s, sel_wide lo, sel_wide hi)
{
    if (s->nvar == SYS_VARS || !small(lo) || !small(hi))
        return SYS_VARS;
    s->lo[s->nvar] = lo;
    s->hi[s->nvar] = hi;
    return s->nvar++;
}

static bool row_small(const struct sys_row *r)
{
    bool good = small(r->k);
    for (unsigned v = 0; v < SYS_VARS; v++)
        good = good && small(r->c[v]);
    return good;
}

bool sys_row_add(struct sys_row *into, int64_t f, const struct sys_row *from)
{
    sel_wide k = into->k + (sel_wide)f * from->k;
    if (!small(f) || !small(k))
        return false;
    into->k = k;
    for (unsigned v = 0; v < SYS_VARS; v++) {
        sel_wide c = into->c[v] + (sel_wide)f * from->c[v];
        if (!small(c))
            return false;
        into->c[v] = (int64_t)c;
    }
    return true;
}

static int64_t divisor_of(const struct sys_row *r)
{
    int64_t g = 0;
    for (unsigned v = 0; v < SYS_VARS; v++)
        g = (int64_t)sum_gcd((uint64_t)g, (uint64_t)(r->c[v] < 0 ? -r->c[v] : r->c[v]));
    return g;
}

/* Divide by the greatest common divisor of the coefficients. */
static void normalise(struct sys_row *r)
{
    int64_t g = divisor_of(r);
    if (g <= 1)
        return;
    r->k = sel_floor_div(r->k, g);
    for (unsigned v = 0; v < SYS_VARS; v++)
        r->c[v] /= g;
}

void sys_at_least_zero(struct sys *s, const struct sys_row *r)
{
    if (s->nrow == SYS_ROWS || !row_small(r))
        return;
    s->row[s->nrow] = *r;
    normalise(&s->row[s->nrow++]);
}

static void negate(const struct sys_row *r, struct sys_row *out)
{
    out->k = -r->k;
    for (unsigned v = 0; v < SYS_VARS; v++)
        out->c[v] = -r->c[v];
}

void sys_equal_zero(struct sys *s, const struct sys_row *r)
{
    struct sys_row minus;
    if (!row_small(r))
        return;
    negate(r, &minus);
    sys_at_least_zero(s, r);
    sys_at_least_zero(s, &minus);
    if (s->nequal < SYS_EQUALS)
        s->equal[s->nequal++] = *r;
}

bool sys_between(struct sys *s, const struct sys_row *r, sel_wide lo, sel_wide hi)
{
    struct sys_row low = *r, high = {.k = hi};
    const bool good = sys_row_add(&high, -1, r);
    low.k -= lo;
    sys_at_least_zero(s, &low);
    if (good)
        sys_at_least_zero(s, &high);
    return good;
}

void sys_interval(const struct sys *s, const struct sys_row *r, sel_wide *lo, sel_wide *hi)
{
    *lo = *hi = r->k;
    for (unsigned v = 0; v < s->nvar; v++) {
        sel_wide a = r->c[v] * s->lo[v], b = r->c[v] * s->hi[v];
        *lo += a < b ? a : b;
        *hi += a < b ? b : a;
    }
}

/* What row r says about each of its variables, the others anywhere within their bounds. */
static bool tighten(struct sys *s, const struct sys_row *r, bool *changed)
{
    sel_wide lo, hi;
    sys_interval(s, r, &lo, &hi);
    if (hi < 0)
        return true;
    for (unsigned v = 0; v < s->nvar; v++) {
        sel_wide c = r->c[v];
        if (c == 0)
            continue;
        sel_wide others = hi - c * (c > 0 ? s->hi[v] : s->lo[v]);
        if (c > 0) { /* v >= -others / c */
            sel_wide least = -sel_floor_div(others, c);
            if (least > s->lo[v]) {
                s->lo[v] = least;
                *changed = true;
            }
        } else {
            sel_wide most = sel_floor_div(others, -c);
            if (most < s->hi[v]) {
                s->hi[v] = most;
                *changed = true;
            }
        }
        if (s->lo[v] > s->hi[v])
            return true;
    }
    return false;
}

bool sys_propagate(struct sys *s)
{
    bool changed = true;
    for (unsigned v = 0; v < s->nvar; v++)
        if (s->lo[v] > s->hi[v])
            return true;
    for (unsigned round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        for (unsigned i = 0; i < s->nrow; i++)
            if (tighten(s, &s->row[i], &changed))
                return true;
    }
    return false;
}

/* ---- equalities ------------------------------------------------------------------------------------ */

static void drop_row(struct sys *s, unsigned i)
{
    s->row[i] = s->row[--s->nrow];
}

/* x == -y, without their constants? */
static bool opposite(const struct sys *s, const struct sys_row *x, const struct sys_row *y)
{
    for (unsigned v = 0; v < s->nvar; v++)
        if (x->c[v] != -y->c[v])
            return false;
    return true;
}

static bool stated(const struct sys *s, const struct sys_row *r)
{
    for (unsigned i = 0; i < s->nequal; i++) {
        struct sys_row e = s->equal[i];
        normalise(&e);
        if (memcmp(e.c, r->c, sizeof e.c) == 0 || opposite(s, &e, r))
            return true;
    }
    return false;
}

void sys_find_equalities(struct sys *s)
{
    for (unsigned i = 0; i < s->nrow; i++)
        for (unsigned j = i + 1; j < s->nrow && s->nequal < SYS_EQUALS; j++)
            if (s->row[i].k == -s->row[j].k && opposite(s, &s->row[i], &s->row[j]) && !stated(s, &s->row[i]))
                s->equal[s->nequal++] = s->row[i];
}

/* r with variable v replaced, where e == 0 says what v is (coefficient +-1). */
static bool substitute(struct sys_row *r, const struct sys_row *e, unsigned v)
{
    return r->c[v] == 0 || sys_row_add(r, e->c[v] > 0 ? -r->c[v] : r->c[v], e);
}

/* The bounds of v, as rows. */
static void bound_rows(struct sys *s, unsigned v)
{
    struct sys_row r = {0};
    r.c[v] = 1;
    sys_between(s, &r, s->lo[v], s->hi[v]);
}

/* Use the equalities up.  True if one has no solution. */
static bool use_equalities(struct sys *s)
{
    while (s->nequal > 0) {
        struct sys_row e = s->equal[--s->nequal];
        int64_t g = divisor_of(&e);
        unsigned v = 0;
        if (g == 0 ? e.k != 0 : e.k % g != 0)
            return true;
        for (unsigned i = 0; g > 1 && i < SYS_VARS; i++)
            e.c[i] /= g;
        e.k /= g > 1 ? g : 1;
        while (v < s->nvar && e.c[v] != 1 && e.c[v] != -1)
            v++;
        if (v == s->nvar)
            continue; /* its two rows stay */
        bound_rows(s, v);
        s->lo[v] = s->hi[v] = 0;
        for (unsigned i = 0; i < s->nrow;)
            if (substitute(&s->row[i], &e, v))
                normalise(&s->row[i++]);
            else
                drop_row(s, i);
        for (unsigned i = 0; i < s->nequal;)
            if (substitute(&s->equal[i], &e, v))
                i++;
            else
                s->equal[i] = s->equal[--s->nequal];
    }
    return false;
}

/* ---- elimination ----------------------------------------------------------------------------------- */

static void remove_duplicates(struct sys *s)
{
    for (unsigned i = 0; i < s->nrow; i++)
        for (unsigned j = i + 1; j < s->nrow;) {
            if (memcmp(s->row[i].c, s->row[j].c, sizeof s->row[i].c) != 0) {
                j++;
                continue;
            }
            if (s->row[j].k < s->row[i].k)
                s->row[i].k = s->row[j].k;
            drop_row(s, j);
        }
}

/* The variable whose elimination adds the fewest rows; SYS_VARS when none is left. */
static unsigned cheapest(const struct sys *s)
{
    unsigned best = SYS_VARS;
    long cost = 0;
    for (unsigned v = 0; v < s->nvar; v++) {
        long up = 0, down = 0;
        for (unsigned i = 0; i < s->nrow; i++) {
            up += s->row[i].c[v] > 0;
            down += s->row[i].c[v] < 0;
        }
        long grows = up * down - up - down;
        if (up + down > 0 && (best == SYS_VARS || grows < cost)) {
            best = v;
            cost = grows;
        }
    }
    return best;
}

/* Replace the rows with v by the sums in which it cancels; those that do not fit are left out. */
static void eliminate(struct sys *s, unsigned v)
{
    unsigned old = s->nrow;
    for (unsigned i = 0; i < old; i++)
        for (unsigned j = 0; s->row[i].c[v] > 0 && j < old; j++) {
            struct sys_row sum = {0};
            if (s->row[j].c[v] < 0 && sys_row_add(&sum, -s->row[j].c[v], &s->row[i]) &&
                sys_row_add(&sum, s->row[i].c[v], &s->row[j]))
                sys_at_least_zero(s, &sum);
        }
    for (unsigned i = s->nrow; i-- > 0;)
        if (s->row[i].c[v] != 0)
            drop_row(s, i);
}

/* A row without variables that is negative. */
static bool contradiction(struct sys *s)
{
    for (unsigned i = 0; i < s->nrow;) {
        bool empty = divisor_of(&s->row[i]) == 0;
        if (empty && s->row[i].k < 0)
            return true;
        if (empty)
            drop_row(s, i);
        else
            i++;
    }
    return false;
}

bool sys_impossible(struct sys *s)
{
    if (sys_propagate(s) || use_equalities(s) || sys_propagate(s))
        return true;
    for (unsigned v = 0; v < s->nvar; v++)
        bound_rows(s, v);
    for (;;) {
        s->work -= (long)s->nrow * s->nrow;
        if (s->work < 0)
            return false;
        remove_duplicates(s);
        if (contradiction(s))
            return true;
        unsigned v = cheapest(s);
        if (v == SYS_VARS)
            return false;
        eliminate(s, v);
    }
}
