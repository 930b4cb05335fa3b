/* plan.c - in which mode a launch is measured, and how large its samples are. */
#include "profiler/profiler.h"
#include <stdio.h>
#include <string.h>
#include "analysis/summary/integer.h"

/* Desired in a slice: with fewer, a partly filled last round dominates its time. */
#define GROUPS_PER_UNIT 4

#define SLICES_ONCE     8 /* needed for a decision: 1 + 3 of the own size, 3 of a candidate, 1 to confirm */
#define SLICES_REPEATED 2 /* needed per launch if the race continues at the next one */

/* With efforts that have no budget, a launch this long is measured until its kernel is decided: there may be
 * few launches. */
#define LONG_LAUNCH_NS 2000000

#define LONG_SAMPLE 100 /* times min_slice_ns: a longer sample shows nothing that this one does not */

#define DUEL_FACTOR 2 /* times the slices of a race: if times vary, the range must last for its duel, too */

/* Shares of the NDRange that may go into samples. */
#define SHARE_SLICES  0.5
#define SHARE_RERUN   0.25
#define SHARE_PATIENT 1.0

const char *prof_mode_name(enum prof_mode m)
{
    static const char *const names[PROF_MODES] = {"none", "slices", "rerun", "launches", "sandbox", "swap"};

    return (unsigned)m < PROF_MODES ? names[m] : "?";
}

/* How large slices must be, and how many of them are needed. */
struct need {
    double least;   /* work-items of a slice: they fill the device once, and run long enough for the clock */
    double want;    /* work-items of a good slice: enough groups per unit, but not more than LONG_SAMPLE */
    size_t slices;  /* at least this many must fit */
    size_t comfort; /* this many are enough for a whole race */
    double share;   /* of the NDRange that may be used */
};

/* A plan in the making, and what it is made from. */
struct planning {
    struct prof_plan *plan;
    const struct sel_proof *proof;
    const struct launch *launch;
    const struct prof_race *race;
    const struct prof_policy *policy;
    struct need need;
    double item_ns; /* 0: unknown */
    bool repeats;
};

static void add_reason(struct prof_plan *plan, const char *mode, const char *reason)
{
    size_t used = strlen(plan->why);

    snprintf(plan->why + used, sizeof plan->why - used, "%s%s: %s", used ? "; " : "", mode, reason);
}

/* Work-items of the largest work-group in the race; 1 if all sizes are left to the driver. */
static double largest_group(const struct prof_race *r)
{
    double largest = 1;

    for (unsigned i = 0; i < r->n; i++) {
        const size_t *l = r->lane[i].local;
        double items = (double)l[0] * (double)l[1] * (double)l[2];
        if (!r->lane[i].dropped && items > largest)
            largest = items;
    }
    return largest;
}

static void slice_need(struct need *need, const struct prof_race *r, const struct device *d,
                       const struct prof_policy *p, double item_ns)
{
    double units = d->units ? d->units : 1, group = largest_group(r);
    double resident = (double)d->max_warps_unit * d->warp;
    unsigned racing = 0;

    for (unsigned i = 1; i < r->n; i++)
        racing += !r->lane[i].dropped;
    need->least = units * (resident > group ? resident : group);
    if (item_ns > 0 && (double)p->min_slice_ns / item_ns > need->least)
        need->least = (double)p->min_slice_ns / item_ns;
    need->want = units * group * GROUPS_PER_UNIT;
    if (item_ns > 0 && need->want * item_ns > LONG_SAMPLE * (double)p->min_slice_ns)
        need->want = LONG_SAMPLE * (double)p->min_slice_ns / item_ns;
    if (need->want < need->least)
        need->want = need->least;
    need->comfort = 1 + (size_t)r->rounds * (racing + 2);
}

/* The least common multiple of the candidates' extents along d ([D] 3.4, safe points), starting with the own
 * size's. Candidates that would raise it above `limit` are left out.  0 if no candidate besides the own size
 * remains. */
