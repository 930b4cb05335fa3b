/* hazard.h - what the process has going on that makes it unsafe to wait for a launch, or to make it in parts:
 * user events, callbacks, failed commands, waits that were in vain, memory from elsewhere.
 *
 * Counted for the whole process, and thread-safe. */
#pragma once

#include "shim/site/launching.h"

/* Has the program created memory objects from memory that it got from elsewhere (extension.c)? */
extern atomic_bool hazard_foreign_memory;

/* Count user events that the application has not completed yet, and functions of its own that it ever had the
 * driver call: callbacks, native kernels.  Either is a reason not to wait for anything inside an enqueue
 * call. */
void hazard_user_event(int change);
void hazard_callback(int change);

/* May commands that are under way be waiting for the application, by either of these or, if there are
 * commands that we do not see (queue_sharing.h), by a semaphore? */
bool hazard_needs_host(void);

/* A command or a user event failed; `by_program`: because the program completed a user event with an error.
 * From now on launches stay whole: others may be waiting for it, or will. */
void hazard_failure(bool by_program);

/* May a launch have failed with this status because of its local size?  Not if the program itself has let a
 * user event fail.  "May", because it can also be a consequence of another command's failure. */
bool hazard_is_our_doing(cl_int status);

/* A command of the site failed.  `ours`: it was not just what the program asked for, so that the kernel is
 * left alone if that may be why. */
void hazard_failed(struct shim_site *s, cl_int status, bool ours);

/* We polled an event of the launch's queue until it was `done`, or in vain.  After a wait in vain nobody
 * waits on that queue again; after a few, nor on the device, if no wait of ours has ever succeeded there. */
void hazard_waited(const struct launching *l, bool done);

/* Likewise for a brief wait for what was enqueued earlier: if in vain, that may only be a lot of work, so it
 * does not count against the queue. */
void hazard_waited_briefly(const struct launching *l, bool done);

/* Does the call wait for nothing but what precedes it in its queue, and what is done?  The former is waited
 * for in any case. */
bool hazard_waits_within(const struct call *c);

/* May this launch be waited for inside the enqueue call, without the risk of waiting for the application? */
bool hazard_may_wait(const struct launching *l);

/* Why no launch may be made in parts at present, a reason's name; NULL: nothing here forbids it.  *lasting:
 * the same will hold later. */
const char *hazard_of_parts(bool *lasting);
