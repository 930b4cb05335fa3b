/* spawn.c - an orphan from birth.
 *
 * A child of ours would raise SIGCHLD in the application and turn up in its wait() calls.  So an
 * intermediate process is cloned with no exit signal, which plain wait() calls do not see; it spawns the
 * helper and ends at once, and the helper is adopted by init (or the nearest subreaper).  The intermediate
 * shares our memory while we are suspended, as vfork() does: it must not return from its function, nor
 * allocate. */
#include "shim/spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_BYTES (256u << 10)

struct job {
    char *const *argv, *const *envp;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    pid_t pid;
    int error;
};

static int intermediate(void *arg)
{
    struct job *job = arg;

    job->error = posix_spawn(&job->pid, job->argv[0], &job->files, &job->attr, job->argv, job->envp);
    _exit(0);
}

static int prepare(struct job *job)
{
    sigset_t all, none;

    sigfillset(&all);
    sigemptyset(&none);
    return posix_spawn_file_actions_addopen(&job->files, 0, "/dev/null", O_RDONLY, 0) ||
           posix_spawn_file_actions_addopen(&job->files, 1, "/dev/null", O_WRONLY, 0) ||
           posix_spawn_file_actions_addopen(&job->files, 2, "/dev/null", O_WRONLY, 0) ||
           posix_spawn_file_actions_addclosefrom_np(&job->files, 3) ||
           posix_spawnattr_setsigdefault(&job->attr, &all) || posix_spawnattr_setsigmask(&job->attr, &none) ||
           posix_spawnattr_setflags(&job->attr,
                                    POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

/* Clone, with every signal blocked: a handler of the application must not run on the borrowed stack. */
static int run_intermediate(struct job *job, char *stack)
{
    sigset_t all, old;
    pid_t child;
    int error = 0, status, cancel;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    child = clone(intermediate, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, job);
    if (child < 0)
        error = -errno;
    else
        while (waitpid(child, &status, __WCLONE) < 0 && errno == EINTR)
            continue;
    pthread_setcancelstate(cancel, &cancel);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

/* Orphans come back to process 1 and to subreapers: there the helper could not stay unseen. */
static bool adopts_orphans(void)
{
    int subreaper = 0;

    return getpid() == 1 || (prctl(PR_GET_CHILD_SUBREAPER, &subreaper) == 0 && subreaper);
}

int spawn_detached(char *const argv[], char *const envp[], pid_t *pid)
{
    struct job job = {.argv = argv, .envp = envp};
    char *stack =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    int error = -ENOMEM;

    if (stack == MAP_FAILED)
        return error;
    if (adopts_orphans()) {
        munmap(stack, STACK_BYTES);
        return -ECHILD;
    }
    if (posix_spawn_file_actions_init(&job.files) == 0) {
        if (posix_spawnattr_init(&job.attr) == 0) {
            error = prepare(&job) ? -ENOMEM : run_intermediate(&job, stack);
            if (!error)
                error = -job.error;
            posix_spawnattr_destroy(&job.attr);
        }
        posix_spawn_file_actions_destroy(&job.files);
    }
    munmap(stack, STACK_BYTES);
    *pid = job.pid;
    return error;
}
