// Bits as another type, functions of vectors, and functions with a second result, as the work of four neighbours.
// FORM: --emit=wide=4
kernel void root(global float *p)
{
    size_t i = get_global_id(0);
    float v = p[i];
    p[i] = v * as_float(0x5f3759df - (as_int(v) >> 1));
}
kernel void parts(global const long *in, global int *out)
{
    size_t i = get_global_id(0);
    int2 v = as_int2(in[i]);
    out[i] = v.x ^ v.y;
}
kernel void together(global const uchar *in, global uint *out)
{
    size_t i = get_global_id(0);
    out[i] = as_uint((uchar4)(in[i], 1, 2, 3));
}
kernel void both(global float *p, global float *out)
{
    float whole, rest = modf(p[get_global_id(0)], &whole);
    out[get_global_id(0)] = rest * whole;
}
kernel void lengths(global const float2 *p, global float *out, float2 by)
{
    out[get_global_id(0)] = dot(p[get_global_id(0)], by);
}
kernel void some(global const int2 *p, global int *out)
{
    out[get_global_id(0)] = any(p[get_global_id(0)] < 3) + select(1, 5, p[get_global_id(0)].x);
}
// >>> /* root, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 root_float4 __attribute__((aligned(4)));
// >>> 
// >>> void root_one(global float *restrict p, ulong id, ulong end)
// >>> {
// >>>     float v = p[id];
// >>>     p[id] = v * as_float(1597463007 - (as_int(v) >> 1));
// >>> }
// >>> 
// >>> void root_each(global float *restrict p, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         root_one(p, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void root_wide4(global float *restrict p, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         root_each(p, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 v = *(global const root_float4 *)(p + first);
// >>>     *(global root_float4 *)(p + first) = v * as_float4(1597463007 - (as_int4(v) >> 1));
// >>> }
// >>> 
// >>> /* parts, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 parts_int4 __attribute__((aligned(4)));
// >>> 
// >>> typedef long4 parts_long4 __attribute__((aligned(8)));
// >>> 
// >>> void parts_one(global long *restrict in, global int *restrict out, ulong id, ulong end)
// >>> {
// >>>     long t = in[id];
// >>>     out[id] = (int)t ^ (int)(uint)((ulong)t >> 32ul);
// >>> }
// >>> 
// >>> void parts_each(global long *restrict in, global int *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         parts_one(in, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void parts_wide4(global long *restrict in, global int *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         parts_each(in, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     long4 t = *(global const parts_long4 *)(in + first);
// >>>     *(global parts_int4 *)(out + first) = convert_int4(t) ^ as_int4(convert_uint4(as_ulong4(t) >> 32ul));
// >>> }
// >>> 
// >>> /* together, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef uchar4 together_uchar4 __attribute__((aligned(1)));
// >>> 
// >>> typedef uint4 together_uint4 __attribute__((aligned(4)));
// >>> 
// >>> void together_one(global uchar *restrict in, global uint *restrict out, ulong id, ulong end)
// >>> {
// >>>     out[id] = (uint)in[id] | 256u | 131072u | 50331648u;
// >>> }
// >>> 
// >>> void together_each(global uchar *restrict in, global uint *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         together_one(in, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void together_wide4(global uchar *restrict in, global uint *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         together_each(in, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     uint4 t = convert_uint4(*(global const together_uchar4 *)(in + first)) | 256u | 131072u;
// >>>     *(global together_uint4 *)(out + first) = t | 50331648u;
// >>> }
// >>> 
// >>> /* both, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> float both_modf_other_float(float x0)
// >>> {
// >>>     float other;
// >>>     modf(x0, &other);
// >>>     return other;
// >>> }
// >>> 
// >>> float both_modf_float(float x0)
// >>> {
// >>>     float other;
// >>>     return modf(x0, &other);
// >>> }
// >>> 
// >>> typedef float4 both_float4 __attribute__((aligned(4)));
// >>> 
// >>> void both_one(global float *restrict p, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     float t = p[id];
// >>>     out[id] = both_modf_float(t) * both_modf_other_float(t);
// >>> }
// >>> 
// >>> void both_each(global float *restrict p, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         both_one(p, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void both_wide4(global float *restrict p, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         both_each(p, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 t = *(global const both_float4 *)(p + first);
// >>>     *(global both_float4 *)(out + first) = (float4)(both_modf_float(t.s0), both_modf_float(t.s1), both_modf_float(t.s2), both_modf_float(t.s3)) * (float4)(both_modf_other_float(t.s0), both_modf_other_float(t.s1), both_modf_other_float(t.s2), both_modf_other_float(t.s3));
// >>> }
// >>> 
// >>> /* lengths, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 lengths_float4 __attribute__((aligned(4)));
// >>> 
// >>> void lengths_one(global float *restrict p, global float *restrict out, float2 by, ulong id, ulong end)
// >>> {
// >>>     out[id] = dot((float2)(p[2ul * id], p[2ul * id + 1]), (float2)(by.s0, by.s1));
// >>> }
// >>> 
// >>> void lengths_each(global float *restrict p, global float *restrict out, float2 by, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         lengths_one(p, out, by, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void lengths_wide4(global float *restrict p, global float *restrict out, float2 by, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         lengths_each(p, out, by, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 mixed = *(global const lengths_float4 *)(p + 2ul * first);
// >>>     float4 mixed_1 = *(global const lengths_float4 *)(p + (2ul * first + 4));
// >>>     float4 t = (float4)(mixed.s0, mixed.s2, mixed_1.s0, mixed_1.s2);
// >>>     float4 t_1 = (float4)(mixed.s1, mixed.s3, mixed_1.s1, mixed_1.s3);
// >>>     *(global lengths_float4 *)(out + first) = (float4)(dot((float2)(t.s0, t_1.s0), (float2)(by.s0, by.s1)), dot((float2)(t.s1, t_1.s1), (float2)(by.s0, by.s1)), dot((float2)(t.s2, t_1.s2), (float2)(by.s0, by.s1)), dot((float2)(t.s3, t_1.s3), (float2)(by.s0, by.s1)));
// >>> }
// >>> 
// >>> /* some, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 some_int4 __attribute__((aligned(4)));
// >>> 
// >>> void some_one(global int *restrict p, global int *restrict out, ulong id, ulong end)
// >>> {
// >>>     int t = p[2ul * id];
// >>>     int t_1 = -(int)(t < 3) | -(int)(p[2ul * id + 1] < 3);
// >>>     out[id] = (int)(uint)(t_1 < 0) + (t != 0 ? 5 : 1);
// >>> }
// >>> 
// >>> void some_each(global int *restrict p, global int *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         some_one(p, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void some_wide4(global int *restrict p, global int *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         some_each(p, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     int4 mixed = *(global const some_int4 *)(p + 2ul * first);
// >>>     int4 mixed_1 = *(global const some_int4 *)(p + (2ul * first + 4));
// >>>     int4 t = (int4)(mixed.s0, mixed.s2, mixed_1.s0, mixed_1.s2);
// >>>     int4 t_1 = convert_int4((t < 3)) | convert_int4(((int4)(mixed.s1, mixed.s3, mixed_1.s1, mixed_1.s3) < 3));
// >>>     *(global some_int4 *)(out + first) = as_int4(convert_uint4((t_1 < 0) & 1)) + select((int4)(1), (int4)(5), t != 0);
// >>> }
