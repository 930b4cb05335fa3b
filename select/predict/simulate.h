/* simulate.h - event-driven simulation of one round of resident warps ([W] 5.2, 6.3).
 *
 * A unit's parts (bounds.h) are held by one operation at a time: an operation waits until its part is free,
 * holds it for its delay, and is complete after its latency, when its warp goes on to the next operation.  A
 * latency below the delay means a posted operation: the warp goes on while the part is still busy.  No part
 * idles while a warp waits for it, which is what the bounds rely on (bounds.h).
 *
 * Cycles throughout.  Pure arithmetic: nothing can fail. */
#pragma once

#include "select/time/bounds.h"

#define SIM_WARPS   64    /* simulated at once; more resident warps are taken in several steps */
#define SIM_BARRIER PARTS /* sim_op.part: wait for the other warps of the group */

struct sim_op {
    uint32_t part;         /* enum bounds_part, or SIM_BARRIER */
    double latency, delay; /* finite, not negative; both 0 for a barrier */
};

/* `warps` warps that execute the same operations. */
struct sim_kind {
    const struct sim_op *op; /* borrowed */
    uint32_t nop, warps;
};

struct sim_round {
    const struct sim_kind *kind;
    unsigned kinds;    /* their warps are dealt out in turn; SIM_WARPS at most in all */
    uint32_t group;    /* warps per work-group: those that wait for each other at a barrier; at least 1 */
    bool oldest_first; /* greedy-then-oldest; else round robin */
    bool amid; /* other rounds come before and after: groups are at different places of their programs,
                  each begins anew where it ends, and ends where it began */
};

/* Time until all warps have finished and all parts are free. */
double sim_run(const struct sim_round *r);
