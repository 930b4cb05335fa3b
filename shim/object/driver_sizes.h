/* driver_sizes.h - for which local sizes a driver runs the same code. */
#ifndef CLSIZER_SHIM_DRIVER_SIZES_H
#define CLSIZER_SHIM_DRIVER_SIZES_H

#include "select/launch.h"
#include "select/select.h"
#include "shim/object/device_info.h"

/* Classes of sizes with the same code (DRV_SIZE_CLASSES).  All 0: there are none, as far as is known. */
struct sel_classes drv_classes(const struct shim_device *d);

/* Where what the language leaves open about integers may depend on the local size. */
enum launch_open drv_open(const struct shim_device *d);

#endif
