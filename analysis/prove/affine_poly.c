/* affine_poly.c - see affine_poly.h. */
#include "analysis/prove/affine_poly.h"
#include "analysis/summary/integer.h"

#include <string.h>

static int compare_syms(const struct aff_term *x, const struct aff_term *y)
{
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    for (uint32_t i = 0; i < x->n; i++)
        if (x->sym[i] != y->sym[i])
            return x->sym[i] < y->sym[i] ? -1 : 1;
    return 0;
}

/* Sum one term into p; false if there is no room. */
static bool insert(struct aff_poly *p, const struct aff_term *t)
{
    uint32_t i = 0;
    if (t->coef == 0)
        return true;
    while (i < p->n && compare_syms(&p->term[i], t) < 0)
        i++;
    if (i < p->n && compare_syms(&p->term[i], t) == 0) {
        p->term[i].coef += t->coef;
        if (p->term[i].coef == 0) {
            p->n--;
            memmove(&p->term[i], &p->term[i + 1], (p->n - i) * sizeof(*t));
        }
        return true;
    }
    if (p->n == AFF_TERMS)
        return false;
    memmove(&p->term[i + 1], &p->term[i], (p->n - i) * sizeof(*t));
    p->term[i] = *t;
    p->n++;
    return true;
}

/* Does t hold the symbols (x, d) and (y, d) for some dimension d?  Then the rest of t goes to *rest. */
static bool split_pair(const struct aff_term *t, enum aff_kind x, enum aff_kind y, uint32_t *dim,
                       struct aff_term *rest)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (AFF_KIND(t->sym[i]) != x)
            continue;
        for (uint32_t j = 0; j < t->n; j++) {
            if (t->sym[j] != AFF_SYM(y, AFF_INDEX(t->sym[i])))
                continue;
            *dim = AFF_INDEX(t->sym[i]);
            rest->coef = t->coef;
            rest->n = 0;
            for (uint32_t m = 0; m < t->n; m++)
                if (m != i && m != j)
                    rest->sym[rest->n++] = t->sym[m];
            return true;
        }
    }
    return false;
}

static bool times_sym(struct aff_term *t, aff_sym s)
{
    uint32_t i = t->n;
    if (t->n == SUM_TERM_SYMS)
        return false;
    for (; i > 0 && t->sym[i - 1] > s; i--)
        t->sym[i] = t->sym[i - 1];
    t->sym[i] = s;
    t->n++;
    return true;
}

/* Sum t into p, using the work-item identities.  Each replaces two symbols by one, so this ends. */
static bool add_term(struct aff_poly *p, const struct aff_term *t, bool *uniform)
{
    struct aff_term rest, u;
    uint32_t d;
    if (split_pair(t, AFF_NGROUPS, AFF_LSIZE, &d, &rest)) {
        *uniform = true;
        return times_sym(&rest, AFF_SYM(AFF_GSIZE, d)) && add_term(p, &rest, uniform);
    }
    if (!split_pair(t, AFF_GROUP, AFF_LSIZE, &d, &rest))
        return insert(p, t);
    *uniform = true;
    u = rest;
    if (!times_sym(&u, AFF_SYM(AFF_GID, d)) || !add_term(p, &u, uniform))
        return false;
    rest.coef = 0 - rest.coef;
    u = rest;
    if (!times_sym(&u, AFF_SYM(AFF_OFFSET, d)) || !add_term(p, &u, uniform))
        return false;
    return times_sym(&rest, AFF_SYM(AFF_LID, d)) && add_term(p, &rest, uniform);
}

bool aff_poly_add(const struct aff_poly *x, int64_t f, const struct aff_poly *y, struct aff_poly *out,
                  bool *uniform)
{
    struct aff_poly sum = *x;
    for (uint32_t i = 0; i < y->n; i++) {
        struct aff_term t = y->term[i];
        t.coef *= (uint64_t)f;
        if (!add_term(&sum, &t, uniform))
            return false;
    }
    *out = sum;
    return true;
}

bool aff_poly_multiply(const struct aff_poly *x, const struct aff_poly *y, struct aff_poly *out,
                       bool *uniform)
{
    struct aff_poly p = {0};
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t j = 0; j < y->n; j++) {
            struct aff_term t = x->term[i];
            t.coef *= y->term[j].coef;
            for (uint32_t s = 0; s < y->term[j].n; s++)
                if (!times_sym(&t, y->term[j].sym[s]))
                    return false;
            if (!add_term(&p, &t, uniform))
                return false;
        }
    *out = p;
    return true;
}

