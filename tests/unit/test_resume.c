/* Races that go on in the next run, and what is given up. */
#include "run_suite.h"

#include <string.h>
#include "profiler/profiler.h"

#define ITEMS 1000
#define MANY  (PROF_FEW_LAUNCHES + 1)

static const struct prof_policy measure = {.effort = PROF_MEASURE, .budget = 0.05, .margin = 0.03};

/* The own size and n - 1 candidates of 16, 32, 48 ... work-items, all predicted as fast as the own size. */
static void begin(struct prof_race *r, unsigned n)
{
    struct candidate c[PROF_MAX_CANDIDATES] = {{.local = {8, 1, 1}, .own = true, .time_ns = 100}};

    for (unsigned i = 1; i < n; i++)
        c[i] = (struct candidate){.local = {16 * i, 1, 1}, .time_ns = 100};
    prof_race_begin(r, c, n, &measure);
}

/* `n` more samples of whatever is next; lane i takes times[i] ns per work-item.  False
 * when the race is over. */
static bool step(struct prof_race *r, const double *times, unsigned n)
{
    struct prof_account a = {.compile_ns = -1};
    int lane;

    while (n-- && (lane = prof_race_next(r)) >= 0) {
        const int64_t ns = (int64_t)(times[lane] * ITEMS);
        prof_charge(&a, r, (unsigned)lane, ITEMS, ns, 0, false);
        prof_race_add(r, (unsigned)lane, ITEMS, ns, 0);
    }
    return prof_race_next(r) >= 0;
}

/* The race as the next run has it. */
static void next_run(struct prof_race *r, unsigned n)
{
    struct prof_past past;

    prof_race_save(r, MANY, &past);
    begin(r, n);
    prof_race_resume(r, &past);
}

TEST(a_few_samples_in_each_run_decide)
{
    /* Machines are not equally fast from run to run: everything scales. */
    double times[] = {1000, 900, 500, 1200};
    struct prof_decision d;
    struct prof_race r;
    unsigned runs = 1;

    begin(&r, 4);
    while (step(&r, times, 12)) {
        ck_assert_uint_lt(++runs, 6);
        for (unsigned i = 0; i < 4; i++)
            times[i] *= runs % 2 ? 3 : 0.4;
        next_run(&r, 4);
    }
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(d.winner, 2);
    ck_assert_double_eq_tol(d.gain, 2, 1e-6);
    ck_assert_uint_gt(runs, 1);
}

TEST(another_kernel_joins)
{
    const double times[] = {1000, 900, 500, 400};
    static const char name[] = "fixed";
    struct prof_decision d;
    struct prof_race r;
    struct prof_past past;
    const struct prof_plan any = {.mode = PROF_SWAP, .grain = 8};

    begin(&r, 3);
    ck_assert(step(&r, times, 4));
    ck_assert_uint_eq(prof_race_join(&r, name, 1, r.lane[0].local, 0), 3);
    ck_assert(!prof_fits(&r.lane[3], &any));
    ck_assert(prof_fits(&r.lane[2], &any));
    step(&r, times, 100);
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(d.winner, 3);
    ck_assert_ptr_eq(r.lane[d.winner].variant, name);
    prof_race_save(&r, MANY, &past);
    ck_assert_uint_eq(past.n, 3);
    ck_assert_str_eq(past.candidate[0].variant, name);
    ck_assert_str_eq(past.candidate[1].variant, "");
    prof_race_save(&r, 2, &past);
    ck_assert_uint_eq(past.duel[0], 0);
    while (r.n < PROF_MAX_CANDIDATES)
        ck_assert_uint_gt(prof_race_join(&r, name, 1, r.lane[1].local, 0), 0);
    ck_assert_uint_eq(prof_race_join(&r, name, 1, r.lane[1].local, 0), 0);
}

