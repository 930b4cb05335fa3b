/* affine.c - see affine.h. */
#include "analysis/prove/affine.h"
#include "analysis/summary/integer.h"

#include <string.h>

/* Quotients remembered per kernel; a search for an equal one is linear. */
#define MAX_QUOTIENT 128
/* Operations looked through to see which bits are zero. */
#define BIT_DEPTH 8
/* The most that is added to a number before it is shifted, as a power of two. */
#define MOST_LIFT 20

bool aff_add(struct aff *a, const struct aff_poly *x, int64_t f, const struct aff_poly *y,
             struct aff_poly *out)
{
    return aff_poly_add(x, f, y, out, &a->used_uniform);
}

bool aff_add_constant(struct aff *a, struct aff_poly *p, int64_t c)
{
    struct aff_poly constant;
    aff_set_constant(&constant, (uint64_t)c);
    return aff_add(a, p, 1, &constant, p);
}

bool aff_scale(struct aff *a, struct aff_poly *p, int64_t f)
{
    return aff_add(a, &(struct aff_poly){0}, f, p, p);
}

static bool multiply(struct aff *a, const struct aff_poly *x, const struct aff_poly *y, struct aff_poly *out)
{
    return aff_poly_multiply(x, y, out, &a->used_uniform);
}

bool aff_split(struct aff *a, const struct aff_poly *p, aff_sym s, struct aff_poly *rest,
               struct aff_poly *factor)
{
    static const struct aff_poly zero;
    *rest = *factor = zero;
    for (uint32_t i = 0; i < p->n; i++) {
        struct aff_poly one = {.n = 1, .term = {{.coef = p->term[i].coef}}};
        struct aff_term *t = &one.term[0];
        unsigned power = 0;
        for (uint32_t j = 0; j < p->term[i].n; j++)
            if (p->term[i].sym[j] == s)
                power++;
            else
                t->sym[t->n++] = p->term[i].sym[j];
        struct aff_poly *into = power ? factor : rest;
        if (power > 1 || !aff_add(a, into, 1, &one, into))
            return false;
    }
    return true;
}

bool aff_launch_wide(const struct aff *a, const struct aff_poly *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t j = 0; j < p->term[i].n; j++) {
            aff_sym s = p->term[i].sym[j];
            bool good = AFF_KIND(s) == AFF_OFFSET || AFF_KIND(s) == AFF_GSIZE || AFF_KIND(s) == AFF_ARG ||
                        AFF_KIND(s) == AFF_ARGZ ||
                        (AFF_KIND(s) == AFF_VALUE && a->opt.constant[AFF_INDEX(s)]);
            if (!good)
                return false;
        }
    return true;
}

/* ---- values ---------------------------------------------------------------------------------------- */

static const struct aff_value self_value = {.first = AFF_SELF, .wrap = 64, .trust = AFF_CONGRUENT};

void aff_address(const struct aff *a, uint32_t v, struct aff_poly *out, struct aff_value *info)
{
    *info = a->value[v];
    if (info->first == AFF_SELF) {
        aff_set_sym(out, AFF_SYM(AFF_VALUE, v));
        return;
    }
    out->n = info->n;
    if (info->n)
        memcpy(out->term, a->pool + info->first, info->n * sizeof(*out->term));
}

void aff_integer(const struct aff *a, uint32_t v, struct aff_poly *out, struct aff_value *info)
{
    if (!a->roots->pointer[v]) {
        aff_address(a, v, out, info);
        return;
    }
    *info = self_value; /* the stored polynomial is relative to the root */
    aff_set_sym(out, AFF_SYM(AFF_VALUE, v));
}

static void store(struct aff *a, uint32_t v, const struct aff_poly *p, const struct aff_value *info)
{
    a->value[v] = *info;
    a->value[v].first = a->npool;
    a->value[v].n = p->n;
    for (uint32_t i = 0; i < p->n; i++) {
        a->pool = must_grow_array(a->cfg, a->pool, a->npool, sizeof(*a->pool));
        a->pool[a->npool++] = p->term[i];
    }
}

/* The wrap, trust and assumptions of a sum or product of x and y, which have `bits` bits. */
static struct aff_value combine(const struct aff_value *x, const struct aff_value *y, unsigned bits)
{
    struct aff_value r = *x;
    if (y->wrap < x->wrap)
        r = *y;
    r.trust = AFF_MIXED;
    r.need = x->need | y->need;
    r.exact = x->exact | y->exact;
    if (r.wrap >= bits) {
        r.wrap = 64;
        r.trust = AFF_CONGRUENT;
        r.exact = 0;
    }
    return r;
}

/* The assumption that p fits an integer of `bits` bits, as a set of one. */
static uint64_t assume(struct aff *a, unsigned bits, bool is_signed, const struct aff_poly *p)
{
    struct aff_assumption *as = a->assumption;
    uint32_t i = 0;
    uint64_t c;
    if (aff_is_constant(p, &c)) {
        uint64_t low = bits >= 64 ? c : c & ((1ull << bits) - 1);
        const bool fits = is_signed ? (uint64_t)sum_signed(low, bits) == c : low == c && c <= INT64_MAX;
        return fits ? 0 : AFF_NEVER; /* as an integer, it is signed */
    }
    while (i < a->nassumption &&
           (as[i].bits != bits || as[i].is_signed != is_signed || !aff_equal(&as[i].poly, p)))
        i++;
    if (i == AFF_ASSUMPTIONS)
        return AFF_NEVER;
    if (i == a->nassumption)
        as[a->nassumption++] = (struct aff_assumption){(uint8_t)bits, is_signed, *p};
    return (uint64_t)1 << i;
}

