/* lattice.c - which touch of a line comes before another one: solved, not searched for.
 *
 * An access touches a line where base + sum of stride * place lies in it.  The places along the dimensions
 * with the largest strides are few, as the others cannot make up for them; where no stride is larger than a
 * line, everything between the extremes is touched. */
#include "select/time/lattice.h"
#include "select/integer.h"
#include "analysis/summary/integer.h"
#include <string.h>

#define TRIES      12                 /* places along a dimension, and rows of groups, that are looked at */
#define LEAVES     48                 /* solutions of one access that are looked at */
#define FARTHEST   (INT64_C(1) << 48) /* bytes; strides beyond do not add up */
#define MOST_TRIPS 1e12               /* of a loop that counts to 2^64 */

/* ---- the accesses ---------------------------------------------------------------------------------- */

/* The traced warp: the work-item of each lane, and which there are. */
struct warp {
    int64_t item[TRACE_LANES][3];
    uint64_t live;
};

static void find_items(const struct trace_place *at, uint32_t lanes, struct warp *w)
{
    int64_t row = (int64_t)at->local[0], plane = row * (int64_t)at->local[1];
    w->live = lanes < 64 ? (UINT64_C(1) << lanes) - 1 : UINT64_MAX;
    for (unsigned i = 0; i < TRACE_LANES; i++) {
        const int64_t id = (int64_t)at->first + i;
        w->item[i][0] = id % row;
        w->item[i][1] = id % plane / row;
        w->item[i][2] = id / plane;
    }
}

/* The address at group 0, work-item 0 follows from the lowest one of the lanes that were active. */
static uint64_t find_base(const struct trace_entry *e, const struct trace_place *at, const struct warp *w,
                          const struct item_stride *by)
{
    int64_t lowest = INT64_MAX;
    uint64_t group = 0;
    for (unsigned i = 0; i < 3; i++)
        group += ((uint64_t)by->size[i] * at->local[i] + (uint64_t)by->group[i]) * at->group[i];
    for (uint64_t left = e->mask; left; left &= left - 1) {
        const int64_t *item = w->item[__builtin_ctzll(left)];
        uint64_t sum = 0;
        for (unsigned i = 0; i < 3; i++)
            sum += (uint64_t)by->item[i] * (uint64_t)item[i];
        lowest = (int64_t)sum < lowest ? (int64_t)sum : lowest;
    }
    return e->addr - group - (e->mask ? (uint64_t)lowest : 0);
}

/* From the lowest to the highest work-item of some lanes along dimension `d`. */
static void span_of(const struct warp *w, uint64_t lanes, unsigned d, int64_t *low, int64_t *high)
{
    *low = INT64_MAX;
    *high = -1;
    for (; lanes; lanes &= lanes - 1) {
        const int64_t at = w->item[__builtin_ctzll(lanes)][d];
        *low = at < *low ? at : *low;
        *high = at > *high ? at : *high;
    }
}

/* Some work-items of a warp leave an access out: then those of all warps do along that dimension.  `others`:
 * other warps make it, too. */
static void restrict_items(struct lattice_access *a, const struct trace_entry *e, const struct warp *w,
                           bool others)
{
    int64_t low, high, first, last;
    if (others && e->mask == w->live)
        return;
    for (unsigned i = 0; i < 3; i++) {
        span_of(w, w->live, i, &first, &last);
        span_of(w, e->mask, i, &low, &high);
        if (!others || low != first || high != last) {
            a->first[3 + i] = low;
            a->last[3 + i] = high;
        }
    }
}

/* Which warps make the access. */
static void find_warps(const struct lattice *s, struct lattice_access *a)
{
    const uint64_t row = s->local[0], plane = row * s->local[1];
    const uint64_t from = (uint64_t)a->first[5] * plane + (uint64_t)a->first[4] * row + (uint64_t)a->first[3],
                   to = (uint64_t)a->last[5] * plane + (uint64_t)a->last[4] * row + (uint64_t)a->last[3];
    a->warp = (uint32_t)(from / s->lanes);
    a->warps = (uint32_t)(to / s->lanes) - a->warp + 1;
}

