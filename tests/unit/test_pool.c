/* test_pool.c - kernels that the program offers (shim/ledger/pool.c, shim/tune/given.c): K of them, which do
 * 1, 4, 16 and 128 units of work per work-item, on a driver whose times are given ([D] 3.1, 3.4); and the
 * activation flag.
 */
#include "scripted_driver.h"
#include "shim/object/kernels.h"

#define ITEMS 1048576
#define OWN   64
#define K     4

#define OURS K /* fixed */

static const char *const names[K + 1] = {"k", "k4", "k16", "k128", "k__clsizer"};
static const size_t factor[K + 1] = {1, 4, 16, 128, 1};
static double cost[K + 1]; /* of a unit, in ns */

static unsigned number_of(const char *name)
{
    unsigned i = 0;

    while (i <= K && strcmp(names[i], name) != 0)
        i++;
    ck_assert_uint_le(i, K);
    return i;
}

static size_t units_of(const char *name)
{
    return factor[number_of(name)];
}

static double cost_of(const char *name)
{
    return cost[number_of(name)];
}

static int offer(unsigned i)
{
    return pool_offer(&script_runtime.pool, &(struct pool_variant){.kernel = "k",
                                                                   .name = names[i],
                                                                   .text = "kernel",
                                                                   .program = "0123456789abcdef",
                                                                   .units = {factor[i], 1, 1}});
}

static void begin(void)
{
    script_begin();
    script.buffer_size = 4 * ITEMS;
    script.units = units_of;
    script.unit_ns = cost_of;
    script_runtime.opt.variants = OPT_SIZES;
    script_runtime.opt.budget = 1000; /* comparing takes real time, launches do not */
    script_analysed(script_map);
    for (unsigned i = 0; i < K; i++)
        cost[i] = 1;
}

static const struct script_launch *last(void)
{
    return &script.launch[script.nlaunch - 1];
}

