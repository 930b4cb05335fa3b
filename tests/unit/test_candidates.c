/* sel_candidates: legality, completeness, spread, limits. */
#include "run_suite.h"

#include "select/select.h"

#include <errno.h>
#include <stdlib.h>

enum { ROOM = 1 << 16 };

static struct candidate c[ROOM];
static const struct kernel_summary plain = {.name = (char *)"k"};

static struct launch launch(size_t x, size_t y, size_t z)
{
    unsigned dim = z > 1 ? 3 : y > 1 ? 2 : 1;
    return (struct launch){.dim = dim, .global = {x, y, z}};
}

/* What holds for every answer. */
static void check_all(const struct kernel_summary *k, const struct launch *l, const struct sel_options *o,
                      int n)
{
    (void)k;
    ck_assert_int_ge(n, 1);
    ck_assert(c[0].own);
    for (int i = 1; i < n; i++) {
        size_t items = 1;
        bool divides = true;
        ck_assert(!c[i].own);
        ck_assert_int_eq(c[i].state, SEL_KEPT);
        for (unsigned d = 0; d < 3; d++) {
            ck_assert_uint_ge(c[i].local[d], 1);
            ck_assert_uint_le(c[i].local[d], l->global[d]);
            ck_assert(o->max_dim[d] == 0 || c[i].local[d] <= o->max_dim[d]);
            bool whole = l->global[d] % c[i].local[d] == 0;
            ck_assert(whole || o->tails[d] || o->all_sizes);
            divides = divides && whole;
            items *= c[i].local[d];
        }
        ck_assert_uint_le(items, o->max_items);
        ck_assert_int_eq(divides, c[i].divides);
        for (int j = 0; n < 2000 && j < i; j++)
            ck_assert(c[i].local[0] != c[j].local[0] || c[i].local[1] != c[j].local[1] ||
                      c[i].local[2] != c[j].local[2]);
    }
}

static int run_in(unsigned room, const struct launch *l, const struct sel_options *o)
{
    int n = sel_candidates(&plain, l, o, c, room);
    check_all(&plain, l, o, n);
    return n;
}

static int run(const struct launch *l, const struct sel_options *o)
{
    return run_in(ROOM, l, o);
}

static bool has(int n, size_t x, size_t y)
{
    for (int i = 0; i < n; i++)
        if (c[i].local[0] == x && c[i].local[1] == y)
            return true;
    return false;
}

TEST(divisors)
{
    struct sel_options o = {.max_items = 1024};
    struct launch l = launch(1000, 1, 1);
    int n = run(&l, &o);
    ck_assert_int_eq(n, 1 + 16); /* 1000 has 16 divisors; out[0] is the driver's choice */
    ck_assert_uint_eq(c[0].local[0], 0);
    ck_assert(has(n, 125, 1));
    l = launch(1 << 20, 1, 1);
    ck_assert_int_eq(run(&l, &o), 12);
    l.local[0] = 64;
    l.local[1] = l.local[2] = 1;
    ck_assert_int_eq(run(&l, &o), 11);
    ck_assert_uint_eq(c[0].local[0], 64);
    ck_assert(c[0].divides);
}

TEST(primes_need_tails)
{
    struct sel_options o = {.max_items = 1024};
    struct launch l = launch(1000003, 1, 1);
    ck_assert_int_eq(run(&l, &o), 2);
    o.tails[0] = true;
    int n = run(&l, &o);
    ck_assert_int_eq(n, 1 + 5 + 32);
    ck_assert(has(n, 256, 1) && has(n, 96, 1) && !has(n, 100, 1));
    l = launch(1009, 1013, 1);
    o.tails[1] = true;
    n = run(&l, &o);
    ck_assert(has(n, 32, 8) && has(n, 16, 16) && has(n, 1, 512));
}

TEST(all_sizes)
{
    struct sel_options o = {.max_items = 1024, .all_sizes = true};
    struct launch l = launch(1 << 20, 1, 1);
    ck_assert_int_eq(run(&l, &o), 1 + 1024);
    l = launch(4096, 4096, 1);
    int expected = 1;
    for (int x = 1; x <= 1024; x++)
        expected += 1024 / x;
    ck_assert_int_eq(run(&l, &o), expected);
    l = launch(64, 64, 1);
    run(&l, &o);
}

TEST(limits)
{
    struct sel_options o = {.max_items = 256, .max_dim = {64, 16, 4}};
    struct launch l = launch(512, 512, 512);
    int n = run(&l, &o);
    ck_assert_int_gt(n, 20);
    l.local[0] = 7; /* does not divide: said, not hidden */
    l.local[1] = l.local[2] = 1;
    run(&l, &o);
    ck_assert(!c[0].divides);
    ck_assert_int_eq(sel_candidates(&plain, &l, &o, c, 0), -ENOSPC);
    ck_assert_int_eq(sel_candidates(&plain, &l, &o, c, 1), 1);
    l = launch(1, 1, 1);
    ck_assert_int_eq(run(&l, &o), 2);
    l = launch((size_t)1 << 40, 1, 1);
    o = (struct sel_options){.max_items = 0xffffffffu, .all_sizes = true};
    ck_assert_int_eq(run(&l, &o), 1 + 8192);
}

