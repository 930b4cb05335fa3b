/* constructs.cl - what the language has besides operators and built-in functions, for sizes.py.
 *
 * A kernel's first letter says what it reads (sizes.c).  `u` after it: there are work-items for which the language
 * leaves the result open, and yet programs do such things. */
#define I   (get_global_id(1) * get_global_size(0) + get_global_id(0))
#define ARGS(T) __global const T *x, __global const T *y, __global const T *z, __global uint *out
#define START int i = I; out += 256 * i

/* ---- loops -------------------------------------------------------------------------------------------- */

__kernel void f_sum_loop(ARGS(float))
{
    START;
    float s = 0;
    for (int k = 0; k < 37; k++)
        s += x[(i + k * 7) % 5440] * 1.0001f;
    out[0] = as_uint(s);
}
__kernel void f_sum_of_row(ARGS(float))
{
    START;
    float s = 0;
    for (int k = 0; k < 16; k++)
        s += x[i * 16 + k] * y[i + k];
    out[0] = as_uint(s);
}
__kernel void f_trips_by_data(ARGS(float))
{
    START;
    float s = 1;
    int n = as_int(y[i]) & 31;
    for (int k = 0; k < n; k++)
        s = s * x[i] + z[k];
    out[0] = as_uint(s);
}
__kernel void f_sum_first_leaves(ARGS(float))
{
    START;
    if (i < 3)
        return;
    float s = 0;
    for (int k = 0; k < 20 + (as_int(z[0]) & 7); k++)
        s += x[i + k] * 1.0001f;
    out[0] = as_uint(s);
}
__kernel void f_early_exit(ARGS(float))
{
    START;
    float s = x[i];
    int k;
    for (k = 0; k < 40; k++) {
        s = s * 0.75f + 0.1f;
        if (s < y[i])
            break;
        if (k % 3 == 1)
            continue;
        s -= z[k];
    }
    out[0] = as_uint(s);
    out[1] = k;
}
__kernel void f_while_float(ARGS(float))
{
    START;
    float s = fabs(x[i]);
    int k = 0;
    while (s > 0.01f && k < 100) {
        s *= 0.7f;
        k++;
    }
    out[0] = as_uint(s);
    out[1] = k;
}
__kernel void f_newton(ARGS(float))
{
    START;
    float a = fabs(x[i]) + 0.5f, r = a;
    for (int k = 0; k < 30; k++) {
        float n = 0.5f * (r + a / r);
        if (fabs(n - r) < 1e-6f * r)
            break;
        r = n;
    }
    out[0] = as_uint(r);
}
__kernel void f_float_counter(ARGS(float))
{
    START;
    float s = 0;
    for (float t = 0; t < 1.0f; t += 0.0625f)
        s += t * x[i];
    out[0] = as_uint(s);
}
__kernel void f_prefix_sum(ARGS(float))
{
    START;
    float s = 0;
    __global float *o = (__global float *)out;
    for (int k = 0; k < 64; k++) {
        s += x[(i + k) % 5440];
        o[k] = s;
    }
}
__kernel void f_kahan(ARGS(float))
{
    START;
    float s = 0, c = 0;
    for (int k = 0; k < 50; k++) {
        float v = x[(i * 3 + k) % 5440] - c, t = s + v;
        c = (t - s) - v;
        s = t;
    }
    out[0] = as_uint(s);
    out[1] = as_uint(c);
}
__kernel void f_greatest(ARGS(float))
{
    START;
    float m = -INFINITY, n = INFINITY, p = x[i];
    int at = -1;
    for (int k = 0; k < 48; k++) {
        float v = x[(i + k) % 5440];
        m = fmax(m, v);
        n = v < n ? v : n;
        if (v > p) {
            p = v;
            at = k;
        }
    }
    out[0] = as_uint(m);
    out[1] = as_uint(n);
    out[2] = as_uint(p);
    out[3] = at;
}
__kernel void f_horner(ARGS(float))
{
    START;
    float r = 0;
    for (int k = 0; k < 12; k++)
        r = r * x[i] + y[k];
    out[0] = as_uint(r);
    out[1] = as_uint(fma(x[i], y[i], z[i]));
    out[2] = as_uint(x[i] * y[i] + z[i]);
    out[3] = as_uint(x[i] * y[i] - x[i] * z[i]);
}
__kernel void f_nested(ARGS(float))
{
    START;
    float s = 0;
    for (int j = 0; j < 5; j++)
        for (int k = j; k < 9; k++)
            s += x[(i + j * 16 + k) % 5440] / (1 + k);
    out[0] = as_uint(s);
}
__kernel void f_mandelbrot(ARGS(float))
{
    START;
    float cr = (i % 85) / 40.0f - 1.5f, ci = (i / 85) / 32.0f - 1.0f, zr = 0, zi = 0;
    int n = 0;
    while (zr * zr + zi * zi < 4 && n < 60) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
    }
    out[0] = n;
    out[1] = as_uint(zr);
}
__kernel void i_hash_loop(ARGS(uint))
{
    START;
    uint h = x[i];
    for (int k = 0; k < (int)(y[i] & 15); k++)
        h = (h ^ (h >> 13)) * 0x5bd1e995u;
    out[0] = h;
    out[1] = as_uint((float)h * 0x1p-32f);
}
__kernel void i_gcd(ARGS(uint))
{
    START;
    uint a = x[i] & 0xffff, b = y[i] & 0xffff;
    while (b) {
        uint t = a % b;
        a = b;
        b = t;
    }
    out[0] = a;
}
__kernel void i_binary_search(ARGS(int))
{
    START;
    int lo = 0, hi = 5440, v = x[i] & 0x7fffffff;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (m * 394758 < v)
            lo = m + 1;
        else
            hi = m;
    }
    out[0] = lo;
}

