/* stress - many threads on a mixture of shared and own contexts, queues and kernels, each with kernel objects
 * of its own, as the specification allows: arguments set, objects made, released and cloned, launches in and
 * out of order, events waited for, called back from and passed between threads; one thread is cancelled, one
 * dies, one forks, and signals arrive meanwhile.
 *
 *   stress [THREADS [ROUNDS]]
 *
 * Prints what must not depend on anybody watching: how much was done, and the reference counts in the end. */
#include "client.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ITEMS  65536
#define SHARED 4

struct shared {
    struct client c;
    cl_command_queue queues[SHARED]; /* used by all threads */
    cl_mem buffers[SHARED];
    _Atomic(cl_event) mailbox; /* an event that some thread made, for some thread to release */
    unsigned rounds;
    atomic_uint launches, callbacks, wanted_callbacks;
};

struct worker {
    struct shared *s;
    unsigned number;
    pthread_t thread;
};

static void CL_CALLBACK count(cl_event event, cl_int status, void *data)
{
    struct shared *s = data;
    cl_uint references;

    (void)status;
    CHECK(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
    atomic_fetch_add(&s->callbacks, 1);
}

static unsigned any(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static cl_kernel new_kernel(struct shared *s, unsigned r)
{
    cl_int error;
    cl_kernel k = clCreateKernel(s->c.program, "twice", &error);

    CHECK(error);
    CHECK(clSetKernelArg(k, 0, sizeof(cl_mem), &s->buffers[r % SHARED]));
    CHECK(clSetKernelArg(k, 1, sizeof(cl_mem), &s->buffers[(r + 1) % SHARED]));
    return k;
}

static void launch(struct shared *s, cl_command_queue q, cl_kernel k, unsigned r)
{
    const size_t global = ITEMS >> (r % 3), local = 64;
    cl_event e, other;

    if (r % 5 == 0) {
        CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL));
    } else {
        CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, r % 7 ? &local : NULL, 0, NULL, &e));
        if (r % 6 == 1) {
            atomic_fetch_add(&s->wanted_callbacks, 1);
            CHECK(clSetEventCallback(e, CL_COMPLETE, count, s));
        }
        if (r % 4 == 1)
            CHECK(clWaitForEvents(1, &e));
        /* Somebody else is to wait for this one, or to release it. */
        CHECK(clFlush(q));
        other = atomic_exchange(&s->mailbox, e);
        if (other) {
            CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 1, &other, NULL));
            CHECK(clRetainEvent(other));
            CHECK(clReleaseEvent(other));
            CHECK(clReleaseEvent(other));
            atomic_fetch_add(&s->launches, 1);
        }
    }
    atomic_fetch_add(&s->launches, 1);
}

/* A context, queue and program of one's own, for a moment. */
static void own_objects(struct shared *s)
{
    struct client c;
    cl_command_queue q;
    cl_kernel k;
    cl_mem m[2];
    const size_t global = ITEMS, local = 32;

    client_start(&c);
    q = clCreateCommandQueue(c.context, c.device, CL_QUEUE_PROFILING_ENABLE, NULL);
    k = clCreateKernel(c.program, "twice", NULL);
    for (cl_uint i = 0; i < 2; i++) {
        m[i] = client_buffer(&c, ITEMS * 4);
        CHECK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
    }
    for (int i = 0; i < 5; i++)
        CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL));
    /* Released while launches are under way: drivers keep what they need. */
    CHECK(clReleaseKernel(k));
    CHECK(clReleaseCommandQueue(q));
    CHECK(clReleaseMemObject(m[0]));
    CHECK(clReleaseMemObject(m[1]));
    client_end(&c);
    atomic_fetch_add(&s->launches, 5);
}

static void work(struct worker *w)
{
    struct shared *s = w->s;
    unsigned state = w->number * 77 + 1;
    cl_kernel k = new_kernel(s, w->number), clone;

    for (unsigned i = 0; i < s->rounds; i++) {
        const unsigned r = any(&state);
        launch(s, s->queues[r % SHARED], k, r);
        CHECK(clSetKernelArg(k, r % 2, sizeof(cl_mem), &s->buffers[r % SHARED]));
        if (r % 11 == 0) {
            CHECK(clReleaseKernel(k));
            k = new_kernel(s, r);
        }
        if (r % 13 == 0 && (clone = clCloneKernel(k, NULL))) {
            launch(s, s->queues[r % SHARED], clone, r);
            CHECK(clReleaseKernel(clone));
        }
        if (r % 37 == 0)
            own_objects(s);
    }
    CHECK(clReleaseKernel(k));
}

