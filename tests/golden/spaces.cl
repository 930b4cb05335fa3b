// Address spaces: constant tables, constant arguments, local arguments, volatile.
__constant float taps[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
__kernel void conv(__global float *o, __global const float *in, __constant float *scale)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < 5; k++)
        s += taps[k] * in[i + k];
    o[i] = s * scale[0];
}
__kernel void reverse(__global int *o, __global const int *in, __local int *tmp)
{
    int l = get_local_id(0), n = get_local_size(0);
    tmp[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = tmp[n - 1 - l];
}
__kernel void watch(volatile __global int *p)
{
    p[get_global_id(0)] = 1;
}
// >>> kernel conv
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg in: float*, buffer, global, 8 bytes, read
// >>>   arg scale: float*, buffer, constant, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.constant.4*2 load.global.4 store.global.4
// >>>   cost: fma fmul
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel reverse
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   arg in: int*, buffer, global, 8 bytes, read
// >>>   arg tmp: int*, local, local, 0 bytes
// >>>   work-item: global_id(0) local_id(0) local_size(0)
// >>>   effects: barrier load.global.4 load.local.4 store.global.4 store.local.4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: barrier
// >>>   ids below: 2^31
// >>> kernel watch
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: volatile-store.global.4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: volatile
