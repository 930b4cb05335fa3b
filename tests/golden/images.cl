// OPTIONS: -Dcl_khr_mipmap_image=1 -Dcl_khr_mipmap_image_writes=1
// Images: 1-D to 3-D, arrays, samplers from arguments and constants, queries, depth of coordinates.
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void copy(read_only image2d_t in, write_only image2d_t out, int w, int h)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    if (p.x < w && p.y < h)
        write_imagef(out, p, read_imagef(in, nearest, p));
}
__kernel void sample(read_only image2d_t in, sampler_t s, __global float4 *o)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_image_width(in);
    o[y * w + x] = read_imagef(in, s, (float2)(x + 0.5f, y + 0.5f) / convert_float2(get_image_dim(in)));
}
__kernel void slices(read_only image3d_t v, write_only image2d_array_t a, read_only image1d_t ramp)
{
    int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imageui(a, p, read_imageui(v, nearest, p) + read_imageui(ramp, nearest, p.x));
}
__kernel void line(read_only image1d_buffer_t b, write_only image1d_t o)
{
    int i = get_global_id(0);
    write_imagei(o, i, read_imagei(b, i));
}
/* The level of detail, the gradients and the sample say which texel, too. */
__kernel void level(read_only image2d_t in, sampler_t s, __global float4 *o)
{
    int x = get_global_id(0);
    o[x] = read_imagef(in, s, (float2)(0.5f, 0.5f), (float)get_local_id(0));
}
__kernel void gradient(read_only image2d_t in, sampler_t s, __global float4 *o)
{
    int x = get_global_id(0);
    o[x] = read_imagef(in, s, (float2)(0.5f, 0.5f), (float2)(get_local_id(0), 0.0f), (float2)(0.0f, 0.0f));
}
__kernel void level_write(write_only image2d_t o)
{
    write_imagef(o, (int2)(get_global_id(0), 0), (int)get_local_id(0) & 1, (float4)(1.0f));
}
__kernel void multisample(read_only image2d_msaa_t in, __global float4 *o)
{
    int x = get_global_id(0);
    o[x] = read_imagef(in, (int2)(x, 0), (int)get_local_id(0));
}
__kernel void fixed_level(read_only image2d_t in, sampler_t s, float lod, write_only image2d_t o, int level)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(o, p, level, read_imagef(in, s, (float2)(0.5f, 0.5f), lod) + read_imagef(in, s, (float2)(0.5f), 0.0f));
}
__kernel void each_sample(read_only image2d_msaa_t in, __global float4 *o)
{
    int x = get_global_id(0);
    o[x] = read_imagef(in, (int2)(x / 4, 0), x % 4);
}
__kernel void part_of_a_texel(write_only image2d_t out, float f)
{
    float4 c;
    c.x = f;
    write_imagef(out, (int2)(get_global_id(0), get_global_id(1)), c);
}
// >>> kernel copy
// >>>   arg in: image2d_t, image, global, 8 bytes, read
// >>>   arg out: image2d_t, image, global, 8 bytes, written
// >>>   arg w: int, scalar, private, 4 bytes
// >>>   arg h: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0) global_id(1)
// >>>   effects: image-read.2d image-write.2d
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel sample
// >>>   arg in: image2d_t, image, global, 8 bytes, read
// >>>   arg s: sampler_t, sampler, private, 8 bytes
// >>>   arg o: float4*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0) global_id(1)
// >>>   effects: image-read.2d store.global.16
// >>>   cost: fadd*2 fdiv*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel slices
// >>>   arg v: image3d_t, image, global, 8 bytes, read
// >>>   arg a: image2d_array_t, image, global, 8 bytes, written
// >>>   arg ramp: image1d_t, image, global, 8 bytes, read
// >>>   work-item: global_id(0) global_id(1) global_id(2)
// >>>   effects: image-read.1d image-read.3d image-write.3d
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel line
// >>>   arg b: image1d_buffer_t, image, global, 8 bytes, read
// >>>   arg o: image1d_t, image, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: image-read.1d image-write.1d
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel level
// >>>   arg in: image2d_t, image, global, 8 bytes, read
// >>>   arg s: sampler_t, sampler, private, 8 bytes
// >>>   arg o: float4*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0) local_id(0)
// >>>   effects: image-read.2d store.global.16
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: local-id-observed
// >>>   ids below: 2^31
// >>> kernel gradient
// >>>   arg in: image2d_t, image, global, 8 bytes, read
// >>>   arg s: sampler_t, sampler, private, 8 bytes
// >>>   arg o: float4*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0) local_id(0)
// >>>   effects: image-read.2d store.global.16
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: local-id-observed
// >>>   ids below: 2^31
// >>> kernel level_write
// >>>   arg o: image2d_t, image, global, 8 bytes, written
// >>>   work-item: global_id(0) local_id(0)
// >>>   effects: image-write.2d
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: local-id-observed
// >>> kernel multisample
// >>>   arg in: image2d_msaa_t, image, global, 8 bytes, read
// >>>   arg o: float4*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0) local_id(0)
// >>>   effects: image-read.2d store.global.16
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: local-id-observed
// >>>   ids below: 2^31
// >>> kernel fixed_level
// >>>   arg in: image2d_t, image, global, 8 bytes, read
// >>>   arg s: sampler_t, sampler, private, 8 bytes
// >>>   arg lod: float, scalar, private, 4 bytes
// >>>   arg o: image2d_t, image, global, 8 bytes, written
// >>>   arg level: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0) global_id(1)
// >>>   effects: image-read.2d*2 image-write.2d
// >>>   cost: fadd*4
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel each_sample
// >>>   arg in: image2d_msaa_t, image, global, 8 bytes, read
// >>>   arg o: float4*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: image-read.2d store.global.16
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel part_of_a_texel
// >>>   arg out: image2d_t, image, global, 8 bytes, written
// >>>   arg f: float, scalar, private, 4 bytes
// >>>   work-item: global_id(0) global_id(1)
// >>>   effects: image-write.2d
// >>>   proved: S O0 O1 O2 I A U
