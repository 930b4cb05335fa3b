/* prime - a prime number of work-items and no local size.
 *
 * Only 1 and the prime itself divide it, so a driver that insists on uniform groups runs groups of one
 * work-item. A main launch over a round number and a tail for the rest is what a person would write.
 *
 * >>> magnitude: tuned
 */
#include "common.h"

static const char *source = "__kernel void magnitude(__global const float2 *in, __global float *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    float2 v = in[i];\n"
                            "    out[i] = v.x * v.x + v.y * v.y;\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "prime", argc, argv, (struct app_defaults){1000003, 200, 1009, 3});
    size_t n = app.n, bytes = n * sizeof(float);
    float *in = app_random_floats(2 * n, 1), *out = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "magnitude");
    cl_mem din = app_buffer(&app, 2 * bytes, in), dout = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    app_run(&app, kernel, 1, NULL, &n, NULL);

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_near(&app, i, out[i], in[2 * i] * in[2 * i] + in[2 * i + 1] * in[2 * i + 1]);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
