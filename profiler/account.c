/* account.c - what tuning may cost, what it did cost. */
#include "profiler/race.h"
#include <float.h>

/* Pessimism about a size that has never run: it is assumed to take UNTRIED_RATIO times what is predicted, and
 * at least UNTRIED_LEAST times the own size's time. */
#define UNTRIED_RATIO 2.0
#define UNTRIED_LEAST 1.25

/* Rounded to whole nanoseconds, not below 0 and not above INT64_MAX. */
static int64_t whole(double ns)
{
    if (ns >= 9e18)
        return INT64_MAX;
    return ns > 0 ? (int64_t)(ns + 0.5) : 0;
}

double prof_allowance(const struct prof_account *a, double budget)
{
    return budget * (double)a->observed_ns + (double)a->granted_ns + (double)a->saved_ns / PROF_PAYBACK;
}

void prof_balance(const struct prof_account *a, const struct prof_account *since, int64_t *spent_ns,
                  int64_t *saved_ns)
{
    const int64_t cost = a->spent_ns - a->saved_ns - (since->spent_ns - since->saved_ns);

    *spent_ns = cost > 0 ? cost : 0;
    *saved_ns = cost < 0 ? -cost : 0;
}

bool prof_may_spend(const struct prof_account *a, const struct prof_policy *p, int64_t cost_ns,
                    int64_t gain_ns)
{
    double over;

    if (p->effort == PROF_ESTIMATE)
        return false;
    if (p->effort != PROF_MEASURE || cost_ns <= 0)
        return true;
    if (p->budget <= 0)
        return false;
    over = (double)cost_ns + (double)a->spent_ns - prof_allowance(a, p->budget);
    return over <= 0 || (over <= (double)cost_ns && (double)gain_ns >= PROF_PAYBACK * over);
}

void prof_learn(int64_t *known_ns, int64_t ns)
{
    *known_ns = ns > *known_ns ? ns : (3 * *known_ns + ns) / 4;
}

void prof_charge_build(struct prof_account *a, int64_t ns)
{
    a->spent_ns += ns;
    prof_learn(&a->build_ns, ns);
}

/* Has the size been measured, in this run or an earlier one? */
static bool was_measured(const struct prof_lane *l)
{
    return l->samples || l->before;
}

/* Time relative to the own size, measured or else predicted; 0 unknown. */
static double relative_time(const struct prof_race *r, unsigned lane)
{
    const double measured = prof_race_ratio(r, lane);

    return measured > 0 ? measured : race_predicted_ratio(r, lane);
}

static double own_rate(const struct prof_race *r, const struct prof_stake *s)
{
    return r->own_item_ns > 0 ? r->own_item_ns : s->item_ns;
}

/* How many times the driver compiles for the lane's next sample. */
static unsigned compilations(const struct prof_lane *l)
{
    const unsigned parts = l->parts ? l->parts : 1;

    if (l->tried)
        return 0;
    if (l->known)
        return l->ahead ? parts - 1 : 0;
    return parts;
}

/* Relative time to budget for a size of which only the `predicted` one (0: unknown) is known. */
static double pessimistic(double predicted)
{
    const double assumed = predicted * UNTRIED_RATIO;

    if (predicted <= 0 || predicted >= 1)
        return predicted > UNTRIED_RATIO ? predicted : UNTRIED_RATIO;
    return assumed > UNTRIED_LEAST ? assumed : UNTRIED_LEAST;
}

/* What one of these compilations is expected to take, in ns. */
static double compilation(const struct prof_lane *l, const struct prof_account *a, const struct prof_stake *s)
{
    const int64_t size = a->compile_ns >= 0 ? a->compile_ns : s->compile_ns;

    return (double)(l->variant && a->variant_ns > size ? a->variant_ns : size);
}

/* prof_price(): the cost of one sample of the lane, in ns. */
static double lane_cost(const struct prof_race *r, unsigned lane, const struct prof_account *a,
                        const struct prof_stake *s)
{
    double ratio = lane ? relative_time(r, lane) : 1, run = own_rate(r, s) * (double)s->items;
    double compile = compilations(&r->lane[lane]) * compilation(&r->lane[lane], a, s);

    if (lane && !was_measured(&r->lane[lane]) && !r->lane[lane].seen)
        ratio = pessimistic(ratio);
    if (s->repeated && run <= 0)
        return DBL_MAX; /* nobody knows how long that takes */
    if (!s->repeated)
        ratio = ratio > 1 ? ratio - 1 : 0;
    return compile + run * ratio;
}

