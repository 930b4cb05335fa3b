/* queues.h - the application's queues.
 *
 * State is keyed by handle.  It is created when the application creates the object and dropped when the
 * application drops its last reference, because drivers reuse handles.  The application keeps an object alive
 * during a call that names it, so pointers returned here are valid for the duration of such a call.
 *
 * An object that is not found was created in a way that was not seen: launches with it are left alone.  All
 * functions are thread-safe; when out of memory, new objects simply stay unknown. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "shim/object/device_info.h"
#include "shim/object/known.h"
#include "shim/object/queue_sharing.h"
#include "shim/guest/table.h"

struct shim_queue {
    /* First what every launch looks at. */
    void *handle;
    atomic_uint refs;
    atomic_bool changed; /* by clSetCommandQueueProperty(): its launches are left alone */
    bool timed;          /* the driver's queue has profiling enabled */
    bool out_of_order;
    atomic_bool launched; /* a kernel was launched in it */
    struct shim_device *device;
    const char *untouched; /* static string: why its launches are left alone, NULL if they are not */
    struct sharing sharing;
    atomic_bool hidden;  /* `timed`, although the application did not ask for it */
    bool quiet;          /* event times are left out on purpose: nothing is measured (untimed_runs.h) */
    atomic_bool stalls;  /* a wait was in vain, because some earlier command needs the host */
    atomic_bool unpaced; /* a launch of an unknown kernel was waited for in vain: none is any more (pace.h) */
    unsigned long creator; /* the only thread that may wait for samples: sharing_this_thread() */
    cl_context context;
    UT_hash_handle hh;
    size_t nproperties; /* entries of the application's own property list, terminator included */
    cl_queue_properties properties[];
};

/* For obj_queue(): what most of its calls find. */
extern struct known obj_known_queues;
struct shim_queue *obj_queue_in_table(cl_command_queue handle);

/* How a queue was created. */
struct queue_made {
    cl_context context;
    cl_device_id device;
    const cl_queue_properties *asked; /* the application's own property list, if there was one */
    size_t nasked;                    /* its entries, terminator included; 0: there was none */
    bool out_of_order;
    bool timed;  /* with event times */
    bool hidden; /* ... for which the application did not ask */
};

/* A queue was created.  Everything in `made` is copied. */
void obj_add_queue(cl_command_queue handle, const struct queue_made *made);
/* A queue was created of which nothing is to be known; it may have the handle of one that was released. */
void obj_unseen_queue(cl_command_queue handle);
/* NULL: not known. */
static inline struct shim_queue *obj_queue(cl_command_queue handle)
{
    struct shim_queue *q = known_find(&obj_known_queues, handle);

    return q ? q : obj_queue_in_table(handle);
}
/* Does the application hold it, on a device that is known, with the properties that it was made with? */
static inline bool obj_queue_is_usual(const struct shim_queue *q)
{
    return atomic_load_explicit(&q->refs, memory_order_relaxed) && q->device &&
           !atomic_load_explicit(&q->changed, memory_order_relaxed);
}
bool obj_queue_alive(cl_command_queue handle); /* known, and not released by the application */
/* The calling thread is about to launch a kernel in the queue: sharing_note(), and what is looked at below.
 */
static inline void obj_note_launch(struct shim_queue *q)
{
    sharing_note(&q->sharing);
    if (!atomic_load_explicit(&q->launched, memory_order_relaxed))
        atomic_store(&q->launched, true);
}
/* May there be launches in another queue of the application's than this one, on a device whose driver
 * confuses them (DRV_CONFUSES_LAUNCHES), or on one that is not known? */
bool obj_other_confused_queue(const struct shim_queue *q);
/* Write the application's queues on such devices to `held`, but at most `room` and not `but` (may be
 * NULL), each with a reference for the caller.  Returns how many. */
unsigned obj_hold_confused_queues(const struct shim_queue *but, cl_command_queue *held, unsigned room);
/* Threads that measure parts of a launch in such a queue other than `but` are to stop: the queue counts as
 * shared (queue_sharing.h). */
void obj_hurry_confused_queues(const struct shim_queue *but);
/* The driver refused a launch in the queue that has this event of ours (may be NULL): release it if the
 * driver has made it all the same.  *event becomes NULL. */
void obj_drop_refused(cl_command_queue handle, cl_event *event);
void obj_retain_queue(cl_command_queue handle);
bool obj_release_queue(cl_command_queue handle); /* true: that was the last reference */
