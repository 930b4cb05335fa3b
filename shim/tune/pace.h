/* pace.h - programs that enqueue much faster than the device works. */
#pragma once

#include "shim/enqueue/launch.h"

/* Before a launch: if the program is too far ahead of the device for this launch to be decided by what
 * earlier ones show, wait until it is not.  What the device has to do meanwhile is enough to keep it busy.
 * Every wait is bounded, and none happens where hazard_may_wait() forbids it.  Site locked. */
void pace_keep(const struct launching *l);

/* Before the application waits: did it do something else since a launch was held up?  Then none of a burst
 * is any more. */
void pace_before_wait(void);
