/* driver_compiler.h - what a driver's compiler may make of a local size.  One that compiles for each size, as
 * those for CPUs do, may round differently in each, or make mistakes in some. */
#ifndef CLSIZER_SHIM_DRIVER_COMPILER_H
#define CLSIZER_SHIM_DRIVER_COMPILER_H

#include "analysis/summary/summary.h"
#include "shim/guest/options.h"
#include "shim/object/device_info.h"

/* Why the kernel must be left alone on this device: a name of reasons.def, with a sentence in *detail (both
 * static strings).  NULL if, as far as is known, its results are the same to the last bit for all local
 * sizes. */
const char *drv_compiler_problem(const struct kernel_summary *k, const struct shim_device *d,
                                 const struct options *o, const char **detail);

#endif
