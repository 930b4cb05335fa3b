/* moods - a program whose process or thread is in the state of its argument while it launches:
 *
 *   plain
 *   traps        every floating-point exception traps; says which were raised
 *   coroutine    the launches come from a coroutine with a small stack
 *   thread       likewise from a thread, of a kernel with a private array
 *   seccomp      it has forbidden itself files, and would be killed for opening one
 *   worker       likewise; until then another thread has launched
 *   container    likewise, and is in a container
 *   silence      it has forbidden itself prctl(), by which one learns that there is such a filter
 *   namespace    its next child will be process 1 of a new namespace; says what that child says
 *   ignore       nobody waits for its children: SIGCHLD is ignored
 *   jail         its root is the working directory
 *   nobody       it is not the administrator, and may start no process
 *   memory       it has taken all the memory that a limit allows it, but for a few megabytes
 *   stderr       stderr is closed, and its number a data file's; says how long that is
 *   limit        files may be no longer than stderr is
 *   clock        its clocks stand still, and its sleeps have no end (libfaketime)
 *   exit         after a while a signal handler ends the process, whatever it is doing
 *
 * A kernel is launched with two shapes, one after the other.  Output: what was computed, and what is said
 * above.  Exit status 77: the system does not allow the state. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include "tests/confine.h"

enum { ITEMS = 16384, LAUNCHES = 150, STACK = 64 << 10, THREAD = 600 << 10, SKIPPED = 77, NOBODY = 65534 };

static const char *source = "__kernel void mood(__global const uint *in, __global uint *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    uint h = in[i];\n"
                            "#ifdef ARRAY\n"
                            "    uint seen[ARRAY];\n"
                            "    for (uint k = 0; k < ARRAY; k++)\n"
                            "        seen[k] = k;\n"
                            "    for (uint k = 0; k < 16; k++)\n"
                            "        seen[h * k % ARRAY] = k, h += seen[(h + k) % ARRAY];\n"
                            "#endif\n"
                            "    for (int k = 0; k < 20; k++)\n"
                            "        h = (h ^ k) * 16777619u;\n"
                            "    out[i] = h;\n"
                            "}\n";

static const char *mood;
static cl_command_queue queue;
static cl_kernel kernel;
static int raised;
static bool armed;
static ucontext_t back;

static bool is(const char *name)
{
    return strcmp(mood, name) == 0;
}

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "moods: %s\n", what);
    exit(1);
}

/* In the place of the C library's: the signal comes while wisdom is read. */
__attribute__((visibility("default"))) FILE *fdopen(int fd, const char *mode)
{
    FILE *(*next)(int, const char *);

    if (armed) {
        armed = false;
        raise(SIGUSR1);
    }
    *(void **)&next = dlsym(RTLD_NEXT, "fdopen");
    return next(fd, mode);
}

static struct timespec still;

/* Likewise: clocks that stand still. */
__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (is("clock")) {
        *t = still;
        return 0;
    }
    return (int)syscall(SYS_clock_gettime, clock, t);
}

/* Asleep by a clock that stands still. */
__attribute__((visibility("default"))) int nanosleep(const struct timespec *t, struct timespec *rest)
{
    while (is("clock"))
        pause();
    return (int)syscall(SYS_nanosleep, t, rest);
}

static void end(int signal)
{
    (void)signal;
    exit(5);
}

/* ---- launches -------------------------------------------------------------------------------------- */

static void launch(size_t items)
{
    const size_t local = 4;

    feclearexcept(FE_ALL_EXCEPT);
    if (is("traps"))
        feenableexcept(FE_ALL_EXCEPT);
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL) == CL_SUCCESS,
          "launch");
    fedisableexcept(FE_ALL_EXCEPT);
    raised |= fetestexcept(FE_ALL_EXCEPT);
    check(clFinish(queue) == CL_SUCCESS, "finish");
}

static void launch_all(void)
{
    for (int i = 0; i < LAUNCHES; i++)
        launch(ITEMS);
    armed = is("exit");
    for (int i = 0; i < LAUNCHES; i++)
        launch(ITEMS / 2);
}

/* The driver has opened and started what it needs. */
static void *launch_both(void *unused)
{
    (void)unused;
    launch(ITEMS);
    launch(ITEMS / 2);
    return NULL;
}

static void launch_from_worker(void)
{
    pthread_t worker;

    check(pthread_create(&worker, NULL, launch_both, NULL) == 0 && pthread_join(worker, NULL) == 0, "worker");
}

static void *launch_in_thread(void *unused)
{
    (void)unused;
    launch_all();
    return NULL;
}

static void launch_from_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    check(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, THREAD) == 0 &&
              pthread_create(&thread, &attributes, launch_in_thread, NULL) == 0 &&
              pthread_join(thread, NULL) == 0,
          "thread");
}

