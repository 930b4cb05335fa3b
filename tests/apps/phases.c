/* phases - one kernel whose work per work-item grows tenfold half way through the run.
 *
 * Iterative codes refine: the same range, the same buffers, but a scalar argument that changes from launch to
 * launch and at some point the amount of work.  Neither makes the launch another one.
 *
 * >>> phases: tuned
 */
#include "common.h"

#define LIGHT 6
#define HEAVY 60

static const char *source =
    "__kernel void phases(__global const float *in, __global float *out, int rounds, float shift)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    float v = in[i] + shift;\n"
    "    for (int k = 0; k < rounds; k++)\n"
    "        v = v * 0.5f + in[i];\n"
    "    out[i] = v;\n"
    "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "phases", argc, argv, (struct app_defaults){1 << 16, 2000, 1 << 12, 4});
    const size_t bytes = app.n * sizeof(float);
    const size_t *local = app_local(&app, (size_t[]){4, 1, 1});
    float *in = app_random_floats(app.n, 1), *out = app_alloc(bytes);
    struct app_times times = {0};

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "phases");
    cl_mem args[2] = {app_buffer(&app, bytes, in), app_buffer(&app, bytes, NULL)};
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof args[0], &args[0]));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof args[1], &args[1]));
    for (unsigned i = 0; i < app.launches; i++) {
        const cl_int rounds = i < app.launches / 2 ? LIGHT : HEAVY;
        const cl_float shift = (cl_float)i;
        double begin = app_now_ms();
        CL_CHECK(clSetKernelArg(kernel, 2, sizeof rounds, &rounds));
        CL_CHECK(clSetKernelArg(kernel, 3, sizeof shift, &shift));
        CL_CHECK(clEnqueueNDRangeKernel(app.queue, kernel, 1, NULL, &app.n, local, 0, NULL, NULL));
        CL_CHECK(clFinish(app.queue));
        app_times_add(&times, app_now_ms() - begin);
    }
    app_times_print(&app, &times, "phases", 1, local);

    app_read(&app, args[1], bytes, out);
    for (size_t i = 0; i < app.n; i++) {
        float v = in[i] + (float)(app.launches - 1);
        for (int k = 0; k < (app.launches > 1 ? HEAVY : LIGHT); k++)
            v = v * 0.5f + in[i];
        app_expect_near(&app, i, out[i], v);
    }
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(args[0]));
    CL_CHECK(clReleaseMemObject(args[1]));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