static size_t common_grain(const struct prof_race *r, unsigned d, size_t limit)
{
    size_t grain = r->lane[0].local[d] ? r->lane[0].local[d] : 1;
    unsigned in = 0;

    for (unsigned i = 1; i < r->n; i++) {
        size_t extent = r->lane[i].local[d] ? r->lane[i].local[d] : 1;
        size_t factor = extent / sum_gcd(grain, extent);
        if (r->lane[i].dropped || r->lane[i].variant || factor > limit / grain)
            continue;
        grain *= factor;
        in++;
    }
    return in && grain <= limit ? grain : 0;
}

/* How many work-items along the dimension, in whole grains, contain `work` work-items in all; `row`:
 * work-items per step along it. */
static double round_up(double work, double row, size_t grain)
{
    double grains = work / (row * (double)grain);
    double whole = (double)(uint64_t)(grains < 1e18 ? grains : 1e18);

    if (whole < grains)
        whole++;
    return (whole < 1 ? 1 : whole) * (double)grain;
}

/* Try to slice along dimension d.  True, with the plan's sizes set, if enough slices fit. */
static bool fit(const struct planning *t, unsigned d)
{
    const struct need *need = &t->need;
    const double extent = (double)t->launch->global[d], row = (double)launch_items(t->launch) / extent;
    size_t room = (size_t)(extent * need->share), grain = common_grain(t->race, d, room / need->slices);
    double least, want, comfortable;

    if (!grain)
        return false;
    room -= room % grain;
    least = round_up(need->least, row, grain);
    if (least * (double)need->slices > (double)room)
        return false;
    want = round_up(need->want, row, grain);
    comfortable = (double)(room / need->comfort / grain * grain);
    if (want > comfortable)
        want = comfortable > least ? comfortable : least;
    t->plan->dim = d;
    t->plan->grain = grain;
    t->plan->slice = (size_t)want;
    t->plan->budget_items = room;
    return true;
}

/* The slowest-varying sliceable dimension that has room: whole rows, whole planes. */
static const char *choose_dimension(const struct planning *t)
{
    const char *problem = "not-sliceable";

    for (unsigned d = t->launch->dim; d-- > 0;) {
        if (!t->proof->slice[d].proven)
            continue;
        if (fit(t, d))
            return NULL;
        problem = "too-small";
    }
    return problem;
}

static bool too_short(const struct planning *t)
{
    return t->item_ns > 0 && t->item_ns * (double)launch_items(t->launch) < (double)t->policy->min_slice_ns;
}

/* ---- the modes: each returns NULL when it is possible (sizes filled), else why not ----------------- */

static const char *try_slices(struct planning *t)
{
    if (!t->proof->uniform.proven)
        return "not-uniform";
    if (!t->proof->order_free.proven)
        return "not-order-free";
    t->need.slices = t->repeats ? SLICES_REPEATED : SLICES_ONCE;
    t->need.share = t->policy->effort == PROF_MEASURE ? SHARE_SLICES : SHARE_PATIENT;
    return choose_dimension(t);
}

/* One slice that all candidates run. */
static const char *fit_one_slice(struct planning *t)
{
    const char *problem;

    t->need.slices = t->need.comfort = 1;
    t->need.share = t->policy->effort == PROF_MEASURE ? SHARE_RERUN : SHARE_PATIENT;
    problem = choose_dimension(t);
    if (!problem)
        t->plan->budget_items = t->plan->slice;
    return problem;
}

static const char *try_rerun(struct planning *t)
{
    return t->proof->idempotent.proven ? fit_one_slice(t) : "not-idempotent";
}

static const char *try_launches(struct planning *t)
{
    if (!t->repeats)
        return "not-repeated";
    return too_short(t) ? "too-short" : NULL;
}

static const char *try_sandbox(struct planning *t)
{
    return t->policy->sandbox ? fit_one_slice(t) : "no-copies";
}

