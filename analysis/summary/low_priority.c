/* low_priority.c - see low_priority.h. */
#include "analysis/summary/low_priority.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static void write_word(const char *path, const char *word)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return;
    if (write(fd, word, strlen(word)) < 0)
        errno = 0;
    close(fd);
}

void humble_limit(int resource, rlim_t value)
{
    struct rlimit r;

    if (SANITIZED && (resource == RLIMIT_AS || resource == RLIMIT_DATA))
        return; /* there are terabytes of shadow memory */
    if (getrlimit(resource, &r))
        return;
    r.rlim_cur = r.rlim_max == RLIM_INFINITY || value < r.rlim_max ? value : r.rlim_max;
    setrlimit(resource, &r);
}

void humble_begin(int nice)
{
    const struct sched_param none = {0};
    const struct rlimit no_core = {0, 0};

    write_word("/proc/self/oom_score_adj", "1000");
    sched_setscheduler(0, SCHED_BATCH, &none);
    if (getpriority(PRIO_PROCESS, 0) < nice)
        setpriority(PRIO_PROCESS, 0, nice);
    setrlimit(RLIMIT_CORE, &no_core);
    errno = 0;
}
