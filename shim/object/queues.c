/* queues.c - see queues.h. */
#include "shim/object/queues.h"
#include <stdlib.h>
#include <string.h>
#include "shim/guest/next.h"
#include "shim/object/object_table.h"

static pthread_rwlock_t queue_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct shim_queue *queues;
struct known obj_known_queues; /* some of those */

/* Properties of contexts that are about anything but sharing: clocks and priorities (cl_qcom_perf_hint, which
 * inference engines set on every Adreno), where printf() goes, memory that begins as zeros. */
static bool is_harmless(cl_context_properties property)
{
    static const cl_context_properties known[] = {CL_CONTEXT_PLATFORM,
                                                  CL_CONTEXT_INTEROP_USER_SYNC,
                                                  CL_CONTEXT_MEMORY_INITIALIZE_KHR,
                                                  CL_CONTEXT_OFFLINE_DEVICES_AMD,
                                                  CL_PRINTF_CALLBACK_ARM,
                                                  CL_PRINTF_BUFFERSIZE_ARM,
                                                  0x40C2 /* CL_CONTEXT_PERF_HINT_QCOM */,
                                                  0x40C9 /* CL_CONTEXT_PRIORITY_HINT_QCOM */};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (property == known[i])
            return true;
    return false;
}

/* Two objects of one context that shares objects with OpenGL and the like may stand for the same memory of
 * another interface; nothing that OpenCL says of them shows it. */
static bool shares_memory(cl_context c)
{
    cl_context_properties p[32];
    size_t size = 0;

    if (next()->clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof p, p, &size) != CL_SUCCESS)
        return size > sizeof p;
    for (size_t i = 0; i + 1 < size / sizeof *p && p[i]; i += 2)
        if (!is_harmless(p[i]))
            return true;
    return false;
}

/* Has the queue's context several devices, of which one runs kernels in the thread that launches or waits, or
 * may it have such?  Such a driver (DRV_LOCKS_MIXED_EVENTS) may wait for ever for the lock of an event when a
 * command there depends on another device's and somebody asks for that one's status. */
static bool mixes_devices(cl_context c, const struct shim_device *of_queue)
{
    cl_device_id devices[OBJ_MAX_DEVICES];
    unsigned n;

    if (!of_queue || !obj_has(of_queue, DRV_LOCKS_MIXED_EVENTS))
        return false;
    n = obj_context_devices(c, devices);
    for (unsigned i = 0; i < n && n > 1; i++) {
        const struct shim_device *d = obj_device(devices[i]);
        if (!d || obj_has(d, DRV_RUNS_IN_CALLERS))
            return true;
    }
    return n == 0;
}

/* Why launches in a queue of this context and device are left alone; NULL if they are not. */
static const char *untouched(cl_context c, const struct shim_device *d)
{
    if (d && d->part)
        return "sub-device";
    if (shares_memory(c))
        return "shared-context";
    return mixes_devices(c, d) ? "mixed-devices" : NULL;
}

static void drop_queue(struct shim_queue *q)
{
    known_drop(&obj_known_queues, q->handle);
    free(q);
}

void obj_add_queue(cl_command_queue handle, const struct queue_made *made)
{
    struct shim_queue *q = malloc(sizeof *q + made->nasked * sizeof *made->asked);

    if (!q)
        return;
    *q = (struct shim_queue){.handle = handle,
                             .refs = 1,
                             .device = obj_device(made->device),
                             .context = made->context,
                             .out_of_order = made->out_of_order,
                             .timed = made->timed,
                             .hidden = made->hidden,
                             .creator = sharing_this_thread(),
                             .nproperties = made->nasked};
    q->untouched = untouched(made->context, q->device);
    q->quiet = !made->timed && q->device && obj_is_quiet(q->device);
    if (made->nasked)
        memcpy(q->properties, made->asked, made->nasked * sizeof *made->asked);
    PUT(queues, queue_lock, q, drop_queue);
}

void obj_unseen_queue(cl_command_queue handle)
{
    struct shim_queue *q;

    pthread_rwlock_wrlock(&queue_lock);
    TABLE_FIND(queues, handle, q);
    if (q)
        HASH_DEL(queues, q);
    pthread_rwlock_unlock(&queue_lock);
    if (q)
        drop_queue(q);
}

struct shim_queue *obj_queue_in_table(cl_command_queue handle)
{
    struct shim_queue *q;

    FIND_AND(queues, queue_lock, handle, q, known_put(&obj_known_queues, handle, q));
    return q;
}

bool obj_queue_alive(cl_command_queue handle)
{
    const struct shim_queue *q = obj_queue(handle);

    return q && atomic_load(&q->refs);
}

bool obj_other_confused_queue(const struct shim_queue *q)
{
    const bool unseen = sharing_has_unseen();
    bool found = false;

    pthread_rwlock_rdlock(&queue_lock);
    for (const struct shim_queue *other = queues; other && !found; other = other->hh.next)
        found = other != q && atomic_load(&other->refs) && (atomic_load(&other->launched) || unseen) &&
                (!other->device || obj_has(other->device, DRV_CONFUSES_LAUNCHES));
    pthread_rwlock_unlock(&queue_lock);
    return found;
}

/* The application may release a queue at any time: it cannot while the lock is held.  So this is the one call
 * to a driver under a lock; those concerned only count there. */
unsigned obj_hold_confused_queues(const struct shim_queue *but, cl_command_queue *held, unsigned room)
{
    unsigned n = 0;

    pthread_rwlock_rdlock(&queue_lock);
    for (const struct shim_queue *q = queues; q && n < room; q = q->hh.next)
        if (q != but && atomic_load(&q->refs) && q->device && obj_has(q->device, DRV_CONFUSES_LAUNCHES) &&
            next()->clRetainCommandQueue(q->handle) == CL_SUCCESS)
            held[n++] = q->handle;
    pthread_rwlock_unlock(&queue_lock);
    return n;
}

void obj_hurry_confused_queues(const struct shim_queue *but)
{
    pthread_rwlock_rdlock(&queue_lock);
    for (struct shim_queue *q = queues; q; q = q->hh.next)
        if (q != but && q->device && obj_has(q->device, DRV_CONFUSES_LAUNCHES) &&
            atomic_load(&q->sharing.open))
            atomic_store(&q->sharing.shared, true);
    pthread_rwlock_unlock(&queue_lock);
}

void obj_drop_refused(cl_command_queue handle, cl_event *event)
{
    const struct shim_queue *q = event && *event ? obj_queue(handle) : NULL;

    if (q && q->device && obj_has(q->device, DRV_LEAVES_EVENTS))
        next()->clReleaseEvent(*event);
    if (event)
        *event = NULL;
}

void obj_retain_queue(cl_command_queue handle)
{
    RETAIN(queues, queue_lock, handle);
}

/* A hidden queue is remembered until its handle is used again: events outlive their queue, and their times
 * stay a secret. */
bool obj_release_queue(cl_command_queue handle)
{
    struct shim_queue *q = obj_queue(handle);
    bool gone = false;

    if (q && q->hidden) {
        pthread_rwlock_wrlock(&queue_lock); /* not while obj_hold_confused_queues() takes a reference */
        gone = atomic_load(&q->refs) && atomic_fetch_sub(&q->refs, 1) == 1;
        pthread_rwlock_unlock(&queue_lock);
        return gone;
    }
    RELEASE(queues, queue_lock, handle, drop_queue, gone = true);
    return gone;
}
