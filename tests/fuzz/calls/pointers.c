/* pointers.c - memory that kernels get by pointers: shared virtual memory, and where the driver has it
 * cl_intel_unified_shared_memory. */
#include <pthread.h>

#include "calls.h"

#define KERNEL_POINTERS         0x4203 /* CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL; cl_ext.h has it from 2020 on */
#define KERNEL_INDIRECT         0x4200 /* ..._INDIRECT_HOST_ACCESS_INTEL, then DEVICE, SHARED */
#define DEVICE_MEM_CAPABILITIES 0x4191

typedef void *CL_API_CALL alloc_function(cl_context, cl_device_id, const cl_ulong *, size_t, cl_uint,
                                         cl_int *);
typedef void *CL_API_CALL alloc_host_function(cl_context, const cl_ulong *, size_t, cl_uint, cl_int *);
typedef cl_int CL_API_CALL free_function(cl_context, void *);
typedef cl_int CL_API_CALL set_function(cl_kernel, cl_uint, const void *);
typedef cl_int CL_API_CALL copy_function(cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint,
                                         const cl_event *, cl_event *);
typedef cl_int CL_API_CALL fill_function(cl_command_queue, void *, const void *, size_t, size_t, cl_uint,
                                         const cl_event *, cl_event *);

static struct {
    alloc_host_function *host;
    alloc_function *device, *shared;
    free_function *free, *free_waiting;
    set_function *set;
    copy_function *copy;
    fill_function *fill;
} usm;
static pthread_once_t looked = PTHREAD_ONCE_INIT;
static cl_platform_id platform;

static void look(void)
{
    const struct {
        const char *name;
        void *at;
    } functions[] = {{"clHostMemAllocINTEL", &usm.host},
                     {"clDeviceMemAllocINTEL", &usm.device},
                     {"clSharedMemAllocINTEL", &usm.shared},
                     {"clMemFreeINTEL", &usm.free},
                     {"clMemBlockingFreeINTEL", &usm.free_waiting},
                     {"clSetKernelArgMemPointerINTEL", &usm.set},
                     {"clEnqueueMemcpyINTEL", &usm.copy},
                     {"clEnqueueMemFillINTEL", &usm.fill}};

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        *(void **)functions[i].at = clGetExtensionFunctionAddressForPlatform(platform, functions[i].name);
}

static bool has_usm(const struct player *p)
{
    cl_ulong capabilities = 0;

    platform = p->app->platform; /* of all players */
    pthread_once(&looked, look);
    return usm.host && usm.device && usm.shared && usm.free && usm.free_waiting && usm.set && usm.copy &&
           usm.fill &&
           clGetDeviceInfo(p->app->device, DEVICE_MEM_CAPABILITIES, sizeof capabilities, &capabilities,
                           NULL) == CL_SUCCESS &&
           capabilities;
}

/* False: the driver has no such memory. */
bool pointer_alloc(struct player *p, struct object *o)
{
    const cl_context context = p->app->context;
    const cl_device_id device = p->app->device;
    cl_int error = CL_SUCCESS;

    o->usm = has_usm(p) ? (enum usm)upto(p, 4) : COARSE;
    switch (o->usm) {
    case COARSE:
        o->shared = clSVMAlloc(context, CL_MEM_READ_WRITE, o->bytes, 0);
        break;
    case DEVICE_USM:
        o->shared = usm.device(context, device, NULL, o->bytes, 0, &error);
        break;
    case HOST_USM:
        o->shared = usm.host(context, NULL, o->bytes, 0, &error);
        break;
    case SHARED_USM:
        o->shared = usm.shared(context, device, NULL, o->bytes, 0, &error);
        break;
    }
    CL_CHECK(error);
    return o->shared;
}

/* By a command, or as soon as nothing uses it any more. */
void pointer_free(struct player *p, struct object *o)
{
    if (o->usm == COARSE && one_in(p, 2)) {
        struct command c = begin(p);
        need(p, &c, o);
        CL_CHECK(clEnqueueSVMFree(c.q->handle, 1, &o->shared, NULL, NULL, c.nwait, waits(&c), event(p, &c)));
        end(p, &c, CL_SUCCESS);
        return;
    }
    may_wait(p);
    if (o->usm != COARSE && one_in(p, 2)) {
        CL_CHECK(usm.free_waiting(p->app->context, o->shared));
        return;
    }
    for (unsigned i = 0; i < p->nqueue; i++)
        CL_CHECK(clFinish(p->queue[i].handle));
    if (o->usm == COARSE)
        clSVMFree(p->app->context, o->shared);
    else
        CL_CHECK(usm.free(p->app->context, o->shared));
}

