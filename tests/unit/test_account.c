/* The account of what tuning may cost: budget, gains, prices of samples. */
#include "run_suite.h"

#include <stdint.h>
#include "profiler/profiler.h"

static const struct prof_policy measure = {.effort = PROF_MEASURE, .budget = 0.05, .margin = 0.03};

static struct prof_race two_lanes(double own_ns, double other_ns)
{
    struct candidate c[2] = {{.local = {8, 8, 1}, .own = true, .time_ns = own_ns},
                             {.local = {64, 1, 1}, .time_ns = other_ns}};
    struct prof_race r;

    prof_race_begin(&r, c, 2, &measure);
    return r;
}

TEST(names)
{
    static const char *const modes[] = {"none", "slices", "rerun", "launches", "sandbox", "swap", "?"};
    static const char *const outcomes[] = {"open", "won", "no-gain", "model", "asked", "?"};

    for (unsigned i = 0; i <= PROF_MODES; i++) /* as they stand in files */
        ck_assert_str_eq(prof_mode_name((enum prof_mode)i), modes[i]);
    for (unsigned i = 0; i <= PROF_OUTCOMES; i++)
        ck_assert_str_eq(prof_outcome_name((enum prof_outcome)i), outcomes[i]);
}

TEST(budget_to_the_nanosecond)
{
    struct prof_account a = {.observed_ns = 1000000, .spent_ns = 20000};

    ck_assert(prof_may_spend(&a, &measure, 30000, 0));
    ck_assert(!prof_may_spend(&a, &measure, 30001, 0));
    a.spent_ns = 60000; /* overdrawn: nothing but the free is allowed */
    ck_assert(!prof_may_spend(&a, &measure, 1, 0));
    ck_assert(prof_may_spend(&a, &measure, 0, 0));
}

TEST(gain_pays_for_the_overdraft)
{
    struct prof_account a = {.observed_ns = 1000000};

    ck_assert(prof_may_spend(&a, &measure, 60000, 40000)); /* 10000 over the budget, paid four times */
    ck_assert(!prof_may_spend(&a, &measure, 60000, 39999));
    a.spent_ns = 60000; /* the same gain does not pay twice */
    ck_assert(!prof_may_spend(&a, &measure, 60000, 40000));
}

/* A quarter of what better sizes have saved already may be spent on finding a still better one. */
TEST(savings_pay)
{
    struct prof_account a = {.observed_ns = 1000000, .saved_ns = 80000, .spent_ns = 50000};

    ck_assert(prof_may_spend(&a, &measure, 20000, 0));
    ck_assert(!prof_may_spend(&a, &measure, 20001, 0));
}

TEST(overdrafts_stay_below_a_quarter_of_the_promise)
{
    struct prof_account a = {.observed_ns = 1000000};
    const int64_t promise = 10000000;

    while (prof_may_spend(&a, &measure, 12345, promise))
        a.spent_ns += 12345;
    ck_assert_int_le(a.spent_ns, 50000 + promise / PROF_PAYBACK);
}

TEST(efforts)
{
    struct prof_account a = {0};
    struct prof_policy p = measure;

    p.effort = PROF_ESTIMATE;
    ck_assert(!prof_may_spend(&a, &p, 0, INT64_MAX));
    p.effort = PROF_PATIENT;
    ck_assert(prof_may_spend(&a, &p, INT64_MAX, 0));
    p.effort = PROF_EXHAUSTIVE;
    ck_assert(prof_may_spend(&a, &p, INT64_MAX, 0));
}

/* By how much prof_charge() of lane 0 or 1 adds to what is spent. */
static int64_t charged(struct prof_account *a, struct prof_race *r, unsigned lane, int64_t ns,
                       int64_t overhead_ns, bool repeated)
{
    const int64_t before = a->spent_ns;

    prof_charge(a, r, lane, 1000, ns, overhead_ns, repeated);
    return a->spent_ns - before;
}

TEST(charge_productive_samples)
{
    struct prof_race r = two_lanes(0, 0);
    struct prof_account a = {.compile_ns = -1};

    ck_assert_int_eq(charged(&a, &r, 0, 5000, 100, false), 100);
    prof_race_add(&r, 0, 1000, 5000, 100); /* 5 ns per item */
    ck_assert_int_eq(a.compile_ns, -1);
    ck_assert_int_eq(charged(&a, &r, 1, 7000, 800, false), 2800);
    ck_assert_int_eq(a.compile_ns, 800);
    ck_assert_int_eq(charged(&a, &r, 1, 2000, 40, false), 40 - 2000); /* both together are faster */
    ck_assert_int_eq(a.compile_ns, 800);                              /* learned from first launches only */
    ck_assert_int_eq(a.observed_ns, 14000);
    ck_assert_int_eq(a.spent_ns, 940);
    ck_assert_int_eq(a.saved_ns, 1000);
}

