/* Kernels as vision, photo and video programs have them. */

__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void flip_rows(__global const uchar *src, int src_step, int src_off, __global uchar *dst, int dst_step, int dst_off, int rows,
                        int cols, int thread_rows, int thread_cols)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < cols && y < thread_rows) {
        int s0 = mad24(y, src_step, src_off + x * 4), s1 = mad24(rows - y - 1, src_step, src_off + x * 4);
        int d0 = mad24(y, dst_step, dst_off + x * 4), d1 = mad24(rows - y - 1, dst_step, dst_off + x * 4);
        uint a = *(__global const uint *)(src + s0), b = *(__global const uint *)(src + s1);
        *(__global uint *)(dst + d0) = b;
        *(__global uint *)(dst + d1) = a;
    }
}
// >>> flip_rows 640x240 src_step=2560 src_off=0 dst_step=2560 dst_off=0 rows=480 cols=640 thread_rows=240 thread_cols=640 : proved
// >>> flip_rows 640x240 src_step=2560 src_off=0 dst_step=2560 dst_off=0 rows=479 cols=640 thread_rows=240 thread_cols=640 : proved
// >>> flip_rows 640x242 src_step=2560 src_off=0 dst_step=2560 dst_off=0 rows=480 cols=640 thread_rows=241 thread_cols=640 : overlapping-writes

__kernel void flip_cols(__global const uchar *src, int src_step, int src_off, __global uchar *dst, int dst_step, int dst_off, int rows,
                        int cols, int thread_rows, int thread_cols)
{
    int x = get_global_id(0), y0 = get_global_id(1) * 4;
    if (x < thread_cols) {
        int from = mad24(y0, src_step, mad24(x, 4, src_off)), from1 = mad24(y0, src_step, mad24(cols - x - 1, 4, src_off));
        int to = mad24(y0, dst_step, mad24(x, 4, dst_off)), to1 = mad24(cols - x - 1, 4, mad24(y0, dst_step, dst_off));
        for (int y = y0, y1 = min(rows, y0 + 4); y < y1; ++y) {
            uint a = *(__global const uint *)(src + from), b = *(__global const uint *)(src + from1);
            *(__global uint *)(dst + to1) = a;
            *(__global uint *)(dst + to) = b;
            from += src_step;
            from1 += src_step;
            to += dst_step;
            to1 += dst_step;
        }
    }
}
// >>> flip_cols 320x120 src_step=2560 src_off=0 dst_step=2560 dst_off=0 rows=480 cols=640 thread_rows=480 thread_cols=320 : proved

__kernel void flip_in_place(__global float *a, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w / 2 || y >= h)
        return;
    float t = a[y * w + x];
    a[y * w + x] = a[y * w + w - 1 - x];
    a[y * w + w - 1 - x] = t;
}
// >>> flip_in_place 320x480 w=640 h=480 : proved
// >>> flip_in_place 320x480 w=641 h=480 : proved

__kernel void flat_range(__global uchar *img, int w, int h, int channels)
{
    int i = get_global_id(0);
    if (i >= w * h)
        return;
    int x = i % w, y = i / w;
    img[(y * w + x) * channels] = 255 - img[(y * w + x) * channels];
}
// >>> flat_range 307200 w=640 h=480 channels=3 : proved

__kernel void flat_pitched(__global const uchar *src, __global uchar *dst, int w, int h, int pitch)
{
    int i = get_global_id(0);
    if (i >= w * h)
        return;
    int x = i % w, y = i / w;
    dst[y * pitch + x] = 255 - src[y * pitch + x];
}
// >>> flat_pitched 307200 w=640 h=480 pitch=704 : proved
// >>> flat_pitched 307200 w=640 h=480 pitch=600 : overlapping-writes

__kernel void flat_pitched_u(__global const float *src, __global float *dst, uint w, uint pitch)
{
    uint i = get_global_id(0), x = i % w, y = i / w;
    dst[y * pitch + x] = src[i];
}
// >>> flat_pitched_u 65536 w=256 pitch=320 : proved

