/* times.h - when a command ran, as far as the driver's answer can be believed. */
#pragma once

#include "shim/object/device_info.h"

/* Nanoseconds of the device's clock, except that SUBMIT may be of another clock. */
struct times {
    cl_ulong submit, start, end;
};

/* Ask for SUBMIT and START of `first` and END of `last`, the events of the first and the last part of a
 * launch, or the same event twice; both are complete.  False if they make no sense.  A device that has never
 * given times which do is not asked any more after a few tries (shim_device.no_event_times). */
bool times_of(struct shim_device *d, cl_event first, cl_event last, struct times *t);
