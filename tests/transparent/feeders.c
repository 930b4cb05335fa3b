/* feeders - one in-order queue, two threads that do not ask each other: one launches, the other fills a
 * buffer.
 *
 *   feeders ITEMS LAUNCHES [FIRST [LIST [FUNCTION]]]
 *
 * The second thread comes when launch number FIRST (default: 0, never) is about to be made; -1: there is
 * none, but the queue was made by a thread that has ended, and the one that launches may have its pthread_t.
 * Each launch waits for LIST events that are complete.  FUNCTION, of an extension, is asked for first, and
 * not called. The log of the driver tells what came between. */
#include "client.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#define LONGEST 1000
#define LAST    5 /* launches that the second thread is awaited for */

struct feeders {
    struct client c;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem in, out;
    size_t items;
    unsigned launches, first, list;
    bool follows;
    cl_event events[LONGEST];
    atomic_uint begun, filled;
    atomic_bool over;
};

static void *fill(void *data)
{
    struct feeders *f = data;
    const struct timespec moment = {.tv_nsec = 100000};
    const int zero = 0;

    while (atomic_load(&f->begun) < f->first)
        sched_yield();
    while (!atomic_load(&f->over)) {
        nanosleep(&moment, NULL);
        CHECK(clEnqueueFillBuffer(f->queue, f->in, &zero, sizeof zero, 0, 64, 0, NULL, NULL));
        atomic_fetch_add(&f->filled, 1);
    }
    return NULL;
}

static void launch(struct feeders *f)
{
    const size_t local = 64;

    atomic_fetch_add(&f->begun, 1);
    CHECK(clEnqueueNDRangeKernel(f->queue, f->kernel, 1, NULL, &f->items, f->items % local ? NULL : &local,
                                 f->list, f->list ? f->events : NULL, NULL));
    CHECK(clFlush(f->queue));
}

static void *launch_all(void *data)
{
    const struct timespec moment = {.tv_nsec = 200000};
    struct feeders *f = data;

    for (unsigned i = 0; i < f->launches; i++) {
        while (f->first && i + LAST == f->launches && !atomic_load(&f->filled))
            sched_yield();
        launch(f);
        nanosleep(&moment, NULL);
    }
    return NULL;
}

static void *make(void *data)
{
    struct feeders *f = data;
    cl_int error;

    client_start(&f->c);
    f->queue = clCreateCommandQueue(f->c.context, f->c.device, 0, &error);
    CHECK(error);
    f->kernel = clCreateKernel(f->c.program, "twice", &error);
    CHECK(error);
    f->in = client_buffer(&f->c, f->items * 4);
    f->out = client_buffer(&f->c, f->items * 4);
    CHECK(clSetKernelArg(f->kernel, 0, sizeof f->in, &f->in));
    CHECK(clSetKernelArg(f->kernel, 1, sizeof f->out, &f->out));
    if (f->list)
        CHECK(clEnqueueMarkerWithWaitList(f->queue, 0, NULL, &f->events[0]));
    for (unsigned i = 1; i < f->list; i++)
        f->events[i] = f->events[0];
    CHECK(clFinish(f->queue));
    return NULL;
}

/* Here, or in a thread of its own that has ended when this returns. */
static void call(struct feeders *f, void *(*function)(void *))
{
    pthread_t t;

    if (!f->follows)
        function(f);
    else if (pthread_create(&t, NULL, function, f) || pthread_join(t, NULL))
        exit(1);
}

static void unmake(struct feeders *f)
{
    if (f->list)
        CHECK(clReleaseEvent(f->events[0]));
    CHECK(clReleaseMemObject(f->in));
    CHECK(clReleaseMemObject(f->out));
    CHECK(clReleaseKernel(f->kernel));
    CHECK(clReleaseCommandQueue(f->queue));
    client_end(&f->c);
}

int main(int argc, char **argv)
{
    static struct feeders f;
    pthread_t other;

    if (argc < 3)
        return 2;
    f.items = strtoul(argv[1], NULL, 10);
    f.launches = (unsigned)atoi(argv[2]);
    f.follows = argc > 3 && atoi(argv[3]) < 0;
    f.first = argc > 3 && !f.follows ? (unsigned)atoi(argv[3]) : 0;
    f.list = argc > 4 ? (unsigned)atoi(argv[4]) : 0;
    if (f.list > LONGEST)
        return 2;
    call(&f, make);
    if (argc > 5)
        printf("%s: %d\n", argv[5], clGetExtensionFunctionAddressForPlatform(f.c.platform, argv[5]) != NULL);
    if (f.first && pthread_create(&other, NULL, fill, &f))
        return 1;
    call(&f, launch_all);
    CHECK(clFinish(f.queue));
    atomic_store(&f.over, true);
    if (f.first)
        pthread_join(other, NULL);
    unmake(&f);
    printf("%u launches\n", f.launches);
    return 0;
}
