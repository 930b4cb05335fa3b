/* test_event_shadow.c - events that the application holds and that we look at (shim/object/event_shadow.c),
 * on a driver that aborts when an event is touched that nobody holds. */
#include "run_suite.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include "shim/guest/next.h"
#include "shim/object/event_shadow.h"

#define ROUNDS 20000

struct event {
    atomic_int refs;
    atomic_int status;
    cl_ulong queued, start; /* SUBMIT is between them */
};
static struct event done, first, other;

static cl_event handle(struct event *e)
{
    return (cl_event)(void *)e;
}

static struct event *held(cl_event event)
{
    struct event *e = (void *)event;

    if (atomic_load(&e->refs) <= 0)
        abort();
    return e;
}

static cl_int CL_API_CALL retain(cl_event e)
{
    atomic_fetch_add(&held(e)->refs, 1);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release(cl_event e)
{
    if (atomic_fetch_sub(&held(e)->refs, 1) <= 0)
        abort();
    return CL_SUCCESS;
}

static cl_int CL_API_CALL info(cl_event e, cl_event_info name, size_t size, void *value, size_t *size_ret)
{
    (void)name;
    (void)size;
    (void)size_ret;
    *(cl_int *)value = atomic_load(&held(e)->status);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL times(cl_event event, cl_profiling_info name, size_t size, void *value,
                                size_t *size_ret)
{
    const struct event *e = held(event);

    (void)size;
    (void)size_ret;
    if (atomic_load(&e->status) != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    *(cl_ulong *)value = name == CL_PROFILING_COMMAND_QUEUED   ? e->queued
                         : name == CL_PROFILING_COMMAND_SUBMIT ? (e->queued + e->start) / 2
                                                               : e->start;
    return CL_SUCCESS;
}

static const cl_icd_dispatch driver = {.clRetainEvent = retain,
                                       .clReleaseEvent = release,
                                       .clGetEventInfo = info,
                                       .clGetEventProfilingInfo = times};

static void begin(void)
{
    atomic_store(&next_functions, &driver);
    done = (struct event){1, CL_COMPLETE, 100, 120};
    first = (struct event){1, CL_COMPLETE, 10, 20};
    other = (struct event){1, CL_COMPLETE, 200, 220};
}

static void expect_first_time(cl_profiling_info name, cl_ulong expected)
{
    cl_ulong time = 0;

    ck_assert_int_eq(shadow_first_time(handle(&done), name, &time), CL_SUCCESS);
    ck_assert_uint_eq(time, expected);
}

TEST(a_launch_in_parts_begins_with_the_first)
{
    cl_ulong time;

    ck_assert_int_eq(shadow_first_time(handle(&done), CL_PROFILING_COMMAND_START, &time), SHADOW_WHOLE);
    shadow_set_first(handle(&done), handle(&first));
    expect_first_time(CL_PROFILING_COMMAND_QUEUED, 10);
    expect_first_time(CL_PROFILING_COMMAND_START, 20);
    ck_assert_int_eq(shadow_first_time(handle(&other), CL_PROFILING_COMMAND_START, &time), SHADOW_WHOLE);
    ck_assert_int_eq(shadow_retain(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&first.refs), 1);
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&first.refs), 0);
    ck_assert_int_eq(atomic_load(&done.refs), 0);
}

/* ... which would be seen in the number of its queue's references. */
TEST(a_first_part_that_failed_is_let_go_of)
{
    cl_ulong time;

    atomic_store(&first.status, CL_OUT_OF_RESOURCES);
    shadow_set_first(handle(&done), handle(&first));
    shadow_settle();
    ck_assert_int_eq(atomic_load(&first.refs), 0);
    ck_assert_int_eq(shadow_first_time(handle(&done), CL_PROFILING_COMMAND_START, &time),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
}

TEST(first_times_outlive_the_first_part)
{
    atomic_store(&first.status, CL_RUNNING);
    shadow_set_first(handle(&done), handle(&first));
    shadow_settle();
    ck_assert_int_eq(atomic_load(&first.refs), 1); /* its times are not known yet */
    atomic_store(&first.status, CL_COMPLETE);
    shadow_settle();
    ck_assert_int_eq(atomic_load(&first.refs), 0);
    expect_first_time(CL_PROFILING_COMMAND_QUEUED, 10);
    expect_first_time(CL_PROFILING_COMMAND_SUBMIT, 15);
    expect_first_time(CL_PROFILING_COMMAND_START, 20);
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&done.refs), 0);
}

