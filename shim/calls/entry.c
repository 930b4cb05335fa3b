/* entry.c - the interceptors (shim_cl...): each makes the application's call and notes what the launch path
 * will need.  Calls that wait are in wait.c, those about programs in program.c, functions obtained by address
 * in extension.c.
 *
 * Each returns what the driver returned, and notes nothing if the call failed.  There is one exception:
 * queues get CL_QUEUE_PROFILING_ENABLE, and a program that did not ask for it is told that its queues do not
 * have it, and gets no event times.
 *
 * Like the calls themselves, they run in any of the application's threads at the same time; the rooms below
 * lock what they note. */
#include <pthread.h>
#include <string.h>
#include "shim/calls/dispatch.h"
#include "shim/calls/intercept.h"
#include "shim/calls/lifetime.h"
#include "shim/enqueue/split.h"
#include "shim/guest/clock.h"
#include "shim/object/event_shadow.h"
#include "shim/object/private_kernel.h"
#include "shim/object/programs.h"
#include "shim/object/references.h"
#include "shim/object/svm.h"
#include "shim/site/hazard.h"
#include "shim/site/samples_in_flight.h"
#include "shim/site/untimed_runs.h"

#define MAX_PROPERTIES 64 /* entries of a property list: more than any that makes sense */

/* Make a call by which the driver calls the application's `function`, unless that is NULL, and return its
 * result. What the function waits for may be anything that the application does later. */
#define CALL_BACK_AND_RETURN(function, call)                                                                 \
    cl_int error;                                                                                            \
                                                                                                             \
    hazard_callback((function) != NULL);                                                                     \
    error = call;                                                                                            \
    if (error)                                                                                               \
        hazard_callback(-((function) != NULL));                                                              \
    return error

/* ---- calls of which no more is to be done than to note them ----------------------------------------- */

#define NOTED(name_, when, note, ...)                                                                        \
    cl_int CL_API_CALL shim_##name_(PARAMS(__VA_ARGS__))                                                     \
    {                                                                                                        \
        const cl_int error = next()->name_(ARGS(__VA_ARGS__));                                               \
                                                                                                             \
        if (error == CL_SUCCESS && (when))                                                                   \
            note;                                                                                            \
        return error;                                                                                        \
    }

#define MADE(type, name_, none, when, note, ...)                                                             \
    type CL_API_CALL shim_##name_(PARAMS(__VA_ARGS__))                                                       \
    {                                                                                                        \
        type made = next()->name_(ARGS(__VA_ARGS__));                                                        \
                                                                                                             \
        if (made && (when))                                                                                  \
            note;                                                                                            \
        return made;                                                                                         \
    }

#define NOTED_FIRST(name_, when, note, ...)                                                                  \
    cl_int CL_API_CALL shim_##name_(PARAMS(__VA_ARGS__))                                                     \
    {                                                                                                        \
        if (when)                                                                                            \
            note;                                                                                            \
        return next()->name_(ARGS(__VA_ARGS__));                                                             \
    }

#define CALL(ret, name, none, ...)
#include "shim/calls/intercepted.def"
#undef CALL

/* ---- queues ---------------------------------------------------------------------------------------- */

/* Is it one of the context's devices?  Who asks anything of what is no device may crash, where drivers that
 * compare the handle return an error. */
static bool belongs_to(cl_device_id device, cl_context context)
{
    cl_device_id devices[OBJ_MAX_DEVICES];
    const unsigned n = device ? obj_context_devices(context, devices) : 0;

    for (unsigned i = 0; i < n; i++)
        if (devices[i] == device)
            return true;
    return false;
}

/* Should queues on this device get event times?  Not on sub-devices, where launches are left alone, nor in a
 * run without them (untimed_runs.h).  And not where the device has none: asking for them in vain would call
 * the function to which the application has its context's errors reported. */
