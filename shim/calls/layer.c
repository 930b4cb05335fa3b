/* layer.c - the functions by which an OpenCL loader uses the library as a layer: clGetLayerInfo, clInitLayer
 * and so on (README.md of this room, "Two ways in"). */
#include <stdatomic.h>
#include <string.h>
#include "shim/calls/intercept.h"
#include "shim/guest/options.h"

static cl_icd_dispatch below; /* what the loader gave us; zero beyond its entries */
static cl_icd_dispatch table; /* ours: a NULL slot falls through to the next layer */
static atomic_int active;

/* An entry of the 3.0 interface that the Debian headers do not declare; the Khronos
 * loader of 2024 calls it. */
typedef struct cl_layer_properties_s cl_layer_property;
SHIM_EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                         const cl_icd_dispatch *target_dispatch,
                                                         cl_uint *num_entries_ret,
                                                         const cl_icd_dispatch **layer_dispatch_ret,
                                                         const cl_layer_property *properties);
SHIM_EXPORT cl_int CL_API_CALL clDeinitLayer(void);

int layer_is_active(void)
{
    return atomic_load_explicit(&active, memory_order_acquire);
}

SHIM_EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name, size_t param_value_size,
                                              void *param_value, size_t *param_value_size_ret)
{
    static const char name[] = "clsizer";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;

    switch (param_name) {
    case CL_LAYER_API_VERSION:
        return answer_query(&version, sizeof version, param_value_size, param_value, param_value_size_ret);
    case CL_LAYER_NAME:
        return answer_query(name, sizeof name, param_value_size, param_value, param_value_size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

SHIM_EXPORT cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                           cl_uint *num_entries_ret,
                                           const cl_icd_dispatch **layer_dispatch_ret)
{
    const cl_uint ours = sizeof table / sizeof(void *);
    const cl_uint shared = num_entries < ours ? num_entries : ours;

    if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret)
        return CL_INVALID_VALUE;
    memcpy(&below, target_dispatch, shared * sizeof(void *));
    *num_entries_ret = shared;
    *layer_dispatch_ret = &table;
    atomic_store_explicit(&next_functions, &below, memory_order_release);
    atomic_store_explicit(&active, 1, memory_order_release);
    /* Slots stay NULL for calls that the loader does not know: nothing arrives, and next() callers check.
     * All do if the library is off. */
    if (opt_says_off())
        return CL_SUCCESS;
#define CALL(ret, name, none, ...)                                                                           \
    if (below.name)                                                                                          \
        table.name = shim_##name;
#include "shim/calls/intercepted.def"
#undef CALL
    return CL_SUCCESS;
}

SHIM_EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                         const cl_icd_dispatch *target_dispatch,
                                                         cl_uint *num_entries_ret,
                                                         const cl_icd_dispatch **layer_dispatch_ret,
                                                         const cl_layer_property *properties)
{
    (void)properties;
    return clInitLayer(num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}

SHIM_EXPORT cl_int CL_API_CALL clDeinitLayer(void)
{
    return CL_SUCCESS; /* state stays: applications call OpenCL from exit handlers, after the loader's own */
}