/* A lane that is as fast as the own size costs nothing, however much times vary. */
TEST(noise_is_no_cost)
{
    struct prof_race r = two_lanes(0, 0);
    struct prof_account a = {.compile_ns = 0};

    r.own_item_ns = 5;
    r.lane[1].known = true;
    for (int n = 0; n < 1000; n++)
        prof_charge(&a, &r, 1, 1000, n % 2 ? 2000 : 8000, 0, false);
    ck_assert_int_eq(a.spent_ns, 0);
    ck_assert_int_eq(a.saved_ns, 0);
    for (int n = 0; n < 1000; n++)
        prof_charge(&a, &r, 1, 1000, n % 2 ? 1000 : 10000, 0, false);
    ck_assert_int_eq(a.spent_ns, 1000 * 500); /* it is slower, by half a microsecond a launch */
}

/* A compilation that takes longer than any before is believed at once, of variants apart from sizes. */
TEST(surprises_are_learned)
{
    struct prof_race r = two_lanes(8000, 4000);
    struct prof_account a = {.observed_ns = 1000000, .compile_ns = 1000};
    const struct prof_stake s = {.items = 1000, .left = 1000, .item_ns = 2};
    const size_t size[3] = {8, 8, 1}, other[3] = {16, 8, 1};
    const unsigned variant = prof_race_join(&r, "wide", 1, size, 4000),
                   second = prof_race_join(&r, "wide", 1, other, 4000);
    int64_t cost, gain;

    prof_price(&r, second, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 1000 + 500);
    prof_charge(&a, &r, variant, 1000, 2000, 900000, false);
    prof_price(&r, second, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 900000 + 500);
    ck_assert(!prof_affordable(&r, second, &a, &measure, &s));
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 1000 + 500);
    prof_charge(&a, &r, 1, 1000, 2000, 5000, false);
    ck_assert_int_eq(a.compile_ns, 5000);
    prof_charge_build(&a, 700);
    prof_charge_build(&a, 300);
    ck_assert_int_eq(a.build_ns, (3 * 700 + 300) / 4);
    ck_assert_int_eq(a.spent_ns, 900000 + 5000 + 700 + 300);
}

/* What a promise has cost must be earned before the next one is believed. */
TEST(one_promise_at_a_time)
{
    struct prof_account a = {.observed_ns = 1000000};

    ck_assert(prof_may_spend(&a, &measure, 60000, 1000000));
    a.spent_ns = 60000;
    ck_assert(!prof_may_spend(&a, &measure, 1000, 1000000));
    a.observed_ns = 1200000;
    ck_assert(prof_may_spend(&a, &measure, 1000, 1000000));
}

TEST(charge_repeated_and_broken_samples)
{
    struct prof_race r = two_lanes(0, 0);
    struct prof_account a = {.compile_ns = 1000};

    r.own_item_ns = 5;
    ck_assert_int_eq(charged(&a, &r, 1, 3000, 600, true), 3600);
    ck_assert_int_eq(a.observed_ns, 0);
    ck_assert_int_eq(a.saved_ns, 0);
    ck_assert_int_eq(a.compile_ns, 900);
    ck_assert_int_eq(charged(&a, &r, 1, -5, -7, false), 0);
    ck_assert_int_eq(charged(&a, &r, 1, 0, 9, false), 9);
    ck_assert_int_eq(a.saved_ns, 0); /* no time, no saving */
    ck_assert_int_eq(a.spent_ns, 3609);
}

TEST(price_of_an_untried_candidate)
{
    struct prof_race r = two_lanes(8000, 4000);
    struct prof_account a = {.observed_ns = 100000, .compile_ns = -1};
    struct prof_stake s = {.items = 1000, .left = 50000, .item_ns = 2, .compile_ns = 700};
    int64_t cost, gain;

    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 700 + 500); /* may take a quarter longer, though half the time is promised */
    ck_assert_int_eq(gain, (2 * 50000 + 100000) / 4); /* half the time is promised, three quarters believed */
    a.compile_ns = 50;
    s.repeated = true;
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 50 + 2500);
    r.lane[1].predicted_ns = 0;
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 50 + 4000); /* twice as long */
    ck_assert_int_eq(gain, 0);
    s.repeated = false;
    r.lane[1].predicted_ns = 7000; /* a little faster, or 1.75 times as slow */
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 50 + 1500);
    r.lane[1].predicted_ns = 24000;
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 50 + 4000);
}

/* However much is overdrawn: it costs nothing to launch it. */
TEST(what_was_seen_to_be_faster_is_believed)
{
    struct prof_race r = two_lanes(8000, 4000);
    struct prof_account a = {.observed_ns = 1000, .spent_ns = 1000000};
    const struct prof_stake s = {.items = 1000, .left = 1000, .item_ns = 2};

    r.lane[1].known = true;
    ck_assert(!prof_affordable(&r, 1, &a, &measure, &s));
    r.lane[1].seen = true;
    ck_assert(prof_affordable(&r, 1, &a, &measure, &s));
    r.lane[1].predicted_ns = 9000;
    ck_assert(!prof_affordable(&r, 1, &a, &measure, &s));
}