__kernel void flat_transposed(__global const float *src, __global float *dst, uint w, uint h)
{
    uint i = get_global_id(0), x = i % w, y = i / w;
    dst[x * h + y] = src[i];
}
// >>> flat_transposed 65536 w=256 h=256 : proved
// >>> flat_transposed 65536 w=256 h=255 : overlapping-writes

__kernel void flat_mirror(__global const float *src, __global float *dst, int w)
{
    int i = get_global_id(0);
    dst[(i / w) * w + (w - 1 - i % w)] = src[i];
}
// >>> flat_mirror 65536 w=256 : proved

__kernel void nchw_bias(__global float *x, __global const float *bias, int channels, int spatial)
{
    int i = get_global_id(0);
    int c = (i / spatial) % channels;
    x[i] += bias[c];
}
// >>> nchw_bias 602112 channels=64 spatial=3136 : proved

__kernel void nchw_to_nhwc(__global const float *in, __global float *out, int C, int H, int W)
{
    int i = get_global_id(0);
    int w = i % W, h = (i / W) % H, c = (i / (W * H)) % C, n = i / (W * H * C);
    out[((n * H + h) * W + w) * C + c] = in[i];
}
// >>> nchw_to_nhwc 150528 C=3 H=224 W=224 : proved

/* Near miss: digits of a number of which one is left out. */
__kernel void lost_digit(__global const float *in, __global float *out, int C, int H, int W)
{
    int i = get_global_id(0);
    int w = i % W, c = i / (W * H);
    out[w * C + c] = in[i];
}
// >>> lost_digit 150528 C=3 H=224 W=224 : overlapping-writes

__kernel void im2col(const int n, __global const float *im, const int height, const int width, const int ksize, const int pad,
                     const int stride, const int height_col, const int width_col, __global float *col)
{
    int index = get_global_id(0);
    if (index >= n)
        return;
    int w_out = index % width_col, h_index = index / width_col, h_out = h_index % height_col, c_in = h_index / height_col;
    int c_out = c_in * ksize * ksize, h_in = h_out * stride - pad, w_in = w_out * stride - pad;
    __global float *p = col + (c_out * height_col + h_out) * width_col + w_out;
    __global const float *q = im + (c_in * height + h_in) * width + w_in;
    for (int i = 0; i < ksize; ++i)
        for (int j = 0; j < ksize; ++j) {
            int h = h_in + i, w = w_in + j;
            *p = (h >= 0 && w >= 0 && h < height && w < width) ? q[i * width + j] : 0;
            p += height_col * width_col;
        }
}
// >>> im2col 150528 n=150528 height=224 width=224 ksize=3 pad=1 stride=1 height_col=224 width_col=224 : proved

__kernel void upsample(__global const float *x, int w, int h, int c, int stride, __global float *out, int size)
{
    int i = get_global_id(0);
    if (i >= size)
        return;
    int out_i = i, ow = i % (w * stride);
    i = i / (w * stride);
    int oh = i % (h * stride);
    i = i / (h * stride);
    int oc = i % c, b = i / c;
    out[out_i] += x[b * w * h * c + oc * w * h + (oh / stride) * w + ow / stride];
}
// >>> upsample 43264 w=13 h=13 c=64 stride=2 size=43264 : proved

__kernel void max_pool(__global const float *in, __global float *out, int c, int h, int w, int oh, int ow, int k, int stride)
{
    int i = get_global_id(0), j = get_global_id(1), ch = get_global_id(2);
    if (i >= ow || j >= oh)
        return;
    float m = -FLT_MAX;
    for (int y = 0; y < k; y++)
        for (int x = 0; x < k; x++) {
            int yy = min(j * stride + y, h - 1), xx = min(i * stride + x, w - 1);
            m = fmax(m, in[(ch * h + yy) * w + xx]);
        }
    out[(ch * oh + j) * ow + i] = m;
}
// >>> max_pool 128x112x64 c=64 h=224 w=224 oh=112 ow=112 k=2 stride=2 : proved

