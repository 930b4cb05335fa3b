/* site.h - what is known about one shape of launches of one kernel on one device, and what was decided.
 *
 *   build  --*  entry (kernel name)  --*  site (dimensions, global size, own local size, ...)
 *
 * Entries and sites live as long as the process, so pointers to them stay valid without counting. */
#ifndef CLSIZER_SHIM_SITE_H
#define CLSIZER_SHIM_SITE_H

#include "profiler/profiler.h"
#include "shim/analysis_client.h"
#include "shim/wisdom.h"

enum site_state {
    SITE_NEW,     /* launches go through as they are, and are timed */
    SITE_RACING,  /* proved and selected: candidates are being measured */
    SITE_DECIDED, /* choice is valid and immutable */
    SITE_REFUSED  /* left alone for good */
};

enum site_ahead {
    SITE_AHEAD_NEW,   /* nothing asked yet */
    SITE_AHEAD_ASKED, /* a process has sizes compiled */
    SITE_AHEAD_DONE   /* what is to be known is known */
};

#define SITE_PROOFS  8  /* fingerprints that are remembered: programs take turns with their buffers */
#define SITE_BUCKETS 64 /* of an entry's table of sites */
#define SITE_EARLY   8  /* launches before the race whose times are kept */
#define SITE_PENDING 8  /* timed launches whose events are not harvested yet */

/* A launch in flight that will become a sample. */
struct site_pending {
    cl_event event; /* a reference of ours, unless visible */
    cl_event first; /* likewise: of the first part of a launch in parts, else NULL */
    cl_command_queue queue;
    bool fresh;      /* first launch of this local size: compilation may be in it */
    unsigned lane;   /* candidate, 0 = own */
    unsigned launch; /* how many launches of the site came before it: harvest_watch() enters that */
    unsigned weight; /* launches that this one stands for in the account; 0 means 1 */
    size_t items;    /* work-items, of a slice; 0: the whole launch */
    bool repeated;   /* the work had been done before */
    bool silent;     /* no evidence for the race */
    int64_t since;   /* when it was enqueued, rt_now(): harvest_watch() enters that */
    bool alone;      /* enqueued without a wait list: only what is before it in its queue holds it up */
    bool visible;    /* the application holds this event: a reference of ours only once it let go */
    unsigned cancelled_waits; /* harvest_cancelled_waits() when it was enqueued */
    bool refused; /* no event: the driver refused the size, and the application's was launched instead */
};

/* What makes launches alike. */
struct site_key {
    unsigned dim;
    size_t global[3], own[3]; /* own: all 0 when NULL was passed */
    bool zero_offset;
    uint64_t local_args; /* hash of indices and sizes of __local arguments */
};

/* Hashes of what was proved last. */
struct site_proofs {
    atomic_ullong of[SITE_PROOFS]; /* 0 = none */
    atomic_uint made;              /* how many: the next one replaces the oldest */
};

