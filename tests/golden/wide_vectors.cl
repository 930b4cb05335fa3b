// Vectors of the program, as the work of four neighbours in one work-item: each element is a value of its own.
// FORM: --emit=wide=4
kernel void length(global const float4 *p, global float *out)
{
    float4 v = p[get_global_id(0)];
    out[get_global_id(0)] = v.x * v.x + v.y * v.y;
}
kernel void scale(global const float4 *p, global float4 *out, float by, uint2 shift)
{
    size_t i = get_global_id(0);
    out[i + shift.x] = fmax(p[i] * by, 0.0f);
}
kernel void parts(global const uchar *in, global ushort *out)
{
    int i = get_global_id(0);
    vstore2(convert_ushort2(vload2(i, in)) << (ushort)2, i, out);
}
kernel void inexact(global const float2 *p, global float2 *out)
{
    out[get_global_id(0)] = sin(p[get_global_id(0)]);
}
kernel void three(global const float3 *p, global float3 *out)
{
    out[get_global_id(0)] = p[get_global_id(0)];
}
constant float2 turns[] = {(float2)(1, 0), (float2)(0, 1), (float2)(-1, 0), (float2)(0, -1)};
kernel void turn(global const float2 *in, global float2 *out, int k)
{
    int i = get_global_id(0);
    float2 v = in[i], t = turns[k & 3];
    out[i] = (float2)(v.x * t.x - v.y * t.y, v.x * t.y + v.y * t.x);
}
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
float at(global const float *in, sampler_t s, int i)
{
    return in[i];
}
kernel void unused_sampler(global const float *in, global float *out)
{
    int i = get_global_id(0);
    if (__builtin_expect(at(in, nearest, i) > 0, 1))
        out[i] = 1;
}
// >>> clsizer-analyze: three: undefined-bytes: a component of a stored vector has no value
// >>> /* length, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 length_float4 __attribute__((aligned(4)));
// >>> 
// >>> void length_one(global float *restrict p, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     float v_x = p[4ul * id];
// >>>     float v_y = p[4ul * id + 1];
// >>>     float mul1 = v_y * v_y;
// >>>     out[id] = v_x * v_x + mul1;
// >>> }
// >>> 
// >>> void length_each(global float *restrict p, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         length_one(p, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void length_wide4(global float *restrict p, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         length_each(p, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 v_x = (float4)(p[4ul * first], p[4ul * first + 4], p[4ul * first + 8], p[4ul * first + 12]);
// >>>     float4 v_y = (float4)(p[4ul * first + 1], p[4ul * first + 5], p[4ul * first + 9], p[4ul * first + 13]);
// >>>     float4 mul1 = v_y * v_y;
// >>>     *(global length_float4 *)(out + first) = v_x * v_x + mul1;
// >>> }
// >>> 
// >>> /* scale, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 scale_float4 __attribute__((aligned(4)));
// >>> 
// >>> void scale_one(global float *restrict p, global float *restrict out, float by, uint2 shift, ulong id, ulong end)
// >>> {
// >>>     float t = p[4ul * id + 1];
// >>>     float t_1 = p[4ul * id + 2];
// >>>     float t_2 = p[4ul * id + 3];
// >>>     ulong add = id + (ulong)shift.s0;
// >>>     out[4ul * add] = fmax(p[4ul * id] * by, 0.0f);
// >>>     out[4ul * add + 1] = fmax(t * by, 0.0f);
// >>>     out[4ul * add + 2] = fmax(t_1 * by, 0.0f);
// >>>     out[4ul * add + 3] = fmax(t_2 * by, 0.0f);
// >>> }
// >>> 
// >>> void scale_each(global float *restrict p, global float *restrict out, float by, uint2 shift, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         scale_one(p, out, by, shift, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void scale_wide4(global float *restrict p, global float *restrict out, float by, uint2 shift, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         scale_each(p, out, by, shift, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 mixed = *(global const scale_float4 *)(p + 4ul * first);
// >>>     float4 mixed_1 = *(global const scale_float4 *)(p + (4ul * first + 4));
// >>>     float4 mixed_2 = *(global const scale_float4 *)(p + (4ul * first + 8));
// >>>     float4 mixed_3 = *(global const scale_float4 *)(p + (4ul * first + 12));
// >>>     float4 mul_x = (float4)(mixed.s0, mixed_1.s0, mixed_2.s0, mixed_3.s0) * by;
// >>>     float4 mul_y = (float4)(mixed.s1, mixed_1.s1, mixed_2.s1, mixed_3.s1) * by;
// >>>     float4 mul_z = (float4)(mixed.s2, mixed_1.s2, mixed_2.s2, mixed_3.s2) * by;
// >>>     float4 mul_w = (float4)(mixed.s3, mixed_1.s3, mixed_2.s3, mixed_3.s3) * by;
// >>>     float4 call1_x = fmax(mul_x, (float4)(0.0f));
// >>>     float4 call1_y = fmax(mul_y, (float4)(0.0f));
// >>>     float4 call1_z = fmax(mul_z, (float4)(0.0f));
// >>>     float4 call1_w = fmax(mul_w, (float4)(0.0f));
// >>>     ulong add = first + (ulong)shift.s0;
// >>>     *(global scale_float4 *)(out + 4ul * add) = (float4)(call1_x.s0, call1_y.s0, call1_z.s0, call1_w.s0);
// >>>     *(global scale_float4 *)(out + (4ul * add + 4)) = (float4)(call1_x.s1, call1_y.s1, call1_z.s1, call1_w.s1);
// >>>     *(global scale_float4 *)(out + (4ul * add + 8)) = (float4)(call1_x.s2, call1_y.s2, call1_z.s2, call1_w.s2);
// >>>     *(global scale_float4 *)(out + (4ul * add + 12)) = (float4)(call1_x.s3, call1_y.s3, call1_z.s3, call1_w.s3);
// >>> }
// >>> 
// >>> /* parts, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef uchar4 parts_uchar4 __attribute__((aligned(1)));
// >>> 
// >>> typedef ushort4 parts_ushort4 __attribute__((aligned(2)));
// >>> 
// >>> void parts_one(global uchar *restrict in, global ushort *restrict out, ulong id, ulong end)
// >>> {
// >>>     long t = (long)(int)id * 2l;
// >>>     uchar t_1 = in[t + 1];
// >>>     out[t] = (ushort)(convert_ushort(in[t]) << 2u);
// >>>     out[t + 1] = (ushort)(convert_ushort(t_1) << 2u);
// >>> }
// >>> 
// >>> void parts_each(global uchar *restrict in, global ushort *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         parts_one(in, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void parts_wide4(global uchar *restrict in, global ushort *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         parts_each(in, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     long t = (long)(int)first * 2l;
// >>>     uchar4 mixed = *(global const parts_uchar4 *)(in + t);
// >>>     uchar4 mixed_1 = *(global const parts_uchar4 *)(in + (t + 4));
// >>>     uchar4 t_1 = (uchar4)(mixed.s0, mixed.s2, mixed_1.s0, mixed_1.s2);
// >>>     uchar4 t_2 = (uchar4)(mixed.s1, mixed.s3, mixed_1.s1, mixed_1.s3);
// >>>     ushort4 shl_x = convert_ushort4(t_1) << (ushort4)(2u);
// >>>     ushort4 shl_y = convert_ushort4(t_2) << (ushort4)(2u);
// >>>     *(global parts_ushort4 *)(out + t) = (ushort4)(shl_x.s0, shl_y.s0, shl_x.s1, shl_y.s1);
// >>>     *(global parts_ushort4 *)(out + (t + 4)) = (ushort4)(shl_x.s2, shl_y.s2, shl_x.s3, shl_y.s3);
// >>> }
// >>> 
// >>> /* inexact, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 inexact_float4 __attribute__((aligned(4)));
// >>> 
// >>> void inexact_one(global float *restrict p, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     float t = p[2ul * id];
// >>>     float t_1 = p[2ul * id + 1];
// >>>     out[2ul * id] = sin((float2)(t, t_1)).s0;
// >>>     out[2ul * id + 1] = sin((float2)(t, t_1)).s1;
// >>> }
// >>> 
// >>> void inexact_each(global float *restrict p, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         inexact_one(p, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void inexact_wide4(global float *restrict p, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         inexact_each(p, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 mixed = *(global const inexact_float4 *)(p + 2ul * first);
// >>>     float4 mixed_1 = *(global const inexact_float4 *)(p + (2ul * first + 4));
// >>>     float4 t = (float4)(mixed.s0, mixed.s2, mixed_1.s0, mixed_1.s2);
// >>>     float4 t_1 = (float4)(mixed.s1, mixed.s3, mixed_1.s1, mixed_1.s3);
// >>>     float4 t_2 = (float4)(sin((float2)(t.s0, t_1.s0)).s0, sin((float2)(t.s1, t_1.s1)).s0, sin((float2)(t.s2, t_1.s2)).s0, sin((float2)(t.s3, t_1.s3)).s0);
// >>>     float4 t_3 = (float4)(sin((float2)(t.s0, t_1.s0)).s1, sin((float2)(t.s1, t_1.s1)).s1, sin((float2)(t.s2, t_1.s2)).s1, sin((float2)(t.s3, t_1.s3)).s1);
// >>>     *(global inexact_float4 *)(out + 2ul * first) = (float4)(t_2.s0, t_3.s0, t_2.s1, t_3.s1);
// >>>     *(global inexact_float4 *)(out + (2ul * first + 4)) = (float4)(t_2.s2, t_3.s2, t_2.s3, t_3.s3);
// >>> }
// >>> 
// >>> /* turn, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> constant float turn_turns[] = {1.0f, 0.0f, 0.0f, 1.0f, -1.0f, 0.0f, 0.0f, -1.0f};
// >>> 
// >>> typedef float4 turn_float4 __attribute__((aligned(4)));
// >>> 
// >>> void turn_one(global float *restrict in, global float *restrict out, int k, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     float v_x = in[2l * i];
// >>>     float v_y = in[2l * i + 1];
// >>>     int and = k & 3;
// >>>     float t_x = turn_turns[2l * and];
// >>>     float t_y = turn_turns[2l * and + 1];
// >>>     float mul3 = v_y * t_y;
// >>>     float mul4 = v_y * t_x;
// >>>     out[2l * i] = v_x * t_x + -mul3;
// >>>     out[2l * i + 1] = v_x * t_y + mul4;
// >>> }
// >>> 
// >>> void turn_each(global float *restrict in, global float *restrict out, int k, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         turn_one(in, out, k, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void turn_wide4(global float *restrict in, global float *restrict out, int k, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         turn_each(in, out, k, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     float4 mixed = *(global const turn_float4 *)(in + 2l * i);
// >>>     float4 mixed_1 = *(global const turn_float4 *)(in + (2l * i + 4));
// >>>     float4 v_x = (float4)(mixed.s0, mixed.s2, mixed_1.s0, mixed_1.s2);
// >>>     float4 v_y = (float4)(mixed.s1, mixed.s3, mixed_1.s1, mixed_1.s3);
// >>>     int and = k & 3;
// >>>     float t_x = turn_turns[2l * and];
// >>>     float t_y = turn_turns[2l * and + 1];
// >>>     float4 mul3 = v_y * t_y;
// >>>     float4 t = v_x * t_x + -mul3;
// >>>     float4 mul4 = v_y * t_x;
// >>>     float4 t_1 = v_x * t_y + mul4;
// >>>     *(global turn_float4 *)(out + 2l * i) = (float4)(t.s0, t_1.s0, t.s1, t_1.s1);
// >>>     *(global turn_float4 *)(out + (2l * i + 4)) = (float4)(t.s2, t_1.s2, t.s3, t_1.s3);
// >>> }
// >>> 
// >>> /* unused_sampler, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 unused_sampler_float4 __attribute__((aligned(4)));
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> void unused_sampler_store_float4(float4 v, global float *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(global unused_sampler_float4 *)p = v;
// >>>         return;
// >>>     }
// >>>     if (m.s0)
// >>>         p[0] = v.s0;
// >>>     if (m.s1)
// >>>         p[1] = v.s1;
// >>>     if (m.s2)
// >>>         p[2] = v.s2;
// >>>     if (m.s3)
// >>>         p[3] = v.s3;
// >>> }
// >>> 
// >>> void unused_sampler_one(global float *restrict in, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     if (in[i] > 0.0f) {
// >>>         out[i] = 1.0f;
// >>>     }
// >>> }
// >>> 
// >>> void unused_sampler_each(global float *restrict in, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         unused_sampler_one(in, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void unused_sampler_wide4(global float *restrict in, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         unused_sampler_each(in, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     int4 mask = *(global const unused_sampler_float4 *)(in + i) > 0.0f;
// >>>     if (any(mask)) {
// >>>         unused_sampler_store_float4((float4)(1.0f), out + i, mask);
// >>>     }
// >>> }
