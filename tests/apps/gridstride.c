/* gridstride - a fixed number of work-items loops over an array of any length.
 *
 * The stride is get_global_size(0): a sub-range would have another stride, so the launch cannot be sliced at
 * all, but any local size gives the same result, and the kernel is launched again and again.
 *
 * >>> gridstride: tuned
 */
#include "common.h"

#define ITEMS 4096

static const char *source = "__kernel void gridstride(__global const float *in, __global float *out, int n)\n"
                            "{\n"
                            "    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
                            "        float x = in[i];\n"
                            "        out[i] = x * (x * (x * 0.5f + 0.25f) + 0.125f) + 1.0f;\n"
                            "    }\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "gridstride", argc, argv, (struct app_defaults){1 << 21, 30, 5000, 3});
    const cl_int n = (cl_int)app.n;
    size_t bytes = app.n * sizeof(float), global = app.small ? 512 : ITEMS;
    float *in = app_random_floats(app.n, 1), *out = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "gridstride");
    cl_mem din = app_buffer(&app, bytes, in), dout = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof n, &n));
    app_run(&app, kernel, 1, NULL, &global, (size_t[]){128, 1, 1});

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < app.n; i++) {
        float x = in[i];
        app_expect_near(&app, i, out[i], x * (x * (x * 0.5f + 0.25f) + 0.125f) + 1.0f);
    }
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
