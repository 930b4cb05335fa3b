/* script - a client that walks through the whole of OpenCL in a fixed order, for a driver that logs what it
 * is asked.
 *
 *   script [LAUNCHES]
 *
 * What it is told goes to stdout.  Errors of calls that a driver need not know are printed, not fatal. */
#include "client.h"
#include <string.h>
#include <time.h>

#define ITEMS 65536

static void show(const char *what, long long value)
{
    printf("%s: %lld\n", what, value);
}

static void CL_CALLBACK event_done(cl_event event, cl_int status, void *data)
{
    cl_uint references = 0;

    clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL);
    printf("callback %s: status %d\n", (const char *)data, status);
}

static void CL_CALLBACK program_done(cl_program program, void *data)
{
    (void)program;
    printf("built: %s\n", (const char *)data);
}

static cl_command_queue queue_with(const struct client *c, cl_command_queue_properties bits)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, 0};
    cl_int error;
    cl_command_queue q = clCreateCommandQueueWithProperties(c->context, c->device, list, &error);

    CHECK(error);
    return q;
}

static void show_queue(const char *name, cl_command_queue q)
{
    cl_queue_properties list[8] = {0};
    cl_command_queue_properties bits;
    cl_uint references;
    size_t size;

    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, NULL));
    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &size));
    printf("queue %s: bits %llx, references %u, list %zu %llx %llx\n", name, (unsigned long long)bits,
           references, size, (unsigned long long)list[0], (unsigned long long)list[1]);
}

