/* pitch - get_global_size(0) as the row pitch of the output.
 *
 * A part of this launch along dimension 0 would see another global size and write to other places, so it must
 * not be sliced there; along dimension 1 it may.  Groups of 2x2 are far too small.
 *
 * >>> vignette: tuned
 */
#include "common.h"

static const char *source =
    "__kernel void vignette(__global const float *in, __global float *out, float scale)\n"
    "{\n"
    "    size_t x = get_global_id(0), y = get_global_id(1);\n"
    "    size_t pitch = get_global_size(0), i = y * pitch + x;\n"
    "    float dx = x * scale - 1.0f, dy = y * scale - 1.0f;\n"
    "    float r = dx * dx + dy * dy;\n"
    "    out[i] = in[i] * (1.0f - r * (0.5f - 0.1f * r));\n"
    "}\n";

static float reference(float in, size_t x, size_t y, float scale)
{
    float dx = (float)x * scale - 1.0f, dy = (float)y * scale - 1.0f;
    float r = dx * dx + dy * dy;
    return in * (1.0f - r * (0.5f - 0.1f * r));
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "pitch", argc, argv, (struct app_defaults){2048, 120, 48, 3});
    size_t n = app.n, bytes = n * n * sizeof(float);
    const cl_float scale = 2.0f / (float)n;
    float *in = app_random_floats(n * n, 1), *out = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "vignette");
    cl_mem din = app_buffer(&app, bytes, in), dout = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof scale, &scale));
    app_run(&app, kernel, 2, NULL, (size_t[]){n, n}, (size_t[]){2, 2, 1});

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < n * n; i++)
        app_expect_near(&app, i, out[i], reference(in[i], i % n, i / n, scale));
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
