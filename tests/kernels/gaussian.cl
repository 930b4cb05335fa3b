/* Gaussian elimination, step t: the multipliers of a column, then the update of what remains. */
__kernel void fan1(__global float *multiplier, __global const float *a, int size, int t)
{
    int i = get_global_id(0);
    if (i < size - 1 - t)
        multiplier[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}

__kernel void fan2(__global const float *multiplier, __global float *a, __global float *b, int size, int t)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < size - 1 - t && y < size - t) {
        a[size * (x + 1 + t) + y + t] -= multiplier[size * (x + 1 + t) + t] * a[size * t + y + t];
        if (y == 0)
            b[x + 1 + t] -= multiplier[size * (x + 1 + t) + t] * b[t];
    }
}
