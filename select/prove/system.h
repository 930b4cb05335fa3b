/* system.h - does a system of linear conditions on integers have no solution?  Internal to select/.
 *
 * Everything here errs to one side: what cannot be represented (too many rows, numbers too large) is left
 * out, which only adds solutions.  So "impossible" is a proof, and anything else means nothing.
 *
 * Method: intervals are propagated, equalities with a coefficient of +-1 substituted, the rest eliminated
 * variable by variable (Fourier and Motzkin), each row divided by its greatest common divisor with its
 * constant rounded down, which cuts off no integer (Pugh, "The Omega Test", CACM 1992, section 2). */
#pragma once

#include "select/prove/form.h"

#define SYS_VARS   40
#define SYS_ROWS   192
#define SYS_EQUALS 24
/* Coefficients, constants and bounds stay within +-SYS_LIMIT, so that sums of products fit 128 bits. */
#define SYS_LIMIT ((sel_wide)1 << 60)

/* k + sum c[v] * variable v */
struct sys_row {
    sel_wide k;
    int64_t c[SYS_VARS];
};

struct sys {
    unsigned nvar, nrow, nequal;
    long work; /* pairs of rows that may still be looked at: some nanoseconds each */
    sel_wide lo[SYS_VARS], hi[SYS_VARS]; /* inclusive */
    struct sys_row row[SYS_ROWS];        /* each >= 0 */
    struct sys_row equal[SYS_EQUALS];    /* each == 0 */
};

/* A new variable in [lo, hi]; SYS_VARS when there is no room. */
unsigned sys_variable(struct sys *s, sel_wide lo, sel_wide hi);

/* into += f * from.  False if a number becomes too large: *into is then unusable. */
bool sys_row_add(struct sys_row *into, int64_t f, const struct sys_row *from);

/* Require r >= 0, or r == 0. */
void sys_at_least_zero(struct sys *s, const struct sys_row *r);
void sys_equal_zero(struct sys *s, const struct sys_row *r);

/* Require lo <= r <= hi.  False if a number becomes too large: the upper bound is then left out. */
bool sys_between(struct sys *s, const struct sys_row *r, sel_wide lo, sel_wide hi);

/* Rows that say r >= 0 and -r >= 0 count as r == 0 from now on: eliminating both would forget that r's
 * variables are integers. */
void sys_find_equalities(struct sys *s);

/* Smallest and largest value of r over the variables' bounds. */
void sys_interval(const struct sys *s, const struct sys_row *r, sel_wide *lo, sel_wide *hi);

/* Tighten the bounds by the rows.  True if that alone shows that there is no solution. */
bool sys_propagate(struct sys *s);

/* True: no solution.  Destroys *s, but for `work`, which says what is left; it is false when that
 * is used up. */
bool sys_impossible(struct sys *s);