static bool to_be_timed(cl_context context, cl_device_id device)
{
    struct runtime *rt = rt_get();
    struct shim_device *d = belongs_to(device, context) ? obj_device(device) : NULL;

    return d && !d->part && !d->untimed && !(rt && untimed_wanted(rt, d));
}

/* Number of entries of a zero-terminated property list, its terminator included; 0 for NULL, or if it has
 * more than MAX_PROPERTIES. */
static size_t count_properties(const cl_queue_properties *p)
{
    for (size_t n = 0; p && n < MAX_PROPERTIES; n += 2)
        if (!p[n])
            return n + 1;
    return 0;
}

static cl_command_queue_properties queue_bits(const cl_queue_properties *p, size_t n)
{
    for (size_t i = 0; i + 1 < n; i += 2)
        if (p[i] == CL_QUEUE_PROPERTIES)
            return p[i + 1];
    return 0;
}

/* Copy the property list `asked` (n entries; 0 for NULL) to `list` with profiling added; needs room for n
 * + 3. */
static void add_profiling(const cl_queue_properties *asked, size_t n, cl_queue_properties *list)
{
    bool found = false;

    for (size_t i = 0; i + 1 < n; i += 2) {
        list[i] = asked[i];
        list[i + 1] = asked[i + 1];
        if (asked[i] == CL_QUEUE_PROPERTIES) {
            list[i + 1] |= CL_QUEUE_PROFILING_ENABLE;
            found = true;
        }
    }
    n = n ? n - 1 : 0;
    if (!found) {
        list[n++] = CL_QUEUE_PROPERTIES;
        list[n++] = CL_QUEUE_PROFILING_ENABLE;
    }
    list[n] = 0;
}

/* `listed`: the application has given a property list itself. */
static cl_command_queue create_queue(queue_maker *make, cl_context context, cl_device_id device,
                                     const cl_queue_properties *properties, bool listed, cl_int *errcode_ret)
{
    const size_t n = count_properties(properties);
    const cl_command_queue_properties bits = queue_bits(properties, n);
    cl_queue_properties list[MAX_PROPERTIES + 4];
    cl_command_queue q = NULL;
    bool timed = bits & CL_QUEUE_PROFILING_ENABLE;

    if (!rt_tracks())
        return make(context, device, properties, errcode_ret);
    if ((properties && !n) ||
        bits & ~(cl_command_queue_properties)(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                              CL_QUEUE_PROFILING_ENABLE)) { /* on the device, for recording */
        q = make(context, device, properties, errcode_ret);
        if (q)
            obj_unseen_queue(q);
        return q;
    }
    if (!timed && to_be_timed(context, device)) {
        add_profiling(properties, n, list);
        q = make(context, device, list, errcode_ret);
        timed = q != NULL;
    }
    if (!q)
        q = make(context, device, properties, errcode_ret);
    if (q)
        obj_add_queue(
            q, &(struct queue_made){.context = context,
                                    .device = device,
                                    .asked = properties,
                                    .nasked = listed ? n : 0,
                                    .out_of_order = (bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0,
                                    .timed = timed,
                                    .hidden = timed && !(bits & CL_QUEUE_PROFILING_ENABLE)});
    return q;
}

cl_command_queue entry_create_queue(queue_maker *make, cl_context context, cl_device_id device,
                                    const cl_queue_properties *properties, cl_int *errcode_ret)
{
    return create_queue(make, context, device, properties, true, errcode_ret);
}

static cl_command_queue CL_API_CALL make_of_bits(cl_context context, cl_device_id device,
                                                 const cl_queue_properties *properties, cl_int *errcode_ret)
{
    return next()->clCreateCommandQueue(context, device, properties[1], errcode_ret);
}

cl_command_queue CL_API_CALL shim_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                       cl_command_queue_properties properties,
                                                       cl_int *errcode_ret)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};

    return create_queue(make_of_bits, context, device, list, false, errcode_ret);
}

