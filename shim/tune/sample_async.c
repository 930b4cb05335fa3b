/* sample_async.c - enqueues the samples of a launch and the rest behind them at once ([D] asynchronous
 * profiling). None of them is waited for: samples_collect() looks at the times at later launches. */
#include "shim/enqueue/launch.h"
#include "shim/guest/next.h"
#include "shim/site/hazard.h"
#include "shim/site/samples_in_flight.h"
#include "shim/tune/slices.h"

/* Slices run one after another, on out-of-order queues too: side by side they would
 * take each other's time. */
static bool enqueue(struct slicing *x, const struct prof_part *p, const size_t local[3], cl_event *event,
                    cl_event *first)
{
    bool partial;

    *event = *first = NULL;
    if (split_enqueue(x->l->call, x->l->queue->out_of_order, &p->range, local, x->last, event, first,
                      &partial)) {
        x->broken = partial && !p->repeated;
        return false;
    }
    return true;
}

static void watch(struct slicing *x, const struct prof_part *p, unsigned lane, cl_event event, cl_event first)
{
    struct shim_site *s = x->l->site;
    cl_event watched = split_ref(event); /* one for the site, one for the order of things */

    slices_keep(x, first ? first : event, event);
    if (!watched) { /* the sample is lost */
        next_release(first);
        return;
    }
    samples_watch(s, &(struct site_pending){.event = event,
                                            .first = first,
                                            .queue = x->l->call->queue,
                                            .lane = lane,
                                            .fresh = lane && !s->race.lane[lane].tried,
                                            .items = p->range.size[0] * p->range.size[1] * p->range.size[2],
                                            .repeated = p->repeated,
                                            .silent = !p->record,
                                            .alone = hazard_waits_within(x->l->call),
                                            .cancelled_waits = x->cancelled_waits});
}

/* True when the part was enqueued, with its candidate or, where its work is needed, with the own size. */
static bool enqueue_part(struct slicing *x, const struct prof_part *p)
{
    struct prof_race *r = &x->l->site->race;
    unsigned lane = r->lane[p->lane].failed ? 0 : p->lane;
    cl_event event, first;

    if (lane != p->lane && p->repeated)
        return false;
    if (!enqueue(x, p, r->lane[lane].local, &event, &first)) {
        if (lane == 0 || x->broken || (!p->repeated && !enqueue(x, p, r->lane[0].local, &event, &first)))
            return false; /* it is not the size that the driver refuses */
        prof_race_drop(r, lane, true);
        if (p->repeated)
            return false;
        lane = 0;
    }
    watch(x, p, lane, event, first);
    return true;
}

/* The lane for what is behind the samples: nothing is compiled for it that they are not. */
static unsigned initial_lane(const struct shim_site *s)
{
    const unsigned lane = prof_race_initial(&s->race);

    return site_in_flight(s, lane) ? lane : prof_race_leader(&s->race);
}

bool sample_async(const struct launching *l, bool repeats, cl_int *error)
{
    struct shim_site *s = l->site;
    struct slicing x = {.l = l, .late = l->queue->out_of_order, .cancelled_waits = samples_cancelled_waits()};
    struct prof_part part[SITE_PENDING];
    struct prof_policy policy;
    struct prof_plan plan;
    size_t done = 0;
    unsigned n;
    bool enqueued;
    int cancel;

    if (s->npending)
        return false; /* what is under way may change what is wanted next */
    if (!slices_plan(l, repeats, &policy, &plan))
        return false;
    if (plan.budget_items == l->shape.global[plan.dim])
        plan.budget_items -= plan.slice; /* the application's event is the rest's, never a sample's */
    if (!launch_open_parts(l, &cancel))
        return false;
    n = prof_batch(&plan, &l->shape, &s->race, &s->account, &policy, part, SITE_PENDING);
    for (unsigned i = 0; i < n && !x.broken; i++) {
        const bool ran = enqueue_part(&x, &part[i]);
        if (!ran && !part[i].repeated)
            break; /* the rest begins here */
        done += ran && !part[i].repeated ? part[i].range.size[plan.dim] : 0;
    }
    enqueued = x.last || x.broken;
    if (x.broken)
        *error = CL_OUT_OF_RESOURCES;
    else if (enqueued)
        *error = slices_rest(&x, plan.dim, done, s->race.lane[initial_lane(s)].local);
    launch_close_parts(l, cancel);
    if (!enqueued)
        return false;
    s->mode = plan.mode;
    slices_release(&x);
    if (!*error && l->call->event)
        samples_share(s, *l->call->event);
    return true;
}
