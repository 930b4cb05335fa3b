/* ahead_main.c - clsizer-ahead: has a driver compile a kernel for local sizes that the application has not
 * used yet.
 *
 *     clsizer-ahead [--workers N | --in-turn DIRECTORY] {--job FILE --output FILE}...
 *
 * Some drivers compile a kernel anew for every local size, at its first launch, while the application
 * waits, and keep the result on disk for all processes.  So this process makes such a first launch, at a
 * lower priority than the application (HUMBLE_NICE).  It uses the application's program and arguments,
 * buffers of the same sizes filled with zeros, and as small a range as makes the driver compile the same
 * code.  Nothing remains of it but what is in the driver's cache, and the output file (ahead_job.h).  A
 * kernel that crashes on zeros or never ends harms only this process.
 *
 * First it tests whether the driver keeps what it compiles: two processes make the same launch, one after the
 * other, and the second must need much less CPU time.  Not so if the job is a trial, whether a kernel of ours
 * can be compiled and launched at all: that is one launch with each size, at the application's priority while
 * that runs.
 *
 * A job without sizes wants the program's binary alone, which takes no launch.
 *
 * With --in-turn the application has ended.  Of the processes that were told the same directory, one does
 * trials and one the rest at a time, and one waits for its turn to do either; others leave their jobs to the
 * application's next run.
 *
 * With --workers the application waits.  Then N processes of normal priority share the sizes, nothing is
 * tested, and the application notices by itself if the driver compiles again (ahead_check()). */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "analysis/summary/end_with.h"
#include "analysis/summary/low_priority.h"
#include "analysis/summary/whole_file.h"
#include "shim/helper/ahead_job.h"

#define DEADLINE_S     60 /* for a child process */
#define MOST_WORKERS   64
#define CPU_SECONDS    30            /* of each process */
#define MEMORY_LIMIT   (16ull << 30) /* of each: buffers, and a driver with a thread for each core */
#define OUTPUT_LIMIT   (1ull << 30)  /* bytes of a file */
#define MOST_JOB       (80u << 20)   /* bytes of a job's file */
#define MOST_PLATFORMS 16
#define MOST_DEVICES   64
#define FROM_SYSTEM    (1u << 20) /* bytes; a larger buffer is fresh from the system and holds zeros already */
#define CHEAP_NS       5000000    /* CPU time beyond that of another launch which does not mean compilation */
#define MOST_BINARY    (16u << 20) /* bytes; a larger one is not worth its place on the disk */
#define CROWDED        1.25        /* others want the cores if work takes this many times its CPU time */
#define MODEST         11          /* then this process takes one part in this many of a core */

/* ---- this process ---------------------------------------------------------------------------------- */

static void end_quietly(int signal)
{
    (void)signal;
    _exit(1);
}

/* Crashes leave neither a core file nor a line in the kernel's log. */
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

/* ---- files ----------------------------------------------------------------------------------------- */

/* A file that is to replace an answer as a whole. */
struct replacement {
    const char *path;
    char *temporary;
    FILE *f;
};

static bool open_replacement(const char *path, struct replacement *r)
{
    int fd = -1;

    *r = (struct replacement){.path = path};
    if (asprintf(&r->temporary, "%s.%ld", path, (long)getpid()) < 0)
        return false;
    fd = open(r->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    r->f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!r->f)
        free(r->temporary);
    return r->f;
}

/* False if it could not be written, or not `good`: then the old answer remains. */
static bool replace(struct replacement *r, bool good)
{
    const bool ok = fclose(r->f) == 0 && good && rename(r->temporary, r->path) == 0;

    if (!ok)
        unlink(r->temporary);
    free(r->temporary);
    return ok;
}

/* Replace the answer by one that lists the sizes which are done.  `took_ns` > 0: the CPU time of the dearest.
 * False if it could not be written. */
