/* overflow.cl - integers that may overflow, where more than their lowest bits matter, and others that look like it.
 * judge.c asks as on a driver of which nothing is known. */

__kernel void widened_product(__global const int *a, __global const int *b, __global long *o)
{
    size_t i = get_global_id(0);
    int h = a[i] * b[i];
    o[i] = h;
}
// >>> widened_product 4096 : undefined-overflow

__kernel void wide_product(__global const int *a, __global const int *b, __global long *o)
{
    size_t i = get_global_id(0);
    o[i] = (long)a[i] * b[i];
}
// >>> wide_product 4096 : proved

__kernel void wrapped_product(__global const int *a, __global const int *b, __global int *o)
{
    size_t i = get_global_id(0);
    o[i] = a[i] * b[i] + 7;
}
// >>> wrapped_product 4096 : proved

__kernel void unsigned_product(__global const uint *a, __global const uint *b, __global ulong *o)
{
    size_t i = get_global_id(0);
    o[i] = a[i] * b[i];
}
// >>> unsigned_product 4096 : proved

__kernel void small_product(__global const uchar *a, __global const short *b, __global long *o)
{
    size_t i = get_global_id(0);
    int h = a[i] * b[i];
    o[i] = h;
}
// >>> small_product 4096 : proved

__kernel void masked_product(__global const int *a, __global const int *b, __global const int *table, __global long *o)
{
    size_t i = get_global_id(0);
    o[i] = table[(a[i] * b[i]) & 1023];
}
// >>> masked_product 4096 : proved

__kernel void shifted_and_masked(__global const int *a, __global const int *b, __global long *o)
{
    size_t i = get_global_id(0);
    int h = a[i] * b[i];
    o[i] = (h ^ (h >> 16)) & 0x3ffff;
}
// >>> shifted_and_masked 4096 : undefined-overflow

__kernel void narrowed_product(__global const int *a, __global const int *b, __global long *o)
{
    size_t i = get_global_id(0);
    o[i] = (short)(a[i] * b[i]);
}
// >>> narrowed_product 4096 : proved

__kernel void compared_sum(__global const int *a, __global const int *b, __global int *o)
{
    size_t i = get_global_id(0);
    int h = a[i] + b[i];
    o[i] = h > o[i] ? h : 1;
}
// >>> compared_sum 4096 : undefined-overflow

__kernel void converted_sum(__global const int *a, __global const int *b, __global float *o)
{
    size_t i = get_global_id(0);
    o[i] = a[i] + b[i];
}
// >>> converted_sum 4096 : proved

__kernel void limited_sum(__global const int *a, __global const int *b, __global long *o)
{
    size_t i = get_global_id(0);
    o[i] = clamp(a[i], -1000000000, 1000000000) + min(max(b[i], -9), 1000000000);
}
// >>> limited_sum 4096 : proved

__kernel void hash(__global const int *a, __global int *o)
{
    size_t i = get_global_id(0);
    int h = a[i];
    for (int k = 0; k < 20; k++)
        h = h * 31 + 1000000007;
    o[i] = h % 7;
}
// >>> hash 4096 : undefined-overflow

__kernel void hash_unsigned(__global const int *a, __global int *o)
{
    size_t i = get_global_id(0);
    uint h = a[i];
    for (int k = 0; k < 20; k++)
        h = h * 31 + 1000000007;
    o[i] = h % 7;
}
// >>> hash_unsigned 4096 : proved

__kernel void pitched(__global const float *a, __global float *o, int w, int h, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h)
        o[y * pitch + x] = a[(h - 1 - y) * pitch + w - 1 - x];
}
// >>> pitched 1024x1024 w=1000 h=1000 pitch=1024 : proved
// >>> pitched 1024x4194304 w=1000 h=1000 pitch=1024 : proved

__kernel void widened_id(__global long *o, int factor)
{
    int i = get_global_id(0);
    o[i] = i * factor;
}
// >>> widened_id 4096 factor=524288 : proved
// >>> widened_id 4096 factor=524545 : undefined-overflow
// >>> widened_id 4096 factor=-524416 : proved
// >>> widened_id 4096 factor=-524417 : undefined-overflow

