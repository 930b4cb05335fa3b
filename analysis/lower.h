/* lower.h - LLVM bitcode of an OpenCL program -> kernel summaries. */
#ifndef CLSIZER_ANALYSIS_LOWER_H
#define CLSIZER_ANALYSIS_LOWER_H

#include "analysis/summary.h"

/* What the build options allow a driver to do; from frontend.h. */
struct lower_options {
    bool fuse_fma;     /* -cl-mad-enable or stronger: fmul + fadd cost as one fma */
    bool relaxed_math; /* -cl-fast-relaxed-math or -cl-unsafe-math-optimizations */
    bool unoptimised;  /* -cl-opt-disable or -O0 */
    bool uneven;       /* as in struct kernel_summary */
};

/* Lower every kernel of the module and derive its facts.  On success *error is NULL and *out is filled (the
 * caller frees it); otherwise *error is "reason: detail", owned by the caller, and *out is empty.  A kernel
 * that is too large, or that fails sum_check(), has all its facts refused and no body. */
void lower_program(const char *bitcode, size_t size, const struct lower_options *options,
                   struct program_summary *out, char **error);

#endif
