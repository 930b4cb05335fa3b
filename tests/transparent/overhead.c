/* overhead - what calls cost: nanoseconds per call, one line "NAME NS" each, for scripts/bench_overhead.py.
 *
 *   overhead [THREADS [BATCH [launches]]]      launches: only from enqueue to finish
 *
 * Every thread has a queue and a kernel object of its own.  A figure is the median over batches of calls (all
 * threads' batches together), each batch's the mean, but the median where a call waits for the device: the
 * device's threads sleep or are awake.  The launch is one that the program makes again and again, with an
 * empty kernel. */
#include "client.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define BATCHES 41
#define IN_TURN 5 /* times as many launches: they are to show a difference of a hundredth */
#define ITEMS   1024
#define DELAY   250 /* ns by which some launches are delayed, to see what so little does to the whole */

enum figure {
    SET_ARG,
    RETAIN_KERNEL,
    KERNEL_INFO,
    RETAIN_EVENT,
    HIDDEN_TIMES,
    SHOWN_TIMES,
    RETAIN_QUEUE,
    QUEUE_INFO,
    CONTEXT_INFO,
    PROGRAM_INFO,
    RETAIN_PROGRAM,
    RETAIN_MEMORY,
    SET_POINTER,
    EXEC_INFO,
    ADDRESS,
    USER_EVENT,
    CALLBACK,
    WAIT,
    FINISH,
    BUFFER,
    READ,
    FILL,
    QUEUE,
    KERNEL,
    KERNELS,
    CLONE,
    PROGRAM,
    MARKER,
    ENQUEUE,
    ENQUEUE_EVENT,
    ENQUEUE_SHAPES,
    ENQUEUE_NEW,
    ENQUEUE_FINISH,
    ENQUEUE_FINISH_TIMED,
    ENQUEUE_FINISH_DIRECT, /* measured with ENQUEUE_FINISH, as are the next ones */
    ENQUEUE_FINISH_DELAYED,
    ENQUEUE_FINISH_RATIO,
    ENQUEUE_FINISH_DELAYED_RATIO,
    FIGURES
};
static const char *const names[FIGURES] = {"clSetKernelArg",
                                           "clRetainKernel+clReleaseKernel",
                                           "clGetKernelInfo",
                                           "clRetainEvent+clReleaseEvent",
                                           "clGetEventProfilingInfo(hidden)",
                                           "clGetEventProfilingInfo",
                                           "clRetainCommandQueue+clReleaseCommandQueue",
                                           "clGetCommandQueueInfo",
                                           "clGetContextInfo",
                                           "clGetProgramInfo",
                                           "clRetainProgram+clReleaseProgram",
                                           "clRetainMemObject+clReleaseMemObject",
                                           "clSetKernelArgSVMPointer",
                                           "clSetKernelExecInfo",
                                           "clGetExtensionFunctionAddressForPlatform",
                                           "clCreateUserEvent+clSetUserEventStatus+clReleaseEvent",
                                           "clSetEventCallback(complete)",
                                           "clWaitForEvents(complete)",
                                           "clFinish(empty)",
                                           "clCreateBuffer+clReleaseMemObject",
                                           "clEnqueueReadBuffer(blocking)",
                                           "clEnqueueFillBuffer",
                                           "clCreateCommandQueue+clReleaseCommandQueue",
                                           "clCreateKernel+clReleaseKernel",
                                           "clCreateKernelsInProgram+clReleaseKernel",
                                           "clCloneKernel+clReleaseKernel",
                                           "clCreateProgramWithSource+clBuildProgram+clReleaseProgram",
                                           "clEnqueueMarkerWithWaitList+clReleaseEvent",
                                           "clEnqueueNDRangeKernel",
                                           "clEnqueueNDRangeKernel(event)+clReleaseEvent",
                                           "clEnqueueNDRangeKernel(100 shapes in turn)",
                                           "clEnqueueNDRangeKernel(new shape each time)",
                                           "clEnqueueNDRangeKernel+clFinish",
                                           "clEnqueueNDRangeKernel+clFinish(timed queue)",
                                           "clEnqueueNDRangeKernel+clFinish(driver's own)",
                                           "clEnqueueNDRangeKernel+clFinish(driver's own, delayed)",
                                           "clEnqueueNDRangeKernel+clFinish(ratio)",
                                           "clEnqueueNDRangeKernel+clFinish(delayed, ratio)"};

