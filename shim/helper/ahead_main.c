/* ahead_main.c - clsizer-ahead: has a driver compile a kernel for local sizes that the application has not
 * used yet.
 *
 *     clsizer-ahead [--workers N | --in-turn DIRECTORY] JOB...
 *     clsizer-ahead --for PID JOB
 *
 * Some drivers compile a kernel anew for every local size, at its first launch, while the application
 * waits, and keep the result on disk for all processes.  So a process of this one (ahead_worker.h) makes such
 * a first launch, at a lower priority than the application (HUMBLE_NICE).  It uses the application's program
 * and arguments, buffers of the same sizes filled with zeros, and as small a range as makes the driver
 * compile the same code.  Nothing remains of it but what is in the driver's cache, and the answer
 * (ahead_job.h).
 *
 * Before the first such job it tests whether the driver keeps what it compiles: two processes make the same
 * launch, one after the other, and the second must need much less CPU time.  Not so if the job is a trial,
 * whether a kernel of ours can be compiled and launched at all: that is one launch with each size, at the
 * application's priority while that runs.
 *
 * A job without sizes wants the program's binary alone, which takes no launch.
 *
 * With --for the application, which has this PID, may have more to do: it puts further jobs in files beside
 * the first one (ahead_job_file()), and this process waits for those for ten seconds.
 *
 * With --in-turn the application has ended.  Of the processes that were told the same directory, one does
 * trials and one the rest at a time, and one waits for its turn to do either; others leave their jobs to the
 * application's next run.
 *
 * With --workers the application waits.  Then N processes of normal priority share the sizes, nothing is
 * tested, and the application notices by itself if the driver compiles again (ahead_check()). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "analysis/summary/end_with.h"
#include "analysis/summary/low_priority.h"
#include "analysis/summary/whole_file.h"
#include "shim/helper/ahead_answer.h"
#include "shim/helper/ahead_job.h"
#include "shim/helper/ahead_worker.h"

#define MOST_WORKERS 64
#define MEMORY_LIMIT (16ull << 30) /* of each process: buffers, and a driver with a thread for each core */
#define OUTPUT_LIMIT (1ull << 30)  /* bytes of a file */
#define MOST_JOB     (80u << 20)   /* bytes of a job's file */
#define CHEAP_NS     5000000 /* CPU time beyond that of another launch which does not mean compilation */
#define LOOK_NS      5000000 /* between two looks for another job */
#define MOST_LOOKS   2000    /* without one */

/* A job as it was read; `text` is what a worker is given. */
struct job {
    struct ahead_job j;
    char *text;
    size_t bytes;
};

/* What the command line says. */
static unsigned workers;
static const char *turns;
static pid_t application;

/* Does the application run, as far as is known?  Else all is done modestly. */
static bool application_runs(void)
{
    return !turns && (!application || kill(application, 0) == 0 || errno == EPERM);
}

/* ---- turns ----------------------------------------------------------------------------------------- */

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

/* May such a job be done?  Trials do not wait for what is done modestly. */
static bool may_work(bool trial)
{
    static enum { UNKNOWN, YES, NO } turn[2];

    if (turns && turn[trial] == UNKNOWN)
        turn[trial] = take_turn(turns, trial) ? YES : NO;
    return !turns || turn[trial] == YES;
}

/* ---- workers --------------------------------------------------------------------------------------- */

struct worker {
    pid_t pid; /* 0: there is none */
    int channel;
    bool used;      /* before the last order it had another one */
    bool gave_up;   /* it ended because the last order took too long */
    int64_t cpu_ns; /* that it has told of */
};

static int64_t worked_ns; /* CPU time of all orders for the present job */

static void dismiss(struct worker *w)
{
    const struct worker was = *w;
    struct rusage all = {0};
    int status = 0;

    if (!w->pid)
        return;
    close(w->channel);
    kill(w->pid, SIGKILL);
    while (wait4(w->pid, &status, 0, &all) < 0 && errno == EINTR)
        continue;
    const int64_t cpu_ns = ((int64_t)all.ru_utime.tv_sec + all.ru_stime.tv_sec) * 1000000000 +
                           ((int64_t)all.ru_utime.tv_usec + all.ru_stime.tv_usec) * 1000;
    worked_ns += cpu_ns > was.cpu_ns ? cpu_ns - was.cpu_ns : 0;
    *w = (struct worker){.used = was.used, .gave_up = WIFEXITED(status) && WEXITSTATUS(status) == SIGALRM};
}

