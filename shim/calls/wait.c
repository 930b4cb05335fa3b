/* wait.c - the calls in which an application's threads wait for commands.
 *
 * After the wait, times are looked at: a program that enqueues everything and then waits once makes no later
 * launch that would do it.
 *
 * A thread that is cancelled in such a call may leave locked the event for which it waited (PoCL 3.1).  The
 * application will not touch that event again.  We must not either, and as there is no telling which one it
 * is, no event made so far is touched again. */
#include <pthread.h>
#include <unwind.h>
#include "shim/calls/intercept.h"
#include "shim/calls/lifetime.h"
#include "shim/guest/util.h"
#include "shim/object/queues.h"
#include "shim/site/samples_in_flight.h"
#include "shim/tune/settle.h"

#if defined(__GLIBC__) && defined(__GCC_HAVE_DWARF2_CFI_ASM) && (defined(__x86_64__) || defined(__aarch64__))

/* A personality routine, such as __gxx_personality_v0() is for C++: the unwinder calls it when a thread is
 * cancelled in a frame below ours, before the handlers of the frames above.  pthread_cleanup_push() does the
 * same at the cost of a setjmp() before every wait, and -fexceptions, which saves that, needs a library
 * besides libc.  Unlike it, this misses a cancellation in a frame that cannot be unwound.  A kernel's may be
 * one in PoCL; there, only threads can be cancelled that allow it at any point (PTHREAD_CANCEL_ASYNCHRONOUS).
 */
static _Unwind_Reason_Code cancelled(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                     struct _Unwind_Exception *exception, struct _Unwind_Context *context)
{
    (void)version, (void)class, (void)exception, (void)context;
    if (actions & _UA_FORCE_UNWIND)
        samples_leave_events();
    return _URC_CONTINUE_UNWIND;
}

/* Around a wait.  0x1b: DW_EH_PE_pcrel | DW_EH_PE_sdata4. */
#define BEGIN_WAIT() __asm__ volatile(".cfi_personality 0x1b, %c0" : : "i"(cancelled))
#define END_WAIT()   ((void)0)

#else

static void cancelled(void *unused)
{
    (void)unused;
    samples_leave_events();
}

#define BEGIN_WAIT() pthread_cleanup_push(cancelled, NULL)
#define END_WAIT()   pthread_cleanup_pop(0)

#endif

/* What NVIDIA's driver returns from the next wait when a kernel has failed; the queue is invalid by then. */
#define KERNEL_FAULT (-9999)

/* Look at the times of what was waited for, and at the result of the wait: kernels fail long after their
 * launch, and few launches are watched. */
static HOT void look_at_times(cl_command_queue queue, cl_int error)
{
    struct runtime *rt = rt_get();

    if (!rt)
        return;
    samples_settle();
    if (error == CL_OUT_OF_RESOURCES || error == KERNEL_FAULT ||
        (error == CL_INVALID_COMMAND_QUEUE && queue && obj_queue_alive(queue)))
        settle_device_failed(rt);
}

HOT cl_int CL_API_CALL shim_clFinish(cl_command_queue queue)
{
    cl_int error;

    BEGIN_WAIT();
    error = next()->clFinish(queue);
    END_WAIT();
    look_at_times(queue, error);
    return error;
}

cl_int CL_API_CALL shim_clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
    cl_int error;

    BEGIN_WAIT();
    error = next()->clWaitForEvents(num_events, event_list);
    END_WAIT();
    look_at_times(NULL, error);
    return error;
}

/* The error code that a call returned; CL_SUCCESS for clEnqueueMap..., which returns a pointer. */
#define CODE_OF(result) _Generic((result), cl_int : (result), default : CL_SUCCESS)

#define COMMAND(ret, name, params, args, none)
#define HOST_COMMAND(ret, name, params, args, none)
#define WAITING_COMMAND(ret, name, params, args, none)                                                       \
    ret CL_API_CALL shim_##name params                                                                       \
    {                                                                                                        \
        ret result;                                                                                          \
                                                                                                             \
        entry_note_command(queue);                                                                           \
        BEGIN_WAIT();                                                                                        \
        result = next()->name args;                                                                          \
        END_WAIT();                                                                                          \
        if (blocking)                                                                                        \
            look_at_times(queue, CODE_OF(result));                                                           \
        return result;                                                                                       \
    }
#include "shim/calls/commands.def"
#undef COMMAND
#undef HOST_COMMAND
#undef WAITING_COMMAND
