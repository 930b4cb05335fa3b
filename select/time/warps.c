/* warps.c - which warps a group is made of and their traces, shared between candidates. */
#include "select/time/estimate.h"
#include "select/integer.h"
#include <errno.h>
#include <string.h>

#define WIDEST 16 /* bytes: int4, float4, double2 */

/* A kind of warp: executed as lanes [first, first + lanes) of a group of this local size. */
struct kind {
    size_t local[3], first;
    uint32_t lanes;
    bool looped;  /* CPU: the row's vectors have a loop, which costs (row_loop); that of columns does not */
    double share; /* of the group's warps */
};

static void whole_row(struct kind *k, uint32_t lanes, double share)
{
    *k = (struct kind){.local = {lanes, 1, 1}, .lanes = lanes, .share = share};
}

/* The dimension whose loop over work-items a CPU driver vectorises: the innermost, 0, or where that is
 * unrolled the next, if it gathers no more (as measured: driver_quirks.def). */
static unsigned inner_dim(const struct sel_work *w, const size_t local[3])
{
    return w->columns && (local[0] == 1 || local[0] < w->d->row_min);
}

double est_rows(const struct sel_work *w, const size_t local[3])
{
    return (double)local[2] * (inner_dim(w, local) ? 1 : (double)local[1]);
}

size_t est_vectors(const struct sel_work *w, const size_t local[3])
{
    const size_t row = local[inner_dim(w, local)];

    return w->scalar || row < w->d->row_min ? 0 : row / w->lanes;
}

/* Full vectors and a remainder of single work-items. */
static unsigned cpu_kinds(const struct sel_work *w, const size_t local[3], struct kind *k, double *warps)
{
    const unsigned along = inner_dim(w, local);
    const size_t vectors = est_vectors(w, local), rest = local[along] - vectors * w->lanes;
    const double count = (double)(vectors + rest);
    unsigned n = 0;

    *warps = count * (double)local[2] * (double)local[!along];
    if (vectors) {
        whole_row(&k[n], w->lanes, (double)vectors / count);
        k[n].looped = !along && w->d->row_loop > 0 && local[along] * w->ops > w->d->row_ops;
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
        k[1] =
            (struct kind){.local = {lanes, 2, 1}, .first = lanes / 2, .lanes = w->lanes, .share = wrapping};
        return wrapping > 0 ? 2 : 1;
    }
    size_t rows = (lanes + lx - 1) / lx, planes = 1;
    if (rows > ly) {
        rows = ly;
        planes = (lanes + lx * ly - 1) / (lx * ly);
        planes = planes < local[2] ? planes : local[2];
    }
    k[0] = (struct kind){.local = {lx, rows, planes}, .lanes = w->lanes, .share = 1};
    return 1;
}

/* Where local ids matter, the middle row of a group stands for the others. */
static unsigned place_rows(const size_t local[3], struct kind *k, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        memcpy(k[i].local, local, sizeof k[i].local);
        k[i].first = local[1] * local[2] / 2 * local[0];
    }
    return n;
}

/* Where local ids matter, the middle warp of a group stands for all but the first, which has the last steps
 * of a reduction and what one work-item does for its group; it is left out when there are many candidates. */
static unsigned place_warps(const struct sel_work *w, const size_t local[3], struct kind *k, double warps)
{
    const size_t middle = (size_t)(warps / 2) * w->lanes;
    for (unsigned i = 0; i < 2; i++) {
        k[i] = (struct kind){.first = i ? 0 : middle, .lanes = w->lanes, .share = i ? 1 / warps : 1};
        memcpy(k[i].local, local, sizeof k[i].local);
    }
    if (middle == 0 || w->coarse)
        return 1;
    k[0].share = 1 - k[1].share;
    return 2;
}

static unsigned find_kinds(const struct sel_work *w, const size_t local[3], struct kind *k, double *warps)
{
    unsigned n = w->d->is_cpu ? cpu_kinds(w, local, k, warps) : gpu_kinds(w, local, k, warps);
    if (!w->exact_local)
        return n;
    return w->d->is_cpu ? place_rows(local, k, n) : place_warps(w, local, k, *warps);
}

/* ---- traces ---------------------------------------------------------------------------------------- */

/* The touch of entry `e`; a new one if there is none of its kind. */
static struct est_touch *touch_of(struct est_trace *t, const struct trace_entry *e)
{
    struct est_touch *x = t->touch;
    while (x < t->touch + t->ntouch && (x->insn != e->insn || x->unknown != e->unknown))
        x++;
    if (x == t->touch + t->ntouch) {
        *x = (struct est_touch){.insn = e->insn, .mem = e->mem, .write = e->write, .unknown = e->unknown};
        x->extent = (double)e->extent;
        t->ntouch++;
    }
    return x;
}

