// Block copies that stay memcpy and memset: large structs and initialised arrays.
struct big { int v[300]; };
__kernel void copy(__global struct big *o, __global const struct big *in)
{
    o[get_global_id(0)] = in[get_global_id(0)];
}
__kernel void table(__global int *o, int i)
{
    int t[40] = {1, 2, 3};
    t[i] = 7;
    o[get_global_id(0)] = t[get_global_id(0) & 31];
}
struct huge { int v[20000]; };
__kernel void too_large(__global struct huge *o, __global const struct huge *in)
{
    o[get_global_id(0)] = in[get_global_id(0)];
}
// >>> kernel copy
// >>>   arg o: struct big*, buffer, global, 8 bytes, written
// >>>   arg in: struct big*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1200 store.global.1200
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel table
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   arg i: int, scalar, private, 4 bytes
// >>>   private: 160 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.private.4 store.global.4 store.private.160 store.private.4*4
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel too_large
// >>>   arg o: struct huge*, buffer, global, 8 bytes, read, written
// >>>   arg in: struct huge*, buffer, global, 8 bytes, read, written
// >>>   effects: call-copy too large
// >>>   proved:
// >>>   not S: unknown-function
// >>>   not O0: unknown-function
// >>>   not O1: unknown-function
// >>>   not O2: unknown-function
// >>>   not I: unknown-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
