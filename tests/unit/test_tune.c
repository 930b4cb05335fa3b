/* test_tune.c - a site from its first launch to a decision, on a scripted driver (shim/tune/tune.c). */
#include "scripted_driver.h"
#include <limits.h>
#include "shim/calls/intercept.h"
#include "shim/guest/clock.h"
#include "shim/site/site_report.h"

#define ITEMS 1048576 /* a millisecond */
#define OWN   16

TEST(a_faster_size_wins)
{
    struct shim_site *s;

    script_analysed(script_map);
    script.item_ns = script_wide;
    script_repeat(100, ITEMS, OWN);
    s = script_site(ITEMS, OWN);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert(!s->keep);
    ck_assert_uint_ge(s->choice[0], 64);
    ck_assert_uint_eq(script_last(), s->choice[0]);
    ck_assert_uint_eq(script_totals().retuned, 1);
    ck_assert_uint_eq(script_said("faster"), 1);
}

TEST(the_own_size_is_kept_without_a_gain)
{
    script_analysed(script_map);
    script_repeat(400, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert(script_site(ITEMS, OWN)->keep);
    ck_assert_uint_eq(script_last(), OWN);
    ck_assert_uint_eq(script_totals().kept, 1);
    ck_assert_uint_eq(script_said("no-gain"), 1);
}

/* The driver says 256, and makes launches of 1024: Mesa's says 32 of most kernels. */
TEST(the_own_size_may_be_above_the_limit)
{
    script_analysed(script_map);
    script_repeat(100, ITEMS, 1024);
    ck_assert_int_eq(site_state(script_site(ITEMS, 1024)), SITE_DECIDED);
    for (unsigned i = 0; i < script.nlaunch; i++)
        ck_assert(script.launch[i].local[0] <= 256 || script.launch[i].local[0] == 1024);
}

TEST(what_shows_the_local_id_is_left_alone)
{
    script_analysed(script_local);
    script.item_ns = script_wide;
    script_repeat(50, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_REFUSED);
    for (unsigned i = 0; i < script.nlaunch; i++)
        ck_assert_uint_eq(script.launch[i].local[0], OWN);
    ck_assert_uint_eq(script_said("local-id-observed"), 1);
}

TEST(nothing_happens_before_the_analysis)
{
    script.item_ns = script_wide;
    script_repeat(50, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_NEW);
    ck_assert_uint_eq(script.nlaunch, 50);
    ck_assert_uint_eq(script_last(), OWN);
    script_analysed(script_map);
    script_repeat(50, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
}

/* All is enqueued before its times are known, and no further launch comes. */
TEST(a_wait_is_an_occasion_to_analyse)
{
    script.asleep = true;
    script_repeat(3, 64 * ITEMS, OWN);
    ck_assert_uint_eq(script.asked, 0);
    ck_assert_int_eq(shim_clFinish(script_queue()), CL_SUCCESS);
    ck_assert_uint_eq(script.asked, 1);
}

TEST(a_short_wait_is_none)
{
    script.asleep = true;
    script_repeat(3, ITEMS, OWN); /* 3 ms in all */
    ck_assert_int_eq(shim_clFinish(script_queue()), CL_SUCCESS);
    ck_assert_uint_eq(script.asked, 0);
}

static int rounds;

static double by_rounds(const size_t local[3])
{
    return (50 + rounds) * (local[0] >= 64 ? 0.75 : 1);
}

/* By its arguments each launch does up to fifty times as much as the one before. */
TEST(unequal_launches_are_compared)
{
    static const int wanted[] = {100, 100, 700, 40, 2000, 350, 1400, 60, 900};
    struct shim_site *s;

    script_analysed(script_rounds);
    script.item_ns = by_rounds;
    for (unsigned i = 0; i < 100; i++) {
        rounds = wanted[i % (sizeof wanted / sizeof *wanted)];
        script_set_n(rounds);
        script_repeat(1, ITEMS, OWN);
    }
    s = script_site(ITEMS, OWN);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert(!s->keep);
    ck_assert_uint_ge(s->choice[0], 64);
    ck_assert_double_lt(s->race.noise, 0.5); /* without, it is above 1 */
}

/* A program that has just begun: its analysis would slow its kernels down, unless a core has time for it. */
TEST_WITH(script_begin_cpu, script_end, idle_cores_pay_for_the_analysis)
{
    script_runtime.started_ns = clock_now();
    script_repeat(1, ITEMS, OWN);
    atomic_store(&script_site(ITEMS, OWN)->entry->build->state, ANA_IDLE); /* nobody has begun */
    script_repeat(10, ITEMS, OWN);
    ck_assert_uint_eq(script.asked, 0);
    script.spare_ns = 200000000;
    script_repeat(1, ITEMS, OWN);
    ck_assert_uint_eq(script.asked, 1);
}

TEST(short_programs_are_not_looked_at)
{
    script_analysed(script_map);
    script.item_ns = script_wide;
    script_repeat(100, 1024, OWN); /* 0.1 ms */
    ck_assert_int_eq(site_state(script_site(1024, OWN)), SITE_NEW);
    ck_assert_uint_eq(script_last(), OWN);
}

TEST(the_model_alone_decides_at_once)
{
    script_runtime.opt.effort = PROF_ESTIMATE;
    script_analysed(script_map);
    script_repeat(1, ITEMS, OWN);
    ck_assert(!site_is_open(script_site(ITEMS, OWN)));
    ck_assert_uint_eq(script.nlaunch, 1);
    ck_assert_uint_eq(script_said("model"), 1);
}

TEST(a_dry_run_changes_nothing)
{
    script_runtime.opt.dry_run = true;
    script_analysed(script_map);
    script.item_ns = script_wide;
    script_repeat(100, ITEMS, OWN);
    for (unsigned i = 0; i < script.nlaunch; i++)
        ck_assert_uint_eq(script.launch[i].local[0], OWN);
    ck_assert_uint_eq(script_said("decision"), 1);
}

TEST(no_other_size_is_legal)
{
    script_analysed(script_reqd);
    script.item_ns = script_wide;
    script_repeat(20, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_REFUSED);
    ck_assert_uint_eq(script_said("required-size"), 1);
    ck_assert_uint_eq(script_last(), OWN);
}

TEST(shapes_are_decided_one_by_one)
{
    script_analysed(script_map);
    script.item_ns = script_wide;
    for (int i = 0; i < 100; i++) {
        script_repeat(1, ITEMS, OWN);
        script_repeat(1, 2 * ITEMS, 64);
    }
    ck_assert(!script_site(ITEMS, OWN)->keep);
    ck_assert(script_site(2 * ITEMS, 64)->keep);
}

/* Twelve shapes of a millisecond, each launched so often. */
static void try_short_shapes(unsigned launches)
{
    for (size_t i = 1; i <= 12; i++)
        script_repeat(launches, ITEMS + i * 1024, OWN);
}

TEST(patience_does_not_begin_with_what_is_short)
{
    script_runtime.opt.effort = PROF_PATIENT;
    script_analysed(script_map);
    script.item_ns = script_wide;
    try_short_shapes(3);
    for (size_t i = 1; i <= 12; i++)
        ck_assert_int_eq(site_state(script_site(ITEMS + i * 1024, OWN)), SITE_NEW);
    ck_assert_uint_eq(script.nlaunch, 36);
    for (unsigned i = 0; i < script.nlaunch; i++)
        ck_assert_uint_eq(script.launch[i].local[0], OWN);
}

TEST(patience_is_for_where_the_time_is)
{
    script_runtime.opt.effort = PROF_PATIENT;
    script_analysed(script_map);
    script.item_ns = script_wide;
    try_short_shapes(8);
    script_repeat(2, 64 * ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(64 * ITEMS, OWN)), SITE_DECIDED);
    ck_assert_uint_ge(script_last(), 64);
}

/* Launches with another n each time. */
static void repeat_changing(int n, int from)
{
    while (n--) {
        script_set_n(from++);
        script_repeat(1, ITEMS, OWN);
    }
}

/* Launches that were given another size, from the one with this number on. */
static unsigned others(unsigned i)
{
    unsigned n = 0;

    for (; i < script.nlaunch; i++)
        n += script.launch[i].local[0] != OWN;
    return n;
}

/* Each launch needs a proof of its own, which is made if it is to have another size. */
TEST(only_what_is_changed_is_proved)
{
    struct shim_site *s;
    unsigned proved;

    script_runtime.opt.variants = OPT_SIZES;
    script_runtime.opt.mode = PROF_LAUNCHES;
    script_analysed(script_spread);
    repeat_changing(200, 1);
    s = script_site(ITEMS, OWN);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert(s->keep);
    proved = atomic_load(&s->proofs.launches.made);
    ck_assert_uint_gt(others(0), 0);
    ck_assert_uint_le(proved, others(0) + 1); /* and one to begin with */
}

TEST(proofs_are_paid_for)
{
    struct report_totals totals;
    struct shim_site *s;
    int64_t proofs;

    script_analysed(script_spread);
    repeat_changing(3, 1);
    s = script_site(ITEMS, OWN);
    proofs = atomic_load(&s->proof_ns);
    ck_assert_int_gt(proofs, 0);
    ck_assert_int_ge(s->account.spent_ns, proofs);
    script.item_ns = script_wide;
    repeat_changing(200, 4);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert_int_gt(atomic_load(&s->proof_ns), proofs); /* since then without the lock */
    report_open_sites(&script_runtime, &totals);
    ck_assert_int_ge(s->account.spent_ns, atomic_load(&s->proof_ns));
}

/* ... and not while the account has nothing for another size. */
TEST(what_cannot_be_paid_is_not_proved)
{
    struct shim_site *s;

    script_runtime.opt.variants = OPT_SIZES;
    script_runtime.opt.mode = PROF_LAUNCHES;
    script_analysed(script_spread);
    script.item_ns = script_wide;
    repeat_changing(1, 1);
    s = script_site(ITEMS, OWN);
    s->account.spent_ns = (int64_t)1 << 60;
    repeat_changing(100, 2);
    ck_assert_int_eq(site_state(s), SITE_RACING);
    ck_assert_uint_eq(others(0), 0);
    ck_assert_uint_le(atomic_load(&s->proofs.launches.made), 2); /* to recall wisdom, and to begin the race */
}

/* Most short launches need no look while the account has nothing for another size; all are on it. */
TEST(what_cannot_be_paid_is_not_looked_at)
{
    const size_t items = 16384; /* 16 us */
    struct shim_site *s;
    unsigned looks = 0;

    script_runtime.opt.variants = OPT_SIZES;
    script_runtime.opt.mode = PROF_LAUNCHES;
    script_runtime.opt.analyse_after = 0;
    script.item_ns = script_wide;
    script_repeat(10, items, OWN);
    s = script_site(items, OWN);
    s->account.spent_ns = (int64_t)1 << 60;
    script_analysed(script_map);
    script_repeat(70, items, OWN);
    ck_assert_int_eq(site_state(s), SITE_RACING);
    for (int i = 0; i < 160; i++) {
        looks += atomic_load(&s->coast) == 0;
        script_repeat(1, items, OWN);
    }
    ck_assert_uint_eq(others(0), 0);
    ck_assert_uint_eq(looks, 2);
    ck_assert_int_ge(s->account.observed_ns, 192 * 16384); /* up to the last look */
}

TEST(what_is_proved_anew_may_change)
{
    script_analysed(script_spread);
    script.item_ns = script_wide;
    repeat_changing(200, 1);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert_uint_ge(script_last(), 64);
}

/* Launches that count in an argument are proved together. */
static struct shim_site *counting(void)
{
    struct shim_site *s;

    script_runtime.opt.variants = OPT_SIZES;
    script_analysed(script_shift);
    script.item_ns = script_wide;
    repeat_changing(200, 2 * ITEMS);
    s = script_site(ITEMS, OWN);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert_uint_ge(script_last(), 64);
    return s;
}

TEST(one_proof_serves_many)
{
    const struct shim_site *s = counting();
    const unsigned from = script.nlaunch, alone = atomic_load(&s->proofs.layouts.made);

    ck_assert_uint_le(alone, 3); /* nor does each sample of the race need one */
    repeat_changing(1000, 2 * ITEMS + 200);
    ck_assert_uint_eq(others(from), 1000);
    ck_assert_uint_le(atomic_load(&s->proofs.layouts.made), alone + 1);
    ck_assert_uint_le(s->proofs.tries, 8);
}

/* ... and only those for which that holds. */
TEST(a_proof_serves_no_more)
{
    const int refused[] = {1, 5, ITEMS - 1, -1, 1, 2}, allowed[] = {0, ITEMS, ITEMS + 1, 3 * ITEMS, INT_MAX};

    counting();
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        script_set_n(refused[i]);
        script_repeat(1, ITEMS, OWN);
        ck_assert_uint_eq(script_last(), OWN);
    }
    for (unsigned i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        script_set_n(allowed[i]);
        script_repeat(1, ITEMS, OWN);
        ck_assert_uint_ge(script_last(), 64);
    }
    repeat_changing(200, ITEMS - 100); /* bounds that are too wide are not proved */
    for (unsigned i = 0; i < 200; i++)
        ck_assert(script.launch[script.nlaunch - 200 + i].local[0] == OWN || i >= 100);
}

/* What holds for no two of them is not tried for ever. */
TEST(what_is_proved_for_none_is_given_up)
{
    struct shim_site *s;

    script_runtime.opt.variants = OPT_SIZES;
    script_analysed(script_spread);
    script.item_ns = script_wide;
    repeat_changing(400, 1);
    s = script_site(ITEMS, OWN);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert_uint_gt(s->proofs.tries, 0);
    ck_assert_uint_le(s->proofs.tries, 24);
    ck_assert_uint_eq(others(script.nlaunch - 100), 100); /* each is still proved alone */
}

int main(void)
{
    return run_tests("tune", script_begin, script_end);
}
