/* driver_options.c - see driver_options.h. */
#include "shim/object/driver_options.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shim/guest/next.h"
#include "shim/object/device_info.h"

/* What a compiler's variables begin with, and part of what its devices tell of themselves (shim_device). */
enum compiler { POCL, OCLGRIND, MESA, AMD };
static const struct {
    const char *prefix, *driver;
} compilers[] = {[POCL] = {"POCL_EXTRA_", " PoCL "},
                 [OCLGRIND] = {"OCLGRIND_", "Oclgrind"},
                 [MESA] = {"CLOVER_", "Mesa"},
                 [AMD] = {"AMD_OCL_", "Advanced Micro Devices"}};

/* Whose compiler reads which variable.  PoCL 3.1 (compile_and_link_program()) and Oclgrind (Program::build())
 * put their own behind what is passed. Mesa's are documented in its list of environment variables, AMD's in
 * the runtime's flags.hpp; no driver here reads them, so how they count is not tried. */
static const struct {
    const char *variable;
    enum compiler compiler;
    enum { APPENDED, BUILDING, LINKING } use;
} variables[] = {
    {"POCL_EXTRA_BUILD_FLAGS", POCL, APPENDED},      {"OCLGRIND_BUILD_OPTIONS", OCLGRIND, APPENDED},
    {"CLOVER_EXTRA_BUILD_OPTIONS", MESA, BUILDING},  {"CLOVER_EXTRA_COMPILE_OPTIONS", MESA, BUILDING},
    {"CLOVER_EXTRA_LINK_OPTIONS", MESA, LINKING},    {"AMD_OCL_BUILD_OPTIONS", AMD, BUILDING},
    {"AMD_OCL_BUILD_OPTIONS_APPEND", AMD, BUILDING}, {"AMD_OCL_LINK_OPTIONS", AMD, LINKING},
    {"AMD_OCL_LINK_OPTIONS_APPEND", AMD, LINKING}};

/* Name, vendor and version of the first device; a context's devices are all of one driver. */
static const char *driver_of(cl_program program)
{
    cl_device_id devices[OBJ_MAX_DEVICES] = {NULL};
    const struct shim_device *d = NULL;

    if (next()->clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, NULL) == CL_SUCCESS)
        d = obj_device(devices[0]);
    return d ? d->compiler : NULL;
}

static bool begins(const char *entry, enum compiler c)
{
    return strncmp(entry, compilers[c].prefix, strlen(compilers[c].prefix)) == 0;
}

/* Does the entry of the environment begin as a compiler's variables do?  Most differ in the first letters. */
static bool may_be_one(const char *entry)
{
    if (*entry == 'P' && entry[1] == 'O')
        return begins(entry, POCL);
    if (*entry == 'O' && entry[1] == 'C')
        return begins(entry, OCLGRIND);
    if (*entry == 'C' && entry[1] == 'L')
        return begins(entry, MESA);
    if (*entry == 'A' && entry[1] == 'M')
        return begins(entry, AMD);
    return false;
}

/* May one of the variables be set?  A single pass over the environment at each build, instead of nine. */
static bool any_is_set(void)
{
    for (char **e = environ; e && *e; e++)
        if (may_be_one(*e))
            return true;
    return false;
}

/* The value of a variable that the driver of `program` reads; NULL: none.  *driver: asked for once. */
static const char *value_of(size_t i, cl_program program, const char **driver)
{
    const char *set = getenv(variables[i].variable);

    if (!set || !*set || (!*driver && !(*driver = driver_of(program))))
        return NULL;
    return strstr(*driver, compilers[variables[i].compiler].driver) ? set : NULL;
}

const char *drv_build_options(cl_program program, const char *passed, char **owned, const char **reason)
{
    const char *driver = NULL, *extra = NULL, *set;
    const bool any = any_is_set();

    *reason = NULL;
    *owned = NULL;
    for (size_t i = 0; any && i < sizeof variables / sizeof *variables; i++) {
        set = variables[i].use == LINKING ? NULL : value_of(i, program, &driver);
        if (set && variables[i].use == APPENDED)
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

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (variables[i].use == LINKING && value_of(i, input, &driver))
            return "driver-options";
    return NULL;
}