/* Integer symbols of the leaves.  False: the leaf is its own symbol. */
static bool leaf_poly(struct aff *a, uint32_t v, struct aff_poly *p)
{
    static const uint8_t kinds[] = {
        [SUM_WI_GLOBAL_ID] = AFF_GID,        [SUM_WI_GLOBAL_SIZE] = AFF_GSIZE,
        [SUM_WI_GLOBAL_OFFSET] = AFF_OFFSET, [SUM_WI_LOCAL_ID] = AFF_LID,
        [SUM_WI_LOCAL_SIZE] = AFF_LSIZE,     [SUM_WI_ENQUEUED_LOCAL_SIZE] = AFF_LSIZE,
        [SUM_WI_GROUP_ID] = AFF_GROUP,       [SUM_WI_NUM_GROUPS] = AFF_NGROUPS,
    };
    const struct kernel_summary *k = a->k;
    const struct sum_insn *in = &k->insns[v];
    if (in->op == SUM_CONST) {
        aff_set_constant(p, (uint64_t)in->imm);
        return true;
    }
    if (in->op == SUM_ARG) {
        const struct sum_arg *arg = &k->args[in->imm];
        aff_set_sym(p, AFF_SYM(AFF_ARG, in->imm));
        return arg->kind == SUM_ARG_SCALAR && in->lanes == 1 && !(in->flags & SUM_F_PART) &&
               !(in->flags & SUM_F_FLOAT) && in->bits == 8 * (uint64_t)arg->size;
    }
    if (in->op != SUM_WI || in->sub >= SUM_WI_GLOBAL_LINEAR_ID)
        return false;
    a->used_uniform |= in->sub == SUM_WI_ENQUEUED_LOCAL_SIZE; /* else the last group may be smaller */
    aff_set_sym(p, AFF_SYM(kinds[in->sub], in->imm));
    return true;
}

/* get_global_linear_id() = ((g2 - o2) * s1 + (g1 - o1)) * s0 + (g0 - o0); ids of unused dimensions are 0 and
 * their sizes 1, so this holds for every work_dim (OpenCL C 3.0, 6.15.1). */
static bool linear_id(struct aff *a, struct aff_poly *p)
{
    struct aff_poly s, x;
    p->n = 0;
    for (unsigned d = 3; d-- > 0;) {
        aff_set_sym(&s, AFF_SYM(AFF_GSIZE, d));
        if (!multiply(a, p, &s, p))
            return false;
        aff_set_sym(&x, AFF_SYM(AFF_GID, d));
        aff_set_sym(&s, AFF_SYM(AFF_OFFSET, d));
        if (!aff_add(a, p, 1, &x, p) || !aff_add(a, p, -1, &s, p))
            return false;
    }
    return true;
}

bool aff_certain(const struct aff_value *info)
{
    return info->trust == AFF_CONGRUENT && info->need == 0;
}

/* The symbol of a quotient, made if new; false when the table is full.  Two quotients are one if their
 * operands are, or if those are congruent to equal polynomials of one width. */
static bool quotient(struct aff *a, const struct aff_quotient *want, struct aff_poly *p)
{
    struct aff_poly px, pw, qx, qw;
    struct aff_value ix, iw, jx, jw;
    const uint32_t x = want->x, w = want->w;
    uint32_t i;
    aff_integer(a, x, &px, &ix);
    for (i = 0; i < a->nquotient; i++) {
        const struct aff_quotient *q = &a->quotient[i];
        if (q->op != want->op || q->lift != want->lift || q->kind != want->kind || q->times != want->times ||
            q->plus != want->plus || (q->w == CFG_NONE) != (w == CFG_NONE) ||
            (w == CFG_NONE && q->divisor != want->divisor))
            continue;
        aff_integer(a, q->x, &qx, &jx);
        bool same = q->x == x || (a->k->insns[x].bits == a->k->insns[q->x].bits && aff_certain(&ix) &&
                                  aff_certain(&jx) && aff_equal(&px, &qx));
        if (same && w != CFG_NONE && q->w != w) {
            aff_integer(a, w, &pw, &iw);
            aff_integer(a, q->w, &qw, &jw);
            same = aff_certain(&iw) && aff_certain(&jw) && aff_equal(&pw, &qw);
        }
        if (same)
            break;
    }
    if (i == MAX_QUOTIENT)
        return false;
    if (i == a->nquotient)
        a->quotient[a->nquotient++] = *want;
    if (a->quotient[i].value == CFG_NONE)
        a->quotient[i].value = want->value;
    aff_set_sym(p, AFF_SYM(AFF_QUOTIENT, i));
    return true;
}