TEST(a_variant_goes_on_in_the_next_run)
{
    const double times[] = {1000, 900, 500, 300};
    static const char name[] = "wide", same_name[] = "wide";
    struct prof_past past, later = {0};
    struct prof_race r;

    begin(&r, 3);
    step(&r, times, 6);
    ck_assert_uint_eq(prof_race_join(&r, name, 7, r.lane[1].local, 0), 3);
    prof_race_add(&r, 3, ITEMS, 300 * ITEMS, 0);
    ck_assert(!prof_race_variant_won(&r)); /* by a single sample */
    r.lane[3].known = true;
    prof_race_save(&r, MANY, &past);
    prof_past_keep_variants(&later, &past); /* of a run in which it did not join */
    ck_assert_uint_eq(later.n, 1);
    prof_past_keep_variants(&past, &later);
    ck_assert_uint_eq(past.n, 3); /* it is there already */

    begin(&r, 3);
    prof_race_resume(&r, &past);
    ck_assert_double_eq_tol(r.lane[1].before_best, 0.9, 1e-6); /* not the variant's, which has that size */
    step(&r, times, 4);
    ck_assert_uint_eq(prof_race_join(&r, same_name, 8, r.lane[1].local, 0), 3);
    prof_race_resume_lane(&r, 3, &past);
    ck_assert_uint_eq(r.lane[3].samples, 0); /* another text */
    ck_assert_uint_eq(prof_race_join(&r, same_name, 7, r.lane[1].local, 0), 4);
    prof_race_resume_lane(&r, 4, &past);
    ck_assert_uint_eq(r.lane[4].samples, 1);
    prof_race_add(&r, 4, ITEMS, 310 * ITEMS, 0);
    ck_assert(prof_race_variant_won(&r));
}

TEST(earlier_samples_wait_for_the_own_size)
{
    const double times[] = {1000, 500};
    struct prof_race r;

    begin(&r, 2);
    step(&r, times, 6);
    ck_assert_uint_gt(r.lane[1].samples, 0);
    next_run(&r, 2);
    ck_assert_uint_eq(r.lane[1].samples, 0);
    ck_assert(r.lane[1].known && !r.lane[1].tried);
    ck_assert_uint_eq(prof_race_leader(&r), 0);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(prof_race_next(&r), 0);
        prof_race_add(&r, 0, ITEMS, 2000 * ITEMS, 0);
    }
    ck_assert_uint_gt(r.lane[1].samples, 0);
    ck_assert_double_eq_tol(r.lane[1].best, 1000, 1e-6);
}

TEST(nothing_wins_without_samples_of_this_run)
{
    const double before[] = {1000, 500}, now[] = {1000, 1000};
    struct prof_decision d;
    struct prof_race r;

    begin(&r, 2);
    ck_assert(step(&r, before, 11)); /* all but the duel */
    next_run(&r, 2);
    ck_assert(!step(&r, now, 50));
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
}

TEST(beaten_candidates_stay_out)
{
    const double times[] = {1000, 5000, 1020, 900};
    struct prof_past past;
    struct prof_race r;

    begin(&r, 4);
    step(&r, times, 9);
    ck_assert(r.lane[1].dropped && r.lane[1].samples == 1); /* may have been bad luck */
    ck_assert(r.lane[2].dropped && r.lane[2].samples == 2);
    prof_race_drop(&r, 3, true);
    prof_race_save(&r, MANY, &past);
    ck_assert_uint_eq(past.n, 3);
    next_run(&r, 4);
    ck_assert(!r.lane[1].dropped && r.lane[2].dropped && r.lane[3].dropped && r.lane[3].failed);
}

TEST(evidence_is_bounded_and_checked)
{
    struct prof_past past;
    double times[PROF_MAX_CANDIDATES];
    struct prof_race r;

    for (unsigned i = 0; i < PROF_MAX_CANDIDATES; i++)
        times[i] = 1000;
    begin(&r, PROF_MAX_CANDIDATES);
    step(&r, times, 300);
    prof_race_save(&r, MANY, &past);
    ck_assert_uint_eq(past.n, PROF_MAX_EVIDENCE);
    past.candidate[0].best = 0;
    past.candidate[1].worst = past.candidate[1].best / 2;
    past.candidate[2].samples = 1000000;
    past.candidate[2].best = past.candidate[2].worst = 0.5;
    past.candidate[3].local[0] = 7; /* no candidate any more */
    past.n = 4;
    begin(&r, 6);
    prof_race_resume(&r, &past);
    ck_assert(r.lane[1].known && !r.lane[1].before);
    ck_assert(r.lane[2].known && !r.lane[2].before);
    ck_assert_uint_eq(r.lane[3].before, r.rounds);
    ck_assert(!r.lane[4].known);
}

