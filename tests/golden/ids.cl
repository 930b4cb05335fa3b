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
// >>> exit status 127