/* The quotient (rem false) or remainder of x by the value w or, when that is CFG_NONE, by `divisor`. */
static bool divide(struct aff *a, unsigned op, bool rem, uint32_t v, uint32_t x, uint32_t w, uint64_t divisor,
                   struct aff_poly *p, struct aff_value *info)
{
    const struct aff_quotient want = {(uint8_t)op, SUM_Q_DIVIDE, 1, 0, x, w, divisor, 0, rem ? CFG_NONE : v};
    struct aff_poly px, pw, pq;
    struct aff_value ix, iw = self_value;
    bool evaluated = a->opt.constant && a->opt.constant[v]; /* by the launch, exactly */
    if (evaluated || !quotient(a, &want, p))
        return false;
    *info = self_value;
    if (!rem)
        return true;
    aff_integer(a, x, &px, &ix);
    if (w == CFG_NONE)
        aff_set_constant(&pw, divisor);
    else
        aff_integer(a, w, &pw, &iw);
    *info = combine(&ix, &iw, a->k->insns[v].bits);
    return pw.n > 0 && multiply(a, &pw, p, &pq) && aff_add(a, &px, -1, &pq, p); /* x urem 0 is not x */
}

/* If exactly one operand of v is launch-wide, true, with *m that operand and *x the other one. */
static bool split_launch_wide(const struct aff *a, uint32_t v, uint32_t *m, uint32_t *x)
{
    uint32_t first = sum_opnd(a->k, v, 0), second = sum_opnd(a->k, v, 1);
    if (!a->opt.launch || a->k->insns[v].lanes != 1 || a->opt.constant[first] == a->opt.constant[second])
        return false;
    *m = a->opt.constant[first] ? first : second;
    *x = a->opt.constant[first] ? second : first;
    return true;
}

/* x & m = x - (m + 1) * Q, Q by m + 1;  x ^ m = x + m - 2 * m * (Q1 - 2 * Q2), Q1 by m, Q2 by 2 * m. */
static bool bitwise_launch(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const bool is_and = a->k->insns[v].op == SUM_AND;
    struct aff_poly px, pm, by, bit, twice;
    struct aff_value ix, im;
    uint32_t m, x;
    if (a->k->insns[v].op == SUM_OR || !split_launch_wide(a, v, &m, &x))
        return false;
    if (!quotient(a, &(struct aff_quotient){SUM_UDIV, SUM_Q_POWER, 1, is_and, x, m, 0, 0, CFG_NONE}, &bit))
        return false;
    aff_integer(a, x, &px, &ix);
    aff_integer(a, m, &pm, &im);
    *info = combine(&ix, &im, a->k->insns[v].bits);
    if (is_and)
        return aff_add_constant(a, &pm, 1) && multiply(a, &pm, &bit, &by) && aff_add(a, &px, -1, &by, p);
    return quotient(a, &(struct aff_quotient){SUM_UDIV, SUM_Q_POWER, 2, 0, x, m, 0, 0, CFG_NONE}, &twice) &&
           aff_add(a, &bit, -2, &twice, &bit) && multiply(a, &pm, &bit, &by) && aff_add(a, &px, 1, &pm, p) &&
           aff_add(a, p, -2, &by, p);
}

/* x >> s, s launch-wide. */
static bool shift_launch(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const uint8_t op = a->k->insns[v].op == SUM_ASHR ? SUM_ASHR : SUM_UDIV;
    uint32_t s, x;
    if (!split_launch_wide(a, v, &s, &x) || s != sum_opnd(a->k, v, 1))
        return false;
    *info = self_value;
    return quotient(a, &(struct aff_quotient){op, SUM_Q_SHIFT, 1, 0, x, s, 0, 0, CFG_NONE}, p);
}

/* x << c, of a bit that the launch knows, which LLVM makes of c ? 2 * x : x.  Read as signed, it is 0 or -1.
 */
static bool shift_by_bit(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const uint32_t by = sum_opnd(a->k, v, 1),
                   bit = a->k->insns[by].op == SUM_ZEXT ? sum_opnd(a->k, by, 0) : by;
    struct aff_poly x, chosen;
    if (bit == by || a->k->insns[bit].bits != 1 || !a->opt.launch || !a->opt.constant[bit] ||
        a->opt.constant[v])
        return false;
    aff_integer(a, sum_opnd(a->k, v, 0), &x, info);
    *info = combine(info, info, a->k->insns[v].bits);
    aff_set_sym(&chosen, AFF_SYM(AFF_VALUE, bit));
    return multiply(a, &chosen, &x, &chosen) && aff_add(a, &x, -1, &chosen, p);
}

/* The constant that operand i of v is; false if it is none. */
static bool constant_operand(const struct kernel_summary *k, uint32_t v, uint32_t i, uint64_t *c)
{
    const struct sum_insn *in = &k->insns[sum_opnd(k, v, i)];
    *c = (uint64_t)in->imm;
    return in->op == SUM_CONST;
}

/* Is it a value of which nothing is known? */
static bool is_not_followed(const struct aff *a, const struct aff_poly *x)
{
    aff_sym s;
    return aff_is_sym(x, &s) && AFF_KIND(s) == AFF_VALUE &&
           !(a->opt.constant && a->opt.constant[AFF_INDEX(s)]);
}