__kernel void separable_rows(__global const float *src, __global float *dst, __constant float *k, int width, int height, int radius)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int i = -radius; i <= radius; i++)
        sum += src[y * width + clamp(x + i, 0, width - 1)] * k[i + radius];
    dst[y * width + x] = sum;
}
// >>> separable_rows 1024x768 width=1000 height=750 radius=8 : proved

__kernel void bilateral(__read_only image2d_t in, __write_only image2d_t out, float sd, float sr)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 c = read_imagef(in, s, p), sum = 0;
    float w = 0;
    for (int dy = -4; dy <= 4; dy++)
        for (int dx = -4; dx <= 4; dx++) {
            float4 v = read_imagef(in, s, p + (int2)(dx, dy));
            float g = exp(-(dx * dx + dy * dy) / sd - fabs(v.x - c.x) / sr);
            sum += v * g;
            w += g;
        }
    write_imagef(out, p, sum / w);
}
// >>> bilateral 640x480 : proved

__kernel void clip_image(__read_only image2d_t in, __write_only image2d_t out, int width, int height)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    int2 dim = get_image_dim(out);
    if (p.x < dim.x && p.y < dim.y)
        write_imagef(out, p, read_imagef(in, s, p));
}
// >>> clip_image 640x480 width=640 height=480 : proved

__kernel void flip_image(__read_only image2d_t in, __write_only image2d_t out)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    int w = get_image_width(out);
    write_imagef(out, (int2)(w - 1 - p.x, p.y), read_imagef(in, s, p));
}
// >>> flip_image 640x480 : proved

__kernel void rotate_image(__read_only image2d_t in, __write_only image2d_t out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    write_imageui(out, (int2)(h - 1 - y, x), read_imageui(in, s, (int2)(x, y)));
}
// >>> rotate_image 640x480 w=640 h=480 : proved

__kernel void slices_3d(__read_only image3d_t in, __global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(z * h + y) * w + x] = read_imagef(in, s, (int4)(x, y, z, 0)).x;
}
// >>> slices_3d 64x64x64 w=64 h=64 : proved

__kernel void array_image(__read_only image2d_array_t in, __write_only image2d_array_t out)
{
    int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imagef(out, p, read_imagef(in, s, p) * 0.5f);
}
// >>> array_image 64x64x8 : proved

__kernel void buffer_image(__read_only image1d_buffer_t in, __write_only image1d_buffer_t out)
{
    int i = get_global_id(0);
    write_imagef(out, i, read_imagef(in, i) * 2.0f);
}
// >>> buffer_image 65536 : proved

__kernel void line_image(__read_only image1d_t in, __write_only image1d_t out, int n)
{
    int i = get_global_id(0);
    if (i < n)
        write_imagei(out, i, read_imagei(in, s, i) + 1);
}
// >>> line_image 1024 n=1000 : proved

__kernel void sepia(__global uchar4 *px, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        uchar4 p = px[i];
        float g = p.x * 0.3f + p.y * 0.6f + p.z * 0.1f;
        px[i] = (uchar4)(convert_uchar_sat(g * 1.1f), convert_uchar_sat(g), convert_uchar_sat(g * 0.8f), p.w);
    }
}
// >>> sepia 307200 n=307200 : proved

__kernel void blend(__global const uchar4 *fg, __global const uchar4 *bg, __global uchar4 *out, uint width, uint height, uint pitch4)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (!(x < width && y < height))
        return;
    uint i = y * pitch4 + x;
    float a = fg[i].w / 255.0f;
    out[i] = convert_uchar4(convert_float4(fg[i]) * a + convert_float4(bg[i]) * (1 - a));
}
// >>> blend 640x480 width=640 height=480 pitch4=704 : proved

