/* features.h - a candidate as numbers, by which launches of different kernels are compared ([L] Table 1). */
#pragma once

#include "select/predict/predict.h"

#define FEATURES 19

extern const char *const feature_names[FEATURES];

/* Logarithms, log2(1 + x), of everything but shares.  0, or a negative errno where the candidate has no
 * times. */
int features_of(const struct prediction *p, const struct candidate *c, double out[FEATURES]);
