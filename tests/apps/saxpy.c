/* saxpy - z = a*x + y with no local size.
 *
 * The simplest kernel there is, and the commonest launch: local size NULL, so the driver chooses.  Every
 * work-item writes its own element and reads none that is written: size-invariant, sliceable, idempotent,
 * uniform.
 *
 * >>> saxpy: tuned
 */
#include "common.h"

static const char *source = "__kernel void saxpy(float a, __global const float *x, __global const float *y,\n"
                            "                    __global float *z)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    z[i] = a * x[i] + y[i];\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "saxpy", argc, argv, (struct app_defaults){1 << 22, 300, 4096, 5});
    size_t n = app.n, bytes = n * sizeof(float);
    const cl_float a = 1.5f;
    float *x = app_random_floats(n, 1), *y = app_random_floats(n, 2), *z = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "saxpy");
    cl_mem dx = app_buffer(&app, bytes, x), dy = app_buffer(&app, bytes, y),
           dz = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof a, &a));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dx, &dx));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof dy, &dy));
    CL_CHECK(clSetKernelArg(kernel, 3, sizeof dz, &dz));
    app_run(&app, kernel, 1, NULL, &n, NULL);

    app_read(&app, dz, bytes, z);
    for (size_t i = 0; i < n; i++)
        app_expect_near(&app, i, z[i], a * x[i] + y[i]);
    app_checksum(&app, "z", z, bytes);

    CL_CHECK(clReleaseMemObject(dx));
    CL_CHECK(clReleaseMemObject(dy));
    CL_CHECK(clReleaseMemObject(dz));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(x);
    free(y);
    free(z);
    return app_end(&app);
}
