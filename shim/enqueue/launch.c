/* launch.c - see launch.h. */
#include "shim/enqueue/launch.h"
#include <string.h>
#include "shim/enqueue/widening.h"
#include "shim/object/event_shadow.h"
#include "shim/site/hazard.h"
#include "shim/site/policy.h"
#include "shim/site/samples_in_flight.h"
#include "shim/site/site_report.h"

#define ALL_OBSERVED    64 /* the first launches of a site are all timed */
#define OBSERVED_STRIDE 16 /* afterwards one in this many, */
#define SHORT_STRIDE    64 /* of short ones in this many: a look takes 10 us with NVIDIA's driver */
#define SHORT_LAUNCH_NS 50000

#define NOT_TRIED 1 /* not an OpenCL error: those are negative */

/* A user event that fails makes everything behind it fail, and a driver aborts if one of several events that
 * fail together, such as a part's, was released by then. */
const char *launch_problem(const struct launching *l, bool *lasting)
{
    const char *problem = hazard_of_parts(lasting);

    if (problem)
        return problem;
    if (l->call->nwait > SPLIT_LONGEST_LIST)
        return "long-wait-list";
    if (l->queue->device->api < 110)
        return "no-offsets";
    if (widening_possible(l))
        return "several-queues";
    return sharing_problem(&l->queue->sharing);
}

/* The driver took a launch with `local`.  If that is the decided size, later launches need no compilation. */
static void note_launched(struct shim_site *s, const size_t local[3])
{
    if (!atomic_load_explicit(&s->launched, memory_order_relaxed) && site_state(s) == SITE_DECIDED &&
        launch_same_size(local, s->choice))
        atomic_store_explicit(&s->launched, true, memory_order_relaxed);
}

static bool may_compile_unless(const struct launching *l, bool (*forbids)(const struct launching *l))
{
    if (!policy_may_compile(l))
        return false;
    if (!forbids(l))
        return true;
    report_whole(l, "several-queues");
    return false;
}

bool launch_may_use_other(const struct launching *l)
{
    return may_compile_unless(l, widening_forbids);
}

/* An event that the program keeps must hold its kernel, not ours: both may be counted. */
bool launch_may_vary(const struct launching *l)
{
    if (l->call->event && obj_has(l->queue->device, DRV_EVENTS_HOLD)) {
        report_whole(l, "variant-event");
        return false;
    }
    return may_compile_unless(l, widening_forbids_variants);
}

bool launch_may_split(const struct launching *l)
{
    bool lasting;
    const char *reason = launch_problem(l, &lasting);

    if (reason && lasting)
        report_whole(l, reason);
    return !reason;
}

bool launch_open_parts(const struct launching *l, int *cancel)
{
    if (!launch_may_split(l) || !widening_begin(l, SITE_PARTS, (size_t[3]){0}))
        return false;
    if (sharing_open(&l->queue->sharing, cancel))
        return true;
    widening_end(l, SITE_PARTS);
    report_whole(l, sharing_problem(&l->queue->sharing));
    return false;
}

void launch_close_parts(const struct launching *l, int cancel)
{
    sharing_close(&l->queue->sharing, cancel);
    widening_end(l, SITE_PARTS);
}

/* Enqueue the whole range with `local`, in parts if that does not divide it.  NOT_TRIED if it must not be
 * made in parts. */
static cl_int enqueue_whole(const struct launching *l, const size_t local[3], cl_event *done, cl_event *first,
                            bool *partial)
{
    const bool parts = !split_divides(local, l->shape.global);
    const struct prof_range range = prof_range_of(&l->shape, 0, 0, l->shape.global[0]);
    int cancel = 0;
    cl_int error;

    *partial = false;
    if (parts && !launch_open_parts(l, &cancel))
        return NOT_TRIED;
    error = split_enqueue(l->call, l->queue->out_of_order, &range, local, NULL, done, first, partial);
    if (parts)
        launch_close_parts(l, cancel);
    return error;
}

/* The application's own call, argument for argument, with an event for `watch`. */
static cl_int launch_own(const struct launching *l, struct site_pending *watch)
{
    const struct call *c = l->call;
    struct call watched = *c;
    cl_event event = NULL;
    cl_int error;

    *watch = samples_expected(c);
    watched.event = &event;
    error = call_pass(&watched);
    if (c->event && event) /* of a refused launch, too, if the driver makes one */
        *c->event = event;
    else if (error)
        obj_drop_refused(c->queue, &event);
    if (!error)
        watch->event = event;
    return error;
}

/* Launch with the application's own size after `error` with another.  A driver may refuse a decided size that
 * it said it would take, for lack of registers, for example; then it is not tried again. */
static cl_int launch_instead(const struct launching *l, cl_int error)
{
    const cl_int own = call_pass(l->call);

    if (error != NOT_TRIED && own == CL_SUCCESS && site_state(l->site) == SITE_DECIDED)
        atomic_store(&l->site->rejected, true);
    return own;
}

cl_int launch_other(const struct launching *l, const size_t local[3], struct site_pending *watch)
{
    const struct call *c = l->call;
    const bool visible = c->event && !l->queue->hidden && l->queue->timed;
    cl_event done = NULL, first = NULL;
    bool partial;
    cl_int error;

    if (watch)
        *watch = samples_expected(c);
    if (!widening_begin(l, SITE_SIZE, local))
        return call_pass(c);
    error =
        enqueue_whole(l, local, c->event || watch ? &done : NULL, visible || watch ? &first : NULL, &partial);
    widening_end(l, SITE_SIZE);
    if (error) {
        if (watch)
            watch->refused = error != NOT_TRIED;
        return partial ? error : launch_instead(l, error);
    }
    note_launched(l->site, local);
    if (c->event)
        *c->event = done;
    if (first && visible) {
        if (watch && !split_ref(first))
            watch = NULL; /* the sample is lost */
        shadow_set_first(done, first);
        first = watch ? first : NULL;
    }
    if (watch) {
        watch->event = done;
        watch->first = first;
    } else {
        next_release(first);
    }
    return CL_SUCCESS;
}

cl_int launch_with(const struct launching *l, const size_t local[3], struct site_pending *watch)
{
    if (launch_same_size(local, l->shape.local))
        return watch ? launch_own(l, watch) : call_pass(l->call);
    if (launch_may_use_other(l))
        return launch_other(l, local, watch);
    if (watch)
        *watch = samples_expected(l->call);
    return call_pass(l->call);
}

bool launch_is_short(const struct launching *l)
{
    const double ns = l->site->own_item_ns * (double)launch_items(&l->shape);

    return ns > 0 && ns <= SHORT_LAUNCH_NS;
}

unsigned launch_stride(const struct launching *l)
{
    return l->site->launches < ALL_OBSERVED ? 1 : launch_is_short(l) ? SHORT_STRIDE : OBSERVED_STRIDE;
}

cl_int launch_observed(const struct launching *l, bool wanted)
{
    const unsigned stride = wanted ? 1 : launch_stride(l);
    struct site_pending watch;
    cl_int error;

    if (!l->queue->timed || l->site->launches % stride)
        return call_pass(l->call);
    if (l->site->npending == SITE_PENDING) {
        error = call_pass(l->call);
        l->site->untimed += error ? 0 : stride;
        return error;
    }
    error = launch_own(l, &watch);
    watch.weight = stride;
    if (!error)
        samples_watch(l->site, &watch);
    return error;
}
