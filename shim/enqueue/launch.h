/* launch.h - what happens at clEnqueueNDRangeKernel. */
#ifndef CLSIZER_SHIM_LAUNCH_H
#define CLSIZER_SHIM_LAUNCH_H

#include "shim/site/site.h"
#include "shim/enqueue/split.h"

/* One intercepted launch with everything that was looked up for it. */
struct launching {
    const struct call *call;
    struct runtime *rt;
    struct shim_kernel *kernel;
    struct shim_queue *queue;
    struct shim_site *site;
    struct launch shape; /* without args: prove_describe() adds them */
};

/* clEnqueueNDRangeKernel as the application sees it.  Returns what the driver returned. */
cl_int launch_enqueue(const struct call *c);

/* A launch is recorded into a command buffer: report that it is left alone. */
void launch_recorded(const struct call *c);

/* May the launch use a size that this process has not launched yet, for which the driver may have to compile
 * (util_hampered())?  If not, that is reported, once per shape.  The site need not be locked. */
bool launch_may_compile(const struct launching *l);

/* Might the launch run together with one of another shape, so that neither must have a size that it does not
 * have from the application?  The site need not be locked. */
bool launch_meets_other_shapes(const struct launching *l);

/* Enqueue the whole range with this local size.  The application's own call is made instead if the size is
 * the application's, if launch_may_compile() or launch_meets_other_shapes() forbid another, or if the driver
 * refuses it.  `watch` (may be NULL) receives the launch's events for harvest_watch(): references of ours,
 * except that a `visible` event is the application's.  Its event is NULL if the size was not used. */
cl_int launch_with(const struct launching *l, const size_t local[3], struct site_pending *watch);

/* Make the application's own call, and time it for the site if possible: always if a sample of it is
 * `wanted`, else one in launch_stride().  Site locked. */
cl_int launch_observed(const struct launching *l, bool wanted);

/* One in this many launches of the application's own size is timed when none is wanted: 1 for a site's first
 * launches.  Site locked. */
unsigned launch_stride(const struct launching *l);

/* Count user events that the application has not completed yet, and functions of its own that it ever had the
 * driver call: callbacks, native kernels.  Either is a reason not to wait for anything inside an enqueue
 * call. */
void launch_user_event(int change);
void launch_callback(int change);

/* May commands that are under way be waiting for the application, by either of these? */
bool launch_needs_host(void);

/* A command or a user event failed; `by_program`: because the program completed a user event with an error.
 * From now on launches stay whole: others may be waiting for it, or will. */
void launch_failure(bool by_program);

/* May a launch have failed with this status because of its local size?  Not if the program itself has let a
 * user event fail.  "May", because it can also be a consequence of another command's failure. */
bool launch_is_our_doing(cl_int status);

/* We polled an event of the launch's queue until it was `done`, or in vain.  After a wait in vain nobody
 * waits on that queue again; after a few, nor on the device, if no wait of ours has ever succeeded there. */
void launch_waited(const struct launching *l, bool done);

/* Likewise for a brief wait for what was enqueued earlier: if in vain, that may only be a lot of work, so it
 * does not count against the queue. */
void launch_waited_briefly(const struct launching *l, bool done);

/* May this launch be waited for inside the enqueue call, without the risk of waiting for the application? */
bool launch_may_wait(const struct launching *l);

/* Why this launch must stay whole, a reason's name; NULL: it may be made in parts.  *lasting: the same will
 * hold for later launches of its shape. */
const char *launch_problem(const struct launching *l, bool *lasting);

/* May this launch be made in parts?  If not, a reason that will last is reported, once per shape. */
bool launch_may_split(const struct launching *l);

/* Announce that the launch will be enqueued in parts, until launch_close_parts(): meanwhile other threads
 * that feed the queue wait (queue_sharing.h).  False: it must stay whole.  *cancel is for
 * launch_close_parts(). */
bool launch_open_parts(const struct launching *l, int *cancel);
void launch_close_parts(const struct launching *l, int cancel);

#endif
