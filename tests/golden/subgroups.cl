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
// >>> kernel collective
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   work-item: global_id(0)
// >>>   effects: call-work_group_broadcast call-work_group_reduce_add store.global.4
// >>>   proved:
// >>>   not S: work-group-function
// >>>   not O0: work-group-function
// >>>   not O1: work-group-function
// >>>   not O2: work-group-function
// >>>   not I: work-group-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>>   ids below: 2^31
// >>> kernel subgroup
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   work-item: global_id(0)
// >>>   effects: barrier call-get_sub_group_local_id call-sub_group_any store.global.4
// >>>   proved:
// >>>   not S: sub-group
// >>>   not O0: sub-group
// >>>   not O1: sub-group
// >>>   not O2: sub-group
// >>>   not I: sub-group
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>>   ids below: 2^31
