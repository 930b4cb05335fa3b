/* prof_run on copies: whatever fails, the originals are written once or left to the caller. */
#include "run_suite.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include "profiler/profiler.h"

#define ROWS    512
#define COLUMNS 64

static struct {
    double item_ns[1025];      /* by the first extent of the local size */
    int fail_at, fail_with;    /* the operation with this number, from 1, returns this */
    unsigned operations;       /* run and sandbox */
    unsigned char count[ROWS]; /* how often each row of the originals was written */
    int64_t now, in_place_ns, on_copies_ns;
} dev;

static struct prof_policy policy;
static struct launch launch;
static struct prof_race race;
static struct prof_plan plan;
static struct prof_account account;
static size_t done;

static int next_fault(void)
{
    return ++dev.operations == (unsigned)dev.fail_at ? dev.fail_with : 0;
}

static int64_t time_of(const struct prof_range *range, const size_t local[3])
{
    return (int64_t)(dev.item_ns[local[0]] * (double)(range->size[0] * range->size[1]));
}

static void write_rows(const struct prof_range *range)
{
    for (size_t i = 0; i < range->size[1]; i++)
        dev.count[range->offset[1] + i]++;
}

static int fake_run(void *ctx, const struct prof_range *range, const size_t local[3], int64_t *ns,
                    int64_t *overhead_ns)
{
    const int err = next_fault();

    ck_assert_ptr_eq(ctx, &dev);
    if (!err || err == -ETIMEDOUT)
        write_rows(range);
    if (err)
        return err;
    dev.now += *ns = time_of(range, local);
    *overhead_ns = 0;
    dev.in_place_ns += *ns;
    return 0;
}

static int fake_sandbox(void *ctx, const struct prof_range *range, const size_t local[3], int64_t *ns,
                        int64_t *overhead_ns)
{
    const int err = next_fault();

    ck_assert_ptr_eq(ctx, &dev);
    if (err)
        return err;
    dev.now += *ns = time_of(range, local);
    *overhead_ns = 0;
    dev.on_copies_ns += *ns;
    return 0;
}

static int64_t fake_now(void *ctx)
{
    (void)ctx;
    return dev.now;
}

static const struct prof_ops ops = {.run = fake_run, .sandbox = fake_sandbox, .now = fake_now, .ctx = &dev};

static void setup(enum prof_mode mode)
{
    struct candidate c[] = {{.local = {8, 8, 1}, .own = true, .time_ns = 4e9},
                            {.local = {64, 4, 1}, .time_ns = 1e9},
                            {.local = {16, 4, 1}, .time_ns = 2e9}};

    memset(&dev, 0, sizeof dev);
    for (int i = 0; i < 1025; i++)
        dev.item_ns[i] = 100;
    dev.item_ns[16] = 50;
    policy =
        (struct prof_policy){.effort = PROF_PATIENT, .budget = 0.05, .margin = 0.03, .min_slice_ns = 1000};
    launch = (struct launch){.dim = 2, .global = {COLUMNS, ROWS, 1}, .local = {8, 8, 1}};
    plan = (struct prof_plan){.mode = mode, .dim = 1, .grain = 8, .slice = 32, .budget_items = 32};
    if (mode == PROF_SWAP)
        plan.grain = plan.slice = plan.budget_items = ROWS;
    account = (struct prof_account){.compile_ns = -1};
    prof_race_begin(&race, c, 3, &policy);
}

/* Rows before `done` were written once, none beyond. */
static void run(void)
{
    done = prof_run(&plan, &launch, &race, &account, &policy, &ops);
    for (size_t i = 0; i < ROWS; i++)
        if (dev.count[i] != (i < done))
            ck_abort_msg("row %zu was written %u times, done %zu", i, dev.count[i], done);
}

static void expect_winner(size_t local)
{
    struct prof_decision d;

    ck_assert_int_eq(prof_race_next(&race), -1);
    prof_race_decide(&race, &policy, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(race.lane[d.winner].local[0], local);
}

TEST(a_sandbox_writes_one_slice_once)
{
    setup(PROF_SANDBOX);
    run();
    ck_assert_uint_eq(done, 32);
    expect_winner(16);
    ck_assert_int_eq(account.observed_ns, dev.in_place_ns);
    ck_assert_int_eq(account.spent_ns, dev.on_copies_ns);
}

TEST(a_swap_writes_nothing)
{
    setup(PROF_SWAP);
    run();
    ck_assert_uint_eq(done, 0);
    expect_winner(16);
    ck_assert_int_eq(dev.in_place_ns, 0);
    ck_assert_int_eq(account.spent_ns, dev.on_copies_ns);
}

TEST(faults_anywhere)
{
    static const enum prof_mode modes[] = {PROF_SANDBOX, PROF_SWAP};
    static const int faults[] = {-EIO, -ENOMEM, -ETIMEDOUT};

    for (int m = 0; m < 2; m++)
        for (int f = 0; f < 3; f++)
            for (int at = 1; at < 40; at++) {
                setup(modes[m]);
                dev.fail_at = at;
                dev.fail_with = faults[f];
                run();
                ck_assert(done == 0 || done == plan.slice);
            }
}

TEST(without_account_nothing_runs_on_copies)
{
    setup(PROF_SWAP);
    policy.effort = race.effort = PROF_MEASURE;
    race.lane[0].predicted_ns = 0;                                     /* nothing is promised */
    for (plan.item_ns = 0; plan.item_ns <= 100; plan.item_ns += 100) { /* unknown is not free */
        run();
        ck_assert_uint_eq(done, 0);
        ck_assert_uint_eq(dev.operations, 0);
    }
}

int main(void)
{
    return run_tests("copies", NULL, NULL);
}
