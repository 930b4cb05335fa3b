/* site_report.h - what is told of sites, and leaving them alone with a reason.
 *
 * Pre, unless said otherwise: l->site is locked. */
#pragma once

#include "shim/ledger/report.h"
#include "shim/site/launching.h"

/* Report an event with what is known of the launch filled in. */
void report_launch(const struct launching *l, struct rep_event e);

/* Report the arguments of a launch whose kernel has this summary, and what else it takes to ask the model
 * about it again: for each shape once, of a kernel that is left alone for one shape. */
void report_arguments(const struct launching *l, const struct kernel_summary *k);

/* Report and count that the launch's shape is left alone, since fact S is not proved, or for another reason;
 * the site's state is the caller's. */
void report_refusal(const struct launching *l, bool unproved, const char *reason, const char *detail);

/* The same for another reason, and refuse the site. */
void refuse_shape(const struct launching *l, const char *reason, const char *detail);

/* Leave the kernel alone for good, whatever its shape, and report why.  `k` is its summary, if there is
 * one that the entry does not have; `reason` is a name as in reports, `detail` says the same in words.
 * Reported once, even if several threads find out at the same time. */
void refuse_kernel(const struct launching *l, const struct kernel_summary *k, bool unproved,
                   const char *reason, const char *detail);

/* Report why the shape is not tuned fully, once, which `said` remembers.  The site need not be locked. */
void report_once(const struct launching *l, atomic_bool *said, const char *reason, const char *detail);

/* Report, once per shape, why its launches are not made in parts.  The site need not be locked. */
void report_whole(const struct launching *l, const char *reason);

/* What the line at exit says of this process besides what the runtime counts. */
struct report_totals {
    unsigned retuned, kept;     /* shapes that are decided, with --dry-run: would be */
    unsigned open;              /* shapes that are not decided */
    unsigned faster;            /* of these, launched with another size meanwhile */
    char in_use[128];           /* ... which one, of the last such shape: ": 64x4, 3.20 times as fast" */
    double settled;             /* sum over open shapes: how much of its race is done, 0 to 1 */
    unsigned runs;              /* ... in so many runs, this one included */
    unsigned unmeasured;        /* of the open ones, a run that measures would have measured */
    int64_t saved_ns, spent_ns; /* as in struct rep_launches */
};

/* At the end of the process: report shapes that were launched and never decided, and why ("observed" events).
 * Makes no OpenCL call and waits for no lock. */
void report_open_sites(struct runtime *rt, struct report_totals *out);

/* Then, too: what became of all shapes, and samples that were not reported yet ("launches", "samples").  Does
 * nothing if there is no file to write that to. */
void report_all_sites(struct runtime *rt);
