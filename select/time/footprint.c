/* footprint.c - distinct lines that a piece of a launch touches, from the strides and extents of its
 * accesses. */
#include "select/time/lattice.h"
#include <string.h>

#define RIM  16 /* so manieth part of what an access reaches */
#define MEET 8  /* work-items along a dimension, lines along a row: accesses further apart do not meet */

static double size_of(int64_t v)
{
    return v < 0 ? -(double)v : (double)v;
}

/* ---- herds ----------------------------------------------------------------------------------------- */

static bool move_alike(const struct lattice *s, const struct lattice_access *a,
                       const struct lattice_access *b)
{
    if (memcmp(a->stride, b->stride, sizeof a->stride) != 0 || a->loops != b->loops)
        return false;
    for (unsigned i = 0; i < a->loops; i++)
        if (a->loop[i] != b->loop[i] && s->t->loop[a->loop[i]].trip != s->t->loop[b->loop[i]].trip)
            return false;
    return true;
}

/* Work-items along dimensions with large strides, and bytes, from `first` to `a`.  False: they do not meet.
 */
static bool measure(const struct lattice *s, const struct lattice_access *first, struct lattice_access *a)
{
    double rest = size_of((int64_t)(a->base - first->base));
    const double sign = (int64_t)(a->base - first->base) < 0 ? -1 : 1;
    bool taken[3] = {false};
    memset(a->apart, 0, sizeof a->apart);
    for (unsigned n = 0; n < 3; n++) {
        unsigned d = 3;
        for (unsigned i = 0; i < 3; i++)
            if (!taken[i] && (d == 3 || size_of(a->stride[3 + i]) > size_of(a->stride[3 + d])))
                d = i;
        taken[d] = true;
        const double stride = size_of(a->stride[3 + d]);
        if (stride <= s->line)
            break;
        const double q = (double)(int64_t)(rest / stride + (rest < 0 ? -0.5 : 0.5));
        if (q > MEET || q < -MEET)
            return false;
        a->apart[d] = (int32_t)((a->stride[3 + d] < 0 ? -sign : sign) * q);
        rest -= q * stride;
    }
    a->apart_rest = (int64_t)(sign * rest);
    return size_of(a->apart_rest) <= MEET * s->line;
}

void lattice_herds(struct lattice *s)
{
    unsigned leader[LATTICE_MOST];
    s->herds = 0;
    for (unsigned i = 0; i < s->n; i++) {
        struct lattice_access *a = &s->access[i];
        unsigned h = 0;
        while (h < s->herds &&
               !(move_alike(s, &s->access[leader[h]], a) && measure(s, &s->access[leader[h]], a)))
            h++;
        if (h == s->herds) {
            leader[s->herds++] = i;
            memset(a->apart, 0, sizeof a->apart);
            a->apart_rest = 0;
        }
        a->herd = h;
    }
}

/* ---- lines ----------------------------------------------------------------------------------------- */

/* Places along one dimension. */
struct extent {
    double stride, n;
};

struct box {
    struct extent e[LATTICE_DIMS + 3];
    unsigned n;
    uint64_t below; /* bytes that it reaches below the place of its first */
};

static void put(struct box *b, int64_t stride, double n)
{
    const struct extent x = {size_of(stride), n};
    unsigned i = b->n;
    if (stride == 0 || n <= 1)
        return;
    b->below += stride < 0 ? (uint64_t)(x.stride * (n - 1)) : 0;
    for (; i > 0 && b->e[i - 1].stride > x.stride; i--)
        b->e[i] = b->e[i - 1];
    b->e[i] = x;
    b->n++;
}

/* Groups, `n` of them one after another, along each dimension that the access moves in; a unit's own are
 * `units` apart.  Where it moves in no inner dimension it sees one more where a row ends amid them. */
static void put_groups(struct box *b, const struct lattice *s, const struct lattice_access *a, double n)
{
    double step = s->own ? s->units : 1;
    bool moved = false;
    n = n / step > 1 ? n / step : 1;
    for (unsigned i = 0; i < 3; i++) {
        const double all = (double)s->groups[i], along = all / step;
        if (along < 1) { /* the unit's next group is in another row */
            step /= all;
            continue;
        }
        if (a->stride[i]) {
            put(b, (int64_t)(size_of(a->stride[i]) * step), n < along ? n : along);
            moved = true;
        }
        n = !moved ? 1 + (n - 1) / along : n > along ? n / along : 1;
        step = 1;
    }
}

