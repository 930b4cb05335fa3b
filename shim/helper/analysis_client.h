/* analysis_client.h - summaries of programs, from the cache or else from the helper.
 *
 * Equal builds (docs/glossary.md) of a process are one object, which lives as long as the process, with
 * everything that was decided for its kernels.  Only ana_wait() waits for a helper. */
#pragma once

#include <pthread.h>
#include "analysis/summary/hash.h"
#include "shim/guest/table.h"
#include "shim/ledger/runtime.h"
#include "shim/object/device_info.h"
#include "shim/object/source.h"

enum ana_state {
    ANA_IDLE,    /* not asked for yet */
    ANA_PENDING, /* the helper is running, or this build is waiting for its turn */
    ANA_READY,   /* `summary` is valid and immutable */
    ANA_FAILED   /* `reason` says why */
};

struct shim_entry; /* one kernel of a build (site.h) */

struct shim_build {
    char hash[HASH128_TEXT];       /* of source and options: the program's name in wisdom and reports */
    char cache_name[HASH128_TEXT]; /* of these and of everything that the driver tells the compiler */
    struct shim_device *device;
    struct shim_source *source;
    unsigned lanes; /* neighbours that one work-item of a rewritten kernel does; 0: none is rewritten */
    struct shim_build *twin; /* the same on another device with the same names, such as a second card */
    char shared_name[HASH128_TEXT]; /* if it includes files: the name, for all builds, of a summary that lists
                                       those files; `cache_name` is then this build's alone */
    atomic_int state;               /* enum ana_state */
    char reason[64];                /* named reason, when ANA_FAILED */
    char *detail;
    struct program_summary summary; /* when ANA_READY */
    atomic_bool looked;             /* the cache was searched */
    bool from_cache;
    atomic_llong observed_ns; /* kernel time of this build seen in this process */
    pthread_mutex_t lock;     /* entries and their sites; never held across a driver call */
    struct shim_entry *entries;
    UT_hash_handle hh;
};

/* The program's name in wisdom and reports, as in struct shim_build. */
void ana_program_hash(const struct shim_source *s, char text[HASH128_TEXT]);

/* The build of a source on a device, created if it is new.  NULL when out of memory, or when there are too
 * many. */
struct shim_build *ana_build(struct shim_source *source, struct shim_device *device);

/* Where the next run looks for the summary, and others may: "" if it is not kept. */
void ana_summary_file(const struct shim_build *b, char path[RT_FILE]);

/* Take the summary from the cache if it is there, which is looked up only once.  Returns the state. */
enum ana_state ana_look(struct shim_build *b);

/* Ask for the analysis, or look at its progress: starts a helper unless this process has one running, and
 * notices a helper's result, its death and its deadline.  The helper has the application's priority: beside
 * kernels that use all cores, one of lower priority takes a second.  Never waits.  Returns the state. */
enum ana_state ana_advance(struct shim_build *b);

/* The same, and wait for the result, at most as long as a helper may take.  Returns the state. */
enum ana_state ana_wait(struct shim_build *b);

/* At exit: start helpers for programs that have run long enough to be worth analysing but were not analysed.
 * They outlive this process and work for its next run. */
struct runtime;
void ana_at_exit(struct runtime *rt);
