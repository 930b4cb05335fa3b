/* The shape of PolyBench's FDTD-2D: one time step is three kernels over an nx x ny grid. */

__kernel void fdtd_ey(__global const float *restrict source, __global float *restrict ey,
                      __global const float *restrict hz, int t, int nx, int ny)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < nx && j < ny)
        ey[i * ny + j] = i == 0 ? source[t] : ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
}

__kernel void fdtd_ex(__global float *restrict ex, __global const float *restrict hz, int nx, int ny)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < nx && j < ny && j > 0)
        ex[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
}

__kernel void fdtd_hz(__global const float *restrict ex, __global const float *restrict ey,
                      __global float *restrict hz, int nx, int ny)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < nx - 1 && j < ny - 1)
        hz[i * ny + j] -= 0.7f * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}