static const char *source = "__kernel void nothing(__global int *p)\n"
                            "{\n"
                            "    if (get_global_id(0) == 1u << 30)\n"
                            "        p[get_global_id(0)] = 0;\n"
                            "}\n";
static struct client client;
static unsigned batch = 200;
static enum figure first;
static bool slow_builds; /* a difference would not show: PROGRAM is 0 */
static pthread_barrier_t barrier;

struct meter {
    pthread_t thread;
    cl_command_queue queue, timed;
    cl_kernel kernel, spare; /* spare: for arguments that keep a launch from being looked at */
    cl_mem m;
    cl_event hidden, shown; /* complete */
    size_t shape;
    double ns[FIGURES][BATCHES];
};

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void launch(struct meter *m, cl_command_queue queue, cl_event *e)
{
    const size_t global = ITEMS, local = 64;

    CHECK(clEnqueueNDRangeKernel(queue, m->kernel, 1, NULL, &global, &local, 0, NULL, e));
}

/* The first word of what an ICD's driver hands out. */
static const cl_icd_dispatch *driver_of(cl_command_queue queue)
{
    return *(const cl_icd_dispatch *const *)queue;
}

static void delay(void)
{
    const int64_t begin = now();

    while (now() - begin < DELAY)
        continue;
}

static void launch_directly(struct meter *m)
{
    const cl_icd_dispatch *driver = driver_of(m->queue);
    const size_t global = ITEMS, local = 64;

    CHECK(driver->clEnqueueNDRangeKernel(m->queue, m->kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(driver->clFinish(m->queue));
}

static void launch_shape(struct meter *m, size_t shape)
{
    const size_t global = 64 * (shape + 1), local = 64;

    CHECK(clEnqueueNDRangeKernel(m->queue, m->kernel, 1, NULL, &global, &local, 0, NULL, NULL));
}

static void CL_CALLBACK called(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
}

static cl_program build(void)
{
    cl_program p = clCreateProgramWithSource(client.context, 1, &source, NULL, NULL);

    CHECK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    return p;
}

static void complete_user_event(void)
{
    cl_event e = clCreateUserEvent(client.context, NULL);

    CHECK(clSetUserEventStatus(e, CL_COMPLETE));
    CHECK(clReleaseEvent(e));
}

/* Calls that few programs make often; false if it is none of them. */
static bool once_in_a_while(struct meter *m, enum figure f)
{
    void *memory = NULL;
    cl_kernel kernel;
    cl_uint n;

    switch (f) {
    case CONTEXT_INFO:
        CHECK(clGetContextInfo(client.context, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
        break;
    case PROGRAM_INFO:
        CHECK(clGetProgramInfo(client.program, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL));
        break;
    case RETAIN_PROGRAM:
        CHECK(clRetainProgram(client.program));
        CHECK(clReleaseProgram(client.program));
        break;
    case RETAIN_MEMORY:
        CHECK(clRetainMemObject(m->m));
        CHECK(clReleaseMemObject(m->m));
        break;
    case SET_POINTER:
        clSetKernelArgSVMPointer(m->spare, 0, memory);
        break;
    case EXEC_INFO:
        clSetKernelExecInfo(m->spare, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof memory, &memory);
        break;
    case ADDRESS:
        clGetExtensionFunctionAddressForPlatform(client.platform, "clNoSuchCall");
        break;
    case USER_EVENT:
        complete_user_event();
        break;
    case CALLBACK:
        CHECK(clSetEventCallback(m->hidden, CL_COMPLETE, called, NULL));
        break;
    case WAIT:
        CHECK(clWaitForEvents(1, &m->hidden));
        break;
    case FINISH:
        CHECK(clFinish(m->queue));
        break;
    case READ:
        CHECK(clEnqueueReadBuffer(m->queue, m->m, CL_TRUE, 0, sizeof n, &n, 0, NULL, NULL));
        break;
    case FILL:
        n = 0;
        CHECK(clEnqueueFillBuffer(m->queue, m->m, &n, sizeof n, 0, sizeof n, 0, NULL, NULL));
        break;
    case QUEUE:
        CHECK(clReleaseCommandQueue(clCreateCommandQueue(client.context, client.device, 0, NULL)));
        break;
    case KERNELS:
        CHECK(clCreateKernelsInProgram(client.program, 1, &kernel, NULL));
        CHECK(clReleaseKernel(kernel));
        break;
    case CLONE:
        kernel = clCloneKernel(m->kernel, NULL);
        if (kernel) /* from OpenCL 2.1 on */
            CHECK(clReleaseKernel(kernel));
        break;
    case PROGRAM:
        CHECK(clReleaseProgram(build()));
        break;
    default:
        return false;
    }
    return true;
}

static void once(struct meter *m, enum figure f)
{
    cl_command_queue_properties bits;
    cl_ulong t;
    cl_uint n;
    cl_event e;

    if (once_in_a_while(m, f))
        return;
    switch (f) {
    case SET_ARG:
        CHECK(clSetKernelArg(m->kernel, 0, sizeof m->m, &m->m));
        break;
    case RETAIN_KERNEL:
        CHECK(clRetainKernel(m->kernel));
        CHECK(clReleaseKernel(m->kernel));
        break;
    case KERNEL_INFO:
        CHECK(clGetKernelInfo(m->kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL));
        break;
    case RETAIN_EVENT:
        CHECK(clRetainEvent(m->hidden));
        CHECK(clReleaseEvent(m->hidden));
        break;
    case HIDDEN_TIMES:
        clGetEventProfilingInfo(m->hidden, CL_PROFILING_COMMAND_END, sizeof t, &t, NULL);
        break;
    case SHOWN_TIMES:
        CHECK(clGetEventProfilingInfo(m->shown, CL_PROFILING_COMMAND_END, sizeof t, &t, NULL));
        break;
    case RETAIN_QUEUE:
        CHECK(clRetainCommandQueue(m->queue));
        CHECK(clReleaseCommandQueue(m->queue));
        break;
    case QUEUE_INFO:
        CHECK(clGetCommandQueueInfo(m->queue, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
        break;
    case BUFFER:
        CHECK(clReleaseMemObject(client_buffer(&client, 64)));
        break;
    case KERNEL:
        CHECK(clReleaseKernel(clCreateKernel(client.program, "nothing", NULL)));
        break;
    case MARKER:
        CHECK(clEnqueueMarkerWithWaitList(m->queue, 0, NULL, &e));
        CHECK(clReleaseEvent(e));
        break;
    case ENQUEUE:
        launch(m, m->queue, NULL);
        break;
    case ENQUEUE_EVENT:
        launch(m, m->queue, &e);
        CHECK(clReleaseEvent(e));
        break;
    case ENQUEUE_SHAPES:
        launch_shape(m, ++m->shape % 100);
        break;
    case ENQUEUE_NEW:
        launch_shape(m, ++m->shape);
        break;
    case ENQUEUE_FINISH:
        launch(m, m->queue, NULL);
        CHECK(clFinish(m->queue));
        break;
    case ENQUEUE_FINISH_TIMED:
        launch(m, m->timed, NULL);
        CHECK(clFinish(m->timed));
        break;
    case ENQUEUE_FINISH_DELAYED:
        delay();
        launch_directly(m);
        break;
    case ENQUEUE_FINISH_DIRECT:
        launch_directly(m);
        break;
    default:
        break;
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Nanoseconds per call in a batch of `n`. */
static double mean_of(struct meter *m, enum figure f, unsigned n)
{
    const int64_t begin = now();

    for (unsigned i = 0; i < n; i++)
        once(m, f);
    return (double)(now() - begin) / n;
}

static double time_of(struct meter *m, enum figure f)
{
    const int64_t begin = now();

    once(m, f);
    return (double)(now() - begin);
}

static double median_of(struct meter *m, enum figure f, unsigned n)
{
    double *each = calloc(n, sizeof *each), median;

    for (unsigned i = 0; i < n; i++)
        each[i] = time_of(m, f);
    qsort(each, n, sizeof *each, by_value);
    median = each[n / 2];
    free(each);
    return median;
}

/* Launches as the program makes them, the driver's own, and these with a delay, in turn; which is first
 * changes. */
static void measure_in_turn(struct meter *m, unsigned b, unsigned n)
{
    static const enum figure kinds[] = {ENQUEUE_FINISH, ENQUEUE_FINISH_DIRECT, ENQUEUE_FINISH_DELAYED};
    const unsigned nkind = sizeof kinds / sizeof *kinds;
    double *each[] = {calloc(n, sizeof(double)), calloc(n, sizeof(double)), calloc(n, sizeof(double))};

    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < nkind; k++)
            each[(i + k) % nkind][i] = time_of(m, kinds[(i + k) % nkind]);
    for (unsigned k = 0; k < nkind; k++) {
        qsort(each[k], n, sizeof *each[k], by_value);
        m->ns[kinds[k]][b] = each[k][n / 2];
        free(each[k]);
    }
    m->ns[ENQUEUE_FINISH_RATIO][b] = m->ns[ENQUEUE_FINISH][b] / m->ns[ENQUEUE_FINISH_DIRECT][b];
    m->ns[ENQUEUE_FINISH_DELAYED_RATIO][b] =
        m->ns[ENQUEUE_FINISH_DELAYED][b] / m->ns[ENQUEUE_FINISH_DIRECT][b];
}

/* Launches that are only enqueued would pile up: the queue is emptied between batches. */
static void measure(struct meter *m, enum figure f)
{
    const unsigned n = f == PROGRAM                    ? 2
                       : f >= QUEUE && f <= CLONE      ? batch / 4 + 1
                       : f < BUFFER && f != USER_EVENT ? batch * 5
                                                       : batch;

    if (f == PROGRAM && slow_builds)
        return;
    if (f == ENQUEUE)
        once(m, SET_ARG); /* one of the many buffers released since may be taken for the argument */
    for (unsigned b = 0; b < BATCHES; b++) {
        if (f == ENQUEUE_FINISH)
            measure_in_turn(m, b, IN_TURN * n);
        else
            m->ns[f][b] = f > ENQUEUE_FINISH ? median_of(m, f, n) : mean_of(m, f, n);
        CHECK(clFinish(m->queue));
    }
}

static void *run(void *arg)
{
    struct meter *m = arg;

    for (int f = first; f <= ENQUEUE_FINISH_TIMED; f++) {
        pthread_barrier_wait(&barrier);
        measure(m, (enum figure)f);
    }
    return NULL;
}

static void make(struct meter *m)
{
    m->queue = clCreateCommandQueue(client.context, client.device, 0, NULL);
    m->timed = clCreateCommandQueue(client.context, client.device, CL_QUEUE_PROFILING_ENABLE, NULL);
    m->kernel = clCreateKernel(client.program, "nothing", NULL);
    m->spare = clCreateKernel(client.program, "nothing", NULL);
    m->m = client_buffer(&client, 64);
    CHECK(clSetKernelArg(m->kernel, 0, sizeof m->m, &m->m));
    launch(m, m->queue, &m->hidden);
    launch(m, m->timed, &m->shown);
    CHECK(clFinish(m->queue));
    CHECK(clFinish(m->timed));
}

static void show(struct meter *meters, unsigned threads)
{
    double *all = calloc(threads * BATCHES, sizeof *all);

    for (int f = 0; f < FIGURES; f++) {
        for (unsigned t = 0; t < threads; t++)
            for (unsigned b = 0; b < BATCHES; b++)
                all[t * BATCHES + b] = meters[t].ns[f][b];
        qsort(all, threads * BATCHES, sizeof *all, by_value);
        printf("%s %.4f\n", names[f], all[threads * BATCHES / 2]);
    }
    free(all);
}

int main(int argc, char **argv)
{
    const unsigned threads = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    struct meter *meters = calloc(threads, sizeof *meters);
    int64_t begin;

    if (argc > 2)
        batch = (unsigned)atoi(argv[2]);
    first = argc > 3 ? ENQUEUE_FINISH : SET_ARG;
    client_start(&client);
    CHECK(clReleaseProgram(client.program));
    begin = now();
    client.program = build();
    slow_builds = now() - begin > 1000000;
    pthread_barrier_init(&barrier, NULL, threads);
    for (unsigned t = 0; t < threads; t++)
        make(&meters[t]);
    for (unsigned i = 0; i < 400; i++) { /* decisions are made here, when they are to be made */
        launch(&meters[0], meters[0].queue, NULL);
        CHECK(clFinish(meters[0].queue));
    }
    for (unsigned t = 0; t < threads; t++)
        pthread_create(&meters[t].thread, NULL, run, &meters[t]);
    for (unsigned t = 0; t < threads; t++)
        pthread_join(meters[t].thread, NULL);
    show(meters, threads);
    free(meters);
    return 0;
}
