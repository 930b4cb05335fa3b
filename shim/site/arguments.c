/* arguments.c - describing the arguments of a launch, and telling whether they are an earlier one's. */
#include <string.h>
#include "analysis/summary/hash.h"
#include "shim/guest/next.h"
#include "shim/object/references.h"
#include "shim/object/svm.h"
#include "shim/site/arguments.h"
#include "shim/site/site.h"

/* May the argument's object have been released since it was set?  Programs do that before the launch, which
 * OpenCL forbids and drivers tolerate.  Querying such an object may crash. */
static bool may_be_gone(const struct shim_arg *a)
{
    void *handle;

    if (a->local || a->size != sizeof handle)
        return false;
    memcpy(&handle, a->value, sizeof handle);
    return ref_gone(handle) != a->gone;
}

/* The memory object that `m` is a part or a view of, NULL if none; *offset grows by where it begins there. */
static cl_mem parent_of(cl_mem m, size_t *offset)
{
    cl_mem parent = NULL;
    size_t begin = 0;

    next()->clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL);
    if (parent && next()->clGetMemObjectInfo(m, CL_MEM_OFFSET, sizeof begin, &begin, NULL) == CL_SUCCESS)
        *offset += begin;
    return parent;
}

/* Extensions make memory objects of memory that others have handles for, too. */
static bool has_properties(cl_mem m)
{
    cl_mem_properties p[16];
    size_t size = 0;
    const cl_int error = next()->clGetMemObjectInfo(m, CL_MEM_PROPERTIES, sizeof p, p, &size);

    return error ? size > sizeof p : size && p[0]; /* OpenCL before 3.0 does not know the question */
}

/* Where the memory of such an object lies only its own extension knows: in another object's, perhaps
 * (CL_MEM_EXT_HOST_PTR_QCOM, whose host pointer points to a description; CL_MEM_EXTERNAL_PHYSICAL_AMD).  All
 * flags of OpenCL itself are below, and those of which more is known. */
static bool is_foreign(cl_mem_flags flags)
{
    const cl_mem_flags known =
        CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR |
        CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY |
        CL_MEM_HOST_NO_ACCESS | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS |
        CL_MEM_KERNEL_READ_AND_WRITE | (cl_mem_flags)1 << 6 | /* CL_MEM_USE_PERSISTENT_MEM_AMD */
        (cl_mem_flags)1 << 20 |                               /* CL_MEM_FORCE_HOST_MEMORY_INTEL */
        (cl_mem_flags)1 << 23;                                /* CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL */

    return flags & ~known;
}

/* A buffer over the host's memory: its place in the host's space, or the allocation that it covers.  What is
 * in front of a pointer into an allocation, or behind such a buffer there, the kernel may reach, too. */
static void describe_host(cl_context context, const void *host, struct launch_arg *a)
{
    struct svm_allocation in;

    a->memory = UINTPTR_MAX;
    if (!svm_find(context, host, &in)) {
        a->offset += (uintptr_t)host;
        return;
    }
    a->memory = in.start;
    a->opaque = (uintptr_t)host != in.start || a->offset || a->bytes != in.size;
}

/* Identity, offset and size of what a memory argument reaches.  Images may be views of
 * sub-buffers, and buffers over host memory are ranges of one space, the host's: two of them may
 * overlap with no common parent. */
static void describe_memory(cl_context context, cl_mem m, struct launch_arg *a)
{
    cl_mem parent;
    cl_mem_flags flags = 0;
    size_t size = 0, offset = 0;
    void *host = NULL;

    if (next()->clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof size, &size, NULL) != CL_SUCCESS) {
        a->opaque = true;
        return;
    }
    while ((parent = parent_of(m, &offset)))
        m = parent;
    next()->clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    if (has_properties(m) || is_foreign(flags)) {
        a->opaque = true;
        return;
    }
    next()->clGetMemObjectInfo(m, CL_MEM_HOST_PTR, sizeof host, &host, NULL);
    a->memory = (uintptr_t)m;
    a->offset = offset;
    a->bytes = size;
    if ((flags & CL_MEM_USE_HOST_PTR) && host)
        describe_host(context, host, a);
}

/* The components of a colour that an image of this format keeps, bit 0 for x; 0: not known, or also what no
 * component is. */
static uint8_t kept_components(cl_mem image)
{
    cl_image_format format;

    if (next()->clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL) != CL_SUCCESS)
        return 0;
    switch (format.image_channel_order) {
    case CL_R:
    case CL_INTENSITY:
    case CL_LUMINANCE:
        return 1;
    case CL_RG:
        return 1 | 2;
    case CL_RGB:
        return 1 | 2 | 4;
    case CL_A:
        return 8;
    case CL_RA:
        return 1 | 8;
    default:
        return 0;
    }
}

/* The allocation that it points into, all of which the kernel may reach. */
static void describe_pointer(cl_context context, const void *pointer, struct launch_arg *a)
{
    struct svm_allocation in;

    if (!pointer)
        return; /* as a NULL buffer */
    a->opaque = !svm_find(context, pointer, &in);
    if (a->opaque)
        return;
    a->memory = in.start;
    a->offset = (uintptr_t)pointer - in.start;
    a->bytes = in.size;
}

