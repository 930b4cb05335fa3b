/* cached - a program that keeps its kernels as binaries, as large programs do.
 *
 * It builds from source once, fetches the binary, and makes the program that it runs from that.  The binary's
 * source is known to whoever saw it being fetched; a stranger's binary would be left alone (from-binary).
 *
 * >>> scale: tuned
 */
#include "common.h"

static const char *source = "__kernel void scale(__global const float *x, __global float *y, int width)\n"
                            "{\n"
                            "    int i = get_global_id(1) * width + get_global_id(0);\n"
                            "    y[i] = FACTOR * x[i];\n"
                            "}\n";

/* The program again, made from its own binary. */
static cl_program from_binary(struct app *app, cl_program built)
{
    size_t size = 0;
    cl_int status, error;
    CL_CHECK(clGetProgramInfo(built, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = app_alloc(size);
    CL_CHECK(clGetProgramInfo(built, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program program = clCreateProgramWithBinary(app->context, 1, &app->device, &size,
                                                   (const unsigned char **)&binary, &status, &error);
    CL_CHECK(error);
    CL_CHECK(status);
    CL_CHECK(clBuildProgram(program, 1, &app->device, "", NULL, NULL));
    free(binary);
    return program;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "cached", argc, argv, (struct app_defaults){1024, 200, 64, 5});
    size_t n = app.n, bytes = n * n * sizeof(float);
    const cl_int width = (cl_int)n;
    float *x = app_random_floats(n * n, 1), *y = app_alloc(bytes);

    cl_program built = app_build(&app, source, "-D FACTOR=3.0f");
    cl_program program = from_binary(&app, built);
    CL_CHECK(clReleaseProgram(built));
    cl_kernel kernel = app_kernel(program, "scale");
    cl_mem dx = app_buffer(&app, bytes, x), dy = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof dx, &dx));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dy, &dy));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof width, &width));
    app_run(&app, kernel, 2, NULL, (size_t[]){n, n}, (size_t[]){2, 8});

    app_read(&app, dy, bytes, y);
    for (size_t i = 0; i < n * n; i++)
        app_expect_near(&app, i, y[i], 3.0f * x[i]);
    app_checksum(&app, "y", y, bytes);

    CL_CHECK(clReleaseMemObject(dx));
    CL_CHECK(clReleaseMemObject(dy));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(x);
    free(y);
    return app_end(&app);
}
