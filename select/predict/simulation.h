/* simulation.h - sel_estimate() with simulated times, for `clsizer predict`; the preloaded library carries
 * none of it. */
#pragma once

#include "select/time/estimate.h"
#include "select/predict/simulate.h"

#define EST_PROGRAM 2048 /* operations of one warp that are simulated */

/* Where candidate.time_ns comes from. */
enum sel_model {
    SEL_MODEL_BOUNDS,  /* a closed form: microseconds for thousands of candidates */
    SEL_MODEL_SIM,     /* simulation of one round of warps for what is kept, else the closed form */
    SEL_MODEL_SIM_ALL, /* simulation of the pruned ones too: to check pruning */
    SEL_MODEL_MWP,     /* [C]'s (select/time/mwp.h); GPUs only */
    SEL_MODEL_PARAM,   /* [R]'s (select/time/param.h); GPUs only */
    SEL_MODEL_MEDIAN,  /* of the closed form, the simulation and [C]'s; GPUs only */
    SEL_MODEL_LEARNED, /* from sizes that were measured (ranking.c), on top of what is usual for the device */
};

/* sel_estimate() with another model. */
int sel_estimate_by(enum sel_model model, const struct kernel_summary *k, const struct launch *l,
                    const struct device *d, struct candidate *c, unsigned n, struct sel_work *w,
                    struct sel_estimate *out);

/* Simulated time of an average round, in cycles. */
double est_simulate(struct sel_work *w, const struct est_case *c);

/* program.c: the operations of one warp in order, about `want` of them; their sums are `total`.  `op` has
 * room for EST_PROGRAM.  Returns how many. */
uint32_t est_program(const struct sel_work *w, const struct est_trace *t, const struct reuse *r,
                     const struct demand *total, uint32_t want, struct sim_op *op);
