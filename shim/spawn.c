/* spawn.c - an orphan from birth.
 *
 * A child of ours would raise SIGCHLD in the application and turn up in its wait() calls.  So an
 * intermediate process is cloned with no exit signal, which plain wait() calls do not see; it spawns the
 * helper and ends at once, and the helper is adopted by init (or the nearest subreaper).  The intermediate
 * shares our memory while we are suspended, as vfork() does: it must not return from its function, nor
 * allocate.
 *
 * Process 1 and subreapers adopt orphans themselves, and adoption (like exec) makes SIGCHLD the exit signal.
 * There the intermediate, then called keeper, stays: it waits for the helper in our place, and its own end is
 * as silent as before.  A forked keeper would have the application copy every page that it writes meanwhile,
 * so this one shares our memory, on a stack of its own.  While we run, it must not touch thread-local memory,
 * which it shares with the thread that made it: it makes system calls that cannot fail, so that errno is not
 * written, and nothing else.  It has descriptors of its own, and gives them up: whoever reads from a pipe
 * that the application closes is not to wait for the helper's end. */
#include "shim/spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES (256u << 10)

#define KEEPER_LOOK_NS 5000000 /* between two looks of the keeper */

struct job {
    char *const *argv, *const *envp;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    pid_t pid, application;
    int error;
    atomic_bool spawned; /* pid or error is valid */
};

static int intermediate(void *arg)
{
    struct job *job = arg;

    job->error = posix_spawn(&job->pid, job->argv[0], &job->files, &job->attr, job->argv, job->envp);
    _exit(0);
}

/* Ends with the helper, or soon after the application: memory that it shares is not to live on. */
static int keeper(void *arg)
{
    const struct timespec pause = {.tv_nsec = KEEPER_LOOK_NS};
    struct job *job = arg;
    const pid_t application = job->application;
    pid_t helper = 0;

    signal(SIGCHLD, SIG_DFL); /* ours alone; ignored, it would have the helper vanish unwaited */
    job->error = posix_spawn(&job->pid, job->argv[0], &job->files, &job->attr, job->argv, job->envp);
    if (!job->error)
        helper = job->pid;
#ifdef SYS_close_range
    syscall(SYS_close_range, 0u, ~0u, 0u); /* Linux 5.9 */
#endif
    atomic_store(&job->spawned, true); /* from here on we are not alone, and *job may be gone */
    while (helper && syscall(SYS_getppid) == application &&
           syscall(SYS_wait4, helper, NULL, WNOHANG, NULL) == 0)
        syscall(SYS_nanosleep, &pause, NULL);
    _exit(0);
}

static int prepare(struct job *job)
{
    const struct sched_param priority = {0};
    const int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    sigset_t all, none;

    /* A real-time program's priority is not for its helpers.  Others may not be allowed to change theirs. */
    if (policy == SCHED_FIFO || policy == SCHED_RR)
        flags |= POSIX_SPAWN_SETSCHEDULER;
    sigfillset(&all);
    sigemptyset(&none);
    return posix_spawn_file_actions_addopen(&job->files, 0, "/dev/null", O_RDONLY, 0) ||
           posix_spawn_file_actions_addopen(&job->files, 1, "/dev/null", O_WRONLY, 0) ||
           posix_spawn_file_actions_addopen(&job->files, 2, "/dev/null", O_WRONLY, 0) ||
           posix_spawn_file_actions_addclosefrom_np(&job->files, 3) ||
           posix_spawnattr_setsigdefault(&job->attr, &all) || posix_spawnattr_setsigmask(&job->attr, &none) ||
           posix_spawnattr_setschedpolicy(&job->attr, SCHED_OTHER) ||
           posix_spawnattr_setschedparam(&job->attr, &priority) ||
           posix_spawnattr_setflags(&job->attr, flags);
}

/* The application's thread waits, for the intermediate to end or the keeper to have spawned. */
static void run_intermediate(struct job *job, char *stack)
{
    const pid_t child = clone(intermediate, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, job);

    if (child < 0)
        job->error = errno;
    else
        while (waitpid(child, NULL, __WCLONE) < 0 && errno == EINTR)
            continue;
}

