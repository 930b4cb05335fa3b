/* runtime.h - what the library has one of per process: options, report, wisdom, and the switch that turns it
 * off for good (fork children, teardown). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "analysis/summary/hash.h"
#include "shim/guest/options.h"
#include "shim/ledger/points.h"
#include "shim/ledger/pool.h"
#include "shim/ledger/report.h"
#include "shim/ledger/wisdom.h"

#define RT_PATH      4096            /* room for a directory or a program */
#define RT_FILE      (RT_PATH + 256) /* for a file in the cache */
#define RT_TEMPORARY (RT_FILE + 48)  /* for its name while it is one process's own */

struct runtime {
    struct options opt;
    struct report *report;
    struct wisdom *wisdom;
    struct points *points;             /* NULL: none are kept */
    struct pool_variant *_Atomic pool; /* kernels of --pool and of the program; NULL if none */
    struct device *device_override;    /* from --device-file, NULL if none */
    char cache[RT_PATH];               /* directory of summaries, "" when unusable */
    const char *cache_problem;         /* why cache is "" */
    char helper[RT_PATH];              /* path of clsizer-analyze, "" when not found */
    char ahead[RT_PATH];               /* path of clsizer-ahead, "" when not found */
    int64_t started_ns;                /* clock_now() at the first intercepted call */
    atomic_bool from_binary;           /* a kernel is left alone for that */
    atomic_bool granted;               /* a race has had this run's PROF_GRANT_NS */
    atomic_llong proof_ns;             /* what proofs have cost in this run */
    struct {                           /* by kernels that were launched: opt_globs_met() of these options */
        atomic_bool any;
        atomic_ullong kernels, sizes, retune;
    } met;
    struct { /* for the line at exit */
        atomic_uint kernels, refused;
    } total;
};

/* The runtime while the library may act: set and cleared by lifetime.c alone. */
extern _Atomic(struct runtime *) rt_usable;

/* The runtime; NULL when off, in a fork child, and after teardown.  For what runs on behalf of an intercepted
 * call: that has started the library (lifetime.h). */
static inline struct runtime *rt_current(void)
{
    return atomic_load_explicit(&rt_usable, memory_order_acquire);
}

/* How long is waited for what may depend on what the program does next, in ns. */
static inline int64_t rt_wait_ns(const struct runtime *rt)
{
    return (int64_t)rt->opt.wait * 1000000;
}

/* The file in the cache that has this hash for a name, and this ending. */
static inline void rt_file(const struct runtime *rt, hash128_t h, const char *ending, char path[RT_FILE])
{
    char name[HASH128_TEXT];

    hash128_text(h, name);
    snprintf(path, RT_FILE, "%s/%s.%s", rt->cache, name, ending);
}

/* Do other kernels compete with the program's, wherever they can? */
static inline bool rt_variants_compete(const struct runtime *rt)
{
    return rt->opt.variants == OPT_VARIANTS_AUTO || (rt->opt.variants == OPT_SIZES && rt->pool);
}

/* Device time after which a program, or a shape, is worth a look (CLSIZER_ANALYSE_AFTER), nanoseconds. */
static inline int64_t rt_enough_ns(const struct runtime *rt)
{
    return (int64_t)rt->opt.analyse_after * 1000000;
}
