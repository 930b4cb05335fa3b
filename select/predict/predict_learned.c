/* predict_learned.c - times by what was learned from sizes that were measured. */
#include "select/predict/predict.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define LEAST_Y 1e-3

int predict_learn(const struct predict_options *o, const struct device *d, struct predict_learned *out)
{
    *out = (struct predict_learned){0};
    const int err = o->load(o->points, d, &out->points);
    return err ? err : learned_make(&out->learned, &out->points);
}

void predict_forget(struct predict_learned *l)
{
    learned_free(&l->learned);
    learn_points_free(&l->points);
}

static bool is_feasible(const struct candidate *c)
{
    return c->state != SEL_INFEASIBLE;
}

/* The size that is guessed to be the best takes what the model gives its own best one.  What has no features
 * comes behind all that have, in the model's order. */
static void set_times(const struct predict_learned *l, struct candidate *c, unsigned n)
{
    double best = INFINITY, most = 0, longest = 0;
    for (unsigned i = 0; i < n; i++) {
        const double y = is_feasible(&c[i]) && *c[i].x ? learned_guess(&l->learned, c[i].x, 0, NULL) : 0;
        best = is_feasible(&c[i]) && c[i].time_ns < best ? c[i].time_ns : best;
        most = y > most ? y : most;
    }
    for (unsigned i = 0; i < n; i++)
        if (is_feasible(&c[i]) && *c[i].x) {
            const double y = learned_guess(&l->learned, c[i].x, 0, NULL);
            c[i].time_ns = best * most / (y > LEAST_Y ? y : LEAST_Y);
            longest = c[i].time_ns > longest ? c[i].time_ns : longest;
        }
    for (unsigned i = 0; i < n; i++)
        if (is_feasible(&c[i]) && !*c[i].x)
            c[i].time_ns += longest;
}

int predict_rank(const struct predict_learned *l, struct candidate *c, unsigned n)
{
    uint32_t *order = malloc(2 * (size_t)n * sizeof *order + 1);
    struct candidate *copy = malloc(n * sizeof *copy + 1);
    const bool room = order && copy;
    if (room) {
        set_times(l, c, n);
        est_sort(c, n, order, order + n, copy);
    }
    free(copy);
    free(order);
    return room ? 0 : -ENOMEM;
}
