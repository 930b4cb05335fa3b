/* times.c - see times.h.
 *
 * What drivers have been seen to answer:
 *   - 0 or 1 ns for everything;
 *   - 0 for kernels shorter than a step of the clock, often a microsecond (NVIDIA, ARM);
 *   - success, with nothing written;
 *   - END before START (ROCm 7.2, counters of 32 bits that wrap);
 *   - CL_PROFILING_INFO_NOT_AVAILABLE for commands that are complete (Beignet);
 *   - START long before SUBMIT. */
#include "shim/site/times.h"
#include "shim/guest/next.h"

#define LEAST_NS 100           /* no launch takes less: the driver does not measure */
#define MOST_NS  3600000000000 /* nor, as a time to go by, more */
#define CHANCES  4             /* for a device that has never told a time */

static bool ask(cl_event e, cl_profiling_info what, cl_ulong *ns)
{
    *ns = 0;
    return next()->clGetEventProfilingInfo(e, what, sizeof *ns, ns, NULL) == CL_SUCCESS;
}

bool times_of(struct shim_device *d, cl_event first, cl_event last, struct times *t)
{
    bool told = ask(first, CL_PROFILING_COMMAND_SUBMIT, &t->submit), sensible;

    told = ask(first, CL_PROFILING_COMMAND_START, &t->start) && told;
    told = ask(last, CL_PROFILING_COMMAND_END, &t->end) && told;
    sensible = told && t->end > t->start && t->end - t->start > LEAST_NS && t->end - t->start < MOST_NS;
    if (sensible && first == last) /* what lies between two commands proves nothing */
        atomic_store_explicit(&d->tells_times, true, memory_order_relaxed);
    if (!sensible && !atomic_load_explicit(&d->tells_times, memory_order_relaxed) &&
        atomic_fetch_add(&d->told_nothing, 1) + 1 >= CHANCES)
        atomic_store(&d->no_event_times, true);
    return sensible;
}

int64_t times_took(const struct shim_queue *q, cl_event first, cl_event last)
{
    struct times t;

    return q->timed && !atomic_load_explicit(&q->device->no_event_times, memory_order_relaxed) &&
                   times_of(q->device, first, last, &t)
               ? (int64_t)(t.end - t.start)
               : 0;
}
