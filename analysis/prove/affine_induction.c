/* affine_induction.c - what loops add to their phis, each time or in all.  See affine.h. */
#include "analysis/prove/affine.h"
#include "analysis/summary/conditions.h"
#include "analysis/summary/integer.h"

#include <string.h>

/* Loops around each other through which a counter is followed. */
#define MAX_NEST 6

static uint64_t size_of(uint64_t coef)
{
    return (int64_t)coef < 0 ? 0 - coef : coef;
}

/* t as a product of launch-wide symbols and the coefficient, *wide, and of LOOPs and COUNTs, *count.  False
 * if it has others. */
static bool split_term(const struct aff *a, const struct aff_term *t, struct aff_term *wide,
                       struct aff_term *count)
{
    *wide = (struct aff_term){.coef = t->coef};
    *count = (struct aff_term){.coef = 1};
    for (uint32_t i = 0; i < t->n; i++) {
        const struct aff_poly one = {1, {{.coef = 1, .n = 1, .sym = {t->sym[i]}}}};
        bool counts = AFF_KIND(t->sym[i]) == AFF_LOOP || AFF_KIND(t->sym[i]) == AFF_COUNT;
        if (!counts && !aff_launch_wide(a, &one))
            return false;
        struct aff_term *into = counts ? count : wide;
        into->sym[into->n++] = t->sym[i];
    }
    return true;
}

static bool same_syms(const struct aff_term *x, const struct aff_term *y)
{
    return x->n == y->n && memcmp(x->sym, y->sym, x->n * sizeof(x->sym[0])) == 0;
}

/* The terms of p with the LOOPs and COUNTs of `like`, without these. */
static void factor_of(const struct aff *a, const struct aff_poly *p, const struct aff_term *like,
                      struct aff_poly *factor)
{
    struct aff_term wide, count;
    factor->n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        if (split_term(a, &p->term[i], &wide, &count) && same_syms(&count, like))
            factor->term[factor->n++] = wide;
}

/* Divide by the greatest common divisor of the coefficients, which is returned; 0 if that is out of range. */
static uint64_t primitive(struct aff_poly *p)
{
    uint64_t g = 0;
    for (uint32_t i = 0; i < p->n; i++)
        g = sum_gcd(g, size_of(p->term[i].coef));
    if (g == 0 || g >> 62)
        return 0;
    for (uint32_t i = 0; i < p->n; i++)
        p->term[i].coef = (uint64_t)((int64_t)p->term[i].coef / (int64_t)g);
    return g;
}

/* p = step * gain, step launch-wide, gain a sum of products of LOOPs and COUNTs that is not negative. */
static bool split_gain(struct aff *a, const struct aff_poly *p, struct aff_poly *step, struct aff_poly *gain)
{
    struct aff_poly factor, one = {.n = 1};
    struct aff_term wide;
    uint64_t common = 0;
    step->n = gain->n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        bool again = false;
        if (!split_term(a, &p->term[i], &wide, &one.term[0]))
            return false;
        for (uint32_t j = 0; j < gain->n; j++)
            again = again || same_syms(&one.term[0], &gain->term[j]);
        if (again)
            continue;
        factor_of(a, p, &one.term[0], &factor);
        one.term[0].coef = primitive(&factor);
        if (one.term[0].coef == 0 || (step->n && !aff_equal(&factor, step)) ||
            !aff_add(a, gain, 1, &one, gain))
            return false;
        *step = factor;
        common = sum_gcd(common, one.term[0].coef);
    }
    for (uint32_t j = 0; j < gain->n; j++)
        gain->term[j].coef /= common;
    for (uint32_t j = 0; j < step->n; j++)
        step->term[j].coef *= common;
    return true;
}

/* The ways from a loop's end to its header as long as all of them add `step`, or as long as each of them
 * adds `step` times something that ind->gain has as a part. */
struct advance {
    unsigned n;
    bool constant, counts;
    struct aff_poly step;
};

/* One more way, on which the phi grows by `by`. */
static void add_advance(struct aff *a, const struct aff_poly *by, struct advance *adv,
                        struct aff_induction *ind)
{
    struct aff_poly step, gain;
    adv->constant = adv->constant && aff_launch_wide(a, by) && (adv->n == 0 || aff_equal(by, &adv->step));
    if (adv->n++ == 0)
        adv->step = *by;
    if (!adv->counts || by->n == 0)
        return;
    adv->counts = split_gain(a, by, &step, &gain) && (ind->step.n == 0 || aff_equal(&step, &ind->step)) &&
                  (aff_equal(&gain, &ind->gain) || aff_add(a, &ind->gain, 1, &gain, &ind->gain));
    ind->step = step;
}

/* Does nothing but the test of its header leave the loop? */
static bool left_by_test(const struct cfg *c, uint32_t l)
{
    for (uint32_t i = c->loop[l].first; i < c->loop[l].end; i++) {
        const uint32_t b = c->loop_block[i];
        for (uint32_t j = c->succ_first[b]; j < c->succ_first[b + 1]; j++)
            if (b != c->loop[l].header && !cfg_in_loop(c, l, c->succ[j]))
                return false;
    }
    return true;
}

/* Where the loop was left, LOOP is launch-wide *n, if that is not negative and fits an int: its header's test
 * has let LOOP < n or LOOP != n in, and it counts by ones. */
