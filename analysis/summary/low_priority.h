/* low_priority.h - keeps helper processes from slowing down the application for which they work. */
#pragma once

#include <sys/resource.h>

/* A process of this niceness gets a sixteenth of a core that it shares with a thread which never waits: about
 * what tuning may cost.  With less it would take longer, and disturb the program hardly less. */
#define HUMBLE_NICE 12

/* Raise this process's niceness to at least `nice`, drop a real-time policy that it has inherited, write no
 * core files, and be the first process that is killed when memory runs out.  What the system does not allow
 * stays as it is.
 *
 * The process must be in the application's session.  Linux (autogroup) divides time among sessions first;
 * niceness counts only inside a session, and even a session with the least weight keeps a core for
 * milliseconds when a thread of the application wakes up.  Measured on two cores, with a driver compiling
 * beside programs that use both: in a session of its own it took half of a program's speed, even with the
 * session's niceness at 19; in the program's session 3 to 10 %, in idle time (SCHED_IDLE) 2 to 9 %. */
void humble_begin(int nice);

/* Limit this process to `value` of a resource (RLIMIT_AS in bytes, RLIMIT_CPU in seconds, ...), or to its
 * hard limit if that is lower.  What the system does not allow stays as it is. */
void humble_limit(int resource, rlim_t value);
