/* matvec - y = A*x and y = transpose(A)*x over the same row-major matrix, one work-item per element of y.
 *
 * In `ax` a work-item walks along a row: neighbours are a whole row apart.  In `atx` it walks down a column:
 * neighbours are adjacent.  The same local size cannot suit both; `atx` is launched with groups of 8, too few
 * to use the adjacency.
 *
 * >>> ax: tuned
 * >>> atx: tuned
 */
#include "common.h"

static const char *source = "__kernel void ax(int rows, int cols, __global const float *a, __global const "
                            "float *x, __global float *y)\n"
                            "{\n"
                            "    int row = get_global_id(0);\n"
                            "    float sum = 0.0f;\n"
                            "    for (int i = 0; i < cols; i++)\n"
                            "        sum += a[row * cols + i] * x[i];\n"
                            "    y[row] = sum;\n"
                            "}\n"
                            "__kernel void atx(int rows, int cols, __global const float *a, __global const "
                            "float *x, __global float *y)\n"
                            "{\n"
                            "    int col = get_global_id(0);\n"
                            "    float sum = 0.0f;\n"
                            "    for (int i = 0; i < rows; i++)\n"
                            "        sum += a[i * cols + col] * x[i];\n"
                            "    y[col] = sum;\n"
                            "}\n";

/* Element `e` of A*x (step between matrix elements 1) or of transpose(A)*x (step n). */
static float reference(const float *a, const float *x, size_t n, size_t e, bool transposed)
{
    const float *first = transposed ? a + e : a + e * n;
    size_t step = transposed ? n : 1;
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++)
        sum += first[i * step] * x[i];
    return sum;
}

static void product(struct app *app, cl_program program, const char *name, cl_mem da, cl_mem dx,
                    const float *a, const float *x, size_t local)
{
    size_t n = app->n, bytes = n * sizeof(float);
    const cl_int size = (cl_int)n;
    float *y = app_alloc(bytes);
    cl_kernel kernel = app_kernel(program, name);
    cl_mem dy = app_buffer(app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof size, &size));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof size, &size));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof da, &da));
    CL_CHECK(clSetKernelArg(kernel, 3, sizeof dx, &dx));
    CL_CHECK(clSetKernelArg(kernel, 4, sizeof dy, &dy));
    app_run(app, kernel, 1, NULL, &n, &local);

    app_read(app, dy, bytes, y);
    for (size_t e = 0; e < n; e += app->small ? 1 : 17)
        app_expect_near(app, e, y[e], reference(a, x, n, e, name[1] == 't'));
    app_checksum(app, name, y, bytes);
    CL_CHECK(clReleaseMemObject(dy));
    CL_CHECK(clReleaseKernel(kernel));
    free(y);
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "matvec", argc, argv, (struct app_defaults){2048, 24, 64, 3});
    size_t n = app.n;
    float *a = app_random_floats(n * n, 1), *x = app_random_floats(n, 2);

    cl_program program = app_build(&app, source, NULL);
    cl_mem da = app_buffer(&app, n * n * sizeof(float), a), dx = app_buffer(&app, n * sizeof(float), x);
    product(&app, program, "ax", da, dx, a, x, 64);
    product(&app, program, "atx", da, dx, a, x, 8);

    CL_CHECK(clReleaseMemObject(da));
    CL_CHECK(clReleaseMemObject(dx));
    CL_CHECK(clReleaseProgram(program));
    free(a);
    free(x);
    return app_end(&app);
}
