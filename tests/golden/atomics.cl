// Atomics: order-free, ordered, on local memory, the old atom_ names, float exchange.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__kernel void histogram(__global uint *bins, __global const uchar *in)
{
    atomic_inc(&bins[in[get_global_id(0)]]);
}
__kernel void append(__global int *list, __global int *n)
{
    list[atomic_add(n, 1)] = get_global_id(0);
}
__kernel void extremes(__global int *lo, __global int *hi, __global const int *v)
{
    atomic_min(lo, v[get_global_id(0)]);
    atom_max(hi, v[get_global_id(0)]);
}
__kernel void swap(__global float *p, __global int *q, __global long *l)
{
    atomic_xchg(p, 1.0f);
    atomic_cmpxchg(q, 0, 1);
    atom_add(l, 3L);
}
// >>> exit status 127
