/* conv2d - a 5x5 convolution with a poor hand-picked local size.
 *
 * Groups of 1x32 walk down a column: neighbouring work-items touch different rows, so nothing coalesces on a
 * GPU and nothing vectorises on a CPU.  Somebody had x and y the other way round once.
 *
 * >>> conv2d: tuned
 */
#include "common.h"

#define RADIUS 2
#define WIDTH  (2 * RADIUS + 1)

static const char *source =
    "#define WIDTH 5\n"
    "__kernel void conv2d(__global const float *restrict in, __global float *restrict out,\n"
    "                     __constant float *filter, int pitch, int width)\n"
    "{\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    float sum = 0.0f;\n"
    "#pragma unroll\n"
    "    for (int j = 0; j < WIDTH; j++)\n"
    "#pragma unroll\n"
    "        for (int i = 0; i < WIDTH; i++)\n"
    "            sum += filter[j * WIDTH + i] * in[(y + j) * pitch + x + i];\n"
    "    out[y * width + x] = sum;\n"
    "}\n";

static float reference(const float *in, const float *filter, size_t pitch, size_t x, size_t y)
{
    float sum = 0.0f;
    for (size_t j = 0; j < WIDTH; j++)
        for (size_t i = 0; i < WIDTH; i++)
            sum += filter[j * WIDTH + i] * in[(y + j) * pitch + x + i];
    return sum;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "conv2d", argc, argv, (struct app_defaults){2048, 40, 64, 3});
    size_t n = app.n, padded = n + WIDTH - 1, bytes = n * n * sizeof(float);
    const cl_int pitch = (cl_int)padded, width = (cl_int)n;
    float *in = app_random_floats(padded * padded, 1), *filter = app_random_floats(WIDTH * WIDTH, 2);
    float *out = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "conv2d");
    cl_mem din = app_buffer(&app, padded * padded * sizeof(float), in), dout = app_buffer(&app, bytes, NULL);
    cl_mem dfilter = app_buffer(&app, WIDTH * WIDTH * sizeof(float), filter);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof dfilter, &dfilter));
    CL_CHECK(clSetKernelArg(kernel, 3, sizeof pitch, &pitch));
    CL_CHECK(clSetKernelArg(kernel, 4, sizeof width, &width));
    app_run(&app, kernel, 2, NULL, (size_t[]){n, n}, (size_t[]){1, 32, 1});

    app_read(&app, dout, bytes, out);
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            app_expect_near(&app, y * n + x, out[y * n + x], reference(in, filter, padded, x, y));
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseMemObject(dfilter));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(filter);
    free(out);
    return app_end(&app);
}
