/* Kernels for features.py: what OpenCL C offers, each in a kernel of its own.  A line
 *
 *   RUN: KERNEL GLOBAL [INDEX=VALUE | flag]...
 *
 * says how it is predicted; flags are what the prediction has to admit: pessimistic (a branch that memory decides),
 * estimated (a trip count was assumed), untraced (it never ends). */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef struct {
    float4 place;
    int id;
    float weight[3];
} body;
typedef float real;

__constant float table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/* RUN: vectors 65536 3=1,2,3,4 */
__kernel void vectors(__global const float4 *a, __global float8 *b, __global float16 *c, float4 s)
{
    int i = get_global_id(0);
    float4 v = a[i] * s;
    b[i] = (float8)(v, v.wzyx);
    c[i] = (float16)(b[i], b[i]);
}

/* RUN: threes 65536 */
__kernel void threes(__global float *a, __global float3 *b)
{
    int i = get_global_id(0);
    float3 x = vload3(i, a);
    b[i] = x.zyx;
    vstore3(x + 1.0f, i, a);
}

/* RUN: components 4096 1=3,1,0,0 2=100 3=1.5 */
__kernel void components(__global int *a, char4 k, ulong n, real f)
{
    int i = get_global_id(0) * k.x + k.y;
    for (ulong j = 0; j < n; j++)
        a[i] += (int)f;
}

/* RUN: structs 65536 */
__kernel void structs(__global const body *p, __global float *o, body q)
{
    int i = get_global_id(0);
    body x = p[i];
    o[i] = x.place.x + x.weight[1] * q.weight[2] + q.id;
}

/* RUN: private_array 65536 1=30 */
__kernel void private_array(__global float *o, int n)
{
    int i = get_global_id(0);
    float t[64], s = 0;
    for (int j = 0; j < 64; j++)
        t[j] = j * 0.5f;
    for (int j = 0; j < n; j++)
        s += t[(i + j) & 63];
    o[i] = s;
}

float sum_up(float x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x * table[i & 15];
    return s;
}

/* RUN: helpers 65536 */
__kernel void helpers(__global const float *a, __global float *o)
{
    int i = get_global_id(0);
    o[i] = sum_up(a[i], 8) + table[i & 15];
}

/* RUN: known_switch 65536 1=7 */
__kernel void known_switch(__global int *o, int mode)
{
    int i = get_global_id(0), r;
    switch (i % 7) {
    case 0:
        r = i * 2;
        break;
    case 1:
        r = i / 3;
        break;
    case 3:
    case 4:
        r = mode;
        break;
    default:
        r = -1;
    }
    switch (mode) {
    case 0:
        r += 1;
        break;
    case 100:
        r = r / (i + 1);
        break;
    case 7:
        r ^= 5;
    }
    o[i] = r;
}

/* RUN: unknown_switch 65536 pessimistic */
__kernel void unknown_switch(__global int *o, __global const int *m)
{
    int i = get_global_id(0);
    switch (m[i]) {
    case 0:
        o[i] = 1;
        break;
    case 1:
        o[i] = m[i + 1];
        break;
    case 2:
        for (int j = 0; j < 10; j++)
            o[i] += m[j];
    }
}

/* RUN: nested_loops 65536 2=40 3=50 */
/* RUN: nested_loops 65536 estimated */
__kernel void nested_loops(__global const float *a, __global float *o, int n, int m)
{
    int i = get_global_id(0);
    float s = 0;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < m; y++) {
            if (y == i)
                continue;
            s += a[x * m + y];
        }
    o[i] = s;
}

/* RUN: early_exits 65536 2=64 pessimistic */
__kernel void early_exits(__global const float *a, __global float *o, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int x = 0; x < n; x++) {
        if (a[i * n + x] > 100.0f)
            break;
        s += a[i * n + x];
        if (x > 50)
            return;
    }
    o[i] = s;
}

/* RUN: triangle 4096 */
__kernel void triangle(__global const float *a, __global float *o)
{
    int i = get_global_id(0);
    float s = 0;
    for (int x = 0; x < i; x++)
        s += a[x];
    o[i] = s;
}