/* Are the bits c, and all below them, zero in x? */
static bool disjoint_bits(const struct aff_poly *x, const struct aff_value *info, uint64_t c)
{
    uint64_t all = c;
    if (c == 0)
        return true;
    all |= all >> 1, all |= all >> 2, all |= all >> 4, all |= all >> 8, all |= all >> 16, all |= all >> 32;
    for (uint32_t i = 0; i < x->n; i++)
        if (x->term[i].coef & all)
            return false;
    return info->wrap == 64 || all >> info->wrap == 0;
}

static uint64_t possible_bits(const struct kernel_summary *k, uint32_t v, unsigned depth)
{
    const struct sum_insn *in = &k->insns[v];
    const uint64_t all = in->bits < 64 ? (1ull << in->bits) - 1 : UINT64_MAX;
    uint64_t by;
    if (in->lanes != 1 || depth == 0)
        return all;
    switch (in->op) {
    case SUM_CONST:
        return (uint64_t)in->imm & all;
    case SUM_AND:
        return possible_bits(k, sum_opnd(k, v, 0), depth - 1) &
               possible_bits(k, sum_opnd(k, v, 1), depth - 1);
    case SUM_ZEXT:
    case SUM_TRUNC:
        return possible_bits(k, sum_opnd(k, v, 0), depth - 1) & all;
    case SUM_LSHR:
        return constant_operand(k, v, 1, &by) && by < 64
                   ? possible_bits(k, sum_opnd(k, v, 0), depth - 1) >> by
                   : all;
    case SUM_SHL:
        return constant_operand(k, v, 1, &by) && by < 64
                   ? possible_bits(k, sum_opnd(k, v, 0), depth - 1) << by & all
                   : all;
    case SUM_OR:
    case SUM_XOR:
        return possible_bits(k, sum_opnd(k, v, 0), depth - 1) |
               possible_bits(k, sum_opnd(k, v, 1), depth - 1);
    case SUM_SELECT:
        return possible_bits(k, sum_opnd(k, v, 1), depth - 1) |
               possible_bits(k, sum_opnd(k, v, 2), depth - 1);
    default:
        return all;
    }
}

uint64_t aff_possible_bits(const struct kernel_summary *k, uint32_t v)
{
    return possible_bits(k, v, BIT_DEPTH);
}

/* x | y and x ^ y are x + y where no bit is set in both, which is the form that LLVM gives to 2 * i + 1. */
static bool join(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const struct sum_insn *in = &a->k->insns[v];
    if (in->op == SUM_AND || in->lanes != 1)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t low = sum_opnd(a->k, v, i), high = sum_opnd(a->k, v, 1 - i);
        uint64_t bits = aff_possible_bits(a->k, low);
        struct aff_poly x, y;
        struct aff_value ix, iy;
        aff_integer(a, high, &x, &ix);
        aff_integer(a, low, &y, &iy);
        *info = combine(&ix, &iy, in->bits);
        if (disjoint_bits(&x, &ix, bits) || !(aff_possible_bits(a->k, high) & bits))
            return aff_add(a, &x, 1, &y, p);
    }
    return false;
}

/* floor(x / 2^s), x being the value and *px its polynomial. */
static bool shifted(struct aff *a, uint32_t x, const struct aff_poly *px, unsigned s, struct aff_poly *p)
{
    const struct aff_quotient want = {SUM_UDIV, SUM_Q_DIVIDE, 1, 0, x, CFG_NONE, 1ull << s, 0, CFG_NONE};
    if (s == 0)
        *p = *px;
    return s == 0 || (s <= 62 && quotient(a, &want, p));
}

/* Runs of ones in a constant that are followed: each needs two quotients. */
#define MOST_RUNS 4

/* x & c, of the value x with the polynomial *px.  Where the bits of c from `lo` on and below `hi` are set, it
 * has those of x: 2^lo * floor(x / 2^lo) - 2^hi * floor(x / 2^hi). */
static bool masked(struct aff *a, uint32_t x, const struct aff_poly *px, uint64_t c, struct aff_poly *p)
{
    const unsigned bits = a->k->insns[x].bits;
    struct aff_poly part;
    uint64_t first; /* the lowest bit of each run of ones, and of zeros above one */

    c = sum_low(c, bits);
    first = c ^ c << 1;
    p->n = 0;
    if (__builtin_popcountll(c & first) > MOST_RUNS)
        return false;
    for (unsigned s = 0; s < bits; s++) {
        const uint64_t bit = (uint64_t)1 << s;
        if (first & bit &&
            (!shifted(a, x, px, s, &part) || !aff_add(a, p, (int64_t)(c & bit ? bit : 0 - bit), &part, p)))
            return false;
    }
    return true;
}

/* x & c;  x | c = x + c - (x & c);  x ^ c = x + c - 2 * (x & c). */
static bool bitwise_constant(struct aff *a, uint32_t v, uint64_t c, struct aff_poly *p,
                             struct aff_value *info)
{
    const unsigned op = a->k->insns[v].op;
    const uint32_t x = sum_opnd(a->k, v, 0);
    struct aff_poly px, both;

