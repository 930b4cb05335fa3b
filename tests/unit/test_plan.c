/* prof_plan: how a launch is measured, in slices of which size, or why not. */
#include "run_suite.h"

#include <stdint.h>
#include <string.h>
#include "profiler/profiler.h"

static struct prof_policy policy;
static struct sel_proof proof;
static struct device device;
static struct launch launch;
static struct prof_race race;
static struct prof_plan plan;

static void lanes(const size_t (*local)[3], unsigned n)
{
    struct candidate c[PROF_MAX_CANDIDATES] = {{.own = true}};

    for (unsigned i = 0; i < n; i++) {
        memcpy(c[i].local, local[i], sizeof c[i].local);
        c[i].time_ns = 1e6;
    }
    prof_race_begin(&race, c, n, &policy);
}

/* Everything proved, a 16-unit CPU, a 4096x4096 image. */
static void setup(void)
{
    static const size_t sizes[][3] = {{8, 8, 1}, {64, 4, 1}, {256, 1, 1}, {16, 16, 1}};

    policy =
        (struct prof_policy){.effort = PROF_MEASURE, .budget = 0.05, .margin = 0.03, .min_slice_ns = 200000};
    memset(&proof, 0, sizeof proof);
    proof.size.proven = proof.idempotent.proven = proof.order_free.proven = proof.uniform.proven = true;
    for (int d = 0; d < 3; d++)
        proof.slice[d].proven = true;
    device = (struct device){.is_cpu = true, .units = 16, .warp = 8, .compile_ns = 5e6};
    launch = (struct launch){.dim = 2, .global = {4096, 4096, 1}, .local = {8, 8, 1}};
    lanes(sizes, 4);
}

static void make(double item_ns, bool repeats)
{
    prof_plan_make(&plan, &proof, &launch, &race, &device, &policy, item_ns, repeats);
}

static void check_slices(void)
{
    ck_assert_uint_ge(plan.slice, plan.grain);
    ck_assert_uint_eq(plan.slice % plan.grain, 0);
    ck_assert_uint_eq(plan.budget_items % plan.grain, 0);
    ck_assert_uint_le(plan.slice, plan.budget_items);
    ck_assert_uint_le(plan.budget_items, launch.global[plan.dim]);
}

TEST(whole_rows_of_an_image)
{
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_uint_eq(plan.dim, 1);
    ck_assert_uint_eq(plan.grain, 16);
    check_slices();
    ck_assert_uint_le(plan.budget_items, 2048);
    ck_assert_uint_ge(plan.slice * 4096, 200000);       /* the clock */
    ck_assert_uint_ge(plan.slice * 4096, 16 * 256 * 4); /* the device */
    ck_assert_int_eq(plan.compile_ns, 5000000);
    ck_assert_str_eq(plan.why, "");
}

/* In parts or not at all, and enough of them for a race and its duel. */
TEST(nothing_but_parts)
{
    policy.slices_only = true;
    make(10, true);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    check_slices();
    ck_assert_uint_ge(plan.budget_items / plan.slice, 2 * (1 + race.rounds * (race.n + 1)));
    proof.uniform.proven = false;
    make(10, true);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_str_eq(plan.why, "slices: not-uniform");
}

TEST(other_dimension_when_the_slowest_cannot)
{
    proof.slice[1].proven = false;
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_uint_eq(plan.dim, 0);
    ck_assert_uint_eq(plan.grain, 256);
    check_slices();
}

TEST(cheapest_proved_mode)
{
    proof.uniform.proven = false;
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_RERUN);
    ck_assert_str_eq(plan.why, "slices: not-uniform");
    check_slices();
    ck_assert_uint_eq(plan.budget_items, plan.slice);
    ck_assert_uint_le(plan.slice, 4096 / 4);
    proof.idempotent.proven = false;
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_LAUNCHES);
    ck_assert_str_eq(plan.why, "slices: not-uniform; rerun: not-idempotent");
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_str_eq(
        plan.why,
        "slices: not-uniform; rerun: not-idempotent; launches: not-repeated; sandbox: no-copies; swap: "
        "no-copies");
}

