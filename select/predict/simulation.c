/* simulation.c - see simulation.h: the rounds of a case are those of the closed form (rounds.c). */
#include "select/predict/simulation.h"
#include "select/predict/param.h"
#include "select/time/mwp.h"

#define EVENTS 8192 /* operations simulated per round, about */

_Static_assert(EST_WARPS <= SIM_WARPS, "a round's warps are simulated at once");

double est_simulate(struct sel_work *w, const struct est_case *c)
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

static double parallelism(struct sel_work *w, const struct est_case *c)
{
    struct param_warp one;
    return param_cycles(w, c, &one);
}

/* Of the closed form, the simulation and [C]'s. */
static double median(struct sel_work *w, const struct est_case *c)
{
    const double a = c->same->closed, b = est_simulate(w, c), m = mwp_cycles(w, c);
    const double low = a < b ? a : b, high = a < b ? b : a;
    return m < low ? low : m > high ? high : m;
}

int sel_estimate_by(enum sel_model model, const struct kernel_summary *k, const struct launch *l,
                    const struct device *d, struct candidate *c, unsigned n, struct sel_work *w,
                    struct sel_estimate *out)
{
    static est_model *const cycles[] = {NULL, est_simulate, est_simulate, mwp_cycles, parallelism, median};
    const bool all = model != SEL_MODEL_SIM && model != SEL_MODEL_MEDIAN;

    const int r = est_all(cycles[model], all, k, l, d, c, n, w, out);
    for (unsigned i = 0; i < n && r == 0; i++)
        out->simulated +=
            all ? model == SEL_MODEL_SIM_ALL && c[i].state != SEL_INFEASIBLE : c[i].state == SEL_KEPT;
    return r;
}
