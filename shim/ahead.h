/* ahead.h - compiling local sizes before they are measured.
 *
 * Some drivers compile a kernel for each local size and keep the result on disk (PoCL).  For these another
 * process, clsizer-ahead, makes the driver compile the candidates of a race, at lower priority than the
 * application (HUMBLE_NICE) unless that waits for it.  Its answers are kept beside the summaries, so programs
 * that end too soon find them in their next run. */
#ifndef CLSIZER_SHIM_AHEAD_H
#define CLSIZER_SHIM_AHEAD_H

#include "shim/launch.h"

/* Mark candidates of the site's race that have been compiled in the meantime, which no longer cost a
 * compilation; ask for the others if nobody has.  Runs one process at a time, never waits.  Site locked, race
 * open. */
void ahead_advance(const struct launching *l);

/* For efforts without a budget: have all candidates of the race that has just begun compiled on all cores,
 * and wait for that, which is faster than compiling each at its first launch.  The wait is bounded.  Site
 * locked. */
void ahead_together(const struct launching *l);

/* Mark those of the site's candidates c[0..n) that were compiled in an earlier run.  Site locked. */
void ahead_mark_known(const struct launching *l, struct candidate *c, unsigned n);

/* At exit: start a process for the jobs that are still waiting.  It outlives this one, and its results are
 * for the next run. */
void ahead_at_exit(struct runtime *rt);

/* The first launch of a candidate took `overhead_ns` before it ran.  If that means that the driver has
 * compiled it although it was compiled ahead, nothing is compiled ahead for the device any more, and the
 * other candidates count as not compiled.  Site locked. */
void ahead_check(struct shim_site *s, unsigned lane, int64_t overhead_ns);

#endif
