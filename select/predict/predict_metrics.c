/* predict_metrics.c - what the units of [R]'s model do with a kernel ([R] 5.3), and its block size. */
#include "select/predict/predict.h"
#include "select/time/param.h"
#include "select/advise/subject.h"

#include <errno.h>
#include <stdlib.h>

#define LEAST_SPOT (1.0 / PREDICT_SPOTS) /* of the time: smaller hotspots are not mentioned */

/* Of what takes no time nothing has a part. */
static double part_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Accesses for which nothing computes meanwhile. */
static int find_hotspots(const struct subject *s, const struct est_trace *t, double cycles,
                         struct predict_metrics *m)
{
    const uint32_t n = s->w->k->ninsn;
    double *share = calloc((size_t)n + 1, sizeof *share);
    struct param_warp part;
    if (!share)
        return -ENOMEM;
    for (uint32_t i = 0, end; i < t->t.nentry; i = end) {
        end = param_stretch(s->w, &s->e, t, i, &part);
        const double idle = part.memory > part.compute ? (part.memory - part.compute) * s->e.active : 0;
        for (uint32_t e = i; e < end && idle > 0; e++)
            share[t->t.entry[e].mem < TRACE_MEMS ? t->t.entry[e].insn : n] +=
                param_entry(s->w, &s->e, t, e).memory / part.memory * idle / cycles;
    }
    while (m->nspot < PREDICT_SPOTS) {
        uint32_t most = 0;
        for (uint32_t v = 0; v < n; v++)
            most = share[v] > share[most] ? v : most;
        if (share[most] < LEAST_SPOT)
            break;
        m->spot[m->nspot++] = (struct predict_spot){most, share[most]};
        share[most] = 0;
    }
    free(share);
    return 0;
}

static double flops_of(const struct trace_counts *c)
{
    double sum = c->lane_ops[SUM_C_FMA] + c->lane_ops[SUM_C_DFMA]; /* two each */
    for (unsigned i = SUM_C_FADD; i <= SUM_C_DSQRT; i++)
        sum += c->lane_ops[i];
    return sum;
}

int predict_metrics(const struct subject *s, const struct est_trace *t, struct predict_metrics *m)
{
    const struct device *d = s->w->d;
    const struct trace_counts *c = &t->t.sum;
    struct param_warp one;
    struct demand part[PARTS];
    const double n = s->e.active, cycles = param_cycles(s->w, &s->e, &one), flops = flops_of(c);
    const double bytes = c->lane_bytes[TRACE_GLOBAL][0] + c->lane_bytes[TRACE_GLOBAL][1];
    const double per_ns = part_of(n * d->units * d->clock_mhz / 1e3, cycles);
    if (cycles < 0)
        return -ENOMEM;
    est_load(&s->e, part);
    *m = (struct predict_metrics){.compute_busy = part_of(n * one.compute, cycles),
                                  .memory_busy = part_of(n * one.memory, cycles),
                                  .gflops = flops * per_ns,
                                  .gbytes = bytes * per_ns,
                                  .intensity = part_of(flops, bytes),
                                  .compute_of_peak =
                                      part_of(n * flops * d->delay[SUM_C_FMA], cycles * 2 * s->w->lanes),
                                  .dram_of_peak = part_of(n * part[PART_GM].delay, cycles)};
    param_size(s->w, m->suggested);
    return find_hotspots(s, t, cycles, m);
}
