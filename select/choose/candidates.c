/* candidates.c - the local sizes that may be used for a launch, and which to keep when there are too many.
 *
 * A size is legal when its extents are allowed in every dimension (divisors of the global size; with tails
 * also powers of two and multiples of 32; all extents when everything is asked for), no extent exceeds the
 * global size or the device's limit, and the work-group is not larger than the kernel allows.
 *
 * When there are more than fit, every size gets a rank - how promising its shape is, see rank_of() - and
 * the lowest ranks stay.  Ranks ignore the number of work-items where they can, so that what stays is
 * spread over small and large groups and over wide, square and tall ones.  Two passes over the same
 * enumeration, no memory. */
#include "select/integer.h"
#include "select/select.h"

#include <errno.h>
#include <string.h>

#define MAX_EXTENT 8192 /* larger than any driver's work-group */
#define MAX_LISTED 1024 /* extents listed per dimension */
#define WARP       32   /* lanes of the likely warp: what extents should be multiples of */
#define WARP_LOG2  5
#define RANKS      64

/* The extents allowed in one dimension, ascending. */
struct axis {
    size_t global;
    unsigned n;
    bool all; /* 1..n; `extent` is unused */
    uint16_t extent[MAX_LISTED];
};

static unsigned axis_at(const struct axis *a, unsigned i)
{
    return a->all ? i + 1 : a->extent[i];
}

static bool power_of_two(unsigned v)
{
    return (v & (v - 1)) == 0;
}

static void make_axis(struct axis *a, size_t global, size_t max, size_t groups, bool tails, bool all)
{
    const size_t least = groups && global > groups ? sel_ceil_div(global, groups) : 1; /* 0: any number */

    a->global = global;
    a->all = all;
    a->n = 0;
    if (max > global)
        max = global;
    if (all) {
        a->n = (unsigned)max;
        return;
    }
    for (size_t e = least; e <= max && a->n < MAX_LISTED; e++)
        if (global % e == 0 || (tails && (e % WARP == 0 || power_of_two(e))))
            a->extent[a->n++] = (uint16_t)e;
}

/* Leave in only what the driver runs the same code for as with the program's own size. */
static void keep_class(struct axis *a, const struct sel_classes *c, unsigned d, size_t own)
{
    unsigned n = 0;

    for (unsigned i = 0; i < a->n; i++)
        if (sel_same_class(c, d, own, a->extent[i]))
            a->extent[n++] = a->extent[i];
    a->n = n;
}

/* How promising a shape is, 0 = most.  Three parts are added:
 *   extents    0 = powers of two with whole warps, up to 12 for odd ones (idle lanes, unaligned rows);
 *   aspect     twice the distance, in powers of two, from the nearest of: one row; rows of one warp;
 *              square; or one column, which counts as 3 away: right only for kernels that walk memory
 *              along dimension 1;
 *   smallness  groups of less than a warp. */
static unsigned rank_of(const unsigned e[3], unsigned dim)
{
    unsigned items = e[0] * e[1] * e[2], size = (unsigned)sel_log2(items), x = (unsigned)sel_log2(e[0]);
    unsigned rank = 0;
    if (!(power_of_two(e[0]) && power_of_two(e[1]) && power_of_two(e[2])))
        rank += items % WARP == 0 ? 4 : items % 8 == 0 ? 8 : 12;
    unsigned square = (size + dim - 1) / dim;
    const unsigned ideal[3] = {size, size < WARP_LOG2 ? size : WARP_LOG2, square};
    unsigned best = 16;
    for (unsigned i = 0; i < 3; i++) {
        unsigned distance = x > ideal[i] ? x - ideal[i] : ideal[i] - x;
        best = distance < best ? distance : best;
    }
    rank += 2 * best < 2 * x + 3 ? 2 * best : 2 * x + 3;
    /* what is not in x goes to y before it goes to z */
    rank += sel_log2(e[2]) > sel_log2(e[1]) ? 2 : 0;
    if (size < WARP_LOG2)
        rank += 2 * (WARP_LOG2 - size);
    return rank < RANKS - 1 ? rank : RANKS - 2;
}

struct choice {
    const struct kernel_summary *k;
    const struct launch *l;
    const struct sel_options *o;
    size_t max_items;
    struct axis axis[3];
    unsigned count[RANKS]; /* legal sizes by rank */
    unsigned below;        /* ranks below this one are all kept */
    unsigned quota;        /* and this many of rank `below`, evenly spread */
    unsigned seen;         /* of rank `below` so far */
};

static bool is_own(const struct launch *l, const unsigned e[3])
{
    return e[0] == l->local[0] && e[1] == l->local[1] && e[2] == l->local[2];
}

static bool is_compiled_alike(const struct sel_options *o, const unsigned e[3])
{
    return sel_same_way(&o->classes, o->usual, (const size_t[3]){e[0], e[1], e[2]});
}

