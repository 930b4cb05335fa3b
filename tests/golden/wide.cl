// Kernels as the work of four neighbours in one work-item.  Of what is not offered, the reason is printed.
// FORM: --emit=wide=4
kernel void product(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= n || y >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
kernel void limits(global const int *in, global int *out, int low, int high)
{
    size_t i = get_global_id(0);
    int v = in[3 * i];
    out[i] = v < low ? low : min(v, high);
}
kernel void look_up(global const uchar *in, global uchar *out, constant uchar *table)
{
    uint i = get_global_id(0);
    out[i] = table[in[i]];
}
kernel void exactly(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = exp(in[i]);
}
kernel void part_after_a_store(global int *out, int n)
{
    int i = get_global_id(0);
    out[i] = 0;
    if (i % 3 == 0)
        out[i] = n / (i + 1);
}
kernel void meet(global int *out, local int *t)
{
    t[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[0];
}
kernel void integers(global const int *a, global const uchar *b, global uint *out, int k)
{
    size_t i = get_global_id(0);
    uint same = select((uint)k, (uint)get_global_size(1), (uint)(k > 3)); // all three of one sign
    out[i] = abs_diff(a[i], k) + bitselect(b[i], (uchar)k, (uchar)1) + same;
}
// >>> /* product, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 product_float4 __attribute__((aligned(4)));
// >>> 
// >>> /* What lies at p, for the neighbours of mask m. */
// >>> __attribute__((noinline)) float4 product_load_float4(global const float *p, int4 m)
// >>> {
// >>>     return all(m) ? *(global const product_float4 *)p
// >>>                   : (float4)(m.s0 ? p[0] : 0, m.s1 ? p[1] : 0, m.s2 ? p[2] : 0, m.s3 ? p[3] : 0);
// >>> }
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> __attribute__((noinline)) void product_store_float4(float4 v, global float *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(global product_float4 *)p = v;
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
// >>> void product_each(global float *restrict a, global float *restrict b, global float *restrict c, int n, ulong first, ulong last, ulong end)
// >>> {
// >>>     int4 here = (int4)(0, 1, 2, 3) < (int4)((int)(last - first));
// >>>     int x = (int)first;
// >>>     int y = (int)get_global_id(1);
// >>>     int4 mask = ((int4)(x) + (int4)(0, 1, 2, 3) >= n) | (int4)(-(y >= n));
// >>>     int4 others = here & ~mask;
// >>>     if (any(others)) {
// >>>         float4 sum = (float4)(0.0f);
// >>>         for (int k = 0; k < n; k++) {
// >>>             sum = a[y * n + k] * product_load_float4(b + (int)((uint)(k * n) + (uint)x), others) + sum;
// >>>         }
// >>>         product_store_float4(sum, c + (int)((uint)(y * n) + (uint)x), others);
// >>>     }
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool product_all(global float *restrict a, global float *restrict b, global float *restrict c, int n, ulong first, ulong end)
// >>> {
// >>>     int x = (int)first;
// >>>     int y = (int)get_global_id(1);
// >>>     int4 mask = ((int4)(x) + (int4)(0, 1, 2, 3) >= n) | (int4)(-(y >= n));
// >>>     if ((x + 3 >= n && x < n))
// >>>         return false;
// >>>     if (!(mask.s0)) {
// >>>         float4 sum = (float4)(0.0f);
// >>>         for (int k = 0; k < n; k++) {
// >>>             sum = a[y * n + k] * *(global const product_float4 *)(b + (k * n + x)) + sum;
// >>>         }
// >>>         *(global product_float4 *)(c + (y * n + x)) = sum;
// >>>     }
// >>>     return true;
// >>> }
// >>> 
// >>> kernel void product_wide4(global float *restrict a, global float *restrict b, global float *restrict c, int n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !product_all(a, b, c, n, first, end))
// >>>         product_each(a, b, c, n, first, min(first + 4, end), end);
// >>> }
// >>> 
// >>> /* limits, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 limits_int4 __attribute__((aligned(4)));
// >>> 
// >>> void limits_one(global int *restrict in, global int *restrict out, int low, int high, ulong id, ulong end)
// >>> {
// >>>     int v = in[3ul * id];
// >>>     int cond;
// >>>     if (v < low) {
// >>>         cond = low;
// >>>     } else {
// >>>         cond = min(v, high);
// >>>     }
// >>>     out[id] = cond;
// >>> }
// >>> 
// >>> void limits_each(global int *restrict in, global int *restrict out, int low, int high, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         limits_one(in, out, low, high, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void limits_wide4(global int *restrict in, global int *restrict out, int low, int high, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         limits_each(in, out, low, high, first, end, end);
// >>>         return;
// >>>     }
// >>>     ulong mul = 3ul * first;
// >>>     int4 v = (int4)(in[mul], in[mul + 3], in[mul + 6], in[mul + 9]);
// >>>     int4 mask = v < low;
// >>>     int4 cond = select(min(v, (int4)(high)), (int4)(low), mask);
// >>>     *(global limits_int4 *)(out + first) = cond;
// >>> }
// >>> 
// >>> /* look_up, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef uchar4 look_up_uchar4 __attribute__((aligned(1)));
// >>> 
// >>> void look_up_one(global uchar *restrict in, global uchar *restrict out, constant uchar *table, ulong id, ulong end)
// >>> {
// >>>     uint i = (uint)id;
// >>>     out[i] = table[in[i]];
// >>> }
// >>> 
// >>> void look_up_each(global uchar *restrict in, global uchar *restrict out, constant uchar *table, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         look_up_one(in, out, table, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void look_up_wide4(global uchar *restrict in, global uchar *restrict out, constant uchar *table, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         look_up_each(in, out, table, first, end, end);
// >>>         return;
// >>>     }
// >>>     uint i = (uint)first;
// >>>     ulong4 idxprom1 = convert_ulong4(*(global const look_up_uchar4 *)(in + i));
// >>>     *(global look_up_uchar4 *)(out + i) = (uchar4)(table[idxprom1.s0], table[idxprom1.s1], table[idxprom1.s2], table[idxprom1.s3]);
// >>> }
// >>> 
// >>> /* exactly, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 exactly_float4 __attribute__((aligned(4)));
// >>> 
// >>> void exactly_one(global float *restrict in, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     out[id] = exp(in[id]);
// >>> }
// >>> 
// >>> void exactly_each(global float *restrict in, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         exactly_one(in, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void exactly_wide4(global float *restrict in, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         exactly_each(in, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 t = *(global const exactly_float4 *)(in + first);
// >>>     *(global exactly_float4 *)(out + first) = (float4)(exp(t.s0), exp(t.s1), exp(t.s2), exp(t.s3));
// >>> }
// >>> 
// >>> /* part_after_a_store, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 part_after_a_store_int4 __attribute__((aligned(4)));
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> void part_after_a_store_store_int4(int4 v, global int *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(global part_after_a_store_int4 *)p = v;
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
// >>> void part_after_a_store_one(global int *restrict out, int n, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     out[i] = 0;
// >>>     if (i % 3 == 0) {
// >>>         out[i] = n / (i + 1);
// >>>     }
// >>> }
// >>> 
// >>> void part_after_a_store_each(global int *restrict out, int n, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         part_after_a_store_one(out, n, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void part_after_a_store_wide4(global int *restrict out, int n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         part_after_a_store_each(out, n, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     *(global part_after_a_store_int4 *)(out + i) = (int4)(0);
// >>>     int4 mask = ((int4)(i) + (int4)(0, 1, 2, 3)) % 3 == 0;
// >>>     if (any(mask)) {
// >>>         part_after_a_store_store_int4(select((int4)(0), (int4)(n), mask) / select((int4)(1), (int4)((int)((uint)i + 1u)) + (int4)(0, 1, 2, 3), mask), out + i, mask);
// >>>     }
// >>> }
// >>> 
// >>> /* meet, with the work of 4 neighbours along dimension 0 of a group in each work-item.
// >>>  *
// >>>  * To be launched with the offset, size and local size of dimension 0 divided by 4, so that groups
// >>>  * stay as they are.  Right only where between two barriers no work-item touches what another one
// >>>  * of its group writes. */
// >>> typedef int4 meet_int4 __attribute__((aligned(4)));
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void meet_wide4(global int *out, local int *t)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     const ulong local_first = get_local_id(0) * 4;
// >>>     *(local meet_int4 *)(t + local_first) = (int4)(1);
// >>>     barrier(CLK_LOCAL_MEM_FENCE);
// >>>     *(global meet_int4 *)(out + first) = (int4)(*t);
// >>> }
// >>> 
// >>> /* integers, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef uchar4 integers_uchar4 __attribute__((aligned(1)));
// >>> 
// >>> typedef int4 integers_int4 __attribute__((aligned(4)));
// >>> 
// >>> typedef uint4 integers_uint4 __attribute__((aligned(4)));
// >>> 
// >>> void integers_one(global int *restrict a, global uchar *restrict b, global uint *restrict out, int k, ulong id, ulong end)
// >>> {
// >>>     uchar call7 = bitselect(b[id], (uchar)(char)k, (uchar)1u);
// >>>     uint add = abs_diff(a[id], k) + (uint)call7;
// >>>     out[id] = add + (k > 3 ? (uint)get_global_size(1) : (uint)k);
// >>> }
// >>> 
// >>> void integers_each(global int *restrict a, global uchar *restrict b, global uint *restrict out, int k, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         integers_one(a, b, out, k, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void integers_wide4(global int *restrict a, global uchar *restrict b, global uint *restrict out, int k, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         integers_each(a, b, out, k, first, end, end);
// >>>         return;
// >>>     }
// >>>     int4 t = *(global const integers_int4 *)(a + first);
// >>>     uchar4 t_1 = *(global const integers_uchar4 *)(b + first);
// >>>     uint4 add = abs_diff(t, (int4)(k)) + convert_uint4(bitselect(t_1, (uchar4)((uchar)(char)k), (uchar4)(1u)));
// >>>     *(global integers_uint4 *)(out + first) = add + (k > 3 ? (uint)get_global_size(1) : (uint)k);
// >>> }
