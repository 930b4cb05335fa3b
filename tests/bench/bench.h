/* bench.h - workloads of the benchmark: programs given as data.
 *
 * A workload is a pool of buffers, and steps: launches of kernels over them.  A run repeats the steps.  Its
 * set-up function describes it, once per run, in terms of a problem size n:
 *
 *     static void gemm(struct bench *b, size_t n)
 *     {
 *         unsigned a = bench_random(b, n * n), ...
 *         bench_step(b, &(struct bench_step){"gemm", host_gemm, 2, {n, n}, {32, 8}, {BUF(a), ..., INT(n)}});
 *     }
 *
 * The kernels are in ../kernels/.  Each is compiled twice: by the OpenCL driver, and (reference.h) by the C
 * compiler, which makes the host function that the results are compared with. */
#pragma once

#include "apps/common.h"

enum {
    BENCH_BUFFERS = 16,
    BENCH_STEPS = 8,
    BENCH_ARGS = 16,
};

enum bench_type { BENCH_FLOAT, BENCH_INT, BENCH_CHAR };

struct bench_buffer {
    enum bench_type type;
    size_t count; /* elements */
    void *data;   /* initial contents, owned */
};

/* BENCH_REPEAT: an int, `value` plus the number of the repetition, which begins anew after `count`. */
enum bench_kind { BENCH_NONE, BENCH_BUFFER, BENCH_INTEGER, BENCH_REAL, BENCH_REPEAT };

struct bench_arg {
    enum bench_kind kind;
    int value; /* BENCH_BUFFER: its index */
    float real;
    int count;
};
#define BUF(index)                                                                                           \
    {                                                                                                        \
        .kind = BENCH_BUFFER, .value = (int)(index)                                                          \
    }
#define INT(number)                                                                                          \
    {                                                                                                        \
        .kind = BENCH_INTEGER, .value = (int)(number)                                                        \
    }
#define FLT(number)                                                                                          \
    {                                                                                                        \
        .kind = BENCH_REAL, .real = (number)                                                                 \
    }
#define REPEAT(first, times)                                                                                 \
    {                                                                                                        \
        .kind = BENCH_REPEAT, .value = (first), .count = (int)(times)                                        \
    }

/* What an argument that is an int has in this repetition. */
static inline int bench_value(const struct bench_arg *a, int repetition)
{
    return a->value + (a->kind == BENCH_REPEAT ? repetition % a->count : 0);
}

/* Runs a work-item (its ids are in bench_item) on the host; arg[i] points to the buffer or the value. */
typedef void bench_host(void *const *arg);

struct bench_step {
    const char *kernel;
    bench_host *host;
    unsigned dim;
    size_t global[3];                 /* entries beyond dim: any */
    size_t own[3];                    /* the local size that such codes ship with; own[0] == 0: NULL */
    struct bench_arg arg[BENCH_ARGS]; /* up to the first BENCH_NONE */
};

struct bench {
    struct bench_buffer buffer[BENCH_BUFFERS];
    unsigned nbuffer;
    struct bench_step step[BENCH_STEPS];
    unsigned nstep;
};

struct workload {
    const char *name;
    const char *file; /* in ../kernels/ */
    void (*set_up)(struct bench *b, size_t n);
    size_t n;
    unsigned repeat;
    size_t small_n; /* for checks against the host, and simulators */
    unsigned small_repeat;
};

/* The tables, ended by a row without a name. */
extern const struct workload rodinia[], polybench[], parboil[], lift[], tiled[];
extern const struct workload variants[]; /* not in --list: further shapes of [W] Table 4 */
extern const struct workload by_hand[];  /* nor is this: what by_hand.json offers kernels for */

/* Buffers; all return the index.  Random: floats in [0, 1). */
unsigned bench_random(struct bench *b, size_t count);
unsigned bench_zeros(struct bench *b, enum bench_type type, size_t count);
/* `data` becomes the bench's. */
unsigned bench_data(struct bench *b, enum bench_type type, size_t count, void *data);
void bench_step(struct bench *b, const struct bench_step *step);

/* n rounded up to a multiple of m: how such codes make their global sizes. */
static inline size_t bench_round_up(size_t n, size_t m)
{
    return (n + m - 1) / m * m;
}

/* The work-item that runs on the host. */
struct bench_item {
    size_t id[3], global[3];
};
extern struct bench_item bench_item;
