/* wait.c - the calls in which an application's threads wait for commands.
 *
 * After the wait, times are looked at, and programs analysed that have run long by them: a program that
 * enqueues everything and then waits once makes no later launch that would do it.
 *
 * A thread that is cancelled in such a call may leave locked the event for which it waited.  The
 * application will not touch that event again.  We must not either, and as there is no telling which one it
 * is, no event made so far is touched again. */
#include "shim/calls/wait.h"
#include "shim/calls/intercept.h"
#include "shim/calls/lifetime.h"
#include "shim/guest/guest.h"
#include "shim/object/queues.h"
#include "shim/site/samples_in_flight.h"
#include "shim/tune/analyse.h"
#include "shim/tune/settle.h"

void wait_cancelled(void *unused)
{
    (void)unused;
    samples_leave_events();
}

/* What NVIDIA's driver returns from the next wait when a kernel has failed; the queue is invalid by then. */
#define KERNEL_FAULT (-9999)

/* Look at the times of what was waited for, and at the result of the wait: kernels fail long after their
 * launch, and few launches are watched. */
void wait_over(cl_command_queue queue, cl_int error)
{
    struct runtime *rt = rt_get();

    if (!rt)
        return;
    if (guest_has_stack()) {
        samples_settle(NULL);
        analyse_after_wait(rt);
    }
    if (error == CL_OUT_OF_RESOURCES || error == KERNEL_FAULT ||
        (error == CL_INVALID_COMMAND_QUEUE && queue && obj_queue_alive(queue)))
        settle_device_failed(rt);
}

cl_int CL_API_CALL shim_clFinish(cl_command_queue queue)
{
    WAIT_AND_RETURN(cl_int, next()->clFinish(queue), true, queue);
}

cl_int CL_API_CALL shim_clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
    WAIT_AND_RETURN(cl_int, next()->clWaitForEvents(num_events, event_list), true, NULL);
}

#define COMMAND(ret, name, none, ...)
#define WAITING_COMMAND(ret, name, none, ...)                                                                \
    ret CL_API_CALL shim_##name(PARAMS(__VA_ARGS__))                                                         \
    {                                                                                                        \
        entry_note_command(queue);                                                                           \
        WAIT_AND_RETURN(ret, next()->name(ARGS(__VA_ARGS__)), blocking, queue);                              \
    }
#include "shim/calls/commands.def"
#undef COMMAND
#undef WAITING_COMMAND
