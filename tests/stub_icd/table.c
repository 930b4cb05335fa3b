/* table.c - what the loader finds: the dispatch table and the three functions that a driver exports. */
#include "calls.h"
#include "usm.h"
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default"))) CL_API_ENTRY

const cl_icd_dispatch stub_dispatch = {
#define CALL(name) .name = stub_##name,
#include "calls.def"
#undef CALL
};

EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *n);
EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *n)
{
    if (platforms && room)
        platforms[0] = &stub_platform;
    if (n)
        *n = 1;
    return CL_SUCCESS;
}

void CL_API_CALL stub_set_hook(void(CL_CALLBACK *function)(const char *, void *), void *data);

cl_mem CL_API_CALL stub_import_memory(cl_context context, cl_mem_flags flags, const intptr_t *properties,
                                      void *memory, size_t size, cl_int *errcode_ret);

/* A function of an extension that nobody knows. */
static cl_int CL_API_CALL nothing(cl_command_queue q)
{
    return stub_is(q, QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

static cl_int CL_API_CALL set_device_pointer(cl_kernel kernel, cl_uint index, cl_ulong address)
{
    return stub_clSetKernelArgSVMPointer(kernel, index, (const void *)(uintptr_t)address);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* functions as data pointers: the interface's own habit */
static void *address_of(const char *name)
{
    static const struct {
        const char *name;
        void *function;
    } known[] = {{"clIcdGetPlatformIDsKHR", (void *)clIcdGetPlatformIDsKHR},
                 {"stubSetHook", (void *)stub_set_hook},
                 {"clEnqueueNothingSTUB", (void *)nothing},
                 {"clGetKernelSuggestedLocalWorkSizeKHR", (void *)stub_clGetKernelSuggestedLocalWorkSizeKHR},
                 {"clImportMemoryARM", (void *)stub_import_memory},
                 {"clEnqueueTask", (void *)stub_clEnqueueTask},
                 {"clCreateCommandQueueWithPropertiesKHR", (void *)stub_clCreateCommandQueueWithProperties},
                 {"clCreateProgramWithILKHR", (void *)stub_clCreateProgramWithIL},
                 {"clHostMemAllocINTEL", (void *)stub_alloc_anywhere},
                 {"clDeviceMemAllocINTEL", (void *)stub_alloc_for_device},
                 {"clSharedMemAllocINTEL", (void *)stub_alloc_for_device},
                 {"clSVMAllocWithPropertiesKHR", (void *)stub_alloc_of_type},
                 {"clSVMFreeWithPropertiesKHR", (void *)stub_free_of_type},
                 {"clGetSVMPointerInfoKHR", (void *)stub_ask_pointer},
                 {"clMemFreeINTEL", (void *)stub_free_memory},
                 {"clMemBlockingFreeINTEL", (void *)stub_free_memory},
                 {"clSetKernelArgMemPointerINTEL", (void *)stub_clSetKernelArgSVMPointer},
                 {"clEnqueueMemcpyINTEL", (void *)stub_clEnqueueSVMMemcpy},
                 {"clEnqueueMemFillINTEL", (void *)stub_clEnqueueSVMMemFill},
                 {"clEnqueueMemsetINTEL", (void *)stub_set_memory},
                 {"clEnqueueMigrateMemINTEL", (void *)stub_migrate_memory},
                 {"clEnqueueMemAdviseINTEL", (void *)stub_advise_memory},
                 {"clSetKernelArgSVMPointerARM", (void *)stub_clSetKernelArgSVMPointer},
                 {"clSetKernelArgDevicePointerEXT", (void *)set_device_pointer},
                 {"clSetKernelExecInfoARM", (void *)stub_clSetKernelExecInfo}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].function;
    return NULL;
}
#pragma GCC diagnostic pop

STUB_CALL(void *, clGetExtensionFunctionAddress)(const char *name)
{
    return address_of(name);
}

STUB_CALL(void *, clGetExtensionFunctionAddressForPlatform)(cl_platform_id platform, const char *name)
{
    (void)platform;
    return address_of(name);
}

EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    return address_of(name);
}

EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size,
                                            void *value, size_t *size_ret)
{
    return stub_clGetPlatformInfo(platform, name, size, value, size_ret);
}