/* OpenCL does not survive a fork, so this process never uses it. */
static bool hire(struct worker *w, bool modest)
{
    int end[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end))
        return false;
    *w = (struct worker){.pid = fork(), .channel = end[0]};
    if (w->pid == 0) {
        close(end[0]);
        ahead_work(end[1], modest ? HUMBLE_NICE : 0);
    }
    close(end[1]);
    if (w->pid > 0)
        return true;
    close(end[0]);
    *w = (struct worker){0};
    return false;
}

/* Give the worker an order of this job; one that is not there, or no more, is hired first.  False if none
 * takes it. */
static bool give(struct worker *w, const struct job *job, struct ahead_order o)
{
    o.bytes = job->bytes;
    for (unsigned attempt = 0; attempt < 2; attempt++) {
        const bool used = w->pid;
        if (!used && !hire(w, o.modest))
            return false;
        w->used = used;
        if (send(w->channel, &o, sizeof o, 0) == sizeof o &&
            send(w->channel, job->text, job->bytes, 0) == (ssize_t)job->bytes)
            return true;
        dismiss(w);
    }
    return false;
}

/* The next launch's result.  False when the order is over; a worker that has ended is dismissed. */
static bool take(struct worker *w, int64_t *ns)
{
    struct ahead_result r;

    if (!w->pid || recv(w->channel, &r, sizeof r, MSG_WAITALL) != sizeof r) {
        dismiss(w);
        return false;
    }
    *ns = r.ns;
    if (r.over) {
        worked_ns += r.ns;
        w->cpu_ns += r.ns;
    }
    return !r.over;
}

/* The order has failed.  May a fresh worker do better?  One that was used may suffer from what kernels before
 * have done; but not a third time is waited as long as any of them may take. */
static bool may_try_again(struct worker *w)
{
    dismiss(w);
    return w->used && !w->gave_up;
}

/* ---- jobs ------------------------------------------------------------------------------------------ */

/* Workers for one order after the other. */
static struct worker modest_worker, equal_worker;

/* Does the driver keep what it compiled?  CPU times in ns: `first` of the very first launch with a size,
 * `again` of the first launch with it in another process, `plain` of a launch for which nothing is
 * compiled. */
static bool is_kept(int64_t first, int64_t again, int64_t plain)
{
    return again - plain < CHEAP_NS || again - plain < (first - plain) / 2;
}

/* The CPU times of the first two launches with the first size.  False unless there were two. */
static bool launch_twice(struct worker *w, const struct job *job, int64_t *one, int64_t *two)
{
    const struct ahead_order o = {.step = 1, .end = 1, .times = 2, .modest = true};
    int64_t ns;

    do
        if (give(w, job, o) && take(w, one) && take(w, two)) {
            while (take(w, &ns))
                continue;
            return true;
        }
    while (may_try_again(w));
    return false;
}

/* Does the device's driver keep what it compiles?  Tested with the first size, once for all jobs. */
static bool driver_keeps(const struct job *job)
{
    static char device[1024];
    static bool keeps;
    struct worker other = {0};
    int64_t first, plain, again, further;
    bool tested;

    if (strcmp(device, job->j.program.device) == 0)
        return keeps;
    tested = launch_twice(&modest_worker, job, &first, &plain) && launch_twice(&other, job, &again, &further);
    dismiss(&other);
    if (!tested)
        return false;
    snprintf(device, sizeof device, "%s", job->j.program.device);
    return keeps = is_kept(first, again, plain);
}

/* Compile all sizes.  Ends at the first failure; the answer then says that no more will come. */
static void compile_modestly(const struct job *job)
{
    struct worker *w = &modest_worker;
    bool done[AHEAD_MOST_SIZES] = {false}, again = driver_keeps(job);
    unsigned n = 0;
    int64_t ns;

    while (again && n < job->j.nsize) {
        const struct ahead_order o = {.first = n, .step = 1, .end = job->j.nsize, .times = 1, .modest = true};
        again = give(w, job, o);
        while (again && take(w, &ns) && n < job->j.nsize) {
            done[n++] = true;
            ahead_answer_sizes(&job->j, done, 0, -1);
        }
        again = n < job->j.nsize && may_try_again(w);
    }
    ahead_answer_sizes(&job->j, done, 0, worked_ns);
}

/* A trial: one launch with each size.  Lists at once those that succeeded, and what they took.  At the
 * application's priority while that runs: it has said that a variant is worth it. */
