/* The shapes of PolyBench's ATAX, BICG, MVT and GESUMMV: one work-item per row, or per column, of a matrix. */

__kernel void mv_rows(__global const float *restrict a, __global const float *restrict x, __global float *restrict y,
                      int rows, int columns)
{
    int i = get_global_id(0);
    if (i < rows) {
        y[i] = 0.0f;
        for (int j = 0; j < columns; j++)
            y[i] += a[i * columns + j] * x[j];
    }
}

__kernel void mv_columns(__global const float *restrict a, __global const float *restrict x,
                         __global float *restrict y, int rows, int columns)
{
    int j = get_global_id(0);
    if (j < columns) {
        y[j] = 0.0f;
        for (int i = 0; i < rows; i++)
            y[j] += a[i * columns + j] * x[i];
    }
}

__kernel void mvt_rows(__global const float *restrict a, __global float *restrict x, __global const float *restrict y,
                       int n)
{
    int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < n; j++)
            x[i] += a[i * n + j] * y[j];
}

__kernel void mvt_columns(__global const float *restrict a, __global float *restrict x,
                          __global const float *restrict y, int n)
{
    int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < n; j++)
            x[i] += a[j * n + i] * y[j];
}

__kernel void gesummv(__global const float *restrict a, __global const float *restrict b,
                      __global const float *restrict x, __global float *restrict y, __global float *restrict tmp,
                      float alpha, float beta, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        tmp[i] = 0.0f;
        y[i] = 0.0f;
        for (int j = 0; j < n; j++) {
            tmp[i] += a[i * n + j] * x[j];
            y[i] += b[i * n + j] * x[j];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