struct shim_site {
    struct site_key key;
    struct shim_entry *entry;
    atomic_int state; /* enum site_state */
    size_t choice[3]; /* SITE_DECIDED; all 0: the driver's choice */
    bool keep;        /* SITE_DECIDED: the application's own launch is the choice */
    bool doubtful;    /* SITE_DECIDED: for this run only, the next one looks again */
    int64_t saved_ns; /* SITE_DECIDED: own minus choice, per launch */
    /* What was proved, and what the last failure was about: args_fingerprint() and args_layout() of launches.
     * Layouts have a list of their own, for they change less often. */
    struct site_proofs proved, proved_layouts;
    atomic_ullong disproved, disproved_layout; /* 0: none */
    atomic_uint failed_proofs;
    atomic_uint decided_launches; /* SITE_DECIDED: now and then one is timed */
    atomic_llong proof_ns;        /* SITE_DECIDED: what proofs for other arguments have cost */
    atomic_bool retired;          /* replaced by a newer site of the same key */
    atomic_bool rejected;         /* SITE_DECIDED: the driver refused the choice, and took the own size */
    atomic_bool failed;           /* a launch with a size of ours failed when it ran */
    atomic_bool launched;         /* SITE_DECIDED: the choice was, by this process */
    atomic_bool whole_said;       /* why launches are not made in parts */
    atomic_bool hampered_said;    /* why no other size is launched */
    pthread_mutex_t lock;         /* all below; only ever tried, never waited for */
    unsigned launches;            /* that the driver took */
    atomic_uint npending;
    struct site_pending pending[SITE_PENDING];
    unsigned untimed; /* launches of the own size that found no room there, not in the account yet */
    int64_t whole_ns; /* the shortest time that a launch of the own size took; 0: none yet */
    int64_t early_ns[SITE_EARLY]; /* the last launches timed before the race, oldest first */
    unsigned early_count;         /* of them */
    bool looks_short;             /* to the model, and the program has not run for long: tune.c */
    double own_item_ns;           /* the shortest launch of the own size, ns per work-item; 0: none yet */
    unsigned max_items;           /* work-items of a group, at most, for this kernel; 0: not asked yet */
    struct sel_proof proof;
    uint64_t proof_of;     /* fingerprint of the arguments that `proof` is about; 0 = none */
    uint64_t proof_layout; /* and their layout */
    struct prof_race race;
    struct prof_account account;
    int64_t stored_ns, stored_spent_ns;   /* of the account, as last written to wisdom */
    int64_t told_spent_ns, told_saved_ns; /* ... by earlier runs, or counted in the runtime's total */
    struct prof_drift drift;              /* SITE_DECIDED */
    bool moved;                           /* ... and it no longer stands */
    unsigned reopened;                    /* how often this shape's decision did not stand */
    bool verify;                          /* what wisdom knows is to be measured again */
    size_t guess[3];                      /* what won at the nearest size, or with another driver; 0: none */
    struct prof_past *before;             /* what earlier runs have shown, owned, until the race begins */
    unsigned stored_samples;              /* of the race's candidates, as last written to wisdom */
    enum site_ahead ahead;                /* candidates compiled before they are measured (ahead.h) */
    int64_t ahead_look;                   /* when to look again */
    enum prof_mode mode;                  /* the way of measuring last used */
    bool mode_refused;  /* the way of measuring asked for is not possible: was said, and counted */
    uint64_t last_end;  /* device time at which the last harvested launch or slice ended; 0: none */
    int64_t held_up_ns; /* what lay between SUBMIT and START of launches that had nothing compiled, lately */
    unsigned meaningless; /* launches in a row whose event times said nothing */
    unsigned ncandidate;
    struct candidate *candidates; /* owned; as estimated, until decided: for the report */
    struct sel_estimate estimate;
    struct shim_site *next;  /* in its bucket of the entry */
    struct shim_site *older; /* of all sites */
};

struct shim_entry {
    char *name;
    struct shim_build *build;
    bool excluded;          /* by --kernels: `skip` from the beginning */
    atomic_bool skip;       /* nothing can be done for this kernel: launches go straight through */
    atomic_ullong relevant; /* scalar arguments that proofs depend on, bit 63: all from 63 on */
    _Atomic(const struct kernel_summary *) summary; /* set once the build is ready */
    unsigned nsite;
    _Atomic(struct shim_site *) sites[SITE_BUCKETS]; /* by a hash of their keys */
    struct shim_entry *next;
};

static inline size_t site_items(const struct shim_site *s)
{
    return s->key.global[0] * s->key.global[1] * s->key.global[2];
}

/* The launch that the site is about, without arguments and offset. */
static inline struct launch site_shape(const struct shim_site *s)
{
    return (struct launch){.dim = s->key.dim,
                           .global = {s->key.global[0], s->key.global[1], s->key.global[2]},
                           .local = {s->key.own[0], s->key.own[1], s->key.own[2]}};
}

/* The site of a launch, made when new.  NULL when nothing is known about the objects, the kernel is to be
 * skipped, or out of memory.  `l` needs dim, global, offset and local only. */
struct shim_site *site_find(struct shim_kernel *k, struct shim_queue *q, const struct launch *l);

/* The decision no longer stands: a new site with the same key takes the place of `s`, which
 * keeps its decision for whoever is using it.  Not more often than a few times.  With `s->lock`
 * held.  True when done. */
bool site_reopen(struct shim_site *s);

/* Was a proof made for this fingerprint, or layout?  Lock-free. */
bool site_is_proved(const struct site_proofs *p, uint64_t hash);
void site_set_proved(struct site_proofs *p, uint64_t hash);

/* Timed launches of that lane, or slices, that are not harvested yet.  With `lock` held. */
unsigned site_in_flight(const struct shim_site *s, unsigned lane);

/* A launch of the application's own size took `ns`, before there is a race; `weight` launches like it were
 * made. With `lock` held. */
void site_own_time(struct shim_site *s, int64_t ns, unsigned weight);

/* In a fork child: there are no sites. */
void site_go_inert(void);

/* The newest site of all, from which `older` leads to every other; NULL if none. */
struct shim_site *site_newest(void);

/* Call `what` for every site whose lock is free, with the lock held. */
void site_each(void (*what)(struct shim_site *s, void *context), void *context);

/* Tell the report what was launched and never decided, and why: "observed" events.  For the end of the
 * process; makes no OpenCL call and waits for nobody.  Returns how many shapes of launches that were. */
struct runtime;
unsigned site_report_open(struct runtime *rt);

#endif