static void add_loops(struct lattice_access *a, const struct trace *t, const struct trace_entry *e)
{
    for (uint32_t l = t->nloop; l-- > 0 && a->loops < e->depth;)
        if (a->entry >= t->loop[l].begin && a->entry < t->loop[l].end) {
            const double trip = t->loop[l].trip < MOST_TRIPS ? t->loop[l].trip : MOST_TRIPS;
            a->last[6 + a->loops] = trip < 1 ? 0 : (int64_t)(trip - 0.5);
            a->loop[a->loops++] = l;
        }
    for (unsigned i = 0; i < a->loops; i++)
        a->stride[6 + i] = e->stride[a->loops - 1 - i];
}

/* Find order and bounds.  False: they are beyond numbers. */
static bool put_in_order(struct lattice_access *a, uint32_t line)
{
    a->ordered = a->sparse = 0;
    a->low = a->high = a->base;
    for (unsigned d = 0; d < LATTICE_DIMS; d++) {
        const uint64_t s = sel_magnitude(a->stride[d]);
        unsigned i = a->ordered;
        if (s == 0)
            continue;
        if (a->last[d] > 0 && s > (uint64_t)FARTHEST / (uint64_t)a->last[d])
            return false;
        a->low += (uint64_t)(a->stride[d] * (a->stride[d] < 0 ? a->last[d] : a->first[d]));
        a->high += (uint64_t)(a->stride[d] * (a->stride[d] < 0 ? a->first[d] : a->last[d]));
        if (a->last[d] == a->first[d] && a->first[d] == 0)
            continue;
        for (; i > 0 && sel_magnitude(a->stride[a->order[i - 1]]) < s; i--)
            a->order[i] = a->order[i - 1];
        a->order[i] = (uint8_t)d;
        a->inverse[d] = 1 / (double)s;
        a->ordered++;
        a->sparse += s > line;
    }
    a->high += a->bytes;
    return a->high > a->low;
}

/* Where in a wave each access is: transactions of a warp before it, as a part of all. */
static void find_times(struct lattice *s)
{
    double sum = 0;
    for (unsigned i = 0; i < s->n; i++) {
        struct lattice_access *a = &s->access[i];
        a->times = trace_times(s->t, a->entry) * s->t->entry[a->entry].lines;
        a->begin = sum;
        sum += a->times;
    }
    for (unsigned i = 0; i < s->n; i++)
        s->access[i].begin /= sum > 0 ? sum : 1;
}

static bool has(const struct trace *t, uint32_t insn)
{
    uint32_t e = 0;
    while (e < t->nentry && (t->entry[e].mem >= TRACE_MEMS || t->entry[e].insn != insn))
        e++;
    return e < t->nentry;
}

static void add_access(struct lattice *s, const struct trace_prog *p, uint32_t entry, bool others,
                       const struct item_stride *by, const struct trace_place *at, const struct warp *w)
{
    const struct trace_entry *e = &s->t->entry[entry];
    struct lattice_access *a = &s->access[s->n];
    *a = (struct lattice_access){.entry = entry, .bytes = p->k->insns[e->insn].bytes};
    for (unsigned i = 0; i < 3; i++) {
        a->stride[i] = (int64_t)((uint64_t)by->size[i] * s->local[i] + (uint64_t)by->group[i]);
        a->last[i] = (int64_t)s->groups[i] - 1;
        a->stride[3 + i] = by->item[i];
        a->last[3 + i] = (int64_t)s->local[i] - 1;
    }
    a->base = find_base(e, at, w, by);
    restrict_items(a, e, w, others);
    find_warps(s, a);
    add_loops(a, s->t, e);
    s->n += put_in_order(a, s->line);
}

