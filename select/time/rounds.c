/* rounds.c - the warps of a round and their bounds.
 *
 * Groups that are resident together lie next to each other, so a round's warps are those of one
 * place in the range, its kinds mixed as a group mixes them; the launch is an average over places.
 * A CPU core goes through its warps one after another: there each kind is a round of its own. */
#include "select/time/estimate.h"
#include <string.h>

/* What a core overlaps is in the demand. */
static double at_once(const struct sel_work *w, const struct est_case *c)
{
    return w->d->is_cpu ? 1 : c->active;
}

static struct warp_group group_of(const struct est_case *c, unsigned i, double warps)
{
    return (struct warp_group){warps * c->weight[i], c->demand[i]->part};
}

static void apportion(struct est_round *r, double all)
{
    uint32_t left = r->at_once;
    for (unsigned i = 0; i < r->n; i++) {
        uint32_t others = r->n - 1 - i, share = (uint32_t)(r->g[i].warps / all * r->at_once + 0.5);
        share = i + 1 == r->n || share > left ? left : share;
        if (share == 0 && left > 0)
            share = 1;
        if (left - share < others)
            share = left > others ? left - others : 1;
        share = share < left ? share : left;
        r->g[i].warps = share;
        left -= share;
    }
}

/* The next round that is not `done` yet; false when there is none. */
static bool next_round(const struct sel_work *w, const struct est_case *c, bool done[EST_SORTS],
                       struct est_round *r)
{
    unsigned first = 0;
    while (first < c->n && done[first])
        first++;
    if (first == c->n)
        return false;
    *r = (struct est_round){0};
    for (unsigned i = first; i < c->n; i++) {
        if (done[i] || c->place[i] != c->place[first] || (w->d->is_cpu && i != first))
            continue;
        done[i] = true;
        r->weight += c->weight[i];
        r->sort[r->n] = i;
        r->g[r->n++] = group_of(c, i, 1);
    }
    const double most = at_once(w, c) < EST_WARPS ? at_once(w, c) : EST_WARPS;
    r->at_once = most < 1 ? 1 : (uint32_t)(most + 0.5);
    apportion(r, r->weight);
    return true;
}

static bool same_round(const struct est_case *c, const struct est_round *a, const struct est_round *b)
{
    bool same = a->n == b->n;
    for (unsigned i = 0; same && i < a->n; i++)
        same = c->trace[a->sort[i]] == c->trace[b->sort[i]] && a->g[i].warps == b->g[i].warps;
    return same;
}

unsigned est_rounds(const struct sel_work *w, const struct est_case *c, struct est_round r[EST_SORTS + 1])
{
    bool done[EST_SORTS] = {false};
    unsigned n = 0;
    while (next_round(w, c, done, &r[n])) {
        unsigned same = 0;
        while (same < n && !same_round(c, &r[same], &r[n]))
            same++;
        if (same < n)
            r[same].weight += r[n].weight;
        else
            n++;
    }
    return n;
}

double est_over_rounds(struct sel_work *w, const struct est_case *c, est_round_time *time)
{
    struct est_round r[EST_SORTS + 1];
    const unsigned n = est_rounds(w, c, r);
    double sum = 0, longest = 0;
    for (unsigned i = 0; i < n; i++) {
        const double one = time(w, c, &r[i]);
        if (one < 0)
            return one;
        sum += one * r[i].weight;
        longest = longest > one ? longest : one;
    }
    return est_tail(c, sum, longest);
}

double est_load(const struct est_case *c, struct demand *part)
{
    double chain = 0;
    memset(part, 0, PARTS * sizeof *part);
    for (unsigned i = 0; i < c->n; i++)
        for (unsigned p = 0; p < PARTS; p++) {
            part[p].count += c->weight[i] * c->demand[i]->part[p].count;
            part[p].latency += c->weight[i] * c->demand[i]->part[p].latency;
            part[p].delay += c->weight[i] * c->demand[i]->part[p].delay;
            chain += c->weight[i] * c->demand[i]->part[p].latency;
        }
    return chain;
}

/* Closed form of one round, scaled to all warps that overlap. */
static double time_of(const struct est_round *r, double all)
{
    struct warp_group g[EST_KINDS];
    double warps = 0;
    for (unsigned i = 0; i < r->n; i++)
        warps += r->g[i].warps;
    for (unsigned i = 0; i < r->n; i++) {
        g[i] = r->g[i];
        g[i].warps *= all / warps;
    }
    return bounds_time(g, r->n);
}

void est_bounds(const struct sel_work *w, const struct est_case *c, struct bounds *b, double *time)
{
    struct est_round r[EST_SORTS + 1];
    struct warp_group g[EST_SORTS];
    struct bounds most = {0};
    const double all = at_once(w, c);
    double longest = 0;
    *b = (struct bounds){0};
    unsigned n = est_rounds(w, c, r);
    for (unsigned i = 0; i < n; i++) {
        struct bounds one;
        bounds_round(r[i].g, r[i].n, w->k->has_barrier, &one);
        double steps = c->active / r[i].at_once;
        b->best += one.best * steps * r[i].weight;
        b->worst += one.worst * steps * r[i].weight;
        most.best = most.best > one.best * steps ? most.best : one.best * steps;
        most.worst = most.worst > one.worst * steps ? most.worst : one.worst * steps;
        if (c->tail > 0) {
            const double alone = time_of(&r[i], all) * c->active / all;
            longest = longest > alone ? longest : alone;
        }
    }
    b->best = est_tail(c, b->best, most.best);
    b->worst = est_tail(c, b->worst, most.worst);
    if (w->d->is_cpu) { /* one warp after another, each as fast as its parts allow */
        *time = b->best;
        return;
    }
    for (unsigned i = 0; i < c->n; i++)
        g[i] = group_of(c, i, all);
    const double closed = est_tail(c, bounds_time(g, c->n) * c->active / all, longest);
    *time = closed < b->best ? b->best : closed > b->worst ? b->worst : closed;
}

bool est_slope(const struct est_case *c, double cost[EST_PLACES])
{
    double weight[EST_PLACES] = {0}, least = 0, most = 0;
    memset(cost, 0, EST_PLACES * sizeof *cost);
    for (unsigned i = 0; i < c->n; i++) {
        struct warp_group alone = group_of(c, i, 1);
        struct bounds b;
        alone.warps = 1;
        bounds_round(&alone, 1, false, &b);
        cost[c->place[i]] += c->weight[i] * b.best;
        weight[c->place[i]] += c->weight[i];
    }
    for (unsigned p = 0; p < EST_PLACES; p++) {
        if (weight[p] <= 0)
            continue;
        cost[p] /= weight[p];
        least = least > 0 && least < cost[p] ? least : cost[p];
        most = most > cost[p] ? most : cost[p];
    }
    if (weight[0] <= 0 || weight[EST_PLACES / 2] <= 0 || weight[EST_PLACES - 1] <= 0 || most <= least * 1.05)
        return false;
    for (unsigned p = 1; p + 1 < EST_PLACES;
         p++) /* every other one is left out when there are many candidates */
        if (weight[p] <= 0)
            cost[p] = (cost[p - 1] + cost[p + 1]) / 2;
    return true;
}
