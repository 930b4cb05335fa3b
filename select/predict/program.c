/* program.c - one warp's operations in order, for the simulation.
 *
 * The entries of a trace become operations on parts.  Loops are unrolled; long ones are shortened: fewer
 * iterations, each standing for several.  Neighbours on one part are put together and then cut into as many
 * pieces as there is room for: what is held for the sum of many delays would keep other warps waiting that in
 * truth take turns.  In the end latencies and delays are scaled so that their sums are exactly what the
 * bounds are made of (bounds.h), whatever was shortened or left out. */
#include "select/predict/simulation.h"

struct writer {
    const struct sel_work *w;
    const struct trace *t;
    const struct reuse *r;
    struct sim_op *op;
    double count[EST_PROGRAM]; /* operations that each is the sum of */
    uint32_t n, room;
    double most; /* iterations per loop */
};

static double iterations(const struct trace_loop *l, double most)
{
    double whole = l->trip < 1 ? 1 : (double)(uint64_t)(l->trip < 1e9 ? l->trip : 1e9);
    return whole < most ? whole : most;
}

/* Operations of entries [begin, end) with loops of at most `most` iterations. */
static double size_of(const struct trace *t, uint32_t begin, uint32_t end, uint32_t loops, double most)
{
    double n = 0;
    for (uint32_t e = begin; e < end;) {
        uint32_t l = trace_loop_at(t, e, end, loops);
        if (l < loops) {
            n += iterations(&t->loop[l], most) * size_of(t, e, t->loop[l].end, l, most);
            e = t->loop[l].end;
        } else {
            n++;
            e++;
        }
    }
    return n;
}

/* Consecutive operations on one part are one. */
static void put(struct writer *x, unsigned part, double count, double latency, double delay)
{
    if (part != SIM_BARRIER && latency <= 0 && delay <= 0)
        return;
    struct sim_op *last = x->n ? &x->op[x->n - 1] : NULL;
    if (last && last->part == part) {
        last->latency += latency;
        last->delay += delay;
        x->count[x->n - 1] += count;
    } else if (x->n < x->room) {
        x->count[x->n] = count;
        x->op[x->n++] = (struct sim_op){part, latency, delay};
    }
}

static void put_entry(struct writer *x, const struct trace_entry *e, double times)
{
    if (e->mem == TRACE_BARRIER) {
        put(x, SIM_BARRIER, 1, 0, 0);
    } else if (e->mem == TRACE_WORK) {
        const struct trace_segment *s = &x->w->prog.segment[e->insn];
        for (unsigned u = 0; u < TRACE_UNITS; u++)
            put(x, est_part_of_unit[u], times * s->count[u], times * (double)s->latency[u],
                times * (double)s->delay[u]);
    } else {
        struct demand part[PARTS] = {{0}};
        est_access(x->w, e, x->r, part);
        for (unsigned c = PART_LM; c < PARTS; c++)
            put(x, c, times, times * part[c].latency, times * part[c].delay);
    }
}

static void put_entries(struct writer *x, uint32_t begin, uint32_t end, uint32_t loops, double times)
{
    for (uint32_t e = begin; e < end;) {
        uint32_t l = trace_loop_at(x->t, e, end, loops);
        if (l == loops) {
            put_entry(x, &x->t->entry[e++], times);
            continue;
        }
        const struct trace_loop *loop = &x->t->loop[l];
        double n = iterations(loop, x->most);
        for (double i = 0; i < n; i++)
            put_entries(x, e, loop->end, l, times * loop->trip / n);
        e = loop->end;
    }
}

/* Make the sums those of `total`; what no operation asks for is appended. */
static void fit(struct writer *x, const struct demand *total)
{
    double latency[PARTS] = {0}, delay[PARTS] = {0};
    for (uint32_t i = 0; i < x->n; i++)
        if (x->op[i].part < PARTS) {
            latency[x->op[i].part] += x->op[i].latency;
            delay[x->op[i].part] += x->op[i].delay;
        }
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t c = x->op[i].part;
        if (c < PARTS) {
            x->op[i].latency *= latency[c] > 0 ? total[c].latency / latency[c] : 0;
            x->op[i].delay *= delay[c] > 0 ? total[c].delay / delay[c] : 0;
        }
    }
    x->room = x->n + PARTS;
    for (unsigned c = 0; c < PARTS; c++)
        put(x, c, total[c].count, latency[c] > 0 ? 0 : total[c].latency, delay[c] > 0 ? 0 : total[c].delay);
}

static uint32_t pieces(double count, uint32_t most)
{
    return count > most ? most : count > 1 ? (uint32_t)count : 1;
}

/* Cut what was put together into pieces, `want` in all: from the last one on, as they move backwards. */
static void cut(struct writer *x, uint32_t want)
{
    const uint32_t most = x->n && want > x->n ? want / x->n : 1;
    uint32_t n = 0, at;
    for (uint32_t i = 0; i < x->n; i++)
        n += pieces(x->count[i], most);
    at = n;
    for (uint32_t i = x->n; i-- > 0;) {
        struct sim_op piece = x->op[i];
        const uint32_t of = pieces(x->count[i], most);
        piece.latency /= of;
        piece.delay /= of;
        for (uint32_t j = 0; j < of; j++)
            x->op[--at] = piece;
    }
    x->n = n;
}

uint32_t est_program(const struct sel_work *w, const struct est_trace *t, const struct reuse *r,
                     const struct demand *total, uint32_t want, struct sim_op *op)
{
    struct writer x = {.w = w, .t = &t->t, .r = r, .op = op, .room = EST_PROGRAM - PARTS, .most = 256};
    want = want < x.room ? want : x.room;
    while (x.most > 1 && size_of(&t->t, 0, t->t.nentry, t->t.nloop, x.most) > want)
        x.most /= 2;
    put_entries(&x, 0, t->t.nentry, t->t.nloop, 1);
    fit(&x, total);
    cut(&x, want);
    return x.n;
}
