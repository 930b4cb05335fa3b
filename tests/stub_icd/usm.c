/* usm.c - cl_intel_unified_shared_memory and cl_khr_unified_svm: the same as shared virtual memory (memory.c,
 * commands.c), by other names. */
#include "calls.h"
#include "usm.h"

static void *told(void *memory, cl_int *errcode_ret)
{
    if (errcode_ret)
        *errcode_ret = memory ? CL_SUCCESS : CL_INVALID_VALUE;
    return memory;
}

void *CL_API_CALL stub_alloc_anywhere(cl_context context, const cl_ulong *properties, size_t size,
                                      cl_uint alignment, cl_int *errcode_ret)
{
    (void)properties;
    return told(stub_clSVMAlloc(context, 0, size, alignment), errcode_ret);
}

void *CL_API_CALL stub_alloc_for_device(cl_context context, cl_device_id device, const cl_ulong *properties,
                                        size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    (void)properties;
    return told(stub_is(device, DEVICE) ? stub_clSVMAlloc(context, 0, size, alignment) : NULL, errcode_ret);
}

cl_int CL_API_CALL stub_free_memory(cl_context context, void *memory)
{
    if (!stub_is(context, CONTEXT))
        return CL_INVALID_CONTEXT;
    stub_clSVMFree(context, memory);
    return CL_SUCCESS;
}

/* cl_khr_unified_svm: of type 0 the device alone uses the memory, of type 1 the host, too. */
static cl_uint last_type;

void *CL_API_CALL stub_alloc_of_type(cl_context context, const cl_ulong *properties, cl_uint type,
                                     size_t size, cl_int *errcode_ret)
{
    (void)properties;
    last_type = type;
    return told(type <= 1 ? stub_clSVMAlloc(context, 0, size, 0) : NULL, errcode_ret);
}

cl_int CL_API_CALL stub_free_of_type(cl_context context, const cl_ulong *properties, cl_ulong flags,
                                     void *memory)
{
    (void)properties;
    (void)flags;
    return stub_free_memory(context, memory);
}

/* Asked about what was allocated last alone. */
cl_int CL_API_CALL stub_ask_pointer(cl_context context, cl_device_id device, const void *memory, cl_uint name,
                                    size_t size, void *value, size_t *size_ret)
{
    const cl_ulong capabilities = last_type == 0 ? 1 << 9 | 1 << 10 : 1 << 6 | 1 << 7 | 1 << 9 | 1 << 10;

    (void)context;
    (void)device;
    (void)memory;
    (void)size_ret;
    if (name != 0x2089 || size != sizeof capabilities)
        return CL_INVALID_VALUE;
    *(cl_ulong *)value = capabilities;
    return CL_SUCCESS;
}

cl_int CL_API_CALL stub_set_memory(cl_command_queue q, void *to, cl_int value, size_t size, cl_uint n,
                                   const cl_event *list, cl_event *event)
{
    return stub_clEnqueueSVMMemFill(q, to, &value, 1, size, n, list, event);
}

cl_int CL_API_CALL stub_migrate_memory(cl_command_queue q, const void *memory, size_t size,
                                       cl_mem_migration_flags flags, cl_uint n, const cl_event *list,
                                       cl_event *event)
{
    return stub_clEnqueueSVMMigrateMem(q, 1, &memory, &size, flags, n, list, event);
}

cl_int CL_API_CALL stub_advise_memory(cl_command_queue q, const void *memory, size_t size, cl_uint advice,
                                      cl_uint n, const cl_event *list, cl_event *event)
{
    (void)advice;
    return stub_clEnqueueSVMMigrateMem(q, 1, &memory, &size, 0, n, list, event);
}
