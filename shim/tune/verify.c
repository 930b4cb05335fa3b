/* verify.c - see verify.h. */
#include "shim/tune/verify.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/enqueue/split.h"
#include "shim/enqueue/variant_launch.h"
#include "shim/guest/clock.h"
#include "shim/object/private_kernel.h"
#include "shim/site/hazard.h"
#include "shim/site/times.h"
#include "shim/tune/sandbox.h"

#define CHUNK   ((size_t)1 << 20) /* bytes that are compared at a time */
#define WAIT_NS 10000000000       /* for both kernels */

static bool wait_for(const struct launching *l, cl_event event)
{
    bool ok = true;

    if (event) {
        next()->clFlush(l->call->queue);
        ok = split_wait(event, clock_now() + WAIT_NS, NULL) == CL_COMPLETE;
        hazard_waited(l, ok);
    }
    return ok;
}

/* The device's time if it tells, else that of the host. */
static void note_time(const struct launching *l, cl_event done, int64_t host, int64_t *took)
{
    struct times t;
    const bool told = l->queue->timed && times_of(l->queue->device, done, done, &t);
    const int64_t ns = told ? (int64_t)(t.end - t.start) : host;

    if (ns < *took)
        *took = ns;
}

/* Run `kernel`, which works on the copies of `b`, and wait for it.  *took: how long that was, unless it is
 * less already. */
static bool run(const struct launching *l, const struct sandbox *b, cl_kernel kernel, const size_t offset[3],
                const size_t global[3], const size_t *local, int64_t *took)
{
    const struct call *c = l->call;
    cl_event filled = NULL, done = NULL;
    bool ok = sandbox_fill(b, l, &filled) && wait_for(l, filled);
    const int64_t begin = clock_now();

    ok = ok && next()->clEnqueueNDRangeKernel(c->queue, kernel, c->dim, c->offset ? offset : NULL, global,
                                              local, 0, NULL, &done) == CL_SUCCESS;
    ok = ok && wait_for(l, done);
    if (ok)
        note_time(l, done, clock_now() - begin, took);
    if (done)
        next()->clReleaseEvent(done);
    if (filled)
        next()->clReleaseEvent(filled);
    return ok;
}

static bool run_variant(const struct launching *l, struct variant *v, const size_t local[3],
                        const struct sandbox *b, int64_t *took)
{
    struct private_kernel *p = private_find(l->kernel, v->id);
    size_t global[3], offset[3];
    cl_kernel kernel;
    bool ok;

    if (!p || !variant_range(v, &l->shape, local, global, offset) || !(kernel = variant_take(l, v, p)))
        return false;
    ok = sandbox_redirect(b, l, kernel) && run(l, b, kernel, offset, global, local[0] ? local : NULL, took);
    private_give_back(p, l->kernel);
    return ok;
}

static bool fetch(const struct launching *l, cl_mem m, size_t at, size_t bytes, void *to)
{
    return next()->clEnqueueReadBuffer(l->call->queue, m, CL_TRUE, at, bytes, to, 0, NULL, NULL) ==
           CL_SUCCESS;
}

/* Compare one pair of copies through `room`, of two chunks. */
static enum verified compare(const struct launching *l, cl_mem x, cl_mem y, size_t size, char *room,
                             char words[96])
{
    for (size_t at = 0; at < size; at += CHUNK) {
        const size_t bytes = size - at < CHUNK ? size - at : CHUNK;
        size_t i = 0;
        if (!fetch(l, x, at, bytes, room) || !fetch(l, y, at, bytes, room + CHUNK))
            return VERIFIED_NOT;
        while (i < bytes && room[i] == room[CHUNK + i])
            i++;
        if (i == bytes)
            continue;
        snprintf(words, 96, "byte %zu of a buffer is 0x%02x, and 0x%02x with the program's kernel", at + i,
                 (unsigned char)room[CHUNK + i], (unsigned char)room[i]);
        return VERIFIED_DIFFERENT;
    }
    return VERIFIED_EQUAL;
}

static enum verified compare_all(const struct launching *l, const struct sandbox *x, const struct sandbox *y,
                                 char words[96])
{
    char *room = malloc(2 * CHUNK);
    enum verified result = room ? VERIFIED_EQUAL : VERIFIED_NOT;

    for (unsigned i = 0; i < x->n && result == VERIFIED_EQUAL; i++)
        result = compare(l, x->buffer[i].copy, y->buffer[i].copy, x->buffer[i].size, room, words);
    free(room);
    return result;
}

enum verified verify_variant(const struct launching *l, struct variant *v, const size_t local[3],
                             int64_t took[2], const char **detail)
{
    static _Thread_local char words[96];
    const int64_t begin = clock_now();
    struct sandbox own = {0}, other = {0};
    enum verified result = VERIFIED_NOT;

    took[0] = took[1] = INT64_MAX;
    *detail = sandbox_problem(l);
    if (*detail)
        return VERIFIED_NOT;
    if (!hazard_may_wait(l) || l->call->nwait)
        return VERIFIED_LATER;
    if (sandbox_open(&own, l) && sandbox_open(&other, l) &&
        run(l, &own, own.kernel, l->shape.offset, l->shape.global, l->call->local, &took[0]) &&
        run_variant(l, v, local, &other, &took[1]))
        result = compare_all(l, &own, &other, words);
    if (result == VERIFIED_EQUAL) /* the first run may have compiled it */
        run_variant(l, v, local, &other, &took[1]);
    sandbox_close(&own);
    sandbox_close(&other);
    l->site->account.spent_ns += clock_now() - begin;
    *detail = result == VERIFIED_DIFFERENT ? words : "no-copies";
    return result;
}
