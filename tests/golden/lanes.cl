// Kernels as the work of four neighbours in one work-item, in loops over them and private arrays.
// FORM: --emit=lanes=4
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
kernel void rows(global const int *begin, global const float *v, global float *out)
{
    size_t i = get_global_id(0);
    float sum = 0;
    for (int k = begin[i]; k < begin[i + 1]; k++) {
        if (v[k] < 0)
            break;
        sum += v[k];
    }
    out[i] = sum;
}
kernel void sums(global const float *in, global float *out, int rows, int pitch)
{
    global const float *p = in + get_global_id(0);
    float sum[3] = {0}, least = 0;
    for (int r = 0; r < rows; r++) {
        float t = *p;
        if (t < least)
            least = t;
        sum[r % 3] += t;
        p += pitch;
    }
    out[get_global_id(0)] = sum[0] + sum[1] * sum[2] + least;
}
kernel void one_of(global float *a, global float *b, int n)
{
    short i = get_global_id(0);
    global float *out = i < n ? a : b;
    out[3 * i] = i;
}
kernel void meet(global int *out, local int *t)
{
    t[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[0];
}
// >>> /* product, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> void product_one(global float *restrict a, global float *restrict b, global float *restrict c, int n, ulong id, ulong end)
// >>> {
// >>>     int x = (int)id;
// >>>     int y = (int)get_global_id(1);
// >>>     if (!(x >= n || y >= n)) {
// >>>         float sum = 0.0f;
// >>>         for (int k = 0; k < n; k++) {
// >>>             sum = a[y * n + k] * b[k * n + x] + sum;
// >>>         }
// >>>         c[y * n + x] = sum;
// >>>     }
// >>> }
// >>> 
// >>> void product_each(global float *restrict a, global float *restrict b, global float *restrict c, int n, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         product_one(a, b, c, n, id, end);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool product_all(global float *restrict a, global float *restrict b, global float *restrict c, int n, ulong first, ulong end)
// >>> {
// >>>     float sum[4];
// >>>     int x = (int)first;
// >>>     int y = (int)get_global_id(1);
// >>>     int count = 0;
// >>>     for (int lane = 0; lane < 4; lane++) {
// >>>         count += (x + lane >= n || y >= n);
// >>>     }
// >>>     if (count % 4 != 0)
// >>>         return false;
// >>>     if (!(count != 0)) {
// >>>         for (int lane = 0; lane < 4; lane++) {
// >>>             sum[lane] = 0.0f;
// >>>         }
// >>>         for (int k = 0; k < n; k++) {
// >>>             for (int lane = 0; lane < 4; lane++) {
// >>>                 sum[lane] = a[y * n + k] * b[k * n + (x + lane)] + sum[lane];
// >>>             }
// >>>         }
// >>>         for (int lane = 0; lane < 4; lane++) {
// >>>             c[y * n + (x + lane)] = sum[lane];
// >>>         }
// >>>     }
// >>>     return true;
// >>> }
// >>> 
// >>> kernel void product_lanes4(global float *restrict a, global float *restrict b, global float *restrict c, int n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !product_all(a, b, c, n, first, end))
// >>>         product_each(a, b, c, n, first, min(first + 4, end), end);
// >>> }
// >>> 
// >>> /* rows, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> void rows_one(global int *restrict begin, global float *restrict v, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     float sum = 0.0f;
// >>>     for (int k = begin[id]; k < begin[id + 1ul]; k++) {
// >>>         float t = v[k];
// >>>         if (t < 0.0f) {
// >>>             break;
// >>>         }
// >>>         sum = sum + t;
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
// >>> kernel void rows_lanes4(global int *restrict begin, global float *restrict v, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         rows_each(begin, v, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     for (int lane = 0; lane < 4; lane++) {
// >>>         float sum = 0.0f;
// >>>         for (int k = begin[first + lane]; k < begin[first + lane + 1ul]; k++) {
// >>>             float t = v[k];
// >>>             if (t < 0.0f) {
// >>>                 break;
// >>>             }
// >>>             sum = sum + t;
// >>>         }
// >>>         out[first + lane] = sum;
// >>>     }
// >>> }
// >>> 
// >>> /* sums, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> void sums_one(global float *restrict in, global float *restrict out, int rows, int pitch, ulong id, ulong end)
// >>> {
// >>>     float sum[3];
// >>>     for (int i = 0; i < 3; i++)
// >>>         sum[i] = 0;
// >>>     float least = 0.0f;
// >>>     global float *p = in + id;
// >>>     for (int r = 0; r < rows; r++) {
// >>>         float t = *p;
// >>>         int rem = r % 3;
// >>>         sum[rem] = sum[rem] + t;
// >>>         least = t < least ? t : least;
// >>>         p = p + pitch;
// >>>     }
// >>>     float t_1 = sum[1] * sum[2] + *sum;
// >>>     out[id] = t_1 + least;
// >>> }
// >>> 
// >>> void sums_each(global float *restrict in, global float *restrict out, int rows, int pitch, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         sums_one(in, out, rows, pitch, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void sums_lanes4(global float *restrict in, global float *restrict out, int rows, int pitch, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         sums_each(in, out, rows, pitch, first, end, end);
// >>>         return;
// >>>     }
// >>>     float least[4];
// >>>     float t[4];
// >>>     float sum[3][4];
// >>>     for (int lane = 0; lane < 4; lane++) {
// >>>         for (int i = 0; i < 3; i++)
// >>>             sum[i][lane] = 0;
// >>>         least[lane] = 0.0f;
// >>>     }
// >>>     global float *p = in + first;
// >>>     for (int r = 0; r < rows; r++) {
// >>>         for (int lane = 0; lane < 4; lane++) {
// >>>             t[lane] = *(p + lane);
// >>>         }
// >>>         int rem = r % 3;
// >>>         for (int lane = 0; lane < 4; lane++) {
// >>>             sum[rem][lane] = sum[rem][lane] + t[lane];
// >>>             least[lane] = t[lane] < least[lane] ? t[lane] : least[lane];
// >>>         }
// >>>         p = p + pitch;
// >>>     }
// >>>     for (int lane = 0; lane < 4; lane++) {
// >>>         float t_1 = sum[1][lane] * sum[2][lane] + sum[0][lane];
// >>>         out[first + lane] = t_1 + least[lane];
// >>>     }
// >>> }
// >>> 
// >>> /* one_of, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> void one_of_one(global float *restrict a, global float *restrict b, int n, ulong id, ulong end)
// >>> {
// >>>     short i = (short)id;
// >>>     global float *a_1 = (int)i < n ? a : b;
// >>>     a_1[3 * (int)i] = (float)i;
// >>> }
// >>> 
// >>> void one_of_each(global float *restrict a, global float *restrict b, int n, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         one_of_one(a, b, n, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void one_of_lanes4(global float *restrict a, global float *restrict b, int n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         one_of_each(a, b, n, first, end, end);
// >>>         return;
// >>>     }
// >>>     short i = (short)first;
// >>>     for (int lane = 0; lane < 4; lane++) {
// >>>         global float *a_1 = (int)(short)((ushort)i + lane) < n ? a : b;
// >>>         a_1[3 * (int)(short)((ushort)i + lane)] = (float)(short)((ushort)i + lane);
// >>>     }
// >>> }
// >>> 
// >>> /* meet, with the work of 4 neighbours along dimension 0 of a group in each work-item.
// >>>  *
// >>>  * To be launched with the offset, size and local size of dimension 0 divided by 4, so that groups
// >>>  * stay as they are.  Right only where between two barriers no work-item touches what another one
// >>>  * of its group writes. */
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void meet_lanes4(global int *out, local int *t)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     const ulong local_first = get_local_id(0) * 4;
// >>>     for (int lane = 0; lane < 4; lane++) {
// >>>         t[local_first + lane] = 1;
// >>>     }
// >>>     barrier(CLK_LOCAL_MEM_FENCE);
// >>>     for (int lane = 0; lane < 4; lane++) {
// >>>         out[first + lane] = *t;
// >>>     }
// >>> }
