/* runtime.h - what the library has one of per process: options, report, wisdom, and the switch that turns it
 * off for good (fork children, teardown). */
#ifndef CLSIZER_SHIM_RUNTIME_H
#define CLSIZER_SHIM_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "shim/guest/options.h"
#include "shim/ledger/report.h"
#include "shim/ledger/wisdom.h"

#define RT_PATH      4096            /* room for a directory or a program */
#define RT_FILE      (RT_PATH + 256) /* for a file in the cache */
#define RT_TEMPORARY (RT_FILE + 48)  /* for its name while it is one process's own */

struct runtime {
    struct options opt;
    struct report *report;
    struct wisdom *wisdom;
    struct device *device_override; /* from --device-file, NULL if none */
    char cache[RT_PATH];            /* directory of summaries, "" when unusable */
    const char *cache_problem;      /* why cache is "" */
    char helper[RT_PATH];           /* path of clsizer-analyze, "" when not found */
    char ahead[RT_PATH];            /* path of clsizer-ahead, "" when not found */
    int64_t started_ns;             /* rt_now() at the first intercepted call */
    atomic_bool granted;            /* a race has had this run's PROF_GRANT_NS */
    struct {                        /* for the line at exit */
        atomic_uint kernels, retuned, kept, refused;
        atomic_llong saved_ns, spent_ns;
    } total;
};

/* For rt_get(): the runtime, NULL until it is started and when it is not to act; what to call in that case.
 */
extern _Atomic(struct runtime *) rt_usable;
struct runtime *rt_start(void);

/* The runtime, started at the first intercepted call; NULL when off, in a fork child, or after teardown. */
static inline struct runtime *rt_get(void)
{
    struct runtime *rt = atomic_load_explicit(&rt_usable, memory_order_acquire);

    return rt ? rt : rt_start();
}

/* Are the application's objects being kept track of?  Unlike rt_get(), still true after teardown: what was
 * hidden from the application stays hidden from its exit handlers. */
bool rt_tracks(void);

/* Monotonic clock, nanoseconds. */
int64_t rt_now(void);

/* Device time after which a program, or a shape, is worth a look (CLSIZER_ANALYSE_AFTER), nanoseconds. */
static inline int64_t rt_enough_ns(const struct runtime *rt)
{
    return (int64_t)rt->opt.analyse_after * 1000000;
}

#endif