static bool rounds_of(const struct aff *a, uint32_t l, struct aff_poly *n)
{
    const struct kernel_summary *k = a->k;
    const uint32_t t = k->blocks[a->cfg->loop[l].header].end - 1;
    struct condition c[CONDITIONS_MAX];
    struct aff_poly x;
    struct aff_value ix, in;
    aff_sym s;
    if (k->insns[t].op != SUM_CONDBR || !left_by_test(a->cfg, l) ||
        conditions_of(k, sum_opnd(k, t, 0), cfg_in_loop(a->cfg, l, sum_opnd(k, t, 1)), c) != 1)
        return false;
    struct ordering o = {c[0].x, c[0].y, c[0].pred == SUM_NE, false};
    condition_ordering(&c[0], &o);
    aff_integer(a, o.x, &x, &ix);
    aff_integer(a, o.y, n, &in);
    return o.strict && k->insns[o.x].bits >= 32 && aff_certain(&ix) && aff_certain(&in) &&
           aff_is_sym(&x, &s) && s == AFF_SYM(AFF_LOOP, l) && aff_launch_wide(a, n);
}

/* Put what they are in the place of the LOOPs of a loop inside of l, which was left; *rounds is it. */
static bool put_rounds(struct aff *a, uint32_t l, struct aff_poly *p, struct aff_poly *rounds)
{
    for (uint32_t i = l + 1; i < a->cfg->nloop; i++) {
        struct aff_poly rest, factor, n;
        if (!cfg_in_loop(a->cfg, l, a->cfg->loop[i].header))
            continue;
        if (!aff_split(a, p, AFF_SYM(AFF_LOOP, i), &rest, &factor))
            return false;
        if (factor.n == 0)
            continue;
        if (!rounds_of(a, i, &n) || (rounds->n && !aff_equal(rounds, &n)) ||
            !aff_poly_multiply(&factor, &n, &factor, &a->used_uniform) || !aff_add(a, &rest, 1, &factor, p))
            return false;
        *rounds = n;
    }
    return true;
}

/* Is phi v of loop l's header init on entry and v + step, or v + step * gain, on every back edge? Polynomials
 * are those of the pass before, where v is a symbol.  `left`: loops inside were left by their tests. */
static bool follow(struct aff *a, uint32_t l, uint32_t v, bool left, struct aff_induction *ind)
{
    const struct kernel_summary *k = a->k;
    struct advance adv = {.constant = true, .counts = !left};
    struct aff_poly next, self;
    struct aff_value info;
    *ind = (struct aff_induction){.phi = v, .loop = l, .init = CFG_NONE};
    aff_set_sym(&self, AFF_SYM(AFF_VALUE, v));
    for (uint32_t i = 0; i < k->insns[v].nopnd; i += 2) {
        uint32_t pred = sum_opnd(k, v, i), o = sum_opnd(k, v, i + 1);
        if (!cfg_in_loop(a->cfg, l, pred)) {
            if (ind->init != CFG_NONE && ind->init != o)
                return false;
            ind->init = o;
            continue;
        }
        aff_address(a, o, &next, &info);
        if (!aff_certain(&info) || a->roots->pointer[o] != a->roots->pointer[v] ||
            !aff_add(a, &next, -1, &self, &next) ||
            (left && (a->cfg->loop_of[pred] != l || !put_rounds(a, l, &next, &ind->rounds))))
            return false;
        aff_normalise(&next, k->insns[v].bits);
        add_advance(a, &next, &adv, ind);
    }
    ind->counter = !adv.constant;
    if (adv.constant)
        ind->step = adv.step;
    return adv.n > 0 && (adv.constant || adv.counts) && ind->init != CFG_NONE &&
           a->roots->pointer[ind->init] == a->roots->pointer[v];
}

static bool find_induction(struct aff *a, uint32_t l, uint32_t v, struct aff_induction *ind)
{
    return a->k->insns[v].lanes == 1 && !(a->k->insns[v].flags & SUM_F_FLOAT) &&
           (follow(a, l, v, false, ind) || follow(a, l, v, true, ind));
}

/* Enter the induction variables and counters that the polynomials of the pass before show. */
static void find_inductions(struct aff *a)
{
    const struct kernel_summary *k = a->k;
    for (uint32_t l = 0; l < a->cfg->nloop; l++) {
        const struct sum_block *b = &k->blocks[a->cfg->loop[l].header];
        for (uint32_t v = b->first; v < b->end && k->insns[v].op == SUM_PHI; v++) {
            if (a->induction_of[v] != CFG_NONE)
                continue;
            a->induction = must_grow_array(a->cfg, a->induction, a->ninduction, sizeof(*a->induction));
            if (find_induction(a, l, v, &a->induction[a->ninduction]))
                a->induction_of[v] = a->ninduction++;
        }
    }
}

void aff_build(const struct kernel_summary *k, struct cfg *c, const struct roots *r,
               const struct aff_options *opt, struct aff *a)
{
    aff_begin(k, c, r, opt, a);
    aff_compute(a);
    /* What an inner loop adds is known in the pass after the one that finds its induction variables. */
    for (uint32_t pass = 0, known = 0; opt->launch && pass < MAX_NEST; pass++) {
        find_inductions(a);
        if (a->ninduction == known)
            break;
        known = a->ninduction;
        aff_compute(a);
    }
}
