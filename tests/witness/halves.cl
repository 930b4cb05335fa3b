/* Kernels over half.  Oclgrind 21.10 does no arithmetic on it, so it runs them with REAL = float; the model has to count
 * the same for half, but half of the bytes. */
#ifndef REAL
#define REAL float
#else
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

// RUN: fused 64 32 b256 b256 b256 i60
__kernel void fused(__global const REAL *x, __global const REAL *y, __global REAL *z, int n)
{
    int i = get_global_id(0);
    if (i < n)
        z[i] = x[i] * y[i] + (REAL)1;
}

// RUN: sums 24,8 8,4 b768 b32 b96 i24 i8
__kernel void sums(__global const REAL *a, __global const REAL *w, __global REAL *out, int width, int height)
{
    int x = get_global_id(0);
    REAL s = 0;
    if (get_global_id(1) > 0)
        return;
    for (int j = 0, row = 0; j < height; j++, row += width)
        s += a[row + x] / w[j];
    out[x] = s;
}

// RUN: fours 16 8 b256 b256
__kernel void fours(__global const REAL *in, __global REAL *out)
{
    int i = 4 * get_global_id(0);
    REAL a = in[i] - in[i + 1], b = in[i + 2] * in[i + 3];
    out[i] = a;
    out[i + 1] = b;
    out[i + 2] = a + b;
    out[i + 3] = (REAL)(int)a;
}

// RUN: swapped 64 16 b256 b256 l64
__kernel void swapped(__global const REAL *in, __global REAL *out, __local REAL *t)
{
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    t[n - 1 - l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[l];
}
