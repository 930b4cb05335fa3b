/* demand.c - what one warp asks of each part of its unit. */
#include "select/time/estimate.h"
#include <string.h>

/* Operations that an out-of-order core keeps in flight (assumed: reorder windows of 200 to 500 operations),
 * and the misses without a prefetch that it overlaps in them (measured: about four). */
#define CPU_WINDOW  512.0
#define CPU_OVERLAP 4.0

static void add(struct demand *d, double count, double latency, double delay)
{
    d->count += count;
    d->latency += latency;
    d->delay += delay;
}

const enum bounds_part est_part_of_unit[TRACE_UNITS] = {[UNIT_ARITHMETIC] = PART_FPU,
                                                        [UNIT_SPECIAL] = PART_SFU,
                                                        [UNIT_MEMORY] = PART_GM,
                                                        [UNIT_TEXTURE] = PART_GC1};

/* Local and constant memory: n accesses of t transactions hold their unit for t delays. */
static void add_small(struct demand *d, double n, double t, double latency, double delay)
{
    add(d, n, n * latency + (t - n) * delay, t * delay);
}

/* A core overlaps the operations of a warp, and as many warps as its window holds: what is left of the
 * latencies is the recurrences of the warp's loops. */
static void overlap(const struct trace_counts *s, struct demand *part)
{
    const double ops = trace_operations(s), warps = ops < CPU_WINDOW ? CPU_WINDOW / (ops > 1 ? ops : 1) : 1;
    double all = 0, left = s->chain / warps;
    for (unsigned c = PART_FPU; c <= PART_CC; c++)
        all += part[c].latency;
    for (unsigned c = PART_FPU; c <= PART_CC; c++)
        part[c].latency *= all > left ? left / all : 1;
}

/* No CPU has vector instructions for these: a description states the cost of all lanes of a warp. */
static bool lane_by_lane(unsigned cls)
{
    return cls == SUM_C_IDIV || cls == SUM_C_ATOMIC || cls == SUM_C_IMAGE;
}

void est_spill(const struct sel_work *w, const struct est_spill *s, struct demand *part)
{
    const struct device *d = w->d;
    const double n = s->stores + s->loads, lines = n * est_lines(w, 4);
    unsigned lv = 0;
    while (lv < DEV_LEVELS && !d->cache[lv].bytes)
        lv++;
    if (lv < DEV_LEVELS)
        add(&part[PART_GC1 + lv], n, s->loads * d->cache[lv].latency, lines * d->cache[lv].delay);
    else
        add(&part[PART_GM], n, s->loads * d->dram_latency, lines * d->dram_delay);
}

void est_fixed_demand(const struct sel_work *w, struct est_trace *t)
{
    const struct trace_counts *s = &t->t.sum;
    for (unsigned c = 0; c < SUM_C_COUNT; c++) {
        const double n = s->ops[c] * (w->d->is_cpu && lane_by_lane(c) ? t->lanes / w->d->warp : 1);
        if (s->ops[c] > 0 && c != SUM_C_NONE && c != SUM_C_MEM)
            add(&t->part[est_part_of_unit[trace_unit_of((enum sum_class)c)]], s->ops[c], n * w->d->latency[c],
                n * w->d->delay[c]);
    }
    if (t->looped)
        add(&t->part[PART_FPU], 0, 0, w->d->row_loop);
    for (unsigned u = 0; u < TRACE_UNITS; u++)
        t->part[est_part_of_unit[u]].latency -= s->hidden[u];
    t->part[PART_LM].latency -= s->hidden_loads[TRACE_LOCAL] * w->d->local_latency;
    t->part[PART_CC].latency -= s->hidden_loads[TRACE_CONSTANT] * w->d->constant_latency;
    for (unsigned wr = 0; wr < 2; wr++) {
        add_small(&t->part[PART_LM], s->accesses[TRACE_LOCAL][wr], s->transactions[TRACE_LOCAL][wr],
                  w->d->local_latency, w->d->local_delay);
        add_small(&t->part[PART_CC], s->accesses[TRACE_CONSTANT][wr], s->transactions[TRACE_CONSTANT][wr],
                  w->d->constant_latency, w->d->constant_delay);
    }
    if (w->spill)
        est_spill(w, &t->spill, t->part);
    if (w->d->is_cpu)
        overlap(s, t->part);
}

/* Where transactions of unknown address hit: anywhere in their buffer with equal chance.  All units of a GPU
 * look into the same buffer. */
