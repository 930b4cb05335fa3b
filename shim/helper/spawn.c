/* spawn.c - starts a program that is nobody's child.
 *
 * A child of ours would raise SIGCHLD in the application and turn up in its wait() calls.  So an intermediate
 * process is cloned with no exit signal, which plain wait() calls do not see.  It spawns the helper and ends
 * at once, and the helper is adopted by init (or the nearest subreaper).  The intermediate process shares our
 * memory while we are suspended, as vfork() does: it must not return from its function, and must not
 * allocate.
 *
 * Process 1 and subreapers would adopt the orphan themselves, and adoption (like exec) makes SIGCHLD the exit
 * signal.  There the intermediate process, then called keeper, stays: it waits for the helper in our place,
 * and its own end is as silent as before.
 *   - It shares our memory, on a stack of its own, because a forked keeper would make the application copy
 *     every page that it writes meanwhile.
 *   - While we run, it must not touch thread-local memory, which it shares with the thread that made it.  So
 *     it only makes system calls that cannot fail, for which errno is not written.
 *   - It has descriptors of its own and closes them; or else whoever reads from a pipe that the application
 *     closes would have to wait for the helper's end.
 *   - It is a subreaper itself, so that what a killed helper has started does not come to the application.
 *
 * Sanitizers in the application intercept clone(), signal() and _exit(), and would take what a process that
 * shares the application's memory does for the application's own doing.  So these are called without going
 * through them. */
#include "shim/helper/spawn.h"
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "analysis/summary/driver_quirks.h"
#include "shim/guest/guest.h"
#include "shim/guest/util.h"

#define STACK_BYTES  (256u << 10)
#define MOST_KEEPERS 8

#define KEEPER_LOOK_NS      5000000 /* between two looks of the keeper */
#define KERNEL_SIGSET_BYTES 8L      /* the kernel's sigset_t, not the C library's */

/* clone() by the C library's own name for it. */
int __clone(int (*function)(void *), void *stack, int flags, void *arg, ...);

struct job {
    char *const *argv, *const *envp;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    pid_t pid, application;
    bool driver; /* it runs the application's */
    int error;
    atomic_bool spawned; /* pid or error is valid */
};

/* Keepers that have not been waited for, with their stacks. */
static pthread_mutex_t keepers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    pid_t pid;
    void *stack;
} keepers[MOST_KEEPERS];
static unsigned nkeeper;
atomic_uint spawn_kept; /* nkeeper, to be read without the lock */

static int end(void)
{
    return (int)syscall(SYS_exit_group, 0L);
}

static int intermediate(void *arg)
{
    struct job *job = arg;

    job->error = posix_spawn(&job->pid, job->argv[0], &job->files, &job->attr, job->argv, job->envp);
    return end();
}

/* wait4() for any child without waiting, which leaves errno alone when there is none. */
static long reap_any(void)
{
#if defined(__x86_64__)
    register long options __asm__("rdx") = WNOHANG;
    register long usage __asm__("r10") = 0;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)SYS_wait4), "D"(-1L), "S"(0L), "r"(options), "r"(usage)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_wait4;
    register long child __asm__("x0") = -1;
    register long status __asm__("x1") = 0;
    register long options __asm__("x2") = WNOHANG;
    register long usage __asm__("x3") = 0;

    __asm__ volatile("svc 0" : "+r"(child) : "r"(number), "r"(status), "r"(options), "r"(usage) : "memory");
    return child;
#else
    const int before = errno;
    const long result = syscall(SYS_wait4, -1, NULL, WNOHANG, NULL);

    errno = before;
    return result;
#endif
}

/* Ends with the helper and all that it left, or soon after the application: memory that it shares is not to
 * live on. */
static int keeper(void *arg)
{
    const struct timespec pause = {.tv_nsec = KEEPER_LOOK_NS};
    const unsigned long default_action[4] = {0}; /* SIG_DFL, no flags, no signals blocked */
    struct job *job = arg;
    const pid_t application = job->application;

    /* Ours alone; ignored, SIGCHLD would have the helper vanish unwaited. */
    syscall(SYS_rt_sigaction, SIGCHLD, default_action, NULL, KERNEL_SIGSET_BYTES);
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    job->error = posix_spawn(&job->pid, job->argv[0], &job->files, &job->attr, job->argv, job->envp);
#ifdef SYS_close_range
    syscall(SYS_close_range, 0u, ~0u, 0u); /* Linux 5.9 */
#endif
    atomic_store(&job->spawned, true); /* from here on we are not alone, and *job may be gone */
    while (syscall(SYS_getppid) == application) {
        const long child = reap_any();
        if (child < 0)
            break;
        if (child == 0)
            syscall(SYS_nanosleep, &pause, NULL);
    }
    return end();
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
           (!job->driver && posix_spawn_file_actions_addchdir_np(&job->files, "/")) ||
           posix_spawnattr_setsigdefault(&job->attr, &all) || posix_spawnattr_setsigmask(&job->attr, &none) ||
           posix_spawnattr_setschedpolicy(&job->attr, SCHED_OTHER) ||
           posix_spawnattr_setschedparam(&job->attr, &priority) ||
           posix_spawnattr_setflags(&job->attr, flags);
}

/* The application's thread waits, for the intermediate to end or the keeper to have spawned. */
static void run_intermediate(struct job *job, char *stack)
{
    const pid_t child =
        __clone(intermediate, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | CLONE_UNTRACED, job);

    if (child < 0)
        job->error = errno;
    else
        while (waitpid(child, NULL, __WCLONE) < 0 && errno == EINTR)
            continue;
}

