/* features.h - a candidate as numbers, by which launches of different kernels are compared ([L] Table 1). */
#pragma once

#include "select/time/estimate.h"

#define EST_FEATURE_TIME (SEL_FEATURES - 1) /* predicted time, by the shortest of the launch */

extern const char *const est_feature_names[SEL_FEATURES];

/* Fill candidate.x: thousandths of logarithms, log2(1 + x), of everything but shares.  `e`: the candidate's
 * case; `best_ns`: the shortest time that is predicted for the launch. */
void est_features(const struct sel_work *w, const struct est_case *e, const struct candidate *c,
                  double best_ns, uint16_t out[SEL_FEATURES]);
