/* hostmemory - the host looks into buffers between launches, and changes them, in every way that there is.
 *
 * One buffer is the host's own memory (CL_MEM_USE_HOST_PTR), one the driver's; between two launches the host
 * maps one of them and writes, a native kernel writes, or neither does.  Nothing is waited for but maps.
 *
 * >>> forward: tuned
 * >>> inplace: tuned
 */
#include "common.h"

static const char *source = "__kernel void forward(__global const uint *in, __global uint *out, uint k)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * 5u + k;\n"
                            "}\n"
                            "__kernel void inplace(__global uint *x, uint k)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    x[i] = x[i] * 7u + k;\n"
                            "}\n";

struct memory {
    struct app *app;
    cl_mem own, theirs;
    cl_uint *want_own, *want_theirs;
    cl_kernel forward, inplace;
    bool native;
};

struct native_args {
    cl_uint *data;
    size_t n;
};

static void CL_CALLBACK add_one(void *data)
{
    const struct native_args *a = data;
    for (size_t i = 0; i < a->n; i++)
        a->data[i]++;
}

static void native(struct memory *m)
{
    struct native_args args = {NULL, m->app->n};
    const void *place = &args.data;
    CL_CHECK(clEnqueueNativeKernel(m->app->queue, add_one, &args, sizeof args, 1, &m->theirs, &place, 0, NULL,
                                   NULL));
    for (size_t i = 0; i < m->app->n; i++)
        m->want_theirs[i]++;
}

static void poke(struct memory *m, cl_mem mem, cl_uint *want, unsigned round)
{
    const size_t bytes = m->app->n * sizeof(cl_uint);
    cl_int status;
    cl_uint *p = clEnqueueMapBuffer(m->app->queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                    NULL, NULL, &status);
    CL_CHECK(status);
    for (size_t i = 0; i < m->app->n; i++) {
        app_expect_int(m->app, i, p[i], want[i]);
        if (i % 3 == round % 3)
            want[i] = p[i] = p[i] ^ (cl_uint)i;
    }
    CL_CHECK(clEnqueueUnmapMemObject(m->app->queue, mem, p, 0, NULL, NULL));
}

static void launch(struct memory *m, unsigned round)
{
    const size_t local[3] = {8, 1, 1};
    const cl_uint k = round;
    CL_CHECK(clSetKernelArg(m->forward, 0, sizeof m->own, &m->own));
    CL_CHECK(clSetKernelArg(m->forward, 1, sizeof m->theirs, &m->theirs));
    CL_CHECK(clSetKernelArg(m->forward, 2, sizeof k, &k));
    CL_CHECK(clEnqueueNDRangeKernel(m->app->queue, m->forward, 1, NULL, &m->app->n, app_local(m->app, local),
                                    0, NULL, NULL));
    CL_CHECK(clSetKernelArg(m->inplace, 0, sizeof m->own, &m->own));
    CL_CHECK(clSetKernelArg(m->inplace, 1, sizeof k, &k));
    CL_CHECK(clEnqueueNDRangeKernel(m->app->queue, m->inplace, 1, NULL, &m->app->n, app_local(m->app, local),
                                    0, NULL, NULL));
    for (size_t i = 0; i < m->app->n; i++) {
        m->want_theirs[i] = m->want_own[i] * 5u + k;
        m->want_own[i] = m->want_own[i] * 7u + k;
    }
}

int main(int argc, char **argv)
{
    struct app app;
    struct memory m = {.app = &app};
    cl_device_exec_capabilities capabilities = 0;
    cl_int status;
    app_begin(&app, "hostmemory", argc, argv, (struct app_defaults){1 << 16, 60, 1024, 6});
    const size_t bytes = app.n * sizeof(cl_uint);
    cl_uint *mine = app_alloc(bytes);
    m.want_own = app_alloc(bytes);
    m.want_theirs = app_alloc(bytes);
    for (size_t i = 0; i < app.n; i++)
        mine[i] = m.want_own[i] = (cl_uint)i * 11;
    m.own = clCreateBuffer(app.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, mine, &status);
    CL_CHECK(status);
    m.theirs = clCreateBuffer(app.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &status);
    CL_CHECK(status);
    CL_CHECK(clGetDeviceInfo(app.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof capabilities, &capabilities,
                             NULL));
    m.native = capabilities & CL_EXEC_NATIVE_KERNEL;
    cl_program program = app_build(&app, source, NULL);
    m.forward = app_kernel(program, "forward");
    m.inplace = app_kernel(program, "inplace");
    for (unsigned round = 0; round < app.launches; round++) {
        launch(&m, round);
        if (round % 4 == 1)
            poke(&m, m.own, m.want_own, round);
        if (round % 4 == 2)
            poke(&m, m.theirs, m.want_theirs, round);
        if (round % 4 == 3 && m.native)
            native(&m);
        if (round % 4 == 3)
            CL_CHECK(clFlush(app.queue));
    }
    poke(&m, m.theirs, m.want_theirs, 0);
    poke(&m, m.own, m.want_own, 0);
    CL_CHECK(clFinish(app.queue));
    app_checksum(&app, "own", mine, bytes);
    app_checksum(&app, "theirs", m.want_theirs, bytes);
    CL_CHECK(clReleaseMemObject(m.own));
    CL_CHECK(clReleaseMemObject(m.theirs));
    CL_CHECK(clReleaseKernel(m.forward));
    CL_CHECK(clReleaseKernel(m.inplace));
    CL_CHECK(clReleaseProgram(program));
    free(mine);
    free(m.want_own);
    free(m.want_theirs);
    return app_end(&app);
}
