/* affine.h - the values of a body as polynomials over launch-time symbols.
 *
 * Every value of the body gets a polynomial P with integer coefficients such that, at every point where the
 * value can be used,  value == P (mod 2^min(bits, wrap))  with `bits` the value's width.  Symbols are
 * integers.  A value that is not the sum or product of others is a symbol itself (AFF_VALUE), so equal things
 * cancel even where nothing is known about them.
 *
 * Two readings, by aff_options.launch:
 *
 *   exact   (false) P always holds.  Extensions are symbols of their own, because sext(a + b) is not
 *           sext(a) + sext(b).  The taint analysis needs this: if no symbol of P depends on the local size,
 *           the value does not either.
 *   launch  (true) an extension has the polynomial of its source, and `wrap` is the narrowest width that was
 *           extended: value == P holds only modulo 2^wrap.  Phis that step by a launch-wide constant become
 *           init + step * LOOP.  Race-freedom needs this (select/prove/disjoint.c).
 *
 * Some polynomials hold only under assumptions, which the launch checks; the bits of aff_value.need and
 * .exact number them.  mul24(x, y) is x * y if both fit 24 bits (else the specification leaves the result
 * open).  An extension is the polynomial of its source over the integers, not only modulo 2^wrap, if that
 * fits the source's width.  The minimum or maximum of it and what is launch-wide is taken for the polynomial
 * of the one that is not, as long as that is on its side.
 *
 * A phi of a loop that advances by multiples of a launch-wide step, but not by the same one each time -
 * because an inner loop advances it, too, or does so in its place, or because only some iterations do - is
 * init + step * COUNT.  Of COUNT no more is known than its bound, which the launch computes: what one
 * iteration adds at most, times the iterations.  Where that is of no use, as for a pointer that an inner loop
 * moves along a row and the outer one to the next row, and the inner loop ends by its header's test alone,
 * LOOP < n, then n is taken for what its LOOP has become, under the assumption that n is not negative.
 *
 * A phi where two paths meet, or a select, whose values a and b differ by a launch-wide amount, is
 * a + (b - a) * LOOP, where LOOP stands for the choice: a loop that has run 0 or 1 times (AFF_LOOP).  All
 * phis of a block share one such symbol, and so do all selects by one condition.
 *
 * Both readings use these identities of OpenCL, which hold if all work-groups have one size (`used_uniform`):
 *   group_id * local_size + local_id = global_id - global_offset,  num_groups * local_size = global_size.
 * With aff_options.id_bits, both readings also take an extension, or a mul24(), of ids and sizes for what it
 * is over the integers, where that fits the narrower width in every launch whose offset + global size is
 * below 2^id_bits in each dimension (aff_poly_fits).
 *
 * And these of integers:  x urem w = x - w * (x udiv w), likewise signed, shifts and masks; where m + 1 and j
 * are powers of two, which the launch checks, x & m = x - (m + 1) * (x udiv (m + 1)) and x ^ j = x + j - 2 *
 * j * (bit of x that j is); where c is a constant, x ^ c = x + c - 2 * (x & c), whose bits are those of
 * quotients by powers of two.  Where w is 0 the first one says nothing true; the launch refuses such a
 * quotient, but sees none where x udiv w * w + x urem w has become x.
 *
 * Sources: array dependence analysis as in Banerjee, "Dependence Analysis for Supercomputing", ch. 2; the
 * work-item identities are the OpenCL specification's, section 3.2.1 "Mapping work-items onto an NDRange". */
#pragma once

#include "analysis/prove/affine_poly.h"
#include "analysis/prove/roots.h"

/* How far the integer P can be trusted beyond the congruence. */
enum aff_trust {
    AFF_CONGRUENT, /* value == P modulo 2^bits */
    AFF_EXTENDED,  /* the value is one extension, of at least 32 bits: equals P wherever 0 <= P < 2^31 */
    AFF_MIXED      /* value == P modulo 2^wrap only */
};

struct aff_value {
    uint32_t first, n; /* terms in aff.pool; first == AFF_SELF: the polynomial is the value's own symbol */
    uint8_t wrap;      /* 1..64 */
    uint8_t trust;     /* enum aff_trust */
    uint64_t need;     /* assumptions without which the polynomial does not hold */
    uint64_t exact; /* further assumptions under which value == P modulo 2^bits, even if `trust` says less; 0
                       if `trust` says that much */
};
#define AFF_SELF UINT32_MAX

