/* driver_quirks.h - drivers, and what is known of single ones (driver_quirks.def). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct driver {
    const char *name;     /* as in `clsizer analyze --driver`; NULL where a device was asked what it is */
    const char *compiler; /* "device name|vendor|device version" */
    const char *version;  /* CL_DRIVER_VERSION; "": any */
    bool is_cpu;          /* CL_DEVICE_TYPE_CPU */
};

enum drv_quirk {
#define QUIRK(name, driver, first, last, what, source) DRV_##name,
#include "analysis/summary/driver_quirks.def"
    DRV_QUIRKS
};

/* All quirks of a driver, as a set of bits 1 << enum drv_quirk. */
uint64_t drv_quirks(const struct driver *d);

/* Has it this one? */
static inline bool drv_has(const struct driver *d, enum drv_quirk q)
{
    return drv_quirks(d) >> q & 1;
}

/* The same of a device of which only `compiler` is known, in any version. */
static inline bool drv_device_has(const char *compiler, enum drv_quirk q)
{
    return drv_has(&(struct driver){.compiler = compiler, .version = ""}, q);
}

/* Drivers as they tell of themselves, on devices of which nothing else matters; the last one's name is NULL.
 */
#define DRV_NAMED 9
extern const struct driver drv_named[DRV_NAMED];

const struct driver *drv_find(const char *name); /* in drv_named; NULL if it is not there */

/* The part of `compiler` that names what compiles, and for which target; NULL: the driver does not tell. */
const char *drv_names_compiler(const char *compiler);

/* An environment variable from which a driver takes build options, or where to write what it does. */
struct drv_variable {
    const char *driver; /* for fnmatch() of struct driver.compiler */
    const char *prefix; /* of this and the driver's other variables */
    const char *name;
    enum { DRV_APPENDED, DRV_BUILDING, DRV_LINKING, DRV_LOGGING } use;
};
const struct drv_variable *drv_variable(unsigned i); /* NULL past the last */

/* Does the entry of the environment begin as one of them does?  A few nanoseconds: asked of every entry at
 * each build. */
bool drv_may_be_variable(const char *entry);

/* Must our other processes not inherit the entry?  Appended options are among a program's by then, and a log
 * is the program's own. */
bool drv_is_not_inherited(const char *entry);
