/* access.h - where a kernel touches the memory of its arguments, as polynomials (k->access), and how often
 * its loops run at most (k->loops). */
#pragma once

#include "analysis/prove/steady.h"
#include "analysis/prove/taint.h"

/* A loop's bound in terms of affine.h, before it becomes a struct sum_loop. */
struct bound {
    bool found;
    bool conditional;  /* it holds only if `range` and `assumed` do, or its step is symbolic */
    uint64_t assumed;  /* bits of aff.assumption */
    uint32_t from, to; /* it holds behind this control-flow edge */
    struct aff_poly limit, step;
    unsigned nrange;
    struct aff_assumption range[3];
};

/* Find a bound for loop `l` of the cfg; out->found is false if there is none (bounds.c). */
void bound_loop(struct aff *a, uint32_t l, struct bound *out);

/* Fill k->access and k->loops.  `launch`: the launch reading of affine.h; `constant`: as in aff_options;
 * `steady`: of the view of a group, or NULL.
 * Requires k->args[].may_write, and k->access and k->loops empty.  False if there are more accesses than
 * a summary may hold. */
bool access_build(struct kernel_summary *k, const struct roots *r, struct aff *launch, const bool *constant,
                  struct steady *steady);
