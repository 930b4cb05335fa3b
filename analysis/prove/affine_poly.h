/* affine_poly.h - arithmetic of polynomials over launch-time symbols (affine.h says what they stand for).
 *
 * Coefficients are integers modulo 2^64.  Sums and products apply the work-item identities that affine.h
 * lists.  If they do, they set *uniform, because the result then holds only if all work-groups have one
 * size. */
#pragma once

#include "analysis/summary/summary.h"

/* A symbol: kind and index in one word.  The first ones, in this order, have a counterpart in enum
 * sum_sym_kind. */
enum aff_kind {
    AFF_GID, /* dimension */
    AFF_OFFSET,
    AFF_GSIZE,
    AFF_ARG,  /* argument, sign-extended */
    AFF_ARGZ, /* argument, zero-extended */
    AFF_LOOP, /* loop of the cfg: number of completed iterations; cfg.nloop + block: which of the two edges
                 into the block was taken last; cfg.nloop + cfg.nblock + value: that condition */
    AFF_LID,  /* dimension */
    AFF_LSIZE,
    AFF_GROUP,
    AFF_NGROUPS,
    AFF_VALUE,    /* the value itself, read as a signed number */
    AFF_QUOTIENT, /* index into aff.quotient: the quotient of two values, read as a signed number */
    AFF_COUNT,    /* index into aff.induction: what a counter has gained since its loop was entered */
};
typedef uint32_t aff_sym;
#define AFF_SYM(kind, index) ((aff_sym)(kind) << 28 | (aff_sym)(index))
#define AFF_KIND(s)          ((enum aff_kind)((s) >> 28))
#define AFF_INDEX(s)         ((s)&0xfffffffu)

struct aff_term {
    uint64_t coef; /* modulo 2^64; sign-extended from the value's width */
    uint32_t n;
    aff_sym sym[SUM_TERM_SYMS]; /* ascending */
};

/* The most terms of a polynomial.  A value that would need more becomes a symbol. */
#define AFF_TERMS 24
struct aff_poly {
    uint32_t n;
    struct aff_term
        term[AFF_TERMS]; /* ascending by symbols; no zero coefficient; the constant stands first */
};

/* out = x + f * y.  False, with *out unchanged, if it has more than AFF_TERMS terms.  `out` may be x or y. */
bool aff_poly_add(const struct aff_poly *x, int64_t f, const struct aff_poly *y, struct aff_poly *out,
                  bool *uniform);

/* out = x * y.  False, with *out unchanged, if it has more than AFF_TERMS terms or a term would have more
 * than SUM_TERM_SYMS symbols.  `out` may be x or y. */
bool aff_poly_multiply(const struct aff_poly *x, const struct aff_poly *y, struct aff_poly *out,
                       bool *uniform);

/* Reduce the coefficients modulo 2^bits, sign-extended. */
void aff_normalise(struct aff_poly *p, unsigned bits);

/* p = c; p = s. */
void aff_set_constant(struct aff_poly *p, uint64_t c);
void aff_set_sym(struct aff_poly *p, aff_sym s);

/* Are all coefficients so small that the sum or difference of such polynomials is that of the integers, too?
 * Others are right only modulo 2^64. */
bool aff_is_small(const struct aff_poly *p);

/* Is p a constant (then *c is its value), or a single symbol (then *s)?  What is stored means nothing
 * otherwise. */
bool aff_is_constant(const struct aff_poly *p, uint64_t *c);
bool aff_is_sym(const struct aff_poly *p, aff_sym *s);

/* Are the two equal, term by term? */
bool aff_equal(const struct aff_poly *x, const struct aff_poly *y);

/* Is p, over the integers, in the range of an integer of `bits` bits at every work-item of a launch with
 * offset + global size < 2^id_bits in each dimension?  Only sums of ids and sizes can be (no arguments);
 * false if id_bits is 0. */
bool aff_poly_fits(const struct aff_poly *p, unsigned id_bits, unsigned bits, bool is_signed);
