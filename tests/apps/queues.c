/* queues - threads, each with its own queue, that launch one kernel over ranges of different widths, several
 * of them in flight.  What comes first is the widest, alone.
 *
 * PoCL 3.1 keeps code by kernel, local size and the greatest width it was needed for; commands that are in
 * flight while a wider one comes make it forget how often the code is in use.  An assertion ends the process
 * then.  Bare this program is safe, since no wider range follows; with a local size that is new it would not
 * be.
 *
 * >>> scramble: allowed, refused several-queues
 */
#include "common.h"

#include <pthread.h>

#define WORKERS   8
#define IN_FLIGHT 8

static const char *source = "__kernel void scramble(__global const uint *in, __global uint *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    uint v = in[i];\n"
                            "    for (int k = 0; k < 20; k++)\n"
                            "        v = v * 2654435761u + (v >> 7);\n"
                            "    out[i] = v;\n"
                            "}\n";

struct worker {
    struct app *app;
    cl_program program;
    size_t n; /* width of its range */
    cl_mem in;
    cl_uint *out;
    struct app_times times;
    pthread_t thread;
};

static void launch(const struct worker *w, cl_command_queue queue, cl_kernel kernel)
{
    CL_CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &w->n, app_local(w->app, (size_t[]){8, 1, 1}), 0,
                                    NULL, NULL));
}

static cl_kernel kernel_of(const struct worker *w, cl_mem out)
{
    cl_kernel kernel = app_kernel(w->program, "scramble");

    CL_CHECK(clSetKernelArg(kernel, 0, sizeof w->in, &w->in));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof out, &out));
    return kernel;
}

static void *work(void *argument)
{
    struct worker *w = argument;
    const size_t bytes = w->n * sizeof *w->out;
    cl_int status;
    cl_command_queue queue = clCreateCommandQueue(w->app->context, w->app->device, 0, &status);
    CL_CHECK(status);
    cl_mem out = app_buffer(w->app, bytes, NULL);
    cl_kernel kernel = kernel_of(w, out);
    for (unsigned i = 0; i < w->app->launches; i += IN_FLIGHT) {
        double begin = app_now_ms();
        for (unsigned k = 0; k < IN_FLIGHT; k++)
            launch(w, queue, kernel);
        CL_CHECK(clFinish(queue));
        app_times_add(&w->times, app_now_ms() - begin);
    }
    CL_CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, w->out, 0, NULL, NULL));
    CL_CHECK(clReleaseMemObject(out));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseCommandQueue(queue));
    return NULL;
}

/* One launch of the worker's range, in the only queue that there is so far. */
static void launch_alone(const struct worker *w)
{
    cl_mem out = app_buffer(w->app, w->n * sizeof *w->out, NULL);
    cl_kernel kernel = kernel_of(w, out);

    launch(w, w->app->queue, kernel);
    CL_CHECK(clFinish(w->app->queue));
    CL_CHECK(clReleaseMemObject(out));
    CL_CHECK(clReleaseKernel(kernel));
}

static void check(struct app *app, struct worker *w)
{
    for (size_t i = 0; i < w->n; i++) {
        cl_uint v = (cl_uint)i * 3;
        for (int k = 0; k < 20; k++)
            v = v * 2654435761u + (v >> 7);
        app_expect_int(app, i, w->out[i], v);
    }
    app_checksum(app, "out", w->out, w->n * sizeof *w->out);
    free(w->out);
}

int main(int argc, char **argv)
{
    struct app app;
    struct worker *workers = app_alloc(WORKERS * sizeof *workers);
    cl_uint *in;

    app_begin(&app, "queues", argc, argv, (struct app_defaults){1 << 15, 2000, 1 << 9, 16});
    in = app_alloc(app.n * sizeof *in);
    for (size_t i = 0; i < app.n; i++)
        in[i] = (cl_uint)i * 3;
    cl_program program = app_build(&app, source, NULL);
    cl_mem input = app_buffer(&app, app.n * sizeof *in, in);
    for (unsigned t = 0; t < WORKERS; t++) {
        const size_t n = app.n / WORKERS * (WORKERS - t);
        workers[t] = (struct worker){
            .app = &app, .program = program, .n = n, .in = input, .out = app_alloc(n * sizeof *in)};
    }
    launch_alone(&workers[0]);
    for (unsigned t = 0; t < WORKERS; t++)
        if (pthread_create(&workers[t].thread, NULL, work, &workers[t]))
            return 1;
    for (unsigned t = 0; t < WORKERS; t++)
        pthread_join(workers[t].thread, NULL);
    for (unsigned t = 0; t < WORKERS; t++) {
        app_times_print(&app, &workers[t].times, "scramble", 1, app_local(&app, (size_t[]){8, 1, 1}));
        check(&app, &workers[t]);
    }
    free(in);
    free(workers);
    CL_CHECK(clReleaseMemObject(input));
    CL_CHECK(clReleaseProgram(program));
    return app_end(&app);
}
