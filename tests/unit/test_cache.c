/* Reuse distances against a naive LRU set-associative cache: hit for hit the same. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "select/cache.h"

#define REFS 600

static uint64_t state;
static unsigned rnd(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

static const float ones[CACHE_LEVELS] = {1, 1, 1, 1, 1, 1, 1, 1};

struct lru {
    unsigned sets, ways;
    uint64_t line[64][64]; /* most recent first */
    unsigned used[64];
};

static bool touch(struct lru *c, uint64_t line)
{
    unsigned s = (unsigned)(line % c->sets), at = 0;
    while (at < c->used[s] && c->line[s][at] != line)
        at++;
    bool hit = at < c->used[s];
    if (!hit) {
        if (c->used[s] < c->ways)
            c->used[s]++;
        at = c->used[s] - 1;
    }
    memmove(&c->line[s][1], &c->line[s][0], at * sizeof c->line[s][0]);
    c->line[s][0] = line;
    return hit;
}

static void compare(unsigned sets, unsigned ways, unsigned lines, unsigned pattern)
{
    static struct lru c;
    static struct cache_access a[REFS];
    void *scratch = malloc(cache_scratch(REFS));
    ck_assert_ptr_nonnull(scratch);
    memset(&c, 0, sizeof c);
    c.sets = sets;
    c.ways = ways;
    for (unsigned i = 0; i < REFS; i++) {
        uint64_t line = pattern == 0 ? rnd(lines) : pattern == 1 ? i % lines : (i * 7 + rnd(3)) % lines;
        a[i] = (struct cache_access){.line = line, .set = (uint32_t)(line % sets), .when = i, .weight = ones};
    }
    cache_distances(a, REFS, scratch);
    for (unsigned i = 0; i < REFS; i++) {
        bool hit = touch(&c, a[i].line);
        ck_assert_msg(hit == (a[i].distance < ways), "ref %u: %d, distance %g of %u ways", i, hit,
                      a[i].distance, ways);
        if (a[i].distance < CACHE_COLD)
            ck_assert_uint_eq(a[a[i].previous].line, a[i].line);
    }
    free(scratch);
}

START_TEST(same_as_lru)
{
    static const unsigned sets[] = {1, 2, 8, 64, 7}, ways[] = {1, 2, 4, 12, 64};
    state = (uint64_t)_i;
    for (unsigned i = 0; i < 5; i++)
        for (unsigned j = 0; j < 5; j++)
            compare(sets[i], ways[j], 1 + rnd(300), rnd(3));
}
END_TEST

/* A line that stands for ten in the window of the outer level counts ten there and one further in. */
START_TEST(weights_by_level)
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
END_TEST

int main(void)
{
    Suite *s = suite_create("cache");
    TCase *t = tcase_create("cache");
    tcase_add_loop_test(t, same_as_lru, 0, 20);
    tcase_add_test(t, weights_by_level);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
