/* test_dispatch.c - who decides about a launch (shim/calls/dispatch.c). */
#include "scripted_driver.h"
#include "shim/enqueue/launch.h"
#include "shim/object/kernels.h"
#include "shim/object/queues.h"
#include "shim/tune/pace.h"

#define ITEMS  1048576 /* a millisecond */
#define OWN    16
#define STRIDE 64 /* one decided launch in this many is timed */

static void decide(void)
{
    script_analysed(script_map);
    script.item_ns = script_wide;
    script_repeat(100, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert_uint_ge(script_last(), 64);
}

TEST(a_decided_launch_is_one_launch)
{
    unsigned before;

    decide();
    before = script.nlaunch;
    script_repeat(10, ITEMS, OWN);
    ck_assert_uint_eq(script.nlaunch, before + 10);
    ck_assert_uint_eq(script_last(), script_site(ITEMS, OWN)->choice[0]);
}

TEST(one_decided_launch_in_some_is_timed)
{
    unsigned timed = 0, first;

    decide();
    first = script.nlaunch;
    script_repeat(4 * STRIDE, ITEMS, OWN);
    for (unsigned i = first; i < script.nlaunch; i++)
        timed += script.launch[i].event != NULL;
    ck_assert_uint_eq(timed, 4);
}

/* Long ones at once, short ones seldom: a look costs as much as they take. */
LOOPED_TEST(some_launches_are_timed_before_they_are_known, 2)
{
    static const struct {
        size_t items;
        unsigned timed;
    } as[] = {{ITEMS, 64 + 40}, {ITEMS / 64, 64 + 10}};
    unsigned timed = 0;

    script_repeat(64 + 640, as[_i].items, OWN);
    for (unsigned i = 0; i < script.nlaunch; i++)
        timed += script.launch[i].event != NULL;
    ck_assert_uint_eq(timed, as[_i].timed);
}

TEST(arguments_that_do_not_matter_may_change)
{
    decide();
    for (int n = 0; n < 100; n++) {
        script_set_n(n);
        script_repeat(1, ITEMS, OWN);
        ck_assert_uint_ge(script_last(), 64);
    }
}

TEST(other_arguments_are_proved_anew)
{
    decide();
    script_set_in_opaque();
    script_repeat(1, ITEMS, OWN);
    ck_assert_uint_eq(script_last(), OWN);
    script_set_in();
    script_repeat(1, ITEMS, OWN);
    ck_assert_uint_ge(script_last(), 64);
}

/* Two shapes, and arguments that the proof of neither has seen: once all proofs together have cost so much,
 * the second is proved only as far as that pays. */
TEST(shapes_share_what_proofs_may_cost)
{
    struct shim_site *s;

    decide();
    script_repeat(100, 2 * ITEMS, OWN);
    s = script_site(2 * ITEMS, OWN);
    ck_assert(!s->keep);
    s->saved_ns = 0; /* so that a proof does not pay */
    s->account.observed_ns = 0;
    ck_assert_int_gt(atomic_load(&s->proof_ns), 0);
    ck_assert_int_ge(atomic_load(&script_runtime.proof_ns), atomic_load(&s->proof_ns));
    atomic_store(&script_runtime.proof_ns, 1000000000);
    for (int i = 0; i < PROOFS_HASHES; i++) {
        atomic_store(&s->proofs.launches.of[i], 0);
        atomic_store(&s->proofs.layouts.of[i], 0);
    }
    script_repeat(1, 2 * ITEMS, OWN);
    ck_assert_uint_eq(script_last(), OWN);
    script_runtime.opt.effort = PROF_PATIENT;
    script_repeat(1, 2 * ITEMS, OWN);
    ck_assert_uint_ge(script_last(), 64);
}

/* While another process works on what the race needs; not when nothing is needed that can be paid. */
LOOPED_TEST(bursts_are_held_up_while_a_race_waits, 2)
{
    struct shim_site *s;

    script_runtime.opt.variants = OPT_SIZES;
    script_runtime.opt.mode = PROF_LAUNCHES;
    script_runtime.opt.wait = 0;
    script.item_ns = script_wide;
    script_analysed(script_map);
    script_repeat(1, ITEMS, OWN);
    s = script_site(ITEMS, OWN);
    s->account.spent_ns = (int64_t)1 << 60;
    script_repeat(100, ITEMS, OWN);
    ck_assert_int_eq(site_state(s), SITE_RACING);
    ck_assert_int_eq(s->held_ns, 0);
    script.asleep = true;
    for (unsigned i = 0; i < 150; i++) {
        s->race.trial = _i;
        script_repeat(1, ITEMS, OWN);
    }
    ck_assert((s->held_ns > 0) == _i);
    script_wake();
}

/* A program that does something else before it waits loses the time for which it is held up. */
TEST(programs_with_other_work_are_not_held_up)
{
    struct shim_site *s;
    int64_t held;

    script_runtime.opt.wait = 0;
    script.asleep = true;
    script_repeat(100, ITEMS, OWN);
    s = script_site(ITEMS, OWN);
    held = s->held_ns;
    ck_assert_int_gt(held, 0);
    for (int i = 0; i < 2; i++) {
        atomic_store(&obj_queue(script_queue())->unpaced, false); /* it was waited for in vain */
        pace_before_wait();
        script_repeat(100, ITEMS, OWN);
        ck_assert((s->held_ns > held) == !i);
        held = s->held_ns;
        nanosleep(&(struct timespec){.tv_nsec = 120000000}, NULL);
    }
    script_wake();
}

TEST(kept_launches_pass)
{
    unsigned before, timed = 0;

    script_analysed(script_map);
    script_repeat(400, ITEMS, OWN);
    ck_assert(script_site(ITEMS, OWN)->keep);
    before = script.nlaunch;
    script_repeat(4 * STRIDE, ITEMS, OWN);
    for (unsigned i = before; i < script.nlaunch; i++)
        timed += script.launch[i].event != NULL;
    ck_assert_uint_eq(script.nlaunch, before + 4 * STRIDE);
    ck_assert_uint_eq(timed, 4);
}

static double slower(const size_t local[3])
{
    return local[0] >= 64 ? 5 : 1;
}

TEST(a_decision_that_no_longer_stands_is_made_again)
{
    const struct shim_site *old;

    decide();
    old = script_site(ITEMS, OWN);
    script_repeat(5 * STRIDE, ITEMS, OWN); /* what it takes usually */
    script.item_ns = slower;
    script_repeat(12 * STRIDE, ITEMS, OWN);
    ck_assert_uint_ge(script_said("drift"), 1);
    ck_assert_ptr_ne(script_site(ITEMS, OWN), old);
    script_repeat(400, ITEMS, OWN);
    ck_assert_uint_eq(script_last(), OWN);
}

TEST(what_is_not_selected_passes)
{
    script_runtime.opt.kernels = "!k";
    script_analysed(script_map);
    script.item_ns = script_wide;
    script_repeat(100, ITEMS, OWN);
    ck_assert_uint_eq(script.nlaunch, 100);
    ck_assert_uint_eq(script_last(), OWN);
    ck_assert_uint_eq(script_said("not-selected"), 1);
}

TEST(a_queue_that_was_changed_is_left_alone)
{
    script_analysed(script_map);
    script.item_ns = script_wide;
    atomic_store(&obj_queue(script_queue())->changed, true);
    script_repeat(100, ITEMS, OWN);
    ck_assert_uint_eq(script.nlaunch, 100);
    ck_assert_ptr_null(script_site(ITEMS, OWN));
}

TEST(foreign_memory_leaves_all_alone)
{
    script_analysed(script_map);
    script.item_ns = script_wide;
    atomic_store(&hazard_foreign_memory, true);
    script_repeat(100, ITEMS, OWN);
    ck_assert_uint_eq(script_last(), OWN);
    ck_assert_uint_eq(script_said("shared-context"), 1);
}

TEST(errors_are_the_drivers_to_find)
{
    const size_t items = 0;
    const struct call c = {.queue = script_queue(), .kernel = script_kernel(), .dim = 1, .global = &items};

    script_analysed(script_map);
    ck_assert_int_eq(dispatch_launch(&c), CL_SUCCESS); /* this driver does not mind */
    ck_assert_uint_eq(script.launch[0].global[0], 0);
    ck_assert_ptr_null(script_site(0, 0));
}

TEST(recorded_launches_are_told_of)
{
    const size_t items = ITEMS;

    dispatch_recorded(
        &(struct call){.queue = script_queue(), .kernel = script_kernel(), .dim = 1, .global = &items});
    ck_assert_uint_eq(script_said("recorded-launch"), 1);
    ck_assert_uint_eq(script.nlaunch, 0);
}

TEST(without_the_library_launches_are_bare)
{
    decide();
    atomic_store(&rt_usable, NULL);
    script_repeat(3, ITEMS, OWN);
    ck_assert_uint_eq(script_last(), OWN);
}

/* ---- a driver that confuses launches (widening.h) ---- */

static cl_command_queue second_queue(void)
{
    static char handle;
    const struct shim_queue *first = obj_queue(script_queue());

    obj_add_queue(
        (cl_command_queue)&handle,
        &(struct queue_made){.context = first->context, .device = first->device->id, .timed = true});
    return (cl_command_queue)&handle;
}

static void begin_confusing(void)
{
    script.version = "OpenCL 1.2 PoCL 3.1";
    script_begin();
}

/* The second queue only copies at first, as that in which ffmpeg uploads its frames. */
TEST_WITH(begin_confusing, script_end, only_queues_with_kernels_can_be_confused)
{
    cl_command_queue second;

    decide();
    script_repeat(1, ITEMS / 2, OWN);
    second = second_queue();
    sharing_note(&obj_queue(second)->sharing);
    script_repeat(10, ITEMS, OWN);
    ck_assert_uint_ge(script_last(), 64);
    obj_note_launch(obj_queue(second));
    script_repeat(10, ITEMS, OWN);
    ck_assert_uint_eq(script_last(), OWN);
    ck_assert_uint_eq(script_said("several-queues"), 1);
    ck_assert_uint_eq(script.held_queues, 0);
}

/* 512 x 1024 and 1024 x 1024 are equally wide, 512 x 128 and 1024 x 128 are not. */
TEST_WITH(begin_confusing, script_end, variants_may_be_wider_where_the_program_is_not)
{
    const size_t local[2] = {OWN, 1}, range[2][2] = {{512, 1024}, {1024, 1024}};
    struct call c = {.queue = script_queue(), .kernel = script_kernel(), .dim = 2, .local = local};
    struct launching l = {
        .call = &c, .rt = &script_runtime, .kernel = obj_kernel(c.kernel), .queue = obj_queue(c.queue)};

    script_analysed(script_map);
    obj_note_launch(obj_queue(second_queue()));
    for (int i = 0; i < 2; i++) {
        c.global = range[i];
        ck_assert_int_eq(dispatch_launch(&c), CL_SUCCESS);
        l.site = script_site(range[i][0], OWN);
        ck_assert_ptr_nonnull(l.site);
        ck_assert(launch_may_use_other(&l));
        ck_assert(launch_may_vary(&l) == (i == 0));
    }
}

int main(void)
{
    return run_tests("dispatch", script_begin, script_end);
}
