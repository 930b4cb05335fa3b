/* access.h - fills k->access and k->loops: where the kernel touches its arguments. */
#ifndef CLSIZER_ANALYSIS_ACCESS_H
#define CLSIZER_ANALYSIS_ACCESS_H

#include "analysis/taint.h"

/* A loop's bound in terms of affine.h, before it becomes a struct sum_loop. */
struct bound_range {
    uint8_t bits;
    bool is_signed;
    struct aff_poly poly;
};
struct bound {
    bool found, conditional; /* conditional: `range` and `assumed` must hold, or the step is symbolic */
    uint64_t assumed;        /* assumptions of affine.h */
    uint32_t from, to;       /* the edge behind which it holds */
    struct aff_poly limit, step;
    unsigned nrange;
    struct bound_range range[3];
};

/* Bound loop `l` (bounds.c). */
void bound_loop(struct aff *a, uint32_t l, struct bound *out);

/* Requires: k->args[].may_write filled, k->loops and k->access empty.  0, -ENOMEM, or -E2BIG when there are
 * more accesses than a summary may hold. */
int access_build(struct kernel_summary *k, const struct roots *r, struct aff *launch, const bool *constant);

#endif
