/* memory.c - buffers, images, pipes, samplers, shared virtual memory. */
#include "calls.h"
#include <stdlib.h>
#include <string.h>

void stub_drop_memory(cl_mem m)
{
    if (!m->parent)
        free(m->data);
    stub_unhold(m->parent);
    stub_unhold(m->context);
}

static cl_mem new_memory(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size,
                         void *host)
{
    cl_mem m = stub_new(MEMORY, sizeof *m);

    if (!m)
        return NULL;
    m->context = context;
    stub_hold(context);
    m->type = type;
    m->flags = flags;
    m->size = size;
    m->host = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
    m->data = calloc(1, size ? size : 1);
    if (m->data && host)
        memcpy(m->data, host, size);
    return m;
}

static cl_int check_new(cl_context context, cl_mem_flags flags, size_t size, const void *host)
{
    const cl_mem_flags access = flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
    const bool from_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

    if (!stub_is(context, CONTEXT))
        return CL_INVALID_CONTEXT;
    if (access & (access - 1))
        return CL_INVALID_VALUE;
    if (!size || size > STUB_MAX_ALLOC)
        return CL_INVALID_BUFFER_SIZE;
    return from_host != (host != NULL) ? CL_INVALID_HOST_PTR : CL_SUCCESS;
}

STUB_CALL(cl_mem, clCreateBuffer)
(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateBuffer");
    cl_mem m = NULL;

    if (!error && !(error = check_new(context, flags, size, host)))
        m = new_memory(context, CL_MEM_OBJECT_BUFFER, flags, size, host);
    return stub_made(m, error, errcode_ret, "oxup", context, X(flags), size, host);
}

/* clImportMemoryARM: the buffer is the memory that it is given, which no question about it tells. */
cl_mem CL_API_CALL stub_import_memory(cl_context context, cl_mem_flags flags, const intptr_t *properties,
                                      void *memory, size_t size, cl_int *errcode_ret);
cl_mem CL_API_CALL stub_import_memory(cl_context context, cl_mem_flags flags, const intptr_t *properties,
                                      void *memory, size_t size, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clImportMemoryARM");
    cl_mem m = NULL;

    if (!error && !(error = check_new(context, flags, size, NULL)))
        m = new_memory(context, CL_MEM_OBJECT_BUFFER, flags, size, memory);
    return stub_made(m, error, errcode_ret, "oxpu", context, X(flags), properties, size);
}

STUB_CALL(cl_mem, clCreateBufferWithProperties)
(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, size_t size, void *host,
 cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateBufferWithProperties");
    cl_mem m = NULL;

    if (!error && properties && *properties)
        error = CL_INVALID_PROPERTY;
    if (!error && !(error = check_new(context, flags, size, host)))
        m = new_memory(context, CL_MEM_OBJECT_BUFFER, flags, size, host);
    return stub_made(m, error, errcode_ret, "opxup", context, properties, X(flags), size, host);
}

STUB_CALL(cl_mem, clCreateSubBuffer)
(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *errcode_ret)
{
    const cl_buffer_region *r = info;
    cl_int error = stub_begin("clCreateSubBuffer");
    cl_mem m = NULL;

    if (!error && (!stub_is(buffer, MEMORY) || buffer->parent))
        error = CL_INVALID_MEM_OBJECT;
    if (!error && (type != CL_BUFFER_CREATE_TYPE_REGION || !r || r->origin + r->size > buffer->size))
        error = CL_INVALID_VALUE;
    if (!error && !r->size)
        error = CL_INVALID_BUFFER_SIZE;
    if (!error && (m = stub_new(MEMORY, sizeof *m))) {
        m->context = buffer->context;
        stub_hold(m->context);
        m->parent = buffer;
        stub_hold(buffer);
        m->type = CL_MEM_OBJECT_BUFFER;
        m->flags = flags ? flags : buffer->flags;
        m->offset = r->origin;
        m->size = r->size;
        m->data = buffer->data + r->origin;
    }
    return stub_made(m, error, errcode_ret, "oxxuu", buffer, X(flags), X(type), r ? r->origin : 0,
                     r ? r->size : 0);
}

/* Four bytes per element, whatever the format. */
static cl_mem new_image(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                        const cl_image_desc *desc, void *host, cl_int *error)
{
    const size_t height = desc ? desc->image_height : 0, depth = desc ? desc->image_depth : 0;
    cl_mem m;

    if (!stub_is(context, CONTEXT))
        *error = CL_INVALID_CONTEXT;
    else if (!format)
        *error = CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    else if (!desc || !desc->image_width || desc->image_width > 8192)
        *error = CL_INVALID_IMAGE_DESCRIPTOR;
    else
        *error = CL_SUCCESS;
    if (*error)
        return NULL;
    m = new_memory(context, desc->image_type, flags,
                   4 * desc->image_width * (height ? height : 1) * (depth ? depth : 1), host);
    if (m) {
        m->element = 4;
        m->row = 4 * desc->image_width;
        m->extent[0] = desc->image_width;
        m->extent[1] = height;
        m->extent[2] = depth;
        m->format = *format;
        m->host = NULL;
    }
    return m;
}

