// Private arrays: one that survives because its index is dynamic, one that becomes registers.
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