cl_command_queue CL_API_CALL shim_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                     const cl_queue_properties *properties,
                                                                     cl_int *errcode_ret)
{
    return entry_create_queue(next()->clCreateCommandQueueWithProperties, context, device, properties,
                              errcode_ret);
}

/* Nothing of ours may be seen in the number of references to a queue or context. */
static void settle_references(void)
{
    samples_settle(NULL);
    shadow_settle();
}

cl_int CL_API_CALL shim_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t size,
                                              void *value, size_t *size_ret)
{
    const struct shim_queue *q = rt_tracks() ? obj_queue(queue) : NULL;
    cl_int error;

    if (q && q->hidden && name == CL_QUEUE_PROPERTIES_ARRAY) { /* the list as the application gave it */
        error = next()->clGetCommandQueueInfo(queue, name, 0, NULL, NULL);
        return error ? error
                     : answer_query(q->properties, q->nproperties * sizeof *q->properties, size, value,
                                    size_ret);
    }
    if (q && name == CL_QUEUE_REFERENCE_COUNT)
        settle_references();
    error = next()->clGetCommandQueueInfo(queue, name, size, value, size_ret);
    if (q && q->hidden && name == CL_QUEUE_PROPERTIES && error == CL_SUCCESS && value)
        *(cl_command_queue_properties *)value &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    return error;
}

cl_int CL_API_CALL shim_clGetContextInfo(cl_context context, cl_context_info name, size_t size, void *value,
                                         size_t *size_ret)
{
    if (name == CL_CONTEXT_REFERENCE_COUNT) {
        settle_references();
        if (rt_tracks())
            private_settle();
    }
    return next()->clGetContextInfo(context, name, size, value, size_ret);
}

cl_int CL_API_CALL shim_clSetCommandQueueProperty(cl_command_queue queue,
                                                  cl_command_queue_properties properties, cl_bool enable,
                                                  cl_command_queue_properties *old_properties)
{
    const cl_int error = next()->clSetCommandQueueProperty(queue, properties, enable, old_properties);
    struct shim_queue *q = rt_tracks() ? obj_queue(queue) : NULL;

    /* Only OpenCL 1.0 has this call. */
    if (error != CL_SUCCESS || !q)
        return error;
    if (q->hidden && old_properties)
        *old_properties &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    if (properties & CL_QUEUE_PROFILING_ENABLE)
        atomic_store(&q->hidden, false); /* from now on the application itself decides about event times */
    atomic_store(&q->changed, true);
    samples_settle(queue);
    return error;
}

/* ---- kernels --------------------------------------------------------------------------------------- */

cl_int CL_API_CALL shim_clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                                 cl_uint *num_kernels_ret)
{
    cl_uint made = 0;
    const cl_int error = next()->clCreateKernelsInProgram(program, num_kernels, kernels,
                                                          num_kernels_ret ? num_kernels_ret : &made);

    if (num_kernels_ret)
        made = *num_kernels_ret;
    if (error == CL_SUCCESS && kernels && rt_get())
        for (cl_uint i = 0; i < made && i < num_kernels; i++)
            obj_add_kernel(kernels[i], program, NULL);
    return error;
}

/* Sub-devices come and go, and their handles are used again.  Some drivers (DRV_NEEDS_PARTS) still look at a
 * sub-device when it frees the last command there, which may be after the program has released everything,
 * and then takes for a device what is in that memory by then, perhaps something of ours.  So we keep a
 * reference instead of letting a sub-device go. */
cl_int CL_API_CALL shim_clReleaseDevice(cl_device_id device)
{
    cl_uint references = 0;

    if (rt_get() && obj_device_is_part(device) &&
        next()->clGetDeviceInfo(device, CL_DEVICE_REFERENCE_COUNT, sizeof references, &references, NULL) ==
            CL_SUCCESS &&
        references == 1 && obj_forget_device(device) && next()->clRetainDevice)
        next()->clRetainDevice(device);
    return next()->clReleaseDevice(device);
}

