/* A work-item's own accesses to places a few numbers apart, which a driver may do in another order. */

__kernel void default_first(__global int *o, __global const int *n)
{
    int i = get_global_id(0);
    o[2 * i] = -1;
    if (n[i] > 30)
        o[2 * i] = n[n[i]];
    o[2 * i + 1] = n[i + 1];
}
// >>> default_first 64 : driver-order

/* With one number per work-item nothing is combined. */
__kernel void default_alone(__global int *o, __global const int *n)
{
    int i = get_global_id(0);
    o[i] = -1;
    if (n[i] > 30)
        o[i] = n[n[i]];
    o[i + 4096] = n[i + 1];
}
// >>> default_alone 64 : proved

/* Nor what is more than eight apart. */
__kernel void default_far(__global int *o, __global const int *n)
{
    int i = get_global_id(0);
    o[9 * i] = -1;
    if (n[i] > 30)
        o[9 * i] = n[n[i]];
    o[9 * i + 1] = n[i + 1];
}
// >>> default_far 64 : proved

/* How far is known when the program is launched: the compiler may be told. */
__kernel void default_by(__global int *o, __global const int *n, int k)
{
    int i = get_global_id(0);
    o[k * i] = -1;
    if (n[i] > 30)
        o[k * i] = n[n[i]];
    o[k * i + 1] = n[i + 1];
}
// >>> default_by 64 k=2 : driver-order
// >>> default_by 64 k=100 : proved

/* Each place once, or stored last. */
__kernel void either(__global int *o, __global const int *n)
{
    int i = get_global_id(0);
    if (n[i] > 30)
        o[2 * i] = n[n[i]];
    else
        o[2 * i] = -1;
    o[2 * i + 1] = n[i + 1];
}
// >>> either 64 : proved

__kernel void turned(__global float *a, float c, float s)
{
    int i = get_global_id(0);
    float x = a[2 * i], y = a[2 * i + 1];
    a[2 * i] = c * x - s * y;
    a[2 * i + 1] = s * x + c * y;
}
// >>> turned 64 c=1 s=0 : proved

__kernel void moved(__global float *p, float t)
{
    int i = get_global_id(0);
    p[4 * i] += t * p[4 * i + 2];
    p[4 * i + 1] += t * p[4 * i + 3];
}
// >>> moved 64 t=1 : proved

/* In place, what was stored is read. */
__kernel void swapped(__global float *out, __global const float *in)
{
    int i = get_global_id(0);
    out[2 * i] = -in[2 * i + 1];
    out[2 * i + 1] = in[2 * i];
}
// >>> swapped 64 : proved
// >>> swapped 64 in=0 : driver-order

/* The channel that an argument names. */
__kernel void channel(__global float *image, int c)
{
    int i = get_global_id(0);
    float g = image[4 * i];
    image[4 * i + c] = g * 0.5f;
    image[4 * i] = image[4 * i + 1] + image[4 * i + 2] + image[4 * i + 3];
}
// >>> channel 64 c=1 : driver-order

/* Along the second dimension. */
__kernel void column(__global int *o, __global const int *n)
{
    int i = get_global_id(1);
    o[2 * i] = -1;
    if (n[i] > 30)
        o[2 * i] = n[n[i]];
    o[2 * i + 1] = n[i + 1];
}
// >>> column 1x64 : driver-order

/* As bytes of what is stored as a whole. */
__kernel void bytes_of(__global uint *o, __global const uint *n)
{
    int i = get_global_id(0);
    o[2 * i] = n[i];
    ((__global uchar *)(o + 2 * i))[1] = 7;
    o[2 * i + 1] = o[2 * i];
}
// >>> bytes_of 64 : driver-order

/* A loop that may be taken apart, and one that stays: then there are no vectors of work-items. */
__kernel void summed(__global float *o, __global const float *n)
{
    int i = get_global_id(0);
    for (int c = 0; c < 3; c++) {
        o[3 * i + c] = 0;
        for (int k = 0; k < 4; k++)
            o[3 * i + c] += n[i + k];
    }
}
// >>> summed 64 : driver-order

__kernel void summed_for_long(__global float *o, __global const float *n, int m)
{
    int i = get_global_id(0);
    for (int c = 0; c < 3; c++) {
        o[3 * i + c] = 0;
        for (int k = 0; k < m; k++)
            o[3 * i + c] += n[i + k];
    }
}
// >>> summed_for_long 64 m=40 : proved
// >>> summed_for_long 64 m=4 : driver-order

/* It may be left early, or have few rounds in any case. */
__kernel void summed_for_a_while(__global float *o, __global const float *n, int m)
{
    int i = get_global_id(0);
    o[2 * i] = o[2 * i + 1] = 0;
    for (int k = 0; k < 4 && n[k] < m; k++)
        o[2 * i] += n[i + k];
}
// >>> summed_for_a_while 64 m=4 : driver-order

