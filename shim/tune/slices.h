/* slices.h - a launch split into samples (slices) and a rest: what sample_sync.c, which waits for the
 * samples, and sample_async.c, which does not, have in common. */
#pragma once

#include "shim/enqueue/launch.h"

struct slicing {
    const struct launching *l;
    cl_event first;           /* of the first slice, ours */
    cl_event last;            /* of the last slice, ours */
    bool late;                /* the last slice was not seen to complete: the rest must wait for it */
    bool broken;              /* the driver accepted one part of a slice and refused another */
    unsigned cancelled_waits; /* samples_cancelled_waits() before the first */
};

/* Note a slice that was enqueued in place.  Takes over `last`, its event; `first`, that of its first part,
 * stays the caller's. */
void slices_keep(struct slicing *s, cl_event first, cl_event last);

/* Launch the rest, [done, global) along `dim`, with `best` or, if the driver refuses that, with the
 * application's size, and give the application its event.  Returns the result for the application.  Pre: at
 * least one slice was kept. */
cl_int slices_rest(struct slicing *s, unsigned dim, size_t done, const size_t best[3]);

/* Release the events that are still ours. */
void slices_release(const struct slicing *s);

/* Make the plan for this launch and the policy behind it, and look at the sizes that it may take
 * (first_use.h).  If the user asked for a mode that is not possible, that is reported, once per site.  False:
 * no part of the launch is to be measured. */
bool slices_plan(const struct launching *l, bool repeats, struct prof_policy *policy, struct prof_plan *plan);

/* ---- sample_sync.c ----------------------------------------------------------------------------------------
 */

/* Measure candidates on slices of this launch, then launch the rest.  Site locked, race open.  True if the
 * launch was made or failed, with the application's result in *error; false if nothing was enqueued. */
bool sample_sync(const struct launching *l, bool repeats, cl_int *error);

/* Make the whole launch with one local size and time it with the host clock, for devices without event times.
 * *ns is 0 if it could not be timed, negative if the driver refused the size; the launch is made in any case.
 * Returns the application's result.  Site locked. */
cl_int sample_whole(const struct launching *l, const size_t local[3], int64_t *ns);

/* ---- sample_async.c ---------------------------------------------------------------------------------------
 */

/* Like sample_sync(), but nothing is waited for: the samples are harvested at later launches. */
bool sample_async(const struct launching *l, bool repeats, cl_int *error);
