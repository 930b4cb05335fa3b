/* wait.c - the calls in which an application's threads wait for commands.
 *
 * What was waited for has run, and its times are looked at: a program that enqueues everything and waits once
 * makes no launch afterwards that would.
 *
 * A thread that is cancelled there may leave a lock of the driver's behind, that of the event it waited for
 * (PoCL 3.1 does).  The application will not touch that event again; neither may we, and which one it is
 * nobody can tell. */
#include <pthread.h>
#include "shim/harvest.h"
#include "shim/intercept.h"
#include "shim/runtime.h"

static void cancelled(void *unused)
{
    (void)unused;
    harvest_leave_events();
}

static void look_at_times(void)
{
    if (rt_get())
        harvest_settle();
}

cl_int CL_API_CALL shim_clFinish(cl_command_queue queue)
{
    cl_int error;

    pthread_cleanup_push(cancelled, NULL);
    error = next()->clFinish(queue);
    pthread_cleanup_pop(0);
    look_at_times();
    return error;
}

cl_int CL_API_CALL shim_clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
    cl_int error;

    pthread_cleanup_push(cancelled, NULL);
    error = next()->clWaitForEvents(num_events, event_list);
    pthread_cleanup_pop(0);
    look_at_times();
    return error;
}

#define COMMAND(ret, name, params, args, none)
#define WAITING_COMMAND(ret, name, params, args, none)                                                       \
    ret CL_API_CALL shim_##name params                                                                       \
    {                                                                                                        \
        ret result;                                                                                          \
                                                                                                             \
        entry_note_command(queue);                                                                           \
        pthread_cleanup_push(cancelled, NULL);                                                               \
        result = next()->name args;                                                                          \
        pthread_cleanup_pop(0);                                                                              \
        if (blocking)                                                                                        \
            look_at_times();                                                                                 \
        return result;                                                                                       \
    }
#include "shim/commands.def"
#undef COMMAND
#undef WAITING_COMMAND