/* ---- branches ----------------------------------------------------------------------------------------- */

__kernel void f_divergent(ARGS(float))
{
    START;
    float r;
    if (x[i] > 1)
        r = sqrt(x[i]) / y[i];
    else if (x[i] > 0)
        r = exp(x[i]) * z[i];
    else if (y[i] < z[i])
        r = y[i] * x[i] + z[i];
    else
        r = z[i];
    out[0] = as_uint(r);
}
__kernel void f_leaves(ARGS(float))
{
    START;
    out[0] = 1;
    if (isnan(x[i]))
        return;
    out[0] = as_uint(x[i] + y[i] * 0.3f);
    if (x[i] > 100)
        return;
    out[1] = as_uint(x[i] / y[i]);
}
__kernel void i_switch(ARGS(int))
{
    START;
    float r = 0;
    switch (x[i] & 7) {
    case 0:
        r = 1;
        break;
    case 1:
        r = y[i] * 0.5f;
    case 2:
        r += z[i];
        break;
    case 5:
        r = 1.0f / (1 + (y[i] & 15));
        break;
    default:
        r = -1;
    }
    out[0] = as_uint(r);
}
__kernel void f_shorted(ARGS(float))
{
    START;
    out[0] = (x[i] > 0 && 1 / x[i] < y[i]) || z[i] != z[i] ? 3 : 4;
    out[1] = as_uint(x[i] > y[i] ? x[i] - y[i] : y[i] - x[i]);
}
__kernel void f_goto_end(ARGS(float))
{
    START;
    float v = x[i];
    for (int k = 0; k < 8; k++)
        for (int j = 0; j < 8; j++) {
            v = v * 0.9f + y[k * 8 + j];
            if (v > 50)
                goto end;
        }
end:
    out[0] = as_uint(v);
}

/* ---- private memory, structs -------------------------------------------------------------------------- */

__kernel void f_array(ARGS(float))
{
    START;
    float a[16];
    for (int k = 0; k < 16; k++)
        a[k] = x[i * 16 + k];
    for (int k = 0; k < 20; k++)
        a[as_uint(y[(i + k) % 5440]) & 15] += z[k] * 0.5f;
    float s = 0;
    for (int k = 0; k < 16; k++)
        s = s * 0.5f + a[k];
    out[0] = as_uint(s);
    out[1] = as_uint(a[as_uint(z[i]) & 15]);
}
__kernel void f_sorted(ARGS(float))
{
    START;
    float a[9];
    for (int k = 0; k < 9; k++)
        a[k] = x[(i + k * 3) % 5440];
    for (int j = 0; j < 9; j++)
        for (int k = 0; k + 1 < 9 - j; k++)
            if (a[k] > a[k + 1]) {
                float t = a[k];
                a[k] = a[k + 1];
                a[k + 1] = t;
            }
    out[0] = as_uint(a[4]);
    out[1] = as_uint(a[0]);
}
struct body {
    float4 at;
    float mass;
    int id[3];
};
static struct body moved(struct body b, float by)
{
    b.at.x += by;
    b.id[1]++;
    return b;
}
__kernel void f_structs(ARGS(float))
{
    START;
    struct body b = {(float4)(x[i], y[i], z[i], 1), x[i] * y[i], {i, 2, 3}}, c = b, d[3];
    c = moved(b, z[i]);
    d[0] = b, d[1] = c, d[2] = moved(c, 1);
    struct body e = d[as_uint(x[i]) % 3];
    vstore4(e.at, 0, (__global float *)out);
    out[4] = as_uint(e.mass);
    out[5] = e.id[1];
}
union word {
    float f;
    uint u;
    uchar c[4];
};
__kernel void f_union(ARGS(float))
{
    START;
    union word w;
    w.f = x[i];
    w.c[i & 3] ^= 0x55;
    out[0] = w.u;
    out[1] = as_uint(w.f + 1);
}
__kernel void i_bytes(ARGS(uint))
{
    START;
    uchar b[16];
    for (int k = 0; k < 16; k++)
        b[k] = x[i] >> (k & 3) * 8;
    for (int k = 0; k < 16; k++)
        b[(k * 5 + (y[i] & 3)) & 15] += b[k] >> 1;
    uint s = 0;
    for (int k = 0; k < 16; k++)
        s = s * 31 + b[k];
    out[0] = s;
}
__constant float table[8] = {0.1f, 0.2f, 0.3f, 0.5f, 0.7f, 1.1f, 1.3f, 1.7f};
__kernel void i_table(ARGS(uint))
{
    START;
    float s = 0;
    for (int k = 0; k < 9; k++)
        s += table[(x[i] + k) & 7] * k;
    out[0] = as_uint(s);
}
__kernel void f_writes_own(ARGS(float))
{
    START;
    __global float *o = (__global float *)out;
    o[0] = x[i];
    for (int k = 1; k < 20; k++)
        o[k] = o[k - 1] * y[i] + z[k];
}
__kernel void f_vectors(ARGS(float))
{
    START;
    float4 a = vload4(i, x), b = vload4(i, y), s = 0;
    for (int k = 0; k < 7; k++) {
        s += a * b + z[k];
        a = a.yzwx;
        b.s0 = s.s3;
    }
    vstore4(s, 0, (__global float *)out);
    vstore3(s.xyz / a.zyx, 2, (__global float *)out);
    out[12] = as_uint(dot(a, b));
}
__kernel void f_halves(ARGS(float))
{
    START;
    __global half *o = (__global half *)out;
    vstore_half(x[i], 0, o);
    vstore_half_rtz(x[i], 1, o);
    vstore_half_rtp(x[i], 2, o);
    vstore_half_rtn(x[i], 3, o);
    vstore_half4(vload4(i, x), 1, o);
    vstorea_half4_rtz(vload4(i, x), 2, o);
}
__kernel void h_load_half(ARGS(ushort))
{
    START;
    out[0] = as_uint(vload_half(i, (__global const half *)x));
    vstore4(vload_half4(i, (__global const half *)y), 1, (__global float *)out);
}
__kernel void i_scatter_bytes(ARGS(uint))
{
    START;
    __global uchar *o = (__global uchar *)out;
    for (int k = 0; k < 16; k++)
        o[k] = (uchar)(x[i * 2 + k / 8] >> k % 8);
    vstore4(convert_uchar4_sat(vload4(i, (__global const int *)y)), 4, o);
}

