/* sandbox.c - see sandbox.h. */
#include "shim/tune/sandbox.h"
#include <string.h>
#include "select/select.h"
#include "shim/enqueue/split.h"
#include "shim/guest/clock.h"
#include "shim/guest/next.h"
#include "shim/guest/util.h"
#include "shim/object/private_kernel.h"
#include "shim/site/arguments.h"
#include "shim/site/hazard.h"

#define MARGIN ((size_t)1 << 16)  /* bytes */
#define SPARE  ((size_t)64 << 20) /* bytes, for the program */
#define BLANK  0xa5               /* each byte of what nobody has written */

static bool is_memory(const struct sum_arg *a)
{
    return a->kind == SUM_ARG_BUFFER || a->kind == SUM_ARG_IMAGE;
}

/* The handle that was passed; NULL for none. */
static cl_mem handle_of(const struct shim_arg *a)
{
    cl_mem m = NULL;

    if (a->set && !a->local && a->size == sizeof m)
        memcpy(&m, a->value, sizeof m);
    return m;
}

/* Does the written argument `i` share memory with another argument in a way that a copy would not? */
static bool aliased(const struct launching *l, const struct launch_arg *args, unsigned i)
{
    const struct kernel_summary *k = l->site->entry->summary;

    for (unsigned j = 0; j < l->kernel->nargs; j++) {
        if (j == i || !is_memory(&k->args[j]) || !args[j].memory || args[j].memory != args[i].memory ||
            handle_of(&l->kernel->args[j]) == handle_of(&l->kernel->args[i]))
            continue;
        if (!args[j].bytes || !args[i].bytes ||
            (args[j].offset < args[i].offset + args[i].bytes &&
             args[i].offset < args[j].offset + args[j].bytes))
            return true;
    }
    return false;
}

/* Is value `v` the address of a buffer, or of a place in one, that the kernel may write to? */
static bool is_address(const struct kernel_summary *k, uint32_t v)
{
    const struct sum_insn *in = &k->insns[v];

    if (in->space != SUM_GLOBAL && in->space != SUM_GENERIC)
        return false;
    if (in->op == SUM_ARG)
        return k->args[in->imm].kind == SUM_ARG_BUFFER;
    return in->op == SUM_PTRADD || in->op == SUM_PHI || in->op == SUM_SELECT;
}

/* Within one buffer, and with NULL, addresses compare in a copy as they do in the original. */
static bool compares_alike(const struct kernel_summary *k, uint32_t v)
{
    const uint32_t a = sum_opnd(k, v, 0), b = sum_opnd(k, v, 1);

    return k->insns[a].op == SUM_CONST || k->insns[b].op == SUM_CONST || sum_base(k, a) == sum_base(k, b);
}

/* Does the kernel compute with addresses, compare them, or keep them?  Those of copies are others, and it may
 * go astray. */
static bool sees_addresses(const struct kernel_summary *k)
{
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        const struct sum_insn *in = &k->insns[v];
        const bool whole = in->op == SUM_PURE || (in->op == SUM_ICMP && !compares_alike(k, v));
        const uint32_t first = in->op == SUM_STORE ? 1 : 0;

        for (uint32_t i = first; (whole || in->op == SUM_STORE) && i < in->nopnd; i++)
            if (is_address(k, sum_opnd(k, v, i)))
                return true;
    }
    return false;
}

static bool copied_before(const struct sandbox *b, cl_mem original)
{
    for (unsigned i = 0; i < b->n; i++)
        if (b->buffer[i].original == original)
            return true;
    return false;
}

/* Which bytes of the buffer the launch touches, through any of its arguments, with MARGIN on both sides: if
 * the kernel is wrong about that, it shows. */
static void find_touched(const struct launching *l, const struct launch *launch, cl_mem original, size_t size,
                         size_t *begin, size_t *end)
{
    const struct kernel_summary *k = l->site->entry->summary;
    uint64_t from, to;

    *begin = size;
    *end = 0;
    for (unsigned i = 0; i < l->kernel->nargs; i++) {
        if (!is_memory(&k->args[i]) || handle_of(&l->kernel->args[i]) != original)
            continue;
        if (!sel_touched(k, launch, i, &from, &to)) {
            from = 0;
            to = size;
        }
        *begin = from < *begin ? (size_t)from : *begin;
        *end = to > *end ? (size_t)to : *end;
    }
    *begin -= *begin < MARGIN ? *begin : MARGIN;
    *end += size - *end < MARGIN ? size - *end : MARGIN;
    if (*begin > *end)
        *begin = *end = 0;
}