/* ---- shared virtual memory ------------------------------------------------------------------------- */

/* Before: the next allocation may begin at the same address. */
void entry_note_freed(cl_context context, const void *start)
{
    if (!start || !rt_get())
        return;
    ref_released(start);
    svm_freed(context, start);
}

void CL_API_CALL shim_clSVMFree(cl_context context, void *pointer)
{
    entry_note_freed(context, pointer);
    next()->clSVMFree(context, pointer);
}

cl_int CL_API_CALL shim_clEnqueueSVMFree(cl_command_queue queue, cl_uint n, void *pointers[],
                                         svm_notify *function, void *data, cl_uint nwait,
                                         const cl_event *wait, cl_event *event)
{
    const struct shim_queue *q = rt_get() ? obj_queue(queue) : NULL;

    entry_note_command(queue);
    for (cl_uint i = 0; q && pointers && i < n;
         i++) /* of no queue the driver does not look at them, either */
        entry_note_freed(q->context, pointers[i]);
    CALL_BACK_AND_RETURN(function,
                         next()->clEnqueueSVMFree(queue, n, pointers, function, data, nwait, wait, event));
}

/* ---- commands -------------------------------------------------------------------------------------- */

void entry_note_command(cl_command_queue queue)
{
    struct shim_queue *q = rt_get() ? obj_queue(queue) : NULL;

    if (q)
        sharing_note(&q->sharing);
}

#define COMMAND(ret, name, none, ...)                                                                        \
    ret CL_API_CALL shim_##name(PARAMS(__VA_ARGS__))                                                         \
    {                                                                                                        \
        entry_note_command(queue);                                                                           \
        return next()->name(ARGS(__VA_ARGS__));                                                              \
    }
#define WAITING_COMMAND(ret, name, none, ...) /* wait.c */
#include "shim/calls/commands.def"
#undef COMMAND
#undef WAITING_COMMAND

cl_int CL_API_CALL shim_clEnqueueNativeKernel(cl_command_queue queue, native_kernel *function, void *args,
                                              size_t args_size, cl_uint n, const cl_mem *memobjs,
                                              const void **places, cl_uint nwait, const cl_event *wait,
                                              cl_event *event)
{
    entry_note_command(queue);
    CALL_BACK_AND_RETURN(function, next()->clEnqueueNativeKernel(queue, function, args, args_size, n, memobjs,
                                                                 places, nwait, wait, event));
}

/* ---- launches and events --------------------------------------------------------------------------- */

cl_int CL_API_CALL shim_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                               const size_t *global_work_offset,
                                               const size_t *global_work_size, const size_t *local_work_size,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event)
{
    return dispatch_launch(&(struct call){.queue = queue,
                                          .kernel = kernel,
                                          .dim = work_dim,
                                          .offset = global_work_offset,
                                          .global = global_work_size,
                                          .local = local_work_size,
                                          .nwait = num_events_in_wait_list,
                                          .wait = event_wait_list,
                                          .event = event});
}

cl_int CL_API_CALL shim_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint nwait,
                                      const cl_event *wait, cl_event *event)
{
    struct shim_queue *q = rt_get() ? obj_queue(queue) : NULL;

    if (q)
        obj_note_launch(q);
    return next()->clEnqueueTask(queue, kernel, nwait, wait, event);
}

cl_int CL_API_CALL shim_clSetUserEventStatus(cl_event event, cl_int execution_status)
{
    cl_int error;

    /* First: before the call returns, other threads and callbacks may see what fails with the event. */
    if (execution_status < 0)
        hazard_failure(true);
    error = next()->clSetUserEventStatus(event, execution_status);
    if (error == CL_SUCCESS)
        hazard_user_event(-1);
    return error;
}

cl_int CL_API_CALL shim_clRetainEvent(cl_event event)
{
    return shadow_retain(event);
}