/* ---- images ------------------------------------------------------------------------------------------- */

__constant sampler_t by_pixel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST,
                     filtered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR,
                     repeated = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR,
                     mirrored = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST,
                     bordered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#define IMAGES ARGS(float), __read_only image2d_t a, __read_only image2d_t b
__kernel void m_pixels(IMAGES)
{
    START;
    vstore4(read_imagef(a, by_pixel, (int2)(i % 64, i / 64)), 0, (__global float *)out);
    vstore4(read_imagef(b, by_pixel, (int2)(i % 70, i / 80)), 1, (__global float *)out);
    vstore4(read_imagef(b, bordered, (int2)(i % 70 - 3, i / 80)), 2, (__global float *)out);
}
__kernel void m_places(IMAGES)
{
    START;
    float2 at = (float2)((i % 85) * 0.77f - 0.6f, (i / 85) * 1.03f);
    vstore4(read_imagef(a, by_pixel, at), 0, (__global float *)out);
    vstore4(read_imagef(b, bordered, at), 1, (__global float *)out);
}
__kernel void m_filtered(IMAGES)
{
    START;
    float2 at = (float2)((i % 85) * 0.77f - 0.6f, (i / 85) * 1.03f);
    vstore4(read_imagef(a, filtered, at), 0, (__global float *)out);
    vstore4(read_imagef(b, filtered, at), 1, (__global float *)out);
}
__kernel void m_repeated(IMAGES)
{
    START;
    float2 at = (float2)((i % 85) * 0.031f - 0.6f, (i / 85) * 0.023f);
    vstore4(read_imagef(a, repeated, at), 0, (__global float *)out);
    vstore4(read_imagef(b, mirrored, at), 1, (__global float *)out);
}
__kernel void m_blur(IMAGES)
{
    START;
    float4 s = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            s += read_imagef(a, by_pixel, (int2)(i % 64 + dx, i / 64 + dy)) * (1.0f / (1 + dx * dx + dy * dy));
    vstore4(s, 0, (__global float *)out);
}

/* ---- where the language leaves it open ---------------------------------------------------------------- */

