/* Rounds of loops, on a driver that ends all loops of a few neighbouring work-items after some number of them. */

__kernel void by_id(__global float *o, __global const float *x, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < i * n; j++)
        s += x[j];
    o[i] = s;
}
// >>> by_id 64! n=100 : proved
// >>> by_id 64! n=1000 : driver-loops
// >>> by_id 64 n=1000 : proved

/* The rounds of loops in loops are many times as many, those of one behind another a sum. */
__kernel void nested(__global float *o, __global const float *x, int n, int m)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int h = 0; h < m; h++) {
            if (s > x[h])
                break;
            s += x[i + j];
        }
    for (int j = 0; j < 10000; j++)
        s *= x[j];
    o[i] = s;
}
// >>> nested 64! n=100 m=100 : proved
// >>> nested 64! n=200 m=100 : proved
// >>> nested 64! n=200 m=200 : driver-loops
// >>> nested 64! n=0 m=100000 : proved
// >>> nested 64! n=1 m=100000 : driver-loops

/* How often is known from bits, steps and sizes. */
__kernel void bits(__global int *o, __global const int *x, int by)
{
    int i = get_global_id(0), s = 0;
    for (int j = 0; j < (x[i] & 1023); j++)
        s += x[j];
    for (int j = i; j < 1000000; j += get_global_size(0))
        s ^= x[j];
    for (int j = i; j < 1000000; j += by)
        s ^= x[j];
    o[i] = s & 1;
}
// >>> bits 4096! by=4096 : proved
// >>> bits 16! by=4096 : driver-loops
// >>> bits 4096! by=16 : driver-loops
// >>> bits 4096! by=0 : driver-loops

/* ... and not from memory, whatever other work-items have. */
__kernel void rows(__global float *o, __global const int *row, __global const float *x)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = row[i]; j < row[i + 1]; j++)
        s += x[j];
    o[i] = s;
}
// >>> rows 64! : driver-loops
// >>> rows 64 : proved

__kernel void until(__global float *o, __global const float *x, float end)
{
    int i = get_global_id(0);
    float s = x[i];
    while (s < end)
        s = s * 1.5f + 1.0f;
    o[i] = s;
}
// >>> until 64! : driver-loops

/* Some functions go round for each bit, and for each number of a vector. */
__kernel void parts(__global float4 *o, __global const float4 *x, int n)
{
    int i = get_global_id(0);
    float4 s = x[i];
    for (int j = 0; j < n; j++)
        s = fmod(s, x[j]);
    o[i] = s;
}
// >>> parts 64! n=20 : proved
// >>> parts 64! n=64 : driver-loops

__kernel void quotients(__global float *o, __global int *p, __global const float *x, int n)
{
    int i = get_global_id(0), q = 0;
    float s = x[i];
    for (int j = 0; j < n; j++) {
        s += remquo(s, x[j], &q);
        s += remainder(s, x[j]);
    }
    o[i] = s;
    p[i] = q;
}
// >>> quotients 64! n=30 : proved
// >>> quotients 64! n=100 : driver-loops

__kernel void circles(__global float *o, __global float *p, __global const float *x, int n)
{
    int i = get_global_id(0);
    float s = x[i], c = 0;
    for (int j = 0; j < n; j++) {
        s += sincos(s, &c);
        s += sin(s) / pow(s, c);
    }
    o[i] = s;
    p[i] = c;
}
// >>> circles 64! n=20000 : proved
// >>> circles 64! n=40000 : driver-loops

/* What no work-item comes to does not count. */
__kernel void never(__global float *o, __global const float *x, int n)
{
    int i = get_global_id(0);
    float s = x[i];
    if (n > 10)
        while (s < 5)
            s *= x[i + 1];
    o[i] = s;
}
// >>> never 64! n=10 : proved
// >>> never 64! n=11 : driver-loops

/* Other kernels that do a group's work go round its loops, too. */
__kernel void summed(__global float *o, __global const float *x, __local float *t, int n)
{
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int j = 0; j < n + l; j++)
        s += t[j & 15];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = s;
}
// >>> summed 64/16! n=1000 : proved
// >>> summed 64/16! n=40000 : driver-loops
// >>> summed 64/16 n=40000 : proved
