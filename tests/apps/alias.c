/* alias - one buffer as two arguments, through the whole object and through a sub-buffer.
 *
 * The kernels read `in` and write `out`, which looks idempotent.  First both are the same cl_mem (an update
 * in place); then `in` is a sub-buffer: the upper half of the buffer whose lower half is written.  Only the
 * launch can tell; repeating a part of the first would apply it twice.  `advance` touches the same places
 * through both names, which is proved; `gather` does, too, but only because of what `order` holds.
 *
 * >>> advance: tuned
 * >>> gather: refused aliased-arguments
 */
#include "common.h"

static const char *source = "__kernel void advance(__global const uint *in, __global uint *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * 1664525u + 1013904223u;\n"
                            "}\n"
                            "__kernel void gather(__global const uint *in, __global uint *out,\n"
                            "                     __global const uint *order)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[order[i]] * 1664525u + 1013904223u;\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "alias", argc, argv, (struct app_defaults){1 << 20, 20, 4096, 4});
    size_t n = app.n / 4096 * 4096, half = n / 2, bytes = n * sizeof(cl_uint);
    cl_uint *before = app_alloc(bytes), *after = app_alloc(bytes), *same = app_alloc(bytes);
    for (size_t i = 0; i < n; i++)
        before[i] = same[i] = (cl_uint)i;

    cl_int status;
    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "advance"), gather = app_kernel(program, "gather");
    cl_mem whole = app_buffer(&app, bytes, before), order = app_buffer(&app, bytes, same);
    const cl_buffer_region region = {bytes / 2, bytes / 2};
    cl_mem upper =
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    CL_CHECK(status);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof whole, &whole));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof whole, &whole));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){8, 1, 1});
    CL_CHECK(clSetKernelArg(gather, 0, sizeof whole, &whole));
    CL_CHECK(clSetKernelArg(gather, 1, sizeof whole, &whole));
    CL_CHECK(clSetKernelArg(gather, 2, sizeof order, &order));
    app_run(&app, gather, 1, NULL, &n, (size_t[]){8, 1, 1});
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof upper, &upper));
    app_run(&app, kernel, 1, NULL, &half, (size_t[]){8, 1, 1});

    app_read(&app, whole, bytes, after);
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < 2 * app.launches; k++)
            before[i] = before[i] * 1664525u + 1013904223u;
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, after[i], i < half ? before[i + half] * 1664525u + 1013904223u : before[i]);
    app_checksum(&app, "whole", after, bytes);

    CL_CHECK(clReleaseMemObject(upper));
    CL_CHECK(clReleaseMemObject(whole));
    CL_CHECK(clReleaseMemObject(order));
    CL_CHECK(clReleaseKernel(gather));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(before);
    free(after);
    free(same);
    return app_end(&app);
}
