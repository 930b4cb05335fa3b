/* bounds.h - lower and upper bound and estimate of one round of warps ([W] eq. 11-21; model.md section 6).
 *
 * Cycles throughout. */
#ifndef CLSIZER_SELECT_BOUNDS_H
#define CLSIZER_SELECT_BOUNDS_H

#include "devices/device.h"

/* What the warps of a unit share. */
enum bounds_part {
    PART_FPU,
    PART_SFU, /* arithmetic and special functions */
    PART_LM,  /* local memory */
    PART_CM,
    PART_CC, /* constant memory, constant cache */
    PART_GC1,
    PART_GC2,
    PART_GC3, /* global cache levels */
    PART_GM,  /* DRAM */
    PARTS
};

/* What one warp asks of a part: kappa operations, with their latencies and delays summed. */
struct demand {
    double count, latency, delay;
};

/* `warps` warps (N_i) that share a trace. */
struct warp_group {
    double warps; /* may be a fraction: an average over rounds */
    struct demand part[PARTS];
};

struct bounds {
    double best, worst; /* of one round */
    double time;        /* within [best, worst] */
};

/* L_c(i), [W] eq. 16 with the sums of latency and delay instead of kappa equal ones:
 * max(N*D, L) + (min(N*D, L) - D) / kappa; 0 when kappa = 0.  N < 1: the trace is in that fraction of rounds.
 */
double bounds_part(const struct demand *d, double warps);

/* Bounds of a round.  Total for any input that is finite and not negative. */
void bounds_round(const struct warp_group *g, unsigned n, struct bounds *out);

#endif
