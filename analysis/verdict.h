/* verdict.h - one line per kernel: may a launch of it be tuned at all, and if not, what stands in the way. */
#ifndef CLSIZER_ANALYSIS_VERDICT_H
#define CLSIZER_ANALYSIS_VERDICT_H

#include "analysis/summary.h"

/* What the analysis alone can say.  Every launch is judged again with its real arguments (select/judge.c). */
struct verdict {
    const char *reason; /* static: "tunable", a name of SUM_REASONS, "scattered-writes" or "unbounded-loop" */
    uint32_t line;      /* of the obstacle, 0 = unknown or none */
    const char *detail; /* owned by the kernel; may be NULL */
};

/* The first obstacle, in the order in which a launch would meet them. */
struct verdict verdict_of(const struct kernel_summary *k);

/* "NAME<tab>FACTS<tab>REASON<tab>LINE<tab>DETAIL": FACTS are the letters of those proved, '-' for others. */
void verdict_print(const struct kernel_summary *k, FILE *f);

#endif
