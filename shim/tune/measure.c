/* measure.c - one step of a site's race: which candidate this launch measures, and how; and the end of the
 * race. */
#include "shim/enqueue/launch.h"
#include "shim/site/compile_ahead.h"
#include "shim/site/hazard.h"
#include "shim/site/policy.h"
#include "shim/site/samples_in_flight.h"
#include "shim/site/site_report.h"
#include "shim/tune/first_use.h"
#include "shim/tune/measure.h"
#include "shim/tune/prove.h"
#include "shim/tune/slices.h"
#include "shim/tune/vary.h"

#define LONG_LAUNCH     16 /* times a compilation: in such a long launch the cost of slices hardly matters */
#define SLICES_NS       50000000 /* of a launch this long slices are compared if they can be compiled ahead */
#define NEARLY_BEST     1.05 /* times the best prediction; misfits that promise more call for whole launches */
#define MOST_NOT_WAITED 64   /* launches in a row that could not be waited for: it will stay so */
#define OWN_IN_FLIGHT   4    /* samples of the own size in flight: one to warm up and a round */

static bool affordable(const struct launching *l, unsigned lane)
{
    const struct shim_site *s = l->site;
    const struct prof_policy policy = policy_of(l);
    const size_t items = launch_items(&l->shape);
    const struct prof_stake stake = {.items = items,
                                     .left = items,
                                     .item_ns = s->own_item_ns,
                                     .compile_ns = (int64_t)l->queue->device->model.compile_ns};

    return prof_affordable(&s->race, lane, &s->account, &policy, &stake);
}

/* A whole launch with the application's own size costs nothing, because it is made in any case.  A lane in
 * flight has been paid for. */
static bool affordable_launch(const void *launching, unsigned lane)
{
    const struct launching *l = launching;

    return lane == 0 || site_in_flight(l->site, lane) || affordable(l, lane);
}

/* The lane that this launch should measure; -1: none, or the time of its last sample is not known yet. */
static int choose_lane(const struct launching *l)
{
    struct shim_site *s = l->site;
    const int lane = prof_race_choose(&s->race, false, affordable_launch, l);

    s->unpaid = lane < 0 && prof_race_next(&s->race) > 0;
    return lane >= 0 && site_in_flight(s, (unsigned)lane) ? -1 : lane;
}

/* Are all candidates out of the race without a single sample? */
static bool nothing_left(const struct prof_race *r)
{
    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped || r->lane[i].samples)
            return false;
    return true;
}

/* The lane needs main and tail launches, which are not possible.  Drop it if that will stay so, and refuse
 * the site if no candidate remains. */
static void without_tails(const struct launching *l, unsigned lane)
{
    struct shim_site *s = l->site;
    bool lasting;
    const char *reason = launch_problem(l, &lasting);

    if (reason && lasting) {
        prof_race_drop(&s->race, lane, false);
        if (nothing_left(&s->race))
            refuse_shape(l, reason, "no other local size divides the range");
    }
}

/* The lane that this launch should measure as a whole, or -1. */
static int choose_launch(const struct launching *l)
{
    const int lane = choose_lane(l);

    if (lane <= 0 || l->site->race.lane[lane].variant ||
        split_divides(l->site->race.lane[lane].local, l->shape.global) || launch_may_split(l))
        return lane;
    without_tails(l, (unsigned)lane);
    return -1;
}

/* Is it proved that the lane may make the launch, and was that looked at? */
static bool may_use(const struct launching *l, unsigned lane)
{
    return prove_launch(l) && first_use(l, lane, NULL);
}

/* Launch with the size of a lane and, if that is a variant's, with its kernel; as the program asked if that
 * may not be. */
static cl_int launch_lane(const struct launching *l, unsigned lane, struct site_pending *watch)
{
    const struct prof_lane *p = &l->site->race.lane[lane];
    const bool usable = may_use(l, lane);

    if (usable && !p->variant)
        return launch_with(l, p->local, watch);
    if (usable && vary_measure(l, lane, watch))
        return CL_SUCCESS;
    if (watch)
        *watch = (struct site_pending){0};
    return call_pass(l->call);
}

/* There is nothing to measure now: launch with the best size that is known.  Without a leader that is the own
 * size, timed if the race wants it, unless another is outstanding and enough samples of the own size are in
 * flight. */
static cl_int launch_meanwhile(const struct launching *l)
{
    const struct prof_race *r = &l->site->race;
    const bool own = prof_race_next(r) == 0;
    unsigned lane = prof_race_leader(r);

    if (!lane && (!own || site_in_flight(l->site, 0) >= OWN_IN_FLIGHT))
        lane = prof_race_outstanding(r);
    return lane ? launch_lane(l, lane, NULL) : launch_observed(l, own);
}

