/* driver_options.h - build options that a driver takes from variables of its own. */
#ifndef CLSIZER_SHIM_DRIVER_OPTIONS_H
#define CLSIZER_SHIM_DRIVER_OPTIONS_H

#include <CL/cl.h>

/* The options that the driver's compiler will see for `program`: those passed (NULL means none) and, behind
 * them, those of the environment.  malloc'ed; NULL when out of memory.  *reason: a static string when the
 * environment holds options that cannot be followed, else NULL. */
char *drv_build_options(cl_program program, const char *passed, const char **reason);

/* Why what is linked from this program and others cannot be followed, as a static string, or NULL. */
const char *drv_link_problem(cl_program input);

#endif