/* A row of bytes at `start` that repeats as `b` says, lines of `line` bytes. */
static double lines_of(const struct box *b, double bytes, uint64_t start, uint32_t line)
{
    double row = bytes, count = 1, stride = 0, n = 1, aligned = line;
    for (unsigned i = 0; i < b->n; i++) {
        const struct extent *x = &b->e[i];
        if (n <= 1 && x->stride < row + line) { /* no line lies between */
            row += x->stride * (x->n - 1);
        } else if (n > 1 && x->stride < stride * n) {
            n += x->stride / stride * (x->n - 1);
        } else {
            count *= n;
            stride = x->stride;
            n = x->n;
        }
        if (n > 1 || count > 1)
            while (aligned > 1 && (uint64_t)x->stride % (uint64_t)aligned)
                aligned /= 2;
    }
    const double within = (double)(start % (uint64_t)aligned); /* rows begin there, in any of these parts */
    const double parts = line / aligned;
    double lines = 0;
    for (unsigned i = 0; i < parts; i++)
        lines += (double)(uint64_t)((within + i * aligned + row - 1) / line) + 1;
    return lines / parts * count * n;
}

/* How far the members of a herd lie apart. */
struct herd {
    const struct lattice_access *a;
    int64_t low[4], high[4];
};

static double herd_lines(const struct lattice *s, const struct herd *h, const struct lattice_piece *p)
{
    const struct lattice_access *a = h->a;
    struct box b = {.n = 0, .below = 0};
    for (unsigned i = 0; i < 3; i++) {
        put(&b, a->stride[3 + i], (double)(a->last[3 + i] - a->first[3 + i] + 1));
        put(&b, a->stride[3 + i], (double)(h->high[i] - h->low[i] + 1));
    }
    put_groups(&b, s, a, p->groups);
    for (unsigned l = p->fixed; l < a->loops; l++) {
        const double all = (double)(a->last[6 + l] + 1);
        put(&b, a->stride[6 + l], l == p->fixed && p->iterations > 0 ? p->iterations : all);
    }
    return lines_of(&b, a->bytes + (double)(h->high[3] - h->low[3]), a->base + (uint64_t)h->low[3] - b.below,
                    s->line);
}

/* The herds that a piece has members of. */
static void gather(const struct lattice *s, const struct lattice_piece *piece, struct herd *herd)
{
    for (unsigned i = 0; i < s->herds; i++)
        herd[i].a = NULL;
    for (unsigned i = 0; i < s->n; i++) {
        const struct lattice_access *a = &s->access[i];
        struct herd *h = &herd[a->herd];
        if (a->entry < piece->from || a->entry >= piece->to)
            continue;
        if (!h->a)
            *h = (struct herd){.a = a,
                               .low = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX},
                               .high = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN}};
        for (unsigned d = 0; d < 4; d++) {
            const int64_t at = d < 3 ? a->apart[d] : a->apart_rest;
            h->low[d] = at < h->low[d] ? at : h->low[d];
            h->high[d] = at > h->high[d] ? at : h->high[d];
        }
    }
}

double lattice_lines(const struct lattice *s, const struct lattice_piece *piece)
{
    struct herd herd[LATTICE_MOST];
    double sum = 0;
    gather(s, piece, herd);
    for (unsigned i = 0; i < s->herds; i++)
        sum += herd[i].a ? herd_lines(s, &herd[i], piece) : 0;
    return sum;
}

/* Does another herd go where this one does, other than at its rim? */
static bool meets_others(const struct lattice *s, unsigned herd)
{
    for (unsigned i = 0; i < s->n; i++)
        for (unsigned j = 0; j < s->n; j++) {
            const struct lattice_access *a = &s->access[i], *b = &s->access[j];
            const uint64_t from = a->low > b->low ? a->low : b->low,
                           to = a->high < b->high ? a->high : b->high;
            if (a->herd == herd && b->herd != herd && from < to && to - from > (a->high - a->low) / RIM)
                return true;
        }
    return false;
}

double lattice_first_touches(const struct lattice *s, unsigned herd)
{
    const struct lattice_piece whole = {.to = s->t->nentry, .groups = (double)s->all};
    struct herd all[LATTICE_MOST];
    if (s->step > 1 || meets_others(s, herd))
        return -1;
    gather(s, &whole, all);
    return herd_lines(s, &all[herd], &whole);
}
