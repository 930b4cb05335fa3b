/* occupancy.h - how many work-groups one unit holds at a time ([W] eq. 1-7, 9).
 *
 * Pure arithmetic on integers; nothing can fail. */
#pragma once

#include "select/select.h"

/* What one work-group of a candidate asks for. */
struct occ_need {
    uint64_t items;       /* work-items per group; 0 is infeasible */
    uint64_t warps;       /* warps per group, see occ_warps() */
    uint64_t registers;   /* N_reg: 32-bit registers per work-item; 0 = unknown, never a limit */
    uint64_t local_bytes; /* N_sm: static and argument __local bytes per group */
    uint64_t groups;      /* groups of the whole launch; 0 = do not cap */
};

struct occupancy {
    uint64_t groups;          /* N_awg, capped by the groups that exist; 0 = the size cannot launch */
    uint64_t warps;           /* N_aw = N_awg * warps per group ([W] eq. 9) */
    enum sel_limiter limiter; /* what keeps N_awg from being larger; SEL_LIM_NONE = nothing does */
};

/* Warps of one group: ceil(items / T_warp) on a GPU, whose warps wrap from row to row ([W] eq. 2);
 * ceil(lx / T_warp) * ly * lz on a CPU, whose vectors do not. */
uint64_t occ_warps(const struct device *d, const size_t local[3]);

/* Every device limit that is 0 is unlimited. */
void occ_compute(const struct device *d, const struct occ_need *need, struct occupancy *out);