    if (a->k->insns[v].lanes != 1 || (a->opt.constant && a->opt.constant[v]))
        return false;
    aff_integer(a, x, &px, info);
    if (is_not_followed(a, &px))
        return false; /* what is masked is a symbol of its own: more is known of it */
    *info = combine(info, info, a->k->insns[v].bits);
    if (op == SUM_AND)
        return masked(a, x, &px, c, p);
    return masked(a, x, &px, c, &both) && aff_add_constant(a, &px, (int64_t)c) &&
           aff_add(a, &px, op == SUM_OR ? -1 : -2, &both, p);
}

static bool bitwise(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    uint64_t c;

    if (join(a, v, p, info))
        return true;
    return constant_operand(a->k, v, 1, &c) ? bitwise_constant(a, v, c, p, info)
                                            : bitwise_launch(a, v, p, info);
}

/* (x - c) >> s, which is (x - c + m * 2^s >> s) - m: quotients are of what is not negative. */
static bool shift_lifted(struct aff *a, uint32_t v, unsigned s, struct aff_poly *p, struct aff_value *info)
{
    const uint32_t source = sum_opnd(a->k, v, 0);
    struct aff_poly x;
    aff_integer(a, source, &x, info);
    const int64_t c = x.n && x.term[0].n == 0 ? (int64_t)x.term[0].coef : 0;
    if (!a->opt.launch || a->opt.constant[v] || s > MOST_LIFT || c >= 0 || c < -(1 << MOST_LIFT))
        return false;
    const int64_t lift = ((-c - 1) | (((int64_t)1 << s) - 1)) + 1;
    const struct aff_quotient lifted = {SUM_ASHR, SUM_Q_DIVIDE, 1,    0,       source,
                                        CFG_NONE, 1ull << s,    lift, CFG_NONE};
    *info = self_value;
    return quotient(a, &lifted, p) && aff_add_constant(a, p, -(lift >> s));
}

static bool shift(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const struct sum_insn *in = &a->k->insns[v];
    struct aff_poly x, f;
    struct aff_value ix;
    uint64_t imm;
    if (!constant_operand(a->k, v, 1, &imm))
        return in->op == SUM_SHL ? shift_by_bit(a, v, p, info) : shift_launch(a, v, p, info);
    if (imm >= in->bits || imm > 62)
        return false;
    if (in->op == SUM_ASHR && shift_lifted(a, v, (unsigned)imm, p, info))
        return true;
    if (in->op == SUM_LSHR || in->op == SUM_ASHR)
        return divide(a, in->op == SUM_LSHR ? SUM_UDIV : SUM_ASHR, false, v, sum_opnd(a->k, v, 0), CFG_NONE,
                      1ull << imm, p, info);
    if (in->op != SUM_SHL)
        return false;
    aff_integer(a, sum_opnd(a->k, v, 0), &x, &ix);
    *info = combine(&ix, &ix, in->bits);
    aff_set_constant(&f, 1ull << imm);
    return multiply(a, &x, &f, p);
}

/* Is a value that is congruent to x modulo 2^width, width >= bits, the integer x itself, and within `bits`
 * bits, in every launch with ids as small as aff_options.id_bits says? */
static bool small_ids(struct aff *a, const struct aff_poly *x, const struct aff_value *ix, unsigned bits,
                      bool is_signed)
{
    const bool small = aff_certain(ix) && aff_poly_fits(x, a->opt.id_bits, bits, is_signed);

    a->used_id_bits |= small;
    return small;
}

/* Does the launch evaluate v exactly?  Not where it is computed from a group's number, of which only the
 * range is known. */
static bool launch_evaluates(const struct aff *a, uint32_t v)
{
    return a->opt.constant[v] && !a->numbered[v];
}

/* Extensions in the launch reading.  A symbol that stands for exactly this value read as signed needs no
 * condition when it is extended so. */
static bool extend_launch(struct aff *a, uint32_t v, const struct aff_poly *x, const struct aff_value *ix,
                          struct aff_poly *p, struct aff_value *info)
{
    const struct kernel_summary *k = a->k;
    uint32_t source = sum_opnd(k, v, 0);
    unsigned bits = k->insns[source].bits;
    bool sign = k->insns[v].op == SUM_SEXT;
    aff_sym s;
    *p = *x;
    *info = self_value;
    if (aff_certain(ix) && aff_is_sym(x, &s) && AFF_KIND(s) == AFF_ARG &&
        bits == 8 * (uint64_t)k->args[AFF_INDEX(s)].size) {
        if (!sign)
            aff_set_sym(p, AFF_SYM(AFF_ARGZ, AFF_INDEX(s)));
        return true;
    }
    if (launch_evaluates(a, v))
        return false;
    if (aff_is_sym(x, &s) && s == AFF_SYM(AFF_VALUE, source))
        return sign; /* else the extension is a symbol of its own */
    if (!sign && is_not_followed(a, x))
        return false; /* of its own, too: more is known of it */
    if (small_ids(a, x, ix, bits, sign))
        return true;
    *info = *ix;
    info->exact |= assume(a, bits, sign, x);
    if (ix->trust == AFF_CONGRUENT) {
        info->trust = bits >= 32 ? AFF_EXTENDED : AFF_MIXED;
        info->wrap = (uint8_t)bits;
    }
    return true;
}