static void try_variant(const struct job *job)
{
    const bool modest = !application_runs();
    struct worker *w = modest ? &modest_worker : &equal_worker;
    const struct ahead_order o = {.step = 1, .end = job->j.nsize, .times = 1, .modest = modest};
    bool done[AHEAD_MOST_SIZES];
    int64_t ns, most;
    unsigned n;

    do {
        memset(done, 0, sizeof done);
        most = n = 0;
        const bool given = give(w, job, o);
        for (unsigned i = 0; given && take(w, &ns) && i < job->j.nsize; i++) {
            done[i] = ns >= 0;
            n += done[i] && i < job->j.trial;
            most = ns > most ? ns : most;
            ahead_answer_sizes(&job->j, done, most, -1);
        }
    } while (n < job->j.trial && may_try_again(w));
    ahead_answer_sizes(&job->j, done, most, worked_ns);
}

/* Make one launch with each size, shared among several processes, and list those that succeeded, for an
 * application that waits. */
static void launch_together(const struct job *job)
{
    struct worker w[MOST_WORKERS] = {{0}};
    bool done[AHEAD_MOST_SIZES] = {false};
    int64_t ns;

    for (unsigned k = 0; k < workers; k++)
        give(&w[k], job, (struct ahead_order){.first = k, .step = workers, .end = job->j.nsize, .times = 1});
    for (unsigned k = 0; k < workers; k++) {
        for (unsigned i = k; take(&w[k], &ns) && i < job->j.nsize; i += workers)
            done[i] = ns >= 0;
        dismiss(&w[k]);
    }
    ahead_answer_sizes(&job->j, done, 0, worked_ns);
}

/* Build the program and keep its binary. */
static void keep_binary(const struct job *job)
{
    int64_t ns;

    if (give(&modest_worker, job, (struct ahead_order){.step = 1, .modest = true}))
        while (take(&modest_worker, &ns))
            continue;
}

/* Read a job, do it, and remove its file.  Failures are not reported: the library looks at nothing but the
 * answer. */
static void do_job(const char *path)
{
    struct job job = {0};
    bool works;
    int error = whole_file(path, MOST_JOB, &job.text, &job.bytes);

    worked_ns = 0;
    if (!error)
        error = ahead_read(job.text, job.bytes, &job.j);
    works = !error && may_work(job.j.trial);
    unlink(path); /* now, because the process that asked may have ended by then */
    if (!error && !works)
        ahead_answer_nothing(job.j.answer);
    else if (!error && job.j.trial)
        try_variant(&job);
    else if (!error && !job.j.nsize)
        keep_binary(&job);
    else if (!error && workers)
        launch_together(&job);
    else if (!error)
        compile_modestly(&job);
    free(job.text);
    ahead_free(&job.j);
}

/* Do what is in this file, and what the application puts in others meanwhile. */
static void wait_for_jobs(const char *path)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    unsigned done = 0;
    char name[PATH_MAX];

    for (unsigned looks = 0; looks < MOST_LOOKS; looks++) {
        const bool runs = application_runs(); /* before what it puts there is looked for */
        if (ahead_job_file(path, done, name, sizeof name) && access(name, F_OK) == 0) {
            do_job(name);
            done++;
            looks = 0;
        } else if (runs) {
            nanosleep(&pause, NULL);
        } else {
            return;
        }
    }
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
    bool ok = true;
    int i = 1;

    humble_begin(0);
    humble_limit(RLIMIT_CPU, AHEAD_CPU_SECONDS);
    humble_limit(RLIMIT_DATA, MEMORY_LIMIT); /* not RLIMIT_AS: address space is reserved for each thread */
    humble_limit(RLIMIT_FSIZE, OUTPUT_LIMIT);
    signal(SIGPIPE, SIG_IGN); /* of a worker that has ended */
    for (; ok && i + 2 < argc && argv[i][0] == '-'; i += 2)
        if (strcmp(argv[i], "--workers") == 0)
            ok = (workers = number(argv[i + 1], MOST_WORKERS));
        else if (strcmp(argv[i], "--in-turn") == 0)
            turns = argv[i + 1];
        else
            ok = strcmp(argv[i], "--for") == 0 && (application = (pid_t)number(argv[i + 1], INT_MAX));
    if (!ok || i >= argc || argv[i][0] == '-') {
        fputs("usage: clsizer-ahead [--workers N | --in-turn DIRECTORY] JOB...\n"
              "       clsizer-ahead --for PID JOB\n",
              stderr);
        return 2;
    }
    end_with_directory_of(argv[i]);
    if (application)
        wait_for_jobs(argv[i]);
    for (; !application && i < argc; i++)
        do_job(argv[i]);
    return 0;
}