cl_int CL_API_CALL shim_clReleaseEvent(cl_event event)
{
    return shadow_release(event);
}

/* The event's queue if it has event times that the application did not ask for; else NULL. */
static const struct shim_queue *secret_queue(cl_event event)
{
    cl_command_queue queue = NULL;
    const struct shim_queue *q;

    if (next()->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL) != CL_SUCCESS ||
        !queue)
        return NULL;
    q = obj_queue(queue);
    return q && q->hidden ? q : NULL;
}

/* Find out what the driver returns for this query about an event of a queue without profiling: most drivers
 * say that the information is not available, but some answer.  Programs hardly ever ask, so the queue and the
 * event for it are made on the spot. */
static cl_int ask_without_profiling(cl_command_queue queue, cl_profiling_info name, size_t size)
{
    cl_context context = NULL;
    cl_device_id device = NULL;
    const struct shim_device *d;
    cl_command_queue plain = NULL;
    cl_event event = NULL;
    cl_ulong value = 0;
    cl_int error = CL_PROFILING_INFO_NOT_AVAILABLE;
    int cancel;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel); /* or the queue would not be released */
    next()->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    next()->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    d = device ? obj_device(device) : NULL;
    if (d && d->api >= 120 && next()->clCreateCommandQueue && next()->clEnqueueMarkerWithWaitList)
        plain = next()->clCreateCommandQueue(context, device, 0, NULL);
    if (plain && next()->clEnqueueMarkerWithWaitList(plain, 0, NULL, &event) == CL_SUCCESS) {
        next()->clFlush(plain);
        if (split_wait(event, clock_now() + 1000000000, NULL) == CL_COMPLETE)
            error = next()->clGetEventProfilingInfo(event, name, size, size >= sizeof value ? &value : NULL,
                                                    NULL);
        next()->clReleaseEvent(event);
    }
    if (plain)
        next()->clReleaseCommandQueue(plain);
    pthread_setcancelstate(cancel, &cancel);
    return error;
}

/* What the driver returns for this query without profiling.  Remembered per device if the query is well
 * formed. */
static cl_int answer_without_profiling(const struct shim_queue *q, cl_profiling_info name, size_t size)
{
    const bool usual =
        size >= sizeof(cl_ulong) && name >= CL_PROFILING_COMMAND_QUEUED && name <= CL_PROFILING_COMMAND_END;
    cl_int answer = q->device && usual ? atomic_load(&q->device->secret_answer) : CL_INT_MAX;

    if (answer == CL_INT_MAX) {
        answer = ask_without_profiling(q->handle, name, size);
        if (q->device && usual)
            atomic_store(&q->device->secret_answer, answer);
    }
    return answer;
}

cl_int CL_API_CALL shim_clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t size,
                                                void *value, size_t *size_ret)
{
    const struct shim_queue *q = event && rt_tracks() ? secret_queue(event) : NULL;
    cl_int error = q ? answer_without_profiling(q, name, size) : CL_SUCCESS;
    cl_ulong first;

    if (error)
        return error;
    error = next()->clGetEventProfilingInfo(event, name, size, value, size_ret);
    if (error || (name != CL_PROFILING_COMMAND_QUEUED && name != CL_PROFILING_COMMAND_SUBMIT &&
                  name != CL_PROFILING_COMMAND_START))
        return error; /* there are no times before the last part is done */
    error = shadow_first_time(event, name, &first);
    if (error == SHADOW_WHOLE)
        return CL_SUCCESS;
    if (!error && value)
        memcpy(value, &first, sizeof first);
    return error;
}

cl_int CL_API_CALL shim_clSetEventCallback(cl_event event, cl_int type, event_notify *pfn_notify,
                                           void *user_data)
{
    CALL_BACK_AND_RETURN(pfn_notify, next()->clSetEventCallback(event, type, pfn_notify, user_data));
}
