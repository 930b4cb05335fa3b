/* humble.h - processes that must not be felt by the application they work for. */
#ifndef CLSIZER_ANALYSIS_HUMBLE_H
#define CLSIZER_ANALYSIS_HUMBLE_H

#include <sys/types.h>

/* Give this process the least claim to processors: no real-time policy that it may have inherited, niceness
 * 19, also for the group of its session, and no core files.  A session of its own is a group that Linux
 * (autogroup) gives as much time as the application's, whatever the niceness of the processes in it.  Where
 * memory runs out, it is the first to go.  What the system does not allow stays as it is. */
void humble_begin(void);

/* The part about the session, for its leader `pid`: until a program's main() begins, its libraries are
 * loaded. */
void humble_session(pid_t pid);

#endif