__extension__ typedef __int128 wide;

/* What a polynomial can be: the ids of each dimension by their coefficients, the rest between low and high.
 */
struct reach {
    wide gid[3], offset[3], lid[3];
    wide low, high;
};

static void widen(struct reach *r, wide low, wide high)
{
    r->low += low;
    r->high += high;
}

static wide least(wide x, wide y)
{
    return x < y ? x : y;
}

static wide greatest(wide x, wide y)
{
    return x > y ? x : y;
}

/* Enter one term; false if nothing is known of its values.  In a range with offset + size <= most, the global
 * and local sizes, the numbers of groups and the group ids are in [0, most]. */
static bool reach_term(struct reach *r, const struct aff_term *t, wide most)
{
    const wide c = (int64_t)t->coef;
    const uint32_t d = t->n ? AFF_INDEX(t->sym[0]) : 0;
    if (t->n == 0) {
        widen(r, c, c);
        return true;
    }
    if (t->n > 1 || d > 2)
        return false;
    switch (AFF_KIND(t->sym[0])) {
    case AFF_GID:
        r->gid[d] = c;
        return true;
    case AFF_OFFSET:
        r->offset[d] = c;
        return true;
    case AFF_LID:
        r->lid[d] = c;
        return true;
    case AFF_GSIZE:
    case AFF_LSIZE:
    case AFF_GROUP:
    case AFF_NGROUPS:
        widen(r, least(0, c * most), greatest(0, c * most));
        return true;
    default:
        return false;
    }
}

/* The ids of a dimension are not independent: gid = start + offset + lid, where start = gid - offset - lid is
 * where the group begins.  These three are >= 0 and their sum is at most `most`, so a linear form of them is
 * least and greatest at 0 or where one of them is `most` and the others are 0. */
static void reach_ids(struct reach *r, wide most)
{
    for (unsigned d = 0; d < 3; d++) {
        const wide start = r->gid[d], offset = start + r->offset[d], lid = start + r->lid[d];
        widen(r, least(least(0, start), least(offset, lid)) * most,
              greatest(greatest(0, start), greatest(offset, lid)) * most);
    }
}

bool aff_poly_fits(const struct aff_poly *p, unsigned id_bits, unsigned bits, bool is_signed)
{
    const wide most = ((wide)1 << id_bits) - 1, top = (wide)1 << (is_signed ? bits - 1 : bits);
    struct reach r = {.low = 0};
    if (id_bits == 0)
        return false;
    for (uint32_t i = 0; i < p->n; i++)
        if (!reach_term(&r, &p->term[i], most))
            return false;
    reach_ids(&r, most);
    return r.low >= (is_signed ? -top : 0) && r.high < top;
}

void aff_normalise(struct aff_poly *p, unsigned bits)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        p->term[i].coef = (uint64_t)sum_signed(p->term[i].coef, bits);
        if (p->term[i].coef != 0)
            p->term[n++] = p->term[i];
    }
    p->n = n;
}

bool aff_is_small(const struct aff_poly *p)
{
    const int64_t most = (int64_t)1 << 59;
    bool small = true;

    for (uint32_t i = 0; i < p->n; i++)
        small = small && (int64_t)p->term[i].coef <= most && (int64_t)p->term[i].coef >= -most;
    return small;
}

void aff_set_constant(struct aff_poly *p, uint64_t c)
{
    p->n = c != 0;
    p->term[0] = (struct aff_term){.coef = c};
}

void aff_set_sym(struct aff_poly *p, aff_sym s)
{
    p->n = 1;
    p->term[0] = (struct aff_term){.coef = 1, .n = 1, .sym = {s}};
}

bool aff_is_constant(const struct aff_poly *p, uint64_t *c)
{
    *c = p->n ? p->term[0].coef : 0;
    return p->n == 0 || (p->n == 1 && p->term[0].n == 0);
}

bool aff_is_sym(const struct aff_poly *p, aff_sym *s)
{
    *s = p->n == 1 ? p->term[0].sym[0] : 0;
    return p->n == 1 && p->term[0].n == 1 && p->term[0].coef == 1;
}

bool aff_equal(const struct aff_poly *x, const struct aff_poly *y)
{
    if (x->n != y->n)
        return false;
    for (uint32_t i = 0; i < x->n; i++)
        if (x->term[i].coef != y->term[i].coef || compare_syms(&x->term[i], &y->term[i]) != 0)
            return false;
    return true;
}