__kernel void rgb_to_yuv420(__global const uchar *rgb, __global uchar *y, __global uchar *u, __global uchar *v, int w, int h)
{
    int cx = get_global_id(0), cy = get_global_id(1);
    if (cx >= w / 2 || cy >= h / 2)
        return;
    int su = 0, sv = 0;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            int p = (cy * 2 + j) * w + cx * 2 + i;
            int r = rgb[p * 3], g = rgb[p * 3 + 1], b = rgb[p * 3 + 2];
            y[p] = (66 * r + 129 * g + 25 * b) >> 8;
            su += b - g;
            sv += r - g;
        }
    u[cy * (w / 2) + cx] = su >> 2;
    v[cy * (w / 2) + cx] = sv >> 2;
}
// >>> rgb_to_yuv420 320x240 w=640 h=480 : proved

__kernel void nv12_planes(__global const uchar *src, __global uchar *dst, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    dst[y * w + x] = src[y * w + x];
    if (!(x & 1) && !(y & 1)) {
        int c = w * h + (y >> 1) * w + x;
        dst[c] = src[c];
        dst[c + 1] = src[c + 1];
    }
}
// >>> nv12_planes 640x480 w=640 h=480 : proved

__kernel void integral_rows(__global const uchar *src, __global uint *dst, int w, int h)
{
    int y = get_global_id(0);
    if (y >= h)
        return;
    uint sum = 0;
    for (int x = 0; x < w; x++) {
        sum += src[y * w + x];
        dst[y * w + x] = sum;
    }
}
// >>> integral_rows 512 w=640 h=480 : proved

__kernel void integral_columns(__global uint *a, int w, int h)
{
    int x = get_global_id(0);
    if (x < w)
        for (int y = 1; y < h; y++)
            a[y * w + x] += a[(y - 1) * w + x];
}
// >>> integral_columns 640 w=640 h=480 : proved

__kernel void bayer(__global const ushort *raw, __global ushort *rgb, int w, int h)
{
    int x = 2 * get_global_id(0), y = 2 * get_global_id(1);
    if (x > w - 2 || y > h - 2)
        return;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            __global ushort *o = rgb + 3 * ((y + j) * w + x + i);
            o[0] = raw[y * w + x];
            o[1] = (raw[y * w + x + 1] + raw[(y + 1) * w + x]) / 2;
            o[2] = raw[(y + 1) * w + x + 1];
        }
}
// >>> bayer 320x240 w=640 h=480 : proved

__kernel void lut_planes(__global uchar *dst, __global const uchar *src, __constant uchar *lut, int step, int offset, int cols, int rows)
{
    int x = get_global_id(0), y = get_global_id(1) << 2;
    if (x < cols)
        for (int i = 0; i < 4 && y + i < rows; ++i) {
            int at = mad24(y + i, step, mad24(x, 3, offset));
            dst[at] = lut[src[at]];
            dst[at + 1] = lut[src[at + 1]];
            dst[at + 2] = lut[src[at + 2]];
        }
}
// >>> lut_planes 640x120 step=1920 offset=0 cols=640 rows=480 : proved

__kernel void choose_output(__global float *even, __global float *odd, __global const float *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    __global float *out = (y & 1) ? odd : even;
    out[y * w + x] = in[y * w + x];
}
// >>> choose_output 640x480 w=640 : proved

__kernel void choose_half(__global float *even, __global float *odd, __global const float *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    __global float *out = (y & 1) ? odd : even;
    out[(y >> 1) * w + x] = in[y * w + x];
}
// >>> choose_half 640x480 w=640 : overlapping-writes

__kernel void choose_by_size(__global float *a, __global float *b, __global const float *in, int n, int to_b)
{
    int i = get_global_id(0);
    __global float *out = to_b ? b : a;
    if (i < n)
        out[i] = in[i];
}
// >>> choose_by_size 4096 n=4000 to_b=1 : proved

__kernel void clamp_write(__global float *out, __global const float *in, int n)
{
    int i = get_global_id(0);
    int j = min(i, n - 1);
    out[j] = in[j];
}
// >>> clamp_write 4096 n=4096 : proved
// >>> clamp_write 4096 n=4000 : index-overflow