static bool cast(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const struct kernel_summary *k = a->k;
    uint32_t source = sum_opnd(k, v, 0);
    struct aff_poly x;
    struct aff_value ix;
    uint64_t c;
    aff_integer(a, source, &x, &ix);
    if (k->insns[v].op == SUM_TRUNC) {
        *info = combine(&ix, &ix, k->insns[v].bits);
        *p = x;
        return true;
    }
    *info = self_value;
    if (aff_is_constant(&x, &c) && aff_certain(&ix)) {
        if (k->insns[v].op == SUM_ZEXT)
            c &= (1ull << k->insns[source].bits) - 1; /* the source is narrower than 64 bits */
        aff_set_constant(p, c);
        return true;
    }
    if (a->opt.launch)
        return extend_launch(a, v, &x, &ix, p, info);
    *p = x;
    return small_ids(a, &x, &ix, k->insns[source].bits, k->insns[v].op == SUM_SEXT);
}

/* mul24(x, y).  Operands that are congruent to their polynomials modulo 2^32, which fit 24 bits, are those
 * polynomials as integers, and then the specification promises their product (6.15.3; modulo 2^32). */
static bool multiply24(struct aff *a, uint32_t v, const struct aff_poly *x, const struct aff_value *ix,
                       const struct aff_poly *y, const struct aff_value *iy, struct aff_poly *p,
                       struct aff_value *info)
{
    bool sign = !(a->k->insns[v].flags & SUM_F_UNSIGNED);
    if (a->opt.launch && launch_evaluates(a, v))
        return false;
    *info = self_value;
    if (small_ids(a, x, ix, 24, sign) && small_ids(a, y, iy, 24, sign))
        return multiply(a, x, y, p);
    if (!a->opt.launch)
        return false;
    info->need =
        ix->need | ix->exact | iy->need | iy->exact | assume(a, 24, sign, x) | assume(a, 24, sign, y);
    return multiply(a, x, y, p);
}

static bool ring(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const struct sum_insn *in = &a->k->insns[v];
    struct aff_poly x, y;
    struct aff_value ix, iy;
    aff_integer(a, sum_opnd(a->k, v, 0), &x, &ix);
    aff_integer(a, sum_opnd(a->k, v, 1), &y, &iy);
    *info = combine(&ix, &iy, in->bits);
    if (in->op == SUM_MUL && (in->flags & SUM_F_24))
        return multiply24(a, v, &x, &ix, &y, &iy, p, info);
    if (in->op == SUM_MUL)
        return multiply(a, &x, &y, p);
    return aff_add(a, &x, in->op == SUM_SUB ? -1 : 1, &y, p);
}

static bool pointer_add(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    struct aff_poly x, y;
    struct aff_value ix, iy;
    aff_address(a, sum_opnd(a->k, v, 0), &x, &ix);
    aff_integer(a, sum_opnd(a->k, v, 1), &y, &iy);
    unsigned bits = a->k->insns[sum_opnd(a->k, v, 1)].bits;
    if (bits < a->k->insns[v].bits) { /* the addition extends it */
        if (!a->opt.launch)
            return false;
        iy.exact |= assume(a, bits, true, &y);
        if (bits < iy.wrap)
            iy.wrap = (uint8_t)bits;
    }
    *info = combine(&ix, &iy, a->k->insns[v].bits);
    return aff_add(a, &x, 1, &y, p);
}

static bool induction(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const struct aff_induction *ind = &a->induction[a->induction_of[v]];
    struct aff_poly loop;
    aff_set_sym(&loop, ind->counter ? AFF_SYM(AFF_COUNT, a->induction_of[v]) : AFF_SYM(AFF_LOOP, ind->loop));
    aff_address(a, ind->init, p, info);
    *info = combine(info, info, a->k->insns[v].bits);
    info->need |= assume(a, 31, false, &ind->rounds);
    return multiply(a, &loop, &ind->step, &loop) && aff_add(a, p, 1, &loop, p);
}

/* A choice between two values, by a select or where paths meet. */
struct choice {
    uint32_t no, yes;   /* values */
    uint32_t loop;      /* AFF_LOOP that stands for yes, if nothing better is known */
    uint32_t condition; /* one bit, launch-wide, true for yes; CFG_NONE */
};

/* no + (yes - no) * chosen.  If the condition is launch-wide, `chosen` is the condition itself: a bit, read
 * as signed, is 0 or -1.  Else it is an unknown 0 or 1, and the difference must be launch-wide.  Then all
 * other symbols occur in both operands: their values were made on both paths, that is before the paths
 * parted, and the use sees the last of them as it sees the last choice. Addresses are offsets from the root
 * of whichever operand was chosen, so the roots may differ. */
static bool choose(struct aff *a, uint32_t v, const struct choice *c, struct aff_poly *p,
                   struct aff_value *info)
{
    struct aff_poly no, yes, chosen;
    struct aff_value in, iy;
    bool known = c->condition != CFG_NONE;
    if (!a->opt.launch || a->k->insns[v].lanes != 1 || (a->k->insns[v].flags & SUM_F_FLOAT) ||
        (a->opt.constant[v] && a->k->insns[v].op != SUM_PHI) ||
        a->roots->pointer[c->no] != a->roots->pointer[v] || a->roots->pointer[c->yes] != a->roots->pointer[v])
        return false;
    aff_address(a, c->no, &no, &in);
    aff_address(a, c->yes, &yes, &iy);
    *info = combine(&in, &iy, a->k->insns[v].bits);
    if (!aff_add(a, &yes, -1, &no, &yes))
        return false;
    if (info->trust == AFF_CONGRUENT)
        aff_normalise(&yes, a->k->insns[v].bits);
    if (!known && !aff_launch_wide(a, &yes))
        return false;
    aff_set_sym(&chosen, known ? AFF_SYM(AFF_VALUE, c->condition) : AFF_SYM(AFF_LOOP, c->loop));
    return multiply(a, &chosen, &yes, &chosen) && aff_add(a, &no, known ? -1 : 1, &chosen, p);
}

