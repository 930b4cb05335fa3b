/* drive - one kernel, launched again and again, and what each call said: for drivers that are odd
 * (drivers.py).
 *
 *   drive X,Y LX,LY LAUNCHES [PAUSE-US [WAY]]      LX,LY 0: the driver's choice; Y 0: one dimension
 *
 * WAY, one or more of these letters:
 *   p   the queue has event times
 *   t   every event is asked for its times
 *   r   references to queue and context are counted while a launch's event is held
 *   o   the queue becomes one that is out of order, after it was made
 *   c   ... one that has event times
 *   q   each launch has a queue of its own
 *   a   launches take turns with two queues
 *   d   ... of two devices
 *   e   the launch's event is polled until it is complete, after a flush, but for a second at most
 *   w   the kernel's memory is one host allocation, imported twice (clImportMemoryARM), half of it shared
 *   v   ... and that call's address was asked for before all else, of no platform
 *   x   buffers are made with a flag of an extension
 *   h   the context has hints of cl_qcom_perf_hint
 *   n   nothing is waited for before the end
 *   m   a native kernel comes first, which waits until all launches are in the queue, half a second at most
 *   k   after the third launch a thread is cancelled in clFinish
 *   g   ... in clWaitForEvents
 *   b   ... in a blocking clEnqueueReadBuffer
 *   u   before all launches an on-device queue gets the handle of a queue that was released, and is asked for
 *       its properties
 *   f   the process forbids itself to open files before it waits for the first launch
 *   y   before the end: for how many programs does CLSIZER_CACHE hold a request for analysis?
 *
 * In the environment: DRIVE_HEAD is put before the kernel's source, DRIVE_TAIL behind it; with DRIVE_TICK=NS
 * everybody in this process who asks for the monotonic time finds that NS have passed since somebody asked
 * last, and nothing depends on how busy the machine is. */
#include "client.h"
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "tests/confine.h"

static const char *const source = "__kernel void twice(__global const int *in, __global int *out)\n"
                                  "{\n"
                                  "    size_t i = get_global_id(1) * WIDTH + get_global_id(0);\n"
                                  "    out[i] = in[i] * 2;\n"
                                  "}\n";

struct drive {
    struct client c;
    cl_command_queue queue, other; /* other: NULL unless two take turns */
    cl_program program;
    cl_kernel kernel;
    cl_mem in, out;
    cl_event marker;
    cl_uint dim;
    size_t global[2], local[2];
    unsigned launches;
    long pause_us;
    const char *way;
    void *early; /* clImportMemoryARM() */
    bool confined;
    unsigned failed, waits_failed, times, references;
    cl_int error; /* the last one */
};

static atomic_bool all_enqueued, in_time;

/* clsizer's clocks (shim/guest/clock.c): with DRIVE_TICK, time goes on by so many ns whenever it is asked
 * for, and the process keeps more cores busy than there are. */
__attribute__((visibility("default"))) int clsizer_test_clock(clockid_t id, struct timespec *t);
int clsizer_test_clock(clockid_t id, struct timespec *t)
{
    static _Atomic long long now = 1000000000;
    const bool is_time = id == CLOCK_MONOTONIC;
    const char *tick = is_time || id == CLOCK_PROCESS_CPUTIME_ID ? getenv("DRIVE_TICK") : NULL;
    long long ns;

    if (!tick)
        return (int)syscall(SYS_clock_gettime, id, t);
    ns = is_time ? atomic_fetch_add(&now, atoll(tick)) : 64 * atomic_load(&now);
    *t = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    return 0;
}

static bool has(const struct drive *d, char letter)
{
    return strchr(d->way, letter) != NULL;
}

static cl_mem import(const struct drive *d, char *memory, size_t bytes)
{
    typedef cl_mem CL_API_CALL importer(cl_context, cl_mem_flags, const intptr_t *, void *, size_t, cl_int *);
    importer *import_memory;
    cl_int error;
    cl_mem m;

    *(void **)&import_memory =
        has(d, 'v') ? d->early : clGetExtensionFunctionAddressForPlatform(d->c.platform, "clImportMemoryARM");
    if (!import_memory)
        exit(77);
    m = import_memory(d->c.context, CL_MEM_READ_WRITE, NULL, memory, bytes, &error);
    CHECK(error);
    return m;
}