TEST(a_known_size_costs_no_compilation)
{
    struct prof_account a = {.observed_ns = 0, .compile_ns = 80000000};
    const struct prof_stake s = {.items = 1, .left = 1, .item_ns = 100};
    const struct prof_past past = {
        .n = 1, .candidate = {{.local = {16, 1, 1}, .samples = 1, .best = 0.5, .worst = 0.5}}};
    struct prof_race r;
    int64_t cost, gain;

    begin(&r, 3);
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_ge(cost, a.compile_ns);
    prof_race_resume(&r, &past);
    prof_price(&r, 1, &a, &s, &cost, &gain);
    ck_assert_int_eq(cost, 0);
    prof_charge(&a, &r, 1, 1, 100, 12345, false); /* what it does cost is charged, but not learned from */
    ck_assert_int_eq(a.spent_ns, 12345);
    ck_assert_int_eq(a.compile_ns, 80000000);
}

TEST(grants_are_spent_like_the_budget)
{
    struct prof_account a = {.observed_ns = 1000000, .granted_ns = PROF_GRANT_NS};

    ck_assert(prof_may_spend(&a, &measure, PROF_GRANT_NS + 50000, 0));
    ck_assert(!prof_may_spend(&a, &measure, PROF_GRANT_NS + 50001, 0));
}

TEST(after_some_disappointments_the_rest_is_hopeless)
{
    const double times[] = {1000, 1100, 1050, 1200, 1000, 1000};
    struct prof_race r;

    begin(&r, 6);
    step(&r, times, 6); /* warm-up, three of the own size, two candidates */
    ck_assert(!prof_race_hopeless(&r, 4));
    step(&r, times, 1);
    ck_assert(!prof_race_hopeless(&r, 4)); /* one look is no evidence */
    for (unsigned i = 1; i < 4; i++)
        prof_race_add(&r, i, ITEMS, (int64_t)(times[i] * ITEMS), 0);
    ck_assert(prof_race_hopeless(&r, 4));
    r.lane[5].predicted_ns = 50; /* twice as fast, and the others were little slower than predicted */
    ck_assert(!prof_race_hopeless(&r, 5));
    for (unsigned i = 1; i < 4; i++)
        r.lane[i].predicted_ns = 50; /* the same was said of all that brought nothing */
    ck_assert(prof_race_hopeless(&r, 5));
    r.lane[5].predicted_ns = 10; /* this one is promised to be five times better than those */
    ck_assert(!prof_race_hopeless(&r, 5));
}

TEST(where_something_is_faster_there_is_hope)
{
    const double times[] = {1000, 1100, 500, 1200, 1000};
    struct prof_race r;

    begin(&r, 5);
    step(&r, times, 7);
    ck_assert(!prof_race_hopeless(&r, 4));
}

TEST(one_disturbed_sample_hides_no_clear_winner)
{
    struct prof_decision d;
    struct prof_race r;
    unsigned n = 0, own = 0, other = 0;
    int lane;

    begin(&r, 2);
    while ((lane = prof_race_next(&r)) >= 0) { /* own size 1 or 4, the other 0.2 and once 3 */
        const int64_t ns = lane == 0 ? 1000 * (1 + 3 * (own++ % 2)) : other++ == 1 ? 3000 : 200;
        prof_race_add(&r, (unsigned)lane, ITEMS, ns * ITEMS, 0);
        ck_assert_uint_lt(++n, 100);
    }
    prof_race_decide(&r, &measure, &d);
    ck_assert_double_gt(r.noise, 0.8);
    ck_assert_int_eq(d.outcome, PROF_WON);
}

