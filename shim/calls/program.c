/* program.c - the interceptors of calls that create, build and link programs: where a kernel's code comes
 * from. */
#include <stdlib.h>
#include <string.h>
#include "shim/calls/intercept.h"
#include "shim/calls/lifetime.h"
#include "shim/guest/guest.h"
#include "shim/guest/util.h"
#include "shim/object/binary.h"
#include "shim/object/device_info.h"
#include "shim/object/programs.h"

void program_add_il(cl_program program, const void *il, size_t length)
{
    if (program && rt_get())
        obj_add_program(program, obj_source_new(REQ_SPIRV, il, length, NULL), OBJ_NOT_MADE, NULL);
}

/* Were both made of one text, and of the same files if these have not changed since the earlier? */
static bool made_alike(const struct shim_source *a, const struct shim_source *b)
{
    return obj_source_same(a, b) && strcmp(a->cwd ? a->cwd : "", b->cwd ? b->cwd : "") == 0;
}

/* The source of `n` binaries, one for each device, with a reference for the caller.  NULL if one of them is
 * unknown, or if they have different sources. */
static struct shim_source *recall_source(struct runtime *rt, cl_uint n, const size_t *lengths,
                                         const unsigned char **binaries)
{
    struct shim_source *source = NULL, *other;
    bool same = true;

    for (cl_uint i = 0; same && i < n; i++) {
        other = bin_recall(rt, binaries[i], lengths[i]);
        same = other && (!source || made_alike(other, source));
        if (!same || (source && source->built_ns <= other->built_ns)) {
            obj_source_drop(other);
        } else {
            obj_source_drop(source); /* what both read must have been there before the earlier build */
            source = other;
        }
    }
    if (same)
        return source;
    obj_source_drop(source);
    return NULL;
}

/* A program for several kinds of devices has a binary for each. */
cl_program CL_API_CALL shim_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                      const cl_device_id *device_list, const size_t *lengths,
                                                      const unsigned char **binaries, cl_int *binary_status,
                                                      cl_int *errcode_ret)
{
    cl_program p = next()->clCreateProgramWithBinary(context, num_devices, device_list, lengths, binaries,
                                                     binary_status, errcode_ret);
    struct runtime *rt = p && guest_has_stack() && !util_confined() ? rt_get() : NULL;
    struct shim_source *source;
    struct guest guest;

    if (!rt)
        return p;
    /* A thread that is cancelled ends where it reads a file: not here, with a program that nobody knows. */
    guest_begin(&guest);
    source = recall_source(rt, num_devices, lengths, binaries);
    obj_add_program(p, source, (struct shim_made){.built = obj_source_ref(source)},
                    source ? NULL : "from-binary");
    guest_end(&guest);
    return p;
}

/* A program that fetches its binaries will make itself from them next time. */
static void remember_binaries(struct runtime *rt, cl_program program, unsigned char *const *binaries,
                              size_t n)
{
    struct shim_source *source = obj_program_source(program, NULL, NULL);
    size_t sizes[OBJ_MAX_DEVICES], bytes = 0;
    struct guest guest;

    guest_begin(&guest);
    if (source && n <= OBJ_MAX_DEVICES &&
        next()->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, &bytes) == CL_SUCCESS)
        for (size_t i = 0; i < n && i < bytes / sizeof *sizes; i++)
            if (binaries[i])
                bin_remember(rt, binaries[i], sizes[i], source);
    obj_source_drop(source);
    guest_end(&guest);
}

cl_int CL_API_CALL shim_clGetProgramInfo(cl_program program, cl_program_info name, size_t size, void *value,
                                         size_t *size_ret)
{
    const cl_int error = next()->clGetProgramInfo(program, name, size, value, size_ret);
    struct runtime *rt;

    if (error == CL_SUCCESS && name == CL_PROGRAM_BINARIES && value && (rt = rt_get()) && guest_has_stack() &&
        !util_confined())
        remember_binaries(rt, program, value, size / sizeof(unsigned char *));
    return error;
}

cl_int CL_API_CALL shim_clBuildProgram(cl_program program, cl_uint num_devices,
                                       const cl_device_id *device_list, const char *options,
                                       program_notify *pfn_notify, void *user_data)
{
    struct shim_undo undo = {0};
    cl_int error;

    /* Noted first: a build with a callback may be done, and kernels made, before the call returns. */
    if (rt_get())
        obj_build_program(program, num_devices, device_list, options, &undo);
    error = next()->clBuildProgram(program, num_devices, device_list, options, pfn_notify, user_data);
    obj_make_end(program, error, &undo);
    return error;
}

cl_int CL_API_CALL shim_clCompileProgram(cl_program program, cl_uint num_devices,
                                         const cl_device_id *device_list, const char *options,
                                         cl_uint num_input_headers, const cl_program *input_headers,
                                         const char **header_include_names, program_notify *pfn_notify,
                                         void *user_data)
{
    struct shim_undo undo = {0};
    struct guest guest;
    cl_int error;

    if (rt_get()) {
        guest_begin(&guest);
        obj_compile_program(program, num_devices, device_list, options, num_input_headers, input_headers,
                            header_include_names, &undo);
        guest_end(&guest);
    }
    error = next()->clCompileProgram(program, num_devices, device_list, options, num_input_headers,
                                     input_headers, header_include_names, pfn_notify, user_data);
    obj_make_end(program, error, &undo);
    return error;
}

/* A linking with a callback: kernels may be made in it, before clLinkProgram() returns the program.  Never
 * freed, because drivers differ in whether they call back for what failed at once. */
struct linking {
    program_notify *notify;
    void *user_data;
    atomic_bool noted;
    struct shim_made made;
    const char *reason;
};

static void note_linked(struct linking *l, cl_program program)
{
    if (atomic_exchange(&l->noted, true))
        return;
    if (program)
        obj_add_program(program, NULL, l->made, l->reason);
    else
        obj_made_drop(&l->made);
}

static void CL_CALLBACK linked(cl_program program, void *user_data)
{
    struct linking *l = user_data;

    note_linked(l, program);
    l->notify(program, l->user_data);
}

cl_program CL_API_CALL shim_clLinkProgram(cl_context context, cl_uint num_devices,
                                          const cl_device_id *device_list, const char *options,
                                          cl_uint num_input_programs, const cl_program *input_programs,
                                          program_notify *pfn_notify, void *user_data, cl_int *errcode_ret)
{
    struct linking here = {.notify = pfn_notify, .user_data = user_data};
    struct linking *l = rt_get() && pfn_notify ? malloc(sizeof *l) : rt_get() ? &here : NULL;
    cl_program p;

    if (!l)
        return next()->clLinkProgram(context, num_devices, device_list, options, num_input_programs,
                                     input_programs, pfn_notify, user_data, errcode_ret);
    here.made = obj_link_programs(num_input_programs, input_programs, options, &here.reason);
    if (pfn_notify)
        *l = here;
    p = next()->clLinkProgram(context, num_devices, device_list, options, num_input_programs, input_programs,
                              pfn_notify ? linked : NULL, pfn_notify ? l : user_data, errcode_ret);
    /* One with a callback may be gone already. */
    if (!pfn_notify)
        note_linked(l, p);
    return p;
}
