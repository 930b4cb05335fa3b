/* ahead_worker.h - the process in which clsizer-ahead uses OpenCL: a kernel that crashes on zeros or never
 * ends harms only this one.  It is given one order after the other, since a driver's first build in a process
 * takes most of a second, and each further one a tenth of that. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AHEAD_CPU_SECONDS 30 /* of each process */

/* An order; `bytes` of a job follow it in the channel. */
struct ahead_order {
    size_t bytes;
    unsigned first, step,
        end; /* `times` launches of each of the sizes first, first + step, ... below `end` */
    unsigned times;
    bool modest; /* rest while others want the cores, and end at a launch that failed */
};

/* What comes back, for each launch, and when the order is done as far as it can be: CPU time. */
struct ahead_result {
    int64_t ns; /* of the launch, -1: it failed; of the whole order */
    bool over;
};

/* Take orders from the channel, a stream socket, until it ends.  Called in a child process, of at least this
 * niceness.  After an order of a job without sizes, or of a trial, the program's binary is where the job
 * wants it; of a trial before the last needed size is told.  Crashes and limits end the process, which says
 * with its exit status by which signal, and leave neither a core file nor a line in the kernel's log. */
_Noreturn void ahead_work(int channel, int nice);
