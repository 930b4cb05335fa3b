/* intercept.h - how calls of the application reach the library.
 *
 * A loader that supports layers calls us as a layer, and gives us the functions of the next one (layer.c).
 * For other loaders, preloaded symbols take the place of theirs (preload.c).  Either way an intercepted call
 * arrives at shim_<name>() once.  The library itself calls OpenCL through next() (next.h), never through
 * exported symbols. */
#pragma once

#include <string.h>
#include "shim/guest/next.h"

/* Exported: the wrappers and the layer's functions.  Everything else but prctl() (confine.c) is hidden. */
#define SHIM_EXPORT __attribute__((visibility("default"))) CL_API_ENTRY

#define SHIM_NO_PLATFORM (-1001) /* CL_PLATFORM_NOT_FOUND_KHR: a loader that finds no driver returns it */

/* The interceptors (entry.c, program.c, extension.c, wait.c). */
#define CALL(ret, name, params, args, none) ret CL_API_CALL shim_##name params;
#include "shim/calls/intercepted.def"
#undef CALL

/* Create a queue with a property list through `make`, with event times added and hidden (entry.c). */
typedef cl_command_queue CL_API_CALL queue_maker(cl_context, cl_device_id, const cl_queue_properties *,
                                                 cl_int *);
cl_command_queue entry_create_queue(queue_maker *make, cl_context context, cl_device_id device,
                                    const cl_queue_properties *properties, cl_int *errcode_ret);

/* Note for queue_sharing.h that the calling thread is about to put a command that is not a launch into the
 * queue (entry.c). */
void entry_note_command(cl_command_queue queue);

/* Note that an allocation (svm.h) is about to be freed, now or by a command (entry.c). */
void entry_note_freed(cl_context context, const void *start);

/* Note a program that was created from `length` bytes of SPIR-V, which are copied (program.c). */
void program_add_il(cl_program program, const void *il, size_t length);

/* Was the layer initialised?  Then preloaded wrappers only pass calls on. */
int layer_is_active(void);

/* Answer a query with `bytes` bytes, as OpenCL's functions do. */
static inline cl_int answer_query(const void *from, size_t bytes, size_t size, void *value, size_t *size_ret)
{
    if (value && size < bytes)
        return CL_INVALID_VALUE;
    if (value && bytes)
        memcpy(value, from, bytes);
    if (size_ret)
        *size_ret = bytes;
    return CL_SUCCESS;
}
