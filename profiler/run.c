/* run.c - measuring within one launch, waiting for each sample: which range runs with which size, and what
 * that costs. */
#include "profiler/profiler.h"
#include <errno.h>

struct runner {
    const struct prof_plan *plan;
    const struct launch *launch;
    struct prof_race *race;
    struct prof_account *account;
    const struct prof_policy *policy;
    const struct prof_ops *ops;
    size_t row;   /* work-items per step along the sliced dimension */
    size_t slice; /* along that dimension; grows when the first sample is too short for the clock */
    size_t done;  /* along that dimension: prof_run() */
};

/* Charge a wait that brought no sample, except for the time that the work itself would have taken. */
static void charge_wait(struct runner *x, int64_t start, size_t items, bool productive)
{
    const int64_t wait = x->ops->now(x->ops->ctx) - start;
    double work = productive ? x->race->own_item_ns * (double)items : 0;

    x->account->spent_ns += (double)wait > work ? wait - (int64_t)work : 0;
}

/* Run the slice that begins `at` along the dimension.  `repeated`: the same work is also done by another run.
 * `record`: the time counts in the race.  Returns what the operation returned. */
static int measure(struct runner *x, prof_op *run, unsigned lane, size_t at, bool repeated, bool record)
{
    const struct prof_range range = prof_range_of(x->launch, x->plan->dim, at, x->slice);
    size_t items = x->slice * x->row;
    int64_t ns = 0, overhead = 0, start = x->ops->now(x->ops->ctx);
    int err;

    err = run(x->ops->ctx, &range, x->race->lane[lane].local, &ns, &overhead);
    if (err) {
        charge_wait(x, start, items, err == -ETIMEDOUT && !repeated);
        return err;
    }
    prof_charge(x->account, x->race, lane, items, ns, overhead, repeated);
    if (record)
        prof_race_add(x->race, lane, items, ns, overhead);
    return 0;
}

/* Can a sample be paid for?  One of the own size has a price, too, because the launch is cut up for it. */
static bool affordable(const void *runner, unsigned lane)
{
    const struct runner *x = runner;
    const struct prof_stake stake = prof_stake_of(x->plan, x->launch, x->slice, x->done);

    return prof_affordable(x->race, lane, x->account, x->policy, &stake);
}

/* The own size's time is known now: make slices long enough for the clock. */
static void lengthen(struct runner *x)
{
    double ns = x->race->own_item_ns * (double)(x->slice * x->row), factor, grains;

    if (ns <= 0 || ns >= (double)x->policy->min_slice_ns)
        return;
    factor = (double)x->policy->min_slice_ns / ns;
    grains = (double)(x->slice / x->plan->grain) * factor + 1;
    if (grains * (double)x->plan->grain > (double)x->plan->budget_items)
        x->slice = x->plan->budget_items;
    else
        x->slice = (size_t)grains * x->plan->grain;
}

/* Run one productive slice behind those that are done.  If a candidate fails, its range runs with the own
 * size. False: measuring is over for this launch. */
static bool slice_step(struct runner *x)
{
    size_t at = x->done;
    int lane = x->slice > x->plan->budget_items - at ? -1 : prof_race_choose(x->race, false, affordable, x),
        err;

    if (lane < 0)
        return false;
    err = measure(x, x->ops->run, (unsigned)lane, at, false, true);
    if (err && err != -ETIMEDOUT && lane != 0) {
        prof_race_drop(x->race, (unsigned)lane, true);
        err = measure(x, x->ops->run, 0, at, false, true);
    }
    if (err == 0 || err == -ETIMEDOUT)
        x->done += x->slice;
    if (err == 0 && lane == 0)
        lengthen(x);
    return err == 0;
}

/* The productive run of the first slice.  Unlike later runs it finds cold caches, so it does not count,
 * except as the race's warm-up. */
static bool first_in_place(struct runner *x)
{
    int lane = prof_race_next(x->race), err;

    if (lane < 0 || !affordable(x, (unsigned)lane))
        return false;
    err = measure(x, x->ops->run, 0, 0, false, !x->race->warm);
    if (err == 0 || err == -ETIMEDOUT)
        x->done = x->slice;
    return err == 0;
}

static bool long_enough(const struct runner *x)
{
    return x->race->own_item_ns * (double)(x->slice * x->row) >= (double)x->policy->min_slice_ns;
}

/* Run the first slice again, in place or on copies.  On copies the own size is measured, too, because caches
 * are cold and warm in another way there.  False: measuring is over for this launch. */
static bool repeat_step(struct runner *x, prof_op *run)
{
    int lane = prof_race_choose(x->race, true, affordable, x), err;

    if (lane < 0)
        return false;
    err = measure(x, run, (unsigned)lane, 0, true, true);
    if (err && err != -ETIMEDOUT)
        prof_race_drop(x->race, (unsigned)lane, true);
    return err == 0 || (err != -ETIMEDOUT && lane != 0);
}

bool prof_fits(const struct prof_lane *l, const struct prof_plan *plan)
{
    return !l->variant &&
           (plan->mode == PROF_SWAP || !l->local[plan->dim] || plan->grain % l->local[plan->dim] == 0);
}

void prof_drop_misfits(struct prof_race *r, const struct prof_plan *plan)
{
    for (unsigned i = 1; i < r->n; i++)
        if (!prof_fits(&r->lane[i], plan))
            prof_race_drop(r, i, false);
}

static void run_mode(struct runner *x)
{
    switch (x->plan->mode) {
    case PROF_SLICES:
        while (slice_step(x))
            ;
        break;
    case PROF_RERUN:
        if (first_in_place(x) && long_enough(x))
            while (repeat_step(x, x->ops->run))
                ;
        break;
    case PROF_SANDBOX:
        if (first_in_place(x))
            while (repeat_step(x, x->ops->sandbox))
                ;
        break;
    case PROF_SWAP: /* the whole range; the run in place is left to the caller */
        while (repeat_step(x, x->ops->sandbox))
            ;
        break;
    case PROF_LAUNCHES:
    case PROF_NONE:
        break;
    }
}

size_t prof_run(const struct prof_plan *plan, const struct launch *l, struct prof_race *r,
                struct prof_account *a, const struct prof_policy *p, const struct prof_ops *ops)
{
    struct runner x = {plan, l, r, a, p, ops, .slice = plan->slice};

    if (plan->mode == PROF_NONE || plan->mode == PROF_LAUNCHES)
        return 0;
    x.row = launch_items(l) / l->global[plan->dim];
    prof_drop_misfits(r, plan);
    run_mode(&x);
    return x.done;
}
