/* event_shadow.c - see event_shadow.h. */
#include "shim/object/event_shadow.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "shim/guest/next.h"
#include "shim/guest/table.h"

#define NUM_TIMES 3 /* that the first part of a launch has */

struct shadow {
    void *handle;
    unsigned refs;             /* the application's */
    bool kept;                 /* its last one becomes ours, or has */
    bool gone;                 /* no longer in the table, because nothing is to be known of it */
    bool parts;                /* it has the following */
    cl_event first;            /* NULL: it was let go of, and these are its times */
    bool over;                 /* nobody needs it any more; whoever looks at `first` last lets go of it */
    cl_int error;              /* what the driver returned instead of times, or CL_SUCCESS */
    cl_ulong times[NUM_TIMES]; /* QUEUED, SUBMIT, START */
    unsigned pins;             /* threads that look at `first` */
    unsigned long round;       /* of shadow_settle(), the last one that came by */
    UT_hash_handle hh;
};
static pthread_mutex_t shadows_lock = PTHREAD_MUTEX_INITIALIZER;
static struct shadow *shadows;
static atomic_uint nshadow; /* most programs never have one */

static bool are_none(void)
{
    return !atomic_load_explicit(&nshadow, memory_order_relaxed);
}

/* The event's shadow, with the lock held; NULL: none. */
static struct shadow *lock_and_find(const void *event)
{
    struct shadow *s;

    pthread_mutex_lock(&shadows_lock);
    HASH_FIND_PTR(shadows, &event, s);
    return s;
}

/* Likewise of an event that the application has just got, made if there is none; NULL when out of memory. */
static struct shadow *lock_and_add(cl_event event)
{
    struct shadow *s = lock_and_find(event);

    if (s)
        s->refs = 1;
    if (s || !(s = calloc(1, sizeof *s)))
        return s;
    s->handle = event;
    s->refs = 1;
    HASH_ADD_PTR(shadows, handle, s);
    if (s->hh.tbl) {
        atomic_fetch_add(&nshadow, 1);
        return s;
    }
    free(s);
    return NULL;
}

/* Unlock, and let go of what nobody needs any more, such as the count of references to an event that we no
 * longer keep.  `s` may be NULL. */
static void unlock(struct shadow *s)
{
    cl_event first = NULL;
    bool last = false;

    if (s) {
        s->over |= !s->refs;
        if (!s->kept && !(s->refs && s->parts) && !s->gone) {
            HASH_DEL(shadows, s);
            atomic_fetch_sub(&nshadow, 1);
            s->gone = true;
        }
        if (s->over && !s->pins) {
            first = s->first;
            s->first = NULL;
        }
        last = s->gone && !s->pins;
    }
    pthread_mutex_unlock(&shadows_lock);
    next_release(first);
    if (last)
        free(s);
}

/* ---- references ------------------------------------------------------------------------------------- */

cl_int shadow_retain(cl_event e)
{
    struct shadow *s;
    bool counted, again;
    cl_int error;

    if (are_none())
        return next()->clRetainEvent(e);
    s = lock_and_find(e);
    counted = s;
    again = s && !s->refs;
    if (counted) /* before retaining: another thread may be about to release its reference */
        s->refs++;
    unlock(s);
    if (again) /* as callbacks may: the reference that became ours is the application's once more */
        return CL_SUCCESS;
    error = next()->clRetainEvent(e);
    if (error && counted) {
        s = lock_and_find(e);
        if (s && s->refs)
            s->refs--;
        unlock(s);
    }
    return error;
}

cl_int shadow_release(cl_event e)
{
    struct shadow *s;
    bool none, ours;

    if (are_none())
        return next()->clReleaseEvent(e);
    s = lock_and_find(e);
    none = s && !s->refs;
    ours = s && s->refs && !--s->refs && s->kept;
    unlock(s);
    if (none)
        return CL_INVALID_EVENT;
    return ours ? CL_SUCCESS : next()->clReleaseEvent(e);
}

bool shadow_keep(cl_event e)
{
    struct shadow *s = lock_and_add(e);
    const bool known = s;

    if (known)
        s->kept = true;
    unlock(s);
    return known;
}

void shadow_let_go(cl_event e, bool leave)
{
    struct shadow *s = lock_and_find(e);
    const bool ours = s && !s->refs;

    if (s)
        s->kept = false;
    unlock(s);
    if (ours && !leave)
        next()->clReleaseEvent(e);
}

void shadow_go_inert(void)
{
    shadows = NULL; /* the lock may be another thread's */
    atomic_store(&nshadow, 0);
}

/* ---- first parts ------------------------------------------------------------------------------------ */

void shadow_set_first(cl_event e, cl_event first)
{
    struct shadow *s = lock_and_add(e);
    cl_event unused = first;

    if (s && !s->pins) {
        unused = s->first; /* another event's of that handle, which was released behind our back */
        s->first = first;
        s->parts = true;
        s->over = false;
    }
    unlock(s);
    next_release(unused);
}

cl_int shadow_first_time(cl_event e, cl_profiling_info name, cl_ulong *time)
{
    struct shadow *s;
    cl_event first = NULL;
    cl_int error = SHADOW_WHOLE;

    if (are_none())
        return SHADOW_WHOLE;
    s = lock_and_find(e);
    if (s && s->parts && s->refs) {
        s->pins++;
        first = s->first;
        error = s->error;
        *time = s->times[name - CL_PROFILING_COMMAND_QUEUED];
    }
    pthread_mutex_unlock(&shadows_lock);
    if (error == SHADOW_WHOLE)
        return SHADOW_WHOLE;
    if (first)
        error = next()->clGetEventProfilingInfo(first, name, sizeof *time, time, NULL);
    pthread_mutex_lock(&shadows_lock);
    s->pins--;
    unlock(s);
    return error;
}

/* The times of an event that is over, complete or failed, or why the driver has none.  False: it is not. */
static bool all_times(cl_event e, cl_ulong times[NUM_TIMES], cl_int *error)
{
    cl_int status = CL_QUEUED;

    if (next()->clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) !=
            CL_SUCCESS ||
        status > CL_COMPLETE)
        return false;
    *error = CL_SUCCESS;
    for (cl_profiling_info i = 0; i < NUM_TIMES && !*error; i++)
        *error = next()->clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_QUEUED + i, sizeof times[i],
                                                 &times[i], NULL);
    return true;
}

/* One that neither this round nor a later one, another thread's, has come by; pinned. */
static struct shadow *another(unsigned long round)
{
    struct shadow *s;

    pthread_mutex_lock(&shadows_lock);
    for (s = shadows; s && (!s->first || s->over || s->round >= round); s = s->hh.next)
        continue;
    if (s) {
        s->round = round;
        s->pins++;
    }
    pthread_mutex_unlock(&shadows_lock);
    return s;
}

void shadow_settle(void)
{
    static atomic_ulong rounds;
    struct shadow *s;
    unsigned long round;

    if (are_none())
        return;
    round = atomic_fetch_add(&rounds, 1) + 1;
    while ((s = another(round))) {
        cl_ulong times[NUM_TIMES] = {0};
        cl_int error;
        const bool told = all_times(s->first, times, &error);
        pthread_mutex_lock(&shadows_lock);
        if (told && !s->over) {
            memcpy(s->times, times, sizeof times);
            s->error = error;
            s->over = true;
        }
        s->pins--;
        unlock(s);
    }
}
