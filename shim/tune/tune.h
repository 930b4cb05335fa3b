/* tune.h - how a site comes from its first launch to a decision, stage by stage: analyse.h asks for the
 * analysis, prove.h proves launches, measure.h takes samples, settle.h makes and remembers decisions.
 *
 * Pre, unless said otherwise: l->site is locked. */
#ifndef CLSIZER_SHIM_TUNE_H
#define CLSIZER_SHIM_TUNE_H

#include "shim/enqueue/launch.h"
#include "shim/ledger/report.h"

/* Nanoseconds.  A driver whose first launch with a local size takes longer than that compiles for each
 * size. */
#define TUNE_COMPILES_NS 1000000

/* Make a launch of a site that is not decided, advancing the site.  Returns the driver's result. */
cl_int tune_launch(const struct launching *l);

/* The effort for the launch's site: that of the options, but a kernel with many shapes gets a budget from
 * some number of them on, even with `patient`. */
enum prof_effort tune_effort(const struct launching *l);

/* The profiler's policy according to the options and that effort. */
struct prof_policy tune_policy(const struct launching *l);

/* Report an event with what is known of the launch filled in. */
void tune_report(const struct launching *l, struct rep_event e);

/* Report and count that the launch's shape is left alone.  `fact` is as for tune_refuse_kernel(); the site's
 * state is the caller's. */
void tune_report_refusal(const struct launching *l, const char *fact, const char *reason, const char *detail);

/* The same without a fact, and refuse the site. */
void tune_refuse_shape(const struct launching *l, const char *reason, const char *detail);

/* Leave the kernel alone for good, whatever its shape, and report why.  `k` is its summary, if there is one;
 * `fact` (NULL: none) and `reason` are names as in reports, `detail` says the same in words.  Reported once,
 * even if several threads find out at the same time. */
void tune_refuse_kernel(const struct launching *l, const struct kernel_summary *k, const char *fact,
                        const char *reason, const char *detail);

#endif
