/* tune.h - how a site comes to its decision: the functions of tune.c (stages), measure.c (samples) and
 * settle.c (decisions).
 *
 * Pre, unless said otherwise: l->site is locked. */
#ifndef CLSIZER_SHIM_TUNE_H
#define CLSIZER_SHIM_TUNE_H

#include "shim/launch.h"
#include "shim/report.h"

/* ---- tune.c ---------------------------------------------------------------------------------------- */

/* Make a launch of a site that is not decided, advancing the site.  Returns the driver's result. */
cl_int tune_launch(const struct launching *l);

/* Does what was proved for the site also hold for this launch, with its arguments?  If that must be proved
 * anew it is, as far as proofs are worth their cost.  The site need not be locked. */
bool tune_still_proved(const struct launching *l);

/* The profiler's policy according to the options.  No site is needed. */
struct prof_policy tune_policy(const struct runtime *rt);

/* Report an event with what is known of the launch filled in. */
void tune_report(const struct launching *l, struct rep_event e);

/* A size that does not divide the range needs main and tail launches: are they proved? */
bool tune_tails_proved(const struct sel_proof *p, const size_t local[3], const size_t global[3]);

/* Leave the kernel alone for good, whatever its shape; `k` is its summary, if there is one. */
void tune_refuse_kernel(const struct launching *l, const struct kernel_summary *k, const char *fact,
                        const char *reason, const char *detail);

/* ---- settle.c -------------------------------------------------------------------------------------- */

/* Would the driver accept this size for this kernel and launch, as far as can be told without trying? */
bool settle_legal(const struct launching *l, const size_t local[3]);

/* Look the site up in wisdom.  True if an earlier run's decision was taken over: the site is decided.  Else
 * what earlier runs observed and spent is added to the site's account, if wisdom knows it. */
bool settle_recall(const struct launching *l);

/* Has --sizes a size for the kernel? */
bool settle_asked(const struct launching *l);

/* The most work-groups that a launch may have along dimension d with a size of ours. */
size_t settle_most_groups(const struct launching *l, unsigned d);

/* Did a launch of the kernel with a size of ours fail in an earlier run?  Then the kernel is refused. */
bool settle_failed_before(const struct launching *l);

/* Decide for the size of --sizes, or refuse the site if that size is not possible.  Nothing happens if the
 * launch itself is one that the driver will reject. */
void settle_as_asked(const struct launching *l);

/* Decide the site: report, remember and publish the decision.  `race` is NULL if nothing was measured;
 * `choice` is copied; times are ns per work-item, with the own size and with the choice. */
void settle_decide(const struct launching *l, const struct prof_decision *d, const struct prof_race *race,
                   const size_t choice[3], double own_item_ns, double item_ns);

/* Decide by the model alone: for its first choice if it promises more than the margin over the application's
 * size, else for that. */
void settle_by_model(const struct launching *l);

/* Write the open race to wisdom if enough has happened since the last time: a later run continues from there.
 */
void settle_progress(const struct launching *l);

/* Refuse a site that is `rejected`, or the kernel of one that is `failed`, in this run and in later ones. */
void settle_give_up(const struct launching *l);

/* The program was told of a device failure when it waited.  Unless it let a user event fail itself, every
 * kernel that uses another size than its own at that time is left alone from now on, by later runs as
 * well. Pre: no site is locked. */
void settle_device_failed(struct runtime *rt);

/* Write to wisdom what is not decided at exit.  Pre: this thread has no site locked. */
void settle_at_exit(struct runtime *rt);

/* Nanoseconds.  If a driver takes longer for the first launch with a local size, it compiles for that size.
 */
#define TUNE_COMPILES_NS 1000000

/* ---- measure.c ------------------------------------------------------------------------------------- */

/* Make the launch, as a sample of a candidate if that can be paid for.  Returns the driver's result. */
cl_int measure_sample(const struct launching *l);

/* Decide the site by what its race has shown. */
void measure_finish(const struct launching *l);

/* Nanoseconds per work-item with the application's size, as measured.  Before that the model's prediction, if
 * according to it the launch will be measured until its kernel is decided; else 0: unknown. */
double measure_own_item_ns(const struct launching *l);

/* Will this launch be measured until its kernel is decided (prof_settles_at_once())? */
bool measure_at_once(const struct launching *l);

/* Do launches on this queue lack event times, so that the host clock must do? */
bool measure_untimed(const struct launching *l);

#endif