/* One whole launch is one sample. */
static cl_int measure_launch(const struct launching *l)
{
    const int lane = choose_launch(l);
    struct shim_site *s = l->site;
    struct site_pending watch;
    cl_int error;

    if (lane < 0 || (lane > 0 && s->npending == SITE_PENDING)) /* no room to keep its event */
        return launch_meanwhile(l);
    if (lane == 0)
        return launch_observed(l, true);
    s->mode = PROF_LAUNCHES;
    error = launch_lane(l, (unsigned)lane, &watch);
    watch.lane = (unsigned)lane;
    watch.fresh = !s->race.lane[lane].tried;
    if (!error && watch.event)
        samples_watch(s, &watch);
    else if (!error && watch.refused)
        prof_race_drop(&s->race, (unsigned)lane, true);
    return error;
}

/* For devices without event times: one whole launch, timed by the host clock while it is waited for. */
static cl_int measure_by_host(const struct launching *l)
{
    const int lane = choose_launch(l);
    struct shim_site *s = l->site;
    const size_t items = launch_items(&l->shape);
    int64_t ns;
    cl_int error;

    if (lane < 0 || !hazard_may_wait(l) || (lane && !may_use(l, (unsigned)lane)))
        return launch_meanwhile(l);
    error = sample_whole(l, s->race.lane[lane].local, &ns);
    if (!error && ns < 0)
        prof_race_drop(&s->race, (unsigned)lane, true); /* refused by the driver */
    if (error || ns <= 0)
        return error;
    s->mode = PROF_LAUNCHES;
    site_seen(s, ns);
    prof_charge(&s->account, &s->race, (unsigned)lane, (size_t)((double)items * site_work(s) + 0.5), ns, 0,
                false);
    prof_race_add(&s->race, (unsigned)lane, items, (int64_t)((double)ns / site_work(s)), 0);
    return CL_SUCCESS;
}

/* Was the size faster than the own one in earlier runs? */
static bool was_faster(const struct prof_past *before, const struct prof_lane *lane, double margin)
{
    const struct prof_evidence *e = prof_past_of(before, lane);

    return e && !e->dropped && e->best > 0 && e->best < 1 - margin;
}

/* The sizes that do not fit the plan's slices leave the race.  False if that would leave too few, or if one
 * that leaves was faster in earlier runs, or is better by the model than all that stay. */
static bool leave_misfits(struct prof_race *r, const struct prof_past *before, const struct prof_plan *plan)
{
    double fitting = r->lane[0].predicted_ns, all = fitting;
    unsigned left = 0;

    for (unsigned i = 1; i < r->n; i++) {
        const bool fits = prof_fits(&r->lane[i], plan);
        const double ns = r->lane[i].predicted_ns;
        if (!fits && was_faster(before, &r->lane[i], r->margin))
            return false;
        left += fits;
        all = ns < all ? ns : all;
        fitting = fits && ns < fitting ? ns : fitting;
    }
    if (left < AHEAD_FEWEST_IN_SLICES || fitting > all * NEARLY_BEST)
        return false;
    prof_drop_misfits(r, plan);
    return true;
}

/* Is the launch long, and made a few times in a run?  Programs that make it often can afford to try sizes on
 * whole launches, for which half as much is compiled. */
static bool is_long_and_rare(const struct launching *l)
{
    const struct prof_past *before = l->site->before;

    return before && before->launches && policy_own_item_ns(l) * (double)launch_items(&l->shape) >= SLICES_NS;
}

bool measure_prepare_slices(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct prof_policy policy = policy_of(l);
    struct prof_plan plan;
    bool lasting;

    if (!is_long_and_rare(l) || (policy.modes && !(policy.modes & 1u << PROF_SLICES)) ||
        !launch_has_local(&l->shape) || policy_untimed(l) || launch_problem(l, &lasting) ||
        !ahead_offers_slices(l))
        return false;
    prof_plan_make(&plan, &s->proof, &l->shape, &s->race, &l->queue->device->model, &policy,
                   policy_own_item_ns(l), false);
    for (unsigned i = 1; i < s->race.n; i++)
        if (s->race.lane[i].parts > 1)
            return false;
    return plan.mode == PROF_SLICES && leave_misfits(&s->race, s->before, &plan);
}

/* Are whole launches better samples than slices?  A slice has an offset that later launches do not have.  If
 * the driver compiles for both, whole launches cost half as much, unless one launch is long and may be the
 * only one. */
static bool prefer_launches(const struct launching *l)
{
    const struct shim_site *s = l->site;
    const double compile = policy_compile_ns(l);

    return compile > POLICY_COMPILES_NS && !policy_at_once(l) &&
           (s->launches > 0 || s->own_item_ns * (double)launch_items(&l->shape) < LONG_LAUNCH * compile);
}