/* script_repeat() checks that each launch of the program was done once, whole, by whichever kernel. */
LOOPED_TEST(the_cheapest_per_unit_wins, K)
{
    static const double times[K][K] = {
        {1, 1.5, 1.5, 1.5}, {1, 0.5, 0.6, 0.7}, {1, 0.7, 0.5, 0.6}, {1, 0.6, 0.7, 0.5}};

    memcpy(cost, times[_i], sizeof times[_i]);
    for (unsigned i = 1; i < K; i++)
        ck_assert_int_eq(offer(i), 0);
    script_repeat(600, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert_uint_eq(last()->units, factor[_i]);
    ck_assert_uint_eq(last()->global[0] * factor[_i], ITEMS);
}

/* Nobody knows where a kernel of the user's writes: all of a buffer is compared. */
TEST(whole_buffers_are_compared)
{
    script.buffer_size = 64 * ITEMS;
    cost[1] = 0.5;
    ck_assert_int_eq(offer(1), 0);
    script_repeat(100, ITEMS, OWN);
    ck_assert_uint_eq(last()->units, factor[1]);
    ck_assert_uint_eq(script.copied, 64 * ITEMS);
}

/* Each launch is one of the program's, but for two of either kernel on copies to verify a variant, its first
 * and one without what that took for compilation, and one beside the launch; and two to look at a size of the
 * program's kernel. */
TEST(what_is_measured_is_the_programs_work)
{
    cost[1] = cost[2] = cost[3] = 0.5;
    for (unsigned i = 1; i < K; i++)
        ck_assert_int_eq(offer(i), 0);
    script_repeat(600, ITEMS, OWN);
    ck_assert_uint_eq(script.nlaunch, 600 + 5 * (K - 1) + 2 * script_looks(OWN));
    ck_assert_uint_eq(script_said("variant-competes"), K - 1);
    ck_assert_uint_le(script.most_copies, 2 * (K - 1)); /* of two buffers */
    ck_assert_uint_eq(script.copies, 0);
    ck_assert_uint_eq(script.kept_args, 0);
}

TEST(what_is_wrong_never_reaches_the_output)
{
    cost[1] = 0.1;
    script.differs = true;
    ck_assert_int_eq(offer(1), 0);
    script_repeat(600, ITEMS, OWN);
    ck_assert_uint_eq(script.nlaunch, 600 + 2 + 2 * script_looks(OWN));
    ck_assert_uint_eq(script_said("variant-differs"), 1);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert(!last()->variant);
}

/* What it leaves out is there already, from the launches before. */
TEST(what_is_not_written_is_missed)
{
    cost[1] = 0.1;
    script.idle = true;
    ck_assert_int_eq(offer(1), 0);
    script_repeat(600, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-differs"), 1);
    ck_assert(!last()->variant);
}

/* Does wisdom know times of a variant? */
static bool is_known(const struct shim_site *s)
{
    const struct wis_key key = {.program = s->entry->build->hash,
                                .kernel = s->entry->name,
                                .device = s->entry->build->device->key,
                                .shape = s->key};
    struct wis_record r;
    bool known = false;

    ck_assert(wis_lookup(script_runtime.wisdom, &key, &r));
    for (unsigned i = 0; i < r.past.n; i++)
        known |= *r.past.candidate[i].variant != 0;
    return known;
}

/* An earlier run had compared it, and measured it; then one that compares again finds that it is wrong. */
TEST(what_is_found_wrong_is_known_no_more)
{
    cost[1] = 0.8;
    ck_assert_int_eq(offer(1), 0);
    for (int i = 0; i < 100 && !script_said("variant-competes"); i++)
        script_repeat(1, ITEMS, OWN);
    script_repeat(2, ITEMS, OWN);
    script_restart();
    script_runtime.opt.verify = true;
    script.differs = true;
    script_repeat(1, ITEMS, OWN);
    ck_assert(is_known(script_site(ITEMS, OWN)));
    script_analysed(script_map);
    for (int i = 0; i < 30 && !script_said("variant-differs"); i++)
        script_repeat(1, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-differs"), 1);
    ck_assert(!is_known(script_site(ITEMS, OWN)));
}

/* ... but of the others more than that: here one is asked for by its name. */
TEST(another_that_won_is_still_known)
{
    cost[1] = 0.5;
    cost[2] = 0.9;
    for (unsigned i = 1; i < 3; i++)
        ck_assert_int_eq(offer(i), 0);
    script_repeat(600, ITEMS, OWN);
    ck_assert_uint_eq(last()->units, factor[1]);
    script_restart();
    script_analysed(script_map);
    script_runtime.opt.sizes = "k=given k16:32";
    script.differs = true;
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-differs"), 1);
    script_restart();
    script_analysed(script_map);
    script_runtime.opt.sizes = "";
    script.differs = false;
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(last()->units, factor[1]);
}

TEST(units_that_do_not_divide_the_range)
{
    cost[3] = 0.1;
    ck_assert_int_eq(offer(3), 0);
    script_repeat(600, ITEMS + 64, OWN);
    for (unsigned i = 0; i < script.nlaunch; i++)
        ck_assert(!script.launch[i].variant);
    ck_assert_uint_eq(script_said("variant-size"), 1);
}

/* --sizes: whether it is faster is not asked. */
TEST(one_that_is_asked_for)
{
    script_runtime.opt.sizes = "k=given k4:32";
    cost[1] = 2;
    cost[2] = 0.1;
    for (unsigned i = 1; i < K; i++)
        ck_assert_int_eq(offer(i), 0);
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(last()->units, 4);
    ck_assert_uint_eq(script_last(), 32);
    ck_assert_uint_eq(script_said("variant-used"), 1);
    script.differs = true;
    script_repeat(1, ITEMS / 2, OWN);
    script_repeat(20, ITEMS / 2, OWN); /* another shape: verified for itself */
    ck_assert(!last()->variant);
    ck_assert_uint_eq(script_said("variant-differs"), 1);
}

TEST(none_of_that_name)
{
    script_runtime.opt.sizes = "k=given k5:32";
    ck_assert_int_eq(offer(1), 0);
    script_repeat(20, ITEMS, OWN);
    ck_assert(!last()->variant);
    ck_assert_uint_eq(script_last(), OWN);
    ck_assert_uint_eq(script_said("variant-none"), 1);
}

TEST(one_that_is_offered_again)
{
    struct pool_variant other = {.kernel = "k", .name = "k4", .text = "kernel", .program = ""};

    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(offer(1), 0);
    ck_assert_ptr_null(script_runtime.pool->next);
    other.tolerance = 0.5;
    ck_assert_int_eq(pool_offer(&script_runtime.pool, &other), 0);
    ck_assert_ptr_nonnull(script_runtime.pool->next);
    ck_assert_str_eq(pool_find(script_runtime.pool, "k", "ffff", 0)->name, "k4");
    ck_assert_ptr_null(pool_find(script_runtime.pool, "k", "ffff", 1));
    ck_assert_ptr_nonnull(pool_find(script_runtime.pool, "k", "0123456789abcdef0", 1));
    ck_assert_ptr_null(pool_find(script_runtime.pool, "l", "0123456789abcdef0", 0));
}

/* Where launches are made in parts the first that is faster wins, so they come before what we write. */
TEST(the_users_come_first)
{
    script_repeat(600, ITEMS, OWN);
    script_restart();
    script_analysed(script_map);
    script_runtime.opt.variants = OPT_VARIANTS_AUTO;
    cost[OURS] = 0.7;
    cost[1] = 0.3;
    ck_assert_int_eq(offer(1), 0);
    script_repeat(600, ITEMS, OWN);
    ck_assert_uint_eq(last()->units, factor[1]);
}

/* What was decided without it is decided again, once. */
TEST(one_that_is_offered_later)
{
    unsigned first;

    script.differs = true;
    ck_assert_int_eq(offer(1), 0);
    script_repeat(600, ITEMS, OWN);
    ck_assert(!last()->variant);
    script_restart();
    script_analysed(script_map);
    script.differs = false;
    cost[2] = 0.4;
    ck_assert_int_eq(offer(2), 0);
    script_repeat(600, ITEMS, OWN);
    ck_assert_uint_eq(last()->units, factor[2]);
    script_restart();
    script_analysed(script_map);
    first = script.nlaunch;
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(script.nlaunch - first, 20);
    ck_assert_uint_eq(last()->units, factor[2]);
}

/* ---- clsizerProfile() ------------------------------------------------------------------------------- */

static void ask(enum shim_profile what)
{
    atomic_store(&obj_kernel(script_kernel())->profile, (int)what);
}

/* ... while a variant has joined the race and others have not: its samples stay whole launches. */
TEST(the_flag_leaves_variants_in_the_race)
{
    const size_t items = 4 * ITEMS;
    unsigned n = 0;

    script.buffer_size = 4 * items;
    cost[1] = 0.5;
    for (unsigned i = 1; i < K; i++)
        ck_assert_int_eq(offer(i), 0);
    while (n++ < 500 && !script_said("variant-competes"))
        script_repeat(1, items, OWN);
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    ask(KERNEL_PROFILE);
    script_repeat(600, items, OWN);
    ck_assert_int_eq(site_state(script_site(items, OWN)), SITE_DECIDED);
    ck_assert_uint_eq(last()->units, factor[1]);
}

/* With a budget for little, and the sizes 64 and more twice as fast. */
static void begin_flag(void)
{
    script_begin();
    script.buffer_size = 4 * ITEMS;
    script.item_ns = script_wide;
    script_analysed(script_map);
}

static unsigned launches_until_decided(unsigned most)
{
    unsigned n = 0;

    while (n < most && !(script_site(ITEMS, 16) && site_state(script_site(ITEMS, 16)) == SITE_DECIDED)) {
        script_repeat(1, ITEMS, 16);
        n++;
    }
    return n;
}

/* The first launch need not be long, nor the first of many. */
LOOPED_TEST_WITH(begin_flag, script_end, the_flag_has_it_analysed_now, 2)
{
    script_restart(); /* which forgets the analysis */
    if (_i)
        ask(KERNEL_PROFILE);
    script_repeat(1, ITEMS / 16, 16);
    ck_assert_uint_eq(script.asked > 0, _i);
}

TEST_WITH(begin_flag, script_end, the_flag_has_nothing_measured)
{
    ask(KERNEL_LEAVE);
    ck_assert_uint_eq(launches_until_decided(500), 500);
    ck_assert_uint_eq(script.nlaunch, 500);
    for (unsigned i = 0; i < script.nlaunch; i++)
        ck_assert_uint_eq(script.launch[i].local[0], 16);
    ask(KERNEL_AS_USUAL);
    ck_assert_uint_lt(launches_until_decided(2000), 2000);
}

/* ... also where a race has begun; what was decided is used all the same. */
TEST_WITH(begin_flag, script_end, the_flag_stops_a_race)
{
    unsigned n = 0, racing;

    while (n++ < 500 && !(script_site(ITEMS, 16) && site_state(script_site(ITEMS, 16)) == SITE_RACING))
        script_repeat(1, ITEMS, 16);
    ck_assert_int_eq(site_state(script_site(ITEMS, 16)), SITE_RACING);
    ask(KERNEL_LEAVE);
    racing = script.nlaunch;
    script_repeat(100, ITEMS, 16);
    ck_assert_uint_eq(script.nlaunch, racing + 100);
    for (unsigned i = racing; i < script.nlaunch; i++)
        ck_assert_uint_eq(script.launch[i].local[0], 16);
    ask(KERNEL_AS_USUAL);
    ck_assert_uint_lt(launches_until_decided(2000), 2000);
    script_repeat(1, ITEMS, 16);
    ck_assert_uint_ge(script_last(), 64);
    ask(KERNEL_LEAVE);
    script_repeat(1, ITEMS, 16);
    ck_assert_uint_ge(script_last(), 64);
}

int main(void)
{
    return run_tests("pool", begin, script_end);
}
