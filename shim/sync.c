/* sync.c - prof_ops on a real queue: slices of the present launch, waited for with a deadline. */
#include <errno.h>
#include <string.h>
#include "shim/intercept.h"
#include "shim/launch.h"
#include "shim/runtime.h"

#define DRAIN_NS 20000000 /* longer is not worth it: another launch will come */

struct slicing {
    const struct launching *l;
    cl_event first; /* of the first slice, ours */
    cl_event last;  /* of the last slice, ours */
    bool late;      /* the last slice was not seen to complete */
    bool broken;    /* the driver took a part of a slice and refused the rest */
};

static int64_t op_now(void *ctx)
{
    (void)ctx;
    return rt_now();
}

/* Execution time from the start of one event to the end of another; <= 0 when the driver does not tell. */
static int64_t execution_ns(const struct launching *l, cl_event first, cl_event last)
{
    cl_ulong start = 0, end = 0;

    if (!l->queue->timed || atomic_load(&l->queue->device->no_event_times))
        return 0;
    next()->clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    next()->clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    return (int64_t)(end - start);
}

static void keep_event(struct slicing *s, cl_event first, cl_event e)
{
    if (!s->first) {
        s->first = first;
        next()->clRetainEvent(first);
    }
    if (s->last)
        next()->clReleaseEvent(s->last);
    s->last = e;
}

static int op_run(void *ctx, const struct prof_range *range, const size_t local[3], int64_t *ns,
                  int64_t *overhead_ns)
{
    struct slicing *s = ctx;
    const int64_t begin = rt_now();
    cl_event event = NULL, first = NULL;
    bool partial;
    int64_t wall;

    if (split_enqueue(s->l->call, s->l->queue->out_of_order, range, local, NULL, &event, &first, &partial)) {
        s->broken = partial;
        return partial ? -ETIMEDOUT : -EIO;
    }
    keep_event(s, first ? first : event, event);
    next()->clFlush(s->l->call->queue);
    s->late = split_wait(event, begin + (int64_t)s->l->rt->opt.wait * 1000000) != CL_COMPLETE;
    wall = rt_now() - begin;
    if (s->late)
        atomic_store(&s->l->queue->stalls, true);
    *ns = s->late ? 0 : execution_ns(s->l, first ? first : event, event);
    if (*ns <= 0)
        *ns = wall;
    *overhead_ns = wall > *ns ? wall - *ns : 0;
    if (first)
        next()->clReleaseEvent(first);
    return s->late ? -ETIMEDOUT : 0;
}

/* What was enqueued before must be done, or its time would be taken for ours. */
static bool drain(const struct launching *l)
{
    cl_event marker = NULL;
    bool done;

    if (!next()->clEnqueueMarkerWithWaitList ||
        next()->clEnqueueMarkerWithWaitList(l->call->queue, 0, NULL, &marker) != CL_SUCCESS)
        return false;
    next()->clFlush(l->call->queue);
    done = split_wait(marker, rt_now() + DRAIN_NS) == CL_COMPLETE;
    if (!done)
        atomic_store(&l->queue->stalls, true);
    next()->clReleaseEvent(marker);
    return done;
}

/* Launch [done, global) along the sliced dimension with the best size known, and give the application its
 * event. */
static cl_int launch_rest(struct slicing *s, const struct prof_plan *plan, size_t done, const size_t best[3])
{
    const struct launching *l = s->l;
    const struct call *c = l->call;
    const bool visible = c->event && !l->queue->hidden && l->queue->timed;
    struct prof_range rest;
    cl_event event = NULL;
    bool partial;
    cl_int error = CL_SUCCESS;

    memcpy(rest.offset, l->shape.offset, sizeof rest.offset);
    memcpy(rest.size, l->shape.global, sizeof rest.size);
    rest.offset[plan->dim] += done;
    rest.size[plan->dim] -= done;
    if (rest.size[plan->dim]) {
        error = split_enqueue(c, l->queue->out_of_order, &rest, best, s->late ? s->last : NULL,
                              c->event ? &event : NULL, NULL, &partial);
        if (error && !partial)
            error = split_enqueue(c, l->queue->out_of_order, &rest, l->shape.local, s->late ? s->last : NULL,
                                  c->event ? &event : NULL, NULL, &partial);
    } else if (c->event) {
        event = s->last;
        next()->clRetainEvent(event);
    }
    if (!error && c->event) {
        *c->event = event;
        if (visible && s->first && s->first != event) {
            split_remember(event, s->first);
            s->first = NULL;
        }
    }
    return error;
}

bool sync_profile(const struct launching *l, bool repeats, cl_int *error)
{
    struct shim_site *s = l->site;
    const struct device *model = &l->queue->device->model;
    const struct prof_policy policy = tune_policy(l->rt);
    struct prof_plan plan;
    struct prof_result result = {0};
    struct slicing slicing = {.l = l};
    const struct prof_ops ops = {.run = op_run, .now = op_now, .ctx = &slicing};

    prof_plan_make(&plan, &s->proof, &l->shape, &s->race, model, &policy, s->own_item_ns, repeats);
    if ((plan.mode != PROF_SLICES && plan.mode != PROF_RERUN) || !drain(l))
        return false;
    prof_run(&plan, &l->shape, &s->race, &s->account, &policy, &ops, &result);
    atomic_fetch_add(&l->rt->total.spent_ns, result.wasted_ns);
    s->mode = plan.mode;
    if (!slicing.last && !slicing.broken)
        return false; /* nothing was enqueued */
    if (slicing.broken)
        *error = CL_OUT_OF_RESOURCES;
    else
        *error = launch_rest(&slicing, &plan, result.done, s->race.lane[prof_race_leader(&s->race)].local);
    if (slicing.first)
        next()->clReleaseEvent(slicing.first);
    if (slicing.last)
        next()->clReleaseEvent(slicing.last);
    return true;
}

cl_int sync_whole(const struct launching *l, const size_t local[3], int64_t *ns)
{
    struct site_pending watch;
    const bool drained = drain(l);
    const int64_t begin = rt_now();
    const cl_int error = launch_with(l, local, &watch);

    *ns = 0;
    if (error || !watch.event)
        return error;
    next()->clFlush(l->call->queue);
    if (split_wait(watch.event, begin + (int64_t)l->rt->opt.wait * 1000000) == CL_COMPLETE && drained)
        *ns = rt_now() - begin;
    if (watch.first)
        next()->clReleaseEvent(watch.first);
    if (!watch.visible)
        next()->clReleaseEvent(watch.event);
    return CL_SUCCESS;
}
