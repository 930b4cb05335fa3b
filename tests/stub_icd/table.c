/* table.c - what the loader finds: the dispatch table and the three functions that a driver exports. */
#include "calls.h"
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

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* functions as data pointers: the interface's own habit */
static void *address_of(const char *name)
{
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        return (void *)clIcdGetPlatformIDsKHR;
    if (strcmp(name, "stubSetHook") == 0)
        return (void *)stub_set_hook;
    if (strcmp(name, "clEnqueueNothingSTUB") == 0)
        return (void *)nothing;
    if (strcmp(name, "clGetKernelSuggestedLocalWorkSizeKHR") == 0)
        return (void *)stub_clGetKernelSuggestedLocalWorkSizeKHR;
    if (strcmp(name, "clImportMemoryARM") == 0)
        return (void *)stub_import_memory;
    if (strcmp(name, "clEnqueueTask") == 0)
        return (void *)stub_clEnqueueTask;
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
