// OPTIONS: -cl-opt-disable
// Drivers keep all variables where they are not to optimise.
__kernel void registers(__global int *out)
{
    int a[200];
    a[0] = get_global_id(0);
    a[1] = a[0] * 2;
    out[a[0]] = a[1];
}
// >>> kernel registers
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   private: 808 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: S O0 O1 O2 I A U
