// The global id made of ids in narrower variables: the same in ranges that fit them.
__kernel void group_int(__global float *x, int n)
{
    int bx = get_group_id(0);
    if (bx * get_local_size(0) + get_local_id(0) < n / 4)
        x[bx * get_local_size(0) + get_local_id(0)] *= 2;
}
__kernel void group_uint(__global float *x, uint n)
{
    uint bx = get_group_id(0);
    size_t i = bx * get_local_size(0) + get_local_id(0);
    if (i < n)
        x[i] *= 2;
}
__kernel void local_int(__global float *x, uint n)
{
    int tx = get_local_id(0);
    size_t i = get_group_id(0) * get_local_size(0) + tx;
    if (i < n)
        x[i] *= 2;
}
__kernel void long_sum(__global float *x, long n)
{
    int bx = get_group_id(0), tx = get_local_id(0), bs = get_local_size(0);
    long i = (long)bx * bs + tx;
    if (i < n)
        x[i] *= 2;
}
__kernel void int_product(__global float *x)
{
    int first = get_group_id(0) * get_local_size(0);
    x[first + get_local_id(0)] *= 2;
}
__kernel void plane(__global float *x, int pitch, int h)
{
    int bx = get_group_id(0), by = get_group_id(1);
    size_t c = bx * get_local_size(0) + get_local_id(0), r = by * get_local_size(1) + get_local_id(1);
    if (c < pitch && r < h)
        x[r * pitch + c] *= 2;
}
__kernel void stride(__global float *x, long n)
{
    int bs = get_local_size(0), ng = get_num_groups(0), bx = get_group_id(0), tx = get_local_id(0);
    for (long i = (long)bx * bs + tx; i < n; i += (long)bs * ng)
        x[i] *= 2;
}
__kernel void mad24_int(__global float *x, int n)
{
    int i = mad24((int)get_group_id(0), (int)get_local_size(0), (int)get_local_id(0));
    if (i < n)
        x[i] *= 2;
}
__kernel void mad24_uint(__global float *x, uint n)
{
    uint i = mad24((uint)get_group_id(0), (uint)get_local_size(0), (uint)get_local_id(0));
    if (i < n)
        x[i] *= 2;
}
// What ids that fit do not help, or cannot be told to.
__kernel void not_needed(__global float *x, int n)
{
    int bx = get_group_id(0), tx = get_local_id(0), bs = get_local_size(0);
    int i = bx * bs + tx;
    if (i < n)
        x[i] *= 2;
}
__kernel void group_short(__global float *x)
{
    short bx = get_group_id(0);
    x[bx * get_local_size(0) + get_local_id(0)] *= 2;
}
__kernel void group_uchar(__global float *x)
{
    uchar bx = get_group_id(0);
    x[bx * get_local_size(0) + get_local_id(0)] *= 2;
}
__kernel void local_short(__global float *x)
{
    short tx = get_local_id(0);
    x[get_group_id(0) * get_local_size(0) + tx] *= 2;
}
__kernel void short_product(__global float *x)
{
    ushort first = get_group_id(0) * get_local_size(0);
    x[first + get_local_id(0)] *= 2;
}
__kernel void large_product(__global float *x)
{
    int first = get_group_id(0) * get_local_size(0) * 16;
    x[first + get_local_id(0) * 16] *= 2;
}
__kernel void constant_size(__global float *x)
{
    int bx = get_group_id(0);
    x[bx * 64 + get_local_id(0)] *= 2;
}
__kernel void other_dimension(__global float *x)
{
    int bx = get_group_id(1);
    x[bx * get_local_size(0) + get_local_id(0)] *= 2;
}
__kernel void below_zero(__global float *x)
{
    uint before = get_group_id(0) * get_local_size(0) - 1;
    x[before + get_local_id(0)] *= 2;
}
__kernel void argument_in_it(__global float *x, int n)
{
    int bx = get_group_id(0) + n;
    x[bx * get_local_size(0) + get_local_id(0)] *= 2;
}
__kernel void mul24_twice(__global float *x)
{
    int i = mul24((int)get_group_id(0) * 2, (int)get_local_size(0)) + 2 * (int)get_local_id(0);
    x[i] *= 2;
}
__kernel void synchronised(__global float *x)
{
    int bx = get_group_id(0);
    if (bx * get_local_size(0) + get_local_id(0) < 4)
        barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] *= 2;
}
// >>> kernel group_int
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A U
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel group_uint
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: uint, scalar, private, 4 bytes
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A U
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel local_int
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: uint, scalar, private, 4 bytes
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A U
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel long_sum
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: long, scalar, private, 8 bytes
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A U
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel int_product
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A U
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel plane
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg pitch: int, scalar, private, 4 bytes
// >>>   arg h: int, scalar, private, 4 bytes
// >>>   work-item: group_id(0) group_id(1) local_id(0) local_id(1) local_size(0) local_size(1)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O2 A U
// >>>   not O0: group-id-observed
// >>>   not O1: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel stride
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: long, scalar, private, 8 bytes
// >>>   work-item: group_id(0) local_id(0) local_size(0) num_groups(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A
// >>>   not O0: num-groups-observed
// >>>   not I: reads-what-it-writes
// >>>   not U: position-dependent-work
// >>>   ids below: 2^31
// >>> kernel mad24_int
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A U
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^23
// >>> kernel mad24_uint
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: uint, scalar, private, 4 bytes
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A U
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^24
// >>> kernel not_needed
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O1 O2 A U
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel group_short
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A U
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>> kernel group_uchar
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A U
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>> kernel local_short
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A U
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>> kernel short_product
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A U
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>> kernel large_product
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A U
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>> kernel constant_size
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(0) local_id(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A U
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>> kernel other_dimension
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(1) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O0 O2 A U
// >>>   not S: local-id-observed
// >>>   not O1: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel below_zero
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A U
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>> kernel argument_in_it
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A U
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>> kernel mul24_twice
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: group_id(0) local_id(0) local_size(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A U
// >>>   not S: local-id-observed
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>> kernel synchronised
// >>>   arg x: float*, buffer, global, 8 bytes, read, written
// >>>   work-item: global_id(0) group_id(0) local_id(0) local_size(0)
// >>>   effects: barrier load.global.4 store.global.4
// >>>   cost: fmul
// >>>   proved: O1 O2 A
// >>>   not S: barrier
// >>>   not O0: group-id-observed
// >>>   not I: reads-what-it-writes
// >>>   not U: position-dependent-work
// >>>   ids below: 2^31
