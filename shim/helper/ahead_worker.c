/* ahead_worker.c - launches kernels for clsizer-ahead (ahead_worker.h). */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include "shim/helper/ahead_worker.h"
#include <CL/cl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "analysis/summary/low_priority.h"
#include "shim/helper/ahead_answer.h"
#include "shim/helper/ahead_job.h"

#define DEADLINE_S     60 /* for an order */
#define MOST_PLATFORMS 16
#define MOST_DEVICES   64
#define FROM_SYSTEM    (1u << 20) /* bytes; a larger buffer is fresh from the system and holds zeros already */
#define MOST_BINARY    (16u << 20) /* bytes; a larger one is not worth its place on the disk */
#define CROWDED        1.25        /* others want the cores if work takes this many times its CPU time */
#define MODEST         11          /* then this process takes one part in this many of a core */

/* ---- this process ---------------------------------------------------------------------------------- */

static void end_quietly(int signal)
{
    _exit(signal);
}

/* Crashes and limits end the process, and leave neither a core file nor a line in the kernel's log. */
static void catch_signals(void)
{
    static const int signals[] = {SIGALRM, SIGXCPU, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM};
    struct sigaction action = {.sa_handler = end_quietly};

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

static int64_t time_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* CPU time in ns, of this process and of the children that it has waited for: drivers start linkers. */
static int64_t cpu_now(void)
{
    struct rusage children = {0};

    getrusage(RUSAGE_CHILDREN, &children);
    return time_of(CLOCK_PROCESS_CPUTIME_ID) +
           ((int64_t)children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1000000000 +
           ((int64_t)children.ru_utime.tv_usec + children.ru_stime.tv_usec) * 1000;
}

/* Rest, if the work since `*wall` and `*cpu` had to wait for a core, until this process has had only one part
 * in MODEST of the time; then both start anew.  Niceness is not enough: it counts only inside a session
 * (low_priority.h), and programs that want the cores after the application's end may be in another one. */
static void give_way(int64_t *wall, int64_t *cpu)
{
    const int64_t took = time_of(CLOCK_MONOTONIC) - *wall, worked = cpu_now() - *cpu,
                  rest = MODEST * worked - took;

    if ((double)took > CROWDED * (double)worked && rest > 0)
        nanosleep(&(struct timespec){.tv_sec = rest / 1000000000, .tv_nsec = rest % 1000000000}, NULL);
    *wall = time_of(CLOCK_MONOTONIC);
    *cpu = cpu_now();
}

/* ---- OpenCL ---------------------------------------------------------------------------------------- */

/* Of one order, but for the context with its queue: a driver's library of built-in functions may be the
 * context's. */
struct session {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem memory[AHEAD_MOST_ARGS];
    unsigned nmemory;
};

/* Is it the device that the job names, "name|vendor|device version"? */
static bool is_device(cl_device_id id, const char *wanted)
{
    static const cl_device_info part[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION};
    char all[1024] = "", text[512];

    for (unsigned i = 0; i < 3; i++) {
        if (clGetDeviceInfo(id, part[i], sizeof text, text, NULL) != CL_SUCCESS)
            return false;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? "|" : "", text);
    }
    return strcmp(all, wanted) == 0;
}

static cl_device_id find_device(const char *wanted)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_device_id devices[MOST_DEVICES];
    cl_uint np = 0, nd;

    if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &np) != CL_SUCCESS)
        return NULL;
    for (cl_uint p = 0; p < np && p < MOST_PLATFORMS; p++) {
        nd = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &nd) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < nd && d < MOST_DEVICES; d++)
            if (is_device(devices[d], wanted))
                return devices[d];
    }
    return NULL;
}

static cl_mem hold(struct session *s, cl_mem m)
{
    if (m)
        s->memory[s->nmemory++] = m;
    return m;
}

/* A buffer of zeros. */
static cl_mem make_buffer(struct session *s, const struct ahead_arg *a)
{
    const char zero = 0;
    cl_mem m = hold(s, clCreateBuffer(s->context, CL_MEM_READ_WRITE, a->bytes, NULL, NULL));

    if (m && a->bytes <= FROM_SYSTEM &&
        clEnqueueFillBuffer(s->queue, m, &zero, sizeof zero, 0, a->bytes, 0, NULL, NULL) != CL_SUCCESS)
        return NULL;
    return m;
}

static size_t at_least_1(uint64_t n)
{
    return n ? (size_t)n : 1;
}