STUB_CALL(cl_mem, clCreateImage)
(cl_context context, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, void *host,
 cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateImage");
    cl_mem m = error ? NULL : new_image(context, flags, format, desc, host, &error);

    return stub_made(m, error, errcode_ret, "oxpup", context, X(flags), format, desc ? desc->image_width : 0,
                     host);
}

STUB_CALL(cl_mem, clCreateImageWithProperties)
(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, const cl_image_format *format,
 const cl_image_desc *desc, void *host, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateImageWithProperties");
    cl_mem m = error ? NULL : new_image(context, flags, format, desc, host, &error);

    return stub_made(m, error, errcode_ret, "opxpup", context, properties, X(flags), format,
                     desc ? desc->image_width : 0, host);
}

STUB_CALL(cl_mem, clCreateImage2D)
(cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height,
 size_t pitch, void *host, cl_int *errcode_ret)
{
    const cl_image_desc d = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
    cl_int error = stub_begin("clCreateImage2D");
    cl_mem m = error ? NULL : new_image(context, flags, format, &d, host, &error);

    return stub_made(m, error, errcode_ret, "oxpuuup", context, X(flags), format, width, height, pitch, host);
}

STUB_CALL(cl_mem, clCreateImage3D)
(cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height,
 size_t depth, size_t row, size_t slice, void *host, cl_int *errcode_ret)
{
    const cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                             .image_width = width,
                             .image_height = height,
                             .image_depth = depth};
    cl_int error = stub_begin("clCreateImage3D");
    cl_mem m = error ? NULL : new_image(context, flags, format, &d, host, &error);

    return stub_made(m, error, errcode_ret, "oxpuuuuup", context, X(flags), format, width, height, depth, row,
                     slice, host);
}

STUB_CALL(cl_mem, clCreatePipe)
(cl_context context, cl_mem_flags flags, cl_uint packet, cl_uint packets,
 const cl_pipe_properties *properties, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreatePipe");
    cl_mem m = NULL;

    if (!error && !stub_is(context, CONTEXT))
        error = CL_INVALID_CONTEXT;
    if (!error && (!packet || !packets))
        error = CL_INVALID_PIPE_SIZE;
    if (!error && (m = new_memory(context, CL_MEM_OBJECT_PIPE, flags, (size_t)packet * packets, NULL))) {
        m->packet_size = packet;
        m->max_packets = packets;
    }
    return stub_made(m, error, errcode_ret, "oxuup", context, X(flags), U(packet), U(packets), properties);
}

STUB_CALL(cl_int, clGetPipeInfo)(cl_mem pipe, cl_pipe_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetPipeInfo");

    if (!error && !(stub_is(pipe, MEMORY) && pipe->type == CL_MEM_OBJECT_PIPE))
        error = CL_INVALID_MEM_OBJECT;
    if (!error && name == CL_PIPE_PACKET_SIZE)
        error = ANSWER(cl_uint, pipe->packet_size);
    else if (!error && name == CL_PIPE_MAX_PACKETS)
        error = ANSWER(cl_uint, pipe->max_packets);
    else if (!error)
        error = CL_INVALID_VALUE;
    return stub_end(error, "oxupp", pipe, X(name), size, value, size_ret);
}

STUB_CALL(cl_int, clRetainMemObject)(cl_mem m)
{
    const cl_int error = stub_begin("clRetainMemObject");

    return stub_end(error ? error : stub_retain(m, MEMORY, CL_INVALID_MEM_OBJECT), "o", m);
}

STUB_CALL(cl_int, clReleaseMemObject)(cl_mem m)
{
    const cl_int error = stub_begin("clReleaseMemObject");

    return stub_end(error ? error : stub_release(m, MEMORY, CL_INVALID_MEM_OBJECT), "o", m);
}

STUB_CALL(cl_int, clSetMemObjectDestructorCallback)
(cl_mem m, void(CL_CALLBACK *notify)(cl_mem, void *), void *data)
{
    cl_int error = stub_begin("clSetMemObjectDestructorCallback");

    if (!error && !stub_is(m, MEMORY))
        error = CL_INVALID_MEM_OBJECT;
    if (!error && !notify)
        error = CL_INVALID_VALUE;
    return stub_end(error, "opp", m, notify, data);
}

STUB_CALL(cl_int, clGetSupportedImageFormats)
(cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint room, cl_image_format *formats,
 cl_uint *n)
{
    cl_int error = stub_begin("clGetSupportedImageFormats");

    if (!error && !stub_is(context, CONTEXT))
        error = CL_INVALID_CONTEXT;
    if (!error && formats && !room)
        error = CL_INVALID_VALUE;
    if (!error && formats)
        formats[0] = (cl_image_format){CL_RGBA, CL_UNORM_INT8};
    if (!error && n)
        *n = 1;
    return stub_end(error, "oxxupp", context, X(flags), X(type), U(room), formats, n);
}

