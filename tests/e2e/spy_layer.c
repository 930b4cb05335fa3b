/* spy_layer - an OpenCL loader layer below clsizer: what the driver is really asked to launch.
 *
 *   SPY_LOG=FILE     append a line per launch: kernel, dimensions, offset, global and local size, status; but
 * for those on copies, of kernels that clsizer makes of a program which it asked for just before
 *   SPY_ONLY=4x32    fail every launch with another local size (CL_OUT_OF_RESOURCES), as a driver may
 *   SPY_FAIL=CALL:N  fail the N-th call of a counted function below, out of resources
 *   SPY_SHARED=1     contexts say that they share objects with OpenGL
 *   SPY_MEMORY=1     memory objects say that they were made with a property
 *   SPY_COUNT=FILE   at exit, write how often each of them was called: a line "CALL N" each
 *
 * SPY_FAIL=clEnqueueNDRangeKernel counts only launches whose local size is not SPY_OWN or whose range is not
 * the first launch's. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/e2e/layer.h"

static void print_sizes(char *text, size_t room, cl_uint dim, const size_t *sizes)
{
    size_t used = 0;
    if (!sizes)
        snprintf(text, room, "null");
    for (cl_uint d = 0; sizes && d < dim && used < room; d++)
        used += (size_t)snprintf(text + used, room - used, "%s%zu", d ? "x" : "", sizes[d]);
}

static void write_line(const char *line, int length)
{
    const char *path = getenv("SPY_LOG");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file < 0)
        return;
    if (write(file, line, (size_t)length) != length)
        perror(path);
    close(file);
}

/* ---- failing calls --------------------------------------------------------------------------------- */

#define KERNELS 16 /* on copies, at a time */

enum counted {
    BUFFER,
    KERNEL,
    KERNEL_ON_COPIES,
    ARGUMENT,
    COPY,
    MARKER,
    EVENT,
    TIMES,
    RETAIN,
    LAUNCH,
    BUILD,
    READ,
    COUNTED
};
static const char *const counted_names[COUNTED] = {
    "clCreateBuffer",         "clCreateKernel",          "clCreateKernel/copies",
    "clSetKernelArg",         "clEnqueueCopyBuffer",     "clEnqueueMarkerWithWaitList",
    "clGetEventInfo",         "clGetEventProfilingInfo", "clRetainEvent",
    "clEnqueueNDRangeKernel", "clBuildProgram",          "clEnqueueReadBuffer"};
static atomic_uint counts[COUNTED];

/* Count a call; true if it is to fail. */
static bool fails(enum counted call)
{
    const unsigned number = atomic_fetch_add(&counts[call], 1) + 1;
    const char *which = getenv("SPY_FAIL"), *colon = which ? strchr(which, ':') : NULL;

    return colon && (size_t)(colon - which) == strlen(counted_names[call]) &&
           strncmp(which, counted_names[call], (size_t)(colon - which)) == 0 &&
           strtoul(colon + 1, NULL, 10) == number;
}

static __attribute__((destructor)) void write_counts(void)
{
    const char *path = getenv("SPY_COUNT");
    FILE *f = path ? fopen(path, "w") : NULL;

    for (int i = 0; f && i < COUNTED; i++)
        fprintf(f, "%s %u\n", counted_names[i], atomic_load(&counts[i]));
    if (f)
        fclose(f);
}

static void set_error(cl_int *error)
{
    if (error)
        *error = CL_OUT_OF_RESOURCES;
}

static cl_mem CL_API_CALL spy_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                     cl_int *error)
{
    if (!fails(BUFFER))
        return below.clCreateBuffer(context, flags, size, host, error);
    set_error(error);
    return NULL;
}

static _Thread_local cl_program asked_for;
static _Atomic(cl_kernel) on_copies[KERNELS];
static atomic_uint made;

static cl_int CL_API_CALL spy_kernel_info(cl_kernel kernel, cl_kernel_info name, size_t room, void *value,
                                          size_t *size_ret)
{
    const cl_int error = below.clGetKernelInfo(kernel, name, room, value, size_ret);

    if (!error && name == CL_KERNEL_PROGRAM && value)
        memcpy(&asked_for, value, sizeof asked_for);
    return error;
}

static bool is_on_copies(cl_kernel kernel)
{
    bool found = false;

    for (unsigned i = 0; i < KERNELS; i++)
        found |= atomic_load(&on_copies[i]) == kernel;
    return found;
}

static cl_kernel CL_API_CALL spy_kernel(cl_program program, const char *name, cl_int *error)
{
    const bool copies = asked_for == program;
    cl_kernel kernel = NULL;

    asked_for = NULL;
    if (fails(copies ? KERNEL_ON_COPIES : KERNEL)) {
        set_error(error);
        return NULL;
    }
    kernel = below.clCreateKernel(program, name, error);
    for (unsigned i = 0; i < KERNELS; i++) /* the driver may give out a handle again */
        if (kernel && atomic_load(&on_copies[i]) == kernel)
            atomic_store(&on_copies[i], NULL);
    if (copies)
        atomic_store(&on_copies[atomic_fetch_add(&made, 1) % KERNELS], kernel);
    return kernel;
}

static cl_int CL_API_CALL spy_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    return fails(ARGUMENT) ? CL_OUT_OF_RESOURCES : below.clSetKernelArg(kernel, index, size, value);
}

