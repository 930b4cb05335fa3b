// Private arrays: one that survives because its index is dynamic, one that becomes registers, and two that do in a driver
// only if it inlines, or optimises, what it was asked not to.
__kernel void histogram(__global uint *out, __global const uchar *in, int n)
{
    uint bins[16];
    int t = get_global_id(0);
    for (int i = 0; i < 16; i++)
        bins[i] = 0;
    for (int i = 0; i < n; i++)
        bins[in[t * n + i] & 15]++;
    for (int i = 0; i < 16; i++)
        out[t * 16 + i] = bins[i];
}
__kernel void registers(__global int *out)
{
    int a[2];
    a[0] = get_global_id(0);
    a[1] = a[0] * 2;
    out[a[0]] = a[1];
}
__attribute__((noinline)) void fill(int *a, int x)
{
    a[0] = x;
    a[1] = x * 2;
}
__kernel void called(__global int *out)
{
    int a[300];
    fill(a, get_global_id(0));
    out[a[0]] = a[1];
}
__attribute__((noinline, optnone)) __kernel void as_written(__global int *out)
{
    int a[400];
    a[0] = get_global_id(0);
    a[1] = a[0] * 2;
    out[a[0]] = a[1];
}
// >>> kernel histogram
// >>>   arg out: uint*, buffer, global, 8 bytes, written
// >>>   arg in: uchar*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   private: 64 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1 load.private.4*2 store.global.4 store.private.4*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel registers
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel called
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   private: 1200 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel as_written
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   private: 1608 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
