/* verdict.h - one line per kernel: may a launch of it be tuned at all, and if not, what stands in the way. */
#pragma once

#include "analysis/summary/driver_compiler.h"

/* Print what the analysis alone can say; every launch is judged again with its real arguments
 * (select/prove/judge.c).  `driver` may be NULL: one of which nothing bad is known.
 *
 * The line is "NAME<tab>FACTS<tab>REASON<tab>LINE<tab>DETAIL".  FACTS has the letter of each fact that is
 * proved and
 * '-' for the others.  REASON is the first obstacle in the order in which a launch would meet them: a name of
 * SUM_REASONS, what drv_compiler_problem() says, "scattered-writes" or "unbounded-loop"; "tunable" if there
 * is none.  LINE and DETAIL are those of the obstacle, 0 and "-" if not known.  Write errors show in
 * ferror(f). */
void verdict_print(const struct kernel_summary *k, const struct driver *driver, FILE *f);
