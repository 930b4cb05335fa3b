// Work-item functions: three dimensions, offsets, group arithmetic that is the global id, unknown dimensions.
__kernel void cube(__global float *o)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    o[(z * get_global_size(1) + y) * get_global_size(0) + x] = 1;
}
__kernel void offset(__global int *o)
{
    o[get_global_id(0) - get_global_offset(0)] = 1;
}
__kernel void groups(__global int *o)
{
    o[get_group_id(0) * get_local_size(0) + get_local_id(0)] = 2;
}
__kernel void group_sums(__global int *o)
{
    if (get_local_id(0) == 0)
        o[get_group_id(0)] = get_local_size(0);
}
__kernel void any_dim(__global int *o, uint d)
{
    o[get_global_id(d)] = get_work_dim() + get_global_id(3) + get_global_size(7);
}
__kernel void grid_stride(__global float *o, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        o[i] *= 2;
}
__kernel void mul24_ids(__global int *o)
{
    o[mul24((int)get_local_id(0), 3)] = mad24((int)get_global_id(0), 5, 1);
}
/* One function, but of two dimensions. */
__kernel void two_dims(__global int *o, uint d, uint e)
{
    o[get_global_id(0)] = (int)get_local_size(d) - (int)get_local_size(e);
}
// >>> kernel cube
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0) global_id(1) global_id(2) global_size(0) global_size(1)
// >>>   effects: store.global.4
// >>>   proved: S O2 I A U
// >>>   not O0: global-size-observed
// >>>   not O1: global-size-observed
// >>> kernel offset
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0) global_offset(0)
// >>>   effects: store.global.4
// >>>   proved: S O1 O2 I A U
// >>>   not O0: global-offset-observed
// >>> kernel groups
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: store.global.4
// >>>   proved: S O1 O2 I A U
// >>>   not O0: group-id-observed
// >>> kernel group_sums
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: store.global.4
// >>>   proved: O1 O2 I A
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not U: position-dependent-work
// >>> kernel any_dim
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   arg d: uint, scalar, private, 4 bytes
// >>>   work-item: work_dim(0)
// >>>   effects: call-get_global_id() of an unknown dimension store.global.4
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>> kernel grid_stride
// >>>   arg o: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0) global_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A
// >>>   not O0: global-size-observed
// >>>   not I: reads-what-it-writes
// >>>   not U: position-dependent-work
// >>> kernel mul24_ids
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0) local_id(0)
// >>>   effects: store.global.4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: local-id-observed
// >>> kernel two_dims
// >>>   arg o: int*, buffer, global, 8 bytes, read, written
// >>>   arg d: uint, scalar, private, 4 bytes
// >>>   arg e: uint, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: call-get_local_size() of an unknown dimension*2 store.global.4
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
