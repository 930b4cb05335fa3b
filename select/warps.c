/* warps.c - which warps a group is made of, their traces (shared between candidates) and what they demand. */
#include "select/estimate.h"
#include <errno.h>
#include <string.h>

/* A kind of warp: executed as lanes [first, first + lanes) of a group of this local size. */
struct kind {
    size_t local[3], first;
    uint32_t lanes;
    double share; /* of the group's warps */
};

static void whole_row(struct kind *k, uint32_t lanes, double share)
{
    *k = (struct kind){{lanes, 1, 1}, 0, lanes, share};
}

/* Full vectors and a remainder of single work-items: PoCL vectorises the innermost loop over work-items,
 * along dimension 0 or, where that has one iteration, along dimension 1, and finishes, or runs it altogether
 * when it is shorter than a vector, one by one (measured: PoCL 3.1). */
static unsigned cpu_kinds(const struct sel_work *w, const size_t local[3], struct kind *k, double *warps)
{
    unsigned along = local[0] == 1;
    size_t row = local[along], vectors = w->scalar ? 0 : row / w->lanes, rest = row - vectors * w->lanes;
    double count = (double)(vectors + rest);
    unsigned n = 0;
    *warps = count * (double)local[2] * (along ? 1 : (double)local[1]);
    if (vectors) {
        whole_row(&k[n], w->lanes, (double)vectors / count);
        k[n].local[0] = along ? 1 : w->lanes;
        k[n++].local[1] = along ? w->lanes : 1;
    }
    if (rest)
        whole_row(&k[n++], 1, (double)rest / count);
    return n;
}

/* Rows that are a multiple of the warp make straight warps; longer rows make some that wrap in the middle;
 * shorter ones make warps of several rows. */
static unsigned gpu_kinds(const struct sel_work *w, const size_t local[3], struct kind *k, double *warps)
{
    size_t lx = local[0], ly = local[1], lanes = w->lanes;
    *warps = (double)occ_warps(w->d, local);
    if (lx % lanes == 0) {
        whole_row(&k[0], w->lanes, 1);
        return 1;
    }
    if (lx > lanes) {
        double wrapping = ly * local[2] > 1 ? (double)lanes / (double)lx : 0;
        whole_row(&k[0], w->lanes, 1 - wrapping);
        k[1] = (struct kind){{lanes, 2, 1}, lanes / 2, w->lanes, wrapping};
        return wrapping > 0 ? 2 : 1;
    }
    size_t rows = (lanes + lx - 1) / lx, planes = 1;
    if (rows > ly) {
        rows = ly;
        planes = (lanes + lx * ly - 1) / (lx * ly);
        planes = planes < local[2] ? planes : local[2];
    }
    k[0] = (struct kind){{lx, rows, planes}, 0, w->lanes, 1};
    return 1;
}

static unsigned find_kinds(const struct sel_work *w, const size_t local[3], struct kind *k, double *warps)
{
    unsigned n = w->d->is_cpu ? cpu_kinds(w, local, k, warps) : gpu_kinds(w, local, k, warps);
    if (!w->exact_local)
        return n;
    size_t rows = local[1] * local[2];
    size_t middle = w->d->is_cpu ? rows / 2 * local[0] : (size_t)(occ_warps(w->d, local) / 2) * w->lanes;
    for (unsigned i = 0; i < n; i++) {
        memcpy(k[i].local, local, sizeof k[i].local);
        k[i].first = middle;
    }
    return n;
}

/* ---- traces
 * -------------------------------------------------------------------------------------------------- */

