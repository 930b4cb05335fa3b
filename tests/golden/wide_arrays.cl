// Private arrays, as the work of four neighbours in one work-item: vectors lie where the program has numbers.
// FORM: --emit=wide=4
kernel void sums(global const float *in, global float *out, int rows, int pitch)
{
    int i = get_global_id(0);
    float sum[3] = {0};
    for (int r = 0; r < rows; r++)
        sum[r % 3] += in[r * pitch + i];
    out[i] = sum[0] + sum[1] * sum[2];
}
kernel void count(global const uchar *in, global int *out, int n)
{
    int i = get_global_id(0), seen[4] = {1, 2, 3, 4};
    for (int k = 0; k < n; k++)
        seen[in[i * n + k] & 3]++;
    for (int k = 0; k < 4; k++)
        out[i * 4 + k] = seen[k];
}
kernel void bits(global const float *in, global uchar *out, int which)
{
    size_t i = get_global_id(0);
    union {
        float f[2];
        uchar b[8];
    } u;
    u.f[which & 1] = in[i];
    out[i] = u.b[which];
}
kernel void large(global int *out, int which)
{
    int i = get_global_id(0), kept[300];
    for (int k = 0; k < 300; k++)
        kept[k] = k * i;
    out[i] = kept[which];
}
kernel void limits(global const float *in, global float *out, int which)
{
    float limit[4] = {-INFINITY, 0, 1e-40f, INFINITY};
    int i = get_global_id(0);
    out[i] = fmin(in[i], limit[which]);
}
kernel void unknown(global float *out, int which)
{
    float of[5] = {1, 2, 3, 4, 0.0f / 0.0f};
    out[get_global_id(0)] = of[which];
}
// >>> clsizer-analyze: bits: private-memory: an array that is read as several types
// >>> clsizer-analyze: large: private-memory: a large array
// >>> clsizer-analyze: unknown: program-variable: a table that has a NaN
// >>> /* sums, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 sums_float4 __attribute__((aligned(4)));
// >>> 
// >>> void sums_one(global float *restrict in, global float *restrict out, int rows, int pitch, ulong id, ulong end)
// >>> {
// >>>     float sum[3];
// >>>     int i = (int)id;
// >>>     for (int i_1 = 0; i_1 < 3; i_1++)
// >>>         sum[i_1] = 0;
// >>>     for (int r = 0; r < rows; r++) {
// >>>         int rem = r % 3;
// >>>         sum[rem] = sum[rem] + in[r * pitch + i];
// >>>     }
// >>>     out[i] = sum[1] * sum[2] + *sum;
// >>> }
// >>> 
// >>> void sums_each(global float *restrict in, global float *restrict out, int rows, int pitch, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         sums_one(in, out, rows, pitch, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void sums_wide4(global float *restrict in, global float *restrict out, int rows, int pitch, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         sums_each(in, out, rows, pitch, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 sum[3];
// >>>     int i = (int)first;
// >>>     for (int i_1 = 0; i_1 < 3; i_1++)
// >>>         sum[i_1] = 0;
// >>>     for (int r = 0; r < rows; r++) {
// >>>         int rem = r % 3;
// >>>         float4 add4 = sum[rem] + *(global const sums_float4 *)(in + (r * pitch + i));
// >>>         sum[rem] = add4;
// >>>     }
// >>>     *(global sums_float4 *)(out + i) = sum[1] * sum[2] + *sum;
// >>> }
// >>> 
// >>> /* count, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> constant int count_seen[] = {1, 2, 3, 4};
// >>> 
// >>> typedef uchar8 count_row_uchar8 __attribute__((aligned(1)));
// >>> 
// >>> /* What the neighbours have in each round, of what each has in its row. */
// >>> void count_transpose_uchar4(private const uchar8 *row, private uchar4 *round)
// >>> {
// >>>     round[0] = (uchar4)(row[0].s0, row[1].s0, row[2].s0, row[3].s0);
// >>>     round[1] = (uchar4)(row[0].s1, row[1].s1, row[2].s1, row[3].s1);
// >>>     round[2] = (uchar4)(row[0].s2, row[1].s2, row[2].s2, row[3].s2);
// >>>     round[3] = (uchar4)(row[0].s3, row[1].s3, row[2].s3, row[3].s3);
// >>>     round[4] = (uchar4)(row[0].s4, row[1].s4, row[2].s4, row[3].s4);
// >>>     round[5] = (uchar4)(row[0].s5, row[1].s5, row[2].s5, row[3].s5);
// >>>     round[6] = (uchar4)(row[0].s6, row[1].s6, row[2].s6, row[3].s6);
// >>>     round[7] = (uchar4)(row[0].s7, row[1].s7, row[2].s7, row[3].s7);
// >>> }
// >>> 
// >>> void count_one(global uchar *restrict in, global int *restrict out, int n, ulong id, ulong end)
// >>> {
// >>>     int seen[4];
// >>>     int i = (int)id;
// >>>     for (int i_1 = 0; i_1 < 4; i_1++)
// >>>         seen[i_1] = count_seen[i_1];
// >>>     for (int k = 0; k < n; k++) {
// >>>         uint and = (uint)in[i * n + k] & 3u;
// >>>         seen[(long)(int)and] = seen[(long)(int)and] + 1;
// >>>     }
// >>>     for (int k6 = 0; k6 < 4; k6++) {
// >>>         out[i * 4 + k6] = seen[k6];
// >>>     }
// >>> }
// >>> 
// >>> void count_each(global uchar *restrict in, global int *restrict out, int n, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         count_one(in, out, n, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void count_wide4(global uchar *restrict in, global int *restrict out, int n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         count_each(in, out, n, first, end, end);
// >>>         return;
// >>>     }
// >>>     int4 seen[4];
// >>>     int i = (int)first;
// >>>     for (int i_1 = 0; i_1 < 4; i_1++)
// >>>         seen[i_1] = count_seen[i_1];
// >>>     int k = 0;
// >>>     while (k < n && (uint)n - k >= 8) {
// >>>         long4 idxprom = convert_long4(((int4)(i) + (int4)(0, 1, 2, 3)) * n + k);
// >>>         uchar8 rows[4] = {*(global const count_row_uchar8 *)(in + idxprom.s0), *(global const count_row_uchar8 *)(in + idxprom.s1), *(global const count_row_uchar8 *)(in + idxprom.s2), *(global const count_row_uchar8 *)(in + idxprom.s3)};
// >>>         uchar4 columns[8];
// >>>         count_transpose_uchar4(rows, columns);
// >>>         #pragma unroll
// >>>         for (int round = 0; round < 8; round++, k++) {
// >>>             long4 idxprom3 = convert_long4(as_int4(convert_uint4(columns[round]) & 3u));
// >>>             int4 inc = (int4)(((int *)seen)[4l * idxprom3.s0], ((int *)seen)[4l * idxprom3.s1 + 1], ((int *)seen)[4l * idxprom3.s2 + 2], ((int *)seen)[4l * idxprom3.s3 + 3]) + 1;
// >>>             ((int *)seen)[4l * idxprom3.s0] = inc.s0;
// >>>             ((int *)seen)[4l * idxprom3.s1 + 1] = inc.s1;
// >>>             ((int *)seen)[4l * idxprom3.s2 + 2] = inc.s2;
// >>>             ((int *)seen)[4l * idxprom3.s3 + 3] = inc.s3;
// >>>         }
// >>>     }
// >>>     for (; k < n; k++) {
// >>>         long4 idxprom = convert_long4(((int4)(i) + (int4)(0, 1, 2, 3)) * n + k);
// >>>         long4 idxprom3 = convert_long4(as_int4(convert_uint4((uchar4)(in[idxprom.s0], in[idxprom.s1], in[idxprom.s2], in[idxprom.s3])) & 3u));
// >>>         int4 inc = (int4)(((int *)seen)[4l * idxprom3.s0], ((int *)seen)[4l * idxprom3.s1 + 1], ((int *)seen)[4l * idxprom3.s2 + 2], ((int *)seen)[4l * idxprom3.s3 + 3]) + 1;
// >>>         ((int *)seen)[4l * idxprom3.s0] = inc.s0;
// >>>         ((int *)seen)[4l * idxprom3.s1 + 1] = inc.s1;
// >>>         ((int *)seen)[4l * idxprom3.s2 + 2] = inc.s2;
// >>>         ((int *)seen)[4l * idxprom3.s3 + 3] = inc.s3;
// >>>     }
// >>>     for (int k6 = 0; k6 < 4; k6++) {
// >>>         int4 t = seen[k6];
// >>>         int add15 = i * 4 + k6;
// >>>         out[add15] = t.s0;
// >>>         (out + add15)[4] = t.s1;
// >>>         (out + add15)[8] = t.s2;
// >>>         (out + add15)[12] = t.s3;
// >>>     }
// >>> }
// >>> 
// >>> /* limits, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> constant float limits_limit[] = {-1.0f / 0.0f, 0.0f, 1e-40f, 1.0f / 0.0f};
// >>> 
// >>> typedef float4 limits_float4 __attribute__((aligned(4)));
// >>> 
// >>> void limits_one(global float *restrict in, global float *restrict out, int which, ulong id, ulong end)
// >>> {
// >>>     float limit[4];
// >>>     for (int i_1 = 0; i_1 < 4; i_1++)
// >>>         limit[i_1] = limits_limit[i_1];
// >>>     int i = (int)id;
// >>>     out[i] = fmin(in[i], limit[which]);
// >>> }
// >>> 
// >>> void limits_each(global float *restrict in, global float *restrict out, int which, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         limits_one(in, out, which, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void limits_wide4(global float *restrict in, global float *restrict out, int which, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         limits_each(in, out, which, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 limit[4];
// >>>     for (int i_1 = 0; i_1 < 4; i_1++)
// >>>         limit[i_1] = limits_limit[i_1];
// >>>     int i = (int)first;
// >>>     float4 t = *(global const limits_float4 *)(in + i);
// >>>     float4 t_1 = limit[which];
// >>>     *(global limits_float4 *)(out + i) = fmin(t, t_1);
// >>> }
