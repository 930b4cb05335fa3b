// Sub-group and work-group collectives.
// OPTIONS: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void collective(__global int *o)
{
    int i = get_global_id(0);
    o[i] = work_group_reduce_add(i) + work_group_broadcast(i, 0);
}
__kernel void subgroup(__global int *o)
{
    int i = get_global_id(0);
    o[i] = sub_group_any(i > 3) + get_sub_group_local_id();
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
}
// >>> exit status 127
