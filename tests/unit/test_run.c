/* prof_run against a scripted device: decisions, coverage, and the account to the nanosecond. */
#include "run_suite.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include "profiler/profiler.h"

#define ROWS    4096
#define COLUMNS 64

/* One device: nanoseconds per work-item by the first extent of the local size, faults on demand. */
static struct {
    double item_ns[1025];
    int64_t overhead[1025]; /* of every run */
    int64_t compile[1025];  /* of the first run */
    int fail[1025];         /* runs with this size return this */
    int fail_at;            /* the run with this number, from 1, returns fail_with */
    int fail_with;
    int clock_step; /* the clock goes by this instead of the run's time, if not 0 */
    bool zero_time; /* measured times are 0 */
    int64_t now;
    unsigned runs, last_rows;
    unsigned char count[ROWS]; /* how often each row has run (or is enqueued) */
    bool known[1025];
    int64_t total_ns; /* execution time of everything that ran */
} dev;

static struct prof_policy policy;
static struct launch launch;
static struct prof_race race;
static struct prof_plan plan;
static struct prof_account account;
static size_t done;

static int fake_run(void *ctx, const struct prof_range *range, const size_t local[3], int64_t *ns,
                    int64_t *overhead_ns)
{
    size_t x = local[0];
    int err = ++dev.runs == (unsigned)dev.fail_at ? dev.fail_with : dev.fail[x];
    double time = dev.item_ns[x] * (double)(range->size[0] * range->size[1]);

    ck_assert_ptr_eq(ctx, &dev);
    ck_assert(range->size[0] == COLUMNS && range->offset[0] == launch.offset[0] && range->size[2] == 1);
    ck_assert_uint_ge(range->offset[1], launch.offset[1]);
    ck_assert_uint_le(range->offset[1] - launch.offset[1] + range->size[1], ROWS);
    if (local[1])
        ck_assert_uint_eq(range->size[1] % local[1], 0);
    dev.now += dev.clock_step ? dev.clock_step : (int64_t)time + 1000;
    if (err && err != -ETIMEDOUT)
        return err;
    for (size_t i = 0; i < range->size[1]; i++)
        dev.count[range->offset[1] - launch.offset[1] + i]++;
    dev.last_rows = (unsigned)range->size[1];
    if (err)
        return err;
    *ns = dev.zero_time ? 0 : (int64_t)time;
    *overhead_ns = dev.overhead[x] + (dev.known[x] ? 0 : dev.compile[x]);
    dev.known[x] = true;
    dev.total_ns += *ns;
    return 0;
}

static int64_t fake_now(void *ctx)
{
    (void)ctx;
    return dev.now;
}

static const struct prof_ops ops = {.run = fake_run, .now = fake_now, .ctx = &dev};

/* Own size 8x8; candidates 64x4, 16x4, 32x2; all as fast as each other until told otherwise. */
static void setup(void)
{
    struct candidate c[] = {{.local = {8, 8, 1}, .own = true, .time_ns = 4e9},
                            {.local = {64, 4, 1}, .time_ns = 1e9},
                            {.local = {16, 4, 1}, .time_ns = 2e9},
                            {.local = {32, 2, 1}, .time_ns = 3e9}};

    memset(&dev, 0, sizeof dev);
    for (int i = 0; i < 1025; i++)
        dev.item_ns[i] = 100;
    dev.now = 1000;
    policy =
        (struct prof_policy){.effort = PROF_PATIENT, .budget = 0.05, .margin = 0.03, .min_slice_ns = 1000};
    launch = (struct launch){.dim = 2, .global = {COLUMNS, ROWS, 1}, .offset = {3, 7, 0}, .local = {8, 8, 1}};
    plan = (struct prof_plan){.mode = PROF_SLICES, .dim = 1, .grain = 8, .slice = 32, .budget_items = 2048};
    account = (struct prof_account){.compile_ns = -1};
    prof_race_begin(&race, c, 4, &policy);
}

static void measure_effort(void)
{
    policy.effort = race.effort = PROF_MEASURE;
    race.rounds = 3;
}

static void run(void)
{
    done = prof_run(&plan, &launch, &race, &account, &policy, &ops);
}

/* How many samples the race has, the warm-up included. */
static unsigned samples(void)
{
    unsigned n = race.warm;

    for (unsigned i = 0; i < race.n; i++)
        n += race.lane[i].samples;
    return n;
}

