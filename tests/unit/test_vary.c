/* test_vary.c - when a kernel gets a variant, which launches it makes, and what is left behind
 * (shim/tune/vary.c, fixed.c, verify.c; shim/object/private_kernel.c). */
#include "scripted_driver.h"
#include <glob.h>
#include <sys/resource.h>
#include "shim/site/compile_ahead.h"
#include "shim/site/samples_in_flight.h"
#include "shim/site/site_report.h"
#include "shim/enqueue/variant_launch.h"
#include "shim/guest/clock.h"
#include "shim/guest/next.h"
#include "shim/object/private_kernel.h"
#include "shim/object/programs.h"
#include "shim/tune/vary_search.h"
#include "shim/tune/vary_sizes.h"
#include "shim/tune/vary_worth.h"

#define ITEMS 1048576 /* a millisecond */
#define OWN   64

static void begin(void)
{
    script_begin();
    script.buffer_size = 4 * ITEMS;
    script_runtime.opt.variants = OPT_FIXED;
    script_runtime.opt.sizes = "k=64";
    script_analysed(script_map);
}

static void begin_held(void)
{
    script.vendor = "Mesa";
    begin();
}

/* As users will have it: sizes and variants compete. */
static void begin_auto(void)
{
    begin();
    script_runtime.opt.variants = OPT_VARIANTS_AUTO;
    script_runtime.opt.sizes = "";
    script_runtime.opt.budget = 1000; /* comparing takes real time, launches do not */
}

/* A launch of ITEMS takes half a second. */
static double slow_item(const size_t local[3])
{
    (void)local;
    return 500;
}

static bool last_was_variant(void)
{
    return script.launch[script.nlaunch - 1].variant;
}

static unsigned variant_launches(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < script.nlaunch; i++)
        n += script.launch[i].variant;
    return n;
}

TEST_WITH(begin, script_end, not_unless_asked)
{
    script_runtime.opt.variants = OPT_SIZES;
    script_repeat(100, ITEMS, OWN);
    ck_assert_uint_eq(script.builds, 0);
    ck_assert(site_is_as_written(script_site(ITEMS, OWN)));
}

TEST_WITH(begin, script_end, a_variant_is_used)
{
    script_repeat(20, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script_last(), 64);
    ck_assert_uint_eq(script.builds, 1);
    ck_assert_uint_eq(script_said("variant-used"), 1);
    ck_assert_str_eq(script.text, "kernel\n#undef k\n"
                                  "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) "
                                  "void k__clsizer(__global void *restrict clsizer_0, __global void "
                                  "*restrict clsizer_1, int clsizer_2)\n"
                                  "{\n    k(clsizer_0, clsizer_1, (int)3l);\n}\n");
}

TEST_WITH(begin, script_end, the_other_size_that_was_decided)
{
    script_repeat(20, ITEMS, 16);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script_last(), 64);
}

TEST_WITH(begin, script_end, values_are_guards)
{
    script_repeat(20, ITEMS, OWN);
    script_set_n(4);
    script_repeat(1, ITEMS, OWN);
    ck_assert(!last_was_variant());
    script_set_n(3);
    script_repeat(1, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script.builds, 1);
}

TEST_WITH(begin, script_end, what_changes_is_no_constant)
{
    for (int n = 0; n < 20; n++) {
        script_set_n(n);
        script_repeat(1, ITEMS, OWN);
    }
    ck_assert(last_was_variant());
    ck_assert_ptr_nonnull(strstr(script.text, "k(clsizer_0, clsizer_1, clsizer_2)"));
}

TEST_WITH(begin, script_end, unknown_memory_is_left_to_the_program)
{
    script_repeat(20, ITEMS, OWN);
    script_set_in_opaque();
    script_repeat(3, ITEMS, OWN);
    ck_assert(!last_was_variant());
    script_set_in();
    script_repeat(1, ITEMS, OWN);
    ck_assert(last_was_variant());
}

/* Nothing is used, the reason is said once, and nobody tries again. */
static void expect_given_up(const char *reason)
{
    script_repeat(200, ITEMS, OWN);
    for (unsigned i = 150; i < script.nlaunch; i++)
        ck_assert(!script.launch[i].variant);
    ck_assert_uint_eq(script_said(reason), 1);
    ck_assert_uint_eq(script_said("variant-used"), 0);
    ck_assert_uint_le(script.builds, 1);
    ck_assert(site_is_as_written(script_site(ITEMS, OWN)));
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
}

/* On a device that runs the same code for all sizes, but may fuse a product and a sum in one text only. */
TEST_WITH(begin, script_end, random_numbers_show_how_it_rounds)
{
    script_analysed(script_fused);
    script_repeat(20, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script.noises, 4); /* two buffers for each of the two kernels */
    ck_assert_uint_eq(script.copies, 0);
}

/* Of one value only. */
TEST_WITH(begin, script_end, another_scalar_may_round_otherwise)
{
    script_analysed(script_fused);
    for (int n = 0; n < 20; n++) {
        script_set_n(n);
        script_repeat(1, ITEMS, OWN);
    }
    ck_assert_uint_eq(variant_launches(), 0);
    ck_assert_uint_eq(script_said("driver-rounds"), 1);
    ck_assert_uint_eq(script.builds, 0);
}

TEST_WITH(begin, script_end, of_integers_there_is_nothing_to_show)
{
    script_repeat(20, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script.noises, 0);
}

TEST_WITH(begin, script_end, it_rounds_otherwise)
{
    script_analysed(script_fused);
    script.rounds = true;
    expect_given_up("variant-differs");
}

TEST_WITH(begin, script_end, random_numbers_show_nothing)
{
    script_analysed(script_fused);
    script.is_silent = true;
    expect_given_up("variant-unverified");
}

TEST_WITH(begin, script_end, random_numbers_need_too_much_room)
{
    script_analysed(script_fused);
    script.buffer_size = 65 << 20; /* two buffers, for two kernels */
    expect_given_up("driver-rounds");
    ck_assert_uint_eq(script_said("sandbox-too-large"), 1);
}

TEST_WITH(begin, script_end, random_numbers_would_decide)
{
    script_analysed(script_choice);
    expect_given_up("driver-rounds");
    ck_assert_uint_eq(script.noises, 0);
}

TEST_WITH(begin, script_end, it_does_not_build)
{
    script.no_build = true;
    expect_given_up("variant-not-built");
    ck_assert_uint_eq(script.objects, 0);
}

TEST_WITH(begin, script_end, it_has_no_kernel)
{
    script.no_kernel = true;
    expect_given_up("variant-no-kernel");
    ck_assert_uint_eq(script.objects, 0);
}

TEST_WITH(begin, script_end, another_kernel_may_write_a_variable)
{
    script_analysed(script_counted);
    expect_given_up("variant-kernel");
    ck_assert_uint_eq(script.builds, 0);
}

TEST_WITH(begin, script_end, it_computes_something_else)
{
    script.differs = true;
    expect_given_up("variant-differs");
}

TEST_WITH(begin, script_end, it_cannot_be_verified)
{
    script.buffer_size = (size_t)1 << 30;
    expect_given_up("variant-unverified");
}

/* What was enqueued before may depend on what the program does next: it is not waited for as long as that
 * which a variant takes, nor twice. */
TEST_WITH(begin, script_end, what_comes_before_does_not_end)
{
    int64_t begin;

    script_repeat(1, ITEMS, OWN);
    script.asleep = true;
    script_runtime.opt.wait = 50;
    begin = clock_now();
    script_repeat(10, ITEMS, OWN);
    ck_assert_int_lt(clock_now() - begin, 2000000000);
    script_wake();
}

/* Programs may enqueue all their launches at once: what comes before is waited for as long as a long launch
 * takes.  (The first ones tell how long that is.) */