static unsigned rank_here(const struct choice *c, const unsigned e[3])
{
    const uint32_t *hint = c->k->hint;
    bool hinted = hint[0] == e[0] && hint[1] == e[1] && hint[2] == e[2];
    return hinted ? 0 : 1 + rank_of(e, c->l->dim);
}

static void put(const struct choice *c, const unsigned e[3], struct candidate *out)
{
    memset(out, 0, sizeof *out);
    out->divides = true;
    for (unsigned d = 0; d < 3; d++) {
        out->local[d] = e[d];
        out->divides = out->divides && c->axis[d].global % e[d] == 0;
    }
}

/* Does the second pass keep this size?  Of the last rank, `quota` of `count` are taken at equal distances. */
static bool keep(struct choice *c, unsigned rank)
{
    if (rank != c->below)
        return rank < c->below;
    uint64_t n = c->count[rank], i = c->seen++;
    return (i + 1) * c->quota / n > i * c->quota / n;
}

/* Go through all legal sizes but the application's own.  With out == NULL count them by rank, else write
 * those that are kept to out[0..] and return how many. */
static unsigned enumerate(struct choice *c, struct candidate *out)
{
    unsigned n = 0, e[3];
    for (unsigned i = 0; i < c->axis[2].n; i++) {
        e[2] = axis_at(&c->axis[2], i);
        if (e[2] > c->max_items)
            break;
        for (unsigned j = 0; j < c->axis[1].n; j++) {
            e[1] = axis_at(&c->axis[1], j);
            if ((size_t)e[1] * e[2] > c->max_items)
                break;
            for (unsigned h = 0; h < c->axis[0].n; h++) {
                e[0] = axis_at(&c->axis[0], h);
                if ((size_t)e[0] * e[1] * e[2] > c->max_items)
                    break;
                if (is_own(c->l, e) || !is_compiled_alike(c->o, e))
                    continue;
                unsigned rank = rank_here(c, e);
                if (!out)
                    c->count[rank]++;
                else if (keep(c, rank))
                    put(c, e, &out[n++]);
            }
        }
    }
    return n;
}

/* Let the lowest ranks in until `room` is used up. */
static void choose_ranks(struct choice *c, unsigned room)
{
    c->below = 0;
    while (c->below < RANKS - 1 && c->count[c->below] <= room)
        room -= c->count[c->below++];
    unsigned last = c->count[c->below];
    c->quota = last < room ? last : room;
    c->seen = 0;
}

static void put_own(const struct launch *l, struct candidate *out)
{
    memset(out, 0, sizeof *out);
    out->own = true;
    out->divides = true;
    for (unsigned d = 0; d < 3 && launch_has_local(l); d++) {
        out->local[d] = l->local[d];
        if (l->local[d] == 0 || l->global[d] % l->local[d] != 0)
            out->divides = false;
    }
}

/* reqd_work_group_size leaves no choice. */
static int only_required(const struct kernel_summary *k, const struct launch *l, struct choice *c,
                         const struct sel_options *o, struct candidate *out, unsigned room)
{
    if (launch_has_local(l) || room < 2)
        return 1;
    for (unsigned d = 0; d < 3; d++)
        if (k->reqd[d] == 0 || l->global[d] % k->reqd[d] != 0 ||
            (o->max_dim[d] && k->reqd[d] > o->max_dim[d]))
            return 1;
    if ((uint64_t)k->reqd[0] * k->reqd[1] > c->max_items / k->reqd[2])
        return 1;
    for (unsigned d = 0; d < 3; d++)
        c->axis[d].global = l->global[d];
    put(c, k->reqd, &out[1]);
    return 2;
}

int sel_candidates(const struct kernel_summary *k, const struct launch *l, const struct sel_options *o,
                   struct candidate *out, unsigned room)
{
    if (room == 0)
        return -ENOSPC;
    put_own(l, &out[0]);
    struct choice c = {
        .k = k, .l = l, .o = o, .max_items = o->max_items < MAX_EXTENT ? o->max_items : MAX_EXTENT};
    if (k->reqd[0] != 0)
        return only_required(k, l, &c, o, out, room);
    for (unsigned d = 0; d < 3; d++) {
        size_t max = c.max_items;
        if (o->max_dim[d] != 0 && o->max_dim[d] < max)
            max = o->max_dim[d];
        make_axis(&c.axis[d], d < l->dim ? l->global[d] : 1, max, o->max_groups[d], o->tails[d],
                  o->all_sizes);
        if (!o->all_sizes)
            keep_class(&c.axis[d], &o->classes, d, o->usual[d]);
    }
    enumerate(&c, NULL);
    choose_ranks(&c, room - 1);
    return (int)(1 + enumerate(&c, &out[1]));
}
