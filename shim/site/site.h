/* site.h - what is known of one shape of launches of one kernel on one device, and what was decided for it.
 *
 *   build  --*  entry (kernel name)  --*  site (dimensions, global size, own local size, ...)
 *
 * Entries and sites live as long as the process, so pointers to them stay valid without reference counts. */
#pragma once

#include <pthread.h>
#include "profiler/profiler.h"
#include "shim/guest/options.h"
#include "shim/helper/analysis_client.h"
#include "shim/ledger/wisdom.h"
#include "shim/object/kernels.h"
#include "shim/object/queues.h"
#include "shim/site/proofs.h"

enum site_state {
    SITE_NEW,     /* launches go through as they are, and are timed */
    SITE_RACING,  /* it is proved and has candidates, which are being measured */
    SITE_DECIDED, /* `choice` is valid and immutable */
    SITE_REFUSED  /* it is left alone for the rest of the process */
};

/* How a launch differs from what the application asked for. */
enum site_change {
    SITE_SIZE, /* another local size */
    SITE_PARTS /* in parts, with offsets */
};

/* SITE_DECIDED: may launches be made with another kernel? */
enum site_varies {
    SITE_AS_DECIDED, /* no: with the program's, and the decided size */
    SITE_MAY_VARY,   /* a variant is looked for */
    SITE_VARIANT     /* with `variant`, where it holds */
};

enum site_ahead {
    SITE_AHEAD_NEW,   /* no process has been asked to compile candidates */
    SITE_AHEAD_ASKED, /* one was asked and may still be compiling */
    SITE_AHEAD_DONE   /* no more will be compiled ahead */
};

#define SITE_BUCKETS 256 /* of an entry's table of sites */
#define SITE_EARLY   8   /* launches before the race whose times are kept */
#define SITE_PENDING 8   /* timed launches whose events are not harvested yet */

/* A launch in flight that will become a sample. */
struct site_pending {
    cl_event event; /* a reference of ours, unless `visible` */
    cl_event
        first; /* a reference of ours to the event of the first part, if it was made in parts; else NULL */
    cl_command_queue queue;
    bool fresh;      /* first launch of this local size: compilation may be in it */
    unsigned lane;   /* candidate, 0 = own */
    unsigned launch; /* number of launches of the site before it; set by samples_watch() */
    unsigned weight; /* launches that this one stands for in the account; 0 means 1 */
    double work;     /* site_work(); set by samples_watch() */
    size_t items;    /* work-items of a slice; 0: the whole launch */
    bool repeated;   /* its work had been done before */
    bool silent;     /* it does not count in the race */
    int64_t since;   /* when it was enqueued, clock_now(); set by samples_watch() */
    bool alone;      /* it depends only on what precedes it in its queue: hazard_waits_within() */
    bool visible; /* the application holds this event; the reference becomes ours when it releases its last */
    unsigned cancelled_waits; /* samples_cancelled_waits() when it was enqueued */
    bool refused; /* the driver refused the size, and the application's was launched instead; no event */
};

struct variant; /* variant.h */
struct vary;

#define SITE_WORKS 16 /* launches with different arguments whose work is remembered */

/* What launches do by their scalar arguments (work.h). */
struct site_work {
    double now; /* the launch that is being made, relative to the first one; 0 means 1; below 0: not known */
    bool asked; /* `deciding` is known: */
    uint64_t deciding;         /* the scalars that alone decide its branches, bit i for argument i */
    double first_ns;           /* by the model, of the first one */
    int64_t spent_ns, last_ns; /* what the model took in all, and the last time */
    uint64_t hash[SITE_WORKS]; /* of values that were asked about; 0: none */
    double ns[SITE_WORKS];     /* ... by the model */
    unsigned next;
};

/* Launches that were timed, for the report (launch_log.h). */
struct shim_log {
    struct rep_sample *list; /* owned */
    unsigned n, room;
};

