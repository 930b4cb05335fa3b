/* predict_learned.c - times by what was learned from sizes that were measured. */
#include "select/predict/predict.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

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
    double best = INFINITY, least = INFINITY, longest = 0;
    for (unsigned i = 0; i < n; i++) {
        best = is_feasible(&c[i]) && c[i].time_ns < best ? c[i].time_ns : best;
        if (!is_feasible(&c[i]) || !*c[i].x)
            continue;
        c[i].time_ns = 1 / learned_guess(&l->learned, c[i].x, 0, NULL);
        least = c[i].time_ns < least ? c[i].time_ns : least;
        longest = c[i].time_ns > longest ? c[i].time_ns : longest;
    }
    for (unsigned i = 0; i < n; i++)
        if (is_feasible(&c[i]) && *c[i].x)
            c[i].time_ns *= best / least;
        else if (is_feasible(&c[i]))
            c[i].time_ns += longest * best / least;
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