static void random_shares(const struct device *d, double extent, double *share)
{
    double left = 1;
    for (unsigned i = 0; i < DEV_LEVELS; i++) {
        const bool divided = d->is_cpu && d->cache[i].shared && d->units;
        double bytes = (double)d->cache[i].bytes / (divided ? d->units : 1);
        double hit = extent > 0 ? bytes / extent : 0;
        hit = hit < 1 ? hit : 1;
        double here = hit - (1 - left);
        share[i] = here > 0 ? here : 0;
        left -= share[i];
    }
    share[DEV_LEVELS] = left;
}

/* What `n` accesses of instruction `insn` make: transactions, and what they are worth to a cache.  A line
 * that only alignment adds is touched at its rim: a segment of it moves. */
struct lines {
    double n, transactions, worth;
};

static struct lines lines_of(const struct sel_work *w, uint32_t insn, double n, double traced,
                             const struct reuse_levels *l)
{
    const double transactions = traced * (double)l->lines, needed = n * est_needed(w, insn),
                 more = transactions - needed;
    const double part = w->d->segment_bytes ? (double)w->d->segment_bytes / w->d->line_bytes : 1;
    return (struct lines){n, transactions, more > 0 && more <= n ? needed + more * part : transactions};
}

static struct lines share_of(const struct lines *x, double share)
{
    return (struct lines){share * x->n, share * x->transactions, share * x->worth};
}

/* Accesses are served by level `lv`; the part `exposed` of their transactions finds no prefetch. They also
 * pass through the levels in front.  On a GPU stores are posted.  A CPU's core goes on while it waits for
 * what it has asked for early enough.  Its stores drain in order: one that misses unannounced holds up those
 * behind it.  A CPU store to DRAM moves the line twice. */
static void serve(const struct device *d, unsigned lv, bool write, struct lines x, double waits,
                  double exposed, struct demand *part)
{
    if (x.transactions <= 0)
        return;
    const double t = lv < DEV_LEVELS ? x.worth : x.transactions;
    double latency = lv < DEV_LEVELS ? d->cache[lv].latency : d->dram_latency;
    double delay = lv < DEV_LEVELS ? d->cache[lv].delay : d->dram_delay;
    bool first = true;
    for (unsigned i = 0; i < lv && i < DEV_LEVELS; i++)
        if (d->cache[i].bytes) {
            first = false;
            add(&part[PART_GC1 + i], 0, 0, x.worth * d->cache[i].delay);
        }
    double busy = t * delay * (write && d->is_cpu && lv == DEV_LEVELS ? 2 : 1), wait;
    if (!d->is_cpu) {
        wait = write ? t * delay : waits * latency + (t - x.n) * delay;
    } else {
        wait = first ? 0 : exposed * latency / (write ? 1 : CPU_OVERLAP);
        busy += wait; /* a core that is out of room asks for nothing else meanwhile */
    }
    add(&part[lv < DEV_LEVELS ? PART_GC1 + lv : PART_GM], x.n, wait, busy);
}

/* Accesses whose part `unseen` lies anywhere in `extent` bytes.  A GPU waits for `waits` accesses: the others
 * pass meanwhile. */
static void serve_global(const struct device *d, bool write, struct lines x, double waits, double unseen,
                         double extent, const struct reuse_levels *r, struct demand *part)
{
    double random[REUSE_LEVELS] = {0}, seen = 0;
    for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
        seen += (double)r->share[lv];
    if (seen <= 0) /* nothing sampled: as if unknown */
        unseen = 1;
    if (unseen > 0)
        random_shares(d, extent, random);
    for (unsigned lv = 0; lv < REUSE_LEVELS; lv++) {
        double any = unseen * random[lv];
        double share = (1 - unseen) * (double)r->share[lv] + any;
        double exposed = (1 - unseen) * (double)r->exposed[lv] + any;
        serve(d, lv, write, share_of(&x, share), waits * share, x.transactions * exposed, part);
    }
}

/* Texels hold the memory levels; what a warp waits for them is part of the image operation's latency. */
static void serve_image(const struct device *d, bool write, double n, double t, const struct reuse_levels *r,
                        struct demand *part)
{
    struct demand own[PARTS] = {{0}};
    serve_global(d, write, (struct lines){n, t, t}, n, 0, 0, r, own);
    for (unsigned c = 0; c < PARTS; c++)
        add(&part[c], own[c].count, 0, own[c].delay);
}

