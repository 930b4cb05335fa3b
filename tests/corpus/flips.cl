// Bits of a place that are turned over by a constant: each work-item still has a place of its own.

__kernel void turned(__global int *o, __global const int *a)
{
    int x = get_global_id(0);
    o[x ^ 1] = a[x];
    o[x ^ 1] += 5;
}
// >>> turned 1024 : proved
// >>> turned 1023+1 : proved

__kernel void turned_apart(__global int *o, __global const int *a)
{
    size_t x = get_global_id(0);
    o[x ^ 0x55] = a[x];
}
// >>> turned_apart 4096 : proved

__kernel void reversed(__global int *o, __global const int *a)
{
    uint x = get_global_id(0);
    o[(x ^ 1023u) + 8] = a[x];
}
// >>> reversed 1000 : proved

__kernel void rows(__global int *o, __global const int *a, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[y * w + (x ^ 5)] = a[x];
}
// >>> rows 64x64 w=64 : proved
// >>> rows 60x64 w=60 : overlapping-writes
// >>> rows 64x64 w=63 : overlapping-writes

/* A butterfly of neighbours. */
__kernel void butterfly(__global float2 *o)
{
    int x = 2 * get_global_id(0);
    float2 a = o[x], b = o[x ^ 1];
    o[x] = a + b;
    o[x ^ 1] = a - b;
}
// >>> butterfly 1024 : proved

__kernel void butterfly_of_all(__global float2 *o)
{
    int x = get_global_id(0);
    float2 a = o[x], b = o[x ^ 1];
    o[x] = a + b;
    o[x ^ 1] = a - b;
}
// >>> butterfly_of_all 1024 : overlapping-writes

__kernel void half_a_butterfly(__global float2 *o)
{
    int x = get_global_id(0);
    if ((x & 4) == 0) {
        float2 a = o[x], b = o[x ^ 4];
        o[x] = a + b;
        o[x ^ 4] = a - b;
    }
}
// >>> half_a_butterfly 1024 : proved

__kernel void other_half(__global float2 *o)
{
    int x = get_global_id(0);
    if ((x & 4) == 0) {
        float2 a = o[x], b = o[x ^ 6];
        o[x] = a + b;
        o[x ^ 6] = a - b;
    }
}
// >>> other_half 1024 : proved

__kernel void wrong_half(__global float2 *o)
{
    int x = get_global_id(0);
    if ((x & 1) == 0) {
        float2 a = o[x], b = o[x ^ 6];
        o[x] = a + b;
        o[x ^ 6] = a - b;
    }
}
// >>> wrong_half 1024 : overlapping-writes

__kernel void read_turned(__global int *o)
{
    int x = get_global_id(0);
    o[x] = o[x ^ 8] + 1;
}
// >>> read_turned 1024 : overlapping-writes

__kernel void narrow(__global int *o)
{
    uchar x = get_global_id(0);
    o[x ^ 3] = get_global_id(0);
}
// >>> narrow 256 : proved
// >>> narrow 512 : index-overflow
