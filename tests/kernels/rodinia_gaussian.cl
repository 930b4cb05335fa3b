/* The shape of Rodinia's gaussian elimination: column `t` of an n x n system, multipliers then update. */

__kernel void gaussian_fan1(__global float *restrict m, __global const float *restrict a, int n, int t)
{
    int i = get_global_id(0);
    if (i < n - 1 - t)
        m[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}

__kernel void gaussian_fan2(__global const float *restrict m, __global float *restrict a, __global float *restrict b,
                            int n, int t)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n - 1 - t && y < n - t) {
        a[n * (x + 1 + t) + y + t] -= m[n * (x + 1 + t) + t] * a[n * t + y + t];
        if (y == 0)
            b[x + 1 + t] -= m[n * (x + 1 + t) + t] * b[t];
    }
}
