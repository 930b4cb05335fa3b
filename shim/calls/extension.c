/* extension.c - functions that are reached through clGetExtensionFunctionAddress[ForPlatform] alone.
 *
 * A driver's own function would bypass the library: objects would be created unseen, which is harmless, and
 * arguments would change unseen, which is not.  So for each of the functions below the program gets one of
 * ours, and for each of intercepted.def the interceptor.  Functions that the driver does not have stay
 * absent.
 *
 * Recorded launches (cl_khr_command_buffer) are left as written: a driver replays them with the arguments
 * that were set last, about which nothing was proved when they were recorded. */
#include <stdlib.h>
#include <string.h>
#include "shim/calls/dispatch.h"
#include "shim/calls/intercept.h"
#include "shim/calls/lifetime.h"
#include "shim/calls/offer.h"
#include "shim/calls/wait.h"
#include "shim/object/object_table.h"
#include "shim/object/svm.h"
#include "shim/site/hazard.h"

/* Types that OpenCL's headers know from some release on (vendors'), or by changing names and on request only,
 * as long as they are provisional (command buffers). */
typedef cl_int CL_API_CALL ask_pointer(cl_context context, cl_device_id device, const void *memory,
                                       cl_uint name, size_t size, void *value, size_t *size_ret);
typedef struct _cl_command_buffer_khr *command_buffer;

#define EXTENSIONS(X)                                                                                        \
    X(clCreateCommandQueueWithPropertiesKHR)                                                                 \
    X(clCreateProgramWithILKHR)                                                                              \
    X(clHostMemAllocINTEL)                                                                                   \
    X(clDeviceMemAllocINTEL)                                                                                 \
    X(clSharedMemAllocINTEL)                                                                                 \
    X(clSVMAllocWithPropertiesKHR)                                                                           \
    X(clSVMFreeWithPropertiesKHR)                                                                            \
    X(clMemFreeINTEL)                                                                                        \
    X(clMemBlockingFreeINTEL)                                                                                \
    X(clSetKernelArgMemPointerINTEL)                                                                         \
    X(clEnqueueMemcpyINTEL)                                                                                  \
    X(clEnqueueMemFillINTEL)                                                                                 \
    X(clEnqueueMemsetINTEL)                                                                                  \
    X(clEnqueueMigrateMemINTEL)                                                                              \
    X(clEnqueueMemAdviseINTEL)                                                                               \
    X(clSetKernelArgSVMPointerARM)                                                                           \
    X(clSetKernelArgDevicePointerEXT)                                                                        \
    X(clSetKernelExecInfoARM)                                                                                \
    X(clImportMemoryARM)                                                                                     \
    X(clCreateFromEGLImageKHR)                                                                               \
    X(clCommandNDRangeKernelKHR)                                                                             \
    X(clCreateCommandBufferKHR)                                                                              \
    X(clRetainCommandBufferKHR)                                                                              \
    X(clReleaseCommandBufferKHR)                                                                             \
    X(clEnqueueCommandBufferKHR)

enum extension {
#define X(name) EXT_##name,
    EXTENSIONS(X)
#undef X
        EXT_COUNT
};

/* ---- what the drivers gave ------------------------------------------------------------------------- */

#define MAX_RECORDED 8 /* queues of a command buffer */

/* Of each extension the first function that a platform gave. */
static struct {
    _Atomic(void *) function;
    atomic_bool several; /* another platform gave another one */
} given[EXT_COUNT];

static void remember(enum extension e, void *function)
{
    void *first = NULL;

    if (!atomic_compare_exchange_strong(&given[e].function, &first, function) && first != function)
        atomic_store(&given[e].several, true);
}

static cl_platform_id platform_of_device(cl_device_id device)
{
    cl_platform_id platform = NULL;

    if (device)
        next()->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    return platform;
}

static cl_platform_id platform_of_context(cl_context context)
{
    cl_device_id devices[OBJ_MAX_DEVICES];

    return context && obj_context_devices(context, devices) ? platform_of_device(devices[0]) : NULL;
}

static cl_platform_id platform_of_kernel(cl_kernel kernel)
{
    cl_context context = NULL;

    if (kernel)
        next()->clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL);
    return platform_of_context(context);
}

static cl_platform_id platform_of_queue(cl_command_queue queue)
{
    cl_device_id device = NULL;

    if (queue)
        next()->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    return platform_of_device(device);
}

