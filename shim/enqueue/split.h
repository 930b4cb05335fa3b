/* split.h - enqueueing an NDRange in parts that together look like one launch.
 *
 * If a local size does not divide the range along a dimension, that is cut into a main part and a tail. */
#pragma once

#include "shim/site/launching.h"

/* Does `local` (all 0: the driver's choice) divide the range, so that one part will do? */
static inline bool split_divides(const size_t local[3], const size_t global[3])
{
    return !local[0] || (global[0] % local[0] == 0 && global[1] % local[1] == 0 && global[2] % local[2] == 0);
}

/* The number of parts that a launch with this local size takes. */
static inline unsigned split_parts(const size_t local[3], const size_t global[3])
{
    unsigned n = 1;

    for (unsigned d = 0; local[0] && d < 3; d++)
        n *= (global[d] >= local[d] ? 1u : 0u) + (global[d] % local[d] ? 1u : 0u);
    return n;
}

/* The longest wait list of the application's that a part of a launch can have. */
#define SPLIT_LONGEST_LIST 55

/* Enqueue `range` (absolute) with `local` (all 0: the driver's choice), after c's wait list and `after` (may
 * be NULL), in several parts if `local` does not divide the range.
 *
 * Pre: with several parts or with `after`, c's wait list has at most SPLIT_LONGEST_LIST events.
 * *done (if done is not NULL) receives an event that completes last, *first (if first is not NULL) the event
 * of the part that starts first, or NULL if there is only one part; both are the caller's to release. If a
 * later part is refused, the rest is enqueued with the driver's choice of local size.  So on an error nothing
 * has been enqueued, unless that fails as well: then *partial is true, and part of the range is in the queue.
 */
cl_int split_enqueue(const struct call *c, bool out_of_order, const struct prof_range *range,
                     const size_t local[3], cl_event after, cl_event *done, cl_event *first, bool *partial);

/* Retain `e` for us.  Returns e, or NULL if the driver refuses. */
cl_event split_ref(cl_event e);

/* Wait for an event by polling, until `deadline` (clock_now()) or until *hurry (may be NULL) becomes true.
 * Returns CL_COMPLETE or a negative execution status, or CL_QUEUED if the wait was given up. */
cl_int split_wait(cl_event e, int64_t deadline, const atomic_bool *hurry);
