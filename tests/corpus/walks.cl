// Pointers and counters that more than one loop advances, or that only some iterations advance.

__kernel void walks(__global const float *in, int kh, int kw, int hw, int w, __global float *out)
{
    int i = get_global_id(0);
    if (i >= hw)
        return;
    __global float *p = out + i;
    for (int y = 0; y < kh; y++)
        for (int x = 0; x < kw; x++) {
            *p = in[i + y * w + x];
            p += hw;
        }
}
// >>> walks 64 kh=3 kw=5 hw=50 w=9 : proved
// >>> walks 64 kh=0 kw=5 hw=50 w=9 : proved
// >>> walks 64 kh=-3 kw=5 hw=50 w=9 : overlapping-writes
// >>> walks 1048576 kh=7 kw=7 hw=1000000 w=1024 : proved

__kernel void walks_into_others(__global const float *in, int kh, int kw, int hw, int w, __global float *out)
{
    int i = get_global_id(0);
    __global float *p = out + i;
    for (int y = 0; y < kh; y++)
        for (int x = 0; x < kw; x++) {
            *p = in[i + y * w + x];
            p += hw;
        }
}
// >>> walks_into_others 64 kh=3 kw=5 hw=64 w=9 : proved
// >>> walks_into_others 64 kh=3 kw=5 hw=63 w=9 : overlapping-writes

__kernel void walks_aside(__global const float *in, int kh, int kw, int hw, __global float *out)
{
    int i = get_global_id(0);
    if (i >= hw)
        return;
    __global float *p = out + i;
    for (int y = 0; y < kh; y++) {
        for (int x = 0; x < kw; x++) {
            *p = in[i + x];
            p += hw;
        }
        p += 1;
    }
}
// >>> walks_aside 64 kh=3 kw=5 hw=50 : proved

__kernel void walks_to_the_next(__global const float *in, int kh, int kw, int hw, __global float *out)
{
    int i = get_global_id(0);
    if (i >= hw)
        return;
    __global float *p = out + i;
    for (int y = 0; y < kh; y++) {
        for (int x = 0; x < kw; x++) {
            *p = in[i + x];
            p += hw;
        }
        p += 1 - hw * kw;
    }
}
// >>> walks_to_the_next 64 kh=1 kw=5 hw=50 : proved
// >>> walks_to_the_next 64 kh=2 kw=5 hw=50 : overlapping-writes

__kernel void counted(__global const float *in, int kh, int kw, int hw, int w, __global float *out)
{
    int i = get_global_id(0), n = 0;
    if (i >= hw)
        return;
    for (int y = 0; y < kh; y++)
        for (int x = 0; x < kw; x++)
            out[i + n++ * hw] = in[i + y * w + x];
}
// >>> counted 64 kh=3 kw=5 hw=50 w=9 : proved
// >>> counted 64 kh=3000 kw=5000 hw=500 w=9 : index-overflow

__kernel void own_rows(__global const float *in, int kh, int kw, int n, int row, __global float *out)
{
    int i = get_global_id(0), k = i * row;
    if (i >= n)
        return;
    for (int y = 0; y < kh; y++)
        for (int x = 0; x < kw; x++)
            out[k++] = in[i + y + x];
}
// >>> own_rows 64 kh=3 kw=5 n=50 row=15 : proved
// >>> own_rows 64 kh=3 kw=5 n=50 row=16 : proved
// >>> own_rows 64 kh=3 kw=5 n=50 row=14 : overlapping-writes
// >>> own_rows 64 kh=-3 kw=-5 n=50 row=15 : overlapping-writes

__kernel void own_rows_with_end(__global const float *in, int kh, int kw, int n, int row, __global float *out)
{
    int i = get_global_id(0), k = i * row;
    if (i >= n)
        return;
    for (int y = 0; y < kh; y++)
        for (int x = 0; x <= kw; x++)
            out[k++] = in[i + y + x];
}
// >>> own_rows_with_end 64 kh=3 kw=5 n=50 row=18 : proved
// >>> own_rows_with_end 64 kh=3 kw=5 n=50 row=17 : overlapping-writes