/* Where nothing is too dear a long launch is not one sample of many to come: there may be no other. */
TEST(without_a_budget_long_launches_are_settled_at_once)
{
    const double long_ns = 4000000.0 / (4096 * 4096), short_ns = long_ns / 10;

    policy.effort = PROF_PATIENT;
    policy.sandbox = true;
    proof.uniform.proven = proof.idempotent.proven = false;
    make(long_ns, true);
    ck_assert_int_eq(plan.mode, PROF_SANDBOX);
    make(short_ns, true);
    ck_assert_int_eq(plan.mode, PROF_LAUNCHES);
    memset(proof.slice, 0, sizeof proof.slice);
    make(long_ns, true);
    ck_assert_int_eq(plan.mode, PROF_SWAP);
    policy.sandbox = false;
    make(long_ns, true);
    ck_assert_int_eq(plan.mode, PROF_LAUNCHES);
    make(long_ns, false);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    policy.effort = PROF_MEASURE;
    policy.sandbox = true;
    make(long_ns, true);
    ck_assert_int_eq(plan.mode, PROF_LAUNCHES);
}

/* All that a small launch has fits into the one slice that everybody runs. */
TEST(without_a_budget_the_slice_may_be_the_range)
{
    proof.uniform.proven = false;
    launch.global[0] = launch.global[1] = 64;
    make(100, false);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    policy.effort = PROF_PATIENT;
    make(100, false);
    ck_assert_int_eq(plan.mode, PROF_RERUN);
    ck_assert_uint_eq(plan.slice, 64);
}

/* Slices for a part of the race leave it to launches that may not come. */
TEST(without_a_budget_slices_hold_the_race)
{
    policy.effort = PROF_PATIENT;
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_uint_ge(plan.budget_items / plan.slice, 1 + race.rounds * (race.n + 1));
    launch.global[1] = 128;
    make(10, false);
    ck_assert_int_eq(plan.mode, PROF_RERUN);
    proof.idempotent.proven = false;
    make(10, false);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_uint_lt(plan.budget_items / plan.slice, 1 + race.rounds * (race.n + 1));
    policy.sandbox = true;
    make(10, false);
    ck_assert_int_eq(plan.mode, PROF_SANDBOX);
}

TEST(order_matters_to_slices)
{
    proof.order_free.proven = proof.idempotent.proven = false;
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_LAUNCHES);
    ck_assert_str_eq(plan.why, "slices: not-order-free; rerun: not-idempotent");
}

TEST(not_sliceable)
{
    memset(proof.slice, 0, sizeof proof.slice);
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_LAUNCHES);
    ck_assert_str_eq(plan.why, "slices: not-sliceable; rerun: not-sliceable");
}

TEST(nothing_without_size)
{
    proof.size.proven = false;
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_str_eq(plan.why, "size-not-proved");
}

TEST(nothing_to_measure)
{
    static const size_t own[][3] = {{8, 8, 1}};

    lanes(own, 1);
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_str_eq(plan.why, "nothing-to-measure");
}

TEST(estimate_never_measures)
{
    policy.effort = PROF_ESTIMATE;
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_str_eq(plan.why, "effort-estimate");
}

TEST(small_ranges)
{
    launch.global[0] = launch.global[1] = 64;
    make(100, true);
    ck_assert_int_eq(plan.mode, PROF_LAUNCHES);
    ck_assert_str_eq(plan.why, "slices: too-small; rerun: too-small");
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_str_eq(
        plan.why,
        "slices: too-small; rerun: too-small; launches: too-short; sandbox: no-copies; swap: no-copies");
    make(0, true); /* unknown speed: nothing forbids it */
    ck_assert_int_eq(plan.mode, PROF_LAUNCHES);
}

TEST(empty_range)
{
    launch.global[1] = 0;
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_NONE);
}

TEST(fast_items_need_long_slices)
{
    make(0.01, true); /* 16.8 M items take 168 us: below the clock's needs */
    ck_assert_int_eq(plan.mode, PROF_NONE);
    make(0.1, true);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_double_ge((double)plan.slice * 4096 * 0.1, 200000);
    check_slices();
}

/* Work-items take so long that the desired groups per unit would take longer than any sample need. */
TEST(slow_items_need_short_slices)
{
    static const size_t sizes[][3] = {{64, 1, 1}, {256, 1, 1}, {128, 1, 1}};

    launch = (struct launch){.dim = 1, .global = {1 << 20, 1, 1}, .local = {64, 1, 1}};
    device.units = 2;
    lanes(sizes, 3);
    make(100, false);
    ck_assert_uint_eq(plan.slice, 2 * 256 * 4);
    make(14000, false);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_uint_eq(plan.slice, 1536);
    make(1e6, false);
    ck_assert_uint_eq(plan.slice, 2 * 256); /* but a group of each size for each unit */
    check_slices();
    proof.order_free.proven = false;
    make(14000, false);
    ck_assert_int_eq(plan.mode, PROF_RERUN);
    ck_assert_uint_eq(plan.slice, 1536);
}