double est_masked_wait(const struct sel_work *w, const struct est_case *c)
{
    double loads = 0;
    for (unsigned i = 0; i < c->n; i++)
        loads += c->weight[i] * c->trace[i]->t.sum.transactions[TRACE_GLOBAL][0];
    return loads * (double)c->reuse->masked * w->d->dram_latency / CPU_OVERLAP;
}

/* What is known of the levels that serve an instruction; where nothing is, those of all reads or writes. */
static const struct reuse_levels *levels_of(const struct sel_work *w, const struct reuse *r, uint32_t insn,
                                            bool write)
{
    const struct reuse_levels *l = r->access ? &r->access[w->prog.access[insn]] : NULL;
    float seen = 0;
    for (unsigned i = 0; l && i < REUSE_LEVELS; i++)
        seen += l->share[i];
    return seen > 0 ? l : &r->all[write];
}

void est_shares(const struct sel_work *w, const struct reuse *r, const struct est_touch *x,
                double share[REUSE_LEVELS])
{
    const struct reuse_levels *l = levels_of(w, r, x->insn, x->write);
    float seen = 0;
    for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
        seen += l->share[lv];
    if (x->unknown || seen <= 0)
        random_shares(w->d, x->extent, share);
    else
        for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
            share[lv] = (double)l->share[lv];
}

/* On a GPU, where latencies depend on it: each instruction by its own levels.  What is left of the counts. */
static void serve_touches(const struct sel_work *w, const struct est_trace *t, const struct reuse *r,
                          struct trace_counts *left, struct demand *part)
{
    for (uint32_t i = 0; i < t->ntouch; i++) {
        const struct est_touch *x = &t->touch[i];
        const struct reuse_levels *l = levels_of(w, r, x->insn, x->write);
        if (x->mem == TRACE_IMAGE)
            serve_image(w->d, x->write, x->n, x->lines, l, part);
        else
            serve_global(w->d, x->write, lines_of(w, x->insn, x->n, x->lines, l), x->waits, x->unknown,
                         x->extent, l, part);
        left->accesses[x->mem][x->write] -= x->n;
        left->transactions[x->mem][x->write] -= x->lines;
    }
}

#define ROUNDING 1e-6 /* of a sum: less is nothing */

void est_demand(const struct sel_work *w, const struct est_trace *t, const struct reuse *r,
                struct demand *part)
{
    const struct trace_counts *c = &t->t.sum;
    struct trace_counts left = *c;
    double all = c->transactions[TRACE_GLOBAL][0] + c->transactions[TRACE_GLOBAL][1];
    memcpy(part, t->part, sizeof t->part);
    double extent = c->unknown > 0 ? c->unknown_extent / c->unknown : 0;
    if (!w->d->is_cpu)
        serve_touches(w, t, r, &left, part);
    for (unsigned wr = 0; wr < 2; wr++) {
        const double *n = left.accesses[TRACE_GLOBAL], *lines = left.transactions[TRACE_GLOBAL];
        if (lines[wr] > ROUNDING * all)
            serve_global(w->d, wr, (struct lines){n[wr], lines[wr], lines[wr]}, n[wr], c->unknown / all,
                         extent, &r->all[wr], part);
        lines = left.transactions[TRACE_IMAGE];
        if (lines[wr] > ROUNDING * c->transactions[TRACE_IMAGE][wr])
            serve_image(w->d, wr, left.accesses[TRACE_IMAGE][wr], lines[wr], &r->all[wr], part);
    }
    for (unsigned i = 0; i < DEV_LEVELS; i++) /* a level that is only passed through still has operations */
        if (part[PART_GC1 + i].count == 0 && part[PART_GC1 + i].delay > 0)
            part[PART_GC1 + i].count = 1;
}

void est_access(const struct sel_work *w, const struct trace_entry *e, const struct reuse *r,
                struct demand *part)
{
    if (e->mem == TRACE_LOCAL)
        add_small(&part[PART_LM], 1, e->lines, w->d->local_latency, w->d->local_delay);
    else if (e->mem == TRACE_CONSTANT)
        add_small(&part[PART_CC], 1, e->lines, w->d->constant_latency, w->d->constant_delay);
    else if (e->mem == TRACE_IMAGE)
        serve_image(w->d, e->write, 1, e->lines, levels_of(w, r, e->insn, e->write), part);
    else {
        const struct reuse_levels *l = levels_of(w, r, e->insn, e->write);
        serve_global(w->d, e->write, lines_of(w, e->insn, 1, e->lines, l), 1, e->unknown, (double)e->extent,
                     l, part);
    }
}