TEST_WITH(begin, script_end, what_comes_before_takes_its_time)
{
    script.item_ns = slow_item;
    script_repeat(2, ITEMS, OWN);
    script.asleep = true;
    script_repeat(1, ITEMS, OWN);
    script.wakes_at = clock_now() + 60000000;
    script_repeat(1, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-used"), 1);
}

/* Another thread may have enqueued what waits for this one. */
TEST_WITH(begin, script_end, what_is_read_may_never_come)
{
    int64_t begin;

    script.no_reads = true;
    script_runtime.opt.wait = 50;
    begin = clock_now();
    script_repeat(10, ITEMS, OWN);
    ck_assert_int_lt(clock_now() - begin, 2000000000);
    ck_assert_uint_eq(script_said("variant-unverified"), 1);
}

/* The copies take the memory that a launch needs: then it is made without them. */
TEST_WITH(begin, script_end, no_room_for_copies)
{
    script.is_full = true;
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-used"), 0);
}

/* It is not tried again, in this run or a later one, even if that does not end well. */
TEST_WITH(begin, script_end, it_fails_when_it_runs)
{
    script.fails = true;
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(script_said("launch-failed"), 1);
    ck_assert_uint_eq(variant_launches(), 1);
    script_restart();
    script_analysed(script_map);
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(variant_launches(), 1);
}

/* That is not because of what we changed. */
TEST_WITH(begin, script_end, the_own_kernel_fails_on_copies)
{
    script_runtime.opt.variants = OPT_VARIANTS_AUTO;
    script_runtime.opt.sizes = "";
    script_runtime.opt.budget = 1000;
    script.own_fails = true;
    script_repeat(300, ITEMS / 8, OWN);
    ck_assert_uint_eq(script_said("launch-failed"), 0);
    ck_assert_uint_eq(script_said("variant-unverified"), 1);
}

TEST_WITH(begin, script_end, the_driver_refuses_it_later)
{
    script_repeat(20, ITEMS, OWN);
    script.refuses = true;
    script_repeat(20, ITEMS, OWN);
    ck_assert(!last_was_variant());
    ck_assert_uint_eq(script_said("variant-rejected"), 1);
    script.refuses = false;
    script_repeat(1, ITEMS, OWN);
    ck_assert(!last_was_variant());
}

/* What the driver refuses is the program's call, whatever the kernel. */
TEST_WITH(begin, script_end, the_driver_refuses_the_wait_list)
{
    script_repeat(20, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_int_eq(script_launch_wrong(ITEMS, OWN, NULL), CL_INVALID_EVENT_WAIT_LIST);
    script_repeat(1, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script_said("variant-rejected"), 0);
}

/* Events of theirs that the program holds would hold ours, and through it the context: `held`. */
static void launch_with_event(bool held)
{
    cl_event event;

    script_repeat(20, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_int_eq(script_launch_event(ITEMS, OWN, &event), CL_SUCCESS);
    ck_assert(last_was_variant() == !held);
    ck_assert_uint_eq(script_said("variant-event"), held);
    script_repeat(1, ITEMS, OWN);
    ck_assert(last_was_variant());
}

TEST_WITH(begin, script_end, events_that_hold_nothing_may_be_ours)
{
    launch_with_event(false);
}

TEST_WITH(begin_held, script_end, events_that_hold_kernels_hold_the_programs)
{
    launch_with_event(true);
}

TEST_WITH(begin, script_end, nothing_is_held_between_launches)
{
    script_repeat(20, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script.kept_args, 0);
    ck_assert_uint_eq(script.objects, 2);
    script_release_program();
    ck_assert_uint_eq(script.objects, 2);
    script_release_kernel();
    ck_assert_uint_eq(script.objects, 0);
}

/* Launch a kernel object, which the program makes for that alone. */
static void launch_another(cl_kernel kernel)
{
    const size_t items = ITEMS, local = OWN;
    const struct call c = {
        .queue = script_queue(), .kernel = kernel, .dim = 1, .global = &items, .local = &local};

    ck_assert_int_eq(dispatch_launch(&c), CL_SUCCESS);
}

TEST_WITH(begin, script_end, kernels_of_one_program_share_it)
{
    static char clone[64];

    script_repeat(20, ITEMS, OWN);
    for (int i = 0; i < 20; i++) {
        obj_clone_kernel((cl_kernel)(void *)clone, script_kernel());
        launch_another((cl_kernel)(void *)clone);
        ck_assert(last_was_variant());
        obj_release_kernel((cl_kernel)(void *)clone);
    }
    ck_assert_uint_eq(script.builds, 1);
    ck_assert_uint_eq(script.objects, 2);
    script_release_kernel();
    ck_assert_uint_eq(script.objects, 2);
    script_release_program();
    ck_assert_uint_eq(script.objects, 0);
}

TEST_WITH(begin, script_end, nothing_is_held_when_references_are_counted)
{
    script_repeat(20, ITEMS, OWN);
    private_settle();
    ck_assert_uint_eq(script.objects, 0);
    script_repeat(20, ITEMS, OWN);
    ck_assert(!last_was_variant());
    ck_assert_uint_eq(script.objects, 0);
    script_release_kernel();
}

static bool came_back;

static void *launch_of_another(void *kernel)
{
    pthread_cancel(pthread_self());
    launch_another(kernel);
    came_back = true;
    return NULL;
}

/* A launch is no place where a thread ends: not when its kernel is another program's, for which the variant
 * is built again, either. */
TEST_WITH(begin, script_end, no_thread_is_cancelled_while_it_is_built)
{
    static char objects[2][64];
    const cl_kernel kernel = (cl_kernel)(void *)objects[0];
    const cl_program program = (cl_program)(void *)objects[1];
    const struct shim_kernel *like = obj_kernel(script_kernel());
    pthread_t t;

    script_repeat(20, ITEMS, OWN);
    obj_add_program(program, obj_source_ref(like->source),
                    (struct shim_made){.built = obj_source_ref(like->source)}, NULL);
    obj_add_kernel(kernel, program, "k");
    memcpy(obj_kernel(kernel)->args, like->args, like->nargs * sizeof *like->args);
    script.build_ns = 1000;
    ck_assert_int_eq(pthread_create(&t, NULL, launch_of_another, kernel), 0);
    ck_assert_int_eq(pthread_join(t, NULL), 0);
    ck_assert_uint_eq(script.builds, 2);
    ck_assert(came_back);
    ck_assert(last_was_variant());
    obj_release_kernel(kernel);
    obj_release_program(program);
    script_release_kernel();
    script_release_program();
    ck_assert_uint_eq(script.objects, 0);
}

/* ---- units ------------------------------------------------------------------------------------------ */

static const struct variant eight = {.label = "eight", .text = "kernel", .kernel = "k8", .units = {8, 1, 1}};
static struct shim_source without_options = {.options = ""};
static const struct shim_kernel three = {.nargs = 3, .source = &without_options};

TEST_WITH(begin, script_end, a_work_item_that_does_eight)
{
    const size_t items = ITEMS, local = OWN, wide[3] = {32, 1, 1};
    const struct call c = {
        .queue = script_queue(), .kernel = script_kernel(), .dim = 1, .global = &items, .local = &local};
    struct launching l = {.call = &c, .rt = &script_runtime};
    struct variant *v = variant_new(&eight, &three);
    struct site_pending watch;
    const char *reason;

    script_repeat(1, ITEMS, OWN);
    l.kernel = obj_kernel(script_kernel());
    l.queue = obj_queue(script_queue());
    l.site = script_site(ITEMS, OWN);
    l.shape = site_shape(l.site);
    ck_assert_int_eq(variant_launch(&l, v, wide, &watch, &reason), VARIANT_WORKS);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script_last(), 32);
    ck_assert_uint_eq(script.launch[script.nlaunch - 1].global[0], ITEMS / 8);
    ck_assert_ptr_eq(watch.event, (void *)script.launch[script.nlaunch - 1].event);
    ck_assert_uint_eq(script.kept_args, 0);
    next()->clReleaseEvent(watch.event);
    l.shape.global[0] = ITEMS + 4; /* not divided by eight */
    ck_assert_int_eq(variant_launch(&l, v, wide, NULL, &reason), VARIANT_LATER);
    l.shape.global[0] = ITEMS + 8; /* the rest is not divided by 32 */
    ck_assert_int_eq(variant_launch(&l, v, wide, NULL, &reason), VARIANT_LATER);
    script_release_kernel();
    free(v);
}

TEST_WITH(begin, script_end, ranges_of_a_variant)
{
    struct variant *v = variant_new(&eight, &three);
    struct launch l = {.dim = 2, .global = {64, 6, 1}, .offset = {16, 3, 0}};
    size_t global[3], offset[3];

    ck_assert_str_eq(v->options, " -w");
    ck_assert(variant_range(v, &l, (const size_t[3]){4, 2, 1}, global, offset));
    ck_assert_uint_eq(global[0], 8);
    ck_assert_uint_eq(global[1], 6);
    ck_assert_uint_eq(offset[0], 2);
    ck_assert_uint_eq(offset[1], 3);
    ck_assert(variant_range(v, &l, (const size_t[3]){0}, global, offset));
    ck_assert(!variant_range(v, &l, (const size_t[3]){16, 2, 1}, global, offset));
    l.offset[0] = 4;
    ck_assert(!variant_range(v, &l, (const size_t[3]){4, 2, 1}, global, offset));
    free(v);
}

TEST_WITH(begin, script_end, ranges_whose_end_is_told)
{
    struct variant o = eight;
    struct launch l = {.dim = 1, .global = {61, 1, 1}, .offset = {16, 0, 0}};
    size_t global[3], offset[3];

    o.end = 1;
    o.id_bits = 7;
    struct variant *v = variant_new(&o, &three);
    ck_assert(variant_range(v, &l, (const size_t[3]){4, 1, 1}, global, offset));
    ck_assert_uint_eq(global[0], 8); /* the last one does five */
    ck_assert_uint_eq(offset[0], 2);
    l.global[0] = 112;
    ck_assert(variant_range(v, &l, (const size_t[3]){0}, global, offset));
    l.global[0] = 113; /* 128 needs eight bits */
    ck_assert(!variant_range(v, &l, (const size_t[3]){0}, global, offset));
    l.global[0] = 61;
    l.offset[0] = 12;
    ck_assert(!variant_range(v, &l, (const size_t[3]){0}, global, offset));
    free(v);
}

/* Where the driver would make vectors of what is vectors already. */
TEST_WITH(begin, script_end, sizes_beside_vectors)
{
    struct variant o = eight;
    struct launching l = {.shape = {.dim = 2, .global = {1024, 64, 1}}};
    size_t global[3], offset[3], local[3];

    o.end = 1;
    o.id_bits = 32;
    o.alone = true;
    struct variant *v = variant_new(&o, &three);
    ck_assert(variant_range(v, &l.shape, (const size_t[3]){1, 16, 1}, global, offset));
    ck_assert(!variant_range(v, &l.shape, (const size_t[3]){2, 8, 1}, global, offset));
    ck_assert(!variant_range(v, &l.shape, (const size_t[3]){0}, global, offset));
    ck_assert(vary_divide_size(v, &l, (const size_t[3]){256, 4, 1}, local));
    ck_assert_uint_eq(local[0], 1);
    ck_assert_uint_eq(local[1], 4);
    free(v);
}

/* What is compiled for each size is compiled elsewhere, for which it must be known. */
TEST_WITH(begin, script_end, the_drivers_choice_is_compiled_by_nobody_else)
{
    struct variant o = eight;
    struct shim_device device = {.model = {.compile_ns = 5e7}};
    struct shim_queue queue = {.device = &device};
    struct shim_site site = {.race = {.n = 2, .lane = {{.local = {64, 1, 1}}, {.local = {256, 1, 1}}}}};
    struct launching l = {.queue = &queue, .site = &site, .shape = {.dim = 1, .global = {65536, 1, 1}}};
    struct vary_entrant to[VARY_MOST_SIZES];

    o.end = 1;
    o.id_bits = 64;
    struct variant *v = variant_new(&o, &three);
    ck_assert_uint_eq(vary_entrants(&l, v, to), 2);
    ck_assert_uint_eq(to[0].local[0], 64);
    ck_assert_uint_eq(to[1].local[0], 256);
    device.model.compile_ns = 0;
    ck_assert_uint_eq(vary_entrants(&l, v, to), 3);
    ck_assert_uint_eq(to[2].local[0], 0);
    device.model.compile_ns = 5e7;
    l.shape.global[0] = 65536 - 9; /* 8191 wide ones, a prime */
    ck_assert_uint_eq(vary_entrants(&l, v, to), 1);
    ck_assert_uint_eq(to[0].local[0], 0);
    l.shape.global[0] = 65536;
    memset(site.race.lane[0].local, 0, sizeof site.race.lane[0].local);
    vary_first_size(&l, v, site.race.lane[0].local, to[0].local);
    ck_assert_uint_eq(to[0].local[0], 256);
    ck_assert_uint_eq(vary_entrants(&l, v, to), 1);
    ck_assert_uint_eq(to[0].local[0], 256);
    device.model.compile_ns = 0;
    vary_first_size(&l, v, site.race.lane[0].local, to[0].local);
    ck_assert_uint_eq(to[0].local[0], 0);
    free(v);
}

TEST_WITH(begin, script_end, all_units_have_groups)
{
    struct variant *v = variant_new(&eight, &three);
    struct shim_device device = {.model = {.units = 2}};
    struct shim_queue queue = {.device = &device};
    struct shim_site site = {0};
    struct launching l = {.queue = &queue, .site = &site, .shape = {.dim = 1, .global = {4096, 1, 1}}};
    size_t to[3];

    vary_first_size(&l, v, (size_t[3]){256, 1, 1}, to);
    ck_assert_uint_eq(to[0], 256);
    vary_first_size(&l, v, (size_t[3]){512, 1, 1}, to); /* the variant has 512 work-items */
    ck_assert_uint_eq(to[0], 64);
    free(v);
}

/* Who is gone without an answer has failed: but not with a size that nobody was asked for.  The file that
 * says who is at work lies in the cache. */
TEST_WITH(begin, script_end, another_sizes_trial_says_nothing)
{
    char answers[RT_FILE + sizeof "/*.ahead"];
    glob_t found;
    const struct ahead_question q = {.n = 1, .needed = 1, .local = {{256, 1, 1}}};
    struct variant *v = variant_new(&eight, &three);
    struct launching l;

    script_repeat(1, ITEMS, OWN);
    script_runtime.opt.variants = OPT_VARIANTS_AUTO; /* what is asked for by name is waited for */
    l = script_launching(ITEMS, OWN);
    v->trial.asked = true;
    v->trial.asked_for[0] = 256;
    v->trial.asked_for[1] = v->trial.asked_for[2] = 1;
    ck_assert_int_eq(ahead_try(&l, v, &q), VARIANT_NEVER);
    v->trial.look = 0;
    v->trial.asked_for[0] = 64;
    ck_assert_int_ne(ahead_try(&l, v, &q), VARIANT_NEVER);
    snprintf(answers, sizeof answers, "%s/*.ahead", script_runtime.cache);
    ck_assert_int_eq(glob(answers, 0, NULL, &found), 0);
    ck_assert_uint_eq(found.gl_pathc, 1);
    globfree(&found);
    free(v);
}

/* ---- in a race -------------------------------------------------------------------------------------- */

/* Whether the driver could compile here takes system calls, for which a launch while another process tries
 * the variant has no need. */
TEST(who_waits_for_an_answer_asks_nothing)
{
    const struct call call = {0};
    struct rlimit few, usual;
    struct shim_site *s;
    struct launching l;

    script_repeat(10, ITEMS, OWN);
    l = script_launching(ITEMS, OWN);
    l.call = &call;
    s = l.site;
    vary_end_search(s);
    s->varied = false;
    s->vary = calloc(1, sizeof *s->vary);
    s->vary->waits = true;
    s->vary->offered = variant_new(&eight, &three);
    ck_assert(vary_joins(&l));
    l.queue->device->is_cpu = true;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual), 0);
    few = (struct rlimit){3, usual.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0); /* with which it could not */
    ck_assert(!vary_joins(&l));
    s->vary->offered->trial.look = INT64_MAX;
    ck_assert(vary_joins(&l));
    s->vary->offered->trial.look = clock_now() - 1;
    ck_assert(!vary_joins(&l));
    setrlimit(RLIMIT_NOFILE, &usual);
}

