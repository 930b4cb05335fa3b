/* dlopenapp - a program that is not linked to libOpenCL: dlopen, dlsym, call.
 *
 * OpenCV, Blender, hashcat and most plug-ins do it this way, so that they start where there is no OpenCL.
 * Symbols looked up in a handle do not pass by preloaded libraries; a loader layer sees the calls all the
 * same.
 *
 * >>> affine: tuned
 */
#include "common.h"

#include <dlfcn.h>

/* name, as in CL/cl.h; the type comes from there */
// clang-format off
#define FUNCTIONS(X)                                                                                         \
    X(clGetPlatformIDs) X(clGetDeviceIDs) X(clCreateContext) X(clCreateCommandQueue)                         \
    X(clCreateProgramWithSource) X(clBuildProgram) X(clCreateKernel) X(clCreateBuffer) X(clSetKernelArg)     \
    X(clEnqueueNDRangeKernel) X(clEnqueueWriteBuffer) X(clEnqueueReadBuffer) X(clFinish)                     \
    X(clReleaseMemObject) X(clReleaseKernel) X(clReleaseProgram) X(clReleaseCommandQueue) X(clReleaseContext)
// clang-format on

static struct {
#define X(name) __typeof__(&name) name;
    FUNCTIONS(X)
#undef X
} cl;

static const char *source = "__kernel void affine(__global const float *in, __global float *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = 0.5f * in[i] + 1.0f;\n"
                            "}\n";

static void check(cl_int status, int line)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "dlopenapp:%d: OpenCL error %d\n", line, status);
        exit(1);
    }
}
#define CHECK(call) check((call), __LINE__)

static int load(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "dlopenapp: %s\n", dlerror());
        return -1;
    }
#define X(name)                                                                                              \
    *(void **)&cl.name = dlsym(library, #name);                                                              \
    if (!cl.name)                                                                                            \
        return -1;
    FUNCTIONS(X)
#undef X
    return 0;
}

static void run(struct app *app, cl_command_queue queue, cl_kernel kernel)
{
    struct app_times times = {0};
    const size_t *local = app_local(app, (size_t[]){4, 1, 1});
    for (unsigned i = 0; i < app->launches; i++) {
        double begin = app_now_ms();
        CHECK(cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &app->n, local, 0, NULL, NULL));
        CHECK(cl.clFinish(queue));
        app_times_add(&times, app_now_ms() - begin);
    }
    app_times_print(app, &times, "affine", 1, local);
}

/* in -> out on the device. */
static void compute(struct app *app, const float *in, float *out)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    size_t bytes = app->n * sizeof(float);
    CHECK(cl.clGetPlatformIDs(1, &platform, NULL));
    CHECK(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    CHECK(status);
    cl_command_queue queue = cl.clCreateCommandQueue(context, device, 0, &status);
    CHECK(status);
    cl_program program = cl.clCreateProgramWithSource(context, 1, &source, NULL, &status);
    CHECK(status);
    CHECK(cl.clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    cl_kernel kernel = cl.clCreateKernel(program, "affine", &status);
    CHECK(status);
    cl_mem din = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    CHECK(status);
    cl_mem dout = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    CHECK(status);
    CHECK(cl.clEnqueueWriteBuffer(queue, din, CL_TRUE, 0, bytes, in, 0, NULL, NULL));
    CHECK(cl.clSetKernelArg(kernel, 0, sizeof din, &din));
    CHECK(cl.clSetKernelArg(kernel, 1, sizeof dout, &dout));
    run(app, queue, kernel);
    CHECK(cl.clEnqueueReadBuffer(queue, dout, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    CHECK(cl.clReleaseMemObject(din));
    CHECK(cl.clReleaseMemObject(dout));
    CHECK(cl.clReleaseKernel(kernel));
    CHECK(cl.clReleaseProgram(program));
    CHECK(cl.clReleaseCommandQueue(queue));
    CHECK(cl.clReleaseContext(context));
}

int main(int argc, char **argv)
{
    struct app app;
    app_args(&app, "dlopenapp", argc, argv, (struct app_defaults){1 << 21, 300, 1024, 3});
    float *in = app_random_floats(app.n, 1), *out = app_alloc(app.n * sizeof *out);
    if (load())
        return 1;
    compute(&app, in, out);
    for (size_t i = 0; i < app.n; i++)
        app_expect_near(&app, i, out[i], 0.5f * in[i] + 1.0f);
    app_checksum(&app, "out", out, app.n * sizeof *out);
    free(in);
    free(out);
    return app_verdict(&app);
}
