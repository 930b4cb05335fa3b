/* calls.cl - the kernels of calls.c's programs: whatever the local size, each leaves the same in memory, as long as the
 * buffers hold what they are meant to: numbers from 0 to 1 in those of floating point.  `turns` makes a launch longer. */
#ifndef SALT
#define SALT 0 /* programs that are built with another one compute something else */
#endif
#ifdef APART /* it is in a program of its own, which is linked to this one */
#include "mixed.h"
#else
static inline int mixed(int x, int turns)
{
    uint h = (uint)x + SALT;
    for (int j = 0; j < turns; j++)
        h = h * 1664525u + 1013904223u;
    return (int)(h >> 4);
}
#endif

kernel void map(global int *out, global const int *in, int n, int turns)
{
    const int i = (int)get_global_id(0);
    if (i < n)
        out[i] = mixed(in[i], turns);
}

kernel void update(global int *a, int n, int turns)
{
    for (size_t i = get_global_id(0); i < (size_t)n; i += get_global_size(0))
        a[i] = mixed(a[i] + (int)i, turns);
}

kernel void places(global int *out, int turns)
{
    const int i = (int)get_global_id(0);
    out[i] = mixed(i, turns) ^ (int)get_global_offset(0) ^ (int)get_global_size(0);
}

kernel void two(global int *sums, global int *parts, global const int *in, int n, int turns)
{
    const int i = (int)get_global_id(0);
    int sum = 0;
    if (i >= n)
        return;
    for (int k = 0; k < turns; k++)
        sum += in[(i + k) & (n - 1)] & 255;
    sums[i] = sum;
    if (sum & 1)
        parts[i] = sum >> 1;
}

kernel void count(global int *bins, global const int *in, int n, int turns)
{
    const int i = (int)get_global_id(0);
    if (i < n)
        atomic_add(&bins[mixed(in[i], turns) & 63], 1);
}

kernel void stencil(global float *out, global const float *in, int w, int h, int turns)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    float sum = 0;
    for (int k = 0; k < turns; k++)
        sum += in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x];
    out[y * w + x] = sum / (4 * turns);
}

kernel void product(global float *c, global const float *a, global const float *b, int n)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum / n;
}

/* Row by row, as eliminations go: the rows below row `t` change, and it says how. */
kernel void sweep(global int *a, int h, int t, int turns)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), w = (int)get_global_size(0);
    if (y < h - 1 - t)
        a[(y + 1 + t) * w + x] += mixed(a[t * w + x], turns) & 255;
}

kernel void shift(global int *a, int by, int turns)
{
    const int i = (int)get_global_id(0);
    a[i + by] = mixed(a[i], turns);
}

kernel void halves(global int *out, global const int *in, local int *part)
{
    const int l = (int)get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = (int)get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void shade(write_only image2d_t out, read_only image2d_t in, int turns)
{
    const int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    float4 sum = 0;
    for (int k = 0; k < turns; k++)
        sum += read_imagef(in, nearest, at + (int2)(k & 3, k & 1));
    write_imagef(out, at, sum / turns);
}

kernel void texels(global float *out, read_only image2d_t in, int w)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    out[y * w + x] = read_imagef(in, nearest, (int2)(x, y)).x;
}

kernel void blend(global int *out, global const int *a, global const int *b, int n, int turns)
{
    const int i = (int)get_global_id(0);
    if (i < n)
        out[i] = mixed(a[i] ^ b[n - 1 - i], turns);
}

/* One group, whose `out` and `in` may overlap. */
kernel void slide(global int *out, global const int *in, int turns)
{
    const int i = (int)get_global_id(0), x = mixed(in[i], turns);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = x;
}

kernel void tiles(global int *out, global const int *in, int turns)
{
    local int tile[64];
    const int x = (int)get_local_id(0), y = (int)get_local_id(1), w = (int)get_global_size(0);
    const int at = (int)get_global_id(1) * w + (int)get_global_id(0);
    tile[y * 8 + x] = mixed(in[at], turns);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = tile[x * 8 + y];
}

kernel void tally(global int *bins, global const int *in, local int *part, int n, int turns)
{
    const int l = (int)get_local_id(0), i = (int)get_global_id(0);
    part[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        atomic_inc(&part[mixed(in[i], turns) & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (part[l])
        atomic_add(&bins[l], part[l]);
}

kernel void extremes(global int *a, global const int *in, int n, int turns)
{
    const int i = (int)get_global_id(0), x = i < n ? mixed(in[i], turns) : 0;
    if (i >= n)
        return;
    atomic_max(&a[0], x);
    atomic_min(&a[1], -x);
    atomic_xor(&a[2 + (x & 7)], x);
    if (atomic_inc(&a[10 + (i & 1)]) == x) /* some number, whatever the order: what follows changes nothing */
        atomic_or(&a[12], 0);
}

kernel void box(global int *a, int turns)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int at = (z * 16 + y) * 32 + x;
    a[at] = mixed(a[at] + at, turns) ^ (int)get_global_size(2) ^ (int)get_global_offset(2);
}

struct list {
    global int *data;
    long n;
};

kernel void follow(global struct list *l, int turns)
{
    const size_t i = get_global_id(0);
    if (i < (size_t)l->n)
        l->data[i] = mixed(l->data[i], turns);
}
