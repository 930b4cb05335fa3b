/* clang_args.h - clang's command line for a program as the driver's compiler would see it.  Helper only. */
#pragma once

#include "analysis/source/buildopts.h"
#include "analysis/summary/request.h"

/* Language 3.0 features that clang is given when the device's are not known: what plain kernels need, without
 * generic pointers, which hide address spaces. */
#define FEATURES_ASSUMED                                                                                     \
    "__opencl_c_3d_image_writes __opencl_c_images __opencl_c_read_write_images "                             \
    "__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device "        \
    "__opencl_c_int64 __opencl_c_fp64"

/* The language version, 120 for 1.2, that a driver takes without -cl-std: the device's, 1.2 at most. */
unsigned clang_default_std(const struct req *r);

/* CL_DEVICE_VERSION at the end of the device string: "OpenCL 3.0 ..." -> 300; 0 when it is not there. */
unsigned clang_device_version(const struct req *r);

/* Clang, the target, the language version `std`, the options `o` of the build and, if `strict`, the device's
 * extensions and macros; `headers` are more options, which come before the build's.  The caller's
 * (args_free()). */
struct args clang_arguments(const struct req *r, const struct buildopts *o, const struct args *headers,
                            unsigned std, bool strict);

/* Add what makes clang write bitcode, from its standard input to its standard output; `named`: with the names
 * of variables. */
void clang_emit_arguments(struct args *a, bool named);