/* Sizes with the same code as 32x8: of any height where it is known that the vectors lie along x. */
TEST(classes_of_sizes)
{
    struct sel_options o = {.max_items = 1024, .classes = {16, 16, SEL_ANY_DIMENSION}, .usual = {32, 8, 1}};
    struct launch l = launch(512, 512, 1);
    int n = run(&l, &o);
    ck_assert(has(n, 64, 4) && has(n, 16, 1) && !has(n, 64, 16) && !has(n, 8, 8));
    o.classes.along = 0;
    n = run(&l, &o);
    ck_assert(has(n, 64, 4) && has(n, 16, 1) && has(n, 64, 16) && !has(n, 8, 8));
    o.classes.along = 1;
    n = run(&l, &o);
    ck_assert(has(n, 64, 4) && has(n, 16, 1) && !has(n, 64, 16) && has(n, 8, 8));
}

/* Of two kinds of groups that are compiled in different ways, those of the program's own size. */
TEST(small_groups)
{
    struct sel_options o = {.max_items = 1024, .classes = {.few = 2}, .usual = {2, 1, 1}};
    struct launch l = launch(512, 512, 1);
    int n = run(&l, &o);
    ck_assert(has(n, 1, 2) && has(n, 2, 1) && has(n, 1, 1) && !has(n, 2, 2) && !has(n, 4, 1));
    o.usual[0] = 4;
    n = run(&l, &o);
    ck_assert(has(n, 2, 2) && has(n, 1, 4) && !has(n, 1, 2) && !has(n, 2, 1) && !has(n, 1, 1));
    o.usual[0] = 0;
    ck_assert_int_eq(run(&l, &o), 1);
}

TEST(few_groups)
{
    struct sel_options o = {.max_items = 1024, .max_groups = {0, 65535, 65535}};
    struct launch l = launch(16, 131072, 1);
    int n = run(&l, &o);
    ck_assert(!has(n, 16, 1) && !has(n, 1, 2) && has(n, 16, 4) && has(n, 1, 4));
    o.max_groups[1] = 65536;
    n = run(&l, &o);
    ck_assert(!has(n, 16, 1) && has(n, 16, 2));
    l = launch(65535, 65535, 1);
    o.max_groups[1] = 65535;
    n = run(&l, &o);
    ck_assert(has(n, 1, 1));
    o.max_groups[1] = 1;
    ck_assert_int_eq(run(&l, &o), 1);
}

TEST(required_size)
{
    struct kernel_summary k = {.reqd = {16, 16, 1}};
    struct sel_options o = {.max_items = 1024};
    struct launch l = launch(256, 256, 1);
    ck_assert_int_eq(sel_candidates(&k, &l, &o, c, ROOM), 2);
    ck_assert_uint_eq(c[1].local[0], 16);
    ck_assert(c[1].divides && !c[1].own);
    l.local[0] = l.local[1] = 16;
    l.local[2] = 1;
    ck_assert_int_eq(sel_candidates(&k, &l, &o, c, ROOM), 1);
    l = launch(250, 256, 1);
    ck_assert_int_eq(sel_candidates(&k, &l, &o, c, ROOM), 1);
    k.reqd[0] = 4096;
    l = launch(8192, 256, 1);
    ck_assert_int_eq(sel_candidates(&k, &l, &o, c, ROOM), 1);
}

/* A list with little room keeps the usual shapes and is spread over sizes and aspects. */
TEST(spread)
{
    struct sel_options o = {.max_items = 1024, .tails = {true, true, true}};
    struct launch l = launch(1920, 1080, 1);
    l.local[0] = 30;
    l.local[1] = 2;
    l.local[2] = 1;
    int n = run_in(48, &l, &o);
    ck_assert_int_eq(n, 48);
    ck_assert_uint_eq(c[0].local[0], 30);
    ck_assert(has(n, 16, 16) && has(n, 32, 8) && has(n, 256, 1) && has(n, 32, 32) && has(n, 8, 8) &&
              has(n, 64, 1));
    unsigned sizes[11] = {0}, tall = 0;
    for (int i = 0; i < n; i++) {
        size_t items = c[i].local[0] * c[i].local[1];
        sizes[31 - __builtin_clz((unsigned)items)]++;
        tall += c[i].local[0] < c[i].local[1];
    }
    for (unsigned s = 5; s <= 10; s++)
        ck_assert_uint_ge(sizes[s], 3);
    ck_assert_uint_ge(tall, 2);
    l = launch(1 << 20, 1, 1);
    n = run_in(12, &l, &o);
    ck_assert_int_eq(n, 12);
    ck_assert(has(n, 1024, 1) && has(n, 256, 1) && has(n, 64, 1) && has(n, 32, 1));
    struct kernel_summary k = {.hint = {3, 1, 1}};
    l = launch(3 << 18, 1, 1);
    n = sel_candidates(&k, &l, &o, c, 4);
    ck_assert_int_eq(n, 4);
    ck_assert(has(n, 3, 1));
}

TEST(any_launch)
{
    srand(1);
    for (int i = 0; i < 150; i++) {
        struct launch l = launch(1 + (size_t)rand() % 700, 1 + (size_t)rand() % 90, 1 + (size_t)rand() % 20);
        struct sel_options o = {.max_items = 1u << rand() % 11};
        const unsigned room = 1 + (unsigned)rand() % 100;
        for (unsigned d = 0; d < 3; d++) {
            o.tails[d] = rand() % 2;
            o.max_dim[d] = (size_t)rand() % 3 * 32;
        }
        o.all_sizes = rand() % 4 == 0;
        int n = run_in(room, &l, &o);
        ck_assert_int_le(n, (int)room);
        if (!o.all_sizes) { /* the room is used up when there are more */
            int all = run(&l, &o);
            ck_assert_int_eq(n, all < (int)room ? all : (int)room);
        }
    }
}

int main(void)
{
    return run_tests("candidates", NULL, NULL);
}
