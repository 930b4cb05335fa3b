/* client.h - what the clients of these tests share: one device, its context, and a
 * program with two kernels. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include "shim/guest/opencl.h"

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cl_int error_ = (call);                                                                        \
        if (error_) {                                                                                        \
            fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, error_);                           \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

struct client {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_program program;
};

static const char *const client_source =
    "__kernel void twice(__global const int *in, __global int *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = in[i] * 2;\n"
    "}\n"
    "__kernel void sum(__global const float *a, __global float *b, __local float *scratch, int n)\n"
    "{\n"
    "    size_t i = get_global_id(0), l = get_local_id(0);\n"
    "    scratch[l] = a[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    b[i] = scratch[l ^ 1] + n;\n"
    "}\n";

/* The first device of the first platform. */
static inline void client_start(struct client *c)
{
    const char *source = client_source;
    cl_int error;

    CHECK(clGetPlatformIDs(1, &c->platform, NULL));
    CHECK(clGetDeviceIDs(c->platform, CL_DEVICE_TYPE_ALL, 1, &c->device, NULL));
    c->context = clCreateContext(NULL, 1, &c->device, NULL, NULL, &error);
    CHECK(error);
    c->program = clCreateProgramWithSource(c->context, 1, &source, NULL, &error);
    CHECK(error);
    CHECK(clBuildProgram(c->program, 1, &c->device, "-DN=1", NULL, NULL));
}

static inline void client_end(struct client *c)
{
    CHECK(clReleaseProgram(c->program));
    CHECK(clReleaseContext(c->context));
}

static inline cl_mem client_buffer(const struct client *c, size_t bytes)
{
    cl_int error;
    cl_mem m = clCreateBuffer(c->context, CL_MEM_READ_WRITE, bytes, NULL, &error);

    CHECK(error);
    return m;
}

/* Launch the kernel `name`, whose arguments are two buffers, over `items` in groups of 64, and wait for the
 * end; `times` times. */
static inline void client_launch(cl_program program, const char *name, cl_command_queue queue, cl_mem in,
                                 cl_mem out, size_t items, int times)
{
    const size_t local = 64;
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);

    CHECK(error);
    CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
    CHECK(clSetKernelArg(kernel, 1, sizeof out, &out));
    while (times--) {
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
        CHECK(clFinish(queue));
    }
    CHECK(clReleaseKernel(kernel));
}
