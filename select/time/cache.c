/* cache.c - stack distances with a Fenwick tree over the accesses, grouped by unit.
 *
 * Positions are laid out unit after unit, in program order within a unit.  The tree holds each line's weight
 * at the position of its latest access, so the distance is one range sum. */
#include "select/time/cache.h"
#include <stdbool.h>
#include <string.h>

#define NONE UINT32_MAX

struct scratch {
    uint32_t slots; /* power of two, at least 2n */
    uint64_t *key;
    uint32_t *val;
    uint32_t *position, *count;
    uint32_t *owner;      /* position -> access */
    const float **latest; /* weights that the tree holds at a position */
    uint64_t *when;       /* and since when */
    float (*tree)[CACHE_LEVELS];
};

static uint32_t slots_for(size_t n)
{
    uint32_t s = 16;
    while (s < 2 * n)
        s *= 2;
    return s;
}

size_t cache_scratch(size_t n)
{
    size_t s = slots_for(n);
    return s * (sizeof(uint64_t) + sizeof(uint32_t)) +
           (n + 1) * (3 * sizeof(uint32_t) + 2 * sizeof(uint64_t)) + (n + 1) * CACHE_LEVELS * sizeof(float) +
           64;
}

static void lay_out(struct scratch *s, size_t n, void *memory)
{
    s->slots = slots_for(n);
    s->tree = memory;
    s->key = (uint64_t *)(s->tree + n + 1);
    s->when = s->key + s->slots;
    s->latest = (const float **)(s->when + n + 1);
    s->val = (uint32_t *)(s->latest + n + 1);
    s->position = s->val + s->slots;
    s->count = s->position + n + 1;
    s->owner = s->count + n + 1;
}

static uint32_t find(struct scratch *s, uint64_t key)
{
    uint32_t i = (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & (s->slots - 1);
    while (s->val[i] != NONE && s->key[i] != key)
        i = (i + 1) & (s->slots - 1);
    return i;
}

static void clear_table(struct scratch *s)
{
    memset(s->val, 0xff, s->slots * sizeof *s->val);
}

static void place(struct scratch *s, const struct cache_access *a, size_t n)
{
    uint32_t units = 0;
    bool one = true;
    for (size_t i = 0; i < n; i++) {
        one &= a[i].unit == a[0].unit;
        s->position[i] = (uint32_t)i;
    }
    if (one)
        return;
    clear_table(s);
    memset(s->count, 0, (n + 1) * sizeof *s->count);
    for (size_t i = 0; i < n; i++) {
        uint32_t at = find(s, a[i].unit);
        if (s->val[at] == NONE) {
            s->key[at] = a[i].unit;
            s->val[at] = units++;
        }
        s->position[i] = s->val[at];
        s->count[s->val[at]]++;
    }
    for (uint32_t i = 0, sum = 0; i < units; i++) {
        uint32_t c = s->count[i];
        s->count[i] = sum;
        sum += c;
    }
    for (size_t i = 0; i < n; i++)
        s->position[i] = s->count[s->position[i]]++;
}

/* All levels of a node at once; -O2 alone does not vectorise the loop. */
typedef float levels
    __attribute__((vector_size(CACHE_LEVELS * sizeof(float)), aligned(sizeof(float)), may_alias));

/* sign: 1, or -1 to take away what was added. */
static void add(float (*tree)[CACHE_LEVELS], size_t n, uint32_t at, const float *w, float sign)
{
    const levels more = sign * *(const levels *)w;
    for (size_t i = (size_t)at + 1; i <= n; i += i & -i)
        *(levels *)tree[i] += more;
}

/* Of the positions [from, to). */
static double sum_between(float (*tree)[CACHE_LEVELS], uint32_t from, uint32_t to, unsigned level)
{
    double sum = 0;
    for (; to > from; to &= to - 1)
        sum += (double)tree[to][level];
    for (; from > to; from &= from - 1)
        sum -= (double)tree[from][level];
    return sum;
}

/* The level that carries a reuse: the outermost one whose iteration has changed. */
static unsigned carrier(uint64_t then, uint64_t now)
{
    return then == now ? CACHE_LEVELS - 1 : (unsigned)__builtin_clzll(then ^ now) / 8;
}

void cache_distances(struct cache_access *a, size_t n, void *scratch)
{
    struct scratch s;
    lay_out(&s, n, scratch);
    place(&s, a, n);
    clear_table(&s);
    memset(s.tree, 0, (n + 1) * sizeof *s.tree);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = a[i].line * UINT64_C(0x100000001b3) ^ a[i].unit;
        uint32_t at = find(&s, key), now = s.position[i];
        a[i].distance = CACHE_COLD;
        if (s.val[at] != NONE) {
            uint32_t last = s.val[at];
            unsigned level = carrier(s.when[last], a[i].when);
            a[i].distance = (double)a[i].weight[level] - 1;
            a[i].previous = s.owner[last];
            a[i].distance += sum_between(s.tree, last + 1, now, level);
            add(s.tree, n, last, s.latest[last], -1);
        }
        s.key[at] = key;
        s.val[at] = now;
        s.latest[now] = a[i].weight;
        s.when[now] = a[i].when;
        s.owner[now] = (uint32_t)i;
        add(s.tree, n, now, a[i].weight, 1);
    }
}
