/* next.h - the OpenCL functions behind us, by which the library calls the driver. */
#pragma once

#include <stdatomic.h>
#include "shim/guest/opencl.h"

/* What preload.c finds behind its wrappers: all NULL until the first wrapper has been called.  Written there
 * alone. */
extern cl_icd_dispatch next_behind;

/* The functions of the next layer (layer.c) or, as long as we are none, `next_behind`.  An entry is NULL if
 * the loader or driver lacks the call. */
extern _Atomic(const cl_icd_dispatch *) next_functions;
static inline const cl_icd_dispatch *next(void)
{
    return atomic_load_explicit(&next_functions, memory_order_acquire);
}

/* How far the command of an event is; CL_INVALID_EVENT if the driver does not tell. */
static inline cl_int next_status(cl_event e)
{
    cl_int status = CL_QUEUED;

    return next()->clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL)
               ? CL_INVALID_EVENT
               : status;
}

/* Let go of an event; NULL: there is none. */
static inline void next_release(cl_event e)
{
    if (e)
        next()->clReleaseEvent(e);
}