TEST(an_event_in_parts_may_be_a_sample_too)
{
    cl_ulong time;

    shadow_set_first(handle(&done), handle(&first));
    ck_assert(shadow_keep(handle(&done)));
    shadow_let_go(handle(&done), false);
    expect_first_time(CL_PROFILING_COMMAND_START, 20); /* the program still has it */
    ck_assert(shadow_keep(handle(&done)));
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&done.refs), 1);  /* ours */
    ck_assert_int_eq(atomic_load(&first.refs), 0); /* nobody may ask for it any more */
    ck_assert_int_eq(shadow_first_time(handle(&done), CL_PROFILING_COMMAND_START, &time), SHADOW_WHOLE);
    shadow_let_go(handle(&done), false);
    ck_assert_int_eq(atomic_load(&done.refs), 0);
}

TEST(a_handle_is_used_again)
{
    cl_ulong time;

    ck_assert(shadow_keep(handle(&done)));
    shadow_let_go(handle(&done), false);
    release(handle(&done)); /* behind our back */
    atomic_store(&done.refs, 1);
    shadow_set_first(handle(&done), handle(&first));
    release(handle(&done));
    atomic_store(&done.refs, 1);
    shadow_set_first(handle(&done), handle(&other));
    ck_assert_int_eq(atomic_load(&first.refs), 0);
    expect_first_time(CL_PROFILING_COMMAND_START, 220);
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&other.refs), 0);
    ck_assert_int_eq(shadow_first_time(handle(&done), CL_PROFILING_COMMAND_START, &time), SHADOW_WHOLE);
}

/* As in a callback, which gets the event though its last reference was released. */
TEST(one_that_was_released_is_retained)
{
    ck_assert(shadow_keep(handle(&done)));
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(shadow_release(handle(&done)), CL_INVALID_EVENT);
    ck_assert_int_eq(shadow_retain(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&done.refs), 1); /* which was ours */
    ck_assert_int_eq(shadow_retain(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
    shadow_let_go(handle(&done), false);
    ck_assert_int_eq(atomic_load(&done.refs), 1);
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&done.refs), 0);
}

TEST(a_fork_child_knows_of_none)
{
    cl_ulong time;
    pid_t child;
    int status;

    shadow_set_first(handle(&done), handle(&first));
    ck_assert(shadow_keep(handle(&done)));
    child = fork();
    if (!child) {
        shadow_go_inert();
        _exit(shadow_first_time(handle(&done), CL_PROFILING_COMMAND_START, &time) != SHADOW_WHOLE ||
              shadow_release(handle(&done)) || atomic_load(&done.refs));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
    shadow_let_go(handle(&done), false);
    ck_assert_int_eq(atomic_load(&done.refs), 0);
}

/* ---- threads ---------------------------------------------------------------------------------------- */

static pthread_barrier_t round_begins, round_ends;

static void *harvest(void *unused)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&round_begins);
        shadow_let_go(handle(&done), false);
        pthread_barrier_wait(&round_ends);
    }
    return unused;
}

static void *settle(void *unused)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&round_begins);
        shadow_settle();
        pthread_barrier_wait(&round_ends);
    }
    return unused;
}

/* With a reference of its own. */
static void *ask(void *unused)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&round_begins);
        expect_first_time(CL_PROFILING_COMMAND_START, 20);
        ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
        pthread_barrier_wait(&round_ends);
    }
    return unused;
}

TEST(each_reference_is_released_once)
{
    pthread_t thread[3];
    void *(*const does[])(void *) = {harvest, settle, ask};

    pthread_barrier_init(&round_begins, NULL, 4);
    pthread_barrier_init(&round_ends, NULL, 4);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, does[i], NULL), 0);
    for (unsigned i = 0; i < ROUNDS; i++) {
        begin();
        shadow_set_first(handle(&done), handle(&first));
        ck_assert(shadow_keep(handle(&done)));
        ck_assert_int_eq(shadow_retain(handle(&done)), CL_SUCCESS);
        pthread_barrier_wait(&round_begins);
        ck_assert_int_eq(shadow_release(handle(&done)), CL_SUCCESS);
        pthread_barrier_wait(&round_ends);
        ck_assert_int_eq(atomic_load(&done.refs), 0);
        ck_assert_int_eq(atomic_load(&first.refs), 0);
    }
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
}

int main(void)
{
    return run_tests("event_shadow", begin, NULL);
}
