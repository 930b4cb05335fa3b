// Macros of the build options, and arguments, called like what a rewritten kernel has names for.
// FORM: --emit=wide=4
// OPTIONS: -Dend=77 -Dvload4(n,p)=0 -D id -DSCALE=2
kernel void scaled(global float *x)
{
    x[get_global_id(0)] *= SCALE;
}
kernel void called_like_functions(global float *x, int min, int convert_int4)
{
    const int i = get_global_id(0);
    if (i < min)
        x[i] += convert_int4;
}
// >>> /* scaled, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> #undef end
// >>> #undef vload4
// >>> #undef id
// >>> #undef SCALE
// >>> typedef float4 scaled_float4 __attribute__((aligned(4)));
// >>> 
// >>> void scaled_one(global float *restrict x, ulong id, ulong end)
// >>> {
// >>>     x[id] = x[id] * 2.0f;
// >>> }
// >>> 
// >>> void scaled_each(global float *restrict x, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         scaled_one(x, id, end);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void scaled_wide4(global float *restrict x, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         scaled_each(x, first, end, end);
// >>>         return;
// >>>     }
// >>>     *(global scaled_float4 *)(x + first) = *(global const scaled_float4 *)(x + first) * 2.0f;
// >>> }
// >>> 
// >>> /* called_like_functions, with the work of 4 neighbours along dimension 0 in each work-item.
// >>>  *
// >>>  * To be launched with the offset of dimension 0 divided by 4, and its size divided by 4 and
// >>>  * rounded up; `end` is the undivided offset plus the undivided size.  Right only where no
// >>>  * work-item touches what another one writes. */
// >>> #undef end
// >>> #undef vload4
// >>> #undef id
// >>> #undef SCALE
// >>> typedef float4 called_like_functions_float4 __attribute__((aligned(4)));
// >>> 
// >>> void called_like_functions_one(global float *restrict x, int min_1, int t, ulong id, ulong end)
// >>> {
// >>>     int i = (int)id;
// >>>     if (i < min_1) {
// >>>         x[i] = x[i] + (float)t;
// >>>     }
// >>> }
// >>> 
// >>> void called_like_functions_each(global float *restrict x, int min_1, int t, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         called_like_functions_one(x, min_1, t, id, end);
// >>> }
// >>> 
// >>> /* False: they do not agree. */
// >>> bool called_like_functions_all(global float *restrict x, int min_1, int t, ulong first, ulong end)
// >>> {
// >>>     int i = (int)first;
// >>>     int4 mask = (int4)(i) + (int4)(0, 1, 2, 3) < min_1;
// >>>     if ((i < min_1 && i + 3 >= min_1))
// >>>         return false;
// >>>     if (mask.s0) {
// >>>         *(global called_like_functions_float4 *)(x + i) = *(global const called_like_functions_float4 *)(x + i) + (float)t;
// >>>     }
// >>>     return true;
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void called_like_functions_wide4(global float *restrict x, int min_1, int t, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end || !called_like_functions_all(x, min_1, t, first, end))
// >>>         called_like_functions_each(x, min_1, t, first, min(first + 4, end), end);
// >>> }