#define CONVERTS(K, FROM, TO)                                                                                \
    __kernel void K##u_to_##TO(ARGS(FROM))                                                                   \
    {                                                                                                        \
        START;                                                                                               \
        *(__global TO *)out = (TO)x[i];                                                                      \
    }                                                                                                        \
    __kernel void K##u_scaled_to_##TO(ARGS(FROM))                                                            \
    {                                                                                                        \
        START;                                                                                               \
        *(__global TO *)out = (TO)(x[i] * 255.0f + 0.5f);                                                    \
    }                                                                                                        \
    __kernel void K##u_convert_to_##TO(ARGS(FROM))                                                           \
    {                                                                                                        \
        START;                                                                                               \
        *(__global TO *)out = convert_##TO##_rte(x[i]);                                                      \
    }                                                                                                        \
    __kernel void K##u_wide_to_##TO(ARGS(FROM))                                                              \
    {                                                                                                        \
        START;                                                                                               \
        vstore4(convert_##TO##4(vload4(i, x)), 0, (__global TO *)out);                                       \
    }
CONVERTS(f, float, char)
CONVERTS(f, float, uchar)
CONVERTS(f, float, short)
CONVERTS(f, float, ushort)
CONVERTS(f, float, int)
CONVERTS(f, float, uint)
CONVERTS(f, float, long)
CONVERTS(f, float, ulong)

__kernel void fu_dense_uchar(ARGS(float))
{
    int i = I;
    ((__global uchar *)out)[i] = (uchar)x[i];
}
__kernel void fu_dense_char(ARGS(float))
{
    int i = I;
    ((__global char *)out)[i] = (char)x[i];
}
__kernel void fu_dense_ushort(ARGS(float))
{
    int i = I;
    ((__global ushort *)out)[i] = (ushort)x[i];
}
__kernel void fu_dense_short(ARGS(float))
{
    int i = I;
    ((__global short *)out)[i] = (short)x[i];
}
__kernel void fu_dense_uint(ARGS(float))
{
    int i = I;
    out[i] = (uint)x[i];
}
__kernel void fu_dense_int(ARGS(float))
{
    int i = I;
    out[i] = (int)x[i];
}
__kernel void fu_dense_ulong(ARGS(float))
{
    int i = I;
    ((__global ulong *)out)[i] = (ulong)x[i];
}
__kernel void fu_dense_long(ARGS(float))
{
    int i = I;
    ((__global long *)out)[i] = (long)x[i];
}
__kernel void fu_dense_clamped(ARGS(float))
{
    int i = I;
    ((__global uchar *)out)[i] = (uchar)clamp(x[i], 0.0f, 255.0f);
}
__kernel void fu_dense_byte_of_int(ARGS(float))
{
    int i = I;
    ((__global uchar *)out)[i] = (uchar)(int)x[i];
}
__kernel void fu_bool_of_conversion(ARGS(float))
{
    START;
    int v = (int)x[i];
    out[0] = v < 0 ? 1 : v > 255 ? 2 : 3;
    out[1] = (uchar)x[i] > 127;
    out[2] = as_uint((float)(int)x[i]);
    out[3] = as_uint((float)(uchar)x[i]);
    out[4] = (uint)x[i] >> 31;
}
__kernel void fu_index_by_conversion(ARGS(float))
{
    START;
    out[0] = as_uint(y[(uint)x[i] % 5440]);
    out[1] = as_uint(y[(uchar)x[i]]);
}
__kernel void fu_bins(ARGS(float))
{
    START;
    int bin = (int)(x[i] * 10);
    bin = bin < 0 ? 0 : bin > 9 ? 9 : bin;
    out[0] = bin;
}

__kernel void iu_shifts(ARGS(int))
{
    START;
    out[0] = x[i] << y[i];
    out[1] = x[i] >> y[i];
    out[2] = (uint)x[i] >> y[i];
    ((__global long *)out)[2] = (long)x[i] << y[i];
    out[6] = (uchar)x[i] << y[i];
    out[7] = (short)x[i] >> y[i];
}
__kernel void iu_overflow_sum(ARGS(int))
{
    START;
    int a = x[i], b = y[i];
    out[0] = a + b;
    out[1] = a + b < a;
    out[2] = a + 1 > a;
    ((__global long *)out)[2] = (long)(a + b);
    ((__global long *)out)[3] = (long)(a * b) + (a - b);
    out[8] = (a * b) / b;
    out[9] = -a < 0;
    out[10] = abs(a) < 0;
    out[11] = (a * 2) / 2;
    out[12] = (a + b) / 2;
    out[13] = a * b >> 4;
}
__kernel void iu_overflow_id(ARGS(int))
{
    START;
    int a = i * 1103515245 + 12345;
    out[0] = a;
    out[1] = a / 65536 % 32768;
    out[2] = a % 1000;
    ((__global long *)out)[2] = a;
    out[6] = as_uint((float)a);
    out[7] = a < 0;
    out[8] = a >> 16;
#ifdef cl_khr_fp64
    ((__global double *)out)[5] = a;
#endif
}
__kernel void iu_overflow_x(ARGS(int))
{
    START;
    int a = (int)I * 1103515245;
    out[a & 63] = a;
    ((__global long *)out)[40] = a;
    ((__global long *)out)[41] = (long)(a + 5);
    out[90] = a % 1000;
    out[91] = a < 0;
}
__kernel void iu_overflow_index(ARGS(int))
{
    START;
    int a = i * 40503 * 40503;
    out[0] = y[a & 1023];
    out[1] = y[(uint)a % 5440];
    out[2] = y[abs(a % 5440)];
    if (a > 0)
        out[3] = a / 3;
}
__kernel void iu_overflow_loop(ARGS(int))
{
    START;
    int h = i;
    long s = 0;
    for (int k = 0; k < 20; k++) {
        h = h * 31 + 1000000007;
        s += h;
        if (h % 7 == 3)
            s ^= h / 5;
    }
    ((__global long *)out)[0] = s;
}
__kernel void iu_overflow_steps(ARGS(int))
{
    START;
    int h = x[i];
    for (int k = 0; k < 9; k++) {
        ((__global long *)out)[k] = h;
        h += 500000000;
    }
}
/* Results that lie side by side, as vectors have them; `wraps` alone is the same with all sizes. */
#define WRAPS(NAME, H)                                                                                       \
    __kernel void iu_##NAME##_wraps(ARGS(int))                                                               \
    {                                                                                                        \
        int i = I, h = H;                                                                                    \
        out[i] = (uint)h ^ (uint)(h >> 16);                                                                  \
    }                                                                                                        \
    __kernel void iu_##NAME##_extended(ARGS(int))                                                            \
    {                                                                                                        \
        int i = I, h = H;                                                                                    \
        ((__global long *)out)[i] = (h & 1) ? h : 2l * h;                                                    \
    }                                                                                                        \
    __kernel void iu_##NAME##_compared(ARGS(int))                                                            \
    {                                                                                                        \
        int i = I, h = H;                                                                                    \
        out[i] = (h < x[i]) + abs(h) % 7;                                                                    \
    }
WRAPS(product, x[i] * y[i])
WRAPS(sum, x[i] * 65537 + y[i])
WRAPS(difference, x[i] - y[i])
__kernel void iu_divided(ARGS(int))
{
    START;
    int a = x[i], b = y[i];
    if (b == 0 || (a == INT_MIN && b == -1)) {
        out[0] = 77;
    } else {
        out[0] = a / b;
        out[1] = a % b;
    }
    out[2] = b ? (uint)a / (uint)b : 5;
    out[3] = b > 0 ? a % b : -1;
    out[4] = as_uint((float)a / (float)b);
}
/* PoCL steps over instructions that trap. */
#define BY_ZERO(T)                                                                                           \
    __kernel void iu_by_zero_##T(ARGS(T))                                                                    \
    {                                                                                                        \
        START;                                                                                               \
        ((__global T *)out)[0] = x[i] / y[i];                                                                \
        ((__global T *)out)[1] = x[i] % z[i];                                                                \
    }
BY_ZERO(int)
BY_ZERO(uint)
BY_ZERO(uchar)
BY_ZERO(short)
BY_ZERO(long)
BY_ZERO(ulong)
__kernel void iu_by_zero_dense(ARGS(uint))
{
    int i = I;
    out[i] = x[i] / y[i];
}
__kernel void iu_by_zero_guarded(ARGS(int))
{
    START;
    int q = x[i] / y[i];
    out[0] = y[i] ? q : -5;
    out[1] = q * 3 + y[i];
}
__kernel void iu_uninitialised(ARGS(int))
{
    START;
    int v;
    float f;
    if (x[i] & 1) {
        v = y[i];
        f = 0.5f;
    }
    out[0] = v;
    out[1] = as_uint(f);
    out[2] = v + 1;
    out[3] = x[i] & 2 ? v : 3;
}
__kernel void iu_uninitialised_sum(ARGS(int))
{
    START;
    int s;
    for (int k = 0; k < 5; k++)
        s += x[i + k];
    out[0] = s;
}
__kernel void iu_uninitialised_some(ARGS(int))
{
    START;
    int v;
    for (int k = 0; k < 10; k++)
        if (x[(i + k) % 5440] == 3)
            v = k;
    out[0] = v;
}
/* What private memory holds before anything is stored there: with PoCL, addresses among it, so that no two runs agree
 * though the size is the same.  These are tuned. */
__kernel void iu_garbage_array(ARGS(int))
{
    START;
    int a[8];
    a[x[i] & 7] = i;
    out[0] = a[y[i] & 7];
    out[1] = a[0];
}
__kernel void iu_garbage_part(ARGS(int))
{
    START;
    int a[32];
    for (int k = 0; k < (x[i] & 31); k++)
        a[k] = i + k;
    out[0] = a[y[i] & 31];
}
__kernel void iu_garbage_struct(ARGS(float))
{
    START;
    struct body b, d[2];
    b.mass = x[i];
    d[i & 1] = b;
    out[0] = as_uint(d[0].mass);
    out[1] = as_uint(b.at.x);
    out[2] = d[1].id[2];
}
__kernel void iu_uninitialised_lane(ARGS(float))
{
    START;
    float4 v;
    v.x = x[i];
    vstore4(v, 0, (__global float *)out);
    vstore4(v * 2.0f, 1, (__global float *)out);
}
/* Behind an array, or before it, lies another variable, of this work-item or its neighbour. */
__kernel void iu_array_written_past(ARGS(int))
{
    START;
    int t[8], u[8], s = 0;
    for (int k = 0; k < 8; k++) {
        t[k] = x[i + k];
        u[k] = y[i + k];
    }
    t[8 + (z[i] & 3)] = 77;
    for (int k = 0; k < 8; k++)
        s = s * 3 ^ t[k] ^ u[k] << 1;
    out[0] = s;
}
__kernel void iu_array_counted_past(ARGS(int))
{
    START;
    int t[8] = {0};
    for (int k = 0; k < 16; k++)
        t[(x[i + k] & 0xff) % 9]++;
    for (int k = 0; k < 8; k++)
        out[k] = t[k];
}
__kernel void iu_padding(ARGS(int))
{
    START;
    struct padded {
        char c;
        int n;
    } s, t;
    s.c = (char)x[i];
    s.n = y[i];
    t = s;
    ((__global struct padded *)out)[0] = t;
    ((__global struct padded *)out)[1] = s;
}
struct mixed {
    char c;
    long n;
    short s;
};
__kernel void iu_garbage_padding(ARGS(int))
{
    START;
    struct mixed a[3];
    for (int k = 0; k < 3; k++) {
        a[k].c = (char)k;
        a[k].n = x[i];
        a[k].s = (short)y[i];
    }
    ((__global struct mixed *)out)[0] = a[z[i] & 1];
}
__kernel void iu_vectors_of_three(ARGS(int))
{
    START;
    int3 v = vload3(i, x);
    v.y += 1;
    ((__global int4 *)out)[0].xyz = v;
    float3 f = convert_float3(v) * 0.5f;
    vstore3(f, 2, (__global float *)out);
    out[12] = as_int4(f).w;
}
__kernel void iu_shuffled_wide(ARGS(uint))
{
    START;
    uint4 v = vload4(i, x), m = vload4(i, y);
    vstore4(shuffle(v, m), 0, out);
    vstore4(shuffle2(v, m, vload4(i, z)), 1, out);
}
__kernel void iu_array_index(ARGS(uint))
{
    START;
    uint4 v = vload4(i, x);
    uint a[4] = {v.x, v.y, v.z, v.w};
    out[0] = a[y[i] & 3];
}
__kernel void iu_bit_counts(ARGS(uint))
{
    START;
    out[0] = clz(x[i]);
    out[1] = clz((uchar)x[i]);
    out[2] = clz((ushort)y[i]);
    out[3] = clz((ulong)x[i]);
    out[4] = popcount(x[i]);
    out[5] = rotate(x[i], y[i]);
    out[6] = mul24((int)x[i], (int)y[i]);
    out[7] = mad24(x[i], y[i], z[i]);
    out[8] = upsample((ushort)x[i], (ushort)y[i]);
    out[9] = mad_sat(x[i], y[i], z[i]);
    out[10] = mad_hi((int)x[i], (int)y[i], (int)z[i]);
    out[11] = rhadd(x[i], y[i]);
    out[12] = abs_diff((int)x[i], (int)y[i]);
}
__kernel void iu_bool_bytes(ARGS(uchar))
{
    START;
    bool b = x[i] > 3, c = x[i] & 4;
    out[0] = b + c;
    out[1] = (uchar)b * 255;
    __global const bool *p = (__global const bool *)y;
    out[2] = p[i] ? 1 : 0;
}

/* ---- more that is left open --------------------------------------------------------------------------- */

__kernel void iu_mul24_wide(ARGS(int))
{
    START;
    out[0] = mul24(x[i], y[i]);
    out[1] = mad24(x[i], y[i], z[i]);
    out[2] = mul24((uint)x[i], (uint)y[i]);
    ((__global long *)out)[2] = mul24(x[i], y[i]);
    vstore4(as_uint4(mul24(vload4(i, x), vload4(i, y))), 2, out);
}
__kernel void iu_mul24_dense(ARGS(int))
{
    int i = I;
    out[i] = mul24(x[i], y[i]) + z[i];
}
__kernel void iu_mul24_extended(ARGS(int))
{
    START;
    ((__global long *)out)[0] = mul24(x[i], y[i]);
}
__kernel void iu_mad24_extended(ARGS(int))
{
    START;
    ((__global long *)out)[0] = mad24(x[i] & 4095, y[i] & 4095, z[i]);
}
__kernel void iu_shifts_dense(ARGS(uint))
{
    int i = I;
    out[i] = (x[i] << y[i]) ^ (uint)((int)x[i] >> z[i]);
}
__kernel void iu_shifts_wide(ARGS(ulong))
{
    START;
    ((__global ulong *)out)[0] = x[i] << (int)y[i];
    ((__global ulong *)out)[1] = x[i] >> y[i];
    ((__global ulong *)out)[2] = as_ulong((long)x[i] >> (uint)z[i]);
    ulong4 v = vload4(i, x) << vload4(i, y);
    vstore4(v, 1, (__global ulong *)out);
}
__kernel void iu_least(ARGS(int))
{
    START;
    out[0] = -x[i];
    out[1] = abs(x[i]);
    out[2] = x[i] / (y[i] | 1);
    out[3] = x[i] % (y[i] | 1);
    out[4] = x[i] / -1;
    vstore4(as_uint4(vload4(i, x) / (vload4(i, y) | 1)), 2, out);
}
__kernel void iu_least_dense(ARGS(int))
{
    int i = I;
    out[i] = x[i] / (y[i] | 1) + x[i] % (z[i] | 1);
}
__kernel void fu_extremes(ARGS(float)) /* of NaNs */
{
    START;
    __global float *r = (__global float *)out;
    r[0] = min(x[i], y[i]);
    r[1] = max(x[i], y[i]);
    r[2] = fmin(x[i], y[i]);
    r[3] = fmax(x[i], y[i]);
    r[4] = clamp(x[i], y[i], z[i]);
    vstore4(min(vload4(i, x), vload4(i, y)), 2, r);
    vstore4(clamp(vload4(i, x), vload4(i, y), vload4(i, z)), 3, r);
}
__kernel void fu_extremes_dense(ARGS(float))
{
    int i = I;
    ((__global float *)out)[i] = min(max(x[i], y[i]), z[i]);
}
__kernel void fu_clamped_crossed(ARGS(float))
{
    int i = I;
    ((__global float *)out)[i] = clamp(x[i], 3.0f, y[i]) + smoothstep(y[i], z[i], x[i]);
}
__kernel void fu_nan_bits(ARGS(float))
{
    START;
    out[0] = as_uint(x[i]);
    out[1] = as_uint(fabs(x[i]));
    out[2] = as_uint(-x[i]);
    out[3] = as_uint(copysign(x[i], y[i]));
    out[4] = as_uint(y[i] > 0 ? x[i] : z[i]);
    out[5] = isnan(x[i]) ? as_uint(x[i]) & 0xffff : 7;
    out[6] = as_uint(as_float(as_uint(x[i]) | 0x7f800001));
}
__kernel void f_half_ways(ARGS(float))
{
    START;
    __global half *h = (__global half *)out;
    vstore_half(x[i], 0, h);
    vstore_half_rte(x[i], 1, h);
    vstore_half_rtz(x[i], 2, h);
    vstore_half_rtp(x[i], 3, h);
    vstore_half_rtn(x[i], 4, h);
    vstore_half4(vload4(i, x), 2, h);
    vstore_half4_rtz(vload4(i, y), 3, h);
    vstorea_half4_rtp(vload4(i, z), 4, h);
    out[16] = as_uint(vload_half(0, h) + vload_half(9, h));
}
__kernel void f_half_dense(ARGS(float))
{
    int i = I;
    vstore_half(x[i] * 0.1f, i, (__global half *)out);
}
__kernel void h_half_dense(__global const half *x, __global const half *y, __global const half *z, __global uint *out)
{
    int i = I;
    ((__global float *)out)[i] = vload_half(i, x) + vload_half(i, y);
}
union parts {
    float4 v;
    float f[4];
    uint u[4];
    uchar c[16];
};
__kernel void fu_union_lane(ARGS(float))
{
    START;
    union parts p;
    p.v = vload4(i, x);
    p.u[as_uint(y[i]) & 3] ^= 1;
    p.c[as_uint(z[i]) & 15] = 9;
    out[0] = as_uint(p.f[1]);
    out[1] = p.u[as_uint(x[i]) & 3];
    vstore4(p.v * 2.0f, 1, (__global float *)out);
}
__kernel void iu_union_unset(ARGS(uint))
{
    START;
    union parts p;
    p.c[0] = (uchar)x[i];
    out[0] = p.u[0];
}
__kernel void iu_lane_by_pointer(ARGS(uint))
{
    START;
    uint4 v = vload4(i, x);
    ((uint *)&v)[y[i] & 3] = 5;
    vstore4(v, 0, out);
    out[4] = ((uint *)&v)[z[i] & 3];
}
__kernel void iu_private_addresses(ARGS(uint))
{
    START;
    uint a[4] = {x[i], 1, 2, 3}, b[4] = {y[i], 4, 5, 6};
    uint *p = z[i] & 1 ? a : b, *q = x[i] & 1 ? a : b;
    out[0] = p == q;
    out[1] = p[y[i] & 3] + q[x[i] & 3];
}
__kernel void iu_no_default(ARGS(uint))
{
    START;
    uint v;
    switch (x[i] & 3) {
    case 0:
        v = y[i];
        break;
    case 2:
        v = z[i] * 3;
        break;
    }
    out[0] = v;
}
/* Vectors, or components of them, that no path gives a value. */
__kernel void fu_unset_vector(ARGS(float))
{
    START;
    float4 s = 0;
    for (int k = 0; k < 20; k++) {
        float4 t;
        if (x[i + k] > 0.25f) {
            t = y[i + k];
            continue;
        }
        s += t;
    }
    vstore4(as_uint4(s), 0, out);
}
__kernel void fu_unset_component(ARGS(float))
{
    START;
    float4 t;
    t.xyz = (float3)(x[i], y[i], z[i]);
    vstore4(as_uint4(t * 2.0f), 0, out);
    t.xz += 1.0f;
    out[4] = as_uint(dot(t, t));
}
__kernel void iu_unset_shuffled(ARGS(uint))
{
    START;
    uint4 t;
    t.x = x[i];
    vstore4(t.xyxy + y[i], 0, out);
    vstore4(select(t, (uint4)z[i], (uint4)(x[i] << 31)), 1, out);
}
/* LLVM makes 7, 4 and 3 of these in any case, unless it is not to optimise. */
__kernel void iu_unset(ARGS(uint))
{
    START;
    uint v, w;
    uint2 u;
    u.x = 1;
    if ((i & 7) == 0)
        v = 7, u.y = 3;
    out[0] = v;
    out[1] = u.x + u.y;
    out[2] = x[i] & 1 ? w : 3;
}
struct unset {
    uchar byte;
    uint word;
};
__kernel void iu_unset_member(ARGS(uint))
{
    START;
    struct unset s;
    s.byte = x[i];
    if ((i & 7) == 0)
        s.word = 7;
    out[0] = s.word;
}
__kernel void iu_else_if(ARGS(float))
{
    int i = I;
    float h;
    if (x[i] > 0.5f)
        h = y[i] - z[i];
    else if (x[i] < -0.5f)
        h = sqrt(z[i]) - y[i];
    else if (x[i] > -0.25f)
        h = 2.0f;
    ((__global float *)out)[i] = h < 0 ? h + 1 : h;
}
__kernel void iu_first_round(ARGS(int))
{
    START;
    int last, n = 0;
    for (int k = 0; k < (y[i] & 7); k++) {
        if (k > 0)
            n += last;
        last = x[i + k];
    }
    out[0] = n;
    out[1] = y[i] & 7 ? last : 0;
}
__kernel void iu_pointer_unset(ARGS(int))
{
    START;
    __global const int *p = x;
    int some;
    if (y[i] > 3)
        p = y;
    if (z[i] & 1)
        some = p[i];
    out[0] = z[i] & 1 ? some : p[0];
}
/* What is computed from a conversion may know nothing of its width. */
__kernel void fu_dense_long_of_short(ARGS(float))
{
    int i = I;
    ((__global long *)out)[i] = (short)x[i];
}
__kernel void fu_dense_int_of_ushort(ARGS(float))
{
    int i = I;
    ((__global int *)out)[i] = (ushort)x[i] + 1;
}
__kernel void fu_dense_float_of_ushort(ARGS(float)) /* of NaN */
{
    int i = I;
    ((__global float *)out)[i] = (float)(ushort)(x[i] < 0 ? 0 : x[i] > 65535 ? 65535 : x[i]);
}
__kernel void fu_dense_int_of_uchar(ARGS(float)) /* of NaN */
{
    int i = I;
    ((__global int *)out)[i] = (uchar)(x[i] < 0 ? 0 : x[i] > 255 ? 255 : x[i]) * 2;
}
#ifdef cl_khr_fp64
__kernel void du_dense_int_of_uchar(ARGS(double)) /* of NaN */
{
    int i = I;
    ((__global int *)out)[i] = (uchar)(x[i] < 0 ? 0 : x[i] > 255 ? 255 : x[i]) * 2;
}
#endif

/* ---- barriers ----------------------------------------------------------------------------------------- */

/* PoCL 3.1 leaves out a round of the inner loop, with some sizes. */
__kernel void i_barrier_after_loops(ARGS(int))
{
    START;
    float product = 1, rounds = 0;
    for (int k = i & 3; k < 20; k += 2)
        for (int j = 0; j < 4; j++) {
            product = (i & 3) == 1 ? product * 1.5f : product;
            rounds += 1;
        }
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[0] = as_uint(product), out[1] = as_uint(rounds);
}

/* PoCL 7.1: all leave a loop around another one in the same round. */
#define INNER for (int j = 0; j < 8; j++) v += y[i]
__kernel void f_breaks_behind_loop(ARGS(float))
{
    START;
    float v = x[i];
    for (int k = 0; k < 3; k++) {
        INNER;
        if (v > z[i])
            break;
    }
    out[0] = as_uint(v);
}
__kernel void f_returns_behind_loop(ARGS(float))
{
    START;
    float v = x[i];
    for (int k = 0; k < 3; k++) {
        INNER;
        out[k] = as_uint(v);
        if (v > z[i])
            return;
    }
    out[4] = 1;
}
__kernel void f_leaves_by_flag(ARGS(float))
{
    START;
    float v = x[i];
    int more = 1;
    for (int k = 0; k < 5 && more; k++) {
        INNER;
        if (v > z[i])
            more = 0;
    }
    out[0] = as_uint(v);
}
__kernel void f_steps_by_choice(ARGS(float))
{
    START;
    float v = x[i];
    for (int k = 0; k < 30;) {
        for (int j = 0; j < 5; j++, k++)
            v += y[i];
        if (v > z[i])
            k += 3;
    }
    out[0] = as_uint(v);
}
__kernel void f_ends_behind_loop(ARGS(float))
{
    START;
    float v = x[i];
    int n = as_uint(y[i]) % 7;
    do {
        INNER;
        v *= 0.5f;
    } while (--n > 0);
    out[0] = as_uint(v);
}
__kernel void f_rounds_by_data(ARGS(float))
{
    START;
    float v = x[i];
    int n = as_uint(y[i]) % 7;
    for (int k = 0; k < n; k++) {
        INNER;
        v *= 0.5f;
    }
    while (fabs(v) > 1e-3f && fabs(v) < 1e6f)
        for (int j = 0; j < 3; j++)
            v *= 0.5f;
    out[0] = as_uint(v);
}
__kernel void f_rounds_by_id(ARGS(float))
{
    START;
    float v = 1, rounds = 0;
    for (int k = i & 3; k < 20; k += 2)
        for (int j = 0; j < 4; j++) {
            v = (i & 3) == 1 ? v * 1.5f : v;
            rounds += 1;
        }
    out[0] = as_uint(v), out[1] = as_uint(rounds);
}

/* PoCL 7.1: likewise where the outer loop's first test is by ids, but holds for all. */
__kernel void f_rounds_to_id(ARGS(float))
{
    START;
    float v = x[i];
    for (int k = 0; k < (i & 7) + 1; k++) {
        INNER;
        v *= 0.5f;
    }
    out[0] = as_uint(v);
}
__kernel void f_triangle(ARGS(float))
{
    START;
    float v = x[i];
    for (size_t k = 0; k <= get_global_id(0); k += 300) {
        INNER;
        v *= 0.5f;
    }
    out[0] = as_uint(v);
}

/* PoCL 7.1: behind a loop on one way of a branch that all take, all go on as one does. */
__kernel void f_parts_behind_loop(ARGS(float))
{
    START;
    float v = x[i], w = y[i];
    if (!(1 / z[4] < z[0])) {
        for (int k = 0; k < 17; k++)
            v -= w, w *= z[i & 1023];
        if (v > w)
            w -= 1;
    }
    for (int k = 0; k < 40; k++) {
        if (w >= 2)
            break;
        v -= w * k;
        w += 0.1f;
    }
    out[0] = as_uint(v), out[1] = as_uint(w);
}

/* PoCL 7.1: likewise behind a loop that may make no round, where LLVM sends who makes none past the branch. */
__kernel void f_flag_behind_loop(ARGS(float))
{
    START;
    float v = z[i], w = 0;
    int f = 0, n = as_int(y[4]) & 7;
    for (int k = 0; k < n; k++)
        if (x[i + k] < y[i])
            w = sin((float)i), f = 1;
    if (f)
        v += w;
    out[0] = as_uint(v);
}

/* ---- the order in which a work-item touches places a few numbers apart -------------------------------- */

__kernel void i_default_between(ARGS(int))
{
    START;
    int p[3];
    p[0] = x[i];
    p[1] = x[i + 1];
    if (p[0] > p[1])
        p[x[i] & 1] = 7;
    p[2] = x[i + 2];
    out[0] = p[(p[0] > p[1]) + (x[i] > 30)];
}

/* ---- loops of many rounds, some work-items' more than others' ------------------------------------------ */

__kernel void i_many_rounds(ARGS(int))
{
    START;
    int s = 0;
    for (int j = 0; j < 40; j++)
        for (int h = 0; h < ((x[i] & 63) << (i % 32 ? 0 : 6)); h++)
            s += (h ^ j) & y[h & 1023];
    out[0] = s;
}

__kernel void f_by_nothing(ARGS(float))
{
    START;
    float none = y[4] * ((z[i] - z[i]) * floor(0.1f));
    *(__global float *)out = rsqrt(y[4] / none);
}

/* ---- pragmas ------------------------------------------------------------------------------------------ */

/* Which of the two products is rounded before the sum depends on the order in which compilers come by them. */
__kernel void f_contracted(ARGS(float))
{
#pragma clang fp contract(fast)
    START;
    float a[2], b[2], d[2];
    a[0] = x[i * 4], b[0] = y[i * 8], d[0] = x[i * 8];
    a[1] = x[i + 1], b[1] = y[i * 4 + 1], d[1] = x[i * 8 + 4];
    {
        float r0 = (a[0] * b[1] + d[0] * b[0]) * 0.3f;
        float r1 = (d[1] * b[1] + d[1] * z[i * 8]) * 0.3f;
        a[0] = r0;
        b[1] = r1;
        d[0] = a[0] * b[0] + a[1] * b[1];
    }
    __global float *o = (__global float *)out;
    o[0] = a[0], o[1] = b[0], o[2] = d[0], o[3] = a[1], o[4] = b[1], o[5] = d[1];
}
__kernel void iu_zeros_of_zero(ARGS(uint))
{
    size_t i = I;
    out[i] = __builtin_clzs((ushort)x[i]) | __builtin_ctzs((ushort)y[i]) << 16;
}
__kernel void iu_sum_of_bools(ARGS(int))
{
    size_t i = I;
    __global const bool *p = (__global const bool *)x;
    out[i] = p[i] + p[i + 1] * 2;
}
