/* disjoint.c - race-freedom of one launch: does any work-item touch a location that another one writes?
 *
 * Every access to an argument becomes a *touch*: an affine form of the work-item's ids and of its loops'
 * iterations (form.h), the ids that execute it, and its bytes.  For two touches A, B of which one writes, and
 * work-items u != v that run them, let
 *
 *     D = A(u) - B(v) = sum c_k * delta_k + e
 *
 * where delta_k is the difference of an id or of an iteration, |delta_k| <= n_k - 1.  An iteration that only
 * one of them has counts as a delta, too, for it is at most n - 1.  The accesses overlap iff
 * -bytes_A < D < bytes_B, so |sum c_k * delta_k| < span = max(bytes_A + e, bytes_B - e).
 *
 * Mixed radix: sort by |c_k|.  If |c_k| >= span + sum_{j<k} |c_j| * (n_j - 1) for all k from some K up, then
 * an overlap has delta_k = 0 for all of them: the largest k with delta_k != 0 alone outweighs everything
 * below.  A pair is harmless when its coordinates together force delta = 0 in all three dimensions (then u =
 * v), or when the rest of the sum cannot reach an overlap.
 *
 * Wrap-around: addresses equal their forms modulo 2^wrap_bits only.  While all |D| + bytes stay within
 * 2^wrap_bits, addresses that overlap mean forms that overlap, wherever they wrapped.
 *
 * Groups: in the view of a group (summary.h) only touches between the same two barriers are compared, but for
 * reads of what is taken for constant.  Iterations that both are in at the same time are one number. */
#include "select/prove/parts.h"
#include "select/prove/touch.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TOUCHES 512
#define ALL_DIMS    7u
#define NEVER_MEETS 8u
#define NOBODY      UINT32_MAX

struct radix {
    sel_wide weight; /* |c_k| */
    sel_wide reach;  /* |c_k| * (n_k - 1) */
    unsigned dim;    /* bit of the dimension, 0 for a loop */
};

struct term_list {
    unsigned n;
    struct radix r[3 + 2 * SEL_FORM_LOOPS];
    sel_wide e;
};

static bool fail(struct sel_verdict *why, enum sel_reason reason, const struct kernel_summary *k,
                 uint32_t arg, const char *what)
{
    return sel_refuse(why, reason, "argument %u '%.24s': %s", (unsigned)arg, sel_arg_name(k, arg), what);
}

/* ---- one pair of touches --------------------------------------------------------------------------- */

static sel_wide magnitude(sel_wide v)
{
    return v < 0 ? -v : v;
}

/* Insert in ascending order of weight. */
static void add_radix(struct term_list *t, int64_t coef, int64_t n, unsigned dim)
{
    struct radix r = {.weight = magnitude(coef), .dim = dim};
    if (r.weight == 0 || n <= 1)
        return;
    r.reach = r.weight * (n - 1);
    unsigned i = t->n++;
    for (; i > 0 && t->r[i - 1].weight > r.weight; i--)
        t->r[i] = t->r[i - 1];
    t->r[i] = r;
}

static int64_t hull_size(const struct sel_range *a, const struct sel_range *b)
{
    return (a->hi > b->hi ? a->hi : b->hi) - (a->lo < b->lo ? a->lo : b->lo) + 1;
}

static const int *step_of(const struct lockstep *s, uint32_t loop)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->of[i].loop == loop)
            return &s->of[i].ahead;
    return NULL;
}

/* D = A(u) - B(v) for coordinate c, in which their ids have the same coefficients, as radix terms and e. */
static void difference(const struct lockstep *steps, const struct touch *a, const struct touch *b, unsigned c,
                       struct term_list *t)
{
    const struct sel_form *fa = &a->coord[c], *fb = &b->coord[c];
    t->n = 0;
    t->e = (sel_wide)fa->constant - fb->constant;
    for (unsigned d = 0; d < 3; d++)
        add_radix(t, fa->gid[d], hull_size(&a->box[d], &b->box[d]), 1u << d);
    for (unsigned i = 0; i < fa->nloop; i++) {
        const struct sel_form_loop *la = &fa->loop[i], *lb = sel_form_find(fb, la);
        const int *ahead = step_of(steps, la->loop);
        if (ahead && lb)
            t->e += (sel_wide)la->coef * *ahead;
        else
            add_radix(t, la->coef, lb && lb->trips > la->trips ? lb->trips : la->trips, 0);
    }
    for (unsigned i = 0; i < fb->nloop; i++)
        if (!sel_form_find(fa, &fb->loop[i]))
            add_radix(t, fb->loop[i].coef, fb->loop[i].trips, 0);
}

