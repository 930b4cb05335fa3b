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
kernel void may_wrap(global const char *in, global int *out, uint w)
{
    uint i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < w; k++)
        sum += in[i * w + k];
    out[i] = sum;
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
    for (uint k = 0; k < u; k++) // the index may wrap otherwise
        sum += io[j * u - k];
    for (int k = 0; k < n[k]; k++) // the bound may change
        sum += io[i * w + k];
    for (int k = i; k < w; k++) // neighbours have other rounds
        sum += io[i * w + k];
    io[i] = sum;
}
// Places in turn: these are loaded and stored as whole vectors.
kernel void products(global const float2 *a, global const float2 *b, global float2 *out, uint n)
{
    size_t i = get_global_id(0);
    const float2 u = a[i], v = b[i + n];
    out[i] = (float2)(u.x * v.x - u.y * v.y, u.x * v.y + u.y * v.x);
}
kernel void of_three(global const uchar *rgb, global short *out, int shift)
{
    int i = get_global_id(0) * 3;
    const short red = rgb[i + 2], green = rgb[i + 1], blue = rgb[i];
    out[i + shift] = red;
    out[i + shift + 2] = blue;
    out[i + shift + 1] = green;
}
// and these are not
kernel void not_all(global int *out, global const int *in, int w)
{
    int i = get_global_id(0);
    const int first = in[4 * i], second = in[4 * i + 1], fourth = in[4 * i + 3];
    out[2 * i] = first + fourth;
    out[2 * i + 1] = second + in[2 * i + w]; // which may be what is stored
    if (w > 5)
        out[2 * i + 4 * w] = 1;
    out[2 * i + 4 * w + 1] = 2;
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
// >>> void sums_transpose_float8(private const float8 *row, private float8 *round)
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
// >>>     while (k < w && (uint)w - k >= 8) {
// >>>         long8 idxprom = convert_long8(((int8)(i) + (int8)(0, 1, 2, 3, 4, 5, 6, 7)) * w + k);
// >>>         float8 rows[8] = {*(global const sums_row_float8 *)(in + idxprom.s0), *(global const sums_row_float8 *)(in + idxprom.s1), *(global const sums_row_float8 *)(in + idxprom.s2), *(global const sums_row_float8 *)(in + idxprom.s3), *(global const sums_row_float8 *)(in + idxprom.s4), *(global const sums_row_float8 *)(in + idxprom.s5), *(global const sums_row_float8 *)(in + idxprom.s6), *(global const sums_row_float8 *)(in + idxprom.s7)};
// >>>         float8 columns[8];
// >>>         sums_transpose_float8(rows, columns);
// >>>         #pragma unroll
// >>>         for (int round = 0; round < 8; round++, k++) {
// >>>             sum = sum + columns[round];
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
// >>> void in_memory_transpose_double8(private const double8 *row, private double8 *round)
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
// >>>         double8 columns[8];
// >>>         in_memory_transpose_double8(rows, columns);
// >>>         #pragma unroll
// >>>         for (int round = 0; round < 8; round++, k++) {
// >>>             *(global in_memory_double8 *)(out + first) = columns[round] * by[k] + *(global const in_memory_double8 *)(out + first);
// >>>         }
// >>>     }
// >>>     #endif
// >>>     for (; !(k > last_1); k++) {
// >>>         ulong8 add1 = ((ulong8)(first) + (ulong8)(0, 1ul, 2ul, 3ul, 4ul, 5ul, 6ul, 7ul)) * (last_1 + 1ul) + k;
// >>>         *(global in_memory_double8 *)(out + first) = (double8)(in[add1.s0], in[add1.s1], in[add1.s2], in[add1.s3], in[add1.s4], in[add1.s5], in[add1.s6], in[add1.s7]) * by[k] + *(global const in_memory_double8 *)(out + first);
// >>>     }
// >>> }
// >>> 
// >>> /* may_wrap, with the work of 8 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 8, and its size divided by 8 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int8 may_wrap_int8 __attribute__((aligned(4)));
// >>> 
// >>> typedef char8 may_wrap_row_char8 __attribute__((aligned(1)));
// >>> 
// >>> /* What the neighbours have in each round, of what each has in its row. */
// >>> void may_wrap_transpose_char8(private const char8 *row, private char8 *round)
// >>> {
// >>>     round[0] = (char8)(row[0].s0, row[1].s0, row[2].s0, row[3].s0, row[4].s0, row[5].s0, row[6].s0, row[7].s0);
// >>>     round[1] = (char8)(row[0].s1, row[1].s1, row[2].s1, row[3].s1, row[4].s1, row[5].s1, row[6].s1, row[7].s1);
// >>>     round[2] = (char8)(row[0].s2, row[1].s2, row[2].s2, row[3].s2, row[4].s2, row[5].s2, row[6].s2, row[7].s2);
// >>>     round[3] = (char8)(row[0].s3, row[1].s3, row[2].s3, row[3].s3, row[4].s3, row[5].s3, row[6].s3, row[7].s3);
// >>>     round[4] = (char8)(row[0].s4, row[1].s4, row[2].s4, row[3].s4, row[4].s4, row[5].s4, row[6].s4, row[7].s4);
// >>>     round[5] = (char8)(row[0].s5, row[1].s5, row[2].s5, row[3].s5, row[4].s5, row[5].s5, row[6].s5, row[7].s5);
// >>>     round[6] = (char8)(row[0].s6, row[1].s6, row[2].s6, row[3].s6, row[4].s6, row[5].s6, row[6].s6, row[7].s6);
// >>>     round[7] = (char8)(row[0].s7, row[1].s7, row[2].s7, row[3].s7, row[4].s7, row[5].s7, row[6].s7, row[7].s7);
// >>> }
// >>> 
// >>> void may_wrap_one(global char *restrict in, global int *restrict out, uint w, ulong id, ulong end)
// >>> {
// >>>     uint i = (uint)id;
// >>>     int sum = 0;
// >>>     for (int k = 0; (uint)k < w; k++) {
// >>>         sum = sum + (int)in[i * w + (uint)k];
// >>>     }
// >>>     out[i] = sum;
// >>> }
// >>> 
// >>> void may_wrap_each(global char *restrict in, global int *restrict out, uint w, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         may_wrap_one(in, out, w, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float8)))
// >>> kernel void may_wrap_wide8(global char *restrict in, global int *restrict out, uint w, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 8;
// >>>     if (first + 8 > end) {
// >>>         may_wrap_each(in, out, w, first, end, end);
// >>>         return;
// >>>     }
// >>>     uint i = (uint)first;
// >>>     int8 sum = (int8)(0);
// >>>     int k = 0;
// >>>     while ((uint)k < w && (uint)w - k >= 8) {
// >>>         ulong8 idxprom = convert_ulong8(((uint8)(i) + (uint8)(0, 1u, 2u, 3u, 4u, 5u, 6u, 7u)) * w + (uint)k);
// >>>         if (any(((uint8)(i) + (uint8)(0, 1u, 2u, 3u, 4u, 5u, 6u, 7u)) * w + (uint)k > 0xfffffff8u))
// >>>             break;
// >>>         char8 rows[8] = {*(global const may_wrap_row_char8 *)(in + idxprom.s0), *(global const may_wrap_row_char8 *)(in + idxprom.s1), *(global const may_wrap_row_char8 *)(in + idxprom.s2), *(global const may_wrap_row_char8 *)(in + idxprom.s3), *(global const may_wrap_row_char8 *)(in + idxprom.s4), *(global const may_wrap_row_char8 *)(in + idxprom.s5), *(global const may_wrap_row_char8 *)(in + idxprom.s6), *(global const may_wrap_row_char8 *)(in + idxprom.s7)};
// >>>         char8 columns[8];
// >>>         may_wrap_transpose_char8(rows, columns);
// >>>         #pragma unroll
// >>>         for (int round = 0; round < 8; round++, k++) {
// >>>             sum = sum + convert_int8(columns[round]);
// >>>         }
// >>>     }
// >>>     for (; (uint)k < w; k++) {
// >>>         ulong8 idxprom = convert_ulong8(((uint8)(i) + (uint8)(0, 1u, 2u, 3u, 4u, 5u, 6u, 7u)) * w + (uint)k);
// >>>         sum = sum + convert_int8((char8)(in[idxprom.s0], in[idxprom.s1], in[idxprom.s2], in[idxprom.s3], in[idxprom.s4], in[idxprom.s5], in[idxprom.s6], in[idxprom.s7]));
// >>>     }
// >>>     *(global may_wrap_int8 *)(out + i) = sum;
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
// >>>         sum_4 = sum_4 + io[(uint)i * u - k52];
// >>>     }
// >>>     float sum_5 = sum_4;
// >>>     for (int k65 = 0; (uint)k65 < n[k65]; k65++) {
// >>>         sum_5 = sum_5 + io[i * w + k65];
// >>>     }
// >>>     float sum_6 = sum_5;
// >>>     for (int k81 = i; k81 < w; k81++) {
// >>>         sum_6 = sum_6 + io[i * w + k81];
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
// >>>         ulong16 idxprom59 = convert_ulong16(as_uint16((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * u - k52);
// >>>         sum_4 = sum_4 + (float16)(io[idxprom59.s0], io[idxprom59.s1], io[idxprom59.s2], io[idxprom59.s3], io[idxprom59.s4], io[idxprom59.s5], io[idxprom59.s6], io[idxprom59.s7], io[idxprom59.s8], io[idxprom59.s9], io[idxprom59.sa], io[idxprom59.sb], io[idxprom59.sc], io[idxprom59.sd], io[idxprom59.se], io[idxprom59.sf]);
// >>>     }
// >>>     float16 sum_5 = sum_4;
// >>>     for (int k65 = 0; (uint)k65 < n[k65]; k65++) {
// >>>         long16 idxprom75 = convert_long16(((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * w + k65);
// >>>         sum_5 = sum_5 + (float16)(io[idxprom75.s0], io[idxprom75.s1], io[idxprom75.s2], io[idxprom75.s3], io[idxprom75.s4], io[idxprom75.s5], io[idxprom75.s6], io[idxprom75.s7], io[idxprom75.s8], io[idxprom75.s9], io[idxprom75.sa], io[idxprom75.sb], io[idxprom75.sc], io[idxprom75.sd], io[idxprom75.se], io[idxprom75.sf]);
// >>>     }
// >>>     float16 sum_6 = sum_5;
// >>>     int k81 = i;
// >>>     int16 going = -1;
// >>>     for (;;) {
// >>>         int16 mask = (int16)(k81) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) < w;
// >>>         going &= mask;
// >>>         if (!any(going))
// >>>             break;
// >>>         long16 idxprom89 = convert_long16(((int16)(i) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)) * w + ((int16)(k81) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
// >>>         sum_6 = select(sum_6, sum_6 + (float16)(going.s0 ? io[idxprom89.s0] : 0, going.s1 ? io[idxprom89.s1] : 0, going.s2 ? io[idxprom89.s2] : 0, going.s3 ? io[idxprom89.s3] : 0, going.s4 ? io[idxprom89.s4] : 0, going.s5 ? io[idxprom89.s5] : 0, going.s6 ? io[idxprom89.s6] : 0, going.s7 ? io[idxprom89.s7] : 0, going.s8 ? io[idxprom89.s8] : 0, going.s9 ? io[idxprom89.s9] : 0, going.sa ? io[idxprom89.sa] : 0, going.sb ? io[idxprom89.sb] : 0, going.sc ? io[idxprom89.sc] : 0, going.sd ? io[idxprom89.sd] : 0, going.se ? io[idxprom89.se] : 0, going.sf ? io[idxprom89.sf] : 0), going);
// >>>         k81 = (int)((uint)k81 + 1u);
// >>>     }
// >>>     *(global others_float16 *)(io + i) = sum_6;
// >>> }
// >>> 
// >>> /* products, with the work of 16 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 16, and its size divided by 16 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float16 products_float16 __attribute__((aligned(4)));
// >>> 
// >>> void products_one(global float *restrict a, global float *restrict b, global float *restrict out, uint n, ulong id, ulong end)
// >>> {
// >>>     float u_x = a[2ul * id];
// >>>     float u_y = a[2ul * id + 1];
// >>>     ulong add = id + (ulong)n;
// >>>     float v_x = b[2ul * add];
// >>>     float v_y = b[2ul * add + 1];
// >>>     float mul2 = u_y * v_y;
// >>>     float mul3 = u_y * v_x;
// >>>     out[2ul * id] = u_x * v_x + -mul2;
// >>>     out[2ul * id + 1] = u_x * v_y + mul3;
// >>> }
// >>> 
// >>> void products_each(global float *restrict a, global float *restrict b, global float *restrict out, uint n, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         products_one(a, b, out, n, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float16)))
// >>> kernel void products_wide16(global float *restrict a, global float *restrict b, global float *restrict out, uint n, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 16;
// >>>     if (first + 16 > end) {
// >>>         products_each(a, b, out, n, first, end, end);
// >>>         return;
// >>>     }
// >>>     float16 mixed = *(global const products_float16 *)(a + 2ul * first);
// >>>     float16 mixed_1 = *(global const products_float16 *)(a + (2ul * first + 16));
// >>>     float16 u_x = (float16)(mixed.s0, mixed.s2, mixed.s4, mixed.s6, mixed.s8, mixed.sa, mixed.sc, mixed.se, mixed_1.s0, mixed_1.s2, mixed_1.s4, mixed_1.s6, mixed_1.s8, mixed_1.sa, mixed_1.sc, mixed_1.se);
// >>>     float16 u_y = (float16)(mixed.s1, mixed.s3, mixed.s5, mixed.s7, mixed.s9, mixed.sb, mixed.sd, mixed.sf, mixed_1.s1, mixed_1.s3, mixed_1.s5, mixed_1.s7, mixed_1.s9, mixed_1.sb, mixed_1.sd, mixed_1.sf);
// >>>     ulong add = first + (ulong)n;
// >>>     float16 mixed_2 = *(global const products_float16 *)(b + 2ul * add);
// >>>     float16 mixed_3 = *(global const products_float16 *)(b + (2ul * add + 16));
// >>>     float16 v_x = (float16)(mixed_2.s0, mixed_2.s2, mixed_2.s4, mixed_2.s6, mixed_2.s8, mixed_2.sa, mixed_2.sc, mixed_2.se, mixed_3.s0, mixed_3.s2, mixed_3.s4, mixed_3.s6, mixed_3.s8, mixed_3.sa, mixed_3.sc, mixed_3.se);
// >>>     float16 v_y = (float16)(mixed_2.s1, mixed_2.s3, mixed_2.s5, mixed_2.s7, mixed_2.s9, mixed_2.sb, mixed_2.sd, mixed_2.sf, mixed_3.s1, mixed_3.s3, mixed_3.s5, mixed_3.s7, mixed_3.s9, mixed_3.sb, mixed_3.sd, mixed_3.sf);
// >>>     float16 mul2 = u_y * v_y;
// >>>     float16 t = u_x * v_x + -mul2;
// >>>     float16 mul3 = u_y * v_x;
// >>>     float16 t_1 = u_x * v_y + mul3;
// >>>     *(global products_float16 *)(out + 2ul * first) = (float16)(t.s0, t_1.s0, t.s1, t_1.s1, t.s2, t_1.s2, t.s3, t_1.s3, t.s4, t_1.s4, t.s5, t_1.s5, t.s6, t_1.s6, t.s7, t_1.s7);
// >>>     *(global products_float16 *)(out + (2ul * first + 16)) = (float16)(t.s8, t_1.s8, t.s9, t_1.s9, t.sa, t_1.sa, t.sb, t_1.sb, t.sc, t_1.sc, t.sd, t_1.sd, t.se, t_1.se, t.sf, t_1.sf);
// >>> }
// >>> 
// >>> /* of_three, with the work of 16 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 16, and its size divided by 16 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef uchar16 of_three_uchar16 __attribute__((aligned(1)));
// >>> 
// >>> void of_three_one(global uchar *restrict rgb, global short *restrict out, int shift, ulong id, ulong end)
// >>> {
// >>>     int i = (int)(id * 3ul);
// >>>     uchar t = rgb[i + 1];
// >>>     uchar t_1 = rgb[i];
// >>>     int add9 = i + shift;
// >>>     out[add9] = (short)(ushort)rgb[i + 2];
// >>>     out[add9 + 2] = (short)(ushort)t_1;
// >>>     out[add9 + 1] = (short)(ushort)t;
// >>> }
// >>> 
// >>> void of_three_each(global uchar *restrict rgb, global short *restrict out, int shift, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         of_three_one(rgb, out, shift, id, end);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool of_three_all(global uchar *restrict rgb, global short *restrict out, int shift, ulong first, ulong end)
// >>> {
// >>>     int i = (int)(first * 3ul);
// >>>     int add = i + 2;
// >>>     if (add > 2147483602)
// >>>         return false;
// >>>     uchar16 mixed = *(global const of_three_uchar16 *)(rgb + add + -2);
// >>>     uchar16 mixed_1 = *(global const of_three_uchar16 *)(rgb + add + 14);
// >>>     uchar16 mixed_2 = *(global const of_three_uchar16 *)(rgb + add + 30);
// >>>     ushort16 red = convert_ushort16((uchar16)(mixed.s2, mixed.s5, mixed.s8, mixed.sb, mixed.se, mixed_1.s1, mixed_1.s4, mixed_1.s7, mixed_1.sa, mixed_1.sd, mixed_2.s0, mixed_2.s3, mixed_2.s6, mixed_2.s9, mixed_2.sc, mixed_2.sf));
// >>>     int add2 = i + 1;
// >>>     if (add2 > 2147483602)
// >>>         return false;
// >>>     ushort16 green = convert_ushort16((uchar16)(mixed.s1, mixed.s4, mixed.s7, mixed.sa, mixed.sd, mixed_1.s0, mixed_1.s3, mixed_1.s6, mixed_1.s9, mixed_1.sc, mixed_1.sf, mixed_2.s2, mixed_2.s5, mixed_2.s8, mixed_2.sb, mixed_2.se));
// >>>     if (i > 2147483602)
// >>>         return false;
// >>>     ushort16 blue = convert_ushort16((uchar16)(mixed.s0, mixed.s3, mixed.s6, mixed.s9, mixed.sc, mixed.sf, mixed_1.s2, mixed_1.s5, mixed_1.s8, mixed_1.sb, mixed_1.se, mixed_2.s1, mixed_2.s4, mixed_2.s7, mixed_2.sa, mixed_2.sd));
// >>>     int add9 = i + shift;
// >>>     if (add9 > 2147483602)
// >>>         return false;
// >>>     out[add9] = as_short16(red).s0;
// >>>     (out + add9)[3] = as_short16(red).s1;
// >>>     (out + add9)[6] = as_short16(red).s2;
// >>>     (out + add9)[9] = as_short16(red).s3;
// >>>     (out + add9)[12] = as_short16(red).s4;
// >>>     (out + add9)[15] = as_short16(red).s5;
// >>>     (out + add9)[18] = as_short16(red).s6;
// >>>     (out + add9)[21] = as_short16(red).s7;
// >>>     (out + add9)[24] = as_short16(red).s8;
// >>>     (out + add9)[27] = as_short16(red).s9;
// >>>     (out + add9)[30] = as_short16(red).sa;
// >>>     (out + add9)[33] = as_short16(red).sb;
// >>>     (out + add9)[36] = as_short16(red).sc;
// >>>     (out + add9)[39] = as_short16(red).sd;
// >>>     (out + add9)[42] = as_short16(red).se;
// >>>     (out + add9)[45] = as_short16(red).sf;
// >>>     long16 idxprom14 = convert_long16(as_int16((uint16)((uint)(add9 + 2)) + (uint16)(0, 3u, 6u, 9u, 12u, 15u, 18u, 21u, 24u, 27u, 30u, 33u, 36u, 39u, 42u, 45u)));
// >>>     out[idxprom14.s0] = as_short16(blue).s0;
// >>>     out[idxprom14.s1] = as_short16(blue).s1;
// >>>     out[idxprom14.s2] = as_short16(blue).s2;
// >>>     out[idxprom14.s3] = as_short16(blue).s3;
// >>>     out[idxprom14.s4] = as_short16(blue).s4;
// >>>     out[idxprom14.s5] = as_short16(blue).s5;
// >>>     out[idxprom14.s6] = as_short16(blue).s6;
// >>>     out[idxprom14.s7] = as_short16(blue).s7;
// >>>     out[idxprom14.s8] = as_short16(blue).s8;
// >>>     out[idxprom14.s9] = as_short16(blue).s9;
// >>>     out[idxprom14.sa] = as_short16(blue).sa;
// >>>     out[idxprom14.sb] = as_short16(blue).sb;
// >>>     out[idxprom14.sc] = as_short16(blue).sc;
// >>>     out[idxprom14.sd] = as_short16(blue).sd;
// >>>     out[idxprom14.se] = as_short16(blue).se;
// >>>     out[idxprom14.sf] = as_short16(blue).sf;
// >>>     long16 idxprom18 = convert_long16(as_int16((uint16)((uint)(add9 + 1)) + (uint16)(0, 3u, 6u, 9u, 12u, 15u, 18u, 21u, 24u, 27u, 30u, 33u, 36u, 39u, 42u, 45u)));
// >>>     out[idxprom18.s0] = as_short16(green).s0;
// >>>     out[idxprom18.s1] = as_short16(green).s1;
// >>>     out[idxprom18.s2] = as_short16(green).s2;
// >>>     out[idxprom18.s3] = as_short16(green).s3;
// >>>     out[idxprom18.s4] = as_short16(green).s4;
// >>>     out[idxprom18.s5] = as_short16(green).s5;
// >>>     out[idxprom18.s6] = as_short16(green).s6;
// >>>     out[idxprom18.s7] = as_short16(green).s7;
// >>>     out[idxprom18.s8] = as_short16(green).s8;
// >>>     out[idxprom18.s9] = as_short16(green).s9;
// >>>     out[idxprom18.sa] = as_short16(green).sa;
// >>>     out[idxprom18.sb] = as_short16(green).sb;
// >>>     out[idxprom18.sc] = as_short16(green).sc;
// >>>     out[idxprom18.sd] = as_short16(green).sd;
// >>>     out[idxprom18.se] = as_short16(green).se;
// >>>     out[idxprom18.sf] = as_short16(green).sf;
// >>>     return true;
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float16)))
// >>> kernel void of_three_wide16(global uchar *restrict rgb, global short *restrict out, int shift, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 16;
// >>>     if (first + 16 > end || !of_three_all(rgb, out, shift, first, end))
// >>>         of_three_each(rgb, out, shift, first, min(first + 16, end), end);
// >>> }
// >>> 
// >>> /* not_all, with the work of 16 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 16, and its size divided by 16 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> void not_all_one(global int *restrict out, global int *restrict in, int w, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     int mul = 4 * i;
// >>>     int second = in[mul + 1];
// >>>     int mul9 = 2 * i;
// >>>     out[mul9] = in[mul] + in[mul + 3];
// >>>     out[mul9 + 1] = second + in[mul9 + w];
// >>>     if (w > 5) {
// >>>         out[mul9 + 4 * w] = 1;
// >>>     }
// >>>     out[mul9 + 4 * w + 1] = 2;
// >>> }
// >>> 
// >>> void not_all_each(global int *restrict out, global int *restrict in, int w, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         not_all_one(out, in, w, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float16)))
// >>> kernel void not_all_wide16(global int *restrict out, global int *restrict in, int w, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 16;
// >>>     if (first + 16 > end) {
// >>>         not_all_each(out, in, w, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     int mul = 4 * i;
// >>>     int add = mul + 1;
// >>>     int16 second = (int16)(in[add], (in + add)[4], (in + add)[8], (in + add)[12], (in + add)[16], (in + add)[20], (in + add)[24], (in + add)[28], (in + add)[32], (in + add)[36], (in + add)[40], (in + add)[44], (in + add)[48], (in + add)[52], (in + add)[56], (in + add)[60]);
// >>>     int add5 = mul + 3;
// >>>     int16 add8 = (int16)(in[mul], (in + mul)[4], (in + mul)[8], (in + mul)[12], (in + mul)[16], (in + mul)[20], (in + mul)[24], (in + mul)[28], (in + mul)[32], (in + mul)[36], (in + mul)[40], (in + mul)[44], (in + mul)[48], (in + mul)[52], (in + mul)[56], (in + mul)[60]) + (int16)(in[add5], (in + add5)[4], (in + add5)[8], (in + add5)[12], (in + add5)[16], (in + add5)[20], (in + add5)[24], (in + add5)[28], (in + add5)[32], (in + add5)[36], (in + add5)[40], (in + add5)[44], (in + add5)[48], (in + add5)[52], (in + add5)[56], (in + add5)[60]);
// >>>     int mul9 = 2 * i;
// >>>     out[mul9] = add8.s0;
// >>>     (out + mul9)[2] = add8.s1;
// >>>     (out + mul9)[4] = add8.s2;
// >>>     (out + mul9)[6] = add8.s3;
// >>>     (out + mul9)[8] = add8.s4;
// >>>     (out + mul9)[10] = add8.s5;
// >>>     (out + mul9)[12] = add8.s6;
// >>>     (out + mul9)[14] = add8.s7;
// >>>     (out + mul9)[16] = add8.s8;
// >>>     (out + mul9)[18] = add8.s9;
// >>>     (out + mul9)[20] = add8.sa;
// >>>     (out + mul9)[22] = add8.sb;
// >>>     (out + mul9)[24] = add8.sc;
// >>>     (out + mul9)[26] = add8.sd;
// >>>     (out + mul9)[28] = add8.se;
// >>>     (out + mul9)[30] = add8.sf;
// >>>     int add13 = mul9 + w;
// >>>     int16 add16 = second + (int16)(in[add13], (in + add13)[2], (in + add13)[4], (in + add13)[6], (in + add13)[8], (in + add13)[10], (in + add13)[12], (in + add13)[14], (in + add13)[16], (in + add13)[18], (in + add13)[20], (in + add13)[22], (in + add13)[24], (in + add13)[26], (in + add13)[28], (in + add13)[30]);
// >>>     int add18 = mul9 + 1;
// >>>     out[add18] = add16.s0;
// >>>     (out + add18)[2] = add16.s1;
// >>>     (out + add18)[4] = add16.s2;
// >>>     (out + add18)[6] = add16.s3;
// >>>     (out + add18)[8] = add16.s4;
// >>>     (out + add18)[10] = add16.s5;
// >>>     (out + add18)[12] = add16.s6;
// >>>     (out + add18)[14] = add16.s7;
// >>>     (out + add18)[16] = add16.s8;
// >>>     (out + add18)[18] = add16.s9;
// >>>     (out + add18)[20] = add16.sa;
// >>>     (out + add18)[22] = add16.sb;
// >>>     (out + add18)[24] = add16.sc;
// >>>     (out + add18)[26] = add16.sd;
// >>>     (out + add18)[28] = add16.se;
// >>>     (out + add18)[30] = add16.sf;
// >>>     if (w > 5) {
// >>>         int add24 = mul9 + 4 * w;
// >>>         out[add24] = 1;
// >>>         (out + add24)[2] = 1;
// >>>         (out + add24)[4] = 1;
// >>>         (out + add24)[6] = 1;
// >>>         (out + add24)[8] = 1;
// >>>         (out + add24)[10] = 1;
// >>>         (out + add24)[12] = 1;
// >>>         (out + add24)[14] = 1;
// >>>         (out + add24)[16] = 1;
// >>>         (out + add24)[18] = 1;
// >>>         (out + add24)[20] = 1;
// >>>         (out + add24)[22] = 1;
// >>>         (out + add24)[24] = 1;
// >>>         (out + add24)[26] = 1;
// >>>         (out + add24)[28] = 1;
// >>>         (out + add24)[30] = 1;
// >>>     }
// >>>     int add30 = mul9 + 4 * w + 1;
// >>>     out[add30] = 2;
// >>>     (out + add30)[2] = 2;
// >>>     (out + add30)[4] = 2;
// >>>     (out + add30)[6] = 2;
// >>>     (out + add30)[8] = 2;
// >>>     (out + add30)[10] = 2;
// >>>     (out + add30)[12] = 2;
// >>>     (out + add30)[14] = 2;
// >>>     (out + add30)[16] = 2;
// >>>     (out + add30)[18] = 2;
// >>>     (out + add30)[20] = 2;
// >>>     (out + add30)[22] = 2;
// >>>     (out + add30)[24] = 2;
// >>>     (out + add30)[26] = 2;
// >>>     (out + add30)[28] = 2;
// >>>     (out + add30)[30] = 2;
// >>> }
