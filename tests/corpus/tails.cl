/* Rows whose length is no multiple of what a work-item writes: a switch over the remainder. */
__kernel void by_switch(__global const float *in, __global float *out, int h, int w)
{
    int x = get_global_id(0) * 4, y = get_global_id(1), rest = w - x;
    __global float *o = out + y * w + x;
    switch (rest) {
    case 1:
        o[0] = in[0];
        break;
    case 2:
        o[0] = in[0];
        o[1] = in[1];
        break;
    case 3:
        o[0] = in[0];
        o[1] = in[1];
        o[2] = in[2];
        break;
    default:
        if (rest >= 4)
            vstore4(vload4(0, in), 0, o);
    }
}
// >>> by_switch 8x32 h=32 w=29 : proved
// >>> by_switch 8x32 h=32 w=32 : proved
// >>> by_switch 7x32+1x0 h=32 w=30 : proved

__kernel void two_cases(__global const float *in, __global float *out, int h, int w)
{
    int x = get_global_id(0) * 4, y = get_global_id(1), rest = w - x;
    __global float *o = out + y * w + x;
    if (rest >= 4)
        vstore4(vload4(0, in), 0, o);
    else if (rest == 2)
        vstore2(vload2(0, in), 0, o);
    else if (rest == 1)
        o[0] = in[0];
}
// >>> two_cases 8x32 h=32 w=29 : proved
// >>> two_cases 8x32 h=32 w=31 : proved

/* From case to case: where o[1] is written rest is 2 or 3. */
__kernel void falls_through(__global const float *in, __global float *out, int h, int w)
{
    int x = get_global_id(0) * 4, y = get_global_id(1), rest = w - x;
    __global float *o = out + y * w + x;
    if (rest >= 4) {
        vstore4(vload4(0, in), 0, o);
        return;
    }
    switch (rest) {
    case 3: o[2] = in[2];
    case 2: o[1] = in[1];
    case 1: o[0] = in[0];
    }
}
// >>> falls_through 8x32 h=32 w=29 : proved
// >>> falls_through 8x32 h=32 w=31 : proved

/* The default leads there, too. */
__kernel void default_falls_through(__global const float *in, __global float *out, int h, int w)
{
    int x = get_global_id(0) * 4, y = get_global_id(1), rest = w - x;
    __global float *o = out + y * w + x;
    if (rest >= 4) {
        vstore4(vload4(0, in), 0, o);
        return;
    }
    switch (rest) {
    case 3: o[2] = in[2];
    default: o[1] = in[1];
    case 1: o[0] = in[0];
    }
}
// >>> default_falls_through 8x32 h=32 w=29 : overlapping-writes
// >>> default_falls_through 8x32 h=32 w=32 : proved

/* One element too many. */
__kernel void too_far(__global const float *in, __global float *out, int h, int w)
{
    int x = get_global_id(0) * 4, y = get_global_id(1), rest = w - x;
    __global float *o = out + y * w + x;
    if (rest >= 4) {
        vstore4(vload4(0, in), 0, o);
        return;
    }
    switch (rest) {
    case 3: o[2] = in[2]; break;
    case 2: o[1] = in[1]; break;
    case 1: o[0] = in[0]; o[1] = in[1]; break;
    }
}
// >>> too_far 8x32 h=32 w=29 : overlapping-writes

/* A case that lies apart leads to the same place: between 1 and 40 there is room for a neighbour. */
__kernel void wide_cases(__global const float *in, __global float *out, int h, int w)
{
    int x = get_global_id(0) * 4, y = get_global_id(1), rest = w - x;
    __global float *o = out + y * 8 + x;
    switch (rest) {
    case 40: o[1] = in[1];
    case 1: o[0] = in[0];
    }
}
// >>> wide_cases 16x2 h=2 w=61 : overlapping-writes

/* Of another value than the place. */
__kernel void other_value(__global const float *in, __global float *out, int h, int w)
{
    int x = get_global_id(0) * 4, y = get_global_id(1);
    __global float *o = out + y * w + x;
    switch (w & 3) {
    case 1: o[0] = in[0]; break;
    case 2: o[0] = in[0]; o[1] = in[1]; break;
    case 3: o[0] = in[0]; o[1] = in[1]; o[2] = in[2]; break;
    }
}
// >>> other_value 8x32 h=32 w=27 : overlapping-writes

/* In a loop: the case of the round, which is not that of the last one. */
__kernel void rounds(__global const int *op, __global int *out, int n)
{
    int i = get_global_id(0), at = i * 2;
    for (int k = 0; k < n; k++)
        switch (i - k) {
        case 5: out[at] = op[k]; break;
        case 6: out[at + 1] = op[k]; break;
        default: at = op[k];
        }
}
// >>> rounds 64 n=3 : scattered-writes

/* Shifted by an argument an id is a quotient; an argument shifted by an id is none, nor is an id shifted up. */
__kernel void shifted(__global int *out, int n)
{
    uint i = get_global_id(0);
    out[i >> n] = i;
}
// >>> shifted 64 n=0 : proved
// >>> shifted 64 n=1 : overlapping-writes

__kernel void shifted_by_id(__global int *out, int n)
{
    uint i = get_global_id(0);
    out[n >> i] = i;
}
// >>> shifted_by_id 64 n=0 : scattered-writes

__kernel void shifted_up(__global int *out, int n)
{
    uint i = get_global_id(0);
    out[(i << n) & 7] = i;
}
// >>> shifted_up 8 n=0 : overlapping-writes
// >>> shifted_up 8 n=3 : overlapping-writes
