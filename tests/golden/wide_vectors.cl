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
// >>>     float4 mul_x = (float4)(p[4ul * first], p[4ul * first + 4], p[4ul * first + 8], p[4ul * first + 12]) * by;
// >>>     float4 mul_y = (float4)(p[4ul * first + 1], p[4ul * first + 5], p[4ul * first + 9], p[4ul * first + 13]) * by;
// >>>     float4 mul_z = (float4)(p[4ul * first + 2], p[4ul * first + 6], p[4ul * first + 10], p[4ul * first + 14]) * by;
// >>>     float4 mul_w = (float4)(p[4ul * first + 3], p[4ul * first + 7], p[4ul * first + 11], p[4ul * first + 15]) * by;
// >>>     float4 call1_x = fmax(mul_x, (float4)(0.0f));
// >>>     float4 call1_y = fmax(mul_y, (float4)(0.0f));
// >>>     float4 call1_z = fmax(mul_z, (float4)(0.0f));
// >>>     float4 call1_w = fmax(mul_w, (float4)(0.0f));
// >>>     ulong add = first + (ulong)shift.s0;
// >>>     out[4ul * add] = call1_x.s0;
// >>>     out[4ul * add + 4] = call1_x.s1;
// >>>     out[4ul * add + 8] = call1_x.s2;
// >>>     out[4ul * add + 12] = call1_x.s3;
// >>>     out[4ul * add + 1] = call1_y.s0;
// >>>     out[4ul * add + 5] = call1_y.s1;
// >>>     out[4ul * add + 9] = call1_y.s2;
// >>>     out[4ul * add + 13] = call1_y.s3;
// >>>     out[4ul * add + 2] = call1_z.s0;
// >>>     out[4ul * add + 6] = call1_z.s1;
// >>>     out[4ul * add + 10] = call1_z.s2;
// >>>     out[4ul * add + 14] = call1_z.s3;
// >>>     out[4ul * add + 3] = call1_w.s0;
// >>>     out[4ul * add + 7] = call1_w.s1;
// >>>     out[4ul * add + 11] = call1_w.s2;
// >>>     out[4ul * add + 15] = call1_w.s3;
// >>> }
// >>> 
// >>> /* parts, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
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
// >>>     uchar4 t_1 = (uchar4)(in[t], in[t + 2], in[t + 4], in[t + 6]);
// >>>     uchar4 t_2 = (uchar4)(in[t + 1], in[t + 3], in[t + 5], in[t + 7]);
// >>>     ushort4 shl_x = convert_ushort4(t_1) << (ushort4)(2u);
// >>>     ushort4 shl_y = convert_ushort4(t_2) << (ushort4)(2u);
// >>>     out[t] = shl_x.s0;
// >>>     out[t + 2] = shl_x.s1;
// >>>     out[t + 4] = shl_x.s2;
// >>>     out[t + 6] = shl_x.s3;
// >>>     out[t + 1] = shl_y.s0;
// >>>     out[t + 3] = shl_y.s1;
// >>>     out[t + 5] = shl_y.s2;
// >>>     out[t + 7] = shl_y.s3;
// >>> }
// >>> 
// >>> /* inexact, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
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
// >>>     float4 t = (float4)(p[2ul * first], p[2ul * first + 2], p[2ul * first + 4], p[2ul * first + 6]);
// >>>     float4 t_1 = (float4)(p[2ul * first + 1], p[2ul * first + 3], p[2ul * first + 5], p[2ul * first + 7]);
// >>>     float4 t_2 = (float4)(sin((float2)(t.s0, t_1.s0)).s0, sin((float2)(t.s1, t_1.s1)).s0, sin((float2)(t.s2, t_1.s2)).s0, sin((float2)(t.s3, t_1.s3)).s0);
// >>>     float4 t_3 = (float4)(sin((float2)(t.s0, t_1.s0)).s1, sin((float2)(t.s1, t_1.s1)).s1, sin((float2)(t.s2, t_1.s2)).s1, sin((float2)(t.s3, t_1.s3)).s1);
// >>>     out[2ul * first] = t_2.s0;
// >>>     out[2ul * first + 2] = t_2.s1;
// >>>     out[2ul * first + 4] = t_2.s2;
// >>>     out[2ul * first + 6] = t_2.s3;
// >>>     out[2ul * first + 1] = t_3.s0;
// >>>     out[2ul * first + 3] = t_3.s1;
// >>>     out[2ul * first + 5] = t_3.s2;
// >>>     out[2ul * first + 7] = t_3.s3;
// >>> }
// >>> 
// >>> /* turn, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> constant float turn_turns[] = {1.0f, 0.0f, 0.0f, 1.0f, -1.0f, 0.0f, 0.0f, -1.0f};
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
// >>>     float4 v_x = (float4)(in[2l * i], in[2l * i + 2], in[2l * i + 4], in[2l * i + 6]);
// >>>     float4 v_y = (float4)(in[2l * i + 1], in[2l * i + 3], in[2l * i + 5], in[2l * i + 7]);
// >>>     int and = k & 3;
// >>>     float t_x = turn_turns[2l * and];
// >>>     float t_y = turn_turns[2l * and + 1];
// >>>     float4 mul3 = v_y * t_y;
// >>>     float4 t = v_x * t_x + -mul3;
// >>>     float4 mul4 = v_y * t_x;
// >>>     float4 t_1 = v_x * t_y + mul4;
// >>>     out[2l * i] = t.s0;
// >>>     out[2l * i + 2] = t.s1;
// >>>     out[2l * i + 4] = t.s2;
// >>>     out[2l * i + 6] = t.s3;
// >>>     out[2l * i + 1] = t_1.s0;
// >>>     out[2l * i + 3] = t_1.s1;
// >>>     out[2l * i + 5] = t_1.s2;
// >>>     out[2l * i + 7] = t_1.s3;
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