/* Can the first remaining candidate be paid for?  If not, a launch is not cut up for the sake of the own size
 * alone. Each sample is priced again when its turn comes. */
static bool may_begin(const struct launching *l)
{
    const struct prof_race *r = &l->site->race;
    unsigned first = 1;

    while (first < r->n && r->lane[first].dropped)
        first++;
    return first < r->n && affordable(l, first);
}

/* Measure the launch in parts if that is possible, and wait for them or not ([D] synchronous and
 * asynchronous).  Waiting lets the rest of this very launch profit, which is worth most if there may be no
 * other; not waiting costs a program that launches again no time.  True if the launch was made, with its
 * result in *error. */
static bool measured_in_parts(const struct launching *l, cl_int *error)
{
    const enum opt_orchestration wanted = l->rt->opt.orchestration;
    const bool copies = policy_of(l).modes & PROF_COPIES;
    const bool repeats = l->site->launches > 0, may_wait = wanted != OPT_ASYNC && hazard_may_wait(l),
               may_defer = wanted != OPT_SYNC && !copies && !policy_untimed(l);

    if (!launch_has_local(&l->shape) || (!l->site->in_slices && !may_begin(l)) || (!may_wait && !may_defer) ||
        !launch_may_split(l) || !policy_may_compile(l) || !prove_launch(l))
        return false;
    if (may_defer && ((repeats && !policy_at_once(l)) || !may_wait))
        return sample_async(l, repeats, error);
    return (may_wait && sample_sync(l, repeats, error)) ||
           (l->site->in_slices && may_defer && sample_async(l, repeats, error));
}

/* Is or will the code for slices be there, and may launches be made in parts, now or later? */
static bool slices_are_possible(const struct launching *l)
{
    bool lasting;
    const bool whole = launch_problem(l, &lasting) && lasting,
               never = l->rt->opt.orchestration == OPT_SYNC && !hazard_may_wait(l);

    return !whole && !never && (ahead_has_slices(l->site) || l->site->race.awaited);
}

/* A step of a race that compares slices of launches.  Until the code for all of them is compiled, launches
 * are made as the program asked. */
static cl_int measure_slices(const struct launching *l)
{
    cl_int error;

    if (!ahead_has_slices(l->site))
        return launch_meanwhile(l);
    if (measured_in_parts(l, &error))
        return error;
    if (!l->site->npending || prof_race_leader(&l->site->race))
        return launch_meanwhile(l);
    error = call_pass(l->call); /* not watched: what is under way must end before parts are enqueued */
    l->site->untimed += !error;
    return error;
}

/* Why the mode that was asked for, which is not whole launches, can never measure this shape, in words; NULL:
 * it may. */
static const char *mode_problem(const struct launching *l, const struct prof_policy *policy)
{
    struct shim_site *s = l->site;

    if (!launch_has_local(&l->shape))
        return "the driver chooses the local size: only whole launches show what it makes of the range";
    if (!(policy->modes & PROF_COPIES))
        return NULL;
    if (l->rt->opt.orchestration == OPT_ASYNC)
        return "samples on copies are waited for, which --orchestration async forbids";
    s->not_waited = hazard_may_wait(l) ? 0 : s->not_waited + 1;
    return s->not_waited < MOST_NOT_WAITED
               ? NULL
               : "samples on copies are waited for, which this program never allows";
}

/* Refuse the site: the mode can never measure it. */
static void refuse_mode(const struct launching *l, const char *why)
{
    struct shim_site *s = l->site;

    if (!s->mode_refused)
        report_refusal(l, false, "mode-not-proved", why);
    site_become(s, SITE_REFUSED);
}

/* In parts where they pay, else as a whole.  If the application leaves the size to the driver, only whole
 * launches show what the driver makes of the range. */
cl_int measure_sample(const struct launching *l)
{
    const struct prof_policy policy = policy_of(l);
    const bool launches = policy.modes == 0 || policy.modes & 1u << PROF_LAUNCHES;
    const char *why;
    cl_int error;

    if (site_work(l->site) < 0)
        return launch_meanwhile(l);
    if (vary_wants_launches(l))
        return measure_launch(l);
    l->site->in_slices = l->site->in_slices && slices_are_possible(l);
    if (l->site->in_slices)
        return measure_slices(l);
    if (!(launches && prefer_launches(l)) && measured_in_parts(l, &error))
        return error;
    if (!launches) {
        why = mode_problem(l, &policy);
        if (why)
            refuse_mode(l, why);
        return launch_meanwhile(l);
    }
    return policy_untimed(l) ? measure_by_host(l) : measure_launch(l);
}
