/* loops.c - multiplying loops instead of walking them.
 *
 * A loop is walked until three iterations in a row did the same operations and moved every header phi and
 * every comparison by constants.  Then the number of further iterations with unchanged outcomes follows from
 * the comparisons; counts are multiplied, phis advanced, and the walk goes on where an outcome changes.
 * Counts that grow linearly (triangular nests) are summed as an arithmetic series. */
#include "select/trace/trace.h"
#include "analysis/summary/integer.h"
#include <string.h>

#define FORCE_AFTER 64 /* iterations walked before irregular ones are multiplied by their average */
#define ENDLESS     ((int64_t)1 << 40)

static void observe(struct history *h, uint64_t mask, bool unknown, const int64_t *num, bool uniform,
                    unsigned lanes)
{
    unsigned n = uniform ? 1 : lanes;
    if (h->count == 0 || h->mask != mask || h->uniform != uniform) {
        h->count = 1;
        h->mask = mask;
        h->uniform = uniform;
        h->steady = false;
        memcpy(h->last, num, n * sizeof *num);
    } else {
        uint64_t changed = 0;
        for (unsigned i = 0; i < n; i++) {
            int64_t step = (int64_t)((uint64_t)num[i] - (uint64_t)h->last[i]);
            changed |= (uint64_t)(step != h->step[i]) << i;
            h->step[i] = step;
            h->last[i] = num[i];
        }
        h->steady = h->count >= 2 && (changed & (uniform ? 1 : mask)) == 0;
        h->count++;
    }
    h->unknown = unknown;
}

static struct history *history_of(struct trace_prog *p, uint32_t v)
{
    uint32_t slot = p->slot[v];
    return slot == CFG_NONE || p->hist_of[slot] == CFG_NONE ? NULL : &p->hist[p->hist_of[slot]];
}

void loops_compare(struct trace_prog *p, uint32_t v, uint64_t mask)
{
    struct history *h = history_of(p, v);
    if (!h)
        return;
    const uint32_t *o = &p->k->opnds[p->k->insns[v].opnd];
    const struct value *a = &p->value[p->slot[o[0]]], *b = &p->value[p->slot[o[1]]];
    int64_t diff[TRACE_LANES];
    bool uniform = a->uniform && b->uniform;
    const int64_t *la = a->uniform ? &a->all : exec_lanes(p, p->slot[o[0]]);
    const int64_t *lb = b->uniform ? &b->all : exec_lanes(p, p->slot[o[1]]);
    for (unsigned i = 0; i < (uniform ? 1 : p->lanes); i++)
        diff[i] = (int64_t)((uint64_t)la[a->uniform ? 0 : i] - (uint64_t)lb[b->uniform ? 0 : i]);
    observe(h, mask, (a->known & b->known & mask) != mask, diff, uniform, p->lanes);
}

static void observe_phis(struct trace_prog *p, uint32_t header, uint64_t mask)
{
    for (uint32_t i = p->phi_first[header]; i < p->phi_first[header + 1]; i++) {
        uint32_t slot = p->slot[p->phi[i]];
        const struct value *v = &p->value[slot];
        struct history *h = history_of(p, p->phi[i]);
        if (h)
            observe(h, mask, (v->known & mask) != mask, v->uniform ? &v->all : exec_lanes(p, slot),
                    v->uniform, p->lanes);
    }
}

static void forget(struct trace_prog *p, uint32_t loop)
{
    uint32_t header = p->cfg.loop[loop].header;
    for (uint32_t i = p->phi_first[header]; i < p->phi_first[header + 1]; i++)
        if (history_of(p, p->phi[i]))
            history_of(p, p->phi[i])->count = 0;
    for (uint32_t i = p->watch_first[loop]; i < p->watch_first[loop + 1]; i++)
        history_of(p, p->watch[i])->count = 0;
}

/* How many more evaluations give the same outcome when a - b = diff advances by step. */
static int64_t lasting(unsigned pred, int64_t diff, int64_t step)
{
    if (step == 0 || diff == INT64_MIN || step == INT64_MIN)
        return ENDLESS;
    int64_t dist;
    switch (pred) {
    case SUM_EQ:
    case SUM_NE:
        if (diff == 0)
            return 0;
        if ((diff > 0) == (step > 0) || diff % step != 0)
            return ENDLESS;
        return -(diff / step) - 1;
    case SUM_SLT:
    case SUM_ULT:
    case SUM_SGE:
    case SUM_UGE: /* true and false part between -1 and 0 */
        dist = diff < 0 ? -1 - diff : diff;
        return (diff < 0) == (step > 0) ? dist / (step > 0 ? step : -step) : ENDLESS;
    default: /* between 0 and 1 */
        dist = diff <= 0 ? -diff : diff - 1;
        return (diff <= 0) == (step > 0) ? dist / (step > 0 ? step : -step) : ENDLESS;
    }
}

