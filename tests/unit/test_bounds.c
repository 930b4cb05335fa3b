/* Bounds: eq. 16 by hand; the simulation by hand, and that it stays between the bounds. */
#include "run_suite.h"
#include <stdlib.h>
#include <string.h>
#include "select/predict/simulate.h"

static uint64_t state;
static unsigned rnd(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

TEST(equation_16)
{
    /* kappa 10, L 100, D 4: shallow pipe of 5 warps, 10 * 100 + 5 * 4 - 4 */
    struct demand d = {10, 1000, 40};
    ck_assert_double_eq_tol(bounds_part(&d, 5) * 1, 1000 + (20 - 4), 1e-9);
    /* deep pipe of 50 warps: 10 * 200 + 100 - 4 */
    ck_assert_double_eq_tol(bounds_part(&d, 50), 2000 + (100 - 4), 1e-9);
    struct demand none = {0, 0, 0};
    ck_assert_double_eq(bounds_part(&none, 50), 0);
    ck_assert_double_eq(bounds_part(&d, 0), 0);
    ck_assert_double_eq_tol(bounds_part(&d, 0.25), 0.25 * bounds_part(&d, 1), 1e-9);
}

TEST(two_parts)
{
    const struct demand part[PARTS] = {[PART_GM] = {10, 1000, 40}, [PART_FPU] = {100, 400, 50}};
    const struct warp_group g = {50, part};
    struct bounds b;
    bounds_round(&g, 1, false, &b);
    ck_assert_double_eq_tol(b.best, 2500, 1e-9);                      /* the FPU is held for 50 * 50 */
    ck_assert_double_eq_tol(b.worst, 1000 + 400 + 2500 + 2000, 1e-9); /* one warp, and all that is held */
    /* eq. 16: FPU 2500 + (4 - 0.5), GM 2096 */
    ck_assert_double_eq_tol(bounds_time(&g, 1), 2503.5 + 2096 / 50.0, 1e-9);
}

TEST(one_warp_is_serial)
{
    const struct demand part[PARTS] = {[PART_GM] = {10, 1000, 40}, [PART_SFU] = {10, 200, 40}};
    const struct warp_group g = {1, part};
    struct bounds b;
    bounds_round(&g, 1, false, &b);
    ck_assert_double_eq_tol(bounds_time(&g, 1), 1200, 1e-9);
    ck_assert_double_eq_tol(b.best, 1200, 1e-9);
}

/* A path through a barrier may take the slow half of either trace. */
TEST(barriers_join_traces)
{
    const struct demand fpu[PARTS] = {[PART_FPU] = {1, 100, 0}}, sfu[PARTS] = {[PART_SFU] = {1, 100, 0}};
    const struct warp_group g[2] = {{1, fpu}, {1, sfu}};
    struct bounds apart, joined;
    bounds_round(g, 2, false, &apart);
    bounds_round(g, 2, true, &joined);
    ck_assert_double_eq_tol(apart.worst, 100, 1e-9);
    ck_assert_double_eq_tol(joined.worst, 200, 1e-9);
    struct sim_op a[] = {{PART_FPU, 100, 0}, {SIM_BARRIER, 0, 0}};
    struct sim_op b[] = {{SIM_BARRIER, 0, 0}, {PART_SFU, 100, 0}};
    struct sim_kind kind[] = {{a, 2, 1}, {b, 2, 1}};
    ck_assert_double_eq_tol(sim_run(&(struct sim_round){kind, 2, 2, false, false}), 200, 1e-9);
    ck_assert_double_eq_tol(sim_run(&(struct sim_round){kind, 2, 1, false, false}), 100, 1e-9);
}

/* ---- the pipeline of [W] 5.2 ----------------------------------------------------------------------- */

#define KINDS   3
#define MAX_OPS 24

static double simulate(const struct sim_op *op, unsigned n, unsigned warps, bool oldest_first)
{
    struct sim_kind kind = {op, n, warps};
    return sim_run(&(struct sim_round){&kind, 1, 64, oldest_first, false});
}

/* [W] fig. 3: kappa loads by d warps.  Round robin meets eq. 14 and 15 exactly. */
TEST(figure_3)
{
    struct sim_op op[6];
    for (unsigned kappa = 1; kappa <= 6; kappa++)
        for (unsigned d = 1; d <= 64; d++) {
            for (unsigned i = 0; i < kappa; i++)
                op[i] = (struct sim_op){PART_GM, 100, 7};
            struct demand m = {kappa, kappa * 100.0, kappa * 7.0};
            ck_assert_double_eq_tol(simulate(op, kappa, d, false), bounds_part(&m, d), 1e-9);
        }
}

/* Two warps, load then compute: the second warp's load starts when the first one lets go of memory, its
 * arithmetic when both its load is back and the unit is free. */
TEST(by_hand)
{
    struct sim_op op[] = {{PART_GM, 10, 4}, {PART_FPU, 9, 8}};
    /* warp 0: load 0-10, held 0-4; computes 10-19, held 10-18.  warp 1: load 4-14; computes 18-27 */
    ck_assert_double_eq(simulate(op, 2, 2, false), 27);
    ck_assert_double_eq(simulate(op, 2, 1, false), 19);
    ck_assert_double_eq(simulate(op, 2, 0, false), 0);
    ck_assert_double_eq(simulate(op, 0, 3, false), 0);
    /* a posted store holds memory longer than its warp waits */
    struct sim_op store[] = {{PART_GM, 1, 6}};
    ck_assert_double_eq(simulate(store, 1, 3, false), 18);
}

/* The second of three warps has a load behind its arithmetic: who computes when the unit becomes free tells
 * the policies apart. */
TEST(policies)
{
    struct sim_op mine[] = {{PART_FPU, 10, 10}, {PART_FPU, 10, 10}, {PART_GM, 100, 1}};
    struct sim_op other[] = {{PART_FPU, 10, 10}};
    struct sim_kind kind[] = {{mine, 3, 1}, {other, 1, 2}};
    /* greedy: it computes 10-30, loads until 130; round robin: the third one goes in between, until 140 */
    ck_assert_double_eq(sim_run(&(struct sim_round){kind, 2, 3, true, false}), 130);
    ck_assert_double_eq(sim_run(&(struct sim_round){kind, 2, 3, false, false}), 140);
}

/* A group waits for its slowest warp; other groups do not. */
TEST(barriers)
{
    struct sim_op slow[] = {{PART_GM, 50, 1}, {SIM_BARRIER, 0, 0}, {PART_SFU, 5, 5}};
    struct sim_op fast[] = {{SIM_BARRIER, 0, 0}, {PART_SFU, 5, 5}};
    struct sim_kind kind[] = {{slow, 3, 1}, {fast, 2, 3}};
    ck_assert_double_eq(sim_run(&(struct sim_round){kind, 2, 4, false, false}),
                        70); /* 50, then four in a row */
    ck_assert_double_eq(sim_run(&(struct sim_round){kind, 2, 2, false, false}),
                        60);                  /* the other group is through */
    struct sim_op none[] = {{PART_LM, 1, 1}}; /* ends without a barrier: nobody waits for it */
    struct sim_kind odd[] = {{slow, 3, 1}, {none, 1, 3}};
    ck_assert_double_eq(sim_run(&(struct sim_round){odd, 2, 4, false, false}), 55);
}

/* Two parts that are equally busy: amid other rounds both are all the time, though each operation keeps its
 * warp longer than others keep the part.  Rounds that begin together end with warps that have nobody to hide
 * behind. */
TEST(amid_other_rounds)
{
    struct sim_op op[40];
    for (unsigned i = 0; i < 40; i++)
        op[i] = i % 2 ? (struct sim_op){PART_GM, 240, 6} : (struct sim_op){PART_FPU, 60, 6};
    struct sim_kind kind = {op, 40, 64};
    const double busy = 64 * 20 * 6;
    ck_assert_double_lt(sim_run(&(struct sim_round){&kind, 1, 1, false, true}), 1.05 * busy);
    ck_assert_double_gt(sim_run(&(struct sim_round){&kind, 1, 1, true, false}), 1.2 * busy);
}

static void random_kind(struct sim_op *op, struct sim_kind *kind, struct demand *part, bool barriers)
{
    unsigned n = 1 + rnd(MAX_OPS - 1), parts = 1 + rnd(PARTS);
    for (unsigned i = 0; i < n; i++) {
        unsigned c = barriers && rnd(4) == 0 ? SIM_BARRIER : rnd(parts);
        op[i] = (struct sim_op){c, c < PARTS ? rnd(300) / 4.0 : 0, c < PARTS ? rnd(40) / 4.0 : 0};
        if (c < PARTS) {
            part[c].count += 1;
            part[c].latency += op[i].latency;
            part[c].delay += op[i].delay;
        }
    }
    *kind = (struct sim_kind){op, n, 1 + rnd(20)};
}

/* Any mix of traces, any operations, posted ones among them, barriers that the traces do not even agree
 * about, either policy. */
LOOPED_TEST(simulation_stays_between, 200)
{
    state = (uint64_t)_i * 7919 + 1;
    for (unsigned again = 0; again < 100; again++) {
        struct warp_group g[KINDS];
        struct demand part[KINDS][PARTS] = {{{0}}};
        struct sim_op op[KINDS][MAX_OPS];
        struct sim_kind kind[KINDS];
        unsigned kinds = 1 + rnd(KINDS);
        bool barriers = rnd(2);
        for (unsigned t = 0; t < kinds; t++) {
            random_kind(op[t], &kind[t], part[t], barriers);
            g[t] = (struct warp_group){kind[t].warps, part[t]};
        }
        struct bounds b;
        bounds_round(g, kinds, barriers, &b);
        double time = sim_run(&(struct sim_round){kind, kinds, 1 + rnd(20), rnd(2), rnd(2)});
        ck_assert_msg(b.best <= time * (1 + 1e-9), "best %g above %g", b.best, time);
        ck_assert_msg(time <= b.worst * (1 + 1e-9), "worst %g below %g", b.worst, time);
    }
}

LOOPED_TEST(bracket_any_profile, 1000)
{
    state = (uint64_t)_i + 99;
    struct warp_group g[4];
    struct demand part[4][PARTS];
    unsigned n = 1 + rnd(4);
    for (unsigned i = 0; i < n; i++) {
        g[i] = (struct warp_group){rnd(3) ? rnd(70) : rnd(100) / 100.0, part[i]};
        for (unsigned c = 0; c < PARTS; c++)
            part[i][c] = (struct demand){rnd(3) ? rnd(1000) : 0, rnd(100000), rnd(10000)};
    }
    struct bounds b;
    bounds_round(g, n, rnd(2), &b);
    ck_assert(b.best >= 0 && b.best <= b.worst && bounds_time(g, n) >= 0);
}

int main(void)
{
    setenv("CK_FORK", "no", 1);
    return run_tests("bounds", NULL, NULL);
}
