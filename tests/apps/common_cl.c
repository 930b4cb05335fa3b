/* common_cl.c - the part of common.h that calls OpenCL. */
#include "common.h"

enum { MAX_LISTED = 16 };

/* A number from the environment, 0 where there is none. */
static unsigned number_from(const char *variable)
{
    const char *text = getenv(variable);
    return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

void app_open(struct app *app)
{
    cl_platform_id platforms[MAX_LISTED];
    cl_device_id devices[MAX_LISTED];
    cl_uint nplatforms, ndevices, platform = number_from("APP_PLATFORM"), device = number_from("APP_DEVICE");
    cl_int status;
    CL_CHECK(clGetPlatformIDs(MAX_LISTED, platforms, &nplatforms));
    CL_CHECK(platform < nplatforms && platform < MAX_LISTED ? CL_SUCCESS : CL_INVALID_PLATFORM);
    app->platform = platforms[platform];
    CL_CHECK(clGetDeviceIDs(app->platform, CL_DEVICE_TYPE_ALL, MAX_LISTED, devices, &ndevices));
    CL_CHECK(device < ndevices && device < MAX_LISTED ? CL_SUCCESS : CL_INVALID_DEVICE);
    app->device = devices[device];
    app->context = clCreateContext(NULL, 1, &app->device, NULL, NULL, &status);
    CL_CHECK(status);
    app->queue = clCreateCommandQueue(app->context, app->device, 0, &status);
    CL_CHECK(status);
}

void app_begin(struct app *app, const char *name, int argc, char **argv, struct app_defaults defaults)
{
    app_args(app, name, argc, argv, defaults);
    app_open(app);
}

int app_end(struct app *app)
{
    if (app->queue)
        CL_CHECK(clReleaseCommandQueue(app->queue));
    if (app->context)
        CL_CHECK(clReleaseContext(app->context));
    return app_verdict(app);
}

void app_check(cl_int status, const char *call, const char *file, int line)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s:%d: %s: OpenCL error %d\n", file, line, call, status);
    exit(1);
}

cl_program app_build(struct app *app, const char *source, const char *options)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(app->context, 1, &source, NULL, &status);
    CL_CHECK(status);
    status = clBuildProgram(program, 1, &app->device, options, NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, app->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s: build log:\n%s\n", app->name, log);
    }
    CL_CHECK(status);
    return program;
}

cl_kernel app_kernel(cl_program program, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    CL_CHECK(status);
    return kernel;
}

cl_mem app_buffer(struct app *app, size_t bytes, const void *data)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(app->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    CL_CHECK(status);
    if (data)
        CL_CHECK(clEnqueueWriteBuffer(app->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    return buffer;
}

void app_read(struct app *app, cl_mem buffer, size_t bytes, void *out)
{
    CL_CHECK(clEnqueueReadBuffer(app->queue, buffer, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
}

void app_run(struct app *app, cl_kernel kernel, unsigned dim, const size_t *offset, const size_t *global,
             const size_t *local)
{
    struct app_times times = {0};
    char name[128];
    local = app_local(app, local);
    CL_CHECK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    for (unsigned i = 0; i < app->launches; i++) {
        double begin = app_now_ms();
        CL_CHECK(clEnqueueNDRangeKernel(app->queue, kernel, dim, offset, global, local, 0, NULL, NULL));
        CL_CHECK(clFinish(app->queue));
        app_times_add(&times, app_now_ms() - begin);
    }
    app_times_print(app, &times, name, dim, local);
}
