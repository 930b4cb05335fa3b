// Neighbours that part: choices, masks, loops that they leave one after the other.
// FORM: --emit=wide=4
kernel void choose(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    int v = in[i];
    if (v > 3)
        v = max(2 * v, 7);
    out[i] = v;
}
kernel void both_sides(global const int *in, global int *out, global int *other, int n)
{
    int i = get_global_id(0);
    out[i] = 0;
    if (in[i] < n) {
        out[i] = n / in[i];
    } else {
        other[i] = n % 7;
    }
}
kernel void rows(global const int *begin, global const float *v, global float *out)
{
    size_t i = get_global_id(0);
    float sum = 0;
    for (int k = begin[i]; k < begin[i + 1]; k++)
        sum += v[k];
    out[i] = sum;
}
kernel void escape(global int *out, int limit, float s)
{
    int x = get_global_id(0), k = 0;
    float z = s * x;
    while (k < limit && z < 4) {
        z = z * z + s;
        k++;
    }
    out[x] = k;
}
kernel void find(global const int *in, global int *out, int n, int wanted)
{
    size_t i = get_global_id(0);
    out[i] = -1;
    for (int k = 0; k < n; k++)
        if (in[i * n + k] == wanted) {
            out[i] = k;
            break;
        }
}
kernel void halve(global const int *in, global int *out, int n)
{
    size_t i = get_global_id(0);
    int k = 100;
    do
        k = k / 2;
    while (k > in[i]);
    out[i] = k;
    for (k = n; k > in[i];)
        if (k & 1)
            k -= 1;
        else
            k /= 2;
}
kernel void any_change(global const int *in, global int *flag)
{
    if (in[get_global_id(0)])
        *flag = 1;
}
kernel void last_one(global const int *in, global int *last)
{
    if (in[get_global_id(0)])
        *last = get_global_id(0);
}

/* The first neighbour's k goes on when that one has left: it must not be more than its type holds. */
kernel void stride(global int *out, int n, int limit)
{
    int i = get_global_id(0), s = 0;
    for (int k = i; k < limit; k += n)
        s += out[k] * k;
    out[i] = s;
}

