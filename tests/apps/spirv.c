/* spirv - programs made from SPIR-V: the module lies beside the executable, as applications ship theirs.
 *
 * The kernels are spirv.cl.  The second program has a specialization constant set; what the driver makes of
 * that is not for others to know.
 *
 * >>> mixed: tuned
 * >>> plain: refused specialization-constant
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 220
#include "common.h"

#include <unistd.h>

static cl_program load(struct app *app)
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 8);
    unsigned char *il = app_alloc(1 << 20);
    cl_int status;
    if (n < 0)
        exit(77);
    snprintf(path + n, 8, ".spv");
    FILE *f = fopen(path, "rb");
    if (!f)
        exit(77);
    const size_t size = fread(il, 1, 1 << 20, f);
    fclose(f);
    cl_program program = clCreateProgramWithIL(app->context, il, size, &status);
    if (status == CL_INVALID_OPERATION)
        exit(77);
    CL_CHECK(status);
    free(il);
    return program;
}

static void run(struct app *app, cl_program program, const char *name, const cl_int *in, cl_int factor)
{
    const size_t n = app->n, bytes = n * sizeof(cl_int);
    const cl_uint count = (cl_uint)n;
    cl_int *out = app_alloc(bytes);
    cl_mem din = app_buffer(app, bytes, in), dout = app_buffer(app, bytes, NULL);
    CL_CHECK(clBuildProgram(program, 1, &app->device, NULL, NULL, NULL));
    cl_kernel kernel = app_kernel(program, name);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof count, &count));
    app_run(app, kernel, 1, NULL, &n, app_local(app, (size_t[]){8, 1, 1}));
    app_read(app, dout, bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_int(app, i, out[i], factor * in[i]);
    app_checksum(app, name, out, bytes);
    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(out);
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "spirv", argc, argv, (struct app_defaults){1 << 16, 40, 1024, 5});
    const cl_uint value = 7;
    cl_int *in = app_alloc(app.n * sizeof *in);
    for (size_t i = 0; i < app.n; i++)
        in[i] = (cl_int)(i * 13 % 1009);
    run(&app, load(&app), "mixed", in, 11);
    cl_program special = load(&app);
    CL_CHECK(clSetProgramSpecializationConstant(special, 0, sizeof value, &value));
    run(&app, special, "plain", in, 2);
    free(in);
    return app_end(&app);
}
