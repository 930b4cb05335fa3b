/* intercept.h - the two ways in, and what is below us.
 *
 * The ICD loader hands us the next layer's functions (layer.c); a loader that knows no layers is wrapped by
 * symbol preloading (preload.c).  Either way an intercepted call arrives at shim_<name>() once, and
 * everything that the library itself calls goes through next(), never through exported symbols. */
#ifndef CLSIZER_SHIM_INTERCEPT_H
#define CLSIZER_SHIM_INTERCEPT_H

#include <stdbool.h>
#include "shim/opencl.h"

/* What libclsizer.map exports; everything else is hidden. */
#define SHIM_EXPORT __attribute__((visibility("default"))) CL_API_ENTRY

#define SHIM_NO_PLATFORM (-1001) /* CL_PLATFORM_NOT_FOUND_KHR: what a loader says that finds no driver */

/* The interceptors (entry.c, program.c, extension.c, wait.c). */
#define CALL(ret, name, params, args, none) ret CL_API_CALL shim_##name params;
#include "shim/intercepted.def"
#undef CALL

/* clCreateCommandQueueWithProperties() by way of `make`, with event times added and hidden (entry.c). */
typedef cl_command_queue CL_API_CALL queue_maker(cl_context, cl_device_id, const cl_queue_properties *,
                                                 cl_int *);
cl_command_queue entry_create_queue(queue_maker *make, cl_context context, cl_device_id device,
                                    const cl_queue_properties *properties, cl_int *errcode_ret);

/* The calling thread is about to put a command, not a launch, into the queue: noted for feed.h (entry.c). */
void entry_note_command(cl_command_queue queue);

/* A program that the driver made from SPIR-V (program.c). */
void program_add_il(cl_program program, const void *il, size_t length);

/* Did the program make memory objects of memory that it has from elsewhere (extension.c)? */
bool ext_foreign_memory(void);

/* The functions below us; entries may be NULL where the loader or driver lacks a call. */
const cl_icd_dispatch *next(void);

/* The layer was initialised: wrappers step aside. */
int layer_is_active(void);

/* The functions behind the preloaded wrappers (preload.c): NULL until the first wrapper was called. */
const cl_icd_dispatch *preload_next(void);

/* Where this library lies, NULL if unknown. */
const char *shim_library_path(void);

#endif