/* The smallest relative time that was measured, at most 1: compiling for a lane gains only what it promises
 * beyond that. */
static double best_measured(const struct prof_race *r)
{
    double best = 1;

    for (unsigned i = 1; i < r->n; i++)
        if (was_measured(&r->lane[i]) && !r->lane[i].failed && relative_time(r, i) > 0 &&
            relative_time(r, i) < best)
            best = relative_time(r, i);
    return best;
}

/* prof_price(): what the lane's size may save, in ns. */
static double lane_gain(const struct prof_race *r, unsigned lane, const struct prof_account *a,
                        const struct prof_stake *s)
{
    double ratio = relative_time(r, lane), now = 1;

    if (!was_measured(&r->lane[lane])) {
        ratio *= PROF_MODEL_ERROR;
        now = compilations(&r->lane[lane]) ? best_measured(r) : 1;
    }
    if (ratio <= 0 || ratio >= now)
        return 0;
    return (own_rate(r, s) * (double)s->left + (double)a->observed_ns) * (now - ratio);
}

void prof_price(const struct prof_race *r, unsigned lane, const struct prof_account *a,
                const struct prof_stake *s, int64_t *cost_ns, int64_t *gain_ns)
{
    double cost = lane_cost(r, lane, a, s), gain = lane_gain(r, lane, a, s);
    bool none_tried = lane == 0;
    unsigned first = 0;

    for (unsigned i = 1; i < r->n && lane == 0; i++) {
        none_tried &= !r->lane[i].tried && !r->lane[i].known;
        if (r->lane[i].dropped)
            continue;
        if (!first)
            first = i;
        if (lane_gain(r, i, a, s) > gain)
            gain = lane_gain(r, i, a, s);
    }
    if (none_tried && first)
        cost += lane_cost(r, first, a, s);
    if (race_awaits(r, lane) && (r->trial || gain < PROF_PAYBACK * cost))
        cost = DBL_MAX;
    *cost_ns = whole(cost);
    *gain_ns = whole(gain);
}

bool prof_affordable(const struct prof_race *r, unsigned lane, const struct prof_account *a,
                     const struct prof_policy *p, const struct prof_stake *s)
{
    int64_t cost, gain;

    if (p->not_yet >> lane & 1)
        return false;
    prof_price(r, lane, a, s, &cost, &gain);
    return prof_may_spend(a, p, cost, gain);
}

static int64_t above_0(int64_t ns)
{
    return ns > 0 ? ns : 0;
}

/* The lane's sample took so much longer than with the own size.  What all its samples took longer is spent,
 * or what they took less is saved: where times vary, that of each would be spent on nothing. */
static void charge_difference(struct prof_account *a, struct prof_lane *l, int64_t ns)
{
    const int64_t before = l->lost_ns;

    l->lost_ns += ns;
    a->saved_ns += above_0(-l->lost_ns) - above_0(-before);
    a->spent_ns += above_0(l->lost_ns) - above_0(before);
}

void prof_charge(struct prof_account *a, struct prof_race *r, unsigned lane, size_t items, int64_t ns,
                 int64_t overhead_ns, bool repeated)
{
    const int64_t own_ns = whole(r->own_item_ns * (double)items);

    ns = above_0(ns);
    overhead_ns = above_0(overhead_ns);
    a->spent_ns += overhead_ns + (repeated ? ns : 0);
    a->observed_ns += repeated ? 0 : ns;
    if (lane && !repeated && ns && own_ns)
        charge_difference(a, &r->lane[lane], ns - own_ns);
    if (lane && !r->lane[lane].tried && !r->lane[lane].known) {
        const int64_t compile = overhead_ns / compilations(&r->lane[lane]);
        prof_learn(r->lane[lane].variant ? &a->variant_ns : &a->compile_ns, compile);
    }
    r->lane[lane].tried = true;
}
