// Structures, tables, pointers that advance and switches, as the work of four neighbours in one work-item.
// FORM: --emit=wide=4
struct place {
    float x, y;
};
kernel void field(global const struct place *in, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = in[i].x + in[i].y;
}
constant float weights[2][2] = {{1, 2}, {0.5f, 4}};
kernel void table(global float *out, int row)
{
    out[get_global_id(0)] = weights[row][1];
}
kernel void advance(global float *p, int rows, int pitch)
{
    p += get_global_id(0);
    for (int row = 0; row < rows; row++) {
        *p = 2 * *p;
        p += pitch;
    }
}
kernel void one_of(global float *a, global float *b, int to_b)
{
    global float *out = to_b ? b : a;
    out[get_global_id(0)] = 1;
}
kernel void cases(global int *out, int how)
{
    size_t i = get_global_id(0);
    switch (how) {
    case 0:
        out[i] = 5;
        break;
    case 7:
        out[i] = 6;
    }
}
kernel void half_each(global float *a, global float *b, int n)
{
    int i = get_global_id(0);
    global float *out = i < n ? a : b;
    out[i] = 1;
}
struct mixed {
    float f;
    int i;
};
constant struct mixed both[2] = {{1, 2}, {3, 4}};
kernel void mixed(global float *out, int row)
{
    out[get_global_id(0)] = both[row].f;
}
kernel void optional(global float *out, global const float *bias, constant float *by)
{
    int i = get_global_id(0);
    out[i] = bias ? bias[i] : by != 0 ? by[0] : 1;
}
kernel void same(global char *out, global char *in, ulong from)
{
    global float *p = (global float *)(in + from);
    size_t i = get_global_id(0);
    ((global float *)out)[i] = out == in + from ? 1 : p[i];
}
kernel void until(global float *out, global const float *in, global const float *end)
{
    size_t i = get_global_id(0);
    float sum = 0;
    for (global const float *p = in; p < end; p++)
        sum += p[i];
    out[i] = sum;
}
// >>> clsizer-analyze: half_each: pointer: a variable that differs between neighbours in any way
// >>> clsizer-analyze: mixed: program-variable: both
// >>> clsizer-analyze: until: pointer: a comparison
// >>> /* field, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 field_float4 __attribute__((aligned(4)));
// >>> 
// >>> void field_one(global float *restrict in, global float *restrict out, ulong id, ulong end)
// >>> {
// >>>     out[id] = in[2ul * id] + in[2ul * id + 1];
// >>> }
// >>> 
// >>> void field_each(global float *restrict in, global float *restrict out, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         field_one(in, out, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void field_wide4(global float *restrict in, global float *restrict out, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         field_each(in, out, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 mixed = *(global const field_float4 *)(in + 2ul * first);
// >>>     float4 mixed_1 = *(global const field_float4 *)(in + (2ul * first + 4));
// >>>     *(global field_float4 *)(out + first) = (float4)(mixed.s0, mixed.s2, mixed_1.s0, mixed_1.s2) + (float4)(mixed.s1, mixed.s3, mixed_1.s1, mixed_1.s3);
// >>> }
// >>> 
// >>> /* table, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> constant float table_weights[] = {1.0f, 2.0f, 0.5f, 4.0f};
// >>> 
// >>> typedef float4 table_float4 __attribute__((aligned(4)));
// >>> 
// >>> void table_one(global float *restrict out, int row, ulong id, ulong end)
// >>> {
// >>>     out[id] = table_weights[2l * row + 1];
// >>> }
// >>> 
// >>> void table_each(global float *restrict out, int row, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         table_one(out, row, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void table_wide4(global float *restrict out, int row, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         table_each(out, row, first, end, end);
// >>>         return;
// >>>     }
// >>>     *(global table_float4 *)(out + first) = (float4)(table_weights[2l * row + 1]);
// >>> }
// >>> 
// >>> /* advance, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 advance_float4 __attribute__((aligned(4)));
// >>> 
// >>> void advance_one(global float *restrict p, int rows, int pitch, ulong id, ulong end)
// >>> {
// >>>     global float *p_1 = p + id;
// >>>     for (int row = 0; row < rows; row++) {
// >>>         *p_1 = 2.0f * *p_1;
// >>>         p_1 = p_1 + pitch;
// >>>     }
// >>> }
// >>> 
// >>> void advance_each(global float *restrict p, int rows, int pitch, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         advance_one(p, rows, pitch, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void advance_wide4(global float *restrict p, int rows, int pitch, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         advance_each(p, rows, pitch, first, end, end);
// >>>         return;
// >>>     }
// >>>     global float *p_1 = p + first;
// >>>     for (int row = 0; row < rows; row++) {
// >>>         *(global advance_float4 *)(p_1) = 2.0f * *(global const advance_float4 *)(p_1);
// >>>         p_1 = p_1 + pitch;
// >>>     }
// >>> }
// >>> 
// >>> /* one_of, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 one_of_float4 __attribute__((aligned(4)));
// >>> 
// >>> void one_of_one(global float *restrict a, global float *restrict b, int to_b, ulong id, ulong end)
// >>> {
// >>>     global float *b_1 = to_b != 0 ? b : a;
// >>>     b_1[id] = 1.0f;
// >>> }
// >>> 
// >>> void one_of_each(global float *restrict a, global float *restrict b, int to_b, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         one_of_one(a, b, to_b, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void one_of_wide4(global float *restrict a, global float *restrict b, int to_b, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         one_of_each(a, b, to_b, first, end, end);
// >>>         return;
// >>>     }
// >>>     global float *b_1 = to_b != 0 ? b : a;
// >>>     *(global one_of_float4 *)(b_1 + first) = (float4)(1.0f);
// >>> }
// >>> 
// >>> /* cases, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef int4 cases_int4 __attribute__((aligned(4)));
// >>> 
// >>> void cases_one(global int *restrict out, int how, ulong id, ulong end)
// >>> {
// >>>     if (how < 7) {
// >>>         if (how == 0) {
// >>>             out[id] = 5;
// >>>         }
// >>>     } else {
// >>>         if (how == 7) {
// >>>             out[id] = 6;
// >>>         }
// >>>     }
// >>> }
// >>> 
// >>> void cases_each(global int *restrict out, int how, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         cases_one(out, how, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void cases_wide4(global int *restrict out, int how, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         cases_each(out, how, first, end, end);
// >>>         return;
// >>>     }
// >>>     if (how < 7) {
// >>>         if (how == 0) {
// >>>             *(global cases_int4 *)(out + first) = (int4)(5);
// >>>         }
// >>>     } else {
// >>>         if (how == 7) {
// >>>             *(global cases_int4 *)(out + first) = (int4)(6);
// >>>         }
// >>>     }
// >>> }
// >>> 
// >>> /* optional, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 optional_float4 __attribute__((aligned(4)));
// >>> 
// >>> void optional_one(global float *restrict out, global float *restrict bias, constant float *by, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     float cond6;
// >>>     if ((global char *)bias != 0) {
// >>>         cond6 = bias[i];
// >>>     } else {
// >>>         if ((constant char *)by != 0) {
// >>>             cond6 = *by;
// >>>         } else {
// >>>             cond6 = 1.0f;
// >>>         }
// >>>     }
// >>>     out[i] = cond6;
// >>> }
// >>> 
// >>> void optional_each(global float *restrict out, global float *restrict bias, constant float *by, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         optional_one(out, bias, by, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void optional_wide4(global float *restrict out, global float *restrict bias, constant float *by, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         optional_each(out, bias, by, first, end, end);
// >>>         return;
// >>>     }
// >>>     int i = (int)first;
// >>>     float4 cond6;
// >>>     if ((global char *)bias != 0) {
// >>>         cond6 = *(global const optional_float4 *)(bias + i);
// >>>     } else {
// >>>         if ((constant char *)by != 0) {
// >>>             cond6 = (float4)(*by);
// >>>         } else {
// >>>             cond6 = (float4)(1.0f);
// >>>         }
// >>>     }
// >>>     *(global optional_float4 *)(out + i) = cond6;
// >>> }
// >>> 
// >>> /* same, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> typedef float4 same_float4 __attribute__((aligned(4)));
// >>> 
// >>> void same_one(global char *restrict out, global char *restrict in, ulong from, ulong id, ulong end)
// >>> {
// >>>     float cond;
// >>>     if (out == in + from) {
// >>>         cond = 1.0f;
// >>>     } else {
// >>>         cond = *(global float *)(in + from + 4ul * id);
// >>>     }
// >>>     ((global float *)out)[id] = cond;
// >>> }
// >>> 
// >>> void same_each(global char *restrict out, global char *restrict in, ulong from, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         same_one(out, in, from, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void same_wide4(global char *restrict out, global char *restrict in, ulong from, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         same_each(out, in, from, first, end, end);
// >>>         return;
// >>>     }
// >>>     float4 cond;
// >>>     if (out == in + from) {
// >>>         cond = (float4)(1.0f);
// >>>     } else {
// >>>         cond = *(global const same_float4 *)((global float *)(in + from + 4ul * first));
// >>>     }
// >>>     *(global same_float4 *)((global float *)out + first) = cond;
// >>> }
