/* driver_compiler.h - what a driver's compiler may make of a local size.  One that compiles for each size, as
 * those for CPUs do, may round differently in each, or make mistakes in some. */
#pragma once

#include "analysis/summary/driver_quirks.h"
#include "analysis/summary/summary.h"

/* Does its compiler make other vectors of work-items for other local sizes, as those for CPUs do? */
bool drv_makes_other_vectors(const struct driver *d);

/* May even sizes of one class (DRV_SIZE_CLASSES) run different code for the same work-item?  One such
 * compiler begins its vectors with the first work-item that does not leave at once. */
bool drv_mixes_classes(const struct kernel_summary *k, const struct driver *d);

/* Why the kernel must be left alone with this driver: a name of shim/ledger/reasons.def, with a sentence in
 * *detail (both static strings).  NULL if, as far as is known, its results are the same to the last bit for
 * all local sizes.  `strict` and `relaxed`: the options of that name. */
const char *drv_compiler_problem(const struct kernel_summary *k, const struct driver *d, bool strict,
                                 bool relaxed, const char **detail);

/* The same of a kernel whose groups stay as they are: what the driver makes of barriers does not matter. */
const char *drv_code_problem(const struct kernel_summary *k, const struct driver *d, bool strict,
                             bool relaxed, const char **detail);

/* Does other code do the same only as a launch does that is in vectors of work-items, all of which stay
 * (sel_all_stay())?  Elsewhere the driver adds the rounds of a loop in another order. */
bool drv_needs_vectors(const struct kernel_summary *k, const struct driver *d);

/* The same question for another kernel that does the same operations (analysis/rewrite).  `in_vectors`: the
 * program's launch runs in vectors of work-items as far as these stay, and in nothing else. */
const char *drv_rewriting_problem(const struct kernel_summary *k, const struct driver *d, bool in_vectors,
                                  const char **detail);

/* Does it run the same code of a kernel whatever the local size, so that a launch shows how that rounds? */
bool drv_shows_rounding(const struct driver *d);
