/* scalar_ranges.h - bounds between which the scalars of a launch may move without a new proof.
 *
 * Programs count in an argument: the column of an elimination, the plane of a volume, the offset of a part. A
 * proof for each value would take longer than many a kernel gains.  So once scalars have been seen to move,
 * one is tried that holds for all values between bounds (struct launch_arg.bounded), somewhat wider than what
 * was seen.  Lock-free for who asks; ranges are never freed, as sites are not. */
#pragma once

#include <stdatomic.h>
#include "select/launch.h"

struct shim_site;
struct shim_kernel;
struct scalar_range;

#define SCALARS_MOST 8 /* that may move; others of the launch are compared */

struct scalar_bounds {
    uint64_t layout; /* args_layout() of the other arguments */
    unsigned n;
    struct {
        unsigned argument;
        int64_t least, most;
    } of[SCALARS_MOST];
};

/* All 0 at first. */
struct scalar_ranges {
    _Atomic(struct scalar_range *) proved; /* the last one; NULL: none */
    atomic_bool busy;                      /* somebody writes what follows */
    unsigned tries;                        /* proofs between bounds that were tried */
    struct scalar_bounds seen;             /* the values of the launches that were asked about */
};

/* The bounds between which what `r` is about was proved for all launches like this one; NULL: none.  Asks the
 * driver nothing, so there may be none where scalars_are_proved() says yes: of memory objects that it has not
 * seen. */
const struct scalar_range *scalars_hold(const struct scalar_ranges *r, const struct shim_site *s,
                                        const struct shim_kernel *k, const struct launch *shape);

/* Was it?  `l` is described (args_describe()). */
bool scalars_are_proved(const struct scalar_ranges *r, const struct shim_site *s, const struct shim_kernel *k,
                        const struct launch *l);

/* Is it proved now?  `judge` is asked about launches with bounds, a few times at most; if it says yes of one,
 * so will scalars_are_proved() of all launches within them.  False is no more than that: it may still hold
 * for this launch alone.  `args` are those of `l`, and as before afterwards. */
bool scalars_prove(struct scalar_ranges *r, const struct shim_site *s, const struct shim_kernel *k,
                   const struct launch *l, struct launch_arg *args,
                   bool (*judge)(void *context, const struct launch *l), void *context);
