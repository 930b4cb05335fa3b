/* layer.h - what the tests' OpenCL loader layers share.  Included by one file per layer, which defines
 * fill(). */
#pragma once

#include <CL/cl_layer.h>
#include <string.h>

static cl_icd_dispatch below, table;

/* Enter this layer's own functions; those left out go to the driver. */
static void fill(cl_icd_dispatch *own);

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t room, void *value, size_t *size)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;

    if (name != CL_LAYER_API_VERSION)
        return CL_INVALID_VALUE;
    if (value && room >= sizeof version)
        memcpy(value, &version, sizeof version);
    if (size)
        *size = sizeof version;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
                                            cl_uint *entries_ret, const cl_icd_dispatch **dispatch_ret)
{
    const cl_uint ours = sizeof table / sizeof(void *);

    memcpy(&below, target, (entries < ours ? entries : ours) * sizeof(void *));
    fill(&table);
    *entries_ret = entries < ours ? entries : ours;
    *dispatch_ret = &table;
    return CL_SUCCESS;
}
