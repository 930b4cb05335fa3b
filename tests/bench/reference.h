/* reference.h - just enough to compile our OpenCL kernels as C.  Include it before the .cl files, and make
 * host functions with HOST; OpenCL's floating-point functions are C's by another name. */
#pragma once

#include "bench.h"

#include <math.h>
#include <string.h>

#define __kernel static
#define __global
#define __constant         const
#define get_global_id(d)   bench_item.id[d]
#define get_global_size(d) bench_item.global[d]
#define sqrt               sqrtf

#define HOST(kernel, ...)                                                                                    \
    static void host_##kernel(void *const *arg)                                                              \
    {                                                                                                        \
        kernel(__VA_ARGS__);                                                                                 \
    }
#define P(i) arg[i]
#define I(i) (*(const int *)arg[i])
#define F(i) (*(const float *)arg[i])
