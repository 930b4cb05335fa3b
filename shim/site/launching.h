/* launching.h - one launch on its way through the library. */
#pragma once

#include "shim/guest/next.h"
#include "shim/ledger/runtime.h"
#include "shim/site/site.h"

/* One enqueue call of the application, argument for argument. */
struct call {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dim;
    const size_t *offset, *global, *local;
    cl_uint nwait;
    const cl_event *wait;
    cl_event *event;
};

/* Make the call exactly as the application did. */
static inline cl_int call_pass(const struct call *c)
{
    return next()->clEnqueueNDRangeKernel(c->queue, c->kernel, c->dim, c->offset, c->global, c->local,
                                          c->nwait, c->wait, c->event);
}

/* What was found out about the process for a launch: to ask takes a dozen system calls. */
struct launch_means {
    bool asked;
    const char *hampered; /* util_hampered() */
};

/* One intercepted launch with everything that was looked up for it. */
struct launching {
    const struct call *call;
    struct runtime *rt;
    struct shim_kernel *kernel;
    struct shim_queue *queue;
    struct shim_site *site;
    struct launch shape;        /* without args: args_describe() adds them */
    struct launch_means *means; /* NULL: it is asked anew each time */
};
