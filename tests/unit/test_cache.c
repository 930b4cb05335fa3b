/* Reuse distances against a naive LRU cache: hit for hit the same, on random references and on those of
 * traced warps. */
#include <stdlib.h>
#include <string.h>
#include "model_kernels.h"
#include "run_suite.h"
#include "select/time/cache.h"
#include "select/trace/trace.h"

#define REFS 600

static uint64_t state;
static unsigned rnd(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

static const float ones[CACHE_LEVELS] = {1, 1, 1, 1, 1, 1, 1, 1};

struct lru {
    unsigned size, used;
    uint64_t line[64]; /* most recent first */
};

static bool touch(struct lru *c, uint64_t line)
{
    unsigned at = 0;
    while (at < c->used && c->line[at] != line)
        at++;
    bool hit = at < c->used;
    if (!hit) {
        if (c->used < c->size)
            c->used++;
        at = c->used - 1;
    }
    memmove(&c->line[1], &c->line[0], at * sizeof c->line[0]);
    c->line[0] = line;
    return hit;
}

/* Every reference is a hit where the naive cache says so, and nowhere else. */
static void check_hits(unsigned size, const uint64_t *line, size_t n)
{
    struct lru c = {.size = size};
    struct cache_access *a = calloc(n, sizeof *a);
    void *scratch = malloc(cache_scratch(n));
    ck_assert(a && scratch);
    for (size_t i = 0; i < n; i++)
        a[i] = (struct cache_access){.line = line[i], .when = i, .weight = ones};
    cache_distances(a, n, scratch);
    for (size_t i = 0; i < n; i++) {
        bool hit = touch(&c, a[i].line);
        ck_assert_msg(hit == (a[i].distance < size), "ref %zu: %d, distance %g of %u lines", i, hit,
                      a[i].distance, size);
        if (a[i].distance < CACHE_COLD)
            ck_assert_uint_eq(a[a[i].previous].line, a[i].line);
    }
    free(a);
    free(scratch);
}

static void compare(unsigned size, unsigned lines, unsigned pattern)
{
    static uint64_t line[REFS];
    for (unsigned i = 0; i < REFS; i++)
        line[i] = pattern == 0 ? rnd(lines) : pattern == 1 ? i % lines : (i * 7 + rnd(3)) % lines;
    check_hits(size, line, REFS);
}

LOOPED_TEST(same_as_lru, 20)
{
    static const unsigned size[] = {1, 2, 4, 12, 64};
    state = (uint64_t)_i;
    for (unsigned i = 0; i < 25; i++)
        compare(size[i % 5], 1 + rnd(300), rnd(3));
}

/* A line that stands for ten in the window of the outer level counts ten there and one further in. */
TEST(weights_by_level)
{
    static const float w[CACHE_LEVELS] = {10, 1, 1, 1, 1, 1, 1, 1};
    const uint64_t outer = UINT64_C(1) << 56, inner = UINT64_C(1) << 48;
    struct cache_access a[] = {{.line = 1, .weight = ones},
                               {.line = 2, .when = inner, .weight = w},
                               {.line = 1, .when = 2 * inner, .weight = ones},
                               {.line = 2, .when = 3 * inner, .weight = w},
                               {.line = 1, .when = outer, .weight = ones}};
    void *scratch = malloc(cache_scratch(5));
    ck_assert_ptr_nonnull(scratch);
    cache_distances(a, 5, scratch);
    ck_assert_double_eq(a[0].distance, CACHE_COLD);
    ck_assert_double_eq(a[2].distance, 1);
    ck_assert_double_eq(a[4].distance, 10);
    free(scratch);
}

/* ---- what warps of real kernels touch -------------------------------------------------------------- */

#define MOST 4000

static struct kb kb;
static struct launch_arg args[8];
static struct launch launch;
static struct trace_entry entries[TRACE_ENTRIES];
static struct trace_loop loops[TRACE_LOOPS];
static uint64_t touched[MOST];
static size_t ntouched;

/* The lines of entries [begin, end) in program order, loops walked. */
static void walk(const struct trace *t, uint32_t begin, uint32_t end, uint32_t nloop, const uint64_t *at,
                 unsigned depth)
{
    for (uint32_t e = begin; e < end;) {
        uint32_t l = trace_loop_at(t, e, end, nloop);
        if (l < nloop) {
            uint64_t inner[TRACE_DEPTH + 1] = {0};
            memcpy(inner + 1, at, depth * sizeof *at);
            for (inner[0] = 0; (double)inner[0] < t->loop[l].trip; inner[0]++)
                walk(t, e, t->loop[l].end, l, inner, depth + 1);
            e = t->loop[l].end;
            continue;
        }
        const struct trace_entry *x = &t->entry[e++];
        uint64_t first = x->addr;
        for (unsigned i = 0; i < x->depth && i < depth && i < TRACE_DEPTH; i++)
            first += (uint64_t)x->stride[i] * at[i];
        for (unsigned i = 0; x->mem == TRACE_GLOBAL && i < x->lines && ntouched < MOST; i++)
            touched[ntouched++] = (first + (uint64_t)(x->step * (int64_t)i)) / 64;
    }
}

/* The traces of `warps` neighbouring warps, one access each in turn, as resident warps take turns. */
static size_t interleave(struct trace_prog *p, unsigned warps, uint64_t *line)
{
    size_t n = 0, each = 0;
    static uint64_t own[8][MOST / 8];
    for (unsigned w = 0; w < warps; w++) {
        struct trace t = {.entry = entries, .loop = loops};
        struct trace_place at = {{32, 1, 1}, {w, 0, 0}, 0, 32};
        uint64_t none[TRACE_DEPTH + 1] = {0};
        ck_assert_int_eq(trace_run(p, &at, &t), 0);
        ntouched = 0;
        walk(&t, 0, t.nentry, t.nloop, none, 0);
        each = ntouched < MOST / 8 ? ntouched : MOST / 8;
        memcpy(own[w], touched, each * sizeof *touched);
    }
    for (size_t i = 0; i < each; i++)
        for (unsigned w = 0; w < warps; w++)
            line[n++] = own[w][i];
    return n;
}

LOOPED_TEST(same_as_lru_on_traces, 7)
{
    static const unsigned size[] = {2, 4, 8, 48};
    static uint64_t line[MOST];
    struct arena arena = {0};
    struct trace_prog p;
    struct device d = {.warp = 32, .line_bytes = 64, .local_banks = 32, .local_bank_bytes = 4};
    if (_i < 4)
        kb_copy(&kb, _i & 1, _i >> 1);
    else if (_i == 4)
        kb_saxpy(&kb);
    else
        kb_matvec(&kb, _i == 6);
    launch_fill(&launch, args, &kb, 256, _i < 4 ? 256 : 1, 1 << 20, _i == 4 ? 256 : 60);
    ck_assert_int_eq(trace_prepare(&p, &kb.k, &launch, &d, &arena), 0);
    size_t n = interleave(&p, 8, line);
    ck_assert_uint_ge(n, 16);
    for (unsigned i = 0; i < 4; i++)
        check_hits(size[i], line, n);
    trace_done(&p);
    arena_free(&arena);
}

int main(void)
{
    return run_tests("cache", NULL, NULL);
}