/* The dimensions that an overlap forces to agree, by mixed radix; NEVER_MEETS if there is none. */
static unsigned forced_by(const struct lockstep *steps, const struct touch *a, const struct touch *b,
                          unsigned c)
{
    struct term_list t;
    difference(steps, a, b, c, &t);
    sel_wide below[3 + 2 * SEL_FORM_LOOPS], sum = a->bytes + t.e, rest = 0;
    if (sum < b->bytes - t.e)
        sum = b->bytes - t.e;
    for (unsigned i = 0; i < t.n; i++) {
        below[i] = sum;
        sum += t.r[i].reach;
        rest += t.r[i].reach;
    }
    unsigned dims = 0;
    for (unsigned i = t.n; i-- > 0 && t.r[i].weight >= below[i];) {
        dims |= t.r[i].dim;
        rest -= t.r[i].reach;
    }
    bool apart = t.e - rest >= b->bytes || t.e + rest <= -a->bytes;
    return apart ? NEVER_MEETS : dims;
}

/* May A(u) - B(v) in coordinate c reach where addresses wrap around?  `up` and `down` are what unknowns add
 * to the difference, and to the opposite. */
static bool may_wrap(const struct touch *a, const struct touch *b, unsigned c, sel_wide up, sel_wide down)
{
    const unsigned bits = a->wrap_bits < b->wrap_bits ? a->wrap_bits : b->wrap_bits;
    const int64_t bytes = a->bytes > b->bytes ? a->bytes : b->bytes;
    up += a->hi[c] - b->lo[c];
    down += b->hi[c] - a->lo[c];
    return (up > down ? up : down) + bytes > (sel_wide)1 << bits;
}

/* The dimensions in which u and v agree if A(u) and B(v) overlap in coordinate c;
 * NEVER_MEETS if they cannot. */
static unsigned forced_equal(const struct lockstep *steps, const struct touch *a, const struct touch *b,
                             unsigned c, bool *wraps)
{
    const struct sel_form *fa = &a->coord[c], *fb = &b->coord[c];
    if (!sel_form_same_unknowns(fa, fb))
        return 0;
    const bool here = may_wrap(a, b, c, 0, 0);
    *wraps |= here;
    return here || memcmp(fa->gid, fb->gid, sizeof fa->gid) != 0 ? 0 : forced_by(steps, a, b, c);
}

/* May overlap.c compare them: in all coordinates, unknowns cancel or have bounds, and nothing wraps? */
static bool comparable(const struct kernel_summary *k, const struct launch *l, const struct touch *a,
                       const struct touch *b, bool *wraps)
{
    sel_wide a_lo, a_hi, b_lo, b_hi;
    if (a->ncoord != b->ncoord)
        return false;
    for (unsigned c = 0; c < a->ncoord && !*wraps; c++) {
        if (sel_form_same_unknowns(&a->coord[c], &b->coord[c]))
            continue;
        if (!sel_form_unknowns(k, l, &a->coord[c], &a_lo, &a_hi) ||
            !sel_form_unknowns(k, l, &b->coord[c], &b_lo, &b_hi))
            return false;
        *wraps = may_wrap(a, b, c, a_hi - b_lo, b_hi - a_lo);
    }
    return !*wraps;
}

/* The loops that both make in step, while in one phase. */
static struct lockstep lockstep_of(const struct kernel_summary *k, const struct phases *p,
                                   const struct touch *a, const struct touch *b)
{
    const bool together = p && a->part != TOUCH_ANYWHERE && b->part != TOUCH_ANYWHERE;
    struct lockstep s = {0};
    for (uint32_t loop = 0; together && loop < k->nloop && s.n < SEL_FORM_LOOPS; loop++)
        if (phases_ahead(p, loop, a->part, b->part, &s.of[s.n].ahead))
            s.of[s.n++].loop = loop;
    return s;
}

