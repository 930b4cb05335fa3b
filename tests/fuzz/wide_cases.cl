// What random kernels seldom have, each as a kernel of its own, for wide.py --cases: the driver's outcome of each is
// compared with its outcome of the rewritten one.  The inputs are those of rich.py, with a tail of HEAD in front.
#define CASE(name)                                                                                                       \
    kernel void name(global const float *f, global const double *d, global const int *n, global const uchar *b,          \
                     global const short *s, global const long *l, global long *out, int w, int h, int k, float a)
#define WIDTH ((int)(get_global_size(0) + get_global_offset(0)))
#define HEIGHT ((int)(get_global_size(1) + get_global_offset(1)))
#define IDS                                                                                                              \
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), at = (z * HEIGHT + y) * WIDTH + x,       \
              p = at & 4095
#define OUT(i, v) out[at * SLOTS + (i)] = (v)
#define OUTF(i, v) *(global float *)(out + at * SLOTS + (i)) = ONE_NAN(v)
#define OUTD(i, v) *(global double *)(out + at * SLOTS + (i)) = ONE_NAN(v)
#define N(i) n[(i) & 4095]
#define B(i) b[(i) & 4095]

// ---- ids ---------------------------------------------------------------------------------------------------------------

CASE(ids_wrap)
{
    IDS;
    const uint u = get_global_id(0) - 3;
    const uchar c = get_global_id(0) * 37, e = c + 250;
    const ushort t = (ushort)(x * 9001);
    const char g = x * 19 + y;
    OUT(0, u), OUT(1, c), OUT(2, e), OUT(3, t), OUT(4, g);
    OUT(5, (ulong)u + 1), OUT(6, u > 5u), OUT(7, (long)c - e), OUT(8, (uint)(c + e)), OUT(9, n[(uchar)(x * 11)]);
    OUT(10, n[(c + x) & 4095]);
    OUT(11, n[(ushort)(x * 3000) >> 4]);
}
CASE(ids_of_groups)
{
    IDS;
    const size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    const int j = get_local_size(1) * get_group_id(1) + get_local_id(1);
    OUT(0, i), OUT(1, j), OUT(2, get_global_offset(0)), OUT(3, get_global_offset(1)), OUT(4, get_global_size(0));
    OUT(5, get_global_size(1) * 3 - get_global_id(1)), OUT(6, get_global_size(2)), OUT(7, get_work_dim());
    OUT(8, N(i)), OUT(9, N(j - 3)), OUT(10, get_global_id(2) - get_global_offset(2));
}
CASE(ids_of_no_dimension)
{
    IDS;
    OUT(0, get_global_id(3)), OUT(1, get_global_size(5)), OUT(2, get_global_offset(7)), OUT(3, get_global_id(0));
}
CASE(ids_backwards)
{
    IDS;
    const size_t last = get_global_size(0) + get_global_offset(0) - 1 - get_global_id(0);
    OUT(0, N(last)), OUTF(1, f[(4095 - x) & 4095]), OUT(2, N(-x)), OUT(3, b[4095 - p]), OUT(4, s[2 * (p >> 1) + 1 - (p & 1)]);
    OUT(5, l[(WIDTH - x) & 4095]);
}
CASE(ids_unsigned_difference)
{
    IDS;
    const uint i = get_global_id(0), j = get_global_id(1);
    uint sum = 0;
    for (uint q = i - 2; q != i + 2; q++) // wraps for the first ones
        sum = sum * 31 + N(q);
    OUT(0, sum), OUT(1, i - j < 4 ? 1 : 2), OUT(2, (long)(i - j)), OUT(3, (ulong)(i - 5) >> 3), OUT(4, N(i - 5 > 1000u ? 7 : i));
}
CASE(ids_narrow_index)
{
    IDS;
    const uchar i = x * 3 + 200;
    const short j = (short)(x << 12);
    OUT(0, n[i]), OUT(1, n[(uchar)(i + 100)]), OUT(2, n[2048 + (j >> 6)]), OUT(3, f[(ushort)(x * 4099) & 4095]);
    OUT(4, n[(uchar)x + (uchar)(y - 1)]);
}
CASE(border_clamps)
{
    IDS;
    uint sum = 0;
    for (int q = -2; q <= 2; q++)
        sum = sum * 3 + N(clamp(x + q, 0, WIDTH - 1) + y);
    OUT(0, sum), OUT(1, N(min(x + 3, WIDTH - 1))), OUT(2, N(max(x - 3, 0))), OUT(3, N(x > 0 ? x - 1 : x));
    OUT(4, N(abs(x - 5))), OUT(5, N((x + WIDTH - 1) % WIDTH)), OUT(6, x == 0 || x == w - 1 ? 1u : (uint)N(x - 1) + N(x + 1));
}

CASE(agree_on_sides)
{
    IDS;
    float sum = 0;
    for (int q = -2; q <= 2; q++)
        sum += f[clamp(x + q, 0, WIDTH - 1) + y] * a;
    OUTF(0, sum), OUT(1, n[min(x + 3, WIDTH - 1)]), OUT(2, n[max(x - 3, 0)]), OUT(3, n[x > 0 ? x - 1 : x]);
}
CASE(agree_on_other_sides)
{
    IDS;
    const uint u = x;
    const int none = n[x < k ? 0 : x - k], far = s[min(u - 2, 9u)], both = b[max(min(x - 5, w), 3)],
              backwards = s[max(20 - x, k)] + s[clamp(30 - 2 * x, 3, 29)],
              strided = s[min(3 * x + 1, WIDTH)] + b[x + y < w ? x + 4 : x + 100];
    OUT(0, none), OUT(1, far), OUT(2, both), OUT(3, backwards), OUT(4, strided);
}
CASE(agree_on_rows)
{
    IDS;
    const uint u = x + 3;
    const int m = (w & 63) + 9;
    const int here = n[x % m * 4 + x / m], there = n[u % (uint)m] / 2 - n[u / (h + 10u)] / 2, words = s[x / 16 * 16 + x % 16],
              small = b[x % (h + 1)] + b[x / (k + 1)], shifted = n[(x - 3) % m + 100] / 2 + n[(x - 3) / m + 100] / 2;
    OUT(0, here), OUT(1, there), OUT(2, words), OUT(3, small), OUT(4, l[get_global_id(0) % 24]), OUT(5, shifted);
}
CASE(agree_that_none_wraps)
{
    IDS;
    const uint u = x + 4294967290u, v = x + 2147483644u, t = x - 3;
    const long far = n[(ulong)u & 4095], near = n[(long)(int)v & 4095], back = n[(ulong)(7u - x) & 4095];
    OUT(0, far), OUT(1, near), OUT(2, back), OUT(3, n[t + 5u]), OUT(4, f[(uint)k + t + 3u] > a), OUT(5, l[2 * (t + 3u) + 1]);
}
CASE(agree_in_loops)
{
    IDS;
    uint q = 0, sum = 0;
    while (n[min(x + q, 60u)] < h && q < 9)
        q++;
    for (uint i = 0; n[(x + i) % 70] != 3 && i < 12; i++)
        sum = sum * 5 + n[min(i + x, 33u)];
    for (int i = 0; i < h; i++)
        if (k & 1)
            sum += s[max(x - i, 0)];
        else if (sum & 1)
            sum -= s[max(x - i, 1)];
    OUT(0, q), OUT(1, sum);
}
CASE(agree_before_and_after)
{
    IDS;
    int t[4] = {n[min(x, 20)], n[max(x, 5)], 3, 4};
    if (n[clamp(x - 1, 0, 30)] > 0)
        t[k & 3] = s[min(x + 1, 12)] + t[x & 3];
    OUT(0, t[h & 3]);
    OUT(1, n[min(x + 2, 20)] + t[1]);
}