static void queues(const struct client *c)
{
    cl_queue_properties nothing[] = {0};
    cl_command_queue q[5];
    cl_int error;

    q[0] = clCreateCommandQueue(c->context, c->device, 0, &error);
    CHECK(error);
    q[1] = clCreateCommandQueue(c->context, c->device, CL_QUEUE_PROFILING_ENABLE, NULL);
    q[2] = queue_with(c, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    q[3] = clCreateCommandQueueWithProperties(c->context, c->device, NULL, NULL);
    q[4] = clCreateCommandQueueWithProperties(c->context, c->device, nothing, &error);
    CHECK(error);
    for (int i = 0; i < 5; i++) {
        char name[2] = {(char)('0' + i), '\0'};
        show_queue(name, q[i]);
        CHECK(clRetainCommandQueue(q[i]));
        show_queue(name, q[i]);
        CHECK(clReleaseCommandQueue(q[i]));
        CHECK(clReleaseCommandQueue(q[i]));
    }
    q[0] = clCreateCommandQueue(c->context, c->device, 0, NULL);
    show("set property",
         clSetCommandQueueProperty(q[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_TRUE, NULL));
    CHECK(clReleaseCommandQueue(q[0]));
}

static void memory(const struct client *c, cl_command_queue q)
{
    static const size_t origin[3], region[3] = {16, 4, 1};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_buffer_region part = {1024, 1024};
    cl_mem a = client_buffer(c, 4096), b = client_buffer(c, 4096), sub, image;
    char host[4096] = {1};
    int pattern = 7;
    cl_event e[2];
    size_t row;
    void *map;
    cl_int error;

    sub = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
    CHECK(error);
    image = clCreateImage(c->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
    CHECK(error);
    CHECK(clRetainMemObject(sub));
    CHECK(clEnqueueWriteBuffer(q, a, CL_FALSE, 0, sizeof host, host, 0, NULL, &e[0]));
    CHECK(clEnqueueFillBuffer(q, b, &pattern, sizeof pattern, 0, 4096, 1, e, NULL));
    CHECK(clEnqueueCopyBuffer(q, a, b, 0, 2048, 1024, 1, e, &e[1]));
    CHECK(clEnqueueCopyBufferRect(q, a, b, origin, origin, region, 64, 0, 64, 0, 2, e, NULL));
    CHECK(clEnqueueReadBufferRect(q, a, CL_TRUE, origin, origin, region, 64, 0, 64, 0, host, 0, NULL, NULL));
    CHECK(clEnqueueWriteBufferRect(q, a, CL_TRUE, origin, origin, region, 64, 0, 64, 0, host, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(q, b, CL_TRUE, 0, sizeof host, host, 0, NULL, NULL));
    map = clEnqueueMapBuffer(q, sub, CL_TRUE, CL_MAP_READ, 0, 1024, 0, NULL, NULL, &error);
    CHECK(error);
    CHECK(clEnqueueUnmapMemObject(q, sub, map, 0, NULL, NULL));
    CHECK(clEnqueueWriteImage(q, image, CL_TRUE, origin, region, 0, 0, host, 0, NULL, NULL));
    CHECK(clEnqueueReadImage(q, image, CL_TRUE, origin, region, 0, 0, host, 0, NULL, NULL));
    CHECK(clEnqueueCopyImageToBuffer(q, image, b, origin, region, 0, 0, NULL, NULL));
    CHECK(clEnqueueCopyBufferToImage(q, b, image, 0, origin, region, 0, NULL, NULL));
    CHECK(clEnqueueFillImage(q, image, host, origin, region, 0, NULL, NULL));
    map =
        clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_READ, origin, region, &row, NULL, 0, NULL, NULL, &error);
    CHECK(error);
    CHECK(clEnqueueUnmapMemObject(q, image, map, 0, NULL, NULL));
    CHECK(clEnqueueMigrateMemObjects(q, 2, (cl_mem[]){a, b}, 0, 0, NULL, NULL));
    CHECK(clWaitForEvents(2, e));
    CHECK(clReleaseEvent(e[0]));
    CHECK(clReleaseEvent(e[1]));
    CHECK(clReleaseMemObject(sub));
    CHECK(clReleaseMemObject(sub));
    CHECK(clReleaseMemObject(a));
    CHECK(clReleaseMemObject(b));
    CHECK(clReleaseMemObject(image));
}

static void other_memory(const struct client *c, cl_command_queue q)
{
    int pattern = 3;
    cl_int error;
    cl_sampler s = clCreateSampler(c->context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
    char *svm = clSVMAlloc(c->context, CL_MEM_READ_WRITE, 256, 0);
    cl_mem pipe = clCreatePipe(c->context, CL_MEM_READ_WRITE, 4, 16, NULL, &error);

    show("pipe", error);
    show("svm", svm != NULL);
    if (svm) {
        CHECK(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_WRITE, svm, 256, 0, NULL, NULL));
        CHECK(clEnqueueSVMMemFill(q, svm, &pattern, sizeof pattern, 256, 0, NULL, NULL));
        CHECK(clEnqueueSVMMemcpy(q, CL_TRUE, svm + 128, svm, 128, 0, NULL, NULL));
        CHECK(clEnqueueSVMUnmap(q, svm, 0, NULL, NULL));
        CHECK(clFinish(q));
        clSVMFree(c->context, svm);
    }
    if (pipe)
        CHECK(clReleaseMemObject(pipe));
    if (s) {
        CHECK(clRetainSampler(s));
        CHECK(clReleaseSampler(s));
        CHECK(clReleaseSampler(s));
    }
}

/* The same program by every way that there is. */
static void programs(const struct client *c)
{
    const char *halves[] = {"__kernel void half_a(__global int *p) { p[get_global_id(0)] = 1; }\n", ""};
    const size_t lengths[] = {strlen(halves[0]), 0};
    cl_program p = clCreateProgramWithSource(c->context, 2, halves, lengths, NULL), linked, binary;
    unsigned char *bytes = NULL;
    cl_kernel kernels[4];
    cl_uint made = 0;
    char text[4096];
    size_t size = 0;
    cl_int error, status;

    CHECK(clRetainProgram(p));
    show("compile", clCompileProgram(p, 1, &c->device, "-w", 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(c->context, 1, &c->device, NULL, 1, &p, NULL, NULL, &error);
    show("link", error);
    if (linked)
        CHECK(clReleaseProgram(linked));
    CHECK(clBuildProgram(p, 1, &c->device, "-DA=1", program_done, "with callback"));
    CHECK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    CHECK(clGetProgramBuildInfo(p, c->device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL));
    show("bad options", clBuildProgram(p, 1, &c->device, "-no-such-option", NULL, NULL));
    CHECK(clBuildProgram(p, 1, &c->device, "", NULL, NULL));
    CHECK(clCreateKernelsInProgram(p, 4, kernels, &made));
    for (cl_uint i = 0; i < made; i++)
        CHECK(clReleaseKernel(kernels[i]));
    CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    bytes = malloc(size);
    CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    binary = clCreateProgramWithBinary(c->context, 1, &c->device, &size, (const unsigned char **)&bytes,
                                       &status, &error);
    CHECK(error);
    CHECK(clBuildProgram(binary, 1, &c->device, NULL, NULL, NULL));
    CHECK(clReleaseProgram(binary));
    free(bytes);
    clCreateProgramWithIL(c->context, "", 0, &error);
    show("empty intermediate language refused", error != CL_SUCCESS);
    CHECK(clReleaseProgram(p));
    CHECK(clReleaseProgram(p));
}

static void show_event(const char *name, cl_event e)
{
    cl_command_type type;
    cl_uint references;
    cl_int status;
    cl_ulong end;

    CHECK(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK(clGetEventInfo(e, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
    CHECK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    printf("event %s: type %x, references %u, status %d, times %d\n", name, type, references, status,
           clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
}

/* Chains of events: user events, markers, barriers, callbacks; in and out of order. */
static void chains(const struct client *c, cl_kernel k, cl_command_queue_properties bits)
{
    const size_t global = ITEMS;
    cl_command_queue q = queue_with(c, bits);
    cl_event user = clCreateUserEvent(c->context, NULL), e[4];

    CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 1, &user, &e[0]));
    CHECK(clSetEventCallback(e[0], CL_COMPLETE, event_done, "launch"));
    CHECK(clEnqueueMarkerWithWaitList(q, 1, &e[0], &e[1]));
    CHECK(clEnqueueBarrierWithWaitList(q, 0, NULL, &e[2]));
    CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 2, &e[1], &e[3]));
    CHECK(clRetainEvent(e[3]));
    for (int i = 0; i < 4; i++)
        show_event("waiting", e[i]);
    CHECK(clFlush(q));
    CHECK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK(clWaitForEvents(1, &e[3]));
    for (int i = 0; i < 4; i++)
        show_event("done", e[i]);
    CHECK(clReleaseEvent(e[3]));
    for (int i = 0; i < 4; i++)
        CHECK(clReleaseEvent(e[i]));
    CHECK(clReleaseEvent(user));
    CHECK(clEnqueueBarrier(q));
    CHECK(clEnqueueMarker(q, &e[0]));
    CHECK(clEnqueueWaitForEvents(q, 1, &e[0]));
    CHECK(clReleaseEvent(e[0]));
    CHECK(clFinish(q));
    CHECK(clReleaseCommandQueue(q));
}

static void launches(const struct client *c, cl_command_queue q, cl_kernel k, long count, const char *name)
{
    const size_t global = ITEMS, local = 64, offset = 0;
    cl_event e;

    printf("launches: %s\n", name);
    for (long i = 0; i < count; i++) {
        const struct timespec pause = {.tv_nsec = 2000000};
        /* A marker in the log: no other call does so little. */
        CHECK(clUnloadPlatformCompiler(c->platform));
        CHECK(clEnqueueNDRangeKernel(q, k, 1, i % 2 ? &offset : NULL, &global, &local, 0, NULL,
                                     i % 3 ? NULL : &e));
        if (i % 3 == 0) {
            show_event(name, e);
            CHECK(clReleaseEvent(e));
        }
        if (i < count / 2) /* time for a helper */
            nanosleep(&pause, NULL);
    }
    CHECK(clFinish(q));
}

/* The driver's own word on a local size, asked for in right and wrong ways. */
static void suggested(const struct client *c, cl_command_queue q, cl_kernel k)
{
    typedef cl_int(CL_API_CALL * suggest)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                          const size_t *, size_t *);
    const size_t global = ITEMS;
    size_t local = 0;
    union {
        void *address;
        suggest call;
    } f = {.address =
               clGetExtensionFunctionAddressForPlatform(c->platform, "clGetKernelSuggestedLocalWorkSizeKHR")};

    show("suggestions", f.address != NULL);
    if (!f.address)
        return;
    show("suggested", f.call(q, k, 1, NULL, &global, &local));
    show("size", (long)local);
    show("dimensions", f.call(q, k, 4, NULL, &global, &local));
    show("queue", f.call((cl_command_queue)c->context, k, 1, NULL, &global, &local));
    show("nowhere", f.call(q, k, 1, NULL, &global, NULL));
}

static void kernels(const struct client *c, cl_command_queue q, long count)
{
    cl_mem in = client_buffer(c, ITEMS * 4), out = client_buffer(c, ITEMS * 4);
    cl_kernel k, clone, sum;
    cl_uint references;
    const int n = 3;
    cl_int error;

    k = clCreateKernel(c->program, "twice", &error);
    CHECK(error);
    CHECK(clSetKernelArg(k, 0, sizeof in, &in));
    CHECK(clSetKernelArg(k, 1, sizeof out, &out));
    CHECK(clRetainKernel(k));
    CHECK(clReleaseKernel(k));
    CHECK(clGetKernelInfo(k, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, NULL));
    show("kernel references", references);
    launches(c, q, k, count, "twice");
    suggested(c, q, k);
    clone = clCloneKernel(k, &error);
    show("clone", error);
    if (clone) {
        launches(c, q, clone, 4, "clone");
        CHECK(clReleaseKernel(clone));
    }
    sum = clCreateKernel(c->program, "sum", &error);
    CHECK(error);
    CHECK(clSetKernelArg(sum, 0, sizeof in, &in));
    CHECK(clSetKernelArg(sum, 1, sizeof out, &out));
    CHECK(clSetKernelArg(sum, 2, 64 * sizeof(float), NULL));
    CHECK(clSetKernelArg(sum, 3, sizeof n, &n));
    launches(c, q, sum, 4, "sum");
    CHECK(clEnqueueTask(q, sum, 0, NULL, NULL));
    CHECK(clFinish(q));
    chains(c, k, 0);
    chains(c, k, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    CHECK(clReleaseKernel(sum));
    CHECK(clReleaseKernel(k));
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 8;
    struct client c;
    cl_command_queue q;
    cl_uint references;

    client_start(&c);
    q = clCreateCommandQueue(c.context, c.device, 0, NULL);
    queues(&c);
    memory(&c, q);
    other_memory(&c, q);
    programs(&c);
    kernels(&c, q, count);
    CHECK(clGetContextInfo(c.context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL));
    show("context references", references);
    CHECK(clRetainContext(c.context));
    CHECK(clReleaseContext(c.context));
    CHECK(clReleaseCommandQueue(q));
    client_end(&c);
    return 0;
}
