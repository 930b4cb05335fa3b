// The global id as programs ported from CUDA compute it, as the work of four neighbours in one work-item.
// FORM: --emit=wide=4
kernel void ported(global float *x, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i < n)
        x[i] *= 2;
}
kernel void narrow(global float *x, int pitch)
{
    int bx = get_group_id(0), tx = get_local_id(0);
    size_t i = bx * (int)get_local_size(0) + tx;
    x[pitch * get_global_id(1) + i] = 1;
}
kernel void strided(global float *x, int n)
{
    for (int i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < n; i += get_num_groups(0) * get_local_size(0))
        x[i] *= 2;
}
kernel void of_another(global float *x)
{
    x[get_group_id(1) * get_local_size(0) + get_local_id(0)] = 1;
}
// >>> /* ported, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 ported_float4 __attribute__((aligned(4)));
// >>> 
// >>> void ported_one(global float *restrict x, int n, ulong id, ulong end)
// >>> {
// >>>     int i = (int)(id - get_global_offset(0) * 4);
// >>>     if (i < n) {
// >>>         x[i] = x[i] * 2.0f;
// >>>     }
// >>> }
// >>> 
// >>> void ported_each(global float *restrict x, int n, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         ported_one(x, n, id, end);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool ported_all(global float *restrict x, int n, ulong first, ulong end)
// >>> {
// >>>     int i = (int)(first - get_global_offset(0) * 4);
// >>>     int4 mask = (int4)(i) + (int4)(0, 1, 2, 3) < n;
// >>>     if ((i < n && i + 3 >= n))
// >>>         return false;
// >>>     if (mask.s0) {
// >>>         *(global ported_float4 *)(x + i) = *(global const ported_float4 *)(x + i) * 2.0f;
// >>>     }
// >>>     return true;
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void ported_wide4(global float *restrict x, int n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !ported_all(x, n, first, end))
// >>>         ported_each(x, n, first, min(first + 4, end), end);
// >>> }
// >>> 
// >>> /* narrow, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 narrow_float4 __attribute__((aligned(4)));
// >>> 
// >>> void narrow_one(global float *restrict x, int pitch, ulong id, ulong end)
// >>> {
// >>>     x[(ulong)(long)pitch * get_global_id(1) + (ulong)(long)(int)(id - get_global_offset(0) * 4)] = 1.0f;
// >>> }
// >>> 
// >>> void narrow_each(global float *restrict x, int pitch, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         narrow_one(x, pitch, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void narrow_wide4(global float *restrict x, int pitch, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         narrow_each(x, pitch, first, end, end);
// >>>         return;
// >>>     }
// >>>     *(global narrow_float4 *)(x + ((ulong)(long)pitch * get_global_id(1) + (ulong)(long)(int)(first - get_global_offset(0) * 4))) = (float4)(1.0f);
// >>> }
// >>> 
// >>> /* strided, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> void strided_one(global float *restrict x, int n, ulong id, ulong end)
// >>> {
// >>>     int i = (int)(id - get_global_offset(0) * 4);
// >>>     while (i < n) {
// >>>         x[i] = x[i] * 2.0f;
// >>>         i = (int)((ulong)(long)i + (end - get_global_offset(0) * 4));
// >>>     }
// >>> }
// >>> 
// >>> void strided_each(global float *restrict x, int n, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         strided_one(x, n, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void strided_wide4(global float *restrict x, int n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         strided_each(x, n, first, end, end);
// >>>         return;
// >>>     }
// >>>     int4 i = (int4)((int)(first - get_global_offset(0) * 4)) + (int4)(0, 1, 2, 3);
// >>>     int4 going = -1;
// >>>     for (;;) {
// >>>         int4 mask = i < n;
// >>>         going &= mask;
// >>>         if (!any(going))
// >>>             break;
// >>>         long4 idxprom = convert_long4(i);
// >>>         float4 mul4 = (float4)(going.s0 ? x[idxprom.s0] : 0, going.s1 ? x[idxprom.s1] : 0, going.s2 ? x[idxprom.s2] : 0, going.s3 ? x[idxprom.s3] : 0) * 2.0f;
// >>>         if (going.s0) x[idxprom.s0] = mul4.s0;
// >>>         if (going.s1) x[idxprom.s1] = mul4.s1;
// >>>         if (going.s2) x[idxprom.s2] = mul4.s2;
// >>>         if (going.s3) x[idxprom.s3] = mul4.s3;
// >>>         i = convert_int4(as_ulong4(idxprom) + (end - get_global_offset(0) * 4));
// >>>     }
// >>> }
// >>> 
// >>> /* of_another, with the work of 4 neighbours along dimension 0 of a group in each work-item.
// >>>  *
// >>>  * To be launched with the offset, size and local size of dimension 0 divided by 4, so that groups
// >>>  * stay as they are.  Right only where between two barriers no work-item touches what another one
// >>>  * of its group writes. */
// >>> typedef float4 of_another_float4 __attribute__((aligned(4)));
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void of_another_wide4(global float *x)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     const ulong local_first = get_local_id(0) * 4;
// >>>     *(global of_another_float4 *)(x + (get_group_id(1) * (get_local_size(0) * 4) + local_first)) = (float4)(1.0f);
// >>> }
