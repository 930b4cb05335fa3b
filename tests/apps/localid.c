/* localid - the position in the group is part of the result.
 *
 * A dither pattern that repeats with every group: another local size would draw another pattern.  Must be
 * left alone.
 *
 * >>> localid: refused local-id-observed
 */
#include "common.h"

#define GROUP 16

static const char *source = "__kernel void localid(__global const int *in, __global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] + (int)get_local_id(0) * 16;\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "localid", argc, argv, (struct app_defaults){1 << 21, 20, 1024, 3});
    size_t n = app.n / GROUP * GROUP, bytes = n * sizeof(cl_int);
    cl_int *in = app_alloc(bytes), *out = app_alloc(bytes);
    for (size_t i = 0; i < n; i++)
        in[i] = (cl_int)(i * 5);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "localid");
    cl_mem din = app_buffer(&app, bytes, in), dout = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){GROUP, 1, 1});

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, out[i], in[i] + (cl_int)(i % GROUP) * 16);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
