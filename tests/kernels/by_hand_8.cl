/* The kernels of by_hand.cl, written by hand for eight neighbours in each work-item: what clsizer's own rewriting is
 * compared with (../bench/by_hand.json). */
kernel void product_8(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0) * 8, y = get_global_id(1);
    float8 sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * vload8(0, b + k * n + x);
    vstore8(sum, 0, c + y * n + x);
}

kernel void filter_8(global const float *in, global const float *weight, global float *out, int w, int h, int radius)
{
    int x = get_global_id(0) * 8, y = get_global_id(1);
    if (y < radius || y >= h - radius)
        return;
    if (x >= radius && x + 8 <= w - radius) {
        float8 sum = 0.0f;
        for (int j = -radius; j <= radius; j++)
            for (int i = -radius; i <= radius; i++)
                sum += vload8(0, in + (y + j) * w + x + i) * weight[(j + radius) * (2 * radius + 1) + i + radius];
        vstore8(sum, 0, out + y * w + x);
        return;
    }
    for (int at = max(x, radius); at < min(x + 8, w - radius); at++) {
        float sum = 0.0f;
        for (int j = -radius; j <= radius; j++)
            for (int i = -radius; i <= radius; i++)
                sum += in[(y + j) * w + at + i] * weight[(j + radius) * (2 * radius + 1) + i + radius];
        out[y * w + at] = sum;
    }
}

kernel void columns_8(global const float *a, global const float *x, global float *y, int rows, int cols)
{
    int j = get_global_id(0) * 8;
    if (j + 8 <= cols) {
        float8 sum = 0.0f;
        for (int i = 0; i < rows; i++)
            sum += vload8(0, a + i * cols + j) * x[i];
        vstore8(sum, 0, y + j);
        return;
    }
    for (; j < cols; j++) {
        float sum = 0.0f;
        for (int i = 0; i < rows; i++)
            sum += a[i * cols + j] * x[i];
        y[j] = sum;
    }
}

kernel void bodies_8(global const float *x, global const float *y, global const float *z, global const float *mass,
                     global float *ax, global float *ay, global float *az, int n)
{
    int i = get_global_id(0);
    float8 px = vload8(i, x), py = vload8(i, y), pz = vload8(i, z), fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (int j = 0; j < n; j++) {
        float8 dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
        float8 r = dx * dx + dy * dy + dz * dz + 0.01f;
        float8 s = mass[j] / (r * sqrt(r));
        fx += s * dx;
        fy += s * dy;
        fz += s * dz;
    }
    vstore8(fx, i, ax);
    vstore8(fy, i, ay);
    vstore8(fz, i, az);
}
