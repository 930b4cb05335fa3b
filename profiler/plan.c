/* plan.c - in which mode a launch can be measured, and in what portions. */
#include "profiler/profiler.h"
#include <stdio.h>
#include <string.h>

#define GROUPS_PER_UNIT 4 /* wanted in a slice: with fewer, the last round of groups decides the time */
#define SLICES_ONCE     8 /* fewer make no decision: 1 + 3 of the own size, 3 of a candidate, 1 to confirm */
#define SLICES_REPEATED 2 /* per launch, where the race goes on at the next */

/* Without a budget, so long a launch is measured until its kernel is decided: there may be few of them. */
#define LONG_LAUNCH_NS 2000000

/* Shares of the NDRange that may go into samples. */
#define SHARE_SLICES  0.5
#define SHARE_RERUN   0.25
#define SHARE_PATIENT 1.0

const char *prof_mode_name(enum prof_mode m)
{
    static const char *const names[] = {"none", "slices", "rerun", "launches", "sandbox", "swap"};

    return (unsigned)m < sizeof names / sizeof *names ? names[m] : "?";
}

/* What a slice must hold. */
struct need {
    double least;   /* work-items: fill the device once, and last as long as the clock needs */
    double want;    /* enough groups per unit */
    size_t slices;  /* at least this many must fit */
    size_t comfort; /* a whole race */
    double share;   /* of the NDRange */
};

static void add_reason(struct prof_plan *plan, const char *mode, const char *reason)
{
    size_t used = strlen(plan->why);

    snprintf(plan->why + used, sizeof plan->why - used, "%s%s: %s", used ? "; " : "", mode, reason);
}

/* Work-items of the largest work-group in the race; 1 when all are the driver's choice. */
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
    if (need->want < need->least)
        need->want = need->least;
    need->comfort = 1 + (size_t)r->rounds * (racing + 2);
}