// ---- places that are not there for all -----------------------------------------------------------------------------------

CASE(load_only_where_asked)
{
    IDS;
    const int i = N(p);
    const long far = (long)i * 1000000007l;
    float v = 1;
    if (far >= 0 && far < 4096)
        v = f[far];
    OUTF(0, v);
    long u = 2;
    if (p & 1)
        u = N(p) > 0 ? l[p] : (far & 1 ? 5 : 6);
    OUT(1, u);
    int q = (i >= 0 && i < 4096) ? n[i] : i;
    OUT(2, q);
}
CASE(load_before_the_buffer)
{
    IDS;
    int v = x >= 3 ? n[(x - 3) & 4095] : 0;
    global const int *before = n - 1000000000l;
    int u = (x & 3) == 1 ? before[1000000000l + p] : -1;
    OUT(0, v), OUT(1, u);
}
CASE(loads_of_a_varying_count)
{
    IDS;
    const int first = N(p) & 1023, count = B(p) & 15;
    float sum = 0;
    long odd = 0;
    for (int q = first; q < first + count; q++) {
        sum += f[q] * a;
        if (n[q] < 0)
            continue;
        odd ^= l[q] << (q & 7);
    }
    OUTF(0, sum), OUT(1, odd);
}
CASE(load_at_the_end)
{
    IDS;
    const int i = 4080 + (x & 31);
    int v = 0;
    if (i < 4096)
        v = n[i];
    OUT(0, v), OUT(1, i < 4096 ? s[i] : b[i & 7]);
    OUTF(2, i < 4096 ? f[i] : 0.5f);
}
CASE(chain_of_loads)
{
    IDS;
    int i = p, steps = 0;
    while (steps < 20 && i >= 0 && i < 4096 && (i & 7) != 3) {
        i = n[i] ^ steps;
        steps++;
    }
    OUT(0, i), OUT(1, steps);
}

// ---- integers --------------------------------------------------------------------------------------------------------------

CASE(divide_where_possible)
{
    IDS;
    const int u = N(p), v = N(p * 7 + 1) & 3;
    int r = -7, q = -8;
    if (v)
        r = u / v;
    q = v != 0 ? u % v : q;
    OUT(0, r), OUT(1, q);
    const int m = (N(p + 3) & 3) - 1;
    int t = 1;
    if (m != 0 && !(m == -1 && u == INT_MIN))
        t = u / m + u % m;
    OUT(2, t);
    const long e = l[p], g = l[(p + 1) & 4095];
    OUT(3, g > 0 ? e / g : e), OUT(4, g < -1 ? e % g : g);
    const uint c = (uint)u, o = (uint)(N(p + 9) & 7);
    OUT(5, o ? c / o : 3), OUT(6, o > 2 ? c % o : 4);
    OUT(7, B(p) ? 1000 / B(p) : 0), OUT(8, s[p] ? (short)12345 / s[p] : 1);
}
CASE(divide_in_loops)
{
    IDS;
    int u = N(p) & 0xffff, v = B(p), steps = 0;
    while (v) { // the greatest common divisor
        const int r = u % v;
        u = v;
        v = r;
        steps++;
    }
    OUT(0, u), OUT(1, steps);
    int by = (B(p + 1) & 7) - 3, sum = 0;
    for (int q = 0; q < 5; q++, by++) {
        if (!by)
            continue;
        sum += 1000 / by + 1001 % by;
    }
    OUT(2, sum);
    for (int q = B(p) & 3; q > 0; q--)
        sum += 5040 / q;
    OUT(3, sum);
}
CASE(shifts)
{
    IDS;
    const int u = N(p), by = B(p) & 31;
    const long e = l[p];
    OUT(0, (uint)u << by), OUT(1, u >> by), OUT(2, (uint)u >> by), OUT(3, e >> (B(p) & 63)), OUT(4, (ulong)e << (B(p) & 63));
    OUT(5, 1 << (p & 15)), OUT(6, (uchar)(B(p) << (p & 7))), OUT(7, (short)(s[p] >> (p & 15))), OUT(8, (char)B(p) >> (p & 7));
    OUT(9, (ushort)((ushort)s[p] >> (x & 15))), OUT(10, 1l << (x & 63)), OUT(11, ~0u >> (x & 31));
}
CASE(shifts_by_too_much)
{
    IDS;
    const uint u = N(p);
    OUT(0, u << (uint)B(p)), OUT(1, u >> (uint)B(p)), OUT(2, (ulong)l[p] << (ulong)B(p)), OUT(3, l[p] >> (long)B(p));
    OUT(4, u << (x + 28)), OUT(5, (ulong)u << (x + 60));
}
CASE(built_in_integers)
{
    IDS;
    const int u = N(p), v = N(p + 1);
    OUT(0, mul_hi(u, v)), OUT(1, mul_hi((uint)u, (uint)v)), OUT(2, rotate(u, v)), OUT(3, popcount(u)), OUT(4, clz(u));
    OUT(5, mad24(x, 5, y)), OUT(6, mul24(x & 0xfff, v & 0xfff)), OUT(7, add_sat(u, v)), OUT(8, sub_sat((uint)u, (uint)v));
    OUT(9, mad_sat(u, v, x)), OUT(10, hadd(u, v)), OUT(11, rhadd((uint)u, (uint)v));
}
CASE(built_in_small_integers)
{
    IDS;
    const uchar c = B(p), e = B(p + 1);
    const short t = s[p], g = s[(p + 1) & 4095];
    OUT(0, add_sat(c, e)), OUT(1, sub_sat(c, e)), OUT(2, mul_hi(c, e)), OUT(3, rotate(c, e)), OUT(4, popcount(c)), OUT(5, clz(c));
    OUT(6, abs(t)), OUT(7, abs_diff(t, g)), OUT(8, mad_hi(t, g, t)), OUT(9, rhadd(t, g)), OUT(10, max(t, g) - min(c, e));
    OUT(11, upsample((char)c, e));
}
CASE(built_in_long_integers)
{
    IDS;
    const long e = l[p], g = l[(p + 1) & 4095];
    OUT(0, mul_hi(e, g)), OUT(1, mad_hi((ulong)e, (ulong)g, (ulong)x)), OUT(2, rotate(e, g)), OUT(3, popcount(e)), OUT(4, clz(g));
    OUT(5, add_sat(e, g)), OUT(6, sub_sat((ulong)e, (ulong)g)), OUT(7, abs(e)), OUT(8, abs_diff(e, g)), OUT(9, hadd(e, g));
    OUT(10, min(e, g)), OUT(11, clamp(e, -1000l, 1000l));
}
CASE(compare_signs)
{
    IDS;
    const int u = N(p);
    const uint v = N(p + 1);
    const uchar c = B(p);
    const char e = (char)B(p);
    OUT(0, u < v), OUT(1, u < (int)v), OUT(2, c > e), OUT(3, (uint)e > v), OUT(4, (ulong)e > (ulong)v), OUT(5, e < 0 ? u : v);
    OUT(6, (long)u == (long)v), OUT(7, (short)u < s[p]), OUT(8, (ushort)u < s[p]), OUT(9, !u + !v), OUT(10, (u & 1) == (c & 1));
    OUT(11, (bool)(u & 4) ^ (bool)(c & 4));
}
CASE(bits)
{
    IDS;
    const int u = N(p), v = N(p + 1), m = N(p + 2);
    OUT(0, bitselect(u, v, m)), OUT(1, select(u, v, m)), OUT(2, (u & m) | (v & ~m)), OUT(3, u ^ v ^ m), OUT(4, ~(u | v));
    OUT(5, -(uint)u), OUT(6, -(x + 1)), OUT(7, !(u & 1)), OUT(8, (uchar)~B(p)), OUT(9, (char)-(char)B(p)), OUT(10, (bool)u);
    OUT(11, (u & 1) ? -1 : 0);
}
CASE(hash_that_wraps)
{
    IDS;
    uint e = x * 2654435761u;
    ulong g = (ulong)at * 0x9e3779b97f4a7c15ul;
    ushort t = x * 40503;
    uchar c = 0;
    for (int q = 0; q < 9; q++) {
        e ^= e << 13, e ^= e >> 17, e ^= e << 5;
        g = rotate(g, 13ul) * 5 + 0xe6546b64;
        t = t * 3 + 1;
        c = c * 5 + (uchar)e;
    }
    OUT(0, e), OUT(1, g), OUT(2, t), OUT(3, c);
}
CASE(conversions_of_integers)
{
    IDS;
    const int u = N(p);
    OUT(0, convert_char_sat(u)), OUT(1, convert_uchar_sat(u)), OUT(2, convert_short_sat(l[p])), OUT(3, convert_uint_sat(u));
    OUT(4, convert_int_sat(l[p])), OUT(5, (char)u), OUT(6, (ushort)u), OUT(7, convert_ulong_sat(l[p])), OUT(8, (uchar)s[p]);
    OUT(9, (long)(uint)u), OUT(10, convert_char_sat(B(p))), OUT(11, (int)(char)u + (int)(uchar)u);
}

