/* split.h - enqueueing an NDRange in parts that together look like one launch.
 *
 * Parts are cut where a local size does not divide the range: a main part and tails, along each dimension. */
#ifndef CLSIZER_SHIM_SPLIT_H
#define CLSIZER_SHIM_SPLIT_H

#include "profiler/profiler.h"
#include "shim/object.h"

/* One enqueue call of the application, argument for argument. */
struct call {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dim;
    const size_t *offset, *global, *local;
    cl_uint nwait;
    const cl_event *wait;
    cl_event *event;
};

/* Does `local` (all 0: the driver's choice) divide the range, so that one part will do? */
static inline bool split_divides(const size_t local[3], const size_t global[3])
{
    return !local[0] || (global[0] % local[0] == 0 && global[1] % local[1] == 0 && global[2] % local[2] == 0);
}

/* The parts of a launch: main and tail along each dimension. */
static inline unsigned split_parts(const size_t local[3], const size_t global[3])
{
    unsigned n = 1;

    for (unsigned d = 0; local[0] && d < 3; d++)
        n *= (global[d] >= local[d]) + (global[d] % local[d] != 0);
    return n;
}

/* The longest wait list of the application's that a part of a launch can have. */
#define SPLIT_LONGEST_LIST 55

/* The call as the application made it. */
cl_int call_pass(const struct call *c);

/* Enqueue `range` (absolute) with `local` (all 0: the driver's choice), after c's wait list and `after` (may
 * be NULL); more than one part when local does not divide the range.  With more parts or with `after`, c's
 * wait list must not be longer than SPLIT_LONGEST_LIST. *done, when done is not NULL, receives an event of
 * the caller's that completes last.  *first, when first is not NULL, receives an event of the caller's for
 * the part that starts first, or NULL when there is one part. On an error nothing has been enqueued, or, once
 * a part has, the rest was enqueued with the driver's choice of local size; only when that fails as well is
 * an error returned with part of the range enqueued (*partial is then true). */
cl_int split_enqueue(const struct call *c, bool out_of_order, const struct prof_range *range,
                     const size_t local[3], cl_event after, cl_event *done, cl_event *first, bool *partial);

/* One more reference of ours: `e`, or NULL where the driver refuses. */
cl_event split_ref(cl_event e);

/* Wait for an event by polling, until `deadline` (rt_now()) or until *hurry (may be NULL).  CL_COMPLETE, a
 * negative execution status, or CL_QUEUED when the event was not waited for to its end. */
cl_int split_wait(cl_event e, int64_t deadline, const atomic_bool *hurry);

/* ---- events that stand for several parts ----------------------------------------------------------- */

/* Remember that `first` starts what `event` ends; takes over a reference to first. */
void split_remember(cl_event event, cl_event first);
/* The application's references to it: one more, one less. */
void split_retained(cl_event event);
void split_released(cl_event event);
/* In a fork child: nothing is remembered. */
void split_go_inert(void);
/* The event whose QUEUED, SUBMIT and START times are those of `event`: itself unless it was remembered. */
cl_event split_first(cl_event event);

#endif