/* Does each lie in a range of its own, whoever runs them?  Most pairs of a long list do. */
static bool lie_apart(const struct touch *a, const struct touch *b)
{
    for (unsigned c = 0; c < a->ncoord && c < b->ncoord; c++)
        if ((a->hi[c] + a->bytes <= b->lo[c] || b->hi[c] + b->bytes <= a->lo[c]) &&
            sel_form_same_unknowns(&a->coord[c], &b->coord[c]) && !may_wrap(a, b, c, 0, 0))
            return true;
    return false;
}

/* SEL_R_OK if no two work-items meet in A and B. */
static enum sel_reason pair_reason(const struct kernel_summary *k, const struct launch *l,
                                   const struct phases *phases, const struct touch *a, const struct touch *b,
                                   struct overlap **o)
{
    unsigned equal = 0;
    bool wraps = false;
    if (lie_apart(a, b))
        return SEL_R_OK;
    const struct lockstep steps = lockstep_of(k, phases, a, b);
    for (unsigned d = 0; d < 3; d++)
        if (hull_size(&a->box[d], &b->box[d]) == 1)
            equal |= 1u << d;
    for (unsigned c = 0; c < a->ncoord && c < b->ncoord && equal != ALL_DIMS; c++) {
        unsigned forced = forced_equal(&steps, a, b, c, &wraps);
        if (forced == NEVER_MEETS)
            return SEL_R_OK;
        equal |= forced;
    }
    if (equal == ALL_DIMS)
        return SEL_R_OK;
    if (!*o)
        *o = overlap_new();
    if (*o && comparable(k, l, a, b, &wraps) && overlap_excluded(*o, k, l, &steps, a, b))
        return SEL_R_OK;
    return wraps ? SEL_R_WRAP : SEL_R_OVERLAP;
}

/* ---- all accesses to one argument ------------------------------------------------------------------ */

/* Same kind, ids and form, up to the constants, between the same barriers. */
static bool same_pattern(const struct touch *a, const struct touch *b)
{
    bool same = !a->unknown && a->write == b->write && a->family == b->family && a->part == b->part &&
                a->wrap_bits == b->wrap_bits && a->ncoord == b->ncoord &&
                memcmp(a->box, b->box, sizeof a->box) == 0;
    for (unsigned c = 0; same && c < a->ncoord; c++)
        same = sel_form_same(&a->coord[c], &b->coord[c]);
    return same;
}

static bool same_poly(const struct sum_poly *a, const struct sum_poly *b)
{
    bool same = a->nterm == b->nterm;
    for (uint32_t i = 0; i < a->nterm && same; i++) {
        const struct sum_term *s = &a->term[i], *t = &b->term[i];
        same = s->coef == t->coef && s->nsym == t->nsym;
        for (uint32_t j = 0; j < s->nsym && same; j++)
            same = s->sym[j].kind == t->sym[j].kind && s->sym[j].zext == t->sym[j].zext &&
                   s->sym[j].index == t->sym[j].index;
    }
    return same;
}

/* The guards of `into` that are guards of `t`, too. */
static uint32_t common_guards(const struct touch *into, const struct touch *t)
{
    uint32_t common = 0;
    for (uint32_t i = 0; i < into->from->nguard && i < 32; i++)
        for (uint32_t j = 0; j < t->from->nguard && j < 32 && (into->guards >> i & 1); j++) {
            const struct sum_guard *g = &into->from->guard[i], *h = &t->from->guard[j];
            if ((t->guards >> j & 1) && g->equal == h->equal && same_poly(&g->lhs, &h->lhs) &&
                same_poly(&g->rhs, &h->rhs))
                common |= 1u << i;
        }
    return common;
}

/* Grow `into` by an adjacent, overlapping or equal touch.  False if `t` is none. */
static bool absorb(struct touch *into, const struct touch *t)
{
    sel_wide from = into->coord[0].constant, at = t->coord[0].constant;
    if (at > from + into->bytes || from > at + t->bytes || (t->ncoord > 1 && at != from) ||
        !same_pattern(into, t))
        return false;
    for (unsigned c = 1; c < t->ncoord; c++)
        if (into->coord[c].constant != t->coord[c].constant)
            return false;
    sel_wide end = from + into->bytes > at + t->bytes ? from + into->bytes : at + t->bytes;
    sel_wide start = from < at ? from : at;
    into->lo[0] += start - from;
    into->hi[0] += start - from;
    into->coord[0].constant = (int64_t)start;
    into->bytes = (int64_t)(end - start);
    into->guards = common_guards(into, t);
    return true;
}