/* Iterations during which no comparison of the loop changes its outcome; 0 when one moves irregularly. */
static int64_t horizon(struct trace_prog *p, uint32_t loop, bool force)
{
    int64_t least = ENDLESS;
    for (uint32_t i = p->watch_first[loop]; i < p->watch_first[loop + 1]; i++) {
        const struct history *h = history_of(p, p->watch[i]);
        if (h->count == 0 || h->unknown)
            continue;
        if (!h->steady) {
            if (!force)
                return 0;
            continue;
        }
        for (unsigned j = 0; j < (h->uniform ? 1 : p->lanes); j++) {
            if (!h->uniform && !(h->mask >> j & 1))
                continue;
            int64_t n = lasting(p->k->insns[p->watch[i]].sub, h->last[j], h->step[j]);
            least = n < least ? n : least;
        }
    }
    return least;
}

static bool phis_steady(struct trace_prog *p, uint32_t header)
{
    for (uint32_t i = p->phi_first[header]; i < p->phi_first[header + 1]; i++) {
        const struct history *h = history_of(p, p->phi[i]);
        if (h && !h->unknown && !h->steady)
            return false;
    }
    return true;
}

static void advance_phis(struct trace_prog *p, uint32_t header, uint64_t mask, int64_t times)
{
    for (uint32_t i = p->phi_first[header]; i < p->phi_first[header + 1]; i++) {
        const struct history *h = history_of(p, p->phi[i]);
        uint32_t slot = p->slot[p->phi[i]];
        int64_t num[TRACE_LANES];
        if (!h || !h->steady)
            continue;
        unsigned bits = p->k->insns[p->phi[i]].bits;
        for (unsigned j = 0; j < (h->uniform ? 1 : p->lanes); j++) {
            uint64_t sum = (uint64_t)h->last[j] + (uint64_t)h->step[j] * (uint64_t)times;
            num[j] = sum_signed(sum, bits);
        }
        exec_put(p, slot, mask, p->value[slot].known & mask, num, h->uniform);
    }
}

/* ---- counts ---------------------------------------------------------------------------------------- */

#define NUMBERS (sizeof(struct trace_counts) / sizeof(double))
#define FIXED   (offsetof(struct trace_counts, transactions) / sizeof(double)) /* operations and accesses */

/* 0: iterations differ; 1: equal; 2: growing by the same amount each time. */
static int regularity(const struct loop_state *s)
{
    const double *a = (const double *)&s->at[0], *b = (const double *)&s->at[1];
    const double *c = (const double *)&s->at[2], *d = (const double *)&s->at[3];
    int kind = 1;
    for (size_t i = 0; i < FIXED; i++) {
        double d1 = a[i] - b[i], d2 = b[i] - c[i], d3 = c[i] - d[i];
        if (d1 == d2 && d2 == d3)
            continue;
        if (d1 - d2 != d2 - d3)
            return 0;
        kind = 2;
    }
    return kind;
}

/* Add `times` iterations: sum_{j=1..n} (d + j*g) = n*d + g*n*(n+1)/2.  Transactions follow the average of the
 * iterations walked, scaled like the accesses: they vary with alignment. */
static void multiply_counts(struct trace_prog *p, const struct loop_state *s, int64_t times, int kind)
{
    double n = (double)times, rounds = s->walked - 1;
    double *sum = (double *)&p->out->sum;
    const double *a = (const double *)&s->at[0], *b = (const double *)&s->at[1];
    const double *c = (const double *)&s->at[2], *first = (const double *)&s->first;
    double grown = 0, flat = 0;
    for (size_t i = 0; i < FIXED; i++) {
        double d = kind ? a[i] - b[i] : (a[i] - first[i]) / rounds;
        double g = kind == 2 ? (a[i] - b[i]) - (b[i] - c[i]) : 0;
        double add = n * d + g * n * (n + 1) / 2;
        add = add > 0 ? add : 0;
        sum[i] += add;
        if (i >= offsetof(struct trace_counts, accesses) / sizeof(double)) {
            grown += add;
            flat += n * (a[i] - first[i]) / rounds;
        }
    }
    for (size_t i = FIXED; i < NUMBERS; i++)
        sum[i] += n * (a[i] - first[i]) / rounds * (flat > 0 ? grown / flat : 1);
}