/* A size that this race has no use for stays out, whatever earlier runs say of it. */
TEST(what_does_not_fit_stays_out)
{
    struct prof_past past = {.n = 1,
                             .candidate = {{.local = {16, 1, 1}, .samples = 3, .best = 0.5, .worst = 0.6}}};
    struct prof_race r;

    begin(&r, 3);
    prof_race_drop(&r, 1, false);
    prof_race_resume(&r, &past);
    ck_assert(r.lane[1].dropped && !r.lane[2].dropped);
}

/* Times that differ by half show nothing; but a program whose times always do is not measured for ever. */
TEST(noise_is_doubt_for_some_runs)
{
    static const double disturbance[] = {1, 1.6, 1.3};
    struct prof_past past = {0};
    struct prof_decision d;
    struct prof_race r;

    for (unsigned run = 0; run < 5; run++) {
        unsigned taken[3] = {0}, n = 0;
        int lane;
        begin(&r, 3);
        prof_race_resume(&r, &past);
        while ((lane = prof_race_next(&r)) >= 0) {
            r.lane[lane].tried = true;
            prof_race_add(&r, (unsigned)lane, ITEMS,
                          (int64_t)(1000 * disturbance[taken[lane]++ % 3] * (lane ? 1.2 : 1) * ITEMS), 0);
            ck_assert_uint_lt(++n, 100);
        }
        prof_race_decide(&r, &measure, &d);
        ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
        ck_assert(d.doubtful == (run < 3));
        prof_race_save(&r, MANY, &past);
        ck_assert_uint_eq(past.doubts, run < 3 ? run + 1 : 3);
        if (run < 3) /* both may be measured again */
            ck_assert(past.n == 2 && !past.candidate[0].dropped && !past.candidate[1].samples);
    }
}

/* A race of four sizes on a machine whose speed changes; `shift`: each size finds it in another moment. */
static void disturbed(struct prof_race *r, const double *calm, unsigned shift)
{
    static const double disturbance[] = {1, 2.6, 1.5};
    unsigned taken[4] = {0}, n = 0;
    int lane;

    begin(r, 4);
    while ((lane = prof_race_next(r)) >= 0) {
        const double ns = calm[lane] * disturbance[(taken[lane]++ + shift * (unsigned)lane) % 3] * ITEMS;
        r->lane[lane].tried = true;
        prof_race_add(r, (unsigned)lane, ITEMS, (int64_t)ns, 0);
        ck_assert_uint_lt(++n, 100);
    }
}

/* What wins its pairs is in no doubt. */
TEST(disturbed_alike_is_decided)
{
    const double calm[] = {1000, 800, 900, 5000};
    struct prof_decision d;
    struct prof_race r;

    disturbed(&r, calm, 0);
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(d.winner, 1);
    ck_assert(!d.doubtful);
}

/* A race that was decided in doubt is as good as not run, but for what was compiled and clearly beaten. */
TEST(doubt_is_left_to_a_quieter_run)
{
    const double calm[] = {1000, 930, 950, 5000};
    struct prof_past past;
    struct prof_decision d;
    struct prof_race r;

    disturbed(&r, calm, 1);
    prof_race_decide(&r, &measure, &d);
    ck_assert(d.doubtful);
    prof_race_save(&r, MANY, &past);
    ck_assert_uint_eq(past.n, 3);
    for (unsigned i = 0; i < 2; i++)
        ck_assert(!past.candidate[i].dropped && past.candidate[i].samples == 0 && past.candidate[i].used);
    ck_assert(past.candidate[2].dropped && past.candidate[2].samples > 0);
    next_run(&r, 4);
    ck_assert(r.lane[1].known && r.lane[1].used && !r.lane[1].before);
    while (step(&r, calm, 1))
        ;
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(d.winner, 1);
}

/* Runs of `launches` launches each: the first only looks, then there is a race that goes on from run to run.
 * Lane i takes times[i] ns per work-item, in run k times speed[k % 4].  Returns the run that decided. */
static unsigned runs_until_decided(unsigned launches, unsigned n, const double *times, const double speed[4],
                                   struct prof_decision *d)
{
    struct prof_past past = {.launches = launches <= PROF_FEW_LAUNCHES ? launches : 0};
    struct prof_account a = {.compile_ns = -1};
    struct prof_race r;

