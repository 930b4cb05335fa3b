/* print - a kernel that prints.
 *
 * Here only one work-item does, so that the output is the same in every run; in general the order of the
 * lines would follow the grouping.  Must be left alone.
 *
 * >>> print: refused printf
 */
#include "common.h"

static const char *source = "__kernel void print(__global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    if (i == 100)\n"
                            "        printf(\"work-item %d here\\n\", (int)i);\n"
                            "    out[i] = (int)i * 3;\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "print", argc, argv, (struct app_defaults){1 << 16, 5, 256, 3});
    size_t n = app.n / 16 * 16, bytes = n * sizeof(cl_int);
    cl_int *out = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "print");
    cl_mem dout = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof dout, &dout));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){16, 1, 1});

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, out[i], (cl_int)i * 3);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(out);
    return app_end(&app);
}
