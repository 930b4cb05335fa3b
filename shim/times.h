/* times.h - what a driver tells of when a command ran, as far as it can be believed. */
#ifndef CLSIZER_SHIM_TIMES_H
#define CLSIZER_SHIM_TIMES_H

#include "shim/object.h"

/* Nanoseconds of the device's clock.  SUBMIT may be of another clock than the other two. */
struct times {
    cl_ulong submit, start, end;
};

/* SUBMIT and START of `first`, END of `last`: the parts of one launch, both complete, or the same event
 * twice.  False when they make no sense; where the device has never told any that do, after a few times it is
 * not asked any more (shim_device.no_event_times). */
bool times_of(struct shim_device *d, cl_event first, cl_event last, struct times *t);

#endif
