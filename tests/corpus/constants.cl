// Stores of one constant by everybody, in no order.  What a compiler folds into one store may have been several.

__kernel void flag(__global int *found, __global const float *v, float x)
{
    if (v[get_global_id(0)] > x)
        *found = 1;
}
// >>> flag 1024 : proved

__kernel void two_flags(__global int *found, __global const float *v, float x)
{
    if (v[get_global_id(0)] > x)
        found[0] = 1;
    if (v[get_global_id(0)] > 2 * x)
        found[1] = 1;
}
// >>> two_flags 1024 : proved

void set(__global int *p, int x)
{
    *p = x;
}
__kernel void set_elsewhere(__global int *found)
{
    set(found, 1);
}
// >>> set_elsewhere 1024 : proved

// Another work-item may read 2 where this one has just stored 1.
__kernel void counted(__global int *found)
{
    *found = 1;
    *found = *found + 1;
}
// >>> counted 1024 : overlapping-writes

__kernel void counted_elsewhere(__global int *found)
{
    set(found, 1);
    set(found, *found + 1);
}
// >>> counted_elsewhere 1024 : overlapping-writes

__kernel void counted_own(__global int *found)
{
    int i = get_global_id(0);
    found[i] = 1;
    found[i] = found[i] + 1;
}
// >>> counted_own 1024 : proved

__kernel void one_of_two(__global int *found, __global const float *v, float x)
{
    *found = v[get_global_id(0)] > x ? 1 : 2;
}
// >>> one_of_two 1024 : overlapping-writes

__kernel void read_back(__global int *found, __global int *twice)
{
    *found = 1;
    twice[get_global_id(0)] = *found;
}
// >>> read_back 1024 : proved