/* The platform's own function; that of an unknown platform is the first. */
static void *function_of(enum extension e, const char *name, cl_platform_id platform)
{
    void *own = NULL;

    if (platform && next()->clGetExtensionFunctionAddressForPlatform)
        own = next()->clGetExtensionFunctionAddressForPlatform(platform, name);
    return own ? own : atomic_load(&given[e].function);
}

/* The driver's function for a call, of ours' type, which was asked for before it is called, so there is one.
 * `platform` is evaluated only where it matters. */
#pragma GCC diagnostic ignored "-Wpedantic" /* functions travel as data pointers here */
#define REAL(name, platform)                                                                                 \
    ((__typeof__(our_##name) *)(atomic_load(&given[EXT_##name].several)                                      \
                                    ? function_of(EXT_##name, #name, platform)                               \
                                    : atomic_load(&given[EXT_##name].function)))

/* ---- queues, programs, arguments ------------------------------------------------------------------- */

static cl_command_queue CL_API_CALL our_clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *errcode_ret)
{
    return entry_create_queue(REAL(clCreateCommandQueueWithPropertiesKHR, platform_of_device(device)),
                              context, device, properties, errcode_ret);
}

static cl_program CL_API_CALL our_clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
                                                           cl_int *errcode_ret)
{
    cl_program p =
        REAL(clCreateProgramWithILKHR, platform_of_context(context))(context, il, length, errcode_ret);

    program_add_il(p, il, length);
    return p;
}

/* As NOTED() of intercepted.def. */
#define SET(name_, note, ...)                                                                                \
    static cl_int CL_API_CALL our_##name_(PARAMS(__VA_ARGS__))                                               \
    {                                                                                                        \
        const cl_int error = REAL(name_, platform_of_kernel(kernel))(ARGS(__VA_ARGS__));                     \
                                                                                                             \
        if (error == CL_SUCCESS && rt_get())                                                                 \
            note;                                                                                            \
        return error;                                                                                        \
    }
SET(clSetKernelArgSVMPointerARM, obj_set_arg(kernel, index, sizeof value, NULL, ARG_OPAQUE), cl_kernel,
    kernel, cl_uint, index, const void *, value)
SET(clSetKernelArgMemPointerINTEL, obj_set_arg(kernel, index, sizeof value, &value, ARG_USM), cl_kernel,
    kernel, cl_uint, index, const void *, value)
SET(clSetKernelArgDevicePointerEXT, obj_set_arg(kernel, index, sizeof value, NULL, ARG_OPAQUE), cl_kernel,
    kernel, cl_uint, index, cl_ulong, value)
SET(clSetKernelExecInfoARM, obj_set_indirect(kernel), cl_kernel, kernel, cl_kernel_exec_info, name, size_t,
    size, const void *, value)
#undef SET

/* ---- unified shared memory ------------------------------------------------------------------------- */

static void *note_allocated(cl_context context, void *memory, size_t size, bool quiet)
{
    if (memory && rt_get())
        svm_allocated(context, memory, size, quiet);
    return memory;
}

#define ALLOC(name, quiet, ...)                                                                              \
    static void *CL_API_CALL our_##name(PARAMS(__VA_ARGS__))                                                 \
    {                                                                                                        \
        return note_allocated(context, REAL(name, platform_of_context(context))(ARGS(__VA_ARGS__)), size,    \
                              quiet);                                                                        \
    }
ALLOC(clHostMemAllocINTEL, false, cl_context, context, const cl_ulong *, properties, size_t, size, cl_uint,
      alignment, cl_int *, errcode_ret)
ALLOC(clDeviceMemAllocINTEL, true, cl_context, context, cl_device_id, device, const cl_ulong *, properties,
      size_t, size, cl_uint, alignment, cl_int *, errcode_ret)
ALLOC(clSharedMemAllocINTEL, false, cl_context, context, cl_device_id, device, const cl_ulong *, properties,
      size_t, size, cl_uint, alignment, cl_int *, errcode_ret)
#undef ALLOC

#define POINTER_CAPABILITIES 0x2089            /* CL_SVM_INFO_CAPABILITIES_KHR */
#define HOST_ACCESS          (1 << 6 | 1 << 7) /* CL_SVM_CAPABILITY_HOST_READ_KHR, ..._WRITE_KHR: unmapped */

/* May the host use the memory without telling the driver?  Types of memory are numbers, which differ. */
static bool host_uses(cl_context context, const void *memory)
{
    ask_pointer *const ask = (ask_pointer *)next()->clGetExtensionFunctionAddressForPlatform(
        platform_of_context(context), "clGetSVMPointerInfoKHR");
    cl_ulong capabilities = 0;

    return !ask ||
           ask(context, NULL, memory, POINTER_CAPABILITIES, sizeof capabilities, &capabilities, NULL) ||
           (capabilities & HOST_ACCESS);
}

static void *CL_API_CALL our_clSVMAllocWithPropertiesKHR(cl_context context, const cl_ulong *properties,
                                                         cl_uint type, size_t size, cl_int *errcode_ret)
{
    void *memory = REAL(clSVMAllocWithPropertiesKHR, platform_of_context(context))(context, properties, type,
                                                                                   size, errcode_ret);

    return note_allocated(context, memory, size, memory && !host_uses(context, memory));
}

/* With a flag it waits for all commands that may use the memory. */
static cl_int CL_API_CALL our_clSVMFreeWithPropertiesKHR(cl_context context, const cl_ulong *properties,
                                                         cl_ulong flags, void *memory)
{
    entry_note_freed(context, memory);
    WAIT_AND_RETURN(
        cl_int,
        REAL(clSVMFreeWithPropertiesKHR, platform_of_context(context))(context, properties, flags, memory),
        flags, NULL);
}

static cl_int CL_API_CALL our_clMemFreeINTEL(cl_context context, void *memory)
{
    entry_note_freed(context, memory);
    return REAL(clMemFreeINTEL, platform_of_context(context))(context, memory);
}

/* It waits for all commands that may use the memory. */
static cl_int CL_API_CALL our_clMemBlockingFreeINTEL(cl_context context, void *memory)
{
    entry_note_freed(context, memory);
    WAIT_AND_RETURN(cl_int, REAL(clMemBlockingFreeINTEL, platform_of_context(context))(context, memory), true,
                    NULL);
}

static cl_int CL_API_CALL our_clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *to,
                                                   const void *from, size_t size, cl_uint nwait,
                                                   const cl_event *wait, cl_event *event)
{
    entry_note_command(queue);
    WAIT_AND_RETURN(cl_int,
                    REAL(clEnqueueMemcpyINTEL, platform_of_queue(queue))(queue, blocking, to, from, size,
                                                                         nwait, wait, event),
                    blocking, queue);
}

/* As COMMAND() of commands.def. */
#define COMMAND(name, ...)                                                                                   \
    static cl_int CL_API_CALL our_##name(PARAMS(__VA_ARGS__))                                                \
    {                                                                                                        \
        entry_note_command(queue);                                                                           \
        return REAL(name, platform_of_queue(queue))(ARGS(__VA_ARGS__));                                      \
    }
COMMAND(clEnqueueMemFillINTEL, cl_command_queue, queue, void *, to, const void *, pattern, size_t,
        pattern_size, size_t, size, EVENTS)
COMMAND(clEnqueueMemsetINTEL, cl_command_queue, queue, void *, to, cl_int, value, size_t, size, EVENTS)
COMMAND(clEnqueueMigrateMemINTEL, cl_command_queue, queue, const void *, memory, size_t, size,
        cl_mem_migration_flags, flags, EVENTS)
COMMAND(clEnqueueMemAdviseINTEL, cl_command_queue, queue, const void *, memory, size_t, size, cl_uint, advice,
        EVENTS)
#undef COMMAND

/* ---- memory of others ------------------------------------------------------------------------------ */

/* Two such objects may be one memory, and nothing that OpenCL says of them shows it. */
static cl_mem note_foreign(cl_mem m)
{
    if (m)
        atomic_store(&hazard_foreign_memory, true);
    return m;
}

#define FOREIGN(name, ...)                                                                                   \
    static cl_mem CL_API_CALL our_##name(PARAMS(__VA_ARGS__))                                                \
    {                                                                                                        \
        return note_foreign(REAL(name, platform_of_context(context))(ARGS(__VA_ARGS__)));                    \
    }
FOREIGN(clImportMemoryARM, cl_context, context, cl_mem_flags, flags, const intptr_t *, properties, void *,
        memory, size_t, size, cl_int *, errcode_ret)
FOREIGN(clCreateFromEGLImageKHR, cl_context, context, void *, display, void *, image, cl_mem_flags, flags,
        const intptr_t *, properties, cl_int *, errcode_ret)
#undef FOREIGN

/* ---- command buffers ------------------------------------------------------------------------------- */

static cl_int CL_API_CALL our_clCommandNDRangeKernelKHR(
    command_buffer buffer, cl_command_queue queue, const cl_ulong *properties, cl_kernel kernel,
    cl_uint work_dim, const size_t *global_work_offset, const size_t *global_work_size,
    const size_t *local_work_size, cl_uint num_sync_points_in_wait_list, const cl_uint *sync_point_wait_list,
    cl_uint *sync_point, void *mutable_handle)
{
    dispatch_recorded(&(struct call){.queue = queue,
                                     .kernel = kernel,
                                     .dim = work_dim,
                                     .offset = global_work_offset,
                                     .global = global_work_size,
                                     .local = local_work_size});
    return REAL(clCommandNDRangeKernelKHR, platform_of_kernel(kernel))(
        buffer, queue, properties, kernel, work_dim, global_work_offset, global_work_size, local_work_size,
        num_sync_points_in_wait_list, sync_point_wait_list, sync_point, mutable_handle);
}

/* A buffer that was recorded: what the application asked for of the queues, and where event times are ours.
 */
struct recorded {
    void *handle;
    cl_platform_id platform;
    atomic_uint refs;
    cl_uint n;
    struct recorded_queue {
        cl_command_queue_properties asked;
        bool hidden;
    } queue[MAX_RECORDED];
    UT_hash_handle hh;
};
static pthread_mutex_t recorded_lock = PTHREAD_MUTEX_INITIALIZER;
static struct recorded *recorded;

static void note_recorded(command_buffer buffer, cl_platform_id platform, cl_uint n,
                          const cl_command_queue *queues)
{
    struct recorded *r = n <= MAX_RECORDED ? calloc(1, sizeof *r) : NULL;

    if (!r)
        return;
    *r = (struct recorded){.handle = buffer, .platform = platform, .refs = 1, .n = n};
    for (cl_uint i = 0; i < n; i++) {
        const struct shim_queue *q = obj_queue(queues[i]);
        r->queue[i].hidden = q && q->hidden;
        shim_clGetCommandQueueInfo(queues[i], CL_QUEUE_PROPERTIES, sizeof r->queue[i].asked,
                                   &r->queue[i].asked, NULL);
    }
    PUT(recorded, recorded_lock, r, free);
}

/* A copy; nothing but zeros of a buffer that is not known. */
static struct recorded recorded_as(command_buffer buffer)
{
    struct recorded copy = {0};
    const struct recorded *r;

    FIND_AND(recorded, recorded_lock, buffer, r, copy = r ? *r : copy);
    return copy;
}

static command_buffer CL_API_CALL our_clCreateCommandBufferKHR(cl_uint num_queues,
                                                               const cl_command_queue *queues,
                                                               const cl_ulong *properties,
                                                               cl_int *errcode_ret)
{
    const cl_platform_id platform = num_queues && queues ? platform_of_queue(queues[0]) : NULL;
    command_buffer buffer =
        REAL(clCreateCommandBufferKHR, platform)(num_queues, queues, properties, errcode_ret);

    if (buffer && rt_tracks())
        note_recorded(buffer, platform, num_queues, queues);
    return buffer;
}

static cl_int CL_API_CALL our_clRetainCommandBufferKHR(command_buffer buffer)
{
    const cl_int error = REAL(clRetainCommandBufferKHR, recorded_as(buffer).platform)(buffer);

    if (!error)
        RETAIN(recorded, recorded_lock, buffer);
    return error;
}

static cl_int CL_API_CALL our_clReleaseCommandBufferKHR(command_buffer buffer)
{
    const cl_platform_id platform = recorded_as(buffer).platform;

    RELEASE(recorded, recorded_lock, buffer, free, (void)0);
    return REAL(clReleaseCommandBufferKHR, platform)(buffer);
}

static cl_int CL_API_CALL our_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                                        command_buffer buffer, cl_uint nwait,
                                                        const cl_event *wait, cl_event *event);

/* What the driver says when an empty buffer is recorded on one queue and replayed on another. */
static cl_int replay_empty(cl_platform_id platform, cl_command_queue from, cl_command_queue to)
{
    __typeof__(our_clReleaseCommandBufferKHR) *const finalize =
        next()->clGetExtensionFunctionAddressForPlatform(platform, "clFinalizeCommandBufferKHR");
    __typeof__(our_clReleaseCommandBufferKHR) *const release =
        next()->clGetExtensionFunctionAddressForPlatform(platform, "clReleaseCommandBufferKHR");
    command_buffer buffer;
    cl_int answer = CL_SUCCESS;

    if (!finalize || !release || !(buffer = REAL(clCreateCommandBufferKHR, platform)(1, &from, NULL, NULL)))
        return CL_SUCCESS;
    if (finalize(buffer) == CL_SUCCESS)
        answer = REAL(clEnqueueCommandBufferKHR, platform)(1, &to, buffer, 0, NULL, NULL);
    if (answer == CL_SUCCESS)
        next()->clFinish(to);
    release(buffer);
    return answer;
}

/* Drivers compare the properties of the queue that a buffer was recorded on with those of the one it is
 * replayed on.  Two of which one has event times that only we asked for are alike to them.  So we ask with
 * queues that have just what the application asked for; programs hardly ever try. */
static cl_int ask_replay(cl_platform_id platform, const struct recorded_queue *was, cl_command_queue queue)
{
    const struct shim_queue *q = obj_queue(queue);
    const cl_device_id device = q && q->device ? atomic_load(&q->device->id) : NULL;
    cl_command_queue_properties asked = 0;
    cl_command_queue from, to;
    cl_int answer = CL_SUCCESS;

    if (!device || !q->timed || q->hidden == was->hidden || !next()->clCreateCommandQueue)
        return CL_SUCCESS;
    shim_clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof asked, &asked, NULL);
    from = next()->clCreateCommandQueue(q->context, device, was->asked, NULL);
    to = next()->clCreateCommandQueue(q->context, device, asked, NULL);
    if (from && to)
        answer = replay_empty(platform, from, to);
    if (from)
        next()->clReleaseCommandQueue(from);
    if (to)
        next()->clReleaseCommandQueue(to);
    return answer;
}

static cl_int CL_API_CALL our_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                                        command_buffer buffer, cl_uint nwait,
                                                        const cl_event *wait, cl_event *event)
{
    const struct recorded r = recorded_as(buffer);
    const cl_platform_id platform =
        r.platform || !num_queues || !queues ? r.platform : platform_of_queue(queues[0]);
    cl_int answer = CL_SUCCESS;

    for (cl_uint i = 0; queues && num_queues == r.n && i < r.n && !answer; i++)
        answer = ask_replay(platform, &r.queue[i], queues[i]);
    return answer ? answer
                  : REAL(clEnqueueCommandBufferKHR, platform)(num_queues, queues, buffer, nwait, wait, event);
}

