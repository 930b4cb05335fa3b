/* simulation.c - see simulation.h: the rounds of a case are those of the closed form (rounds.c). */
#include "select/predict/simulation.h"
#include "select/predict/param.h"
#include "select/time/mwp.h"

#define EVENTS 8192 /* operations simulated per round, about */

_Static_assert(EST_WARPS <= SIM_WARPS, "a round's warps are simulated at once");

double est_simulate(const struct sel_work *w, const struct est_case *c)
{
    static struct sim_op op[EST_KINDS][EST_PROGRAM]; /* one thread predicts */
    struct est_round r[EST_SORTS + 1];
    const unsigned n = est_rounds(w, c, r);
    double sum = 0, longest = 0;

    for (unsigned i = 0; i < n; i++) {
        struct sim_kind kind[EST_KINDS];
        struct sim_round round = {.kind = kind, .kinds = r[i].n, .amid = c->amid};
        round.oldest_first = w->d->oldest_first && !c->amid; /* the oldest are replaced as they end */
        round.group = c->group > 0 && c->group < SIM_WARPS ? (uint32_t)c->group
                      : c->group > 0                       ? SIM_WARPS
                                                           : 1;
        for (unsigned k = 0; k < r[i].n; k++) {
            kind[k].op = op[k];
            kind[k].warps = (uint32_t)r[i].g[k].warps;
            kind[k].nop = est_program(w, c->trace[r[i].sort[k]], c->reuse, r[i].g[k].part,
                                      EVENTS / r[i].at_once, op[k]);
        }
        const double one = sim_run(&round) * c->active / r[i].at_once;
        sum += one * r[i].weight;
        longest = longest > one ? longest : one;
    }
    return est_tail(c, sum, longest);
}

static void simulate(const struct sel_work *w, struct candidate *c, struct est_case *e)
{
    e->cycles = est_simulate(w, e);
    c->time_ns = est_time(e, e->cycles);
    w->out->simulated++;
}

static void simulate_all(const struct sel_work *w, struct candidate *c, struct est_case *e, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (c[i].state != SEL_INFEASIBLE)
            simulate(w, &c[i], &e[i]);
}

/* A duplicate's rounds take as long as those of the candidate that it duplicates. */
static void simulate_kept(const struct sel_work *w, struct candidate *c, struct est_case *e, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (c[i].state == SEL_KEPT)
            simulate(w, &c[i], &e[i]);
    for (unsigned i = 0; i < n; i++)
        if (c[i].state == SEL_DUPLICATE && c[c[i].other].state == SEL_KEPT)
            c[i].time_ns = est_time(&e[i], e[c[i].other].cycles);
}

static double median(double a, double b, double c)
{
    const double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Of what is kept: what is pruned has the closed form for two of the three. */
static void median_of_kept(const struct sel_work *w, struct candidate *c, struct est_case *e, unsigned n)
{
    simulate_kept(w, c, e, n);
    for (unsigned i = 0; i < n; i++)
        if (c[i].state == SEL_KEPT || c[i].state == SEL_DUPLICATE)
            c[i].time_ns = median(est_time(&e[i], e[i].same->closed), c[i].time_ns, mwp_ns(w, &e[i]));
}

int sel_estimate_by(enum sel_model model, const struct kernel_summary *k, const struct launch *l,
                    const struct device *d, struct candidate *c, unsigned n, struct sel_work *w,
                    struct sel_estimate *out)
{
    static est_refine *const refine[] = {NULL,         simulate_kept,  simulate_all,
                                         mwp_estimate, param_estimate, median_of_kept};

    return est_all(refine[model], k, l, d, c, n, w, out);
}
