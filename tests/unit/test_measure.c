/* test_measure.c - which launches become samples, and how (shim/tune/measure.c and the files it calls). */
#include "scripted_driver.h"
#include <glob.h>
#include "shim/guest/clock.h"
#include "shim/helper/ahead_job.h"
#include "shim/object/queues.h"
#include "shim/tune/measure.h"

#define ITEMS 1048576 /* a millisecond */
#define OWN   16
#define SMALL 32768
#define OTHER 64

/* Launches that were made in parts, or with another size than the program's. */
static unsigned parts(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < script.nlaunch; i++)
        n += script.launch[i].global[0] != ITEMS;
    return n;
}

static unsigned others(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < script.nlaunch; i++)
        n += script.launch[i].local[0] != OWN;
    return n;
}

static struct shim_site *run(unsigned n)
{
    script_analysed(script_map);
    script.item_ns = script_wide;
    script_repeat(n, ITEMS, OWN);
    return script_site(ITEMS, OWN);
}

TEST(launches_are_cut_into_slices)
{
    ck_assert_int_eq(site_state(run(100)), SITE_DECIDED);
    ck_assert_uint_gt(parts(), 0);
    ck_assert_uint_eq(script_said("slices"), 1);
}

TEST(whole_launches_where_nothing_else_is_allowed)
{
    script_runtime.opt.mode = PROF_LAUNCHES;
    ck_assert_int_eq(site_state(run(300)), SITE_DECIDED);
    ck_assert_uint_eq(parts(), 0);
    ck_assert_uint_ge(script_last(), 64);
}

/* Copies are measured while the launch waits. */
LOOPED_TEST(copies_cannot_be_measured_without_waiting, 2)
{
    static const enum prof_mode modes[] = {PROF_SANDBOX, PROF_SWAP};

    script_runtime.opt.mode = modes[_i];
    script_runtime.opt.orchestration = OPT_ASYNC;
    ck_assert_int_eq(site_state(run(40)), SITE_REFUSED);
    ck_assert_uint_eq(script_said("mode-not-proved"), 1);
    ck_assert_uint_eq(others(), 0);
}

/* On a CPU, for which the model leaves more sizes. */
TEST_WITH(script_begin_cpu, script_end, whole_launches_where_the_driver_chooses)
{
    script_runtime.opt.budget = 1; /* a CPU's compiler takes as long as many launches */
    script_analysed(script_map);
    script.item_ns = script_wide; /* local size 0: as the others below 64 */
    script_repeat(600, ITEMS, 0);
    ck_assert_int_eq(site_state(script_site(ITEMS, 0)), SITE_DECIDED);
    ck_assert_uint_eq(parts(), 0);
    ck_assert_uint_ge(script_last(), 64);
}

TEST_WITH(script_begin_cpu, script_end, a_size_that_the_driver_refuses_leaves_the_race)
{
    script_runtime.opt.mode = PROF_LAUNCHES;
    script_runtime.opt.budget = 1;
    script.refused = 256;
    ck_assert_int_eq(site_state(run(600)), SITE_DECIDED);
    ck_assert_uint_ge(script_last(), 64);
    ck_assert_uint_ne(script_last(), 256);
}

/* A call that is wrong in itself says nothing of the size with which a part of it was tried. */
TEST(a_wait_list_that_the_driver_refuses_costs_no_size)
{
    script_runtime.opt.orchestration = OPT_ASYNC;
    script_runtime.opt.mode = PROF_SLICES;
    run(1);
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(script_launch_wrong(ITEMS, OWN, NULL), CL_INVALID_EVENT_WAIT_LIST);
        script_repeat(1, ITEMS, OWN);
    }
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert_uint_gt(parts(), 0);
    ck_assert_uint_ge(script_last(), 64);
}

static void begin_wrong_events(void)
{
    script.vendor = "Intel(R) Corporation";
    script.wrong_events = true;
    script_begin();
}

/* Refuse one launch and make one, until no more is tried: an event of a refused launch is the program's, if
 * it asked for one, or nobody's. */
static void refuse_every_other(void)
{
    unsigned before;
    cl_event event;

    script_runtime.opt.budget = 1e6; /* whatever else the machine does */
    script.buffer_size = 4 * ITEMS;
    script_analysed(script_map);
    script.item_ns = script_wide;
    for (int i = 0; i < 200; i++) {
        event = NULL;
        before = script_events_held();
        ck_assert_int_eq(script_launch_wrong(ITEMS, OWN, NULL), CL_INVALID_EVENT_WAIT_LIST);
        ck_assert_uint_le(script_events_held(), before);
        before = script_events_held();
        ck_assert_int_eq(script_launch_wrong(ITEMS, OWN, &event), CL_INVALID_EVENT_WAIT_LIST);
        ck_assert_ptr_nonnull(event);
        ck_assert_uint_le(script_events_held(), before + 1);
        ck_assert_uint_eq(((struct script_event *)(void *)event)->refs, 1);
        script_repeat(1, ITEMS, OWN);
    }
}