static bool answer(const char *path, const struct ahead_job *j, const bool done[AHEAD_MOST_SIZES],
                   int64_t took_ns, bool end)
{
    struct replacement r;

    if (!open_replacement(path, &r))
        return false;
    for (unsigned i = 0; i < j->nsize; i++)
        if (done[i])
            fprintf(r.f, "%zu %zu %zu\n", j->size[i][0], j->size[i][1], j->size[i][2]);
    if (took_ns > 0)
        fprintf(r.f, "took %" PRId64 "\n", took_ns);
    if (end)
        fputs("end\n", r.f);
    return replace(&r, true);
}

/* False: one process does such jobs for the directory already, and another one waits for its turn.  It lasts
 * until this process ends. */
static bool take_turn(const char *directory, bool trial)
{
    struct flock waits = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * trial, .l_len = 1},
                 works = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * trial + 1, .l_len = 1};
    const int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
              fd = openat(dir, "ahead.lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

    close(dir);
    if (fd < 0)
        return true;
    if (fcntl(fd, F_OFD_SETLK, &waits))
        return errno != EAGAIN && errno != EACCES; /* else there are no locks here */
    while (fcntl(fd, F_OFD_SETLKW, &works) && errno == EINTR)
        continue;
    waits.l_type = F_UNLCK;
    fcntl(fd, F_OFD_SETLK, &waits);
    return true;
}

/* May such a job be done?  `directory`: NULL if it is not done in turn.  Trials do not wait for what is done
 * modestly. */
static bool may_work(const char *directory, bool trial)
{
    static enum { UNKNOWN, YES, NO } turn[2];

    if (directory && turn[trial] == UNKNOWN)
        turn[trial] = take_turn(directory, trial) ? YES : NO;
    return !directory || turn[trial] == YES;
}

