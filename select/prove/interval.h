/* interval.h - arithmetic of intervals of integers.  Internal to select/.
 *
 * Pre: bits are 1 to 64, intervals lie within their type and are not empty. */
#pragma once

#include "analysis/summary/summary.h"
#include "select/prove/form.h"

/* An integer, read as signed: lo <= x <= hi. */
struct sel_interval {
    int64_t lo, hi;
    bool not_zero;
};

/* A result over the integers, which may not fit any type. */
struct interval_exact {
    sel_wide lo, hi;
};

struct sel_interval interval_span(sel_wide lo, sel_wide hi); /* pre: both fit 64 bits */
struct sel_interval interval_all(unsigned bits);             /* all that a type holds */
struct sel_interval interval_either(struct sel_interval a, struct sel_interval b);
bool interval_same(struct sel_interval a, struct sel_interval b);

/* Are lo and hi in the range of a signed integer of `bits` bits? */
bool interval_fits(sel_wide lo, sel_wide hi, unsigned bits);

/* Are all these amounts below the width, so that the shift's result is defined? */
bool interval_shifts(struct sel_interval by, unsigned bits);

/* What lies between the least and the greatest of four numbers. */
struct interval_exact interval_corners(sel_wide a, sel_wide b, sel_wide c, sel_wide d);

struct interval_exact interval_product(struct sel_interval x, struct sel_interval y);

/* mul24() to a result of `bits` bits: anything where an operand may not fit. */
struct sel_interval interval_product24(struct sel_interval x, struct sel_interval y, bool is_unsigned,
                                       unsigned bits);

/* SUM_TRUNC, SUM_ZEXT or SUM_SEXT of `from` bits to `bits` bits. */
struct sel_interval interval_cast(unsigned op, struct sel_interval x, unsigned from, unsigned bits);

/* x op y over the integers, op from SUM_ADD to SUM_UMAX, operands read as the operation reads them.  Operands
 * that leave the result open, such as a divisor 0, are left out; where all do, it is anything. */
struct interval_exact interval_compute(unsigned op, struct sel_interval x, struct sel_interval y,
                                       unsigned bits);
