/* golden.h - a compact print of a kernel for the golden tests: what the source says,
 * not how LLVM spelled it. */
#ifndef CLSIZER_ANALYSIS_GOLDEN_H
#define CLSIZER_ANALYSIS_GOLDEN_H

#include "analysis/summary.h"

/* Arguments, sizes, work-item functions, effects and facts; write errors show in ferror(f). */
void golden_print(const struct kernel_summary *k, FILE *f);

#endif
