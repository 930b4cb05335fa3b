/* bounds.h - lower and upper bound and closed-form estimate of one round of warps ([W] eq. 11-21).
 *
 * Cycles throughout.
 *
 * [W] eq. 11 and 20 do not enclose every schedule of [W] 5.2: with unequal operations eq. 16 overestimates
 * the least time of a part, and eq. 20, meant as "synchronised at every instruction", counts that wait only
 * once per part.  The bounds here hold for every schedule in which no part idles while a warp waits for it:
 *
 *   best   no warp is faster than its own operations in a row; no part than all that it is held for.
 *   worst  follow the warp that finishes last backwards (at a barrier: the warp that arrived last).  At any
 *          time it executes an operation of its own or waits for a part that is held.  So the time is at most
 *          its own operations in a row plus all that all parts are held for.
 *
 * Both use sums only, so they hold too when operations are put together or loops shortened as long as the
 * sums stay the same (program.c). */
#pragma once

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
    double warps;
    const struct demand *part; /* PARTS; borrowed */
};

struct bounds {
    double best, worst; /* of one round */
};

/* L_c(i), [W] eq. 16 with the sums of latency and delay instead of kappa equal ones:
 * max(N*D, L) + (min(N*D, L) - D) / kappa; 0 when kappa = 0.
 * N < 1: the trace is in that fraction of rounds. */
double bounds_part(const struct demand *d, double warps);

/* Bounds of a round of whole warps.  `barrier`: warps of different groups g[] may wait for each other.  Total
 * for any input that is finite and not negative. */
void bounds_round(const struct warp_group *g, unsigned n, bool barrier, struct bounds *out);

/* Closed-form estimate of a round, between [W] eq. 11 and eq. 20 by how many warps hide each other's waiting.
 * N_i may be fractions: averages over rounds. */
double bounds_time(const struct warp_group *g, unsigned n);
