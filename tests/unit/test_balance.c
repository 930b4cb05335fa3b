/* How evenly groups keep cores busy, against schedules worked by hand. */
#include "run_suite.h"

#include <stdlib.h>
#include "select/time/balance.h"

static const double even[] = {1, 1}, falling[] = {2, 0}, rising[] = {0, 1, 2};

TEST(equal_groups)
{
    for (unsigned units = 1; units <= 64; units *= 4)
        for (double groups = 1; groups < 3000; groups = groups * 3 + 1) {
            const double share = groups / units;
            const double busiest = balance_groups(groups, units, even, 2);
            ck_assert_double_ge(busiest, share * (1 - 1e-9));
            ck_assert_double_le(busiest, share + 1 + groups * 1e-9);
        }
    ck_assert_double_eq_tol(balance_groups(7, 2, even, 2), 4, 1e-9); /* 4, then 2 and 1 */
}

/* Two cores, work falling to nothing: the first run of 64 groups, or of half of them, holds so much. */
TEST(first_run_holds_most)
{
    ck_assert_double_eq_tol(balance_groups(128, 2, falling, 2), 0.75 * 128, 1e-6);
    ck_assert_double_eq_tol(balance_groups(24, 2, falling, 2), 0.75 * 24, 1e-6);
    ck_assert_double_eq_tol(balance_groups(192, 2, falling, 2), 5.0 / 9 * 192,
                            1e-6); /* thirds: 5, 3 and 1 ninths */
    ck_assert_double_lt(balance_groups(256, 2, falling, 2), 0.52 * 256);
    ck_assert_double_eq_tol(balance_groups(1536, 2, falling, 2), 5.0 / 9 * 1536,
                            1e-6); /* runs of 512 again */
}

/* The last group alone, when there are two: it has three quarters of the work. */
TEST(last_run_holds_most)
{
    ck_assert_double_eq_tol(balance_groups(2, 2, rising, 3), 0.75 * 2, 1e-6);
    ck_assert_double_eq_tol(balance_groups(2, 1, rising, 3), 2, 1e-6);
    ck_assert_double_eq_tol(balance_groups(1, 8, rising, 3), 1, 1e-6);
}

TEST(nothing_to_do)
{
    static const double nothing[] = {0, 0};
    ck_assert_double_eq_tol(balance_groups(100, 2, nothing, 2), 100, 1e-9);
    ck_assert_double_eq_tol(balance_groups(10, 0, even, 2), 10, 1e-9);
}

int main(void)
{
    return run_tests("balance", NULL, NULL);
}
