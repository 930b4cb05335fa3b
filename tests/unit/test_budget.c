/* Nothing that tuning does costs more than the account allows when it is asked, whatever compiling and noise
 * do; and what cannot be decided ends. */
#include "run_suite.h"

#include <math.h>
#include <string.h>
#include "profiler/profiler.h"

#define ITEMS  1000
#define LANES  7
#define WORLDS 60
#define RUNS   60

static const struct prof_policy measure = {.effort = PROF_MEASURE, .budget = 0.05, .margin = 0.03};

/* A program that launches a shape again and again, run after run. */
struct world {
    unsigned launches;        /* of a run */
    double own_ns;            /* of a launch */
    double time[LANES];       /* of a launch with a lane, relative to that */
    double compile_ns[LANES]; /* of a lane: 0, or more than anybody expects */
    double build_ns;          /* of a variant, which are the last two lanes */
    double noise;             /* launches take up to 1 + noise times as long */
};

static struct world world;
static struct prof_race race;
static struct prof_account account;
static uint64_t seed;

/* From 0 to 1. */
static double chance(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 40) / (double)(1 << 24);
}

static bool affordable(const void *context, unsigned lane)
{
    const struct prof_stake stake = {
        .items = ITEMS, .left = ITEMS, .item_ns = world.own_ns / ITEMS, .compile_ns = 5000000};
    (void)context;

    return lane == 0 || prof_affordable(&race, lane, &account, &measure, &stake);
}

static double overdrawn(void)
{
    return (double)account.spent_ns - prof_allowance(&account, measure.budget);
}

static void make_world(unsigned n)
{
    seed = n + 1;
    world = (struct world){.launches = 1 + (unsigned)(40 * chance()),
                           .own_ns = 1e6 * exp(5 * chance()),
                           .build_ns = 2e8 * chance(),
                           .noise = n % 3 == 0   ? 0.02
                                    : n % 3 == 1 ? 0.3
                                                 : 3};
    world.time[0] = 1;
    for (unsigned i = 1; i < LANES; i++) {
        world.time[i] = exp(2 * chance() - 0.8);
        world.compile_ns[i] = chance() < 0.5 ? 0 : 1e6 * exp(7 * chance());
    }
}

static void begin_race(const struct prof_past *past)
{
    struct candidate c[LANES - 2] = {{.local = {8, 1, 1}, .own = true, .time_ns = world.own_ns}};

    for (unsigned i = 1; i < LANES - 2; i++)
        c[i] = (struct candidate){.local = {16 * i, 1, 1}, .time_ns = world.own_ns * (0.3 + chance())};
    prof_race_begin(&race, c, LANES - 2, &measure);
    if (past)
        prof_race_resume(&race, past);
    account.granted_ns += PROF_GRANT_NS;
}

/* Another kernel joins with two sizes, if that can be paid for. */
static void join(const struct prof_past *past)
{
    static const size_t size[3] = {8, 1, 1}, other[3] = {16, 1, 1};
    const double cost = account.build_ns > 0 ? (double)account.build_ns : 1e6;

    if (race.n >= LANES || !prof_may_spend(&account, &measure, (int64_t)cost, account.observed_ns / 2))
        return;
    prof_charge_build(&account, (int64_t)world.build_ns);
    prof_race_join(&race, "wide", 1, size, world.own_ns * 0.6);
    prof_race_join(&race, "wide", 1, other, world.own_ns * 0.5);
    for (unsigned i = LANES - 2; past && i < LANES; i++)
        prof_race_resume_lane(&race, i, past);
}

/* One launch.  Returns the lane that it had. */
static unsigned launch(bool compiled[LANES], double *ns)
{
    const int next = prof_race_choose(&race, false, affordable, NULL);
    const unsigned leader = prof_race_leader(&race), lane = next >= 0 ? (unsigned)next : leader;
    const double compile = compiled[lane] ? 0 : world.compile_ns[lane];

    *ns = world.own_ns * world.time[lane] * (1 + world.noise * chance());
    if (next >= 0) {
        prof_charge(&account, &race, lane, ITEMS, (int64_t)*ns, (int64_t)compile, false);
        if (prof_race_wants(&race, lane))
            prof_race_add(&race, lane, ITEMS, (int64_t)*ns, (int64_t)compile);
    }
    compiled[lane] = true;
    *ns += compile;
    return lane;
}

/* An overdrawn account launches nothing that must be compiled or is known to be slower than the own size. */
static void check_launch(const bool compiled[LANES], double debt, const struct prof_lane *was, unsigned lane)
{
    if (lane == 0 || debt <= 0)
        return;
    ck_assert_msg(compiled[lane] || was->known, "lane %u is compiled with a debt of %g ms", lane, debt / 1e6);
    if (was->samples && race.lane[0].samples > 1 && was->best > race.lane[0].best)
        ck_abort_msg("lane %u is known to be slower, with a debt of %g ms", lane, debt / 1e6);
}

/* One run.  True if it decided the race for good. */
static bool run(struct prof_past *past, bool first, bool compiled[LANES], struct prof_decision *d)
{
    begin_race(first ? NULL : past);
    for (unsigned i = 0; i < world.launches; i++) {
        struct prof_race before;
        bool was[LANES];
        double debt, ns;
        unsigned lane;
        if (i == world.launches / 3)
            join(first ? NULL : past);
        before = race;
        debt = overdrawn();
        memcpy(was, compiled, sizeof was);
        lane = launch(compiled, &ns);
        check_launch(was, debt, &before.lane[lane], lane);
        if (prof_race_next(&race) < 0) {
            prof_race_decide(&race, &measure, d);
            break;
        }
    }
    if (race.decided && !d->doubtful)
        return true;
    prof_race_save(&race, world.launches, past);
    return false;
}

LOOPED_TEST(an_overdrawn_account_buys_nothing, WORLDS)
{
    bool compiled[LANES] = {true};
    struct prof_decision d = {0};
    struct prof_past past;
    unsigned runs = 0;

    make_world((unsigned)_i);
    account = (struct prof_account){.compile_ns = -1};
    while (runs < RUNS && !run(&past, runs == 0, compiled, &d))
        runs++;
    if (!race.decided)
        return; /* nothing more can be paid for: the program's size stays */
    ck_assert_double_le(world.time[d.winner], 1 + world.noise);
}

/* Times that never stop varying are not measured for ever.  With a launch or two per run, some runs measure
 * the own size alone. */
LOOPED_TEST(what_cannot_be_decided_ends, WORLDS)
{
    bool compiled[LANES] = {true};
    struct prof_decision d = {0};
    struct prof_past past;
    unsigned runs = 0;

    make_world((unsigned)_i);
    world.noise = 6;
    account = (struct prof_account){.compile_ns = -1, .observed_ns = 1000000000000};
    while (!run(&past, runs == 0, compiled, &d))
        ck_assert_uint_le(++runs, 2 * PROF_MOST_RUNS);
}

int main(void)
{
    return run_tests("budget", NULL, NULL);
}
