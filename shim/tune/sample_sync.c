/* sample_sync.c - prof_ops on a real queue: enqueues slices of the present launch, and waits for them with a
 * deadline. */
#include <errno.h>
#include <string.h>
#include "shim/enqueue/launch.h"
#include "shim/guest/clock.h"
#include "shim/guest/next.h"
#include "shim/site/hazard.h"
#include "shim/site/launch_log.h"
#include "shim/site/times.h"
#include "shim/tune/sandbox.h"
#include "shim/tune/slices.h"

/* The context of the prof_ops. */
struct sampling {
    struct slicing slices;
    struct sandbox box;
};

static int64_t op_now(void *ctx)
{
    (void)ctx;
    return clock_now();
}

/* A launch that failed with a size of ours, unless the program let one fail that it waited for. */
static void note_failure(const struct launching *l, const size_t local[3], cl_int status)
{
    if (status < 0)
        hazard_failed(l->site, status, !launch_same_size(local, l->shape.local));
}

/* The report shows what was waited for, too; it began at `begin`, clock_now(). */
static void note_sample(const struct launching *l, const size_t local[3], int64_t begin, size_t items,
                        int64_t ns, int64_t overhead_ns)
{
    log_add(l->site, prof_lane_of(&l->site->race, local), l->call->queue,
            &(struct rep_sample){.at_ns = begin, .ns = ns, .overhead_ns = overhead_ns, .items = items});
}

/* Enqueue a slice and wait for it.  prof_ops.run's return values; on success and -ETIMEDOUT *event and
 * *first, that of the first of several parts or NULL, are the caller's. */
static int run_slice(struct sampling *w, const struct call *c, const struct prof_range *range,
                     const size_t local[3], int64_t *ns, int64_t *overhead_ns, cl_event *event,
                     cl_event *first)
{
    const struct launching *l = w->slices.l;
    const int64_t begin = clock_now();
    bool partial, late;
    int64_t wall;
    cl_int status;

    *event = *first = NULL;
    if (split_enqueue(c, l->queue->out_of_order, range, local, NULL, event, first, &partial))
        return partial ? -EPIPE : -EIO;
    next()->clFlush(c->queue);
    status = split_wait(*event, begin + rt_wait_ns(l->rt), &l->queue->sharing.shared);
    late = status != CL_COMPLETE;
    note_failure(l, local, status);
    wall = clock_now() - begin;
    if (!late || !atomic_load(&l->queue->sharing.shared))
        hazard_waited(l, !late);
    *ns = late ? 0 : times_took(l->queue, *first ? *first : *event, *event);
    if (*ns <= 0 && l->queue->timed && atomic_load(&l->queue->device->tells_times))
        return -ETIMEDOUT; /* times by two clocks cannot be compared */
    if (*ns <= 0)
        *ns = wall;
    *overhead_ns = wall > *ns ? wall - *ns : 0;
    if (!late)
        note_sample(l, local, begin, range->size[0] * range->size[1] * range->size[2], *ns, *overhead_ns);
    return late ? -ETIMEDOUT : 0;
}

static int op_run(void *ctx, const struct prof_range *range, const size_t local[3], int64_t *ns,
                  int64_t *overhead_ns)
{
    struct sampling *w = ctx;
    cl_event event, first;
    int err = run_slice(w, w->slices.l->call, range, local, ns, overhead_ns, &event, &first);

    w->slices.broken |= err == -EPIPE;
    w->slices.late = err == -ETIMEDOUT;
    if (event) {
        slices_keep(&w->slices, first ? first : event, event);
        next_release(first);
    }
    return err == -EPIPE ? -ETIMEDOUT : err;
}

static int op_sandbox(void *ctx, const struct prof_range *range, const size_t local[3], int64_t *ns,
                      int64_t *overhead_ns)
{
    struct sampling *w = ctx;
    const int64_t begin = clock_now();
    struct call c = *w->slices.l->call;
    cl_event event, first, filled;
    int err;

    if (!sandbox_fill(&w->box, NULL, w->slices.l, &filled))
        return -EIO;
    c.kernel = w->box.kernel;
    c.nwait = 1;
    c.wait = &filled;
    err = run_slice(w, &c, range, local, ns, overhead_ns, &event, &first);
    next_release(event);
    next_release(first);
    next_release(filled);
    if (!err)
        *overhead_ns = clock_now() - begin - *ns > 0 ? clock_now() - begin - *ns : 0;
    return err == -EPIPE ? -EIO : err; /* nobody will miss that part */
}

/* Are the preparations made? */
static bool ready(struct sampling *w, const struct prof_plan *plan)
{
    const struct launching *l = w->slices.l;

    return sandbox_drain(l, SANDBOX_DRAIN_NS) &&
           (!(PROF_COPIES >> plan->mode & 1) || sandbox_open(&w->box, l, false));
}

bool sample_sync(const struct launching *l, bool repeats, cl_int *error)
{
    struct shim_site *s = l->site;
    const int64_t observed_ns = s->account.observed_ns;
    struct prof_policy policy;
    struct prof_plan plan;
    size_t done;
    struct sampling w = {.slices.l = l};
    const struct prof_ops ops = {.run = op_run, .sandbox = op_sandbox, .now = op_now, .ctx = &w};
    bool enqueued;
    int cancel;

    if (!slices_plan(l, repeats, &policy, &plan) || !ready(&w, &plan) || !launch_open_parts(l, &cancel)) {
        sandbox_close(&w.box);
        return false;
    }
    done = prof_run(&plan, &l->shape, &s->race, &s->account, &policy, &ops);
    site_seen(s, s->account.observed_ns - observed_ns);
    s->mode = plan.mode;
    sandbox_close(&w.box); /* the rest may need the memory */
    enqueued = w.slices.last || w.slices.broken;
    *error = w.slices.broken ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
    if (!*error && enqueued)
        *error = slices_rest(&w.slices, plan.dim, done, s->race.lane[prof_race_leader(&s->race)].local);
    launch_close_parts(l, cancel);
    slices_release(&w.slices);
    return enqueued;
}

cl_int sample_whole(const struct launching *l, const size_t local[3], int64_t *ns)
{
    struct site_pending watch;
    const bool drained = sandbox_drain(l, SANDBOX_DRAIN_NS);
    const int64_t begin = clock_now();
    const cl_int error = launch_with(l, local, &watch);
    cl_int status;

    *ns = !error && watch.refused ? -1 : 0;
    if (!watch.event)
        return error;
    next()->clFlush(l->call->queue);
    status = split_wait(watch.event, begin + rt_wait_ns(l->rt), NULL);
    hazard_waited(l, status != CL_QUEUED);
    note_failure(l, local, status);
    if (status == CL_COMPLETE && drained) {
        *ns = clock_now() - begin;
        l->site->timed++;
        note_sample(l, local, begin, site_items(l->site), *ns, 0);
    }
    next_release(watch.first);
    if (!watch.visible)
        next()->clReleaseEvent(watch.event);
    return CL_SUCCESS;
}