__kernel void rows_from_behind(__global const float *in, int kh, int kw, int n, int row, __global float *out)
{
    int i = get_global_id(0), k = (i + 1) * row;
    if (i >= n)
        return;
    for (int y = 0; y < kh; y++)
        for (int x = 0; x < kw; x++)
            out[--k] = in[i + y + x];
}
// >>> rows_from_behind 64 kh=3 kw=5 n=50 row=15 : proved
// >>> rows_from_behind 64 kh=3 kw=5 n=50 row=14 : overlapping-writes

__kernel void three_loops(__global const float *in, int kc, int kh, int kw, int n, int row, __global float *out)
{
    int i = get_global_id(0);
    __global float *p = out + i * row;
    if (i >= n)
        return;
    for (int c = 0; c < kc; c++)
        for (int y = 0; y < kh; y++)
            for (int x = 0; x < kw; x++)
                *p++ = in[i + c + y + x];
}
// >>> three_loops 64 kc=7 kh=3 kw=5 n=50 row=105 : proved
// >>> three_loops 64 kc=7 kh=3 kw=5 n=50 row=104 : overlapping-writes

__kernel void back_and_forth(__global const float *in, int kh, int kw, int n, __global float *out)
{
    int i = get_global_id(0), k = i * kh * kw;
    if (i >= n)
        return;
    for (int y = 0; y < kh; y++) {
        for (int x = 0; x < kw; x++)
            out[k++] = in[i + y + x];
        if (in[y] > 0)
            k -= 2;
    }
}
// >>> back_and_forth 64 kh=3 kw=5 n=50 : scattered-writes

__kernel void until_zero(__global const float *in, int kh, int n, int row, __global float *out)
{
    int i = get_global_id(0), k = i * row;
    if (i >= n)
        return;
    for (int y = 0; y < kh; y++)
        for (int x = 0; in[x] > 0; x++)
            out[k++] = in[i + y + x];
}
// >>> until_zero 64 kh=3 n=50 row=1000 : overlapping-writes

__kernel void packed_triangles(__global const float *in, int m, int n, int row, __global float *out)
{
    int i = get_global_id(0), k = i * row;
    if (i >= n)
        return;
    for (int y = 0; y < m; y++)
        for (int x = 0; x < y; x++)
            out[k++] = in[i + x];
}
// >>> packed_triangles 64 m=5 n=50 row=9 : overlapping-writes

__kernel void compact(__global const float *in, int m, int n, int row, __global float *out)
{
    int i = get_global_id(0), k = i * row;
    if (i >= n)
        return;
    for (int y = 0; y < m; y++)
        if (in[i * m + y] > 0)
            out[k++] = in[i * m + y];
}
// >>> compact 64 m=9 n=50 row=9 : proved
// >>> compact 64 m=8 n=50 row=8 : driver-order
// >>> compact 64 m=8 n=50 row=7 : overlapping-writes

__kernel void compact_pairs(__global const float *in, int m, int n, int row, __global float *out)
{
    int i = get_global_id(0), k = i * row;
    if (i >= n)
        return;
    for (int y = 0; y < m; y++)
        if (in[i * m + y] > 0) {
            out[k++] = in[i * m + y];
            out[k++] = 0;
        }
}
// >>> compact_pairs 64 m=8 n=50 row=16 : proved
// >>> compact_pairs 64 m=8 n=50 row=15 : overlapping-writes

// Leaves the loop at a place that the limit of the != skips.
__kernel void skipped_end(__global const int *in, int n, int t, __global float *out)
{
    int i = get_global_id(0), y = 0;
    for (int z = 0; z + y != n; z++) {
        out[i * n + z] = i;
        for (y = 0; y < t; y++)
            if (in[z + y] > 0)
                break;
    }
}
// >>> skipped_end 64 n=20 t=2 : overlapping-writes

// The test stands behind the body, which runs once in any case.
__kernel void tested_last(int n, int row, __global float *out)
{
    int i = get_global_id(0), k = 0;
    do
        out[i * row + k] = k;
    while (++k < n);
}
// >>> tested_last 64 n=5 row=5 : proved
// >>> tested_last 64 n=6 row=5 : overlapping-writes
// >>> tested_last 64 n=1 row=1 : proved

