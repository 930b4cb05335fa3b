/* lift.c - the eight stencils of [L] Table 2, with 16x16, the size of SHOC's and Rodinia's stencils.  They go
 * back and forth between two grids where there is one; SRAD's two kernels alternate. */
#include "reference.h"

#include "kernels/lift_stencils.cl"

HOST(stencil2d_9pt, P(0), P(1), I(2), I(3), F(4), F(5), F(6))
HOST(srad1, P(0), P(1), I(2), I(3), F(4))
HOST(srad2, P(0), P(1), P(2), I(3), I(4), F(5))
HOST(hotspot2d, P(0), P(1), P(2), I(3), I(4), F(5), F(6), F(7), F(8))
HOST(gradient, P(0), P(1), I(2), I(3))
HOST(jacobi_5pt, P(0), P(1), I(2), I(3))
HOST(jacobi_9pt, P(0), P(1), I(2), I(3))
HOST(gaussian_25pt, P(0), P(1), P(2), I(3), I(4))

#define OVER(n)                                                                                              \
    2, {n, n},                                                                                               \
    {                                                                                                        \
        16, 16                                                                                               \
    }

static void stencil2d(struct bench *b, size_t n)
{
    unsigned a = bench_random(b, n * n), c = bench_random(b, n * n);
    for (int back = 0; back < 2; back++)
        bench_step(b, &(struct bench_step){"stencil2d_9pt",
                                           host_stencil2d_9pt,
                                           OVER(n),
                                           {BUF(back ? c : a), BUF(back ? a : c), INT(n), INT(n), FLT(0.25f),
                                            FLT(0.15f), FLT(0.0375f)}});
}

/* An image of positive intensities. */
static unsigned image(struct bench *b, size_t n)
{
    float *f = app_random_floats(n * n, 23);
    for (size_t i = 0; i < n * n; i++)
        f[i] += 0.5f;
    return bench_data(b, BENCH_FLOAT, n * n, f);
}

static void srad1_program(struct bench *b, size_t n)
{
    unsigned in = image(b, n), coefficient = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b, &(struct bench_step){
                      "srad1", host_srad1, OVER(n), {BUF(in), BUF(coefficient), INT(n), INT(n), FLT(0.05f)}});
}

static void srad2_program(struct bench *b, size_t n)
{
    unsigned in = image(b, n), coefficient = bench_random(b, n * n), out = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b, &(struct bench_step){"srad2",
                                       host_srad2,
                                       OVER(n),
                                       {BUF(out), BUF(coefficient), BUF(in), INT(n), INT(n), FLT(0.5f)}});
}

static void hotspot(struct bench *b, size_t n)
{
    unsigned power = bench_random(b, n * n), a = image(b, n), c = bench_zeros(b, BENCH_FLOAT, n * n);
    for (int back = 0; back < 2; back++)
        bench_step(b, &(struct bench_step){"hotspot2d",
                                           host_hotspot2d,
                                           OVER(n),
                                           {BUF(power), BUF(back ? c : a), BUF(back ? a : c), INT(n), INT(n),
                                            FLT(0.1f), FLT(0.2f), FLT(0.2f), FLT(0.01f)}});
}

static void gradient_program(struct bench *b, size_t n)
{
    unsigned in = image(b, n), out = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b,
               &(struct bench_step){"gradient", host_gradient, OVER(n), {BUF(in), BUF(out), INT(n), INT(n)}});
}

static void jacobi(struct bench *b, size_t n, const char *kernel, bench_host *host)
{
    unsigned a = bench_random(b, n * n), c = bench_random(b, n * n);
    for (int back = 0; back < 2; back++)
        bench_step(b, &(struct bench_step){
                          kernel, host, OVER(n), {BUF(back ? c : a), BUF(back ? a : c), INT(n), INT(n)}});
}

static void jacobi5(struct bench *b, size_t n)
{
    jacobi(b, n, "jacobi_5pt", host_jacobi_5pt);
}

static void jacobi9(struct bench *b, size_t n)
{
    jacobi(b, n, "jacobi_9pt", host_jacobi_9pt);
}

static void gaussian25(struct bench *b, size_t n)
{
    unsigned in = bench_random(b, n * n), out = bench_zeros(b, BENCH_FLOAT, n * n),
             weight = bench_random(b, 25);
    bench_step(b, &(struct bench_step){"gaussian_25pt",
                                       host_gaussian_25pt,
                                       OVER(n),
                                       {BUF(in), BUF(out), BUF(weight), INT(n), INT(n)}});
}

const struct workload lift[] = {
    {"stencil2d", "lift_stencils.cl", stencil2d, 2048, 50, 64, 2},
    {"srad1", "lift_stencils.cl", srad1_program, 1024, 300, 64, 2},
    {"srad2", "lift_stencils.cl", srad2_program, 1024, 300, 64, 2},
    {"hotspot2d", "lift_stencils.cl", hotspot, 1024, 200, 64, 2},
    {"gradient", "lift_stencils.cl", gradient_program, 2048, 200, 64, 2},
    {"jacobi5", "lift_stencils.cl", jacobi5, 2048, 100, 64, 2},
    {"jacobi9", "lift_stencils.cl", jacobi9, 2048, 20, 64, 2},
    {"gaussian25", "lift_stencils.cl", gaussian25, 1024, 40, 64, 2},
    {0},
};