STUB_CALL(cl_int, clGetMemObjectInfo)(cl_mem m, cl_mem_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetMemObjectInfo");

    if (!error && !stub_is(m, MEMORY))
        error = CL_INVALID_MEM_OBJECT;
    if (!error)
        switch (name) {
        case CL_MEM_TYPE:
            error = ANSWER(cl_mem_object_type, m->type);
            break;
        case CL_MEM_FLAGS:
            error = ANSWER(cl_mem_flags, m->flags);
            break;
        case CL_MEM_SIZE:
            error = ANSWER(size_t, m->size);
            break;
        case CL_MEM_HOST_PTR:
            error = ANSWER(void *, m->host);
            break;
        case CL_MEM_MAP_COUNT:
            error = ANSWER(cl_uint, m->maps);
            break;
        case CL_MEM_REFERENCE_COUNT:
            error = ANSWER(cl_uint, m->o.refs);
            break;
        case CL_MEM_CONTEXT:
            error = ANSWER(cl_context, m->context);
            break;
        case CL_MEM_ASSOCIATED_MEMOBJECT:
            error = ANSWER(cl_mem, m->parent);
            break;
        case CL_MEM_OFFSET:
            error = ANSWER(size_t, m->offset);
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "oxupp", m, X(name), size, value, size_ret);
}

STUB_CALL(cl_int, clGetImageInfo)(cl_mem m, cl_image_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetImageInfo");

    if (!error && !(stub_is(m, MEMORY) && m->element))
        error = CL_INVALID_MEM_OBJECT;
    if (!error)
        switch (name) {
        case CL_IMAGE_FORMAT:
            error = stub_answer(&m->format, sizeof m->format, size, value, size_ret);
            break;
        case CL_IMAGE_WIDTH:
            error = ANSWER(size_t, m->extent[0]);
            break;
        case CL_IMAGE_HEIGHT:
            error = ANSWER(size_t, m->extent[1]);
            break;
        case CL_IMAGE_DEPTH:
            error = ANSWER(size_t, m->extent[2]);
            break;
        case CL_IMAGE_ROW_PITCH:
            error = ANSWER(size_t, m->row);
            break;
        case CL_IMAGE_ELEMENT_SIZE:
            error = ANSWER(size_t, m->element);
            break;
        default:
            error = CL_INVALID_VALUE;
        }
    return stub_end(error, "oxupp", m, X(name), size, value, size_ret);
}

/* ---- samplers -------------------------------------------------------------------------------------- */

static cl_sampler new_sampler(cl_context context, cl_int *error)
{
    cl_sampler s = NULL;

    *error = stub_is(context, CONTEXT) ? CL_SUCCESS : CL_INVALID_CONTEXT;
    if (!*error && (s = stub_new(SAMPLER, sizeof *s)))
        s->context = context;
    return s;
}

STUB_CALL(cl_sampler, clCreateSampler)
(cl_context context, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter,
 cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateSampler");
    cl_sampler s = error ? NULL : new_sampler(context, &error);

    return stub_made(s, error, errcode_ret, "ouxx", context, U(normalized), X(addressing), X(filter));
}

STUB_CALL(cl_sampler, clCreateSamplerWithProperties)
(cl_context context, const cl_sampler_properties *properties, cl_int *errcode_ret)
{
    cl_int error = stub_begin("clCreateSamplerWithProperties");
    cl_sampler s = error ? NULL : new_sampler(context, &error);

    return stub_made(s, error, errcode_ret, "op", context, properties);
}

STUB_CALL(cl_int, clRetainSampler)(cl_sampler s)
{
    const cl_int error = stub_begin("clRetainSampler");

    return stub_end(error ? error : stub_retain(s, SAMPLER, CL_INVALID_SAMPLER), "o", s);
}

STUB_CALL(cl_int, clReleaseSampler)(cl_sampler s)
{
    const cl_int error = stub_begin("clReleaseSampler");

    return stub_end(error ? error : stub_release(s, SAMPLER, CL_INVALID_SAMPLER), "o", s);
}

STUB_CALL(cl_int, clGetSamplerInfo)
(cl_sampler s, cl_sampler_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = stub_begin("clGetSamplerInfo");

    if (!error && !stub_is(s, SAMPLER))
        error = CL_INVALID_SAMPLER;
    if (!error)
        error = name == CL_SAMPLER_REFERENCE_COUNT ? ANSWER(cl_uint, s->o.refs) : CL_INVALID_VALUE;
    return stub_end(error, "oxupp", s, X(name), size, value, size_ret);
}

/* ---- shared virtual memory ------------------------------------------------------------------------- */

STUB_CALL(void *, clSVMAlloc)(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    cl_int error = stub_begin("clSVMAlloc");
    void *memory =
        !error && stub_is(context, CONTEXT) && size && size <= STUB_MAX_ALLOC ? calloc(1, size) : NULL;

    stub_end(memory ? CL_SUCCESS : CL_INVALID_VALUE, "oxuu", context, X(flags), size, U(alignment));
    return memory;
}

STUB_CALL(void, clSVMFree)(cl_context context, void *memory)
{
    cl_int error = stub_begin("clSVMFree");

    stub_end(error, "op", context, memory);
    free(memory);
}
