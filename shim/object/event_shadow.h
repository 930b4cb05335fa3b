/* event_shadow.h - events that the application holds and that we look at, too.
 *
 * A reference of ours would be visible in their reference counts, so we take none.  Instead a shadow counts
 * the application's references, for two purposes: its last one becomes ours when it is released, if a time is
 * still to be read; and the event of a launch in parts, which is that of the last part, has the times of the
 * first.
 *
 * Thread-safe.  No lock is held across calls of the driver, which may call back. */
#pragma once

#include <stdbool.h>
#include "shim/guest/opencl.h"

/* The application calls clRetainEvent or clReleaseEvent.  Returns what it is to see. */
cl_int shadow_retain(cl_event e);
cl_int shadow_release(cl_event e);

/* The application has just got the event: keep it until shadow_let_go(), even if it releases it before. False
 * when out of memory. */
bool shadow_keep(cl_event e);
/* `leave`: without touching the event, even if the last reference is ours. */
void shadow_let_go(cl_event e, bool leave);

/* ... and it ends a launch of which `first` is the first part.  Takes over the reference to first. */
void shadow_set_first(cl_event e, cl_event first);
/* The QUEUED, SUBMIT or START time, by `name`, of the launch that `e` ends: CL_SUCCESS or an error.
 * SHADOW_WHOLE: it was not made in parts, and the event has times of its own. */
cl_int shadow_first_time(cl_event e, cl_profiling_info name, cl_ulong *time);
#define SHADOW_WHOLE 1
/* Note the times of first parts that are done, and let go of them: they would be seen in the number of their
 * queue's references. */
void shadow_settle(void);

/* In a fork child: forget all. */
void shadow_go_inert(void);
