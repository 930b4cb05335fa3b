/* The kernels of [C] Tables 4 and 5, sums kept in registers. */

__kernel void gemm(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
                   float alpha, float beta, int ni, int nj, int nk)
{
    int j = get_global_id(0), i = get_global_id(1);
    float s = c[i*nj+j]*beta;
    for (int k = 0; k < nk; k++) s += alpha * a[i * nk + k] * b[k * nj + j];
    c[i*nj+j] = s;
}
__kernel void syrk(__global const float *restrict a, __global float *restrict c, float alpha, float beta, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    float s = c[i*n+j]*beta;
    for (int k = 0; k < m; k++) s += alpha * a[i * m + k] * a[j * m + k];
    c[i*n+j] = s;
}
__kernel void syr2k(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
                    float alpha, float beta, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    float s = c[i*n+j]*beta;
    for (int k = 0; k < m; k++) s += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
    c[i*n+j] = s;
}
__kernel void mv_rows(__global const float *restrict a, __global const float *restrict x, __global float *restrict y, int rows, int columns)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < columns; j++) s += a[i * columns + j] * x[j];
    y[i] = s;
}
__kernel void mv_columns(__global const float *restrict a, __global const float *restrict x, __global float *restrict y, int rows, int columns)
{
    int j = get_global_id(0);
    float s = 0;
    for (int i = 0; i < rows; i++) s += a[i * columns + j] * x[i];
    y[j] = s;
}
__kernel void mm_tiled(__global const float *restrict a, __global const float *restrict b, __global float *restrict c, int n)
{
    __local float ta[32][32], tb[32][32];
    int x = get_local_id(0), y = get_local_id(1), j = get_group_id(0)*32+x, i = get_group_id(1)*32+y;
    float s = 0;
    for (int t = 0; t < n; t += 32) {
        ta[y][x] = a[i*n+t+x];
        tb[y][x] = b[(t+y)*n+j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 32; k++) s += ta[y][k]*tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i*n+j] = s;
}
__kernel void syrk_tiled(__global const float *restrict a, __global float *restrict c, int n)
{
    __local float ta[32][32], tb[32][32];
    int x = get_local_id(0), y = get_local_id(1), j = get_group_id(0)*32+x, i = get_group_id(1)*32+y;
    float s = 0;
    for (int t = 0; t < n; t += 32) {
        ta[y][x] = a[i*n+t+x];
        tb[y][x] = a[(get_group_id(0)*32+y)*n+t+x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 32; k++) s += ta[y][k]*tb[x][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i*n+j] = s;
}
__kernel void syr2k_tiled(__global const float *restrict a, __global const float *restrict b, __global float *restrict c, int n)
{
    __local float ai[32][32], aj[32][32], bi[32][32], bj[32][32];
    int x = get_local_id(0), y = get_local_id(1), j = get_group_id(0)*32+x, i = get_group_id(1)*32+y;
    float s = 0;
    for (int t = 0; t < n; t += 32) {
        ai[y][x] = a[i*n+t+x];
        aj[y][x] = a[(get_group_id(0)*32+y)*n+t+x];
        bi[y][x] = b[i*n+t+x];
        bj[y][x] = b[(get_group_id(0)*32+y)*n+t+x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 32; k++) s += ai[y][k]*bj[x][k] + bi[y][k]*aj[x][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i*n+j] = s;
}
__kernel void saxpy(__global const float *restrict x, __global float *restrict y, float a)
{
    int i = get_global_id(0);
    y[i] += a * x[i];
}

/* syrk() with a stored transposed, and syrk_tiled() with padded rows: what `clsizer predict` advises. */
__kernel void syrk_transposed(__global const float *restrict a, __global float *restrict c, float alpha, float beta,
                              int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    float s = c[i * n + j] * beta;
    for (int k = 0; k < m; k++)
        s += alpha * a[k * n + i] * a[k * n + j];
    c[i * n + j] = s;
}

__kernel void syrk_padded(__global const float *restrict a, __global float *restrict c, int n)
{
    __local float ta[32][33], tb[32][33];
    int x = get_local_id(0), y = get_local_id(1), j = get_group_id(0) * 32 + x, i = get_group_id(1) * 32 + y;
    float s = 0;
    for (int t = 0; t < n; t += 32) {
        ta[y][x] = a[i * n + t + x];
        tb[y][x] = a[(get_group_id(0) * 32 + y) * n + t + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 32; k++)
            s += ta[y][k] * tb[x][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i * n + j] = s;
}

/* Neighbours lie eight elements apart, in arrays they would not. */
__kernel void colours(__global const float *restrict in, __global float *restrict out)
{
    int i = get_global_id(0);
    out[i] = in[8 * i] * 0.3f + in[8 * i + 1] * 0.6f + in[8 * i + 2] * 0.1f;
}

__kernel void colours_apart(__global const float *restrict in, __global float *restrict out)
{
    int i = get_global_id(0), n = get_global_size(0);
    out[i] = in[i] * 0.3f + in[n + i] * 0.6f + in[2 * n + i] * 0.1f;
}

/* All work-items read the same element, from a buffer and from constant memory. */
__kernel void filter(__global const float *restrict in, __global const float *restrict weight, __global float *restrict out, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += weight[k] * in[i + k];
    out[i] = s;
}
__kernel void filter_constant(__global const float *restrict in, __constant float *weight, __global float *restrict out, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += weight[k] * in[i + k];
    out[i] = s;
}

/* Neighbours take different ways, and whole warps. */
__kernel void parity(__global float *x, float a, float b, int n)
{
    int i = get_global_id(0);
    float s = x[i];
    if (i & 1)
        for (int k = 0; k < n; k++)
            s = s * a + 1.0f;
    else
        for (int k = 0; k < n; k++)
            s = s * b - 1.0f;
    x[i] = s;
}
__kernel void parity_of_warps(__global float *x, float a, float b, int n)
{
    int i = get_global_id(0);
    float s = x[i];
    if (i >> 5 & 1)
        for (int k = 0; k < n; k++)
            s = s * a + 1.0f;
    else
        for (int k = 0; k < n; k++)
            s = s * b - 1.0f;
    x[i] = s;
}

/* `steps` steps for each product, all of which an access hides behind: gemm() and mm_tiled() with more to compute. */
__kernel void series(__global const float *restrict a, __global const float *restrict b, __global float *restrict c, int n,
                     int steps)
{
    int j = get_global_id(0), i = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k++) {
        float x = a[i * n + k] * b[k * n + j];
        for (int t = 0; t < steps; t++)
            x = x * x + 0.5f;
        s += x;
    }
    c[i * n + j] = s;
}
__kernel void series_tiled(__global const float *restrict a, __global const float *restrict b,
                           __global float *restrict c, int n, int steps)
{
    __local float ta[32][32], tb[32][32];
    int x = get_local_id(0), y = get_local_id(1), j = get_group_id(0) * 32 + x, i = get_group_id(1) * 32 + y;
    float s = 0;
    for (int tile = 0; tile < n; tile += 32) {
        ta[y][x] = a[i * n + tile + x];
        tb[y][x] = b[(tile + y) * n + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 32; k++) {
            float v = ta[y][k] * tb[k][x];
            for (int t = 0; t < steps; t++)
                v = v * v + 0.5f;
            s += v;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i * n + j] = s;
}

/* A loop that computes, without and with one element of local memory for each work-item. */
__kernel void terms(__global float *restrict out, float x, int n)
{
    float s = 0;
    for (int k = 0; k < n; k++)
        s = s * x + 1;
    out[get_global_id(0)] = s;
}
__kernel void terms_local(__global float *restrict out, float x, int n)
{
    __local float own[256];
    own[get_local_id(0)] = x;
    float s = 0;
    for (int k = 0; k < n; k++)
        s = s * x + 1;
    out[get_global_id(0)] = s + own[get_local_id(0)];
}

/* A matrix is read by columns, written by columns, and neither. */
__kernel void read_turned(__global const float *restrict in, __global float *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * n + x] = in[x * n + y] * 2;
}
__kernel void write_turned(__global const float *restrict in, __global float *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * n + y] = in[y * n + x] * 2;
}
__kernel void not_turned(__global const float *restrict in, __global float *restrict out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * n + x] = in[y * n + x] * 2;
}
