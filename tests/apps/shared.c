/* shared - two threads on one in-order queue and one buffer, each in its own half of it.
 *
 * The first thread's kernel changes the lower half in place; the second writes the upper half and reads back
 * what it wrote.  What the queue is given in which order is nobody's business, but the halves have nothing to
 * do with each other.
 *
 * >>> grow: tuned
 */
#include "common.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static const char *source = "__kernel void grow(__global uint *data)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    data[i] = data[i] * 5 + 1;\n"
                            "}\n";

struct other {
    struct app *app;
    cl_mem data;
    atomic_bool begun, stop;
    pthread_t thread;
    unsigned lost;
};

static void *write_and_read(void *argument)
{
    struct other *o = argument;
    const size_t bytes = o->app->n * sizeof(cl_uint);
    cl_uint *sent = app_alloc(bytes), *got = app_alloc(bytes);
    for (cl_uint round = 0; !atomic_load(&o->stop); round++) {
        for (size_t i = 0; i < o->app->n; i++)
            sent[i] = round + (cl_uint)i;
        CL_CHECK(clEnqueueWriteBuffer(o->app->queue, o->data, CL_TRUE, bytes, bytes, sent, 0, NULL, NULL));
        atomic_store(&o->begun, true);
        for (int again = 0; again < 4; again++) {
            CL_CHECK(clEnqueueReadBuffer(o->app->queue, o->data, CL_TRUE, bytes, bytes, got, 0, NULL, NULL));
            for (size_t i = 0; i < o->app->n; i++)
                o->lost += got[i] != sent[i];
        }
    }
    free(sent);
    free(got);
    return NULL;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "shared", argc, argv, (struct app_defaults){1 << 18, 200, 1 << 14, 5});
    const size_t n = app.n, bytes = 2 * n * sizeof(cl_uint);
    cl_uint *data = app_alloc(bytes);
    for (size_t i = 0; i < 2 * n; i++)
        data[i] = (cl_uint)i;

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "grow");
    struct other other = {.app = &app, .data = app_buffer(&app, bytes, data)};
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof other.data, &other.data));
    if (pthread_create(&other.thread, NULL, write_and_read, &other))
        return 1;
    while (!atomic_load(&other.begun))
        sched_yield();
    app_run(&app, kernel, 1, NULL, &n, app_local(&app, (size_t[]){8, 1, 1}));
    atomic_store(&other.stop, true);
    pthread_join(other.thread, NULL);
    app_expect_int(&app, n, other.lost, 0);
    CL_CHECK(clEnqueueReadBuffer(app.queue, other.data, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    for (size_t i = 0; i < n; i++) {
        cl_uint want = (cl_uint)i;
        for (unsigned k = 0; k < app.launches; k++)
            want = want * 5 + 1;
        app_expect_int(&app, i, data[i], want);
    }
    app_checksum(&app, "lower half", data, bytes / 2);

    CL_CHECK(clReleaseMemObject(other.data));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(data);
    return app_end(&app);
}