LOOPED_TEST_WITH(begin_wrong_events, script_end, events_of_refused_launches_are_let_go_of, 4)
{
    script_runtime.opt.orchestration = _i & 1 ? OPT_ASYNC : OPT_SYNC;
    script_runtime.opt.mode = _i & 2 ? PROF_SLICES : PROF_LAUNCHES;
    refuse_every_other();
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
}

TEST_WITH(begin_wrong_events, script_end, so_are_those_of_variants)
{
    script_runtime.opt.variants = OPT_FIXED;
    script_runtime.opt.sizes = "k=64";
    refuse_every_other();
    ck_assert_uint_gt(script.builds, 0);
}

TEST(a_size_that_fails_ends_the_kernels_tuning)
{
    script_runtime.opt.mode = PROF_LAUNCHES;
    script.failing = 256;
    ck_assert_int_eq(site_state(run(300)), SITE_REFUSED);
    ck_assert_uint_eq(script_last(), OWN);
    ck_assert_uint_eq(script_said("launch-failed"), 1);
}

TEST(nothing_is_cut_while_a_user_event_is_open)
{
    hazard_user_event(1);
    run(100);
    ck_assert_uint_eq(parts(), 0);
    hazard_user_event(-1);
    script_repeat(100, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
}

TEST(nothing_is_cut_after_a_failure)
{
    hazard_failure(true);
    run(100);
    for (unsigned i = 0; i < 50 && !script_said("failed-commands"); i++) /* real time passes, too */
        script_repeat(100, ITEMS, OWN);
    ck_assert_uint_eq(parts(), 0);
    ck_assert_uint_eq(script_said("failed-commands"), 1);
}

/* Slices that are waited for are kernel time that was seen, each once. */
TEST(time_of_slices_is_seen)
{
    const struct shim_site *s;

    script_runtime.opt.orchestration = OPT_SYNC;
    script_runtime.opt.mode = PROF_SLICES;
    s = run(100);
    ck_assert_int_eq(site_state(s), SITE_DECIDED);
    ck_assert_uint_gt(parts(), 0);
    ck_assert_int_eq(s->seen_ns, s->account.observed_ns);
    ck_assert_int_eq(atomic_load(&s->entry->seen_ns), s->seen_ns);
    ck_assert_int_eq(atomic_load(&s->entry->build->observed_ns), s->seen_ns);
}

TEST(what_is_measured_is_paid_for)
{
    const struct shim_site *s = run(100);

    ck_assert_int_gt(s->account.observed_ns, 0);
    ck_assert_int_le(s->account.spent_ns,
                     s->account.granted_ns + (int64_t)(0.05 * (double)s->account.observed_ns) + ITEMS);
}

TEST(without_event_times_the_host_clock_does)
{
    script.no_times = true;
    run(100);
    ck_assert_uint_eq(parts(), 0);
    ck_assert(atomic_load(&script_site(ITEMS, OWN)->entry->device->no_event_times));
}

TEST(samples_are_not_waited_for)
{
    script_runtime.opt.orchestration = OPT_ASYNC;
    script_analysed(script_map);
    script.item_ns = script_wide;
    script.asleep = true;
    script_repeat(40, ITEMS, OWN);
    ck_assert_uint_eq(others(), 0); /* nothing is known yet, and nobody waited for it */
    for (int i = 0; i < 100; i++) {
        script_wake();
        script.asleep = true;
        script_repeat(3, ITEMS, OWN);
    }
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert_uint_ge(script_last(), 64);
}

TEST(copies_need_waiting)
{
    script_runtime.opt.orchestration = OPT_ASYNC;
    script_runtime.opt.mode = PROF_SANDBOX;
    run(20);
    ck_assert_uint_eq(script_said("mode-not-proved"), 1);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_REFUSED);
    ck_assert_uint_eq(others(), 0);
}

/* A program that may wait for anything: nothing is waited for in its place. */
static void run_with_callback(unsigned launches)
{
    script_runtime.opt.mode = PROF_SWAP;
    script.buffer_size = 4 * ITEMS;
    hazard_callback(1);
    run(launches);
}

TEST(copies_need_a_program_that_allows_waiting)
{
    run_with_callback(200);
    ck_assert_uint_eq(script_said("mode-not-proved"), 1);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_REFUSED);
    ck_assert_uint_eq(others(), 0);
}

/* One of them may be a wait for a semaphore, which the program signals after the launch. */
TEST(nothing_is_waited_for_among_unseen_commands)
{
    script_runtime.opt.mode = PROF_LAUNCHES;
    script.asleep = true;
    sharing_unseen();
    run(100);
    ck_assert(!atomic_load(&obj_queue(script_queue())->unpaced));
    ck_assert(!atomic_load(&obj_queue(script_queue())->stalls));
    ck_assert_int_eq(script_site(ITEMS, OWN)->held_ns, 0);
    script_wake();
}

