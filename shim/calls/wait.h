/* wait.h - around a call of OpenCL in which the application's thread waits; see wait.c. */
#pragma once

#include <pthread.h>
#include "shim/guest/opencl.h"
#include "shim/tune/pace.h"

/* The thread was cancelled in such a call (a cleanup handler). */
void wait_cancelled(void *unused);

/* The wait is over, and returned `error`.  `queue`: which was waited for; NULL: none in particular. */
void wait_over(cl_command_queue queue, cl_int error);

/* The error code that a call returned; CL_SUCCESS for clEnqueueMap..., which returns a pointer. */
#define CODE_OF(result) _Generic((result), cl_int : (result), default : CL_SUCCESS)

/* Make such a call, which waits if `waits`, and return its result. */
#define WAIT_AND_RETURN(type, call, waits, queue)                                                            \
    type result;                                                                                             \
                                                                                                             \
    if (waits)                                                                                               \
        pace_before_wait();                                                                                  \
    pthread_cleanup_push(wait_cancelled, NULL);                                                              \
    result = call;                                                                                           \
    pthread_cleanup_pop(0);                                                                                  \
    if (waits)                                                                                               \
        wait_over(queue, CODE_OF(result));                                                                   \
    return result
