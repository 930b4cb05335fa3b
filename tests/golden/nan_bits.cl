// Where bits of a number that may be NaN are taken: nan-bits.BYTES.
#define K(name) __kernel void name(__global float *o, __global int *p, __global const float *f)
#define I       get_global_id(0)
K(sign_of_a_product)
{
    o[I] = copysign(8388608.0f, f[I] * f[I + 1]);
}
K(sign_asked_for)
{
    p[I] = signbit(f[I] - f[I + 1]) + 1;
}
K(bits_as_an_integer)
{
    p[I] = as_int(f[I] * f[I + 1]) & 0x7fffff;
}
K(bits_in_a_union)
{
    union { float f; uint u; } x = {f[I] + f[I + 1]};
    o[I] = (float)x.u;
}
K(bits_of_vectors)
{
    uint2 x = as_uint2(vload2(I, f) * 3.0f);
    p[I] = x.x ^ x.y;
}
K(bits_chosen)
{
    o[I] = bitselect(f[I] * f[I], 1.0f, 2.0f);
}
K(after_moves)
{
    float x = f[I] / f[I + 1];
    x = fabs(p[I + 1000] ? -x : f[I + 2]);
    o[I] = as_int(x) >> 1;
}
// One of the two is no mask, so the bits are mixed
K(bits_mixed)
{
    o[I] = as_float((as_int(f[I] * f[I + 1]) & -(int)(f[I] < 1)) | p[I + 1000]);
}
K(private_array)
{
    float x[4];
    for (int j = 0; j < 4; j++)
        x[j] = f[I + j] * f[I];
    p[I] = as_int(x[p[I + 1000] & 3]) + 1;
}
K(stored_and_read)
{
    int x[4];
    for (int j = 0; j < 4; j++)
        x[j] = as_int(f[I + j] * f[I]);
    p[I] = x[p[I + 1000] & 3] + 1;
}
// Other elements of the same bits
K(two_as_a_double)
{
    float2 x = vload2(I, f) * vload2(I + 1, f);
    p[I] = as_double(x) > 0;
}
K(two_in_a_union)
{
    union { double d[2]; float f[4]; } u;
    vstore4(vload4(I, f) * f[I], 0, u.f);
    p[I] = u.d[p[I + 1000] & 1] > 0;
}
K(a_part_stored)
{
    ((__global short *)p)[I] = as_short2(f[I] * f[I + 1]).s1;
}
K(structure_copied)
{
    struct { float4 v; int k[4]; } s, t;
    t.v = vload4(I, f) * f[I];
    s.v = vload4(I + 4, f);
    for (int j = 0; j < 4; j++)
        s.k[j] = p[I + j + 1000], t.k[j] = p[I + j + 1001];
    if (p[I + 1000] & 1)
        s = t;
    o[I] = copysign(1.0f, s.v.x);
    p[I] = s.k[p[I + 1001] & 3];
}
K(pointer_chosen)
{
    float a = f[I + 3], b = f[I + 4], *w = p[I + 1000] & 1 ? &a : &b;
    *w = f[I] * f[I + 1];
    o[I] = copysign(1.0f, a);
}
K(no_mask)
{
    o[I] = 1.0f / as_float(as_int(f[I] * f[I + 1]) & (-(int)(f[I + 3] < 1.0f) ^ 0x7fffffff));
}
// Read as another type than was written: punned.BYTES
K(floats_as_ints)
{
    float a[4];
    for (int j = 0; j < 4; j++)
        a[j] = f[I + j];
    p[I] = ((int *)a)[p[I + 1000] & 3];
}
K(halves_of_longs)
{
    ulong a[4];
    for (int j = 0; j < 4; j++)
        a[j] = p[I + j + 1000] * (ulong)p[I + 1000];
    p[I] = ((uint *)a)[p[I + 1001] & 7];
}
// Operands other than the one whose sign is taken
K(sign_of_what_is_loaded)
{
    o[I] = copysign(f[I] * f[I + 1], f[I]);
    p[I] = as_int(f[I + 2]) & 255;
}
K(moved_only)
{
    float x = -fabs(f[I]);
    p[I] = as_int(p[I + 1000] ? x : f[I + 1]) >> 31;
}
// All bits together are the number
K(stored_only)
{
    p[I] = as_int(f[I] * f[I + 1]);
}
// clang makes masks of such a choice
K(chosen_in_vectors)
{
    float4 x = vload4(I, f), y = x / vload4(I + 1, f);
    float4 z = x != 0.0f ? y : (float4)(1.0f);
    vstore4(z == 0.5f ? z : x * y, I, o);
}
K(no_nan)
{
    p[I] = as_int(clamp(f[I] * f[I + 1], 0.0f, 1.0f)) & 255;
    p[I + 1000] = as_int((float)p[I + 2000] * 2.0f) & 255;
    o[I] = copysign(1.0f, fmax(f[I] * f[I + 1], -1.0f));
}
K(asked_first)
{
    float x = f[I] * f[I + 1];
    if (x == x)
        p[I] = as_int(x) + 1;
}
K(tested_by_hand)
{
    float x = f[I] * f[I + 1];
    p[I] = (as_uint(x) & 0x7fffffff) > 0x7f800000 ? 1 : (as_uint(x) & 0x7f800000) != 0;
    o[I] = as_float(as_uint(x) & 0x7fffffff) + as_float(as_uint(x) ^ 0x80000000);
}
K(members_beside)
{
    struct { int node; float far; } s[8];
    for (int j = 0; j < 8; j++)
        s[j].node = p[I + j + 1000], s[j].far = f[I] * f[I + j];
    p[I] = s[p[I + 1001] & 7].node + 1;
}
K(no_numbers_at_all)
{
    int a[4], b[4], *w = p[I + 1000] & 1 ? a : b;
    for (int j = 0; j < 4; j++)
        a[j] = p[I + j + 1001], b[j] = p[I + j + 1002];
    p[I] = w[p[I + 1003] & 3] + 1;
}
K(large_number)
{
    if (f[I] > 1)
        p[I + 1] = as_int(f[I] * 2.0f) & 255;
}
K(bytes_of_ints)
{
    union { int i[4]; uchar c[16]; } u;
    for (int j = 0; j < 4; j++)
        u.i[j] = p[I + j + 1000];
    p[I] = u.c[p[I + 1001] & 15];
}
K(other_way)
{
    o[I] = as_float((p[I + 1000] & 0x7fffff) | 0x3f800000) * f[I];
}
// >>> kernel sign_of_a_product
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 nan-bits.4 store.global.4
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel sign_asked_for
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 nan-bits.4 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel bits_as_an_integer
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 nan-bits.4 store.global.4
// >>>   cost: fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel bits_in_a_union
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 nan-bits.4 store.global.4
// >>>   cost: fadd
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel bits_of_vectors
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.8 nan-bits.4*2 store.global.4
// >>>   cost: fmul*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel bits_chosen
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 nan-bits.4 store.global.4
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel after_moves
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*4 nan-bits.4 store.global.4
// >>>   cost: fadd*2 fdiv
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>> kernel bits_mixed
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 nan-bits.4 store.global.4
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel private_array
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   private: 16 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 load.private.4 nan-bits.4 store.global.4 store.private.4
// >>>   cost: fmul
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel stored_and_read
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   private: 16 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 load.private.4 nan-bits.4 store.global.4 store.private.4
// >>>   cost: fmul
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel two_as_a_double
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.8*2 nan-bits.8 store.global.4
// >>>   cost: dadd fmul*2
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel two_in_a_union
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   private: 16 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16 load.global.4*2 load.private.8 nan-bits.8 store.global.4 store.private.16
// >>>   cost: dadd fmul*4
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel a_part_stored
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 nan-bits.2 store.global.2
// >>>   cost: fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel structure_copied
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   private: 64 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16*2 load.global.4*5 load.private.16 load.private.32 load.private.4 nan-bits.4 store.global.4*2 store.private.16*2 store.private.32 store.private.4*2
// >>>   cost: fadd fmul*4
// >>>   proved: S O0 O1 O2 A
// >>>   not I: reads-what-it-writes
// >>>   not U: data-dependent-work
// >>> kernel pointer_chosen
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   private: 8 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*5 load.private.4 nan-bits.4*2 store.global.4 store.private.4*3
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel no_mask
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 nan-bits.4 store.global.4
// >>>   cost: fadd fdiv fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel floats_as_ints
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   private: 16 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 load.private.4 punned.4 store.global.4 store.private.4
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel halves_of_longs
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes
// >>>   private: 32 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 load.private.4 punned.4 store.global.4 store.private.8
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel sign_of_what_is_loaded
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4*2
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel moved_only
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*3 store.global.4
// >>>   cost: fadd*2
// >>>   proved: S O0 O1 O2 A
// >>>   not I: reads-what-it-writes
// >>>   not U: data-dependent-work
// >>> kernel stored_only
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel chosen_in_vectors
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.16*2 store.global.16
// >>>   cost: fadd*8 fdiv*4 fmul*4
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel no_nan
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*5 store.global.4*3
// >>>   cost: fadd*3 fmul*3
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel asked_first
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>> kernel tested_by_hand
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4*2
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A U
// >>> kernel members_beside
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   private: 64 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*4 load.private.4 store.global.4 store.private.4*2
// >>>   cost: fmul
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel no_numbers_at_all
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes
// >>>   private: 32 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*4 load.private.4 store.global.4 store.private.4*2
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel large_number
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, written
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4 store.global.4
// >>>   cost: fadd fmul
// >>>   proved: S O0 O1 O2 I A
// >>>   not U: data-dependent-work
// >>> kernel bytes_of_ints
// >>>   arg o: float*, buffer, global, 8 bytes
// >>>   arg p: int*, buffer, global, 8 bytes, read, written
// >>>   arg f: float*, buffer, global, 8 bytes
// >>>   private: 16 bytes
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 load.private.1 store.global.4 store.private.4
// >>>   proved: S O0 O1 O2 A U
// >>>   not I: reads-what-it-writes
// >>> kernel other_way
// >>>   arg o: float*, buffer, global, 8 bytes, written
// >>>   arg p: int*, buffer, global, 8 bytes, read
// >>>   arg f: float*, buffer, global, 8 bytes, read
// >>>   work-item: global_id(0)
// >>>   effects: load.global.4*2 store.global.4
// >>>   cost: fmul
// >>>   proved: S O0 O1 O2 I A U
