/* overlap - neighbouring work-items write the same element.
 *
 * Each work-item handles one edge and writes both its ends.  Both writers of an element happen to store the
 * same value, so the result is defined; a tuner that does not know that must leave it alone.
 *
 * >>> overlap: refused overlapping-writes
 */
#include "common.h"

static const char *source = "__kernel void overlap(__global const int *in, __global int *out)\n"
                            "{\n"
                            "    size_t edge = get_global_id(0);\n"
                            "    out[edge] = in[edge] * 3;\n"
                            "    out[edge + 1] = in[edge + 1] * 3;\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "overlap", argc, argv, (struct app_defaults){1 << 20, 20, 1024, 3});
    size_t n = app.n / 8 * 8, bytes = (n + 1) * sizeof(cl_int);
    cl_int *in = app_alloc(bytes), *out = app_alloc(bytes);
    for (size_t i = 0; i <= n; i++)
        in[i] = (cl_int)(i * 11);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "overlap");
    cl_mem din = app_buffer(&app, bytes, in), dout = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){8, 1, 1});

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i <= n; i++)
        app_expect_int(&app, i, out[i], in[i] * 3);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