TEST(waiting_may_be_possible_later)
{
    script_runtime.opt.budget = 1e6; /* whatever else the machine does */
    run_with_callback(50);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_RACING);
    hazard_callback(-1);
    script_repeat(1, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
}

/* Those of another queue may not have been flushed, or wait for anything. */
TEST(events_of_the_same_queue_may_be_waited_for)
{
    struct script_event *e;
    cl_event event;
    struct call call = {.queue = script_queue(), .nwait = 1, .wait = &event};
    struct launching l = {.call = &call, .queue = obj_queue(script_queue())};

    script.asleep = true;
    ck_assert_int_eq(script_launch_event(ITEMS, OWN, &event), CL_SUCCESS);
    e = (void *)event;
    ck_assert_int_ne(e->status, CL_COMPLETE);
    ck_assert(hazard_may_wait(&l));
    e->queue = (cl_command_queue)&l;
    ck_assert(!hazard_may_wait(&l));
    script_wake();
    ck_assert(hazard_may_wait(&l));
    e->queue = script_queue();
    e->status = CL_OUT_OF_RESOURCES;
    ck_assert(!hazard_may_wait(&l));
    e->status = CL_COMPLETE;
    next()->clReleaseEvent(event);
}

/* What a run cut off in its race: of a variant, which counts its own work-items, or of the program's kernel.
 */
static bool slices_after(const char *variant, double relative)
{
    struct prof_past before = {.n = 1, .launches = 1};
    const struct call call = {.queue = script_queue(), .kernel = script_kernel()};
    struct launching l = script_launching(SMALL, OWN);
    const struct prof_policy policy = {.effort = PROF_MEASURE, .margin = 0.03};
    struct candidate list[6];
    struct shim_site *s = l.site;

    l.call = &call;
    before.candidate[0] =
        (struct prof_evidence){.local = {257, 1, 1}, .samples = 3, .best = relative, .worst = relative};
    strcpy(before.candidate[0].variant, variant);
    before.candidate[0].text = *variant != '\0';
    s->before = &before;
    s->in_slices = true;
    s->own_item_ns = 10000;
    s->account.compile_ns = 100000000;
    for (unsigned i = 0; i < 6; i++)
        list[i] =
            (struct candidate){.local = {i == 5 ? 257 : OWN << i, 1, 1}, .own = i == 0, .state = SEL_KEPT};
    prof_race_begin(&s->race, list, 6, &policy);
    const bool may = measure_prepare_slices(&l);
    s->before = NULL;
    return may;
}

/* Sizes that do not fit the slices are left out, but for one that was faster. */
TEST_WITH(script_begin_cpu, script_end, a_variants_time_is_not_the_programs)
{
    script_analysed(script_map);
    script_repeat(200, SMALL, OWN);
    strcpy(script_runtime.ahead, "/nowhere");
    ck_assert(script_site(SMALL, OWN)->proof.size.proven);
    ck_assert(slices_after("", 1));
    ck_assert(!slices_after("", 0.5));
    ck_assert(slices_after("wide", 0.5));
}

/* The sizes of the only job for another process that is waiting. */
static void read_job(struct ahead_job *job)
{
    char pattern[RT_FILE + sizeof "/*.ahead.*"], text[8192];
    glob_t found;
    FILE *f;

    snprintf(pattern, sizeof pattern, "%s/*.ahead.*", script_runtime.cache);
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    ck_assert_uint_eq(found.gl_pathc, 1);
    f = fopen(found.gl_pathv[0], "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(ahead_read(text, fread(text, 1, sizeof text, f), job), 0);
    fclose(f);
    globfree(&found);
}

/* Launches of one range with two sizes of the program's: what is compiled ahead for one of them, the other
 * one finds.  Nobody forgets what was asked for. */
TEST_WITH(script_begin_cpu, script_end, two_own_sizes_share_a_job)
{
    struct ahead_job first, second;

    script.buffer_size = 4 * ITEMS;
    script_runtime.opt.variants = OPT_SIZES;
    script_runtime.started_ns = clock_now(); /* so that there is no time to have it done */
    strcpy(script_runtime.ahead, "/nowhere");
    script_analysed(script_map);
    script_repeat(100, ITEMS, OWN);
    read_job(&first);
    ck_assert_uint_gt(first.nsize, 0);
    script_repeat(100, ITEMS, OTHER);
    ck_assert_int_eq(script_site(ITEMS, OTHER)->ahead, SITE_AHEAD_ASKED);
    read_job(&second);
    ck_assert_uint_eq(first.nsize, second.nsize);
    ck_assert_mem_eq(first.size, second.size, sizeof first.size);
    ahead_free(&first);
    ahead_free(&second);
}

int main(void)
{
    return run_tests("measure", script_begin, script_end);
}
