/* macros.h - does a program ask the preprocessor something that only the driver's compiler can answer? */
#ifndef CLSIZER_ANALYSIS_MACROS_H
#define CLSIZER_ANALYSIS_MACROS_H

#include "analysis/buildopts.h"

struct macro_env {
    const char *device;  /* name|vendor|version */
    const char *profile; /* "" = not known */
    bool features_known; /* OpenCL C 3.0 feature macros are set as the driver has them */
    bool version_known;  /* __OPENCL_VERSION__ likewise */
    unsigned std;        /* as in struct buildopts, never 0 */
    const struct args *defines;
};

/* Scan a source (includes already expanded) and return the first macro whose value in the driver is not
 * known, owned by the caller, or NULL when there is none. */
char *macros_unknown(const char *source, size_t size, const struct macro_env *env);

/* Whether the source has #include or #import directives. */
bool macros_has_include(const char *source, size_t size);

/* Is `device`, as in struct macro_env, one of PoCL's? */
bool macros_device_is_pocl(const char *device);

#endif
