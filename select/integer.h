/* integer.h - arithmetic of integers that several files need, and that of a kernel's body. */
#ifndef CLSIZER_SELECT_INTEGER_H
#define CLSIZER_SELECT_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

/* a / b, rounded up.  Pre: b > 0. */
static inline uint64_t sel_ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* The greatest common divisor; that of a and 0 is a. */
static inline uint64_t sel_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The low `bits` bits; all of them for 0, the width of what is no integer. */
static inline uint64_t sel_low(uint64_t v, unsigned bits)
{
    return bits == 0 || bits >= 64 ? v : v & (((uint64_t)1 << bits) - 1);
}

/* The same, read as signed. */
static inline int64_t sel_signed(uint64_t v, unsigned bits)
{
    return bits == 0 || bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* x op y (enum sum_op, SUM_ADD to SUM_UMAX, SUM_PTRADD) on values of `bits` bits, 1 to 64, zero-extended like
 * the result.  False where the operation is undefined, or is none of these. */
bool sel_binary(unsigned op, unsigned bits, uint64_t x, uint64_t y, uint64_t *out);

/* Likewise a comparison (enum sum_pred). */
bool sel_compare(unsigned pred, unsigned bits, uint64_t x, uint64_t y);

#endif