static size_t ceil_div(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

static void add(struct demand *d, double count, double latency, double delay)
{
    d->count += count;
    d->latency += latency;
    d->delay += delay;
}

static enum bounds_part part_of(unsigned cls)
{
    switch (cls) {
    case SUM_C_SFU:
    case SUM_C_SPECIAL:
    case SUM_C_SQRT:
    case SUM_C_DSQRT:
        return PART_SFU;
    case SUM_C_IMAGE:
        return PART_GC1;
    case SUM_C_ATOMIC:
        return PART_GM;
    default:
        return PART_FPU;
    }
}

/* Local and constant memory: an access of t transactions holds its unit for t delays. */
static void add_small(struct demand *d, const struct trace_counts *c, unsigned mem, double latency,
                      double delay)
{
    double n = c->accesses[mem][0] + c->accesses[mem][1],
           t = c->transactions[mem][0] + c->transactions[mem][1];
    add(d, n, n * latency + (t - n) * delay, t * delay);
}

static void fixed_demand(const struct sel_work *w, struct est_trace *t)
{
    for (unsigned c = 0; c < SUM_C_COUNT; c++)
        if (t->t.sum.ops[c] > 0 && c != SUM_C_NONE && c != SUM_C_MEM)
            add(&t->part[part_of(c)], t->t.sum.ops[c], t->t.sum.ops[c] * w->d->latency[c],
                t->t.sum.ops[c] * w->d->delay[c]);
    add_small(&t->part[PART_LM], &t->t.sum, TRACE_LOCAL, w->d->local_latency, w->d->local_delay);
    add_small(&t->part[PART_CC], &t->t.sum, TRACE_CONSTANT, w->d->constant_latency, w->d->constant_delay);
}

static int keep_entries(struct sel_work *w, struct est_trace *t)
{
    size_t e = t->t.nentry * sizeof *t->t.entry, l = t->t.nloop * sizeof *t->t.loop;
    struct trace_entry *entry = arena_get(&w->arena, e + 1);
    struct trace_loop *loop = arena_get(&w->arena, l + 1);
    if (!entry || !loop)
        return -ENOMEM;
    memcpy(entry, t->t.entry, e);
    memcpy(loop, t->t.loop, l);
    t->t.entry = entry;
    t->t.loop = loop;
    return 0;
}

/* The largest power of two that is at most a quarter of `groups`. */
static size_t alignment(size_t groups)
{
    size_t a = 1;
    while (a <= groups / 8)
        a *= 2;
    return a;
}

static int run_trace(struct sel_work *w, const struct kind *k, unsigned place, struct est_trace *t)
{
    struct trace_place at = {.first = k->first, .lanes = k->lanes};
    for (unsigned i = 0; i < 3; i++) {
        at.local[i] = k->local[i];
        size_t groups = ceil_div(w->l->global[i], k->local[i]);
        at.group[i] = (size_t)((double)(groups - 1) * place / (EST_PLACES - 1));
        if (place == EST_PLACES / 2) /* the reuse sample starts here: away from the end of a line or page */
            at.group[i] -= at.group[i] % alignment(groups);
    }
    t->t.entry = w->entry;
    t->t.loop = w->loop;
    int e = trace_run(&w->prog, &at, &t->t);
    if (e)
        return e;
    w->out->traces++;
    w->out->pessimistic |= t->t.pessimistic;
    w->out->estimated |= t->t.estimated;
    t->lanes = t->t.lanes;
    fixed_demand(w, t);
    if (place == EST_PLACES / 2)
        return keep_entries(w, t);
    t->t.nentry = t->t.nloop = 0;
    return 0;
}

static int get_trace(struct sel_work *w, const struct kind *k, unsigned place, const struct est_trace **out)
{
    uint32_t key[5] = {(uint32_t)k->local[0], (uint32_t)k->local[1], (uint32_t)k->local[2],
                       (uint32_t)k->first, k->lanes << 3 | place};
    uint32_t hash = 2166136261u;
    for (unsigned i = 0; i < 5; i++)
        hash = (hash ^ key[i]) * 16777619u;
    struct est_trace **bucket = &w->traces[(hash ^ hash >> 16) % EST_BUCKETS], *t;
    for (t = *bucket; t; t = t->next)
        if (memcmp(t->key, key, sizeof key) == 0) {
            *out = t;
            return 0;
        }
    t = arena_get(&w->arena, sizeof *t);
    if (!t)
        return -ENOMEM;
    int e = run_trace(w, k, place, t);
    if (e)
        return e;
    memcpy(t->key, key, sizeof key);
    t->next = *bucket;
    *bucket = t;
    *out = t;
    return 0;
}

/* Weights of the places: the first and last warps stand for the rim of the range, the others for its inside
 * (open quadrature, exact for work that varies linearly or quadratically). */
static void place_weights(const struct sel_work *w, const struct kind *k, double *weight)
{
    double rim = 0;
    for (unsigned i = 0; i < 3; i++) {
        size_t n = ceil_div(w->l->global[i], k->local[i]);
        rim += n > 1 ? 2.0 / (double)n : 0;
    }
    rim = rim > 0.5 ? 0.5 : rim;
    memset(weight, 0, EST_PLACES * sizeof *weight);
    if (!w->prog.positional) {
        weight[EST_PLACES / 2] = 1;
    } else if (w->coarse) {
        weight[0] = weight[4] = rim / 2;
        weight[2] = 1 - rim;
    } else {
        weight[0] = weight[4] = rim / 2;
        weight[1] = weight[3] = (1 - rim) * 3 / 8;
        weight[2] = (1 - rim) / 4;
    }
}

/* ---- strides per work-item
 * --------------------------------------------------------------------------------------- */

static int probe_run(struct sel_work *w, const size_t at[3], struct trace *t)
{
    struct trace_place place = {.local = {1, 1, 1}, .group = {at[0], at[1], at[2]}, .lanes = 1};
    t->entry = w->entry;
    t->loop = w->loop;
    return trace_run(&w->prog, &place, t);
}

int est_probe(struct sel_work *w)
{
    struct trace t = {0};
    size_t at[3];
    w->stride = arena_get(&w->arena, ((size_t)w->k->ninsn + 1) * sizeof *w->stride);
    uint64_t *addr = arena_get(&w->arena, TRACE_ENTRIES * sizeof *addr);
    uint32_t *insn = arena_get(&w->arena, TRACE_ENTRIES * sizeof *insn);
    if (!w->stride || !addr || !insn)
        return -ENOMEM;
    for (unsigned i = 0; i < 3; i++)
        at[i] = (w->l->global[i] - 1) / 2;
    int e = probe_run(w, at, &t);
    if (e)
        return e;
    uint32_t n = t.nentry;
    for (uint32_t i = 0; i < n; i++) {
        addr[i] = t.entry[i].addr;
        insn[i] = t.entry[i].insn;
    }
    for (unsigned d = 0; d < 3; d++) {
        if (w->l->global[d] < 2)
            continue;
        at[d]++;
        if ((e = probe_run(w, at, &t)))
            return e;
        at[d]--;
        for (uint32_t i = n < t.nentry ? n : t.nentry; i-- > 0;)
            if (t.entry[i].insn == insn[i] && !t.entry[i].unknown)
                w->stride[insn[i]].by[d] = (int64_t)(t.entry[i].addr - addr[i]);
    }
    return 0;
}

/* ---- reuse
 * -------------------------------------------------------------------------------------------------------- */

static size_t magnitude_of(size_t v)
{
    size_t p = 1;
    while (p * 3 / 2 < v)
        p *= 2;
    return p;
}

static int get_reuse(struct sel_work *w, const struct est_trace *t, const size_t local[3], uint64_t resident,
                     uint32_t lanes, const struct reuse **out)
{
    struct reuse_shape s = {{local[0], local[1], local[2]}, lanes, resident, w->k->has_barrier};
    if (w->coarse) {
        for (unsigned i = 0; i < 3; i++)
            s.local[i] = magnitude_of(local[i]);
        s.resident = magnitude_of((size_t)resident);
    }
    uint64_t key[5] = {s.local[0], s.local[1], s.local[2], s.resident, (uint64_t)(uintptr_t)t};
    uint64_t hash = 0;
    for (unsigned i = 0; i < 5; i++)
        hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
    struct est_reuse **bucket = &w->reuses[(hash >> 40) % EST_BUCKETS], *r;
    for (r = *bucket; r; r = r->next)
        if (memcmp(r->key, key, sizeof key) == 0) {
            *out = &r->r;
            return 0;
        }
    r = arena_get(&w->arena, sizeof *r);
    if (!r)
        return -ENOMEM;
    memcpy(r->key, key, sizeof key);
    reuse_estimate(&w->prog, &t->t, w->stride, &s, w->sample, w->scratch, &r->r);
    r->next = *bucket;
    *bucket = r;
    *out = &r->r;
    return 0;
}

int est_warps(struct sel_work *w, const size_t local[3], uint64_t resident, struct est_case *c)
{
    struct kind kind[EST_KINDS];
    unsigned n = find_kinds(w, local, kind, &c->warps);
    const struct est_trace *main_trace = NULL;
    uint32_t lanes = w->lanes;
    double most = -1;
    for (unsigned i = 0; i < n; i++) {
        place_weights(w, &kind[i], c->weight[i]);
        for (unsigned p = 0; p < EST_PLACES; p++) {
            bool middle = p == EST_PLACES / 2;
            if (c->weight[i][p] <= 0 && !middle)
                continue;
            int e = get_trace(w, &kind[i], p, &c->trace[i][p]);
            if (e)
                return e;
            c->weight[i][p] *= kind[i].share;
            if (middle && kind[i].share > most) {
                most = kind[i].share;
                main_trace = c->trace[i][p];
                lanes = kind[i].lanes;
            }
        }
    }
    return get_reuse(w, main_trace, local, resident, lanes, &c->reuse);
}

/* ---- demand
 * ----------------------------------------------------------------------------------------------------------
 */

/* Where transactions of unknown address hit: anywhere in their buffer with equal chance. */
static void random_shares(const struct device *d, double extent, double *share)
{
    double left = 1;
    for (unsigned i = 0; i < DEV_LEVELS; i++) {
        double bytes = (double)d->cache[i].bytes / (d->cache[i].shared && d->units ? d->units : 1);
        double hit = extent > 0 ? bytes / extent : 0;
        hit = hit < 1 ? hit : 1;
        double here = hit - (1 - left);
        share[i] = here > 0 ? here : 0;
        left -= share[i];
    }
    share[DEV_LEVELS] = left;
}

/* `n` accesses making `t` transactions are served by level `lv`; the part `exposed` of them finds no
 * prefetch. They also pass through the levels in front.  On a GPU stores are posted.  A CPU's stores drain in
 * order: one that misses unannounced holds up those behind it.  A CPU store to DRAM moves the line twice. */
static void serve(const struct device *d, unsigned lv, bool write, double n, double t, double exposed,
                  struct demand *part)
{
    if (t <= 0)
        return;
    double latency = lv < DEV_LEVELS ? d->cache[lv].latency : d->dram_latency;
    double delay = lv < DEV_LEVELS ? d->cache[lv].delay : d->dram_delay;
    double near = latency;
    bool first = true;
    for (unsigned i = 0; i < lv && i < DEV_LEVELS; i++)
        if (d->cache[i].bytes) {
            near = first ? d->cache[i].latency : near;
            first = false;
            add(&part[PART_GC1 + i], 0, 0, t * d->cache[i].delay);
        }
    double busy = t * delay * (write && d->is_cpu && lv == DEV_LEVELS ? 2 : 1), wait;
    if (!d->is_cpu) {
        wait = write ? t * delay : n * latency + (t - n) * delay;
    } else {
        double hidden = t - exposed < n ? t - exposed : n;
        wait = (first ? n : exposed) * latency + (first ? 0 : hidden * (write ? delay : near));
        if (write && first)
            wait = n * delay;
        else if (write)
            busy = exposed * latency > busy ? exposed * latency : busy;
    }
    add(&part[lv < DEV_LEVELS ? PART_GC1 + lv : PART_GM], n, wait, busy);
}

void est_demand(const struct sel_work *w, const struct est_trace *t, const struct reuse *r,
                struct demand *part)
{
    const struct trace_counts *c = &t->t.sum;
    double random[REUSE_LEVELS], reads = c->transactions[TRACE_GLOBAL][0] + c->transactions[TRACE_GLOBAL][1];
    memcpy(part, t->part, sizeof t->part);
    if (reads <= 0)
        return;
    double blind = c->unknown / reads;
    random_shares(w->d, c->unknown > 0 ? c->unknown_extent / c->unknown : 0, random);
    for (unsigned wr = 0; wr < 2; wr++) {
        double n = c->accesses[TRACE_GLOBAL][wr], tr = c->transactions[TRACE_GLOBAL][wr], seen = 0;
        for (unsigned lv = 0; lv < REUSE_LEVELS; lv++)
            seen += r->share[lv][wr];
        double unseen = seen > 0 ? blind : 1; /* nothing sampled: as if unknown */
        for (unsigned lv = 0; lv < REUSE_LEVELS; lv++) {
            double share = (1 - unseen) * r->share[lv][wr] + unseen * random[lv];
            double exposed = (1 - unseen) * r->exposed[lv][wr] + unseen * random[lv];
            serve(w->d, lv, wr, n * share, tr * share, tr * exposed, part);
        }
    }
    for (unsigned i = 0; i < DEV_LEVELS; i++) /* a level that is only passed through still has operations */
        if (part[PART_GC1 + i].count == 0 && part[PART_GC1 + i].delay > 0)
            part[PART_GC1 + i].count = 1;
}
