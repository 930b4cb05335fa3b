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
// >>> exit status 127
