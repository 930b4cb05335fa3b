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
// The byte that NaN becomes is 0 in every way
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
// What is computed from it may know nothing of 8 bits; a short may be 0 or 65535
K(clamped_and_used)
{
    ((__global int *)o)[I] = (uchar)clamp(f[I], 0.0f, 255.0f) * 2;
    ((__global float *)o)[I + 1000] = (uchar)clamp(f[I], 0.0f, 255.0f);
    ((__global int *)o)[I + 2000] = (uchar)fmin(fmax(f[I], 0.0f), 255.0f) * 2;
    ((__global ushort *)o)[I + 10000] = (ushort)clamp(f[I], 0.0f, 65535.0f);
    ((__global ushort *)o)[I + 20000] = (ushort)fmin(fmax(f[I], 0.0f), 65535.0f);
}
// NaN is something else in vectors of signed numbers
K(clamped_signed)
{
    ((__global short *)o)[I] = (short)clamp(f[I], -32768.0f, 32767.0f);
    ((__global short *)o)[I + 1000] = (short)fmin(fmax(f[I], -32768.0f), 32767.0f);
}
K(clamped_unsigned)
{
    ((__global uint *)o)[I] = (uint)(clamp(f[I], 0.0f, 1.0f) * 255.0f);
    float4 c = clamp(vload4(I, f), 0.0f, 1.0f) * 255.0f;
    ((__global uint *)o)[I + 1000] = (uint)c.w << 24 | (uint)c.z << 16 | (uint)c.y << 8 | (uint)c.x;
}
// However long the way to what is clamped is
K(clamped_from_far)
{
    float4 a = vload4(I, f), b = a.wzyx, c = 0;
    for (int i = 0; i < *p; i++) {
        float4 d = a * b + c;
        c = mix(c, d * d.yzwx, d.x);
        b = a.x > c.y ? b + d.wxyz * a : a - c;
        a = c.w < b.z ? a * c + d : b;
    }
    c = clamp(a + b * c, 0.0f, 1.0f) * 255.0f;
    ((__global uint *)o)[I] = (uint)c.w << 24 | (uint)c.z << 16 | (uint)c.y << 8 | (uint)c.x;
}
// A bound that may be NaN
K(clamped_by_what)
{
    ((__global uint *)o)[I] = (uint)clamp(f[I], f[I + 1] * 0.0f, 9.0f);
    ((__global uint *)o)[I + 1000] = (uint)fmax(clamp(f[I], 0.0f, f[I + 1]), 0.0f);
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
// What is looked at where values meet says nothing of x itself
K(known_and_forgotten)
{
    float x = f[I], y = f[I + 1], z = 2;
    if (p[I]) {
        p += o[I];
        z = clamp(x > 255 ? y : 0.25f, 0.0f, 1.0f);
    }
    if (y > 0 && x >= 0)
        o[I + 1000 + p[I]] = (uchar)(z * 0.001f + x);
}
// The product of 50 millions may be rounded before the sum is made
K(rounded_away)
{
    o[I] = (uchar)mad(clamp(f[I], 50331648.0f, 50331700.0f), 1.1f, -55364812.0f);
}
// min() may give either where one of the two is NaN
K(open_minimum)
{
    o[I] = (uchar)min((float)((__global const ushort *)p)[I], fabs(sin(f[I])));
    o[I + 1000] = (uchar)fmin((float)((__global const ushort *)p)[I], fmin(fmax(f[I], 0.0f), 10.0f));
}
/* A negative byte is a large unsigned number. */
K(unsigned_of_signed)
{
    uint u = ((__global const char *)p)[I];
    ((__global short *)o)[I] = (short)((float)u * 0.5f);
}
// A bool in memory may be neither 0 nor 1
K(bool_counts)
{
    o[I] = 3 * ((__global const bool *)p)[I];
}
K(bool_decides)
{
    bool any = false;
    for (int i = 0; i < 5; i++)
        any |= ((__global const bool *)p)[I + i];
    if (any)
        o[I] = 3;
}
// >>> kernel may_not_fit
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*4 open-conversion.1*2 open-conversion.2*2 open-conversion.4 store.global.1*2 store.global.2*2 store.global.4
// >>>   cost: fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel always_the_same
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.1 store.global.4 store.global.8*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel saturates
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.1
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel clamped
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*4 store.global.1*4
// >>>   cost: fadd*5 fma fmul*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel clamped_by_hand
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.1*3
// >>>   cost: fadd*6
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>> kernel clamped_and_used
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*5 store.global.2*2 store.global.4*3
// >>>   cost: fadd*7
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel clamped_signed
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.2*2
// >>>   cost: fadd*3
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel clamped_unsigned
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 load.global.4 store.global.4*2
// >>>   cost: fadd*5 fmul*5
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel clamped_from_far
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1 load.global.16 store.global.4
// >>>   cost: fadd*10 fma*20 fmul*8
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>> kernel clamped_by_what
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*4 open-conversion.4*2 store.global.4*2
// >>>   cost: fadd*3 fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel clamped_too_far
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 open-conversion.1*3 store.global.1*3
// >>>   cost: fadd*3
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel of_bytes
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1*8 load.global.4 store.global.1*6
// >>>   cost: fadd*5 fdiv fma*2 fmul*5 special sqrt
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel of_bytes_too_far
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1*4 open-conversion.1*3 store.global.1*3
// >>>   cost: fadd fdiv fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel vectors
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16*2 load.global.4 open-conversion.1 store.global.4*3
// >>>   cost: fadd*4 fma*4
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel in_loops
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1 open-conversion.1*2 store.global.1*3
// >>>   cost: fadd*2 fdiv fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel known_and_forgotten
// >>>   arg o: uchar*, buffer, global, 8 bytes, read, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1*3 load.global.4*2 open-conversion.1 store.global.1
// >>>   cost: fadd*4 fma
// >>>   proved: S O0 O1 O2 A
// >>>   not I: reads-what-it-writes
// >>>   not U: data-dependent-work
// >>> kernel rounded_away
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 open-conversion.1 store.global.1
// >>>   cost: fadd fma
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel open_minimum
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.2*2 load.global.4*2 open-conversion.1 store.global.1*2
// >>>   cost: fadd*5 special
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel unsigned_of_signed
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1 open-conversion.2 store.global.2
// >>>   cost: fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel bool_counts
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1 open-conversion.1 store.global.1
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel bool_decides
// >>>   arg o: uchar*, buffer, global, 8 bytes, written
// >>>   arg p: uchar*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.1 store.global.1
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
