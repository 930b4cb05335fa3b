/* tiled.c - kernels that share tiles in local memory, whose groups must stay as they are: a matrix product, a
 * transposition, a blur.  On the host each element is computed alone, in the order of the kernel's additions.
 */
#include "reference.h"

static void host_mm_tiled(void *const *arg)
{
    const float *a = P(0), *b = P(1);
    float *c = P(2), sum = 0;
    const size_t n = (size_t)I(3), x = get_global_id(0), y = get_global_id(1);
    for (size_t k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

static void host_transpose_tiled(void *const *arg)
{
    const float *in = P(0);
    float *out = P(1);
    const size_t n = (size_t)I(2), x = get_global_id(0), y = get_global_id(1);
    out[x * n + y] = in[y * n + x];
}

static void host_blur_tiled(void *const *arg)
{
    const float *in = P(0);
    float *out = P(1), sum = 0;
    const size_t n = (size_t)I(2), x = get_global_id(0), y = get_global_id(1);
    for (size_t j = 0; j < 5; j++)
        for (size_t i = 0; i < 5; i++)
            sum += in[(y + j) * (n + 4) + x + i];
    out[y * n + x] = sum * 0.04f;
}

static void mm(struct bench *b, size_t n)
{
    unsigned x = bench_random(b, n * n), y = bench_random(b, n * n), z = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b, &(struct bench_step){
                      "mm_tiled", host_mm_tiled, 2, {n, n}, {16, 16}, {BUF(x), BUF(y), BUF(z), INT(n)}});
}

static void transpose(struct bench *b, size_t n)
{
    unsigned x = bench_random(b, n * n), y = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b,
               &(struct bench_step){
                   "transpose_tiled", host_transpose_tiled, 2, {n, n}, {16, 16}, {BUF(x), BUF(y), INT(n)}});
}

static void blur(struct bench *b, size_t n)
{
    unsigned x = bench_random(b, (n + 4) * (n + 4)), y = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b, &(struct bench_step){
                      "blur_tiled", host_blur_tiled, 2, {n, n}, {16, 16}, {BUF(x), BUF(y), INT(n)}});
}

const struct workload tiled[] = {
    {"mm_tiled", "tiled.cl", mm, 256, 16, 64, 2},
    {"transpose_tiled", "tiled.cl", transpose, 1024, 100, 64, 2},
    {"blur_tiled", "tiled.cl", blur, 1024, 30, 64, 2},
    {0},
};