TEST(a_faster_variant_wins)
{
    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    ck_assert_uint_eq(script_said("variant-faster"), 1);
    ck_assert_uint_eq(script_totals().retuned, 1);
    ck_assert_ptr_null(strstr(script.text, "reqd"));
    ck_assert_uint_eq(script.kept_args, 0);
}

TEST(it_competes_with_the_drivers_choice)
{
    script.variant_time = 0.6;
    script_repeat(300, ITEMS, 0);
    ck_assert_int_eq(site_state(script_site(ITEMS, 0)), SITE_DECIDED);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    ck_assert_uint_eq(script_said("variant-faster"), 1);
}

/* What the variant saved in the race counts, and later launches save as much less as they are shorter than
 * they were in it. */
TEST(what_a_variant_saves)
{
    struct report_totals totals;
    struct shim_site *s;
    int64_t spent, saved, later;

    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    s = script_site(ITEMS, OWN);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert(s->keep);
    prof_balance(&s->account, &s->earlier, &spent, &saved);
    s->account.saved_ns += spent + 1000;
    saved = saved ? saved + spent + 1000 : 1000;
    s->decided_timed = 0;
    report_open_sites(&script_runtime, &totals);
    later = totals.saved_ns - saved;
    ck_assert_int_gt(later, 0);
    s->decided_timed = 2;
    s->decided_ns = (int64_t)(s->race.lane[0].best * ITEMS / s->variant_gain);
    report_open_sites(&script_runtime, &totals);
    ck_assert_int_le(llabs(totals.saved_ns - saved - later / 2), 2 + later / 100);
    s->decided_ns *= 10;
    report_open_sites(&script_runtime, &totals);
    ck_assert_int_eq(totals.saved_ns, saved + later);
}

