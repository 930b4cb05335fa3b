/* platform.c - one platform, one device, contexts. */
#include "stub.h"
#include "calls.h"
#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

struct _cl_platform_id stub_platform = {
    .o = {.dispatch = &stub_dispatch, .kind = PLATFORM, .refs = 1, .serial = 1}};
struct _cl_device_id stub_devices[2] = {
    {.o = {.dispatch = &stub_dispatch, .kind = DEVICE, .refs = 1, .serial = 1}},
    {.o = {.dispatch = &stub_dispatch, .kind = DEVICE, .refs = 1, .serial = 2}}};

STUB_CALL(cl_int, clGetPlatformIDs)(cl_uint room, cl_platform_id *platforms, cl_uint *n)
{
    cl_int error = stub_begin("clGetPlatformIDs");

    if (!error && ((!platforms && !n) || (platforms && !room)))
        error = CL_INVALID_VALUE;
    if (!error && platforms)
        platforms[0] = &stub_platform;
    if (!error && n)
        *n = 1;
    return stub_end(error, "upp", U(room), platforms, n);
}

STUB_CALL(cl_int, clGetPlatformInfo)
(cl_platform_id platform, cl_platform_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetPlatformInfo");

    if (!error)
        switch (name) {
        case CL_PLATFORM_PROFILE:
            error = ANSWER_TEXT("FULL_PROFILE");
            break;
        case CL_PLATFORM_VERSION:
            error = ANSWER_TEXT("OpenCL 3.0 stub");
            break;
        case CL_PLATFORM_NAME:
            error = ANSWER_TEXT("Stub");
            break;
        case CL_PLATFORM_VENDOR:
            error = ANSWER_TEXT("nobody");
            break;
        case CL_PLATFORM_EXTENSIONS:
            error = ANSWER_TEXT("cl_khr_icd");
            break;
        case CL_PLATFORM_ICD_SUFFIX_KHR:
            error = ANSWER_TEXT(stub_option("STUB_SUFFIX") ? stub_option("STUB_SUFFIX") : "STUB");
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "oxupp", platform, X(name), size, value, size_ret);
}

static cl_device_type device_type(void)
{
    return stub_option("STUB_CPU") ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
}

STUB_CALL(cl_int, clGetDeviceIDs)
(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *n)
{
    const cl_device_type ours = device_type() | CL_DEVICE_TYPE_DEFAULT;
    cl_int error = stub_begin("clGetDeviceIDs");

    if (!error && ((!devices && !n) || (devices && !room)))
        error = CL_INVALID_VALUE;
    if (!error && !(type & ours))
        error = CL_DEVICE_NOT_FOUND;
    for (cl_uint i = 0; !error && devices && i < room && i < stub_ndevice; i++)
        devices[i] = &stub_devices[i];
    if (!error && n)
        *n = stub_ndevice;
    return stub_end(error, "oxupp", platform, X(type), U(room), devices, n);
}

