/* driver_sizes.h - for which local sizes a driver runs the same code. */
#pragma once

#include "select/launch.h"
#include "select/select.h"
#include "shim/object/device_info.h"

/* The classes of sizes for which it runs the same code of this kernel, NULL: of any (DRV_SIZE_CLASSES), or
 * compiles it in the same way (DRV_MAY_ABORT).  All 0: there are none, as far as is known. */
struct sel_classes drv_classes(const struct shim_device *d, cl_kernel kernel);

/* Did the driver say that it made vectors of work-items of this kernel when it built the program? */
bool drv_is_vectorized(const struct shim_device *d, cl_program program, const char *kernel);
