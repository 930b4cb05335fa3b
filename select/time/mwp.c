/* mwp.c - see mwp.h. */
#include "select/time/mwp.h"
#include <errno.h>
#include "select/integer.h"

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* ---- the equations --------------------------------------------------------------------------------- */

static const struct dev_cache *last_level(const struct device *d)
{
    unsigned i = DEV_LEVELS;
    while (i > 1 && !d->cache[i - 1].bytes)
        i--;
    return &d->cache[i - 1];
}

static const struct dev_cache *first_level(const struct device *d)
{
    unsigned i = 0;
    while (i + 1 < DEV_LEVELS && !d->cache[i].bytes)
        i++;
    return &d->cache[i];
}

/* Of an access of the class ([C] eq. 1-5): until its data is there, and until the next one may depart. */
static void one_access(const struct device *d, enum mwp_class class, const struct mwp_access *a,
                       double *latency, double *depart)
{
    const struct dev_cache *c = class == MWP_SPILT ? first_level(d) : last_level(d);
    const double t = a->transactions / a->n, dram = a->dram / a->n;
    if (class == MWP_CONSTANT) {
        *latency = d->constant_latency + (t - 1) * d->constant_delay;
        *depart = t * d->constant_delay;
        return;
    }
    if (class == MWP_BROADCAST) {
        *latency = c->latency + dram * d->dram_latency;
        *depart = t * c->delay + dram * d->dram_delay;
        return;
    }
    *latency = c->bytes && dram <= 1 ? c->latency + sel_larger(t - 1, 0) * c->delay
                                     : c->latency + d->dram_latency + sel_larger(dram - 1, 0) * d->dram_delay;
    *depart = sel_larger(t * c->delay, dram * d->dram_delay);
}

/* Cycles of an average instruction, and from the request of an element until it is in local memory. */
static double inst_cycle(const struct device *d)
{
    return d->inst_cycle > 0 ? d->inst_cycle : (d->delay[SUM_C_IADD] + d->delay[SUM_C_FMA]) / 2;
}

static double local_fill(const struct device *d)
{
    return d->local_fill > 0 ? d->local_fill : last_level(d)->latency + d->dram_latency;
}

void mwp_time(const struct device *d, const struct mwp_warp *w, double warps, double groups,
              struct mwp_time *out)
{
    const double compute = inst_cycle(d) * w->instructions;
    const double local = local_fill(d) * w->fills + d->local_latency * w->turns; /* eq. 19-20 */
    double memory = 0, depart = 0, n = 0;
    *out = (struct mwp_time){.cycles = compute * warps};
    for (unsigned i = 0; i < MWP_CLASSES; i++) { /* eq. 6-8 */
        double l, q;
        if (w->access[i].n <= 0)
            continue;
        one_access(d, (enum mwp_class)i, &w->access[i], &l, &q);
        n += w->access[i].n;
        memory += w->access[i].n * l;
        depart += w->access[i].n * q;
    }
    if (n > 0) {
        out->latency = memory / n;
        out->depart = depart / n;
        out->mwp = out->depart > 0 ? smaller(out->latency / out->depart, warps) : warps; /* eq. 13 */
        out->cwp = compute > 0 ? smaller((memory + compute) / compute, warps) : warps;   /* eq. 14 */
        memory *= warps / out->mwp;
        if (out->cwp >= out->mwp) /* eq. 16 */
            out->cycles = memory + compute / n * out->mwp;
        else /* eq. 17 */
            out->cycles = out->latency + compute * warps;
    }
    if (local > 0) /* eq. 21-22: what each warp waits for, or what all of them compute */
        out->cycles = sel_larger(out->cycles, memory + compute + local);
    if (w->fills <= 0 && out->mwp > 1) /* eq. 23: with it a kernel that fills does not fit Table 5 */
        out->cycles += out->depart * (out->mwp - 1) * w->barriers * groups;
}

/* ---- from traces ----------------------------------------------------------------------------------- */

enum { USE_FILL = 1, USE_OTHER = 2 };

int mwp_find_uses(struct sel_work *w)
{
    const struct kernel_summary *k = w->k;
    w->uses = arena_get(&w->arena, (size_t)k->ninsn + 1);
    if (!w->uses)
        return -ENOMEM;
    for (uint32_t i = 0; i < k->ninsn; i++) {
        const struct sum_insn *in = &k->insns[i];
        for (uint32_t o = 0; o < in->nopnd; o++)
            if (!sum_operand_is_block(in, o))
                w->uses[sum_opnd(k, i, o)] |=
                    in->op == SUM_STORE && in->space == SUM_LOCAL && o == 1 ? USE_FILL : USE_OTHER;
    }
    return 0;
}

