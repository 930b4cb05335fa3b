/* lower.h - turns the LLVM bitcode of an OpenCL program into kernel summaries.  Helper only. */
#pragma once

#include "analysis/summary/summary.h"

/* What the build options allow a driver to do; frontend.h fills it in. */
struct lower_options {
    bool fuse_fma;     /* -cl-mad-enable or stronger: fmul and fadd together cost one fma */
    bool relaxed_math; /* -cl-fast-relaxed-math or -cl-unsafe-math-optimizations */
    bool loose_math;   /* as in struct kernel_summary */
    bool unoptimised;  /* -cl-opt-disable or -O0 */
    bool spirv;        /* some of it came as SPIR-V: nobody says how far that was optimised */
    bool uneven;       /* as in struct kernel_summary */
    bool single;       /* -cl-single-precision-constant: a literal without suffix is a float */
    bool fold;         /* loops of kernels of single-threaded C become ids (fold.c) */
};

/* Lower every kernel of the module and derive its facts.  On success *error is NULL and *out is filled, to be
 * released with sum_free(); otherwise *error is "reason: detail", owned by the caller, and *out is empty.  A
 * kernel that is too large, or that fails sum_check(), has no body and all its facts are refused. */
void lower_program(const char *bitcode, size_t size, const struct lower_options *options,
                   struct program_summary *out, char **error);
