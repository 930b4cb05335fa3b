/* bounds.c - how often a loop runs at most, from a comparison that every further iteration has passed.
 *
 * The condition a < b (or a <= b, a != b) holds whenever an iteration takes the edge from -> to, and every
 * path back to the header takes that edge.  With exactly one side containing LOOP,
 *
 *     b - a = limit - step * LOOP,    so    a < b  <=>  LOOP < limit / step  <=>  LOOP < ceil(limit / step)
 *
 * over the integers.  What remains is to show when the body's arithmetic agrees with that of the integers.
 *
 * Certain (struct sum_loop.bounded: limit is launch-wide, w >= 32 bits, 0 <= limit < 2^31 - step), one of:
 *   - step 1, both sides exact modulo 2^w, a < b or a != b: b - a0 == limit (mod 2^w), so either the
 *     counter meets the bound after `limit` steps, or b < a0 and it does not run (!=: it always meets it
 *     after `limit` steps);
 *   - counting up from 0, a < b: b is limit itself, so the counter stays below limit + step < 2^31 and
 *     never wraps.
 *
 * Conditional: the first and last values of both sides fit the comparison's range; then nothing wraps in
 * between, by induction over the iterations.  The assumptions of affine.h about both sides are conditions,
 * too: they need to hold only up to the iteration that the bound allows, again by induction. */
#include "analysis/prove/access.h"
#include "analysis/summary/conditions.h"

/* How far up the dominator tree the guarding comparison is searched. */
#define MAX_CLIMB 256

struct side {
    struct aff_poly poly, step; /* without LOOP, and the factor of LOOP */
    struct aff_value info;
};

static bool make_side(struct aff *a, uint32_t v, uint32_t l, struct side *s)
{
    struct aff_poly p;
    aff_integer(a, v, &p, &s->info);
    if (s->info.trust == AFF_MIXED) { /* the value is p if nothing wrapped before it */
        s->info.trust = AFF_CONGRUENT;
        s->info.need |= s->info.exact;
    }
    return !(s->info.need & AFF_NEVER) && aff_split(a, &p, AFF_SYM(AFF_LOOP, l), &s->poly, &s->step);
}

static bool outside(const struct aff *a, uint32_t block, uint32_t l)
{
    return block == CFG_NONE || !cfg_in_loop(a->cfg, l, block);
}

/* Does the symbol keep its value while loop l runs? */
static bool fixed_sym(const struct aff *a, aff_sym s, uint32_t l)
{
    const uint32_t i = AFF_INDEX(s), nloop = a->cfg->nloop, nblock = a->cfg->nblock;
    switch (AFF_KIND(s)) {
    case AFF_LOOP:
        if (i < nloop)
            return outside(a, a->cfg->loop[i].header, l);
        return outside(a, i - nloop < nblock ? i - nloop : a->cfg->block_of[i - nloop - nblock], l);
    case AFF_COUNT:
        return outside(a, a->cfg->loop[a->induction[i].loop].header, l);
    case AFF_QUOTIENT:
        return outside(a, a->cfg->block_of[a->quotient[i].x], l) &&
               (a->quotient[i].w == CFG_NONE || outside(a, a->cfg->block_of[a->quotient[i].w], l));
    case AFF_VALUE:
        return a->opt.constant[i];
    default:
        return true;
    }
}

static bool fixed_in(const struct aff *a, const struct aff_poly *p, uint32_t l)
{
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t j = 0; j < p->term[i].n; j++)
            if (!fixed_sym(a, p->term[i].sym[j], l))
                return false;
    return true;
}

static bool constant_step(const struct aff_poly *p, int64_t *step)
{
    *step = p->n == 1 && p->term[0].n == 0 ? (int64_t)p->term[0].coef : 0;
    return *step != 0;
}

static void add_range(struct bound *b, unsigned bits, bool is_signed, const struct aff_poly *p)
{
    b->range[b->nrange++] = (struct aff_assumption){(uint8_t)bits, is_signed, *p};
}

static bool shifted(struct aff *a, const struct aff_poly *p, int64_t f, const struct aff_poly *by, int64_t c,
                    struct aff_poly *out)
{
    return aff_add(a, p, f, by, out) && aff_add_constant(a, out, c);
}

/* a != b with a counter that moves by one, towards a limit that does not move. */
static bool bound_unequal(struct aff *a, uint32_t l, const struct side *x, const struct side *y, unsigned w,
                          struct bound *b)
{
    int64_t step;
    if (x->info.trust != AFF_CONGRUENT || y->info.trust != AFF_CONGRUENT || w < 32 ||
        !fixed_in(a, &b->limit, l) || !constant_step(&b->step, &step) || (step != 1 && step != -1))
        return false;
    if (step == -1) {
        if (!aff_scale(a, &b->limit, -1))
            return false;
        b->step.term[0].coef = 1;
    }
    b->conditional = b->assumed != 0 || !aff_launch_wide(a, &b->limit);
    if (b->conditional)
        add_range(b, 31, false, &b->limit);
    return true;
}

