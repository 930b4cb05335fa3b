// Bytes of structures and unions that have no value: who shows them, and who has given them one.
// FORM: --driver=mesa
struct padded { char c; int n; };
struct tail { double d; char c; };
struct outer { char c; struct padded in[2]; };
struct full { int c, n; };
union parts { int n; float f; uchar c[16]; };
kernel void whole(global const int *x, global struct padded *out)
{
    int i = get_global_id(0);
    struct padded s, t;
    s.c = (char)x[i];
    s.n = 3;
    t = s;
    out[i] = t;
}
struct padded make(int v)
{
    struct padded s;
    s.c = (char)v;
    s.n = v;
    return s;
}
kernel void made(global const int *x, global struct padded *out)
{
    int i = get_global_id(0);
    out[i] = make(x[i]);
}
kernel void behind(global const int *x, global struct tail *out)
{
    int i = get_global_id(0);
    struct tail t = {x[i], 1};
    out[i] = t;
}
kernel void inside(global const int *x, global struct outer *out)
{
    int i = get_global_id(0);
    struct outer o = {1, {{2, x[i]}, {3, x[i]}}};
    out[i] = o;
}
kernel void in_each_round(global const int *x, global struct padded *out, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++) {
        struct padded s;
        s.c = (char)k;
        s.n = x[i];
        out[i * n + k] = s;
    }
}
kernel void other_member(global const int *x, global int *out)
{
    int i = get_global_id(0);
    union parts p;
    p.c[0] = (uchar)x[i];
    out[i] = p.n;
}
// Not these.
kernel void copied(global const struct padded *x, global struct padded *out)
{
    int i = get_global_id(0);
    struct padded s = x[i];
    s.n++;
    out[i] = s;
}
kernel void by_members(global const int *x, global struct padded *out)
{
    int i = get_global_id(0);
    struct padded s;
    s.c = (char)x[i];
    s.n = 3;
    out[i].c = s.c;
    out[i].n = s.n;
}
kernel void no_gap(global const int *x, global struct full *out)
{
    int i = get_global_id(0);
    struct full s;
    s.c = x[i];
    s.n = 3;
    out[i] = s;
}
kernel void same_bytes(global const float *x, global int *out)
{
    int i = get_global_id(0);
    union parts p;
    p.f = x[i];
    out[i] = p.n;
}
// >>> kernel whole
// >>>   arg 0 x : int* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : struct padded* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 5 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 12 4 bytes at 4*gid(0)
// >>>   write  out line 15 1 bytes at 8*gid(0)
// >>>   write  out line 15 3 bytes at 1 + 8*gid(0)
// >>>   write  out line 15 4 bytes at 4 + 8*gid(0) always 3
// >>>   with mesa: undefined-bytes: bytes of a structure or union that were given no value are written, or read as another member
// >>> kernel made
// >>>   arg 0 x : int* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : struct padded* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 8 bytes, about 6 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 27 4 bytes at 4*gid(0)
// >>>   write  out line 27 1 bytes at 8*gid(0)
// >>>   write  out line 27 3 bytes at 1 + 8*gid(0)
// >>>   write  out line 27 4 bytes at 4 + 8*gid(0)
// >>>   with mesa: undefined-bytes: bytes of a structure or union that were given no value are written, or read as another member
// >>> kernel behind
// >>>   arg 0 x : int* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : struct tail* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 6 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 32 4 bytes at 4*gid(0)
// >>>   write  out line 33 8 bytes at 16*gid(0)
// >>>   write  out line 33 1 bytes at 8 + 16*gid(0) always 1
// >>>   write  out line 33 7 bytes at 9 + 16*gid(0)
// >>>   with mesa: undefined-bytes: bytes of a structure or union that were given no value are written, or read as another member
// >>> kernel inside
// >>>   arg 0 x : int* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : struct outer* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 7 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 38 4 bytes at 4*gid(0)
// >>>   write  out line 39 1 bytes at 20*gid(0) always 1
// >>>   write  out line 39 3 bytes at 1 + 20*gid(0)
// >>>   write  out line 39 1 bytes at 4 + 20*gid(0) always 2
// >>>   write  out line 39 3 bytes at 5 + 20*gid(0)
// >>>   write  out line 39 4 bytes at 8 + 20*gid(0)
// >>>   write  out line 39 1 bytes at 12 + 20*gid(0) always 3
// >>>   write  out line 39 3 bytes at 13 + 20*gid(0)
// >>>   write  out line 39 4 bytes at 16 + 20*gid(0)
// >>>   with mesa: undefined-bytes: bytes of a structure or union that were given no value are written, or read as another member
// >>> kernel in_each_round
// >>>   arg 0 x : int* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : struct padded* (buffer, global, 8 bytes, written)
// >>>   arg 2 n : int (scalar, private, 4 bytes)
// >>>   local 0 bytes, private 0 bytes, about 8 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 47 4 bytes at 4*gid(0)
// >>>          where loop(0) < n
// >>>   write  out line 48 1 bytes at 8*loop(0) + 8*gid(0)*n modulo 2^32
// >>>          where loop(0) < n
// >>>   write  out line 48 3 bytes at 1 + 8*loop(0) + 8*gid(0)*n modulo 2^32
// >>>          where loop(0) < n
// >>>   write  out line 48 4 bytes at 4 + 8*loop(0) + 8*gid(0)*n modulo 2^32
// >>>          where loop(0) < n
// >>>   loop(0) at block 1: limit n step 1
// >>>   with mesa: undefined-bytes: bytes of a structure or union that were given no value are written, or read as another member
// >>> kernel other_member
// >>>   arg 0 x : int* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : int* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 4 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 55 4 bytes at 4*gid(0)
// >>>   write  out line 56 4 bytes at 4*gid(0)
// >>>   with mesa: undefined-bytes: bytes of a structure or union that were given no value are written, or read as another member
// >>> kernel copied
// >>>   arg 0 x : struct padded* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : struct padded* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 4 bytes, about 6 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 62 4 bytes at 8*gid(0)
// >>>   read   x line 62 4 bytes at 4 + 8*gid(0)
// >>>   write  out line 64 4 bytes at 8*gid(0)
// >>>   write  out line 64 4 bytes at 4 + 8*gid(0)
// >>> kernel by_members
// >>>   arg 0 x : int* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : struct padded* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 5 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 70 4 bytes at 4*gid(0)
// >>>   write  out line 72 1 bytes at 8*gid(0)
// >>>   write  out line 73 4 bytes at 4 + 8*gid(0) always 3
// >>> kernel no_gap
// >>>   arg 0 x : int* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : struct full* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 5 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 79 4 bytes at 4*gid(0)
// >>>   write  out line 81 4 bytes at 8*gid(0)
// >>>   write  out line 81 4 bytes at 4 + 8*gid(0) always 3
// >>> kernel same_bytes
// >>>   arg 0 x : float* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : int* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 4 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   x line 87 4 bytes at 4*gid(0)
// >>>   write  out line 88 4 bytes at 4*gid(0)
