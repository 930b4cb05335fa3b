/* svm - shared virtual memory: kernels get pointers that no buffer names, and pointers inside of what they
 * get.
 *
 * `scale` is launched on SVM and, by the same kernel object, on buffers; `halves` gets two pointers into one
 * allocation; `follow` finds its data through a pointer in SVM, which clSetKernelExecInfo announces.  The
 * host writes in between, mapped as it must be.
 *
 * >>> scale: allowed, refused no-candidates
 * >>> halves: allowed, refused no-candidates
 * >>> follow: refused unknown-pointer|scattered-writes|pointer-in-memory
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200
#include "common.h"

static const char *source = "struct list { __global int *data; int factor; };\n"
                            "__kernel void scale(__global const int *in, __global int *out, int factor)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * factor;\n"
                            "}\n"
                            "__kernel void halves(__global const int *in, __global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] + 3;\n"
                            "}\n"
                            "__kernel void follow(__global struct list *l)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    l->data[i] = l->data[i] * l->factor + 1;\n"
                            "}\n";

struct list {
    cl_int *data;
    cl_int factor;
};

static void map(struct app *app, void *p, size_t bytes)
{
    CL_CHECK(clEnqueueSVMMap(app->queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, p, bytes, 0, NULL, NULL));
}

static void unmap(struct app *app, void *p)
{
    CL_CHECK(clEnqueueSVMUnmap(app->queue, p, 0, NULL, NULL));
}

static void scale_both(struct app *app, cl_kernel k, cl_int *in, cl_int *out, cl_mem buffers[2])
{
    const size_t bytes = app->n * sizeof(cl_int), local[3] = {8, 1, 1};
    cl_int *got = app_alloc(bytes);
    for (unsigned round = 0; round < app->launches; round++) {
        const cl_int factor = (cl_int)round;
        const bool svm = round % 3;
        if (svm) {
            CL_CHECK(clSetKernelArgSVMPointer(k, 0, in));
            CL_CHECK(clSetKernelArgSVMPointer(k, 1, out));
        } else {
            CL_CHECK(clSetKernelArg(k, 0, sizeof buffers[0], &buffers[0]));
            CL_CHECK(clSetKernelArg(k, 1, sizeof buffers[1], &buffers[1]));
        }
        CL_CHECK(clSetKernelArg(k, 2, sizeof factor, &factor));
        CL_CHECK(
            clEnqueueNDRangeKernel(app->queue, k, 1, NULL, &app->n, app_local(app, local), 0, NULL, NULL));
        if (svm)
            map(app, out, bytes);
        else
            app_read(app, buffers[1], bytes, got);
        for (size_t i = 0; i < app->n; i++)
            app_expect_int(app, i, (svm ? out : got)[i], (cl_int)i * factor);
        if (svm)
            unmap(app, out);
    }
    free(got);
}

/* From the first half of the allocation into the second. */
static void add_halves(struct app *app, cl_kernel k, cl_int *both)
{
    const size_t n = app->n / 2, bytes = app->n * sizeof(cl_int), local[3] = {8, 1, 1};
    CL_CHECK(clSetKernelArgSVMPointer(k, 0, both));
    CL_CHECK(clSetKernelArgSVMPointer(k, 1, both + n));
    for (unsigned round = 0; round < app->launches; round++)
        CL_CHECK(clEnqueueNDRangeKernel(app->queue, k, 1, NULL, &n, app_local(app, local), 0, NULL, NULL));
    map(app, both, bytes);
    for (size_t i = 0; i < n; i++)
        app_expect_int(app, i, both[n + i], both[i] + 3);
    app_checksum(app, "halves", both, bytes);
    unmap(app, both);
}

static void follow(struct app *app, cl_kernel k, struct list *l)
{
    const size_t bytes = app->n * sizeof(cl_int), local[3] = {8, 1, 1};
    cl_int *const data = l->data;
    CL_CHECK(clSetKernelArgSVMPointer(k, 0, l));
    CL_CHECK(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof data, &data));
    for (unsigned round = 0; round < app->launches; round++)
        CL_CHECK(
            clEnqueueNDRangeKernel(app->queue, k, 1, NULL, &app->n, app_local(app, local), 0, NULL, NULL));
    map(app, data, bytes);
    for (size_t i = 0; i < app->n; i++)
        app_expect_int(app, i, data[i], (cl_int)(i + app->launches));
    app_checksum(app, "followed", data, bytes);
    unmap(app, data);
}

int main(int argc, char **argv)
{
    struct app app;
    cl_device_svm_capabilities capabilities = 0;
    app_begin(&app, "svm", argc, argv, (struct app_defaults){1 << 16, 60, 1024, 9});
    if (clGetDeviceInfo(app.device, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities, NULL) ||
        !(capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
        return 77;
    const size_t bytes = app.n * sizeof(cl_int);
    cl_int *in = clSVMAlloc(app.context, CL_MEM_READ_WRITE, bytes, 0);
    cl_int *out = clSVMAlloc(app.context, CL_MEM_READ_WRITE, bytes, 0);
    struct list *l = clSVMAlloc(app.context, CL_MEM_READ_WRITE, sizeof *l, 0);
    if (!in || !out || !l)
        return 77;
    map(&app, in, bytes);
    for (size_t i = 0; i < app.n; i++)
        in[i] = (cl_int)i;
    cl_mem buffers[2] = {app_buffer(&app, bytes, in), app_buffer(&app, bytes, NULL)};
    unmap(&app, in);
    map(&app, l, sizeof *l);
    *l = (struct list){in, 1};
    unmap(&app, l);
    cl_program program = app_build(&app, source, NULL);
    cl_kernel scale = app_kernel(program, "scale"), follower = app_kernel(program, "follow");
    cl_kernel halves = app_kernel(program, "halves");
    scale_both(&app, scale, in, out, buffers);
    add_halves(&app, halves, out);
    follow(&app, follower, l);
    CL_CHECK(clFinish(app.queue));
    CL_CHECK(clReleaseKernel(scale));
    CL_CHECK(clReleaseKernel(follower));
    CL_CHECK(clReleaseKernel(halves));
    CL_CHECK(clReleaseProgram(program));
    CL_CHECK(clReleaseMemObject(buffers[0]));
    CL_CHECK(clReleaseMemObject(buffers[1]));
    clSVMFree(app.context, in);
    clSVMFree(app.context, out);
    clSVMFree(app.context, l);
    return app_end(&app);
}
