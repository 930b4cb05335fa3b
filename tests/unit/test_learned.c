/* What is learned from sizes that were measured: components, neighbours, judging, order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "run_suite.h"
#include "select/learn/judge.h"

#define F SEL_FEATURES

TEST(eigenvalues)
{
    double a[F][F] = {{2, 1, 0}, {1, 2, 0}, {0, 0, 5}}, v[F][F];

    learned_eigen(3, a, v);
    const unsigned high = a[0][0] > a[1][1] ? 0 : 1;
    ck_assert_double_eq_tol(a[high][high], 3, 1e-9);
    ck_assert_double_eq_tol(a[!high][!high], 1, 1e-9);
    ck_assert_double_eq_tol(a[2][2], 5, 1e-9);
    ck_assert_double_eq_tol(v[0][high], v[1][high], 1e-9); /* (1, 1) / sqrt(2) */
    ck_assert_double_eq_tol(fabs(v[0][high]), 0.70710678118, 1e-9);
    ck_assert_double_eq_tol(v[0][!high], -v[1][!high], 1e-9);
}

TEST(roots_and_powers)
{
    static const double of[] = {0, -1, 1, 2, 1e-12, 4e9, 0.25};

    for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
        const double root = learn_root(of[i]);
        ck_assert_double_eq_tol(root * root, of[i] > 0 ? of[i] : 0, 1e-12 * fabs(of[i]) + 1e-30);
    }
    ck_assert_double_eq_tol(learn_power(0), 1, 1e-12);
    ck_assert_double_eq_tol(learn_power(1000), 2, 1e-12);
    ck_assert_double_eq_tol(learn_power(2585), 6.0007, 1e-3);
    ck_assert_double_eq_tol(learn_power(12500), 4096 * 1.41421356237, 1e-6);
}

#define KINDS 12
#define EACH  LEARN_NEIGHBOURS

/* The sizes of KINDS programs, each measured as often as there are neighbours; features 3 and 4 are the same
 * but for scale. */
static struct learn_points fill(struct learn_point p[KINDS * EACH])
{
    for (unsigned i = 0; i < KINDS * EACH; i++) {
        const unsigned kind = i / EACH;
        p[i] = (struct learn_point){
            .time = 1000 * (kind + 1), .kernel = kind + 1, .program = kind + 1, .race = kind};
        p[i].launch = 100 + kind;
        p[i].x[3] = (uint16_t)(1000 + 1000 * kind);
        p[i].x[4] = (uint16_t)(50000 - 3000 * kind);
    }
    return (struct learn_points){.point = p, .n = KINDS * EACH, .races = KINDS};
}

TEST(one_component)
{
    struct learn_point p[KINDS * EACH];
    const struct learn_points points = fill(p);
    struct learned l;

    ck_assert_int_eq(learned_make(&l, &points), 0);
    ck_assert_uint_eq(l.components, 1);
    ck_assert_double_eq_tol(l.axis[0][3], -l.axis[0][4], 1e-9);
    ck_assert(!(l.scale[0] > 0)); /* never varies */
    learned_free(&l);
}

TEST(a_point_predicts_itself)
{
    struct learn_point p[KINDS * EACH];
    const struct learn_points points = fill(p);
    struct learned l;

    ck_assert_int_eq(learned_make(&l, &points), 0);
    for (unsigned i = 0; i < KINDS * EACH; i++)
        ck_assert_double_eq_tol(learned_guess(&l, p[i].x, 0, NULL), 1000.0 / p[i].time, 1e-12);
    learned_free(&l);
}

TEST(what_is_left_out)
{
    struct learn_point p[KINDS * EACH], other = {.kernel = 1};
    struct learn_points points = fill(p);
    struct learned l;

    ck_assert_int_eq(learned_make(&l, &points), 0);
    const double next = 0.5; /* the next ones' */
    ck_assert_double_eq_tol(learned_guess(&l, p[0].x, p[0].launch, NULL), next, 1e-12);
    ck_assert_double_eq_tol(learned_guess(&l, p[0].x, 0, &other), next, 1e-12);
    other = (struct learn_point){.program = 1};
    ck_assert_double_eq_tol(learned_guess(&l, p[0].x, 0, &other), next, 1e-12);
    learned_free(&l);
    points.n = EACH;
    ck_assert_int_eq(learned_make(&l, &points), 0);
    ck_assert_double_eq(learned_guess(&l, p[0].x, 0, &p[0]), LEARN_LEAST);
    learned_free(&l);
    points.n = 0;
    ck_assert_int_eq(learned_make(&l, &points), 0);
    ck_assert_double_eq(learned_guess(&l, p[0].x, 0, NULL), LEARN_LEAST);
    learned_free(&l);
}

#define SIZES 10

/* Races of ten sizes of different programs: the first feature is how long they take; `right`: so the model
 * says. */
static struct learn_points races(struct learn_point p[], unsigned n, bool right)
{
    for (unsigned i = 0; i < n * SIZES; i++) {
        const unsigned size = i % SIZES, shuffled = right ? size : (size * 7 + 3) % SIZES;
        p[i] = (struct learn_point){.time = 1000 + 200 * size, .race = i / SIZES};
        p[i].kernel = p[i].program = p[i].launch = 1 + i / SIZES;
        p[i].x[0] = (uint16_t)(1000 + 100 * size);
        p[i].x[F - 1] = (uint16_t)(1000 + 100 * shuffled);
    }
    return (struct learn_points){.point = p, .n = n * SIZES, .races = n};
}

