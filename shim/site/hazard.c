/* hazard.c - see hazard.h. */
#include "shim/site/hazard.h"

/* Waits in vain after which a device whose events were never seen to complete is not waited for any more. */
#define VAIN_WAITS 3

static atomic_int user_events;       /* that are not complete */
static atomic_int callbacks;         /* ever registered */
static atomic_bool failures;         /* some command or user event failed */
static atomic_bool program_failures; /* ... because the program said so */
atomic_bool hazard_foreign_memory;

void hazard_user_event(int change)
{
    atomic_fetch_add(&user_events, change);
}

void hazard_failure(bool by_program)
{
    if (by_program)
        atomic_store(&program_failures, true);
    atomic_store(&failures, true);
}

bool hazard_is_our_doing(cl_int status)
{
    return status < 0 && status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
           status != CL_INVALID_EVENT && /* the driver did not tell */
           !atomic_load(&program_failures);
}

void hazard_failed(struct shim_site *s, cl_int status, bool ours)
{
    if (ours && hazard_is_our_doing(status))
        atomic_store(&s->failed, true);
    hazard_failure(false);
}

/* Counts in favour of the device, or against it: with some drivers, events progress only during a blocking
 * wait and not when their status is polled. */
void hazard_waited_briefly(const struct launching *l, bool done)
{
    struct shim_device *d = l->queue->device;

    if (done)
        atomic_store_explicit(&d->waited_well, true, memory_order_relaxed);
    else if (!atomic_load(&d->waited_well))
        atomic_fetch_add(&d->waited_in_vain, 1);
}

void hazard_waited(const struct launching *l, bool done)
{
    if (!done)
        atomic_store(&l->queue->stalls, true);
    hazard_waited_briefly(l, done);
}

void hazard_callback(int change)
{
    atomic_fetch_add(&callbacks, change);
}

bool hazard_needs_host(void)
{
    return atomic_load(&user_events) > 0 || atomic_load(&callbacks) > 0 || sharing_has_unseen();
}

static bool is_of_queue(cl_event event, cl_command_queue queue)
{
    cl_command_queue of = NULL;

    return next()->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof of, &of, NULL) == CL_SUCCESS &&
           of == queue;
}

bool hazard_waits_within(const struct call *c)
{
    for (cl_uint i = 0; i < c->nwait; i++) {
        const cl_int status = next_status(c->wait[i]);
        if (status < 0 || (status != CL_COMPLETE && !is_of_queue(c->wait[i], c->queue)))
            return false;
    }
    return true;
}

/* Only the thread that created the queue waits: a driver's worker that runs an event callback, or a thread
 * that holds a lock which others need, is most likely another one. */
bool hazard_may_wait(const struct launching *l)
{
    if (obj_has(l->queue->device, DRV_FORGETS_CALLBACKS) || hazard_needs_host() ||
        atomic_load(&l->queue->stalls) || atomic_load(&l->queue->device->waited_in_vain) >= VAIN_WAITS ||
        l->queue->creator != sharing_this_thread())
        return false;
    return hazard_waits_within(l->call);
}

const char *hazard_of_parts(bool *lasting)
{
    *lasting = atomic_load(&user_events) == 0;
    if (!*lasting)
        return "user-event";
    return atomic_load(&failures) ? "failed-commands" : NULL;
}