/* Every row before `done` ran exactly once, none beyond. */
static void check_coverage(void)
{
    ck_assert_uint_le(done, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        if (dev.count[i] != (i < done))
            ck_abort_msg("row %zu ran %u times, done %zu", i, dev.count[i], done);
}

static struct prof_decision decide(void)
{
    struct prof_decision d;

    prof_race_decide(&race, &policy, &d);
    return d;
}

TEST(slices_find_the_winner)
{
    dev.item_ns[16] = 50;
    run();
    check_coverage();
    ck_assert_int_eq(prof_race_next(&race), -1);
    struct prof_decision d = decide();
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(race.lane[d.winner].local[0], 16);
    ck_assert_double_eq_tol(d.gain, 2, 1e-3);
    ck_assert_uint_eq(dev.runs * 32, done);
    ck_assert_int_eq(account.observed_ns, dev.total_ns);
}

TEST(flat_curves_keep_the_own_size)
{
    run();
    check_coverage();
    ck_assert_int_eq(decide().outcome, PROF_NO_GAIN);
    ck_assert_int_eq(account.spent_ns, 0);
}

TEST(account_to_the_nanosecond)
{
    dev.item_ns[64] = 500;
    dev.item_ns[16] = 40;
    dev.compile[64] = 11111;
    dev.compile[16] = 2222;
    dev.overhead[8] = 7;
    run();
    check_coverage();
    const int64_t slice = 32 * COLUMNS;
    unsigned own = race.lane[0].samples + 1, fast = race.lane[2].samples;
    ck_assert_uint_eq(race.lane[1].samples, 1); /* dropped at once */
    ck_assert_int_eq(account.spent_ns, slice * 400 + 11111 + 2222 + own * 7);
    ck_assert_int_eq(account.saved_ns, slice * 60 * fast);
    ck_assert_int_eq(account.observed_ns, dev.total_ns);
    /* learned: 11111, then two more first launches */
    ck_assert_int_eq(account.compile_ns, (3 * ((3 * 11111 + 2222) / 4) + 0) / 4);
}

TEST(a_failing_candidate_loses_no_work)
{
    dev.fail[64] = -EIO;
    dev.item_ns[16] = 50;
    run();
    check_coverage();
    ck_assert(race.lane[1].failed && race.lane[1].dropped);
    ck_assert_uint_eq(race.lane[1].samples, 0);
    ck_assert_int_eq(decide().outcome, PROF_WON);
}

TEST(all_candidates_failing)
{
    dev.fail[64] = dev.fail[16] = dev.fail[32] = -ENOMEM;
    run();
    check_coverage();
    ck_assert_int_eq(prof_race_next(&race), -1);
    ck_assert_int_eq(decide().outcome, PROF_NO_GAIN);
    ck_assert_int_gt(account.spent_ns, 0); /* failing took time */
}

TEST(own_size_failing_stops)
{
    dev.fail[8] = -EIO;
    run();
    check_coverage();
    ck_assert_uint_eq(done, 0);
    ck_assert_uint_eq(dev.runs, 1);
    ck_assert(!race.lane[0].dropped);
    setup();
    dev.fail_at = 3;
    dev.fail_with = -EIO;
    run();
    check_coverage();
    ck_assert_uint_eq(done, 64);
}

TEST(retry_failing_too_stops)
{
    dev.fail[64] = -EIO;
    dev.fail_at = 7; /* warm-up and five of the own size, the candidate, then the retry */
    dev.fail_with = -EIO;
    run();
    check_coverage();
    ck_assert_uint_ge(dev.runs, 7);
    setup();
    dev.fail[64] = -EIO;
    dev.fail_at = 8;
    dev.fail_with = -ENOMEM;
    run();
    check_coverage();
    ck_assert_uint_eq(dev.runs, 8);
    ck_assert_uint_eq(done, 6 * 32);
}

TEST(timeouts_count_as_enqueued)
{
    for (int at = 1; at < 30; at++) {
        setup();
        dev.fail_at = at;
        dev.fail_with = -ETIMEDOUT;
        run();
        check_coverage();
        if (dev.runs == (unsigned)at) {
            ck_assert_uint_eq(done, (size_t)at * 32);
            ck_assert_uint_eq(samples(), (unsigned)at - 1);
            ck_assert(!race.decided);
        }
    }
}

TEST(timeout_of_the_retry)
{
    dev.fail[64] = -EIO;
    dev.fail_at = 8;
    dev.fail_with = -ETIMEDOUT;
    run();
    check_coverage();
    ck_assert_uint_eq(dev.runs, 8);
    ck_assert_uint_eq(done, 7 * 32);
}

TEST(any_fault_anywhere_runs_everything_once)
{
    static const int faults[] = {-EIO, -ETIMEDOUT, -ENOMEM, -EINVAL};
    static const unsigned sizes[] = {8, 64, 16, 32};

    for (unsigned f = 0; f < 4; f++)
        for (unsigned s = 0; s < 4; s++)
            for (int at = 0; at < 40; at++) {
                setup();
                dev.fail[sizes[s]] = at % 2 ? faults[f] : 0;
                dev.fail_at = at;
                dev.fail_with = faults[(f + s) % 4];
                run();
                check_coverage();
            }
}

TEST(clocks_that_lie)
{
    dev.clock_step = -500;
    run();
    check_coverage();
    ck_assert_int_eq(decide().outcome, PROF_NO_GAIN);
    setup();
    dev.zero_time = true;
    run();
    check_coverage();
    ck_assert_uint_eq(samples(), 0);
    ck_assert_uint_le(dev.runs, 3);
    ck_assert_int_eq(decide().outcome, PROF_NO_GAIN);
    ck_assert_int_eq(account.observed_ns, 0);
}

TEST(items_used_up_leaves_the_race_open)
{
    plan.budget_items = 5 * 32;
    run();
    check_coverage();
    ck_assert_uint_eq(done, 5 * 32);
    ck_assert_int_ge(prof_race_next(&race), 0);
    memset(dev.count, 0, sizeof dev.count); /* the next launch goes on */
    plan.budget_items = 2048;
    run();
    check_coverage();
    ck_assert_int_eq(prof_race_next(&race), -1);
}

TEST(short_samples_make_slices_longer)
{
    policy.min_slice_ns = 4 * 32 * COLUMNS * 100;
    run();
    check_coverage();
    ck_assert_uint_gt(dev.last_rows, 4 * 32 - 8);
    ck_assert_uint_eq(dev.last_rows % plan.grain, 0);
    setup();
    policy.min_slice_ns = INT64_MAX; /* cannot be reached */
    run();
    check_coverage();
    ck_assert_uint_eq(dev.runs, 1);
}

TEST(estimate_does_nothing)
{
    policy.effort = PROF_ESTIMATE;
    run();
    ck_assert_uint_eq(dev.runs, 0);
    ck_assert_uint_eq(done, 0);
}

TEST(other_modes_do_nothing)
{
    plan.mode = PROF_LAUNCHES;
    run();
    plan.mode = PROF_NONE;
    run();
    ck_assert_uint_eq(dev.runs, 0);
}

TEST(without_account_nothing_is_spent)
{
    measure_effort();
    for (unsigned i = 0; i < race.n; i++)
        race.lane[i].predicted_ns = 0; /* the model promises nothing */
    plan.compile_ns = 1000000;
    plan.item_ns = 100;
    run();
    ck_assert_uint_eq(dev.runs, 0);
    ck_assert_int_eq(account.spent_ns, 0);
}

TEST(huge_compilation_is_not_paid_for)
{
    measure_effort();
    plan.compile_ns = 10000000000; /* ten seconds against 26 ms of work and a small history */
    plan.item_ns = 100;
    account.observed_ns = 1000000;
    run();
    ck_assert_uint_eq(dev.runs, 0);
}

TEST(huge_compilation_is_learned)
{
    measure_effort();
    dev.compile[64] = 10000000000;
    plan.item_ns = 100;
    account.observed_ns = 1000000000;
    run();
    check_coverage();
    ck_assert_int_eq(account.compile_ns, 10000000000);
    ck_assert(race.lane[1].tried && !race.lane[2].tried && !race.lane[3].tried);
}

/* One candidate is cheap and looks faster, though not by enough; the others are too dear to compile. */
TEST(repeated_runs_are_not_made_in_vain)
{
    measure_effort();
    plan.mode = PROF_RERUN;
    plan.item_ns = 100;
    account.compile_ns = 10000000000;
    account.observed_ns = 20000000000;
    race.lane[0].known = race.lane[1].known = true;
    dev.item_ns[64] = 98;
    run();
    ck_assert_uint_eq(race.lane[1].samples, 1);
    ck_assert(!race.lane[2].tried && !race.lane[3].tried);
}

TEST(measure_stays_within_the_budget)
{
    measure_effort();
    for (unsigned i = 0; i < race.n; i++)
        race.lane[i].predicted_ns = 0;
    plan.item_ns = 100;
    for (int i = 0; i < 1025; i++)
        dev.item_ns[i] = i == 8 ? 100 : 190;
    for (int n = 0; n < 50; n++) {
        account.observed_ns += (int64_t)ROWS * COLUMNS * 10;
        memset(dev.count, 0, sizeof dev.count);
        run();
        check_coverage();
        ck_assert_double_le((double)account.spent_ns, 0.05 * (double)account.observed_ns);
    }
    ck_assert_int_eq(prof_race_next(&race), -1); /* in the end there was enough for all of them */
}

TEST(the_first_launch_pays_for_itself)
{
    measure_effort();
    plan.item_ns = 200; /* the model promises four times the speed on 52 ms */
    plan.compile_ns = 100000;
    for (int i = 0; i < 1025; i++)
        dev.item_ns[i] = 200;
    dev.item_ns[64] = 50;
    run();
    check_coverage();
    struct prof_decision d = decide();
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(race.lane[d.winner].local[0], 64);
}

TEST(misfits_are_dropped)
{
    plan.grain = 8;
    race.lane[2].local[1] = 5;
    run();
    check_coverage();
    ck_assert(race.lane[2].dropped && !race.lane[2].failed && !race.lane[2].tried);
}

TEST(the_drivers_choice_is_a_lane_like_others)
{
    memset(race.lane[0].local, 0, sizeof race.lane[0].local);
    dev.item_ns[64] = 50;
    run();
    check_coverage();
    ck_assert_int_eq(decide().outcome, PROF_WON);
}

/* ---- rerun ----------------------------------------------------------------------------------------- */

static void check_first_slice_only(void)
{
    ck_assert(done == 0 || done == plan.slice);
    for (size_t i = 0; i < ROWS; i++)
        if ((dev.count[i] > 0) != (i < done))
            ck_abort_msg("row %zu, done %zu", i, done);
}

static void rerun_setup(void)
{
    setup();
    plan.mode = PROF_RERUN;
    plan.budget_items = plan.slice;
}

TEST(rerun_stays_on_the_first_slice)
{
    rerun_setup();
    dev.item_ns[16] = 50;
    dev.compile[16] = 12345;
    run();
    check_first_slice_only();
    ck_assert_uint_eq(done, 32);
    struct prof_decision d = decide();
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(race.lane[d.winner].local[0], 16);
    /* one run was productive, the rest was spent */
    const int64_t productive = 32 * COLUMNS * 100;
    ck_assert_int_eq(account.observed_ns, productive);
    ck_assert_int_eq(account.spent_ns, dev.total_ns - productive + 12345);
    ck_assert_int_eq(account.saved_ns, 0);
}

TEST(rerun_faults)
{
    static const int faults[] = {-EIO, -ETIMEDOUT};

    for (int f = 0; f < 2; f++)
        for (int at = 1; at < 30; at++) {
            rerun_setup();
            dev.fail_at = at;
            dev.fail_with = faults[f];
            run();
            check_first_slice_only();
            if (at == 1)
                ck_assert_uint_eq(done, faults[f] == -ETIMEDOUT ? plan.slice : 0);
            else
                ck_assert_uint_eq(done, plan.slice);
        }
}

TEST(rerun_goes_on_in_the_next_launch)
{
    rerun_setup();
    dev.item_ns[32] = 60;
    dev.fail_at = 9;
    dev.fail_with = -ETIMEDOUT;
    run();
    ck_assert_uint_eq(dev.runs, 9);
    unsigned before = race.lane[0].samples;
    memset(dev.count, 0, sizeof dev.count);
    run();
    check_first_slice_only();
    ck_assert_uint_ge(race.lane[0].samples, before);
    ck_assert_uint_eq(race.lane[decide().winner].local[0], 32);
}

TEST(rerun_too_short_for_the_clock_stops)
{
    rerun_setup();
    policy.min_slice_ns = INT64_MAX;
    run();
    check_first_slice_only();
    ck_assert_uint_eq(dev.runs, 1);
}

int main(void)
{
    return run_tests("run", setup, NULL);
}
