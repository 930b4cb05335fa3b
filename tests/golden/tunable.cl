// Which kernels a launch may tune: shapes of real libraries' kernels, and near misses.
// FORM: --facts

// Rows in a pitched buffer, several per work-item, indices of 24-bit products.
__kernel void rows(__global const uchar *in, int in_step, __global uchar *out, int out_step, int h, int w)
{
    int x = get_global_id(0), y0 = get_global_id(1) * 4;
    if (x < w) {
        int i = mad24(y0, in_step, x), o = mad24(y0, out_step, x);
        for (int y = y0, end = min(h, y0 + 4); y < end; ++y, i += in_step, o += out_step)
            out[o] = in[i] >> 1;
    }
}

// The same, unrolled: each step is taken only inside the image.
__kernel void steps(__global uchar *out, int step, int h, int w)
{
    int x = get_global_id(0), y = get_global_id(1) * 3;
    if (x < w) {
        int o = mad24(y, step, x);
#pragma unroll
        for (int n = 0; n < 3; ++n)
            if (y < h) {
                out[o] = y;
                ++y;
                o += step;
            }
    }
}

// A step that memory decides.
__kernel void wild_steps(__global uchar *out, __global const int *steps, int h, int w)
{
    int x = get_global_id(0), y = get_global_id(1) * 2;
    int o = y * w + x;
    if (y < h) {
        out[o] = 1;
        o += steps[y];
    }
    out[o] = 2;
}

// A loop over what is left, from a start that is computed in int.
__kernel void strided(__global float *z, __global const float *x, long offset, long n)
{
    int lid = get_local_id(0), all = get_global_size(0), start = get_local_size(0) * get_group_id(0);
    for (long i = start + lid; i < n; i += all)
        z[i + offset] = 2 * x[i];
}

// Start, stride and length in one vector argument; the sign of the work by another.
__kernel void vector_sizes(__global float *v, uint4 size, __global const float *w, uint4 size2, int flip)
{
    for (unsigned i = get_global_id(0); i < size.z; i += get_global_size(0)) {
        unsigned j = flip ? size.z - 1 - i : i;
        v[j * size.y + size.x] = w[i * size2.y + size2.x];
    }
}

// One of several buffers, chosen by the data.
__kernel void planes(__global const int *color, __global int *r, __global int *g, __global int *b)
{
    int i = get_global_id(0);
    __global int *p = r;
    if (color[i] == 1)
        p = g;
    else if (color[i] == 2)
        p = b;
    p[i] = i;
}

// One of several places, chosen by the data.
__kernel void places(__global const int *color, __global int *out)
{
    int i = get_global_id(0);
    out[color[i] ? i : 2 * i] = i;
}

// Where the loop ended, one more element.
__kernel void tail(__global float *out, int n, int pitch)
{
    int o = get_global_id(0);
    for (int i = 0; i < n; i++, o += pitch)
        out[o] = i;
    out[o] = -1;
}

// Where the loop ended that memory decides.
__kernel void unknown_tail(__global float *out, __global const float *in, int pitch)
{
    int o = get_global_id(0);
    for (int i = 0; in[i] > 0; i++)
        o += pitch;
    out[o] = -1;
}

__kernel void turned(__read_only image2d_t in, __write_only image2d_t out, int w, int h, int how)
{
    int x = get_global_id(0), y = get_global_id(1);
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    int2 p = how & 1 ? (int2)(y, x) : (int2)(get_image_width(out) - 1 - x, y);
    if (x < w && y < h)
        write_imagef(out, p, read_imagef(in, s, (int2)(x, y)));
}

__kernel void extremes(__global int *top, __global const int *in)
{
    int i = get_global_id(0);
    atomic_max(top, in[i]);
    atomic_max(top, in[i + 1]);
}

__kernel void mixed_extremes(__global int *top, __global const int *in)
{
    int i = get_global_id(0);
    atomic_max(top, in[i]);
    atomic_max((__global uint *)top, (uint)in[i + 1]);
}

// A loop that ends by what this work-item wrote itself (the launch proves that nobody else did).
__kernel void refine(__global float *x, float eps)
{
    int i = get_global_id(0);
    while (x[i] > eps)
        x[i] *= 0.5f;
}

// A loop that waits for somebody: the launch finds that all read what one writes.
__kernel void wait_for_first(__global int *flag, __global int *out)
{
    int i = get_global_id(0);
    if (i == 0)
        flag[0] = 1;
    while (flag[i & 1] == 0)
        out[i]++;
}

// A switch without a default gives no value where the argument is another: the launch knows.
__kernel void modes(__global float *out, __global const float *in, int mode)
{
    int i = get_global_id(0);
    float v;
    switch (mode) {
    case 0:
        v = in[i];
        break;
    case 1:
        v = in[i] * in[i];
        break;
    case 5:
        if (in[i] > 0.5f)
            v = exp(in[i]);
        else if (in[i] > 0.0f)
            v = sin(in[i]);
        break;
    }
    out[i] = v + 1.0f;
}

// What is left out by what stands in memory nobody knows.
__kernel void pixels(__global float *out, __global const float *in)
{
    int i = get_global_id(0);
    float v;
    if (in[i] > 0.5f)
        v = exp(in[i]);
    else if (in[i] > 0.0f)
        v = sin(in[i]);
    out[i] = v + 1.0f;
}
// >>> rows	S012IA-	tunable	0	-
// >>> steps	S012IA-	tunable	0	-
// >>> wild_steps	S012IAU	scattered-writes	40	out
// >>> strided	S-12IA-	tunable	0	-
// >>> vector_sizes	S-12IA-	tunable	0	-
// >>> planes	S012IA-	tunable	0	-
// >>> places	S012IAU	scattered-writes	76	out
// >>> tail	S012IAU	tunable	0	-
// >>> unknown_tail	S012IA-	tunable	0	-
// >>> turned	S012IAU	tunable	0	-
// >>> extremes	S012-AU	tunable	0	-
// >>> mixed_extremes	-012--U	ordered-atomic	117	different atomics on one buffer
// >>> refine	S012-A-	tunable	0	-
// >>> wait_for_first	S012-A-	tunable	0	-
// >>> modes	S012IA-	tunable	0	-
// >>> pixels	-012IA-	undefined-value	169	a variable that has no value yet reaches a stored value