static int find_touches(struct sel_work *w, struct est_trace *t)
{
    t->ntouch = 0;
    t->touch = arena_get(&w->arena, 2 * (size_t)w->prog.naccess * sizeof *t->touch + 1);
    if (!t->touch)
        return -ENOMEM;
    for (uint32_t i = 0; i < t->t.nentry; i++) {
        const struct trace_entry *e = &t->t.entry[i];
        if (e->mem != TRACE_GLOBAL && e->mem != TRACE_IMAGE)
            continue;
        struct est_touch *x = touch_of(t, e);
        const double times = trace_times(&t->t, i);
        x->n += times;
        x->waits += e->write ? times : times / (double)w->prog.mlp[w->prog.access[e->insn]];
        x->lines += times * e->lines;
        x->lanes += times * e->lanes;
    }
    for (uint32_t i = 0; i < t->ntouch; i++)
        t->touch[i].lanes /= t->touch[i].n > 0 ? t->touch[i].n : 1;
    return 0;
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
    return find_touches(w, t);
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
        size_t groups = sel_ceil_div(w->l->global[i], k->local[i]);
        at.group[i] = (size_t)((double)(groups - 1) * place / (EST_PLACES - 1));
        if (place == EST_PLACES / 2) /* the reuse sample starts here: away from the end of a line or page */
            at.group[i] -= at.group[i] % alignment(groups);
    }
    t->t.entry = w->entry;
    t->t.loop = w->loop;
    int e = trace_run(&w->prog, &at, &t->t);
    if (e)
        return e;
    t->at = at;
    w->out->traces++;
    w->out->pessimistic |= t->t.pessimistic;
    w->out->estimated |= t->t.estimated;
    t->lanes = t->t.lanes;
    t->looped = k->looped;
    t->spill = spill_of(w, &t->t);
    est_fixed_demand(w, t);
    return 0;
}

/* Everything that the cost of a warp follows from; where its memory lies does not matter. */
static uint64_t hash_trace(const struct trace *t)
{
    uint64_t h = est_hash(1, &t->sum, sizeof t->sum);
    for (uint32_t i = 0; i < t->nentry; i++) {
        const struct trace_entry *e = &t->entry[i];
        uint32_t what[4] = {e->insn, (uint32_t)e->mem | (uint32_t)e->write << 8 | (uint32_t)e->unknown << 9,
                            e->lines, e->lanes};
        h = est_hash(h, what, sizeof what);
    }
    return est_hash(h, t->loop, t->nloop * sizeof *t->loop);
}

static bool same_trace(const struct trace *a, const struct trace *b)
{
    return a->nentry == b->nentry && a->nloop == b->nloop && memcmp(&a->sum, &b->sum, sizeof a->sum) == 0;
}

/* An earlier trace that costs the same, else `t` itself. */
static struct est_trace *find_equal(struct sel_work *w, struct est_trace *t)
{
    t->hash = hash_trace(&t->t);
    struct est_trace **bucket = &w->equal[(t->hash >> 40) % EST_BUCKETS];
    for (struct est_trace *e = *bucket; e; e = e->next_equal)
        if (e->hash == t->hash && e->looped == t->looped && same_trace(&e->t, &t->t))
            return e;
    t->next_equal = *bucket;
    *bucket = t;
    return t;
}

static int get_trace(struct sel_work *w, const struct kind *k, unsigned place, struct est_trace **out)
{
    const uint64_t key[5] = {k->local[0], k->local[1], k->local[2], k->first,
                             k->lanes << 4 | k->looped << 3 | place};
    const uint64_t hash = est_hash(1, key, sizeof key);
    struct est_trace **bucket = &w->traces[(hash >> 40) % EST_BUCKETS], *t;
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
    t->equal = find_equal(w, t);
    if (t->equal == t || place == EST_PLACES / 2) /* reuse is sampled where it lies */
        e = keep_entries(w, t);
    if (e)
        return e;
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
        size_t n = sel_ceil_div(w->l->global[i], k->local[i]);
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

/* ---- strides per work-item ------------------------------------------------------------------------- */

/* Work-item `first` of the group at at[] of `each` work-items along each dimension. */
static int probe_run(struct sel_work *w, const size_t at[3], size_t each, size_t first, struct trace *t)
{
    struct trace_place place = {
        .local = {each, each, each}, .group = {at[0], at[1], at[2]}, .first = first, .lanes = 1};
    t->entry = w->entry;
    t->loop = w->loop;
    return trace_run(&w->prog, &place, t);
}

/* Accesses that step over more than a vector type's width from one work-item of a dimension to the next: a
 * vector has to gather them. */
static unsigned gathers(const struct sel_work *w, unsigned dim)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < w->k->ninsn; i++)
        n += w->stride[i].by[dim] < -WIDEST || w->stride[i].by[dim] > WIDEST;
    return n;
}

