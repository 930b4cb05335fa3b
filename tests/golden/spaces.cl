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
// >>> exit status 127
