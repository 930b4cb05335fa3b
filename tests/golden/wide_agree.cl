// What neighbours may agree on, so that places differ by a step: sides of bounds, rows, that none wraps.
// FORM: --emit=wide=4
kernel void clamped(global const float *in, global const float *weight, global float *out, int w, int h, int radius)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++)
            sum += in[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)] * weight[(j + radius) * (2 * radius + 1) + i + radius];
    out[y * w + x] = sum;
}
kernel void chosen(global const float *in, global float *out, int w)
{
    int x = get_global_id(0), left = x > 0 ? x - 1 : x, right = x + 1 < w ? x + 1 : w - 1;
    out[x] = in[left] + in[right] + in[max(x - 2, 0)] + in[min(w - 1, x + 2)];
}
kernel void rows(global const float *in, global const float *bias, global float *out, int w, uint n)
{
    int i = get_global_id(0);
    uint u = get_global_id(0);
    out[i] = in[i % w * 4 + i / w] + bias[u / n] + in[u % n];
}
kernel void unsigned_index(global const float *in, global float *out, uint w, uint offset)
{
    uint x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = in[y * w + x + offset];
}
kernel void lengths(global const int *length, global const float *in, global float *out, int n, int w)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < length[i / n]; k++)
        sum += in[k * w + i];
    out[i] = sum;
}
kernel void sums_of_24_bits(global const uchar *in, global uchar *out, int step, int offset)
{
    int x = get_global_id(0), y = get_global_id(1);
    int from = mad24(y, step, mad24(x, (int)sizeof(float), offset)), to = mad24(y, step, x + offset) * 4;
    for (int k = 0; k < 4; k++, from += step)
        *(global float *)(out + to + k * step) = *(global const float *)(in + from);
}
kernel void small_rows(global const float *in, global float *out)
{
    int i = get_global_id(0);
    out[i] = in[i / 3] + in[i % 2];
}
kernel void no_place(global float *out, int w)
{
    int x = get_global_id(0);
    out[x] = min(x, w);
}
kernel void stored_before(global float *in, global float *out, int w)
{
    int x = get_global_id(0);
    out[x] = 1;
    out[x] += in[min(x + 1, w)];
}
kernel void in_a_condition(global const int *in, global int *out, uint n, int w)
{
    uint x = get_global_id(0), k = 0;
    while (in[min(x + k, n - 1)] < w && k < n)
        k++;
    for (k = 0; in[(x + k) % n] != w; k++)
        ;
    out[x] = k;
}
// >>> /* clamped, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 clamped_float4 __attribute__((aligned(4)));
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> __attribute__((noinline)) void clamped_store_float4(float4 v, global float *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(global clamped_float4 *)p = v;
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
// >>> void clamped_each(global float *restrict in, global float *restrict weight, global float *restrict out, int w, int h, int radius, ulong first, ulong last, ulong end)
// >>> {
// >>>     int4 here = (int4)(0, 1, 2, 3) < (int4)((int)(last - first));
// >>>     int x = (int)first;
// >>>     int y = (int)get_global_id(1);
// >>>     int j = 0 - radius;
// >>>     float4 sum = (float4)(0.0f);
// >>>     for (int j_1 = j; j_1 <= radius; j_1++) {
// >>>         float4 sum_1 = sum;
// >>>         for (int i = j; i <= radius; i++) {
// >>>             int mul = clamp(y + j_1, 0, h - 1) * w;
// >>>             int add12 = (int)((uint)x + (uint)i);
// >>>             long4 idxprom = convert_long4(mul + clamp((int4)(add12) + (int4)(0, 1, 2, 3), (int4)(0), (int4)(w - 1)));
// >>>             int add20 = (j_1 + radius) * (2 * radius + 1) + i;
// >>>             sum_1 = (float4)(here.s0 ? in[idxprom.s0] : 0, here.s1 ? in[idxprom.s1] : 0, here.s2 ? in[idxprom.s2] : 0, here.s3 ? in[idxprom.s3] : 0) * weight[add20 + radius] + sum_1;
// >>>         }
// >>>         sum = sum_1;
// >>>     }
// >>>     clamped_store_float4(sum, out + (int)((uint)(y * w) + (uint)x), here);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool clamped_all(global float *restrict in, global float *restrict weight, global float *restrict out, int w, int h, int radius, ulong first, ulong end)
// >>> {
// >>>     int x = (int)first;
// >>>     int y = (int)get_global_id(1);
// >>>     int j = 0 - radius;
// >>>     float4 sum = (float4)(0.0f);
// >>>     for (int j_1 = j; j_1 <= radius; j_1++) {
// >>>         float4 sum_1 = sum;
// >>>         for (int i = j; i <= radius; i++) {
// >>>             int mul = clamp(y + j_1, 0, h - 1) * w;
// >>>             int add12 = x + i;
// >>>             if (add12 < 0 || add12 + 3 > w - 1)
// >>>                 return false;
// >>>             float4 t = *(global const clamped_float4 *)(in + (mul + clamp(add12, 0, w - 1)));
// >>>             int add20 = (j_1 + radius) * (2 * radius + 1) + i;
// >>>             sum_1 = t * weight[add20 + radius] + sum_1;
// >>>         }
// >>>         sum = sum_1;
// >>>     }
// >>>     *(global clamped_float4 *)(out + (y * w + x)) = sum;
// >>>     return true;
// >>> }
// >>> 
// >>> kernel void clamped_wide4(global float *restrict in, global float *restrict weight, global float *restrict out, int w, int h, int radius, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !clamped_all(in, weight, out, w, h, radius, first, end))
// >>>         clamped_each(in, weight, out, w, h, radius, first, min(first + 4, end), end);
// >>> }
// >>> 
// >>> /* chosen, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 chosen_float4 __attribute__((aligned(4)));
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> __attribute__((noinline)) void chosen_store_float4(float4 v, global float *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(global chosen_float4 *)p = v;
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
// >>> void chosen_each(global float *restrict in, global float *restrict out, int w, ulong first, ulong last, ulong end)
// >>> {
// >>>     int4 here = (int4)(0, 1, 2, 3) < (int4)((int)(last - first));
// >>>     int x = (int)first;
// >>>     int add = (int)((uint)x + 1u);
// >>>     int sub7 = w - 1;
// >>>     long4 idxprom = convert_long4(select((int4)(x) + (int4)(0, 1, 2, 3), (int4)((int)((uint)x - 1u)) + (int4)(0, 1, 2, 3), (int4)(x) + (int4)(0, 1, 2, 3) > 0));
// >>>     long4 idxprom10 = convert_long4(select((int4)(sub7), (int4)(add) + (int4)(0, 1, 2, 3), (int4)(add) + (int4)(0, 1, 2, 3) < w));
// >>>     int sub13 = (int)((uint)x - 2u);
// >>>     long4 idxprom15 = convert_long4(max((int4)(sub13) + (int4)(0, 1, 2, 3), (int4)(0)));
// >>>     float4 add17 = (float4)(here.s0 ? in[idxprom.s0] : 0, here.s1 ? in[idxprom.s1] : 0, here.s2 ? in[idxprom.s2] : 0, here.s3 ? in[idxprom.s3] : 0) + (float4)(here.s0 ? in[idxprom10.s0] : 0, here.s1 ? in[idxprom10.s1] : 0, here.s2 ? in[idxprom10.s2] : 0, here.s3 ? in[idxprom10.s3] : 0) + (float4)(here.s0 ? in[idxprom15.s0] : 0, here.s1 ? in[idxprom15.s1] : 0, here.s2 ? in[idxprom15.s2] : 0, here.s3 ? in[idxprom15.s3] : 0);
// >>>     int add19 = (int)((uint)x + 2u);
// >>>     long4 idxprom21 = convert_long4(min((int4)(sub7), (int4)(add19) + (int4)(0, 1, 2, 3)));
// >>>     chosen_store_float4(add17 + (float4)(here.s0 ? in[idxprom21.s0] : 0, here.s1 ? in[idxprom21.s1] : 0, here.s2 ? in[idxprom21.s2] : 0, here.s3 ? in[idxprom21.s3] : 0), out + x, here);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool chosen_all(global float *restrict in, global float *restrict out, int w, ulong first, ulong end)
// >>> {
// >>>     int x = (int)first;
// >>>     if (x + 3 > 0 && x <= 0)
// >>>         return false;
// >>>     int add = x + 1;
// >>>     int sub7 = w - 1;
// >>>     if (add + 3 >= w)
// >>>         return false;
// >>>     float4 t = *(global const chosen_float4 *)(in + (((int4)(x) + (int4)(0, 1, 2, 3) > 0).s0 ? x - 1 : x));
// >>>     float4 add12 = t + *(global const chosen_float4 *)(in + add);
// >>>     int sub13 = x - 2;
// >>>     if (sub13 < 0)
// >>>         return false;
// >>>     int add19 = x + 2;
// >>>     if (add19 + 3 > sub7)
// >>>         return false;
// >>>     *(global chosen_float4 *)(out + x) = add12 + *(global const chosen_float4 *)(in + max(sub13, 0)) + *(global const chosen_float4 *)(in + min(sub7, add19));
// >>>     return true;
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void chosen_wide4(global float *restrict in, global float *restrict out, int w, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !chosen_all(in, out, w, first, end))
// >>>         chosen_each(in, out, w, first, min(first + 4, end), end);
// >>> }
// >>> 
// >>> /* rows, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 rows_float4 __attribute__((aligned(4)));
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> __attribute__((noinline)) void rows_store_float4(float4 v, global float *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(global rows_float4 *)p = v;
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
// >>> void rows_each(global float *restrict in, global float *restrict bias, global float *restrict out, int w, uint n, ulong first, ulong last, ulong end)
// >>> {
// >>>     int4 here = (int4)(0, 1, 2, 3) < (int4)((int)(last - first));
// >>>     int i = (int)first;
// >>>     long4 idxprom = convert_long4(select((int4)(0), (int4)(i) + (int4)(0, 1, 2, 3), here) % select((int4)(1), (int4)(w), here) * 4 + select((int4)(0), (int4)(i) + (int4)(0, 1, 2, 3), here) / select((int4)(1), (int4)(w), here));
// >>>     ulong4 idxprom4 = convert_ulong4(as_uint4((int4)(i) + (int4)(0, 1, 2, 3)) / select((uint4)(1), (uint4)(n), here));
// >>>     ulong4 idxprom8 = convert_ulong4(as_uint4((int4)(i) + (int4)(0, 1, 2, 3)) % select((uint4)(1), (uint4)(n), here));
// >>>     rows_store_float4((float4)(here.s0 ? in[idxprom.s0] : 0, here.s1 ? in[idxprom.s1] : 0, here.s2 ? in[idxprom.s2] : 0, here.s3 ? in[idxprom.s3] : 0) + (float4)(here.s0 ? bias[idxprom4.s0] : 0, here.s1 ? bias[idxprom4.s1] : 0, here.s2 ? bias[idxprom4.s2] : 0, here.s3 ? bias[idxprom4.s3] : 0) + (float4)(here.s0 ? in[idxprom8.s0] : 0, here.s1 ? in[idxprom8.s1] : 0, here.s2 ? in[idxprom8.s2] : 0, here.s3 ? in[idxprom8.s3] : 0), out + i, here);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool rows_all(global float *restrict in, global float *restrict bias, global float *restrict out, int w, uint n, ulong first, ulong end)
// >>> {
// >>>     int i = (int)first;
// >>>     if (i < 0 || w <= 0 || w - i % w <= 3)
// >>>         return false;
// >>>     int add = i % w * 4 + i / w;
// >>>     if (n - (uint)i % n <= 3u)
// >>>         return false;
// >>>     *(global rows_float4 *)(out + i) = (float4)(in[add], (in + add)[4], (in + add)[8], (in + add)[12]) + bias[(uint)i / n] + *(global const rows_float4 *)(in + (uint)i % n);
// >>>     return true;
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void rows_wide4(global float *restrict in, global float *restrict bias, global float *restrict out, int w, uint n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !rows_all(in, bias, out, w, n, first, end))
// >>>         rows_each(in, bias, out, w, n, first, min(first + 4, end), end);
// >>> }
// >>> 
// >>> /* unsigned_index, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 unsigned_index_float4 __attribute__((aligned(4)));
// >>> 
// >>> void unsigned_index_one(global float *restrict in, global float *restrict out, uint w, uint offset, ulong id, ulong end)
// >>> {
// >>>     uint add = (uint)get_global_id(1) * w + (uint)id;
// >>>     out[add] = in[add + offset];
// >>> }
// >>> 
// >>> void unsigned_index_each(global float *restrict in, global float *restrict out, uint w, uint offset, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         unsigned_index_one(in, out, w, offset, id, end);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool unsigned_index_all(global float *restrict in, global float *restrict out, uint w, uint offset, ulong first, ulong end)
// >>> {
// >>>     uint add = (uint)get_global_id(1) * w + (uint)first;
// >>>     if (add + offset > 4294967292u)
// >>>         return false;
// >>>     if (add > 4294967292u)
// >>>         return false;
// >>>     *(global unsigned_index_float4 *)(out + add) = *(global const unsigned_index_float4 *)(in + (add + offset));
// >>>     return true;
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void unsigned_index_wide4(global float *restrict in, global float *restrict out, uint w, uint offset, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !unsigned_index_all(in, out, w, offset, first, end))
// >>>         unsigned_index_each(in, out, w, offset, first, min(first + 4, end), end);
// >>> }
// >>> 
// >>> /* lengths, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 lengths_float4 __attribute__((aligned(4)));
// >>> 
// >>> /* What lies at p, for the neighbours of mask m. */
// >>> __attribute__((noinline)) float4 lengths_load_float4(global const float *p, int4 m)
// >>> {
// >>>     return all(m) ? *(global const lengths_float4 *)p
// >>>                   : (float4)(m.s0 ? p[0] : 0, m.s1 ? p[1] : 0, m.s2 ? p[2] : 0, m.s3 ? p[3] : 0);
// >>> }
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> __attribute__((noinline)) void lengths_store_float4(float4 v, global float *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(global lengths_float4 *)p = v;
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
// >>> void lengths_each(global int *restrict length, global float *restrict in, global float *restrict out, int n, int w, ulong first, ulong last, ulong end)
// >>> {
// >>>     float4 sum = 0;
// >>>     int4 here = (int4)(0, 1, 2, 3) < (int4)((int)(last - first));
// >>>     int i = (int)first;
// >>>     sum = select(sum, (float4)(0.0f), here);
// >>>     int k = 0;
// >>>     int4 going = here;
// >>>     for (;;) {
// >>>         long4 idxprom = convert_long4(select((int4)(0), (int4)(i) + (int4)(0, 1, 2, 3), going) / select((int4)(1), (int4)(n), going));
// >>>         int4 mask = k < (int4)(going.s0 ? length[idxprom.s0] : 0, going.s1 ? length[idxprom.s1] : 0, going.s2 ? length[idxprom.s2] : 0, going.s3 ? length[idxprom.s3] : 0);
// >>>         going &= mask;
// >>>         if (!any(going))
// >>>             break;
// >>>         sum = select(sum, sum + lengths_load_float4(in + (int)((uint)(k * w) + (uint)i), going), going);
// >>>         k = k + 1;
// >>>     }
// >>>     lengths_store_float4(sum, out + i, here);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool lengths_all(global int *restrict length, global float *restrict in, global float *restrict out, int n, int w, ulong first, ulong end)
// >>> {
// >>>     int i = (int)first;
// >>>     float4 sum = (float4)(0.0f);
// >>>     int k = 0;
// >>>     for (;;) {
// >>>         if (i < 0 || n <= 0 || n - i % n <= 3)
// >>>             return false;
// >>>         if (!(k < length[i / n])) {
// >>>             break;
// >>>         }
// >>>         sum = sum + *(global const lengths_float4 *)(in + (k * w + i));
// >>>         k = k + 1;
// >>>     }
// >>>     *(global lengths_float4 *)(out + i) = sum;
// >>>     return true;
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void lengths_wide4(global int *restrict length, global float *restrict in, global float *restrict out, int n, int w, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !lengths_all(length, in, out, n, w, first, end))
// >>>         lengths_each(length, in, out, n, w, first, min(first + 4, end), end);
// >>> }
// >>> 
// >>> /* sums_of_24_bits, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 sums_of_24_bits_float4 __attribute__((aligned(4)));
// >>> 
// >>> void sums_of_24_bits_one(global uchar *restrict in, global uchar *restrict out, int step, int offset, ulong id, ulong end)
// >>> {
// >>>     int x = (int)id;
// >>>     uint y = (uint)get_global_id(1);
// >>>     int to = mad24((int)y, step, x + offset) * 4;
// >>>     int from = mad24((int)y, step, mad24(x, 4, offset));
// >>>     for (int k = 0; k < 4; k++) {
// >>>         *(global float *)((global char *)out + to + k * step) = *(global float *)((global char *)in + from);
// >>>         from = from + step;
// >>>     }
// >>> }
// >>> 
// >>> void sums_of_24_bits_each(global uchar *restrict in, global uchar *restrict out, int step, int offset, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         sums_of_24_bits_one(in, out, step, offset, id, end);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool sums_of_24_bits_all(global uchar *restrict in, global uchar *restrict out, int step, int offset, ulong first, ulong end)
// >>> {
// >>>     int x = (int)first;
// >>>     uint y = (uint)get_global_id(1);
// >>>     int call3 = mad24(x, 4, offset);
// >>>     if (call3 > 2147483635)
// >>>         return false;
// >>>     if (mad24((int)y, step, call3) > 2147483635)
// >>>         return false;
// >>>     int add = x + offset;
// >>>     if (mad24((int)y, step, add) > 2147483644)
// >>>         return false;
// >>>     int to = mad24((int)y, step, add) * 4;
// >>>     int from = mad24((int)y, step, call3);
// >>>     for (int k = 0; k < 4; k++) {
// >>>         *(global sums_of_24_bits_float4 *)((global float *)((global char *)out + to + k * step)) = *(global const sums_of_24_bits_float4 *)((global float *)((global char *)in + from));
// >>>         from = from + step;
// >>>     }
// >>>     return true;
// >>> }
// >>> 
// >>> kernel void sums_of_24_bits_wide4(global uchar *restrict in, global uchar *restrict out, int step, int offset, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !sums_of_24_bits_all(in, out, step, offset, first, end))
// >>>         sums_of_24_bits_each(in, out, step, offset, first, min(first + 4, end), end);
// >>> }
// >>> 
// >>> /* small_rows, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 small_rows_float4 __attribute__((aligned(4)));
// >>> 
// >>> void small_rows_one(global float *restrict in, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     out[i] = in[i / 3] + in[i % 2];
// >>> }
// >>> 
// >>> void small_rows_each(global float *restrict in, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         small_rows_one(in, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void small_rows_wide4(global float *restrict in, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         small_rows_each(in, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     long4 idxprom = convert_long4(((int4)(i) + (int4)(0, 1, 2, 3)) / 3);
// >>>     long4 idxprom1 = convert_long4(((int4)(i) + (int4)(0, 1, 2, 3)) % 2);
// >>>     *(global small_rows_float4 *)(out + i) = (float4)(in[idxprom.s0], in[idxprom.s1], in[idxprom.s2], in[idxprom.s3]) + (float4)(in[idxprom1.s0], in[idxprom1.s1], in[idxprom1.s2], in[idxprom1.s3]);
// >>> }
// >>> 
// >>> /* no_place, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 no_place_float4 __attribute__((aligned(4)));
// >>> 
// >>> void no_place_one(global float *restrict out, int w, ulong id, ulong end)
// >>> {
// >>>     int x = (int)id;
// >>>     out[x] = (float)min(x, w);
// >>> }
// >>> 
// >>> void no_place_each(global float *restrict out, int w, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         no_place_one(out, w, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void no_place_wide4(global float *restrict out, int w, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         no_place_each(out, w, first, end, end);
// >>>         return;
// >>>     }
// >>>     int x = (int)first;
// >>>     *(global no_place_float4 *)(out + x) = convert_float4(min((int4)(x) + (int4)(0, 1, 2, 3), (int4)(w)));
// >>> }
// >>> 
// >>> /* stored_before, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 stored_before_float4 __attribute__((aligned(4)));
// >>> 
// >>> void stored_before_one(global float *restrict in, global float *restrict out, int w, ulong id, ulong end)
// >>> {
// >>>     int x = (int)id;
// >>>     out[x] = 1.0f;
// >>>     out[x] = 1.0f + in[min(x + 1, w)];
// >>> }
// >>> 
// >>> void stored_before_each(global float *restrict in, global float *restrict out, int w, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         stored_before_one(in, out, w, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void stored_before_wide4(global float *restrict in, global float *restrict out, int w, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         stored_before_each(in, out, w, first, end, end);
// >>>         return;
// >>>     }
// >>>     int x = (int)first;
// >>>     *(global stored_before_float4 *)(out + x) = (float4)(1.0f);
// >>>     int add = x + 1;
// >>>     long4 idxprom2 = convert_long4(min((int4)(add) + (int4)(0, 1, 2, 3), (int4)(w)));
// >>>     *(global stored_before_float4 *)(out + x) = 1.0f + (float4)(in[idxprom2.s0], in[idxprom2.s1], in[idxprom2.s2], in[idxprom2.s3]);
// >>> }
// >>> 
// >>> /* in_a_condition, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 in_a_condition_int4 __attribute__((aligned(4)));
// >>> 
// >>> void in_a_condition_one(global int *restrict in, global int *restrict out, uint n, int w, ulong id, ulong end)
// >>> {
// >>>     uint k_1;
// >>>     uint x = (uint)id;
// >>>     uint k = 0u;
// >>>     for (;;) {
// >>>         int t = in[min(x + k, n - 1u)];
// >>>         if (!(t < w && k < n)) {
// >>>             break;
// >>>         }
// >>>         k = k + 1u;
// >>>     }
// >>>     for (k_1 = 0u; in[(x + k_1) % n] != w; k_1++) {
// >>>     }
// >>>     out[x] = (int)k_1;
// >>> }
// >>> 
// >>> void in_a_condition_each(global int *restrict in, global int *restrict out, uint n, int w, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         in_a_condition_one(in, out, n, w, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void in_a_condition_wide4(global int *restrict in, global int *restrict out, uint n, int w, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         in_a_condition_each(in, out, n, w, first, end, end);
// >>>         return;
// >>>     }
// >>>     uint x = (uint)first;
// >>>     uint k = 0u;
// >>>     int4 going = -1;
// >>>     for (;;) {
// >>>         uint add = x + k;
// >>>         ulong4 idxprom = convert_ulong4(min((uint4)(add) + (uint4)(0, 1u, 2u, 3u), (uint4)(n - 1u)));
// >>>         int4 mask = ((int4)(going.s0 ? in[idxprom.s0] : 0, going.s1 ? in[idxprom.s1] : 0, going.s2 ? in[idxprom.s2] : 0, going.s3 ? in[idxprom.s3] : 0) < w) & (int4)(-(k < n));
// >>>         going &= mask;
// >>>         if (!any(going))
// >>>             break;
// >>>         k = k + 1u;
// >>>     }
// >>>     uint4 k_1 = (uint4)(0u);
// >>>     int4 going_1 = -1;
// >>>     for (;;) {
// >>>         ulong4 idxprom6 = convert_ulong4(((uint4)(x) + (uint4)(0, 1u, 2u, 3u) + k_1) % select((uint4)(1), (uint4)(n), going_1));
// >>>         int4 mask_1 = (int4)(going_1.s0 ? in[idxprom6.s0] : 0, going_1.s1 ? in[idxprom6.s1] : 0, going_1.s2 ? in[idxprom6.s2] : 0, going_1.s3 ? in[idxprom6.s3] : 0) != w;
// >>>         going_1 &= mask_1;
// >>>         if (!any(going_1))
// >>>             break;
// >>>         k_1 = select(k_1, k_1 + 1u, going_1);
// >>>     }
// >>>     *(global in_a_condition_int4 *)(out + x) = as_int4(k_1);
// >>> }