/* Addresses of a work-item's accesses. */
struct probe {
    uint32_t n, *insn;
    uint64_t *addr;
};

static int probe(struct sel_work *w, const size_t at[3], size_t each, size_t first, struct probe *p)
{
    struct trace t = {0};
    const int e = probe_run(w, at, each, first, &t);
    p->n = e ? 0 : t.nentry;
    for (uint32_t i = 0; i < p->n; i++) {
        p->insn[i] = t.entry[i].mem < TRACE_MEMS && !t.entry[i].unknown ? t.entry[i].insn : CFG_NONE;
        p->addr[i] = t.entry[i].addr;
    }
    return e;
}

/* What the accesses move by along dimension `d`, put into to[] of their strides; the others' stay. */
static void moves(const struct sel_work *w, const struct probe *from, const struct probe *to, unsigned d,
                  size_t member)
{
    for (uint32_t i = from->n < to->n ? from->n : to->n; i-- > 0;)
        if (from->insn[i] == to->insn[i] && from->insn[i] != CFG_NONE) {
            int64_t *stride = (int64_t *)((char *)&w->stride[from->insn[i]] + member);
            stride[d] = (int64_t)(to->addr[i] - from->addr[i]);
        }
}

/* From group to group, if a group has `each` work-items along each dimension, or in it from one to the next.
 */
static int probe_along(struct sel_work *w, unsigned d, size_t each, size_t first, struct probe p[2],
                       size_t member)
{
    size_t at[3];
    int e;
    for (unsigned i = 0; i < 3; i++)
        at[i] = ((w->l->global[i] + each - 1) / each - 1) / 2;
    if ((e = probe(w, at, each, 0, &p[0])))
        return e;
    at[d] += first == 0;
    if ((e = probe(w, at, each, first, &p[1])))
        return e;
    moves(w, &p[0], &p[1], d, member);
    return 0;
}

#define EACH 2 /* work-items of a group along each dimension, to tell their strides from the group's */

/* The kernel sees local ids: groups and work-items are told apart.  Strides of groups are found for two sizes
 * of groups, and are linear in between. */
static int probe_groups(struct sel_work *w, unsigned d, struct probe p[2])
{
    int e = probe_along(w, d, EACH, 0, p, offsetof(struct item_stride, group));
    if (e == 0)
        e = probe_along(w, d, EACH,
                        d == 0   ? 1
                        : d == 1 ? EACH
                                 : EACH * EACH,
                        p, offsetof(struct item_stride, item));
    for (uint32_t i = 0; i < w->k->ninsn; i++) {
        struct item_stride *s = &w->stride[i];
        const uint64_t one = (uint64_t)s->by[d], more = (uint64_t)s->group[d] - one;
        s->group[d] = (int64_t)(one - more);
        s->size[d] = (int64_t)more;
    }
    return e;
}

int est_probe(struct sel_work *w)
{
    struct probe p[2];
    w->stride = arena_get(&w->arena, ((size_t)w->k->ninsn + 1) * sizeof *w->stride);
    if (!w->stride)
        return -ENOMEM;
    for (unsigned i = 0; i < 2; i++) {
        p[i].addr = arena_get(&w->arena, TRACE_ENTRIES * sizeof *p[i].addr);
        p[i].insn = arena_get(&w->arena, TRACE_ENTRIES * sizeof *p[i].insn);
        if (!p[i].addr || !p[i].insn)
            return -ENOMEM;
    }
    for (unsigned d = 0; d < 3; d++) {
        int e = w->l->global[d] < 2 ? 0 : probe_along(w, d, 1, 0, p, offsetof(struct item_stride, by));
        for (uint32_t i = 0; i < w->k->ninsn; i++)
            w->stride[i].item[d] = w->stride[i].size[d] = w->stride[i].by[d];
        if (e == 0 && w->exact_local && !w->d->is_cpu && w->l->global[d] >= 2 * EACH)
            e = probe_groups(w, d, p);
        if (e)
            return e;
    }
    w->columns = gathers(w, 1) <= gathers(w, 0);
    return 0;
}