/* Let the next run ask again: remove an answer that only says that somebody was asked. */
static void leave_job(const char *output)
{
    struct stat st;

    if (lstat(output, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
        unlink(output);
}

/* ---- OpenCL ---------------------------------------------------------------------------------------- */

struct session {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
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

/* A buffer of zeros. */
static cl_mem make_buffer(const struct session *s, const struct ahead_arg *a)
{
    const char zero = 0;
    cl_mem m = clCreateBuffer(s->context, CL_MEM_READ_WRITE, a->bytes, NULL, NULL);

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
static cl_mem make_image(const struct session *s, const struct ahead_arg *a)
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
    cl_mem m = clCreateImage(s->context, n[AHEAD_FLAGS], &format, &desc, NULL, NULL);

    if (m && a->bytes <= FROM_SYSTEM &&
        clEnqueueFillImage(s->queue, m, &zero, origin, region, 0, NULL, NULL) != CL_SUCCESS)
        return NULL;
    return m;
}

static bool set_memory(const struct session *s, cl_uint index, cl_mem m)
{
    return m && clSetKernelArg(s->kernel, index, sizeof m, &m) == CL_SUCCESS;
}

static bool set_argument(const struct session *s, cl_uint index, const struct ahead_arg *a)
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

/* Build the program, in a context with a queue.  False on any error.  Nothing is released: the process ends
 * soon. */
static bool build(const struct ahead_job *j, struct session *s)
{
    cl_device_id device = find_device(j->program.device);
    const char *source = j->program.source;

    if (*j->program.cwd && chdir(j->program.cwd)) /* what is included may be named from there */
        return false;
    if (!device || !(s->context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL)) ||
        !(s->queue = clCreateCommandQueue(s->context, device, 0, NULL)))
        return false;
    s->program = clCreateProgramWithSource(s->context, 1, &source, &j->program.source_bytes, NULL);
    return s->program && clBuildProgram(s->program, 1, &device, j->program.options, NULL, NULL) == CL_SUCCESS;
}

/* Build the program, and set the kernel's arguments.  False on any error. */
static bool open_session(const struct ahead_job *j, struct session *s)
{
    if (!build(j, s) || !(s->kernel = clCreateKernel(s->program, j->kernel, NULL)))
        return false;
    for (unsigned i = 0; i < j->narg; i++)
        if (!set_argument(s, i, &j->arg[i]))
            return false;
    return clFinish(s->queue) == CL_SUCCESS;
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

/* ---- the processes --------------------------------------------------------------------------------- */

/* What a process does: `times` launches of each of the sizes first, first + step, ... below `end`. */
struct share {
    unsigned first, step, end, times;
    bool modest; /* of low priority, and rests while others want the cores: give_way() */
};

/* What a child does first. */
static void begin_child(int nice)
{
    humble_begin(nice);
    catch_signals();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(DEADLINE_S);
}

/* Write the program's binary to the file that the job names. */
static void write_binary(const struct ahead_job *j, const struct session *s)
{
    struct replacement r;
    size_t bytes = 0;
    unsigned char *binary;

    if (clGetProgramInfo(s->program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) == CL_SUCCESS &&
        bytes && bytes <= MOST_BINARY && (binary = malloc(bytes)) &&
        clGetProgramInfo(s->program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS &&
        open_replacement(j->binary, &r))
        replace(&r, ahead_write_binary(r.f, binary, bytes) == 0);
}

/* The child of work(): writes the CPU time of each launch, an int64_t in ns, to the channel; -1: it failed. A
 * modest one ends at that.  A trial's binary is there before the last of the needed sizes is. */
static _Noreturn void launch_all(const struct ahead_job *j, const struct share *share, int channel)
{
    int64_t wall = time_of(CLOCK_MONOTONIC), cpu = cpu_now();
    struct session s = {0};

    begin_child(share->modest ? HUMBLE_NICE : 0);
    if (!open_session(j, &s))
        _exit(0);
    for (unsigned i = share->first; i < share->end; i += share->step)
        for (unsigned k = 0; k < share->times; k++) {
            int64_t ns;
            if (share->modest)
                give_way(&wall, &cpu);
            ns = launch(&s, j, j->size[i], j->offset);
            if (j->binary && ns >= 0 && i + 1 == j->trial)
                write_binary(j, &s);
            if ((ns < 0 && share->modest && !j->trial) || !launch_slice(&s, j, j->size[i]) ||
                write(channel, &ns, sizeof ns) != sizeof ns)
                _exit(0);
        }
    _exit(0); /* drivers have been seen to crash on the way out */
}

/* Start a process with a share of the sizes.  Returns the reading end of its channel, or -1.  OpenCL does not
 * survive a fork, so the process that calls this must not have used it. */
static int work(const struct ahead_job *j, const struct share *share, pid_t *child)
{
    int channel[2];

    if (pipe2(channel, O_CLOEXEC))
        return -1;
    *child = fork();
    if (*child == 0)
        launch_all(j, share, channel[1]);
    close(channel[1]);
    if (*child > 0)
        return channel[0];
    close(channel[0]);
    return -1;
}

/* Build the program and keep its binary. */
static void keep_binary(const struct ahead_job *j)
{
    const pid_t child = fork();
    struct session s = {0};

    if (child == 0) {
        begin_child(HUMBLE_NICE);
        if (build(j, &s))
            write_binary(j, &s);
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static bool take(int channel, int64_t *ns)
{
    return read(channel, ns, sizeof *ns) == sizeof *ns;
}

static void finish(int channel, pid_t child)
{
    close(channel);
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Does the driver keep what it compiled?  CPU times in ns: `first` of the very first launch with a size,
 * `again` of the first launch with it in another process, `plain` of a launch for which nothing is
 * compiled. */
static bool is_kept(int64_t first, int64_t again, int64_t plain)
{
    return again - plain < CHEAP_NS || again - plain < (first - plain) / 2;
}

/* Compile the first size in one process, then all of them in another, where the first one shows whether the
 * driver keeps what it compiles.  Ends at the first failure; the answer then says that no more will come. */
static void compile_modestly(const struct ahead_job *j, const char *output)
{
    struct share share = {.step = 1, .end = 1, .times = 2, .modest = true};
    bool done[AHEAD_MOST_SIZES] = {false}, kept;
    int64_t first = 0, plain = 0, again = 0;
    unsigned n = 0;
    pid_t child;
    int channel = work(j, &share, &child);

    if (channel < 0)
        return;
    kept = take(channel, &first) && take(channel, &plain);
    finish(channel, child);
    share.end = j->nsize;
    share.times = 1;
    channel = kept ? work(j, &share, &child) : -1;
    if (channel >= 0) {
        kept = take(channel, &again) && is_kept(first, again, plain);
        while (kept) {
            done[n++] = true;
            kept = answer(output, j, done, 0, false) && n < j->nsize && take(channel, &again);
        }
        finish(channel, child);
    }
    answer(output, j, done, 0, true);
}

/* Make one launch with each size, shared among several processes, and list those that succeeded; of a trial
 * at once, and what they took.  At the application's priority while that runs: it waits, or has said that a
 * variant is worth it. */
static void launch_together(const struct ahead_job *j, unsigned workers, bool modest, const char *output)
{
    bool done[AHEAD_MOST_SIZES] = {false};
    int channel[MOST_WORKERS];
    pid_t child[MOST_WORKERS];
    int64_t ns, most = 0;

    for (unsigned w = 0; w < workers; w++)
        channel[w] = work(
            j, &(struct share){.first = w, .step = workers, .end = j->nsize, .times = 1, .modest = modest},
            &child[w]);
    for (unsigned w = 0; w < workers; w++) {
        if (channel[w] < 0)
            continue;
        for (unsigned i = w; take(channel[w], &ns) && i < j->nsize; i += workers) {
            done[i] = ns >= 0;
            most = ns > most ? ns : most;
            if (j->trial)
                answer(output, j, done, most, false);
        }
        finish(channel[w], child[w]);
    }
    answer(output, j, done, j->trial ? most : 0, true);
}

/* Read a job, do it, and remove its file.  Failures are not reported: the library looks at nothing but the
 * answer. */
static void do_job(const char *path, const char *output, unsigned workers, const char *turn)
{
    struct ahead_job job = {0};
    size_t size = 0;
    char *text;
    bool works;
    int error = whole_file(path, MOST_JOB, &text, &size);

    if (!error)
        error = ahead_read(text, size, &job);

    free(text);
    works = !error && may_work(turn, job.trial);
    unlink(path); /* now, because the process that asked may have ended by then */
    if (error)
        return;
    if (!works)
        leave_job(output);
    else if (job.binary && !job.nsize)
        keep_binary(&job);
    else if (job.nsize && (job.trial || workers))
        launch_together(&job, job.trial ? 1 : workers, turn != NULL, output);
    else if (job.nsize)
        compile_modestly(&job, output);
    ahead_free(&job);
}

/* The number in the text, 1 to `most`; 0 if it is not one of those. */
static unsigned number(const char *text, long most)
{
    char *end;
    const long n = strtol(text, &end, 10);

    return *end || n < 1 || n > most ? 0 : (unsigned)n;
}

int main(int argc, char **argv)
{
    const char *path = NULL, *turn = NULL;
    unsigned workers = 0;
    bool ok = argc > 1 && argc % 2 == 1;

    humble_begin(0);
    humble_limit(RLIMIT_CPU, CPU_SECONDS);
    humble_limit(RLIMIT_DATA, MEMORY_LIMIT); /* not RLIMIT_AS: address space is reserved for each thread */
    humble_limit(RLIMIT_FSIZE, OUTPUT_LIMIT);
    for (int i = 1; ok && i < argc; i += 2)
        if (strcmp(argv[i], "--workers") == 0) {
            ok = (workers = number(argv[i + 1], MOST_WORKERS));
        } else if (strcmp(argv[i], "--in-turn") == 0) {
            turn = argv[i + 1];
        } else if (strcmp(argv[i], "--job") == 0) {
            path = argv[i + 1];
        } else if (strcmp(argv[i], "--output") == 0 && path) {
            end_with_directory_of(argv[i + 1]);
            do_job(path, argv[i + 1], workers, turn);
        } else {
            ok = false;
        }
    if (!ok)
        fputs("usage: clsizer-ahead [--workers N | --in-turn DIRECTORY] {--job FILE --output FILE}...\n",
              stderr);
    return ok ? 0 : 2;
}
