/* driver_compiler.h - what a driver's compiler may make of a local size.  One that compiles for each size, as
 * those for CPUs do, may round differently in each, or make mistakes in some. */
#ifndef CLSIZER_ANALYSIS_DRIVER_COMPILER_H
#define CLSIZER_ANALYSIS_DRIVER_COMPILER_H

#include "analysis/summary/driver_quirks.h"
#include "analysis/summary/summary.h"

/* Does its compiler make other vectors of work-items for other local sizes, as those for CPUs do? */
bool drv_makes_other_vectors(const struct driver *d);

/* Why the kernel must be left alone with this driver: a name of shim/ledger/reasons.def, with a sentence in
 * *detail (both static strings).  NULL if, as far as is known, its results are the same to the last bit for
 * all local sizes.  `strict` and `relaxed`: the options of that name. */
const char *drv_compiler_problem(const struct kernel_summary *k, const struct driver *d, bool strict,
                                 bool relaxed, const char **detail);

/* The same question for another kernel that does the same operations. */
const char *drv_rewriting_problem(const struct kernel_summary *k, const struct driver *d,
                                  const char **detail);

#endif
