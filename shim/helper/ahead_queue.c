/* ahead_queue.c - see ahead_queue.h. */
#include "shim/helper/ahead_queue.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "shim/guest/clock.h"
#include "shim/guest/util.h"

#define DEADLINE_NS   120000000000 /* for each job; generous, because the process gives way to others */
#define ALONE_NS      1200000000 /* what a process takes for its first job; a driver's first build up to 0.8 s */
#define FURTHER_NS    200000000 /* and for another one */
#define MOST_JOBS     16        /* of a process that outlives the application */
#define MOST_ANSWER   4096      /* bytes of an answer that are read */
#define CLOCKS_DIFFER 60        /* seconds by which a file server's clock may differ from ours */

/* All guarded by jobs_lock, which is only tried and never waited for. */
static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct queued_job *waiting;
static struct queued_job *given; /* what the process does now, and then */
static struct spawned process;   /* pid 0: there is none */
static bool alive;               /* it was when queue_is_busy() looked last */
static char first[RT_TEMPORARY]; /* the file of its first job */
static unsigned jobs;            /* it was given */
static int64_t begun;            /* clock_now() when it began with given[0] */
static int64_t worked_ns;        /* CPU time of the jobs that are done; more, of those that were not */

bool queue_try_lock(void)
{
    return pthread_mutex_trylock(&jobs_lock) == 0;
}

void queue_unlock(void)
{
    pthread_mutex_unlock(&jobs_lock);
}

/* ---- answers --------------------------------------------------------------------------------------- */

bool answer_read(const char *path, struct ahead_answer *a)
{
    const time_t now = time(NULL);
    char text[MOST_ANSWER];
    struct stat st;
    ssize_t size;
    int fd;

    fd = util_open_private(path, O_RDONLY, geteuid());
    if (fd < 0)
        return false;
    size = fstat(fd, &st) ? -1 : read(fd, text, sizeof text);
    close(fd);
    if (size < 0 || ahead_read_answer(text, (size_t)size, a))
        return false;
    a->young = st.st_mtime <= now + CLOCKS_DIFFER && now < st.st_mtime + DEADLINE_NS / 1000000000;
    return true;
}

/* ---- jobs ------------------------------------------------------------------------------------------ */

struct queued_job *queue_new_job(const char *output)
{
    struct queued_job *job = calloc(1, sizeof *job);

    if (job) {
        strcpy(job->output, output);
        snprintf(job->path, sizeof job->path, "%s.%ld", output, (long)getpid());
    }
    return job;
}

/* Where the job with this answer is in a queue; there is none where the queue ends. */
static struct queued_job **find(struct queued_job **queue, const char *output)
{
    while (*queue && (!output || strcmp((*queue)->output, output) != 0))
        queue = &(*queue)->next;
    return queue;
}

static struct queued_job *take(struct queued_job **at)
{
    struct queued_job *job = *at;

    if (job)
        *at = job->next;
    return job;
}

static void put(struct queued_job **at, struct queued_job *job)
{
    job->next = *at;
    *at = job;
}

bool queue_add(struct queued_job *job, bool written, bool first)
{
    if (written)
        put(first ? &waiting : find(&waiting, NULL), job);
    else
        free(job);
    return written;
}

bool queue_waits(const char *output)
{
    return *find(&waiting, output);
}

bool queue_does(const char *output)
{
    return *find(&given, output);
}

/* ---- the process ----------------------------------------------------------------------------------- */

static void charge(int64_t ns)
{
    worked_ns += ns < DEADLINE_NS ? ns : DEADLINE_NS;
}

/* The process is gone.  What it has not looked at waits again, but for its first job: it may not have been
 * able to begin at all. */
static void take_back(void)
{
    char path[RT_TEMPORARY];
    unsigned n = jobs;

    for (struct queued_job *j = given; j; j = j->next)
        n--;
    for (struct queued_job *job; (job = take(&given)); n++)
        if (n && ahead_job_file(first, n, path, sizeof path) && rename(path, job->path) == 0) {
            put(find(&waiting, NULL), job);
        } else {
            if (n == 0)
                unlink(first);
            free(job);
        }
}

