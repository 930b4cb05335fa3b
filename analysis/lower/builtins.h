/* builtins.h - what the helper knows about each OpenCL C built-in function.
 *
 * Built-ins are recognised by their mangled names, unless the program defines a function of that name itself.
 * A name that is not in the table is BI_UNKNOWN.  Lowering turns it into SUM_CALL, so the kernel is refused,
 * and no effect is ever overlooked. */
#pragma once

#include "analysis/summary/summary.h"

enum bi_kind {
    BI_UNKNOWN, /* not a built-in, or one with which the local size must not be changed */
    BI_PURE,    /* its result depends on its arguments alone; cost class in `cls` */
    BI_WI,      /* work-item function; sub = enum sum_wi */
    BI_ATOMIC,  /* sub = enum sum_atomic */
    BI_COMPARE, /* OpenCL 2 compare-exchange, which reads the expected value from memory */
    BI_FENCE,
    BI_BARRIER,
    BI_IMAGE_READ,
    BI_IMAGE_WRITE,
    BI_PRINTF,
    BI_IGNORE,  /* no effect on results: prefetch */
    BI_SAMPLER, /* makes a sampler from a constant */

    /* rewritten as plain LLVM IR before lowering (expand.c) */
    BI_VLOAD,
    BI_VSTORE, /* sub = enum bi_half */
    BI_OUT,    /* one result is returned, a second one stored through the last argument */
    BI_INIT,   /* atomic_init: a plain store */
    BI_CONVERT,
    BI_MIN,
    BI_MAX,
    BI_CLAMP,
    BI_ABS,
    BI_SELECT,
    BI_DOT,
    BI_MUL24,
    BI_MAD24
};

/* Element type in memory of a vload or vstore. */
enum bi_half { BI_PLAIN, BI_HALF, BI_HALF_ALIGNED };

struct bi {
    enum bi_kind kind;
    uint8_t sub;
    uint8_t cls;    /* enum sum_class, for 32-bit operands */
    uint8_t lanes;  /* vloadN, vstoreN, convert_typeN: N, else 1 */
    uint8_t ncoord; /* images: coordinates that say which texel */
    bool is_signed; /* the first parameter is a signed integer */
    bool is_float;  /* the first parameter is floating point */
    bool sampler;   /* images: the second argument is a sampler */
    bool saturate;  /* convert_*_sat */
    char name[80];  /* demangled, without parameters; what reports show for SUM_CALL */
};

/* Decode a symbol, mangled (_Z...) or plain.  Always fills *out; for BI_UNKNOWN with the best name known for
 * it. */
void bi_decode(const char *symbol, struct bi *out);

/* Of which the result's elements have the same bits as the function of single numbers gives: it is exact, or
 * computed by one instruction. */
bool bi_is_elementwise(const struct bi *bi);

/* Is what it computes the same bits in whatever code a driver makes of it?  Not where drivers estimate, have
 * libraries, or were seen to make mistakes (driver_quirks.def). */
bool bi_is_exact(const struct bi *bi);

/* Is it computed in a loop, of as many rounds as its arguments' exponents differ? */
bool bi_goes_round(const struct bi *bi);

/* The cost class for double-precision operands. */
enum sum_class bi_double_class(enum sum_class cls);
