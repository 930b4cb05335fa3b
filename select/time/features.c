/* features.c - a candidate as numbers: the 15 of [L] Table 1, then four that say how it fills the device. */
#include "select/time/features.h"
#include <math.h>
#include "select/integer.h"

#define LOG_BITS 16 /* of the fraction of a logarithm */
#define MOST_LOG 65 /* what a thousandth of fits */

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
enum { ALL(X) FEATURES };
#undef X
_Static_assert(FEATURES == SEL_FEATURES && TIME == EST_FEATURE_TIME, "as others count them");
#define X(feature, name) [feature] = name,
const char *const est_feature_names[SEL_FEATURES] = {ALL(X)};
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

/* What most warps execute. */
static const struct est_trace *usual(const struct est_case *e)
{
    unsigned most = 0;
    for (unsigned i = 1; i < e->n; i++)
        most = e->weight[i] > e->weight[most] ? i : most;
    return e->n ? e->trace[most] : NULL;
}

static uint16_t thousandths(double v)
{
    return (uint16_t)(v * 1000 + 0.5);
}

/* log2(v), v >= 1, from bit to bit: libm is none of what the preloaded library needs. */
static double logarithm(double v)
{
    int exponent;
    double m = 2 * frexp(v, &exponent), log = exponent - 1, bit = 1;
    for (unsigned i = 0; i < LOG_BITS; i++) {
        m *= m;
        bit /= 2;
        if (m >= 2) {
            m /= 2;
            log += bit;
        }
    }
    return log < MOST_LOG ? log : MOST_LOG;
}

void est_features(const struct sel_work *w, const struct est_case *e, const struct candidate *c,
                  double best_ns, uint16_t out[SEL_FEATURES])
{
    const struct est_trace *t = usual(e);
    double f[SEL_FEATURES] = {0};
    if (t && t->t.lanes) {
        of_trace(&t->t, f);
        f[LOCAL_BYTES] = (double)w->local_bytes;
        f[BRANCHES] = branches(&w->prog);
    }
    f[ITEMS] = 1;
    for (unsigned i = 0; i < 3; i++) {
        f[GLOBAL_SIZE + i] = (double)w->l->global[i];
        f[LOCAL_SIZE + i] = (double)c->local[i];
        f[ITEMS] *= (double)c->local[i];
    }
    f[GROUPS] = est_groups(w, c) / (w->d->units ? w->d->units : 1);
    f[ACTIVE] = w->d->max_warps_unit ? (double)c->active_warps / (double)w->d->max_warps_unit : 1;
    f[TIME] = best_ns > 0 ? c->time_ns / best_ns : 1;
    for (unsigned i = 0; i < SEL_FEATURES; i++)
        out[i] = thousandths(i != ACTIVE ? logarithm(1 + f[i]) : f[i] < MOST_LOG ? f[i] : MOST_LOG);
}