/* Each group of members is written by the file that its comment names, and by no other unless it says so. */
struct shim_site {
    /* First what every launch looks at: programs take turns with hundreds of shapes, which the processor's
     * caches have to hold. */
    struct wis_shape key; /* launches with equal ones share a site */
    struct shim_entry *entry;
    atomic_int state;             /* enum site_state: site_state(), site_become() */
    atomic_uint decided_launches; /* dispatch.c, SITE_DECIDED, SITE_REFUSED: launches since; once decided,
                                     one in some is timed */
    atomic_uint resized; /* dispatch.c, tune.c, SITE_DECIDED: ... that may have the choice, another size */
    atomic_uint varied_launches; /* vary.c, SITE_VARIANT: ... made with the variant */
    atomic_uint launches; /* dispatch.c, tune.c: that the driver accepted, until it is decided; site_reopen():
                             all of before */
    atomic_int coast;     /* tune.c, before a decision: so many launches are still passed on without a look at
                             them; dispatch.c counts down */
    atomic_bool retired;  /* site_reopen(): replaced by a newer site with the same key */
    atomic_bool rejected; /* launch.c, SITE_DECIDED: the driver refused the choice, but took the own size */
    atomic_bool failed;   /* hazard.c, first_use.c, settle.c: a launch of ours failed when it ran, or wrote
                             something else on copies */
    atomic_bool launched; /* launch.c, SITE_DECIDED: this process has launched the choice */
    bool keep;            /* settle.c, SITE_DECIDED: the choice is the application's own launch */
    bool dry;             /* settle.c, SITE_REFUSED: by --dry-run, with the decision that there would be */
    atomic_int varies;    /* settle.c, vary.c, SITE_DECIDED: enum site_varies */
    struct variant *variant; /* vary.c, settle.c, SITE_VARIANT */
    size_t variant_local[3]; /* vary.c, settle.c, SITE_VARIANT: its local size, in its own work-items */
    double variant_gain; /* settle.c, vary.c, SITE_VARIANT: against the program's launch; 0: not measured */
    int64_t variant_saved_ns; /* settle.c, vary.c, SITE_VARIANT: time per launch that it saves besides
                                 `saved_ns` */
    bool doubtful; /* settle.c, record.c, SITE_DECIDED: for this run only; the next one measures again */
    struct shim_site *next; /* in its bucket of the entry */
    size_t choice[3];       /* settle.c, SITE_DECIDED; all 0: the driver's choice */
    int64_t saved_ns; /* settle.c, SITE_DECIDED: time of the own size minus that of the choice, per launch */

    /* ---- prove.c, variant.c, without the lock */
    struct proofs proofs; /* sel_proof.groups: of which launches that was proved */
    atomic_uint failed_proofs;
    atomic_llong proof_ns;  /* what proofs have cost */
    atomic_llong unpaid_ns; /* site_charge_proof(): of that, what is not on the account yet */

    /* ---- report_once(), without the lock */
    atomic_bool whole_said;    /* it was reported why launches are not made in parts */
    atomic_bool hampered_said; /* it was reported why no other size is launched */

    pthread_mutex_t lock; /* of all that follows; never waited for, only tried */

    /* ---- pace.c */
    int64_t held_ns; /* how long launches were held up so far */
    int64_t even_ns; /* SITE_NEW: when the program was last not ahead of the device, clock_now() */
    unsigned even;   /* `launches` at that time */

    /* ---- samples_in_flight.c */
    atomic_uint npending;
    struct site_pending pending[SITE_PENDING];
    unsigned untimed;        /* launches of the own size that found no room in `pending` and are not in the
                                account yet; launch.c and measure.c count up */
    int64_t whole_ns;        /* the shortest time of a launch of the own size; 0: none yet */
    uint64_t last_end;       /* device time at which the last harvested launch or slice ended; 0: none */
    int64_t held_up_ns;      /* recent time between SUBMIT and START of launches that needed no compilation */
    unsigned meaningless;    /* launches in a row whose event times made no sense */
    struct prof_drift drift; /* SITE_DECIDED */
    unsigned timed;          /* launches that were timed in this run; sample_sync.c, too */
    unsigned decided_timed;  /* SITE_DECIDED: ... as decided */
    int64_t decided_ns;      /* SITE_DECIDED: ... all of these together */
    bool moved;              /* SITE_DECIDED: times have drifted, the decision no longer stands */

    /* ---- site_seen(), site_own_time() */
    int64_t seen_ns;              /* kernel time in this run */
    int64_t early_ns[SITE_EARLY]; /* times of the last launches before the race, oldest first */
    unsigned early_count;         /* how many */
    double own_item_ns; /* the shortest launch of the own size, ns per work-item; 0: none yet.  record.c: from
                           earlier runs */

    /* ---- work.c */
    struct site_work work;

    /* ---- prove.c, limits.c: what is possible */
    struct sel_proof proof;
    uint64_t proof_of;     /* fingerprint of the arguments that `proof` is about; 0 = none */
    uint64_t proof_layout; /* their layout */
    const struct proved_range
        *proof_range;   /* the proof is about all launches between these; NULL: about one */
    unsigned max_items; /* largest group of this kernel; 0: not asked yet */
    size_t usual[3];    /* the own size, or what the driver says that it chooses; 0: it does not say */
    struct sel_classes classes; /* of sizes: drv_classes() */