__kernel void tested_last_stepwise(int n, int s, int row, __global float *out)
{
    int i = get_global_id(0), k = 0;
    do
        out[i * row + k] = k;
    while ((k += s) < n);
}
// >>> tested_last_stepwise 64 n=5 s=2 row=5 : proved
// >>> tested_last_stepwise 64 n=6 s=2 row=5 : proved
// >>> tested_last_stepwise 64 n=6 s=2 row=4 : overlapping-writes
// >>> tested_last_stepwise 64 n=5 s=-1 row=5 : overlapping-writes

// Where `more` is not 0 it is not the test that decides.
__kernel void tested_last_or_not(__global const int *more, int n, int row, __global float *out)
{
    int i = get_global_id(0), k = 0;
    do
        out[i * row + k] = k;
    while (++k < n || more[k]);
}
// >>> tested_last_or_not 64 n=5 row=5 : overlapping-writes

__kernel void walks_tested_last(int m, int n, __global float *out)
{
    int i = get_global_id(0), k = 0;
    __global float *p = out + i * m * n;
    do {
        int j = 0;
        do
            *p++ = j;
        while (++j < m);
    } while (++k < n);
}
// >>> walks_tested_last 64 m=3 n=5 : proved

/* Loops that end after one round: LLVM asks for c == 0 in place of c < 1. */
#define COLOURS 1
__kernel void colours(__global const uchar *in, __global float *out, int w, int h)
{
    if (get_global_id(0) < w && get_global_id(1) < h) {
        int i = COLOURS * (get_global_id(0) + w * get_global_id(1));
        for (int c = 0; c < COLOURS; c++)
            out[i + c] = in[i + c];
    }
}
// >>> colours 640x480 w=640 h=480 : proved
// >>> colours 640x480 w=600 h=400 : proved
// >>> colours 640x480 w=639 h=480 : proved

__kernel void once_down(__global int *out, int n)
{
    int x = get_global_id(0);
    for (int c = n; c == n; c--)
        out[x + c] = c;
}
// >>> once_down 1000 n=7 : proved

__kernel void once_by_n(__global int *out, int n)
{
    int x = get_global_id(0);
    for (int c = 0; c == 0; c += n)
        out[x + c] = c;
}
// >>> once_by_n 1000 n=7 : proved

/* Goes on as long as memory says. */
__kernel void while_equal(__global const int *in, __global int *out)
{
    int x = get_global_id(0), d = 0;
    for (int c = 0; c == d; c++) {
        out[x + c] = c;
        d += in[c];
    }
}
// >>> while_equal 1000 : overlapping-writes

__kernel void while_in(__global const int *in, __global int *out)
{
    int x = get_global_id(0);
    for (int c = 0; c == in[x + c]; c++)
        out[x + c] = c;
}
// >>> while_in 1000 : overlapping-writes

// Values that are read or computed in a way that is not followed, of which only few bits may be set.
int bayer(const int row, const int col, const unsigned int filters)
{ return filters >> (((row << 1 & 14) + (col & 1)) << 1) & 3; }

__kernel void bayer_columns(__global float *out, __global const float *in, const int w, const int height, const unsigned int filters)
{
    const int row = 2 + get_global_id(1);
    const int col = 2 + (bayer(row, 0, filters) & 1) + 2 * get_global_id(0);
    if ((col > w - 2) || (row > height - 2))
        return;
    const int idx = mad24(row, w, col);
    out[idx] = in[idx] * 2.0f;
}
// >>> bayer_columns 512x512 w=1000 height=500 filters=0x94949494 : proved

// Half as large: two places of a row are one only if they have the same colour.
__kernel void bayer_half(__global float *out, __global const float *in, const int w, const int height, const unsigned int filters)
{
    const int row = 2 + get_global_id(1);
    const int col = 2 + (bayer(row, 0, filters) & 1) + 2 * get_global_id(0);
    if ((col > w - 2) || (row > height - 2))
        return;
    const int idx = mad24(row, w, col);
    out[idx / 2] = in[idx] * 2.0f;
}
// >>> bayer_half 512x512 w=1000 height=500 filters=0x94949494 : proved
// >>> bayer_half 512x512 w=999 height=500 filters=0x94949494 : proved

