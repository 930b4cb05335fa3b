/* What poly.cl and tests/kernels do, in single-threaded C. */
#include <math.h>
#include <stdint.h>

void gemm(int ni, int nj, int nk, float alpha, float beta, const float *a, const float *b, float *c)
{
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            c[i * nj + j] *= beta;
            for (int k = 0; k < nk; k++)
                c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
        }
}

/* The same with dimensions that are known, as PolyBench/ACC writes it. */
#define N 1024
void gemm_fixed(float alpha, float beta, float a[N][N], float b[N][N], float c[static N][N])
{
    int i, j, k;
    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++) {
            c[i][j] *= beta;
            for (k = 0; k < N; ++k)
                c[i][j] += alpha * a[i][k] * b[k][j];
        }
    }
}

void syrk(int n, int m, float alpha, float beta, const float a[], float *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] *= beta;
            for (int k = 0; k < m; k++)
                c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
        }
}

void syr2k(int n, int m, float alpha, float beta, const float *a, const float *b, float *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] *= beta;
            for (int k = 0; k < m; k++)
                c[i * n + j] += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
        }
}

void mv_rows(int32_t rows, int32_t columns, const float *a, const float *x, float *y)
{
    for (int i = 0; i < rows; i++) {
        float s = 0;
        for (int j = 0; j < columns; j++)
            s += a[i * columns + j] * x[j];
        y[i] = s;
    }
}

void mv_columns(int rows, int columns, const float *a, const float *x, float *y)
{
    for (int j = 0; j < columns; j++) {
        float s = 0;
        for (int i = 0; i < rows; i++)
            s += a[i * columns + j] * x[i];
        y[j] = s;
    }
}

void convolution(int ni, int nj, const float *in, float *out)
{
    for (int i = 1; i < ni - 1; i++)
        for (int j = 1; j < nj - 1; j++)
            out[i * nj + j] = 0.2f * in[(i - 1) * nj + j - 1] - 0.3f * in[i * nj + j - 1] +
                              0.4f * in[(i + 1) * nj + j - 1] + 0.5f * in[(i - 1) * nj + j] +
                              0.6f * in[i * nj + j] + 0.7f * in[(i + 1) * nj + j] -
                              0.8f * in[(i - 1) * nj + j + 1] - 0.9f * in[i * nj + j + 1] +
                              0.1f * in[(i + 1) * nj + j + 1];
}

void every_third(int n, float *x)
{
    for (int i = 5; i <= n; i += 3)
        x[i] = 2 * x[i];
}

/* Iterations that are not free: nothing to be made of these. */
void prefix_sum(int n, float *x)
{
    for (int i = 1; i < n; i++)
        x[i] += x[i - 1];
}

void gauss_seidel(int n, float *u)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            u[i * n + j] =
                0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
}

void histogram(int n, const unsigned char *in, int *bins)
{
    for (int i = 0; i < n; i++)
        bins[in[i]]++;
}

void sum(int n, const float *in, float *out)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += in[i];
    *out = s;
}

void search(int n, const int *in, int *out)
{
    for (int i = 0; i < n; i++) {
        if (in[i] == 0)
            break;
        out[i] = 1;
    }
}

void two_nests(int n, float *a, float *b)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i];
}

/* Rows are free of each other, elements of a row are not. */
void sums_of_rows(int n, int m, float *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            x[i * m + j] += x[i * m + j - 1];
}

/* As programs have it: other functions that are no OpenCL C, and what the standard's headers declare. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#define SQUARE(v) square(v)
static inline float square(float v)
{
    return v * v;
}

static void print_all(size_t n, const float *x) /* not needed: { */
{
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, "%g%c", x[i], '}');
}

void lengths(size_t n, const float *x, const float *y, float *d)
{
    for (size_t i = 0; i < n; i++)
        d[i] = sqrtf(SQUARE(x[i]) + SQUARE(y[i]));
}

void rows(int n, float **row)
{
    for (int i = 0; i < n; i++)
        row[i][0] = 0;
}

void nothing_passed(void)
{
}

int main(void)
{
    float *x = malloc(3 * 4096 * sizeof *x);
    lengths(4096, x, x + 4096, x + 8192);
    print_all(4096, x + 8192);
    free(x);
    return 0;
}

/* Matrices whose rows have a length that is passed, too. */
void gemm_passed(int n, float alpha, float beta, const float a[n][n], const float b[static n][n],
                 float c[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const float *row = a[i]; /* not a[i][k] */
            c[i][j] *= beta;
            for (int k = 0; k < n; k++)
                c[i][j] += alpha * row[k] * b[k][j];
        }
}

void cube(int n, int m, int l, const int at[static n], float (*x)[m][l + 1], float last[n], bool set)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k <= l; k++)
                x[i][j][k] = set ? last[at[i]] : 0;
}

/* The other kernels of [C] Table 7, which names no sizes but MVT's: the first loops of GEMVER, and of DERICHE
 * down the columns; one work-item for each block of DCT1D. */
void mvt(int n, const float a[n][n], const float y1[n], const float y2[n], float x1[n], float x2[n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            x1[i] += a[i][j] * y1[j];
        for (int j = 0; j < n; j++)
            x2[i] += a[j][i] * y2[j];
    }
}

void gemver1(int n, float a[n][n], const float u1[n], const float v1[n], const float u2[n], const float v2[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
}

void deriche1(int n, float a1, float a2, float b1, float b2, const float in[n][n], float out[n][n])
{
    for (int j = 0; j < n; j++) {
        float x1 = 0, y1 = 0, y2 = 0;
        for (int i = 0; i < n; i++) {
            out[i][j] = a1 * in[i][j] + a2 * x1 + b1 * y1 + b2 * y2;
            x1 = in[i][j];
            y2 = y1;
            y1 = out[i][j];
        }
    }
}

void dct1d(int n, const float cosine[8][8], const float in[n][8], float out[n][8])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) {
            float s = 0;
            for (int j = 0; j < 8; j++)
                s += cosine[k][j] * in[i][j];
            out[i][k] = s;
        }
}
