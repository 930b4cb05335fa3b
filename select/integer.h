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

/* |v|, INT64_MAX at most. */
static inline uint64_t sel_magnitude(int64_t v)
{
    return v == INT64_MIN ? INT64_MAX : (uint64_t)(v < 0 ? -v : v);
}

/* The logarithm to base 2, rounded down; 0 for 0. */
static inline int sel_log2(uint64_t v)
{
    return v ? 63 - __builtin_clzll(v) : 0;
}
