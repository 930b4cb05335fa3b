/* proofs.h - for which launches something is proved, where that depends on their arguments (arguments.h).
 *
 * Programs change arguments at every launch, and a proof may take longer than a kernel gains.  So what was
 * proved is remembered by hashes: of the launch's arguments, and of their layout, which changes less often.
 *
 * And programs count in an argument: the column of an elimination, the plane of a volume, the offset of a
 * part.  So once scalars have been seen to move, a proof is tried that holds for all values between bounds
 * (struct launch_arg.bounded), somewhat wider than what was seen.
 *
 * Lock-free.  Bounds are never freed, as sites are not. */
#pragma once

#include <stdatomic.h>
#include "select/launch.h"

struct launching;

#define PROOFS_HASHES  8 /* programs alternate between buffers */
#define PROOFS_SCALARS 8 /* that may move; others of the launch are compared */

/* A ring of the last ones. */
struct proofs_hashes {
    atomic_ullong of[PROOFS_HASHES]; /* 0 = none */
    atomic_uint made;                /* how many ever; the next one replaces the oldest */
};

/* Bounds between which scalars may move. */
struct proofs_bounds {
    uint64_t layout; /* args_layout() of the other arguments */
    unsigned n;
    struct {
        unsigned argument;
        int64_t least, most;
    } of[PROOFS_SCALARS];
};

struct proved_range;

/* All 0 at first. */
struct proofs {
    struct proofs_hashes launches;         /* args_fingerprint() of those for which it holds */
    struct proofs_hashes layouts;          /* args_layout() of those for which it was proved without bounds */
    _Atomic(struct proved_range *) range;  /* the last one that was proved; NULL: none */
    atomic_ullong refused, refused_layout; /* of the last launch for which it does not hold; 0: none */
    atomic_bool busy;                      /* somebody writes what follows */
    unsigned tries;                        /* proofs between bounds that were tried */
    struct proofs_bounds seen;             /* the values of the launches that were asked about */
};

/* Does it hold for a launch as described? */
typedef bool proofs_judge(void *context, const struct launch *launch);

/* Is it known whether it holds for this launch, *holds?  Cheap, and asks the driver nothing. */
bool proofs_know(const struct proofs *p, const struct launching *l, bool *holds);

/* Likewise if it is not, as memory objects are new: is it known by the layout of the arguments?  `args` are
 * described (args_describe()). */
bool proofs_know_layout(struct proofs *p, const struct launching *l, const struct launch_arg *args,
                        bool *holds);

/* Have it proved now, for more launches than this one if that can be, and remember what comes of it.  `judge`
 * is asked about launches with bounds, a few times at most, and if it never says yes, about this one.
 * `launch`: the launch as described, with `args`, which are as before afterwards.  *range (may be NULL): the
 * bounds between which it was proved; NULL: of this launch alone, or not. */
bool proofs_make(struct proofs *p, const struct launching *l, struct launch_arg *args,
                 const struct launch *launch, proofs_judge *judge, void *context,
                 const struct proved_range **range);

/* Remember whether it holds for a launch and so for others with this layout; 0: that tells nothing of others.
 */
void proofs_note(struct proofs *p, const struct launching *l, uint64_t layout, bool holds);

/* The bounds between which it was proved for this launch and others, as far as proofs_know() can tell; NULL:
 * none. */
const struct proved_range *proofs_range(const struct proofs *p, const struct launching *l);
