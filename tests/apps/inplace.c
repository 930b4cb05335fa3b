/* inplace - one kernel with other buffers every time: in place, then from one buffer into another.
 *
 * A part of a launch from `a` into `b` may run twice, a part of a launch within `a` may not.  Both kinds take
 * turns at one launch site, so what was proved of one must not be used for the other.
 *
 * >>> advance: tuned
 */
#include "common.h"

static const char *source = "__kernel void advance(__global const uint *in, __global uint *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    uint x = in[i];\n"
                            "    for (int k = 0; k < 300; k++)\n"
                            "        x = (x ^ (x >> 15)) * 2246822519u + 374761393u;\n"
                            "    out[i] = x;\n"
                            "}\n";

static cl_uint advance(cl_uint x)
{
    for (int k = 0; k < 300; k++)
        x = (x ^ (x >> 15)) * 2246822519u + 374761393u;
    return x;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "inplace", argc, argv, (struct app_defaults){1 << 18, 60, 1024, 6});
    const size_t n = app.n, bytes = n * sizeof(cl_uint);
    cl_uint *want = app_alloc(bytes), *got = app_alloc(bytes);
    for (size_t i = 0; i < n; i++)
        want[i] = (cl_uint)i;

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "advance");
    cl_mem a = app_buffer(&app, bytes, want), b = app_buffer(&app, bytes, want);
    for (unsigned k = 0; k < app.launches; k++) {
        const size_t local = 8;
        CL_CHECK(clSetKernelArg(kernel, 0, sizeof a, &a));
        CL_CHECK(clSetKernelArg(kernel, 1, sizeof a, &a));
        CL_CHECK(clEnqueueNDRangeKernel(app.queue, kernel, 1, NULL, &n, &local, 0, NULL, NULL));
        CL_CHECK(clSetKernelArg(kernel, 1, sizeof b, &b));
        CL_CHECK(clEnqueueNDRangeKernel(app.queue, kernel, 1, NULL, &n, &local, 0, NULL, NULL));
        CL_CHECK(clFinish(app.queue));
    }
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < app.launches; k++)
            want[i] = advance(want[i]);
    app_read(&app, a, bytes, got);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, got[i], want[i]);
    app_checksum(&app, "a", got, bytes);
    app_read(&app, b, bytes, got);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, got[i], advance(want[i]));
    app_checksum(&app, "b", got, bytes);

    CL_CHECK(clReleaseMemObject(a));
    CL_CHECK(clReleaseMemObject(b));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(want);
    free(got);
    return app_end(&app);
}
