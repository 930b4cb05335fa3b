/* widening.c - see widening.h.
 *
 * Who changes launches counts itself in `changing` before it looks whether it may, and who waits has made
 * known why others may not before it looks at `changing`: one of the two sees the other. */
#include "shim/enqueue/widening.h"
#include "shim/enqueue/split.h"
#include "shim/guest/clock.h"
#include "shim/guest/guest.h"
#include "shim/guest/next.h"
#include "shim/site/hazard.h"

#define PATIENCE_NS    1000000000 /* if what is under way may depend on the host, perhaps on this thread */
#define LONG_PATIENCE  10         /* times as long if not */
#define LOOK_NS        50000      /* between two looks at other threads */
#define MOST_QUEUES    64         /* that are waited for */
#define SIZES_OF(word) (sizeof(word) * 8)

bool widening_possible(const struct launching *l)
{
    return obj_has(l->queue->device, DRV_CONFUSES_LAUNCHES) &&
           (l->queue->out_of_order || obj_other_confused_queue(l->queue));
}

bool widening_forbids(const struct launching *l)
{
    return atomic_load(&l->site->entry->ranges_differ) && widening_possible(l);
}

bool widening_forbids_variants(const struct launching *l)
{
    const struct shim_entry *e = l->site->entry;

    return (atomic_load(&e->extents_differ) || atomic_load(&e->ranges_differ)) && widening_possible(l);
}

/* A set in which this size is, and perhaps a few others are: all of them for the driver's choice. */
static unsigned long long set_of(const size_t local[3])
{
    const size_t h = local[0] * 31 + local[1] * 7 + local[2];

    return local[0] ? 1ull << (h ^ h >> 6) % SIZES_OF(unsigned long long) : ~0ull;
}

bool widening_begin(const struct launching *l, enum site_change change, const size_t local[3])
{
    struct shim_entry *e = l->site->entry;
    const unsigned long long set = set_of(local);

    if (!obj_has(l->queue->device, DRV_CONFUSES_LAUNCHES))
        return true;
    atomic_fetch_add(&e->changing[change], 1);
    if (change == SITE_PARTS ? widening_possible(l) : widening_forbids(l)) {
        widening_end(l, change);
        return false;
    }
    if (set & ~atomic_load(&e->changed[change]))
        atomic_fetch_or(&e->changed[change], set);
    return true;
}

void widening_end(const struct launching *l, enum site_change change)
{
    if (obj_has(l->queue->device, DRV_CONFUSES_LAUNCHES))
        atomic_fetch_sub(&l->site->entry->changing[change], 1);
}

/* Are there changed launches under way, or threads that may be about to make some?  On other drivers than
 * those that confuse launches nobody says so. */
static bool is_hemmed_in(const struct launching *l, enum site_change change)
{
    const struct shim_entry *e = l->site->entry;

    return atomic_load(&e->changing[change]) || (atomic_load(&e->changed[change]) & set_of(l->shape.local));
}

/* The end of what is in the queue now; NULL if the driver does not tell. */
static cl_event end_of(cl_command_queue q)
{
    cl_event end = NULL;

    if (next()->clEnqueueMarkerWithWaitList(q, 0, NULL, &end) != CL_SUCCESS)
        end = NULL;
    next()->clFlush(q);
    return end;
}

/* Wait for what is in other queues; in this one, too, if it is not in order.  All are flushed first, for they
 * may wait for each other. */
static void wait_for_queues(const struct launching *l, int64_t deadline)
{
    cl_command_queue queues[MOST_QUEUES];
    cl_event ends[MOST_QUEUES];
    const unsigned n =
        obj_hold_confused_queues(l->queue->out_of_order ? NULL : l->queue, queues, MOST_QUEUES);

    next()->clFlush(l->call->queue);
    for (unsigned i = 0; i < n; i++)
        ends[i] = end_of(queues[i]);
    for (unsigned i = 0; i < n; i++) {
        if (ends[i]) {
            split_wait(ends[i], deadline, NULL);
            next()->clReleaseEvent(ends[i]);
        }
        next()->clReleaseCommandQueue(queues[i]);
    }
}

static void wait_for_all(const struct launching *l, enum site_change change, int64_t deadline)
{
    struct shim_entry *e = l->site->entry;

    while (atomic_load(&e->changing[change]) && clock_now() < deadline) {
        obj_hurry_confused_queues(l->queue);
        clock_sleep(LOOK_NS);
    }
    if (!(atomic_load(&e->changed[change]) & set_of(l->shape.local)))
        return;
    wait_for_queues(l, deadline);
    atomic_store(&e->changed[change], 0); /* last: other threads wait as well until then */
}

/* widening_settle() for a kernel of which some launch was changed. */
static void settle_changes(const struct launching *l)
{
    const struct shim_entry *e = l->site->entry;
    struct guest guest;

    for (enum site_change change = SITE_SIZE; change <= SITE_PARTS; change++) {
        if ((change == SITE_SIZE && !atomic_load(&e->ranges_differ)) || !is_hemmed_in(l, change) ||
            !widening_possible(l))
            continue;
        guest_begin(&guest);
        wait_for_all(l, change, clock_now() + PATIENCE_NS * (hazard_needs_host() ? 1 : LONG_PATIENCE));
        guest_end(&guest);
    }
}

void widening_settle(const struct launching *l)
{
    if (widening_changed(l->site->entry))
        settle_changes(l);
}