static void *worker(void *arg)
{
    work(arg);
    return NULL;
}

/* Cancelled wherever it is; what it holds is lost, as it would be without anybody watching. */
static void *cancelled(void *arg)
{
    struct worker *w = arg;
    cl_kernel k = new_kernel(w->s, 3);
    const size_t global = 512, local = 64;

    for (;;) {
        cl_event e;
        CHECK(clEnqueueNDRangeKernel(w->s->queues[0], k, 1, NULL, &global, &local, 0, NULL, &e));
        CHECK(clReleaseEvent(e));
        pthread_testcancel();
    }
    return NULL;
}

/* The child finds OpenCL as without us: in an unknown state, so it only looks that it gets out. */
static void *forks(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5; i++) {
        const pid_t child = fork();
        int status = 1;
        if (child == 0)
            _exit(0);
        if (child < 0 || waitpid(child, &status, 0) != child || status)
            fprintf(stderr, "fork: child %d, status %x\n", (int)child, (unsigned)status);
    }
    return NULL;
}

static void *dies(void *arg)
{
    struct worker *w = arg;
    cl_kernel k = new_kernel(w->s, 2);

    launch(w->s, w->s->queues[1], k, 5);
    CHECK(clReleaseKernel(k));
    pthread_exit(NULL);
}

static void on_alarm(int signal)
{
    (void)signal;
}

static void show_references(struct shared *s)
{
    cl_uint n;

    for (unsigned i = 0; i < SHARED; i++)
        CHECK(clFlush(s->queues[i]));
    for (unsigned i = 0; i < SHARED; i++) {
        CHECK(clFinish(s->queues[i]));
        CHECK(clGetCommandQueueInfo(s->queues[i], CL_QUEUE_REFERENCE_COUNT, sizeof n, &n, NULL));
        printf("queue %u: %u references\n", i, n);
    }
    while (atomic_load(&s->callbacks) < atomic_load(&s->wanted_callbacks))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    printf("%u launches, %u callbacks\n", atomic_load(&s->launches) > 100, atomic_load(&s->callbacks) > 10);
}

int main(int argc, char **argv)
{
    const unsigned threads = argc > 1 ? (unsigned)atoi(argv[1]) : 8;
    const struct itimerval often = {.it_interval = {.tv_usec = 3000}, .it_value = {.tv_usec = 3000}},
                           never = {.it_value = {0}};
    struct worker *workers = calloc(threads, sizeof *workers), victim, mortal;
    struct sigaction act = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct shared s = {.rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 1000};
    pthread_t forker;
    cl_event last;

    client_start(&s.c);
    for (unsigned i = 0; i < SHARED; i++) {
        s.queues[i] = clCreateCommandQueue(
            s.c.context, s.c.device,
            i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : CL_QUEUE_PROFILING_ENABLE, NULL);
        s.buffers[i] = client_buffer(&s.c, ITEMS * 4);
    }
    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (unsigned i = 0; i < threads; i++) {
        workers[i] = (struct worker){.s = &s, .number = i};
        pthread_create(&workers[i].thread, NULL, worker, &workers[i]);
    }
    victim = mortal = (struct worker){.s = &s};
    pthread_create(&victim.thread, NULL, cancelled, &victim);
    pthread_create(&mortal.thread, NULL, dies, &mortal);
    pthread_create(&forker, NULL, forks, NULL);
    work(&(struct worker){.s = &s, .number = threads});
    pthread_cancel(victim.thread);
    pthread_join(victim.thread, NULL);
    pthread_join(mortal.thread, NULL);
    pthread_join(forker, NULL);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(workers[i].thread, NULL);
    setitimer(ITIMER_REAL, &never, NULL);
    last = atomic_exchange(&s.mailbox, NULL);
    if (last)
        CHECK(clReleaseEvent(last));
    show_references(&s);
    for (unsigned i = 0; i < SHARED; i++) {
        CHECK(clReleaseCommandQueue(s.queues[i]));
        CHECK(clReleaseMemObject(s.buffers[i]));
    }
    client_end(&s.c);
    free(workers);
    return 0;
}
