/* prof_batch: what is enqueued before anything of it is known. */
#include "run_suite.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include "profiler/profiler.h"

#define ROWS    4096
#define COLUMNS 64
#define ROOM    8

static struct prof_policy policy;
static struct launch launch;
static struct prof_race race;
static struct prof_plan plan;
static struct prof_account account;
static struct prof_part part[ROOM + 40];
static size_t done;

static void setup(void)
{
    struct candidate c[] = {{.local = {8, 8, 1}, .own = true, .time_ns = 100},
                            {.local = {64, 4, 1}, .time_ns = 100},
                            {.local = {16, 4, 1}, .time_ns = 100}};

    policy =
        (struct prof_policy){.effort = PROF_PATIENT, .budget = 0.05, .margin = 0.03, .min_slice_ns = 1000};
    launch = (struct launch){.dim = 2, .global = {COLUMNS, ROWS, 1}, .offset = {3, 7, 0}, .local = {8, 8, 1}};
    plan = (struct prof_plan){
        .mode = PROF_SLICES, .dim = 1, .grain = 8, .slice = 32, .budget_items = 2048, .item_ns = 100};
    account = (struct prof_account){.compile_ns = -1};
    prof_race_begin(&race, c, 3, &policy);
}

static unsigned batch(unsigned room)
{
    const unsigned n = prof_batch(&plan, &launch, &race, &account, &policy, part, room);

    done = 0;
    for (unsigned i = 0; i < n; i++)
        done += part[i].repeated ? 0 : part[i].range.size[plan.dim];
    return n;
}

/* The samples come back; lane i takes times[i] ns per work-item. */
static void harvest(unsigned n, const int64_t *times)
{
    for (unsigned i = 0; i < n; i++) {
        const size_t items = part[i].range.size[0] * part[i].range.size[1];
        const int64_t ns = times[part[i].lane] * (int64_t)items;
        prof_charge(&account, &race, part[i].lane, items, ns, 0, part[i].repeated);
        if (part[i].record)
            prof_race_add(&race, part[i].lane, items, ns, 0);
    }
}

TEST(slices_follow_each_other)
{
    const unsigned n = batch(ROOM);

    ck_assert_uint_eq(n, ROOM);
    ck_assert_uint_eq(done, n * plan.slice);
    for (unsigned i = 0; i < n; i++) {
        ck_assert_uint_eq(part[i].range.offset[0], 3);
        ck_assert_uint_eq(part[i].range.offset[1], 7 + i * plan.slice);
        ck_assert_uint_eq(part[i].range.size[0], COLUMNS);
        ck_assert_uint_eq(part[i].range.size[1], plan.slice);
        ck_assert(part[i].record && !part[i].repeated);
    }
}

/* What is planned blindly is what would have been done with open eyes, if all are equally fast. */
TEST(the_order_is_that_of_the_race)
{
    struct prof_race seen = race;
    const unsigned n = batch(30);

    for (unsigned i = 0; i < n; i++) {
        ck_assert_int_eq(prof_race_next(&seen), (int)part[i].lane);
        prof_race_assume(&seen, part[i].lane);
    }
    ck_assert_int_eq(prof_race_next(&seen), -1); /* no leader, no duel */
    ck_assert_uint_eq(part[0].lane, 0);
    ck_assert_uint_eq(seen.lane[1].samples, race.rounds);
}

