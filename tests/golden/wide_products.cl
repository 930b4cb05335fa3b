// The negative of a product, added in one expression: newer clangs contract that, older ones do not.
// FORM: --emit=wide=4
kernel void first(global const float *a, global const float *b, global float *out)
{
    int i = get_global_id(0);
    out[i] = -(a[i] * b[i]) + a[i] * 3;
}
kernel void second(global const float *a, global const float *b, global float *out)
{
    int i = get_global_id(0);
    out[i] = a[i] + -(a[i] * b[i]);
}
kernel void less(global const double *a, global double *out)
{
    int i = get_global_id(0);
    out[i] -= -(a[i] * a[i]);
}
float2 turned(float2 a, float2 w)
{
    return (float2)(w.x * a.x + w.y * a.y, -(w.y * a.x) + w.x * a.y);
}
kernel void called(global const float2 *a, global float2 *out)
{
    int i = get_global_id(0);
    out[i] = turned(a[i], a[i + 1]);
}
kernel void both(global const float *a, global const float *b, global float *out)
{
    int i = get_global_id(0);
    out[i] = -(a[i] * b[i]) - a[i] * 3;
}
// these are right
kernel void difference(global const float *a, global const float *b, global float *out)
{
    int i = get_global_id(0);
    out[i] = a[i] * 3 - a[i] * b[i];
}
kernel void negative(global const float *a, global const float *b, global float *out)
{
    int i = get_global_id(0);
    out[i] = -a[i] * b[i] + a[i];
}
kernel void apart(global const float *a, global const float *b, global float *out)
{
    int i = get_global_id(0);
    float product = -(a[i] * b[i]);
    out[i] = product + a[i];
}
// >>> clsizer-analyze: first: rounding: of -(a * b) + c, which not all compilers contract
// >>> clsizer-analyze: second: rounding: of -(a * b) + c, which not all compilers contract
// >>> clsizer-analyze: less: rounding: of -(a * b) + c, which not all compilers contract
// >>> clsizer-analyze: called: rounding: of -(a * b) + c, which not all compilers contract
// >>> clsizer-analyze: both: rounding: of -(a * b) + c, which not all compilers contract
// >>> /* difference, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 difference_float4 __attribute__((aligned(4)));
// >>> 
// >>> void difference_one(global float *restrict a, global float *restrict b, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     float t = a[i];
// >>>     float mul5 = t * b[i];
// >>>     out[i] = t * 3.0f + -mul5;
// >>> }
// >>> 
// >>> void difference_each(global float *restrict a, global float *restrict b, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         difference_one(a, b, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void difference_wide4(global float *restrict a, global float *restrict b, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         difference_each(a, b, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     float4 t = *(global const difference_float4 *)(a + i);
// >>>     float4 mul5 = t * *(global const difference_float4 *)(b + i);
// >>>     *(global difference_float4 *)(out + i) = t * 3.0f + -mul5;
// >>> }
// >>> 
// >>> /* negative, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 negative_float4 __attribute__((aligned(4)));
// >>> 
// >>> void negative_one(global float *restrict a, global float *restrict b, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     float t = a[i];
// >>>     out[i] = -t * b[i] + t;
// >>> }
// >>> 
// >>> void negative_each(global float *restrict a, global float *restrict b, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         negative_one(a, b, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void negative_wide4(global float *restrict a, global float *restrict b, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         negative_each(a, b, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     float4 t = *(global const negative_float4 *)(a + i);
// >>>     *(global negative_float4 *)(out + i) = -t * *(global const negative_float4 *)(b + i) + t;
// >>> }
// >>> 
// >>> /* apart, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 apart_float4 __attribute__((aligned(4)));
// >>> 
// >>> void apart_one(global float *restrict a, global float *restrict b, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     float t = a[i];
// >>>     float mul = t * b[i];
// >>>     out[i] = -mul + t;
// >>> }
// >>> 
// >>> void apart_each(global float *restrict a, global float *restrict b, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         apart_one(a, b, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void apart_wide4(global float *restrict a, global float *restrict b, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         apart_each(a, b, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     float4 t = *(global const apart_float4 *)(a + i);
// >>>     float4 mul = t * *(global const apart_float4 *)(b + i);
// >>>     *(global apart_float4 *)(out + i) = -mul + t;
// >>> }