/* Does the program's kernel read the buffer, through any of its arguments? */
static bool is_read(const struct launching *l, cl_mem original)
{
    const struct kernel_summary *k = l->site->entry->summary;

    for (unsigned i = 0; i < l->kernel->nargs; i++)
        if (is_memory(&k->args[i]) && k->args[i].may_read && handle_of(&l->kernel->args[i]) == original)
            return true;
    return false;
}

/* List the buffers to copy, `all` bytes of them or those that the launch touches. */
static const char *survey(const struct launching *l, bool all, struct sandbox *b)
{
    const struct kernel_summary *k = l->site->entry->summary;
    const uint64_t limit = (uint64_t)l->rt->opt.sandbox << 20;
    struct launch_arg args[ARGS_MOST];
    struct launch launch;
    uint64_t total = 0;

    memset(b, 0, sizeof *b);
    if (l->kernel->indirect || l->kernel->nargs > ARGS_MOST || l->kernel->nargs != k->nargs)
        return "argument-unknown";
    if (sees_addresses(k))
        return "addresses-seen";
    launch = args_describe(l, args);
    for (unsigned i = 0; i < l->kernel->nargs; i++) {
        const cl_mem original = handle_of(&l->kernel->args[i]);
        if (!args[i].set || args[i].opaque)
            return "argument-unknown";
        if (arg_is_pointer(&l->kernel->args[i]))
            return "svm-not-copied";
        if (!copy_arg_possible(&l->kernel->args[i]))
            return "argument-unknown";
        const bool image = k->args[i].kind == SUM_ARG_IMAGE, writes = k->args[i].may_write;
        if (!is_memory(&k->args[i]) || !(writes || (all && !image)) || !original ||
            copied_before(b, original))
            continue;
        if (image)
            return "written-image";
        if (aliased(l, args, i))
            return "aliased-arguments";
        if (b->n == SANDBOX_COPIES || !args[i].bytes || args[i].bytes > limit - total)
            return "sandbox-too-large";
        total += args[i].bytes;
        b->buffer[b->n].original = original;
        b->buffer[b->n].end = b->buffer[b->n].size = (size_t)args[i].bytes;
        b->buffer[b->n].unread = writes && !is_read(l, original);
        if (!all)
            find_touched(l, &launch, original, b->buffer[b->n].size, &b->buffer[b->n].begin,
                         &b->buffer[b->n].end);
        b->n++;
    }
    return NULL;
}

uint64_t sandbox_bytes(const struct launching *l, bool all)
{
    struct sandbox b;
    uint64_t total = 0;

    survey(l, all, &b);
    for (unsigned i = 0; i < b.n; i++)
        total += b.buffer[i].end - b.buffer[i].begin;
    return total;
}

const char *sandbox_problem(const struct launching *l, bool all)
{
    struct sandbox b;

    return survey(l, all, &b);
}

/* The same kernel with the same arguments.  Not by clCloneKernel(): what stands for it in the table of a
 * driver older than OpenCL 2.1 may be anything, and a buffer that is NULL is cloned as the one that was set
 * before. */
static cl_kernel second_kernel(const struct launching *l)
{
    cl_program program = NULL;
    cl_kernel k;
    bool ok = true;

    if (next()->clGetKernelInfo(l->call->kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL) ||
        !(k = next()->clCreateKernel(program, l->kernel->name, NULL)))
        return NULL;
    for (unsigned i = 0; i < l->kernel->nargs && ok; i++)
        ok = copy_arg(k, i, &l->kernel->args[i]);
    if (ok)
        return k;
    next()->clReleaseKernel(k);
    return NULL;
}

/* Wherever the original is passed, the copy is now. */
bool sandbox_redirect(const struct sandbox *b, const struct launching *l, cl_kernel kernel)
{
    const struct kernel_summary *k = l->site->entry->summary;

    for (unsigned i = 0; i < l->kernel->nargs; i++)
        for (unsigned j = 0; j < b->n; j++)
            if (is_memory(&k->args[i]) && handle_of(&l->kernel->args[i]) == b->buffer[j].original &&
                next()->clSetKernelArg(kernel, i, sizeof b->buffer[j].copy, &b->buffer[j].copy))
                return false;
    return true;
}

/* Is there more memory of the program's around the buffer? */
static bool is_part(cl_mem m)
{
    cl_mem_flags flags = 0;
    cl_mem whole = NULL;

    next()->clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    next()->clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &whole, NULL);
    return whole || flags & CL_MEM_USE_HOST_PTR;
}

/* A buffer of this size; with MARGIN on both sides where there is something around the original: a kernel
 * that goes a little beyond that does no harm there, and shall do none here. */
