// Macros of the build options, called like what a rewritten kernel has names for.
// FORM: --emit=wide=4
// OPTIONS: -Dend=77 -Dvload4(n,p)=0 -D id -DSCALE=2
kernel void scaled(global float *x)
{
    x[get_global_id(0)] *= SCALE;
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
// >>> void scaled_one(global float *x, ulong id, ulong end)
// >>> {
// >>>     x[id] = x[id] * 2.0f;
// >>> }
// >>> 
// >>> void scaled_each(global float *x, ulong first, ulong last, ulong end)
// >>> {
// >>>     for (ulong id = first; id < last; id++)
// >>>         scaled_one(x, id, end);
// >>> }
// >>> 
// >>> kernel void scaled_wide4(global float *x, ulong end)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     if (first + 4 > end) {
// >>>         scaled_each(x, first, end, end);
// >>>         return;
// >>>     }
// >>>     vstore4(vload4(0, x + first) * 2.0f, 0, x + first);
// >>> }
