/* humble.h - processes that must not be felt by the application they work for. */
#ifndef CLSIZER_ANALYSIS_HUMBLE_H
#define CLSIZER_ANALYSIS_HUMBLE_H

#include <sys/resource.h>

/* Beside a thread that never waits, a process of this niceness gets a sixteenth of a core: about what tuning
 * may cost.  With less it would be in the program's way for longer, and hardly less so. */
#define HUMBLE_NICE 12

/* Give this process at least this niceness, no real-time policy that it may have inherited, and no core
 * files. Where memory runs out, it is the first to go.  What the system does not allow stays as it is.
 *
 * It must be in the application's session.  Linux (autogroup) shares time between sessions first: niceness
 * counts inside one only, and a session with the least weight still keeps a core for milliseconds whenever a
 * thread of the application wakes up.  Measured on two cores, a driver compiling beside programs that use
 * both: in a session of its own it took half of a program's speed, even with the session's own niceness at
 * 19; in the program's session 3 to 10 %, in idle time (SCHED_IDLE) 2 to 9 %. */
void humble_begin(int nice);

/* Give this process at most `value` of a resource (RLIMIT_AS in bytes, RLIMIT_CPU in seconds, ...), less
 * where that is its hard limit.  What the system does not allow stays as it is. */
void humble_limit(int resource, rlim_t value);

#endif