static cl_mem copy_of(const struct launching *l, cl_mem original, size_t size)
{
    const cl_buffer_region inner = {MARGIN, size};
    cl_mem whole, part;

    if (!is_part(original))
        return next()->clCreateBuffer(l->queue->context, CL_MEM_READ_WRITE, size, NULL, NULL);
    whole = next()->clCreateBuffer(l->queue->context, CL_MEM_READ_WRITE, size + 2 * MARGIN, NULL, NULL);
    if (!whole)
        return NULL;
    part = next()->clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &inner, NULL);
    next()->clReleaseMemObject(whole);
    return part;
}

/* Is there memory for these copies, for as many again, which another sandbox may have or want, and for what
 * the program itself does meanwhile?  A driver may take a buffer's memory when it is first used, and end the
 * process if there is none. */
static bool has_memory(const struct launching *l, const struct sandbox *b)
{
    size_t bytes = SPARE;

    for (unsigned i = 0; i < b->n; i++)
        bytes += 2 * b->buffer[i].size;
    return !l->queue->device->is_cpu || util_has_memory(bytes);
}

bool sandbox_copies(struct sandbox *b, const struct launching *l, bool all)
{
    bool ok = !survey(l, all, b) && has_memory(l, b);

    for (unsigned i = 0; i < b->n && ok; i++) {
        b->buffer[i].copy = copy_of(l, b->buffer[i].original, b->buffer[i].size);
        ok = b->buffer[i].copy;
    }
    if (!ok)
        sandbox_close(b);
    return ok;
}

bool sandbox_open(struct sandbox *b, const struct launching *l, bool all)
{
    if (sandbox_copies(b, l, all) && (b->kernel = second_kernel(l)) && sandbox_redirect(b, l, b->kernel))
        return true;
    sandbox_close(b);
    return false;
}

bool sandbox_fill(const struct sandbox *b, const struct sandbox *from, const struct launching *l,
                  cl_event *filled)
{
    cl_event before = NULL, done = NULL;
    cl_int error = CL_SUCCESS;

    for (unsigned i = 0; i < b->n && !error; i++) {
        const size_t begin = b->buffer[i].begin, bytes = b->buffer[i].end - begin;
        if (!bytes)
            continue;
        error = next()->clEnqueueCopyBuffer(
            l->call->queue, from ? from->buffer[i].copy : b->buffer[i].original, b->buffer[i].copy, begin,
            begin, bytes, before ? 1 : 0, before ? &before : NULL, &done);
        next_release(before);
        before = error ? NULL : done;
    }
    if (!before && !error)
        error = next()->clEnqueueMarkerWithWaitList(l->call->queue, 0, NULL, &before);
    *filled = before;
    return !error;
}

bool sandbox_blank(const struct sandbox *b, const struct launching *l)
{
    static const unsigned char blank = BLANK;
    bool ok = next()->clEnqueueFillBuffer;

    for (unsigned i = 0; i < b->n && ok; i++) {
        const size_t begin = b->buffer[i].begin, bytes = b->buffer[i].end - begin;
        cl_event done = NULL;
        if (b->buffer[i].unread && bytes)
            ok = next()->clEnqueueFillBuffer(l->call->queue, b->buffer[i].copy, &blank, sizeof blank, begin,
                                             bytes, 0, NULL, &done) == CL_SUCCESS &&
                 sandbox_finish(l, done, rt_wait_ns(l->rt)) == CL_COMPLETE;
    }
    return ok;
}

bool sandbox_drain(const struct launching *l, int64_t patience_ns)
{
    cl_event marker = NULL;
    bool done;

    if (l->queue->device->api < 120 || !next()->clEnqueueMarkerWithWaitList ||
        next()->clEnqueueMarkerWithWaitList(l->call->queue, 0, NULL, &marker) != CL_SUCCESS)
        return false;
    next()->clFlush(l->call->queue);
    done = split_wait(marker, clock_now() + patience_ns, NULL) == CL_COMPLETE;
    hazard_waited_briefly(l, done);
    next()->clReleaseEvent(marker);
    return done;
}

cl_int sandbox_wait(const struct launching *l, cl_event done, int64_t patience_ns)
{
    cl_int status;

    next()->clFlush(l->call->queue);
    status = split_wait(done, clock_now() + patience_ns, NULL);
    hazard_waited(l, status == CL_COMPLETE);
    return status;
}

cl_int sandbox_finish(const struct launching *l, cl_event done, int64_t patience_ns)
{
    const cl_int status = sandbox_wait(l, done, patience_ns);

    next()->clReleaseEvent(done);
    return status;
}

void sandbox_close(struct sandbox *b)
{
    for (unsigned i = 0; i < b->n; i++)
        if (b->buffer[i].copy)
            next()->clReleaseMemObject(b->buffer[i].copy);
    if (b->kernel)
        next()->clReleaseKernel(b->kernel);
    memset(b, 0, sizeof *b);
}
