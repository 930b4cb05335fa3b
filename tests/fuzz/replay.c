/* replay SOURCE PLAN [THREADS] - random launches of random kernels, in the ways in which programs launch.
 *
 * PLAN has a line per step (written by replay.py):
 *
 *   queue PROPERTIES                        cl_command_queue_properties, first of all
 *   memory ID BYTES                         a buffer that holds small numbers
 *   launch HABITS KERNEL DIM 9-NUMBERS ARGUMENT...
 *
 * Numbers are global sizes, offsets and local sizes (0: NULL); an argument is "s:HEX",
 * "b:MEMORY:OFFSET:BYTES", or "l:BYTES" (local memory). HABITS are letters, '-' for none:
 *
 *   e  ask for an event        t  read its four times at the end  r  release it at once
 *   f  clFinish afterwards     u  wait for a user event that is set after the next launch
 *   c  set all arguments to something else right after the call
 *   k  a kernel object of its own, released at once
 *   s  sub-buffers even for whole buffers, released at once
 *   n  a non-blocking read behind it (queues in order)
 *   w  wait for the event with clWaitForEvents
 *
 * With THREADS each thread runs the plan on memory and a queue of its own, in one context, with the same
 * program. stdout has the return codes and a checksum of each memory.  Exit status: 0, 1 on any error, 77
 * without a device. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "../apps/common.h"

#define MAX_ARGS     40
#define MAX_MEMORIES 16
#define MAX_LAUNCHES 4096
#define MAX_KERNELS  64
#define MAX_THREADS  4

struct memory {
    cl_mem handle;
    size_t bytes;
};

struct step {
    char habits[16], name[64];
    cl_uint dim, nargs;
    size_t number[9];
    char arg[MAX_ARGS][64];
};

struct plan {
    cl_command_queue_properties properties;
    size_t bytes[MAX_MEMORIES];
    unsigned n;
    struct step *step;
};

struct player {
    const struct app *app;
    const struct plan *plan;
    cl_program program;
    cl_command_queue queue;
    struct memory memory[MAX_MEMORIES];
    struct {
        char name[64];
        cl_kernel handle;
    } kernel[MAX_KERNELS];
    unsigned nkernel, ntimed;
    cl_event last, user, timed[MAX_LAUNCHES];
    void *read[MAX_LAUNCHES];
    uint64_t log;
};

static bool has(const struct step *s, char habit)
{
    return strchr(s->habits, habit) != NULL;
}

static unsigned char initial(unsigned memory, size_t offset)
{
    if (offset % 4)
        return 0;
    return (unsigned char)((((uint64_t)(offset >> 2) * 2654435761u + memory * 40503u) >> 7) % 61);
}

static cl_mem make_memory(const struct app *app, unsigned id, size_t bytes)
{
    unsigned char *text = app_alloc(bytes);
    cl_int error;

    for (size_t i = 0; i < bytes; i++)
        text[i] = initial(id, i);
    cl_mem m = clCreateBuffer(app->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, text, &error);
    CL_CHECK(error);
    free(text);
    return m;
}

static bool read_step(char *line, struct plan *p)
{
    struct step *s = &p->step[p->n];
    unsigned long long id, bytes;
    char *at = NULL, *word;
    int used = 0;

    if (sscanf(line, "queue %llu", &id) == 1) {
        p->properties = id;
        return true;
    }
    if (sscanf(line, "memory %llu %llu", &id, &bytes) == 2 && id < MAX_MEMORIES) {
        p->bytes[id] = bytes;
        return true;
    }
    if (p->n == MAX_LAUNCHES ||
        sscanf(line, "launch %15s %63s %u%n", s->habits, s->name, &s->dim, &used) != 3)
        return false;
    word = strtok_r(line + used, " \n", &at);
    for (unsigned i = 0; i < 9; i++, word = word ? strtok_r(NULL, " \n", &at) : NULL)
        s->number[i] = word ? strtoull(word, NULL, 10) : 0;
    for (; word && s->nargs < MAX_ARGS; word = strtok_r(NULL, " \n", &at))
        snprintf(s->arg[s->nargs++], sizeof s->arg[0], "%s", word);
    p->n++;
    return !word;
}

static bool read_plan(const char *path, struct plan *p)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    bool good = f && (p->step = calloc(MAX_LAUNCHES, sizeof *p->step));

    while (good && getline(&line, &room, f) > 0)
        good = read_step(line, p);
    free(line);
    if (f)
        fclose(f);
    return good;
}

static cl_kernel make_kernel(const struct player *p, const char *name)
{
    cl_int error;
    cl_kernel k = clCreateKernel(p->program, name, &error);

    CL_CHECK(error);
    return k;
}

static cl_kernel find_kernel(struct player *p, const char *name)
{
    for (unsigned i = 0; i < p->nkernel; i++)
        if (!strcmp(p->kernel[i].name, name))
            return p->kernel[i].handle;
    if (p->nkernel == MAX_KERNELS)
        exit(1);
    snprintf(p->kernel[p->nkernel].name, sizeof p->kernel[0].name, "%s", name);
    return p->kernel[p->nkernel++].handle = make_kernel(p, name);
}

/* Sets argument i; a sub-buffer that was made for it goes to *part. */
static void set_arg(struct player *p, cl_kernel k, cl_uint i, const char *word, bool parts, cl_mem *part)
{
    unsigned char value[16];
    unsigned long long id, offset, bytes;
    unsigned n = 0, byte;
    cl_int error;

    *part = NULL;
    if (sscanf(word, "b:%llu:%llu:%llu", &id, &offset, &bytes) == 3 && id < MAX_MEMORIES) {
        cl_mem m = p->memory[id].handle;
        if (parts || offset || bytes < p->memory[id].bytes) {
            const cl_buffer_region r = {offset, bytes};
            m = *part = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &error);
            CL_CHECK(error);
        }
        CL_CHECK(clSetKernelArg(k, i, sizeof m, &m));
        return;
    }
    if (sscanf(word, "l:%llu", &bytes) == 1) {
        CL_CHECK(clSetKernelArg(k, i, bytes, NULL));
        return;
    }
    for (word += 2; n < sizeof value && sscanf(word, "%2x", &byte) == 1; word += 2)
        value[n++] = (unsigned char)byte;
    CL_CHECK(clSetKernelArg(k, i, n, value));
}

