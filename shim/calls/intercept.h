/* intercept.h - how calls of the application reach the library, and how the library calls the driver.
 *
 * A loader that supports layers calls us as a layer, and gives us the functions of the next one (layer.c).
 * For other loaders, preloaded symbols take the place of theirs (preload.c).  Either way an intercepted call
 * arrives at shim_<name>() once.  The library itself calls OpenCL through next(), never through exported
 * symbols. */
#ifndef CLSIZER_SHIM_INTERCEPT_H
#define CLSIZER_SHIM_INTERCEPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include "shim/guest/opencl.h"

/* What libclsizer.map exports; everything else is hidden. */
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

/* Note a program that was created from `length` bytes of SPIR-V, which are copied (program.c). */
void program_add_il(cl_program program, const void *il, size_t length);

/* Has the program created memory objects from memory that it got from elsewhere (extension.c)? */
extern atomic_bool ext_foreign_memory;

/* The functions of the next layer or, as long as we are none, those behind the preloaded wrappers
 * (preload.c), which are NULL until the first wrapper has been called.  An entry is NULL if the loader or
 * driver lacks the call. */
extern _Atomic(const cl_icd_dispatch *) next_functions;
static inline const cl_icd_dispatch *next(void)
{
    return atomic_load_explicit(&next_functions, memory_order_acquire);
}

/* Was the layer initialised?  Then preloaded wrappers only pass calls on. */
int layer_is_active(void);

/* The path of this library; NULL if unknown. */
const char *shim_library_path(void);

#endif
