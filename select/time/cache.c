/* cache.c - stack distances with a Fenwick tree over the accesses.
 *
 * The tree holds each line's weight at its latest access, so the distance is one range sum. */
#include "select/time/cache.h"
#include <string.h>

#define NONE UINT32_MAX

struct scratch {
    uint32_t slots; /* power of two, at least 2n */
    uint64_t *key;  /* a line */
    uint32_t *last; /* its latest access, or NONE */
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
    return s * (sizeof(uint64_t) + sizeof(uint32_t)) + (n + 1) * CACHE_LEVELS * sizeof(float) + 64;
}

static void lay_out(struct scratch *s, size_t n, void *memory)
{
    s->slots = slots_for(n);
    s->tree = memory;
    s->key = (uint64_t *)(s->tree + n + 1);
    s->last = (uint32_t *)(s->key + s->slots);
    memset(s->last, 0xff, s->slots * sizeof *s->last);
    memset(s->tree, 0, (n + 1) * sizeof *s->tree);
}

static uint32_t find(struct scratch *s, uint64_t line)
{
    uint32_t i = (uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & (s->slots - 1);
    while (s->last[i] != NONE && s->key[i] != line)
        i = (i + 1) & (s->slots - 1);
    return i;
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
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = find(&s, a[i].line), last = s.last[at];
        a[i].distance = CACHE_COLD;
        if (last != NONE) {
            const unsigned level = carrier(a[last].when, a[i].when);
            a[i].distance = (double)a[i].weight[level] - 1 + sum_between(s.tree, last + 1, i, level);
            a[i].previous = last;
            add(s.tree, n, last, a[last].weight, -1);
        }
        s.key[at] = a[i].line;
        s.last[at] = i;
        add(s.tree, n, i, a[i].weight, 1);
    }
}
