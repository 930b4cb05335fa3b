/* Races over scripted timing curves. */
#include "run_suite.h"

#include <stdint.h>
#include <string.h>
#include "profiler/profiler.h"

#define ITEMS 1000

static const struct prof_policy measure = {.effort = PROF_MEASURE, .budget = 0.05, .margin = 0.03};

/* Reproducible noise: SplitMix64. */
static uint64_t state;
static double uniform(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

enum curve { FLAT, ONE_SIDED, SYMMETRIC, BIMODAL, SPIKES };
static double disturb(enum curve curve, double amount)
{
    switch (curve) {
    case ONE_SIDED:
        return 1 + amount * uniform();
    case SYMMETRIC: /* sum of twelve: close to normal, standard deviation `amount` */
    {
        double sum = -6;
        for (int i = 0; i < 12; i++)
            sum += uniform();
        return 1 + amount * sum;
    }
    case BIMODAL:
        return uniform() < 0.5 ? 1 : 1 + amount;
    case SPIKES:
        return uniform() < 0.1 ? 1 + 20 * amount : 1 + 0.1 * amount * uniform();
    default:
        return 1;
    }
}

static void begin(struct prof_race *r, unsigned n, const struct prof_policy *p)
{
    struct candidate c[PROF_MAX_CANDIDATES + 20] = {{.own = true}};

    for (unsigned i = 0; i < n; i++) {
        c[i].local[0] = i + 1;
        c[i].local[1] = c[i].local[2] = 1;
    }
    prof_race_begin(r, c, n, p);
}

/* Race to the end; lane i takes times[i] ns per item, disturbed.  Returns the number of samples. */
static unsigned finish(struct prof_race *r, const double *times, enum curve curve, double amount,
                       struct prof_decision *d)
{
    unsigned samples = 0;
    int lane;

    while ((lane = prof_race_next(r)) >= 0) {
        prof_race_add(r, (unsigned)lane, ITEMS, (int64_t)(times[lane] * 1e6 * disturb(curve, amount)), 0);
        ck_assert_uint_lt(++samples, 2000);
    }
    prof_race_decide(r, &measure, d);
    return samples;
}

TEST(begin_orders_and_filters)
{
    struct candidate c[] = {{.local = {64, 1, 1}, .time_ns = 1},
                            {.local = {32, 1, 1}, .state = SEL_INFERIOR},
                            {.local = {8, 8, 1}, .own = true, .state = SEL_INFERIOR, .time_ns = 9},
                            {.local = {16, 4, 1}, .time_ns = 2},
                            {.local = {8, 8, 1}, .time_ns = 9},
                            {.local = {4, 4, 1}, .time_ns = 3}};
    struct prof_race r;

    prof_race_begin(&r, c, 6, &measure);
    ck_assert_uint_eq(r.n, 4);
    ck_assert(r.lane[0].local[0] == 8 && r.lane[0].predicted_ns > 8);
    ck_assert_uint_eq(r.lane[1].local[0], 64);
    ck_assert_uint_eq(r.lane[2].local[0], 16);
    ck_assert_uint_eq(r.lane[3].local[0], 4);
    prof_race_begin(&r, c, 2, &measure); /* the application passed NULL */
    ck_assert_uint_eq(r.n, 2);
    ck_assert(r.lane[0].local[0] == 0);
}

TEST(no_more_lanes_than_there_is_room_for)
{
    struct prof_race r;

    begin(&r, PROF_MAX_CANDIDATES + 20, &measure);
    ck_assert_uint_eq(r.n, PROF_MAX_CANDIDATES);
}

TEST(alone_there_is_no_race)
{
    struct prof_decision d;
    struct prof_race r;

    begin(&r, 1, &measure);
    for (unsigned i = 0; i < 4; i++) { /* one to warm up, then what a variant that joins is compared with */
        ck_assert_int_eq(prof_race_next(&r), 0);
        prof_race_add(&r, 0, ITEMS, i % 2 ? 1000000 : 2000000, 0);
    }
    ck_assert_int_eq(prof_race_next(&r), -1);
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
    ck_assert_uint_eq(d.winner, 0);
    ck_assert(!d.doubtful);
}

TEST(own_size_first_then_promise)
{
    struct prof_race r;
    const int expected[] = {0, 0, 0, 0, 1, 2, 0, 1, 2, 0};

    begin(&r, 3, &measure);
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        int lane = prof_race_next(&r);
        ck_assert_msg(lane == expected[i], "step %u: %d", i, lane);
        prof_race_add(&r, (unsigned)lane, ITEMS, lane ? 900000 - lane : 1000000, 0);
    }
}