/* Looks at sizes since then: of the program's kernel, and of the variant beyond its first one. */
static unsigned looks_since(unsigned first)
{
    unsigned n = 0;
    bool seen[1025] = {[OWN] = true};

    for (unsigned i = first; i < script.nlaunch; i++) {
        const struct script_launch *x = &script.launch[i];
        n += x->looks && x->local[0] != OWN;
        n += x->variant && !seen[x->local[0]];
        seen[x->local[0]] |= x->variant;
    }
    return n;
}

/* The account of another shape pays neither for building the variant nor for verifying it. */
TEST(verified_at_another_shape)
{
    struct shim_site *s;
    unsigned before;

    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    ck_assert(last_was_variant());
    script_repeat(1, ITEMS / 2, OWN);
    s = script_site(ITEMS / 2, OWN);
    script_runtime.opt.budget = 1e-6;
    s->account.granted_ns = 100000;
    script.fills = 0;
    before = script.nlaunch;
    script_repeat(300, ITEMS / 2, OWN);
    ck_assert_uint_eq(script.fills, 2 * looks_since(before));
    ck_assert_uint_eq(script.builds, 1);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert(last_was_variant());
}

/* Right where it was verified, and wrong with another size. */
TEST(every_size_of_a_variant_is_looked_at)
{
    script.variant_time = 0.6;
    script.differs = true;
    script.differs_from = OWN + 1;
    script_repeat(300, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    ck_assert_uint_eq(script_said("variant-differs"), 1);
    ck_assert(!last_was_variant());
    for (unsigned i = 0, wrong = 0; i < script.nlaunch; i++)
        ck_assert_uint_le(wrong += script.launch[i].variant && script.launch[i].local[0] > OWN,
                          2); /* on copies */
}

/* What differs at one shape is not lent by another. */
TEST(nothing_is_lent_that_differs)
{
    struct shim_site *s;

    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    ck_assert(last_was_variant());
    script.differs = true;
    script_repeat(100, ITEMS / 2, OWN);
    ck_assert_uint_eq(script_said("variant-differs"), 1);
    script.differs = false;
    script_repeat(300, ITEMS / 8, OWN); /* which verifies it for itself */
    ck_assert(last_was_variant());
    script_repeat(1, ITEMS / 4, OWN);
    s = script_site(ITEMS / 4, OWN);
    script_runtime.opt.budget = 1e-6;
    s->account.granted_ns = 4000000;
    script_repeat(60, ITEMS / 4, OWN);
    ck_assert_uint_eq(script_said("variant-competes"), 2);
    ck_assert(!last_was_variant());
}

TEST(none_of_short_launches)
{
    const size_t items = ITEMS / 64; /* 16 us */
    struct shim_site *s;

    script_runtime.opt.analyse_after = 0;
    script_repeat(400, items, OWN);
    s = script_site(items, OWN);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    script_repeat(8, items, OWN);
    ck_assert(site_is_as_written(s)); /* no launch asks again */
}

/* Each launch needs a proof of its own: two to begin the race, one to make the variant. */
TEST(what_cannot_be_paid_is_not_proved)
{
    struct shim_site *s;

    script_analysed(script_spread);
    script_set_n(1);
    script_repeat(1, ITEMS, OWN);
    s = script_site(ITEMS, OWN);
    s->account.spent_ns = (int64_t)1 << 60;
    for (int n = 2; n < 100; n++) {
        script_set_n(n);
        script_repeat(1, ITEMS, OWN);
    }
    ck_assert_int_eq(site_state(s), SITE_RACING);
    ck_assert_ptr_nonnull(s->vary);
    ck_assert_str_eq(s->variant_waits, "the budget does not pay for it yet");
    ck_assert_uint_le(atomic_load(&s->proofs.launches.made), 3);
}

TEST(it_is_remembered)
{
    unsigned first;

    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    script_restart();
    ck_assert_uint_eq(script.objects, 0);
    script_analysed(script_map);
    first = script.nlaunch;
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(script.nlaunch - first, 20); /* none to look at arguments, or for verifying it */
    for (unsigned i = first; i < script.nlaunch; i++)
        ck_assert(script.launch[i].variant);
    ck_assert_uint_eq(script_said("wisdom"), 1);
    ck_assert_uint_eq(script_said("variant-faster"), 2);
    ck_assert_uint_eq(script_said("variant-used"), 1);
}

/* Launches until a size of the variant has two samples; then the run ends. */
static void end_early(double variant_time)
{
    unsigned samples = 0;

    script.variant_time = variant_time;
    for (int i = 0; i < 400 && samples < 2; i++) {
        const struct prof_race *r;
        script_repeat(1, ITEMS, OWN);
        r = &script_site(ITEMS, OWN)->race;
        for (unsigned k = 1; k < r->n; k++)
            samples = r->lane[k].variant && r->lane[k].samples > samples ? r->lane[k].samples : samples;
    }
    ck_assert_uint_eq(samples, 2);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_RACING);
    script_restart();
    script_analysed(script_map);
}

