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

/* Does the driver's compiler make vectors of work-items as the local size allows, as those for CPUs do?  Then
 * what the language leaves open may depend on it (struct launch.vectorised).  True of drivers for CPUs that
 * were not tried. */
bool drv_vectorises(const struct shim_device *d);

#endif