/* ---- clGetExtensionFunctionAddress[ForPlatform] ----------------------------------------------------- */

/* The address that the program gets in place of the driver's function. */
static void *ours(const char *name, void *function)
{
    if (!name || !rt_get())
        return function;
    if (!function)
        return offer_function(name);
    if (strcmp(name, "clEnqueueCommandBufferKHR") == 0)
        sharing_unseen();
#define X(name_)                                                                                             \
    if (strcmp(name, #name_) == 0 && function != (void *)our_##name_) {                                      \
        remember(EXT_##name_, function);                                                                     \
        return (void *)our_##name_;                                                                          \
    }
    EXTENSIONS(X)
#undef X
#define CALL(ret, name_, none, ...)                                                                          \
    if (strcmp(name, #name_) == 0)                                                                           \
        return next()->name_ ? (void *)shim_##name_ : function;
#include "shim/calls/intercepted.def"
#undef CALL
    if (strncmp(name, "clEnqueue", 9) == 0)
        sharing_unseen();
    return function;
}

void *CL_API_CALL shim_clGetExtensionFunctionAddress(const char *name)
{
    return ours(name, next()->clGetExtensionFunctionAddress(name));
}

void *CL_API_CALL shim_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    return ours(name, next()->clGetExtensionFunctionAddressForPlatform(platform, name));
}
