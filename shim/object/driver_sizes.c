/* driver_sizes.c - see driver_sizes.h. */
#include "shim/object/driver_sizes.h"

/* The longest vectors that a driver with classes of sizes makes of work-items, those of 4-byte types with
 * AVX-512; with AVX2 they are half as long, and sizes from 8 on are in vectors, too. */
#define LONGEST 16

struct sel_classes drv_classes(const struct shim_device *d)
{
    if (!d->is_cpu || !obj_has(d, DRV_SIZE_CLASSES))
        return (struct sel_classes){0, 0};
    return (struct sel_classes){d->lanes < LONGEST ? d->lanes : LONGEST, LONGEST};
}

enum launch_open drv_open(const struct shim_device *d)
{
    const struct driver driver = obj_driver(d);

    if (!drv_makes_other_vectors(&driver))
        return LAUNCH_OPEN_NOWHERE;
    return obj_has(d, DRV_WIDENS_OVERFLOWS) ? LAUNCH_OPEN_EXTENDED : LAUNCH_OPEN_EVERYWHERE;
}