/* Of one argument, and of those that share its memory. */
struct touches {
    unsigned n, room;
    struct touch *of;
};

/* Room for one more.  False: there are too many, or no memory; *what. */
static bool make_room(struct touches *all, const char **what)
{
    if (all->n < all->room)
        return true;
    const unsigned room = all->room ? 2 * all->room : 8;
    struct touch *of = room <= MAX_TOUCHES ? realloc(all->of, room * sizeof *of) : NULL;
    *what = room <= MAX_TOUCHES ? "out of memory" : "too many different accesses";
    if (!of)
        return false;
    all->of = of;
    all->room = room;
    return true;
}

/* Fill `t` from an affine access.  `nobody` is set when no work-item executes it. */
static enum sel_reason make_touch(const struct kernel_summary *k, const struct launch *l,
                                  const struct sum_access *a, bool image, struct touch *t, bool *nobody)
{
    memset(t, 0, sizeof *t);
    *nobody = false;
    t->from = a;
    t->write = a->kind != SUM_ACC_READ;
    if (!a->affine)
        return SEL_R_SCATTERED;
    t->guards = UINT32_MAX;
    t->wrap_bits = image && a->wrap_bits > 32 ? 32 : a->wrap_bits; /* coordinates are int */
    t->ncoord = a->ncoord;
    t->bytes = image ? 1 : a->bytes;
    if (a->ncoord < 1 || a->ncoord > TOUCH_COORDS || t->bytes < 1 || a->wrap_bits < 1 || a->wrap_bits > 64)
        return SEL_R_OVERLAP;
    sel_form_box(k, l, a, t->box);
    for (unsigned d = 0; d < 3; d++)
        if (t->box[d].lo > t->box[d].hi)
            *nobody = true;
    if (!*nobody && !sel_form_ranges(k, l, t->box, a))
        return SEL_R_WRAP;
    for (unsigned c = 0; c < t->ncoord && !*nobody; c++) {
        enum sel_reason r = sel_form_make(k, l, &a->coord[c], &t->coord[c]);
        if (r != SEL_R_OK)
            return r;
        if (!sel_form_loops(k, l, t->box, &t->coord[c]))
            return SEL_R_OVERLAP;
        sel_form_interval(k, l, t->box, &t->coord[c], &t->lo[c], &t->hi[c]);
    }
    return SEL_R_OK;
}

/* Move a touch by `shift` bytes: from its argument's start to that of another argument. */
static bool move_touch(struct touch *t, int64_t shift)
{
    t->lo[0] += shift;
    t->hi[0] += shift;
    return !__builtin_add_overflow(t->coord[0].constant, shift, &t->coord[0].constant);
}

/* May it be a read of one place, whoever reads and however often, of an argument that is not written?
 * Analysis takes such a value for constant (taint.c), and so does the comparison of what is touched with its
 * help. */
static bool reads_constant(const struct kernel_summary *k, const struct touch *t)
{
    bool fixed = !k->args[t->from->arg].may_write;
    for (unsigned c = 0; !t->unknown && c < t->ncoord; c++)
        fixed = fixed && t->coord[c].gid[0] == 0 && t->coord[c].gid[1] == 0 && t->coord[c].gid[2] == 0 &&
                t->coord[c].nloop == 0;
    return fixed;
}

/* Refuse because of that access. */
static bool fail_at(struct sel_verdict *why, enum sel_reason reason, const struct kernel_summary *k,
                    const struct sum_access *a)
{
    const char *what = reason == SEL_R_SCATTERED
                           ? sel_unplaced(k, a)
                           : "an address is not linear in the ids, or a loop has no bound";
    const unsigned line = a->insn < k->ninsn ? k->insns[a->insn].line : 0;
    if (!line)
        return fail(why, reason, k, a->arg, what);
    return sel_refuse(why, reason, "argument %u '%.24s', line %u: %s", (unsigned)a->arg,
                      sel_arg_name(k, a->arg), line, what);
}

