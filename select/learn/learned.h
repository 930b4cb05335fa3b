/* learned.h - how good a size is, guessed from sizes of other launches that were measured ([L]): the nearest
 * ones, by the principal components of their features.
 *
 * libc is all that is needed. */
#pragma once

#include "select/learn/points.h"

#define LEARN_NEIGHBOURS 5
#define LEARN_LEAST      1e-3

struct learned {
    const struct learn_points *p;                   /* the caller's; they stay as they are */
    double mean[SEL_FEATURES], scale[SEL_FEATURES]; /* scale 0: the feature does not vary */
    unsigned components;
    double axis[SEL_FEATURES][SEL_FEATURES]; /* of each component */
    float *at;                               /* owned: p->n times components */
};

/* Eigenvalues of the symmetric a, on whose diagonal they are left, and eigenvectors, the columns of v
 * (Jacobi). */
void learned_eigen(unsigned n, double a[SEL_FEATURES][SEL_FEATURES], double v[SEL_FEATURES][SEL_FEATURES]);

/* 0 or -ENOMEM; release with learned_free(), before the points. */
int learned_make(struct learned *l, const struct learn_points *p);
void learned_free(struct learned *l);

/* Best time of its launch / time, 0..1, that a size with features x may have: the mean of LEARN_NEIGHBOURS
 * points, none of which are of `launch` (learn_launch(); 0: of any), or of the program or the kernel of
 * `left_out`, if that is not NULL.  LEARN_LEAST if that is less, or there are none. */
double learned_guess(const struct learned *l, const uint16_t x[SEL_FEATURES], uint64_t launch,
                     const struct learn_point *left_out);

double learn_root(double v); /* square root; 0 of what is not above 0 */

/* 2 to the power of so many thousandths. */
double learn_power(unsigned thousandths);