/* An image of zeros. */
static cl_mem make_image(struct session *s, const struct ahead_arg *a)
{
    const uint64_t *n = a->number;
    const cl_image_format format = {(cl_channel_order)n[AHEAD_CHANNEL_ORDER],
                                    (cl_channel_type)n[AHEAD_CHANNEL_TYPE]};
    const cl_image_desc desc = {.image_type = (cl_mem_object_type)n[AHEAD_TYPE],
                                .image_width = (size_t)n[AHEAD_WIDTH],
                                .image_height = (size_t)n[AHEAD_HEIGHT],
                                .image_depth = (size_t)n[AHEAD_DEPTH],
                                .image_array_size = (size_t)n[AHEAD_LAYERS]};
    const bool line = desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY; /* of which the layers are the height */
    const size_t origin[3] = {0}, region[3] = {at_least_1(n[AHEAD_WIDTH]),
                                               at_least_1(line ? n[AHEAD_LAYERS] : n[AHEAD_HEIGHT]),
                                               at_least_1(line                 ? 1
                                                          : n[AHEAD_DEPTH] > 1 ? n[AHEAD_DEPTH]
                                                                               : n[AHEAD_LAYERS])};
    const cl_uint4 zero = {{0}};
    cl_mem m = hold(s, clCreateImage(s->context, n[AHEAD_FLAGS], &format, &desc, NULL, NULL));

    if (m && a->bytes <= FROM_SYSTEM &&
        clEnqueueFillImage(s->queue, m, &zero, origin, region, 0, NULL, NULL) != CL_SUCCESS)
        return NULL;
    return m;
}

static bool set_memory(const struct session *s, cl_uint index, cl_mem m)
{
    return m && clSetKernelArg(s->kernel, index, sizeof m, &m) == CL_SUCCESS;
}

static bool set_argument(struct session *s, cl_uint index, const struct ahead_arg *a)
{
    _Alignas(LAUNCH_ARG_BYTES) unsigned char value[LAUNCH_ARG_BYTES]; /* as the driver may load it */
    const cl_mem none = NULL;
    cl_sampler sampler;

    switch (a->kind) {
    case AHEAD_VALUE:
        memcpy(value, a->value, sizeof value);
        return clSetKernelArg(s->kernel, index, a->bytes, value) == CL_SUCCESS;
    case AHEAD_LOCAL:
        return clSetKernelArg(s->kernel, index, a->bytes, NULL) == CL_SUCCESS;
    case AHEAD_BUFFER:
        return set_memory(s, index, make_buffer(s, a));
    case AHEAD_IMAGE:
        return set_memory(s, index, make_image(s, a));
    case AHEAD_SAMPLER:
        sampler = clCreateSampler(s->context, (cl_bool)a->number[AHEAD_NORMALIZED],
                                  (cl_addressing_mode)a->number[AHEAD_ADDRESSING],
                                  (cl_filter_mode)a->number[AHEAD_FILTER], NULL);
        return sampler && clSetKernelArg(s->kernel, index, sizeof sampler, &sampler) == CL_SUCCESS;
    case AHEAD_NULL:
        break;
    }
    return clSetKernelArg(s->kernel, index, sizeof none, &none) == CL_SUCCESS;
}

/* A context for the job's device, with a queue.  False on any error. */
static bool open_device(const struct ahead_job *j, struct session *s)
{
    const cl_device_id device = find_device(j->program.device);

    s->context = device ? clCreateContext(NULL, 1, &device, NULL, NULL, NULL) : NULL;
    s->queue = s->context ? clCreateCommandQueue(s->context, device, 0, NULL) : NULL;
    return s->queue;
}

static bool build(const struct ahead_job *j, struct session *s)
{
    const char *source = j->program.source;

    if (*j->program.cwd && chdir(j->program.cwd)) /* what is included may be named from there */
        return false;
    s->program = clCreateProgramWithSource(s->context, 1, &source, &j->program.source_bytes, NULL);
    return s->program && clBuildProgram(s->program, 0, NULL, j->program.options, NULL, NULL) == CL_SUCCESS;
}

/* The kernel, with its arguments.  False on any error. */
static bool make_kernel(const struct ahead_job *j, struct session *s)
{
    s->kernel = clCreateKernel(s->program, j->kernel, NULL);
    for (unsigned i = 0; s->kernel && i < j->narg; i++)
        if (!set_argument(s, i, &j->arg[i]))
            return false;
    return s->kernel && clFinish(s->queue) == CL_SUCCESS;
}

/* All but the context and its queue. */
static void close_session(struct session *s)
{
    if (s->kernel)
        clReleaseKernel(s->kernel);
    for (unsigned i = 0; i < s->nmemory; i++)
        clReleaseMemObject(s->memory[i]);
    if (s->program)
        clReleaseProgram(s->program);
    *s = (struct session){.context = s->context, .queue = s->queue};
}