/* x < y or x <= y; `o` as the body compares. */
static bool bound_ordered(struct aff *a, uint32_t l, const struct side *x, const struct side *y,
                          const struct ordering *o, unsigned w, struct bound *b)
{
    bool up = x->step.n != 0; /* the counter is on the left and grows, else on the right and shrinks */
    bool exact = x->info.trust == AFF_CONGRUENT && y->info.trust == AFF_CONGRUENT;
    const struct aff_poly *init = up ? &x->poly : &y->poly, *fixed = up ? &y->poly : &x->poly;
    struct aff_poly last;
    int64_t step = 0;
    if (constant_step(&b->step, &step) && (step < 0 || step >= INT32_MAX))
        return false;
    bool certain = b->assumed == 0 && step > 0 && o->strict && w >= 32 && aff_launch_wide(a, &b->limit) &&
                   ((step == 1 && exact) || (up && init->n == 0));
    b->conditional = !certain;
    if (certain)
        return true;
    /* The counter passes the bound by less than a step. */
    if (!aff_is_small(&x->poly) || !aff_is_small(&y->poly) || !aff_is_small(&b->step) ||
        !aff_launch_wide(a, &b->step) || !fixed_in(a, init, l) ||
        !shifted(a, fixed, up ? 1 : -1, &b->step, o->strict ? (up ? -1 : 1) : 0, &last))
        return false;
    if (!o->strict && !aff_add_constant(a, &b->limit, 1))
        return false;
    if (!exact && w < 32)
        return false;
    unsigned bits = exact ? w : 31; /* an extended side is itself in [0, 2^31) */
    add_range(b, bits, exact && o->is_signed, init);
    add_range(b, bits, exact && o->is_signed, fixed);
    add_range(b, bits, exact && o->is_signed, &last);
    return true;
}

static bool bound_condition(struct aff *a, uint32_t l, const struct condition *c, struct bound *b)
{
    struct ordering o = {.x = c->x, .y = c->y};
    struct side x, y;
    bool ordered = condition_ordering(c, &o);
    if (c->pred == SUM_EQ) /* a <= b and b <= a: LLVM's `i == 0` for `i < 1` */
        return bound_condition(a, l, &(struct condition){SUM_SLE, c->x, c->y}, b) ||
               bound_condition(a, l, &(struct condition){SUM_SLE, c->y, c->x}, b);
    if ((!ordered && c->pred != SUM_NE) || !make_side(a, o.x, l, &x) || !make_side(a, o.y, l, &y))
        return false;
    if ((x.step.n != 0) == (y.step.n != 0))
        return false;
    b->nrange = 0;
    b->assumed = x.info.need | y.info.need;
    b->step = x.step.n ? x.step : y.step;
    if (!aff_add(a, &y.poly, -1, &x.poly, &b->limit) || !aff_scale(a, &b->step, x.step.n ? 1 : -1))
        return false;
    unsigned w = a->k->insns[c->x].bits;
    return ordered ? bound_ordered(a, l, &x, &y, &o, w, b) : bound_unequal(a, l, &x, &y, w, b);
}

/* Does every path back to the header of l take the edge?  It may be the last one, as where a loop's test
 * stands behind its body. */
static bool guards_latches(const struct cfg *c, uint32_t l, uint32_t from, uint32_t to)
{
    uint32_t h = c->loop[l].header;
    for (uint32_t i = c->pred_first[h]; i < c->pred_first[h + 1]; i++) {
        const bool last = c->pred[i] == from && to == h;
        if (cfg_in_loop(c, l, c->pred[i]) && !last && !cfg_edge_dominates(c, from, to, c->pred[i]))
            return false;
    }
    return true;
}

/* Use block d's branch, if it leaves loop l on one side. */
static void bound_by_exit(struct aff *a, uint32_t l, uint32_t d, struct bound *best)
{
    const struct kernel_summary *k = a->k;
    struct condition cond[CONDITIONS_MAX];
    uint32_t t = k->blocks[d].end - 1;
    if (k->insns[t].op != SUM_CONDBR || a->cfg->loop_of[d] != l)
        return;
    bool stay = cfg_in_loop(a->cfg, l, sum_opnd(k, t, 1));
    uint32_t to = sum_opnd(k, t, stay ? 1 : 2), out = sum_opnd(k, t, stay ? 2 : 1);
    if (cfg_in_loop(a->cfg, l, out) || !guards_latches(a->cfg, l, d, to))
        return;
    unsigned n = conditions_of(k, sum_opnd(k, t, 0), stay, cond);
    for (unsigned i = 0; i < n; i++) {
        struct bound b = {.found = true, .from = d, .to = to};
        if (bound_condition(a, l, &cond[i], &b) && (!best->found || (best->conditional && !b.conditional)))
            *best = b;
    }
}

void bound_loop(struct aff *a, uint32_t l, struct bound *out)
{
    const struct cfg *c = a->cfg;
    uint32_t h = c->loop[l].header, d = CFG_NONE;
    out->found = false;
    for (uint32_t i = c->pred_first[h]; d == CFG_NONE && i < c->pred_first[h + 1]; i++)
        if (cfg_in_loop(c, l, c->pred[i]))
            d = c->pred[i];
    for (unsigned climb = 0; climb < MAX_CLIMB && d != CFG_NONE; climb++, d = c->idom[d]) {
        bound_by_exit(a, l, d, out);
        if (d == h || (out->found && !out->conditional))
            break;
    }
}