// Vectors of four; where the row is no multiple of it, the first one would begin before it.
__kernel void clamp_first(__global uchar *out, __global const uchar *in, int pitch, int missing)
{
    uint x = max((int)(get_global_id(0) * 4 - missing), 0), at = x + get_global_id(1) * pitch;
    vstore4(vload4(0, in + at), 0, out + at);
}
// >>> clamp_first 64x16 pitch=256 missing=0 : proved
// >>> clamp_first 64x16+1 pitch=260 missing=4 : proved
// >>> clamp_first 64x16 pitch=255 missing=0 : overlapping-writes
// >>> clamp_first 64x16 pitch=256 missing=1 : index-overflow

__kernel void clamp_both(__global float *out, __global const float *in, int low, int high)
{
    int j = clamp((int)get_global_id(0) * 2 - 6, low, high);
    out[j] = in[j];
}
// >>> clamp_both 100 low=-6 high=192 : proved
// >>> clamp_both 100 low=-5 high=192 : index-overflow
// >>> clamp_both 100 low=-6 high=191 : index-overflow

__kernel void clamp_unsigned(__global float *out, __global const float *in, uint most, int from)
{
    uint j = min((uint)get_global_id(0) + (uint)from, most);
    out[j] = in[j];
}
// >>> clamp_unsigned 100 most=99 from=0 : proved
// >>> clamp_unsigned 100 most=0xffffffff from=0 : index-overflow
// >>> clamp_unsigned 100 most=98 from=0 : index-overflow
// >>> clamp_unsigned 100 most=1000 from=-1 : index-overflow

// The clamp sees 16 bits.
__kernel void clamp_narrow(__global float *out, __global const float *in)
{
    short j = max((short)get_global_id(0), (short)0);
    out[j] = in[j];
}
// >>> clamp_narrow 32768 : proved
// >>> clamp_narrow 32769 : index-overflow

// x is less than what it is kept above, by more than a long holds; and all write the first place.
__kernel void clamp_far(__global int *out, __global const int *in, long a)
{
    long x = (long)get_global_id(0) - a * 0x6000000000000000L;
    out[(int)max(x, a * 0x6000000000000000L)] = in[get_global_id(0)];
}
// >>> clamp_far 64 a=1 : scattered-writes

// Of 64 bits, -4 is a large number.
__kernel void clamp_most(__global int *out, __global const int *in)
{
    out[max((ulong)get_global_id(0), (ulong)-4) + 4] = in[get_global_id(0)];
}
// >>> clamp_most 64 : scattered-writes

// Which of three is no matter, as long as it is the same for all.
__kernel void plane_of_three(__global float *out, __global const float *in, int how, int a, int b, int pitch, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        int plane = how == 0 ? 3 : how == 1 ? a : b;
        out[plane * pitch + i] = in[i];
    }
}
// >>> plane_of_three 512 how=1 a=4 b=5 pitch=1024 n=1024 : proved
// >>> plane_of_three 512 how=7 a=4 b=5 pitch=0 n=1024 : proved

__kernel void planes_in_turn(__global float *out, __global const float *in, int how, int a, int b, int pitch)
{
    int i = get_global_id(0);
    for (int k = 0; k < 3; k++) {
        int plane = how == 0 ? k : how == 1 ? a : b;
        out[plane * pitch + i] = in[k * pitch + i];
    }
}
// >>> planes_in_turn 512 how=0 a=4 b=5 pitch=512 : scattered-writes

__kernel void plane_of_each(__global float *out, __global const float *in, int how, int a, int b, int pitch)
{
    int i = get_global_id(0), one = i < how;
    int plane = one == how ? 3 : one == a ? a : b;
    out[plane * pitch + i] = in[i];
}
// >>> plane_of_each 512 how=1 a=4 b=5 pitch=1024 : scattered-writes

