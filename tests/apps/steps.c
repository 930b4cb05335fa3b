/* steps - an explicit scheme for the heat equation: all time steps are enqueued, and nothing is waited for
 * but the reading of the result.
 *
 * The host is at the end of its loop before the first step is done.  As in many programs the end of the
 * process lets go of queue, kernel and buffers.  Groups of 4 are too small.
 *
 * >>> diffuse: tuned
 */
#include "common.h"

#define RATE 0.2f

static const char *source =
    "__kernel void diffuse(__global const float *u, __global float *v, uint n, float rate)\n"
    "{\n"
    "    uint i = get_global_id(0);\n"
    "    float left = u[i == 0 ? n - 1 : i - 1], right = u[i == n - 1 ? 0 : i + 1];\n"
    "    v[i] = u[i] + rate * (left - 2.0f * u[i] + right);\n"
    "}\n";

static void host_step(const float *u, float *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float left = u[i == 0 ? n - 1 : i - 1], right = u[i == n - 1 ? 0 : i + 1];
        v[i] = u[i] + RATE * (left - 2.0f * u[i] + right);
    }
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "steps", argc, argv, (struct app_defaults){1 << 18, 400, 1024, 8});
    const size_t n = app.n, bytes = n * sizeof(float);
    const cl_uint length = (cl_uint)n;
    const cl_float rate = RATE;
    float *u = app_random_floats(n, 1), *v = app_alloc(bytes), *out = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "diffuse");
    cl_mem buffer[2] = {app_buffer(&app, bytes, u), app_buffer(&app, bytes, NULL)};
    const size_t *local = app_local(&app, (size_t[]){4, 1, 1});
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof length, &length));
    CL_CHECK(clSetKernelArg(kernel, 3, sizeof rate, &rate));
    for (unsigned i = 0; i < app.launches; i++) {
        CL_CHECK(clSetKernelArg(kernel, 0, sizeof *buffer, &buffer[i % 2]));
        CL_CHECK(clSetKernelArg(kernel, 1, sizeof *buffer, &buffer[(i + 1) % 2]));
        CL_CHECK(clEnqueueNDRangeKernel(app.queue, kernel, 1, NULL, &n, local, 0, NULL, NULL));
    }
    app_read(&app, buffer[app.launches % 2], bytes, out);

    for (unsigned i = 0; i < app.launches; i++) {
        float *next = v;
        host_step(u, v, n);
        v = u;
        u = next;
    }
    for (size_t i = 0; i < n; i++)
        app_expect_near(&app, i, out[i], u[i]);
    app_checksum(&app, "u", out, bytes);
    free(u);
    free(v);
    free(out);
    return app_verdict(&app);
}
