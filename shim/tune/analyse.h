/* analyse.h - when a launch's program is analysed, and what becomes of its kernel then; the analysis itself
 * is asked for through analysis_client.h.
 *
 * Pre: l->site is locked. */
#pragma once

#include "shim/enqueue/launch.h"

/* Is the kernel's summary available, and does it say that local sizes do not affect results?  Starts the
 * analysis when that is due, and waits for it only if the effort has no budget or the user asked for a size.
 * A kernel that must be left alone is refused, with a report. */
bool analyse_kernel(const struct launching *l);

/* A wait of the program's is over, and times may be known that were not when it made its last launch: start
 * the analysis of programs for which that is due, but look no more often than is worth while.  Pre: no site
 * is locked. */
void analyse_after_wait(struct runtime *rt);