TEST(what_somebody_else_compiles_is_paid_for_by_its_gain_only)
{
    struct prof_race r = two_lanes(8000, 4000);
    struct prof_account a = {.observed_ns = 1000000000, .compile_ns = 5000};
    struct prof_stake s = {.items = 1000, .left = 1000, .item_ns = 2};
    int64_t cost, gain;

    r.awaited = true;
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 5000 + 500);
    r.trial = true; /* of a variant, which will promise more */
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, INT64_MAX);
    r.lane[1].known = true; /* nor is what is compiled measured for the first time */
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, INT64_MAX);
    r.lane[1].before = 1;
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_lt(cost, INT64_MAX);
    r.lane[1].known = false;
    r.lane[1].before = 0;
    r.trial = false;
    r.lane[1].predicted_ns = 6000; /* promises nothing beyond the model's error, and the account covers all */
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, INT64_MAX);
    r.lane[1].known = true;
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 1000);
}

TEST(main_and_tails_are_compiled_one_by_one)
{
    struct prof_race r = two_lanes(8000, 4000);
    struct prof_account a = {.compile_ns = 700};
    struct prof_stake s = {.items = 1000, .left = 1000, .item_ns = 2};
    int64_t cost, gain;

    r.lane[1].parts = 4;
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 4 * 700 + 500);
    r.lane[1].known = r.lane[1].ahead = true; /* the main part alone was compiled ahead */
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 3 * 700 + 500);
    r.lane[1].ahead = false; /* it ran in an earlier run */
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 500);
    r.lane[1].known = false;
    prof_charge(&a, &r, 1, 1000, 2000, 2400, false);
    ck_assert_int_eq(a.compile_ns, (3 * 700 + 600) / 4);
}

/* What was said to be compiled ahead, and is not believed any more, is charged like any other size. */
TEST(what_is_not_believed_to_be_compiled_is_compiled)
{
    struct prof_race r = two_lanes(8000, 4000);
    struct prof_account a = {.compile_ns = 700};
    const struct prof_stake s = {.items = 1000, .left = 1000, .item_ns = 2};
    int64_t cost, gain;

    r.lane[1].ahead = true;
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 700 + 500);
    prof_charge(&a, &r, 1, 1000, 2000, 300, false);
    ck_assert_int_eq(a.compile_ns, (3 * 700 + 300) / 4);
}

TEST(gain_is_what_goes_beyond_the_best_that_is_known)
{
    struct prof_race r = two_lanes(8000, 4000);
    struct prof_account a = {.compile_ns = 0};
    struct prof_stake s = {.items = 1000, .left = 1000, .item_ns = 2};
    int64_t cost, gain;

    r.lane[2] = r.lane[1];
    r.n = 3;
    r.lane[0].samples = r.lane[1].samples = 1;
    r.lane[0].best = r.own_item_ns = 4;
    r.lane[1].best = 3.2; /* four fifths */
    prof_price(&r, 2, &a, &s, &cost, &gain);
    ck_assert_int_eq(gain, 200); /* three quarters of the time are believed: a twentieth of 4000 more */
    r.lane[1].best = 1;
    prof_price(&r, 2, &a, &s, &cost, &gain);
    ck_assert_int_eq(gain, 0);
    r.lane[2].known = true; /* models err, and it costs little to see */
    prof_price(&r, 2, &a, &s, &cost, &gain);
    ck_assert_int_eq(gain, 1000);
}

TEST(price_of_the_own_size_includes_the_first_candidate)
{
    struct prof_race r = two_lanes(8000, 4000);
    struct prof_account a = {.compile_ns = 300};
    struct prof_stake s = {.items = 1000, .left = 50000, .item_ns = 2};
    int64_t cost, gain;

    prof_price(&r, 0, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 300 + 300 + 500);
    ck_assert_int_eq(gain, 2 * 50000 / 4);
    r.lane[0].tried = r.lane[1].tried = true;
    prof_price(&r, 0, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 0);
}

TEST(price_follows_measurements)
{
    struct prof_race r = two_lanes(8000, 4000);
    struct prof_account a = {.compile_ns = 0};
    struct prof_stake s = {.items = 1000, .left = 1000, .item_ns = 2};
    int64_t cost, gain;

    r.lane[1].tried = true;
    r.lane[0].samples = r.lane[1].samples = 2;
    r.lane[0].best = r.own_item_ns = 4;
    r.lane[1].best = 6;
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 2000);
    ck_assert_int_eq(gain, 0);
}

int main(void)
{
    return run_tests("account", NULL, NULL);
}
