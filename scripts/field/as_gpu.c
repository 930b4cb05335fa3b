/* A layer of the OpenCL loader: processors say that they are GPUs, so that programs run that want nothing
 * else. Build: -shared -fPIC */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <string.h>

static cl_icd_dispatch below, here;

static cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint entries,
                                         cl_device_id *devices, cl_uint *count)
{
    return below.clGetDeviceIDs(platform, type & CL_DEVICE_TYPE_GPU ? CL_DEVICE_TYPE_ALL : type, entries,
                                devices, count);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size, void *value,
                                          size_t *used)
{
    cl_int status = below.clGetDeviceInfo(device, what, size, value, used);
    if (status == CL_SUCCESS && what == CL_DEVICE_TYPE && value)
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    return status;
}

static cl_context CL_API_CALL create_context_from_type(
    const cl_context_properties *properties, cl_device_type type,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *status)
{
    return below.clCreateContextFromType(properties, type & CL_DEVICE_TYPE_GPU ? CL_DEVICE_TYPE_ALL : type,
                                         notify, user, status);
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *used)
{
    cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (what != CL_LAYER_API_VERSION || (value && size < sizeof(version)))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, &version, sizeof(version));
    if (used)
        *used = sizeof(version);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target, cl_uint *count,
                                            const cl_icd_dispatch **layer)
{
    if (entries > sizeof(below) / sizeof(void *))
        entries = sizeof(below) / sizeof(void *);
    memcpy(&below, target, entries * sizeof(void *));
    memcpy(&here, target, entries * sizeof(void *));
    here.clGetDeviceIDs = get_device_ids;
    here.clGetDeviceInfo = get_device_info;
    here.clCreateContextFromType = create_context_from_type;
    *layer = &here;
    *count = entries;
    return CL_SUCCESS;
}
