/* Decisions that no longer stand. */
#include "run_suite.h"

#include "profiler/profiler.h"

/* The number of the sample that re-opens, 0 if none does; values are repeated `times` times each. */
static unsigned reopens(const double *values, unsigned n, unsigned times)
{
    struct prof_drift d = {0};

    for (unsigned i = 0; i < n * times; i++)
        if (prof_drift_add(&d, values[i / times]))
            return i + 1;
    return 0;
}

TEST(small_moves_are_borne)
{
    const double values[] = {10, 19, 6, 11, 15};

    ck_assert_uint_eq(reopens(values, 5, 20), 0);
}

TEST(slower_for_good)
{
    const double slower[] = {10, 21};

    ck_assert_uint_eq(reopens(slower, 2, 10), 14);
}

/* As in an elimination, of which each step has less to do. */
TEST(less_to_do_decides_nothing)
{
    const double less[] = {10, 4, 1, 0.1}, as_before[] = {10, 1, 19}, more[] = {10, 1, 21};

    ck_assert_uint_eq(reopens(less, 4, 10), 0);
    ck_assert_uint_eq(reopens(as_before, 3, 10), 0);
    ck_assert_uint_eq(reopens(more, 3, 10), 24);
}

TEST(disturbances_and_changing_work_are_no_drift)
{
    const double spikes[] = {10, 10, 100, 100, 10, 10, 90, 90, 10, 10},
                 both[] = {10, 10, 50, 2, 50, 2, 50, 2};

    ck_assert_uint_eq(reopens(spikes, 10, 1), 0);
    ck_assert_uint_eq(reopens(both, 8, 2), 0);
}

TEST(a_disturbed_start_is_no_reference)
{
    const double values[] = {50, 10, 10, 10, 11, 12, 13, 14, 15};

    ck_assert_uint_eq(reopens(values, 9, 1), 0);
}

TEST(meaningless_times_are_ignored)
{
    const double values[] = {0, 10, -1, 0};

    ck_assert_uint_eq(reopens(values, 4, 10), 0);
}

int main(void)
{
    return run_tests("drift", NULL, NULL);
}
