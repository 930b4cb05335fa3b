/* spawn.h - starts a program that is nobody's child. */
#ifndef CLSIZER_SHIM_SPAWN_H
#define CLSIZER_SHIM_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct spawned {
    pid_t pid;               /* leader of a process group of its own; 0: none */
    unsigned long long born; /* when it began: its number may become another process's */
};

/* Run argv[0] (a path) in a process group of its own, with default signal handling, an empty signal mask, the
 * three standard descriptors on /dev/null and all others closed, without real-time priority, and with
 * environment `envp`.  The session stays the application's (analysis/humble.h).  The application neither gets
 * a SIGCHLD for it nor can wait() for it, unless it asks for children of the __WCLONE kind.  0 and *out, or a
 * negative errno. */
int spawn_detached(char *const argv[], char *const envp[], struct spawned *out);

/* The application's environment for a process that is not to be intercepted, nor to load what the application
 * was told to load, nor to write the driver's logs, nor to add build options a second time; without its
 * LD_LIBRARY_PATH, unless libraries are to be found as it finds them.  The caller frees the array, not the
 * strings; NULL when out of memory. */
char **spawn_environment(bool keep_libraries);

/* A zombie that its adopter does not reap is as dead as one that is gone. */
bool spawn_alive(const struct spawned *s);

/* Kill the program with all that it started, if it is still alive. */
void spawn_kill(const struct spawned *s);

/* Clean up behind programs that have ended: now and then.  Where there are none it costs nothing. */
void spawn_sweep(void);

#endif
