// Control flow: switch, nested loops, early exits, a spin.
__kernel void dispatch(__global float *o, int op)
{
    int i = get_global_id(0);
    float v = i;
    switch (op) {
    case 0: v = v + 1; break;
    case 1: v = v * 2; break;
    case 7: v = sqrt(v); break;
    default: return;
    }
    o[i] = v;
}
__kernel void matmul(__global float *c, __global const float *a, __global const float *b, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
}
__kernel void search(__global int *found, __global const int *table, __global const int *key, int n)
{
    int i = get_global_id(0), at = -1;
    for (int k = 0; k < n; k++)
        if (table[k] == key[i]) {
            at = k;
            break;
        }
    found[i] = at;
}
__kernel void triangle(__global float *o, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b += 2)
            s += a * b;
    o[i] = s;
}
__kernel void spin(volatile __global int *flag, __global int *o)
{
    while (flag[0] == 0)
        ;
    o[get_global_id(0)] = 1;
}
// >>> kernel dispatch
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg op: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4 switch
// >>>   cost: fadd fmul sqrt
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel matmul
// >>>   arg c: float*, buffer, global, 8 bytes, written
// >>>   arg a: float*, buffer, global, 8 bytes, read
// >>>   arg b: float*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0) global_id(1)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fma
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel search
// >>>   arg found: int*, buffer, global, 8 bytes, written
// >>>   arg table: int*, buffer, global, 8 bytes, read
// >>>   arg key: int*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel triangle
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel spin
// >>>   arg flag: int*, buffer, global, 8 bytes, read
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4 volatile-load.global.4
// >>>   proved: O0 O1 O2 I A
// >>>   not S: spin-loop
// >>>   not U: data-dependent-work
