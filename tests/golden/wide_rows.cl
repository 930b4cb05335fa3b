// Loads along rows, for eight rounds at once.
// FORM: --emit=wide=16
kernel void sums(global const float *in, global float *out, int w)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < w; k++)
        sum += in[i * w + k];
    out[i] = sum;
}
kernel void in_memory(global const double *in, constant double *by, global double *out, ulong from, ulong last)
{
    size_t i = get_global_id(0);
    for (ulong k = from;; k++) {
        if (k > last)
            break;
        out[i] += in[i * (last + 1) + k] * by[k];
    }
}
// these are none
kernel void others(global float *io, global const uint *n, int w, uint u)
{
    int i = get_global_id(0);
    uint j = i;
    float sum = 0;
    for (int k = 0; k < w; k++) // what is stored is loaded
        io[i] += io[i * w + k];
    for (int k = 0; k < w; k++) // only some
        if (k != u)
            sum += io[i * w + k];
    for (int k = 0; k < w && n[k]; k++) // there may be fewer rounds
        sum += io[i * w + k];
    for (int k = 0; k < w; k++) // not side by side
        sum += io[i * w + 2 * k];
    for (uint k = 0; k < u; k++) // the index may wrap
        sum += io[j * u + k];
    for (int k = 0; k < n[k]; k++) // the bound may change
        sum += io[i * w + k];
    for (int k = i; k < w; k++) // neighbours have other rounds
        sum += io[i * w + k];
    io[i] = sum;
}
// >>> /* sums, with the work of 8 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 8, and its size divided by 8 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float8 sums_float8 __attribute__((aligned(4)));
// >>> 
// >>> typedef float8 sums_row_float8 __attribute__((aligned(4)));
// >>> 
// >>> /* What the neighbours have in each round, of what each has in its row. */
// >>> void sums_turn_float8(private const float8 *row, private float8 *round)
// >>> {
// >>>     round[0] = (float8)(row[0].s0, row[1].s0, row[2].s0, row[3].s0, row[4].s0, row[5].s0, row[6].s0, row[7].s0);
// >>>     round[1] = (float8)(row[0].s1, row[1].s1, row[2].s1, row[3].s1, row[4].s1, row[5].s1, row[6].s1, row[7].s1);
// >>>     round[2] = (float8)(row[0].s2, row[1].s2, row[2].s2, row[3].s2, row[4].s2, row[5].s2, row[6].s2, row[7].s2);
// >>>     round[3] = (float8)(row[0].s3, row[1].s3, row[2].s3, row[3].s3, row[4].s3, row[5].s3, row[6].s3, row[7].s3);
// >>>     round[4] = (float8)(row[0].s4, row[1].s4, row[2].s4, row[3].s4, row[4].s4, row[5].s4, row[6].s4, row[7].s4);
// >>>     round[5] = (float8)(row[0].s5, row[1].s5, row[2].s5, row[3].s5, row[4].s5, row[5].s5, row[6].s5, row[7].s5);
// >>>     round[6] = (float8)(row[0].s6, row[1].s6, row[2].s6, row[3].s6, row[4].s6, row[5].s6, row[6].s6, row[7].s6);
// >>>     round[7] = (float8)(row[0].s7, row[1].s7, row[2].s7, row[3].s7, row[4].s7, row[5].s7, row[6].s7, row[7].s7);
// >>> }
// >>> 
// >>> void sums_one(global float *restrict in, global float *restrict out, int w, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     float sum = 0.0f;
// >>>     for (int k = 0; k < w; k++) {
// >>>         sum = sum + in[i * w + k];
// >>>     }
// >>>     out[i] = sum;
// >>> }
// >>> 
// >>> void sums_each(global float *restrict in, global float *restrict out, int w, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         sums_one(in, out, w, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float8)))
// >>> kernel void sums_wide8(global float *restrict in, global float *restrict out, int w, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 8;
// >>>     if (first + 8 > end) {
// >>>         sums_each(in, out, w, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     float8 sum = (float8)(0.0f);
// >>>     int k = 0;
// >>>     while (k < w && (ulong)w - k >= 8) {
// >>>         long8 idxprom = convert_long8(((int8)(i) + (int8)(0, 1, 2, 3, 4, 5, 6, 7)) * w + k);
// >>>         float8 rows[8] = {*(global const sums_row_float8 *)(in + idxprom.s0), *(global const sums_row_float8 *)(in + idxprom.s1), *(global const sums_row_float8 *)(in + idxprom.s2), *(global const sums_row_float8 *)(in + idxprom.s3), *(global const sums_row_float8 *)(in + idxprom.s4), *(global const sums_row_float8 *)(in + idxprom.s5), *(global const sums_row_float8 *)(in + idxprom.s6), *(global const sums_row_float8 *)(in + idxprom.s7)};
// >>>         float8 turned[8];
// >>>         sums_turn_float8(rows, turned);
// >>>         #pragma unroll
// >>>         for (int round = 0; round < 8; round++, k++) {
// >>>             sum = sum + turned[round];
// >>>         }
// >>>     }
// >>>     for (; k < w; k++) {
// >>>         long8 idxprom = convert_long8(((int8)(i) + (int8)(0, 1, 2, 3, 4, 5, 6, 7)) * w + k);
// >>>         sum = sum + (float8)(in[idxprom.s0], in[idxprom.s1], in[idxprom.s2], in[idxprom.s3], in[idxprom.s4], in[idxprom.s5], in[idxprom.s6], in[idxprom.s7]);
// >>>     }
// >>>     *(global sums_float8 *)(out + i) = sum;
// >>> }
// >>> 
// >>> /* in_memory, with the work of 8 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 8, and its size divided by 8 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef double8 in_memory_double8 __attribute__((aligned(8)));
// >>> 
// >>> typedef double8 in_memory_row_double8 __attribute__((aligned(8)));
// >>> 
// >>> /* What the neighbours have in each round, of what each has in its row. */
// >>> void in_memory_turn_double8(private const double8 *row, private double8 *round)
// >>> {
// >>>     round[0] = (double8)(row[0].s0, row[1].s0, row[2].s0, row[3].s0, row[4].s0, row[5].s0, row[6].s0, row[7].s0);
// >>>     round[1] = (double8)(row[0].s1, row[1].s1, row[2].s1, row[3].s1, row[4].s1, row[5].s1, row[6].s1, row[7].s1);
// >>>     round[2] = (double8)(row[0].s2, row[1].s2, row[2].s2, row[3].s2, row[4].s2, row[5].s2, row[6].s2, row[7].s2);
// >>>     round[3] = (double8)(row[0].s3, row[1].s3, row[2].s3, row[3].s3, row[4].s3, row[5].s3, row[6].s3, row[7].s3);
// >>>     round[4] = (double8)(row[0].s4, row[1].s4, row[2].s4, row[3].s4, row[4].s4, row[5].s4, row[6].s4, row[7].s4);
// >>>     round[5] = (double8)(row[0].s5, row[1].s5, row[2].s5, row[3].s5, row[4].s5, row[5].s5, row[6].s5, row[7].s5);
// >>>     round[6] = (double8)(row[0].s6, row[1].s6, row[2].s6, row[3].s6, row[4].s6, row[5].s6, row[6].s6, row[7].s6);
// >>>     round[7] = (double8)(row[0].s7, row[1].s7, row[2].s7, row[3].s7, row[4].s7, row[5].s7, row[6].s7, row[7].s7);
// >>> }
// >>> 
// >>> void in_memory_one(global double *restrict in, constant double *by, global double *restrict out, ulong from, ulong last_1, ulong id, ulong end)
// >>> {
// >>>     for (ulong k = from; !(k > last_1); k++) {
// >>>         double t = in[id * (last_1 + 1ul) + k];
// >>>         out[id] = t * by[k] + out[id];
// >>>     }
// >>> }
// >>> 
// >>> void in_memory_each(global double *restrict in, constant double *by, global double *restrict out, ulong from, ulong last_1, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         in_memory_one(in, by, out, from, last_1, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float8)))
// >>> kernel void in_memory_wide8(global double *restrict in, constant double *by, global double *restrict out, ulong from, ulong last_1, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 8;
// >>>     if (first + 8 > end) {
// >>>         in_memory_each(in, by, out, from, last_1, first, end, end);
// >>>         return;
// >>>     }
// >>>     ulong k = from;
// >>>     #ifndef restrict
// >>>     while (!(k > last_1) && (ulong)last_1 - k >= 7) {
// >>>         ulong8 add1 = ((ulong8)(first) + (ulong8)(0, 1ul, 2ul, 3ul, 4ul, 5ul, 6ul, 7ul)) * (last_1 + 1ul) + k;
// >>>         double8 rows[8] = {*(global const in_memory_row_double8 *)(in + add1.s0), *(global const in_memory_row_double8 *)(in + add1.s1), *(global const in_memory_row_double8 *)(in + add1.s2), *(global const in_memory_row_double8 *)(in + add1.s3), *(global const in_memory_row_double8 *)(in + add1.s4), *(global const in_memory_row_double8 *)(in + add1.s5), *(global const in_memory_row_double8 *)(in + add1.s6), *(global const in_memory_row_double8 *)(in + add1.s7)};
// >>>         double8 turned[8];
// >>>         in_memory_turn_double8(rows, turned);
// >>>         #pragma unroll
// >>>         for (int round = 0; round < 8; round++, k++) {
// >>>             *(global in_memory_double8 *)(out + first) = turned[round] * by[k] + *(global const in_memory_double8 *)(out + first);
// >>>         }
// >>>     }
// >>>     #endif
// >>>     for (; !(k > last_1); k++) {
// >>>         ulong8 add1 = ((ulong8)(first) + (ulong8)(0, 1ul, 2ul, 3ul, 4ul, 5ul, 6ul, 7ul)) * (last_1 + 1ul) + k;
// >>>         *(global in_memory_double8 *)(out + first) = (double8)(in[add1.s0], in[add1.s1], in[add1.s2], in[add1.s3], in[add1.s4], in[add1.s5], in[add1.s6], in[add1.s7]) * by[k] + *(global const in_memory_double8 *)(out + first);
// >>>     }
// >>> }
// >>> 
// >>> /* others, with the work of 16 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 16, and its size divided by 16 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float16 others_float16 __attribute__((aligned(4)));
// >>> 
// >>> void others_one(global float *restrict io, global uint *restrict n, int w, uint u, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     for (int k = 0; k < w; k++) {
// >>>         io[i] = io[i] + io[i * w + k];
// >>>     }
// >>>     float sum = 0.0f;
// >>>     for (int k5 = 0; k5 < w; k5++) {
// >>>         float sum_1;
// >>>         if (k5 != (int)u) {
// >>>             sum_1 = sum + io[i * w + k5];
// >>>         } else {
// >>>             sum_1 = sum;
// >>>         }
// >>>         sum = sum_1;
// >>>     }
// >>>     float sum_2 = sum;
// >>>     for (int k21 = 0; k21 < w; k21++) {
// >>>         if (!(n[k21] != 0u)) {
// >>>             break;
// >>>         }
// >>>         sum_2 = sum_2 + io[i * w + k21];
// >>>     }
// >>>     float sum_3 = sum_2;
// >>>     for (int k37 = 0; k37 < w; k37++) {
// >>>         sum_3 = sum_3 + io[i * w + 2 * k37];
// >>>     }
// >>>     float sum_4 = sum_3;
// >>>     for (uint k52 = 0u; k52 < u; k52++) {
// >>>         sum_4 = sum_4 + io[(uint)i * u + k52];
// >>>     }
// >>>     float sum_5 = sum_4;
// >>>     for (int k66 = 0; (uint)k66 < n[k66]; k66++) {
// >>>         sum_5 = sum_5 + io[i * w + k66];
// >>>     }
// >>>     float sum_6 = sum_5;
// >>>     for (int k82 = i; k82 < w; k82++) {
// >>>         sum_6 = sum_6 + io[i * w + k82];
// >>>     }
// >>>     io[i] = sum_6;
// >>> }
// >>> 
// >>> void others_each(global float *restrict io, global uint *restrict n, int w, uint u, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         others_one(io, n, w, u, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float16)))
// >>> kernel void others_wide16(global float *restrict io, global uint *restrict n, int w, uint u, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 16;
// >>>     if (first + 16 > end) {
// >>>         others_each(io, n, w, u, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     for (int k = 0; k < w; k++) {
// >>>         long16 idxprom = convert_long16(((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * w + k);
// >>>         *(global others_float16 *)(io + i) = *(global const others_float16 *)(io + i) + (float16)(io[idxprom.s0], io[idxprom.s1], io[idxprom.s2], io[idxprom.s3], io[idxprom.s4], io[idxprom.s5], io[idxprom.s6], io[idxprom.s7], io[idxprom.s8], io[idxprom.s9], io[idxprom.sa], io[idxprom.sb], io[idxprom.sc], io[idxprom.sd], io[idxprom.se], io[idxprom.sf]);
// >>>     }
// >>>     float16 sum = (float16)(0.0f);
// >>>     for (int k5 = 0; k5 < w; k5++) {
// >>>         float16 sum_1;
// >>>         if (k5 != (int)u) {
// >>>             long16 idxprom15 = convert_long16(((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * w + k5);
// >>>             sum_1 = sum + (float16)(io[idxprom15.s0], io[idxprom15.s1], io[idxprom15.s2], io[idxprom15.s3], io[idxprom15.s4], io[idxprom15.s5], io[idxprom15.s6], io[idxprom15.s7], io[idxprom15.s8], io[idxprom15.s9], io[idxprom15.sa], io[idxprom15.sb], io[idxprom15.sc], io[idxprom15.sd], io[idxprom15.se], io[idxprom15.sf]);
// >>>         } else {
// >>>             sum_1 = sum;
// >>>         }
// >>>         sum = sum_1;
// >>>     }
// >>>     float16 sum_2 = sum;
// >>>     for (int k21 = 0; k21 < w; k21++) {
// >>>         if (!(n[k21] != 0u)) {
// >>>             break;
// >>>         }
// >>>         long16 idxprom31 = convert_long16(((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * w + k21);
// >>>         sum_2 = sum_2 + (float16)(io[idxprom31.s0], io[idxprom31.s1], io[idxprom31.s2], io[idxprom31.s3], io[idxprom31.s4], io[idxprom31.s5], io[idxprom31.s6], io[idxprom31.s7], io[idxprom31.s8], io[idxprom31.s9], io[idxprom31.sa], io[idxprom31.sb], io[idxprom31.sc], io[idxprom31.sd], io[idxprom31.se], io[idxprom31.sf]);
// >>>     }
// >>>     float16 sum_3 = sum_2;
// >>>     for (int k37 = 0; k37 < w; k37++) {
// >>>         long16 idxprom46 = convert_long16(((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * w + 2 * k37);
// >>>         sum_3 = sum_3 + (float16)(io[idxprom46.s0], io[idxprom46.s1], io[idxprom46.s2], io[idxprom46.s3], io[idxprom46.s4], io[idxprom46.s5], io[idxprom46.s6], io[idxprom46.s7], io[idxprom46.s8], io[idxprom46.s9], io[idxprom46.sa], io[idxprom46.sb], io[idxprom46.sc], io[idxprom46.sd], io[idxprom46.se], io[idxprom46.sf]);
// >>>     }
// >>>     float16 sum_4 = sum_3;
// >>>     for (uint k52 = 0u; k52 < u; k52++) {
// >>>         ulong16 idxprom60 = convert_ulong16(as_uint16((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * u + k52);
// >>>         sum_4 = sum_4 + (float16)(io[idxprom60.s0], io[idxprom60.s1], io[idxprom60.s2], io[idxprom60.s3], io[idxprom60.s4], io[idxprom60.s5], io[idxprom60.s6], io[idxprom60.s7], io[idxprom60.s8], io[idxprom60.s9], io[idxprom60.sa], io[idxprom60.sb], io[idxprom60.sc], io[idxprom60.sd], io[idxprom60.se], io[idxprom60.sf]);
// >>>     }
// >>>     float16 sum_5 = sum_4;
// >>>     for (int k66 = 0; (uint)k66 < n[k66]; k66++) {
// >>>         long16 idxprom76 = convert_long16(((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * w + k66);
// >>>         sum_5 = sum_5 + (float16)(io[idxprom76.s0], io[idxprom76.s1], io[idxprom76.s2], io[idxprom76.s3], io[idxprom76.s4], io[idxprom76.s5], io[idxprom76.s6], io[idxprom76.s7], io[idxprom76.s8], io[idxprom76.s9], io[idxprom76.sa], io[idxprom76.sb], io[idxprom76.sc], io[idxprom76.sd], io[idxprom76.se], io[idxprom76.sf]);
// >>>     }
// >>>     float16 sum_6 = sum_5;
// >>>     int k82 = i;
// >>>     int16 going = -1;
// >>>     for (;;) {
// >>>         int16 mask = (int16)(k82) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) < w;
// >>>         going &= mask;
// >>>         if (!any(going))
// >>>             break;
// >>>         long16 idxprom90 = convert_long16(((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * w + ((int16)(k82) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
// >>>         sum_6 = select(sum_6, sum_6 + (float16)(going.s0 ? io[idxprom90.s0] : 0, going.s1 ? io[idxprom90.s1] : 0, going.s2 ? io[idxprom90.s2] : 0, going.s3 ? io[idxprom90.s3] : 0, going.s4 ? io[idxprom90.s4] : 0, going.s5 ? io[idxprom90.s5] : 0, going.s6 ? io[idxprom90.s6] : 0, going.s7 ? io[idxprom90.s7] : 0, going.s8 ? io[idxprom90.s8] : 0, going.s9 ? io[idxprom90.s9] : 0, going.sa ? io[idxprom90.sa] : 0, going.sb ? io[idxprom90.sb] : 0, going.sc ? io[idxprom90.sc] : 0, going.sd ? io[idxprom90.sd] : 0, going.se ? io[idxprom90.se] : 0, going.sf ? io[idxprom90.sf] : 0), going);
// >>>         k82 = (int)((uint)k82 + 1u);
// >>>     }
// >>>     *(global others_float16 *)(io + i) = sum_6;
// >>> }
