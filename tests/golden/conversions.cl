// Which conversions from floating point certainly fit, and which are left open: open-conversion.BYTES.
#define K(name) __kernel void name(__global uchar *o, __global const uchar *p, __global const float *f)
#define I       get_global_id(0)
K(may_not_fit)
{
    o[I] = (uchar)f[I];
    o[I + 1000] = convert_uchar(f[I] * 255.0f);
    ((__global ushort *)o)[I + 2000] = convert_ushort_rte(f[I]);
    ((__global short *)o)[I + 3000] = (short)f[I];
    ((__global uint *)o)[I + 4000] = (uint)f[I];
}
K(always_the_same)
{
    ((__global ulong *)o)[I + 5000] = (ulong)f[I];
    ((__global int *)o)[I] = (int)f[I];
    ((__global long *)o)[I + 1000] = convert_long_rtp(f[I]);
    o[I + 20000] = (uchar)(int)f[I];
}
K(saturates)
{
    o[I] = convert_uchar_sat_rte(f[I]);
}
// NaN becomes 0 in every way
K(clamped)
{
    o[I] = (uchar)clamp(f[I], 0.0f, 255.0f);
    o[I + 1000] = (uchar)fmin(fmax(f[I] * 3, 0.0f), 255.0f);
    o[I + 2000] = (uchar)(clamp(f[I], 0.0f, 1.0f) * 255.0f + 0.5f);
    o[I + 3000] = convert_uchar_rte(clamp(f[I], 0.0f, 1.0f) * 255.0f);
}
K(clamped_by_hand)
{
    float x = f[I];
    o[I] = (uchar)(x < 0 ? 0 : x > 255 ? 255 : x);
    x = f[I + 1];
    if (x < 0)
        x = 0;
    if (x > 255.5f)
        x = 255.5f;
    o[I + 1000] = (uchar)x;
    x = f[I + 2];
    if (x >= 0 && x < 256)
        o[I + 2000] = (uchar)x;
}
// NaN is something else in vectors of signed numbers
K(clamped_signed)
{
    ((__global short *)o)[I] = (short)clamp(f[I], -32768.0f, 32767.0f);
    ((__global short *)o)[I + 1000] = (short)fmin(fmax(f[I], -32768.0f), 32767.0f);
}
K(clamped_too_far)
{
    o[I] = (uchar)clamp(f[I], 0.0f, 256.0f);
    o[I + 1000] = (uchar)clamp(f[I], -1.0f, 255.0f);
    o[I + 2000] = convert_uchar_rte(clamp(f[I], 0.0f, 255.6f));
}
K(of_bytes)
{
    o[I] = (uchar)(0.299f * p[I] + 0.587f * p[I + 1] + 0.114f * p[I + 2]);
    o[I + 1000] = (uchar)(p[I] * 1.0f - 0.5f);
    o[I + 2000] = (uchar)(sqrt((float)p[I]) * 15.9f);
    o[I + 3000] = (uchar)(p[I] / 3.0f);
    o[I + 4000] = (uchar)(255.0f - p[I]);
    o[I + 5000] = (uchar)(fabs(p[I] - 128.0f) * (1 + sin(f[I] * p[I])) * 0.9f);
}
K(of_bytes_too_far)
{
    o[I] = (uchar)(1.2f * p[I]);
    o[I + 1000] = (uchar)(p[I] / (float)p[I + 1]);
    o[I + 2000] = (uchar)(p[I] - 2.0f);
}
K(vectors)
{
    float4 x = convert_float4(vload4(I, p));
    vstore4(convert_uchar4(x * 0.5f + 20.0f), I, o);
    vstore4(convert_uchar4(clamp(vload4(I, f), 0.0f, 255.0f)), I + 1000, o);
    vstore4(convert_uchar4(vload4(I, f)), I + 2000, o);
}
K(in_loops)
{
    float s = 0, t = 0;
    for (int k = 0; k < 1000; k++) {
        s += p[I + k];
        t = fmax(t, (float)p[I + k]);
        o[I * 1000 + k] = (uchar)(p[I + k] * 0.5f);
    }
    o[I] = (uchar)(s / 1000);
    o[I + 1] = (uchar)t;
}
