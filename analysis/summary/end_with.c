/* end_with.c - see end_with.h. */
#include "analysis/summary/end_with.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS 500000000

static bool is_gone(const char *directory)
{
    struct stat st;

    return stat(directory, &st) && (errno == ENOENT || errno == ENOTDIR);
}

static void *watch(void *directory)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};

    while (!is_gone(directory))
        nanosleep(&pause, NULL);
    kill(getpgrp() == getpid() ? 0 : getpid(), SIGKILL);
    return NULL;
}

void end_with_directory_of(const char *path)
{
    static char directory[PATH_MAX]; /* of the first one, for the thread's whole life */
    const char *slash = strrchr(path, '/');
    sigset_t all, before;
    pthread_t thread;

    if (*directory || !slash || slash == path || (size_t)(slash - path) >= sizeof directory)
        return;
    memcpy(directory, path, (size_t)(slash - path));
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); /* the thread takes none */
    if (pthread_create(&thread, NULL, watch, directory) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
