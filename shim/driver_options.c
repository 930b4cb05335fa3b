/* driver_options.c - see driver_options.h. */
#include "shim/driver_options.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/intercept.h"
#include "shim/object.h"

#define MAX_DEVICES 64

/* Whose compiler reads which variable; `driver` is part of what the device tells of itself (shim_device).
 * PoCL 3.1 appends its own to what is passed; where the others put theirs is not known here. */
static const struct {
    const char *variable, *driver;
    bool appended;
} variables[] = {{"POCL_EXTRA_BUILD_FLAGS", " PoCL ", true},
                 {"CLOVER_EXTRA_BUILD_OPTIONS", "Mesa", false},
                 {"CLOVER_EXTRA_COMPILE_OPTIONS", "Mesa", false},
                 {"AMD_OCL_BUILD_OPTIONS", "Advanced Micro Devices", false},
                 {"AMD_OCL_BUILD_OPTIONS_APPEND", "Advanced Micro Devices", false},
                 {"OCLGRIND_BUILD_OPTIONS", "Oclgrind", false}};

/* Name, vendor and version of the first device; a context's devices are all of one driver. */
static const char *driver_of(cl_program program)
{
    cl_device_id devices[MAX_DEVICES] = {NULL};
    const struct shim_device *d = NULL;

    if (next()->clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, NULL) == CL_SUCCESS)
        d = obj_device(devices[0]);
    return d ? d->compiler : NULL;
}

char *drv_build_options(cl_program program, const char *passed, const char **reason)
{
    const char *driver = NULL, *extra = NULL, *set;
    char *all;

    *reason = NULL;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        set = getenv(variables[i].variable);
        if (!set || !*set || (!driver && !(driver = driver_of(program))) ||
            !strstr(driver, variables[i].driver))
            continue;
        if (variables[i].appended)
            extra = set;
        else
            *reason = "driver-options";
    }
    if (!passed)
        passed = "";
    if (!extra)
        return strdup(passed);
    return asprintf(&all, "%s%s%s", passed, *passed ? " " : "", extra) < 0 ? NULL : all;
}