/* May the kernel reach memory that no argument names, in a way that proofs do not think of?  What it writes
 * through pointers that it found in memory they refuse, and what it reads may be any buffer's (facts.c), but
 * not an image's. */
static bool reaches_more(const struct shim_kernel *k, const struct kernel_summary *sum)
{
    return k->indirect && sum->has_images;
}

struct launch args_describe(const struct launching *l, struct launch_arg *args)
{
    return args_describe_as(l, l->site->entry->summary, args);
}

struct launch args_describe_as(const struct launching *l, const struct kernel_summary *sum,
                               struct launch_arg *args)
{
    const struct shim_kernel *k = l->kernel;
    struct launch launch = l->shape;

    launch.args = args;
    launch.nargs = k->nargs;
    launch.open = atomic_load(&l->site->entry->open);
    launch.reorders = obj_has(l->queue->device, DRV_LOSES_ORDER);
    launch.reloads = obj_has(l->queue->device, DRV_RELOADS);
    launch.ends_loops = obj_has(l->queue->device, DRV_ENDS_LOOPS);
    for (unsigned i = 0; i < k->nargs; i++) {
        const struct shim_arg *from = &k->args[i];
        enum sum_arg_kind kind = i < sum->nargs ? sum->args[i].kind : SUM_ARG_OTHER;
        void *memory = NULL;

        args[i] = (struct launch_arg){.set = from->set,
                                      .size = from->size,
                                      .opaque = reaches_more(k, sum) || from->form == ARG_OPAQUE ||
                                                (arg_is_pointer(from) && kind != SUM_ARG_BUFFER)};
        memcpy(args[i].value, from->value, sizeof args[i].value);
        if (kind == SUM_ARG_BUFFER || kind == SUM_ARG_IMAGE || kind == SUM_ARG_SAMPLER)
            args[i].released = may_be_gone(from);
        args[i].opaque |= args[i].released;
        if (args[i].opaque || !from->set || (kind != SUM_ARG_BUFFER && kind != SUM_ARG_IMAGE))
            continue;
        memcpy(&memory, from->value, sizeof memory);
        if (arg_is_pointer(from))
            describe_pointer(l->queue->context, memory, &args[i]);
        else if (from->size != sizeof memory)
            args[i].set = from->local && kind == SUM_ARG_BUFFER; /* NULL value: a NULL buffer */
        else if (memory) {
            describe_memory(l->queue->context, memory, &args[i]);
            if (sum->args[i].gaps)
                args[i].components = kept_components(memory);
        }
    }
    return launch;
}

static uint64_t relevant_of(const struct shim_site *s)
{
    return atomic_load_explicit(&s->entry->relevant, memory_order_relaxed);
}

uint64_t args_fingerprint(const struct launching *l, uint64_t without)
{
    const uint64_t relevant = relevant_of(l->site) & ~without;
    uint64_t h = hash64_word(HASH64_START, l->kernel->indirect);

    for (unsigned d = 0; d < 3; d++)
        h = hash64_word(h, l->shape.offset[d]);
    for (unsigned i = 0; i < l->kernel->nargs; i++) {
        const struct shim_arg *a = &l->kernel->args[i];
        void *memory;

        if (!(relevant & sel_argument_bit(i)))
            continue;
        h = hash64_word(h, a->hash);
        if (a->local || a->size != sizeof memory)
            continue;
        memcpy(&memory, a->value, sizeof memory); /* if it is a scalar, no harm is done */
        h = hash64_word(h, arg_is_pointer(a) ? svm_changes() : ref_releases(memory));
    }
    return h ? h : 1;
}

/* The first argument that is the same memory object. */
static unsigned same_memory(const struct launch_arg *args, unsigned i)
{
    unsigned first = 0;

    while (args[first].memory != args[i].memory)
        first++;
    return first;
}

bool args_matter(const struct shim_site *s, unsigned argument)
{
    return relevant_of(s) & sel_argument_bit(argument);
}

uint64_t args_layout(const struct launching *l, const struct launch_arg *args, uint64_t without)
{
    const struct shim_kernel *k = l->kernel;
    const uint64_t relevant = relevant_of(l->site) & ~without;
    uint64_t h = hash64(HASH64_START, l->shape.offset, sizeof l->shape.offset);

    h = hash64(h, &k->indirect, sizeof k->indirect);
    for (unsigned i = 0; i < k->nargs; i++) {
        const struct launch_arg *a = &args[i];
        const uint64_t place[] = {a->set,    a->opaque, a->size,      same_memory(args, i),
                                  a->offset, a->bytes,  a->components};

        if (!(relevant & sel_argument_bit(i)))
            continue;
        if (a->memory)
            h = hash64(h, place, sizeof place);
        else
            h = hash64(hash64(h, &a->set, sizeof a->set), &k->args[i].hash, sizeof k->args[i].hash);
    }
    return h ? h : 1;
}
