/* driver_compiler.h - what a driver's compiler may make of a local size.  One that compiles for each size, as
 * those for CPUs do, may round differently in each, or make mistakes in some. */
#ifndef CLSIZER_SHIM_DRIVER_COMPILER_H
#define CLSIZER_SHIM_DRIVER_COMPILER_H

#include "analysis/summary/summary.h"
#include "select/launch.h"
#include "select/select.h"
#include "shim/guest/options.h"
#include "shim/object/device_info.h"

/* Why the kernel must be left alone on this device: a name of reasons.def, with a sentence in *detail (both
 * static strings).  NULL if, as far as is known, its results are the same to the last bit for all local
 * sizes. */
const char *drv_compiler_problem(const struct kernel_summary *k, const struct shim_device *d,
                                 const struct options *o, const char **detail);

/* Classes of sizes for which the driver runs the same code: Intel's for CPUs compiles a kernel once, for
 * vectors of work-items and for single ones, and the extents of the local size decide which of the two runs.
 * All 0: there are none, as far as is known. */
struct sel_classes drv_classes(const struct shim_device *d);

/* Where what the language leaves open about integers may depend on the local size. */
enum launch_open drv_open(const struct shim_device *d);

#endif
