/* tune.h - how a site comes to its decision: what tune.c, settle.c and measure.c do for others and know of
 * each other.  The site is locked, unless it is said that it need not be. */
#ifndef CLSIZER_SHIM_TUNE_H
#define CLSIZER_SHIM_TUNE_H

#include "shim/launch.h"
#include "shim/report.h"

/* ---- tune.c ---------------------------------------------------------------------------------------- */

/* A launch of a site that is not decided. */
cl_int tune_launch(const struct launching *l);

/* Is what was proved for the site true of this launch, with its arguments?  The site need not be locked. */
bool tune_still_proved(const struct launching *l);

/* The options as the profiler wants them.  No site is needed. */
struct prof_policy tune_policy(const struct runtime *rt);

/* Report an event with what is known of the launch filled in. */
void tune_report(const struct launching *l, struct rep_event e);

/* A size that does not divide the range needs main and tail launches: are they proved? */
bool tune_tails_proved(const struct sel_proof *p, const size_t local[3], const size_t global[3]);

/* Leave the kernel alone for good, whatever its shape; `k` is its summary, if there is one. */
void tune_refuse_kernel(const struct launching *l, const struct kernel_summary *k, const char *fact,
                        const char *reason, const char *detail);

/* ---- settle.c -------------------------------------------------------------------------------------- */

/* Would the driver take this size for this kernel, as far as can be known without asking it? */
bool settle_legal(const struct launching *l, const size_t local[3]);

/* Take over what was decided in an earlier run: true, and the site is decided.  Else the account, as far as
 * it is known, is the site's. */
bool settle_recall(const struct launching *l);

/* Has --sizes a size for the kernel? */
bool settle_asked(const struct launching *l);

/* How many work-groups a launch may have along dimension d with a size of ours. */
size_t settle_most_groups(const struct launching *l, unsigned d);

/* Did a launch of the kernel with a size of ours fail in an earlier run?  Then the kernel is refused. */
bool settle_failed_before(const struct launching *l);

/* That size is the decision, or the site is left alone when it is not possible. */
void settle_as_asked(const struct launching *l);

/* The site is decided: reported, remembered, published.  `race` is NULL when nothing was measured; `choice`
 * is copied; times are ns per work-item. */
void settle_decide(const struct launching *l, const struct prof_decision *d, const struct prof_race *race,
                   const size_t choice[3], double own_item_ns, double item_ns);

/* The model alone: its first choice, if it promises more than the margin over the application's size. */
void settle_by_model(const struct launching *l);

/* A race in progress is written down now and then: a later run goes on from there. */
void settle_progress(const struct launching *l);

/* What becomes of a site that is `rejected` or `failed`. */
void settle_give_up(const struct launching *l);

/* The program was told of a failure when it waited.  Unless it let a user event fail, every kernel that had
 * another size than its own is left alone from now on, by later runs as well.  No site is locked. */
void settle_device_failed(struct runtime *rt);

/* Write down what is not decided; at exit.  No site is locked. */
void settle_at_exit(struct runtime *rt);

/* A driver that needs longer than this for the first launch with a local size compiles for it; ns. */
#define TUNE_COMPILES_NS 1000000

/* ---- measure.c ------------------------------------------------------------------------------------- */

/* Make the launch, and a sample of it when that can be paid for. */
cl_int measure_sample(const struct launching *l);

/* The race is over. */
void measure_finish(const struct launching *l);

/* Nanoseconds per work-item with the application's size: as seen; before anything was, what the model says if
 * the launch is then to be measured until its kernel is decided; 0: unknown. */
double measure_own_item_ns(const struct launching *l);

/* Is this launch to be measured until its kernel is decided (prof_settles_at_once())? */
bool measure_at_once(const struct launching *l);

/* Launches on this queue have no event times: the host clock must do. */
bool measure_untimed(const struct launching *l);

#endif