static cl_int CL_API_CALL spy_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                   size_t to_offset, size_t size, cl_uint waits, const cl_event *wait,
                                   cl_event *event)
{
    return fails(COPY)
               ? CL_OUT_OF_RESOURCES
               : below.clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, waits, wait, event);
}

static cl_int CL_API_CALL spy_marker(cl_command_queue queue, cl_uint waits, const cl_event *wait,
                                     cl_event *event)
{
    return fails(MARKER) ? CL_OUT_OF_RESOURCES : below.clEnqueueMarkerWithWaitList(queue, waits, wait, event);
}

static cl_int CL_API_CALL spy_event(cl_event event, cl_event_info name, size_t room, void *value,
                                    size_t *size)
{
    return fails(EVENT) ? CL_OUT_OF_RESOURCES : below.clGetEventInfo(event, name, room, value, size);
}

static cl_int CL_API_CALL spy_times(cl_event event, cl_profiling_info name, size_t room, void *value,
                                    size_t *size)
{
    return fails(TIMES) ? CL_OUT_OF_RESOURCES : below.clGetEventProfilingInfo(event, name, room, value, size);
}

static cl_int CL_API_CALL spy_retain(cl_event event)
{
    return fails(RETAIN) ? CL_OUT_OF_RESOURCES : below.clRetainEvent(event);
}

static cl_int CL_API_CALL spy_build(cl_program program, cl_uint n, const cl_device_id *devices,
                                    const char *options,
                                    void(CL_CALLBACK *notify)(cl_program program, void *data), void *data)
{
    return fails(BUILD) ? CL_BUILD_PROGRAM_FAILURE
                        : below.clBuildProgram(program, n, devices, options, notify, data);
}

static cl_int CL_API_CALL spy_read(cl_command_queue queue, cl_mem from, cl_bool blocking, size_t offset,
                                   size_t size, void *to, cl_uint waits, const cl_event *wait,
                                   cl_event *event)
{
    return fails(READ)
               ? CL_OUT_OF_RESOURCES
               : below.clEnqueueReadBuffer(queue, from, blocking, offset, size, to, waits, wait, event);
}

/* Is this a launch that the program did not ask for? */
static bool foreign(const char *globals, const char *locals)
{
    static char first[80];
    const char *own = getenv("SPY_OWN");

    if (!*first)
        snprintf(first, sizeof first, "%s", globals);
    return own && (strcmp(own, locals) != 0 || strcmp(first, globals) != 0);
}

static cl_int CL_API_CALL spy_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                                     const size_t *offset, const size_t *global, const size_t *local,
                                     cl_uint waits, const cl_event *wait, cl_event *event)
{
    const char *only = getenv("SPY_ONLY");
    char name[128] = "?", offsets[80], globals[80], locals[80], line[512];
    cl_int status;

    below.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    print_sizes(offsets, sizeof offsets, dim, offset);
    print_sizes(globals, sizeof globals, dim, global);
    print_sizes(locals, sizeof locals, dim, local);
    if ((only && strcmp(only, locals) != 0) || (foreign(globals, locals) && fails(LAUNCH)))
        status = CL_OUT_OF_RESOURCES;
    else
        status = below.clEnqueueNDRangeKernel(queue, kernel, dim, offset, global, local, waits, wait, event);
    if (is_on_copies(kernel))
        return status;
    write_line(line, snprintf(line, sizeof line, "%s dim=%u offset=%s global=%s local=%s status=%d\n", name,
                              dim, offsets, globals, locals, status));
    return status;
}

static cl_int answer(const intptr_t *properties, size_t size, size_t room, void *value, size_t *size_ret)
{
    if (value && room < size)
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, properties, size);
    if (size_ret)
        *size_ret = size;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL spy_context_info(cl_context context, cl_context_info name, size_t room, void *value,
                                           size_t *size)
{
    static const intptr_t shared[] = {0x2008 /* CL_GL_CONTEXT_KHR */, 1, 0};

    if (name == CL_CONTEXT_PROPERTIES && getenv("SPY_SHARED"))
        return answer(shared, sizeof shared, room, value, size);
    return below.clGetContextInfo(context, name, room, value, size);
}

static cl_int CL_API_CALL spy_memory_info(cl_mem memory, cl_mem_info name, size_t room, void *value,
                                          size_t *size)
{
    static const intptr_t made[] = {0x2044 /* CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, say */, 3, 0};

    if (name == CL_MEM_PROPERTIES && getenv("SPY_MEMORY"))
        return answer(made, sizeof made, room, value, size);
    return below.clGetMemObjectInfo(memory, name, room, value, size);
}

static void fill(cl_icd_dispatch *own)
{
    own->clGetContextInfo = spy_context_info;
    own->clGetMemObjectInfo = spy_memory_info;
    own->clEnqueueNDRangeKernel = spy_launch;
    own->clCreateBuffer = spy_buffer;
    own->clCreateKernel = spy_kernel;
    own->clGetKernelInfo = spy_kernel_info;
    own->clSetKernelArg = spy_argument;
    own->clEnqueueCopyBuffer = spy_copy;
    own->clEnqueueMarkerWithWaitList = spy_marker;
    own->clGetEventInfo = spy_event;
    own->clGetEventProfilingInfo = spy_times;
    own->clRetainEvent = spy_retain;
    own->clBuildProgram = spy_build;
    own->clEnqueueReadBuffer = spy_read;
}