/* For last_of_unit(): rows of groups that begin with the same unit are `period` apart. */
static void find_rows(struct lattice *s)
{
    s->common = (uint32_t)sum_gcd(s->groups[0], s->units);
    s->period = s->units / s->common;
    s->inverse = 1;
    while (s->period > 1 && s->groups[0] / s->common % s->period * s->inverse % s->period != 1)
        s->inverse++;
}

void lattice_make(struct lattice *s, const struct trace_prog *p, const struct trace *t,
                  const struct trace *other, const struct item_stride *stride,
                  const struct reuse_shape *shape)
{
    *s = (struct lattice){.t = t, .units = p->d->units ? p->d->units : 1, .lanes = shape->lanes, .all = 1};
    s->shift = (unsigned)sel_log2(p->d->line_bytes ? p->d->line_bytes : 64);
    s->line = 1u << s->shift;
    for (unsigned i = 0; i < 3; i++) {
        s->local[i] = shape->local[i];
        s->groups[i] = (p->l->global[i] + shape->local[i] - 1) / shape->local[i];
        s->all *= s->groups[i];
    }
    s->at_once = shape->resident * s->units;
    find_rows(s);
    uint32_t all = 0, seen = 0;
    struct warp w;
    find_items(shape->at, t->lanes, &w);
    for (uint32_t e = 0; e < t->nentry; e++)
        all += trace_located(&t->entry[e]);
    s->step = all / LATTICE_MOST + 1;
    for (uint32_t e = 0; e < t->nentry && s->n < LATTICE_MOST; e++)
        if (trace_located(&t->entry[e]) && seen++ % s->step == 0)
            add_access(s, p, e, !other || has(other, t->entry[e].insn), &stride[t->entry[e].insn], shape->at,
                       &w);
    find_times(s);
    lattice_herds(s);
}

/* ---- who touches a line ---------------------------------------------------------------------------- */