/* Other values of the same sizes: the launch before must not see them. */
static void clobber(struct player *p, cl_kernel k, const struct step *s)
{
    cl_int error;
    cl_mem other = clCreateBuffer(p->app->context, CL_MEM_READ_WRITE, 64, NULL, &error);

    CL_CHECK(error);
    for (cl_uint i = 0; i < s->nargs; i++) {
        unsigned char value[16];
        memset(value, 0x5a, sizeof value);
        if (s->arg[i][0] == 'b')
            CL_CHECK(clSetKernelArg(k, i, sizeof other, &other));
        else
            CL_CHECK(clSetKernelArg(k, i, (strlen(s->arg[i]) - 2) / 2, value));
    }
    CL_CHECK(clReleaseMemObject(other));
}

static void set_user(struct player *p)
{
    if (!p->user)
        return;
    CL_CHECK(clSetUserEventStatus(p->user, CL_COMPLETE));
    CL_CHECK(clReleaseEvent(p->user));
    p->user = NULL;
}

static void read_behind(struct player *p, cl_event after)
{
    unsigned at = p->ntimed;

    p->read[at] = app_alloc(64);
    CL_CHECK(clEnqueueReadBuffer(p->queue, p->memory[1].handle, CL_FALSE, 0, 64, p->read[at], after ? 1 : 0,
                                 after ? &after : NULL, &p->timed[at]));
    p->ntimed++;
}

static void launch(struct player *p, const struct step *s)
{
    const bool unordered = p->plan->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_kernel k = has(s, 'k') ? make_kernel(p, s->name) : find_kernel(p, s->name);
    cl_mem part[MAX_ARGS];
    cl_event wait[2], done = NULL, before = p->user;
    cl_uint nwait = 0;
    cl_int error;

    for (cl_uint i = 0; i < s->nargs; i++)
        set_arg(p, k, i, s->arg[i], has(s, 's'), &part[i]);
    p->user = NULL;
    if (has(s, 'u')) {
        p->user = clCreateUserEvent(p->app->context, &error);
        CL_CHECK(error);
        wait[nwait++] = p->user;
    }
    if (unordered && p->last)
        wait[nwait++] = p->last;
    error = clEnqueueNDRangeKernel(p->queue, k, s->dim,
                                   s->number[3] || s->number[4] || s->number[5] ? s->number + 3 : NULL,
                                   s->number, s->number[6] ? s->number + 6 : NULL, nwait, nwait ? wait : NULL,
                                   unordered || has(s, 'e') ? &done : NULL);
    p->log = (p->log ^ (uint64_t)(uint32_t)error) * 1099511628211u;
    if (has(s, 'c'))
        clobber(p, k, s);
    if (has(s, 'k'))
        CL_CHECK(clReleaseKernel(k));
    for (cl_uint i = 0; i < s->nargs; i++)
        if (part[i])
            CL_CHECK(clReleaseMemObject(part[i]));
    if (before) {
        CL_CHECK(clSetUserEventStatus(before, CL_COMPLETE));
        CL_CHECK(clReleaseEvent(before));
    }
    if (error)
        return;
    if (has(s, 'n') && !unordered) /* there, the next launch would not wait for it */
        read_behind(p, done);
    if (has(s, 'f') || (has(s, 'w') && done)) {
        set_user(p);
        CL_CHECK(has(s, 'f') ? clFinish(p->queue) : clWaitForEvents(1, &done));
    }
    if (!done)
        return;
    if (p->last)
        CL_CHECK(clReleaseEvent(p->last));
    p->last = NULL;
    if (unordered || !has(s, 'r'))
        p->last = done;
    if (has(s, 't')) {
        CL_CHECK(clRetainEvent(done));
        p->timed[p->ntimed] = done;
        p->read[p->ntimed++] = NULL;
    }
    if (!p->last)
        CL_CHECK(clReleaseEvent(done));
}

