/* integer.h - what the integer operations of a kernel's body mean. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The low `bits` bits; all of them for 0, the width of what is no integer. */
static inline uint64_t sum_low(uint64_t v, unsigned bits)
{
    return bits == 0 || bits >= 64 ? v : v & (((uint64_t)1 << bits) - 1);
}

/* The same, read as signed. */
static inline int64_t sum_signed(uint64_t v, unsigned bits)
{
    return bits == 0 || bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* The greatest common divisor; that of a and 0 is a. */
static inline uint64_t sum_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* x op y (enum sum_op, SUM_ADD to SUM_UMAX, SUM_PTRADD) on values of `bits` bits, 1 to 64, zero-extended like
 * the result.  False where the operation is undefined, or is none of these. */
bool sum_binary(unsigned op, unsigned bits, uint64_t x, uint64_t y, uint64_t *out);

/* Likewise a comparison (enum sum_pred). */
bool sum_compare(unsigned pred, unsigned bits, uint64_t x, uint64_t y);

/* Instruction `id`, a change of width, a comparison or one of the above, of x and, where there are two, y;
 * all zero-extended.  False where it is undefined, or is none of these. */
struct kernel_summary;
bool sum_evaluate(const struct kernel_summary *k, uint32_t id, uint64_t x, uint64_t y, uint64_t *out);
