/* noise.c - see noise.h. */
#include "shim/tune/noise.h"
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include "select/select.h"
#include "shim/guest/next.h"
#include "shim/tune/compare.h"

/* So many numbers, again and again: a prime, so that rows of an array do not hold the same ones. */
#define NUMBERS 65521

#define MAY_ROUND                                                                                            \
    "it may round a product and its sum once in one kernel and twice in another that does the same, and "

/* Never freed: a driver may still read them when nobody waits any more. */
static float floats[NUMBERS];
static double doubles[NUMBERS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

/* Xorshift (Marsaglia). */
static void make(void)
{
    uint64_t x = 88172645463325252;

    for (size_t i = 0; i < NUMBERS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        floats[i] = 0.5f + 1.5f * (float)(x >> 40) * 0x1p-24f;
        doubles[i] = 0.5 + 1.5 * (double)(x >> 11) * 0x1p-53;
    }
}

static const char *noise_of(size_t size)
{
    pthread_once(&made, make);
    return size == sizeof *floats ? (const char *)floats : (const char *)doubles;
}

/* Of the argument, as compare_number_size(); 0, too, if there is no buffer. */
static size_t size_of(const struct launching *l, unsigned i)
{
    const struct shim_arg *a = &l->kernel->args[i];
    cl_mem m = NULL;

    if (l->site->entry->summary->args[i].kind == SUM_ARG_BUFFER && a->set && a->size == sizeof m)
        memcpy(&m, a->value, sizeof m);
    return m ? compare_number_size(l, m) : 0;
}

const char *noise_problem(const struct launching *l)
{
    const struct kernel_summary *k = l->site->entry->summary;
    const char *problem;
    uint64_t any = 0;
    bool writes = false;

    if (k->nargs != l->kernel->nargs)
        return "argument-unknown";
    for (unsigned i = 0; i < k->nargs; i++) {
        if (!size_of(l, i))
            continue;
        any |= sel_argument_bit(i);
        writes |= k->args[i].may_write;
    }
    if (!writes)
        return MAY_ROUND "writes no buffer of floating-point numbers that would show it";
    if (!sel_keeps_its_way(k, any))
        return MAY_ROUND "random numbers cannot show it, since branches or places may depend on them";
    problem = sandbox_problem(l, true);
    if (!problem && 2 * sandbox_bytes(l, true) > (uint64_t)l->rt->opt.sandbox << 20) /* of both kernels */
        problem = "sandbox-too-large";
    return problem;
}

const char *noise_fix_scalars(const struct launching *l, struct variant *v, uint64_t steady)
{
    const struct kernel_summary *k = l->site->entry->summary;

    for (unsigned i = 0; i < k->nargs; i++) {
        const struct shim_arg *a = &l->kernel->args[i];
        if (k->args[i].kind != SUM_ARG_SCALAR || (i < v->nvalue && v->value[i].fixed))
            continue;
        if (i >= v->nvalue || !(steady & sel_argument_bit(i)) || !a->set ||
            a->size > sizeof v->value[i].value)
            return MAY_ROUND "another value of a scalar may have it compute something else";
        variant_fix(v, l->kernel, i);
    }
    return NULL;
}

/* A copy of a buffer of numbers of this size. */
static bool fill(const struct launching *l, cl_mem copy, size_t bytes, size_t number)
{
    const char *from = noise_of(number);

    for (size_t at = 0; at < bytes; at += NUMBERS * number) {
        const size_t n = bytes - at < NUMBERS * number ? bytes - at : NUMBERS * number;
        cl_event done = NULL;
        if (next()->clEnqueueWriteBuffer(l->call->queue, copy, CL_FALSE, at, n, from, 0, NULL, &done) ||
            sandbox_finish(l, done, rt_wait_ns(l->rt)) != CL_COMPLETE)
            return false;
    }
    return true;
}

bool noise_fill(const struct sandbox *b, const struct launching *l)
{
    for (unsigned i = 0; i < b->n; i++) {
        const size_t number = compare_number_size(l, b->buffer[i].original);
        if (number && !fill(l, b->buffer[i].copy, b->buffer[i].size, number))
            return false;
    }
    return true;
}

void noise_look(void *to, cl_mem original, size_t at, size_t bytes, const char *data)
{
    struct noise_seen *seen = to;
    const size_t number = compare_number_size(seen->l, original);

    for (size_t i = 0; number && i + number <= bytes; i += number) {
        const size_t nth = (at + i) / number % NUMBERS;
        double d;
        if (memcmp(data + i, noise_of(number) + nth * number, number) == 0)
            continue;
        seen->changed++;
        d = compare_number_at(data + i, number);
        seen->usual += isfinite(d) && fabs(d) > 0;
    }
}
