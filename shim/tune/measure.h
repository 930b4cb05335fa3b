/* measure.h - one step of a site's race: the launch that is being made becomes a sample, or several.
 *
 * Pre: l->site is locked. */
#pragma once

#include "shim/enqueue/launch.h"

/* Make the launch, as a sample of a candidate if that can be paid for.  Returns the driver's result. */
cl_int measure_sample(const struct launching *l);

/* Make the race, which has just begun, one of slices if the launch is so long and rare that trying sizes on
 * whole ones would take many runs, and if another process can compile the code for slices (compile_ahead.h):
 * sizes whose extents do not fit the slices leave the race.  False: it is none. */
bool measure_prepare_slices(const struct launching *l);