/* RUN: list 65536 pessimistic estimated */
__kernel void list(__global const int *next, __global int *o)
{
    int i = get_global_id(0), v = i;
    while (v != 0)
        v = next[v];
    o[i] = v;
}

/* RUN: collatz 65536 */
__kernel void collatz(__global int *o)
{
    uint v = get_global_id(0) + 1;
    int c = 0;
    for (; v != 1; c++)
        v = v & 1 ? 3 * v + 1 : v / 2;
    o[get_global_id(0)] = c;
}

/* RUN: endless 1024 untraced */
__kernel void endless(__global int *a)
{
    for (;;)
        a[get_global_id(0)]++;
}

/* RUN: image_2d 256,256 */
__kernel void image_2d(read_only image2d_t in, write_only image2d_t out, sampler_t s)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, p, read_imagef(in, s, p) + read_imagef(in, s, p + (int2)(1, 0)));
}

/* RUN: image_3d 32,32,32 */
__kernel void image_3d(read_only image3d_t in, __global float *o)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    o[(p.z * get_global_size(1) + p.y) * get_global_size(0) + p.x] = read_imagef(in, s, p).x;
}

/* RUN: constants 65536 */
__kernel void constants(__global float *o, __constant float *c, __constant int *index)
{
    int i = get_global_id(0);
    o[i] = c[i & 7] + c[index[i & 3]] + table[3];
}

/* RUN: doubles 65536 1=2.5 */
__kernel void doubles(__global double *a, double s)
{
    int i = get_global_id(0);
    a[i] = sqrt(a[i]) * s / 3.0 + sin(a[i]);
}

/* RUN: halves 65536 3=0.5 */
__kernel void halves(__global half4 *a, __global const half4 *b, __global half *c, half s)
{
    int i = get_global_id(0);
    a[i] = b[i] * a[i] + s;
    vstore_half(vload_half(i, c) * 2, i, c);
}

/* RUN: volume 32,32,32 1=32 2=32 */
__kernel void volume(__global float *a, int nx, int ny)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    a[(z * ny + y) * nx + x] += get_global_offset(2);
}

/* RUN: atomics 65536 2=4 */
__kernel void atomics(__global int *a, __global int *b, __local int *l)
{
    atomic_add(&b[get_global_id(0) & 15], 1);
    if (get_local_id(0) == 0)
        *l = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(l);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_max(a, *l);
}

/* RUN: required 512,512 1=512 */
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void required(__global float *a, int w)
{
    a[get_global_id(1) * w + get_global_id(0)] = 1;
}

/* RUN: tiles 128,128 3=128 */
__kernel void tiles(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float ta[16][16], tb[16][17];
    int lx = get_local_id(0) & 15, ly = get_local_id(1) & 15, x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k += 16) {
        ta[ly][lx] = a[y * n + k + lx];
        tb[ly][lx] = b[(k + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; j++)
            s += ta[ly][j] * tb[j][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = s;
}

/* RUN: much_local 65536 */
__kernel void much_local(__global int *a)
{
    __local int l[20000];
    l[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = l[0];
}

/* RUN: many_arguments 65536 1=1 2=2 39=4 */
__kernel void many_arguments(__global int *o, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9,
                             int b0, int b1, int b2, int b3, int b4, int b5, int b6, int b7, int b8, int b9, int c0,
                             int c1, int c2, int c3, int c4, int c5, int c6, int c7, int c8, int c9, int d0, int d1,
                             int d2, int d3, int d4, int d5, int d6, int d7, __global const int *p, int d9)
{
    int i = get_global_id(0);
    o[i] = a1 + a2 * a9 + b9 * c5 + d7 + p[i + d9];
}

/* RUN: nothing 1000000000 */
__kernel void nothing(__global int *a)
{
}

#if __OPENCL_C_VERSION__ >= 200
/* RUN: generic_space 65536 1=4096 2=1 */
__kernel void generic_space(__global float *a, __local float *l, int which)
{
    int i = get_global_id(0), j = get_local_id(0);
    l[j] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float *p = which ? (float *)l : (float *)a;
    a[i] = p[j] + 1;
}
#endif
