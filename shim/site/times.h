/* times.h - when a command ran, as far as the driver's answer can be believed. */
#pragma once

#include "shim/object/queues.h"

/* Nanoseconds of the device's clock, except that SUBMIT may be of another clock. */
struct times {
    cl_ulong submit, start, end;
};

/* Ask for SUBMIT and START of `first` and END of `last`, the events of the first and the last part of a
 * launch, or the same event twice; both are complete.  False if they make no sense.  A device that has never
 * given times which do is not asked any more after a few tries (shim_device.no_event_times). */
bool times_of(struct shim_device *d, cl_event first, cl_event last, struct times *t);

/* How long a launch took by these events, in ns; 0: that is not known. */
int64_t times_took(const struct shim_queue *q, cl_event first, cl_event last);
