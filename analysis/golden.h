/* golden.h - prints a kernel compactly for the golden tests: what the source means, not how LLVM expressed
 * it. */
#ifndef CLSIZER_ANALYSIS_GOLDEN_H
#define CLSIZER_ANALYSIS_GOLDEN_H

#include "analysis/summary/summary.h"

/* Print arguments, sizes, work-item functions, effects and facts.  Write errors show in ferror(f). */
void golden_print(const struct kernel_summary *k, FILE *f);

#endif
