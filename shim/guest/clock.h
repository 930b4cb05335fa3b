/* clock.h - the clocks by which the library measures time.
 *
 * They are the system's.  A program may have put clocks of its own in their place, which stand still, jump or
 * run backward (libfaketime); waits with a deadline would never end by these. */
#pragma once

#include <stdint.h>

/* Monotonic clock, nanoseconds. */
int64_t clock_now(void);

/* Nanoseconds since 1970: the clock of files' times. */
uint64_t clock_date(void);

/* CPU time that this process has used, all threads together, in ns.  A system call. */
int64_t clock_spent(void);

/* Sleep so long, less than a second, or shorter if a signal comes.  No cancellation point. */
void clock_sleep(long ns);
