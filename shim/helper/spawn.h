/* spawn.h - starting a program that is not the application's child. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct spawned {
    pid_t pid;               /* leader of a process group of its own; 0: none */
    unsigned long long born; /* its start time, because pids are reused */
};

/* Run argv[0] (an absolute path) in a process group of its own, with default signal handling, an empty signal
 * mask, the three standard descriptors on /dev/null and all others closed, without real-time priority, and in
 * the application's environment but for what would have it intercepted, preload other libraries, write the
 * driver's logs or add the driver's build options a second time.  Unless it runs the application's `driver`,
 * also without LD_LIBRARY_PATH, and in the root directory: the application's may be to be unmounted.  The
 * session stays the application's (analysis/summary/low_priority.h).  The application neither gets a SIGCHLD
 * for it nor can wait() for it, unless it asks for children of the __WCLONE kind.  0 and *out, or a negative
 * errno. */
int spawn_detached(char *const argv[], bool driver, struct spawned *out);

/* Is the process still running?  A zombie that nobody reaps is not. */
bool spawn_alive(const struct spawned *s);

/* Kill the program's process group, if it is still alive. */
void spawn_kill(const struct spawned *s);

extern atomic_uint spawn_kept; /* how many of them there may be to clean up after */
void spawn_clean_up(void);

/* Clean up after programs that have ended.  Cheap when there are none, so it may be called often. */
static inline void spawn_sweep(void)
{
    if (atomic_load_explicit(&spawn_kept, memory_order_relaxed))
        spawn_clean_up();
}
