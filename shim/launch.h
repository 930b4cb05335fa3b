/* launch.h - what happens at clEnqueueNDRangeKernel. */
#ifndef CLSIZER_SHIM_LAUNCH_H
#define CLSIZER_SHIM_LAUNCH_H

#include "shim/site.h"
#include "shim/split.h"

/* One intercepted launch with everything that was looked up for it. */
struct launching {
    const struct call *call;
    struct runtime *rt;
    struct shim_kernel *kernel;
    struct shim_queue *queue;
    struct shim_site *site;
    struct launch shape; /* args unset until tune.c describes them */
};

/* Interceptor of clEnqueueNDRangeKernel. */
cl_int launch_enqueue(const struct call *c);

/* A launch that is recorded, not made: the report says that it is left alone. */
void launch_recorded(const struct call *c);

/* May the launch have a size that this process has not launched yet, for which the driver may have to compile
 * (util_hampered())?  If not, the report says why, once.  The site need not be locked. */
bool launch_may_compile(const struct launching *l);

/* Enqueue the whole range with this local size; the application's own makes the application's own call, and
 * so do an error of the driver's and launch_may_compile(). `watch` (may be NULL) receives the launch's events
 * for harvest_watch(): references of ours, but for an event that is `visible`, which is the application's.
 * Its event is NULL when the size was not used. */
cl_int launch_with(const struct launching *l, const size_t local[3], struct site_pending *watch);

/* The application's own call, timed for the site when that is possible: always when a sample of it is
 * `wanted`, else, after the first ones, now and then.  Site locked. */
cl_int launch_observed(const struct launching *l, bool wanted);
/* One in so many launches of the application's own size is timed where none is wanted: all of the first ones.
 */
unsigned launch_stride(const struct launching *l);

/* User events that the application has not completed yet, and callbacks that it ever registered: reasons not
 * to wait for anything inside an enqueue call. */
void launch_user_event(int change);
void launch_callback(int change);
/* A command or a user event failed: others may be waiting for it, or will. */
void launch_failure(bool by_program); /* it completed a user event with an error */
/* May a launch have failed with this status because of its size?  Not if the program let one fail that others
 * waited for.  It may have been taken along by another in any case: nobody can tell. */
bool launch_is_our_doing(cl_int status);
/* We polled an event of the launch's queue until it was `done`, or in vain: then nobody waits there again,
 * nor, after a few times, on a device on which no wait of ours has ever come to its end. */
void launch_waited(const struct launching *l, bool done);
/* Likewise, for what was enqueued before, and not for long: in vain, there may only be much of it. */
void launch_waited_briefly(const struct launching *l, bool done);
bool launch_may_wait(const struct launching *l);

/* Why this launch is to stay whole, as a reason; NULL: it may be made in parts.  *lasting: so will others of
 * its shape. */
const char *launch_problem(const struct launching *l, bool *lasting);

/* The same in short; the report says why not, once, where that will last. */
bool launch_may_split(const struct launching *l);

/* Parts of this launch follow, up to launch_close_parts(); false: they must not. */
bool launch_open_parts(const struct launching *l, int *cancel);
void launch_close_parts(const struct launching *l, int cancel);

#endif