__kernel void bayer_half_of_columns(__global float *out, const int w, const int height, const unsigned int filters)
{
    const int row = 2 + (bayer(0, get_global_id(0), filters) & 1) + 2 * get_global_id(1);
    const int col = 2 + get_global_id(0);
    if ((col > w - 2) || (row > height - 2))
        return;
    out[col * height / 2 + row / 2] = row;
}
// >>> bayer_half_of_columns 512x512 w=1000 height=500 filters=0x94949494 : proved

// The columns decide, or memory does.
__kernel void bayer_of_columns(__global float *out, __global const float *in, const int w, const int height, const unsigned int filters)
{
    const int row = 2 + get_global_id(1);
    const int col = 2 + (bayer(row, get_global_id(0), filters) & 1) + 2 * get_global_id(0);
    if ((col > w - 2) || (row > height - 2))
        return;
    const int idx = mad24(row, w, col);
    out[idx / 2] = in[idx] * 2.0f;
}
// >>> bayer_of_columns 512x512 w=1000 height=500 filters=0x94949494 : proved
// >>> bayer_of_columns 512x512 w=999 height=500 filters=0x94949494 : overlapping-writes

__kernel void bayer_of_memory(__global float *out, __global const uint *in, const int w, const int height, __global const uint *filters)
{
    const int row = 2 + get_global_id(1);
    const int col = 2 + (bayer(row, 0, *filters) & 1) + 2 * get_global_id(0);
    if ((col > w - 2) || (row > height - 2))
        return;
    const int idx = mad24(row, w, col);
    out[idx / 2] = in[idx] * 2.0f;
}
// >>> bayer_of_memory 512x512 w=999 height=500 : overlapping-writes

// The colours' numbers are larger than the columns' distance: no harm where a row has one.
__kernel void bayer_colours(__global float *out, __global const float *in, const int w, const int height, const unsigned int filters)
{
    const int row = 2 + get_global_id(1);
    const int col = 2 + (bayer(row, 0, filters) & 3) + 2 * get_global_id(0);
    if ((col > w - 2) || (row > height - 2))
        return;
    const int idx = mad24(row, w, col);
    out[idx] = in[idx] * 2.0f;
}
// >>> bayer_colours 512x512 w=1000 height=500 filters=0x94949494 : proved

__kernel void bayer_colours_of_columns(__global float *out, __global const float *in, const int w, const int height, const unsigned int filters)
{
    const int row = 2 + get_global_id(1);
    const int col = 2 + (bayer(row, get_global_id(0), filters) & 3) + 2 * get_global_id(0);
    if ((col > w - 2) || (row > height - 2))
        return;
    const int idx = mad24(row, w, col);
    out[idx] = in[idx] * 2.0f;
}
// >>> bayer_colours_of_columns 512x512 w=1000 height=500 filters=0x94949494 : overlapping-writes

// A row may begin where the one before it ends.
__kernel void bayer_unguarded(__global float *out, __global const float *in, const int w, const unsigned int filters)
{
    const int row = get_global_id(1);
    out[row * w + (bayer(row, 0, filters) & 1) + 2 * get_global_id(0)] = row;
}
// >>> bayer_unguarded 512x512 w=1024 filters=0x94949494 : proved
// >>> bayer_unguarded 512x512 w=1023 filters=0x94949494 : overlapping-writes

__kernel void own_bins(__global uint *bins, __global const uint *in, int n, int stride)
{
    const int g = get_global_id(0);
    for (int i = 0; i < n; i++)
        bins[g * stride + (in[g * n + i] & 255)]++;
}
// >>> own_bins 512 n=100 stride=256 : proved
// >>> own_bins 512 n=100 stride=300 : proved
// >>> own_bins 512 n=100 stride=255 : overlapping-writes

