// Local memory, barriers and fences, required and hinted sizes, work-group copies.
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void transpose(__global float *o, __global const float *in,
                                                                         int w, int h)
{
    __local float tile[16][17];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[(get_group_id(0) * 16 + ly) * h + get_group_id(1) * 16 + lx] = tile[lx][ly];
}
__kernel __attribute__((work_group_size_hint(64, 1, 1))) void fenced(__global int *o)
{
    o[get_global_id(0)] = 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    o[get_global_id(0) + 1] = 2;
}
__kernel void copies(__global float *o, __global const float *in, __local float *tmp)
{
    event_t e = async_work_group_copy(tmp, in, 64, 0);
    wait_group_events(1, &e);
    prefetch(in, 4);
    o[get_global_id(0)] = tmp[get_local_id(0)];
}
// >>> exit status 127