/* How many of the jobs that were given are done: they are done in turn.  Charges those. */
static unsigned count_done(void)
{
    struct ahead_answer a;
    unsigned done = 0, n = 1;

    for (const struct queued_job *j = given; j; j = j->next, n++)
        if (answer_read(j->output, &a) && a.ended) {
            charge(a.worked_ns);
            begun = clock_now();
            done = n;
        }
    return done;
}

bool queue_is_busy(void)
{
    for (unsigned n = count_done(); n; n--)
        free(take(&given));
    alive = process.pid && spawn_alive(&process);
    if (given && alive && clock_now() - begun >= DEADLINE_NS) {
        spawn_kill(&process);
        alive = false;
    }
    if (!alive) {
        if (given)
            charge(clock_now() - begun);
        take_back();
        process.pid = 0;
    }
    return given;
}

int64_t queue_price_ns(void)
{
    unsigned n = 0;

    for (const struct queued_job *j = given; j; j = j->next)
        n++;
    const bool none_done = !alive || n == jobs; /* so its first one is still to be paid */
    return worked_ns + (n + 1) * FURTHER_NS + (none_done ? ALONE_NS - FURTHER_NS : 0);
}

static bool spawn(const struct runtime *rt, const char *option, long value, const struct queued_job *job,
                  struct spawned *out)
{
    char text[24];

    snprintf(text, sizeof text, "%ld", value);
    return spawn_detached((char *[]){(char *)rt->ahead, (char *)option, text, (char *)job->path, NULL}, true,
                          out) == 0;
}

static void drop(struct queued_job *job)
{
    unlink(job->path);
    free(job);
}

/* Start a process for the job.  What one with the same number may have left behind is not for it. */
static bool start(const struct runtime *rt, struct queued_job *job)
{
    char path[RT_TEMPORARY];

    memcpy(first, job->path, sizeof first);
    for (unsigned n = 1; ahead_job_file(first, n, path, sizeof path) && unlink(path) == 0; n++)
        continue;
    jobs = 0;
    alive = spawn(rt, "--for", getpid(), job, &process);
    return alive;
}

bool queue_go_on(const struct runtime *rt, const char *output)
{
    const bool busy = queue_is_busy();
    struct queued_job *job = take(output ? find(&waiting, output) : &waiting);
    char path[RT_TEMPORARY];

    if (!job)
        return false;
    if (alive ? !ahead_job_file(first, jobs, path, sizeof path) || rename(job->path, path)
              : !start(rt, job)) {
        drop(job);
        return false;
    }
    if (!busy)
        begun = clock_now();
    jobs++;
    put(find(&given, NULL), job);
    return true;
}

struct spawned queue_together(const struct runtime *rt, const char *output, unsigned workers)
{
    struct queued_job *job = queue_is_busy() ? NULL : take(find(&waiting, output));
    struct spawned together = {0};

    if (!job)
        return together;
    if (spawn(rt, "--workers", workers, job, &together))
        free(job);
    else
        drop(job);
    return together;
}

void queue_leave(const struct runtime *rt)
{
    (void)queue_is_busy(); /* takes back what a process that is gone has not done */
    while (waiting) {
        char *argv[3 + MOST_JOBS + 1] = {(char *)rt->ahead, "--in-turn", (char *)rt->cache};
        struct queued_job *taken[MOST_JOBS];
        struct spawned started;
        unsigned n = 0;
        int error;

        for (; waiting && n < MOST_JOBS; waiting = waiting->next, n++)
            argv[3 + n] = (taken[n] = waiting)->path;
        error = spawn_detached(argv, true, &started);
        while (n--) {
            if (error)
                unlink(taken[n]->path);
            free(taken[n]);
        }
    }
}