__kernel void bins_of_bytes(__global uint *bins, __global const uchar *in, int n)
{
    const int g = get_global_id(0);
    for (int i = 0; i < n; i++)
        bins[g * 256 + in[g * n + i]]++;
}
// >>> bins_of_bytes 512 n=100 : proved

// Of a byte that may be negative, nothing is known.
__kernel void bins_of_chars(__global uint *bins, __global const char *in, int n)
{
    const int g = get_global_id(0);
    for (int i = 0; i < n; i++)
        bins[g * 256 + in[g * n + i]]++;
}
// >>> bins_of_chars 512 n=100 : scattered-writes

__kernel void two_bytes(__global uint *bins, __global const uchar2 *in)
{
    const int g = get_global_id(0);
    bins[(g * 16 + (in[g].x >> 4)) * 16 + (in[g].y & 15)] = g;
}
// >>> two_bytes 512 : proved

__kernel void bytes_in_turn(__global uint *bins, __global const uchar2 *in)
{
    const int g = get_global_id(0);
    bins[g * 16 + (in[g].x >> 4) + (in[g].y & 15)] = g;
}
// >>> bytes_in_turn 512 : overlapping-writes

__kernel void from_own_bins(__global uint *bins, __global const uchar *in)
{
    const int g = get_global_id(0);
    bins[g * 256] = bins[g * 256 + in[g]];
}
// >>> from_own_bins 512 : proved

__kernel void from_others_bins(__global uint *bins, __global const ushort *in)
{
    const int g = get_global_id(0);
    bins[g * 256] = bins[g * 256 + in[g]];
}
// >>> from_others_bins 512 : overlapping-writes

// A distance that the launch chooses: LLVM makes a shift of it.
__kernel void interleaved_or_not(__global float *out, int axis)
{
    const int gx = get_global_id(0), gy = get_global_id(1);
    const int ox = axis == 0 ? gx * 2 : gx;
    out[ox + gy * 1024] = gx;
}
// >>> interleaved_or_not 512x512 axis=0 : proved
// >>> interleaved_or_not 512x512 axis=1 : proved
// >>> interleaved_or_not 1024x512 axis=1 : proved
// >>> interleaved_or_not 1024x512 axis=0 : overlapping-writes

__kernel void interleaved_by_memory(__global float *out, __global const int *axis)
{
    const int gx = get_global_id(0), gy = get_global_id(1);
    out[(gx << (axis[gx] == 0)) + gy * 1024] = gx;
}
// >>> interleaved_by_memory 512x512 : scattered-writes

// What everybody stores is the same, whoever is last.
__kernel void flag_float(__global float *flag, __global const float *in)
{
    if (in[get_global_id(0)] > 1.0f)
        flag[0] = 1.5f;
}
// >>> flag_float 512 : proved

__kernel void flag_argument(__global float *flag, __global const float *in, float value, __global int *other, int number)
{
    if (in[get_global_id(0)] > 1.0f)
        flag[0] = value;
    else
        other[3] = number;
}
// >>> flag_argument 512 number=7 : proved

__kernel void flag_two_numbers(__global float *flag, __global const float *in)
{
    flag[0] = in[get_global_id(0)] > 1.0f ? 1.5f : 2.5f;
}
// >>> flag_two_numbers 512 : overlapping-writes

__kernel void flag_either(__global float *flag, __global const float *in)
{
    if (in[get_global_id(0)] > 1.0f)
        flag[0] = 1.5f;
    else
        flag[0] = 2.5f;
}
// >>> flag_either 512 : overlapping-writes

__kernel void flag_counted(__global float *flag, __global const float *in)
{
    if (in[get_global_id(0)] > flag[1])
        flag[0] = 1.5f;
}
// >>> flag_counted 512 : overlapping-writes

__kernel void flag_half_over(__global char *flag, __global const float *in, float value)
{
    if (in[get_global_id(0)] > 1.0f)
        *(__global float *)(flag + 2 * get_global_id(0)) = value;
}
// >>> flag_half_over 512 : overlapping-writes

