/* Four kernels as people write them, one result for each work-item, beside which by_hand_8.cl has the same work by
 * hand for eight neighbours at once. */
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__kernel void filter(__global const float *in, __global const float *weight, __global float *out, int w, int h,
                     int radius)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    if (x < radius || y < radius || x >= w - radius || y >= h - radius)
        return;
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++)
            sum += in[(y + j) * w + x + i] * weight[(j + radius) * (2 * radius + 1) + i + radius];
    out[y * w + x] = sum;
}

__kernel void columns(__global const float *a, __global const float *x, __global float *y, int rows, int cols)
{
    int j = get_global_id(0);
    float sum = 0.0f;
    if (j >= cols)
        return;
    for (int i = 0; i < rows; i++)
        sum += a[i * cols + j] * x[i];
    y[j] = sum;
}

__kernel void bodies(__global const float *x, __global const float *y, __global const float *z,
                     __global const float *mass, __global float *ax, __global float *ay, __global float *az, int n)
{
    int i = get_global_id(0);
    float px = x[i], py = y[i], pz = z[i], fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
        float r = dx * dx + dy * dy + dz * dz + 0.01f;
        float s = mass[j] / (r * sqrt(r));
        fx += s * dx;
        fy += s * dy;
        fz += s * dz;
    }
    ax[i] = fx;
    ay[i] = fy;
    az[i] = fz;
}
