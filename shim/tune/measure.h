/* measure.h - one step of a site's race: the launch that is being made becomes a sample, or several.
 *
 * Pre: l->site is locked. */
#ifndef CLSIZER_SHIM_MEASURE_H
#define CLSIZER_SHIM_MEASURE_H

#include "shim/enqueue/launch.h"

#define MEASURE_FEWEST_IN_SLICES 3 /* candidates of a race that compares slices */

/* Make the launch, as a sample of a candidate if that can be paid for.  Returns the driver's result. */
cl_int measure_sample(const struct launching *l);

/* Decide the site by what its race has shown. */
void measure_finish(const struct launching *l);

/* Nanoseconds per work-item with the application's size, as measured.  Before that the model's prediction, if
 * according to it the launch will be measured until its kernel is decided; else 0: unknown. */
double measure_own_item_ns(const struct launching *l);

/* Will this launch be measured until its kernel is decided (prof_settles_at_once())? */
bool measure_at_once(const struct launching *l);

/* Make the race, which has just begun, one of slices if the launch is so long and rare that trying sizes on
 * whole ones would take many runs, and if another process can compile the code for slices (compile_ahead.h):
 * sizes whose extents do not fit the slices leave the race.  False: it is none. */
bool measure_prepare_slices(const struct launching *l);

/* Do launches on this queue lack event times, so that the host clock must do? */
bool measure_untimed(const struct launching *l);

#endif
