/* polybench.c - the fifteen programs of [C] Table 4, with the local sizes of PolyBench for GPUs: 32x8 in two
 * dimensions, 256 in one.  Problem sizes suit two CPU cores. */
#include "reference.h"

#include "kernels/polybench_conv.cl"
#include "kernels/polybench_fdtd.cl"
#include "kernels/polybench_gramschmidt.cl"
#include "kernels/polybench_mm.cl"
#include "kernels/polybench_mv.cl"
#include "kernels/polybench_stat.cl"

HOST(conv2d_3x3, P(0), P(1), I(2), I(3))
HOST(conv3d_plane, P(0), P(1), I(2), I(3), I(4))
HOST(fdtd_ey, P(0), P(1), P(2), I(3), I(4), I(5))
HOST(fdtd_ex, P(0), P(1), I(2), I(3))
HOST(fdtd_hz, P(0), P(1), P(2), I(3), I(4))
HOST(gramschmidt_norm, P(0), P(1), I(2), I(3), I(4))
HOST(gramschmidt_column, P(0), P(1), P(2), I(3), I(4), I(5))
HOST(gramschmidt_update, P(0), P(1), P(2), I(3), I(4), I(5))
HOST(gemm, P(0), P(1), P(2), F(3), F(4), I(5), I(6), I(7))
HOST(mm_product, P(0), P(1), P(2), I(3), I(4), I(5))
HOST(syrk, P(0), P(1), F(2), F(3), I(4), I(5))
HOST(syr2k, P(0), P(1), P(2), F(3), F(4), I(5), I(6))
HOST(mv_rows, P(0), P(1), P(2), I(3), I(4))
HOST(mv_columns, P(0), P(1), P(2), I(3), I(4))
HOST(mvt_rows, P(0), P(1), P(2), I(3))
HOST(mvt_columns, P(0), P(1), P(2), I(3))
HOST(gesummv, P(0), P(1), P(2), P(3), P(4), F(5), F(6), I(7))
HOST(stat_mean, P(0), P(1), I(2), I(3))
HOST(stat_deviation, P(0), P(1), P(2), I(3), I(4))
HOST(corr_reduce, P(0), P(1), P(2), P(3), I(4), I(5))
HOST(covar_reduce, P(0), P(1), P(2), I(3), I(4))
HOST(stat_products, P(0), P(1), I(2), I(3))

/* Global and local size of a launch over columns x rows, and of one over n. */
#define OVER2(columns, rows)                                                                                 \
    2, {bench_round_up(columns, 32), bench_round_up(rows, 8)},                                               \
    {                                                                                                        \
        32, 8                                                                                                \
    }
#define OVER1(n)                                                                                             \
    1, {bench_round_up(n, 256)},                                                                             \
    {                                                                                                        \
        256                                                                                                  \
    }

static void conv2d(struct bench *b, size_t n)
{
    unsigned in = bench_random(b, n * n), out = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b, &(struct bench_step){
                      "conv2d_3x3", host_conv2d_3x3, OVER2(n, n), {BUF(in), BUF(out), INT(n), INT(n)}});
}

/* One launch per inner plane, a quarter as many planes as rows. */
static void conv3d(struct bench *b, size_t n)
{
    size_t all = n * n * n / 4;
    unsigned in = bench_random(b, all), out = bench_zeros(b, BENCH_FLOAT, all);
    bench_step(b, &(struct bench_step){"conv3d_plane",
                                       host_conv3d_plane,
                                       OVER2(n, n),
                                       {BUF(in), BUF(out), INT(n), INT(n), REPEAT(1, n / 4 - 2)}});
}

/* c = a * b */
static void product(struct bench *b, size_t n, unsigned x, unsigned y, unsigned out)
{
    bench_step(b, &(struct bench_step){"mm_product",
                                       host_mm_product,
                                       OVER2(n, n),
                                       {BUF(x), BUF(y), BUF(out), INT(n), INT(n), INT(n)}});
}

static void mm2(struct bench *b, size_t n)
{
    unsigned x = bench_random(b, n * n), y = bench_random(b, n * n), z = bench_random(b, n * n);
    unsigned xy = bench_zeros(b, BENCH_FLOAT, n * n), xyz = bench_zeros(b, BENCH_FLOAT, n * n);
    product(b, n, x, y, xy);
    product(b, n, xy, z, xyz);
}

