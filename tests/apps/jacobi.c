/* jacobi - Jacobi iterations of a 2-D Poisson problem: one kernel, many launches, two buffers that change
 * roles.
 *
 * The usual shape of a solver: arguments are set anew before every launch, launches follow each other without
 * waiting, and only every tenth iteration synchronises (to test for convergence).  Groups of 4x32 are tall
 * and narrow.
 *
 * >>> jacobi: tuned
 */
#include "common.h"

#define BATCH 10

static const char *source =
    "__kernel void jacobi(__global const float *u, __global const float *f, __global float *v, int pitch)\n"
    "{\n"
    "    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;\n"
    "    int i = y * pitch + x;\n"
    "    v[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - f[i]);\n"
    "}\n";

static void host_jacobi(const float *u, const float *f, float *v, size_t pitch)
{
    for (size_t y = 1; y < pitch - 1; y++)
        for (size_t i = y * pitch + 1; i < (y + 1) * pitch - 1; i++)
            v[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - f[i]);
}

/* Iterate on the device; the result is in u[launches % 2]. */
static void iterate(struct app *app, cl_kernel kernel, cl_mem u[2])
{
    struct app_times times = {0};
    const size_t global[2] = {app->n, app->n};
    const size_t *local = app_local(app, (size_t[]){4, 32, 1});
    for (unsigned i = 0; i < app->launches; i += BATCH) {
        unsigned last = i + BATCH < app->launches ? i + BATCH : app->launches;
        double begin = app_now_ms();
        for (unsigned j = i; j < last; j++) {
            CL_CHECK(clSetKernelArg(kernel, 0, sizeof u[0], &u[j % 2]));
            CL_CHECK(clSetKernelArg(kernel, 2, sizeof u[0], &u[(j + 1) % 2]));
            CL_CHECK(clEnqueueNDRangeKernel(app->queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
        }
        CL_CHECK(clFinish(app->queue));
        double each = (app_now_ms() - begin) / (last - i);
        for (unsigned j = i; j < last; j++)
            app_times_add(&times, each);
    }
    app_times_print(app, &times, "jacobi", 2, local);
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "jacobi", argc, argv, (struct app_defaults){1024, 500, 32, 20});
    const cl_int pitch = (cl_int)app.n + 2;
    size_t count = (size_t)pitch * (size_t)pitch, bytes = count * sizeof(float);
    float *host[2] = {app_random_floats(count, 1), app_random_floats(count, 1)};
    float *f = app_random_floats(count, 2), *result = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "jacobi");
    cl_mem u[2] = {app_buffer(&app, bytes, host[0]), app_buffer(&app, bytes, host[1])};
    cl_mem df = app_buffer(&app, bytes, f);
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof df, &df));
    CL_CHECK(clSetKernelArg(kernel, 3, sizeof pitch, &pitch));
    iterate(&app, kernel, u);

    app_read(&app, u[app.launches % 2], bytes, result);
    for (unsigned i = 0; i < app.launches; i++)
        host_jacobi(host[i % 2], f, host[(i + 1) % 2], (size_t)pitch);
    for (size_t i = 0; i < count; i++)
        app_expect_near(&app, i, result[i], host[app.launches % 2][i]);
    app_checksum(&app, "u", result, bytes);

    CL_CHECK(clReleaseMemObject(u[0]));
    CL_CHECK(clReleaseMemObject(u[1]));
    CL_CHECK(clReleaseMemObject(df));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(host[0]);
    free(host[1]);
    free(f);
    free(result);
    return app_end(&app);
}
