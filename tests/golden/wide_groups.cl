// Barriers and local memory: the neighbours are of one group, which stays as it is.
// FORM: --emit=wide=4
// OPTIONS: -cl-std=CL3.0

#define T 16
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float s[T][T], t[T][T];
    const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        s[ly][lx] = a[y * n + k + lx];
        t[ly][lx] = b[(k + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < T; i++)
            sum += s[ly][i] * t[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

// An argument, sizes and numbers of groups, a store by one of them.
__kernel void tree(__global const float *in, __global float *out, __local float *s)
{
    const uint l = get_local_id(0);
    s[l] = in[get_global_id(0)] + in[get_global_id(0) + get_global_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_size(0) / 2; k > 0; k >>= 1) {
        if (l < k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0) * get_num_groups(1) + get_group_id(1)] = s[0];
}

// One place that one of them writes, with what it has.
__kernel void one_place(__global const int *in, __global int *out)
{
    __local int first[1];
    const int l = get_local_id(0);
    if (l == 2)
        first[0] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = first[0];
}

// Near misses.
__kernel void some_leave(__global const int *in, __global int *out, __local int *s, int n)
{
    if (get_global_id(0) >= n)
        return;
    s[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[0];
}

__kernel void counted(__global const int *in, __global int *out, __local int *s)
{
    s[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&s[in[get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[get_local_id(0)];
}

__kernel void watched(__global const int *in, __global int *out, volatile __local int *s)
{
    const int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    if (l < 16)
        s[l] += s[l + 16];
    out[get_global_id(0)] = s[0];
}

__kernel void structures(__global const int *in, __global float *out)
{
    __local struct { int i; float f; } s[64];
    const int l = get_local_id(0);
    s[l].i = in[get_global_id(0)];
    s[l].f = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[63 - l].i + s[l].f;
}

__kernel void linear(__global int *out, __local int *s)
{
    s[get_local_linear_id()] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[0];
}

__kernel void fenced(__global int *out, __local int *s)
{
    s[get_local_id(0)] = 1;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[0];
}

__kernel void begins_rounds(__global int *out, __local int *s, int rounds)
{
    const int l = get_local_id(0);
    int i = 0;
    s[l] = l;
    for (;;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i >= rounds)
            break;
        const int next = s[(l + i) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] = next + 1;
        i++;
    }
    out[get_global_id(0)] = s[l];
}

// >>> clsizer-analyze: some_leave: barrier: to which not all neighbours come
// >>> clsizer-analyze: counted: barrier: barrier
// >>> clsizer-analyze: watched: local-memory: argument s
// >>> clsizer-analyze: structures: local-memory: structures.s
// >>> clsizer-analyze: linear: work-item-function: get_local_linear_id
// >>> clsizer-analyze: fenced: function: mem_fence
// >>> /* product, with the work of 4 neighbours along dimension 0 of a group in each work-item.
// >>>  *
// >>>  * To be launched with the offset, size and local size of dimension 0 divided by 4, so that groups
// >>>  * stay as they are.  Right only where between two barriers no work-item touches what another one
// >>>  * of its group writes. */
// >>> typedef float4 product_float4 __attribute__((aligned(4)));
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void product_wide4(global float *a, global float *b, global float *c, int n)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     const ulong local_first = get_local_id(0) * 4;
// >>>     local float s[256];
// >>>     local float t[256];
// >>>     int lx = (int)local_first;
// >>>     int ly = (int)get_local_id(1);
// >>>     int x = (int)first;
// >>>     int y = (int)get_global_id(1);
// >>>     float4 sum = (float4)(0.0f);
// >>>     for (int k = 0; k < n; k += 16) {
// >>>         *(local product_float4 *)(s + 16l * ly + lx) = *(global const product_float4 *)(a + (y * n + k + lx));
// >>>         *(local product_float4 *)(t + 16l * ly + lx) = *(global const product_float4 *)(b + ((k + ly) * n + x));
// >>>         barrier(CLK_LOCAL_MEM_FENCE);
// >>>         float4 sum_1 = sum;
// >>>         for (int i = 0; i < 16; i++) {
// >>>             sum_1 = (s + 16l * ly)[i] * *(local const product_float4 *)(t + 16l * i + lx) + sum_1;
// >>>         }
// >>>         barrier(CLK_LOCAL_MEM_FENCE);
// >>>         sum = sum_1;
// >>>     }
// >>>     *(global product_float4 *)(c + (y * n + x)) = sum;
// >>> }
// >>> 
// >>> /* tree, with the work of 4 neighbours along dimension 0 of a group in each work-item.
// >>>  *
// >>>  * To be launched with the offset, size and local size of dimension 0 divided by 4, so that groups
// >>>  * stay as they are.  Right only where between two barriers no work-item touches what another one
// >>>  * of its group writes. */
// >>> /* m, in a variable that hides from compilers that it is a comparison: some lose such a mask at
// >>>  * a barrier. */
// >>> int4 tree_mask4(int4 m)
// >>> {
// >>>     volatile int4 hidden = m;
// >>> 
// >>>     return hidden;
// >>> }
// >>> 
// >>> typedef float4 tree_float4 __attribute__((aligned(4)));
// >>> 
// >>> /* What lies at p, for the neighbours of mask m. */
// >>> float4 tree_load_local_float4(local const float *p, int4 m)
// >>> {
// >>>     return all(m) ? *(local const tree_float4 *)p
// >>>                   : (float4)(m.s0 ? p[0] : 0, m.s1 ? p[1] : 0, m.s2 ? p[2] : 0, m.s3 ? p[3] : 0);
// >>> }
// >>> 
// >>> /* Store v at p, of the neighbours of mask m. */
// >>> void tree_store_local_float4(float4 v, local float *p, int4 m)
// >>> {
// >>>     if (all(m)) {
// >>>         *(local tree_float4 *)p = v;
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
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void tree_wide4(global float *in, global float *out, local float *s)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     const ulong local_first = get_local_id(0) * 4;
// >>>     uint l = (uint)local_first;
// >>>     *(local tree_float4 *)(s + l) = *(global const tree_float4 *)(in + first) + *(global const tree_float4 *)(in + (first + get_global_size(0) * 4));
// >>>     barrier(CLK_LOCAL_MEM_FENCE);
// >>>     uint k = (uint)(get_local_size(0) * 4 / 2ul);
// >>>     while (k > 0u) {
// >>>         int4 mask = tree_mask4((uint4)(l) + (uint4)(0, 1u, 2u, 3u) < k);
// >>>         if (any(mask)) {
// >>>             ulong4 idxprom13 = convert_ulong4((uint4)(l + k) + (uint4)(0, 1u, 2u, 3u));
// >>>             tree_store_local_float4(tree_load_local_float4(s + l, mask) + (float4)(mask.s0 ? s[idxprom13.s0] : 0, mask.s1 ? s[idxprom13.s1] : 0, mask.s2 ? s[idxprom13.s2] : 0, mask.s3 ? s[idxprom13.s3] : 0), s + l, mask);
// >>>         }
// >>>         barrier(CLK_LOCAL_MEM_FENCE);
// >>>         k = k >> 1u;
// >>>     }
// >>>     int4 mask_1 = tree_mask4((uint4)(l) + (uint4)(0, 1u, 2u, 3u) == 0u);
// >>>     if (any(mask_1)) {
// >>>         out[get_group_id(0) * get_num_groups(1) + get_group_id(1)] = *s;
// >>>     }
// >>> }
// >>> 
// >>> /* one_place, with the work of 4 neighbours along dimension 0 of a group in each work-item.
// >>>  *
// >>>  * To be launched with the offset, size and local size of dimension 0 divided by 4, so that groups
// >>>  * stay as they are.  Right only where between two barriers no work-item touches what another one
// >>>  * of its group writes. */
// >>> /* m, in a variable that hides from compilers that it is a comparison: some lose such a mask at
// >>>  * a barrier. */
// >>> int4 one_place_mask4(int4 m)
// >>> {
// >>>     volatile int4 hidden = m;
// >>> 
// >>>     return hidden;
// >>> }
// >>> 
// >>> typedef int4 one_place_int4 __attribute__((aligned(4)));
// >>> 
// >>> /* What lies at p, for the neighbours of mask m. */
// >>> int4 one_place_load_int4(global const int *p, int4 m)
// >>> {
// >>>     return all(m) ? *(global const one_place_int4 *)p
// >>>                   : (int4)(m.s0 ? p[0] : 0, m.s1 ? p[1] : 0, m.s2 ? p[2] : 0, m.s3 ? p[3] : 0);
// >>> }
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void one_place_wide4(global int *in, global int *out)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     const ulong local_first = get_local_id(0) * 4;
// >>>     local int first_1[1];
// >>>     int4 mask = one_place_mask4((uint4)((uint)local_first) + (uint4)(0, 1u, 2u, 3u) == 2u);
// >>>     if (any(mask)) {
// >>>         int4 t = one_place_load_int4(in + first, mask);
// >>>         if (mask.s0) *first_1 = t.s0;
// >>>         if (mask.s1) *first_1 = t.s1;
// >>>         if (mask.s2) *first_1 = t.s2;
// >>>         if (mask.s3) *first_1 = t.s3;
// >>>     }
// >>>     barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// >>>     *(global one_place_int4 *)(out + first) = (int4)(*first_1);
// >>> }
// >>> 
// >>> /* begins_rounds, with the work of 4 neighbours along dimension 0 of a group in each work-item.
// >>>  *
// >>>  * To be launched with the offset, size and local size of dimension 0 divided by 4, so that groups
// >>>  * stay as they are.  Right only where between two barriers no work-item touches what another one
// >>>  * of its group writes. */
// >>> typedef int4 begins_rounds_int4 __attribute__((aligned(4)));
// >>> 
// >>> __attribute__((vec_type_hint(float4)))
// >>> kernel void begins_rounds_wide4(global int *out, local int *s, int rounds)
// >>> {
// >>>     const ulong first = get_global_id(0) * 4;
// >>>     const ulong local_first = get_local_id(0) * 4;
// >>>     int l = (int)local_first;
// >>>     *(local begins_rounds_int4 *)(s + l) = (int4)(l) + (int4)(0, 1, 2, 3);
// >>>     int i = 0;
// >>>     for (;;) {
// >>>         barrier(CLK_LOCAL_MEM_FENCE);
// >>>         if (i >= rounds) {
// >>>             break;
// >>>         }
// >>>         long4 idxprom2 = convert_long4(((int4)(l + i) + (int4)(0, 1, 2, 3)) & 63);
// >>>         int4 next = (int4)(s[idxprom2.s0], s[idxprom2.s1], s[idxprom2.s2], s[idxprom2.s3]);
// >>>         barrier(CLK_LOCAL_MEM_FENCE);
// >>>         *(local begins_rounds_int4 *)(s + l) = next + 1;
// >>>         i = i + 1;
// >>>     }
// >>>     *(global begins_rounds_int4 *)(out + first) = *(local const begins_rounds_int4 *)(s + l);
// >>> }