static void mm3(struct bench *b, size_t n)
{
    unsigned x = bench_random(b, n * n), y = bench_random(b, n * n), z = bench_random(b, n * n);
    unsigned w = bench_random(b, n * n), xy = bench_zeros(b, BENCH_FLOAT, n * n);
    unsigned zw = bench_zeros(b, BENCH_FLOAT, n * n), out = bench_zeros(b, BENCH_FLOAT, n * n);
    product(b, n, x, y, xy);
    product(b, n, z, w, zw);
    product(b, n, xy, zw, out);
}

static void gemm_program(struct bench *b, size_t n)
{
    unsigned x = bench_random(b, n * n), y = bench_random(b, n * n), z = bench_random(b, n * n);
    bench_step(b,
               &(struct bench_step){"gemm",
                                    host_gemm,
                                    OVER2(n, n),
                                    {BUF(x), BUF(y), BUF(z), FLT(1.5f), FLT(0.5f), INT(n), INT(n), INT(n)}});
}

static void syrk_program(struct bench *b, size_t n)
{
    unsigned x = bench_random(b, n * n), z = bench_random(b, n * n);
    bench_step(b,
               &(struct bench_step){
                   "syrk", host_syrk, OVER2(n, n), {BUF(x), BUF(z), FLT(1.5f), FLT(0.5f), INT(n), INT(n)}});
}

static void syr2k_program(struct bench *b, size_t n)
{
    unsigned x = bench_random(b, n * n), y = bench_random(b, n * n), z = bench_random(b, n * n);
    bench_step(b, &(struct bench_step){"syr2k",
                                       host_syr2k,
                                       OVER2(n, n),
                                       {BUF(x), BUF(y), BUF(z), FLT(1.5f), FLT(0.5f), INT(n), INT(n)}});
}

static void rows(struct bench *b, size_t n, unsigned a, unsigned x, unsigned y)
{
    bench_step(
        b, &(struct bench_step){"mv_rows", host_mv_rows, OVER1(n), {BUF(a), BUF(x), BUF(y), INT(n), INT(n)}});
}

static void columns(struct bench *b, size_t n, unsigned a, unsigned x, unsigned y)
{
    bench_step(b, &(struct bench_step){
                      "mv_columns", host_mv_columns, OVER1(n), {BUF(a), BUF(x), BUF(y), INT(n), INT(n)}});
}

static void atax(struct bench *b, size_t n)
{
    unsigned a = bench_random(b, n * n), x = bench_random(b, n);
    unsigned ax = bench_zeros(b, BENCH_FLOAT, n), y = bench_zeros(b, BENCH_FLOAT, n);
    rows(b, n, a, x, ax);
    columns(b, n, a, ax, y);
}

static void bicg(struct bench *b, size_t n)
{
    unsigned a = bench_random(b, n * n), p = bench_random(b, n), r = bench_random(b, n);
    unsigned q = bench_zeros(b, BENCH_FLOAT, n), s = bench_zeros(b, BENCH_FLOAT, n);
    rows(b, n, a, p, q);
    columns(b, n, a, r, s);
}

static void mvt(struct bench *b, size_t n)
{
    unsigned a = bench_random(b, n * n), x1 = bench_random(b, n), x2 = bench_random(b, n);
    unsigned y1 = bench_random(b, n), y2 = bench_random(b, n);
    bench_step(b,
               &(struct bench_step){"mvt_rows", host_mvt_rows, OVER1(n), {BUF(a), BUF(x1), BUF(y1), INT(n)}});
    bench_step(b, &(struct bench_step){
                      "mvt_columns", host_mvt_columns, OVER1(n), {BUF(a), BUF(x2), BUF(y2), INT(n)}});
}

static void gesummv_program(struct bench *b, size_t n)
{
    unsigned a = bench_random(b, n * n), c = bench_random(b, n * n), x = bench_random(b, n);
    unsigned y = bench_zeros(b, BENCH_FLOAT, n), tmp = bench_zeros(b, BENCH_FLOAT, n);
    bench_step(
        b, &(struct bench_step){"gesummv",
                                host_gesummv,
                                OVER1(n),
                                {BUF(a), BUF(c), BUF(x), BUF(y), BUF(tmp), FLT(1.5f), FLT(0.5f), INT(n)}});
}

static void corr(struct bench *b, size_t n)
{
    unsigned data = bench_random(b, n * n), mean = bench_zeros(b, BENCH_FLOAT, n);
    unsigned deviation = bench_zeros(b, BENCH_FLOAT, n), centred = bench_zeros(b, BENCH_FLOAT, n * n);
    unsigned out = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b, &(struct bench_step){
                      "stat_mean", host_stat_mean, OVER1(n), {BUF(mean), BUF(data), INT(n), INT(n)}});
    bench_step(b, &(struct bench_step){"stat_deviation",
                                       host_stat_deviation,
                                       OVER1(n),
                                       {BUF(mean), BUF(deviation), BUF(data), INT(n), INT(n)}});
    bench_step(b, &(struct bench_step){"corr_reduce",
                                       host_corr_reduce,
                                       OVER2(n, n),
                                       {BUF(mean), BUF(deviation), BUF(data), BUF(centred), INT(n), INT(n)}});
    bench_step(b,
               &(struct bench_step){
                   "stat_products", host_stat_products, OVER1(n), {BUF(out), BUF(centred), INT(n), INT(n)}});
}

