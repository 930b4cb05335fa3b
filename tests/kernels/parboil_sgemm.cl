/* The shape of Parboil's sgemm: c = alpha * a * transposed b + beta * c, all stored by column. */

__kernel void sgemm_nt(__global const float *restrict a, int lda, __global const float *restrict b, int ldb,
                       __global float *restrict c, int ldc, int k, float alpha, float beta)
{
    int row = get_global_id(0), column = get_global_id(1);
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += a[row + i * lda] * b[column + i * ldb];
    c[row + column * ldc] = c[row + column * ldc] * beta + alpha * sum;
}