    /* ---- tune.c: what competes */
    bool recalled;       /* wisdom was asked, and what is possible */
    unsigned met;        /* launches in a row beside which no other size may be used */
    bool looks_short;    /* the model calls the launch short, and the site has not been seen for long */
    double predicted_ns; /* of a launch with the own size, by the model; 0: it was not asked */
    double memory_ns;    /* ... what memory takes of that (struct candidate) */
    bool vectors;        /* ... whether the driver makes vectors there */
    bool in_slices;      /* the race compares slices of launches, once the code for these is compiled
                            (compile_ahead.h); measure.c clears it for good */
    unsigned ncandidate;
    struct candidate *candidates; /* owned; with estimates, kept for the report until the site is decided */
    struct sel_estimate estimate;

    /* ---- profiler/, by whoever takes a sample or spends time */
    struct prof_race race;
    struct prof_account account;

    /* ---- first_use.c */
    unsigned looks_late; /* looks that were put off, since they would have waited for the program */
    bool differs;        /* `failed`, because a size wrote something else there */

    /* ---- measure.c, sample_*.c, slices.c; settle.c: the mode of earlier runs */
    enum prof_mode mode; /* the mode last used for measuring */
    bool unpaid;         /* the account cannot pay for the sample that the race needs next */
    unsigned not_waited; /* launches in a row that a mode on copies could not wait for */
    bool mode_refused;   /* --mode asks for one that is not possible, which was reported and counted */

    /* ---- compile_ahead.c */
    enum site_ahead ahead; /* are candidates compiled before they are measured? */
    int64_t ahead_look;    /* when to check for the answer again, clock_now() */

    /* ---- settle.c, record.c; tune.c takes over what earlier runs measured; site_reopen() begins anew */
    size_t guess[3];          /* winner at the nearest size, or with another driver; 0: none */
    struct prof_past *before; /* results of earlier runs, owned, until the race is over */
    bool verify;              /* what wisdom knows must be measured again */
    bool advised;             /* advise.c: it was told what would make it faster */
    bool unmeasured; /* at the end: it would have been measured, but for --use-only or a budget of 0 */
    int64_t stored_ns, stored_spent_ns; /* the account's observed_ns, spent_ns as last written to wisdom */
    struct prof_account earlier; /* its parts from earlier runs, and from the site that this one replaces */

    /* ---- launch_log.c */
    struct shim_log log;

    /* ---- vary_search.c */
    struct vary *vary;         /* owned: the search for variants; NULL: it has not begun, or is over */
    bool varied;               /* that is over; settle.c: it was in an earlier run */
    const char *variant_waits; /* why the next variant does not compete yet, in words; NULL: there is none */
    struct variant *variants;  /* vary.c: those that may compete */
    unsigned tried; /* first_use.c, record.c: bits of makers that nothing came of, in earlier runs, too */
    uint64_t wanted_text;     /* settle.c: the hash of that one's text when it was verified */
    char wanted[OPT_VARIANT]; /* settle.c: the only one that is looked for, for wisdom or --sizes; "": any */

    /* ---- site.c */
    unsigned reopened;       /* how often this shape's times have drifted */
    unsigned inherited;      /* how many of `launches` are the older site's */
    struct shim_site *older; /* of all sites */
};

/* A variant that was verified at one of a kernel's shapes. */
struct site_verified {
    uint64_t text;   /* its hash; 0: none */
    size_t local[3]; /* its local size there */
    double relative; /* its time there, to the program's kernel's */
    bool none;       /* one differed at some shape: none is lent any more */
};

struct shim_entry {
    /* First what every launch looks at. */
    const struct shim_device *device; /* the build's */
    atomic_bool skip;                 /* the kernel is left alone: its launches are passed straight through */
    atomic_uint passed;               /* dispatch.c: how many were, unless the kernel's own count has them */
    bool excluded;                    /* by --kernels; `skip` is then set from the beginning */
    bool zero_offset;                 /* the first site's */
    atomic_bool ranges_differ;        /* from the first site's `zero_offset` or width: widening_forbids() */
    atomic_bool extents_differ;       /* ... from its first two extents: widening_forbids_variants() */
    unsigned nsite;                   /* written with the build's lock held */
    /* By enum site_change, where launches are confused (widening.h): threads that are enqueueing changed
     * launches, and the local sizes of changed launches that may be under way, as a set of hashes. */
    atomic_uint changing[2];
    atomic_ullong changed[2];
    atomic_ullong relevant;         /* sel_judge_arguments(); all bits while there is no summary */
    _Atomic(enum launch_open) open; /* sel_open(), written before the summary */
    struct shim_build *build;
    _Atomic(const struct kernel_summary *) summary; /* set once the build is ready; owned by the build */
    atomic_llong seen_ns;                           /* site_seen(), of all its sites */
    struct site_verified verified; /* vary_worth.c: the last one, with the build's lock held */
    bool asked;                    /* --sizes has this size for it: */
    size_t asked_local[3];
    char asked_variant[OPT_VARIANT]; /* "": the program's kernel */
    size_t extents[2]; /* of the first site's range, the first two: the larger one is its width */
    _Atomic(struct shim_site *) sites[SITE_BUCKETS]; /* by a hash of their keys */
    char *name;
    struct shim_entry *next;
};

