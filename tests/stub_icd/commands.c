/* commands.c - transfers, maps, markers, barriers: everything in a queue that is no launch. */
#include "calls.h"
#include <stdlib.h>
#include <string.h>

#define COPY_NS 1000

/* The end that all these calls share. */
#define WAIT_PARAMETERS cl_uint n, const cl_event *list, cl_event *event
#define WAIT            "Oo"
#define WAIT_ARGUMENTS  U(n), list, event && !error ? *event : NULL

static cl_int check_memory(const void *m)
{
    return stub_is(m, MEMORY) ? CL_SUCCESS : CL_INVALID_MEM_OBJECT;
}

/* After checks of its own (`error`): queue and wait list, memory objects (NULL: there is
 * none), then the command. */
static cl_int run(cl_int error, cl_command_queue q, cl_command_type type, const void *a, const void *b,
                  bool blocking, WAIT_PARAMETERS)
{
    cl_int wait = stub_check_wait(q, n, list);

    if (error)
        return error;
    if (wait)
        return wait;
    if ((a && check_memory(a)) || (b && check_memory(b)))
        return CL_INVALID_MEM_OBJECT;
    return stub_command(q, type, n, list, blocking, COPY_NS, event);
}

static cl_int check_range(cl_mem m, size_t offset, size_t size, const void *host)
{
    if (check_memory(m))
        return CL_INVALID_MEM_OBJECT;
    return !host || !size || offset > m->size || size > m->size - offset ? CL_INVALID_VALUE : CL_SUCCESS;
}

