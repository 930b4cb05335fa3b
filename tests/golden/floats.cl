// half, float and double; math with two results; native and full precision; vload_half.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void halves(__global half *o, __global const half *p, __global float *f)
{
    int i = get_global_id(0);
    f[i] = vload_half(i, p);
    vstore_half4((float4)(f[i]), i, o);
}
__kernel void doubles(__global double *o, __global const double *p)
{
    int i = get_global_id(0);
    o[i] = sqrt(p[i]) * 2.0 + fma(p[i], p[i], 1.0) / 3.0;
}
__kernel void pairs(__global float *s, __global float *c, __global float *w, float x)
{
    int i = get_global_id(0);
    float cosine, whole;
    int e;
    s[i] = sincos(x * i, &cosine);
    c[i] = cosine + fract(x, &whole);
    w[i] = frexp(whole, &e) + e;
}
__kernel void speeds(__global float4 *o)
{
    int i = get_global_id(0);
    o[i] = native_sin(o[i]) + exp(o[i]) + dot(o[i], o[i]) + mad(o[i], o[i], o[i]) + rsqrt(o[i]);
}
__kernel void halfmath(__global half4 *h)
{
    h[get_global_id(0)] += (half4)(1);
}
// >>> kernel halves
// >>>   arg o: half*, buffer, global, 8 bytes, written
// >>>   arg p: half*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, written
// >>>   work-item: global_id(0)
// >>>   effects: load.global.2 store.global.4 store.global.8
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel doubles
// >>>   arg o: double*, buffer, global, 8 bytes, written
// >>>   arg p: double*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.8 store.global.8
// >>>   cost: ddiv dfma*2 dsqrt
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel pairs
// >>>   arg s: float*, buffer, global, 8 bytes, written
// >>>   arg c: float*, buffer, global, 8 bytes, written
// >>>   arg w: float*, buffer, global, 8 bytes, written
// >>>   arg x: float, scalar, private, 4 bytes
// >>>   private: 12 bytes
// >>>   work-item: global_id(0)
// >>>   effects: store.global.4*3
// >>>   cost: fadd*4 fmul special*4
// >>>   proved: S O0 O1 O2 I A U
// >>>   ids below: 2^31
// >>> kernel speeds
// >>>   arg o: float4*, buffer, global, 8 bytes, read, written
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 store.global.16
// >>>   cost: fadd*16 fma*7 fmul sfu*4 special*4 sqrt*4
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>>   ids below: 2^31
// >>> kernel halfmath
// >>>   arg h: half4*, buffer, global, 8 bytes, read, written
// >>>   work-item: global_id(0)
// >>>   effects: load.global.8 store.global.8
// >>>   cost: fadd*4
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