__kernel void step_of_three(__global float *out, __global const float *in, int how, int a, int b)
{
    int i = get_global_id(0);
    int step = how == 0 ? 3 : how == 1 ? a : b;
    out[step * i] = in[i];
}
// >>> step_of_three 512 how=1 a=4 b=5 : overlapping-writes

__kernel void plane_and_first(__global float *out, __global const float *in, int how, int a, int b, int pitch)
{
    int i = get_global_id(0);
    int plane = how == 0 ? 3 : how == 1 ? a : b;
    out[plane * pitch + i] = out[i + 1];
}
// >>> plane_and_first 512 how=1 a=4 b=5 pitch=1024 : overlapping-writes

// Not all make a round.
__kernel void plane_in_loop(__global int *out, __global const int *in, int how, int a, int b, int pitch)
{
    int i = get_global_id(0), plane = how;
    for (int k = 0; k < in[i]; k++)
        plane = how == 0 ? 3 : how == 1 ? a : b;
    out[plane * pitch + i] = in[i];
}
// >>> plane_in_loop 512 how=1 a=4 b=5 pitch=1 : scattered-writes

__kernel void select_write(__global float *out, __global const float *in, int n, int dir)
{
    int i = get_global_id(0);
    int j = dir ? i : n - 1 - i;
    out[j] = in[i];
}
// >>> select_write 4096 n=4096 dir=0 : proved

__kernel void border_fill(__global float *a, int w, int h, float v)
{
    int i = get_global_id(0);
    if (i < w) {
        a[i] = v;
        a[(h - 1) * w + i] = v;
    }
    if (i < h) {
        a[i * w] = v;
        a[i * w + w - 1] = v;
    }
}
// >>> border_fill 640 w=640 h=480 : proved

__kernel void knn(__global const float *ref, __global const float *query, __global float *dist, __global int *index, int nref, int k, int d)
{
    int q = get_global_id(0);
    float best[8];
    int ind[8];
    for (int i = 0; i < 8; i++)
        best[i] = FLT_MAX;
    for (int r = 0; r < nref; r++) {
        float s = 0;
        for (int i = 0; i < d; i++)
            s += (ref[r * d + i] - query[q * d + i]) * (ref[r * d + i] - query[q * d + i]);
        int at = 7;
        while (at > 0 && best[at - 1] > s) {
            best[at] = best[at - 1];
            ind[at] = ind[at - 1];
            at--;
        }
        best[at] = s;
        ind[at] = r;
    }
    for (int i = 0; i < k; i++) {
        dist[q * k + i] = best[i];
        index[q * k + i] = ind[i];
    }
}
// >>> knn 1024 nref=1000 k=8 d=16 : proved

/* Colour spaces and modes of blending: a mode that nobody offers has no case. */
__kernel void blend_modes(__global float4 *out, __global const float4 *a, __global const float4 *b, int width, int height,
                    uint mode, float opacity)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const int at = mad24(y, width, x);
    const float4 p = a[at], q = b[at];
    float4 o;
    switch (mode & 0xff) {
    case 1:
        o = p * (1.0f - opacity) + q * opacity;
        break;
    case 2:
    case 3:
        o = fmax(p, q);
        break;
    case 4: { /* hue from whichever is greatest: none is where all are NaN */
        const float most = fmax(p.x, fmax(p.y, p.z));
        float hue;
        if (p.x == most)
            hue = native_sin(p.y - p.z);
        else if (p.y == most)
            hue = native_cos(p.z - p.x);
        else if (p.z == most)
            hue = native_exp(p.x - p.y);
        o = (float4)(hue, most, 0.0f, 0.0f);
        break;
    }
    }
    o.w = p.w;
    out[at] = o;
}
// >>> blend_modes 1920x1088 width=1920 height=1080 mode=1 : proved
// >>> blend_modes 1920x1088 width=1920 height=1080 mode=3 : proved
// >>> blend_modes 1920x1088 width=1920 height=1080 mode=0x80000002 : proved
// >>> blend_modes 1920x1088 width=1920 height=1080 mode=4 : undefined-by-arguments
// >>> blend_modes 1920x1088 width=1920 height=1080 mode=7 : undefined-by-arguments
// >>> blend_modes 1920x1088 width=1920 height=1080 mode=0 : undefined-by-arguments

