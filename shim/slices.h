/* slices.h - a launch as samples and a rest: what sync.c, which waits for the samples, and later.c, which
 * does not, have in common. */
#ifndef CLSIZER_SHIM_SLICES_H
#define CLSIZER_SHIM_SLICES_H

#include "shim/launch.h"

struct slicing {
    const struct launching *l;
    cl_event first;           /* of the first slice, ours */
    cl_event last;            /* of the last slice, ours */
    bool late;                /* the rest must wait for the last slice: it was not seen to complete */
    bool broken;              /* the driver took a part of a slice and refused the rest */
    unsigned cancelled_waits; /* harvest_cancelled_waits() before the first */
};

/* A slice was enqueued in place: `last` is its event, taken over, `first` that of its first part. */
void slices_keep(struct slicing *s, cl_event first, cl_event last);

/* Launch [done, global) along `dim` with `best`, else with the application's size, and give the application
 * its event.  At least one slice was kept. */
cl_int slices_rest(struct slicing *s, unsigned dim, size_t done, const size_t best[3]);

/* Give up the events that are still ours. */
void slices_release(struct slicing *s);

/* The plan for this launch, and the policy that it was made with.  A mode that the user asked for and that is
 * not possible is reported, once. */
void slices_plan(const struct launching *l, bool repeats, struct prof_policy *policy, struct prof_plan *plan);

/* ---- sync.c ---------------------------------------------------------------------------------------- */

/* Measure candidates on slices of this launch, then launch the rest.  Site locked, race open.  True when the
 * launch was dealt with and *error is its result; false when nothing was enqueued. */
bool sync_profile(const struct launching *l, bool repeats, cl_int *error);

/* The whole launch with one local size, timed with the host clock, for devices without event times.  *ns is 0
 * when it could not be timed, negative when the driver refused the size; the launch is made in any case, and
 * its result returned. */
cl_int sync_whole(const struct launching *l, const size_t local[3], int64_t *ns);

/* ---- later.c --------------------------------------------------------------------------------------- */

/* As sync_profile(), but nothing is waited for: the samples are harvested at later launches. */
bool later_profile(const struct launching *l, bool repeats, cl_int *error);

#endif
