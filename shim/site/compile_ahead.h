/* compile_ahead.h - compiling local sizes before they are measured.
 *
 * Some drivers compile a kernel for each local size and keep the result on disk.  For these another
 * process, clsizer-ahead, makes the driver compile the candidates of a race: at lower priority than the
 * application (HUMBLE_NICE), except while the application waits for the result or tries a variant.  Which
 * sizes it has compiled is written to files beside the summaries, where the next run of a short program finds
 * them.
 *
 * Nothing here fails: where another process cannot be had, the sizes are compiled when they are measured. */
#pragma once

#include "shim/site/ahead_describe.h"

#define AHEAD_FEWEST_IN_SLICES 3 /* candidates of a race that compares slices */

/* Mark the candidates of the site's race that have been compiled in the meantime: they no longer cost a
 * compilation.  Ask for the others, unless that has been done.  Runs one process at a time and never waits.
 * Site locked, race open. */
void ahead_advance(const struct launching *l);

/* For efforts without a budget: have all candidates of the race that has just begun compiled on all
 * cores, and wait for that, at most 20 s.  It is faster than compiling each one at its first launch.
 * Site locked. */
void ahead_together(const struct launching *l);

/* Can the driver be made to compile the code for slices as well, for the race that is about to begin?  False,
 * too, if an earlier run did and hardly any of the race's sizes was compiled.  Site locked. */
bool ahead_offers_slices(const struct launching *l);

/* Has the code for slices been compiled for all lanes that are left in the race?  Site locked. */
bool ahead_has_slices(const struct shim_site *s);

/* Mark those of the site's candidates c[0..n) that were compiled in an earlier run.  Site locked. */
void ahead_mark_known(const struct launching *l, struct candidate *c, unsigned n);

/* Can another process launch the site's kernel at all? */
bool ahead_is_possible(const struct launching *l);

/* Can the driver compile and launch the variant with the first of these sizes?  VARIANT_NEVER: it crashed,
 * hung or refused.  Asked of another process, once, so that a compiler that crashes or hangs does it there;
 * it compiles the others, too (v->trial.compiled), but only the needed ones are waited for, and the program's
 * binary.  An earlier run's answer holds.  Efforts without a budget wait for it, and for what is asked for by
 * name, at most 20 s.  Only if ahead_is_possible().  Site locked. */
enum variant_result ahead_try(const struct launching *l, struct variant *v, const struct ahead_question *q);

/* Does the process that tried it still compile sizes?  Enters those that are done meanwhile.  Site locked. */
bool ahead_goes_on(const struct launching *l, struct variant *v);

/* Which sizes did the process compile that tried the variant with this size in an earlier run?  Site locked.
 */
void ahead_recall(const struct launching *l, struct variant *v, const size_t local[3]);

/* At exit: start a process for the jobs that are still waiting.  It outlives the application, and its results
 * are for the next run. */
void ahead_at_exit(struct runtime *rt);

/* Call when the first launch of a candidate took `overhead_ns` before it ran.  If the candidate was compiled
 * ahead and the driver has evidently compiled it again, nothing is compiled ahead for the device any more,
 * and the other candidates count as not compiled.  Site locked. */
void ahead_check(struct shim_site *s, unsigned lane, int64_t overhead_ns);
