/* calls SOURCE SEED STEPS [THREADS] - a random program, as far as an OpenCL host goes.
 *
 * SOURCE is calls.cl.  SEED decides everything: queues, objects, and STEPS calls or bursts of launches on
 * them: launches, transfers, maps, parts of buffers, events that the host sets, markers, callbacks, objects
 * that are released while they are in use, calls that must fail.  What one command leaves and another one
 * needs is waited for, by the order of a queue or by events, and nothing else is: so whatever is faster, the
 * same is left in memory.
 *
 * stdout has a line per step: its number, what it did, return codes and checksums.  With THREADS each thread
 * plays a program of its own, seeds from SEED, in one context.  Exit status: 0, 1 on errors that no step
 * expects, 77 without a device. */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "../apps/common.h"

#define QUEUES      3 /* at most */
#define FAVOURITES  3
#define INTS        5 /* buffers of int, then of float, shared memory with ints, images */
#define FLOATS      3
#define SHARED      2
#define IMAGES      2
#define OBJECTS     (INTS + FLOATS + SHARED + IMAGES)
#define SIDE        128 /* of images, and of ranges with two dimensions */
#define KERNELS     12
#define MAX_THREADS 3
#define MAX_READS   256

enum kind { INT, FLOAT, SVM, IMAGE };

/* What commands touch.  The last command that did is `last`, or the last one of queue `at` (in order), if
 * any. */
struct object {
    enum kind kind;
    cl_mem mem;
    void *shared; /* SVM */
    size_t bytes;
    int at; /* queue, or -1 */
    cl_event last;
};

struct queue {
    cl_command_queue handle;
    bool ordered, timed;
};

struct pending {
    cl_event event;
    unsigned steps;
};

struct player {
    const struct app *app;
    const char *source;
    cl_program program;
    cl_kernel kernel[KERNELS];
    struct {
        unsigned kernel;
        uint32_t seed; /* of a shape of launches that comes again */
    } favourite[FAVOURITES];
    struct queue queue[QUEUES];
    unsigned nqueue;
    bool alike; /* all buffers of int are of one size: a kernel's ranges have one width */
    struct object object[OBJECTS];
    struct pending user; /* at most one that is not set yet */
    struct {
        void *to;
        size_t bytes;
    } read[MAX_READS]; /* not blocking; hashed at the end */
    unsigned nread, step, steps, expected;
    atomic_uint called;
    uint32_t seed;
    char *text;
    FILE *out;
};

/* What one command needs. */
struct command {
    struct queue *q;
    struct object *touched[4];
    unsigned n;
    cl_event gate; /* a user event in the list */
    cl_event wait[8];
    cl_uint nwait;
    cl_event done;
};

static const char *const names[KERNELS] = {"map",     "update", "places", "two",    "count", "stencil",
                                           "product", "halves", "shade",  "texels", "sweep", "shift"};

static unsigned upto(struct player *p, unsigned n)
{
    return app_random(&p->seed) % n;
}

static bool one_in(struct player *p, unsigned n)
{
    return upto(p, n) == 0;
}

__attribute__((format(printf, 2, 3))) static void say(struct player *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(p->out, "%u ", p->step);
    vfprintf(p->out, format, args);
    fputc('\n', p->out);
    va_end(args);
}

/* ---- objects --------------------------------------------------------------------------------------- */

static void fill(struct player *p, void *to, size_t bytes, enum kind kind)
{
    uint32_t state = upto(p, 1u << 20);

    for (size_t i = 0; i < bytes / 4; i++) {
        const uint32_t r = app_random(&state);
        if (kind == INT || kind == SVM)
            ((int32_t *)to)[i] = (int32_t)(r >> 4);
        else
            ((float *)to)[i] = (float)(r & 1023) / 1023;
    }
}

