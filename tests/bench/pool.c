/* pool.c - how set-up functions describe a workload, and the run of its steps on the host. */
#include "bench.h"

#include "pool.h"

#include <math.h>
#include <string.h>

struct bench_item bench_item;

static const size_t element_bytes[] = {
    [BENCH_FLOAT] = sizeof(float), [BENCH_INT] = sizeof(int), [BENCH_CHAR] = sizeof(char)};

size_t bench_bytes(const struct bench_buffer *buffer)
{
    return buffer->count * element_bytes[buffer->type];
}

static void too_many(const char *what)
{
    fprintf(stderr, "bench: a workload has too many %s\n", what);
    exit(1);
}

unsigned bench_data(struct bench *b, enum bench_type type, size_t count, void *data)
{
    if (b->nbuffer == BENCH_BUFFERS)
        too_many("buffers");
    b->buffer[b->nbuffer] = (struct bench_buffer){type, count, data};
    return b->nbuffer++;
}

unsigned bench_random(struct bench *b, size_t count)
{
    return bench_data(b, BENCH_FLOAT, count, app_random_floats(count, 100 + b->nbuffer));
}

unsigned bench_zeros(struct bench *b, enum bench_type type, size_t count)
{
    return bench_data(b, type, count, app_alloc(count * element_bytes[type]));
}

void bench_step(struct bench *b, const struct bench_step *step)
{
    if (b->nstep == BENCH_STEPS)
        too_many("steps");
    struct bench_step *s = &b->step[b->nstep++];
    *s = *step;
    for (unsigned d = 0; d < 3; d++) {
        s->global[d] = d < s->dim ? s->global[d] : 1;
        s->own[d] = s->own[0] && s->own[d] == 0 ? 1 : s->own[d];
    }
}

void bench_free(struct bench *b)
{
    for (unsigned i = 0; i < b->nbuffer; i++)
        free(b->buffer[i].data);
}

unsigned bench_nargs(const struct bench_step *s)
{
    unsigned n = 0;
    while (n < BENCH_ARGS && s->arg[n].kind != BENCH_NONE)
        n++;
    return n;
}

void bench_poor_size(const struct bench_step *s, size_t local[3])
{
    static const size_t poor[4][3] = {{0}, {4, 1, 1}, {1, 32, 1}, {1, 1, 8}};
    for (unsigned d = 0; d < 3; d++) {
        local[d] = poor[s->dim][d];
        while (s->global[d] % local[d])
            local[d] /= 2;
    }
}

static void run_step(const struct bench *b, const struct bench_step *s, int repetition)
{
    int value[BENCH_ARGS];
    float real[BENCH_ARGS];
    void *arg[BENCH_ARGS];
    for (unsigned i = 0; i < bench_nargs(s); i++) {
        const struct bench_arg *a = &s->arg[i];
        value[i] = bench_value(a, repetition);
        real[i] = a->real;
        arg[i] = a->kind == BENCH_BUFFER ? b->buffer[a->value].data
                 : a->kind == BENCH_REAL ? (void *)&real[i]
                                         : (void *)&value[i];
    }
    memcpy(bench_item.global, s->global, sizeof bench_item.global);
    for (bench_item.id[2] = 0; bench_item.id[2] < s->global[2]; bench_item.id[2]++)
        for (bench_item.id[1] = 0; bench_item.id[1] < s->global[1]; bench_item.id[1]++)
            for (bench_item.id[0] = 0; bench_item.id[0] < s->global[0]; bench_item.id[0]++)
                s->host(arg);
}

void bench_run_on_host(struct bench *b, unsigned repeat)
{
    for (unsigned r = 0; r < repeat; r++)
        for (unsigned i = 0; i < b->nstep; i++)
            run_step(b, &b->step[i], (int)r);
}

void bench_compare(struct app *app, const struct bench_buffer *want, const void *got)
{
    for (size_t i = 0; i < want->count; i++) {
        if (want->type == BENCH_FLOAT)
            app_expect_near(app, i, ((const float *)got)[i], ((const float *)want->data)[i]);
        else if (want->type == BENCH_INT)
            app_expect_int(app, i, ((const int *)got)[i], ((const int *)want->data)[i]);
        else
            app_expect_int(app, i, ((const char *)got)[i], ((const char *)want->data)[i]);
    }
}
