/* humble.h - processes that must not be felt by the application they work for. */
#ifndef CLSIZER_ANALYSIS_HUMBLE_H
#define CLSIZER_ANALYSIS_HUMBLE_H

/* Give this process the least claim to processors: no real-time policy that it may have inherited, niceness
 * 19, and no core files.  Where memory runs out, it is the first to go.  What the system does not allow stays
 * as it is.
 *
 * It must be in the application's session.  Linux (autogroup) shares time between sessions first: niceness
 * counts inside one only, and a session with the least weight still keeps a core for milliseconds whenever a
 * thread of the application wakes up.  Measured on two cores, a driver compiling beside a program that uses
 * both: in a session of its own it took half of the program's speed, even with the session's own niceness at
 * 19; in the program's session nothing that could be measured. */
void humble_begin(void);

#endif
