/* reenter - a client whose driver calls back: from inside every call that reaches the driver, in another
 * thread, for which the call waits, this program makes OpenCL calls of its own.  Whoever holds a lock across
 * a call to the driver does not come back; the stub then ends the process with status 99. */
#include "client.h"
#include <stdatomic.h>

#define ITEMS 65536

struct hooked {
    struct client c;
    cl_command_queue queue;
    cl_kernel kernel; /* the hook's own object of the same kernel */
    cl_mem in;
    cl_event event; /* of the main thread's last launch, under its own reference */
    atomic_ulong calls;
};

static void CL_CALLBACK call_everything(const char *name, void *data)
{
    struct hooked *h = data;
    const size_t global = ITEMS, local = 64;
    cl_mem m = client_buffer(&h->c, 16);
    cl_uint references;
    cl_ulong time;
    cl_event e;

    (void)name;
    CHECK(clEnqueueNDRangeKernel(h->queue, h->kernel, 1, NULL, &global, &local, 0, NULL, &e));
    CHECK(clGetEventInfo(e, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
    if (references != 1)
        fprintf(stderr, "references: %u\n", references);
    CHECK(clRetainEvent(e));
    clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof time, &time, NULL);
    CHECK(clReleaseEvent(e));
    CHECK(clReleaseEvent(e));
    CHECK(clRetainEvent(h->event));
    CHECK(clGetEventInfo(h->event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
    CHECK(clReleaseEvent(h->event));
    CHECK(clGetCommandQueueInfo(h->queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, NULL));
    CHECK(clGetKernelInfo(h->kernel, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, NULL));
    CHECK(clGetContextInfo(h->c.context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL));
    CHECK(clSetKernelArg(h->kernel, 0, sizeof m, &m));
    CHECK(clSetKernelArg(h->kernel, 0, sizeof h->in, &h->in));
    CHECK(clReleaseMemObject(m));
    atomic_fetch_add(&h->calls, 1);
}

static void launch(struct hooked *h, cl_kernel k, cl_mem out, unsigned i)
{
    const size_t global = ITEMS, local = 64;
    cl_event e, user;

    CHECK(clSetKernelArg(k, 1, sizeof out, &out));
    CHECK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, &local, 0, NULL, i % 4 ? &e : NULL));
    if (i % 4) {
        CHECK(clRetainEvent(e));
        CHECK(clReleaseEvent(e));
        CHECK(clReleaseEvent(e));
    }
    if (i % 16 == 0) {
        user = clCreateUserEvent(h->c.context, NULL);
        CHECK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, NULL, 1, &user, NULL));
        CHECK(clSetUserEventStatus(user, CL_COMPLETE));
        CHECK(clReleaseEvent(user));
    }
    CHECK(clFlush(h->queue));
}

/* Kernels, programs and queues come and go while the hook is at work. */
static void come_and_go(struct hooked *h)
{
    const char *source = client_source;
    cl_command_queue q = clCreateCommandQueue(h->c.context, h->c.device, 0, NULL);
    cl_program p = clCreateProgramWithSource(h->c.context, 1, &source, NULL, NULL);
    cl_kernel k;

    CHECK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    k = clCreateKernel(p, "twice", NULL);
    CHECK(clRetainKernel(k));
    CHECK(clReleaseKernel(k));
    CHECK(clReleaseKernel(k));
    CHECK(clReleaseProgram(p));
    CHECK(clReleaseCommandQueue(q));
}

int main(void)
{
    void(CL_API_CALL * set_hook)(void(CL_CALLBACK *)(const char *, void *), void *);
    struct hooked h = {.calls = 0};
    cl_kernel k;
    cl_mem out;
    cl_int error;

    client_start(&h.c);
    *(void **)&set_hook = clGetExtensionFunctionAddressForPlatform(h.c.platform, "stubSetHook");
    if (!set_hook)
        return 77;
    h.queue = clCreateCommandQueue(h.c.context, h.c.device, 0, &error);
    CHECK(error);
    h.in = client_buffer(&h.c, ITEMS * 4);
    out = client_buffer(&h.c, ITEMS * 4);
    k = clCreateKernel(h.c.program, "twice", &error);
    CHECK(error);
    h.kernel = clCreateKernel(h.c.program, "twice", &error);
    CHECK(error);
    h.event = clCreateUserEvent(h.c.context, &error);
    CHECK(error);
    CHECK(clSetUserEventStatus(h.event, CL_COMPLETE));
    for (cl_uint i = 0; i < 2; i++) {
        CHECK(clSetKernelArg(k, i, sizeof out, i ? &out : &h.in));
        CHECK(clSetKernelArg(h.kernel, i, sizeof out, i ? &out : &h.in));
    }
    set_hook(call_everything, &h);
    for (unsigned i = 0; i < 150; i++) {
        launch(&h, k, out, i);
        if (i % 10 == 0)
            come_and_go(&h);
    }
    set_hook(NULL, NULL);
    printf("hooked: %s\n", atomic_load(&h.calls) > 500 ? "often" : "hardly");
    CHECK(clFinish(h.queue));
    CHECK(clReleaseEvent(h.event));
    CHECK(clReleaseKernel(h.kernel));
    CHECK(clReleaseKernel(k));
    CHECK(clReleaseMemObject(h.in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseCommandQueue(h.queue));
    client_end(&h.c);
    return 0;
}
