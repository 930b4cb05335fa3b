/* clock.c - see clock.h. */
#include "shim/guest/clock.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wpedantic" /* dlsym returns functions as data pointers */

typedef int clock_function(clockid_t, struct timespec *);

/* A clock that tests of ours have. */
extern __attribute__((weak, visibility("default"))) clock_function clsizer_test_clock;

/* The C library's own, whatever the program has put before it. */
static clock_function *look_up(void)
{
    if (clsizer_test_clock)
        return clsizer_test_clock;
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    clock_function *own = libc ? (clock_function *)dlsym(libc, "clock_gettime") : NULL;

    return own ? own : clock_gettime;
}

static uint64_t read_clock(clockid_t clock)
{
    static _Atomic(clock_function *) function;
    clock_function *own = atomic_load_explicit(&function, memory_order_relaxed);
    struct timespec t;

    if (!own)
        atomic_store_explicit(&function, own = look_up(), memory_order_relaxed);
    own(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

int64_t clock_now(void)
{
    return (int64_t)read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_date(void)
{
    return read_clock(CLOCK_REALTIME);
}

int64_t clock_spent(void)
{
    return (int64_t)read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void clock_sleep(long ns)
{
    /* nanosleep() may be another's, too; libc's makes this call, so a filter that allows it allows this. */
    syscall(SYS_clock_nanosleep, CLOCK_REALTIME, 0, &(struct timespec){.tv_nsec = ns}, NULL);
}
