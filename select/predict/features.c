/* features.c - a candidate as numbers: the 15 of [L] Table 1, then four that say how it fills the device. */
#include "select/predict/features.h"
#include <errno.h>
#include <math.h>
#include "select/integer.h"
#include "select/predict/subject.h"

#define ALL(X)                                                                                               \
    X(GLOBAL_SIZE, "global size 0")                                                                          \
    X(GLOBAL_SIZE_1, "global size 1")                                                                        \
    X(GLOBAL_SIZE_2, "global size 2")                                                                        \
    X(LOCAL_SIZE, "local size 0")                                                                            \
    X(LOCAL_SIZE_1, "local size 1")                                                                          \
    X(LOCAL_SIZE_2, "local size 2")                                                                          \
    X(LOCAL_BYTES, "local bytes")                                                                            \
    X(GLOBAL_STORES, "global stores per work-item")                                                          \
    X(GLOBAL_LOADS, "global loads per work-item")                                                            \
    X(LOCAL_STORES, "local stores per work-item")                                                            \
    X(LOCAL_LOADS, "local loads per work-item")                                                              \
    X(LINES, "lines per access of a warp")                                                                   \
    X(BARRIERS, "barriers")                                                                                  \
    X(BRANCHES, "branches that end no loop")                                                                 \
    X(ITERATIONS, "iterations of loops")                                                                     \
    X(ITEMS, "work-items per group")                                                                         \
    X(GROUPS, "groups per unit")                                                                             \
    X(ACTIVE, "active warps, of the most")                                                                   \
    X(TIME, "predicted time, by the best")

#define X(feature, name) feature,
enum { ALL(X) };
#undef X
#define X(feature, name) [feature] = name,
const char *const feature_names[FEATURES] = {ALL(X)};
#undef X

/* Conditional branches both ways of which stay in the same loop. */
static unsigned branches(const struct trace_prog *p)
{
    unsigned n = 0;
    for (uint32_t b = 0; b < p->k->nblock; b++) {
        const uint32_t last = p->k->blocks[b].end - 1, loop = p->cfg.loop_of[b];
        if (p->k->insns[last].op == SUM_CONDBR)
            n += loop == CFG_NONE || (cfg_in_loop(&p->cfg, loop, sum_opnd(p->k, last, 1)) &&
                                      cfg_in_loop(&p->cfg, loop, sum_opnd(p->k, last, 2)));
    }
    return n;
}

static void of_trace(const struct trace *t, double *f)
{
    const struct trace_counts *s = &t->sum;
    double accesses = 0, lines = 0;
    for (unsigned w = 0; w < 2; w++) {
        f[w ? GLOBAL_STORES : GLOBAL_LOADS] =
            (s->lane_accesses[TRACE_GLOBAL][w] + s->lane_accesses[TRACE_IMAGE][w]) / t->lanes;
        f[w ? LOCAL_STORES : LOCAL_LOADS] = s->lane_accesses[TRACE_LOCAL][w] / t->lanes;
        accesses += s->accesses[TRACE_GLOBAL][w] + s->accesses[TRACE_IMAGE][w];
        lines += s->transactions[TRACE_GLOBAL][w] + s->transactions[TRACE_IMAGE][w];
    }
    f[LINES] = accesses > 0 ? lines / accesses : 0;
    for (uint32_t e = 0; e < t->nentry; e++)
        f[BARRIERS] += t->entry[e].mem == TRACE_BARRIER ? trace_times(t, e) : 0;
    for (uint32_t l = 0; l < t->nloop; l++)
        f[ITERATIONS] += t->loop[l].begin < t->loop[l].end ? trace_times(t, t->loop[l].begin) : 0;
}

static double best_of(const struct prediction *p)
{
    double best = INFINITY;
    for (unsigned i = 0; i < p->n; i++)
        if (p->candidate[i].state != SEL_INFEASIBLE && p->candidate[i].time_ns < best)
            best = p->candidate[i].time_ns;
    return best;
}

int features_of(const struct prediction *p, const struct candidate *c, double out[FEATURES])
{
    const struct device *d = p->device;
    double f[FEATURES] = {0}, groups = 1;
    struct subject s;
    int r = p->traced && c->state != SEL_INFEASIBLE && c->local[0] ? subject_open(p, c, &s) : -ENOTSUP;
    if (r == -ENOTSUP)
        return r;
    const struct est_trace *t = r == 0 ? subject_usual(&s) : NULL;
    if (t && t->t.lanes) {
        of_trace(&t->t, f);
        f[LOCAL_BYTES] = (double)s.w->local_bytes;
        f[BRANCHES] = branches(&s.w->prog);
    }
    subject_close(&s);
    if (r)
        return r;
    f[ITEMS] = 1;
    for (unsigned i = 0; i < 3; i++) {
        f[GLOBAL_SIZE + i] = (double)p->launch->global[i];
        f[LOCAL_SIZE + i] = (double)c->local[i];
        f[ITEMS] *= (double)c->local[i];
        groups *= (double)sel_ceil_div(p->launch->global[i], c->local[i]);
    }
    f[GROUPS] = groups / (d->units ? d->units : 1);
    f[ACTIVE] = d->max_warps_unit ? (double)c->active_warps / (double)d->max_warps_unit : 1;
    const double best = best_of(p);
    f[TIME] = best > 0 ? c->time_ns / best : 1;
    for (unsigned i = 0; i < FEATURES; i++)
        out[i] = i == ACTIVE ? f[i] : log2(1 + f[i]);
    return 0;
}
