/* analysis_client.h - summaries of programs: from the cache, else from the helper, never while anyone waits.
 *
 * A *build* is one program text with its options on one device; equal builds of a process are one object and
 * are kept for the life of the process, with everything that was decided for their kernels. */
#ifndef CLSIZER_SHIM_ANALYSIS_CLIENT_H
#define CLSIZER_SHIM_ANALYSIS_CLIENT_H

#include <pthread.h>
#include "analysis/hash.h"
#include "shim/object.h"

enum ana_state {
    ANA_IDLE,    /* nothing asked yet */
    ANA_PENDING, /* the helper runs, or waits for its turn */
    ANA_READY,   /* summary is valid and immutable */
    ANA_FAILED   /* reason says why */
};

struct shim_entry; /* one kernel of a build (site.h) */

struct shim_build {
    char hash[HASH128_TEXT];       /* of source and options: the program's name in wisdom and reports */
    char cache_name[HASH128_TEXT]; /* also of what the driver tells the compiler */
    struct shim_device *device;
    struct shim_source *source;
    struct shim_build *twin;        /* of another device with the same names: two cards of a kind */
    char shared_name[HASH128_TEXT]; /* source->reads_files: of summaries that say which files they are of, for
                                       builds to come; `cache_name` is this build's alone */
    atomic_int state;               /* enum ana_state */
    char reason[64];                /* named reason, when ANA_FAILED */
    char *detail;
    struct program_summary summary; /* when ANA_READY */
    atomic_bool looked;             /* the cache was asked */
    bool from_cache;
    atomic_llong observed_ns; /* kernel time of this build seen in this process */
    pthread_mutex_t lock;     /* entries and their sites; never held across a driver call */
    struct shim_entry *entries;
    UT_hash_handle hh;
};

/* The build of a source on a device.  NULL when out of memory, or when there are too many. */
struct shim_build *ana_build(struct shim_source *source, struct shim_device *device);

/* Take the summary from the cache if it is there; asks the file system once.  Returns the state. */
enum ana_state ana_look(struct shim_build *b);

/* Ask for analysis, or see how it goes.  Starts the helper (one at a time in this process), notices its
 * result, its death, or the deadline.  `urgent`: a helper has the application's
 * priority, otherwise a lower one.  Never blocks.  Returns the state. */
enum ana_state ana_advance(struct shim_build *b, bool urgent);

/* The same, urgently, and wait for the result, no longer than helpers may take.  Returns the state. */
enum ana_state ana_wait(struct shim_build *b);

/* Programs that ran long enough to be worth analysis and did not get it: helpers that outlive this process,
 * for its next run. */
struct runtime;
void ana_at_exit(struct runtime *rt);

#endif
