/* recorded - launches in a command buffer (cl_khr_command_buffer), reached through function addresses.
 *
 * `advance` is launched directly first, then recorded several times and replayed.  The program also looks at
 * functions that are there by address only, makes a queue with one of them, and asks for one that no driver
 * has.  Empty buffers are replayed on queues that are alike and on others.
 *
 * >>> advance: tuned, refused recorded-launch
 */
#define CL_ENABLE_BETA_EXTENSIONS /* command buffers, in headers since 2024 */
#include "common.h"

#include <CL/cl_ext.h>
#include <string.h>

#define RECORDED 3
#define REPLAYED 4

static const char *source = "__kernel void advance(__global const int *in, __global int *out, int add)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] + add;\n"
                            "}\n";

static struct {
    clCreateCommandBufferKHR_fn create;
    clReleaseCommandBufferKHR_fn release;
    clRetainCommandBufferKHR_fn retain;
    clFinalizeCommandBufferKHR_fn finalize;
    clEnqueueCommandBufferKHR_fn enqueue;
    clCommandNDRangeKernelKHR_fn launch;
    clCreateCommandQueueWithPropertiesKHR_fn queue;
} cl;

static bool look_up(struct app *app)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* functions come as data pointers */
#define FIND(name) clGetExtensionFunctionAddressForPlatform(app->platform, name)
    cl.create = (clCreateCommandBufferKHR_fn)FIND("clCreateCommandBufferKHR");
    cl.release = (clReleaseCommandBufferKHR_fn)FIND("clReleaseCommandBufferKHR");
    cl.retain = (clRetainCommandBufferKHR_fn)FIND("clRetainCommandBufferKHR");
    cl.finalize = (clFinalizeCommandBufferKHR_fn)FIND("clFinalizeCommandBufferKHR");
    cl.enqueue = (clEnqueueCommandBufferKHR_fn)FIND("clEnqueueCommandBufferKHR");
    cl.launch = (clCommandNDRangeKernelKHR_fn)FIND("clCommandNDRangeKernelKHR");
    cl.queue = (clCreateCommandQueueWithPropertiesKHR_fn)FIND("clCreateCommandQueueWithPropertiesKHR");
    printf("recorded unknown function: %s\n", FIND("clFrobnicateKHR") ? "there" : "absent");
#undef FIND
#pragma GCC diagnostic pop
    return cl.create && cl.release && cl.retain && cl.finalize && cl.enqueue && cl.launch;
}

/* The queue to replay on: made the extension's way where there is one. */
static cl_command_queue make_queue(struct app *app)
{
    cl_int status;
    cl_command_queue queue = cl.queue ? cl.queue(app->context, app->device, NULL, &status)
                                      : clCreateCommandQueue(app->context, app->device, 0, &status);
    cl_command_queue_properties properties;
    CL_CHECK(status);
    CL_CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    printf("recorded queue properties: %llx\n", (unsigned long long)properties);
    return queue;
}

/* An empty buffer, recorded on one queue and replayed on another. */
static void replay_on(const char *what, cl_command_queue recorded, cl_command_queue replayed)
{
    cl_int status;
    cl_command_buffer_khr buffer = cl.create(1, &recorded, NULL, &status);
    CL_CHECK(status);
    CL_CHECK(cl.finalize(buffer));
    status = cl.enqueue(1, &replayed, buffer, 0, NULL, NULL);
    printf("recorded %s: %d\n", what, status);
    CL_CHECK(clFinish(replayed));
    CL_CHECK(cl.release(buffer));
}

/* Drivers want queues to be alike.  Event times are one way in which they may differ. */
static void replay_elsewhere(struct app *app)
{
    const cl_command_queue_properties unordered = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_int status;
    cl_command_queue plain[2], other;
    for (int i = 0; i < 2; i++)
        plain[i] = make_queue(app);
    other = clCreateCommandQueue(app->context, app->device, CL_QUEUE_PROFILING_ENABLE, &status);
    CL_CHECK(status);
    replay_on("on a queue, replayed there", plain[0], plain[0]);
    replay_on("on a queue, replayed on one that is alike", plain[0], plain[1]);
    replay_on("on a queue, replayed on one with event times", plain[0], other);
    replay_on("on a queue with event times, replayed on one without", other, plain[0]);
    replay_on("on a queue with event times, replayed there", other, other);
    CL_CHECK(clReleaseCommandQueue(other));
    other = clCreateCommandQueue(app->context, app->device, unordered, &status);
    if (!status) {
        replay_on("on a queue, replayed out of order", plain[0], other);
        CL_CHECK(clReleaseCommandQueue(other));
    }
    for (int i = 0; i < 2; i++)
        CL_CHECK(clReleaseCommandQueue(plain[i]));
}

/* A kernel object for each command: PoCL 3.1 takes the arguments that were set last. */
static void replay(struct app *app, cl_program program, cl_mem a, cl_mem b, const size_t *n)
{
    const size_t local = 8;
    cl_command_queue queue = make_queue(app);
    cl_kernel kernels[RECORDED];
    cl_int status, add = 5;
    cl_command_buffer_khr buffer = cl.create(1, &queue, NULL, &status);
    CL_CHECK(status);
    for (int i = 0; i < RECORDED; i++) {
        cl_kernel kernel = kernels[i] = app_kernel(program, "advance");
        CL_CHECK(clSetKernelArg(kernel, 0, sizeof a, i % 2 ? &b : &a));
        CL_CHECK(clSetKernelArg(kernel, 1, sizeof b, i % 2 ? &a : &b));
        CL_CHECK(clSetKernelArg(kernel, 2, sizeof add, &add));
        CL_CHECK(cl.launch(buffer, NULL, NULL, kernel, 1, NULL, n, &local, 0, NULL, NULL, NULL));
        add *= 2;
    }
    CL_CHECK(cl.finalize(buffer));
    CL_CHECK(cl.retain(buffer));
    CL_CHECK(cl.release(buffer));
    for (int i = 0; i < REPLAYED; i++) {
        CL_CHECK(cl.enqueue(0, NULL, buffer, 0, NULL, NULL));
        CL_CHECK(clFinish(queue)); /* not made for simultaneous use */
    }
    CL_CHECK(cl.release(buffer));
    for (int i = 0; i < RECORDED; i++)
        CL_CHECK(clReleaseKernel(kernels[i]));
    CL_CHECK(clReleaseCommandQueue(queue));
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "recorded", argc, argv, (struct app_defaults){1 << 16, 200, 1024, 5});
    const size_t n = app.n, bytes = n * sizeof(cl_int);
    const cl_int one = 1;
    cl_int *data = app_alloc(bytes);
    if (!look_up(&app))
        return 77;
    for (size_t i = 0; i < n; i++)
        data[i] = (cl_int)i;

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "advance");
    cl_mem a = app_buffer(&app, bytes, data), b = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof a, &a));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof b, &b));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof one, &one));
    app_run(&app, kernel, 1, NULL, &n, app_local(&app, (size_t[]){8, 1, 1}));
    replay_elsewhere(&app);
    replay(&app, program, a, b, &n); /* b = a + 5, a = b + 10, b = a + 20, and again */
    app_read(&app, b, bytes, data);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, data[i], (cl_int)i + 15 * REPLAYED + 20);
    app_checksum(&app, "out", data, bytes);

    CL_CHECK(clReleaseMemObject(a));
    CL_CHECK(clReleaseMemObject(b));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(data);
    return app_end(&app);
}
