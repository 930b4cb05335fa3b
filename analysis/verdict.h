/* verdict.h - one line per kernel: may a launch of it be tuned at all, and if not, what stands in the way. */
#ifndef CLSIZER_ANALYSIS_VERDICT_H
#define CLSIZER_ANALYSIS_VERDICT_H

#include "analysis/summary.h"

/* What the analysis alone can say; every launch is judged again with its real arguments (select/judge.c).
 *
 * "NAME<tab>FACTS<tab>REASON<tab>LINE<tab>DETAIL": FACTS are the letters of those proved, '-' for others;
 * REASON, LINE and DETAIL are of the first obstacle, in the order in which a launch would meet them:
 * "tunable", a name of SUM_REASONS, "scattered-writes" or "unbounded-loop"; 0 and "-" where there is nothing
 * to tell. */
void verdict_print(const struct kernel_summary *k, FILE *f);

#endif