/* The slice is the whole range. */
static const char *try_swap(struct planning *t)
{
    if (!t->policy->sandbox)
        return "no-copies";
    if (too_short(t))
        return "too-short";
    t->plan->dim = 0;
    t->plan->grain = t->plan->slice = t->plan->budget_items = t->launch->global[0];
    return NULL;
}

/* Make the plan in this mode if it is allowed and possible.  Otherwise false, and only a reason is added to
 * the plan. */
static bool try_mode(struct planning *t, enum prof_mode mode)
{
    static const char *(*const attempt[])(struct planning *) = {[PROF_SLICES] = try_slices,
                                                                [PROF_RERUN] = try_rerun,
                                                                [PROF_LAUNCHES] = try_launches,
                                                                [PROF_SANDBOX] = try_sandbox,
                                                                [PROF_SWAP] = try_swap};
    const char *problem;

    if (t->policy->modes && !(t->policy->modes & 1u << mode))
        return false;
    problem = attempt[mode](t);
    if (!problem)
        t->plan->mode = mode;
    else if (t->plan->mode == PROF_NONE)
        add_reason(t->plan, prof_mode_name(mode), problem);
    return !problem;
}

static bool try_copies(struct planning *t)
{
    return try_mode(t, PROF_SANDBOX) || try_mode(t, PROF_SWAP);
}

bool prof_settles_at_once(enum prof_effort effort, double launch_ns)
{
    return effort >= PROF_PATIENT && launch_ns >= LONG_LAUNCH_NS;
}

struct prof_stake prof_stake_of(const struct prof_plan *plan, const struct launch *l, size_t slice,
                                size_t done)
{
    const size_t extent = l->global[plan->dim], row = launch_items(l) / extent;

    return (struct prof_stake){.items = slice * row,
                               .left = (extent - done) * row,
                               .repeated = plan->mode != PROF_SLICES,
                               .item_ns = plan->item_ns,
                               .compile_ns = plan->compile_ns};
}

/* Why the launch is not measured in any mode; NULL when it may be. */
static const char *out_of_question(const struct sel_proof *proof, const struct launch *l,
                                   const struct prof_race *r, const struct prof_policy *p)
{
    if (p->effort == PROF_ESTIMATE)
        return "effort-estimate";
    if (!proof->size.proven)
        return "size-not-proved";
    if (launch_items(l) == 0)
        return "empty-range";
    return r->n < 2 || prof_race_next(r) < 0 ? "nothing-to-measure" : NULL;
}

void prof_plan_make(struct prof_plan *plan, const struct sel_proof *proof, const struct launch *l,
                    const struct prof_race *r, const struct device *d, const struct prof_policy *p,
                    double item_ns, bool repeats)
{
    struct planning t = {plan, proof, l, r, p, .item_ns = item_ns, .repeats = repeats};
    const bool at_once = prof_settles_at_once(p->effort, item_ns * (double)launch_items(l));
    const char *problem = out_of_question(proof, l, r, p);

    memset(plan, 0, sizeof *plan);
    plan->compile_ns = d->compile_ns > 0 && d->compile_ns < 9e18 ? (int64_t)d->compile_ns : 0;
    if (problem) {
        snprintf(plan->why, sizeof plan->why, "%s", problem);
        return;
    }
    plan->item_ns = item_ns > 0 ? item_ns : r->lane[0].predicted_ns / (double)launch_items(l);
    slice_need(&t.need, r, d, p, item_ns);
    if (at_once || p->slices_only)
        t.need.comfort *= DUEL_FACTOR;
    if ((try_mode(&t, PROF_SLICES) && !(at_once && plan->budget_items / plan->slice < t.need.comfort)) ||
        p->slices_only)
        return;
    if (try_mode(&t, PROF_RERUN) || (at_once && try_copies(&t)) || plan->mode ||
        try_mode(&t, PROF_LAUNCHES) || at_once)
        return;
    try_copies(&t);
}
