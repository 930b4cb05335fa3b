/* conditions.h - integer comparisons that hold where a branch leads. */
#pragma once

#include "analysis/summary/cfg.h"

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

/* Find comparisons that hold in block b because the switch at the end of block d, which dominates b, has led
 * there by some of its cases.  Returns how many; 0 if the default may lead there, too. */
unsigned conditions_of_switch(const struct kernel_summary *k, const struct cfg *c, uint32_t d, uint32_t b,
                              struct condition out[2]);

/* A comparison as x < y (strict) or x <= y. */
struct ordering {
    uint32_t x, y;
    bool strict, is_signed;
};

/* Write a comparison as an ordering.  False for == and !=. */
bool condition_ordering(const struct condition *c, struct ordering *out);