// ---- floating point --------------------------------------------------------------------------------------------------------

CASE(conversions_of_floats)
{
    IDS;
    const float v = f[p];
    OUT(0, convert_int_sat_rte(v)), OUT(1, convert_uchar_sat_rtp(v)), OUT(2, convert_short_sat_rtn(v)), OUT(3, convert_long_sat_rtz(d[p]));
    OUT(4, convert_uint_sat(d[p])), OUTF(5, convert_float_rtz(d[p])), OUTF(6, convert_float_rtp(l[p])), OUTF(7, (float)l[p]);
    OUTD(8, convert_double(v) + l[p]), OUTF(9, (float)d[p]), OUTF(10, convert_float_rte(N(p))), OUTF(11, (float)(ulong)l[p]);
}
CASE(classes_of_floats)
{
    IDS;
    const float v = f[p], u = f[(p + 1) & 4095];
    const double e = d[p];
    OUT(0, isnan(v)), OUT(1, isinf(v)), OUT(2, isfinite(v)), OUT(3, isnormal(v)), OUT(4, signbit(v)), OUT(5, isnan(e) + 2 * isinf(e));
    OUT(6, v == u), OUT(7, v != v), OUT(8, v < u || v > u), OUT(9, isunordered(v, u)), OUT(10, !(v < u)), OUT(11, v <= u ? 1 : v >= u ? 2 : 3);
}
CASE(bits_of_numbers_that_are_copied)
{
    IDS; // any bits, signalling NaNs and denormals as well
    global const float *q = (global const float *)n;
    global const double *e = (global const double *)l;
    global float *to = (global float *)(out + at * SLOTS);
    to[0] = q[p];
    to[1] = q[(p + 1) & 4095];
    to[2] = x & 1 ? q[p] : f[p];
    *(global double *)(to + 4) = e[p];
    *(global double *)(to + 6) = p & 2 ? e[p] : d[p];
}
CASE(denormals)
{
    IDS;
    const float tiny = (p & 255) * 1e-41f - 1e-40f;
    OUTF(0, tiny), OUTF(1, tiny * 0.5f), OUTF(2, tiny + 1e-38f), OUTF(3, tiny * 1e10f), OUTF(4, tiny / 3), OUTF(5, sqrt(fabs(tiny)));
    OUTF(6, fma(tiny, 0.5f, -tiny)), OUT(7, tiny > 0), OUT(8, tiny == 0), OUTF(9, fmax(tiny, 0.0f)), OUTF(10, ldexp(tiny, 5));
    OUTF(11, floor(tiny));
}
CASE(zeros)
{
    IDS;
    const float v = x & 1 ? -0.0f : 0.0f, u = f[p] * 0;
    OUTF(0, v), OUTF(1, v + u), OUTF(2, -v), OUTF(3, 0 - v), OUTF(4, v * a), OUTF(5, u - v), OUTF(6, fabs(v)), OUTF(7, copysign(1.0f, v));
    OUTF(8, 1 / (v + 0.0f)), OUTF(9, sqrt(v)), OUTF(10, rint(v - 0.25f)), OUTF(11, v * -1);
}
CASE(not_contracted)
{
    IDS;
    const float u = f[p], v = f[(p + 1) & 4095], t = f[(p + 2) & 4095];
    const float product = u * v;
    OUTF(0, product + t), OUTF(1, u * v + t), OUTF(2, product - t), OUTF(3, t - u * v), OUTF(4, product), OUTF(5, fma(u, v, t));
    float sum = 0, other = 0;
    for (int q = 0; q < 6; q++) {
        sum += f[(p + q) & 4095] * a;
        const float e = f[(p + q) & 4095] * a;
        other = other + e;
    }
    OUTF(6, sum), OUTF(7, other), OUTF(8, u * u - v * v), OUTF(9, mad(u, v, t)), OUTD(10, d[p] * a + u), OUTF(11, -(u * v) + t);
}
CASE(order_of_sums)
{
    IDS;
    const float u = f[p], v = f[(p + 1) & 4095], t = f[(p + 2) & 4095];
    OUTF(0, u + v + t), OUTF(1, u + (v + t)), OUTF(2, (u + t) + v), OUTF(3, u - v - t), OUTF(4, u - (v - t)), OUTF(5, u / v / t);
    OUTF(6, u / (v / t)), OUTF(7, u * v * t), OUTF(8, u * (v * t)), OUTF(9, u * 2 / 3), OUTF(10, (u + u) + u), OUTF(11, u + 0.1 + 0.2f);
}
CASE(choices_of_floats)
{
    IDS;
    const float u = f[p], v = f[(p + 1) & 4095];
    OUTF(0, u < v ? u : v), OUTF(1, u > v ? u : v), OUTF(2, fmin(u, v)), OUTF(3, isnan(u) ? v : u), OUTF(4, select(u, v, (int)(x & 1)));
    OUTF(5, u >= v ? u : v), OUTF(6, !(u <= v) ? u : v), OUTF(7, u != v ? u : 0.0f), OUTF(8, x & 1 ? u : v), OUTD(9, d[p] < u ? d[p] : v);
    OUTF(10, u == u ? 1.0f : 2), OUTF(11, clamp(u, -1.0f, 1.0f));
}
CASE(functions_of_floats)
{
    IDS;
    const float u = f[p];
    float e, g;
    OUTF(0, exp(u)), OUTF(1, sin(u)), OUTF(2, pow(fabs(u), a)), OUTF(3, rsqrt(u)), OUTF(4, native_exp(u)), OUTF(5, half_recip(u));
    OUTF(6, fract(u, &e) + e), OUTF(7, modf(u, &g) + g), OUTF(8, fmod(u, 3.0f)), OUTF(9, atan2(u, a)), OUTF(10, cbrt(u)), OUTF(11, log2(u));
}
CASE(functions_with_integers)
{
    IDS;
    const float u = f[p];
    int e, quotient;
    OUTF(0, frexp(u, &e)), OUT(1, isfinite(u) ? e : 0), OUTF(2, ldexp(u, N(p) & 15)), OUTF(3, pown(u, p & 3)), OUTF(4, rootn(u, 3));
    OUT(5, isfinite(u) && u != 0 ? ilogb(u) : 0), OUTF(6, remquo(u, 2.5f, &quotient)), OUTF(7, nan(0u)), OUTF(8, logb(u));
}
CASE(half_floats)
{
    IDS;
    global const half *q = (global const half *)s;
    OUTF(0, vload_half(p, q)), OUTF(1, vload_half((p * 3) & 4095, q));
    vstore_half(f[p], 0, (global half *)(out + at * SLOTS + 2));
    vstore_half_rtz(f[p], 1, (global half *)(out + at * SLOTS + 2));
}

