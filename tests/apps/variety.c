/* variety - calls that few programs make.
 *
 * An asynchronous build whose callback launches, kernels made all at once, clones with arguments of their
 * own, a program that is released before its kernels and built again with other options after them, a task, a
 * native kernel, a part of the device with a context of its own, and sub-buffers side by side.
 *
 * >>> first: tuned
 * >>> second: tuned, refused no-candidates
 * >>> halves: tuned, refused sub-device
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 210
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "common.h"

#include <pthread.h>
#include <string.h>

static const char *source = "#ifndef PLUS\n"
                            "#define PLUS 1\n"
                            "#endif\n"
                            "__kernel void first(__global const int *in, __global int *out, int factor)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * factor + PLUS;\n"
                            "}\n"
                            "__kernel void second(__global const int *in, __global int *out, int factor)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] - factor - PLUS;\n"
                            "}\n"
                            "__kernel void halves(__global const int *in, __global int *out, int factor)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] ^ factor;\n"
                            "}\n";

struct build {
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool called;
};

static void CL_CALLBACK built(cl_program program, void *data)
{
    struct build *b = data;
    (void)program;
    pthread_mutex_lock(&b->lock);
    b->called = true;
    pthread_cond_signal(&b->done);
    pthread_mutex_unlock(&b->lock);
}

static void build_later(cl_program program, cl_device_id device, const char *options)
{
    struct build b = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    CL_CHECK(clBuildProgram(program, 1, &device, options, built, &b));
    pthread_mutex_lock(&b.lock);
    while (!b.called)
        pthread_cond_wait(&b.done, &b.lock);
    pthread_mutex_unlock(&b.lock);
}

static void set_args(cl_kernel kernel, cl_mem in, cl_mem out, cl_int factor)
{
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof out, &out));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof factor, &factor));
}

/* Launch, and expect in * times + plus. */
static void check(struct app *app, cl_kernel kernel, cl_mem out, cl_int times, cl_int plus, const char *what)
{
    const size_t n = app->n, bytes = n * sizeof(cl_int);
    cl_int *got = app_alloc(bytes);
    app_run(app, kernel, 1, NULL, &n, app_local(app, (size_t[]){8, 1, 1}));
    app_read(app, out, bytes, got);
    for (size_t i = 0; i < n; i++)
        app_expect_int(app, i, got[i], (cl_int)i * times + plus);
    app_checksum(app, what, got, bytes);
    free(got);
}

static void kernels_and_clones(struct app *app, cl_mem in, cl_mem out)
{
    cl_int status;
    cl_uint count;
    char name[64];
    cl_program program = clCreateProgramWithSource(app->context, 1, &source, NULL, &status);
    CL_CHECK(status);
    build_later(program, app->device, "-DPLUS=2");
    cl_kernel all[3], first = NULL, second = NULL, clone;
    CL_CHECK(clCreateKernelsInProgram(program, 3, all, &count));
    printf("variety kernels: %u\n", count);
    for (unsigned i = 0; i < count; i++) {
        CL_CHECK(clGetKernelInfo(all[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        if (!strcmp(name, "first"))
            first = all[i];
        else if (!strcmp(name, "second"))
            second = all[i];
    }
    set_args(first, in, out, 3);
    clone = clCloneKernel(first, &status);
    printf("variety clone: %d\n", status);
    set_args(first, in, out, 5);
    check(app, first, out, 5, 2, "first");
    if (status == CL_SUCCESS) {
        check(app, clone, out, 3, 2, "clone");
        CL_CHECK(clReleaseKernel(clone));
    }
    set_args(second, in, out, 4);
    check(app, second, out, 1, -6, "second");
    CL_CHECK(clEnqueueTask(app->queue, second, 0, NULL, NULL));
    CL_CHECK(clFinish(app->queue));
    for (unsigned i = 0; i < count; i++)
        CL_CHECK(clReleaseKernel(all[i]));
    CL_CHECK(clBuildProgram(program, 1, &app->device, "-DPLUS=7", NULL, NULL));
    first = app_kernel(program, "first");
    CL_CHECK(clReleaseProgram(program)); /* the kernel keeps it */
    set_args(first, in, out, 5);
    check(app, first, out, 5, 7, "first rebuilt");
    CL_CHECK(clReleaseKernel(first));
}

static void side_by_side(struct app *app)
{
    const size_t n = app->n, bytes = n * sizeof(cl_int);
    cl_int *data = app_alloc(2 * bytes), status;
    for (size_t i = 0; i < 2 * n; i++)
        data[i] = (cl_int)i;
    cl_mem whole = app_buffer(app, 2 * bytes, data), half[2];
    for (unsigned i = 0; i < 2; i++) {
        const cl_buffer_region region = {i * bytes, bytes};
        half[i] = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
        CL_CHECK(status);
    }
    cl_program program = app_build(app, source, NULL);
    cl_kernel kernel = app_kernel(program, "halves");
    set_args(kernel, half[0], half[1], 0);
    check(app, kernel, half[1], 1, 0, "halves");
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    CL_CHECK(clReleaseMemObject(half[0]));
    CL_CHECK(clReleaseMemObject(half[1]));
    CL_CHECK(clReleaseMemObject(whole));
    free(data);
}

/* One unit of the device, twice: the second part may get the handle of the first. */
static void part_of_device(struct app *app)
{
    const cl_device_partition_property by_counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                      CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    for (int i = 0; i < 2; i++) {
        struct app part = *app;
        cl_int status;
        const cl_int error = clCreateSubDevices(app->device, by_counts, 1, &part.device, NULL);
        printf("variety part of the device: %s\n", error ? "none" : "made");
        if (error)
            return;
        part.context = clCreateContext(NULL, 1, &part.device, NULL, NULL, &status);
        CL_CHECK(status);
        part.queue = clCreateCommandQueue(part.context, part.device, 0, &status);
        CL_CHECK(status);
        side_by_side(&part);
        CL_CHECK(clReleaseCommandQueue(part.queue));
        CL_CHECK(clReleaseContext(part.context));
        CL_CHECK(clReleaseDevice(part.device));
        app->wrong = part.wrong;
    }
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "variety", argc, argv, (struct app_defaults){1 << 16, 40, 1024, 5});
    const size_t bytes = app.n * sizeof(cl_int);
    cl_int *data = app_alloc(bytes);
    for (size_t i = 0; i < app.n; i++)
        data[i] = (cl_int)i;
    cl_mem in = app_buffer(&app, bytes, data), out = app_buffer(&app, bytes, NULL);
    kernels_and_clones(&app, in, out);
    side_by_side(&app);
    part_of_device(&app);
    CL_CHECK(clReleaseMemObject(in));
    CL_CHECK(clReleaseMemObject(out));
    free(data);
    return app_end(&app);
}
