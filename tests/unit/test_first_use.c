/* test_first_use.c - what was proved is looked at: a size is used on copies before the program's work is done
 * with it (shim/tune/first_use.c). */
#include "scripted_driver.h"

#define ITEMS 1048576 /* a millisecond */
#define OWN   16

/* Launches that did the program's work, or a part of it, with so large a size or a larger one. */
static unsigned used(size_t local)
{
    unsigned n = 0;

    for (unsigned i = 0; i < script.nlaunch; i++)
        n += script.launch[i].local[0] >= local && !script.launch[i].looks;
    return n;
}

static enum site_state run(enum prof_mode mode)
{
    script_runtime.opt.mode = mode;
    script.buffer_size = 4 * ITEMS;
    script_runtime.opt.budget = 1000; /* comparing takes real time, launches do not */
    script_analysed(script_map);
    script.item_ns = script_wide;
    script_repeat(300, ITEMS, OWN);
    return site_state(script_site(ITEMS, OWN));
}

static const enum prof_mode modes[] = {PROF_LAUNCHES, PROF_SLICES, PROF_RERUN, PROF_SANDBOX};
#define MODES ((int)(sizeof modes / sizeof *modes))

/* Each comes after a look on copies, on which the program's size ran, too. */
LOOPED_TEST(every_size_is_looked_at_first, MODES)
{
    bool looked[1025] = {false};

    ck_assert_int_eq(run(modes[_i]), SITE_DECIDED);
    ck_assert_uint_gt(used(script_last()), 0);
    for (unsigned i = 0; i < script.nlaunch; i++) {
        const struct script_launch *l = &script.launch[i];
        looked[l->local[0]] |= l->looks && script.launch[i - 1].looks && script.launch[i - 1].local[0] == OWN;
        ck_assert(l->local[0] == OWN || looked[l->local[0]]);
    }
}

/* Other threads that use the queue wait from a launch's first part to its last. */
LOOPED_TEST(no_look_is_between_the_parts_of_a_launch, 2)
{
    unsigned cut = 0;

    script_runtime.opt.orchestration = _i ? OPT_AUTO : OPT_SYNC;
    run(PROF_SLICES);
    for (unsigned i = 0, begun = 0; i < script.nlaunch; i++) {
        const struct script_launch *l = &script.launch[i];
        ck_assert(!l->looks || !begun);
        if (l->looks || l->variant)
            continue;
        begun = l->offset[0] + l->global[0] < ITEMS;
        cut += begun;
    }
    ck_assert_uint_gt(cut, 0);
    ck_assert_uint_gt(script_looks(OWN), 0);
}

/* Once: not again in this run, and not in the next, which remembers it. */
TEST(a_size_is_looked_at_once)
{
    unsigned looks[1025] = {0};

    run(PROF_LAUNCHES);
    script_restart();
    run(PROF_LAUNCHES);
    for (unsigned i = 0; i < script.nlaunch; i++)
        ck_assert_uint_le(looks[script.launch[i].local[0]] +=
                          script.launch[i].looks && script.launch[i].local[0] != OWN,
                          1);
    ck_assert_uint_gt(script_looks(OWN), 0);
}

LOOPED_TEST(a_size_that_writes_something_else_is_never_used, MODES)
{
    script.differs_from = 64;
    ck_assert_int_eq(run(modes[_i]), SITE_REFUSED);
    ck_assert_uint_eq(used(64), 0);
    ck_assert_uint_eq(script_last(), OWN);
    ck_assert_uint_eq(script_said("size-differs"), 2); /* the size, and the kernel */
}

TEST(nor_is_any_size_of_its_kernel_in_later_runs)
{
    unsigned before;

    script.differs_from = 64;
    run(PROF_LAUNCHES);
    script_restart();
    before = script.nlaunch;
    ck_assert_int_eq(run(PROF_LAUNCHES), SITE_REFUSED);
    ck_assert_uint_eq(script_said("launch-failed"), 1);
    ck_assert_uint_eq(script.nlaunch, before + 300);
}

LOOPED_TEST(a_size_that_is_asked_for_is_looked_at, 2)
{
    script.differs_from = _i ? 32 : 0;
    script_runtime.opt.sizes = "k=32";
    ck_assert_int_eq(run(PROF_NONE), _i ? SITE_REFUSED : SITE_DECIDED);
    ck_assert_uint_eq(used(32), _i ? 0 : 300);
    ck_assert_uint_eq(script_looks(OWN), _i ? 2 : 1); /* a difference, twice */
    ck_assert_uint_eq(script_totals().retuned, !_i);
    ck_assert_uint_eq(atomic_load(&script_runtime.total.refused), _i);
}

/* ... even by the program's own size: others write to the buffers. */
TEST(what_differs_each_time_shows_nothing)
{
    script.unsteady = true;
    ck_assert_int_eq(run(PROF_LAUNCHES), SITE_DECIDED);
    ck_assert_uint_ge(script_last(), 64);
    ck_assert_uint_eq(script_said("size-differs"), 0);
}

/* After some launches it is clear that nothing can be waited for, ever. */
TEST(what_cannot_be_waited_for_is_not_put_off_for_ever)
{
    hazard_callback(1);
    ck_assert_int_eq(run(PROF_LAUNCHES), SITE_DECIDED);
    ck_assert_uint_ge(script_last(), 64);
    ck_assert_uint_eq(script_looks(OWN), 0);
    hazard_callback(-1);
}

TEST(a_size_that_fails_on_copies_is_never_used)
{
    script.failing = 256;
    ck_assert_int_eq(run(PROF_LAUNCHES), SITE_REFUSED);
    ck_assert_uint_eq(used(256), 0);
    ck_assert_uint_eq(script_said("launch-failed"), 1);
}

int main(void)
{
    return run_tests("first use", script_begin, script_end);
}
