// OPTIONS: -cl-opt-disable
// Drivers keep all variables where they are not to optimise.
__kernel void registers(__global int *out)
{
    int a[200];
    a[0] = get_global_id(0);
    a[1] = a[0] * 2;
    out[a[0]] = a[1];
}
// What a variable holds that was given no value is then what the previous work-item left there: nobody turns these
// into 7.
__kernel void unset(__global int *out)
{
    int v;
    if ((get_global_id(0) & 3) == 0)
        v = 7;
    out[get_global_id(0)] = v;
}
__kernel void unset_component(__global int *out)
{
    int2 v;
    v.x = 3;
    if ((get_global_id(0) & 3) == 0)
        v.y = 4;
    out[get_global_id(0)] = v.x + v.y;
}
struct pair {
    int a, b;
};
struct pair make(int i)
{
    struct pair p;
    p.a = i;
    if (i & 3)
        p.b = 7;
    return p;
}
__kernel void unset_member(__global int *out)
{
    out[get_global_id(0)] = make(get_global_id(0)).b;
}
// Given a value in time, in one way or another.
union bits {
    float4 f;
    uint u[4];
};
__kernel void set(__global float4 *out, __global const int *in)
{
    size_t i = get_global_id(0);
    int last;
    float e;
    union bits bits;
    struct pair p = make(3), q;
    q = p;
    for (int k = 0; k < 4; k++) {
        int twice;
        if (in[k] > 3)
            twice = in[k] * 2;
        else
            twice = k;
        last = twice + q.a;
        bits.u[k] = last;
    }
    float3 v = (float3)(1, 2, fract(bits.f.x, &e));
    v.y = e;
    out[i] = (float4)(v, bits.f.w);
}
// Given a value wherever it is used, and nearly so.
bool root(float x, float *r)
{
    if (x < 0)
        return false;
    *r = sqrt(x);
    return true;
}
__kernel void told(__global float *out, __global const float *in, int n)
{
    int i = get_global_id(0);
    float least = 1;
    for (int k = 0; k < n; k++) {
        float d;
        if (root(in[i + k], &d))
            least = fmin(least, d);
    }
    out[i] = least;
}
__kernel void told_wrong(__global float *out, __global const float *in, int n)
{
    int i = get_global_id(0);
    float least = 1;
    for (int k = 0; k < n; k++) {
        float d;
        if (root(in[i + k], &d) || k == 3)
            least = fmin(least, d);
    }
    out[i] = least;
}
__kernel void vector_found(__global float4 *out, __global const float4 *in, int n)
{
    float4 at;
    int any = 0;
    for (int k = 0; k < n; k++)
        if (in[k].x > 0)
            at = in[k], any = 1;
    if (any)
        out[get_global_id(0)] = at;
}
__kernel void vector_not_found(__global float4 *out, __global const float4 *in, int n)
{
    float4 at;
    for (int k = 0; k < n; k++)
        if (in[k].x > 0)
            at = in[k];
    out[get_global_id(0)] = at;
}
// >>> kernel registers
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   private: 808 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel unset
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   private: 12 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel unset_component
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   private: 16 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel unset_member
// >>>   arg out: int*, buffer, global, 8 bytes, written
// >>>   private: 20 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: O0 O1 O2 I A
// >>>   not S: undefined-value
// >>>   not U: position-dependent-work
// >>> kernel set
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: int*, buffer, global, 8 bytes, read
// >>>   private: 124 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 load.private.16 store.global.16 volatile-store.private.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel told
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   private: 49 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fadd*2 sqrt
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel told_wrong
// >>>   arg out: float*, buffer, global, 8 bytes, written
// >>>   arg in: float*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   private: 49 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fadd*2 sqrt
// >>>   proved: O0 O1 O2 I A
// >>>   not S: undefined-value
// >>>   not U: data-dependent-work
// >>>   ids below: 2^31
// >>> kernel vector_found
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   private: 44 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>>   work-items part around or behind a loop
// >>> kernel vector_not_found
// >>>   arg out: float4*, buffer, global, 8 bytes, written
// >>>   arg in: float4*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   private: 40 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