// Remainders of remainders, with other strides than the extents'.
__kernel void padded_volume(__global float *out, __global const float *in, int w, int h, int d, int pitch, int slice)
{
    int i = get_global_id(0);
    if (i >= w * h * d)
        return;
    int r = i % (w * h), z = i / (w * h), y = r / w, x = r % w;
    out[z * slice + y * pitch + x] = in[i];
}
// >>> padded_volume 512 w=13 h=7 d=5 pitch=16 slice=144 : proved
// >>> padded_volume 512 w=13 h=7 d=5 pitch=12 slice=144 : overlapping-writes
// >>> padded_volume 512 w=13 h=7 d=5 pitch=16 slice=96 : overlapping-writes
// >>> padded_volume 16777216 w=256 h=256 d=256 pitch=260 slice=67080 : proved

__kernel void permuted_padded(__global float *out, __global const float *in, int b, int c, int d, int n, int sa, int sb, int sc, int sd)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    int i3 = i % d, i2 = i / d % c, i1 = i / (d * c) % b, i0 = i / (d * c * b);
    out[i0 * sa + i1 * sb + i2 * sc + i3 * sd] = in[i];
}
// >>> permuted_padded 262144 b=64 c=64 d=64 n=262144 sa=274625 sb=1 sc=65 sd=4225 : proved
// >>> permuted_padded 262144 b=64 c=64 d=64 n=262144 sa=274625 sb=1 sc=63 sd=4225 : overlapping-writes

__kernel void tiled_4x4(__global float *out, int w, int pitch)
{
    int i = get_global_id(0), y = i / w, x = i % w;
    int ty = y / 4, iy = y % 4, tx = x / 4, ix = x % 4;
    out[((ty * pitch + tx) * 4 + iy) * 4 + ix] = i;
}
// >>> tiled_4x4 4096 w=64 pitch=16 : proved
// >>> tiled_4x4 4096 w=63 pitch=16 : proved
// >>> tiled_4x4 4096 w=64 pitch=15 : overlapping-writes

// One component has a value: no harm where the image keeps no other.
__kernel void one_component(__write_only image2d_t out, __global const float *in, int w)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float4 p;
    p.x = in[y * w + x] * 0.5f;
    write_imagef(out, (int2)(x, y), p);
}
// >>> one_component 512x512 w=512 out=r : proved
// >>> one_component 512x512 w=512 out=rg : undefined-component
// >>> one_component 512x512 w=512 out=a : undefined-component
// >>> one_component 512x512 w=512 out=rgba : undefined-component
// >>> one_component 512x512 w=512 : undefined-component

__kernel void colour_and_alpha(__write_only image2d_t out, __read_only image2d_t in)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    const uint4 p = read_imageui(in, s, (int2)(x, y));
    uint4 o;
    if (p.x > 100)
        o.xw = p.xw;
    else
        o.xzw = p.yzx;
    write_imageui(out, (int2)(x, y), o);
}
// >>> colour_and_alpha 512x512 out=ra : proved
// >>> colour_and_alpha 512x512 out=r : proved
// >>> colour_and_alpha 512x512 out=rgb in=rgba : undefined-component

// Each image for itself.
__kernel void to_both(__write_only image2d_t out, __write_only image2d_t other, __global const float *in, int w)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float4 p, q = in[y * w + x];
    p.x = q.x;
    write_imagef(out, (int2)(x, y), p);
    write_imagef(other, (int2)(x, y), q);
}
// >>> to_both 512x512 w=512 out=r other=rgba : proved
// >>> to_both 512x512 w=512 out=rgba other=r : undefined-component