TEST(a_gpu_is_filled)
{
    device = (struct device){.units = 132, .warp = 32, .max_warps_unit = 64};
    launch = (struct launch){.dim = 1, .global = {1 << 24, 1, 1}, .local = {64, 1, 1}};
    static const size_t sizes[][3] = {{64, 1, 1}, {256, 1, 1}, {1024, 1, 1}};
    lanes(sizes, 3);
    make(0, false);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_uint_ge(plan.slice, 132 * 64 * 32);
    ck_assert_uint_eq(plan.grain, 1024);
    check_slices();
}

TEST(extents_that_do_not_fit_are_left_out)
{
    static const size_t sizes[][3] = {{1, 16, 1}, {1, 4093, 1}, {1, 32, 1}};

    lanes(sizes, 3);
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_uint_eq(plan.dim, 1);
    ck_assert_uint_eq(plan.grain, 32);
    check_slices();
}

TEST(no_driver_choice_in_the_grain)
{
    static const size_t sizes[][3] = {{0, 0, 0}, {64, 4, 1}};

    launch.local[0] = launch.local[1] = launch.local[2] = 0;
    lanes(sizes, 2);
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_uint_eq(plan.grain, 4);
}

TEST(only_allowed_modes)
{
    policy.modes = 1u << PROF_RERUN;
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_RERUN);
    ck_assert_str_eq(plan.why, "");
    policy.modes = 1u << PROF_LAUNCHES;
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_str_eq(plan.why, "launches: not-repeated"); /* of the others nobody wants to know */
    proof.uniform.proven = false;
    policy.modes = 1u << PROF_SLICES;
    make(1, true);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_str_eq(plan.why, "slices: not-uniform");
}

TEST(patient_may_use_everything)
{
    policy.effort = PROF_PATIENT;
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_SLICES);
    ck_assert_uint_eq(plan.budget_items, 4096);
}

TEST(copies_where_nothing_else_will_do)
{
    proof.uniform.proven = proof.idempotent.proven = false;
    policy.sandbox = true;
    make(1, true); /* whole launches are productive */
    ck_assert_int_eq(plan.mode, PROF_LAUNCHES);
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_SANDBOX);
    ck_assert_uint_eq(plan.budget_items, plan.slice);
    ck_assert_uint_lt(plan.slice, launch.global[plan.dim]);
    proof.slice[0].proven = proof.slice[1].proven = proof.slice[2].proven = false;
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_SWAP);
    ck_assert_uint_eq(plan.slice, launch.global[plan.dim]);
    make(1e-6, false); /* too short for the clock */
    ck_assert_int_eq(plan.mode, PROF_NONE);
    policy.modes = 1u << PROF_SANDBOX; /* asked for, but not proved */
    make(1, false);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_ptr_nonnull(strstr(plan.why, "sandbox: not-sliceable"));
}

/* Every mode fails, for the longest of its reasons. */
TEST(all_reasons_fit)
{
    proof.order_free.proven = proof.idempotent.proven = false;
    proof.slice[0].proven = proof.slice[1].proven = proof.slice[2].proven = false;
    policy.sandbox = true;
    make(1e-6, false);
    ck_assert_int_eq(plan.mode, PROF_NONE);
    ck_assert_str_eq(plan.why, "slices: not-order-free; rerun: not-idempotent; launches: not-repeated; "
                               "sandbox: not-sliceable; swap: too-short");
}

TEST(any_shape)
{
    for (size_t x = 1; x < 6000; x = x * 3 + 1)
        for (size_t y = 1; y < 6000; y = y * 5 + 2)
            for (int effort = PROF_MEASURE; effort <= PROF_EXHAUSTIVE; effort++) {
                launch.global[0] = x;
                launch.global[1] = y;
                policy.effort = (enum prof_effort)effort;
                make(x % 2 ? 50 : 0, y % 2);
                if (plan.mode == PROF_SLICES || plan.mode == PROF_RERUN)
                    check_slices();
            }
}

int main(void)
{
    return run_tests("plan", setup, NULL);
}
