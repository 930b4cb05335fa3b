/* report.h - tells the user what was decided and why: as JSON lines in a file, and in words on stderr.
 *
 * The members of a line (schema 1) are defined at the head of report.c.  All functions accept NULL for the
 * report, and may be called by several threads at the same time, except rep_begin().  Nothing is ever written
 * to stdout, which is the application's. */
#pragma once

#include "profiler/profiler.h"
#include "shim/guest/options.h"

/* One launch, or slice of one, that was timed. */
struct rep_sample {
    const size_t *local; /* three extents; all 0: the driver's choice */
    const char *variant; /* the kernel that it was launched with; NULL: the program's */
    int64_t at_ns;       /* when it was enqueued, clock_now() */
    uint64_t start_ns;   /* when it began, by the device's clock; 0: only the host's is known */
    int64_t ns;          /* how long it ran */
    int64_t overhead_ns; /* compilation, and waiting for it */
    size_t items;        /* work-items */
    unsigned queue;      /* a number for each queue of the process */
};

/* What became of the launches of a shape, or of a kernel that is left alone, in this process. */
struct rep_launches {
    const char *state;          /* "new", "racing", "decided", "refused" */
    const char *driver;         /* the device's version, as the driver says; NULL: not known */
    uint64_t n;                 /* how many the program made */
    uint64_t changed;           /* of these, made otherwise than the program asked for, after the decision */
    uint64_t timed;             /* of these, timed */
    int64_t kernel_ns;          /* all of them together, from those that were timed; 0: unknown */
    int64_t own_ns;             /* one with the program's size; 0: unknown */
    int64_t now_ns;             /* one as they are made now; 0: unknown */
    const size_t *local;        /* how that is: the size, three extents; NULL: as the program asks for */
    const char *variant;        /* and the kernel; NULL: the program's */
    int64_t saved_ns, spent_ns; /* in this process: what new sizes gained, what finding them cost */
};

/* The place of the size that won among those that were measured, by each estimator's times, from 1; 0: it has
 * none. */
struct rep_ranks {
    unsigned of; /* so many were measured */
    unsigned by[SEL_ESTIMATORS], learned;
};

/* What an event tells.  rep_emit() only borrows all of it; what is NULL is left out. */
struct rep_event {
    const char *event;   /* "decision", "refusal", "observed", "program", "warning", "samples", "launches",
                          "advice", "arguments" */
    const char *program; /* hash */
    const char *kernel;
    const char *device;
    const struct launch *launch;          /* as the application asked for it */
    const struct kernel_summary *summary; /* for its facts */
    const struct sel_proof *proof;
    const struct candidate *candidates; /* with their states and predicted times */
    unsigned ncandidate;
    const struct sel_estimate *estimate;
    const struct rep_ranks *ranks; /* with an estimate */
    const struct prof_race *race;  /* for the times measured */
    const struct prof_decision *decision;
    const struct prof_account *account;
    const size_t *chosen; /* decisions, advice: local size now, three extents; all 0: the driver's choice */
    const char *variant;  /* another kernel that won, by its name; NULL: none */
    const size_t *variant_local; /* ... with this local size */
    double variant_gain;         /* ... and how much faster than the program's launch */
    enum prof_mode mode;         /* decisions */
    const char *reason;          /* why, by name (reasons.h) */
    const char *detail;          /* why, in words */
    const char *source; /* decisions: "wisdom", "model", "measured", "asked"; programs: "cache", "helper" */
    bool unproved;      /* refusals: fact S was not proved */
    int64_t held_ns;    /* how long launches waited for earlier ones because we wanted to know their times */
    bool dry_run;
    const struct rep_sample *samples;    /* events "samples" */
    unsigned nsample;                    /* at most REP_SAMPLES */
    const struct rep_launches *launches; /* events "launches" */
    const struct advice *advice;         /* events "advice" */
    unsigned nadvice;
    const struct kernel_summary *arguments; /* events "arguments": the kernel that `launch` has them for */
    const char *file;                       /* ... that is in this summary */
    const struct dev_traits *traits;        /* ... of the device */
};
#define REP_SAMPLES 64 /* in one event: lines stay short */

struct report;

/* o->report: the file to append to, "-" for stderr, "" for none; o->verbose: how much is explained on stderr.
 * NULL only when out of memory.  The file is opened for each line. */
struct report *rep_open(const struct options *o);

/* Does it have a file? */
bool rep_has_file(const struct report *r);

/* From now on the first line that is appended is preceded by one about the process: an event "run" with its
 * command line and its options.  `version` is clsizer's. */
void rep_begin(struct report *r, const char *version);
/* Why no report can be appended to the file of this path, in words (a static string); NULL if one can.  A
 * file that does not exist is made.  One that is neither empty nor a report is left as it is. */
const char *rep_problem(const char *path);

/* A local size in words: "64x4". */
#define REP_SIZE 72
void rep_print_size(char out[REP_SIZE], const size_t v[3], unsigned dim);

/* Append a line to the file, and explain the event on stderr if that is verbose enough.  Leaves errno alone;
 * the first line that cannot be appended is complained of on stderr. */
void rep_emit(struct report *r, const struct rep_event *e);

/* Print one line of explanation on stderr if verbose >= level; NULL: it is 0.  `fmt` has no newline.  Leaves
 * errno alone. */
void rep_say(struct report *r, int level, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
