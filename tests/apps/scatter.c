/* scatter - writes where an index array says.
 *
 * The indices are a permutation, so no two work-items meet; but only the data says so.  If two met, the order
 * of execution would decide, and with it perhaps the local size.  Must be left alone unless the user asserts
 * more.
 *
 * >>> scatter: refused scattered-writes
 */
#include "common.h"

static const char *source =
    "__kernel void scatter(__global const int *in, __global const int *index, __global int *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out[index[i]] = in[i];\n"
    "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "scatter", argc, argv, (struct app_defaults){1 << 20, 20, 1024, 3});
    size_t n = app.n / 8 * 8, bytes = n * sizeof(cl_int);
    cl_int *in = app_alloc(bytes), *index = app_alloc(bytes), *out = app_alloc(bytes);
    uint32_t seed = 1;
    for (size_t i = 0; i < n; i++) {
        in[i] = (cl_int)(i * 9);
        index[i] = (cl_int)i;
    }
    for (size_t i = n - 1; i > 0; i--) {
        size_t j = app_random(&seed) % (i + 1);
        cl_int swap = index[i];
        index[i] = index[j];
        index[j] = swap;
    }

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "scatter");
    cl_mem args[3] = {app_buffer(&app, bytes, in), app_buffer(&app, bytes, index),
                      app_buffer(&app, bytes, NULL)};
    for (cl_uint i = 0; i < 3; i++)
        CL_CHECK(clSetKernelArg(kernel, i, sizeof args[i], &args[i]));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){8, 1, 1});

    app_read(&app, args[2], bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, out[index[i]], in[i]);
    app_checksum(&app, "out", out, bytes);

    for (cl_uint i = 0; i < 3; i++)
        CL_CHECK(clReleaseMemObject(args[i]));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(index);
    free(out);
    return app_end(&app);
}
