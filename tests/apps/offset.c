/* offset - a launch with a non-zero global offset: the inside of a signal, leaving its borders alone.
 *
 * The kernel uses get_global_id only, so parts of the launch are launches with other offsets.  Groups of 4
 * are too small.  The borders are checked as well: nobody may have written there.
 *
 * >>> smooth: tuned
 */
#include "common.h"

#define BORDER 1000

static const char *source =
    "__kernel void smooth(__global const float *in, __global float *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = 0.1f * in[i - 2] + 0.2f * in[i - 1] + 0.4f * in[i] + 0.2f * in[i + 1] + 0.1f * in[i + 2];\n"
    "}\n";

static float reference(const float *in, size_t i)
{
    return 0.1f * in[i - 2] + 0.2f * in[i - 1] + 0.4f * in[i] + 0.2f * in[i + 1] + 0.1f * in[i + 2];
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "offset", argc, argv, (struct app_defaults){1 << 22, 100, 1024, 3});
    const size_t offset = BORDER;
    size_t n = app.n, total = n + 2 * BORDER, bytes = total * sizeof(float);
    float *in = app_random_floats(total, 1), *out = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "smooth");
    cl_mem din = app_buffer(&app, bytes, in), dout = app_buffer(&app, bytes, out);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    app_run(&app, kernel, 1, &offset, &n, (size_t[]){4, 1, 1});

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < total; i++) {
        bool inside = i >= BORDER && i < BORDER + n;
        app_expect_near(&app, i, out[i], inside ? reference(in, i) : 0.0f);
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
