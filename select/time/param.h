/* param.h - time by instruction- and thread-level parallelism ([R] 4, 5).
 *
 * An instruction takes latency / (ILP * TLP), but never less than what it serialises: its share of its
 * unit's throughput, or of the cache level that its transactions keep busy longest.  (As printed, eq. 4.5 and
 * 4.6 add the two beyond a threshold, and jump there.)  TLP is all warps that a unit holds.  One unit
 * computes and one accesses memory ([R] Alg. 5.1): while one warp accesses, others compute.  They are at one
 * stretch of the program at a time, so the unit that is busier in a stretch decides how long that takes, and
 * the first warp waits for both.  More units of a kind would change nothing: each of n has an nth of the
 * warps, and what a description says that a multiprocessor serialises takes one of them n times as long.
 * GPUs only. */
#pragma once

#include "select/time/estimate.h"

/* What one warp takes from the two units, in cycles, while the case's others share them. */
struct param_warp {
    double compute, memory;
};

/* Of entry `i` of a trace; of the stretch that begins there, all in the same loops.  Returns its end. */
struct param_warp param_entry(const struct sel_work *w, const struct est_case *c, const struct est_trace *t,
                              uint32_t i);
uint32_t param_stretch(const struct sel_work *w, const struct est_case *c, const struct est_trace *t,
                       uint32_t i, struct param_warp *out);

/* All warps that a unit holds at once; *one: an average one.  Negative when out of memory. */
double param_cycles(struct sel_work *w, const struct est_case *c, struct param_warp *one);
est_model param_time; /* the same */

/* The size that [R] 5.2 suggests: work for all units, but no more warps than a unit or a group holds. */
void param_size(const struct sel_work *w, size_t local[3]);