static pid_t run_keeper(struct job *job, char *stack)
{
    const struct timespec pause = {.tv_nsec = 20000};
    const pid_t child = clone(keeper, stack + STACK_BYTES, CLONE_VM, job);

    if (child < 0) {
        job->error = errno;
        return 0;
    }
    while (!atomic_load(&job->spawned)) {
        if (waitpid(child, NULL, __WCLONE | WNOHANG) == child) { /* killed */
            job->error = ECHILD;
            return 0;
        }
        syscall(SYS_nanosleep, &pause, NULL);
    }
    return child;
}

/* With every signal blocked: a handler of the application must not run on the borrowed stack. */
static pid_t run_blocked(struct job *job, char *stack, bool keep)
{
    sigset_t all, old;
    pid_t kept = 0;
    int cancel;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (keep)
        kept = run_keeper(job, stack);
    else
        run_intermediate(job, stack);
    pthread_setcancelstate(cancel, &cancel);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return kept;
}

/* Orphans come back to process 1 and to subreapers. */
static bool adopts_orphans(void)
{
    int subreaper = 0;

    return getpid() == 1 || (prctl(PR_GET_CHILD_SUBREAPER, &subreaper) == 0 && subreaper);
}

/* When a process began, in the system's ticks; 0: it is gone, or a zombie. */
static unsigned long long born(pid_t pid)
{
    char path[48], text[512], *state;
    unsigned long long ticks = 0;
    ssize_t n;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    state = strrchr(text, ')'); /* field 2; the state is field 3, the time of birth field 22 */
    if (!state || state[1] != ' ' || state[2] == 'Z' || state[2] == 'X' ||
        sscanf(state + 3, " %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &ticks) != 1)
        return 0;
    return ticks;
}

int spawn_detached(char *const argv[], char *const envp[], struct spawned *out)
{
    struct job job = {.argv = argv, .envp = envp, .application = getpid(), .error = ENOMEM};
    char *stack =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    *out = (struct spawned){0};
    if (stack == MAP_FAILED)
        return -ENOMEM;
    if (posix_spawn_file_actions_init(&job.files) == 0) {
        if (posix_spawnattr_init(&job.attr) == 0) {
            if (prepare(&job) == 0)
                out->keeper = run_blocked(&job, stack, adopts_orphans());
            posix_spawnattr_destroy(&job.attr);
        }
        posix_spawn_file_actions_destroy(&job.files);
    }
    out->pid = job.error ? 0 : job.pid;
    if (out->pid)
        out->born = born(out->pid);
    if (out->keeper && job.error) /* it ends at once */
        while (waitpid(out->keeper, NULL, __WCLONE) < 0 && errno == EINTR)
            continue;
    if (job.error)
        out->keeper = 0;
    if (out->keeper)
        out->stack = stack;
    else
        munmap(stack, STACK_BYTES);
    return -job.error;
}

/* ---- around it ------------------------------------------------------------------------------------- */

extern char **environ;

char **spawn_environment(bool keep_libraries)
{
    static const char *const strip[] = {
        "LD_PRELOAD=",
        "OPENCL_LAYERS=",
        "LD_AUDIT=",
        "POCL_TRACING=",
        "OCLGRIND_LOG=",
        "POCL_EXTRA_BUILD_FLAGS=", /* these two are among a program's options by now (driver_options.c) */
        "OCLGRIND_BUILD_OPTIONS=",
        "LD_LIBRARY_PATH="};
    size_t n = 0, kept = 0;
    char **e;

    while (environ && environ[n])
        n++;
    e = malloc((n + 1) * sizeof *e);
    if (!e)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        bool drop = false;
        for (size_t j = 0; j < sizeof strip / sizeof *strip - keep_libraries; j++)
            drop |= strncmp(environ[i], strip[j], strlen(strip[j])) == 0;
        if (!drop)
            e[kept++] = environ[i];
    }
    e[kept] = NULL;
    return e;
}

bool spawn_alive(const struct spawned *s)
{
    return s->pid && s->born && born(s->pid) == s->born;
}

void spawn_kill(const struct spawned *s)
{
    if (spawn_alive(s))
        kill(-s->pid, SIGKILL); /* its group */
}

bool spawn_reap(struct spawned *s)
{
    if (s->keeper && waitpid(s->keeper, NULL, __WCLONE | WNOHANG) == 0)
        return false;
    if (s->stack)
        munmap(s->stack, STACK_BYTES);
    *s = (struct spawned){0};
    return true;
}