/* The site's state, and with it what was written before it came to that. */
static inline enum site_state site_state(const struct shim_site *s)
{
    return (enum site_state)atomic_load_explicit(&s->state, memory_order_acquire);
}

/* Neither decided nor refused? */
static inline bool site_is_open(const struct shim_site *s)
{
    return site_state(s) == SITE_NEW || site_state(s) == SITE_RACING;
}

/* Bring the site to a state; last of all, because other threads read the state without the lock.  False, and
 * nothing changes, if no site in its present state may come to that one.  With `lock` held. */
bool site_become(struct shim_site *s, enum site_state state);

/* SITE_DECIDED: has the choice turned out not to work? */
static inline bool site_is_given_up(const struct shim_site *s)
{
    return atomic_load_explicit(&s->rejected, memory_order_relaxed) ||
           atomic_load_explicit(&s->failed, memory_order_relaxed);
}

/* SITE_DECIDED: are launches made otherwise than the application asked for? */
static inline bool site_is_retuned(const struct shim_site *s)
{
    return !s->keep || atomic_load_explicit(&s->varies, memory_order_relaxed) == SITE_VARIANT;
}

/* SITE_DECIDED: are they made as it asked, and is no variant looked for? */
static inline bool site_is_as_written(const struct shim_site *s)
{
    return s->keep && atomic_load_explicit(&s->varies, memory_order_relaxed) == SITE_AS_DECIDED;
}

static inline size_t site_items(const struct shim_site *s)
{
    return s->key.global[0] * s->key.global[1] * s->key.global[2];
}

/* Nanoseconds per work-item with the own size, of the race or else of the launches before it; 0: not known
 * yet. With `lock` held. */
static inline double site_own_rate(const struct shim_site *s)
{
    return s->race.own_item_ns > 0 ? s->race.own_item_ns : s->own_item_ns;
}

/* ... of a launch. */
static inline double site_own_ns(const struct shim_site *s)
{
    return site_own_rate(s) * (double)site_items(s);
}

/* What the launch that is being made does, relative to others (work.h); below 0: not known. */
static inline double site_work(const struct shim_site *s)
{
    return s->work.now != 0 ? s->work.now : 1;
}

/* The site's shape as a launch without arguments and offset. */
static inline struct launch site_shape(const struct shim_site *s)
{
    return (struct launch){.dim = s->key.dim,
                           .global = {s->key.global[0], s->key.global[1], s->key.global[2]},
                           .local = {s->key.own[0], s->key.own[1], s->key.own[2]}};
}

/* The site of a launch, created if it is new.  NULL if nothing is known about the objects, if the kernel is
 * left alone, if there are too many sites, or when out of memory.  Of `l` only dim, global, offset and local
 * count. Thread-safe. */
struct shim_site *site_find(struct shim_kernel *k, struct shim_queue *q, const struct launch *l);

/* The decision no longer stands: put a new site with the same key in the place of `s`, which keeps its
 * decision for threads that are using it.  True if done, false if that has happened too often or when out of
 * memory.  With `s->lock` held. */
bool site_reopen(struct shim_site *s);

/* A proof took so long.  Lock-free; it is on the account from site_pay_proofs() on, with `lock` held. */
void site_charge_proof(struct shim_site *s, int64_t ns);
void site_pay_proofs(struct shim_site *s);

/* The number of timed launches or slices of the lane that are not harvested yet.  With `lock` held. */
unsigned site_in_flight(const struct shim_site *s, unsigned lane);

/* So much kernel time was seen at the site: counted for it, its kernel and its build.  Site locked. */
void site_seen(struct shim_site *s, int64_t ns);

/* Before there is a race: note that a launch of the application's own size took `ns`, and stands for `weight`
 * launches in the account.  With `lock` held. */
void site_own_time(struct shim_site *s, int64_t ns, unsigned weight);

/* In a fork child: forget all sites. */
void site_go_inert(void);

/* The newest site, from which `older` leads to all others; NULL if none.  Lock-free. */
struct shim_site *site_newest(void);

/* Call `what` for every site whose lock is free, with the lock held. */
void site_each(void (*what)(struct shim_site *s, void *context), void *context);