    for (unsigned i = launches > PROF_SINGLE_LAUNCHES; i < launches && past.launches; i++)
        prof_past_add_own(&past, times[0] * speed[0]);
    for (unsigned run = 2; run < 100; run++) {
        begin(&r, n);
        prof_race_resume(&r, &past);
        for (unsigned i = 0; i < launches; i++) {
            const int lane = prof_race_next(&r);
            const int64_t ns = (int64_t)(times[lane < 0 ? 0 : lane] * speed[(run - 1) % 4] * ITEMS);
            if (lane < 0) {
                prof_race_decide(&r, &measure, d);
                return run;
            }
            prof_charge(&a, &r, (unsigned)lane, ITEMS, ns, 0, false);
            prof_race_add(&r, (unsigned)lane, ITEMS, ns, 0);
        }
        prof_race_save(&r, launches, &past);
    }
    return 100;
}

/* A clear lead ends the search, where launches are dear. */
TEST(single_launches_find_a_clear_lead_soon)
{
    static const double constant[4] = {1, 1, 1, 1};
    const double times[] = {1000, 500, 400, 1200};
    struct prof_decision d;

    ck_assert_uint_le(runs_until_decided(1, 4, times, constant, &d), 6);
    ck_assert_uint_eq(d.winner, 1);
    ck_assert_uint_le(runs_until_decided(2, 4, times, constant, &d), 4);
    ck_assert_uint_eq(d.winner, 1);
    ck_assert_uint_le(runs_until_decided(8, 4, times, constant, &d), 4);
    ck_assert_uint_eq(d.winner, 2);
}

static const double steady[4] = {1, 1.03, 0.98, 1.01};

/* However many launches a run has, a size that is twice as fast is found soon. */
TEST(no_number_of_launches_is_too_small)
{
    const double times[] = {1000, 1100, 500, 1200, 900, 1100, 1200, 1300};
    struct prof_decision d;

    for (unsigned launches = 1; launches <= 40; launches++) {
        const unsigned runs = runs_until_decided(launches, 8, times, steady, &d);
        ck_assert_msg(runs <= 5 + 24 / launches, "%u launches per run: %u runs", launches, runs);
        ck_assert_uint_eq(d.winner, 2);
    }
}

TEST(sizes_are_compared_across_runs_of_few_launches)
{
    const double times[] = {1000, 900, 500, 1200};
    struct prof_decision d;

    for (unsigned launches = 1; launches <= PROF_FEW_LAUNCHES; launches++) {
        const unsigned runs = runs_until_decided(launches, 4, times, steady, &d);
        ck_assert_uint_le(runs, 4 + 12 / launches);
        ck_assert_int_eq(d.outcome, PROF_WON);
        ck_assert_uint_eq(d.winner, 2);
        ck_assert_double_eq_tol(d.gain, 2, 0.15);
    }
}

TEST(equal_sizes_win_in_no_run)
{
    static const double swings[][4] = {{1, 1.03, 0.98, 1.01}, {1, 3, 0.4, 2}, {3, 3, 1, 1},
                                       {1, 1, 3, 3},          {2, 1, 1, 1},   {1, 1, 1, 2}};
    const double times[] = {1000, 1000, 1000, 1000};
    struct prof_decision d;

    for (unsigned launches = 1; launches <= PROF_FEW_LAUNCHES; launches++)
        for (unsigned i = 0; i < sizeof swings / sizeof *swings; i++) {
            const unsigned runs = runs_until_decided(launches, 4, times, swings[i], &d);
            ck_assert_uint_lt(runs, 100);
            ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
        }
}

TEST(the_oldest_samples_of_earlier_runs_go)
{
    struct prof_past past = {.launches = 1};

    for (unsigned i = 0; i < PROF_PAST_OWN + 2; i++)
        prof_past_add_own(&past, i + 1);
    ck_assert_uint_eq(past.nown, PROF_PAST_OWN);
    ck_assert_double_eq(past.own[0], 3);
    ck_assert_double_eq(past.own[PROF_PAST_OWN - 1], PROF_PAST_OWN + 2);
}

int main(void)
{
    return run_tests("resume", NULL, NULL);
}