__kernel void area(__global const uchar *in, __global uchar *o, int w, int h, int radius)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0, n = 0;
    for (int j = max(y - radius, 0); j <= min(y + radius, h - 1); j++)
        for (int i = max(x - radius, 0); i <= min(x + radius, w - 1); i++) {
            sum += in[j * w + i];
            n++;
        }
    if (n > 0)
        o[y * w + x] = sum / n;
}
// >>> area 640x480 w=640 h=480 radius=5 : proved

__kernel void sum_of_ints(__global const int *in, __global long *o, int n)
{
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < n; j++)
        sum += in[i * n + j];
    o[i] = sum;
}
// >>> sum_of_ints 640 n=100 : undefined-overflow

__kernel void sum_of_bits(__global const int *in, __global long *o, int n)
{
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < n; j++)
        sum += in[i * n + j] & 255;
    o[i] = sum;
}
// >>> sum_of_bits 640 n=100 : proved
// >>> sum_of_bits 1 n=8421503 : proved
// >>> sum_of_bits 1 n=8421506 : undefined-overflow

__kernel void quotient(__global const int *a, __global const int *b, __global int *o)
{
    size_t i = get_global_id(0);
    int q = a[i] / b[i];
    o[i] = b[i] ? q : -5;
}
// >>> quotient 4096 : undefined-overflow

__kernel void guarded_quotient(__global const uint *a, __global const uint *b, __global uint *o)
{
    size_t i = get_global_id(0);
    o[i] = 5;
    if (b[i] != 0)
        o[i] = a[i] / b[i];
}
// >>> guarded_quotient 4096 : proved

/* INT_MIN / -1 traps, or does not. */
__kernel void guarded_signed(__global const int *a, __global const int *b, __global int *o)
{
    size_t i = get_global_id(0);
    o[i] = 5;
    if (b[i] != 0)
        o[i] = a[i] / b[i];
}
// >>> guarded_signed 4096 : undefined-overflow

__kernel void positive_quotient(__global const int *a, __global const int *b, __global int *o)
{
    size_t i = get_global_id(0);
    o[i] = a[i] / (abs(b[i] & 0xffff) + 1) + a[i] % (b[i] > 0 ? b[i] : 1);
}
// >>> positive_quotient 4096 : proved

__kernel void divided_by(__global int *o, int n)
{
    int i = get_global_id(0);
    o[i] = i / n + i % n;
}
// >>> divided_by 4096 n=3 : proved
// >>> divided_by 4096 n=-1 : proved
// >>> divided_by 4096 n=0 : undefined-overflow

__kernel void gathered(__global const int *index, __global const float *in, __global float *o, int cols)
{
    int i = get_global_id(0);
    o[i] = in[index[i] * cols + i];
}
// >>> gathered 4096 cols=100 : proved

/* A program that tests the index may well have some that overflow. */
__kernel void gathered_if(__global const int *index, __global const float *in, __global float *o, int cols, int n)
{
    int i = get_global_id(0), at = index[i] * cols + i;
    o[i] = at >= 0 && at < n ? in[at] : 0;
}
// >>> gathered_if 4096 cols=100 n=100000 : undefined-overflow

__kernel void strided(__global float *a, int n)
{
    int i = get_global_id(0), step = get_global_size(0);
    for (; i + 3 * step < n; i += 4 * step)
        a[i] = a[i + step] + a[i + 2 * step] + a[i + 3 * step];
}
// >>> strided 1024 n=100000 : proved

__kernel void negated(__global const int *a, __global const int *b, __global long *o)
{
    size_t i = get_global_id(0);
    int d = -a[i];
    o[i] = d;
}
// >>> negated 4096 : undefined-overflow

__kernel void negated_short(__global const short *a, __global long *o)
{
    size_t i = get_global_id(0);
    int d = -a[i];
    o[i] = d;
}
// >>> negated_short 4096 : proved

