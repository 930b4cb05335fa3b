/* reqd - a kernel compiled for one local size: reqd_work_group_size.
 *
 * Any other size is an error (CL_INVALID_WORK_GROUP_SIZE).  The program also makes that error on purpose: it
 * must get the driver's code, and nothing may have run.
 *
 * >>> reqd: refused required-size
 */
#include "common.h"

static const char *source = "__attribute__((reqd_work_group_size(8, 8, 1)))\n"
                            "__kernel void reqd(__global const int *in, __global int *out, int width)\n"
                            "{\n"
                            "    int i = get_global_id(1) * width + get_global_id(0);\n"
                            "    out[i] = in[i] * 3 + 1;\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "reqd", argc, argv, (struct app_defaults){1024, 20, 64, 3});
    size_t n = app.n / 8 * 8, count = n * n, bytes = count * sizeof(cl_int);
    const size_t global[2] = {n, n}, wrong[2] = {4, 4};
    const cl_int width = (cl_int)n;
    cl_int *in = app_alloc(bytes), *out = app_alloc(bytes);
    for (size_t i = 0; i < count; i++)
        in[i] = (cl_int)i;

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "reqd");
    cl_mem din = app_buffer(&app, bytes, in), dout = app_buffer(&app, bytes, out);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof width, &width));
    cl_int status = clEnqueueNDRangeKernel(app.queue, kernel, 2, NULL, global, wrong, 0, NULL, NULL);
    CL_CHECK(clFinish(app.queue));
    printf("reqd: 4x4 instead of 8x8 gives %d\n", status);
    app_run(&app, kernel, 2, NULL, global, (size_t[]){8, 8, 1});

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < count; i++)
        app_expect_int(&app, i, out[i], in[i] * 3 + 1);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