/* Touches of a line by one access: the latest of groups below `below`, or the latest iteration of a loop. */
struct seek {
    const struct lattice *s;
    const struct lattice_access *a;
    int64_t first[LATTICE_DIMS], last[LATTICE_DIMS];       /* places that count */
    int64_t low[LATTICE_DIMS + 1], high[LATTICE_DIMS + 1]; /* what order[i..] can add */
    int64_t from[LATTICE_DIMS], to[LATTICE_DIMS];          /* of the solution that is looked at */
    size_t floor, below;                                   /* groups [floor, below) */
    int unit;                                              /* of this unit; -1: of any */
    int loop; /* the dimension whose latest place is wanted; -1: that of the groups */
    const struct lattice_touch *before; /* groups before its own, or warps of its group before it; NULL */
    unsigned leaves;
    int64_t best, best_outer; /* -1: none; iteration of the outermost loop there */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* In a box of groups, in the plane whose first group is `first` up to row `top`, the last one of its unit up
 * to `most`; -1: none.  For each place in a row, the rows in which it is the unit's are those that solve a
 * congruence. */
static int64_t last_of_unit(const struct seek *q, int64_t first, int64_t top, int64_t most)
{
    const struct lattice *s = q->s;
    const int64_t gx = (int64_t)s->groups[0], units = s->units;
    int64_t last = -1;
    for (int64_t x = q->from[0]; x <= q->to[0] && first + x <= most; x++) {
        const int64_t need = ((q->unit - first - x) % units + units) % units,
                      row = need / s->common * s->inverse % s->period,
                      end = smaller(top, (most - first - x) / gx), y = end - (end - row) % s->period;
        if (need % s->common == 0 && end >= row && y >= q->from[1])
            last = larger(last, first + y * gx + x);
    }
    return last;
}

/* The last group of `unit` before `below` in a box of groups; -1: none. */
static int64_t last_group(const struct seek *q)
{
    const struct lattice *s = q->s;
    const int64_t gx = (int64_t)s->groups[0], gy = (int64_t)s->groups[1],
                  most = (int64_t)(q->below < s->all ? q->below : s->all) - 1;
    const bool narrow = q->unit >= 0 && q->to[0] - q->from[0] < TRIES; /* few rows have a group of the unit */
    unsigned tries = 0;
    if (most < 0)
        return -1;
    const int64_t row = most / gx; /* of all planes */
    for (int64_t z = smaller(q->to[2], row / gy); z >= q->from[2] && tries++ < TRIES; z--) {
        const int64_t top = smaller(q->to[1], row - z * gy);
        const int64_t last = narrow ? last_of_unit(q, z * gy * gx, top, most) : -1;
        if (last >= 0)
            return last;
        for (int64_t y = top; y >= q->from[1] && tries++ < TRIES && !narrow; y--) {
            const int64_t start = (z * gy + y) * gx;
            int64_t x = smaller(q->to[0], most - start);
            if (q->unit >= 0 && x >= 0)
                x -= (start + x - q->unit + s->units) % s->units;
            if (x >= q->from[0])
                return start + x;
        }
    }
    return -1;
}

/* Does a warp of the touch's own group come before it? */
static bool own_group(const struct seek *q, const struct lattice_touch *x)
{
    const struct lattice *s = q->s;
    for (unsigned i = 0; i < 3; i++)
        if (x->at[i] < q->from[i] || x->at[i] > q->to[i])
            return false;
    const size_t item =
        ((size_t)q->from[5] * s->local[1] + (size_t)q->from[4]) * s->local[0] + (size_t)q->from[3];
    return item / s->lanes < x->warp;
}

static void look(struct seek *q)
{
    const int64_t group = q->before && own_group(q, q->before) ? (int64_t)q->before->group : last_group(q);
    q->leaves++;
    if (group < (int64_t)q->floor)
        return;
    const int64_t value = q->loop < 0 ? group : q->to[q->loop];
    if (value > q->best) {
        q->best = value;
        q->best_outer = q->a->loops ? q->to[6] : 0;
    }
}

/* v / stride of `a`'s dimension `d`, rounded down; the stride taken as positive. */
static int64_t over(const struct lattice_access *a, unsigned d, int64_t v)
{
    const int64_t s = (int64_t)sel_magnitude(a->stride[d]), n = (int64_t)((double)v * a->inverse[d]),
                  rest = v - n * s;
    return n + (rest >= s) - (rest < 0);
}

/* Places of order[i] with which `low` to `high` can be reached; `less`, `more`: what the others add. */
static bool places(struct seek *q, unsigned i, int64_t low, int64_t high, int64_t less, int64_t more)
{
    const unsigned d = q->a->order[i];
    const bool up = q->a->stride[d] > 0;
    const int64_t from = -over(q->a, d, up ? more - low : high - less),
                  to = over(q->a, d, up ? high - less : more - low);
    q->from[d] = larger(q->first[d], from);
    q->to[d] = smaller(q->last[d], to);
    return q->from[d] <= q->to[d];
}

/* order[i..] have to add `low` to `high`. */
static void descend(struct seek *q, unsigned i, int64_t low, int64_t high)
{
    if (low > q->high[i] || high < q->low[i])
        return;
    if (i >= q->a->sparse) {
        for (unsigned j = i; j < q->a->ordered; j++) {
            const unsigned d = q->a->order[j];
            const int64_t s = q->a->stride[d], one = s * q->first[d], other = s * q->last[d];
            if (!places(q, j, low, high, q->low[i] - smaller(one, other), q->high[i] - larger(one, other)))
                return;
        }
        look(q);
        return;
    }
    const unsigned d = q->a->order[i];
    if (!places(q, i, low, high, q->low[i + 1], q->high[i + 1]))
        return;
    const int64_t from = q->from[d], to = q->to[d], s = q->a->stride[d];
    for (int64_t c = to; c >= from && to - c < TRIES && q->leaves < LEAVES; c--) {
        q->from[d] = q->to[d] = c;
        descend(q, i + 1, low - s * c, high - s * c);
    }
}

/* All places count, but in the first `fixed` loops: there those of `x`. */
static void start(struct seek *q, const struct lattice *s, unsigned access, const struct lattice_touch *x,
                  unsigned fixed)
{
    const struct lattice_access *a = &s->access[access];
    q->s = s;
    q->a = a;
    q->unit = s->own ? (int)(x->group % s->units) : -1;
    q->loop = -1;
    q->before = NULL;
    q->leaves = 0;
    q->best = -1;
    const size_t places = (6 + a->loops) * sizeof *q->first;
    memcpy(q->first, a->first, places);
    memcpy(q->last, a->last, places);
    for (unsigned i = 0; i < fixed; i++)
        q->first[6 + i] = q->last[6 + i] = x->iteration[i];
}

/* Does an access come near the line at all? */
static inline bool near(const struct lattice *s, unsigned access, const struct lattice_touch *x)
{
    const struct lattice_access *a = &s->access[access];
    return a->high > x->line * s->line && a->low < (x->line + 1) * s->line;
}

static void seek(struct seek *q, uint64_t line)
{
    const struct lattice_access *a = q->a;
    const uint64_t at = line * q->s->line;
    const size_t places = (6 + a->loops) * sizeof *q->first;
    q->low[a->ordered] = q->high[a->ordered] = 0;
    for (unsigned i = a->ordered; i-- > 0;) {
        const unsigned d = a->order[i];
        const int64_t one = a->stride[d] * q->first[d], other = a->stride[d] * q->last[d];
        q->low[i] = q->low[i + 1] + smaller(one, other);
        q->high[i] = q->high[i + 1] + larger(one, other);
    }
    memcpy(q->from, q->first, places);
    memcpy(q->to, q->last, places);
    const int64_t need = (int64_t)(at - a->base);
    descend(q, 0, need - (int64_t)a->bytes + 1, need + (int64_t)q->s->line - 1);
}

/* ---- the touch before ------------------------------------------------------------------------------ */

/* Loops that are around both, from the outermost on. */
static unsigned common(const struct lattice_access *a, const struct lattice_access *b)
{
    unsigned i = 0;
    while (i < a->loops && i < b->loops && a->loop[i] == b->loop[i])
        i++;
    return i;
}

struct wave {
    size_t begin, end;
};

/* Another warp's, at the same access. */
static bool at_once(const struct lattice *s, const struct lattice_touch *x, const struct wave *w)
{
    struct seek q;
    start(&q, s, x->access, x, s->access[x->access].loops);
    q.floor = w->begin;
    q.below = x->group;
    q.before = x;
    seek(&q, x->line);
    return q.best >= 0;
}

/* The latest iteration of loop number `l` around the access, before this one, that touches the line; -1. */
static int64_t iteration_before(const struct lattice *s, const struct lattice_touch *x, const struct wave *w,
                                unsigned l)
{
    const struct lattice_access *a = &s->access[x->access];
    int64_t best = -1;
    for (unsigned i = s->n; i-- > 0 && best < x->iteration[l] - 1;) {
        struct seek q;
        if (x->iteration[l] == 0 || !near(s, i, x) || common(a, &s->access[i]) <= l)
            continue;
        start(&q, s, i, x, l);
        q.first[6 + l] = best + 1;
        q.last[6 + l] = x->iteration[l] - 1;
        q.floor = w->begin;
        q.below = w->end;
        q.loop = 6 + (int)l;
        seek(&q, x->line);
        best = q.best > best ? q.best : best;
    }
    return best;
}

/* The latest access before, in the same iteration of `l` loops around both and of no more; -1. */
static int access_before(const struct lattice *s, const struct lattice_touch *x, const struct wave *w,
                         unsigned l)
{
    for (unsigned i = x->access; i-- > 0;) {
        struct seek q;
        if (!near(s, i, x) || common(&s->access[x->access], &s->access[i]) != l)
            continue;
        start(&q, s, i, x, l);
        q.floor = w->begin;
        q.below = w->end;
        seek(&q, x->line);
        if (q.best >= 0)
            return (int)i;
    }
    return -1;
}

/* The part of its wave that is done at iteration `k` of the access's outermost loop. */
static double done(const struct lattice *s, const struct lattice_access *a, int64_t k)
{
    double begin = 1, end = 0;
    if (a->loops == 0)
        return a->begin;
    const struct trace_loop *l = &s->t->loop[a->loop[0]];
    for (unsigned i = 0; i < s->n; i++)
        if (s->access[i].entry >= l->begin && s->access[i].entry < l->end) {
            begin = s->access[i].begin < begin ? s->access[i].begin : begin;
            end = i + 1 < s->n ? s->access[i + 1].begin : 1;
        }
    return begin + (end - begin) * ((double)k + 0.5) / (double)(a->last[6] + 1);
}

/* Lines of a wave's end after iteration `k` of access `a`, or of its beginning before it. */
static double part_lines(const struct lattice *s, const struct lattice_access *a, int64_t k, bool after)
{
    struct lattice_piece p = {.to = s->t->nentry, .groups = (double)s->at_once};
    if (a->loops)
        return lattice_lines(s, &p) * (after ? 1 - done(s, a, k) : done(s, a, k));
    *(after ? &p.from : &p.to) = a->entry;
    return lattice_lines(s, &p);
}

/* Lines touched since the line was in an earlier wave; LATTICE_COLD: it was in none. */
static double lines_since_wave(const struct lattice *s, const struct lattice_touch *x, const struct wave *w)
{
    const struct lattice_access *nearest = NULL;
    int64_t iteration = 0;
    double least = LATTICE_COLD;
    size_t floor = 0;
    for (unsigned i = s->n; i-- > 0;) {
        struct seek q;
        if (!near(s, i, x))
            continue;
        start(&q, s, i, x, 0);
        q.floor = floor;
        q.below = w->begin;
        seek(&q, x->line);
        if (q.best < 0)
            continue;
        const size_t wave = (size_t)q.best / s->at_once;
        const double since = (double)(w->begin / s->at_once - wave) - done(s, q.a, q.best_outer);
        floor = wave * s->at_once;
        if (since < least) {
            least = since;
            nearest = q.a;
            iteration = q.best_outer;
        }
    }
    if (!nearest)
        return LATTICE_COLD;
    const double between = (double)(w->begin - floor) - (double)s->at_once;
    const struct lattice_piece whole = {.to = s->t->nentry, .groups = between};
    return (between > 0 ? lattice_lines(s, &whole) : 0) + part_lines(s, nearest, iteration, true) +
           part_lines(s, &s->access[x->access], x->iteration[0], false);
}

double lattice_distance(const struct lattice *s, const struct lattice_touch *x)
{
    const struct lattice_access *a = &s->access[x->access];
    struct wave w = {.begin = x->group - x->group % s->at_once};
    w.end = w.begin + s->at_once;
    struct lattice_piece piece = {.groups = (double)(w.end < s->all ? s->at_once : s->all - w.begin)};
    if (at_once(s, x, &w))
        return 0;
    for (unsigned l = a->loops + 1; l-- > 0;) {
        piece.fixed = l;
        if (l < a->loops) {
            const int64_t k = iteration_before(s, x, &w, l);
            piece.from = s->t->loop[a->loop[l]].begin;
            piece.to = s->t->loop[a->loop[l]].end;
            piece.iterations = (double)(x->iteration[l] - k);
            if (k >= 0)
                return lattice_lines(s, &piece) - 1; /* but for the line itself */
        }
        const int i = access_before(s, x, &w, l);
        if (i >= 0) {
            piece.from = s->access[i].entry;
            piece.to = a->entry;
            piece.iterations = 0;
            return lattice_lines(s, &piece);
        }
    }
    return w.begin > 0 ? lines_since_wave(s, x, &w) : LATTICE_COLD;
}