void pointer_argument(const struct object *o, cl_kernel k, cl_uint i, size_t from)
{
    const void *at = (const char *)o->shared + from;

    CL_CHECK(o->usm == COARSE ? clSetKernelArgSVMPointer(k, i, at) : usm.set(k, i, at));
}

cl_int pointer_copy(const struct object *o, cl_command_queue q, cl_bool block, void *to, const void *from,
                    size_t bytes, cl_uint nwait, const cl_event *wait, cl_event *e)
{
    return (o->usm == COARSE ? clEnqueueSVMMemcpy : usm.copy)(q, block, to, from, bytes, nwait, wait, e);
}

cl_int pointer_fill(const struct object *o, cl_command_queue q, size_t from, size_t bytes, int value,
                    cl_uint nwait, const cl_event *wait, cl_event *e)
{
    return (o->usm == COARSE ? clEnqueueSVMMemFill : usm.fill)(q, (char *)o->shared + from, &value,
                                                               sizeof value, bytes, nwait, wait, e);
}

/* ---- memory that a kernel finds through a pointer in memory ---------------------------------------- */

struct list {
    int *data;
    cl_long n;
};

static void may_follow(struct player *p, cl_kernel k, const struct object *data)
{
    const cl_bool yes = CL_TRUE;
    const void *pointers[] = {data->shared};

    if (data->usm == COARSE)
        CL_CHECK(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
    else if (one_in(p, 2))
        CL_CHECK(clSetKernelExecInfo(k, KERNEL_POINTERS, sizeof pointers, pointers));
    else
        for (cl_kernel_exec_info i = 0; i < 3; i++)
            CL_CHECK(clSetKernelExecInfo(k, KERNEL_INDIRECT + i, sizeof yes, &yes));
}

/* The head of the list is in an object, what it points to in another one. */
static cl_int launch_follow(struct player *p, struct object *head, struct object *data, cl_kernel k, size_t n)
{
    struct command c = begin(p);
    cl_int error;

    need(p, &c, head);
    need(p, &c, data);
    error = clEnqueueNDRangeKernel(c.q->handle, k, 1, NULL, &n, NULL, c.nwait, waits(&c), event(p, &c));
    end(p, &c, error);
    return error;
}

/* Once it is launched, its head holds an address, so something else takes its place. */
static void forget_address(struct player *p, struct object *head)
{
    struct command c = begin(p);

    need(p, &c, head);
    CL_CHECK(pointer_fill(head, c.q->handle, 0, sizeof(struct list), 1, c.nwait, waits(&c), event(p, &c)));
    end(p, &c, CL_SUCCESS);
}

void follow(struct player *p)
{
    struct object *head = any(p, SVM), *data = another(p, SVM, head, NULL);
    const size_t from = one_in(p, 2) ? data->bytes / 4 : 0, n = data->bytes / 8;
    cl_int error = CL_SUCCESS;

    if (head->kind != SVM || data->kind != SVM || head->usm != data->usm) {
        say(p, "nothing to follow");
        return;
    }
    const struct list list = {(int *)((char *)data->shared + from), (cl_long)n};
    struct command c = begin(p);
    cl_kernel k = app_kernel(p->program, "follow");
    need(p, &c, head);
    may_wait(p);
    CL_CHECK(pointer_copy(head, c.q->handle, CL_TRUE, head->shared, &list, sizeof list, c.nwait, waits(&c),
                          event(p, &c)));
    end(p, &c, CL_SUCCESS);
    pointer_argument(head, k, 0, 0);
    set_int(k, 1, 1 + (int)upto(p, 100));
    may_follow(p, k, data);
    for (unsigned i = 0; i < 20; i++)
        error |= launch_follow(p, head, data, k, n);
    CL_CHECK(clReleaseKernel(k));
    forget_address(p, head);
    say(p, "followed %d to %d: %d", number_of(p, head), number_of(p, data), error);
}
