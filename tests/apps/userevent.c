/* userevent - launches that cannot start until the host says so, after the enqueue has returned.
 *
 * The same thread enqueues a kernel behind a user event and completes the event afterwards.  Whoever waits
 * inside the enqueue waits for ever.  In every other round the event is not in the launch's own wait list but
 * in that of a marker further up the in-order queue, where it is easily overlooked.  (No clFlush in between:
 * Oclgrind 21.10 runs the whole queue inside clFlush and would wait there.)
 *
 * >>> scale: tuned
 */
#include "common.h"

static const char *source =
    "__kernel void scale(__global const float *in, __global float *out, float factor)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = in[i] * factor;\n"
    "}\n";

/* One round; returns milliseconds from the completion of the user event to the end of the kernel. */
static double held_launch(struct app *app, cl_kernel kernel, const size_t *local, bool through_marker)
{
    cl_int status;
    cl_event gate = clCreateUserEvent(app->context, &status), done;
    CL_CHECK(status);
    if (through_marker)
        CL_CHECK(clEnqueueMarkerWithWaitList(app->queue, 1, &gate, NULL));
    CL_CHECK(clEnqueueNDRangeKernel(app->queue, kernel, 1, NULL, &app->n, local, through_marker ? 0 : 1,
                                    through_marker ? NULL : &gate, &done));
    CL_CHECK(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    app_expect_int(app, 0, status == CL_COMPLETE, false);
    double begin = app_now_ms();
    CL_CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
    CL_CHECK(clWaitForEvents(1, &done));
    double ms = app_now_ms() - begin;
    CL_CHECK(clReleaseEvent(gate));
    CL_CHECK(clReleaseEvent(done));
    return ms;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "userevent", argc, argv, (struct app_defaults){1 << 21, 40, 1024, 4});
    size_t n = app.n, bytes = n * sizeof(float);
    const cl_float factor = 2.5f;
    float *in = app_random_floats(n, 1), *out = app_alloc(bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "scale");
    cl_mem din = app_buffer(&app, bytes, in), dout = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof factor, &factor));
    struct app_times times = {0};
    const size_t *local = app_local(&app, (size_t[]){4, 1, 1});
    for (unsigned i = 0; i < app.launches; i++)
        app_times_add(&times, held_launch(&app, kernel, local, i % 2));
    app_times_print(&app, &times, "scale", 1, local);

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_near(&app, i, out[i], in[i] * factor);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
