/* callback - every launch is made in the callback of the one before, in whatever thread the driver calls
 * back.
 *
 * Two buffers take turns, so that arguments are set there as well.  Nobody holds an event for longer than it
 * takes to ask for its callback.
 *
 * >>> advance: tuned
 */
#include "common.h"

#include <stdatomic.h>

static const char *source = "__kernel void advance(__global const uint *in, __global uint *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * 3u + (uint)i;\n"
                            "}\n";

struct chain {
    struct app *app;
    cl_kernel kernel;
    cl_mem buffer[2]; /* launch number i reads i % 2 */
    const size_t *local;
    double begin_ms;
    struct app_times times;
    unsigned made;
    atomic_bool done;
};

static void launch(struct chain *c);

static void CL_CALLBACK completed(cl_event event, cl_int status, void *data)
{
    struct chain *c = data;

    (void)event;
    app_check(status, "a launch", __FILE__, __LINE__);
    app_times_add(&c->times, app_now_ms() - c->begin_ms);
    if (c->made < c->app->launches)
        launch(c);
    else
        atomic_store(&c->done, true);
}

static void launch(struct chain *c)
{
    const unsigned i = c->made++;
    cl_event event;

    c->begin_ms = app_now_ms();
    CL_CHECK(clSetKernelArg(c->kernel, 0, sizeof(cl_mem), &c->buffer[i % 2]));
    CL_CHECK(clSetKernelArg(c->kernel, 1, sizeof(cl_mem), &c->buffer[(i + 1) % 2]));
    CL_CHECK(
        clEnqueueNDRangeKernel(c->app->queue, c->kernel, 1, NULL, &c->app->n, c->local, 0, NULL, &event));
    CL_CHECK(clSetEventCallback(event, CL_COMPLETE, completed, c));
    CL_CHECK(clReleaseEvent(event));
    CL_CHECK(clFlush(c->app->queue));
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "callback", argc, argv, (struct app_defaults){1 << 20, 100, 4096, 4});
    const size_t bytes = app.n * sizeof(cl_uint);
    cl_uint *values = app_alloc(bytes);
    for (size_t i = 0; i < app.n; i++)
        values[i] = (cl_uint)i * 7u;

    cl_program program = app_build(&app, source, NULL);
    struct chain c = {.app = &app,
                      .kernel = app_kernel(program, "advance"),
                      .buffer = {app_buffer(&app, bytes, values), app_buffer(&app, bytes, NULL)},
                      .local = app_local(&app, (size_t[]){4, 1, 1})};
    launch(&c);
    while (!atomic_load(&c.done))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    app_times_print(&app, &c.times, "advance", 1, c.local);

    cl_uint *out = app_alloc(bytes);
    app_read(&app, c.buffer[app.launches % 2], bytes, out);
    for (size_t i = 0; i < app.n; i++) {
        for (unsigned j = 0; j < app.launches; j++)
            values[i] = values[i] * 3u + (cl_uint)i;
        app_expect_int(&app, i, out[i], values[i]);
    }
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(c.buffer[0]));
    CL_CHECK(clReleaseMemObject(c.buffer[1]));
    CL_CHECK(clReleaseKernel(c.kernel));
    CL_CHECK(clReleaseProgram(program));
    free(values);
    free(out);
    return app_end(&app);
}
