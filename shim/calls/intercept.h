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

/* What an application has called back. */
typedef void(CL_CALLBACK program_notify)(cl_program program, void *data);
typedef void(CL_CALLBACK event_notify)(cl_event event, cl_int status, void *data);
typedef void(CL_CALLBACK svm_notify)(cl_command_queue queue, cl_uint n, void *pointers[], void *data);
typedef void(CL_CALLBACK native_kernel)(void *args);

/* The rows of intercepted.def and commands.def end with a type and a name for each parameter: here these are
 * as a function declares them, and as they are passed on. */
#define PARAMS(...) EACH(DECLARED, __VA_ARGS__)
#define ARGS(...)   EACH(PASSED_ON, __VA_ARGS__)

#define DECLARED(type, name)  type name
#define PASSED_ON(type, name) name
#define EACH(what, ...)                                                                                      \
    EACH_OF(__VA_ARGS__, 14, 14, 13, 13, 12, 12, 11, 11, 10, 10, 9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3,   \
            2, 2, 1, 1, 0)                                                                                   \
    (what, __VA_ARGS__)
#define EACH_OF(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a2, b2, count, \
                ...)                                                                                         \
    EACH_##count
#define EACH_1(what, type, name)       what(type, name)
#define EACH_2(what, type, name, ...)  what(type, name), EACH_1(what, __VA_ARGS__)
#define EACH_3(what, type, name, ...)  what(type, name), EACH_2(what, __VA_ARGS__)
#define EACH_4(what, type, name, ...)  what(type, name), EACH_3(what, __VA_ARGS__)
#define EACH_5(what, type, name, ...)  what(type, name), EACH_4(what, __VA_ARGS__)
#define EACH_6(what, type, name, ...)  what(type, name), EACH_5(what, __VA_ARGS__)
#define EACH_7(what, type, name, ...)  what(type, name), EACH_6(what, __VA_ARGS__)
#define EACH_8(what, type, name, ...)  what(type, name), EACH_7(what, __VA_ARGS__)
#define EACH_9(what, type, name, ...)  what(type, name), EACH_8(what, __VA_ARGS__)
#define EACH_10(what, type, name, ...) what(type, name), EACH_9(what, __VA_ARGS__)
#define EACH_11(what, type, name, ...) what(type, name), EACH_10(what, __VA_ARGS__)
#define EACH_12(what, type, name, ...) what(type, name), EACH_11(what, __VA_ARGS__)
#define EACH_13(what, type, name, ...) what(type, name), EACH_12(what, __VA_ARGS__)
#define EACH_14(what, type, name, ...) what(type, name), EACH_13(what, __VA_ARGS__)

/* The last parameters of most commands. */
#define EVENTS cl_uint, nwait, const cl_event *, wait, cl_event *, event

/* The interceptors (entry.c, program.c, extension.c, wait.c). */
#define CALL(ret, name, none, ...) ret CL_API_CALL shim_##name(PARAMS(__VA_ARGS__));
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
