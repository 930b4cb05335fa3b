/* macros.h - does a program ask the preprocessor something that only the driver's compiler can answer? */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "analysis/source/buildopts.h"

struct macro_env {
    const char *device;  /* name|vendor|version */
    const char *profile; /* "" = not known */
    bool features_known; /* the feature macros of OpenCL C 3.0 are defined as by the driver */
    bool version_known;  /* __OPENCL_VERSION__ likewise */
    unsigned std;        /* as in struct buildopts, never 0 */
    const struct args *defines;
};

/* Scan a source, whose includes are expanded, for macros whose value in the driver is not known.  Returns the
 * first one, owned by the caller, or NULL if there is none. */
char *macros_unknown(const char *source, size_t size, const struct macro_env *env);

/* Does the source have #include or #import directives? */
bool macros_has_include(const char *source, size_t size);
