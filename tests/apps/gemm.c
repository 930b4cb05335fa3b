/* gemm - C = A*B, the naive kernel every tutorial starts with, one work-item per element, groups of 16x16.
 *
 * 16x16 was picked by hand for some GPU.  The trip count is a launch-time scalar: uniform work, sliceable
 * along both dimensions.
 *
 * >>> gemm: tuned
 */
#include "common.h"

static const char *source = "__kernel void gemm(int m, int n, int k, __global const float *a, __global const "
                            "float *b, __global float *c)\n"
                            "{\n"
                            "    int col = get_global_id(0), row = get_global_id(1);\n"
                            "    if (row >= m || col >= n)\n"
                            "        return;\n"
                            "    float sum = 0.0f;\n"
                            "    for (int i = 0; i < k; i++)\n"
                            "        sum += a[row * k + i] * b[i * n + col];\n"
                            "    c[row * n + col] = sum;\n"
                            "}\n";

/* One element in every `stride`, in the kernel's order of additions. */
static void check(struct app *app, int n, const float *a, const float *b, const float *c, size_t stride)
{
    for (size_t e = 0; e < (size_t)n * n; e += stride) {
        size_t row = e / n, col = e % n;
        float sum = 0.0f;
        for (size_t i = 0; i < (size_t)n; i++)
            sum += a[row * n + i] * b[i * n + col];
        app_expect_near(app, e, c[e], sum);
    }
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "gemm", argc, argv, (struct app_defaults){384, 20, 32, 3});
    const cl_int n = (cl_int)app.n;
    size_t bytes = app.n * app.n * sizeof(float);
    float *a = app_random_floats(app.n * app.n, 1), *b = app_random_floats(app.n * app.n, 2),
          *c = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "gemm");
    cl_mem da = app_buffer(&app, bytes, a), db = app_buffer(&app, bytes, b),
           dc = app_buffer(&app, bytes, NULL);
    for (cl_uint i = 0; i < 3; i++)
        CL_CHECK(clSetKernelArg(kernel, i, sizeof n, &n));
    CL_CHECK(clSetKernelArg(kernel, 3, sizeof da, &da));
    CL_CHECK(clSetKernelArg(kernel, 4, sizeof db, &db));
    CL_CHECK(clSetKernelArg(kernel, 5, sizeof dc, &dc));
    app_run(&app, kernel, 2, NULL, (size_t[]){app.n, app.n}, (size_t[]){16, 16, 1});

    app_read(&app, dc, bytes, c);
    check(&app, n, a, b, c, app.small ? 1 : 61);
    app_checksum(&app, "c", c, bytes);

    CL_CHECK(clReleaseMemObject(da));
    CL_CHECK(clReleaseMemObject(db));
    CL_CHECK(clReleaseMemObject(dc));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(a);
    free(b);
    free(c);
    return app_end(&app);
}