TEST(clear_winner)
{
    const double times[] = {1, 0.9, 0.5, 1.2};
    struct prof_decision d;
    struct prof_race r;

    begin(&r, 4, &measure);
    finish(&r, times, FLAT, 0, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(d.winner, 2);
    ck_assert_double_eq_tol(d.gain, 2, 1e-6);
    ck_assert(r.decided && r.winner == 2 && prof_race_next(&r) == -1);
    ck_assert(r.lane[1].dropped);
    ck_assert_uint_eq(r.lane[3].samples, 1); /* what was slower at the first look needs no second one */
}

/* ... unless nothing wins: then it has one, so that the next run need not look again. */
TEST(no_winner_leaves_no_doubt)
{
    const double times[] = {1, 0.99, 1.8, 3, 5};
    struct prof_decision d;
    struct prof_race r;

    begin(&r, 5, &measure);
    finish(&r, times, FLAT, 0, &d);
    ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
    ck_assert(!d.doubtful);
    ck_assert_uint_eq(r.lane[2].samples, 2);
    ck_assert_uint_eq(r.lane[3].samples, 2);
    ck_assert_uint_eq(r.lane[4].samples, 1);
}

TEST(ties_and_less_than_the_margin_go_to_the_own_size)
{
    const double tie[] = {1, 1}, close[] = {1, 0.975}, slower[] = {1, 1.01};
    const double *const cases[] = {tie, close, slower};

    for (unsigned i = 0; i < 3; i++) {
        struct prof_decision d;
        struct prof_race r;
        begin(&r, 2, &measure);
        finish(&r, cases[i], FLAT, 0, &d);
        ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
        ck_assert_uint_eq(d.winner, 0);
        ck_assert_double_eq(d.gain, 1);
    }
}

/* How often of `n` races a candidate wins. */
static double wins(unsigned lanes, double best, enum curve curve, double amount)
{
    const int n = 500;
    int won = 0;

    for (int i = 0; i < n; i++) {
        double times[16] = {1, best, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        struct prof_decision d;
        struct prof_race r;
        begin(&r, lanes, &measure);
        finish(&r, times, curve, amount, &d);
        won += d.outcome == PROF_WON;
    }
    return (double)won / n;
}

TEST(noise_makes_no_winner)
{
    state = 1;
    ck_assert_double_le(wins(2, 1, ONE_SIDED, 0.3), 0.02);
    ck_assert_double_le(wins(12, 1, ONE_SIDED, 0.1), 0.02);
    ck_assert_double_le(wins(12, 1, SYMMETRIC, 0.02), 0.05);
    ck_assert_double_le(wins(2, 1, SYMMETRIC, 0.1), 0.05);
    ck_assert_double_le(wins(12, 1, BIMODAL, 0.5), 0.02);
    ck_assert_double_le(wins(12, 1, SPIKES, 0.05), 0.02);
}

TEST(noise_hides_no_clear_winner)
{
    state = 2;
    ck_assert_double_ge(wins(2, 0.8, ONE_SIDED, 0.05), 0.98);
    ck_assert_double_ge(wins(12, 0.8, SYMMETRIC, 0.02), 0.98);
    ck_assert_double_ge(wins(12, 0.8, BIMODAL, 0.05), 0.98);
    ck_assert_double_ge(wins(12, 0.7, SPIKES, 0.02), 0.75);
}

/* A race whose own size takes now 1, now 2 ms, the other one `ns`. */
static void bimodal(int64_t ns, struct prof_decision *d)
{
    const int64_t own[] = {2000000, 1000000, 2000000, 1000000, 2000000, 1000000, 2000000};
    struct prof_race r;
    unsigned step = 0;
    int lane;

    begin(&r, 2, &measure);
    while ((lane = prof_race_next(&r)) >= 0)
        prof_race_add(&r, (unsigned)lane, ITEMS, lane ? ns : own[step++ % 7], 0);
    prof_race_decide(&r, &measure, d);
    ck_assert_double_gt(d->noise, 0.3);
}

TEST(bimodal_own_size_is_not_taken_for_slow)
{
    struct prof_decision d;

    bimodal(1000000, &d);
    ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
    bimodal(950000, &d); /* but what is faster than its fast moments each time has won */
    ck_assert_int_eq(d.outcome, PROF_WON);
}

TEST(clear_separation_beats_noise)
{
    struct prof_decision d;

    bimodal(400000, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
}

/* A machine that others use: now and then, and for a while, all is slower, one size more than another. */
static double busy(double now, double calm, double slower)
{
    return calm * (1 + slower * now) * disturb(SYMMETRIC, 0.04);
}

/* How often of `n` races lane 1 wins, and any; lane 0 and the others get slower by 1.2, lane 1 by `slower`.
 */
static void busy_machine(double calm, double slower, double *first, double *any)
{
    const int n = 500;

    *first = *any = 0;
    for (int i = 0; i < n; i++) {
        struct prof_decision d;
        struct prof_race r;
        double now = uniform();
        int lane;

        begin(&r, 8, &measure);
        while ((lane = prof_race_next(&r)) >= 0) {
            const double ns = lane == 1 ? busy(now, calm, slower) : busy(now, 1, 1.2);
            prof_race_add(&r, (unsigned)lane, ITEMS, (int64_t)(1e6 * ns), 0);
            now += 0.2 * (uniform() - 0.5);
            now = now < 0 ? -now : now > 1 ? 2 - now : now;
        }
        prof_race_decide(&r, &measure, &d);
        *first += d.winner == 1 ? 1.0 / n : 0;
        *any += d.outcome == PROF_WON ? 1.0 / n : 0;
    }
}

TEST(a_busy_machine_hides_no_winner)
{
    double first, any;

    state = 3;
    busy_machine(0.9, 0.57, &first, &any);
    ck_assert_double_ge(first, 0.95);
    busy_machine(1, 1.2, &first, &any);
    ck_assert_double_le(any, 0.06);
}

/* The own size was measured once in a fast moment, the others never; but each pair is won. */
TEST(pairs_count_in_a_slow_moment)
{
    static const int64_t own[] = {9000000, 4000000, 8000000, 8000000};
    struct prof_decision d;
    struct prof_race r;
    unsigned step = 0;
    int lane;

    begin(&r, 2, &measure);
    while ((lane = prof_race_next(&r)) >= 0)
        prof_race_add(&r, (unsigned)lane, ITEMS, lane ? 5000000 : own[step < 3 ? step++ : 3], 0);
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_double_eq_tol(d.gain, 1.6, 0.05);
    ck_assert(!d.doubtful);
    ck_assert_uint_eq(r.lane[1].pairs_lost, 0);
    ck_assert_uint_le(r.lane[1].samples, 8);
}

/* What was faster than the own size a moment before and a moment after is not beaten; what was between is. */
TEST(pairs_that_are_not_won)
{
    struct prof_race r;
    unsigned n = 0;
    int lane;

    begin(&r, 2, &measure);
    while ((lane = prof_race_next(&r)) >= 0) {
        prof_race_add(&r, (unsigned)lane, ITEMS, lane ? 5000000 : n % 4 < 2 ? 4000000 : 8000000, 0);
        n += !lane;
        ck_assert_uint_lt(n, 100);
    }
    ck_assert_uint_eq(prof_race_leader(&r), 0);
    ck_assert_uint_lt(r.lane[1].pairs_won, r.lane[1].pairs);
}

TEST(a_cold_first_sample_is_no_noise)
{
    struct prof_race r;

    begin(&r, 2, &measure);
    prof_race_add(&r, 0, ITEMS, 9000000, 0);
    ck_assert_uint_eq(r.lane[0].samples, 0);
    ck_assert_double_eq_tol(r.own_item_ns, 9000, 1e-9);
    for (int i = 0; i < 3; i++)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    ck_assert_double_le(r.noise, 1e-9);
    ck_assert_double_eq_tol(r.own_item_ns, 1000, 1e-9);
}

TEST(luck_is_not_confirmed)
{
    struct prof_decision d;
    struct prof_race r;
    unsigned seen = 0;
    int lane;

    begin(&r, 2, &measure);
    while ((lane = prof_race_next(&r)) >= 0) /* fast during the race, ordinary in the duel */
        prof_race_add(&r, (unsigned)lane, ITEMS, lane && seen++ < 3 ? 900000 : 1000000, 0);
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
    ck_assert_uint_eq(r.lane[1].samples, 5);
}

TEST(meaningless_samples)
{
    struct prof_race r;

    begin(&r, 3, &measure);
    for (int i = 0; i < 4; i++)
        prof_race_add(&r, 0, ITEMS, 1000000, 5);
    prof_race_add(&r, 1, ITEMS, 0, 7);
    ck_assert(r.lane[1].dropped && !r.lane[1].failed);
    ck_assert_int_eq(r.lane[1].overhead_ns, 7);
    prof_race_add(&r, 2, ITEMS, -3, 0);
    ck_assert_int_eq(prof_race_next(&r), -1);
    begin(&r, 2, &measure);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(prof_race_next(&r), 0);
        prof_race_add(&r, 0, ITEMS, 0, 0);
    }
    ck_assert_int_eq(prof_race_next(&r), -1);
    ck_assert(!r.lane[0].dropped);
}

TEST(dropping)
{
    struct prof_race r;

    begin(&r, 3, &measure);
    prof_race_drop(&r, 0, true);
    ck_assert(!r.lane[0].dropped && !r.lane[0].failed);
    prof_race_drop(&r, 1, true);
    ck_assert(r.lane[1].dropped && r.lane[1].failed);
    prof_race_drop(&r, 2, false);
    ck_assert(r.lane[2].dropped && !r.lane[2].failed);
    ck_assert_int_eq(prof_race_next(&r), -1);
}

TEST(leader_needs_evidence)
{
    struct prof_race r;

    begin(&r, 2, &measure);
    for (int i = 0; i < 4; i++)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    prof_race_add(&r, 1, ITEMS, 500000, 0);
    ck_assert_uint_eq(prof_race_leader(&r), 0);
    prof_race_add(&r, 1, ITEMS, 500000, 0);
    ck_assert_uint_eq(prof_race_leader(&r), 1);
}

static bool is_affordable(const void *lanes, unsigned lane)
{
    return *(const unsigned *)lanes >> lane & 1;
}

/* Others use the machine whenever a size is tried for the first time: the one that is 3.5 times as fast is
 * found nevertheless, and none is given up for good by that look. */
TEST(one_look_keeps_nothing)
{
    const double times[] = {1, 1.1, 0.29, 1.2, 1};
    unsigned samples[5] = {0}, limit = 200;
    struct prof_decision d;
    struct prof_race r;
    int lane;

    begin(&r, 5, &measure);
    while ((lane = prof_race_next(&r)) >= 0) {
        const double busy = lane && !samples[lane]++ ? 3.6 : 1;
        prof_race_add(&r, (unsigned)lane, ITEMS, (int64_t)(times[lane] * busy * 1e6), 0);
        ck_assert_uint_gt(--limit, 0);
    }
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(d.winner, 2);
}

/* A size that beats the own one is not given up for a disturbed look either, though another leads it. */
TEST(one_look_gives_up_nothing_good)
{
    const double times[] = {1, 0.5, 0.35};
    unsigned looks = 0, limit = 100;
    struct prof_decision d;
    struct prof_race r;
    int lane;

    begin(&r, 3, &measure);
    while ((lane = prof_race_next(&r)) >= 0) {
        const double busy = lane == 2 && !looks++ ? 2.4 : 1;
        prof_race_add(&r, (unsigned)lane, ITEMS, (int64_t)(times[lane] * busy * 1e6), 0);
        if (lane == 1)
            prof_race_add(&r, 1, ITEMS, 500000, 0); /* it has two first */
        ck_assert_uint_gt(--limit, 0);
    }
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(d.winner, 2);
}

/* Where the rest cannot be paid for, that look does not make it hopeless: what is compiled is looked at
 * again, and if that is too much, too, keeping is in doubt. */
TEST(one_look_makes_nothing_hopeless)
{
    const unsigned paid = 15;
    struct prof_decision d;
    struct prof_race r;

    begin(&r, 5, &measure);
    while (prof_race_next(&r) == 0)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    for (unsigned i = 1; i <= 3; i++)
        prof_race_add(&r, i, ITEMS, 2000000, 0);
    ck_assert(!prof_race_hopeless(&r, 4));
    while (prof_race_next(&r) == 0)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    ck_assert_int_eq(prof_race_next(&r), 4);
    ck_assert_int_eq(prof_race_choose(&r, false, is_affordable, &paid), 1);
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
    ck_assert(d.doubtful);
    for (unsigned i = 1; i <= 3; i++)
        prof_race_add(&r, i, ITEMS, 2000000, 0);
    ck_assert(prof_race_hopeless(&r, 4));
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
    ck_assert(!d.doubtful);
}

/* One sample of a candidate is held against what the own size usually takes, not against its luckiest. */
TEST(one_sample_in_the_noise)
{
    static const int64_t own[] = {1000000, 3000000, 2000000, 3000000, 2500000};
    struct prof_race r;

    begin(&r, 2, &measure);
    for (unsigned i = 0; i < 5; i++)
        prof_race_add(&r, 0, ITEMS, own[i], 0);
    ck_assert(r.noise > 0.2 && r.noise < 0.7);
    prof_race_add(&r, 1, ITEMS, 3300000, 0); /* 1.65 times the least, 1.3 times the mean */
    ck_assert(!r.lane[1].dropped);
    prof_race_add(&r, 1, ITEMS, 3300000, 0);
    ck_assert(r.lane[1].dropped);
}

/* Noise of more than 100 %, as where other programs are at work: what is slower by so much is another size's
 * win only if all its samples are far below all of the own size's. */
TEST(noise_that_explains_no_such_gap)
{
    static const int64_t own[] = {1950000, 1950000, 4460000}; /* the first one is for warmth */
    struct prof_decision d;
    struct prof_race r;

    for (unsigned far = 0; far < 2; far++) {
        begin(&r, 2, &measure);
        for (unsigned i = 0; i < 3; i++)
            prof_race_add(&r, 0, ITEMS, own[i], 0);
        ck_assert_double_gt(r.noise, 1);
        prof_race_add(&r, 1, ITEMS, far ? 97000 : 900000, 0);
        prof_race_add(&r, 1, ITEMS, far ? 350000 : 910000, 0);
        prof_race_decide(&r, &measure, &d);
        ck_assert_int_eq(d.outcome, far ? PROF_WON : PROF_NO_GAIN);
        ck_assert(d.doubtful == !far);
    }
}

/* A lane was fast in a quiet moment, `quiet` times, and takes half as long again as the own size since then.
 * Returns how many of 100 launches have it while nothing else can be paid for. */
static unsigned launches_of_a_wrong_hope(unsigned quiet)
{
    const unsigned first = 3;
    unsigned launches = 0;
    struct prof_race r;

    begin(&r, 4, &measure);
    r.awaited = true;
    while (prof_race_next(&r) == 0)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    for (unsigned i = 0; i < quiet; i++)
        prof_race_add(&r, 1, ITEMS, 300000, 0);
    for (unsigned n = 0; n < 100; n++) {
        const int next = prof_race_choose(&r, false, is_affordable, &first);
        const unsigned lane = next >= 0 ? (unsigned)next : prof_race_leader(&r);
        launches += lane != 0;
        if (next >= 0 && prof_race_wants(&r, lane))
            prof_race_add(&r, lane, ITEMS, lane ? 1500000 : 1000000, 0);
    }
    return launches;
}

/* One that is right is confirmed meanwhile, and then in use. */
TEST(a_right_hope_is_confirmed)
{
    static const size_t local[3] = {8, 1, 1};
    const unsigned first = 1 | 1 << 4;
    unsigned launches = 0, variant;
    struct prof_race r;

    begin(&r, 4, &measure);
    r.awaited = true;
    while (prof_race_next(&r) == 0)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    variant = prof_race_join(&r, "wide", 1, local, 0);
    ck_assert_uint_eq(variant, 4);
    for (unsigned n = 0; n < 20; n++) {
        const int next = prof_race_choose(&r, false, is_affordable, &first);
        const unsigned lane = next >= 0 ? (unsigned)next : prof_race_leader(&r);
        launches += lane == variant;
        if (next >= 0 && prof_race_wants(&r, lane))
            prof_race_add(&r, lane, ITEMS, lane ? 850000 : 1000000, 0);
    }
    ck_assert_uint_ge(launches, 14);
    ck_assert_uint_eq(r.confirmed, variant);
    ck_assert(prof_race_variant_won(&r));
    ck_assert_int_ge(prof_race_next(&r), 0); /* the sizes are still waited for */
}

/* ... also before sizes that cannot be paid for yet. */
TEST(what_promises_most_comes_first)
{
    static const size_t local[3] = {8, 1, 1}, other[3] = {16, 1, 1};
    unsigned slow, fast, paid;
    struct prof_race r;

    begin(&r, 4, &measure);
    for (unsigned i = 0; i < 4; i++)
        r.lane[i].predicted_ns = 1000000;
    while (prof_race_next(&r) == 0)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    ck_assert_int_eq(prof_race_next(&r), 1);
    slow = prof_race_join(&r, "wide", 1, local, 1000000);
    ck_assert_int_eq(prof_race_next(&r), 1);
    fast = prof_race_join(&r, "wide", 1, other, 200000);
    paid = 1 | 1u << slow | 1u << fast;
    ck_assert_int_eq(prof_race_next(&r), (int)fast);
    r.lane[slow].seen = true; /* on copies: to launch it costs nothing, and is no gamble */
    ck_assert_int_eq(prof_race_next(&r), (int)slow);
    r.lane[slow].seen = false;
    ck_assert_int_eq(prof_race_choose(&r, false, is_affordable, &paid), (int)fast);
    prof_race_add(&r, fast, ITEMS, 200000, 0);
    ck_assert_int_eq(prof_race_next(&r), 1);
}

TEST(a_wrong_hope_is_given_up)
{
    ck_assert_uint_le(launches_of_a_wrong_hope(1), 4);
    ck_assert_uint_le(launches_of_a_wrong_hope(2), 4);
    ck_assert_uint_le(launches_of_a_wrong_hope(6), 4);
}

/* Disturbances only add: three samples that clearly beat all of the own size's outweigh those that do not. */
TEST(what_costs_too_much)
{
    const unsigned all = 15, own = 1, first = 3, nothing = 0;
    struct prof_race r;

    begin(&r, 4, &measure);
    ck_assert_int_eq(prof_race_choose(&r, false, is_affordable, &nothing), -1);
    while (prof_race_next(&r) == 0)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    ck_assert_int_eq(prof_race_choose(&r, false, is_affordable, &all), 1);
    ck_assert_int_eq(prof_race_choose(&r, false, is_affordable, &own), -1); /* saved for */
    prof_race_add(&r, 1, ITEMS, 980000, 0); /* faster, by less than the margin */
    ck_assert_int_eq(prof_race_choose(&r, false, is_affordable, &all), 2);
    ck_assert_int_eq(prof_race_choose(&r, false, is_affordable, &first), 1); /* meanwhile */
    ck_assert_int_eq(prof_race_choose(&r, false, is_affordable, &own), -1);
    ck_assert_int_eq(prof_race_choose(&r, true, is_affordable, &first), -1); /* not for nothing */
    prof_race_add(&r, 1, ITEMS, 980000, 0);
    prof_race_add(&r, 1, ITEMS, 980000, 0);
    ck_assert(prof_race_wants(&r, 0));
    ck_assert_int_eq(prof_race_choose(&r, false, is_affordable, &first), 0);
    ck_assert(!r.lane[2].dropped && !r.lane[3].dropped);
    prof_race_add(&r, 1, ITEMS, 500000, 0);
    ck_assert_uint_eq(prof_race_leader(&r), 0); /* once may be luck */
    prof_race_add(&r, 1, ITEMS, 500000, 0);
    ck_assert_uint_eq(prof_race_leader(&r), 1);
    prof_race_choose(&r, false, is_affordable, &first); /* something better is known: given up */
    ck_assert(r.lane[2].dropped && r.lane[3].dropped && !r.lane[1].dropped);
}

TEST(three_clear_samples)
{
    static const int64_t own[] = {4000000, 1000000, 5000000, 1100000, 4500000, 1200000, 1000000};
    static const int64_t other[] = {4000000, 800000, 5000000, 850000, 890000};
    const struct prof_policy p = {.effort = PROF_PATIENT, .margin = 0.03};
    struct prof_race r;

    begin(&r, 2, &p);
    for (unsigned i = 0; i < 7; i++) /* the first is the warm-up */
        prof_race_add(&r, 0, ITEMS, own[i], 0);
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(prof_race_leader(&r), 0);
        prof_race_add(&r, 1, ITEMS, other[i], 0);
        ck_assert(!r.lane[1].dropped);
    }
    ck_assert_double_gt(r.noise, 0.2);
    ck_assert_uint_eq(prof_race_leader(&r), 1);
}

TEST(initial_choice)
{
    struct candidate c[] = {{.local = {8, 8, 1}, .own = true, .time_ns = 100},
                            {.local = {64, 1, 1}, .time_ns = 90},
                            {.local = {32, 1, 1}, .time_ns = 79}};
    struct prof_race r, bold, told;

    prof_race_begin(&r, c, 3, &measure);
    ck_assert_uint_eq(prof_race_initial(&r), 2);
    c[2].time_ns = 81; /* promises less than is trusted */
    prof_race_begin(&bold, c, 3, &measure);
    ck_assert_uint_eq(prof_race_initial(&bold), 0);
    told = r;
    told.lane[2].before = 1; /* another run's sample says more than the model, if not enough */
    ck_assert_uint_eq(prof_race_initial(&told), 0);
    for (int i = 0; i < 3; i++)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    ck_assert_uint_eq(prof_race_initial(&r), 2);
    prof_race_add(&r, 1, ITEMS, 500000, 0);
    ck_assert_uint_eq(prof_race_initial(&r), 0);
    prof_race_add(&r, 1, ITEMS, 500000, 0);
    ck_assert_uint_eq(prof_race_initial(&r), 1);
    prof_race_drop(&told, 2, false);
    ck_assert_uint_eq(prof_race_initial(&told), 0);
}

TEST(what_is_outstanding_is_used_meanwhile)
{
    struct candidate c[] = {{.local = {8, 8, 1}, .own = true, .time_ns = 100},
                            {.local = {64, 1, 1}, .time_ns = 90},
                            {.local = {32, 1, 1}, .time_ns = 79}};
    struct prof_race r;

    prof_race_begin(&r, c, 3, &measure);
    r.lane[1].before = r.lane[2].before = 2;
    r.lane[1].before_best = 0.1;
    r.lane[1].before_worst = 0.3; /* not every time */
    r.lane[2].before_best = 0.15;
    r.lane[2].before_worst = 0.2;
    ck_assert_uint_eq(prof_race_outstanding(&r), 2);
    ck_assert_uint_eq(prof_race_initial(&r), 2);
    ck_assert_uint_eq(prof_race_leader(&r), 0);
    prof_race_drop(&r, 2, false);
    ck_assert_uint_eq(prof_race_outstanding(&r), 0);
    prof_race_begin(&r, c, 3, &measure);
    prof_race_add(&r, 1, ITEMS, 100000, 0); /* nothing to compare with */
    ck_assert_uint_eq(prof_race_outstanding(&r), 0);
    for (int i = 0; i < 2; i++)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    ck_assert_uint_eq(prof_race_outstanding(&r), 1);
}

TEST(what_is_far_behind_is_measured_seldom)
{
    struct candidate c[] = {{.local = {8, 8, 1}, .own = true, .time_ns = 100},
                            {.local = {64, 1, 1}, .time_ns = 10},
                            {.local = {32, 1, 1}, .time_ns = 12}};
    struct prof_decision d;
    struct prof_race r;
    unsigned taken[3] = {0};
    int lane;

    prof_race_begin(&r, c, 3, &measure);
    while ((lane = prof_race_next(&r)) >= 0) {
        prof_race_add(&r, (unsigned)lane, ITEMS, lane ? 100000 + lane : 1000000, 0);
        taken[lane]++;
    }
    ck_assert_uint_le(taken[0], 4); /* the first one does not count */
    ck_assert_uint_ge(taken[1], 3);
    ck_assert_uint_ge(taken[2], 3);
    prof_race_decide(&r, &measure, &d);
    ck_assert_int_eq(d.outcome, PROF_WON);
    ck_assert_uint_eq(d.winner, 1);
}

TEST(estimate_believes_the_model)
{
    const struct prof_policy p = {.effort = PROF_ESTIMATE, .margin = 0.03};
    struct candidate c[] = {{.local = {8, 8, 1}, .own = true, .time_ns = 100},
                            {.local = {64, 1, 1}, .time_ns = 50},
                            {.local = {32, 1, 1}, .time_ns = 0}};
    struct prof_decision d;
    struct prof_race r;

    prof_race_begin(&r, c, 3, &p);
    ck_assert_int_eq(prof_race_next(&r), -1);
    prof_race_decide(&r, &p, &d);
    ck_assert_int_eq(d.outcome, PROF_MODEL);
    ck_assert_uint_eq(d.winner, 1);
    ck_assert_double_eq_tol(d.gain, 2, 1e-9);
    c[1].time_ns = 98; /* within the margin */
    prof_race_begin(&r, c, 3, &p);
    prof_race_decide(&r, &p, &d);
    ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
    c[0].time_ns = 0; /* nothing is known about the own size */
    prof_race_begin(&r, c, 3, &p);
    prof_race_decide(&r, &p, &d);
    ck_assert_int_eq(d.outcome, PROF_NO_GAIN);
}

/* Every launch has other data, and with them another size is best: none may win. */
TEST(a_winner_that_changes_with_the_input)
{
    unsigned wins = 0;

    for (unsigned trial = 0; trial < 100; trial++) {
        struct prof_decision d;
        struct prof_race r;
        unsigned samples = 0;
        int lane;

        state = trial;
        begin(&r, 3, &measure);
        while ((lane = prof_race_next(&r)) >= 0) {
            const double work = 1 + 3 * uniform(); /* of this input, which suits one size or the other */
            const bool even = uniform() < 0.5;
            const double factor = lane == 0 ? 1 : even == (lane == 1) ? 0.7 : 1.6;
            prof_race_add(&r, (unsigned)lane, ITEMS, (int64_t)(1e6 * work * factor), 0);
            ck_assert_uint_lt(++samples, 1000);
        }
        prof_race_decide(&r, &measure, &d);
        wins += d.outcome == PROF_WON;
    }
    ck_assert_uint_le(wins, 5);
}

TEST(patient_repeats_more)
{
    const struct prof_policy p = {.effort = PROF_PATIENT, .margin = 0.03};
    const double times[] = {1, 0.5};
    struct prof_decision d;
    struct prof_race r;

    begin(&r, 2, &p);
    ck_assert_uint_gt(r.rounds, 3);
    finish(&r, times, FLAT, 0, &d);
    ck_assert_uint_ge(r.lane[1].samples, 5);
    ck_assert_int_eq(d.outcome, PROF_WON);
}

/* A lane that is used while others are not to be had yields samples without end: there is enough of them. */
TEST(unasked_samples_end)
{
    struct prof_race r;

    begin(&r, 3, &measure);
    for (unsigned i = 0; i <= r.rounds; i++)
        prof_race_add(&r, 0, ITEMS, 1000000, 0);
    ck_assert_int_eq(prof_race_next(&r), 1);
    for (unsigned i = 0; i < 2 * r.rounds; i++) {
        ck_assert(prof_race_wants(&r, 2));
        prof_race_add(&r, 2, ITEMS, 500000, 0);
    }
    ck_assert(!prof_race_wants(&r, 2));
    ck_assert(prof_race_wants(&r, 1));
}

int main(void)
{
    return run_tests("race", NULL, NULL);
}