TEST(one_that_is_far_ahead_wins_when_the_run_ends)
{
    end_early(0.4);
    ck_assert_uint_eq(script_said("variant-faster"), 1);
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(script_said("wisdom"), 1);
    ck_assert(last_was_variant());
}

TEST(one_that_is_ahead_a_little_does_not)
{
    end_early(0.8);
    ck_assert_uint_eq(script_said("decision"), 0);
    script_repeat(2, ITEMS, OWN);
    ck_assert_uint_eq(script_said("wisdom"), 0);
}

/* The race goes on in the next run, without what was slower. */
TEST(what_was_slower_is_not_tried_again)
{
    unsigned before;

    script.variant_time = 1.5;
    for (int i = 0; i < 400 && !script_said("variant-slower"); i++)
        script_repeat(1, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_RACING);
    script_restart();
    script_analysed(script_map);
    before = variant_launches();
    script_repeat(300, ITEMS, OWN);
    ck_assert_uint_eq(variant_launches(), before);
    ck_assert_uint_eq(script_said("variant-slower"), 1);
}

/* So does a variant that has not won yet.  It is not verified again, and what it would write is not looked
 * at. */
TEST(what_is_ahead_goes_on)
{
    end_early(0.8);
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    script.differs = true;
    script_repeat(40, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-competes"), 2);
    ck_assert_uint_eq(script_said("variant-differs"), 0);
}

static size_t eight_of_wide(const char *name)
{
    return strcmp(name, "wide") ? 1 : 8;
}

/* So that sizes stay in the race with a variant that takes 0.76 of the time with its own ones. */
static double hardly_slower(const size_t local[3])
{
    return local[0] > OWN ? 0.8 : 1;
}

/* Then the variant is for such launches only. */
TEST(pointers_are_restrict_where_buffers_are_apart)
{
    script.wide = "of restrict eight";
    script.units = eight_of_wide;
    script.variant_time = 8 * 0.5;
    script_analysed(script_map);
    script_repeat(300, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_str_eq(script.text, script.wide);
    script_set_in_place();
    script_repeat(1, ITEMS, OWN);
    ck_assert(!last_was_variant());
    script_set_in();
    script_repeat(1, ITEMS, OWN);
    ck_assert(last_was_variant());
}

TEST(pointers_are_no_restrict_where_buffers_overlap)
{
    script.wide = "of restrict eight";
    script.units = eight_of_wide;
    script.variant_time = 8 * 0.5;
    script_analysed(script_map);
    script_set_in_place();
    script_repeat(300, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_str_eq(script.text, "#define restrict\nof restrict eight");
    script_set_in();
    script_repeat(1, ITEMS, OWN);
    ck_assert(last_was_variant());
}

/* A race of slices, which no variant joins, ends with one that an earlier run measured: that says with
 * which size, and by how much. */
TEST(what_was_measured_decides_a_race_of_slices)
{
    struct shim_site *s;

    script.wide = "of eight";
    script.units = eight_of_wide;
    script.item_ns = hardly_slower;
    script_analysed(script_map);
    script_runtime.opt.mode = PROF_LAUNCHES;
    end_early(8 * 0.76);
    script_runtime.opt.variants = OPT_SIZES;
    script_repeat(1, ITEMS, OWN);
    script_runtime.opt.variants = OPT_VARIANTS_AUTO;
    s = script_site(ITEMS, OWN);
    ck_assert_int_eq(site_state(s), SITE_RACING);
    s->in_slices = true;
    script_repeat(2, ITEMS, OWN);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert(last_was_variant());
    ck_assert_uint_eq(script_said("variant-competes"), 1); /* in the first run */
    ck_assert_double_eq_tol(s->variant_gain, 1 / (0.76 * 0.8), 0.01);
    ck_assert_uint_gt(script_last(), OWN);
    ck_assert_int_gt(s->variant_saved_ns, 0);
    ck_assert_int_lt(s->variant_saved_ns, ITEMS);
}

TEST(verified_in_every_run_if_asked)
{
    script_runtime.opt.verify = true;
    end_early(0.8);
    script.differs = true;
    script_repeat(40, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    ck_assert_uint_eq(script_said("variant-differs"), 1);
}

TEST(a_winner_is_verified_in_every_run_if_asked)
{
    script_runtime.opt.verify = true;
    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    script_restart();
    script_analysed(script_map);
    script.differs = true;
    script_repeat(20, ITEMS, OWN);
    ck_assert(!last_was_variant());
    ck_assert_uint_eq(script_said("variant-differs"), 1);
    script_restart(); /* what was found wrong is not used where nobody asks */
    script_analysed(script_map);
    script_runtime.opt.verify = false;
    script_repeat(300, ITEMS, OWN);
    ck_assert(!last_was_variant());
    ck_assert_uint_eq(script_said("variant-used"), 0);
}

TEST(what_the_driver_refuses_is_not_remembered)
{
    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    ck_assert(last_was_variant());
    script.refuses = true;
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-rejected"), 1);
    script_restart();
    script_analysed(script_map);
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-rejected"), 1);
    ck_assert_uint_eq(script_said("variant-used"), 0);
}

TEST(one_of_its_launches_in_some_is_timed)
{
    unsigned timed = 0, first;

    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    first = script.nlaunch;
    script_repeat(256, ITEMS, OWN);
    for (unsigned i = first; i < script.nlaunch; i++) {
        ck_assert(script.launch[i].variant);
        timed += script.launch[i].event != NULL;
    }
    ck_assert_uint_eq(timed, 4);
}

TEST(one_that_becomes_slow_races_again)
{
    script.variant_time = 0.6;
    script_repeat(1000, ITEMS, OWN);
    ck_assert(last_was_variant());
    script.variant_time = 3;
    script_repeat(1000, ITEMS, OWN);
    ck_assert_uint_eq(script_said("drift"), 1);
    ck_assert(!last_was_variant());
}

TEST(what_it_took_says_nothing_of_what_follows)
{
    script.variant_time = 0.6;
    script_repeat(1000, ITEMS, OWN);
    ck_assert(last_was_variant());
    script.variant_time = 3;
    for (unsigned i = 0; i < 1000 && !script_site(ITEMS, OWN)->moved; i++) {
        script_repeat(1, ITEMS, OWN);
        samples_settle(NULL);
    }
    ck_assert(script_site(ITEMS, OWN)->moved);
    script.refuses = true;
    script_repeat(200, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-rejected"), 1);
    ck_assert_uint_eq(script_said("drift"), 0);
}

/* Its arguments are the others' in every second launch: those are the program's, however long they take. */
TEST(launches_that_it_does_not_make_are_no_drift)
{
    script_runtime.opt.variants = OPT_FIXED;
    script_runtime.opt.sizes = "k=64";
    script.variant_time = 0.2;
    script_repeat(300, ITEMS, OWN);
    ck_assert(last_was_variant());
    for (unsigned i = 0; i < 2000; i++) {
        script_set_n(3 + i / 100 % 2);
        script_repeat(1, ITEMS, OWN);
    }
    ck_assert_uint_eq(script_said("drift"), 0);
}

TEST(another_text_is_verified_again)
{
    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    script_restart();
    script_analysed(script_map);
    script_set_n(4); /* a constant of the text */
    script.differs = true;
    script_repeat(20, ITEMS, OWN);
    ck_assert(!last_was_variant());
    ck_assert_uint_eq(script_said("variant-differs"), 1);
}

TEST(a_variant_that_is_no_faster_does_not_compete)
{
    script.variant_time = 1.1;
    script_repeat(400, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert_uint_eq(script_said("variant-slower"), 1);
    ck_assert_uint_eq(script_said("variant-competes"), 0);
    ck_assert_uint_eq(variant_launches(), 3); /* on copies: a little twice, then all of it */
    ck_assert(!last_was_variant());
    ck_assert(site_is_as_written(script_site(ITEMS, OWN)));
    ck_assert_uint_eq(script_totals().kept, 1);
}

/* Where our own process still compiles, one look does not show that it is slower: the race does. */
TEST(one_look_is_no_verdict_beside_our_own_process)
{
    struct shim_site *s;
    atomic_uint *vain;

    script.variant_time = 1.1;
    script_repeat(1, ITEMS, OWN);
    s = script_site(ITEMS, OWN);
    vain = &s->entry->build->device->waited_in_vain;
    atomic_store(vain, 1000); /* so it is made, but not verified */
    script_repeat(10, ITEMS, OWN);
    atomic_store(vain, 0);
    ck_assert(s->vary && s->vary->offered);
    s->vary->offered->trial.more = true;
    script_repeat(400, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-slower"), 0);
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert(!last_was_variant());
}

/* The more there is to hope for, the sooner another process tries a variant. */
TEST(what_there_is_to_hope_for)
{
    struct shim_site *s;
    double own;

    script_repeat(10, ITEMS, OWN);
    s = script_site(ITEMS, OWN);
    own = site_own_rate(s) * (double)site_items(s);
    s->vectors = false;
    s->memory_ns = own * 3 / 4; /* of the program's own code, which takes longer than memory does */
    ck_assert_double_eq_tol(vary_hope(s, 0), 1. / 2, 1e-6);
    ck_assert_double_eq_tol(vary_hope(s, 0.6), 0.16 / 2, 1e-6);
    s->vectors = true;
    ck_assert_double_eq_tol(vary_hope(s, 0), 0.0625 / 4, 1e-6);
    ck_assert_double_eq_tol(vary_hope(s, 0.8), 0.04 / 4, 1e-6);
    s->memory_ns = own;
    ck_assert_double_eq_tol(vary_hope(s, 0), 0, 1e-6);
}

TEST(a_variant_that_is_hardly_faster_loses)
{
    script.variant_time = 0.995;
    script_repeat(400, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    ck_assert_uint_gt(variant_launches(), 2);
    ck_assert(!last_was_variant());
    ck_assert(site_is_as_written(script_site(ITEMS, OWN)));
}

TEST(sizes_that_promise_less_leave_the_race)
{
    unsigned own = 0, others = 0;

    script.variant_time = 0.05;
    script_repeat(100, ITEMS, OWN);
    for (unsigned i = 0; i < script.nlaunch; i++) {
        own += !script.launch[i].variant && !script.launch[i].looks && script.launch[i].local[0] == OWN;
        others += !script.launch[i].variant && !script.launch[i].looks && script.launch[i].local[0] != OWN;
    }
    ck_assert(last_was_variant());
    ck_assert_uint_le(own, 10);
    ck_assert_uint_le(others, 3); /* until the variant was found */
}

TEST(a_faster_size_still_wins)
{
    script.item_ns = script_wide;
    script.variant_time = 1.5;
    script_repeat(400, ITEMS, 16);
    ck_assert(!last_was_variant());
    ck_assert_uint_ge(script_last(), 64);
    ck_assert_uint_eq(script_said("variant-slower"), 1);
}

TEST(both_are_combined)
{
    script.item_ns = script_wide;
    script.variant_time = 0.6;
    script_repeat(400, ITEMS, 16);
    ck_assert(last_was_variant());
    ck_assert_uint_ge(script_last(), 64);
    script_set_n(4);
    script_repeat(1, ITEMS, 16);
    ck_assert(!last_was_variant());
    ck_assert_uint_ge(script_last(), 64); /* the best of the program's own kernel */
}

/* Also where another size leads by then: what is not in the race is forgotten, and would be verified again.
 */
TEST(what_was_verified_is_in_the_race)
{
    const struct prof_race *r;
    unsigned lane = 1;

    script.item_ns = script_wide;
    script.variant_time = 0.6;
    script_runtime.opt.mode = PROF_LAUNCHES;
    script_runtime.opt.variants = OPT_SIZES;
    script_repeat(1, ITEMS, 16);
    r = &script_site(ITEMS, 16)->race;
    for (int i = 0; i < 400 && !prof_race_leader(r); i++)
        script_repeat(1, ITEMS, 16);
    ck_assert_uint_ne(prof_race_leader(r), 0);
    script_runtime.opt.variants = OPT_VARIANTS_AUTO;
    for (int i = 0; i < 20 && !script_said("variant-competes"); i++)
        script_repeat(1, ITEMS, 16);
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    while (lane < r->n && !(r->lane[lane].variant && r->lane[lane].local[0] == 16))
        lane++;
    ck_assert_uint_lt(lane, r->n);
    ck_assert(r->lane[lane].seen);
}

TEST(what_differs_never_competes)
{
    script.differs = true;
    script.variant_time = 0.1;
    script_repeat(300, ITEMS, OWN);
    ck_assert_uint_eq(variant_launches(), 1); /* on copies */
    ck_assert_uint_eq(script_said("variant-differs"), 1);
    ck_assert_uint_eq(script_said("variant-competes"), 0);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
}

/* A launch of 16 ms: 0.25 ms of it are run by both kernels, twice, then 2 ms, on copies that only these
 * launches touch. */
TEST(of_long_launches_a_part_is_verified)
{
    unsigned parts[2] = {0}, n = 0, others = 0;

    script.buffer_size = 64 * ITEMS;
    script_runtime.opt.budget = 0.5;
    script.variant_time = 0.6;
    script_repeat(20, 16 * ITEMS, OWN);
    for (; n < script.nlaunch; n++) {
        const struct script_launch *x = &script.launch[n];
        if (x->variant && x->global[0] > 8 * ITEMS)
            break;
        others += x->global[0] < 16 * ITEMS && x->local[0] != OWN;
        if (x->global[0] < 16 * ITEMS) {
            ck_assert(x->global[0] < 3 * ITEMS && x->global[0] % OWN == 0);
            ck_assert_uint_eq(x->offset[0], 0);
            parts[x->variant]++;
        }
    }
    ck_assert_uint_lt(n, script.nlaunch);
    ck_assert_uint_eq(parts[0] + parts[1], 3 + 3 + 2 * others); /* further sizes are looked at once */
    ck_assert(last_was_variant());
}

static unsigned parts_met, parts_announced;

/* Counts parts of launches, and those that launches in other queues would wait for (widening.h). */
static double with_announced_parts(const size_t local[3])
{
    const struct script_launch *x = &script.launch[script.nlaunch];
    (void)local;

    if (x->global[0] < 16 * ITEMS) {
        parts_met++;
        parts_announced += atomic_load(&script_site(16 * ITEMS, OWN)->entry->changing[SITE_PARTS]) > 0;
    }
    return 1;
}

/* Of a driver that may confuse them with launches. */
TEST(parts_are_announced)
{
    struct shim_device *d;

    script.buffer_size = 64 * ITEMS;
    script_runtime.opt.budget = 0.5;
    script.variant_time = 0.6;
    script_repeat(1, 16 * ITEMS, OWN);
    d = script_site(16 * ITEMS, OWN)->entry->build->device;
    d->quirks |= 1u << DRV_CONFUSES_LAUNCHES;
    parts_met = parts_announced = 0;
    script.item_ns = with_announced_parts;
    script_repeat(19, 16 * ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert_uint_gt(parts_met, 4);
    ck_assert_uint_eq(parts_announced, parts_met);
    ck_assert_uint_eq(atomic_load(&script_site(16 * ITEMS, OWN)->entry->changing[SITE_PARTS]), 0);
}

static double sixty_four(const size_t local[3])
{
    (void)local;
    return 64;
}

/* A driver has other code for small ranges than for large ones, which nobody has compiled. */
TEST(a_part_of_a_large_range_is_large)
{
    const size_t items = ITEMS / 4;
    unsigned parts = 0;

    script.buffer_size = 64 * ITEMS;
    script.item_ns = sixty_four;
    script_runtime.opt.budget = 0.5;
    script.variant_time = 0.6;
    script_repeat(20, items, OWN);
    for (unsigned i = 0; i < script.nlaunch; i++) {
        ck_assert_uint_ge(script.launch[i].global[0], 65535);
        parts += script.launch[i].global[0] < items;
    }
    ck_assert_uint_gt(parts, 0);
    ck_assert(last_was_variant());
}

static double ten_thousand(const size_t local[3])
{
    (void)local;
    return 10000;
}

/* A variant that does eight work-items in half the time, of a kernel that takes 655 ms for 65536 of them. */
static void begin_wide(double budget)
{
    script.wide = "of eight";
    script.units = eight_of_wide;
    script.item_ns = ten_thousand;
    script.variant_time = 8 * 0.5;
    script_runtime.opt.budget = budget;
    script_analysed(script_map);
}

/* Of a launch of 655 ms little is made instead of all, for which the program's kernel is compiled once more;
 * the variant, of which eight times fewer work-items are no large range either way, is not. */
TEST(a_long_launch_pays_for_other_code)
{
    const size_t items = 65536;
    unsigned parts = 0;

    begin_wide(0.5);
    script_repeat(20, items, OWN);
    for (unsigned i = 0; i < script.nlaunch; i++)
        parts += script.launch[i].global[0] <= items / 16 && !script.launch[i].variant;
    ck_assert_uint_gt(parts, 0);
    ck_assert(last_was_variant());
}

/* The driver might choose another size for the part, and compile for longer than the launch takes. */
TEST(no_part_where_the_driver_chooses)
{
    unsigned n = 0;

    script.buffer_size = 64 * ITEMS;
    script_runtime.opt.budget = 1;
    script.variant_time = 0.6;
    script_repeat(1, 16 * ITEMS, 0);
    script_site(16 * ITEMS, 0)->entry->build->device->model.compile_ns = 5e7;
    script_repeat(19, 16 * ITEMS, 0);
    while (n < script.nlaunch)
        ck_assert_uint_eq(script.launch[n++].global[0], 16 * ITEMS);
    ck_assert_uint_gt(variant_launches(), 0);
}

/* As of a program that makes one picture, and leaves the size to the driver. */
TEST(runs_of_one_launch_come_to_a_variant)
{
    unsigned runs = 0;

    begin_wide(0.1);
    script_repeat(2, 65536, 0);
    ck_assert(!last_was_variant());
    do {
        script_restart();
        script_analysed(script_map);
        script_repeat(1, 65536, 0);
        samples_settle(NULL); /* it waits */
    } while (!last_was_variant() && ++runs < 6);
    ck_assert_uint_lt(runs, 6);
}

static double fifty_thousand(const size_t local[3])
{
    (void)local;
    return 50000;
}

/* How many launches of a variant looked at a part of so many groups, each of 3.2 ms. */
static unsigned looks_at_parts_of(unsigned groups)
{
    unsigned parts = 0;

    script.item_ns = fifty_thousand;
    script.variant_time = 0.6;
    script_repeat(40, groups * OWN, OWN);
    for (unsigned i = 0; i < script.nlaunch; i++)
        if (script.launch[i].variant && script.launch[i].global[0] < groups * OWN) {
            ck_assert_uint_ge(script.launch[i].global[0], 4 * OWN);
            parts++;
        }
    ck_assert(last_was_variant());
    return parts;
}

/* The device has four units: one group alone takes as long as four. */
TEST(a_part_has_a_group_for_each_unit)
{
    ck_assert_uint_gt(looks_at_parts_of(64), 0);
}

TEST(of_few_groups_no_part_takes_less)
{
    ck_assert_uint_eq(looks_at_parts_of(6), 0);
}

/* An earlier run has decided the size, and looked at no variants. */
static void decided_without_variants(size_t items)
{
    script_runtime.opt.variants = OPT_SIZES;
    script_repeat(300, items, OWN);
    script_restart();
    script_runtime.opt.variants = OPT_VARIANTS_AUTO;
    script_analysed(script_map);
}

/* One look of it would be noise. */
TEST(all_of_a_short_launch_is_run_on_copies)
{
    const size_t items = ITEMS / 8;
    unsigned before;

    decided_without_variants(items);
    script.variant_time = 0.6;
    script.disturbed = 5;
    script_repeat(1, items, OWN);
    ck_assert_int_eq(site_state(script_site(items, OWN)), SITE_DECIDED);
    before = script.nlaunch;
    for (int n = 0; n < 400 && !script_said("variant-used"); n++) {
        before = script.nlaunch;
        script_repeat(1, items, OWN);
    }
    ck_assert(last_was_variant()); /* the program's launch, made by it */
    ck_assert_uint_eq(script.nlaunch - before, 2 * 6 + 1);
    ck_assert_double_eq_tol(script_site(items, OWN)->variant_gain, 1 / 0.6, 0.01);
}

/* A run of eight launches. */
static void run_again(void)
{
    script_restart();
    script_analysed(script_map);
    script_repeat(8, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
}

/* In no run are there launches enough for its other variants. */
TEST(what_a_decided_site_tried_in_vain_is_remembered)
{
    int64_t spent;

    script_runtime.opt.variants = OPT_SIZES;
    script_repeat(300, ITEMS, OWN);
    script_runtime.opt.variants = OPT_VARIANTS_AUTO;
    script.wide = "of eight";
    script.units = eight_of_wide;
    script.variant_time = 8 * 1.5;
    run_again();
    ck_assert_uint_eq(script_said("variant-slower"), 1);
    ck_assert_str_eq(script.text, script.wide);
    ck_assert_ptr_nonnull(script_site(ITEMS, OWN)->vary);
    spent = script_site(ITEMS, OWN)->account.spent_ns;
    ck_assert_int_gt(spent, 0);
    run_again();
    ck_assert_uint_eq(script_said("variant-slower"), 1);
    ck_assert_uint_eq(script.builds, 1);
    ck_assert_int_ge(script_site(ITEMS, OWN)->account.spent_ns, spent);
}

/* So is what a search cost that came to nothing, not even to a verdict. */
TEST(what_a_decided_site_spent_is_remembered)
{
    atomic_uint *vain;

    script_runtime.opt.variants = OPT_SIZES;
    script_repeat(300, ITEMS, OWN);
    vain = &script_site(ITEMS, OWN)->entry->build->device->waited_in_vain;
    script_runtime.opt.variants = OPT_VARIANTS_AUTO;
    script.wide = "of eight";
    script.units = eight_of_wide;
    script.build_ns = 20000000;
    script_restart();
    script_analysed(script_map);
    atomic_store(vain, 1000); /* so it is made, but not verified */
    script_repeat(5, ITEMS, OWN);
    ck_assert_uint_eq(script.builds, 1);
    ck_assert_ptr_nonnull(script_site(ITEMS, OWN)->vary);
    script_restart();
    script_runtime.opt.variants = OPT_SIZES;
    script_analysed(script_map);
    script_repeat(1, ITEMS, OWN);
    ck_assert_int_ge(script_site(ITEMS, OWN)->account.spent_ns, script.build_ns);
}

/* So are the launches that it waited for: a kernel that runs for a short time in many runs gets a variant,
 * too. */
TEST(what_a_decided_site_ran_is_remembered)
{
    const int64_t of_a_run = (int64_t)8 * ITEMS;
    int64_t seen;

    decided_without_variants(ITEMS);
    script_repeat(1, ITEMS, OWN);
    seen = script_site(ITEMS, OWN)->account.observed_ns;
    script_site(ITEMS, OWN)->account.spent_ns = (int64_t)1 << 60;
    script_repeat(7, ITEMS, OWN);
    for (int run = 1; run < 4; run++) {
        run_again();
        ck_assert(!script_site(ITEMS, OWN)->varied);
        ck_assert_int_ge(script_site(ITEMS, OWN)->account.observed_ns, seen + run * of_a_run / 2);
        ck_assert_int_le(script_site(ITEMS, OWN)->account.observed_ns, seen + run * of_a_run * 2);
    }
}

/* However much the budget would pay for. */
TEST(a_little_shows_what_is_slow)
{
    script.buffer_size = 64 * ITEMS;
    script.variant_time = 20;
    script_repeat(20, 16 * ITEMS, OWN);
    for (unsigned i = 0; i < script.nlaunch; i++)
        ck_assert(!script.launch[i].variant || script.launch[i].global[0] < ITEMS / 2);
    ck_assert_uint_ge(variant_launches(), 2);
    ck_assert_uint_le(variant_launches(), 6);
    ck_assert_uint_eq(script_said("variant-slower"), 1);
}

/* What others do meanwhile makes none slow. */
TEST(a_variant_that_had_to_wait_gets_more_looks)
{
    script.buffer_size = 64 * ITEMS;
    script.variant_time = 0.6;
    script.disturbed = 3;
    script_repeat(60, 16 * ITEMS, OWN);
    ck_assert_uint_eq(script.disturbed, 0);
    ck_assert_uint_eq(script_said("variant-slower"), 0);
    ck_assert(last_was_variant());
}

/* How often parts of launches of 16 ms ran on copies. */
static unsigned parts_run(const char *kernel)
{
    unsigned n = 0;

    script_analysed(kernel);
    script.buffer_size = 64 * ITEMS;
    script_runtime.opt.budget = 0.5;
    script.variant_time = 0.6;
    script_repeat(20, 16 * ITEMS, OWN);
    for (unsigned i = 0; i < script.nlaunch; i++)
        n += script.launch[i].global[0] < 8 * ITEMS;
    script.fills -= 2 * looks_since(0);
    return n - 2 * looks_since(0);
}

/* A kernel that is run again where it has written might go where the program's launch never does. */
TEST(copies_are_as_they_were_for_each_run)
{
    ck_assert_uint_eq(parts_run(script_bump), 6);
    ck_assert_uint_eq(script.fills, 6);
}

TEST(what_may_run_twice_needs_no_new_copies)
{
    ck_assert_uint_eq(parts_run(script_map), 6);
    ck_assert_uint_eq(script.fills, 4);
}

TEST(what_is_touched_is_copied)
{
    script.buffer_size = 64 * ITEMS;
    script.variant_time = 0.6;
    script_repeat(20, ITEMS, OWN);
    ck_assert_uint_ge(script.copied, 4 * ITEMS);
    ck_assert_uint_lt(script.copied, 5 * ITEMS);
}

/* A kernel that goes a little beyond a part of an array does no harm there; so it does none to us. */
TEST(copies_of_parts_have_margins)
{
    script.variant_time = 0.6;
    script_repeat(150, ITEMS, OWN);
    ck_assert_uint_gt(variant_launches(), 0);
    ck_assert_uint_eq(script.parts, 0);
    script.is_host = true;
    script_repeat(300, ITEMS / 2, OWN);
    ck_assert(last_was_variant());
    ck_assert_uint_gt(script.parts, 0);
    ck_assert_uint_eq(script.copies, 0);
}

TEST(a_part_that_differs_is_enough)
{
    script.buffer_size = 64 * ITEMS;
    script_runtime.opt.budget = 0.5;
    script.differs = true;
    script.variant_time = 0.1;
    script_repeat(20, 16 * ITEMS, OWN);
    ck_assert_uint_eq(variant_launches(), 1);
    ck_assert_uint_eq(script_said("variant-differs"), 1);
}

TEST(it_stops_holding_in_the_race)
{
    script.variant_time = 0.6;
    for (int i = 0; i < 400 && !script_said("variant-competes"); i++)
        script_repeat(1, ITEMS, OWN);
    ck_assert_uint_eq(script_said("variant-competes"), 1);
    script_set_n(4);
    script_repeat(400, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert(!last_was_variant());
}

/* Launch, and check that while the account is overdrawn nothing is compiled or built, and that it was charged
 * for all that was.  The driver takes much longer for either than anybody knows. */
static void expect_honest(unsigned launches, size_t own)
{
    unsigned surprises = 0;
    double debt = 0;

    script_runtime.opt.budget = 0.05;
    script.compile_ns = script.build_ns = 40000000;
    for (unsigned n = 0; n < launches; n++) {
        const unsigned before = script.compilations + script.builds;
        struct prof_account a;
        double now;
        script_repeat(1, ITEMS, own);
        a = script_site(ITEMS, own)->account;
        if (a.observed_ns < (int64_t)ITEMS * n) /* decided launches are not all observed */
            a.observed_ns = (int64_t)ITEMS * n;
        now = (double)a.spent_ns - prof_allowance(&a, 0.05);
        if (debt > 0.05 * ITEMS && now > 0) /* what the launch itself allows does not end it */
            ck_assert_uint_eq(script.compilations + script.builds, before);
        surprises += debt <= 0 && now > 0;
        debt = now;
    }
    ck_assert_uint_gt(surprises, 0);
    ck_assert_int_ge(script_site(ITEMS, own)->account.spent_ns,
                     (script.compilations - 1 + script.builds) * script.compile_ns);
}

TEST(sizes_that_surprise)
{
    script_runtime.opt.variants = OPT_SIZES;
    script.item_ns = script_wide;
    expect_honest(3000, 16);
    ck_assert_uint_ge(script_last(), 64);
}

TEST(variants_that_surprise)
{
    script.variant_time = 0.5;
    expect_honest(3000, OWN);
    ck_assert_uint_gt(script.builds, 0);
    ck_assert(last_was_variant());
}

TEST(decisions_without_variants_are_made_again)
{
    script_runtime.opt.variants = OPT_SIZES;
    script_repeat(300, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    script_restart();
    script_runtime.opt.variants = OPT_VARIANTS_AUTO;
    script_analysed(script_map);
    script.variant_time = 0.6;
    script_repeat(300, ITEMS, OWN);
    ck_assert(last_was_variant());
}

/* Sizes were left in doubt; that a variant is faster is not. */
TEST(a_variant_ends_the_doubt)
{
    decided_without_variants(ITEMS);
    script.variant_time = 0.6;
    script_repeat(1, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    script_site(ITEMS, OWN)->doubtful = true;
    script_repeat(300, ITEMS, OWN);
    ck_assert(last_was_variant());
    ck_assert(!script_site(ITEMS, OWN)->doubtful);
    script_restart();
    script_analysed(script_map);
    script_repeat(8, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert(last_was_variant());
}

TEST(the_driver_refuses_it_in_the_race)
{
    script.variant_time = 0.6;
    for (int i = 0; i < 400 && !script_said("variant-competes"); i++)
        script_repeat(1, ITEMS, OWN);
    script.refuses = true;
    script_repeat(300, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert(!last_was_variant());
    ck_assert_uint_ge(script_said("variant-rejected"), 1);
}

int main(void)
{
    return run_tests("vary", begin_auto, script_end);
}
