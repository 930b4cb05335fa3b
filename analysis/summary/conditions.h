/* conditions.h - integer comparisons that hold where a branch leads. */
#ifndef CLSIZER_ANALYSIS_CONDITIONS_H
#define CLSIZER_ANALYSIS_CONDITIONS_H

#include "analysis/summary/summary.h"

struct condition {
    enum sum_pred pred; /* x pred y holds */
    uint32_t x, y;
};

#define CONDITIONS_MAX 16

/* Find comparisons that hold if value `cond` (one bit) is `truth`: looks through and, or, not and the selects
 * that short-circuit evaluation becomes, and splits comparisons with a minimum or maximum.  Returns how many
 * were found; there may be others. */
unsigned conditions_of(const struct kernel_summary *k, uint32_t cond, bool truth,
                       struct condition out[CONDITIONS_MAX]);

/* A comparison as x < y (strict) or x <= y. */
struct ordering {
    uint32_t x, y;
    bool strict, is_signed;
};

/* Write a comparison as an ordering.  False for == and !=. */
bool condition_ordering(const struct condition *c, struct ordering *out);

#endif