/* Add the touches of argument `arg`, seen from `shift` bytes before its start; adjacent ones are merged.
 * `phases`: NULL, but of the view of a group. */
static bool collect(const struct kernel_summary *k, const struct launch *l, const struct phases *phases,
                    uint32_t arg, int64_t shift, struct touches *all, struct sel_verdict *why)
{
    const char *what;
    bool image = k->args[arg].kind == SUM_ARG_IMAGE;
    for (uint32_t i = 0; i < k->naccess; i++) {
        const struct sum_access *a = &k->access[i];
        if (a->arg != arg)
            continue;
        if (!make_room(all, &what))
            return fail(why, SEL_R_OVERLAP, k, arg, what);
        struct touch *t = &all->of[all->n];
        bool nobody;
        const enum sel_reason r = make_touch(k, l, a, image, t, &nobody);
        const bool placed = r == SEL_R_OK;
        if (!placed && !phases)
            return fail_at(why, r, k, a);
        if (nobody)
            continue;
        if (placed && shift != 0 && !move_touch(t, shift))
            return fail(why, SEL_R_WRAP, k, arg, "an address exceeds 64 bits");
        t->unknown = r;
        const bool phased = phases && a->insn < k->ninsn && !reads_constant(k, t);
        t->part = phased ? phases_part(phases, a->insn) : TOUCH_ANYWHERE;
        t->phases = phased ? phases_at(phases, t->part) : (struct phase_set){UINT64_MAX, UINT64_MAX};
        if (a->kind == SUM_ACC_ATOMIC && a->insn < k->ninsn)
            t->family = sum_atomic_family(k, a->insn);
        if (a->kind == SUM_ACC_ATOMIC && !t->family)
            return fail(why, SEL_R_OVERLAP, k, arg, "an atomic whose order shows");
        bool merged = false;
        for (unsigned j = 0; j < all->n && placed && !merged; j++)
            merged = absorb(&all->of[j], t);
        if (!merged)
            all->n++;
    }
    return true;
}

/* The summary's list of accesses must account for what the kernel may do with the argument. */
static bool accounted(const struct kernel_summary *k, uint32_t arg, struct sel_verdict *why)
{
    bool written = !k->args[arg].may_write, read = !k->args[arg].may_read;
    for (uint32_t i = 0; i < k->naccess; i++) {
        if (k->access[i].arg != arg)
            continue;
        written = written || k->access[i].kind != SUM_ACC_READ;
        read = read || k->access[i].kind != SUM_ACC_WRITE;
    }
    if (!written || !read)
        return fail(why, SEL_R_SCATTERED, k, arg, "accessed in a way that was not followed");
    return true;
}

/* Add the touches of all other arguments that share memory with `arg`; *with is one of them, NOBODY if there
 * is none.  What analysis takes for constant since it is only read stays so for whoever reads it: the proof
 * says that nobody else writes it. */
static bool collect_shared(const struct kernel_summary *k, const struct launch *l,
                           const struct phases *phases, uint32_t arg, struct touches *all, uint32_t *with,
                           struct sel_verdict *why)
{
    *with = NOBODY;
    for (uint32_t j = 0; j < k->nargs; j++) {
        if (j == arg || (!k->args[j].may_read && !k->args[j].may_write) || !sel_shared(k, l, arg, j))
            continue;
        *with = j;
        int64_t shift = (int64_t)(l->args[j].offset - l->args[arg].offset);
        if (!accounted(k, j, why) || !collect(k, l, phases, j, shift, all, why))
            return false;
    }
    return true;
}

