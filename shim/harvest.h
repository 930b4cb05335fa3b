/* harvest.h - the events of timed launches: kept until they are complete, looked at without
 * waiting, let go. */
#ifndef CLSIZER_SHIM_HARVEST_H
#define CLSIZER_SHIM_HARVEST_H

#include "shim/site.h"

/* Keep the event of a launch until it is harvested.  Takes over the caller's reference to it; of a `visible`
 * event, which is the application's, no reference is taken, but the application's last one becomes ours when
 * it is given up.  With `lock` held. */
void harvest_watch(struct shim_site *s, const struct site_pending *p);
/* The event of a sample became the application's as well, if it is one: our reference
 * goes.  With `lock` held. */
void harvest_share(struct shim_site *s, cl_event e);
/* Harvest completed launches: times go to the race, the account and the build.  With `lock` held. */
void harvest_site(struct shim_site *s);
/* Let go of all events: nothing is to be learned from them any more.  With `lock` held. */
void harvest_abandon(struct shim_site *s);
/* Let go of all events of a queue that the application has released. */
void harvest_forget_queue(cl_command_queue q);
/* Harvest wherever launches have completed: events of ours hold references to queues, kernels and contexts
 * that the application may be about to count. */
void harvest_settle(void);
/* A thread was cancelled while it waited: none of the events of launches made so far is touched any more,
 * their references stay. */
void harvest_leave_events(void);
/* How often that was: a launch's `cancelled_waits`, to be asked for before it is enqueued. */
unsigned harvest_cancelled_waits(void);
/* In a fork child: no event is watched. */
void harvest_go_inert(void);
/* clRetainEvent and clReleaseEvent of the application. */
cl_int harvest_retain_event(cl_event e);
cl_int harvest_release_event(cl_event e);

#endif