// ---- bits of one type as another -------------------------------------------------------------------------------------------

CASE(casts_of_bits)
{
    IDS;
    const float v = f[p];
    OUT(0, as_int(ONE_NAN(v))), OUT(1, as_uint(ONE_NAN(v)) >> 23 & 255), OUT(2, as_long(ONE_NAN(d[p])));
    OUTF(3, as_float(as_int(v) & 0x7fffffff)), OUTF(4, as_float(0x3f800000 | (N(p) & 0x7fffff))), OUTD(5, as_double(l[p]));
    OUTF(6, as_float(x << 23)), OUT(7, as_int((float)x)), OUT(8, as_uint(v) == 0x80000000u), OUT(9, as_short(as_ushort(s[p])));
    OUTF(10, as_float(x & 1 ? N(p) : 0x7f800000)), OUT(11, as_int(1.0f / (x + 1)));
}
CASE(fast_inverse_root)
{
    IDS;
    float v = fabs(f[p]) + 1e-3f;
    const float t = v * 0.5f;
    v = as_float(0x5f3759df - (as_int(v) >> 1));
    for (int q = 0; q < (B(p) & 3); q++)
        v = v * (1.5f - t * v * v);
    OUTF(0, v);
}
CASE(casts_of_vectors)
{
    IDS;
    const uint4 u = as_uint4(vload4(p & 1023, f));
    const uchar4 c = as_uchar4(N(p));
    const int2 e = as_int2(l[p]);
    const short4 t = as_short4(l[p]);
    OUT(0, isnan(f[4 * (p & 1023)]) ? 0 : u.x), OUT(1, c.x + c.y * 2 + c.z * 3 + c.w), OUT(2, e.x), OUT(3, e.y), OUT(4, t.s0 * t.s3);
    OUT(5, as_int((uchar4)(B(p), B(p + 1), 3, (uchar)x))), OUT(6, as_long((int2)(x, N(p)))), OUT(7, as_uint(c.wzyx));
}
typedef union {
    float f;
    uint u;
    uchar c[4];
} Any;
CASE(unions)
{
    IDS;
    Any v, e;
    v.f = f[p];
    e.u = N(p);
    OUT(0, isnan(v.f) ? 0 : v.u), OUT(1, e.c[0] + e.c[3] * 3);
    e.c[1] = B(p);
    OUT(2, e.u);
}
CASE(memory_read_as_other_types)
{
    IDS;
    global const uint *q = (global const uint *)l;
    global const uchar *c = (global const uchar *)n;
    global const short4 *t = (global const short4 *)s;
    OUT(0, q[p]), OUT(1, q[2 * p + 1]), OUT(2, c[p]), OUT(3, c[4 * p + 3]), OUT(4, t[p & 1023].w + t[p & 1023].x);
    OUT(5, *(global const long *)(n + 2 * (p >> 1))), OUT(6, ((global const char *)s)[p] >> 1);
    *(global uchar *)(out + at * SLOTS + 7) = c[p];
    *((global ushort *)(out + at * SLOTS + 7) + 1) = p;
}

// ---- control flow ------------------------------------------------------------------------------------------------------------