static bool select_poly(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    uint32_t condition = sum_opnd(a->k, v, 0);
    struct choice c = {sum_opnd(a->k, v, 2), sum_opnd(a->k, v, 1), a->cfg->nloop + a->cfg->nblock + condition,
                       CFG_NONE};
    if (a->opt.launch && a->opt.constant[condition])
        c.condition = condition;
    return choose(a, v, &c, p, info);
}

/* Does the path into the block being computed through its predecessor `pred` take the edge from -> to? */
static bool came_by(const struct aff *a, uint32_t from, uint32_t to, uint32_t pred)
{
    return (pred == from && to == a->block) || cfg_edge_dominates(a->cfg, from, to, pred);
}

/* The launch-wide condition by which two paths parted that meet in the block being computed, CFG_NONE if
 * there is none; `yes` is true if the predecessor `second` stands for true. */
static uint32_t parting(const struct aff *a, uint32_t first, uint32_t second, bool *yes)
{
    const struct kernel_summary *k = a->k;
    uint32_t d = a->cfg->idom[a->block], t = k->blocks[d].end - 1;
    if (k->insns[t].op != SUM_CONDBR || !a->opt.launch || !a->opt.constant[sum_opnd(k, t, 0)])
        return CFG_NONE;
    uint32_t if_true = sum_opnd(k, t, 1), if_false = sum_opnd(k, t, 2);
    if (if_true == if_false)
        return CFG_NONE;
    *yes = came_by(a, d, if_true, second) && came_by(a, d, if_false, first);
    bool no = came_by(a, d, if_true, first) && came_by(a, d, if_false, second);
    return *yes || no ? sum_opnd(k, t, 0) : CFG_NONE;
}

/* Where any number of paths meet, with the same number by each, or the same offset from roots that may
 * differ.
 */
static bool same_by_all(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const struct sum_insn *in = &a->k->insns[v];
    struct aff_poly q;
    struct aff_value iq;
    uint64_t difference;

    if (!a->opt.launch || in->lanes != 1 || in->flags & SUM_F_FLOAT)
        return false;
    for (uint32_t i = 1; i < in->nopnd; i += 2) {
        if (a->roots->pointer[sum_opnd(a->k, v, i)] != a->roots->pointer[v])
            return false;
        aff_address(a, sum_opnd(a->k, v, i), i == 1 ? p : &q, i == 1 ? info : &iq);
        *info = combine(info, i == 1 ? info : &iq, in->bits);
        if (i > 1 && (!aff_add(a, &q, -1, p, &q) || !aff_is_constant(&q, &difference) || difference))
            return false;
    }
    return true;
}

/* A phi: of a loop, or where paths meet. */
static bool phi(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const struct sum_insn *in = &a->k->insns[v];
    bool yes;
    if (a->induction_of[v] != CFG_NONE)
        return induction(a, v, p, info);
    uint32_t l = a->cfg->loop_of[a->block];
    if (a->cfg->irreducible || (l != CFG_NONE && a->cfg->loop[l].header == a->block))
        return false; /* an operand may be of the iteration before */
    if (in->nopnd != 4)
        return same_by_all(a, v, p, info);
    if (sum_opnd(a->k, v, 0) == sum_opnd(a->k, v, 2))
        return false;
    uint32_t x =
        sum_opnd(a->k, v, 0) < sum_opnd(a->k, v, 2) ? 0 : 2; /* one meaning of 0 and 1 for all phis */
    struct choice c = {sum_opnd(a->k, v, x + 1), sum_opnd(a->k, v, 3 - x), a->cfg->nloop + a->block,
                       CFG_NONE};
    c.condition = parting(a, sum_opnd(a->k, v, x), sum_opnd(a->k, v, 2 - x), &yes);
    if (c.condition != CFG_NONE && !yes) {
        c.no = sum_opnd(a->k, v, 3 - x);
        c.yes = sum_opnd(a->k, v, x + 1);
    }
    return choose(a, v, &c, p, info);
}

/* The number that v is: the polynomial *p, under the assumptions that are added to *need. */
static bool number(struct aff *a, uint32_t v, bool is_signed, struct aff_poly *p, uint64_t *need)
{
    struct aff_value info;
    aff_integer(a, v, p, &info);
    if (info.trust != AFF_CONGRUENT && info.exact == 0)
        return false;
    *need |= info.need | info.exact | assume(a, a->k->insns[v].bits, is_signed, p);
    return true;
}

