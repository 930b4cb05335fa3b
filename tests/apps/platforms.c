/* platforms - every device of every platform at once, as programs do that spread their work.
 *
 * Each platform has one context for all its devices, one program and one kernel object; each device has a
 * queue.  Launches go round: the same kernel on one device after the other, the arguments set anew each time.
 *
 * >>> affine: tuned
 */
#include "common.h"

#define MOST 8

static const char *source = "__kernel void affine(__global const int *in, __global int *out, int factor)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * factor + (int)i;\n"
                            "}\n";

struct worker {
    cl_command_queue queue;
    cl_mem out;
};

struct platform {
    cl_context context;
    cl_kernel kernel;
    cl_mem in;
    cl_uint count;
    struct worker worker[MOST];
};

static void open_platform(const struct app *app, cl_platform_id id, const cl_int *data, struct platform *p)
{
    const size_t bytes = app->n * sizeof(cl_int);
    cl_device_id devices[MOST];
    cl_int status;
    if (clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, MOST, devices, &p->count) != CL_SUCCESS)
        return;
    p->count = p->count < MOST ? p->count : MOST;
    p->context = clCreateContext(NULL, p->count, devices, NULL, NULL, &status);
    CL_CHECK(status);
    cl_program program = clCreateProgramWithSource(p->context, 1, &source, NULL, &status);
    CL_CHECK(status);
    CL_CHECK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    p->kernel = app_kernel(program, "affine");
    CL_CHECK(clReleaseProgram(program));
    p->in = clCreateBuffer(p->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)data, &status);
    CL_CHECK(status);
    for (cl_uint i = 0; i < p->count; i++) {
        p->worker[i].queue = clCreateCommandQueue(p->context, devices[i], 0, &status);
        CL_CHECK(status);
        p->worker[i].out = clCreateBuffer(p->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
        CL_CHECK(status);
    }
}

static void launch(const struct app *app, struct platform *p, struct worker *w, cl_int factor)
{
    const size_t own[3] = {8, 1, 1};
    CL_CHECK(clSetKernelArg(p->kernel, 0, sizeof p->in, &p->in));
    CL_CHECK(clSetKernelArg(p->kernel, 1, sizeof w->out, &w->out));
    CL_CHECK(clSetKernelArg(p->kernel, 2, sizeof factor, &factor));
    CL_CHECK(
        clEnqueueNDRangeKernel(w->queue, p->kernel, 1, NULL, &app->n, app_local(app, own), 0, NULL, NULL));
    CL_CHECK(clFlush(w->queue));
}

static void check(struct app *app, struct worker *w, const cl_int *in, cl_int factor, cl_int *out)
{
    CL_CHECK(clEnqueueReadBuffer(w->queue, w->out, CL_TRUE, 0, app->n * sizeof *out, out, 0, NULL, NULL));
    for (size_t i = 0; i < app->n; i++)
        app_expect_int(app, i, out[i], in[i] * factor + (cl_int)i);
}

static void close_platform(struct platform *p)
{
    for (cl_uint i = 0; i < p->count; i++) {
        CL_CHECK(clReleaseMemObject(p->worker[i].out));
        CL_CHECK(clReleaseCommandQueue(p->worker[i].queue));
    }
    if (!p->count)
        return;
    CL_CHECK(clReleaseMemObject(p->in));
    CL_CHECK(clReleaseKernel(p->kernel));
    CL_CHECK(clReleaseContext(p->context));
}

int main(int argc, char **argv)
{
    struct app app;
    static struct platform platforms[MOST];
    cl_platform_id ids[MOST];
    cl_uint count = 0, devices = 0;
    app_args(&app, "platforms", argc, argv, (struct app_defaults){1 << 16, 60, 1024, 6});
    CL_CHECK(clGetPlatformIDs(MOST, ids, &count));
    count = count < MOST ? count : MOST;
    cl_int *in = app_alloc(app.n * sizeof *in), *out = app_alloc(app.n * sizeof *out);
    for (size_t i = 0; i < app.n; i++)
        in[i] = (cl_int)(i * 7 % 251);
    for (cl_uint p = 0; p < count; p++) {
        open_platform(&app, ids[p], in, &platforms[p]);
        devices += platforms[p].count;
    }
    for (unsigned l = 0; l < app.launches; l++) {
        for (cl_uint p = 0; p < count; p++)
            for (cl_uint d = 0; d < platforms[p].count; d++)
                launch(&app, &platforms[p], &platforms[p].worker[d], (cl_int)(l + p + d));
        for (cl_uint p = 0; p < count; p++)
            for (cl_uint d = 0; d < platforms[p].count; d++)
                check(&app, &platforms[p].worker[d], in, (cl_int)(l + p + d), out);
    }
    for (cl_uint p = 0; p < count; p++)
        close_platform(&platforms[p]);
    printf("platforms: %u, devices: %u\n", count, devices);
    app_checksum(&app, "last", out, app.n * sizeof *out);
    free(in);
    free(out);
    return app_verdict(&app);
}
