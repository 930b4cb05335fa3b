/* samples_in_flight.h - the events of timed launches.
 *
 * They are kept until they are complete, which is polled without waiting, and then released.  Their times are
 * entered into the race, the account and the build.  `lock` is that of the site. */
#pragma once

#include "shim/site/launching.h"

/* A sample of a call that will be made as a whole launch, without its events: before it is enqueued, because
 * of `cancelled_waits`. */
struct site_pending samples_expected(const struct call *c);

/* Keep the event of a launch until it is harvested.  Takes over the caller's reference.  A `visible` event
 * belongs to the application: then there is no reference to take over, but the application's last one becomes
 * ours when it is released.  With `lock` held. */
void samples_watch(struct shim_site *s, const struct site_pending *p);

/* The application was given the event `e`.  If that is the event of a sample, it is `visible` from now on,
 * and our reference is released.  With `lock` held. */
void samples_share(struct shim_site *s, cl_event e);

/* Harvest the site's completed launches.  With `lock` held. */
void samples_collect(struct shim_site *s);

/* Release all events of the site without looking at them, because the site needs no more times.  With `lock`
 * held. */
void samples_abandon(struct shim_site *s);

/* The same at a decided site whose launches are made otherwise from now on: earlier times say nothing of
 * those. */
void samples_begin_anew(struct shim_site *s);

/* Harvest at all sites, and release what is left of this queue, which the application has released; NULL:
 * none.  Also for when the application is about to query a reference count: our events hold references to
 * queues, kernels and contexts. */
void samples_settle(cl_command_queue released);

/* A thread was cancelled while it waited: from now on the events of all launches made so far are left
 * untouched, and our references to them are leaked. */
void samples_leave_events(void);

/* May the event of a launch be asked for anything, or was a thread cancelled since? */
bool samples_may_touch(const struct site_pending *p);

/* How often that has happened.  Must be read before a launch is enqueued, for its `cancelled_waits`. */
unsigned samples_cancelled_waits(void);