static cl_mem buffer(const struct drive *d, size_t bytes)
{
    const cl_mem_flags foreign = (cl_mem_flags)1 << 29; /* CL_MEM_EXT_HOST_PTR_QCOM */
    cl_int error;
    cl_mem m =
        clCreateBuffer(d->c.context, CL_MEM_READ_WRITE | (has(d, 'x') ? foreign : 0), bytes, NULL, &error);

    CHECK(error);
    return m;
}

static cl_command_queue make_queue(const struct drive *d, cl_device_id device)
{
    cl_int error;
    cl_command_queue q =
        clCreateCommandQueue(d->c.context, device, has(d, 'p') ? CL_QUEUE_PROFILING_ENABLE : 0, &error);

    CHECK(error);
    if (has(d, 'o') || has(d, 'c')) {
        cl_command_queue_properties old = 0;
        error = clSetCommandQueueProperty(q,
                                          (has(d, 'o') ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
                                              (has(d, 'c') ? CL_QUEUE_PROFILING_ENABLE : 0),
                                          CL_TRUE, &old);
        printf("changed: %d, it was %#llx\n", error, (unsigned long long)old);
    }
    return q;
}

static void recycle_queue(const struct drive *d)
{
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue first = make_queue(d, d->c.device), q;
    cl_command_queue_properties bits = 0;
    cl_int error;

    CHECK(clReleaseCommandQueue(first));
    q = clCreateCommandQueueWithProperties(d->c.context, d->c.device, list, &error);
    CHECK(error);
    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    printf("on the device: %#llx, %s\n", (unsigned long long)bits, q == first ? "recycled" : "new");
    CHECK(clReleaseCommandQueue(q));
}

static void make(struct drive *d)
{
    const cl_context_properties hints[] = {0x40C2, 0x40C3, 0x40C9, 0x40CA, 0};
    const size_t bytes = d->global[0] * (d->dim > 1 ? d->global[1] : 1) * sizeof(int);
    cl_device_id devices[2] = {NULL};
    char options[64];
    char *memory = has(d, 'w') ? calloc(3, bytes / 2) : NULL;
    const char *text[3] = {getenv("DRIVE_HEAD") ? getenv("DRIVE_HEAD") : "", source, getenv("DRIVE_TAIL")};
    cl_int error;

    CHECK(clGetPlatformIDs(1, &d->c.platform, NULL));
    CHECK(clGetDeviceIDs(d->c.platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL));
    d->c.device = devices[0];
    d->c.context =
        clCreateContext(has(d, 'h') ? hints : NULL, has(d, 'd') ? 2 : 1, devices, NULL, NULL, &error);
    CHECK(error);
    d->program = clCreateProgramWithSource(d->c.context, text[2] ? 3 : 2, text, NULL, &error);
    CHECK(error);
    snprintf(options, sizeof options, "-DWIDTH=%zu", d->global[0]);
    CHECK(clBuildProgram(d->program, 0, NULL, options, NULL, NULL));
    d->kernel = clCreateKernel(d->program, "twice", &error);
    CHECK(error);
    if (has(d, 'u'))
        recycle_queue(d);
    d->queue = make_queue(d, d->c.device);
    d->other = has(d, 'a') ? make_queue(d, d->c.device) : has(d, 'd') ? make_queue(d, devices[1]) : NULL;
    d->in = memory ? import(d, memory, bytes) : buffer(d, bytes);
    d->out = memory ? import(d, memory + bytes / 2, bytes) : buffer(d, bytes);
    CHECK(clSetKernelArg(d->kernel, 0, sizeof d->in, &d->in));
    CHECK(clSetKernelArg(d->kernel, 1, sizeof d->out, &d->out));
}

/* As programs do that have something else to do meanwhile. */
static void poll_event(cl_event e)
{
    cl_int status = CL_QUEUED;

    for (unsigned i = 0; i < 1000 && status > CL_COMPLETE; i++) {
        CHECK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        if (status > CL_COMPLETE)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void note(struct drive *d, cl_int error, unsigned *count)
{
    *count += error != CL_SUCCESS;
    d->error = error ? error : d->error;
}

/* A thread that ends while it waits, where the driver lets it. */
static void *wait_cancelled(void *arg)
{
    const struct drive *d = arg;
    int word;

    pthread_cancel(pthread_self());
    if (has(d, 'k'))
        clFinish(d->queue);
    else if (has(d, 'g'))
        clWaitForEvents(1, &d->marker);
    else
        clEnqueueReadBuffer(d->queue, d->out, CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL);
    return NULL;
}

static void cancel_a_wait(struct drive *d)
{
    pthread_t thread;
    void *result;

    CHECK(clEnqueueMarkerWithWaitList(d->queue, 0, NULL, &d->marker));
    CHECK(pthread_create(&thread, NULL, wait_cancelled, d));
    CHECK(pthread_join(thread, &result));
    CHECK(clReleaseEvent(d->marker));
    CHECK(result != PTHREAD_CANCELED);
}

static void count_references(struct drive *d)
{
    cl_uint n;

    CHECK(clGetCommandQueueInfo(d->queue, CL_QUEUE_REFERENCE_COUNT, sizeof n, &n, NULL));
    d->references += n;
    CHECK(clGetContextInfo(d->c.context, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL));
    d->references += n;
}

static void launch(struct drive *d)
{
    cl_event e = NULL;
    cl_ulong time = 0;
    cl_int error;

    if (has(d, 'q')) {
        CHECK(clReleaseCommandQueue(d->queue));
        d->queue = make_queue(d, d->c.device);
    }
    if (d->other) {
        cl_command_queue turn = d->other;
        d->other = d->queue;
        d->queue = turn;
    }
    error = clEnqueueNDRangeKernel(d->queue, d->kernel, d->dim, NULL, d->global,
                                   d->local[0] ? d->local : NULL, 0, NULL, &e);
    note(d, error, &d->failed);
    if (error)
        return;
    if (has(d, 'e')) {
        CHECK(clFlush(d->queue));
        poll_event(e);
    }
    if (has(d, 'f') && !d->confined && !(d->confined = forbid_files()))
        exit(77);
    if (!has(d, 'n'))
        note(d, clFinish(d->queue), &d->waits_failed);
    if (has(d, 't'))
        d->times +=
            clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL) == CL_SUCCESS;
    if (has(d, 'r'))
        count_references(d);
    CHECK(clReleaseEvent(e));
    nanosleep(&(struct timespec){.tv_nsec = d->pause_us * 1000}, NULL);
}

static void count_requests(void)
{
    DIR *cache = opendir(getenv("CLSIZER_CACHE"));
    const struct dirent *file;
    unsigned n = 0;

    while (cache && (file = readdir(cache)))
        n += strlen(file->d_name) > 4 && !strcmp(file->d_name + strlen(file->d_name) - 4, ".req");
    printf("%u requests\n", n);
    if (cache)
        closedir(cache);
}

static void CL_CALLBACK wait_for_launches(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < 500 && !atomic_load(&all_enqueued); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    atomic_store(&in_time, atomic_load(&all_enqueued));
}

int main(int argc, char **argv)
{
    struct drive d = {.way = argc > 5 ? argv[5] : ""};

    if (argc < 4 || sscanf(argv[1], "%zu,%zu", &d.global[0], &d.global[1]) != 2 ||
        sscanf(argv[2], "%zu,%zu", &d.local[0], &d.local[1]) != 2)
        return 2;
    d.dim = d.global[1] ? 2 : 1;
    d.launches = (unsigned)atoi(argv[3]);
    d.pause_us = argc > 4 ? atol(argv[4]) : 0;
    if (has(&d, 'v'))
        d.early = clGetExtensionFunctionAddress("clImportMemoryARM");
    make(&d);
    if (has(&d, 'm'))
        CHECK(clEnqueueNativeKernel(d.queue, wait_for_launches, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    for (unsigned i = 0; i < d.launches; i++) {
        launch(&d);
        if (i == 2 && strpbrk(d.way, "kgb"))
            cancel_a_wait(&d);
    }
    atomic_store(&all_enqueued, true);
    note(&d, clFinish(d.queue), &d.waits_failed);
    if (has(&d, 'y'))
        count_requests();
    if (d.other) {
        note(&d, clFinish(d.other), &d.waits_failed);
        CHECK(clReleaseCommandQueue(d.other));
    }
    CHECK(clReleaseMemObject(d.in));
    CHECK(clReleaseMemObject(d.out));
    CHECK(clReleaseKernel(d.kernel));
    CHECK(clReleaseProgram(d.program));
    CHECK(clReleaseCommandQueue(d.queue));
    CHECK(clReleaseContext(d.c.context));
    if (has(&d, 'm'))
        puts(atomic_load(&in_time) ? "in time" : "too late");
    printf("%u launches, %u refused, %u waits failed, last error %d, %u times, %u references\n", d.launches,
           d.failed, d.waits_failed, d.error, d.times, d.references);
    return 0;
}
