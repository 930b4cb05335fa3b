/* The shapes of PolyBench's GEMM, 2MM, 3MM, SYRK and SYR2K: one work-item per element of the result. */

__kernel void gemm(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
                   float alpha, float beta, int ni, int nj, int nk)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < ni && j < nj) {
        c[i * nj + j] *= beta;
        for (int k = 0; k < nk; k++)
            c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
}

__kernel void mm_product(__global const float *restrict a, __global const float *restrict b,
                         __global float *restrict c, int ni, int nj, int nk)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < ni && j < nj) {
        c[i * nj + j] = 0.0f;
        for (int k = 0; k < nk; k++)
            c[i * nj + j] += a[i * nk + k] * b[k * nj + j];
    }
}

__kernel void syrk(__global const float *restrict a, __global float *restrict c, float alpha, float beta, int n,
                   int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
    }
}

__kernel void syr2k(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
                    float alpha, float beta, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
    }
}
