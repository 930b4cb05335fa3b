/* untimed_runs.h - runs without event times, once there is nothing left to find out about a program.
 *
 * On GPUs event times cost something: programs with short kernels took 1.1 to 1.8 times as long with them
 * (pull request 814 of CHIP-SPV/chipStar), and with ROCm they make queues hinder each other.  So after a run
 * that ended with everything decided or refused, the next runs of the program are *quiet*: decisions are
 * used, and nothing is measured.  On CPUs they cost 2.5 % of an empty launch, less than it would that
 * whatever is new is missed in its first run.
 *
 * One run in QUIET_RUNS has event times, to see whether the decisions still stand, and so has the run after
 * one that met more undecided shapes than expected, or finds decisions removed.  Binaries whose making was
 * not seen may be removed as well, and then there are kernels to decide: QUIET_RUNS runs with such binaries
 * have event times before others go without.  Programs are identified by their command lines, because scripts
 * share an interpreter, and by the options that leave kernels out.  Thread-safe. */
#pragma once

#include "shim/ledger/runtime.h"
#include "shim/object/device_info.h"

#define QUIET_RUNS 16

/* Should the device's next queue be created without event times that the application did not ask for?  The
 * answer stays the same for the whole run, unless a confined process (util.h), which must not read files,
 * asked first: then it is no until one asks that may. */
bool untimed_wanted(struct runtime *rt, struct shim_device *d);

/* At exit: remember what the next run should do. */
void untimed_at_exit(struct runtime *rt);
