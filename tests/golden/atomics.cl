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
// >>> kernel histogram
// >>>   arg bins: uint*, buffer, global, 8 bytes, read, written
// >>>   arg in: uchar*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: atomic-inc.global.4.unused load.global.1
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: atomic
// >>> kernel append
// >>>   arg list: int*, buffer, global, 8 bytes, written
// >>>   arg n: int*, buffer, global, 8 bytes, read, written
// >>>   work-item: global_id(0)
// >>>   effects: atomic-add.global.4 store.global.4
// >>>   proved: O0 O1 O2 U
// >>>   not S: ordered-atomic
// >>>   not I: atomic
// >>>   not A: ordered-atomic
// >>> kernel extremes
// >>>   arg lo: int*, buffer, global, 8 bytes, read, written
// >>>   arg hi: int*, buffer, global, 8 bytes, read, written
// >>>   arg v: int*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: atomic-max.global.4.unused atomic-min.global.4.unused load.global.4*2
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: atomic
// >>> kernel swap
// >>>   arg p: float*, buffer, global, 8 bytes, read, written
// >>>   arg q: int*, buffer, global, 8 bytes, read, written
// >>>   arg l: long*, buffer, global, 8 bytes, read, written
// >>>   effects: atomic-add.global.8.unused atomic-cmpxchg.global.4.unused atomic-xchg.global.4.unused
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: atomic