CASE(returns_in_loops)
{
    IDS;
    OUT(0, 1);
    for (int q = 0; q < 12; q++) {
        if (N(p + q) > 40) {
            OUT(1, q);
            return;
        }
        OUT(2, q);
        for (int r = 0; r < 3; r++)
            if (B(p + q + r) == 7) {
                OUT(3, r);
                return;
            }
    }
    OUT(4, 5);
}
int search(global const int *n, int p, int k)
{
    for (int q = 0; q < 20; q++) {
        const int v = n[(p + q) & 4095];
        if (v < -40)
            return q;
        if (v == k)
            return -v;
    }
    return 100;
}
CASE(returns_in_functions)
{
    IDS;
    int sum = 0;
    for (int q = 0; q < 4; q++)
        sum += search(n, p + q * 3, k) * (q + 1);
    OUT(0, sum), OUT(1, x & 1 ? search(n, p, 5) : search(n, p + 100, 6));
}
CASE(cases_that_fall_through)
{
    IDS;
    int v = 0;
    for (int q = 0; q < 3; q++)
        switch (N(p + q) & 7) {
        case 0:
            v += 1;
        case 1:
            v *= 3;
            break;
        case 5:
            continue;
        case 2:
        case 3:
            if (x & 1)
                break;
            v -= 7;
        default:
            v ^= 21;
            OUT(2, q);
        }
    OUT(0, v);
    switch (B(p)) {
    case 3:
        return;
    case 10 ... 90:
        v = 2;
    }
    OUT(1, v);
}
CASE(switch_of_longs)
{
    IDS;
    switch (l[p] & 0x300000003l) {
    case 0x100000001l:
        OUT(0, 1);
        break;
    case 0x300000000l:
        OUT(0, 2);
        return;
    case 2:
        OUT(1, 3);
    default:
        OUT(2, 4);
    }
    OUT(3, 5);
}
CASE(jumps)
{
    IDS;
    int v = N(p) & 63, steps = 0;
again:
    steps++;
    if (v > 10) {
        v -= 1 + (v & 7);
        goto again;
    }
    if (v < 5)
        goto end;
    v = 100;
end:
    OUT(0, v), OUT(1, steps);
}
CASE(loops_in_loops)
{
    IDS;
    int sum = 0, e = 0;
    for (int q = 0; q < (N(p) & 3) + 1; q++) {
        int r = B(p + q) & 7;
        do {
            if (r == 5)
                break;
            for (int t = r; t < 6; t++) {
                if (N(p + t) & 1)
                    continue;
                if (N(p + t + r) == 3)
                    goto out;
                sum += t * q;
            }
            e++;
        } while (r-- > 0);
        if (sum > 60)
            break;
    out:
        sum ^= q;
    }
    OUT(0, sum), OUT(1, e);
}
CASE(values_that_outlive_loops)
{
    IDS;
    int q, last = -1;
    float v = 0, before = 1;
    for (q = 0; q < 30; q++) {
        before = v;
        v += fabs(f[(p + q) & 4095]);
        if (v > 40)
            break;
        last = p + q;
    }
    OUT(0, q), OUT(1, last), OUTF(2, v), OUTF(3, before), OUT(4, q == 30);
    int r = x;
    while (r % 5)
        r++;
    OUT(5, r), OUT(6, N(r)), OUTF(7, f[r & 4095]);
}
CASE(counters_that_differ)
{
    IDS;
    long sum = 0;
    for (uint q = x; q < (uint)(x + 5); q += 2)
        sum = sum * 7 + N(q);
    for (int q = x; q >= 0; q -= 3)
        sum += q;
    for (uchar q = 250; q > 5; q++) // ends where it wraps
        sum ^= q;
    for (size_t q = p; q < 4096; q += WIDTH > 0 ? 512 : 1)
        sum += b[q];
    for (ulong q = 1; q < (ulong)N(p) % 1000 + 2; q *= 3)
        sum += q;
    OUT(0, sum);
}
CASE(collatz)
{
    IDS;
    uint v = (N(p) & 1023) + 1;
    int steps = 0;
    while (v != 1 && steps < 200) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        steps++;
    }
    OUT(0, steps), OUT(1, v);
}
CASE(mandelbrot)
{
    IDS;
    const float r = x * 0.03f - 2, i = y * 0.04f - 1 + f[p] * 1e-3f;
    float u = 0, v = 0;
    int steps = 0;
    for (; steps < 50 && u * u + v * v < 4; steps++) {
        const float t = u * u - v * v + r;
        v = 2 * u * v + i;
        u = t;
    }
    OUT(0, steps), OUTF(1, u), OUTF(2, v);
}
CASE(conditions_with_effects)
{
    IDS;
    int i = 0, v = N(p);
    if ((i = v & 7) > 3 && (v = N(p + 1)) > 0 || (i += 5) > 9)
        OUT(0, i);
    OUT(1, v), OUT(2, i);
    const int u = (v > 3 && N(i) > 2) ? (v > 20 ? 1 : N(i + 1)) : (v < -3 || B(p) > 9) ? 2 : 3;
    OUT(3, u);
    OUT(4, !(v > 3) == !(i > 3)), OUT(5, (v > 3) + (i > 3) * 2);
}

// ---- what a work-item stored itself ------------------------------------------------------------------------------------------

CASE(reads_what_it_stored)
{
    IDS;
    global uint *own = (global uint *)(out + at * SLOTS);
    own[0] = N(p);
    if (p & 1)
        own[0] += 7;
    own[1] = own[0] * 2;
    for (int q = 0; q < (B(p) & 7); q++)
        own[2 + (q & 1)] = own[1] + q;
    own[4 + (N(p) & 3)] = 9;
    own[8] = own[4] + own[5];
    OUT(5, own[0] - own[1]);
}
CASE(stores_bytes_and_reads_words)
{
    IDS;
    global uchar *own = (global uchar *)(out + at * SLOTS);
    for (int q = 0; q < 8; q++)
        own[q] = B(p + q);
    OUT(1, *(global int *)own), OUT(2, out[at * SLOTS]);
    own[3] = x;
    OUT(3, *(global short *)(own + 2));
}
CASE(stores_where_others_do_not)
{
    IDS;
    if (N(p) > 0)
        OUT(0, 1);
    else if (B(p) & 1)
        OUT(1, 2);
    if (x & 1)
        OUT(2 + (B(p) & 7), 3);
    if ((x & 7) == 7)
        OUTF(10, f[p]);
    if (x > w)
        OUT(11, 1);
}

CASE(arrays_that_begin_under_masks)
{
    IDS;
    int sum = 0, u[8] = {5, 6, 7};
    for (int i = 0; i < (x & 3) + 1; i++) {
        int t[8] = {1, 2, 3, 4}, z[4] = {0};
        t[N(x + i) & 7] += i + k;
        z[x & 3] = i;
        sum = sum * 3 + t[(x + i) & 7] + z[i & 3];
        if (N(x) & 1) {
            short e[8] = {0};
            e[(x + k) & 7] = i;
            u[e[i & 7] & 7] += e[x & 7];
        }
    }
    OUT(0, sum), OUT(1, u[x & 7]);
}

// ---- private memory, structures, vectors ----------------------------------------------------------------------------------

