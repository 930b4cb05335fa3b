/* profqueue - a queue with CL_QUEUE_PROFILING_ENABLE, and one without.
 *
 * On the first, every launch's event must have QUEUED <= SUBMIT <= START <= END, and a launch must not start
 * before the one before it ended (rusticl 22.3 on llvmpipe has no usable clock: it reports a resolution of
 * 0).  An event that is held is one more reference to the queue, and keeps its times.  On the second queue,
 * asking for times must give the driver's own answer, even if somebody in between needed profiling for
 * himself.  The standard says CL_PROFILING_INFO_NOT_AVAILABLE, -7; PoCL 3.1 does, rusticl 22.3 and Oclgrind
 * 21.10 give times.
 *
 * >>> blend: tuned
 */
#include "common.h"

#include <time.h>

static const char *source =
    "__kernel void blend(__global const float *a, __global const float *b, __global float *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = 0.75f * a[i] + 0.25f * b[i];\n"
    "}\n";

static cl_ulong event_time(cl_event event, cl_profiling_info which)
{
    cl_ulong ns = 0;
    CL_CHECK(clGetEventProfilingInfo(event, which, sizeof ns, &ns, NULL));
    return ns;
}

static cl_event launch(struct app *app, cl_command_queue queue, cl_kernel kernel, const size_t *local)
{
    cl_event event;
    CL_CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &app->n, local, 0, NULL, &event));
    CL_CHECK(clWaitForEvents(1, &event));
    return event;
}

/* The least number of references to the queue within 0.1 s: drivers let go of commands some time after their
 * end. */
static cl_uint references(cl_command_queue queue)
{
    cl_uint least = UINT32_MAX, n = 0;
    for (unsigned ms = 0; ms < 100; ms++) {
        CL_CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof n, &n, NULL));
        least = n < least ? n : least;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return least;
}

static void profiled(struct app *app, cl_kernel kernel, const size_t *local)
{
    struct app_times times = {0};
    cl_ulong last_end = 0;
    size_t resolution;
    cl_int status;
    CL_CHECK(clGetDeviceInfo(app->device, CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof resolution,
                             &resolution, NULL));
    cl_command_queue queue =
        clCreateCommandQueue(app->context, app->device, CL_QUEUE_PROFILING_ENABLE, &status);
    CL_CHECK(status);
    for (unsigned i = 0; i < app->launches; i++) {
        cl_event event = launch(app, queue, kernel, local);
        cl_ulong queued = event_time(event, CL_PROFILING_COMMAND_QUEUED);
        cl_ulong submit = event_time(event, CL_PROFILING_COMMAND_SUBMIT);
        cl_ulong start = event_time(event, CL_PROFILING_COMMAND_START);
        cl_ulong end = event_time(event, CL_PROFILING_COMMAND_END);
        if (resolution > 0) {
            app_expect_int(app, i, queued <= submit && submit <= start && start <= end, true);
            app_expect_int(app, i, last_end <= start, true);
        }
        app_times_add(&times, (double)(end - start) * 1e-6);
        last_end = end;
        CL_CHECK(clReleaseEvent(event));
    }
    app_times_print(app, &times, "blend", 1, local);
    cl_event held = launch(app, queue, kernel, local);
    cl_ulong queued = event_time(held, CL_PROFILING_COMMAND_QUEUED);
    cl_ulong start = event_time(held, CL_PROFILING_COMMAND_START);
    CL_CHECK(clFinish(queue));
    printf("profqueue: references to the queue: %u\n", references(queue));
    app_expect_int(app, 0, event_time(held, CL_PROFILING_COMMAND_QUEUED) == queued, true);
    app_expect_int(app, 0, event_time(held, CL_PROFILING_COMMAND_START) == start, true);
    CL_CHECK(clReleaseEvent(held));
    CL_CHECK(clReleaseCommandQueue(queue));
}

static void not_profiled(struct app *app, cl_kernel kernel, const size_t *local)
{
    cl_command_queue_properties properties = ~(cl_command_queue_properties)0;
    cl_ulong ns;
    CL_CHECK(clGetCommandQueueInfo(app->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    printf("profqueue: properties of a plain queue: %llu\n", (unsigned long long)properties);
    for (unsigned i = 0; i < app->launches; i++) {
        cl_event event = launch(app, app->queue, kernel, local);
        cl_int status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof ns, &ns, NULL);
        printf("profqueue: profiling info of a plain queue: %d\n", status);
        CL_CHECK(clReleaseEvent(event));
    }
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "profqueue", argc, argv, (struct app_defaults){1 << 22, 60, 1024, 4});
    size_t n = app.n, bytes = n * sizeof(float);
    const size_t *local = app_local(&app, (size_t[]){4, 1, 1});
    float *a = app_random_floats(n, 1), *b = app_random_floats(n, 2), *out = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "blend");
    cl_mem da = app_buffer(&app, bytes, a), db = app_buffer(&app, bytes, b),
           dout = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof da, &da));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof db, &db));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof dout, &dout));
    profiled(&app, kernel, local);
    not_profiled(&app, kernel, local);

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_near(&app, i, out[i], 0.75f * a[i] + 0.25f * b[i]);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(da));
    CL_CHECK(clReleaseMemObject(db));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(a);
    free(b);
    free(out);
    return app_end(&app);
}