/* An assumption: `poly` fits an integer of `bits` bits whenever the value that needs it is used. */
struct aff_assumption {
    uint8_t bits;
    bool is_signed;
    struct aff_poly poly;
};
/* The most assumptions of a kernel.  The last bit stands for one that never holds, for when the table is
 * full. */
#define AFF_ASSUMPTIONS 63
#define AFF_NEVER       ((uint64_t)1 << AFF_ASSUMPTIONS)

/* An induction variable: phi = init + step * LOOP.  Or a counter: phi = init + step * COUNT, where each
 * iteration adds something to COUNT that is not negative and at most `gain`. */
struct aff_induction {
    uint32_t phi, loop, init; /* value, loop of the cfg, value */
    struct aff_poly step;     /* launch-wide */
    struct aff_poly rounds;   /* of a loop inside, on which `step` relies: not negative; 0: of none */
    bool counter;
    struct aff_poly
        gain; /* of LOOPs and COUNTs, as seen from the loop's header; no coefficient is negative */
};

/* floor((x + lift) / (times * w + plus)), or the operation that `kind` says. */
struct aff_quotient {
    uint8_t op;   /* SUM_UDIV, SUM_SDIV, or SUM_ASHR: by a power of two, rounded down */
    uint8_t kind; /* enum sum_quotient */
    uint8_t times, plus;
    uint32_t x, w; /* operand values; w CFG_NONE: the constant `divisor` */
    uint64_t divisor;
    int64_t lift;   /* makes x no longer negative; a multiple of the divisor */
    uint32_t value; /* one that is this quotient; CFG_NONE */
};

struct aff_options {
    bool launch;
    const bool *constant; /* launch only, per value: the same for every work-item at all times */
    uint8_t id_bits;      /* kernel_summary.id_bits that the caller will require of launches; 0: none */
};

struct aff {
    const struct kernel_summary *k;
    struct cfg *cfg;
    const struct roots *roots;
    struct aff_options opt;
    struct aff_value *value;
    struct aff_term *pool;
    uint32_t npool;
    bool *numbered;         /* value: computed from a group's number, in the view of one */
    uint32_t *induction_of; /* phi -> induction, CFG_NONE */
    struct aff_induction *induction;
    uint32_t ninduction;
    struct aff_quotient *quotient;
    uint32_t nquotient;
    struct aff_assumption *assumption;
    uint32_t nassumption;
    uint32_t block;                  /* being computed */
    bool used_uniform, used_id_bits; /* what was found relies on groups of one size, on opt.id_bits */
};

/* Compute the polynomials of all values, which go with the graph.  Requires sum_check(k) == 0.  The arguments
 * must outlive *a. */
void aff_build(const struct kernel_summary *k, struct cfg *c, const struct roots *r,
               const struct aff_options *opt, struct aff *a);

/* The polynomial of value v as an integer, in which pointers (roots.pointer) are symbols. */
void aff_integer(const struct aff *a, uint32_t v, struct aff_poly *out, struct aff_value *info);

/* The polynomial of address v in bytes from its root. */
void aff_address(const struct aff *a, uint32_t v, struct aff_poly *out, struct aff_value *info);

/* out = x + f * y.  False if it has more than AFF_TERMS terms.  `out` may be x. */
bool aff_add(struct aff *a, const struct aff_poly *x, int64_t f, const struct aff_poly *y,
             struct aff_poly *out);

/* p += c; p *= f.  Likewise. */
bool aff_add_constant(struct aff *a, struct aff_poly *p, int64_t c);
bool aff_scale(struct aff *a, struct aff_poly *p, int64_t f);

/* Split p = rest + s * factor.  False if s occurs in a power. */
bool aff_split(struct aff *a, const struct aff_poly *p, aff_sym s, struct aff_poly *rest,
               struct aff_poly *factor);

/* Nothing but launch-wide symbols? */
bool aff_launch_wide(const struct aff *a, const struct aff_poly *p);

/* The bits of v that may be set, as seen from a few instructions. */
uint64_t aff_possible_bits(const struct kernel_summary *k, uint32_t v);

/* The polynomial holds modulo the value's own width, on no condition. */
bool aff_certain(const struct aff_value *info);

/* The parts of aff_build(): *a without polynomials; those of all values, phis of loops being symbols where
 * a->induction_of has nothing better. */
void aff_begin(const struct kernel_summary *k, struct cfg *c, const struct roots *r,
               const struct aff_options *opt, struct aff *a);
void aff_compute(struct aff *a);