/* ---- entries --------------------------------------------------------------------------------------- */

/* Are the iterations that begin at entries `a` and `b`, `n` entries each, the same but for addresses? */
static bool same_entries(const struct trace_entry *a, const struct trace_entry *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a[i].insn != b[i].insn || a[i].mem != b[i].mem || a[i].depth != b[i].depth ||
            a[i].depth >= TRACE_DEPTH || a[i].unknown != b[i].unknown)
            return false;
    return true;
}

/* Turn the walked iterations' entries into one nested loop over the first iteration's.  Where the first
 * differs (its addresses are known, say, and later ones come from memory) it is kept, and the second stands
 * for the rest. */
static void nest_entries(struct trace_prog *p, struct loop_state *s, int64_t times)
{
    struct trace *t = p->out;
    uint32_t n = t->nentry - s->mark_last, begin = s->mark_first, apart = s->completed;
    const struct trace_entry *last = t->entry + s->mark_last;
    if (!s->marked || n == 0 || apart == 0 || t->nloop >= TRACE_LOOPS || s->mark_last <= begin)
        return;
    if (s->mark_second - begin != n || !same_entries(t->entry + begin, last, n)) {
        begin = s->mark_second;
        if (--apart == 0 || t->nloop != s->loops_second || s->mark_last < begin + n ||
            !same_entries(t->entry + begin, last, n))
            return;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct trace_entry *e = t->entry + begin + i;
        e->stride[e->depth++] = (int64_t)(last[i].addr - e->addr) / (int64_t)apart;
    }
    t->nentry = begin + n;
    t->nloop = s->loops_second;
    t->loop[t->nloop++] =
        (struct trace_loop){.begin = begin,
                            .end = t->nentry,
                            .trip = s->iterations + (double)times + 1 - (begin == s->mark_second)};
    s->nested = t->nloop;
    s->each = trace_operations(&s->at[0]) - trace_operations(&s->at[1]);
}

static void try_multiply(struct trace_prog *p, uint32_t loop, struct loop_state *s)
{
    bool force = s->walked > FORCE_AFTER;
    uint32_t header = p->cfg.loop[loop].header;
    int kind = regularity(s);
    if ((kind == 0 || !phis_steady(p, header)) && !force)
        return;
    int64_t times = horizon(p, loop, force);
    bool decided = loops_decided(s);
    if (!decided) {
        double left = p->assumed[loop] - s->iterations;
        times = left < (double)times ? (int64_t)left : times;
    }
    if (times < 1 || times >= ENDLESS)
        return;
    multiply_counts(p, s, times, kind);
    advance_phis(p, header, s->mask, times);
    if (!s->muted) {
        nest_entries(p, s, times);
        s->muted = true;
        p->muted++;
    }
    s->iterations += (double)times;
    s->decided += decided ? (double)times : 0;
    s->walked = 1;
    s->at[0] = s->first = p->out->sum;
    forget(p, loop);
    observe_phis(p, header, s->mask);
}

void loops_arrive(struct trace_prog *p, uint32_t loop, bool entry, uint64_t mask)
{
    struct loop_state *s = &p->state[loop];
    uint32_t header = p->cfg.loop[loop].header;
    const struct trace *t = p->out;
    if (entry) {
        loops_leave(p, loop);
        *s = (struct loop_state){.mask = mask, .walked = 1, .mark_first = t->nentry, .mark_last = t->nentry};
        forget(p, loop);
    } else {
        s->iterations++;
        if (!s->marked) {
            s->marked = true;
            s->mark_second = t->nentry;
            s->loops_second = t->nloop;
        }
        s->walked = mask == s->mask ? s->walked + 1 : 1;
        s->mask = mask;
        memmove(&s->at[1], &s->at[0], 3 * sizeof s->at[0]);
    }
    s->at[0] = t->sum;
    if (s->walked == 1)
        s->first = t->sum;
    observe_phis(p, header, mask);
    if (s->walked >= 4)
        try_multiply(p, loop, s);
    if (!entry && !s->muted) {
        s->mark_last = t->nentry;
        s->completed = (uint32_t)s->iterations;
    }
}

void loops_leave(struct trace_prog *p, uint32_t loop)
{
    struct loop_state *s = &p->state[loop];
    if (!s->muted)
        return;
    /* where the header decides to leave, the last arrival there is no whole iteration */
    if (s->nested && s->nested <= p->out->nloop &&
        trace_operations(&p->out->sum) - trace_operations(&s->at[0]) < s->each)
        p->out->loop[s->nested - 1].trip--;
    s->nested = 0;
    s->muted = false;
    p->muted--;
}