#define ALIGNMENT 1 /* a line more than the lanes need comes from where they begin */

static enum mwp_class class_of(const struct sel_work *w, const struct est_touch *x)
{
    const double each = x->lines / x->n;
    if (!x->unknown && each <= 1 && w->stride[x->insn].by[0] == 0)
        return MWP_BROADCAST;
    return each <= est_needed(w, x->insn) + ALIGNMENT ? MWP_COALESCED : MWP_UNCOALESCED;
}

bool mwp_fills(const struct sel_work *w, const struct est_touch *x)
{
    return !x->write && w->uses[x->insn] == USE_FILL;
}

enum mwp_class mwp_touch(const struct sel_work *w, const struct est_case *c, const struct est_touch *x,
                         struct mwp_access *a)
{
    const enum mwp_class class = class_of(w, x);
    /* [C] Table 3 gives coalesced accesses what their lanes need, wherever they begin */
    const double lines = class == MWP_COALESCED ? smaller(x->lines, x->n * est_needed(w, x->insn)) : x->lines;
    double share[REUSE_LEVELS];
    est_shares(w, c->reuse, x, share);
    *a = (struct mwp_access){.n = x->n, .dram = x->lines * share[DEV_LEVELS]};
    for (long lv = last_level(w->d) - w->d->cache; lv < REUSE_LEVELS; lv++)
        a->transactions += lines * share[lv];
    return class;
}

static void add_access(struct mwp_access *to, const struct mwp_access *a, double weight)
{
    to->n += weight * a->n;
    to->transactions += weight * a->transactions;
    to->dram += weight * a->dram;
}

void mwp_move(struct mwp_warp *warp, enum mwp_class from, enum mwp_class to, const struct mwp_access *before,
              const struct mwp_access *after)
{
    add_access(&warp->access[from], before, -1);
    if (to != MWP_CLASSES)
        add_access(&warp->access[to], after, 1);
}

static void add_touch(const struct sel_work *w, const struct est_case *c, const struct est_touch *x,
                      double weight, struct mwp_warp *warp)
{
    struct mwp_access a;
    if (mwp_fills(w, x)) {
        warp->fills += weight * x->n;
        return;
    }
    const enum mwp_class class = mwp_touch(w, c, x, &a);
    add_access(&warp->access[class], &a, weight);
}

void mwp_trace(const struct sel_work *w, const struct est_case *c, const struct est_trace *t, double weight,
               struct mwp_warp *warp)
{
    const struct trace_counts *s = &t->t.sum;
    for (unsigned i = SUM_C_NONE + 1; i < SUM_C_COUNT; i++)
        warp->instructions += i == SUM_C_MEM || i == SUM_C_BARRIER ? 0 : weight * s->ops[i];
    warp->barriers += weight * s->ops[SUM_C_BARRIER];
    warp->turns += weight * (s->transactions[TRACE_LOCAL][0] + s->transactions[TRACE_LOCAL][1]);
    warp->access[MWP_CONSTANT].n += weight * s->accesses[TRACE_CONSTANT][0];
    warp->access[MWP_CONSTANT].transactions += weight * s->transactions[TRACE_CONSTANT][0];
    const double spilt = weight * (t->spill.stores + t->spill.loads), lines = est_lines(w, 4);
    add_access(&warp->access[MWP_SPILT], &(struct mwp_access){1, lines, first_level(w->d)->bytes ? 0 : lines},
               spilt);
    for (uint32_t i = 0; i < t->ntouch; i++)
        if (t->touch[i].n > 0)
            add_touch(w, c, &t->touch[i], weight, warp);
}

void mwp_case(const struct sel_work *w, const struct est_case *c, struct mwp_warp *warp, struct mwp_time *out)
{
    *warp = (struct mwp_warp){.fills = 0};
    for (unsigned i = 0; i < c->n; i++)
        mwp_trace(w, c, c->trace[i], c->weight[i], warp);
    mwp_time(w->d, warp, c->active, c->active / c->warps, out);
}

static double time_of(struct sel_work *w, const struct est_case *c, const struct est_round *r)
{
    struct mwp_warp warp = {.fills = 0};
    struct mwp_time t;
    for (unsigned k = 0; k < r->n; k++)
        mwp_trace(w, c, c->trace[r->sort[k]], r->g[k].warps / r->at_once, &warp);
    mwp_time(w->d, &warp, c->active, c->active / c->warps, &t);
    return t.cycles;
}

/* [C] has one kind of round. */
double mwp_cycles(struct sel_work *w, const struct est_case *c)
{
    struct mwp_warp warp;
    struct mwp_time t;
    if (c->tail > 0)
        return est_over_rounds(w, c, time_of);
    mwp_case(w, c, &warp, &t);
    return t.cycles;
}