/* Does no work-item touch what another one writes? */
static bool touches_disjoint(const struct kernel_summary *k, const struct launch *l,
                             const struct phases *phases, uint32_t arg, const struct touches *all,
                             uint32_t with, struct overlap **o, struct sel_verdict *why)
{
    for (unsigned i = 0; i < all->n; i++) {
        for (unsigned j = i; j < all->n; j++) {
            const struct touch *a = &all->of[i], *b = &all->of[j];
            if ((!a->write && !b->write) || (a->family != 0 && a->family == b->family) ||
                !(a->phases.from & b->phases.from) || !(a->phases.until & b->phases.until))
                continue;
            const enum sel_reason unknown = a->unknown ? a->unknown : b->unknown,
                                  r = unknown ? unknown : pair_reason(k, l, phases, a, b, o);
            if (r != SEL_R_OK && with != NOBODY)
                return sel_refuse_shared(why, k, arg, with);
            if (unknown)
                return fail_at(why, r, k, a->unknown ? a->from : b->from);
            if (r != SEL_R_OK)
                return fail(why, r, k, arg,
                            i == j ? "two work-items may write the same place"
                                   : "a work-item may touch what another one writes");
        }
    }
    return true;
}

static bool argument_disjoint(const struct kernel_summary *k, const struct launch *l,
                              const struct phases *phases, uint32_t arg, struct overlap **o,
                              struct sel_verdict *why)
{
    struct touches all = {0};
    uint32_t with;
    bool good = collect_shared(k, l, phases, arg, &all, &with, why);
    if (with == NOBODY && sum_order_is_free(k, arg))
        good = true;
    else if (good && collect(k, l, phases, arg, 0, &all, why))
        good = touches_disjoint(k, l, phases, arg, &all, with, o, why);
    else /* without the second name there might be a proof */
        good = with == NOBODY ? false : sel_refuse_shared(why, k, arg, with);
    free(all.of);
    return good;
}

static bool launch_in_range(const struct launch *l)
{
    for (unsigned d = 0; d < 3; d++)
        if (l->global[d] == 0 || l->global[d] > (size_t)SEL_FORM_MAX_ID ||
            l->offset[d] > (size_t)SEL_FORM_MAX_ID)
            return false;
    return true;
}

bool sel_disjoint(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why)
{
    *why = (struct sel_verdict){.proven = true};
    if (!launch_in_range(l))
        return sel_refuse(why, SEL_R_WRAP, "the range is empty or too large");
    if (k->has_atomics && !sum_proved(k, SUM_FACT_A)) {
        why->proven = false;
        why->reason = SEL_R_SUMMARY;
        why->fact = SUM_FACT_A;
        return false;
    }
    for (uint32_t i = 0; i < k->naccess; i++) {
        const struct sum_access *a = &k->access[i];
        bool known = a->arg < k->nargs && (a->kind == SUM_ACC_READ || k->args[a->arg].may_write);
        if (!known)
            return fail(why, SEL_R_SCATTERED, k, a->arg, "accessed in a way that was not followed");
    }
    struct phases *phases = k->of_group ? phases_of(k) : NULL;
    struct overlap *o = NULL;
    bool good = true;
    for (uint32_t arg = 0; arg < k->nargs && good; arg++)
        if (k->args[arg].may_write)
            good = accounted(k, arg, why) && argument_disjoint(k, l, phases, arg, &o, why);
    phases_free(phases);
    overlap_free(o);
    return good;
}

bool sel_touched(const struct kernel_summary *k, const struct launch *l, uint32_t arg, uint64_t *begin,
                 uint64_t *end)
{
    const sel_wide size = l->args[arg].bytes;
    struct sel_verdict why;
    struct touch t;
    bool nobody, any = false;

    *begin = *end = 0;
    if (k->args[arg].kind != SUM_ARG_BUFFER || !launch_in_range(l) || !accounted(k, arg, &why))
        return false;
    for (uint32_t i = 0; i < k->naccess; i++) {
        const struct sum_access *a = &k->access[i];
        if (a->arg != arg)
            continue;
        if (make_touch(k, l, a, false, &t, &nobody) != SEL_R_OK)
            return false;
        if (nobody)
            continue;
        /* in the buffer there is but one address that equals the form modulo 2^wrap_bits */
        if (t.coord[0].nunknown || t.lo[0] < 0 || t.hi[0] + t.bytes > size ||
            size > (sel_wide)1 << t.wrap_bits)
            return false;
        if (!any || t.lo[0] < *begin)
            *begin = (uint64_t)t.lo[0];
        if (!any || t.hi[0] + t.bytes > *end)
            *end = (uint64_t)(t.hi[0] + t.bytes);
        any = true;
    }
    return true;
}
