/* report.h - says why: JSON lines, one object per decision or refusal as it is made.
 *
 * Schema 1, documented at the head of report.c.  Thread-safe; never writes to stdout. */
#ifndef CLSIZER_SHIM_REPORT_H
#define CLSIZER_SHIM_REPORT_H

#include "profiler/profiler.h"
#include "shim/options.h"

/* What an event tells; everything is borrowed.  Members that are NULL are left out. */
struct rep_event {
    const char *event;   /* "decision", "refusal", "observed", "program", "warning" */
    const char *program; /* hash, NULL if none */
    const char *kernel;  /* NULL if none */
    const char *device;
    const struct launch *launch;          /* NULL if none */
    const struct kernel_summary *summary; /* facts are printed when given */
    const struct sel_proof *proof;        /* likewise */
    const struct candidate *candidates;   /* with their states and predicted times */
    unsigned ncandidate;
    const struct sel_estimate *estimate;
    const struct prof_race *race; /* measured times */
    const struct prof_decision *decision;
    const struct prof_account *account;
    const size_t
        *chosen; /* decisions: the local size from now on, three entries, all 0: the driver's choice */
    enum prof_mode mode;
    const char *reason;  /* named reason of a refusal or of the decision */
    const char *detail;  /* words, may be NULL */
    const char *source;  /* decisions: "wisdom", "model", "measured", "asked"; programs: "cache", "helper" */
    const char *fact;    /* refusals: the fact that was not proved ("S", "O0", ...), NULL if none */
    int64_t overhead_ns; /* what this decision cost */
    bool dry_run;
};

struct report;

/* o->report: file to append to ("" = none); o->verbose: explanations on stderr.  Never fails. */
struct report *rep_open(const struct options *o);
/* One line in the file, and words on stderr when verbose enough.  errno stays as it is; `r` may be NULL. */
void rep_emit(struct report *r, const struct rep_event *e);
/* One line of explanation on stderr when verbose >= level.  No newline in fmt. */
void rep_say(struct report *r, int level, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void rep_close(struct report *r); /* NULL-safe */

#endif
