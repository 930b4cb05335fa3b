/* learned.h - how good a size is, from sizes of other launches that were measured ([L]): principal components
 * of their features, and the nearest neighbours in these. */
#ifndef CLSIZER_SELECT_LEARNED_H
#define CLSIZER_SELECT_LEARNED_H

#include "select/predict/features.h"

/* A size of a launch that was measured. */
struct point {
    double x[FEATURES];
    double time, predicted;   /* in one unit per launch */
    double y;                 /* best time of its launch / time */
    unsigned launch, program; /* numbers */
};

struct learned {
    const struct point *point;              /* the caller's */
    unsigned n, left_out;                   /* points; the program whose points are not looked at */
    double mean[FEATURES], scale[FEATURES]; /* scale 0: the feature does not vary */
    unsigned components;
    double axis[FEATURES][FEATURES]; /* of each component */
    double *at;                      /* owned: n times components */
};

/* Eigenvalues of the symmetric a, on whose diagonal they are left, and eigenvectors, the columns of v
 * (Jacobi). */
void learned_eigen(unsigned n, double a[FEATURES][FEATURES], double v[FEATURES][FEATURES]);

/* From all points but those of program `left_out`.  0 or -ENOMEM; release with learned_free(). */
int learned_make(struct learned *l, const struct point *p, unsigned n, unsigned left_out);
void learned_free(struct learned *l);

/* The y that a size with features x may have, 0..1; 0 if there are no points. */
double learned_guess(const struct learned *l, const double x[FEATURES]);

#endif