TEST(launch_after_launch_decides)
{
    const int64_t times[] = {100, 120, 40};
    struct prof_decision d;
    unsigned launches = 0, n;

    while (prof_race_next(&race) >= 0 && (n = batch(ROOM)) > 0) {
        harvest(n, times);
        ck_assert_uint_lt(++launches, 10);
    }
    prof_race_decide(&race, &policy, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(d.winner, 2);
}

/* After the rounds a size that won its pairs is measured in turn with the own one, but not for ever. */
TEST(pairs_are_planned_with_the_own_size)
{
    static const int64_t own[] = {9000, 4000, 8000};
    unsigned step = 0, turns = 0, n;

    while (race.lane[1].samples < race.rounds || race.lane[0].samples < 2 * race.rounds) {
        const int lane = prof_race_next(&race);
        ck_assert_int_ge(lane, 0);
        prof_race_add(&race, (unsigned)lane, 1,
                      lane == 0   ? own[step < 2 ? step++ : 2]
                      : lane == 1 ? 5000
                                  : 90000,
                      0);
    }
    ck_assert_uint_eq(prof_race_leader(&race), 0);
    n = batch(ROOM + 40);
    ck_assert_uint_ge(n, 4);
    ck_assert_uint_lt(n, ROOM + 40);
    for (unsigned i = 1; i < n; i++)
        turns += (part[i].lane == 0) != (part[i - 1].lane == 0);
    ck_assert_uint_eq(turns, n - 1);
}

TEST(nothing_beyond_the_plan)
{
    plan.budget_items = 3 * plan.slice + 1;
    ck_assert_uint_eq(batch(ROOM), 3);
    ck_assert_uint_eq(done, 3 * plan.slice);
    plan.budget_items = plan.slice - 1;
    ck_assert_uint_eq(batch(ROOM), 0);
    ck_assert_uint_eq(done, 0);
    plan.mode = PROF_SANDBOX; /* cannot be deferred */
    ck_assert_uint_eq(batch(ROOM), 0);
}

TEST(nothing_beyond_the_account)
{
    unsigned candidates = 0;

    policy.effort = race.effort = PROF_MEASURE;
    plan.compile_ns = account.compile_ns = 1000000;
    race.lane[0].tried = true;
    account.observed_ns = 25000000; /* pays for one compilation, and for that candidate to be slow */
    const unsigned n = batch(ROOM);
    for (unsigned i = 0; i < n; i++)
        candidates += part[i].lane != 0;
    ck_assert_uint_eq(candidates, 1);
    account.observed_ns = 0;
    ck_assert_uint_eq(batch(ROOM), 0);
}

TEST(reruns_are_of_the_first_slice)
{
    plan.mode = PROF_RERUN;
    plan.budget_items = plan.slice;
    const unsigned n = batch(ROOM);
    ck_assert_uint_eq(n, ROOM);
    ck_assert_uint_eq(done, plan.slice);
    ck_assert(!part[0].repeated && part[0].lane == 0 && part[0].record); /* the race's warm-up */
    for (unsigned i = 0; i < n; i++) {
        ck_assert_uint_eq(part[i].range.offset[1], 7);
        ck_assert(part[i].repeated == (i > 0));
    }
    race.warm = true;
    batch(ROOM);
    ck_assert(!part[0].record);
    ck_assert_uint_eq(batch(1), 0); /* no room for anything but the work itself */
    ck_assert_uint_eq(done, 0);
}

/* The own size's reruns are no work of the program's, either. */
TEST(reruns_are_paid_for)
{
    const int64_t each = plan.slice * COLUMNS * (size_t)plan.item_ns;
    int64_t repeated = 0;

    policy.effort = PROF_MEASURE;
    plan.mode = PROF_RERUN;
    plan.budget_items = plan.slice;
    for (unsigned i = 0; i < race.n; i++)
        race.lane[i].tried = true;
    account.granted_ns = 3 * each;
    const unsigned n = batch(ROOM);
    for (unsigned i = 0; i < n; i++)
        repeated += part[i].repeated ? each : 0;
    ck_assert_int_eq(repeated, account.granted_ns);
}

TEST(misfits_are_dropped)
{
    plan.grain = plan.slice = 4; /* 8 does not divide it, but the own size is the caller's affair */
    race.lane[2].local[1] = 3;
    batch(ROOM);
    ck_assert(race.lane[2].dropped && !race.lane[1].dropped);
}

int main(void)
{
    return run_tests("batch", setup, NULL);
}
