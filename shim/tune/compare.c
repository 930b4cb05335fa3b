/* compare.c - see compare.h. */
#include "shim/tune/compare.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 20) /* bytes that are compared at a time */

/* A driver may still write into one that was lost, so that is kept. */
struct room {
    struct room *older;
    char bytes[2 * CHUNK];
};
static _Atomic(struct room *) lost;

/* What a comparison needs. */
struct comparing {
    const struct launching *l;
    double tolerance;
    cl_mem stage; /* of CHUNK bytes, for buffers of the program that the host may not read */
    char *room;   /* two chunks */
    bool lost;    /* a read into it was not waited for to its end */
    compare_look *look;
    void *to;
};

/* Not for ever: what another thread has enqueued meanwhile may wait for this one. */
static bool wait_for(struct comparing *c, cl_event done)
{
    const cl_int status = sandbox_finish(c->l, done, rt_wait_ns(c->l->rt));

    c->lost |= status == CL_QUEUED;
    return status == CL_COMPLETE;
}

static bool fetch(struct comparing *c, cl_mem m, size_t at, size_t bytes, char *to)
{
    cl_event done = NULL;

    return next()->clEnqueueReadBuffer(c->l->call->queue, m, CL_FALSE, at, bytes, to, 0, NULL, &done) ==
               CL_SUCCESS &&
           wait_for(c, done);
}

static bool fetch_staged(struct comparing *c, cl_mem m, size_t at, size_t bytes, char *to)
{
    cl_event done = NULL;

    return next()->clEnqueueCopyBuffer(c->l->call->queue, m, c->stage, at, 0, bytes, 0, NULL, &done) ==
               CL_SUCCESS &&
           wait_for(c, done) && fetch(c, c->stage, 0, bytes, to);
}

static bool host_may_read(cl_mem m)
{
    cl_mem_flags flags = 0;

    return next()->clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL) == CL_SUCCESS &&
           !(flags & (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY));
}

/* Size of the numbers if the type, "float4*", is of nothing but floating point; else 0. */
static size_t float_type_size(const char *type)
{
    const size_t size = strncmp(type, "float", 5) == 0    ? sizeof(float)
                        : strncmp(type, "double", 6) == 0 ? sizeof(double)
                                                          : 0;
    const char *lanes = type + (size == sizeof(float) ? 5 : 6);

    return size && lanes[strspn(lanes, "0123456789")] == '*' ? size : 0;
}

size_t compare_number_size(const struct launching *l, cl_mem m)
{
    const struct kernel_summary *k = l->site->entry->summary;
    size_t size = 0, here;

    for (unsigned i = 0; i < l->kernel->nargs; i++) {
        const struct shim_arg *a = &l->kernel->args[i];
        if (k->args[i].kind != SUM_ARG_BUFFER || a->size != sizeof m || memcmp(a->value, &m, sizeof m) != 0)
            continue;
        here = float_type_size(k->args[i].type);
        if (!here || (size && here != size))
            return 0;
        size = here;
    }
    return size;
}

double compare_number_at(const char *at, size_t size)
{
    double d;
    float f;

    if (size == sizeof d)
        return memcpy(&d, at, sizeof d), d;
    return memcpy(&f, at, sizeof f), (double)f;
}

/* The first byte that differs, by more than the tolerance where there are numbers of `size` bytes;
 * `bytes`: none. */
static size_t difference(const struct comparing *c, size_t bytes, size_t size)
{
    for (size_t i = 0; i < bytes; i++) {
        const size_t start = size ? i - i % size : i;
        double a, b;
        if (c->room[i] == c->room[CHUNK + i])
            continue;
        if (!size || c->tolerance <= 0 || start + size > bytes)
            return i;
        a = compare_number_at(c->room + start, size);
        b = compare_number_at(c->room + CHUNK + start, size);
        if (!isfinite(a) || !isfinite(b) ||
            fabs(a - b) > c->tolerance * (fabs(a) > fabs(b) ? fabs(a) : fabs(b)))
            return i;
        i = start + size - 1;
    }
    return bytes;
}

/* Compare the `nth` copy of `b` with that in `with`, or with the original. */
static enum variant_result compare(struct comparing *c, const struct sandbox *b, const struct sandbox *with,
                                   unsigned nth, char words[COMPARE_WORDS])
{
    const cl_mem original = b->buffer[nth].original, other = with ? with->buffer[nth].copy : original;
    const bool readable = host_may_read(other);
    const size_t end = b->buffer[nth].end,
                 number = c->tolerance > 0 ? compare_number_size(c->l, original) : 0;

    for (size_t at = b->buffer[nth].begin; at < end; at += CHUNK) {
        const size_t bytes = end - at < CHUNK ? end - at : CHUNK;
        size_t i;
        if (!(readable ? fetch : fetch_staged)(c, other, at, bytes, c->room) ||
            !fetch(c, b->buffer[nth].copy, at, bytes, c->room + CHUNK))
            return VARIANT_NEVER;
        if (c->look)
            c->look(c->to, original, at, bytes, c->room);
        if (memcmp(c->room, c->room + CHUNK, bytes) == 0)
            continue;
        i = difference(c, bytes, number);
        if (i == bytes)
            continue;
        if (number)
            snprintf(words, COMPARE_WORDS,
                     "number %zu of a buffer is %.9g, and %.9g with the program's kernel", (at + i) / number,
                     compare_number_at(c->room + CHUNK + i - i % number, number),
                     compare_number_at(c->room + i - i % number, number));
        else
            snprintf(words, COMPARE_WORDS,
                     "byte %zu of a buffer is 0x%02x, and 0x%02x with the program's kernel", at + i,
                     (unsigned char)c->room[CHUNK + i], (unsigned char)c->room[i]);
        return VARIANT_DIFFERS;
    }
    return VARIANT_WORKS;
}

enum variant_result compare_copies(const struct launching *l, const struct sandbox *b,
                                   const struct sandbox *with, double tolerance, compare_look *look, void *to,
                                   char words[COMPARE_WORDS])
{
    struct room *const room = malloc(sizeof *room);
    struct comparing c = {.l = l,
                          .tolerance = tolerance,
                          .stage =
                              next()->clCreateBuffer(l->queue->context, CL_MEM_READ_WRITE, CHUNK, NULL, NULL),
                          .room = room ? room->bytes : NULL,
                          .look = look,
                          .to = to};
    enum variant_result result = c.stage && c.room ? VARIANT_WORKS : VARIANT_NEVER;

    for (unsigned i = 0; i < b->n && result == VARIANT_WORKS; i++)
        result = compare(&c, b, with, i, words);
    if (c.stage)
        next()->clReleaseMemObject(c.stage);
    if (!c.lost) {
        free(room);
        return result;
    }
    room->older = atomic_load(&lost);
    while (!atomic_compare_exchange_weak(&lost, &room->older, room))
        ;
    return result;
}