static void launch_from_coroutine(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *stack = mmap(NULL, STACK + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ucontext_t coroutine;

    check(stack != MAP_FAILED && mprotect(stack, page, PROT_NONE) == 0 && getcontext(&coroutine) == 0,
          "stack");
    coroutine.uc_stack.ss_sp = stack + page;
    coroutine.uc_stack.ss_size = STACK;
    coroutine.uc_link = &back;
    makecontext(&coroutine, launch_all, 0);
    swapcontext(&back, &coroutine);
}

/* ---- moods ----------------------------------------------------------------------------------------- */

static void allow(bool possible)
{
    if (!possible)
        exit(SKIPPED);
}

static void become_nobody(void)
{
    if (geteuid() == 0)
        allow(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
    check(setrlimit(RLIMIT_NPROC, &(struct rlimit){0, 0}) == 0, "limit");
}

static void take_memory(void)
{
    struct rlimit limit;
    char *all[4096];
    int n = 0;

    check(getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur < (rlim_t)4096 << 20, "limit");
    while (n < 4096 && (all[n] = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                                      0)) != MAP_FAILED)
        n++;
    for (int i = 0; i < 4 && n; i++)
        munmap(all[--n], 1 << 20);
}

static void begin(void)
{
    struct stat st;

    if (is("seccomp") || is("worker"))
        allow(forbid_files());
    else if (is("silence"))
        allow(forbid(SYS_prctl));
    else if (is("namespace"))
        allow(unshare(CLONE_NEWPID) == 0);
    else if (is("ignore"))
        signal(SIGCHLD, SIG_IGN);
    else if (is("jail"))
        allow(chroot(".") == 0);
    else if (is("nobody"))
        become_nobody();
    else if (is("lost"))
        check(setenv("PATH", "/nonexistent", 1) == 0, "PATH");
    else if (is("full"))
        while (open("/dev/null", O_RDONLY) >= 0)
            continue;
    else if (is("memory"))
        take_memory();
    else if (is("stderr"))
        check(close(2) == 0 && open("/tmp", O_TMPFILE | O_RDWR, 0600) == 2, "data file");
    else if (is("limit")) {
        check(fstat(2, &st) == 0, "stderr");
        allow(S_ISREG(st.st_mode) && st.st_size > 0);
        check(setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)st.st_size, (rlim_t)st.st_size}) == 0,
              "limit");
        signal(SIGXFSZ, SIG_DFL); /* the driver may have a handler */
    } else if (is("exit"))
        signal(SIGUSR1, end);
}

static void tell(const cl_uint *out)
{
    uint32_t sum = 0;
    pid_t child;
    int status = 0;

    for (int i = 0; i < ITEMS; i++)
        sum = sum * 31 + out[i];
    printf("%08x\n", sum);
    if (is("traps"))
        printf("raised: %x\n", (unsigned)raised);
    if (is("stderr"))
        printf("bytes: %ld\n", (long)lseek(2, 0, SEEK_END));
    if (is("namespace")) {
        fflush(stdout);
        child = fork();
        if (child == 0)
            _exit(getpid());
        if (child < 0)
            printf("no child: %s\n", strerror(errno));
        else if (waitpid(child, &status, 0) == child)
            printf("child: %d\n", WEXITSTATUS(status));
    }
}

int main(int argc, char **argv)
{
    static cl_uint in[ITEMS], out[ITEMS];
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;

    check(argc == 2, "usage: moods MOOD");
    mood = argv[1];
    if (is("container")) {
        allow(forbid_nothing());
        execl("/proc/self/exe", argv[0], "seccomp", NULL);
        return 1;
    }
    for (cl_uint i = 0; i < ITEMS; i++)
        in[i] = i;
    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
              clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS,
          "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    queue = clCreateCommandQueue(context, device, 0, &error);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(clBuildProgram(program, 1, &device, is("thread") ? "-DARRAY=256" : NULL, NULL, NULL) == CL_SUCCESS,
          "build");
    kernel = clCreateKernel(program, "mood", &error);
    cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &error);
    cl_mem b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, &error);
    check(clSetKernelArg(kernel, 0, sizeof a, &a) == CL_SUCCESS &&
              clSetKernelArg(kernel, 1, sizeof b, &b) == CL_SUCCESS,
          "arguments");
    if (is("worker"))
        launch_from_worker();
    else if (!is("plain") && !is("exit"))
        launch_both(NULL);
    begin();
    if (is("coroutine"))
        launch_from_coroutine();
    else if (is("thread"))
        launch_from_thread();
    else
        launch_all();
    check(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL) == CL_SUCCESS, "read");
    tell(out);
    return 0;
}