/* What vendors' extensions answer. */
static cl_int vendors(cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    const char *nvidia = stub_option("STUB_NVIDIA");
    unsigned major, minor;

    if (name == CL_DEVICE_WAVEFRONT_WIDTH_AMD && stub_option("STUB_WAVEFRONT"))
        return ANSWER(cl_uint, (cl_uint)stub_number("STUB_WAVEFRONT"));
    if (!nvidia || sscanf(nvidia, "%u.%u", &major, &minor) != 2)
        return CL_INVALID_VALUE;
    switch (name) {
    case CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV:
        return ANSWER(cl_uint, major);
    case CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV:
        return ANSWER(cl_uint, minor);
    case CL_DEVICE_WARP_SIZE_NV:
        return ANSWER(cl_uint, 32);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int limits(cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    static const size_t extents[3] = {1024, 1024, 64};

    switch (name) {
    case CL_DEVICE_MAX_COMPUTE_UNITS:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
        return ANSWER(cl_uint, 8);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return ANSWER(cl_uint, 1000);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
        return ANSWER(cl_uint, 64);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
        return ANSWER(cl_ulong, 1 << 20);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return ANSWER(cl_ulong, 32 << 10);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return ANSWER(cl_ulong, STUB_MAX_ALLOC);
    case CL_DEVICE_ADDRESS_BITS:
        return ANSWER(cl_uint, 64);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
        return ANSWER(cl_uint, 3);
    case CL_DEVICE_MAX_PARAMETER_SIZE:
        return ANSWER(size_t, 1024);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return ANSWER(size_t, 1024);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return stub_answer(extents, sizeof extents, size, value, size_ret);
    case CL_DEVICE_SVM_CAPABILITIES:
        return ANSWER(cl_device_svm_capabilities, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    default:
        return vendors(name, size, value, size_ret);
    }
}

STUB_CALL(cl_int, clGetDeviceInfo)
(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetDeviceInfo");
    char version[64];

    if (!error)
        switch (name) {
        case CL_DEVICE_TYPE:
            error = ANSWER(cl_device_type, device_type());
            break;
        case CL_DEVICE_NAME:
            error = ANSWER_TEXT(stub_option("STUB_NAME") ? stub_option("STUB_NAME") : "Stub device");
            break;
        case CL_DEVICE_VENDOR:
            error = ANSWER_TEXT(stub_option("STUB_VENDOR") ? stub_option("STUB_VENDOR") : "nobody");
            break;
        case CL_DRIVER_VERSION:
            error = ANSWER_TEXT(stub_option("STUB_DRIVER") ? stub_option("STUB_DRIVER") : "1");
            break;
        case CL_DEVICE_VERSION:
            snprintf(version, sizeof version, "OpenCL %u.%u %s", stub_version() / 100,
                     stub_version() / 10 % 10, stub_option("STUB_AS") ? stub_option("STUB_AS") : "stub");
            error = ANSWER_TEXT(version);
            break;
        case CL_DEVICE_OPENCL_C_VERSION:
            error = ANSWER_TEXT("OpenCL C 1.2 stub");
            break;
        case CL_DEVICE_PROFILE:
            error = ANSWER_TEXT("FULL_PROFILE");
            break;
        case CL_DEVICE_EXTENSIONS:
            error = ANSWER_TEXT("");
            break;
        case CL_DEVICE_BUILT_IN_KERNELS:
            error = ANSWER_TEXT(STUB_BUILT_IN);
            break;
        case CL_DEVICE_OPENCL_C_FEATURES:
            error = stub_answer("", 0, size, value, size_ret);
            break;
        case CL_DEVICE_PLATFORM:
            error = ANSWER(cl_platform_id, &stub_platform);
            break;
        case CL_DEVICE_PARENT_DEVICE:
            error = ANSWER(cl_device_id, NULL);
            break;
        case CL_DEVICE_REFERENCE_COUNT:
            error = ANSWER(cl_uint, 1);
            break;
        case CL_DEVICE_AVAILABLE:
        case CL_DEVICE_COMPILER_AVAILABLE:
        case CL_DEVICE_LINKER_AVAILABLE:
        case CL_DEVICE_IMAGE_SUPPORT:
        case CL_DEVICE_ENDIAN_LITTLE:
            error = ANSWER(cl_bool, CL_TRUE);
            break;
        case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
            error = ANSWER(cl_command_queue_properties,
                           (stub_option("STUB_UNTIMED") ? 0 : CL_QUEUE_PROFILING_ENABLE) |
                               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
            break;
        default:
            error = limits(name, size, value, size_ret);
        }
    return stub_end(error, "oxupp", device, X(name), size, value, size_ret);
}

STUB_CALL(cl_int, clCreateSubDevices)
(cl_device_id device, const cl_device_partition_property *properties, cl_uint room, cl_device_id *devices,
 cl_uint *n)
{
    cl_int error = stub_begin("clCreateSubDevices");

    return stub_end(error ? error : CL_INVALID_VALUE, "opupp", device, properties, U(room), devices, n);
}

STUB_CALL(cl_int, clRetainDevice)(cl_device_id device)
{
    const cl_int error = stub_begin("clRetainDevice");

    return stub_end(error ? error : stub_is(device, DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE, "o", device);
}

STUB_CALL(cl_int, clReleaseDevice)(cl_device_id device)
{
    const cl_int error = stub_begin("clReleaseDevice");

    return stub_end(error ? error : stub_is(device, DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE, "o", device);
}

STUB_CALL(cl_int, clSetDefaultDeviceCommandQueue)
(cl_context context, cl_device_id device, cl_command_queue queue)
{
    const cl_int error = stub_begin("clSetDefaultDeviceCommandQueue");

    return stub_end(error ? error : CL_INVALID_OPERATION, "ooo", context, device, queue);
}

STUB_CALL(cl_int, clGetDeviceAndHostTimer)(cl_device_id device, cl_ulong *device_time, cl_ulong *host_time)
{
    const cl_int error = stub_begin("clGetDeviceAndHostTimer");

    return stub_end(error ? error : CL_INVALID_OPERATION, "opp", device, device_time, host_time);
}

STUB_CALL(cl_int, clGetHostTimer)(cl_device_id device, cl_ulong *host_time)
{
    const cl_int error = stub_begin("clGetHostTimer");

    return stub_end(error ? error : CL_INVALID_OPERATION, "op", device, host_time);
}

STUB_CALL(cl_int, clUnloadCompiler)(void)
{
    return stub_end(stub_begin("clUnloadCompiler"), "");
}

STUB_CALL(cl_int, clUnloadPlatformCompiler)(cl_platform_id platform)
{
    return stub_end(stub_begin("clUnloadPlatformCompiler"), "o", platform);
}

/* ---- contexts -------------------------------------------------------------------------------------- */

static cl_context new_context(const cl_context_properties *properties)
{
    cl_context c = stub_new(CONTEXT, sizeof *c);

    while (c && properties && c->nproperties + 3 < 16 && properties[c->nproperties])
        c->nproperties += 2;
    if (c && properties) {
        memcpy(c->properties, properties, c->nproperties * sizeof *properties);
        c->nproperties++;
    }
    return c;
}

STUB_CALL(cl_context, clCreateContext)
(const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
 void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateContext");

    if (!error && (!n || !devices || (!notify && data)))
        error = CL_INVALID_VALUE;
    for (cl_uint i = 0; !error && i < n; i++)
        error = stub_is(devices[i], DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
    return stub_made(error ? NULL : new_context(properties), error, errcode_ret, "pOpp", properties, U(n),
                     devices, notify, data);
}

STUB_CALL(cl_context, clCreateContextFromType)
(const cl_context_properties *properties, cl_device_type type,
 void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateContextFromType");

    return stub_made(error ? NULL : new_context(properties), error, errcode_ret, "pxpp", properties, X(type),
                     notify, data);
}

STUB_CALL(cl_int, clRetainContext)(cl_context context)
{
    cl_int error = stub_begin("clRetainContext");

    return stub_end(error ? error : stub_retain(context, CONTEXT, CL_INVALID_CONTEXT), "o", context);
}

STUB_CALL(cl_int, clReleaseContext)(cl_context context)
{
    cl_int error = stub_begin("clReleaseContext");

    return stub_end(error ? error : stub_release(context, CONTEXT, CL_INVALID_CONTEXT), "o", context);
}

STUB_CALL(cl_int, clGetContextInfo)
(cl_context context, cl_context_info name, size_t size, void *value, size_t *size_ret)
{
    const cl_device_id both[] = {&stub_devices[0], &stub_devices[1]};
    cl_int error = stub_begin("clGetContextInfo");

    if (!error && !stub_is(context, CONTEXT))
        error = CL_INVALID_CONTEXT;
    if (!error)
        switch (name) {
        case CL_CONTEXT_REFERENCE_COUNT: /* what commands hold shows, as with many drivers */
            error = ANSWER(cl_uint, context->o.refs + context->o.held);
            break;
        case CL_CONTEXT_NUM_DEVICES:
            error = ANSWER(cl_uint, stub_ndevice);
            break;
        case CL_CONTEXT_DEVICES:
            error = stub_answer(both, stub_ndevice * sizeof *both, size, value, size_ret);
            break;
        case CL_CONTEXT_PROPERTIES:
            error = stub_answer(context->properties, context->nproperties * sizeof *context->properties, size,
                                value, size_ret);
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "oxupp", context, X(name), size, value, size_ret);
}

STUB_CALL(cl_int, clSetContextDestructorCallback)
(cl_context context, void(CL_CALLBACK *notify)(cl_context, void *), void *data)
{
    const cl_int error = stub_begin("clSetContextDestructorCallback");

    return stub_end(error ? error : CL_INVALID_OPERATION, "opp", context, notify, data);
}
