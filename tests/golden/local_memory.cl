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
__kernel void nobody_waits(__global float *o, int n)
{
    int x = get_global_id(0);
    if (x < n)
        o[x] *= 2;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (x < n)
        o[x] += 1;
}
__kernel void not_all_come(__global float *o, int n)
{
    int x = get_global_id(0);
    if (x < n)
        return;
    barrier(CLK_GLOBAL_MEM_FENCE);
    o[x] += 1;
}
__kernel void not_once(__global float *o, int n)
{
    int x = get_global_id(0);
    for (int i = 0; i < n; i++) {
        o[x] += 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
/* Addresses in constants, wherever they stand there. */
__kernel void address(__global int *o)
{
    __local int tmp[4];
    o[get_global_id(0)] = (int)(5 - (size_t)tmp);
}
// >>> kernel transpose
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg in: float*, buffer, global, 8 bytes, read
// >>>   arg w: int, scalar, private, 4 bytes
// >>>   arg h: int, scalar, private, 4 bytes
// >>>   required: 16 16 1
// >>>   local: 1088 bytes
// >>>   work-item: global_id(0) global_id(1) group_id(0) group_id(1) local_id(0) local_id(1)
// >>>   effects: barrier load.global.4 load.local.4 store.global.4 store.local.4
// >>>   proved: O2 I A U
// >>>   not S: barrier
// >>>   not O0: group-id-observed
// >>>   not O1: group-id-observed
// >>>   ids below: 2^31
// >>> kernel fenced
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   hint: 64 1 1
// >>>   work-item: global_id(0)
// >>>   effects: fence store.global.4*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel copies
// >>>   arg o: float*, buffer, global, 8 bytes, read, written
// >>>   arg in: float*, buffer, global, 8 bytes, read, written
// >>>   arg tmp: float*, local, local, 0 bytes
// >>>   private: 8 bytes
// >>>   work-item: global_id(0) local_id(0)
// >>>   effects: call-async_work_group_copy call-wait_group_events load.local.4 store.global.4 store.private.8
// >>>   proved:
// >>>   not S: local-memory
// >>>   not O0: work-group-function
// >>>   not O1: work-group-function
// >>>   not O2: work-group-function
// >>>   not I: work-group-function
// >>>   not A: unknown-function
// >>>   not U: unknown-function
// >>> kernel nobody_waits
// >>>   arg o: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: barrier load.global.4*2 store.global.4*2
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel not_all_come
// >>>   arg o: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: barrier load.global.4 store.global.4
// >>>   cost: fadd
// >>>   proved: O0 O1 O2 A U
// >>>   not S: barrier
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel not_once
// >>>   arg o: float*, buffer, global, 8 bytes, read, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: barrier load.global.4 store.global.4
// >>>   cost: fadd
// >>>   proved: O0 O1 O2 A U
// >>>   not S: barrier
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel address
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   local: 16 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: local-memory