// >>> /* choose, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 choose_int4 __attribute__((aligned(4)));
// >>> 
// >>> void choose_one(global int *restrict in, global int *restrict out, ulong id, ulong end)
// >>> {
// >>>     int v = in[id];
// >>>     int v_1;
// >>>     if (v > 3) {
// >>>         v_1 = max(2 * v, 7);
// >>>     } else {
// >>>         v_1 = v;
// >>>     }
// >>>     out[id] = v_1;
// >>> }
// >>> 
// >>> void choose_each(global int *restrict in, global int *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         choose_one(in, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void choose_wide4(global int *restrict in, global int *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         choose_each(in, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     int4 v = *(global const choose_int4 *)(in + first);
// >>>     int4 mask = v > 3;
// >>>     int4 mul = 2 * v;
// >>>     int4 v_1 = select(v, max(mul, (int4)(7)), mask);
// >>>     *(global choose_int4 *)(out + first) = v_1;
// >>> }
// >>> 
// >>> /* both_sides, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 both_sides_int4 __attribute__((aligned(4)));
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> void both_sides_store_int4(int4 v, global int *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(global both_sides_int4 *)p = v;
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
// >>> void both_sides_one(global int *restrict in, global int *restrict out, global int *restrict other, int n, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     out[i] = 0;
// >>>     int t = in[i];
// >>>     if (t < n) {
// >>>         out[i] = n / t;
// >>>     } else {
// >>>         other[i] = n % 7;
// >>>     }
// >>> }
// >>> 
// >>> void both_sides_each(global int *restrict in, global int *restrict out, global int *restrict other, int n, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         both_sides_one(in, out, other, n, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void both_sides_wide4(global int *restrict in, global int *restrict out, global int *restrict other, int n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         both_sides_each(in, out, other, n, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     *(global both_sides_int4 *)(out + i) = (int4)(0);
// >>>     int4 t = *(global const both_sides_int4 *)(in + i);
// >>>     int4 mask = t < n;
// >>>     int4 others = ~mask;
// >>>     if (any(mask)) {
// >>>         both_sides_store_int4(select((int4)(0), (int4)(n), mask) / select((int4)(1), t, mask), out + i, mask);
// >>>     }
// >>>     if (any(others)) {
// >>>         both_sides_store_int4((int4)(n % 7), other + i, others);
// >>>     }
// >>> }
// >>> 
// >>> /* rows, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 rows_int4 __attribute__((aligned(4)));
// >>> 
// >>> typedef float4 rows_float4 __attribute__((aligned(4)));
// >>> 
// >>> /* What lies at p, for the neighbours of mask m. */
// >>> int4 rows_load_int4(global const int *p, int4 m)
// >>> {
// >>>     return all(m) ? *(global const rows_int4 *)p
// >>>                   : (int4)(m.s0 ? p[0] : 0, m.s1 ? p[1] : 0, m.s2 ? p[2] : 0, m.s3 ? p[3] : 0);
// >>> }
// >>> 
// >>> void rows_one(global int *restrict begin, global float *restrict v, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     float sum = 0.0f;
// >>>     for (int k = begin[id]; k < begin[id + 1ul]; k++) {
// >>>         sum = sum + v[k];
// >>>     }
// >>>     out[id] = sum;
// >>> }
// >>> 
// >>> void rows_each(global int *restrict begin, global float *restrict v, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         rows_one(begin, v, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void rows_wide4(global int *restrict begin, global float *restrict v, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         rows_each(begin, v, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 sum = (float4)(0.0f);
// >>>     int4 k = *(global const rows_int4 *)(begin + first);
// >>>     int4 going = -1;
// >>>     for (;;) {
// >>>         int4 mask = k < rows_load_int4(begin + (first + 1ul), going);
// >>>         going &= mask;
// >>>         if (!any(going))
// >>>             break;
// >>>         long4 idxprom = convert_long4(k);
// >>>         sum = select(sum, sum + (float4)(going.s0 ? v[idxprom.s0] : 0, going.s1 ? v[idxprom.s1] : 0, going.s2 ? v[idxprom.s2] : 0, going.s3 ? v[idxprom.s3] : 0), going);
// >>>         k = k + 1;
// >>>     }
// >>>     *(global rows_float4 *)(out + first) = sum;
// >>> }
// >>> 
// >>> /* escape, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 escape_int4 __attribute__((aligned(4)));
// >>> 
// >>> void escape_one(global int *restrict out, int limit, float s, ulong id, ulong end)
// >>> {
// >>>     int k;
// >>>     int x = (int)id;
// >>>     float z = s * (float)x;
// >>>     for (k = 0; k < limit && z < 4.0f; k++) {
// >>>         z = z * z + s;
// >>>     }
// >>>     out[x] = k;
// >>> }
// >>> 
// >>> void escape_each(global int *restrict out, int limit, float s, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         escape_one(out, limit, s, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void escape_wide4(global int *restrict out, int limit, float s, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         escape_each(out, limit, s, first, end, end);
// >>>         return;
// >>>     }
// >>>     int x = (int)first;
// >>>     int4 k = (int4)(0);
// >>>     float4 z = s * convert_float4((int4)(x) + (int4)(0, 1, 2, 3));
// >>>     int4 going = -1;
// >>>     for (;;) {
// >>>         int4 mask = (k < limit) & (z < 4.0f);
// >>>         going &= mask;
// >>>         if (!any(going))
// >>>             break;
// >>>         k = select(k, k + 1, going);
// >>>         z = z * z + s;
// >>>     }
// >>>     *(global escape_int4 *)(out + x) = k;
// >>> }
// >>> 
// >>> /* find, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 find_int4 __attribute__((aligned(4)));
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> void find_store_int4(int4 v, global int *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(global find_int4 *)p = v;
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
// >>> void find_one(global int *restrict in, global int *restrict out, int n, int wanted, ulong id, ulong end)
// >>> {
// >>>     out[id] = -1;
// >>>     int k = 0;
// >>>     for (;;) {
// >>>         if (!(k < n)) {
// >>>             break;
// >>>         }
// >>>         if (in[id * (ulong)(long)n + (ulong)(long)k] == wanted) {
// >>>             out[id] = k;
// >>>             break;
// >>>         }
// >>>         k = k + 1;
// >>>     }
// >>> }
// >>> 
// >>> void find_each(global int *restrict in, global int *restrict out, int n, int wanted, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         find_one(in, out, n, wanted, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void find_wide4(global int *restrict in, global int *restrict out, int n, int wanted, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         find_each(in, out, n, wanted, first, end, end);
// >>>         return;
// >>>     }
// >>>     *(global find_int4 *)(out + first) = (int4)(-1);
// >>>     int k = 0;
// >>>     int4 going = -1;
// >>>     for (;;) {
// >>>         if (!(k < n)) {
// >>>             break;
// >>>         }
// >>>         ulong4 add = ((ulong4)(first) + (ulong4)(0, 1ul, 2ul, 3ul)) * (ulong)(long)n + (ulong)(long)k;
// >>>         int4 mask = (int4)(going.s0 ? in[add.s0] : 0, going.s1 ? in[add.s1] : 0, going.s2 ? in[add.s2] : 0, going.s3 ? in[add.s3] : 0) == wanted;
// >>>         int4 here = going & mask;
// >>>         if (any(here)) {
// >>>             find_store_int4((int4)(k), out + first, here);
// >>>             going &= ~here;
// >>>         }
// >>>         if (!any(going))
// >>>             break;
// >>>         k = k + 1;
// >>>     }
// >>> }
// >>> 
// >>> /* halve, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 halve_int4 __attribute__((aligned(4)));
// >>> 
// >>> /* What lies at p, for the neighbours of mask m. */
// >>> int4 halve_load_int4(global const int *p, int4 m)
// >>> {
// >>>     return all(m) ? *(global const halve_int4 *)p
// >>>                   : (int4)(m.s0 ? p[0] : 0, m.s1 ? p[1] : 0, m.s2 ? p[2] : 0, m.s3 ? p[3] : 0);
// >>> }
// >>> 
// >>> void halve_one(global int *restrict in, global int *restrict out, int n, ulong id, ulong end)
// >>> {
// >>>     int k_1;
// >>>     int k = 100;
// >>>     for (;;) {
// >>>         k_1 = k / 2;
// >>>         if (k_1 > in[id]) {
// >>>             k = k_1;
// >>>         } else {
// >>>             break;
// >>>         }
// >>>     }
// >>>     out[id] = k_1;
// >>>     int k_2 = n;
// >>>     while (k_2 > in[id]) {
// >>>         int k_3;
// >>>         if ((k_2 & 1) != 0) {
// >>>             k_3 = k_2 - 1;
// >>>         } else {
// >>>             k_3 = k_2 / 2;
// >>>         }
// >>>         k_2 = k_3;
// >>>     }
// >>> }
// >>> 
// >>> void halve_each(global int *restrict in, global int *restrict out, int n, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         halve_one(in, out, n, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void halve_wide4(global int *restrict in, global int *restrict out, int n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         halve_each(in, out, n, first, end, end);
// >>>         return;
// >>>     }
// >>>     int4 k_1 = 0;
// >>>     int4 k = (int4)(100);
// >>>     int4 going = -1;
// >>>     for (;;) {
// >>>         k_1 = select(k_1, k / 2, going);
// >>>         int4 mask = k_1 > halve_load_int4(in + first, going);
// >>>         int4 here = going & mask;
// >>>         going &= mask;
// >>>         if (any(here)) {
// >>>             k = select(k, k_1, here);
// >>>         }
// >>>         if (!any(going))
// >>>             break;
// >>>     }
// >>>     *(global halve_int4 *)(out + first) = k_1;
// >>>     int k_2 = n;
// >>>     int4 going_1 = -1;
// >>>     for (;;) {
// >>>         int4 mask_1 = k_2 > halve_load_int4(in + first, going_1);
// >>>         going_1 &= mask_1;
// >>>         if (!any(going_1))
// >>>             break;
// >>>         int k_3;
// >>>         if ((k_2 & 1) != 0) {
// >>>             k_3 = k_2 - 1;
// >>>         } else {
// >>>             k_3 = k_2 / 2;
// >>>         }
// >>>         k_2 = k_3;
// >>>     }
// >>> }
// >>> 
// >>> /* any_change, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 any_change_int4 __attribute__((aligned(4)));
// >>> 
// >>> void any_change_one(global int *restrict in, global int *restrict flag, ulong id, ulong end)
// >>> {
// >>>     if (in[id] != 0) {
// >>>         *flag = 1;
// >>>     }
// >>> }
// >>> 
// >>> void any_change_each(global int *restrict in, global int *restrict flag, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         any_change_one(in, flag, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void any_change_wide4(global int *restrict in, global int *restrict flag, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         any_change_each(in, flag, first, end, end);
// >>>         return;
// >>>     }
// >>>     int4 mask = *(global const any_change_int4 *)(in + first) != 0;
// >>>     if (any(mask)) {
// >>>         *flag = 1;
// >>>     }
// >>> }
// >>> 
// >>> /* last_one, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 last_one_int4 __attribute__((aligned(4)));
// >>> 
// >>> void last_one_one(global int *restrict in, global int *restrict last_1, ulong id, ulong end)
// >>> {
// >>>     if (in[id] != 0) {
// >>>         *last_1 = (int)(uint)id;
// >>>     }
// >>> }
// >>> 
// >>> void last_one_each(global int *restrict in, global int *restrict last_1, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         last_one_one(in, last_1, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void last_one_wide4(global int *restrict in, global int *restrict last_1, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         last_one_each(in, last_1, first, end, end);
// >>>         return;
// >>>     }
// >>>     int4 mask = *(global const last_one_int4 *)(in + first) != 0;
// >>>     if (any(mask)) {
// >>>         uint conv = (uint)first;
// >>>         if (mask.s0) *last_1 = as_int4((uint4)(conv) + (uint4)(0, 1u, 2u, 3u)).s0;
// >>>         if (mask.s1) *last_1 = as_int4((uint4)(conv) + (uint4)(0, 1u, 2u, 3u)).s1;
// >>>         if (mask.s2) *last_1 = as_int4((uint4)(conv) + (uint4)(0, 1u, 2u, 3u)).s2;
// >>>         if (mask.s3) *last_1 = as_int4((uint4)(conv) + (uint4)(0, 1u, 2u, 3u)).s3;
// >>>     }
// >>> }
// >>> 
// >>> /* stride, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 stride_int4 __attribute__((aligned(4)));
// >>> 
// >>> /* What lies at p, for the neighbours of mask m. */
// >>> int4 stride_load_int4(global const int *p, int4 m)
// >>> {
// >>>     return all(m) ? *(global const stride_int4 *)p
// >>>                   : (int4)(m.s0 ? p[0] : 0, m.s1 ? p[1] : 0, m.s2 ? p[2] : 0, m.s3 ? p[3] : 0);
// >>> }
// >>> 
// >>> void stride_one(global int *restrict out, int n, int limit, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     int s = 0;
// >>>     int k = i;
// >>>     while (k < limit) {
// >>>         s = s + out[k] * k;
// >>>         k = k + n;
// >>>     }
// >>>     out[i] = s;
// >>> }
// >>> 
// >>> void stride_each(global int *restrict out, int n, int limit, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         stride_one(out, n, limit, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void stride_wide4(global int *restrict out, int n, int limit, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         stride_each(out, n, limit, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     int4 s = (int4)(0);
// >>>     int k = i;
// >>>     int4 going = -1;
// >>>     for (;;) {
// >>>         int4 mask = (int4)(k) + (int4)(0, 1, 2, 3) < limit;
// >>>         going &= mask;
// >>>         if (!any(going))
// >>>             break;
// >>>         s = select(s, s + stride_load_int4(out + k, going) * ((int4)(k) + (int4)(0, 1, 2, 3)), going);
// >>>         k = (int)((uint)k + (uint)n);
// >>>     }
// >>>     *(global stride_int4 *)(out + i) = s;
// >>> }
