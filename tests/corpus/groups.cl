/* groups.cl - kernels with barriers and local memory, as suites have them, and near misses: may several work-items of a
 * group advance in step? */

#define T 16

/* ---- tiles ------------------------------------------------------------------------------------------------------------- */

__kernel void tiled_product(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float s[T][T], t[T][T];
    const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        s[ly][lx] = a[y * n + k + lx];
        t[ly][lx] = b[(k + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < T; i++)
            sum += s[ly][i] * t[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
// >>> tiled_product 512x512/16x16 n=512 : in step
// >>> tiled_product 512x512+16x0/16x16 n=512 : in step
/* Rows of 16 elements, groups of 32: two work-items write one element. */
// >>> tiled_product 512x512/32x8 n=512 : two work-items touch one place of 'tiled_product.s' between barriers
// >>> tiled_product 512x512/8x8 n=512 : 'tiled_product.s' is read where nobody has written
// >>> tiled_product 500x512/16x16 n=512 : dimension 0: 500 is not a multiple of 16
/* Rows of the result that overlap. */
// >>> tiled_product 512x512/16x16 n=1 : two work-items touch one place of 'c'

/* Without the second barrier the next tile comes while some still read this one. */
__kernel void hasty_product(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float s[T][T], t[T][T];
    const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        s[ly][lx] = a[y * n + k + lx];
        t[ly][lx] = b[(k + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < T; i++)
            sum += s[ly][i] * t[i][lx];
    }
    c[y * n + x] = sum;
}
// >>> hasty_product 512x512/16x16 n=512 : two work-items touch one place of 'hasty_product.s' between barriers
// >>> hasty_product 16x16/16x16 n=16 : in step

/* The halo is fetched by those at the edges, who ask whether there is any. */
__kernel void tiled_stencil(__global const float *in, __global float *out, int w, int h)
{
    __local float s[T + 2][T + 2];
    const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    s[ly + 1][lx + 1] = in[y * w + x];
    if (ly == 0)
        s[0][lx + 1] = y > 0 ? in[(y - 1) * w + x] : 0;
    if (ly == T - 1)
        s[T + 1][lx + 1] = y < h - 1 ? in[(y + 1) * w + x] : 0;
    if (lx == 0)
        s[ly + 1][0] = x > 0 ? in[y * w + x - 1] : 0;
    if (lx == T - 1)
        s[ly + 1][T + 1] = x < w - 1 ? in[y * w + x + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = s[ly][lx + 1] + s[ly + 2][lx + 1] + s[ly + 1][lx] + s[ly + 1][lx + 2] - 4 * s[ly + 1][lx + 1];
}
// >>> tiled_stencil 1024x1024/16x16 w=1024 h=1024 : in step
/* In narrower groups nobody fetches the right edge. */
// >>> tiled_stencil 1024x1024/8x16 w=1024 h=1024 : 'tiled_stencil.s' is read where nobody has written

/* The column at the left is fetched by two work-items of each row. */
__kernel void fetched_twice(__global const float *in, __global float *out, int w)
{
    __local float s[T][T + 1];
    const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    s[ly][lx + 1] = in[y * w + x];
    if (lx < 2)
        s[ly][0] = in[y * w + x - lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = s[ly][lx + 1] - s[ly][lx];
}
// >>> fetched_twice 64x64/16x16 w=64 : two work-items touch one place of 'fetched_twice.s' between barriers

__kernel void transpose(__global const float *in, __global float *out, int n)
{
    __local float s[T][T + 1];
    const int lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0) * T, gy = get_group_id(1) * T;
    s[ly][lx] = in[(gy + ly) * n + gx + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gx + ly) * n + gy + lx] = s[lx][ly];
}
// >>> transpose 1024x1024/16x16 n=1024 : in step
/* Numbers that do not fit an int for some group. */
// >>> transpose 1048576x1048576/16x16 n=1048576 : a place of 'out' that is not known

/* ---- trees ------------------------------------------------------------------------------------------------------------- */

__kernel void sum_tree(__global const float *in, __global float *out, __local float *s)
{
    const uint l = get_local_id(0), i = get_group_id(0) * (get_local_size(0) * 2) + l;
    s[l] = in[i] + in[i + get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_size(0) / 2; k > 0; k >>= 1) {
        if (l < k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> sum_tree 65536/256 s=1024 : in step
// >>> sum_tree 65536/256 s=1020 : a place outside of 's'
// >>> sum_tree 65472/96 s=384 : in step

/* Those above take part, too: what they add is on its way elsewhere. */
__kernel void whole_tree(__global const float *in, __global float *out, __local float *s)
{
    const uint l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_size(0) / 2; k > 0; k >>= 1) {
        if (l + k < get_local_size(0))
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> whole_tree 65536/256 s=1024 : two work-items touch one place of 's' between barriers

__kernel void interleaved_tree(__global const float *in, __global float *out, __local float *s)
{
    const uint l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 1; k < get_local_size(0); k *= 2) {
        if (l % (2 * k) == 0)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> interleaved_tree 65536/64 s=256 : in step

/* A sum of all before, as Blelloch's, without padding. */
__kernel void scan(__global const float *in, __global float *out, __local float *s, int n)
{
    const int l = get_local_id(0);
    int step = 1;
    s[2 * l] = in[2 * l];
    s[2 * l + 1] = in[2 * l + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            s[step * (2 * l + 2) - 1] += s[step * (2 * l + 1) - 1];
        step *= 2;
    }
    if (l == 0)
        s[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        step >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            const float t = s[step * (2 * l + 1) - 1];
            s[step * (2 * l + 1) - 1] = s[step * (2 * l + 2) - 1];
            s[step * (2 * l + 2) - 1] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[2 * l] = s[2 * l];
    out[2 * l + 1] = s[2 * l + 1];
}
// >>> scan 128/128 n=256 s=1024 : in step
// >>> scan 128/128 n=250 s=1024 : a place outside of 's'
// >>> scan 100/100 n=128 s=1024 : in step

/* Two halves of the array take turns. */
__kernel void two_halves(__global const int *in, __global int *out, __local int *s)
{
    const int l = get_local_id(0), n = get_local_size(0);
    int to = 0;
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 1; k < n; k <<= 1) {
        to = n - to;
        s[to + l] = s[n - to + l] + (l >= k ? s[n - to + l - k] : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[to + l];
}
// >>> two_halves 1024/64 s=512 : in step

__kernel void bitonic(__global int *data, __local int *s, int n)
{
    const uint l = get_local_id(0);
    s[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= n; k *= 2)
        for (uint j = k / 2; j > 0; j /= 2) {
            const uint with = l ^ j;
            if (with > l) {
                const int a = s[l], b = s[with];
                const bool up = (l & k) == 0;
                s[l] = up ? min(a, b) : max(a, b);
                s[with] = up ? max(a, b) : min(a, b);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    data[get_global_id(0)] = s[l];
}
// >>> bitonic 4096/128 n=128 s=512 : in step

/* ---- what is not known --------------------------------------------------------------------------------------------------- */

__kernel void histogram(__global const uchar *in, __global int *out)
{
    __local int s[256];
    const int l = get_local_id(0);
    s[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[in[get_global_id(0)]]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[l];
}
// >>> histogram 4096/256 : a place in memory that is not known

/* Whoever has less to do leaves the barrier to the others. */
__kernel void some_leave(__global const float *in, __global float *out, __local float *s, int n)
{
    const int i = get_global_id(0), l = get_local_id(0);
    if (i >= n)
        return;
    s[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[get_local_size(0) - 1 - l];
}
// >>> some_leave 1024/64 s=256 n=1024 : in step
// >>> some_leave 1024/64 s=256 n=1000 : a barrier to which perhaps not all come

/* As many rounds as the data say, with barriers in them, or without. */
__kernel void rounds_by_data(__global const float *in, __global const int *n, __global float *out, __local float *s)
{
    const int l = get_local_id(0);
    float sum = 0;
    for (int k = 0; k < n[0]; k++) {
        s[l] = in[k * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
// >>> rounds_by_data 1024/64 s=256 : a loop of a length that is not known

__kernel void rounds_of_its_own(__global const float *in, __global const int *n, __global float *out, __local float *s)
{
    const int l = get_local_id(0);
    float sum = 0;
    for (int k = 0; k < n[get_global_id(0)]; k++)
        sum += in[k];
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[63 - l];
}
// >>> rounds_of_its_own 1024/64 s=256 : in step, loops apart

__kernel void rounds_by_place(__global const float *in, __global float *out, __local float *s)
{
    const int l = get_local_id(0);
    float sum = 0;
    for (int k = l & 3; k < 10; k++)
        sum += in[k];
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[63 - l];
}
// >>> rounds_by_place 1024/64 s=256 : in step, loops apart

/* A branch by what is in memory: either way is looked at. */
__kernel void either_way(__global const int *in, __global int *out, __local int *s, int n)
{
    const int l = get_local_id(0), g = get_global_id(0);
    int at = l;
    if (in[g] > 3)
        at = l ^ n;
    s[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = s[at];
    if (in[g] > 4)
        out[g] = s[l] + 1;
}
// >>> either_way 1024/64 s=256 n=0 : in step
// >>> either_way 1024/64 s=256 n=1 : a place in memory that is not known

/* ---- buffers --------------------------------------------------------------------------------------------------------------- */

__kernel void next_one(__global int *data, __local int *s)
{
    const int l = get_local_id(0), g = get_global_id(0);
    s[l] = data[g + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[g] = s[l];
}
// >>> next_one 1024/64 s=256 : two work-items touch one place of 'data'

/* Each writes a row of its own length. */
__kernel void strided_rows(__global const int *in, __global int *out, __local int *s, int n)
{
    const int l = get_local_id(0), g = get_global_id(0);
    s[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g * n] = s[63 - l];
    out[g * n + 2] = s[l];
}
// >>> strided_rows 1024/64 s=256 n=3 : in step
// >>> strided_rows 1024/64 s=256 n=2 : two work-items touch one place of 'out'
// >>> strided_rows 1024/64 s=256 n=0 : two work-items touch one place of 'out'
