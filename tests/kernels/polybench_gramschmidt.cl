/* The shape of PolyBench's GRAMSCHM: step k of the orthogonalisation of the n columns of a, m rows. */

__kernel void gramschmidt_norm(__global const float *restrict a, __global float *restrict r, int k, int m, int n)
{
    if (get_global_id(0) == 0) {
        float norm = 0.0f;
        for (int i = 0; i < m; i++)
            norm += a[i * n + k] * a[i * n + k];
        r[k * n + k] = sqrt(norm);
    }
}

__kernel void gramschmidt_column(__global const float *restrict a, __global const float *restrict r,
                                 __global float *restrict q, int k, int m, int n)
{
    int i = get_global_id(0);
    if (i < m)
        q[i * n + k] = a[i * n + k] / r[k * n + k];
}

__kernel void gramschmidt_update(__global float *restrict a, __global float *restrict r,
                                 __global const float *restrict q, int k, int m, int n)
{
    int j = get_global_id(0);
    if (j > k && j < n) {
        float dot = 0.0f;
        for (int i = 0; i < m; i++)
            dot += q[i * n + k] * a[i * n + j];
        r[k * n + j] = dot;
        for (int i = 0; i < m; i++)
            a[i * n + j] -= q[i * n + k] * dot;
    }
}
