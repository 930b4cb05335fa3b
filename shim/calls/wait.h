/* wait.h - around a call of OpenCL in which the application's thread waits; see wait.c. */
#ifndef CLSIZER_SHIM_WAIT_H
#define CLSIZER_SHIM_WAIT_H

#include <pthread.h>
#include "shim/guest/opencl.h"

/* The thread was cancelled in such a call (a cleanup handler). */
void wait_cancelled(void *unused);

#define BEGIN_WAIT() pthread_cleanup_push(wait_cancelled, NULL)
#define END_WAIT()   pthread_cleanup_pop(0)

/* The wait is over, and returned `error`.  `queue`: which was waited for; NULL: none in particular. */
void wait_over(cl_command_queue queue, cl_int error);

#endif
