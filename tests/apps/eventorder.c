/* eventorder - commands in an out-of-order queue, ordered by events alone, in every way that there is.
 *
 * Four buffers; each step computes one from another.  What it must wait for, the last writer and the readers
 * of what it touches, comes to it as a wait list, through a marker with a wait list, or behind a barrier; now
 * and then a user event holds up a step until three more are enqueued.  Which way is taken is random, but the
 * same in every run.
 *
 * >>> affine: allowed
 * >>> twist: allowed
 */
#include "common.h"

#include <string.h>

#define BUFFERS 4
#define ROOM    16

static const char *source = "__kernel void affine(__global const uint *in, __global uint *out, uint k)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * 3u + k;\n"
                            "}\n"
                            "__kernel void twist(__global const uint *in, __global uint *out, uint k)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] ^ (in[i] >> 3) ^ k;\n"
                            "}\n";

struct order {
    struct app *app;
    cl_command_queue queue;
    cl_kernel affine, twist;
    cl_mem mem[BUFFERS];
    cl_uint *host[BUFFERS];
    cl_event written[BUFFERS];    /* the last writer, NULL for none */
    cl_event read[BUFFERS][ROOM]; /* the readers since */
    unsigned nread[BUFFERS];
    cl_event gate; /* a user event that is open, NULL for none */
    unsigned gate_steps;
    uint32_t random;
};

static void open_gate(struct order *o)
{
    if (!o->gate)
        return;
    CL_CHECK(clSetUserEventStatus(o->gate, CL_COMPLETE));
    CL_CHECK(clReleaseEvent(o->gate));
    o->gate = NULL;
}

static unsigned dependencies(struct order *o, unsigned from, unsigned to, cl_event list[2 * ROOM])
{
    unsigned n = 0;
    if (o->written[from])
        list[n++] = o->written[from];
    if (o->written[to] && to != from)
        list[n++] = o->written[to];
    for (unsigned i = 0; i < o->nread[to]; i++)
        list[n++] = o->read[to][i];
    if (o->gate && !o->gate_steps)
        list[n++] = o->gate;
    return n;
}

static void forget_readers(struct order *o, unsigned b)
{
    for (unsigned i = 0; i < o->nread[b]; i++)
        CL_CHECK(clReleaseEvent(o->read[b][i]));
    o->nread[b] = 0;
}

/* The step's event is `written` of its output and a reader of its input. */
static void note(struct order *o, unsigned from, unsigned to, cl_event done)
{
    forget_readers(o, to);
    if (o->written[to])
        CL_CHECK(clReleaseEvent(o->written[to]));
    o->written[to] = done;
    CL_CHECK(clRetainEvent(done));
    o->read[from][o->nread[from]++] = done;
    if (o->nread[from] == ROOM) {
        open_gate(o);
        CL_CHECK(clWaitForEvents(ROOM, o->read[from]));
        forget_readers(o, from);
    }
}

static void compute(struct order *o, bool twisted, unsigned from, unsigned to, cl_uint k)
{
    for (size_t i = 0; i < o->app->n; i++) {
        const cl_uint v = o->host[from][i];
        o->host[to][i] = twisted ? v ^ (v >> 3) ^ k : v * 3u + k;
    }
}

static void step(struct order *o, unsigned number)
{
    const size_t local[3] = {8, 1, 1};
    const unsigned from = app_random(&o->random) % BUFFERS,
                   to = (from + 1 + app_random(&o->random) % (BUFFERS - 1)) % BUFFERS;
    const unsigned way = app_random(&o->random) % 3;
    const bool twisted = app_random(&o->random) & 1;
    const cl_kernel kernel = twisted ? o->twist : o->affine;
    const cl_uint k = number;
    cl_event list[2 * ROOM], marker = NULL, done;
    cl_int status;
    if (number % 10 == 5) {
        o->gate = clCreateUserEvent(o->app->context, &status);
        CL_CHECK(status);
        o->gate_steps = 0;
    }
    cl_uint n = dependencies(o, from, to, list);
    if (way == 1 && n) {
        CL_CHECK(clEnqueueMarkerWithWaitList(o->queue, n, list, &marker));
        list[0] = marker;
        n = 1;
    } else if (way == 2 && n) {
        CL_CHECK(clEnqueueBarrierWithWaitList(o->queue, n, list, NULL));
        n = 0;
    }
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof o->mem[from], &o->mem[from]));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof o->mem[to], &o->mem[to]));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof k, &k));
    CL_CHECK(clEnqueueNDRangeKernel(o->queue, kernel, 1, NULL, &o->app->n, app_local(o->app, local), n,
                                    n ? list : NULL, &done));
    if (marker)
        CL_CHECK(clReleaseEvent(marker));
    note(o, from, to, done);
    compute(o, twisted, from, to, k);
    if (o->gate && ++o->gate_steps > 3)
        open_gate(o);
}

static void check(struct order *o)
{
    cl_uint *got = app_alloc(o->app->n * sizeof *got);
    open_gate(o);
    CL_CHECK(clFinish(o->queue));
    for (unsigned b = 0; b < BUFFERS; b++) {
        CL_CHECK(clEnqueueReadBuffer(o->queue, o->mem[b], CL_TRUE, 0, o->app->n * sizeof *got, got, 0, NULL,
                                     NULL));
        for (size_t i = 0; i < o->app->n; i++)
            app_expect_int(o->app, i, got[i], o->host[b][i]);
        app_checksum(o->app, "buffer", got, o->app->n * sizeof *got);
    }
    free(got);
}

int main(int argc, char **argv)
{
    struct app app;
    struct order o = {.app = &app, .random = 5};
    cl_int status;
    app_begin(&app, "eventorder", argc, argv, (struct app_defaults){1 << 16, 200, 1024, 30});
    o.queue = clCreateCommandQueue(app.context, app.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
    if (status == CL_INVALID_QUEUE_PROPERTIES)
        return 77;
    CL_CHECK(status);
    cl_program program = app_build(&app, source, NULL);
    o.affine = app_kernel(program, "affine");
    o.twist = app_kernel(program, "twist");
    for (unsigned b = 0; b < BUFFERS; b++) {
        o.host[b] = app_alloc(app.n * sizeof(cl_uint));
        for (size_t i = 0; i < app.n; i++)
            o.host[b][i] = (cl_uint)i * (b + 1);
        o.mem[b] = app_buffer(&app, app.n * sizeof(cl_uint), o.host[b]);
    }
    for (unsigned i = 0; i < app.launches; i++)
        step(&o, i);
    check(&o);
    for (unsigned b = 0; b < BUFFERS; b++) {
        forget_readers(&o, b);
        if (o.written[b])
            CL_CHECK(clReleaseEvent(o.written[b]));
        CL_CHECK(clReleaseMemObject(o.mem[b]));
        free(o.host[b]);
    }
    CL_CHECK(clReleaseKernel(o.affine));
    CL_CHECK(clReleaseKernel(o.twist));
    CL_CHECK(clReleaseProgram(program));
    CL_CHECK(clReleaseCommandQueue(o.queue));
    return app_end(&app);
}
