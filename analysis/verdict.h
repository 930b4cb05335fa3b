/* verdict.h - may a launch of a kernel be tuned at all, and if not, what stands in the way: for people. */
#pragma once

#include "analysis/summary/driver_quirks.h"
#include "analysis/summary/summary.h"

#include <stdio.h>

/* Print a line about what all launches share; each is judged again with its real arguments
 * (select/prove/judge.c).  `driver` may be NULL: one of which nothing bad is known.
 *
 * The line is "NAME<tab>FACTS<tab>REASON<tab>LINE<tab>DETAIL".  FACTS has the letter of each fact that is
 * proved and '-' for the others.  REASON is an obstacle: a name of SUM_REASONS or SEL_REASONS, what
 * drv_compiler_problem() says, or "unbounded-loop"; "tunable" if there is none.  LINE and DETAIL are those of
 * the obstacle, 0 and "-" if not known.  "tunable-if": only launches whose arguments rule out what DETAIL
 * names.  Write errors show in ferror(f). */
void verdict_print(const struct kernel_summary *k, const struct driver *driver, FILE *f);

/* What stands in the way of launches of a kernel whose facts are proved, wherever they write, in words;
 * malloc'ed.  NULL: nothing, with most drivers. */
char *verdict_of_launches(const struct kernel_summary *k);

/* The same with this driver.  `launches`: what it makes of launches, too, or only of the kernel? */
char *verdict_of_driver(const struct kernel_summary *k, const struct driver *driver, bool launches);