void order(int *a, int *b)
{
    if (*a > *b) {
        const int t = *a;
        *a = *b;
        *b = t;
    }
}
CASE(pointers_to_variables)
{
    IDS;
    int u = N(p) / 2, v = N(p + 1), t = N(p + 2), *which = p & 1 ? &u : &v;
    order(&u, &v), order(&v, &t), order(&u, &v);
    *which ^= 1000;
    OUT(0, u), OUT(1, v), OUT(2, t);
}
CASE(sorted_in_an_array)
{
    IDS;
    int e[9];
    for (int q = 0; q < 9; q++)
        e[q] = N(p + q * 5);
    for (int q = 1; q < 9; q++) {
        int r = q;
        const int v = e[q];
        for (; r > 0 && e[r - 1] > v; r--)
            e[r] = e[r - 1];
        e[r] = v;
    }
    OUT(0, e[4]), OUT(1, e[0]), OUT(2, e[8]), OUT(3, e[B(p) & 7]);
}
CASE(array_of_bytes)
{
    IDS;
    uchar c[16] = {0};
    short t[8];
    for (int q = 0; q < 16; q++)
        c[B(p + q) & 15]++;
    for (int q = 0; q < 8; q++)
        t[q] = c[q] * 300 - c[15 - q];
    if (p & 1)
        t[x & 7] = -1;
    OUT(0, c[3]), OUT(1, t[5]), OUT(2, t[B(p) & 7] + c[N(p) & 15]);
}
CASE(stack_that_varies)
{
    IDS;
    int stack[16], top = 0, sum = 0;
    stack[top++] = p;
    while (top > 0 && sum < 500) {
        const int v = stack[--top];
        sum += (v & 15) + 1;
        if ((N(v) & 1) && top < 14) {
            stack[top++] = v + 1;
            stack[top++] = v * 3 & 4095;
        } else if (N(v) & 2)
            stack[top++] = (v & 2047) + 7;
    }
    OUT(0, sum), OUT(1, top);
}
typedef struct {
    float x, y;
    int tag;
    short s[3];
} Point;
Point middle(Point u, Point v)
{
    Point m = u;
    m.x = (u.x + v.x) / 2;
    m.y = (u.y + v.y) / 2;
    m.s[1] = v.s[2];
    if (v.tag < u.tag)
        m.tag = v.tag;
    return m;
}
CASE(structures_by_value)
{
    IDS;
    Point u = {f[p], f[(p + 1) & 4095], N(p), {1, 2, s[p]}}, v = {a, 2, N(p + 1), {4, 5, (short)x}};
    Point m = middle(u, v);
    for (int q = 0; q < (B(p) & 3); q++)
        m = middle(m, q & 1 ? u : v);
    OUTF(0, m.x), OUTF(1, m.y), OUT(2, m.tag), OUT(3, m.s[1] + m.s[0]);
}
CASE(complex_numbers)
{
    IDS;
    float2 v = (float2)(f[p] * 1e-3f, a), u = v;
    for (int q = 0; q < 5; q++) {
        u = (float2)(u.x * v.x - u.y * v.y, u.x * v.y + u.y * v.x);
        if (u.x * u.x + u.y * u.y > 100)
            u = u / 10;
    }
    OUTF(0, u.x), OUTF(1, u.y), OUTF(2, dot(u, v)), OUTF(3, length(v));
}
CASE(masks_of_vectors)
{
    IDS;
    const float4 u = vload4(p & 1023, f), v = vload4((p + 1) & 1023, f);
    const int4 m = u < v, e = vload4(p & 1023, n);
    const float4 t = select(u, v, m), g = m ? u : v;
    OUTF(0, t.x), OUTF(1, g.w), OUT(2, any(m)), OUT(3, all(e > 0)), OUT(4, (m & e).z), OUT(5, (e == 0).y + (u == v).x);
    OUT(6, convert_uchar4_sat(u).s2), OUTF(7, max(u, v).s1), OUT(8, isnan(u).x), OUTF(9, clamp(u, 0.0f, 1.0f).w);
}
constant float filter[] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
constant int steps[2][3] = {{1, -2, 3}, {-4, 5, -6}};
constant uchar small[4] = {255, 128, 1, 0};
constant float2 pairs[] = {(float2)(1, 2), (float2)(-0.5f, 3), (float2)(7, 0), (float2)(0.25f, -9)};
constant int2 directions[3][2] = {{(int2)(1, 0), (int2)(0, 1)}, {(int2)(-1, 0), (int2)(0, -1)}, {(int2)(1, 1), (int2)(2, 3)}};
CASE(tables_of_vectors)
{
    IDS;
    const float2 q = pairs[x & 3] * pairs[k & 3].yx;
    const int2 e = directions[(x + y) % 3][k & 1] + directions[h % 3][1];
    OUTF(0, q.x), OUTF(1, q.y), OUT(2, e.x), OUT(3, e.y), OUT(4, pairs[y & 3].x > a);
}
CASE(tables_of_constants)
{
    IDS;
    float sum = 0;
    for (int q = 0; q < 5; q++)
        sum += filter[q] * f[(p + q) & 4095];
    OUTF(0, sum), OUT(1, steps[p & 1][B(p) % 3]), OUT(2, small[N(p) & 3] - small[x & 3]), OUTF(3, filter[B(p) % 5]);
    const int own[4] = {5, -5, 55, -55};
    OUT(4, own[x & 3]), OUT(5, own[k & 3] + steps[k & 1][y % 3]);
}

CASE(either_of_two)
{
    IDS;
    const int u = N(p), v = N(p + 1), m = B(p);
    const long c = u > 40 || v > 40 ? (long)x * 3 : (long)m - y, e = u > 40 && v > 40 ? m + 7 : y;
    OUT(0, c), OUT(1, e), OUT(2, u > 40 || v > 40 || m > 90 ? m : -u), OUT(3, (u > 40 && v > 40) || m > 90 ? v : u);
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += N(p + i) > 40 || N(p - i) > 40 ? i * m : v - i;
    OUT(4, sum);
}

CASE(counter_of_those_who_left)
{
    IDS;
    int c = 0, i = 0;
    for (; i < h + 5; i++, c++)
        if (N(p + i) > 20)
            break;
    OUT(0, c);
}

CASE(bound_of_those_who_left)
{
    IDS;
    int i = 0, v = 1;
    bool c;
    do {
        c = x + i * 7 < w;
        i++;
    } while (N(p + i) < 20 && i < 60);
    if (c)
        v = N(p + 3) + N(v);
    OUT(0, v);
}
CASE(choice_of_those_who_left)
{
    IDS;
    int i = 0;
    bool c, e;
    do {
        c = x + i * 7 < w;
        e = (x + i * 3 < w) & (h > i);
        i++;
    } while (N(p + i) < 20 && i < 60);
    const int u = n[c ? x + 5 : x + 9];
    OUT(0, u), OUT(1, n[e ? x + 5 : x + 9]);
}

CASE(left_on_one_side)
{
    IDS;
    int i = 0, e = 0;
    while (1) {
        if (k & 1) {
            if (N(p + i) > 20)
                break;
        } else {
            if (N(p + i) > 30)
                break;
            e += N(i + e) & 15;
        }
        e = e * 3 + i;
        i++;
    }
    OUT(0, e), OUT(1, i);
}