static size_t gcd(size_t a, size_t b)
{
    while (b) {
        size_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* Least common multiple of the candidates' extents along d, the own size's first ([D] 3.4, safe
 * points); those that would lift it above `limit` are left out.  0 when not even one candidate
 * besides the own size remains. */
static size_t common_grain(const struct prof_race *r, unsigned d, size_t limit)
{
    size_t grain = r->lane[0].local[d] ? r->lane[0].local[d] : 1;
    unsigned in = 0;

    for (unsigned i = 1; i < r->n; i++) {
        size_t extent = r->lane[i].local[d] ? r->lane[i].local[d] : 1;
        size_t factor = extent / gcd(grain, extent);
        if (r->lane[i].dropped || factor > limit / grain)
            continue;
        grain *= factor;
        in++;
    }
    return in && grain <= limit ? grain : 0;
}

/* Items along the dimension that hold `work` items, in whole grains. */
static double round_up(double work, double row, size_t grain)
{
    double grains = work / (row * (double)grain);
    double whole = (double)(uint64_t)(grains < 1e18 ? grains : 1e18);

    if (whole < grains)
        whole++;
    return (whole < 1 ? 1 : whole) * (double)grain;
}

/* Slices along dimension d: true and the plan's sizes filled if enough of them fit. */
static bool fit(struct prof_plan *plan, const struct launch *l, const struct prof_race *r, unsigned d,
                const struct need *need)
{
    double row = (double)launch_items(l) / (double)l->global[d], share = (double)l->global[d] * need->share;
    size_t room = (size_t)share, grain = common_grain(r, d, room / need->slices);
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
    plan->dim = d;
    plan->grain = grain;
    plan->slice = (size_t)want;
    plan->budget_items = room;
    return true;
}

/* The slowest-varying sliceable dimension that has room: whole rows, whole planes. */
static const char *choose_dimension(struct prof_plan *plan, const struct sel_proof *proof,
                                    const struct launch *l, const struct prof_race *r,
                                    const struct need *need)
{
    const char *problem = "not-sliceable";

    for (unsigned d = l->dim; d-- > 0;) {
        if (!proof->slice[d].proven)
            continue;
        if (fit(plan, l, r, d, need))
            return NULL;
        problem = "too-small";
    }
    return problem;
}

static bool allowed(const struct prof_policy *p, enum prof_mode mode)
{
    return p->modes == 0 || (p->modes & 1u << mode);
}

/* Each returns NULL when the mode is possible (sizes filled), else why not. */
static const char *try_slices(struct prof_plan *plan, const struct sel_proof *proof, const struct launch *l,
                              const struct prof_race *r, const struct prof_policy *p, struct need *need,
                              bool repeats)
{
    if (!allowed(p, PROF_SLICES))
        return "not-allowed";
    if (!proof->uniform.proven)
        return "not-uniform";
    if (!proof->order_free.proven)
        return "ordered-atomics";
    need->slices = repeats ? SLICES_REPEATED : SLICES_ONCE;
    need->share = p->effort == PROF_MEASURE ? SHARE_SLICES : SHARE_PATIENT;
    return choose_dimension(plan, proof, l, r, need);
}

/* One slice that all candidates run. */
static const char *fit_one_slice(struct prof_plan *plan, const struct sel_proof *proof,
                                 const struct launch *l, const struct prof_race *r,
                                 const struct prof_policy *p, struct need *need)
{
    const char *problem;

    need->slices = need->comfort = 1;
    need->share = p->effort == PROF_MEASURE ? SHARE_RERUN : SHARE_PATIENT;
    problem = choose_dimension(plan, proof, l, r, need);
    if (!problem)
        plan->budget_items = plan->slice;
    return problem;
}

static const char *try_rerun(struct prof_plan *plan, const struct sel_proof *proof, const struct launch *l,
                             const struct prof_race *r, const struct prof_policy *p, struct need *need)
{
    if (!allowed(p, PROF_RERUN))
        return "not-allowed";
    if (!proof->idempotent.proven)
        return "not-idempotent";
    return fit_one_slice(plan, proof, l, r, p, need);
}

static const char *try_sandbox(struct prof_plan *plan, const struct sel_proof *proof, const struct launch *l,
                               const struct prof_race *r, const struct prof_policy *p, struct need *need)
{
    if (!allowed(p, PROF_SANDBOX))
        return "not-allowed";
    if (!p->sandbox)
        return "no-copies";
    return fit_one_slice(plan, proof, l, r, p, need);
}

/* The whole range is the slice. */
static const char *try_swap(struct prof_plan *plan, const struct launch *l, const struct prof_policy *p,
                            double item_ns)
{
    if (!allowed(p, PROF_SWAP))
        return "not-allowed";
    if (!p->sandbox)
        return "no-copies";
    if (item_ns > 0 && item_ns * (double)launch_items(l) < (double)p->min_slice_ns)
        return "too-short";
    plan->dim = 0;
    plan->grain = plan->slice = plan->budget_items = l->global[0];
    return NULL;
}

static const char *try_launches(const struct launch *l, const struct prof_policy *p, double item_ns,
                                bool repeats)
{
    if (!allowed(p, PROF_LAUNCHES))
        return "not-allowed";
    if (!repeats)
        return "not-repeated";
    if (item_ns > 0 && item_ns * (double)launch_items(l) < (double)p->min_slice_ns)
        return "too-short";
    return NULL;
}

/* The modes that need copies.  True when one of them is possible. */
static bool try_copies(struct prof_plan *plan, const struct sel_proof *proof, const struct launch *l,
                       const struct prof_race *r, const struct prof_policy *p, struct need *need,
                       double item_ns)
{
    const char *problem;

    if (!(problem = try_sandbox(plan, proof, l, r, p, need))) {
        plan->mode = PROF_SANDBOX;
        return true;
    }
    add_reason(plan, "sandbox", problem);
    if (!(problem = try_swap(plan, l, p, item_ns))) {
        plan->mode = PROF_SWAP;
        return true;
    }
    add_reason(plan, "swap", problem);
    return false;
}

bool prof_settles_at_once(const struct prof_policy *p, double launch_ns)
{
    return p->effort >= PROF_PATIENT && launch_ns >= LONG_LAUNCH_NS;
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
    return prof_race_next(r) < 0 ? "nothing-to-measure" : NULL;
}

void prof_plan_make(struct prof_plan *plan, const struct sel_proof *proof, const struct launch *l,
                    const struct prof_race *r, const struct device *d, const struct prof_policy *p,
                    double item_ns, bool repeats)
{
    const bool at_once = prof_settles_at_once(p, item_ns * (double)launch_items(l));
    const char *problem = out_of_question(proof, l, r, p);
    struct need need = {0};
    size_t comfort;

    memset(plan, 0, sizeof *plan);
    plan->compile_ns = d->compile_ns > 0 && d->compile_ns < 9e18 ? (int64_t)d->compile_ns : 0;
    if (problem) {
        snprintf(plan->why, sizeof plan->why, "%s", problem);
        return;
    }
    plan->item_ns = item_ns > 0 ? item_ns : r->lane[0].predicted_ns / (double)launch_items(l);
    slice_need(&need, r, d, p, item_ns);
    comfort = need.comfort;
    if (!(problem = try_slices(plan, proof, l, r, p, &need, repeats)))
        plan->mode = PROF_SLICES;
    else
        add_reason(plan, "slices", problem);
    if (plan->mode == PROF_SLICES && !(at_once && plan->budget_items / plan->slice < comfort))
        return;
    if (!(problem = try_rerun(plan, proof, l, r, p, &need)))
        plan->mode = PROF_RERUN;
    if (plan->mode)
        return;
    add_reason(plan, "rerun", problem);
    if (at_once && try_copies(plan, proof, l, r, p, &need, item_ns))
        return;
    if (!(problem = try_launches(l, p, item_ns, repeats))) {
        plan->mode = PROF_LAUNCHES;
        return;
    }
    add_reason(plan, "launches", problem);
    if (!at_once)
        try_copies(plan, proof, l, r, p, &need, item_ns);
}
