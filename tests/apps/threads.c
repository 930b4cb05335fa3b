/* threads - two threads, each with its own queue, kernel and buffers, in one context.
 *
 * Kernel objects may not be shared between threads, contexts and programs may.  The first thread's launches
 * are short, the second's long, but their ranges are as wide: see queues.c.
 *
 * >>> scramble: tuned
 */
#include "common.h"

#include <pthread.h>

static const char *source = "__kernel void scramble(__global const uint *in, __global uint *out, uint salt)\n"
                            "{\n"
                            "    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
                            "    uint v = in[i] ^ salt;\n"
                            "    out[i] = v * 2654435761u + (v >> 7);\n"
                            "}\n";

struct worker {
    struct app *app;
    cl_program program;
    size_t n, width;
    cl_uint salt;
    cl_uint *in, *out;
    struct app_times times;
    pthread_t thread;
};

static void *work(void *argument)
{
    struct worker *w = argument;
    size_t bytes = w->n * sizeof(cl_uint), global[2] = {w->width, w->n / w->width};
    cl_int status;
    cl_command_queue queue = clCreateCommandQueue(w->app->context, w->app->device, 0, &status);
    CL_CHECK(status);
    cl_kernel kernel = app_kernel(w->program, "scramble");
    cl_mem din = app_buffer(w->app, bytes, w->in), dout = app_buffer(w->app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    for (unsigned i = 0; i < w->app->launches; i++) {
        cl_uint salt = w->salt + i;
        double begin = app_now_ms();
        CL_CHECK(clSetKernelArg(kernel, 2, sizeof salt, &salt));
        CL_CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global,
                                        app_local(w->app, (size_t[]){8, 1, 1}), 0, NULL, NULL));
        CL_CHECK(clFinish(queue));
        app_times_add(&w->times, app_now_ms() - begin);
    }
    CL_CHECK(clEnqueueReadBuffer(queue, dout, CL_TRUE, 0, bytes, w->out, 0, NULL, NULL));
    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseCommandQueue(queue));
    return NULL;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "threads", argc, argv, (struct app_defaults){1 << 21, 400, 1024, 4});
    cl_program program = app_build(&app, source, NULL);
    struct worker *workers = app_alloc(2 * sizeof *workers);
    for (unsigned t = 0; t < 2; t++) {
        struct worker *w = &workers[t];
        *w = (struct worker){.app = &app,
                             .program = program,
                             .n = t ? app.n : app.n / 16,
                             .width = app.n >= 1 << 12 ? 1 << 11 : 1 << 5,
                             .salt = 100 * t};
        w->in = app_alloc(w->n * sizeof *w->in);
        w->out = app_alloc(w->n * sizeof *w->out);
        for (size_t i = 0; i < w->n; i++)
            w->in[i] = (cl_uint)(i * 3 + t);
        if (pthread_create(&w->thread, NULL, work, w))
            return 1;
    }
    for (unsigned t = 0; t < 2; t++) {
        struct worker *w = &workers[t];
        pthread_join(w->thread, NULL);
        app_times_print(&app, &w->times, "scramble", 2, app_local(&app, (size_t[]){8, 1, 1}));
        for (size_t i = 0; i < w->n; i++) {
            cl_uint v = w->in[i] ^ (w->salt + app.launches - 1);
            app_expect_int(&app, i, w->out[i], v * 2654435761u + (v >> 7));
        }
        app_checksum(&app, t ? "second" : "first", w->out, w->n * sizeof *w->out);
        free(w->in);
        free(w->out);
    }
    free(workers);
    CL_CHECK(clReleaseProgram(program));
    return app_end(&app);
}