/* Make one launch at `offset` and wait for it.  Returns the CPU time that it took, in ns; -1 when it
 * failed. */
static int64_t launch(const struct session *s, const struct ahead_job *j, const size_t local[3],
                      const size_t offset[3])
{
    size_t global[3];
    int64_t begin;

    ahead_range(j, local, global);
    begin = cpu_now();
    if (clEnqueueNDRangeKernel(s->queue, s->kernel, j->dim, offset, global, local, 0, NULL, NULL) !=
            CL_SUCCESS ||
        clFinish(s->queue) != CL_SUCCESS)
        return -1;
    return cpu_now() - begin;
}

/* Make one launch that stands for a slice of the application's launch, if slices will be measured.  False
 * when it failed. */
static bool launch_slice(const struct session *s, const struct ahead_job *j, const size_t local[3])
{
    size_t offset[3];

    return !j->slices || !ahead_slice_offset(j, local, offset) || launch(s, j, local, offset) >= 0;
}

/* ---- orders ---------------------------------------------------------------------------------------- */

/* Write the program's binary to the file that the job names. */
static void write_binary(const struct ahead_job *j, const struct session *s)
{
    size_t bytes = 0;
    unsigned char *binary;

    if (clGetProgramInfo(s->program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS ||
        !bytes || bytes > MOST_BINARY || !(binary = malloc(bytes)))
        return;
    if (clGetProgramInfo(s->program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        ahead_answer_binary(j->binary, binary, bytes);
    free(binary);
}

static bool tell(int channel, int64_t ns, bool over)
{
    const struct ahead_result r = {.ns = ns, .over = over};

    return write(channel, &r, sizeof r) == sizeof r;
}

/* The order's launches.  Ends when nobody wants to know any more. */
static void launch_all(const struct ahead_order *o, const struct ahead_job *j, const struct session *s,
                       int channel)
{
    int64_t wall = time_of(CLOCK_MONOTONIC), cpu = cpu_now();

    for (unsigned i = o->first; i < o->end && i < j->nsize; i += o->step)
        for (unsigned k = 0; k < o->times; k++) {
            int64_t ns;
            if (o->modest)
                give_way(&wall, &cpu);
            ns = launch(s, j, j->size[i], j->offset);
            if (j->binary && ns >= 0 && i + 1 == j->trial)
                write_binary(j, s);
            if ((ns < 0 && o->modest && !j->trial) || !launch_slice(s, j, j->size[i]) ||
                !tell(channel, ns, false))
                return;
        }
}

static void do_order(const struct ahead_order *o, const struct ahead_job *j, struct session *s, int channel)
{
    if (build(j, s)) {
        if (!j->nsize)
            write_binary(j, s);
        else if (make_kernel(j, s))
            launch_all(o, j, s, channel);
    }
    close_session(s);
}

/* The next order.  False if there is none, or it cannot be read. */
static bool next_order(int channel, struct ahead_order *o, struct ahead_job *j)
{
    char *text = NULL;
    const bool ok = recv(channel, o, sizeof *o, MSG_WAITALL) == sizeof *o && (text = malloc(o->bytes + 1)) &&
                    recv(channel, text, o->bytes, MSG_WAITALL) == (ssize_t)o->bytes &&
                    !ahead_read(text, o->bytes, j);

    free(text);
    return ok;
}

_Noreturn void ahead_work(int channel, int nice)
{
    static struct session s;
    char device[1024] = "";
    struct ahead_order o;
    struct ahead_job j;
    int64_t worked = 0, before = 0;
    bool more = true;

    humble_begin(nice);
    catch_signals();
    signal(SIGPIPE, SIG_DFL); /* as the processes expect it that a driver starts */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (more && next_order(channel, &o, &j)) {
        alarm(DEADLINE_S);
        if (strcmp(device, j.program.device) != 0) {
            snprintf(device, sizeof device, "%s", j.program.device);
            s = (struct session){0};
            if (!open_device(&j, &s))
                break;
        }
        do_order(&o, &j, &s, channel);
        ahead_free(&j);
        alarm(0);
        before = worked;
        worked = cpu_now();
        more = worked < AHEAD_CPU_SECONDS / 2 * 1000000000ll;
        if (!more)
            shutdown(channel, SHUT_RD); /* before anybody can give another one */
        more &= tell(channel, worked - before, true);
    }
    _exit(0); /* drivers have been seen to crash on the way out */
}
