/* What is learned from other programs' sizes: components, neighbours. */
#include <math.h>
#include <stdlib.h>
#include "run_suite.h"
#include "select/predict/learned.h"

START_TEST(eigenvalues)
{
    double a[FEATURES][FEATURES] = {{2, 1, 0}, {1, 2, 0}, {0, 0, 5}}, v[FEATURES][FEATURES];
    learned_eigen(3, a, v);
    double low = a[0][0] < a[1][1] ? a[0][0] : a[1][1], high = a[0][0] + a[1][1] - low;
    ck_assert_double_eq_tol(low, 1, 1e-12);
    ck_assert_double_eq_tol(high, 3, 1e-12);
    ck_assert_double_eq_tol(a[2][2], 5, 1e-12);
    unsigned of_high = a[0][0] > a[1][1] ? 0 : 1;
    ck_assert_double_eq_tol(v[0][of_high], v[1][of_high], 1e-12); /* (1, 1) / sqrt(2) */
    ck_assert_double_eq_tol(fabs(v[0][of_high]), sqrt(0.5), 1e-12);
}
END_TEST

#define KINDS 6
#define EACH  5

/* KINDS sizes, EACH measured as often as there are neighbours; features 3 and 4 are the same but for scale.
 */
static void fill(struct point p[KINDS * EACH])
{
    for (unsigned i = 0; i < KINDS * EACH; i++) {
        const unsigned kind = i / EACH;
        p[i] = (struct point){.y = 1.0 / (kind + 1), .program = kind};
        p[i].x[3] = kind;
        p[i].x[4] = 100 - 7.0 * kind;
    }
}

START_TEST(one_component)
{
    struct point p[KINDS * EACH];
    struct learned l;
    fill(p);
    ck_assert_int_eq(learned_make(&l, p, KINDS * EACH, KINDS), 0);
    ck_assert_uint_eq(l.components, 1);
    ck_assert_double_eq_tol(l.axis[0][3], -l.axis[0][4], 1e-9);
    ck_assert_double_eq(l.scale[0], 0); /* never varies */
    for (unsigned i = 0; i < KINDS * EACH; i++)
        ck_assert_double_eq_tol(learned_guess(&l, p[i].x), p[i].y, 1e-12);
    learned_free(&l);
}
END_TEST

START_TEST(a_program_is_left_out)
{
    struct point p[KINDS * EACH];
    struct learned l;
    fill(p);
    ck_assert_int_eq(learned_make(&l, p, KINDS * EACH, 0), 0);
    ck_assert_double_eq_tol(learned_guess(&l, p[0].x), 0.5, 1e-12); /* the next ones */
    learned_free(&l);
    ck_assert_int_eq(learned_make(&l, p, EACH, 0), 0);
    ck_assert_double_eq(learned_guess(&l, p[0].x), 0);
    learned_free(&l);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("learned");
    TCase *t = tcase_create("learned");
    tcase_add_test(t, eigenvalues);
    tcase_add_test(t, one_component);
    tcase_add_test(t, a_program_is_left_out);
    suite_add_tcase(s, t);
    return run_suite(s);
}
