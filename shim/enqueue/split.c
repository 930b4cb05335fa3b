/* split.c - enqueues a launch in parts, with one event that stands for all of them (split.h). */
#include "shim/enqueue/split.h"
#include <sched.h>
#include <string.h>
#include "shim/guest/clock.h"
#include "shim/guest/next.h"

#define MAX_PARTS 8 /* main or tail along each of three dimensions */
#define MAX_WAIT  (SPLIT_LONGEST_LIST + 1 + MAX_PARTS)

struct part {
    size_t offset[3], size[3], local[3];
};

/* Cut along every dimension that local does not divide.  Order: the main part first. */
static unsigned cut(const struct prof_range *r, const size_t local[3], struct part part[MAX_PARTS])
{
    unsigned n = 1;

    for (unsigned d = 0; d < 3; d++) {
        part[0].offset[d] = r->offset[d];
        part[0].size[d] = r->size[d];
        part[0].local[d] = local[d];
    }
    for (unsigned d = 0; d < 3; d++) {
        const size_t tail = local[d] ? r->size[d] % local[d] : 0, main = r->size[d] - tail;
        const unsigned before = n;
        if (!tail)
            continue;
        for (unsigned i = 0; i < before; i++) {
            if (main) {
                part[n] = part[i];
                part[i].size[d] = main;
            }
            struct part *t = main ? &part[n++] : &part[i];
            t->offset[d] = r->offset[d] + main;
            t->size[d] = tail;
            t->local[d] = tail;
        }
    }
    return n;
}

static cl_int enqueue_part(const struct call *c, const struct part *p, cl_uint nwait, const cl_event *wait,
                           cl_event *event)
{
    /* A NULL offset and a zero one are the same to the program, and a NULL stays one. */
    const bool zero = !c->offset && !p->offset[0] && !p->offset[1] && !p->offset[2];
    const cl_int error =
        next()->clEnqueueNDRangeKernel(c->queue, c->kernel, c->dim, zero ? NULL : p->offset, p->size,
                                       p->local[0] ? p->local : NULL, nwait, nwait ? wait : NULL, event);

    if (error)
        obj_drop_refused(c->queue, event);
    return error;
}

struct progress {
    cl_event events[MAX_PARTS];
    unsigned n;
};

static void release_except(struct progress *done, cl_event keep_a, cl_event keep_b)
{
    for (unsigned i = 0; i < done->n; i++)
        if (done->events[i] != keep_a && done->events[i] != keep_b)
            next_release(done->events[i]);
}

/* The wait list of a part: the application's, `after`, and the parts before when they are to be waited for.
 * Uses `room` if that is more than the application's.  Returns the number. */
static cl_uint wait_list(const struct call *c, cl_event after, const struct progress *parts,
                         cl_event room[MAX_WAIT], const cl_event **list)
{
    cl_uint n = 0;

    *list = c->wait;
    if (!after && !parts)
        return c->nwait;
    *list = room;
    for (cl_uint i = 0; i < c->nwait; i++)
        room[n++] = c->wait[i];
    if (after)
        room[n++] = after;
    for (unsigned i = 0; parts && i < parts->n; i++)
        room[n++] = parts->events[i];
    return n;
}

cl_int split_enqueue(const struct call *c, bool out_of_order, const struct prof_range *range,
                     const size_t local[3], cl_event after, cl_event *done, cl_event *first, bool *partial)
{
    struct part part[MAX_PARTS];
    struct progress parts = {.n = 0};
    const unsigned n = cut(range, local, part);
    const cl_event *list;
    cl_event room[MAX_WAIT], start, end;
    cl_int error = CL_SUCCESS;

    *partial = false;
    if ((n > 1 || after) && c->nwait > SPLIT_LONGEST_LIST)
        return CL_OUT_OF_RESOURCES;
    for (unsigned i = 0; i < n; i++) {
        const bool last = i == n - 1,
                   want = (last && done) || (i == 0 && n > 1 && first) || (!last && out_of_order);
        cl_uint nwait = wait_list(c, after, last && out_of_order && n > 1 ? &parts : NULL, room, &list);
        cl_event *event = want ? &parts.events[i] : NULL;

        parts.events[i] = NULL;
        error = enqueue_part(c, &part[i], nwait, list, event);
        if (error && i > 0) {
            memset(part[i].local, 0, sizeof part[i].local);
            error = enqueue_part(c, &part[i], nwait, list, event);
        }
        if (error) {
            *partial = i > 0;
            release_except(&parts, NULL, NULL);
            return error;
        }
        parts.n = i + 1;
    }
    end = done ? parts.events[n - 1] : NULL;
    start = first && n > 1 ? parts.events[0] : NULL;
    release_except(&parts, start, end);
    if (done)
        *done = end;
    if (first)
        *first = start;
    return CL_SUCCESS;
}

cl_event split_ref(cl_event e)
{
    return next()->clRetainEvent(e) == CL_SUCCESS ? e : NULL;
}

/* Short waits spin politely, longer ones sleep; a signal handler of the application only shortens a sleep. */
cl_int split_wait(cl_event e, int64_t deadline, const atomic_bool *hurry)
{
    const int64_t start = clock_now();

    for (;;) {
        const cl_int status = next_status(e);
        int64_t now;
        if (status <= CL_COMPLETE)
            return status;
        now = clock_now();
        if (now >= deadline || (hurry && atomic_load(hurry)))
            return CL_QUEUED;
        if (now - start < 100000)
            sched_yield();
        else
            clock_sleep(now - start < 5000000 ? 20000 : 200000);
    }
}