// From its first value to its last one is more than a long holds.
__kernel void far_to_go(__global int *out, __global const int *in, long a)
{
    int i = get_global_id(0);
    for (long k = a * -0x6000000000000000L; k < a * 0x6000000000000000L; k += 2) {
        out[2 * i + (int)k] = in[i];
        if (in[i + (int)k] < 3)
            break;
    }
}
// >>> far_to_go 64 a=1 : overlapping-writes

/* Both loops advance it: a row, and what is left of its pitch. */
__kernel void padded_rows(int rows, int cols, int pitch, __global float *out)
{
    __global float *p = out + get_global_id(0) * rows * pitch;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < cols; x++)
            *p++ = x + y;
        p += pitch - cols;
    }
}
// >>> padded_rows 64 rows=10 cols=12 pitch=16 : proved
// >>> padded_rows 64 rows=10 cols=17 pitch=16 : overlapping-writes
// >>> padded_rows 64 rows=10 cols=-1 pitch=16 : index-overflow

__kernel void tiles(int pitch, __global float *out)
{
    int k = get_global_id(0) * 8 + get_global_id(1) * 8 * pitch;
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 8; x++)
            out[k++] = x + y;
        k += pitch - 8;
    }
}
// >>> tiles 8x8 pitch=64 : proved
// >>> tiles 8x8 pitch=63 : overlapping-writes

__kernel void padded_rows_left_early(int rows, int cols, int pitch, __global const float *in, __global float *out)
{
    __global float *p = out + get_global_id(0) * rows * pitch;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < cols; x++) {
            if (in[x] > 3)
                break;
            *p++ = x + y;
        }
        p += pitch - cols;
    }
}
// >>> padded_rows_left_early 64 rows=10 cols=12 pitch=16 : scattered-writes

__kernel void some_padded_rows(int rows, int cols, int pitch, __global const float *in, __global float *out)
{
    __global float *p = out + get_global_id(0) * rows * pitch;
    for (int y = 0; y < rows; y++) {
        if (in[y] > 3)
            for (int x = 0; x < cols; x++)
                *p++ = x + y;
        p += pitch - cols;
    }
}
// >>> some_padded_rows 64 rows=10 cols=12 pitch=16 : scattered-writes

__kernel void padded_triangles(int rows, int cols, int pitch, __global float *out)
{
    __global float *p = out + get_global_id(0) * rows * pitch;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < y; x++)
            *p++ = x + y;
        p += pitch - cols;
    }
}
// >>> padded_triangles 64 rows=10 cols=12 pitch=16 : scattered-writes

/* One of three buffers, chosen by a switch. */
__kernel void one_of_three(__global int *r, __global int *g, __global int *b, __global const int *of)
{
    int i = get_global_id(0);
    __global int *p;
    switch (of[i]) {
    case 1: p = g; break;
    case 2: p = b; break;
    default: p = r;
    }
    p[i] = i;
}
// >>> one_of_three 1000 : proved
// >>> one_of_three 1000 g=0 : proved

__kernel void three_places(__global int *r, __global int *g, __global int *b, __global const int *of)
{
    int i = get_global_id(0);
    __global int *p;
    switch (of[i]) {
    case 1: p = g; break;
    case 2: p = b + 1; break;
    default: p = r;
    }
    p[i] = i;
}
// >>> three_places 1000 : scattered-writes

/* Both are even. */
__kernel void both_even(__global int *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (((x | y) & 1) == 0)
        out[(y >> 1) * w + x] = out[(y >> 1) * w + x + 1] = x;
}
// >>> both_even 640x480 w=640 : proved
// >>> both_even 640x480 w=639 : overlapping-writes

__kernel void one_is_even(__global int *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (((x & y) & 1) == 0)
        out[(y >> 1) * w + x] = out[(y >> 1) * w + x + 1] = x;
}
// >>> one_is_even 640x480 w=640 : overlapping-writes

/* Not both. */
__kernel void some_odd(__global int *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (((x | y) & 1) != 0)
        out[(y >> 1) * w + x] = x;
}
// >>> some_odd 640x480 w=640 : overlapping-writes