/* The larger or smaller one of x and a launch-wide y, assumed to be x: a clamp that does nothing. */
static bool clamp(struct aff *a, uint32_t v, bool largest, bool is_signed, struct aff_poly *p,
                  struct aff_value *info)
{
    const bool second = a->opt.launch && a->opt.constant[sum_opnd(a->k, v, 1)];
    struct aff_poly y, above;
    *info = self_value;
    if (!a->opt.launch || a->k->insns[v].lanes != 1 || a->opt.constant[v] ||
        !a->opt.constant[sum_opnd(a->k, v, second)] ||
        !number(a, sum_opnd(a->k, v, !second), is_signed, p, &info->need) ||
        !number(a, sum_opnd(a->k, v, second), is_signed, &y, &info->need) || !aff_is_small(p) ||
        !aff_is_small(&y) || !aff_add(a, largest ? p : &y, -1, largest ? &y : p, &above))
        return false;
    info->need |= assume(a, 63, false, &above);
    return true;
}

/* The polynomial of v; false: v is its own symbol. */
static bool value_poly(struct aff *a, uint32_t v, struct aff_poly *p, struct aff_value *info)
{
    const struct sum_insn *in = &a->k->insns[v];
    bool is_signed = in->op == SUM_SDIV || in->op == SUM_SREM;
    switch (in->op) {
    case SUM_ADD:
    case SUM_SUB:
    case SUM_MUL:
        return ring(a, v, p, info);
    case SUM_SHL:
    case SUM_LSHR:
    case SUM_ASHR:
        return shift(a, v, p, info);
    case SUM_AND:
    case SUM_OR:
    case SUM_XOR:
        return bitwise(a, v, p, info);
    case SUM_UDIV:
    case SUM_SDIV:
    case SUM_UREM:
    case SUM_SREM:
        return divide(a, is_signed ? SUM_SDIV : SUM_UDIV, in->op == SUM_UREM || in->op == SUM_SREM, v,
                      sum_opnd(a->k, v, 0), sum_opnd(a->k, v, 1), 0, p, info);
    case SUM_TRUNC:
    case SUM_ZEXT:
    case SUM_SEXT:
        return cast(a, v, p, info);
    case SUM_PTRADD:
        return pointer_add(a, v, p, info);
    case SUM_PHI:
        return phi(a, v, p, info);
    case SUM_SELECT:
        return select_poly(a, v, p, info);
    case SUM_SMIN:
    case SUM_SMAX:
        return clamp(a, v, in->op == SUM_SMAX, true, p, info);
    case SUM_UMIN:
    case SUM_UMAX:
        return clamp(a, v, in->op == SUM_UMAX, false, p, info);
    case SUM_WI:
        *info = self_value;
        return in->sub == SUM_WI_GLOBAL_LINEAR_ID ? linear_id(a, p) : leaf_poly(a, v, p);
    default:
        *info = self_value;
        return v < a->k->nleaf && leaf_poly(a, v, p);
    }
}

static void compute(struct aff *a, uint32_t v)
{
    struct aff_poly p = {0};
    struct aff_value info = self_value;
    a->value[v] = self_value;
    if (v < a->k->nleaf && a->roots->pointer[v]) {
        store(a, v, &p, &info); /* an object's own address: offset 0 from it */
    } else if (value_poly(a, v, &p, &info)) {
        aff_normalise(&p, a->k->insns[v].bits);
        store(a, v, &p, &info);
    }
}

/* In an order in which operands other than those of phis come first. */
void aff_compute(struct aff *a)
{
    a->npool = 0;
    a->nquotient = 0;
    a->nassumption = 0;
    for (uint32_t v = 0; v < a->k->ninsn; v++)
        a->value[v] = self_value;
    for (uint32_t v = 0; v < a->k->nleaf; v++)
        compute(a, v);
    for (uint32_t i = 0; i < a->cfg->nreach; i++) {
        const struct sum_block *b = &a->k->blocks[a->cfg->rpo[i]];
        a->block = a->cfg->rpo[i];
        for (uint32_t v = b->first; v < b->end; v++)
            compute(a, v);
    }
}

void aff_begin(const struct kernel_summary *k, struct cfg *c, const struct roots *r,
               const struct aff_options *opt, struct aff *a)
{
    *a = (struct aff){.k = k, .cfg = c, .roots = r, .opt = *opt};
    a->value = must_array(c, k->ninsn, sizeof(*a->value));
    a->induction_of = must_array(c, k->ninsn, sizeof(*a->induction_of));
    a->quotient = must_array(c, MAX_QUOTIENT, sizeof(*a->quotient));
    a->assumption = must_array(c, AFF_ASSUMPTIONS, sizeof(*a->assumption));
    memset(a->induction_of, 0xff, k->ninsn * sizeof(*a->induction_of));
    a->numbered = must_array(c, k->ninsn, sizeof(*a->numbered));
    for (uint32_t v = 0; v < k->ninsn; v++) {
        const struct sum_insn *in = &k->insns[v];
        a->numbered[v] = in->op == SUM_OPAQUE && in->imm && sum_launch_function(in->imm) == SUM_WI_GROUP_ID;
        for (uint32_t i = 0; i < in->nopnd; i++)
            a->numbered[v] |= !sum_operand_is_block(in, i) && a->numbered[sum_opnd(k, v, i)];
    }
}
