/* test_idle.c - how much time the cores have to spare (shim/guest/idle.c). */
#include "run_suite.h"
#include "shim/guest/clock.h"
#include "shim/guest/idle.h"
#include "shim/guest/util.h"

static const struct idle_look begin = {.wall_ns = 5000, .own_ns = 700, .system_ns = 90000};

static int64_t after(int64_t wall_ns, int64_t own_ns, int64_t system_ns, unsigned cores)
{
    const struct idle_look end = {begin.wall_ns + wall_ns, begin.own_ns + own_ns,
                                  begin.system_ns + system_ns};

    return idle_between(&begin, &end, cores);
}

TEST(what_nobody_used_is_spare)
{
    ck_assert_int_eq(after(100, 100, 100, 2), 100);
    ck_assert_int_eq(after(100, 20, 1000, 4), 380); /* of a system with more cores */
}

TEST(what_others_used_is_not)
{
    ck_assert_int_eq(after(100, 20, 30, 2), 30);
    ck_assert_int_eq(after(100, 20, 0, 2), 0);
}

TEST(there_is_no_less_than_none)
{
    ck_assert_int_eq(after(100, 300, 500, 2), 0); /* the process may use more cores than are counted */
}

/* A thread that never waits leaves nothing of one core. */
TEST(the_clocks_are_the_right_ones)
{
    const int64_t start = clock_now(), spent = clock_spent();

    ck_assert_int_eq(idle_ns(1), 0);
    while (clock_now() - start < 100000000)
        continue;
    ck_assert_int_le(idle_ns(1), clock_now() - start - (clock_spent() - spent) + 5000000);
    clock_sleep(300000000);
    ck_assert_int_le(idle_ns(1), clock_now() - start - (clock_spent() - spent) + 5000000);
    ck_assert_int_ge(clock_spent() - spent, 1000000);
}

TEST(nothing_is_known_where_nothing_may_be_asked)
{
    util_expect_filter();
    ck_assert_int_eq(idle_ns(2), 0);
    clock_sleep(50000000);
    ck_assert_int_eq(idle_ns(2), 0);
}

int main(void)
{
    return run_tests("idle", NULL, NULL);
}