STUB_CALL(cl_int, clEnqueueReadBuffer)
(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t size, void *host, WAIT_PARAMETERS)
{
    cl_int error;

    if (blocking)
        stub_may_end();
    error = stub_begin("clEnqueueReadBuffer");
    if (!error && stub_is(q, QUEUE))
        error = check_range(m, offset, size, host);
    error = run(error, q, CL_COMMAND_READ_BUFFER, m, NULL, blocking, n, list, event);
    if (!error)
        memcpy(host, m->data + offset, size);
    return stub_end(error, "oouuup" WAIT, q, m, U(blocking), offset, size, host, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueWriteBuffer)
(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t size, const void *host,
 WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueWriteBuffer");

    if (!error && stub_is(q, QUEUE))
        error = check_range(m, offset, size, host);
    error = run(error, q, CL_COMMAND_WRITE_BUFFER, m, NULL, blocking, n, list, event);
    if (!error)
        memcpy(m->data + offset, host, size);
    return stub_end(error, "oouuup" WAIT, q, m, U(blocking), offset, size, host, WAIT_ARGUMENTS);
}

#define BUFFER_RECT(name, type, pointer)                                                                     \
    STUB_CALL(cl_int, name)                                                                                  \
    (cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin, const size_t *host_origin,        \
     const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice, pointer host,       \
     WAIT_PARAMETERS)                                                                                        \
    {                                                                                                        \
        cl_int error = stub_begin(#name);                                                                    \
                                                                                                             \
        if (!error && !host)                                                                                 \
            error = CL_INVALID_VALUE;                                                                        \
        error = run(error, q, type, m, NULL, blocking, n, list, event);                                      \
        return stub_end(error, "oouzzzuuuup" WAIT, q, m, U(blocking), U(3), origin, U(3), host_origin, U(3), \
                        region, row, slice, host_row, host_slice, host, WAIT_ARGUMENTS);                     \
    }
BUFFER_RECT(clEnqueueReadBufferRect, CL_COMMAND_READ_BUFFER_RECT, void *)
BUFFER_RECT(clEnqueueWriteBufferRect, CL_COMMAND_WRITE_BUFFER_RECT, const void *)

STUB_CALL(cl_int, clEnqueueCopyBufferRect)
(cl_command_queue q, cl_mem from, cl_mem to, const size_t *origin, const size_t *to_origin,
 const size_t *region, size_t row, size_t slice, size_t to_row, size_t to_slice, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueCopyBufferRect");

    error = run(error, q, CL_COMMAND_COPY_BUFFER_RECT, from, to, false, n, list, event);
    return stub_end(error, "ooozzzuuuu" WAIT, q, from, to, U(3), origin, U(3), to_origin, U(3), region, row,
                    slice, to_row, to_slice, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueCopyBuffer)
(cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
 WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueCopyBuffer");

    error = run(error, q, CL_COMMAND_COPY_BUFFER, from, to, false, n, list, event);
    return stub_end(error, "ooouuu" WAIT, q, from, to, from_offset, to_offset, size, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueFillBuffer)
(cl_command_queue q, cl_mem m, const void *pattern, size_t pattern_size, size_t offset, size_t size,
 WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueFillBuffer");

    error = run(error     ? error
                : pattern ? CL_SUCCESS
                          : CL_INVALID_VALUE,
                q, CL_COMMAND_FILL_BUFFER, m, NULL, false, n, list, event);
    return stub_end(error, "oomuu" WAIT, q, m, error ? U(0) : pattern_size, pattern, offset, size,
                    WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueFillImage)
(cl_command_queue q, cl_mem m, const void *color, const size_t *origin, const size_t *region, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueFillImage");

    error = run(error, q, CL_COMMAND_FILL_IMAGE, m, NULL, false, n, list, event);
    return stub_end(error, "oopzz" WAIT, q, m, color, U(3), origin, U(3), region, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueReadImage)
(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin, const size_t *region, size_t row,
 size_t slice, void *host, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueReadImage");

    error = run(error  ? error
                : host ? CL_SUCCESS
                       : CL_INVALID_VALUE,
                q, CL_COMMAND_READ_IMAGE, m, NULL, blocking, n, list, event);
    return stub_end(error, "oouzzuup" WAIT, q, m, U(blocking), U(3), origin, U(3), region, row, slice, host,
                    WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueWriteImage)
(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin, const size_t *region, size_t row,
 size_t slice, const void *host, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueWriteImage");

    error = run(error  ? error
                : host ? CL_SUCCESS
                       : CL_INVALID_VALUE,
                q, CL_COMMAND_WRITE_IMAGE, m, NULL, blocking, n, list, event);
    return stub_end(error, "oouzzuup" WAIT, q, m, U(blocking), U(3), origin, U(3), region, row, slice, host,
                    WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueCopyImage)
(cl_command_queue q, cl_mem from, cl_mem to, const size_t *origin, const size_t *to_origin,
 const size_t *region, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueCopyImage");

    error = run(error, q, CL_COMMAND_COPY_IMAGE, from, to, false, n, list, event);
    return stub_end(error, "ooozzz" WAIT, q, from, to, U(3), origin, U(3), to_origin, U(3), region,
                    WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueCopyImageToBuffer)
(cl_command_queue q, cl_mem from, cl_mem to, const size_t *origin, const size_t *region, size_t offset,
 WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueCopyImageToBuffer");

    error = run(error, q, CL_COMMAND_COPY_IMAGE_TO_BUFFER, from, to, false, n, list, event);
    return stub_end(error, "ooozzu" WAIT, q, from, to, U(3), origin, U(3), region, offset, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueCopyBufferToImage)
(cl_command_queue q, cl_mem from, cl_mem to, size_t offset, const size_t *origin, const size_t *region,
 WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueCopyBufferToImage");

    error = run(error, q, CL_COMMAND_COPY_BUFFER_TO_IMAGE, from, to, false, n, list, event);
    return stub_end(error, "ooouzz" WAIT, q, from, to, offset, U(3), origin, U(3), region, WAIT_ARGUMENTS);
}

/* ---- maps ------------------------------------------------------------------------------------------ */

STUB_CALL(void *, clEnqueueMapBuffer)
(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
 WAIT_PARAMETERS, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clEnqueueMapBuffer");
    char *mapped = NULL;

    if (!error && stub_is(q, QUEUE))
        error = check_range(m, offset, size, "");
    error = run(error, q, CL_COMMAND_MAP_BUFFER, m, NULL, blocking, n, list, event);
    if (!error) {
        m->maps++;
        mapped = m->data + offset;
    }
    if (errcode_ret)
        *errcode_ret = error;
    stub_end(error, "oouxuu" WAIT, q, m, U(blocking), X(flags), offset, size, WAIT_ARGUMENTS);
    return mapped;
}

STUB_CALL(void *, clEnqueueMapImage)
(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, const size_t *origin,
 const size_t *region, size_t *row, size_t *slice, WAIT_PARAMETERS, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clEnqueueMapImage");
    char *mapped = NULL;

    if (!error && !stub_is(m, MEMORY))
        error = CL_INVALID_MEM_OBJECT;
    if (!error && !row)
        error = CL_INVALID_VALUE;
    error = run(error, q, CL_COMMAND_MAP_IMAGE, m, NULL, blocking, n, list, event);
    if (!error) {
        m->maps++;
        *row = m->row;
        mapped = m->data;
    }
    if (errcode_ret)
        *errcode_ret = error;
    stub_end(error, "oouxzzpp" WAIT, q, m, U(blocking), X(flags), U(3), origin, U(3), region, row, slice,
             WAIT_ARGUMENTS);
    return mapped;
}

STUB_CALL(cl_int, clEnqueueUnmapMemObject)(cl_command_queue q, cl_mem m, void *mapped, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueUnmapMemObject");

    if (!error && !stub_is(m, MEMORY))
        error = CL_INVALID_MEM_OBJECT;
    if (!error && !m->maps)
        error = CL_INVALID_VALUE;
    error = run(error, q, CL_COMMAND_UNMAP_MEM_OBJECT, m, NULL, false, n, list, event);
    if (!error)
        m->maps--;
    return stub_end(error, "oop" WAIT, q, m, mapped, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueMigrateMemObjects)
(cl_command_queue q, cl_uint count, const cl_mem *objects, cl_mem_migration_flags flags, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueMigrateMemObjects");

    error = run(error              ? error
                : count && objects ? CL_SUCCESS
                                   : CL_INVALID_VALUE,
                q, CL_COMMAND_MIGRATE_MEM_OBJECTS, NULL, NULL, false, n, list, event);
    return stub_end(error, "oOx" WAIT, q, U(count), objects, X(flags), WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueNativeKernel)
(cl_command_queue q, void(CL_CALLBACK *function)(void *), void *args, size_t size, cl_uint count,
 const cl_mem *objects, const void **places, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueNativeKernel");

    error = run(error ? error : CL_INVALID_OPERATION, q, CL_COMMAND_NATIVE_KERNEL, NULL, NULL, false, n, list,
                event);
    return stub_end(error, "oppuOp" WAIT, q, function, args, size, U(count), objects, places, WAIT_ARGUMENTS);
}

/* ---- synchronisation ------------------------------------------------------------------------------- */

STUB_CALL(cl_int, clEnqueueMarkerWithWaitList)(cl_command_queue q, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueMarkerWithWaitList");

    if (stub_version() < 120)
        abort(); /* an older driver's table has nothing here */
    error = run(error, q, CL_COMMAND_MARKER, NULL, NULL, false, n, list, event);
    return stub_end(error, "o" WAIT, q, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueBarrierWithWaitList)(cl_command_queue q, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueBarrierWithWaitList");

    error = run(error, q, CL_COMMAND_BARRIER, NULL, NULL, false, n, list, event);
    return stub_end(error, "o" WAIT, q, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueMarker)(cl_command_queue q, cl_event *event)
{
    cl_int error = stub_begin("clEnqueueMarker");

    error = run(error   ? error
                : event ? CL_SUCCESS
                        : CL_INVALID_VALUE,
                q, CL_COMMAND_MARKER, NULL, NULL, false, 0, NULL, event);
    return stub_end(error, "oo", q, error ? NULL : *event);
}

STUB_CALL(cl_int, clEnqueueWaitForEvents)(cl_command_queue q, cl_uint n, const cl_event *list)
{
    cl_int error = stub_begin("clEnqueueWaitForEvents");

    error = run(error       ? error
                : n && list ? CL_SUCCESS
                            : CL_INVALID_VALUE,
                q, CL_COMMAND_BARRIER, NULL, NULL, false, n, list, NULL);
    return stub_end(error, "oO", q, U(n), list);
}

STUB_CALL(cl_int, clEnqueueBarrier)(cl_command_queue q)
{
    cl_int error = stub_begin("clEnqueueBarrier");

    error = run(error, q, CL_COMMAND_BARRIER, NULL, NULL, false, 0, NULL, NULL);
    return stub_end(error, "o", q);
}

/* ---- shared virtual memory ------------------------------------------------------------------------- */

STUB_CALL(cl_int, clEnqueueSVMFree)
(cl_command_queue q, cl_uint count, void *pointers[],
 void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void *[], void *), void *data, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueSVMFree");

    error = run(error               ? error
                : count && pointers ? CL_SUCCESS
                                    : CL_INVALID_VALUE,
                q, CL_COMMAND_SVM_FREE, NULL, NULL, false, n, list, event);
    for (cl_uint i = 0; !error && !function && i < count; i++)
        free(pointers[i]);
    return stub_end(error, "ouppp" WAIT, q, U(count), pointers, function, data, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueSVMMemcpy)
(cl_command_queue q, cl_bool blocking, void *to, const void *from, size_t size, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueSVMMemcpy");

    error = run(error        ? error
                : to && from ? CL_SUCCESS
                             : CL_INVALID_VALUE,
                q, CL_COMMAND_SVM_MEMCPY, NULL, NULL, blocking, n, list, event);
    if (!error)
        memmove(to, from, size);
    return stub_end(error, "ouppu" WAIT, q, U(blocking), to, from, size, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueSVMMemFill)
(cl_command_queue q, void *to, const void *pattern, size_t pattern_size, size_t size, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueSVMMemFill");

    error = run(error           ? error
                : to && pattern ? CL_SUCCESS
                                : CL_INVALID_VALUE,
                q, CL_COMMAND_SVM_MEMFILL, NULL, NULL, false, n, list, event);
    return stub_end(error, "oppuu" WAIT, q, to, pattern, pattern_size, size, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueSVMMap)
(cl_command_queue q, cl_bool blocking, cl_map_flags flags, void *memory, size_t size, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueSVMMap");

    error = run(error    ? error
                : memory ? CL_SUCCESS
                         : CL_INVALID_VALUE,
                q, CL_COMMAND_SVM_MAP, NULL, NULL, blocking, n, list, event);
    return stub_end(error, "ouxpu" WAIT, q, U(blocking), X(flags), memory, size, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueSVMUnmap)(cl_command_queue q, void *memory, WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueSVMUnmap");

    error = run(error    ? error
                : memory ? CL_SUCCESS
                         : CL_INVALID_VALUE,
                q, CL_COMMAND_SVM_UNMAP, NULL, NULL, false, n, list, event);
    return stub_end(error, "op" WAIT, q, memory, WAIT_ARGUMENTS);
}

STUB_CALL(cl_int, clEnqueueSVMMigrateMem)
(cl_command_queue q, cl_uint count, const void **pointers, const size_t *sizes, cl_mem_migration_flags flags,
 WAIT_PARAMETERS)
{
    cl_int error = stub_begin("clEnqueueSVMMigrateMem");

    error = run(error               ? error
                : count && pointers ? CL_SUCCESS
                                    : CL_INVALID_VALUE,
                q, CL_COMMAND_SVM_MIGRATE_MEM, NULL, NULL, false, n, list, event);
    return stub_end(error, "ouppx" WAIT, q, U(count), pointers, sizes, X(flags), WAIT_ARGUMENTS);
}
