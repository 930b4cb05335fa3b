/* integer.h - arithmetic that several files need, most of it of integers. */
#pragma once

#include <stdint.h>

/* a / b, rounded up.  Pre: b > 0. */
static inline uint64_t sel_ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline double sel_larger(double a, double b)
{
    return a > b ? a : b;
}

/* The logarithm to base 2, rounded down; 0 for 0. */
static inline int sel_log2(uint64_t v)
{
    return v ? 63 - __builtin_clzll(v) : 0;
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
