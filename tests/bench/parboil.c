/* parboil.c - the kernels of [D]'s evaluation: sgemm, spmv (CSR on random and diagonal matrices, JDS),
 * stencil and cutcp; its k-means is Rodinia's.  Local sizes of Parboil: 16x16 (sgemm), 256x1x1 (stencil),
 * 16x8 (cutcp), 192 (spmv); SHOC's CSR: 128. */
#include "reference.h"

#include "kernels/parboil_cutcp.cl"
#include "kernels/parboil_sgemm.cl"
#include "kernels/parboil_spmv.cl"
#include "kernels/parboil_stencil.cl"

HOST(cutcp, P(0), I(1), P(2), F(3), F(4), F(5))
HOST(sgemm_nt, P(0), I(1), P(2), I(3), P(4), I(5), I(6), F(7), F(8))
HOST(spmv_csr, P(0), P(1), P(2), P(3), P(4), I(5))
HOST(spmv_jds, P(0), P(1), P(2), P(3), P(4), P(5), I(6))
HOST(stencil_7pt, F(0), F(1), P(2), P(3), I(4), I(5), I(6))

static void sgemm(struct bench *b, size_t n)
{
    unsigned x = bench_random(b, n * n), y = bench_random(b, n * n), z = bench_random(b, n * n);
    bench_step(b, &(struct bench_step){
                      "sgemm_nt",
                      host_sgemm_nt,
                      2,
                      {n, n},
                      {16, 16},
                      {BUF(x), INT(n), BUF(y), INT(n), BUF(z), INT(n), INT(n), FLT(1.0f), FLT(0.5f)}});
}

static void csr(struct bench *b, size_t rows, const int *column, int per_row)
{
    int *start = app_alloc((rows + 1) * sizeof *start),
        *columns = app_alloc(rows * (size_t)per_row * sizeof *columns);
    memcpy(columns, column, rows * (size_t)per_row * sizeof *columns);
    for (size_t i = 0; i <= rows; i++)
        start[i] = (int)i * per_row;
    unsigned value = bench_random(b, rows * (size_t)per_row);
    unsigned bcolumn = bench_data(b, BENCH_INT, rows * (size_t)per_row, columns);
    unsigned bstart = bench_data(b, BENCH_INT, rows + 1, start);
    unsigned x = bench_random(b, rows), y = bench_zeros(b, BENCH_FLOAT, rows);
    bench_step(b, &(struct bench_step){"spmv_csr",
                                       host_spmv_csr,
                                       1,
                                       {bench_round_up(rows, 128)},
                                       {128},
                                       {BUF(value), BUF(bcolumn), BUF(bstart), BUF(x), BUF(y), INT(rows)}});
}

static void spmv_random(struct bench *b, size_t n)
{
    const int per_row = 32;
    uint32_t seed = 13;
    int *column = app_alloc(n * per_row * sizeof *column);
    for (size_t i = 0; i < n * per_row; i++)
        column[i] = (int)(app_random(&seed) % n);
    csr(b, n, column, per_row);
    free(column);
}

static void spmv_diagonal(struct bench *b, size_t n)
{
    int *column = app_alloc(n * sizeof *column);
    for (size_t i = 0; i < n; i++)
        column[i] = (int)i;
    csr(b, n, column, 1);
    free(column);
}

/* Rows hold 1 to 48 elements, the longest first. */
static void spmv_jds_program(struct bench *b, size_t n)
{
    const size_t longest = 48;
    uint32_t seed = 17;
    int *length = app_alloc(n * sizeof *length), *start = app_alloc(longest * sizeof *start);
    int *column = app_alloc(n * longest * sizeof *column), elements = 0;
    for (size_t i = 0; i < n; i++)
        length[i] = (int)(longest - i * longest / n);
    for (size_t d = 0; d < longest; d++) {
        start[d] = elements;
        for (size_t i = 0; i < n && (size_t)length[i] > d; i++)
            column[elements++] = (int)(app_random(&seed) % n);
    }
    unsigned value = bench_random(b, (size_t)elements);
    unsigned bcolumn = bench_data(b, BENCH_INT, (size_t)elements, column);
    unsigned bstart = bench_data(b, BENCH_INT, longest, start), blength = bench_data(b, BENCH_INT, n, length);
    unsigned x = bench_random(b, n), y = bench_zeros(b, BENCH_FLOAT, n);
    bench_step(b, &(struct bench_step){
                      "spmv_jds",
                      host_spmv_jds,
                      1,
                      {bench_round_up(n, 192)},
                      {192},
                      {BUF(value), BUF(bcolumn), BUF(bstart), BUF(blength), BUF(x), BUF(y), INT(n)}});
}

/* Back and forth between two grids, as solvers do. */
static void stencil(struct bench *b, size_t n)
{
    unsigned a = bench_random(b, n * n * n), c = bench_random(b, n * n * n);
    size_t inner = n - 2, items = bench_round_up(inner, 256);
    for (int back = 0; back < 2; back++)
        bench_step(b, &(struct bench_step){"stencil_7pt",
                                           host_stencil_7pt,
                                           3,
                                           {items, inner, inner},
                                           {256, 1, 1},
                                           {FLT(0.5f), FLT(0.125f), BUF(back ? c : a), BUF(back ? a : c),
                                            INT(n), INT(n), INT(n)}});
}

static void cutcp_program(struct bench *b, size_t n)
{
    const int atoms = 400;
    float *atom = app_random_floats(4 * atoms, 19);
    for (int i = 0; i < 4 * atoms; i++)
        if (i % 4 < 2)
            atom[i] *= 0.5f * (float)n; /* over the whole slice */
    unsigned batom = bench_data(b, BENCH_FLOAT, 4 * atoms, atom),
             lattice = bench_zeros(b, BENCH_FLOAT, n * n);
    bench_step(
        b, &(struct bench_step){"cutcp",
                                host_cutcp,
                                2,
                                {n, n},
                                {16, 8},
                                {BUF(batom), INT(atoms), BUF(lattice), FLT(0.5f), FLT(1.25f), FLT(144.0f)}});
}

const struct workload parboil[] = {
    {"sgemm", "parboil_sgemm.cl", sgemm, 384, 12, 64, 2},
    {"spmv_random", "parboil_spmv.cl", spmv_random, 1 << 17, 80, 1 << 10, 2},
    {"spmv_diagonal", "parboil_spmv.cl", spmv_diagonal, 1 << 20, 300, 1 << 10, 2},
    {"spmv_jds", "parboil_spmv.cl", spmv_jds_program, 192 << 9, 60, 960, 2},
    {"stencil3d", "parboil_stencil.cl", stencil, 130, 60, 34, 2},
    {"cutcp", "parboil_cutcp.cl", cutcp_program, 256, 20, 64, 2},
    {0},
};