static void make(struct player *p, struct object *o, enum kind kind)
{
    static const size_t sizes[] = {1u << 14, 1u << 16, 1u << 18};
    const cl_mem_flags flags = one_in(p, 4) ? CL_MEM_ALLOC_HOST_PTR : 0;
    cl_int error = CL_SUCCESS;
    void *text;

    memset(o, 0, sizeof *o);
    o->kind = kind;
    o->at = -1;
    o->bytes = kind == INT || kind == SVM ? 4 * sizes[p->alike ? 1 : upto(p, 3)]
                                          : SIDE * SIDE * 4 * (kind == IMAGE ? 4 : 1);
    text = app_alloc(o->bytes);
    fill(p, text, o->bytes, kind);
    if (kind == SVM) {
        o->shared = clSVMAlloc(p->app->context, CL_MEM_READ_WRITE, o->bytes, 0);
        if (!o->shared)
            o->kind = INT;
        else
            CL_CHECK(
                clEnqueueSVMMemcpy(p->queue[0].handle, CL_TRUE, o->shared, text, o->bytes, 0, NULL, NULL));
    }
    if (kind == IMAGE) {
        const cl_image_format format = {CL_RGBA, CL_FLOAT};
        const cl_image_desc desc = {
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
        o->mem = clCreateImage(p->app->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc,
                               text, &error);
    } else if (o->kind != SVM)
        o->mem = clCreateBuffer(p->app->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR | flags, o->bytes,
                                text, &error);
    CL_CHECK(error);
    free(text);
}

static struct object *any(struct player *p, enum kind kind)
{
    static const unsigned first[] = {0, INTS, INTS + FLOATS, INTS + FLOATS + SHARED};
    static const unsigned n[] = {INTS, FLOATS, SHARED, IMAGES};

    return &p->object[first[kind] + upto(p, n[kind])];
}

static struct object *another(struct player *p, enum kind kind, const struct object *a,
                              const struct object *b)
{
    struct object *o;

    do
        o = any(p, kind);
    while (o == a || o == b);
    return o;
}

static unsigned ints(const struct object *o)
{
    return (unsigned)(o->bytes / 4);
}

/* ---- what waits for what --------------------------------------------------------------------------- */

static void set_user(struct player *p)
{
    if (!p->user.event)
        return;
    CL_CHECK(clSetUserEventStatus(p->user.event, CL_COMPLETE));
    CL_CHECK(clReleaseEvent(p->user.event));
    p->user.event = NULL;
}

/* Before the host waits for anything: nothing may wait for the host. */
static void may_wait(struct player *p)
{
    set_user(p);
    for (unsigned i = 0; i < p->nqueue; i++)
        CL_CHECK(clFlush(p->queue[i].handle));
}

static void remember(struct object *o, int at, cl_event last)
{
    if (last)
        CL_CHECK(clRetainEvent(last));
    if (o->last)
        CL_CHECK(clReleaseEvent(o->last));
    o->at = at;
    o->last = last;
}

static void need(struct player *p, struct command *c, struct object *o)
{
    const int at = (int)(c->q - p->queue);

    for (unsigned i = 0; i < c->n; i++)
        if (c->touched[i] == o)
            return;
    c->touched[c->n++] = o;
    if (o->at < 0 || (o->at == at && c->q->ordered && (!o->last || one_in(p, 2))))
        return;
    if (!o->last) { /* the end of what another queue has been given */
        cl_event marker;
        CL_CHECK(clEnqueueMarkerWithWaitList(p->queue[o->at].handle, 0, NULL, &marker));
        remember(o, o->at, marker);
        CL_CHECK(clReleaseEvent(marker));
        CL_CHECK(clFlush(p->queue[o->at].handle));
    }
    c->wait[c->nwait++] = o->last;
}

static struct command begin(struct player *p)
{
    struct command c = {.q = &p->queue[upto(p, p->nqueue)]};

    if (p->user.event && one_in(p, 3)) {
        CL_CHECK(clRetainEvent(p->user.event));
        c.wait[c.nwait++] = c.gate = p->user.event;
    }
    return c;
}

static const cl_event *waits(const struct command *c)
{
    return c->nwait ? c->wait : NULL;
}

/* Where to put the command's event; NULL if the order of its queue will do. */
static cl_event *event(struct player *p, struct command *c)
{
    return c->q->ordered && one_in(p, 2) ? NULL : &c->done;
}

static void CL_CALLBACK is_done(cl_event event, cl_int status, void *player)
{
    struct player *p = player;

    (void)event;
    if (status == CL_COMPLETE)
        atomic_fetch_add(&p->called, 1);
}

static void end(struct player *p, struct command *c, cl_int error)
{
    if (!error)
        for (unsigned i = 0; i < c->n; i++)
            remember(c->touched[i], (int)(c->q - p->queue), c->done);
    if (!error && c->done && one_in(p, 6)) {
        CL_CHECK(clSetEventCallback(c->done, CL_COMPLETE, is_done, p));
        p->expected++;
    }
    if (!error && c->done && one_in(p, 12)) {
        may_wait(p);
        CL_CHECK(clWaitForEvents(1, &c->done));
    }
    if (c->done)
        CL_CHECK(clReleaseEvent(c->done));
    if (c->gate)
        CL_CHECK(clReleaseEvent(c->gate));
}

/* ---- launches -------------------------------------------------------------------------------------- */

/* A buffer as an argument, or a part of it from its beginning, which is released as soon as it may be. */
static void set_memory(struct player *p, cl_kernel k, cl_uint i, struct object *o, cl_mem *part)
{
    cl_int error;

    *part = NULL;
    if (o->kind == SVM) {
        CL_CHECK(clSetKernelArgSVMPointer(k, i, o->shared));
        return;
    }
    if (o->kind != IMAGE && one_in(p, 5)) {
        const cl_buffer_region all = {0, o->bytes};
        *part = clCreateSubBuffer(o->mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, &error);
        CL_CHECK(error);
    }
    CL_CHECK(clSetKernelArg(k, i, sizeof o->mem, *part ? part : &o->mem));
}

static void set_int(cl_kernel k, cl_uint i, int value)
{
    CL_CHECK(clSetKernelArg(k, i, sizeof value, &value));
}

/* One shape of launches: a kernel, what it is given, its range. */
struct launch {
    unsigned kernel;
    struct object *memory[3];
    unsigned nmemory, nnumbers;
    int number[3];
    unsigned counting; /* which of them is another one at each launch: */
    int least, span, step;
    size_t local_bytes;
    cl_uint dim;
    size_t offset[2], global[2], local[2];
};

static void along(struct player *p, struct launch *l, unsigned n)
{
    static const size_t sizes[] = {0, 64, 64, 128, 16, 8, 256};

    l->dim = 1;
    l->global[0] = n;
    l->local[0] = sizes[upto(p, 7)];
}

static void across(struct player *p, struct launch *l)
{
    static const size_t sizes[][2] = {{0, 0}, {16, 16}, {8, 8}, {32, 4}, {1, 64}, {128, 1}};
    const unsigned i = upto(p, 6);

    l->dim = 2;
    l->global[0] = l->global[1] = SIDE;
    l->local[0] = sizes[i][0];
    l->local[1] = sizes[i][1];
}

/* The next number is one of `n` from `least` on, another one at each launch. */
static void counts_from(struct player *p, struct launch *l, size_t least, size_t n)
{
    l->counting = l->nnumbers;
    l->least = (int)least;
    l->span = (int)n;
    l->step = one_in(p, 3) ? -1 - (int)upto(p, 3) : 1 + (int)upto(p, 40);
    l->number[l->nnumbers++] = (int)(least + upto(p, (unsigned)n));
}

static void count_on(struct launch *l)
{
    if (l->span)
        l->number[l->counting] = l->least + (l->number[l->counting] - l->least + l->step + l->span) % l->span;
}

static struct launch shape(struct player *p, unsigned kernel)
{
    struct launch l = {.kernel = kernel, .nmemory = 2};
    struct object **m = l.memory;
    size_t weight = 1; /* of a turn */
    const enum kind kind = one_in(p, 4) ? SVM : INT;

    switch (l.kernel) {
    case 0: /* map: also in place */
        m[0] = any(p, kind);
        m[1] = any(p, INT);
        along(p, &l, ints(m[0]));
        l.number[l.nnumbers++] =
            (int)(ints(m[0]) < ints(m[1]) ? ints(m[0]) : ints(m[1])) - (one_in(p, 2) ? 3 : 0);
        break;
    case 1: /* update */
        m[0] = any(p, kind);
        l.nmemory = 1;
        along(p, &l, ints(m[0]) >> (p->alike ? 0 : upto(p, 3)));
        l.number[l.nnumbers++] = (int)ints(m[0]);
        break;
    case 2: /* places: not from the beginning */
        m[0] = any(p, kind);
        l.nmemory = 1;
        along(p, &l, ints(m[0]) / 2);
        l.offset[0] = one_in(p, 2) ? ints(m[0]) / 4 : 0;
        break;
    case 3: /* two */
        m[0] = any(p, INT);
        m[1] = another(p, INT, m[0], NULL);
        m[2] = another(p, INT, m[0], m[1]);
        l.nmemory = 3;
        for (unsigned i = 0; i < 3; i++)
            if (!l.number[0] || (int)ints(m[i]) < l.number[0])
                l.number[0] = (int)ints(m[i]);
        l.nnumbers = 1;
        along(p, &l, (unsigned)l.number[0]);
        break;
    case 4: /* count */
        m[0] = any(p, INT);
        m[1] = another(p, INT, m[0], NULL);
        along(p, &l, ints(m[1]));
        l.number[l.nnumbers++] = (int)ints(m[1]) - 5;
        break;
    case 5: /* stencil */
        m[0] = any(p, FLOAT);
        m[1] = another(p, FLOAT, m[0], NULL);
        across(p, &l);
        l.number[l.nnumbers++] = SIDE;
        l.number[l.nnumbers++] = SIDE;
        weight = 4;
        break;
    case 6: /* product */
        m[0] = any(p, FLOAT);
        m[1] = another(p, FLOAT, m[0], NULL);
        m[2] = one_in(p, 3) ? m[1] : another(p, FLOAT, m[0], m[1]);
        l.nmemory = 3;
        across(p, &l);
        l.number[l.nnumbers++] = SIDE;
        return l;
    case 7: /* halves */
        m[0] = any(p, INT);
        m[1] = another(p, INT, m[0], NULL);
        along(p, &l, ints(m[0]) < ints(m[1]) ? ints(m[0]) : ints(m[1]));
        l.local[0] = 64;
        l.local_bytes = 64 * sizeof(cl_int);
        return l;
    case 8: /* shade */
        m[0] = any(p, IMAGE);
        m[1] = another(p, IMAGE, m[0], NULL);
        across(p, &l);
        weight = 16;
        break;
    case 9: /* texels */
        m[0] = any(p, FLOAT);
        m[1] = any(p, IMAGE);
        across(p, &l);
        l.number[l.nnumbers++] = SIDE;
        return l;
    case 10: /* sweep: from row to row */
        m[0] = any(p, kind);
        l.nmemory = 1;
        across(p, &l);
        l.global[1] = ints(m[0]) / SIDE;
        l.number[l.nnumbers++] = (int)l.global[1];
        counts_from(p, &l, 0, l.global[1] - 1);
        break;
    default: /* shift: from place to place */
        m[0] = any(p, kind);
        l.nmemory = 1;
        along(p, &l, ints(m[0]) / 4);
        counts_from(p, &l, ints(m[0]) / 4, ints(m[0]) / 2);
        break;
    }
    weight *= l.global[0] * (l.dim == 2 ? l.global[1] : 1);
    l.number[l.nnumbers++] = 1 + (int)(((size_t)1 << (20 + upto(p, 5))) / weight);
    return l;
}

static struct launch draw(struct player *p)
{
    const unsigned i = upto(p, FAVOURITES);
    const bool again = !one_in(p, 4);
    const uint32_t seed = p->seed;

    if (again)
        p->seed = p->favourite[i].seed;
    const struct launch l = shape(p, p->favourite[i].kernel);
    if (again)
        p->seed = seed;
    return l;
}

static cl_int launch_once(struct player *p, const struct launch *l, cl_kernel k)
{
    struct command c = begin(p);
    cl_mem part[3];
    cl_int error;

    for (cl_uint i = 0; i < l->nmemory; i++) {
        set_memory(p, k, i, l->memory[i], &part[i]);
        need(p, &c, l->memory[i]);
    }
    for (cl_uint i = 0; i < l->nnumbers; i++)
        set_int(k, l->nmemory + i, l->number[i]);
    if (l->local_bytes)
        CL_CHECK(clSetKernelArg(k, l->nmemory, l->local_bytes, NULL));
    error = clEnqueueNDRangeKernel(c.q->handle, k, l->dim, l->offset[0] ? l->offset : NULL, l->global,
                                   l->local[0] ? l->local : NULL, c.nwait, waits(&c), event(p, &c));
    for (cl_uint i = 0; i < l->nmemory; i++)
        if (part[i])
            CL_CHECK(clReleaseMemObject(part[i]));
    if (l->nnumbers && one_in(p, 4)) /* the launch must not see it */
        set_int(k, l->nmemory, -1);
    end(p, &c, error);
    return error;
}

static void launches(struct player *p)
{
    struct launch l = draw(p);
    struct object **m = l.memory;
    /* to and fro, so that the order shows */
    const bool swaps = l.nmemory > 1 && m[0]->kind == m[1]->kind && m[0]->bytes == m[1]->bytes;
    const unsigned n = one_in(p, 3) ? 1 : 10 + upto(p, 30);
    cl_kernel k = p->kernel[l.kernel];
    cl_int error = CL_SUCCESS;
    const bool own = one_in(p, 8);

    if (own)
        k = app_kernel(p->program, names[l.kernel]);
    for (unsigned i = 0; i < n; i++) {
        error |= launch_once(p, &l, k);
        count_on(&l);
        if (swaps) {
            struct object *first = m[0];
            m[0] = m[1];
            m[1] = first;
        }
        if (one_in(p, 10)) {
            may_wait(p);
            CL_CHECK(clFinish(p->queue[upto(p, p->nqueue)].handle));
        }
    }
    if (own)
        CL_CHECK(clReleaseKernel(k));
    say(p, "%u of %s: %d", n, names[l.kernel], error);
}

/* ---- transfers ------------------------------------------------------------------------------------- */

static const size_t corner[3] = {0, 0, 0}, whole[3] = {SIDE, SIDE, 1};

/* Reads all of it to `to`. */
static cl_int read_to(struct object *o, struct command *c, cl_bool block, void *to, cl_event *e)
{
    if (o->kind == SVM)
        return clEnqueueSVMMemcpy(c->q->handle, block, to, o->shared, o->bytes, c->nwait, waits(c), e);
    if (o->kind == IMAGE)
        return clEnqueueReadImage(c->q->handle, o->mem, block, corner, whole, 0, 0, to, c->nwait, waits(c),
                                  e);
    return clEnqueueReadBuffer(c->q->handle, o->mem, block, 0, o->bytes, to, c->nwait, waits(c), e);
}

static void read_now(struct player *p)
{
    struct object *o = &p->object[upto(p, OBJECTS)];
    struct command c = begin(p);
    void *to = app_alloc(o->bytes);

    need(p, &c, o);
    may_wait(p);
    const cl_int error = read_to(o, &c, CL_TRUE, to, event(p, &c));
    say(p, "read %d: %d %016llx", (int)(o - p->object), error, (unsigned long long)app_fnv1a(to, o->bytes));
    free(to);
    end(p, &c, error);
}

static void read_later(struct player *p)
{
    struct object *o = &p->object[upto(p, OBJECTS)];
    struct command c = begin(p);

    if (p->nread == MAX_READS)
        return;
    need(p, &c, o);
    p->read[p->nread].to = app_alloc(o->bytes);
    p->read[p->nread].bytes = o->bytes;
    const cl_int error = read_to(o, &c, CL_FALSE, p->read[p->nread++].to, event(p, &c));
    say(p, "read %d later: %d", (int)(o - p->object), error);
    end(p, &c, error);
}

static void write_to(struct player *p)
{
    struct object *o = &p->object[upto(p, OBJECTS)];
    struct command c = begin(p);
    void *from = app_alloc(o->bytes);
    cl_int error;

    fill(p, from, o->bytes, o->kind);
    need(p, &c, o);
    may_wait(p);
    if (o->kind == SVM)
        error = clEnqueueSVMMemcpy(c.q->handle, CL_TRUE, o->shared, from, o->bytes, c.nwait, waits(&c),
                                   event(p, &c));
    else if (o->kind == IMAGE)
        error = clEnqueueWriteImage(c.q->handle, o->mem, CL_TRUE, corner, whole, 0, 0, from, c.nwait,
                                    waits(&c), event(p, &c));
    else
        error = clEnqueueWriteBuffer(c.q->handle, o->mem, CL_TRUE, 0, o->bytes / 2, from, c.nwait, waits(&c),
                                     event(p, &c));
    free(from);
    say(p, "write %d: %d", (int)(o - p->object), error);
    end(p, &c, error);
}

static void copy(struct player *p)
{
    const enum kind kind = one_in(p, 3) ? FLOAT : INT;
    struct object *from = any(p, kind), *to = another(p, kind, from, NULL);
    struct command c = begin(p);
    const size_t bytes = from->bytes < to->bytes ? from->bytes : to->bytes, rows[3] = {256, bytes / 512, 1};
    cl_int error;

    need(p, &c, from);
    need(p, &c, to);
    if (one_in(p, 3))
        error = clEnqueueCopyBufferRect(c.q->handle, from->mem, to->mem, corner, corner, rows, 512, 0, 512, 0,
                                        c.nwait, waits(&c), event(p, &c));
    else
        error = clEnqueueCopyBuffer(c.q->handle, from->mem, to->mem, 0, bytes / 2, bytes / 2, c.nwait,
                                    waits(&c), event(p, &c));
    say(p, "copy %d to %d: %d", (int)(from - p->object), (int)(to - p->object), error);
    end(p, &c, error);
}

static void fill_part(struct player *p)
{
    struct object *o = any(p, one_in(p, 4) ? SVM : INT);
    struct command c = begin(p);
    const int value = (int)upto(p, 1000);
    cl_int error;

    need(p, &c, o);
    if (o->kind == SVM)
        error = clEnqueueSVMMemFill(c.q->handle, o->shared, &value, sizeof value, o->bytes / 4, c.nwait,
                                    waits(&c), event(p, &c));
    else
        error = clEnqueueFillBuffer(c.q->handle, o->mem, &value, sizeof value, o->bytes / 4, o->bytes / 2,
                                    c.nwait, waits(&c), event(p, &c));
    say(p, "fill %d: %d", (int)(o - p->object), error);
    end(p, &c, error);
}

/* The host changes some numbers of what it has mapped. */
static void map(struct player *p)
{
    struct object *o = any(p, one_in(p, 3) ? SVM : INT);
    struct command c = begin(p), back;
    const cl_map_flags how = one_in(p, 2) ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ;
    cl_int error;
    int *at = o->shared;

    need(p, &c, o);
    may_wait(p);
    if (o->kind == SVM)
        error = clEnqueueSVMMap(c.q->handle, CL_TRUE, how, at, o->bytes, c.nwait, waits(&c), event(p, &c));
    else
        at = clEnqueueMapBuffer(c.q->handle, o->mem, CL_TRUE, how, 0, o->bytes, c.nwait, waits(&c),
                                event(p, &c), &error);
    CL_CHECK(error);
    say(p, "map %d: %016llx", (int)(o - p->object), (unsigned long long)app_fnv1a(at, o->bytes));
    for (unsigned i = 0; how & CL_MAP_WRITE && i < 100; i++)
        at[i] += (int)i;
    end(p, &c, error);
    back = begin(p);
    need(p, &back, o);
    error = o->kind == SVM ? clEnqueueSVMUnmap(back.q->handle, at, back.nwait, waits(&back), event(p, &back))
                           : clEnqueueUnmapMemObject(back.q->handle, o->mem, at, back.nwait, waits(&back),
                                                     event(p, &back));
    end(p, &back, error);
}

/* ---- everything else ------------------------------------------------------------------------------- */

static void new_user(struct player *p)
{
    cl_int error;

    if (p->user.event)
        return;
    p->user.event = clCreateUserEvent(p->app->context, &error);
    CL_CHECK(error);
    p->user.steps = 1 + upto(p, 4);
}

/* Released while commands use it, and another one in its place. */
static void renew(struct player *p)
{
    struct object *o = &p->object[upto(p, OBJECTS)];

    remember(o, -1, NULL);
    if (o->kind == SVM) {
        may_wait(p);
        for (unsigned i = 0; i < p->nqueue; i++)
            CL_CHECK(clFinish(p->queue[i].handle));
        clSVMFree(p->app->context, o->shared);
    } else
        CL_CHECK(clReleaseMemObject(o->mem));
    make(p, o, o->kind);
    say(p, "new %d", (int)(o - p->object));
}

static void new_kernel(struct player *p)
{
    const unsigned k = upto(p, KERNELS);

    CL_CHECK(clReleaseKernel(p->kernel[k]));
    p->kernel[k] = app_kernel(p->program, names[k]);
    say(p, "new %s", names[k]);
}

static void new_program(struct player *p)
{
    struct app app = *p->app;

    for (unsigned k = 0; k < KERNELS; k++)
        CL_CHECK(clReleaseKernel(p->kernel[k]));
    CL_CHECK(clReleaseProgram(p->program));
    p->program = app_build(&app, p->source, one_in(p, 2) ? "-DOTHER" : "");
    for (unsigned k = 0; k < KERNELS; k++)
        p->kernel[k] = app_kernel(p->program, names[k]);
    say(p, "new program");
}

/* Drivers without queues out of order have one in order. */
static void make_queue(struct player *p, struct queue *q)
{
    const cl_command_queue_properties timed = q->timed ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_int error = CL_SUCCESS;

    if (!q->ordered)
        q->handle = clCreateCommandQueue(p->app->context, p->app->device,
                                         timed | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (error == CL_INVALID_QUEUE_PROPERTIES)
        q->ordered = true;
    if (q->ordered)
        q->handle = clCreateCommandQueue(p->app->context, p->app->device, timed, &error);
    CL_CHECK(error);
}

static void new_queue(struct player *p)
{
    struct queue *q = &p->queue[upto(p, p->nqueue)];

    may_wait(p);
    CL_CHECK(clFinish(q->handle));
    CL_CHECK(clReleaseCommandQueue(q->handle));
    make_queue(p, q);
    for (unsigned i = 0; i < OBJECTS; i++)
        if (p->object[i].at == (int)(q - p->queue))
            remember(&p->object[i], -1, NULL);
    say(p, "new queue");
}

/* Everything is done; then what the driver counts is steady. */
static void settle(struct player *p)
{
    may_wait(p);
    for (unsigned i = 0; i < p->nqueue; i++)
        CL_CHECK(clFinish(p->queue[i].handle));
    for (unsigned i = 0; i < OBJECTS; i++)
        remember(&p->object[i], -1, NULL);
}

static void references(struct player *p)
{
    struct object *o = any(p, INT);
    const unsigned k = upto(p, KERNELS);
    cl_uint now[2] = {0}, before[2] = {0}, args = 0, maps = 0;
    size_t most = 0;

    settle(p);
    for (unsigned same = 0; same < 20; same++, usleep(1000)) { /* drivers let go a little later */
        memcpy(before, now, sizeof now);
        CL_CHECK(clGetKernelInfo(p->kernel[k], CL_KERNEL_REFERENCE_COUNT, sizeof now[0], &now[0], NULL));
        CL_CHECK(clGetMemObjectInfo(o->mem, CL_MEM_REFERENCE_COUNT, sizeof now[1], &now[1], NULL));
        same = memcmp(before, now, sizeof now) ? 0 : same;
    }
    CL_CHECK(clGetKernelInfo(p->kernel[k], CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL));
    CL_CHECK(clGetMemObjectInfo(o->mem, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
    CL_CHECK(clGetKernelWorkGroupInfo(p->kernel[k], p->app->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                      &most, NULL));
    say(p, "%s: %u references, %u arguments, groups of %zu; memory: %u, %u maps", names[k], now[0], args,
        most, now[1], maps);
}

/* What an event says once its command is done. */
static void times(struct player *p)
{
    struct queue *q = &p->queue[upto(p, p->nqueue)];
    const struct launch l = {.kernel = 2,
                             .memory = {any(p, INT)},
                             .nmemory = 1,
                             .nnumbers = 1,
                             .number = {64},
                             .dim = 1,
                             .global = {4096},
                             .local = {64}};
    struct command c = {.q = q};
    cl_ulong at[4] = {0};
    cl_int status = -1, type = 0, error = CL_SUCCESS;
    cl_command_queue of = NULL;
    cl_uint count = 0;

    need(p, &c, l.memory[0]);
    CL_CHECK(clSetKernelArg(p->kernel[2], 0, sizeof(cl_mem), &l.memory[0]->mem));
    set_int(p->kernel[2], 1, 64);
    CL_CHECK(clEnqueueNDRangeKernel(q->handle, p->kernel[2], 1, NULL, l.global, l.local, c.nwait, waits(&c),
                                    &c.done));
    may_wait(p);
    CL_CHECK(clWaitForEvents(1, &c.done));
    CL_CHECK(clGetEventInfo(c.done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CL_CHECK(clGetEventInfo(c.done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CL_CHECK(clGetEventInfo(c.done, CL_EVENT_COMMAND_QUEUE, sizeof of, &of, NULL));
    for (unsigned i = 0; i < 4; i++)
        error |= clGetEventProfilingInfo(c.done, CL_PROFILING_COMMAND_QUEUED + i, sizeof at[i], &at[i], NULL);
    settle(p);
    for (unsigned i = 0; i < 2000 && count != 1; i++, usleep(1000)) /* drivers let go a little later */
        CL_CHECK(clGetEventInfo(c.done, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL));
    say(p, "event: %d %x %s %d %s, %u references", status, (unsigned)type,
        of == q->handle ? "its queue" : "another", error,
        at[0] <= at[1] && at[1] <= at[2] && at[2] <= at[3] ? "in order" : "not in order", count);
    CL_CHECK(clReleaseEvent(c.done));
}

/* What no driver may do. */
static void wrong(struct player *p)
{
    const cl_command_queue q = p->queue[0].handle;
    const cl_kernel k = p->kernel[2], fresh = app_kernel(p->program, "map");
    const size_t some = 64, odd = 7, huge = 1u << 20;
    const unsigned which = upto(p, 10);
    cl_int error = 0;
    const cl_event none = NULL;
    int value = 1;

    may_wait(p);
    settle(p);
    CL_CHECK(clSetKernelArg(k, 0, sizeof(cl_mem), &p->object[0].mem));
    set_int(k, 1, 1);
    switch (which) {
    case 0:
        error = clEnqueueNDRangeKernel(q, fresh, 1, NULL, &some, NULL, 0, NULL, NULL);
        break;
    case 1:
        error = clEnqueueNDRangeKernel(q, k, 0, NULL, &some, NULL, 0, NULL, NULL);
        break;
    case 2:
        error = clEnqueueNDRangeKernel(q, k, 4, NULL, &some, NULL, 0, NULL, NULL);
        break;
    case 3:
        error = clEnqueueMarkerWithWaitList(q, 0, &none, NULL);
        break;
    case 4:
        error = clEnqueueNDRangeKernel(q, k, 1, NULL, &huge, &huge, 0, NULL, NULL);
        break;
    case 5:
        error = clSetKernelArg(k, 0, 3, &p->object[0].mem);
        break;
    case 6:
        error = clSetKernelArg(k, 5, sizeof value, &value);
        break;
    case 7:
        error = clSetKernelArg(k, 1, 2, &value);
        break;
    case 8:
        error =
            clEnqueueReadBuffer(q, p->object[0].mem, CL_TRUE, p->object[0].bytes, 4, &value, 0, NULL, NULL);
        break;
    default: /* not a mistake on all drivers */
        error = clEnqueueNDRangeKernel(q, k, 1, NULL, &some, &odd, 0, NULL, NULL);
    }
    CL_CHECK(clReleaseKernel(fresh));
    CL_CHECK(clFinish(q));
    say(p, "mistake %u: %d", which, error);
}

/* ---- a program ------------------------------------------------------------------------------------- */

static void take_step(struct player *p)
{
    if (p->user.event && !p->user.steps--)
        set_user(p);
    const unsigned what = upto(p, 100);
    if (what < 45)
        launches(p);
    else if (what < 55)
        read_now(p);
    else if (what < 60)
        read_later(p);
    else if (what < 66)
        write_to(p);
    else if (what < 72)
        copy(p);
    else if (what < 76)
        fill_part(p);
    else if (what < 81)
        map(p);
    else if (what < 85)
        new_user(p);
    else if (what < 89)
        renew(p);
    else if (what < 91)
        new_kernel(p);
    else if (what < 92)
        new_program(p);
    else if (what < 93)
        new_queue(p);
    else if (what < 95)
        references(p);
    else if (what < 97)
        times(p);
    else
        wrong(p);
}

static void finish(struct player *p)
{
    settle(p);
    for (unsigned i = 0; i < p->nread; i++) {
        say(p, "read: %016llx", (unsigned long long)app_fnv1a(p->read[i].to, p->read[i].bytes));
        free(p->read[i].to);
    }
    for (unsigned i = 0; i < 5000 && atomic_load(&p->called) < p->expected; i++)
        usleep(1000);
    say(p, "%u callbacks of %u", atomic_load(&p->called), p->expected);
    for (struct object *o = p->object; o < p->object + OBJECTS; o++) {
        struct command c = {.q = &p->queue[0]};
        void *to = app_alloc(o->bytes);
        CL_CHECK(read_to(o, &c, CL_TRUE, to, NULL));
        say(p, "left in %d: %016llx", (int)(o - p->object), (unsigned long long)app_fnv1a(to, o->bytes));
        free(to);
        if (o->kind == SVM)
            clSVMFree(p->app->context, o->shared);
        else
            CL_CHECK(clReleaseMemObject(o->mem));
    }
    for (unsigned k = 0; k < KERNELS; k++)
        CL_CHECK(clReleaseKernel(p->kernel[k]));
    CL_CHECK(clReleaseProgram(p->program));
    for (unsigned i = 0; i < p->nqueue; i++)
        CL_CHECK(clReleaseCommandQueue(p->queue[i].handle));
}

static void *play(void *player)
{
    static const enum kind kinds[OBJECTS] = {INT,   INT,   INT, INT, INT,   FLOAT,
                                             FLOAT, FLOAT, SVM, SVM, IMAGE, IMAGE};
    struct player *p = player;
    struct app app = *p->app;
    size_t length;

    p->out = open_memstream(&p->text, &length);
    if (!p->out)
        exit(1);
    p->program = app_build(&app, p->source, "");
    for (unsigned k = 0; k < KERNELS; k++)
        p->kernel[k] = app_kernel(p->program, names[k]);
    for (unsigned i = 0; i < FAVOURITES; i++) {
        p->favourite[i].kernel = upto(p, KERNELS);
        p->favourite[i].seed = upto(p, 1u << 20);
    }
    p->alike = one_in(p, 2);
    p->nqueue = one_in(p, 2) ? 1 : 2 + upto(p, QUEUES - 1);
    for (unsigned i = 0; i < p->nqueue; i++) {
        struct queue *q = &p->queue[i];
        q->ordered = i == 0 || one_in(p, 2);
        q->timed = one_in(p, 2);
        make_queue(p, q);
    }
    for (unsigned i = 0; i < OBJECTS; i++)
        make(p, &p->object[i], kinds[i]);
    for (; p->step < p->steps; p->step++)
        take_step(p);
    finish(p);
    fclose(p->out);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct player player[MAX_THREADS];
    struct app app = {.name = "calls"};
    pthread_t thread[MAX_THREADS];

    if (argc < 4)
        return 2;
    const uint32_t seed = (uint32_t)strtoul(argv[2], NULL, 10);
    const unsigned threads = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1;
    char *source = app_read_text(argv[1]);
    if (!threads || threads > MAX_THREADS)
        return 2;
    app_open(&app);
    for (unsigned i = 0; i < threads; i++) {
        player[i].app = &app;
        player[i].source = source;
        player[i].seed = (seed + i) * 2654435761u;
        player[i].steps = (unsigned)strtoul(argv[3], NULL, 10);
        if (threads == 1)
            play(&player[i]);
        else if (pthread_create(&thread[i], NULL, play, &player[i]))
            return 1;
    }
    for (unsigned i = 0; i < threads; i++) {
        if (threads > 1)
            pthread_join(thread[i], NULL);
        fputs(player[i].text, stdout);
        free(player[i].text);
    }
    free(source);
    return app_end(&app);
}