/* ---- reuse ----------------------------------------------------------------------------------------- */

static size_t magnitude_of(size_t v)
{
    size_t p = 1;
    while (p * 3 / 2 < v)
        p *= 2;
    return p;
}

/* `other`: a warp of the same groups that executes something else; NULL. */
static int get_reuse(struct sel_work *w, const struct est_trace *t, const struct est_trace *other,
                     const size_t local[3], uint64_t resident, uint32_t lanes, const struct reuse **out)
{
    struct reuse_shape s = {{local[0], local[1], local[2]},
                            lanes,
                            w->d->is_cpu ? inner_dim(w, local) : 0,
                            resident,
                            w->k->has_barrier,
                            &t->at,
                            other ? &other->t : NULL};
    if (w->coarse) {
        for (unsigned i = 0; i < 3; i++)
            s.local[i] = magnitude_of(local[i]);
        s.resident = magnitude_of((size_t)resident);
    }
    const struct est_trace *whose = w->coarse && w->exact_local ? NULL : t; /* there each size has its own */
    const uint64_t key[5] = {s.local[0], s.local[1], s.local[2], s.resident << 1 | s.along,
                             (uint64_t)(uintptr_t)whose};
    const uint64_t hash = est_hash(1, key, sizeof key);
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
    if (!w->d->is_cpu) {
        r->r.accesses = w->prog.naccess;
        r->r.access = arena_get(&w->arena, (size_t)r->r.accesses * sizeof *r->r.access + 1);
        if (!r->r.access)
            return -ENOMEM;
    }
    reuse_estimate(&w->prog, &t->t, w->stride, &s, w->sample, w->scratch, &r->r);
    r->r.hash = est_hash(1, r->r.all, sizeof r->r.all);
    r->r.hash = est_hash(r->r.hash, &r->r.masked, sizeof r->r.masked);
    r->r.hash = est_hash(r->r.hash, r->r.access, r->r.accesses * sizeof *r->r.access);
    r->next = *bucket;
    *bucket = r;
    *out = &r->r;
    return 0;
}

/* What warp `t` asks of each part when its transactions are served as `r` says. */
static int get_demand(struct sel_work *w, struct est_trace *t, const struct reuse *r, struct est_demand **out)
{
    struct est_demand **at = &t->demand, *x;
    while (*at && !reuse_equal((*at)->reuse, r))
        at = &(*at)->next;
    x = *at;
    if (x) {
        *at = x->next;
    } else {
        x = arena_get(&w->arena, sizeof *x);
        if (!x)
            return -ENOMEM;
        x->reuse = r;
        est_demand(w, t, r, x->part);
    }
    x->next = t->demand; /* the next candidate is likely to ask for it again */
    t->demand = x;
    *out = x;
    return 0;
}

int est_warps(struct sel_work *w, const size_t local[3], uint64_t resident, struct est_case *c)
{
    struct kind kind[EST_KINDS];
    const unsigned n = find_kinds(w, local, kind, &c->warps);
    const struct est_trace *main_trace = NULL, *other = NULL;
    struct est_trace *equal[EST_SORTS], *t;
    uint32_t lanes = w->lanes;
    double most = -1, weight[EST_PLACES];
    c->n = 0;
    for (unsigned i = 0; i < n; i++) {
        place_weights(w, &kind[i], weight);
        for (unsigned p = 0; p < EST_PLACES; p++) {
            if (weight[p] <= 0)
                continue;
            int e = get_trace(w, &kind[i], p, &t);
            if (e)
                return e;
            c->trace[c->n] = equal[c->n] = t->equal;
            c->place[c->n] = (uint8_t)p;
            c->weight[c->n++] = weight[p] * kind[i].share;
            if (p == EST_PLACES / 2 && kind[i].share > most) {
                most = kind[i].share;
                main_trace = t;
                lanes = kind[i].lanes;
            } else if (p == EST_PLACES / 2 && w->exact_local) {
                other = t;
            }
        }
    }
    if (other && other->t.nentry > main_trace->t.nentry) { /* the one that leaves nothing out */
        const struct est_trace *swap = main_trace;
        main_trace = other;
        other = swap;
    }
    int e = get_reuse(w, main_trace, other, local, resident, lanes, &c->reuse);
    for (unsigned i = 0; i < c->n && e == 0; i++)
        e = get_demand(w, equal[i], c->reuse, &c->demand[i]);
    return e;
}
