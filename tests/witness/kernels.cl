/* Kernels whose control flow follows from ids and arguments.  `RUN:` lines: kernel, global size, local size, then
 * the arguments, see witness.py.
 *
 * Oclgrind's compiler moves invariant code out of loops and computes common subexpressions once; the helper leaves
 * the program as it stands.  So nothing here is left to be moved or shared. */
typedef struct {
    float x;
    int k;
    float w[2];
} record;

// RUN: guarded 100 20 b400 b400 f2 i90
__kernel void guarded(__global const float *x, __global float *y, float a, int n)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// RUN: product 24,16 8,4 b4096 b4096 b4096 i24
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    int row = y * n, column = x;
    float s = 0;
    for (int k = 0; k < n; k++, column += n)
        s += a[row + k] * b[column];
    c[row + x] = s;
}

// RUN: tree 128 64 b512 b64 l256
__kernel void tree(__global const float *in, __global float *out, __local float *t)
{
    int l = get_local_id(0), n = get_local_size(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = n / 2; s > 0; s /= 2) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}

// RUN: transpose 32,32 8,8 b4096 b4096 i32
__kernel void transpose(__global const float *in, __global float *out, int n)
{
    __local float tile[8][9];
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 8 + ly) * n + get_group_id(1) * 8 + lx] = tile[lx][ly];
}

// RUN: stencil 19,13 19,1 b4096 b4096 i19 i13
__kernel void stencil(__global const float *in, __global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), row = y * w, right = x + 3, below = y + 3;
    float s = 0;
    for (int py = y; py < below; py++, row += w) {
        if (py == h)
            continue;
        for (int px = x; px < right; px++) {
            if (px >= w)
                continue;
            s += in[row + px];
        }
    }
    out[y + 13 * x] = s;
}

// RUN: wide 32 16 b512 b512 b512
__kernel void wide(__global const float4 *a, __global const float4 *b, __global float4 *c)
{
    size_t i = get_global_id(0);
    c[i] = fma(a[i], b[i], a[i]);
}

// RUN: records 40 8 b640 b160 i3
__kernel void records(__global const record *r, __global float *out, int n)
{
    size_t i = get_global_id(0);
    float s = r[i].x;
    for (int j = 0; j < n; j++)
        s += r[i].w[j & 1];
    out[i] = s * (float)r[i].k;
}

// RUN: private_array 36 12 b144 i7
__kernel void private_array(__global float *out, int n)
{
    size_t i = get_global_id(0);
    float h[8];
    for (int j = 0; j < 8; j++)
        h[j] = (float)(j * n);
    for (int j = 0; j < n; j++)
        h[j & 7] += h[(j + 3) & 7];
    out[i] = h[n & 7];
}

float power(float x, int n)
{
    float r = 1;
    for (int i = 0; i < n; i++)
        r *= x;
    return r;
}

// RUN: helper 30 10 b120 b120 i5
__kernel void helper(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0);
    float x = in[i];
    out[i] = power(x, n) + power(x, i);
}

// RUN: branches 48 16 b192 b192
__kernel void branches(__global const float *in, __global float *out)
{
    int i = get_global_id(0);
    float v = in[i];
    switch (i % 5) {
    case 0:
        v = v * 3.0f;
        break;
    case 1:
        v = v + in[0];
    case 2:
        v = v / 3.0f;
        break;
    case 4:
        v = in[1] - v;
    }
    out[i] = v;
}

// RUN: triangle 20 4 b80 b1600 i20
__kernel void triangle(__global float *out, __global const float *a, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0, row = 0; j < n; j++, row += n) {
        if (j > i)
            break;
        for (int k = j; k < n; k++)
            s += a[row + k];
    }
    out[i] = s;
}

__constant float table[4] = {1.0f, 2.0f, 4.0f, 8.0f};

// RUN: tables 24 8 b96 b64
__kernel void tables(__global float *out, __constant float *scale)
{
    int i = get_global_id(0);
    out[i] = table[i & 3] * scale[i & 15];
}

// RUN: cube 6,5,4 3,5,2 b480 b480 i30
__kernel void cube(__global const float *in, __global float *out, int plane)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int at = z * plane + y * 6 + x;
    float s = in[at];
    if (x > 0 && y > 1 && z < 3)
        s += in[at - 1] + in[at - 12] + in[at + plane];
    else if (x + y * z == 7)
        return;
    out[at] = s;
}

// RUN: doubles 16 8 b128 b128 i9
__kernel void doubles(__global const double *in, __global double *out, int n)
{
    int i = get_global_id(0);
    double x = in[i], s = 0;
    do {
        s += x * (double)n;
        n -= 2;
    } while (n > 0);
    out[i] = s / 3.0;
}

// RUN: bits 20 20 b80 i11
__kernel void bits(__global uint *out, int n)
{
    uint v = get_global_id(0);
    for (int i = 0; i < n; i++)
        v = v * 1664525u + (v >> 3) + 1013904223u;
    out[get_global_id(0)] = v % 7u;
}

// RUN: stride 64 16 b4096 i1000
__kernel void stride(__global float *out, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = 1.0f;
}