static void covar(struct bench *b, size_t n)
{
    unsigned data = bench_random(b, n * n), mean = bench_zeros(b, BENCH_FLOAT, n);
    unsigned centred = bench_zeros(b, BENCH_FLOAT, n * n), out = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b, &(struct bench_step){
                      "stat_mean", host_stat_mean, OVER1(n), {BUF(mean), BUF(data), INT(n), INT(n)}});
    bench_step(b, &(struct bench_step){"covar_reduce",
                                       host_covar_reduce,
                                       OVER2(n, n),
                                       {BUF(mean), BUF(data), BUF(centred), INT(n), INT(n)}});
    bench_step(b,
               &(struct bench_step){
                   "stat_products", host_stat_products, OVER1(n), {BUF(out), BUF(centred), INT(n), INT(n)}});
}

static void fdtd(struct bench *b, size_t n)
{
    unsigned source = bench_random(b, 1024), ex = bench_random(b, n * n), ey = bench_random(b, n * n);
    unsigned hz = bench_random(b, n * n);
    bench_step(b, &(struct bench_step){"fdtd_ey",
                                       host_fdtd_ey,
                                       OVER2(n, n),
                                       {BUF(source), BUF(ey), BUF(hz), REPEAT(0, 1024), INT(n), INT(n)}});
    bench_step(
        b, &(struct bench_step){"fdtd_ex", host_fdtd_ex, OVER2(n, n), {BUF(ex), BUF(hz), INT(n), INT(n)}});
    bench_step(b, &(struct bench_step){
                      "fdtd_hz", host_fdtd_hz, OVER2(n, n), {BUF(ex), BUF(ey), BUF(hz), INT(n), INT(n)}});
}

static void gramschmidt(struct bench *b, size_t n)
{
    unsigned a = bench_random(b, n * n), r = bench_zeros(b, BENCH_FLOAT, n * n);
    unsigned q = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(b, &(struct bench_step){"gramschmidt_norm",
                                       host_gramschmidt_norm,
                                       1,
                                       {256},
                                       {256},
                                       {BUF(a), BUF(r), REPEAT(0, n), INT(n), INT(n)}});
    bench_step(b, &(struct bench_step){"gramschmidt_column",
                                       host_gramschmidt_column,
                                       OVER1(n),
                                       {BUF(a), BUF(r), BUF(q), REPEAT(0, n), INT(n), INT(n)}});
    bench_step(b, &(struct bench_step){"gramschmidt_update",
                                       host_gramschmidt_update,
                                       OVER1(n),
                                       {BUF(a), BUF(r), BUF(q), REPEAT(0, n), INT(n), INT(n)}});
}

const struct workload polybench[] = {
    {"2dconv", "polybench_conv.cl", conv2d, 2048, 150, 64, 2},
    {"3dconv", "polybench_conv.cl", conv3d, 512, 120, 128, 4},
    {"2mm", "polybench_mm.cl", mm2, 384, 6, 64, 2},
    {"3mm", "polybench_mm.cl", mm3, 384, 4, 64, 2},
    {"gemm_polybench", "polybench_mm.cl", gemm_program, 384, 12, 64, 2},
    {"syrk", "polybench_mm.cl", syrk_program, 384, 12, 64, 2},
    {"syr2k", "polybench_mm.cl", syr2k_program, 320, 20, 64, 2},
    {"atax", "polybench_mv.cl", atax, 2048, 10, 256, 2},
    {"bicg", "polybench_mv.cl", bicg, 2048, 10, 256, 2},
    {"mvt", "polybench_mv.cl", mvt, 2048, 10, 256, 2},
    {"gesummv", "polybench_mv.cl", gesummv_program, 2048, 60, 256, 2},
    {"corr", "polybench_stat.cl", corr, 512, 2, 64, 1},
    {"covar", "polybench_stat.cl", covar, 512, 2, 64, 1},
    {"fdtd2d", "polybench_fdtd.cl", fdtd, 1024, 200, 64, 3},
    {"gramschmidt", "polybench_gramschmidt.cl", gramschmidt, 512, 200, 64, 8},
    {0},
};