int weight_of(int i)
{
    const int t[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    return t[i & 7];
}
CASE(array_in_condition)
{
    IDS;
    int q = 0;
    while (q < weight_of(x + q))
        q += 2;
    OUT(0, q);
}

CASE(truths_that_live_on)
{
    IDS;
    bool c = false, positive = true;
    int i = 0;
    for (; i < 7; i++) {
        positive = i > k;
        c ^= N(p + i) > 0;
        if (N(p + i) > 30)
            break;
        c |= positive && x > w;
    }
    OUT(0, c), OUT(1, positive), OUT(2, c ? i : -i), OUT(3, c && positive ? N(i) : B(i));
}

CASE(first_is_not_here)
{
    IDS;
    long v = 4;
    if (x > 1 && (N(p) & 2))
        v = (long)(INT_MIN + x - 2) * 3;
    OUT(0, v);
    if (x >= k && x < k + 3)
        OUT(1, (long)((x - k) * 1000000000) / 7);
}

CASE(others_wait_behind_the_loop)
{
    IDS;
    int v;
    OUT(3, 1);
    if (N(p) > 0) {
        v = n[x];
    } else {
        for (int i = 0;; i++) {
            if (n[i] > 20) {
                v = n[i + 1];
                break;
            }
            if (i > h) {
                v = N(p + 1) * i;
                break;
            }
        }
    }
    OUT(0, v);
}

CASE(jump_out_of_two)
{
    IDS;
    int sum = 0, i = 0, j = 0;
again:
    j = 0;
inner:
    sum += i * 10 + j;
    if (j == k) {
        sum ^= 77;
        if (i == (h & 3) + 1)
            goto end;
        sum += n[i];
        goto next;
    }
    if (++j < 5)
        goto inner;
next:
    sum *= 3;
    if (++i < 6)
        goto again;
end:
    OUT(0, sum);
}

CASE(left_with_something_done)
{
    IDS;
    for (int i = 0; i < 8; i++) {
        if (N(p + i) > 40) {
            OUT(0, i), OUT(1, x * 5 + y);
            break;
        }
        if (N(p - i) > 60) {
            OUT(2, x * 7 - i);
            break;
        }
    }
    OUT(3, x);
}

CASE(left_once_others_have_stored)
{
    IDS;
    for (int i = 0; i < 8; i++) {
        if ((N(p + i) & 3) == 0) {
            out[at * SLOTS] += i + 1;
            break;
        }
        if ((N(p + i) & 7) == 5) {
            out[at * SLOTS + 1] += n[min(x + 1, 9)];
            break;
        }
        if ((N(p + i) & 7) == 3) {
            if (x < 5)
                out[at * SLOTS + 2] += 7;
            break;
        }
    }
    OUT(3, x);
}

CASE(counters_that_show_when_left)
{
    IDS;
    int i, last = -1, more = 0;
    uint u = x & 3; // not the same for all
    for (i = 0; i < 9; i++, u += 3) {
        if ((N(p + i) & 3) == 1) {
            last = i * 3;
            break;
        }
        if ((N(p + 2 * i) & 7) == 6) {
            more = i + 1;
            last = more * more + (int)u;
            break;
        }
    }
    OUT(0, i), OUT(1, last), OUT(2, more), OUT(3, u);
}
CASE(counters_of_outer_loops)
{
    IDS;
    int i, j = 0, sum = 0, found = -1;
    for (i = 0; i < 6 && found < 0; i++) {
        for (j = i; j < 9; j++) {
            const int v = n[i * 16 + j]; // the same for all who are there
            if (((v ^ N(p)) & 15) == 3)
                break;
            if (((v + N(p + 1)) & 63) == 9) {
                found = 100 * i + j;
                break;
            }
            sum += v & 31;
        }
        if ((N(p + i) & 15) == 7)
            break;
        sum += j;
    }
    OUT(0, i), OUT(1, j), OUT(2, sum), OUT(3, found);
}
CASE(counters_on_the_way_out)
{
    IDS;
    int steps = 0, twice = 0;
    long sum = 0;
    while (1) {
        const int next = steps + 2;
        if (steps > 9)
            break;
        if ((N(p + steps) & 7) == 2) {
            twice = 2 * next; // also used behind the loop
            if (twice & 4)
                OUT(5, n[steps] + twice);
            else
                OUT(6, n[next]);
            break;
        }
        sum += n[steps];
        steps = next;
    }
    OUT(0, steps), OUT(1, twice), OUT(2, sum), OUT(3, twice ? n[twice] : -1);
}
CASE(pointers_that_count)
{
    IDS;
    int met = 0, k2 = 0;
    for (global const int *from = n; k2 < 20; from++, k2++) {
        const int v = *from;
        if ((v & 7) == (N(p) & 7)) {
            met = v + 1;
            break;
        }
        if (((v >> 3) & 15) == (N(p + 1) & 15))
            break;
    }
    OUT(0, met), OUT(1, k2);
}
CASE(states_of_loops)
{
    IDS;
    int i = 0, previous = -1, before = -2, out_of = -3;
    do {
        if ((N(p + i) & 7) > 5) {
            out_of = before;
            break;
        }
        before = previous;
        previous = i;
        i += i < 5 ? 1 : 2;
    } while (i < 14 && (N(p ^ i) & 15) != 4);
    OUT(0, i), OUT(1, previous), OUT(2, before), OUT(3, out_of);
}

// ---- pointers ------------------------------------------------------------------------------------------------------------------

CASE(pointers_that_move)
{
    IDS;
    global const int *q = n + p, *end = n + 4096;
    int sum = 0;
    while (q < end && sum < 300) {
        sum += *q & 63;
        q += 1 + (*q & 3);
    }
    OUT(0, sum), OUT(1, q - n), OUT(2, q == end);
}
CASE(pointer_chosen)
{
    IDS;
    global const float *q = k & 1 ? f : f + 8;
    global const int *r = x & 1 ? n : n + 64;
    OUTF(0, q[p & 2047]), OUT(1, r[p & 2047]), OUT(2, r[3]), OUT(3, r - n);
}
CASE(restricted)
{
    IDS;
    global const int *restrict q = n;
    global int *restrict to = (global int *)(out + at * SLOTS);
    to[0] = q[p];
    to[1] = q[(p + 1) & 4095] ^ to[0];
    to[2] = q[p] & to[1];
}
CASE(fused_scalars)
{
    IDS;
    float u = f[y & 15], v = f[(y & 15) + 1], c = f[p];
    OUTF(0, u * v + c), OUTF(1, c - u * u), OUTF(2, u * u + v * v + c * c);
}
CASE(types_choose_functions)
{
    IDS;
    const char c = n[k & 15], e = n[y & 15];
    const short t = s[k & 15], u = s[p];
    OUT(0, popcount(select(c, e, (char)(k > 2)))), OUT(1, clz(select(t, (short)5, (short)(h & 1))));
    OUT(2, popcount(select(u, t, (short)(p & 1)))), OUT(3, mul_hi(select(t, u, (short)(w & 1)), t));
    OUT(4, (ulong)(uint)ilogb(a / 1000)), OUT(5, (uint)ilogb(f[p] / 65536) >> 3), OUT(6, (uint)ilogb(f[k & 7] / 65536) / 3u);
    OUTF(7, (float)(uint)ilogb(f[k & 7] / 65536));
}

// ---- rows ----------------------------------------------------------------------------------------------------------------------

#define ROW const int row = (at & 63) * 60, m = min(k + 8 * (h & 7), 60)

CASE(rows_of_types)
{
    IDS;
    ROW;
    float sum = a;
    double more = 0;
    uint i = 0;
    uint u = 7;
    long t = 0;
    for (int j = 0; j < m; j++)
        sum = sum * 0.5f + f[row + j];
    for (int j = 0; j < m; j++)
        more = more * 0.25 + d[row + j];
    for (int j = 0; j < m; j++)
        i = i * 31 ^ n[row + j];
    for (int j = 0; j < m; j++)
        u = u * 5 + b[row + j];
    for (int j = 0; j < m; j++)
        t = (t << 1) - s[row + j];
    OUTF(0, sum), OUTD(1, more), OUT(2, i), OUT(3, u), OUT(4, t);
    for (int j = 0; j < m; j++)
        t = t * 3 + l[row + j];
    OUT(5, t);
}
CASE(rows_at_steps)
{
    IDS;
    ROW;
    float sum = 0, other = 0;
    for (int j = 0; j < m; j++)
        sum = sum * a + f[x * 20 + j] - f[2 * x + j];
    for (int j = 0; j < m; j++)
        other = other * a + f[4000 - 20 * x - 60 + j] * f[row + j] + f[p * 0 + j];
    OUTF(0, sum), OUTF(1, other);
}
CASE(rows_with_bounds)
{
    IDS;
    ROW;
    uint one = 0, two = 0, three = 0, four = 0, five = 0, six = 0, seven = 0;
    const uint v = m;
    for (int j = k; j <= m - 1; j++)
        one = one * 31 + n[row + j];
    for (int j = -5;; j++) {
        if (j >= m - 5)
            break;
        two = two * 31 + (n + 5)[row + j];
    }
    for (size_t j = 0; j < v; j++)
        three = three * 31 + n[row + j];
    for (long j = k; j < m; j++)
        four = four * 31 + n[row + j];
    for (uint j = 0; j < v; j++)
        five = five * 31 + n[row + j];
    for (ushort j = 0; j < m; j++)
        six = six * 31 + n[row + j];
    for (int j = 0; m > j; ++j)
        seven = seven * 31 + n[row + j];
    OUT(0, one), OUT(1, two), OUT(2, three), OUT(3, four), OUT(4, five), OUT(5, six), OUT(6, seven);
}
CASE(rows_beside_stores)
{
    IDS;
    ROW;
    global float *to = (global float *)(out + at * SLOTS);
    for (int j = 0; j < 8; j++)
        to[j] = 0;
    for (int j = 0; j < m; j++) {
        to[0] += f[row + j] * a;
        to[j & 7] -= f[row + j] * f[j];
    }
    for (int j = 0; j < 8; j++)
        to[j] = ONE_NAN(to[j]);
}
CASE(rows_that_are_stored)
{
    IDS;
    global int *to = (global int *)(out + at * SLOTS);
    for (int j = 0; j < 22; j++)
        to[j] = j + p;
    for (int j = 0; j < 20; j++)
        to[j + 2] = (to[j + 2] & 65535) + to[j] % 100;
}
CASE(rows_not_always)
{
    IDS;
    ROW;
    uint one = 0, two = 0, three = 0;
    for (int j = 0; j < m; j++) {
        if ((j ^ k) & 1)
            one = one * 31 + n[row + j];
        if (j == 11)
            continue;
        two = two * 7 + n[row + j + 1];
    }
    for (int j = 0; j < m; j++) {
        three = three * 31 + n[row + j];
        if (j == h)
            break;
    }
    OUT(0, one), OUT(1, two), OUT(2, three);
}
CASE(rows_and_more)
{
    IDS;
    ROW;
    uint u = 1, v = 2, sum = 0;
    int j, most = INT_MIN;
    for (j = k; j < m; j++) {
        const uint next = u + n[row + j];
        u = v;
        v = next;
        if (n[row + j] > most)
            most = n[row + j];
    }
    OUT(0, u), OUT(1, v), OUT(2, j), OUT(3, most);
    for (int i = 0; i < 3; i++) {
        uint part = i;
        for (j = 0; j < m - 8 * i; j++)
            part = part * 3 + n[row + 8 * i + j] * n[i * 60 + j];
        sum = sum * 31 + part;
    }
    OUT(4, sum), OUT(5, j);
}
CASE(rows_of_some)
{
    IDS;
    ROW;
    uint sum = 0, other = 0;
    if (n[p] & 1)
        for (int j = 0; j < m; j++)
            sum = sum * 31 + n[row + j];
    if (k & 1)
        for (int j = 0; j < m; j++)
            other = other * 31 + n[row + j];
    OUT(0, sum), OUT(1, other);
    uint chosen = 0;
    for (int j = 0; j < m; j++)
        chosen = chosen * 3 + n[min(row, 3000) + j] + n[(x < 2 ? 100 : row) + j];
    OUT(2, chosen);
}
CASE(rows_of_unsigned_places)
{
    IDS;
    ROW;
    const uint u = at & 63, v = m;
    uint one = 0, two = 0;
    double three = 0;
    for (uint j = 0; j < v; j++)
        one = one * 31 + n[u * 60 + j];
    for (int j = k; j < m; j++)
        two = two * 31 + b[j + u * 60u] * s[u * 60 + j - 1 + 1];
    for (ushort j = 0; j < v; j++)
        three = three * 0.5 + d[u * 60 + j];
    OUT(0, one), OUT(1, two), OUTD(2, three);
}
CASE(rows_counted_by_large_numbers)
{
    IDS;
    const uint u = at & 63, of = k + 60, v = max((uint)k, 4294967280u), e = v + 11;
    const int c = k - 16, g = k - 5;
    uint one = 0, two = 0;
    for (uint j = v; j < (uint)g; j++) // of a counter and a bound of which only one is unsigned
        one = one * 31 + n[u * of + (j - v)];
    for (int j = c; j < e; j++)
        two = two * 31 + n[u * of + (uint)(j - c)];
    OUT(0, one), OUT(1, two);
}
CASE(rows_in_arrays)
{
    IDS;
    ROW;
    int kept[8] = {0};
    for (int j = 0; j < m; j++)
        kept[n[row + j] & 7] += j;
    for (int j = 0; j < 8; j++)
        OUT(j, kept[j]);
}

// ---- interleaved ---------------------------------------------------------------------------------------------------------------

CASE(elements_in_turn)
{
    IDS;
    global int *to = (global int *)(out + at * SLOTS);
    const int i = x, j = y * 128;
    to[0] = n[2 * i] % 64 * 31 ^ n[2 * i + 1];
    to[1] = n[3 * i + 2] % 64 * 31 - n[3 * i] % 99 * 7 + n[3 * i + 1] / 4;
    to[2] = (uint)n[4 * (i + 1) - 1] + n[4 * i] * 3u + n[4 * i + 2] * 5u + n[4 * i + 1] * 7u;
    to[3] = n[2 * i + j] + n[1 + 2 * i + j] * 3u;
    to[4] = b[2 * i] * 256 + b[2 * i + 1] + s[2 * i] * 5 + s[2 * i + 1];
    to[5] = (uint)n[2 * i] + n[2 * i + 2]; // none between
    to[6] = (uint)n[2 * i - 1 & 4095] + n[2 * i];
    to[7] = (uint)n[5 * i] + n[5 * i + 1] + n[5 * i + 2] + n[5 * i + 3] + n[5 * i + 4];
    const float2 c = vload2(i, f), e = vload2(i + k, f);
    const double2 g = vload2(i, d);
    const float4 q = vload4(i, f);
    const float3 r = vload3(i, f + 1);
    OUTF(4, c.x * e.x - c.y * e.y), OUTF(5, c.x * e.y + c.y * e.x), OUTD(6, g.x - g.y * a);
    OUTF(7, q.x + q.y * a + q.z * q.w), OUTF(8, r.x * a + r.y - r.z);
}
CASE(stored_in_turn)
{
    IDS;
    global int *to = (global int *)out;
    global float *real = (global float *)out;
    const int first = 2 * SLOTS * WIDTH * HEIGHT * z, wide = WIDTH * HEIGHT, me = y * WIDTH + x;
    to[first + 2 * me] = n[p], to[first + 2 * me + 1] = n[p] % 1000 * k;
    vstore4((float4)(a, k, h, N(p + 1) & 63), 0, real + first + 2 * wide + 4 * me);
    to[first + 6 * wide + 3 * me + 1] = p, to[first + 6 * wide + 3 * me + 2] = n[p ^ 1], to[first + 6 * wide + 3 * me] = 5;
    to[first + 9 * wide + 2 * me + 1] = n[p]; // loads in between
    to[first + 9 * wide + 2 * me] = (uint)n[p ^ 3] + to[first + 9 * wide + 2 * me + 1];
    to[first + 11 * wide + 2 * me] = 1; // twice
    to[first + 11 * wide + 2 * me] = p;
    to[first + 11 * wide + 2 * me + 1] = k;
    if (n[p] & 1)
        vstore2((float2)(a, p), 0, real + first + 13 * wide + 2 * me);
    to[first + 15 * wide + 2 * me] = n[p & 7];
    if (k & 1)
        to[first + 15 * wide + 2 * me + 1] = n[p & 7] / 2 + 1;
}
