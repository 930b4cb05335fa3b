/* spawn.h - starts a program that is nobody's child. */
#ifndef CLSIZER_SHIM_SPAWN_H
#define CLSIZER_SHIM_SPAWN_H

#include <sys/types.h>

/* Run argv[0] (a path) in a session of its own, with default signal handling, an empty signal mask, the three
 * standard descriptors on /dev/null and all others closed, and with environment `envp`.  The application
 * neither gets a SIGCHLD for it nor can wait() for it.  0 and *pid, or a negative errno: -ECHILD where that
 * cannot be had, in process 1 and in subreapers. */
int spawn_detached(char *const argv[], char *const envp[], pid_t *pid);

#endif