static pid_t run_keeper(struct job *job, char *stack)
{
    const struct timespec pause = {.tv_nsec = 20000};
    const pid_t child = __clone(keeper, stack + STACK_BYTES, CLONE_VM | CLONE_UNTRACED, job);

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

/* Run the job with every signal blocked, because a handler of the application must not run on the borrowed
 * stack. */
static pid_t run_blocked(struct job *job, char *stack, bool keep)
{
    sigset_t all, old;
    pid_t keeper_pid = 0;
    int cancel;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (keep)
        keeper_pid = run_keeper(job, stack);
    else
        run_intermediate(job, stack);
    pthread_setcancelstate(cancel, &cancel);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return keeper_pid;
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

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    util_beginning(path, text, sizeof text);
    state = strrchr(text, ')'); /* field 2; the state is field 3, the time of birth field 22 */
    if (!state || state[1] != ' ' || state[2] == 'Z' || state[2] == 'X' ||
        sscanf(state + 3, " %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &ticks) != 1)
        return 0;
    return ticks;
}

/* After unshare(CLONE_NEWPID) the thread's next child is process 1 of a new namespace, and when it ends no
 * other can be born there: that one is not to be ours. */
static bool founds_namespace(void)
{
    static const char *const link = "/proc/thread-self/ns/pid_for_children"; /* Linux 4.12 */
    struct stat own, children;

    if (stat("/proc/thread-self/ns/pid", &own) || lstat(link, &children))
        return false;
    return stat(link, &children) || own.st_ino != children.st_ino; /* without process 1 it leads nowhere */
}

static int spawn_job(struct job *job, char *stack, bool keep, pid_t *keeper_pid)
{
    *keeper_pid = 0;
    if (posix_spawn_file_actions_init(&job->files))
        return ENOMEM;
    if (posix_spawnattr_init(&job->attr) == 0) {
        if (prepare(job) == 0)
            *keeper_pid = run_blocked(job, stack, keep);
        posix_spawnattr_destroy(&job->attr);
    }
    posix_spawn_file_actions_destroy(&job->files);
    return job->error;
}

/* A copy of the application's environment without the variables that would have the new process intercepted,
 * preload other libraries, write the driver's logs, or add the driver's build options a second time; and
 * without LD_LIBRARY_PATH unless it is for a `driver`.  The caller frees the array but not the strings; NULL
 * when out of memory. */
static char **environment(bool driver)
{
    static const char *const strip[] = {"LD_PRELOAD=", "OPENCL_LAYERS=", "LD_AUDIT=", "LD_LIBRARY_PATH="};
    char **const from = environ, **e; /* other threads may change it, also in between */
    size_t n = 0, used = 0;

    while (from && from[n])
        n++;
    e = malloc((n + 1) * sizeof *e);
    if (!e)
        return NULL;
    for (size_t i = 0; i < n && from[i]; i++) {
        char *const entry = from[i];
        bool drop = drv_is_not_inherited(entry);
        for (size_t j = 0; j < sizeof strip / sizeof *strip - driver; j++)
            drop |= strncmp(entry, strip[j], strlen(strip[j])) == 0;
        if (!drop)
            e[used++] = entry;
    }
    e[used] = NULL;
    return e;
}

int spawn_detached(char *const argv[], bool driver, struct spawned *out)
{
    char **envp = environment(driver);
    struct job job = {.argv = argv, .envp = envp, .application = getpid(), .driver = driver, .error = ENOMEM};
    const bool keep = adopts_orphans();
    pid_t keeper_pid = 0;
    char *stack;
    int error;

    *out = (struct spawned){0};
    if (!envp)
        return -ENOMEM;
    if (founds_namespace()) {
        free(envp);
        return -EPERM;
    }
    spawn_sweep();
    pthread_mutex_lock(&keepers_lock);
    stack = keep && nkeeper == MOST_KEEPERS ? MAP_FAILED
                                            : mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    error = stack == MAP_FAILED ? ENOMEM : spawn_job(&job, stack, keep, &keeper_pid);
    if (keeper_pid) {
        keepers[nkeeper].pid = keeper_pid;
        keepers[nkeeper].stack = stack;
        atomic_store(&spawn_kept, ++nkeeper);
    } else if (stack != MAP_FAILED) {
        munmap(stack, STACK_BYTES);
    }
    pthread_mutex_unlock(&keepers_lock);
    free(envp);
    if (!error)
        *out = (struct spawned){.pid = job.pid, .born = born(job.pid)};
    return -error;
}

/* Has the keeper ended, and was it reaped, now or by somebody else? */
static bool is_gone(pid_t keeper)
{
    const pid_t reaped = waitpid(keeper, NULL, __WCLONE | WNOHANG);

    return reaped == keeper || (reaped < 0 && errno == ECHILD);
}

void spawn_clean_up(void)
{
    struct guest guest;

    if (util_confined() || pthread_mutex_trylock(&keepers_lock))
        return;
    guest_begin(&guest);
    for (unsigned i = nkeeper; i-- > 0;)
        if (is_gone(keepers[i].pid)) {
            munmap(keepers[i].stack, STACK_BYTES);
            keepers[i] = keepers[--nkeeper];
        }
    atomic_store(&spawn_kept, nkeeper);
    pthread_mutex_unlock(&keepers_lock);
    guest_end(&guest);
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