static struct learn_sum sum_of(unsigned n, bool right)
{
    struct learn_point *p = calloc(n * SIZES, sizeof *p);
    const struct learn_points points = races(p, n, right);
    struct learned l;
    struct learn_sum s;

    ck_assert_int_eq(learned_make(&l, &points), 0);
    learn_sum_up(&l, &s);
    learned_free(&l);
    free(p);
    return s;
}

TEST(when_it_pays)
{
    struct learn_sum s = sum_of(10, false);

    ck_assert_uint_eq(s.points, 100);
    ck_assert_uint_eq(s.kernels, 10);
    ck_assert_uint_eq(s.judged, 10);
    ck_assert(learn_pays(&s));
    ck_assert(s.both > s.model + 300);
    s = sum_of(9, false); /* too few points */
    ck_assert(s.both > s.model + 300);
    ck_assert(!learn_pays(&s));
    s = sum_of(20, false);
    s.kernels = LEARN_KERNELS - 1;
    ck_assert(!learn_pays(&s));
    s = sum_of(20, true); /* the model is right already */
    ck_assert_int_eq(s.model, 1000);
    ck_assert(!learn_pays(&s));
}

TEST(verdicts)
{
    struct learn_point p[12 * SIZES];
    const struct learn_points points = races(p, 12, false);
    struct learn_verdict v[LEARN_ORDERS];
    struct learned l;

    ck_assert_int_eq(learned_make(&l, &points), 0);
    ck_assert(learn_judge(&l, 0, SIZES, v));
    ck_assert_double_eq_tol(v[LEARN_LEARNED].correlation, 1, 1e-9);
    ck_assert_uint_eq(v[LEARN_LEARNED].runs, 1);
    ck_assert_uint_eq(v[LEARN_LEARNED].winner, 1);
    /* by the model: 1, 4, 7, 0 ... */
    ck_assert_double_eq_tol(v[LEARN_MODEL].first, 1.2, 1e-9);
    ck_assert_double_eq_tol(v[LEARN_MODEL].three, 1.2, 1e-9);
    ck_assert_uint_eq(v[LEARN_MODEL].winner, 4);
    ck_assert_uint_eq(v[LEARN_MODEL].runs, 4);
    p[0].own = true; /* is measured at any rate: the second one is the best, and the model's first */
    ck_assert(learn_judge(&l, 0, SIZES, v));
    ck_assert_double_eq_tol(v[LEARN_MODEL].first, 1, 1e-9);
    ck_assert_uint_eq(v[LEARN_MODEL].winner, 1);
    ck_assert(!learn_judge(&l, 0, 5, v)); /* few sizes */
    p[0].own = false;
    ck_assert(learn_judge(&l, 0, 5, v));
    ck_assert(!learn_judge(&l, 0, 4, v));
    for (unsigned i = 0; i < SIZES; i++)
        p[i].time = 1000 + i;
    ck_assert(!learn_judge(&l, 0, SIZES, v)); /* sizes do not matter */
    learned_free(&l);
}

/* Candidates in the model's order; by what was learned the last one is the best. */
static void candidates(struct candidate c[4], const double time[4])
{
    memset(c, 0, 4 * sizeof *c);
    for (unsigned i = 0; i < 4; i++) {
        c[i].local[0] = i + 1;
        c[i].time_ns = time[i];
        c[i].x[0] = (uint16_t)(1000 + 300 * (3 - i));
        c[i].x[F - 1] = (uint16_t)(1000 * log2(1 + time[i] / time[0]) + 0.5);
    }
}

TEST(order)
{
    static const double close[] = {100, 101, 102, 103}, far[] = {100, 101, 102, 205};
    struct learn_point p[12 * SIZES];
    const struct learn_points points = races(p, 12, false);
    struct candidate c[4];
    struct learned l;

    for (unsigned i = 0; i < points.n; i++)
        p[i].x[F - 1] = 1000; /* the model says nothing */
    ck_assert_int_eq(learned_make(&l, &points), 0);
    candidates(c, close);
    ck_assert(learn_reorder(&l, 0, c, 4));
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(c[i].local[0], 4 - i);
    candidates(c, far); /* the model is sure: its first one stays there */
    for (unsigned i = 0; i < 4; i++)
        c[i].x[F - 1] = 1000;
    ck_assert(learn_reorder(&l, 0, c, 4));
    ck_assert_uint_eq(c[0].local[0], 1);
    ck_assert_uint_eq(c[1].local[0], 4);
    ck_assert_uint_eq(c[2].local[0], 3);
    candidates(c, close); /* nothing is known of one of them */
    c[2].x[0] = 0;
    ck_assert(!learn_reorder(&l, 0, c, 4));
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(c[i].local[0], i + 1);
    ck_assert(learn_reorder(&l, 0, c, 0));
    learned_free(&l);
}

int main(void)
{
    return run_tests("learned", NULL, NULL);
}
