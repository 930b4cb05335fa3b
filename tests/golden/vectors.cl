// Vector types: whole loads and stores, vloadN, component updates, integer lanes that feed addresses.
__kernel void add4(__global float4 *c, __global const float4 *a, __global const float4 *b)
{
    int i = get_global_id(0);
    c[i] = a[i] + b[i];
}
__kernel void three(__global float *o, __global const float *p, __global const float3 *q)
{
    size_t i = get_global_id(0);
    vstore3(vload3(i, p) * q[i], i, o);
}
__kernel void lanes(__global uchar4 *o, __global const uchar4 *p, int2 size)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (any(at >= size))
        return;
    int2 next = min(at + (int2)(1, 1), size - 1);
    o[at.y * size.x + at.x] = p[next.y * size.x + next.x].wzyx;
}
__kernel void component(__global float4 *v, float s)
{
    v[get_global_id(0)].y = s;
}
/* The fourth component of what is written has no value, whatever the way to it. */
__kernel void triples(__global float3 *o, __global const float3 *p)
{
    o[get_global_id(0)] = normalize(p[get_global_id(0)]) + 1.0f;
}
__kernel void constant_triples(__global uchar3 *o)
{
    o[get_global_id(0)] = (uchar3)(1, 2, 3);
}
/* Longer vectors than OpenCL has are clang's own: what is put into one counts all the same. */
typedef int int32v __attribute__((ext_vector_type(32)));
__kernel void wide(__global int32v *o, __global const int32v *p)
{
    int32v v = p[get_global_id(0)];
    v.s0 = get_local_id(0);
    o[get_global_id(0)] = v;
}
__kernel void wide_plain(__global int32v *o, __global const int32v *p)
{
    int32v v = p[get_global_id(0)];
    v.s0 = get_global_id(0);
    o[get_global_id(0)] = v + 1;
}
__kernel void wide_gap(__global int32v *o)
{
    int32v v = 0;
    int3 w;
    w.xz = (int2)(get_global_id(0), 2);
    v.s0 = w.x;
    v.s1f = w.y;
    o[get_global_id(0)] = v;
}
/* Not one of OpenCL's lengths: there are no lanes beyond those there are. */
typedef int int6v __attribute__((ext_vector_type(6)));
__kernel void six(__global int6v *o, __global const int6v *p)
{
    int6v v = p[get_global_id(0)];
    o[get_global_id(0)] = __builtin_shufflevector(v, v, 5, 4, 3, 2, 1, 0);
}
/* What is made of all components at once shows one that has no value; what works on each alone does not. */
__kernel void short_of_one(__global float *o, __global const float *p)
{
    float4 v;
    v.xyz = vload3(get_global_id(0), p);
    o[get_global_id(0)] = length(v);
}
__kernel void converted(__global float *o, __global const float *p)
{
    float4 v;
    v.x = p[get_global_id(0)];
    o[get_global_id(0)] = exp(v).y;
}
__kernel void stored_converted(__global float4 *o, __global const float *p)
{
    float4 v;
    v.xyz = vload3(get_global_id(0), p);
    o[get_global_id(0)] = exp(v);
}
__kernel void each_alone(__global float *o, __global const float *p)
{
    float4 v;
    v.xyz = vload3(get_global_id(0), p);
    v = sin(exp(v) * 2.0f) + 1.0f;
    v = cos(v);
    vstore3(v.xyz, get_global_id(0), o);
}
__kernel void filled_at_last(__global float4 *o, __global const float *p)
{
    float4 v, w;
    v.xyz = vload3(get_global_id(0), p);
    w = exp(v) * 2.0f;
    w.w = 1.0f;
    o[get_global_id(0)] = normalize(w);
}
/* Components joined to an integer: the one that has no value is masked out, or not. */
__kernel void joined(__global uint *o, __global const uchar *p)
{
    size_t i = get_global_id(0);
    uchar4 v;
    v.x = p[i], v.y = p[i + 1], v.z = p[i + 2];
    uint all = as_uint(v);
    o[i] = all + (all >> 3);
}
__kernel void joined_halves(__global ulong *o, __global const uint *p)
{
    size_t i = get_global_id(0);
    uint4 v;
    v.xyz = vload3(i, p);
    vstore2(as_ulong2(v) * 3, i, o);
}
__kernel void joined_and_masked(__global uint *o, __global const uchar *p)
{
    size_t i = get_global_id(0);
    uchar4 v;
    v.x = p[i], v.y = p[i + 1], v.z = p[i + 2];
    o[2 * i] = as_uint(v) & 0xffffff;
    o[2 * i + 1] = as_uint(v) | 0xff000000;
}
/* A component without a value is followed around loops, through choices and other types, any number of steps. */
__kernel void around(__global float *o, __global const float *p, int n)
{
    float4 v;
    v.xyz = vload3(get_global_id(0), p);
    for (int k = 0; k < n; k++)
        v = v * 2.0f + p[k];
    o[get_global_id(0)] = length(v);
}
__kernel void around_unused(__global float *o, __global const float *p, int n)
{
    float4 v;
    v.xyz = vload3(get_global_id(0), p);
    for (int k = 0; k < n; k++)
        v = v * 2.0f + p[k];
    vstore3(v.xyz, get_global_id(0), o);
}
__kernel void chosen(__global float *o, __global const float4 *p, int n)
{
    float4 v = p[get_global_id(0)], w;
    w.xyz = v.zyx;
    w = cos(w);
    v = n > 3 ? w : v;
    o[get_global_id(0)] = length(v);
}
__kernel void retyped(__global int *o, __global const float *p)
{
    float4 v;
    v.xyz = vload3(get_global_id(0), p);
    o[get_global_id(0)] = (as_int4(cos(v)) ^ 5).w;
}
__kernel void far(__global float *o, __global const float *p, __global const float4 *q)
{
    float4 v, w = q[get_global_id(0)];
    v.xyz = vload3(get_global_id(0), p);
    w = sin(w) * w, w = sin(w) * w, w = sin(w) * w, w = sin(w) * w, w = sin(w) * w;
    w = sin(w) * w, w = sin(w) * w, w = sin(w) * w, w = sin(w) * w, w = sin(w) * w;
    o[get_global_id(0)] = length(pow(w, cos(v)));
}
__kernel void met(__global uint *o, __global const uchar *p, __global const uchar4 *q)
{
    size_t i = get_global_id(0);
    uint r;
    if (p[i] > 3) {
        uchar4 v;
        v.xyz = vload3(i, p);
        o[2 * i] = 5;
        r = as_uint(v);
    } else {
        o[2 * i] = 7;
        r = as_uint(q[i]);
    }
    o[2 * i + 1] = r;
}
/* The second result is written as four components. */
__kernel void second_of_three(__global float3 *o, __global float *p, __global const float *in)
{
    int i = get_global_id(0);
    vstore3(fract(vload3(i, in), o + i), i, p);
}
__kernel void float_of_three(__global float *o, __global const uchar *in)
{
    int i = get_global_id(0);
    uchar4 v;
    v.xyz = vload3(i, in);
    o[i] = as_float(v) + 1;
}
/* LLVM freezes the vector to use it twice. */
__kernel void frozen(__global uchar *o, __global const uchar *in)
{
    int i = get_global_id(0);
    uchar4 v;
    v.xyz = vload3(i, in);
    v %= (uchar4)(200);
    o[i] = v.w;
}
// >>> kernel add4
// >>>   arg c: float4*, buffer, global, 8 bytes, written
// >>>   arg a: float4*, buffer, global, 8 bytes, read
// >>>   arg b: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16*2 store.global.16
// >>>   cost: fadd*4
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel three
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   arg q: float3*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 load.global.16 store.global.12
// >>>   cost: fmul*3
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel lanes
// >>>   arg o: uchar4*, buffer, global, 8 bytes, written
// >>>   arg p: uchar4*, buffer, global, 8 bytes, read
// >>>   arg size: int2, scalar, private, 8 bytes
// >>>   work-item: global_id(0) global_id(1)
// >>>   effects: load.global.4 store.global.4
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: position-dependent-work
// >>> kernel component
// >>>   arg v: float4*, buffer, global, 8 bytes, read, written
// >>>   arg s: float, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel triples
// >>>   arg o: float3*, buffer, global, 8 bytes, written
// >>>   arg p: float3*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd*3 sqrt*3
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-bytes
// >>> kernel constant_triples
// >>>   arg o: uchar3*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-bytes
// >>> kernel wide
// >>>   arg o: int32v*, buffer, global, 8 bytes, written
// >>>   arg p: int32v*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0) local_id(0)
// >>>   effects: load.global.128 store.global.128
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: local-id-observed
// >>> kernel wide_plain
// >>>   arg o: int32v*, buffer, global, 8 bytes, written
// >>>   arg p: int32v*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.128 store.global.128
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel wide_gap
// >>>   arg o: int32v*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: store.global.128
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel six
// >>>   arg o: int6v*, buffer, global, 8 bytes, written
// >>>   arg p: int6v*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.24 store.global.24
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel short_of_one
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 store.global.4
// >>>   cost: sqrt
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel converted
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: special*4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel stored_converted
// >>>   arg o: float4*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 store.global.16
// >>>   cost: special*4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-bytes
// >>> kernel each_alone
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 store.global.12
// >>>   cost: fadd*3 fmul*3 special*12
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel filled_at_last
// >>>   arg o: float4*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 store.global.16
// >>>   cost: fmul*3 special*4 sqrt*4
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel joined
// >>>   arg o: uint*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1*3 store.global.4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel joined_halves
// >>>   arg o: ulong*, buffer, global, 8 bytes, written
// >>>   arg p: uint*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 store.global.16
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel joined_and_masked
// >>>   arg o: uint*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1*3 store.global.4*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel around
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 load.global.4 store.global.4
// >>>   cost: fma*4 sqrt
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel around_unused
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 load.global.4 store.global.12
// >>>   cost: fma*3
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel chosen
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float4*, buffer, global, 8 bytes, read
// >>>   arg n: int, scalar, private, 4 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.4
// >>>   cost: special*4 sqrt
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel retyped
// >>>   arg o: int*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 nan-bits.4 store.global.4
// >>>   cost: special*4
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel far
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, read
// >>>   arg q: float4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 load.global.16 store.global.4
// >>>   cost: fmul*40 special*48 sqrt
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>> kernel met
// >>>   arg o: uint*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg q: uchar4*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1 load.global.3 load.global.4 store.global.4*3
// >>>   proved: O0 O1 O2 I A
// >>>   not S: undefined-value
// >>>   not U: data-dependent-work
// >>> kernel second_of_three
// >>>   arg o: float3*, buffer, global, 8 bytes, written
// >>>   arg p: float*, buffer, global, 8 bytes, written
// >>>   arg in: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.12 store.global.12 store.global.16
// >>>   cost: fadd*6
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-bytes
// >>>   ids below: 2^31
// >>> kernel float_of_three
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg in: uchar*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.3 store.global.4
// >>>   cost: fadd
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>>   ids below: 2^31
// >>> kernel frozen
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg in: uchar*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.3 store.global.1
// >>>   proved: O0 O1 O2 I A U
// >>>   not S: undefined-value
// >>>   ids below: 2^31