__kernel void kept_in_private(__global const int *a, __global const int *b, __global long *o, int n)
{
    int i = get_global_id(0), t[8];
    for (int j = 0; j < 8; j++)
        t[(j * n) & 7] = a[i + j] * b[i];
    o[i] = t[n & 7];
}
// >>> kept_in_private 4096 n=3 : undefined-overflow

__kernel void counted_in_private(__global const int *a, __global float *o, int n)
{
    int i = get_global_id(0), count[8] = {0};
    for (int j = 0; j < n; j++)
        count[a[i * n + j] & 7]++;
    for (int j = 0; j < 8; j++)
        o[8 * i + j] = count[j];
}
// >>> counted_in_private 4096 n=30 : proved

// mul24() and mad24() are products and sums of ints in a driver's source.
__kernel void widened_product24(__global const int *a, __global const int *b, __global long *o)
{
    size_t i = get_global_id(0);
    o[i] = mul24(a[i], b[i]);
}
// >>> widened_product24 4096 : undefined-overflow

__kernel void widened_sum24(__global const int *a, __global const int *b, __global long *o)
{
    size_t i = get_global_id(0);
    o[i] = mad24(a[i] & 4095, a[i] >> 20, b[i]);
}
// >>> widened_sum24 4096 : undefined-overflow

__kernel void small_product24(__global const int *a, __global const short *b, __global long *o)
{
    size_t i = get_global_id(0);
    o[i] = mad24(a[i] & 4095, a[i] >> 20, b[i]);
}
// >>> small_product24 4096 : proved

__kernel void unsigned_product24(__global const uint *a, __global const uint *b, __global ulong *o)
{
    size_t i = get_global_id(0);
    o[i] = mad24(a[i], b[i], 5u);
}
// >>> unsigned_product24 4096 : proved

__kernel void stored_product24(__global const int *a, __global const int *b, __global int *o)
{
    size_t i = get_global_id(0);
    o[i] = mad24(a[i], b[i], 5);
}
// >>> stored_product24 4096 : proved

__kernel void row24(__global const float *a, __global float *o, int pitch)
{
    int at = mad24((int)get_global_id(1), pitch, (int)get_global_id(0));
    o[at] = a[at];
}
// >>> row24 64x64 pitch=64 : proved
// >>> row24 64x64 pitch=63 : overlapping-writes

// Where zeros are counted, LLVM's code for vectors and for single work-items make different numbers of 0.
__kernel void zeros_of_any(__global const int *a, __global int *out)
{
    int i = get_global_id(0);
    out[i] = __builtin_ctz(a[i]);
}
// >>> zeros_of_any 4096 : undefined-overflow

__kernel void zeros_where_there_is_one(__global const int *a, __global int *out)
{
    int i = get_global_id(0);
    out[i] = -1;
    if (a[i] != 0)
        out[i] = __builtin_ctz(a[i]) + __builtin_clz(a[i] | 1);
}
// >>> zeros_where_there_is_one 4096 : proved

__kernel void zeros_of_the_language(__global const int *a, __global int *out)
{
    int i = get_global_id(0);
    out[i] = clz(a[i]);
}
// >>> zeros_of_the_language 4096 : proved

// A row that counts along with the loop, and is compared, but not by who leaves it.
__kernel void counts_along(__global const int *a, __global int *o, int rows)
{
    int x = get_global_id(0), row = x * 4;
    for (int c = 0; c < 4; ++c) {
        if (row < rows)
            o[x * 4 + c] = a[x];
        ++row;
    }
}
// >>> counts_along 640 rows=1000 : proved

__kernel void counts_along_from(__global const int *a, __global int *o, int rows, int from)
{
    int x = get_global_id(0), row = x + from;
    for (int c = 0; c < 4; ++c) {
        o[x * 4 + c] = row < rows ? a[x] : 0;
        ++row;
    }
}
// >>> counts_along_from 640 rows=1000 from=2147483003 : proved
// >>> counts_along_from 640 rows=1000 from=2147483005 : undefined-overflow

