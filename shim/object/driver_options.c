/* driver_options.c - see driver_options.h. */
#include "shim/object/driver_options.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "shim/guest/next.h"
#include "shim/object/device_info.h"

/* Name, vendor and version of the first device; a context's devices are all of one driver. */
static const char *driver_of(cl_program program)
{
    cl_device_id devices[OBJ_MAX_DEVICES] = {NULL};
    const struct shim_device *d = NULL;

    if (next()->clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, NULL) == CL_SUCCESS)
        d = obj_device(devices[0]);
    return d ? d->compiler : NULL;
}

/* May one of the variables be set?  A single pass over the environment at each build, instead of nine. */
static bool any_is_set(void)
{
    for (char **e = environ; e && *e; e++)
        if (drv_may_be_variable(*e))
            return true;
    return false;
}

/* The value of a variable that the driver of `program` reads; NULL: none.  *driver: asked for once. */
static const char *value_of(const struct drv_variable *v, cl_program program, const char **driver)
{
    const char *set = getenv(v->name);

    if (!set || !*set || (!*driver && !(*driver = driver_of(program))))
        return NULL;
    return fnmatch(v->driver, *driver, 0) == 0 ? set : NULL;
}

const char *drv_build_options(cl_program program, const char *passed, char **owned, const char **reason)
{
    const char *driver = NULL, *extra = NULL, *set;
    const struct drv_variable *v;
    const bool any = any_is_set();

    *reason = NULL;
    *owned = NULL;
    for (unsigned i = 0; any && (v = drv_variable(i)); i++) {
        set = v->use == DRV_LINKING || v->use == DRV_LOGGING ? NULL : value_of(v, program, &driver);
        if (set && v->use == DRV_APPENDED)
            extra = set;
        else if (set)
            *reason = "driver-options";
    }
    if (!passed)
        passed = "";
    if (!extra)
        return passed;
    if (asprintf(owned, "%s%s%s", passed, *passed ? " " : "", extra) < 0)
        *owned = NULL;
    return *owned;
}

const char *drv_link_problem(cl_program input)
{
    const char *driver = NULL;
    const struct drv_variable *v;

    for (unsigned i = 0; (v = drv_variable(i)); i++)
        if (v->use == DRV_LINKING && value_of(v, input, &driver))
            return "driver-options";
    return NULL;
}
