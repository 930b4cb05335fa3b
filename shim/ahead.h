/* ahead.h - local sizes compiled before they are measured.
 *
 * Where a driver compiles a kernel for each local size and keeps the result on disk (PoCL), another process
 * (clsizer-ahead) has it do so for the candidates of a race, nicer than the application (HUMBLE_NICE) unless
 * that waits for it.  What it did is kept beside the summaries: programs that end too soon find it at their
 * next run. */
#ifndef CLSIZER_SHIM_AHEAD_H
#define CLSIZER_SHIM_AHEAD_H

#include "shim/launch.h"

/* Candidates of the site's race that have been compiled meanwhile cost no compilation any more; ask for the
 * others when nobody has.  Starts one process at a time, never waits.  Site locked, race open. */
void ahead_advance(const struct launching *l);

/* Efforts without a budget: have all candidates of the race that has just begun compiled at once, on all
 * cores, and wait for that, which takes less time than one after the other at its first launch.  Bounded.
 * Site locked. */
void ahead_together(const struct launching *l);

/* Mark those of the site's candidates c[0..n) that were compiled in an earlier run.  Site locked. */
void ahead_mark_known(const struct launching *l, struct candidate *c, unsigned n);

/* Jobs that still wait get a process of their own, which outlives this one; their results are for the next
 * run. */
void ahead_at_exit(struct runtime *rt);

/* The first launch of a candidate spent `overhead_ns` before it ran.  When it was said to be compiled and the
 * driver compiled all the same, nothing is compiled ahead for the device any more, and the other candidates
 * count as not compiled.  Site locked. */
void ahead_check(struct shim_site *s, unsigned lane, int64_t overhead_ns);

#endif
