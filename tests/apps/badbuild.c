/* badbuild - a program that does not compile, followed by one that does.
 *
 * Applications try variants of their kernels and go on with the one that builds.  The failure must look as it
 * does without anybody in between: the code, the build status, a log.
 *
 * >>> negate: tuned
 */
#include "common.h"

#include <string.h>

static const char *bad =
    "__kernel void negate(__global int *data) { data[get_global_id(0)] = -undeclared; }\n";
static const char *good = "__kernel void negate(__global int *data)\n"
                          "{\n"
                          "    size_t i = get_global_id(0);\n"
                          "    data[i] = -data[i];\n"
                          "}\n";

static void fail_to_build(struct app *app)
{
    static char log[1 << 16];
    cl_int status;
    cl_build_status build;
    cl_program program = clCreateProgramWithSource(app->context, 1, &bad, NULL, &status);
    CL_CHECK(status);
    status = clBuildProgram(program, 1, &app->device, "", NULL, NULL);
    app_expect_int(app, 0, status, CL_BUILD_PROGRAM_FAILURE);
    CL_CHECK(
        clGetProgramBuildInfo(program, app->device, CL_PROGRAM_BUILD_STATUS, sizeof build, &build, NULL));
    CL_CHECK(clGetProgramBuildInfo(program, app->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL));
    app_expect_int(app, 0, log[0] != 0, true);
    printf("badbuild: build %d, status %d, log names the culprit: %d\n", status, build,
           strstr(log, "undeclared") != NULL);
    cl_kernel kernel = clCreateKernel(program, "negate", &status);
    printf("badbuild: kernel of a program that was not built: %d\n", status);
    app_expect_int(app, 0, kernel == NULL, true);
    CL_CHECK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "badbuild", argc, argv, (struct app_defaults){1 << 21, 31, 1024, 3});
    size_t n = app.n, bytes = n * sizeof(cl_int);
    cl_int *data = app_alloc(bytes);
    for (size_t i = 0; i < n; i++)
        data[i] = (cl_int)i;
    fail_to_build(&app);

    cl_program program = app_build(&app, good, NULL);
    cl_kernel kernel = app_kernel(program, "negate");
    cl_mem ddata = app_buffer(&app, bytes, data);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof ddata, &ddata));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){8, 1, 1});

    app_read(&app, ddata, bytes, data);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, data[i], app.launches % 2 ? -(cl_int)i : (cl_int)i);
    app_checksum(&app, "data", data, bytes);

    CL_CHECK(clReleaseMemObject(ddata));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(data);
    return app_end(&app);
}