__kernel void filled(__global float *o, __global const float *n)
{
    int i = get_global_id(0);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++)
            o[4 * i + 2 * y + x] = n[i + x] * y;
}
// >>> filled 64 : proved

__kernel void filled_twice(__global float *o, __global const float *n)
{
    int i = get_global_id(0);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++)
            o[3 * i + y + x] = n[i + x] * y;
}
// >>> filled_twice 64 : driver-order

/* Private arrays are one array of all work-items. */
__kernel void kept_aside(__global int *o, __global const int *n, int k)
{
    int i = get_global_id(0), t[4];
    t[0] = n[i];
    t[1] = n[i + 1];
    t[k] = 77;
    t[2] = n[i + 2];
    t[3] = t[k & 1];
    o[i] = t[0] + t[1] * 3 + t[2] * 5 + t[3] * 7;
}
// >>> kept_aside 64 k=2 : driver-order

__kernel void chosen_between(__global int *o, __global const int *n)
{
    int i = get_global_id(0), p[3];
    p[0] = n[i];
    p[1] = n[i + 1];
    if (p[0] > p[1])
        p[n[i] & 1] = 7;
    p[2] = n[i + 2];
    o[i] = p[(p[0] > p[1]) + (n[i] > 30)];
}
// >>> chosen_between 64 : driver-order

__kernel void counted_aside(__global int *o, __global const int *n)
{
    int i = get_global_id(0), h[4] = {0, 0, 0, 0};
    h[n[i] & 3]++;
    o[i] = h[0] + h[1] * 10 + h[2] * 100 + h[3] * 1000;
}
// >>> counted_aside 64 : proved

/* ---- loops that seem to last ---- */

/* Of a loop without rounds in this launch, the driver may have code without it. */
__kernel void no_rounds(__global float *o, __global const float *n, int m)
{
    int i = get_global_id(0);
    o[2 * i] = -1;
    if (n[i] > 30)
        o[2 * i] = n[i + 1];
    o[2 * i + 1] = n[i + 2];
    for (int k = 0; k < m; k++)
        o[2 * i] += n[k];
}
// >>> no_rounds 64 m=0 : driver-order
// >>> no_rounds 64 m=100 : proved

/* So has one that an argument skips. */
__kernel void skipped(__global float *o, __global const float *n, int m, int f)
{
    int i = get_global_id(0);
    o[2 * i] = -1;
    if (n[i] > 30)
        o[2 * i] = n[i + 1];
    o[2 * i + 1] = n[i + 2];
    if (f)
        for (int k = 0; k < m; k++)
            o[2 * i] += n[k];
}
// >>> skipped 64 m=100 f=1 : driver-order

/* What its rounds do may be computed at once. */
__kernel void at_once(__global int *o, __global const int *n, int m)
{
    int i = get_global_id(0), s = 0;
    o[2 * i] = -1;
    if (n[i] > 30)
        o[2 * i] = n[i + 1];
    for (int k = 0; k < m; k++)
        s += n[i] & 255;
    o[2 * i + 1] = s;
}
// >>> at_once 64 m=100 : driver-order

/* ---- more of places ---- */

__kernel void component(__global float4 *p, __global const float *n)
{
    int i = get_global_id(0);
    p[i].x = -1;
    if (n[i] > 30)
        p[i].x = n[i + 1];
    p[i].y = n[i + 2];
}
// >>> component 64 : driver-order

__kernel void whole(__global float4 *p, __global const float4 *n)
{
    int i = get_global_id(0);
    p[i] = 2 * p[i] + n[i];
}
// >>> whole 64 : proved

__kernel void chosen_place(__global int *o, __global const int *n, int k)
{
    int i = get_global_id(0), t[4];
    t[0] = n[i];
    t[1] = n[i + 1];
    int *q = n[i] > 30 ? t + 2 : t;
    q[k & 1] = 77;
    t[2] = n[i + 2];
    t[3] = n[i + 3];
    o[i] = t[0] + 3 * t[1] + 5 * t[2] + 7 * t[3] + t[k & 3];
}
// >>> chosen_place 64 k=1 : driver-order

/* Neighbours along the second dimension, where the first one is a loop that may be taken apart. */
__kernel void flat(__global uint *o, __global const uint *n)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[4 * y + x] = n[4 * y + x];
    ((__global uchar *)(o + 4 * y + x))[1] = 7;
}
// >>> flat 4x64 : driver-order

/* Too large for anything to be combined. */
__kernel void large_aside(__global int *o, __global const int *n, int k)
{
    int i = get_global_id(0), t[80];
    for (int j = 0; j < 80; j++)
        t[j] = n[i + j];
    t[k & 63] = 5;
    o[i] = t[0] + t[1] + t[n[i] & 63];
}
// >>> large_aside 64 k=1 : proved