/* The four times of every event that was kept must be in order. */
static void check_events(struct player *p)
{
    for (unsigned i = 0; i < p->ntimed; i++) {
        cl_ulong time[4] = {0};
        cl_int status = -1, error = CL_SUCCESS;
        for (unsigned j = 0; j < 4; j++)
            error |= clGetEventProfilingInfo(p->timed[i], CL_PROFILING_COMMAND_QUEUED + j, sizeof time[j],
                                             &time[j], NULL);
        CL_CHECK(
            clGetEventInfo(p->timed[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        p->log = (p->log ^ (uint64_t)(uint32_t)error ^ (uint64_t)(uint32_t)status << 32) * 1099511628211u;
        if (!error && (time[0] > time[1] || time[1] > time[2] || time[2] > time[3]))
            printf("times out of order\n");
        if (p->read[i])
            p->log = (p->log ^ app_fnv1a(p->read[i], 64)) * 1099511628211u;
        free(p->read[i]);
        CL_CHECK(clReleaseEvent(p->timed[i]));
    }
}

static void *play(void *context)
{
    struct player *p = context;
    cl_int error;

    p->queue = clCreateCommandQueue(p->app->context, p->app->device, p->plan->properties, &error);
    CL_CHECK(error);
    for (unsigned i = 0; i < MAX_MEMORIES; i++)
        if ((p->memory[i].bytes = p->plan->bytes[i]))
            p->memory[i].handle = make_memory(p->app, i, p->plan->bytes[i]);
    for (unsigned i = 0; i < p->plan->n; i++)
        launch(p, &p->plan->step[i]);
    set_user(p);
    CL_CHECK(clFinish(p->queue));
    if (p->last)
        CL_CHECK(clReleaseEvent(p->last));
    check_events(p);
    return NULL;
}

static void tell(struct player *p)
{
    printf("log %016llx\n", (unsigned long long)p->log);
    for (unsigned i = 0; i < MAX_MEMORIES; i++) {
        if (!p->memory[i].bytes)
            continue;
        void *bytes = app_alloc(p->memory[i].bytes);
        CL_CHECK(clEnqueueReadBuffer(p->queue, p->memory[i].handle, CL_TRUE, 0, p->memory[i].bytes, bytes, 0,
                                     NULL, NULL));
        printf("memory %u %016llx\n", i, (unsigned long long)app_fnv1a(bytes, p->memory[i].bytes));
        free(bytes);
        CL_CHECK(clReleaseMemObject(p->memory[i].handle));
    }
    for (unsigned i = 0; i < p->nkernel; i++)
        CL_CHECK(clReleaseKernel(p->kernel[i].handle));
    CL_CHECK(clReleaseCommandQueue(p->queue));
}

int main(int argc, char **argv)
{
    static struct player player[MAX_THREADS];
    struct app app = {.name = "replay"};
    struct plan plan = {0};
    pthread_t thread[MAX_THREADS];
    const unsigned threads = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;

    if (argc < 3 || threads > MAX_THREADS || !read_plan(argv[2], &plan))
        return 1;
    char *source = app_read_text(argv[1]);
    app_open(&app);
    cl_program program = app_build(&app, source, "-cl-std=CL3.0");
    for (unsigned i = 0; i < (threads ? threads : 1); i++) {
        player[i].app = &app;
        player[i].plan = &plan;
        player[i].program = program;
        if (!threads)
            play(&player[i]);
        else if (pthread_create(&thread[i], NULL, play, &player[i]))
            return 1;
    }
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    CL_CHECK(clReleaseProgram(program));
    for (unsigned i = 0; i < (threads ? threads : 1); i++)
        tell(&player[i]);
    free(plan.step);
    free(source);
    return app_end(&app);
}
