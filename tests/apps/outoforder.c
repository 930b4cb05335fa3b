/* outoforder - an out-of-order queue, where only events order the commands.
 *
 * Two launches may run side by side, a third needs both, and the next round needs the third: a diamond.  If a
 * launch is split, its event must not complete before all parts have, or the dependants read what is not
 * there yet.
 *
 * >>> axpb: allowed
 * >>> combine: allowed
 */
#include "common.h"

static const char *source =
    "__kernel void axpb(__global const uint *in, __global uint *out, uint a, uint b)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = a * in[i] + b;\n"
    "}\n"
    "__kernel void combine(__global const uint *p, __global const uint *q, __global uint *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = p[i] ^ (q[i] >> 3);\n"
    "}\n";

struct diamond {
    cl_command_queue queue;
    cl_kernel axpb, combine;
    cl_mem state, left, right;
    const size_t *local;
};

static cl_event enqueue_axpb(struct app *app, const struct diamond *d, cl_mem out, cl_uint a, cl_uint b,
                             const cl_event *after)
{
    cl_event event;
    CL_CHECK(clSetKernelArg(d->axpb, 0, sizeof d->state, &d->state));
    CL_CHECK(clSetKernelArg(d->axpb, 1, sizeof out, &out));
    CL_CHECK(clSetKernelArg(d->axpb, 2, sizeof a, &a));
    CL_CHECK(clSetKernelArg(d->axpb, 3, sizeof b, &b));
    CL_CHECK(
        clEnqueueNDRangeKernel(d->queue, d->axpb, 1, NULL, &app->n, d->local, after ? 1 : 0, after, &event));
    return event;
}

/* state = axpb(state) ^ (other axpb(state) >> 3), `launches` times over without the host waiting in
 * between. */
static void run(struct app *app, const struct diamond *d)
{
    struct app_times times = {0};
    cl_event sides[2], join = NULL;
    double begin = app_now_ms();
    for (unsigned i = 0; i < app->launches; i++) {
        sides[0] = enqueue_axpb(app, d, d->left, 5, i, join ? &join : NULL);
        sides[1] = enqueue_axpb(app, d, d->right, 9, i + 1, join ? &join : NULL);
        if (join)
            CL_CHECK(clReleaseEvent(join));
        CL_CHECK(clEnqueueNDRangeKernel(d->queue, d->combine, 1, NULL, &app->n, d->local, 2, sides, &join));
        CL_CHECK(clReleaseEvent(sides[0]));
        CL_CHECK(clReleaseEvent(sides[1]));
    }
    CL_CHECK(clWaitForEvents(1, &join));
    CL_CHECK(clReleaseEvent(join));
    app_times_add(&times, app_now_ms() - begin);
    app_times_print(app, &times, "diamond", 1, d->local);
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "outoforder", argc, argv, (struct app_defaults){1 << 20, 30, 1024, 5});
    size_t n = app.n, bytes = n * sizeof(cl_uint);
    cl_uint *host = app_alloc(bytes), *result = app_alloc(bytes);
    for (size_t i = 0; i < n; i++)
        host[i] = (cl_uint)i;

    cl_int status;
    struct diamond d = {.local = app_local(&app, (size_t[]){8, 1, 1})};
    d.queue = clCreateCommandQueue(app.context, app.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
    if (status == CL_INVALID_QUEUE_PROPERTIES) {
        printf("outoforder: no out-of-order queues on this device\n");
        return 77;
    }
    CL_CHECK(status);
    cl_program program = app_build(&app, source, NULL);
    d.axpb = app_kernel(program, "axpb");
    d.combine = app_kernel(program, "combine");
    d.state = app_buffer(&app, bytes, host);
    d.left = app_buffer(&app, bytes, NULL);
    d.right = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(d.combine, 0, sizeof d.left, &d.left));
    CL_CHECK(clSetKernelArg(d.combine, 1, sizeof d.right, &d.right));
    CL_CHECK(clSetKernelArg(d.combine, 2, sizeof d.state, &d.state));
    run(&app, &d);

    app_read(&app, d.state, bytes, result);
    for (size_t i = 0; i < n; i++) {
        for (cl_uint k = 0; k < app.launches; k++)
            host[i] = (5 * host[i] + k) ^ ((9 * host[i] + k + 1) >> 3);
        app_expect_int(&app, i, result[i], host[i]);
    }
    app_checksum(&app, "state", result, bytes);

    CL_CHECK(clReleaseMemObject(d.state));
    CL_CHECK(clReleaseMemObject(d.left));
    CL_CHECK(clReleaseMemObject(d.right));
    CL_CHECK(clReleaseKernel(d.axpb));
    CL_CHECK(clReleaseKernel(d.combine));
    CL_CHECK(clReleaseProgram(program));
    CL_CHECK(clReleaseCommandQueue(d.queue));
    free(host);
    free(result);
    return app_end(&app);
}
