/* quiet.h - where nothing is left to find out, queues do without event times.
 *
 * They cost 2.5 % of an empty launch with PoCL, and more on GPUs: programs of short kernels took 1.1 to
 * 1.8 times as long with them on Intel's Arc (pull request 814 of CHIP-SPV/chipStar); with ROCm queues get
 * into each other's way.  So a program that ended a run with everything decided or refused is not timed in
 * the next ones: what was decided is used, and nothing is measured.  One run in QUIET_RUNS is timed, to see
 * whether the decisions still stand, and so is the one after a run that launched more shapes which are not
 * decided than it should.  A program is a command line: scripts share their interpreter. */
#ifndef CLSIZER_SHIM_QUIET_H
#define CLSIZER_SHIM_QUIET_H

#include "shim/object.h"
#include "shim/runtime.h"

#define QUIET_RUNS 16

/* Is the device's next queue to be made without event times that the application did not ask for?  The same
 * answer for the whole run. */
bool quiet_wanted(struct runtime *rt, struct shim_device *d);

/* Was that answered with yes? */
bool quiet_is(const struct shim_device *d);

/* The end of the process: remember what the next run is to do. */
void quiet_at_exit(struct runtime *rt);

#endif
