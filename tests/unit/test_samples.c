/* test_samples.c - the events of timed launches (shim/site/samples_in_flight.c). */
#include "scripted_driver.h"
#include "shim/object/event_shadow.h"
#include "shim/site/samples_in_flight.h"

#define ITEMS 1048576 /* a millisecond */
#define OWN   16

static cl_uint refs(cl_event e)
{
    return ((struct script_event *)(void *)e)->refs;
}

TEST(times_are_taken_when_they_are_there)
{
    script.asleep = true;
    script_repeat(3, ITEMS, OWN);
    ck_assert_uint_eq(script_site(ITEMS, OWN)->npending, 3);
    ck_assert_int_eq(script_site(ITEMS, OWN)->account.observed_ns, 0);
    script_wake();
    samples_settle(NULL);
    ck_assert_uint_eq(script_site(ITEMS, OWN)->npending, 0);
    ck_assert_int_eq(script_site(ITEMS, OWN)->account.observed_ns, 3 * ITEMS);
    ck_assert_uint_eq(script_events_held(), 0);
}

TEST(what_finds_no_room_counts_as_the_fastest)
{
    script.asleep = true;
    script_runtime.opt.orchestration = OPT_ASYNC;
    script_repeat(SITE_PENDING + 4, ITEMS, OWN);
    ck_assert_uint_eq(script_site(ITEMS, OWN)->npending, SITE_PENDING);
    ck_assert_uint_eq(script_site(ITEMS, OWN)->untimed, 4);
    script_wake();
    samples_settle(NULL);
    ck_assert_int_eq(script_site(ITEMS, OWN)->account.observed_ns, (SITE_PENDING + 4) * ITEMS);
}

TEST(a_programs_event_has_its_references_alone)
{
    cl_event event;

    script.asleep = true;
    ck_assert_int_eq(script_launch_event(ITEMS, OWN, &event), CL_SUCCESS);
    ck_assert_uint_eq(refs(event), 1);
    ck_assert_int_eq(shadow_retain(event), CL_SUCCESS);
    ck_assert_uint_eq(refs(event), 2);
    ck_assert_int_eq(shadow_release(event), CL_SUCCESS);
    ck_assert_uint_eq(refs(event), 1);
    /* The last one becomes ours until the time is known. */
    ck_assert_int_eq(shadow_release(event), CL_SUCCESS);
    ck_assert_uint_eq(refs(event), 1);
    ck_assert_int_eq(shadow_release(event), CL_INVALID_EVENT);
    script_wake();
    samples_settle(NULL);
    ck_assert_uint_eq(refs(event), 0);
    ck_assert_int_eq(script_site(ITEMS, OWN)->account.observed_ns, ITEMS);
}

TEST(a_programs_event_stays_its_own)
{
    cl_event event;

    ck_assert_int_eq(script_launch_event(ITEMS, OWN, &event), CL_SUCCESS);
    samples_settle(NULL);
    ck_assert_uint_eq(script_site(ITEMS, OWN)->npending, 0);
    ck_assert_uint_eq(refs(event), 1);
    ck_assert_int_eq(shadow_release(event), CL_SUCCESS);
    ck_assert_uint_eq(refs(event), 0);
}

TEST(a_queue_that_goes_takes_its_events_along)
{
    script.asleep = true;
    script_repeat(3, ITEMS, OWN);
    ck_assert_uint_eq(script_events_held(), 3);
    samples_settle((cl_command_queue)(void *)&script);
    ck_assert_uint_eq(script_events_held(), 3);
    samples_settle(script_queue());
    ck_assert_uint_eq(script_events_held(), 0);
    ck_assert_uint_eq(script_site(ITEMS, OWN)->npending, 0);
}

TEST(a_cancelled_wait_leaves_events_alone)
{
    script.asleep = true;
    script_repeat(3, ITEMS, OWN);
    samples_leave_events();
    script_wake();
    samples_settle(NULL);
    ck_assert_uint_eq(script_site(ITEMS, OWN)->npending, 0);
    ck_assert_int_eq(script_site(ITEMS, OWN)->account.observed_ns, 0);
    ck_assert_uint_eq(script_events_held(), 3); /* leaked on purpose */
    script_repeat(1, ITEMS, OWN);
    samples_settle(NULL);
    ck_assert_int_eq(script_site(ITEMS, OWN)->account.observed_ns, ITEMS);
}

/* Whatever else is done before the next launch: it would be held up, far ahead of the device. */
TEST(after_a_cancelled_wait_no_launch_looks_at_them)
{
    unsigned looks;

    script.asleep = true;
    script_repeat(16, ITEMS, OWN);
    samples_leave_events();
    looks = script.event[0].looks;
    script_repeat(1, ITEMS, OWN);
    ck_assert_uint_eq(script.event[0].looks, looks);
}

TEST(a_failed_launch_is_a_hazard)
{
    bool lasting;

    ck_assert_ptr_null(hazard_of_parts(&lasting));
    script.failing = OWN;
    script_repeat(1, ITEMS, OWN);
    samples_settle(NULL);
    ck_assert_str_eq(hazard_of_parts(&lasting), "failed-commands");
    ck_assert(lasting);
    ck_assert(!atomic_load(&script_site(ITEMS, OWN)->failed)); /* the size was the program's */
}

TEST(nothing_is_held_after_a_decision)
{
    script_analysed(script_map);
    script.item_ns = script_wide;
    script_repeat(100, ITEMS, OWN);
    samples_settle(NULL);
    ck_assert(!site_is_open(script_site(ITEMS, OWN)));
    ck_assert_uint_eq(script_events_held(), 0);
}

int main(void)
{
    return run_tests("samples", script_begin, script_end);
}