__kernel void counts_along_for_ever(__global const int *a, __global int *o, int rows)
{
    int x = get_global_id(0), row = x, c = 0;
    while (a[(x + c) & 1023]) {
        o[x] += row < rows;
        ++row;
        c += 3;
    }
}
// >>> counts_along_for_ever 640 rows=1000 : undefined-overflow

__kernel void two_count_along(__global int *a, __global int *o, int rows)
{
    int x = get_global_id(0), row = x, line = x;
    while (a[x]++ != 7) {
        o[x] += (row < rows) + (line < rows);
        ++row;
        line += 2;
    }
}
// >>> two_count_along 640 rows=1000 : undefined-overflow

// What is some of the way from one bound to the other is between them.
__kernel void binary_search(__global const int *a, __global const int *key, __global int *o, int n)
{
    int i = get_global_id(0), lo = 0, hi = n - 1, at = -1;
    while (lo <= hi) {
        int m = lo + (hi - lo) / 2, v = a[m];
        if (v == key[i]) {
            at = m;
            break;
        }
        if (v < key[i])
            lo = m + 1;
        else
            hi = m - 1;
    }
    o[i] = at;
}
// >>> binary_search 64 n=1000 : proved
// >>> binary_search 64 n=2147483647 : undefined-overflow

__kernel void beyond_the_middle(__global const int *a, __global const int *key, __global int *o, int n)
{
    int i = get_global_id(0), lo = 0, hi = n - 1;
    while (lo <= hi) {
        int m = lo + (hi - lo) / 2;
        if (a[m] < key[i])
            lo = m + m;
        else
            hi = m - 1;
    }
    o[i] = lo;
}
// >>> beyond_the_middle 64 n=1000 : proved
// >>> beyond_the_middle 64 n=2000000000 : undefined-overflow

// Shifted as unsigned, too, if it is known not to be negative.
__kernel void shifted_middle(__global const int *a, __global const int *key, __global int *o, int n)
{
    int i = get_global_id(0), lo = 0, hi = n - 1;
    while (lo <= hi) {
        int m = lo + (int)((uint)(hi - lo) >> 1);
        if (a[m] < key[i])
            lo = m + 1;
        else
            hi = m - 1;
    }
    o[i] = lo;
}
// >>> shifted_middle 64 n=1000 : proved

__kernel void shifted_way_back(__global const int *a, __global const int *key, __global int *o, int n)
{
    int i = get_global_id(0), lo = 0, hi = n - 1;
    while (lo <= hi + 9) {
        int m = lo + (int)((uint)(hi - lo) >> 1);
        if (a[m & 1023] < key[i])
            lo = m + 1;
        else
            hi = m - 1;
    }
    o[i] = lo;
}
// >>> shifted_way_back 64 n=1000 : undefined-overflow

__kernel void twice_the_way(__global const int *a, __global const int *key, __global int *o, int n)
{
    int i = get_global_id(0), lo = 0, hi = n - 1;
    while (lo <= hi) {
        int m = lo + (hi - lo) * 2;
        if (a[m & 1023] < key[i])
            lo = m + 1;
        else
            hi = m - 1;
    }
    o[i] = lo;
}
// >>> twice_the_way 64 n=1000 : undefined-overflow

// Bits put together do not overflow, although newer compilers know that they could be added.
__kernel void bytes_together(__global const uchar *a, __global long *o)
{
    int i = get_global_id(0);
    int c = a[4 * i] | a[4 * i + 1] << 8 | a[4 * i + 2] << 16 | a[4 * i + 3] << 24;
    o[i] = c;
}
// >>> bytes_together 4096 : proved

__kernel void halves_together(__global const int *a, __global const int *b, __global long *o)
{
    int i = get_global_id(0);
    int c = (a[i] << 4) | (b[i] & 15);
    o[i] = c > 100 ? c : 5;
}
// >>> halves_together 4096 : proved

// The product may overflow, and so may the sum, in which bits meet.
__kernel void sum_of_products(__global const int *a, __global const int *b, __global long *o)
{
    int i = get_global_id(0);
    int c = a[i] * 16 + (b[i] & 31);
    o[i] = c;
}
// >>> sum_of_products 4096 : undefined-overflow
