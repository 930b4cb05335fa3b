/* test_shortlist.c - the short list holds different shapes, the own size first. */
#include "run_suite.h"

#include <stdlib.h>
#include "select/select.h"

static struct candidate size(size_t x, size_t y, double ns, bool own)
{
    return (struct candidate){.local = {x, y, 1}, .own = own, .state = SEL_KEPT, .time_ns = ns};
}

TEST(neighbours_wait)
{
    struct candidate c[] = {size(128, 1, 1.0, false), size(128, 2, 1.1, false), size(64, 1, 1.2, false),
                            size(32, 8, 1.3, false), size(1, 32, 5, true)};
    struct candidate list[3];

    ck_assert_uint_eq(sel_shortlist(c, 5, 3, list), 3);
    ck_assert(list[0].own);
    ck_assert_uint_eq(list[1].local[0], 128);
    ck_assert_uint_eq(list[1].local[1], 1);
    ck_assert_uint_eq(list[2].local[0], 32);
}

TEST(neighbours_fill_up_in_order)
{
    struct candidate c[] = {size(128, 1, 1.0, false), size(128, 2, 1.1, false), size(32, 8, 1.3, false),
                            size(1, 32, 5, true)};
    struct candidate list[8];

    ck_assert_uint_eq(sel_shortlist(c, 4, 8, list), 4);
    for (unsigned i = 2; i < 4; i++)
        ck_assert(list[i - 1].time_ns <= list[i].time_ns);
}

TEST(twins_only_on_a_long_list)
{
    struct candidate c[] = {size(3680, 1, 1.0, false), size(2464, 1, 1.1, false), size(0, 0, 5, true)};
    struct candidate list[64];

    ck_assert_uint_eq(sel_shortlist(c, 3, 8, list), 2);
    ck_assert_uint_eq(sel_shortlist(c, 3, 64, list), 3);
}

TEST(pruned_ones_stay_out)
{
    struct candidate c[] = {size(64, 1, 1, true), size(128, 1, 2, false), size(256, 1, 3, false)};
    struct candidate list[4];

    c[1].state = SEL_DUPLICATE;
    c[2].state = SEL_INFERIOR;
    ck_assert_uint_eq(sel_shortlist(c, 3, 4, list), 1);
    c[0].own = false;
    ck_assert_uint_eq(sel_shortlist(c, 3, 4, list), 0);
}

TEST(nothing_like_the_own)
{
    struct candidate c[] = {size(136, 1, 1.0, false), size(68, 1, 1.1, false), size(160, 1, 1.15, false),
                            size(128, 1, 1.2, true)};
    struct candidate list[64];

    ck_assert_uint_eq(sel_shortlist(c, 4, 8, list), 2);
    ck_assert_uint_eq(list[1].local[0], 68);
    ck_assert_uint_eq(sel_shortlist(c, 4, 64, list), 4);
    c[3].time_ns = 1.3; /* the first promises much */
    ck_assert_uint_eq(sel_shortlist(c, 4, 8, list), 3);
    ck_assert_uint_eq(list[1].local[0], 136);
    c[3].local[0] = 0; /* the driver's choice */
    ck_assert_uint_eq(sel_shortlist(c, 4, 8, list), 3);
}

/* What another run has measured or had compiled goes on, though the prediction now prefers its neighbours. */
TEST(known_ones_first)
{
    struct candidate c[] = {size(8, 256, 1.0, false), size(4, 256, 1.1, false), size(1, 1024, 1.2, false),
                            size(64, 1, 1.3, false),  size(2, 512, 1.4, false), size(1, 32, 5, true)};
    struct candidate list[4];

    c[1].known = c[4].known = true;
    ck_assert_uint_eq(sel_shortlist(c, 6, 4, list), 4);
    ck_assert(list[0].own);
    ck_assert(list[1].local[0] == 4 && list[1].local[1] == 256);
    ck_assert(list[2].local[1] == 1024 && list[3].known);
    c[1].known = false; /* none that does as well as the first is known */
    ck_assert_uint_eq(sel_shortlist(c, 6, 3, list), 3);
    ck_assert(list[1].local[0] == 8 && list[2].known);
    c[4].state = SEL_INFERIOR;
    ck_assert_uint_eq(sel_shortlist(c, 6, 3, list), 3);
    ck_assert(!list[1].known && !list[2].known);
}

int main(void)
{
    return run_tests("shortlist", NULL, NULL);
}
