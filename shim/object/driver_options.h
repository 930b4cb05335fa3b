/* driver_options.h - build options that a driver takes from environment variables of its own. */
#pragma once

#include "shim/guest/opencl.h"

/* The options that the driver's compiler will see for `program`: those passed (NULL means none), followed by
 * those of the environment: `passed` itself, or *owned, which is malloc'ed, else NULL.  NULL when out of
 * memory. *reason is NULL, or says why the environment's options cannot be followed (a static string). */
const char *drv_build_options(cl_program program, const char *passed, char **owned, const char **reason);

/* Why a program that is linked from this one cannot be followed (a static string); NULL if it can. */
const char *drv_link_problem(cl_program input);
