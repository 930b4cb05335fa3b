/* frontend.h - compiles a request to LLVM bitcode, by running clang (OpenCL C) or llvm-spirv (SPIR-V) as
 * child processes. */
#pragma once

#include "analysis/source/included.h"
#include "analysis/lower/lower.h"
#include "analysis/summary/request.h"

struct front_result {
    char *bitcode; /* owned; NULL on failure */
    size_t size;
    struct lower_options options;
    struct included files; /* `known` only if `strict`, and if the request tells enough */
    char *undefs;          /* owned, NULL: none; takes back the macros of the build options, a line each */
    char *error;           /* owned; "reason: detail", one line; NULL on success */
};

/* Compile the program.  `strict`, for the library: refuse programs that use macros which only the driver
 * knows (macros.h).  Otherwise, every extension that clang knows is enabled.  Release the result with
 * front_free(). */
void front_compile(const struct req *r, bool strict, struct front_result *out);

/* What of a program in OpenCL C only the driver of r->device knows, as front_compile() would say if `strict`:
 * the caller's; NULL if it is nothing. */
char *front_driver_macro(const struct req *r);

/* Release what front_compile() filled in, and leave it empty. */
void front_free(struct front_result *out);
