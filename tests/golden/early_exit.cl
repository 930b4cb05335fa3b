// Work-items that leave at once: the last ones may where sums in loops are added in another order for some.
// FORM: --driver=intel-cpu
kernel void last(global const float *in, global float *out, int n, int r)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (x + 1 > n)
        return;
    float s = 0;
    for (int j = 0; j < r; j++)
        s += in[x * r + j];
    out[x] = s;
}
kernel void first(global const float *in, global float *out, int n, int r)
{
    int x = get_global_id(0);
    if (x > 0 && x < n) {
        float s = 0;
        for (int j = 0; j < r; j++)
            s += in[x * r + j];
        out[x] = s;
    }
}
kernel void mirrored(global const float *in, global float *out, int n, int r)
{
    int x = get_global_id(0);
    if (n - x > r)
        return;
    float s = 0;
    for (int j = 0; j < r; j++)
        s += in[x * r + j];
    out[x] = s;
}
kernel void wrapped(global const float *in, global float *out, uint n, int r)
{
    uint x = get_global_id(0);
    if (x - 3 >= n)
        return;
    float s = 0;
    for (int j = 0; j < r; j++)
        s += in[x * r + j];
    out[x] = s;
}
kernel void first_without_a_loop(global const float *in, global float *out)
{
    int x = get_global_id(0);
    if (x == 0)
        return;
    out[x] = in[x] / in[x - 1] + sqrt(in[x]);
}
kernel void first_estimates(global const float *in, global float *out)
{
    int x = get_global_id(0);
    if (x < 1)
        return;
    out[x] = rsqrt(in[x]);
}
kernel void all_estimate(global const float *in, global float *out)
{
    int x = get_global_id(0);
    out[x] = rsqrt(in[x]);
}
// >>> kernel last
// >>>   arg 0 in : float* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : float* (buffer, global, 8 bytes, written)
// >>>   arg 2 n : int (scalar, private, 4 bytes)
// >>>   arg 3 r : int (scalar, private, 4 bytes)
// >>>   local 0 bytes, private 0 bytes, about 5 registers
// >>>   S  proved
// >>>   O0 group-id-observed: get_group_id(0) reaches a branch (line 6)
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   the groups must be uniform
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   write  out line 11 4 bytes at 4*gid(0) + -4*offset(0)
// >>>          where gid(0) + -1*offset(0) < n
// >>>   read   in line 10 4 bytes at 4*loop(0) + 4*gid(0)*r + -4*offset(0)*r modulo 2^32
// >>>          where gid(0) + -1*offset(0) < n
// >>>          where loop(0) < r
// >>>   loop(0) at block 2: limit r step 1
// >>> kernel first
// >>>   arg 0 in : float* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : float* (buffer, global, 8 bytes, written)
// >>>   arg 2 n : int (scalar, private, 4 bytes)
// >>>   arg 3 r : int (scalar, private, 4 bytes)
// >>>   local 0 bytes, private 0 bytes, about 5 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   write  out line 20 4 bytes at 4*gid(0)
// >>>          where 0 < gid(0)
// >>>          where gid(0) < n
// >>>   read   in line 19 4 bytes at 4*loop(0) + 4*gid(0)*r modulo 2^32
// >>>          where 0 < gid(0)
// >>>          where gid(0) < n
// >>>          where loop(0) < r
// >>>   loop(0) at block 2: limit r step 1
// >>>   with intel-cpu: driver-rounds: work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> kernel mirrored
// >>>   arg 0 in : float* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : float* (buffer, global, 8 bytes, written)
// >>>   arg 2 n : int (scalar, private, 4 bytes)
// >>>   arg 3 r : int (scalar, private, 4 bytes)
// >>>   local 0 bytes, private 0 bytes, about 5 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   write  out line 31 4 bytes at 4*gid(0)
// >>>          where -1*gid(0) + n < 1 + r
// >>>   read   in line 30 4 bytes at 4*loop(0) + 4*gid(0)*r modulo 2^32
// >>>          where -1*gid(0) + n < 1 + r
// >>>          where loop(0) < r
// >>>   loop(0) at block 2: limit r step 1
// >>>   with intel-cpu: driver-rounds: work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> kernel wrapped
// >>>   arg 0 in : float* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : float* (buffer, global, 8 bytes, written)
// >>>   arg 2 n : uint (scalar, private, 4 bytes)
// >>>   arg 3 r : int (scalar, private, 4 bytes)
// >>>   local 0 bytes, private 0 bytes, about 7 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   write  out line 41 4 bytes at 4*gid(0)
// >>>          where -3 + gid(0) < n
// >>>   read   in line 40 4 bytes at 4*loop(0) + 4*gid(0)*r modulo 2^32
// >>>          where -3 + gid(0) < n
// >>>          where loop(0) < r
// >>>   loop(0) at block 2: limit r step 1
// >>>   with intel-cpu: driver-rounds: work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> kernel first_without_a_loop
// >>>   arg 0 in : float* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : float* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 5 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  position-dependent-work: the position decides a branch (line 46)
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   in line 48 4 bytes at 4*gid(0)
// >>>          where 0 < gid(0)
// >>>   read   in line 48 4 bytes at -4 + 4*gid(0)
// >>>          where 0 < gid(0)
// >>>   write  out line 48 4 bytes at 4*gid(0)
// >>>          where 0 < gid(0)
// >>> kernel first_estimates
// >>>   arg 0 in : float* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : float* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 4 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   in line 55 4 bytes at 4*gid(0)
// >>>          where 0 < gid(0)
// >>>   write  out line 55 4 bytes at 4*gid(0)
// >>>          where 0 < gid(0)
// >>>   with intel-cpu: driver-rounds: work-items at the begin of the range leave at once: which others run one by one then depends on the size, and for these the driver rounds otherwise
// >>> kernel all_estimate
// >>>   arg 0 in : float* (buffer, global, 8 bytes, read)
// >>>   arg 1 out : float* (buffer, global, 8 bytes, written)
// >>>   local 0 bytes, private 0 bytes, about 4 registers
// >>>   S  proved
// >>>   O0 proved
// >>>   O1 proved
// >>>   O2 proved
// >>>   I  proved
// >>>   A  proved
// >>>   U  proved
// >>>   offset + global size must be below 2^31 in each dimension
// >>>   read   in line 60 4 bytes at 4*gid(0)
// >>>   write  out line 60 4 bytes at 4*gid(0)
