/* What the calibrator reads from curves of latency over footprint: levels, capacities, steps. */
#include "run_suite.h"

#include "devices/calibrate/calibrate.h"

#include <stdlib.h>

static double plateau[CURVE_LEVELS];
static unsigned last[CURVE_LEVELS];

static void level(unsigned i, double latency, unsigned end)
{
    ck_assert_double_eq_tol(plateau[i], latency, 0.15 * latency);
    ck_assert_uint_eq(last[i], end);
}

/* As measured on a server core with 32 KiB, 1 MiB and what others left of 32 MiB: physical addresses blur the
 * second level's end, page walks raise the last plateau. */
START_TEST(server)
{
    static const double ns[] = {
        1.40, 1.35, 1.41, 1.43, 1.36, 1.36, 1.36, 1.36, 1.46, 4.07, 4.07, 4.08, 4.08, 4.08, 4.08, 4.94,
        5.33, 7.16, 9.58, 12.5, 13.7, 14.9, 15.5, 30.3, 104,  169,  150,  146,  151,  156,  169,
    };
    ck_assert_uint_eq(curve_levels(ns, sizeof ns / sizeof *ns, plateau, last), 4);
    level(0, 1.36, 8);
    level(1, 4.1, 17); /* 768 KiB; at 1 MiB a little more than half of the reads miss */
    level(2, 14.9, 23);
    level(3, 150, 30);
}
END_TEST

START_TEST(two_levels)
{
    static const double ns[] = {100, 101, 99, 100, 102, 300, 310, 305, 300, 320, 350, 380, 400};
    ck_assert_uint_eq(curve_levels(ns, 13, plateau, last), 2);
    level(0, 100, 4);
    level(1, 320, 12);
}
END_TEST

/* Page walks and noise do not make a level. */
START_TEST(flat)
{
    static const double ns[] = {100, 130, 100, 102, 99, 110, 120, 125, 130, 140, 145, 150};
    ck_assert_uint_eq(curve_levels(ns, 12, plateau, last), 1);
    ck_assert_uint_eq(last[0], 11);
    ck_assert_uint_eq(curve_levels(ns, 1, plateau, last), 1);
    ck_assert_uint_eq(curve_levels(ns, 0, plateau, last), 0);
    ck_assert_uint_eq(curve_levels(ns, 1000, plateau, last), 0);
}
END_TEST

/* One run that something interrupted, in the middle of a plateau. */
START_TEST(spike)
{
    static const double ns[] = {1, 1, 1, 1, 9, 1, 1, 1, 4, 4, 4, 4, 4, 4, 20, 20, 20, 20, 20};
    ck_assert_uint_ge(curve_levels(ns, 19, plateau, last), 3);
    level(0, 1, 7);
    level(1, 4, 13);
}
END_TEST

/* Any curve: plateaus rise, ends too, and the last piece ends at the end. */
START_TEST(noise)
{
    srand(5);
    for (unsigned round = 0; round < 2000; round++) {
        double ns[128];
        const unsigned n = 1 + (unsigned)rand() % 128;
        for (unsigned i = 0; i < n; i++)
            ns[i] = 0.5 + rand() % 1000;
        const unsigned levels = curve_levels(ns, n, plateau, last);
        ck_assert_uint_ge(levels, 1);
        ck_assert_uint_le(levels, CURVE_LEVELS);
        ck_assert_uint_eq(last[levels - 1], n - 1);
        for (unsigned i = 1; i < levels; i++) {
            ck_assert_double_gt(plateau[i], plateau[i - 1]);
            ck_assert_uint_ge(last[i], last[i - 1]);
        }
    }
}
END_TEST

START_TEST(steps)
{
    static const double line[] = {10, 11, 10, 19, 20, 20, 20}, none[] = {10, 11, 10, 11, 10};
    ck_assert_uint_eq(curve_step(line, 7), 3);
    ck_assert_uint_eq(curve_step(none, 5), 5);
    ck_assert_uint_eq(curve_step(none, 1), 1);
    ck_assert_uint_eq(curve_step(none, 0), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("curve");
    TCase *t = tcase_create("all");
    tcase_add_test(t, server);
    tcase_add_test(t, two_levels);
    tcase_add_test(t, flat);
    tcase_add_test(t, spike);
    tcase_add_test(t, noise);
    tcase_add_test(t, steps);
    suite_add_tcase(s, t);
    return run_suite(s);
}
