// Kernels whose groups must stay as they are: local memory, barriers, ids of the group.

__kernel void product(__global float *c, __global const float *a, __global const float *b, int n)
{
    __local float s[16][16], t[16][16];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n / 16; k++) {
        s[ly][lx] = a[y * n + k * 16 + lx];
        t[ly][lx] = b[(k * 16 + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            sum += s[ly][i] * t[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
// >>> product 64x64/16x16 n=64 : proved
// >>> product 64x64/8x16 n=64 : proved
// >>> product 64x64/32x16 n=64 : overlapping-writes

// Without the second barrier the next tile is written while others read this one.
__kernel void product_hasty(__global float *c, __global const float *a, __global const float *b, int n)
{
    __local float s[16][16], t[16][16];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n / 16; k++) {
        s[ly][lx] = a[y * n + k * 16 + lx];
        t[ly][lx] = b[(k * 16 + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            sum += s[ly][i] * t[i][lx];
    }
    c[y * n + x] = sum;
}
// >>> product_hasty 64x64/16x16 n=64 : overlapping-writes

__kernel void product_no_barrier(__global float *c, __global const float *a, __global const float *b, int n)
{
    __local float s[16][16];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    s[ly][lx] = a[y * n + x];
    c[y * n + x] = s[ly][15 - lx];
}
// >>> product_no_barrier 64x64/16x16 n=64 : overlapping-writes

__kernel void transpose(__global float *out, __global const float *in, int w, int h, __local float *tile)
{
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly * 17 + lx] = in[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + ly) * h + get_group_id(1) * 16 + lx] = tile[lx * 17 + ly];
}
// >>> transpose 64x32/16x16 w=64 h=32 : proved
// >>> transpose 64x32/32x16 w=64 h=32 : overlapping-writes

// Rows of the tile that overlap.
__kernel void transpose_tight(__global float *out, __global const float *in, int w, int h, __local float *tile)
{
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly * 15 + lx] = in[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + ly) * h + get_group_id(1) * 16 + lx] = tile[lx * 15 + ly];
}
// >>> transpose_tight 64x32/16x16 w=64 h=32 : overlapping-writes
// >>> transpose_tight 60x32/15x16 w=60 h=32 : proved

// One value of a group.
__kernel void first_of_group(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum += s[i];
        out[get_group_id(0)] = sum;
    }
}
// >>> first_of_group 256/64 : proved

__kernel void all_of_group(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0)] = s[63 - l];
}
// >>> all_of_group 256/64 : overlapping-writes

// Not all of a group come to the barrier.
__kernel void leaves_early(__global float *out, __global const float *in, int n)
{
    __local float s[64];
    int l = get_local_id(0), i = get_global_id(0);
    if (i >= n)
        return;
    s[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[63 - l];
}
// >>> leaves_early 256/64 n=256 : barrier

__kernel void some_meet(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0), i = get_global_id(0);
    s[l] = in[i];
    if (l < 32)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[l];
}
// >>> some_meet 256/64 : barrier

// A round more for some.
__kernel void rounds_differ(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0), i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 4 + (l & 1); k++) {
        s[l] = in[i] + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = sum;
}
// >>> rounds_differ 256/64 : barrier

// What a counter is behind a loop that is left at different times.
__kernel void counted_apart(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0), i = get_global_id(0), k = 0;
    while (in[k] < l)
        k++;
    s[l] = in[i];
    if (k > 3)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[l];
}
// >>> counted_apart 256/64 : barrier

// The data decide how often all meet: it may be the same for all, but nobody knows.
__kernel void data_decide(__global float *out, __global const float *in, __global const int *n)
{
    __local float s[64];
    int l = get_local_id(0), i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n[i]; k++) {
        s[l] = in[i] + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = sum;
}
// >>> data_decide 256/64 : barrier

// Two tiles in turn: one is written while the other is read, with one barrier a round.
__kernel void in_turn(__global float *out, __global const float *in, int n)
{
    __local float s[2][64];
    int l = get_local_id(0), i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        s[k & 1][l] = in[k * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[k & 1][63 - l];
    }
    out[i] = sum;
}
// >>> in_turn 256/64 n=8 : proved

// The tile that the next round writes.
__kernel void in_turn_late(__global float *out, __global const float *in, int n)
{
    __local float s[2][64];
    int l = get_local_id(0), i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        s[k & 1][l] = in[k * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[~k & 1][63 - l];
    }
    out[i] = sum;
}
// >>> in_turn_late 256/64 n=8 : overlapping-writes

// One barrier for two rounds.
__kernel void in_turn_seldom(__global float *out, __global const float *in, int n)
{
    __local float s[2][64];
    int l = get_local_id(0), i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        s[k & 1][l] = in[k * 64 + l];
        if (k & 1)
            barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[k & 1][63 - l];
    }
    out[i] = sum;
}
// >>> in_turn_seldom 256/64 n=8 : overlapping-writes

// Nobody waits for anybody, yet ids of the group reach the results.
__kernel void own_row(__global float *out, __global const float *in)
{
    int row = get_group_id(0);
    out[row * 64 + get_local_id(0)] = in[row * 64 + get_local_id(0)] * get_local_size(0);
}
// >>> own_row 256/64 : proved

// Where it is written depends on memory.
__kernel void scattered(__global int *out, __global const int *in)
{
    __local int s[64];
    int l = get_local_id(0), i = get_global_id(0);
    s[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[in[i] & 63] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[l];
}
// >>> scattered 256/64 : scattered-writes

// As the next ones, with local pointers that may be either.
__kernel void either_tile(__global float *out, __global const float *in, int which)
{
    __local float s[64], t[64];
    int l = get_local_id(0), i = get_global_id(0);
    __local float *p = which ? s : t;
    p[l] = in[i];
    s[63 - l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = p[l];
}
// >>> either_tile 256/64 which=0 : overlapping-writes

// A sum by halves.
__kernel void halves(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (l < k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> halves 256/64 : proved

// A barrier that only a part of the group waits for.
void sub_group_barrier(unsigned flags);
__kernel void part_waits(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0), i = get_global_id(0);
    s[l] = in[i];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[63 - l];
}
// >>> part_waits 256/64 : sub-group

// A counter that was left in different rounds decides, by its lowest bit.
__kernel void left_apart(__global float *out, __global const float *in, int n)
{
    __local float s[64];
    int l = get_local_id(0), k = n;
    s[l] = in[get_global_id(0)];
    while (k > l)
        k -= 5;
    if (k & 1)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[l];
}
// >>> left_apart 256/64 n=4 : barrier

// The inner loop, with its barrier, may have no rounds: then what others wrote is not waited for.
__kernel void no_rounds(__global float *out, __global const float *in, int n)
{
    __local float s[64];
    int l = get_local_id(0);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++) {
            s[(l + k) & 63] = in[get_global_id(0)];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        s[l] = 2;
    }
    out[get_global_id(0)] = s[l];
}
// >>> no_rounds 256/64 n=2 : proved
// >>> no_rounds 256/64 n=3 : overlapping-writes

// Two loops with strides that agree on who has which element, or not.
__kernel void strides(__global float *out, __global const float *in, int n)
{
    __local float s[1024];
    for (int k = get_local_id(0); k < 256; k += get_local_size(0))
        s[k] = in[k];
    for (int k = get_local_id(0); k < 256; k += 64)
        s[k + n] += in[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[get_local_id(0)];
}
// >>> strides 256/64 n=64 : proved
// >>> strides 256/64 n=1 : overlapping-writes
// >>> strides 256/32 n=32 : proved
// >>> strides 256/32 n=0 : proved
// >>> strides 256/32 n=16 : overlapping-writes

// Groups of three dimensions: the places of a group in three.
__kernel void cube(__global float *out, __global const float *in)
{
    __local float s[64];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    int l = z * 16 + y * 4 + x;
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0) + 8 * get_global_id(1) + 64 * get_global_id(2)] = s[63 - l];
}
// >>> cube 8x8x8/4x4x4 : proved
// >>> cube 8x8x8/4x4x8 : proved
// >>> cube 8x8x8/8x4x2 : overlapping-writes
// >>> cube 16x8x8/16x1x4 : proved
// >>> cube 16x8x8/16x2x2 : overlapping-writes

// Factors of 24 bits: the ids are known, and so are the groups' numbers.
__kernel void rows24(__global float *out, __global const float *in, int step, int shift)
{
    __local float s[64];
    int l = get_local_id(0), x = get_global_id(0), y = get_global_id(1);
    s[l] = in[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[mad24(y, step, x * 4 + shift)] = s[63 - l];
}
// >>> rows24 256x8/64x1 step=1024 shift=0 : proved
// >>> rows24 256x8+64x8388600/64x1 step=1024 shift=0 : proved
// >>> rows24 256x8+64x8388601/64x1 step=1024 shift=0 : index-overflow
// >>> rows24 256x8/64x1 step=8388607 shift=0 : proved
// >>> rows24 256x8/64x1 step=8388608 shift=0 : index-overflow

// In the last group, a factor has too many bits.
__kernel void pitches24(__global float *out, __global const float *in, int pitch)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[mul24((int)get_group_id(0) * pitch + l, 4)] = s[63 - l];
}
// >>> pitches24 256/64 pitch=64 : proved
// >>> pitches24 256/64 pitch=2796181 : proved
// >>> pitches24 256/64 pitch=2796182 : index-overflow
// >>> pitches24 320/64 pitch=2796181 : index-overflow
// >>> pitches24 256/64 pitch=-2796202 : proved
// >>> pitches24 256/64 pitch=-2796203 : index-overflow
// >>> pitches24 256/32 pitch=2796181 : index-overflow

// A remainder is one of the sum only if the sum is an int that is not negative, in all groups.
__kernel void round_about(__global float *out, __global const float *in, int step)
{
    __local float s[64];
    int l = get_local_id(0);
    s[((int)get_group_id(0) * step + l) % 64] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[l];
}
// >>> round_about 256/64 step=7000000 : proved
// >>> round_about 256/64 step=715827883 : overlapping-writes
// >>> round_about 256/64 step=-1 : overlapping-writes
// >>> round_about 64/64 step=-1 : proved

// As many rounds as the group's number: in the last one, work-items meet.
__kernel void as_its_number(__global float *out, __global const float *in)
{
    __local float s[1024];
    int l = get_local_id(0);
    for (int k = 0; k < (int)get_group_id(0); k++)
        s[8 * l + k] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[8 * l];
}
// >>> as_its_number 576/64 : proved
// >>> as_its_number 640/64 : overlapping-writes

// What is left for a group.
__kernel void rest(__global float *out, __global const float *in, int n)
{
    __local float s[64];
    int l = get_local_id(0);
    float sum = 0;
    for (int k = l; k < n - (int)get_group_id(0) * 64; k += 64)
        out[get_group_id(0) * 64 + k] = in[k];
}
// >>> rest 256/64 n=256 : proved
// >>> rest 256/64 n=2147483647 : overlapping-writes

// The group's number times the local size, and the global id.
__kernel void own_place(__global float *out, __global const float *in, int by)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[63 - l];
    out[get_group_id(0) * 64 + l + by] += 1;
}
// >>> own_place 256/64 by=0 : proved
// >>> own_place 256+3/64 by=3 : proved
// >>> own_place 256/64 by=1 : overlapping-writes
// >>> own_place 256+3/64 by=0 : overlapping-writes
// >>> own_place 256/32 by=0 : proved
// >>> own_place 256/32 by=1 : overlapping-writes

// The first work-items of the launch.
__kernel void first_ones(__global float *out, __global const float *in, int n)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((int)get_global_id(0) < n)
        out[0] = s[l];
}
// >>> first_ones 256/64 n=1 : proved
// >>> first_ones 256/64 n=2 : overlapping-writes
// >>> first_ones 256+2/64 n=2 : proved
// >>> first_ones 256+2/64 n=4 : overlapping-writes

// Two rows of a group, whose products are of the group's number and an argument alone.
__kernel void two_rows(__global float *out, __global const float *in, int step)
{
    __local float s[64];
    int l = get_local_id(0), row = get_group_id(1) * 2, column = get_group_id(0) * 62;
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 62) {
        out[mad24(step, row, column + l)] = s[l + 1];
        out[mad24(step, row + 1, column + l)] = s[l + 2];
    }
}
// >>> two_rows 256x8/64x1 step=1024 : proved
// >>> two_rows 256x8/64x1 step=62 : proved
// >>> two_rows 256x8/64x1 step=61 : overlapping-writes
// >>> two_rows 256x8/64x1 step=8388608 : index-overflow

// All of a flat group have the same row, and so the same rounds.
__kernel void rows_left(__global float *out, __global const float *in, int rows)
{
    __local float s[64];
    int l = get_local_id(0), y = get_global_id(1) * 8;
    for (int k = 0; k < min(rows - y, 8); k++) {
        s[l] = in[(y + k) * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[((y + k) * (int)get_num_groups(0) + get_group_id(0)) * 64 + l] = s[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
// >>> rows_left 256x8/64x1 rows=60 : proved
// >>> rows_left 256x8/32x2 rows=60 : partial-barrier

// Sums by halves, and what is none: one touches what another one writes in the same round, or in the next.
__kernel void half_of_size(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t k = get_local_size(0) / 2; k > 0; k /= 2) {
        if (l < k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> half_of_size 256/64 : proved
// >>> half_of_size 256/128 : proved

__kernel void half_of_argument(__global float *out, __global const float *in, int n)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = n / 2; k > 0; k /= 2) {
        if (l < k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> half_of_argument 256/64 n=64 : proved
// >>> half_of_argument 256/64 n=100 : proved
// >>> half_of_argument 256/64 n=-1 : index-overflow

__kernel void one_too_many(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (l <= k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> one_too_many 256/64 : overlapping-writes

__kernel void one_too_near(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (l < k)
            s[l] += s[l + k - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> one_too_near 256/64 : overlapping-writes

__kernel void all_of_them(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (l < 32)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> all_of_them 256/64 : overlapping-writes

__kernel void not_the_first(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (l < k + 1)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> not_the_first 256/64 : overlapping-writes

__kernel void no_barrier(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (l < k)
            s[l] += s[l + k];
        
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> no_barrier 256/64 : scattered-writes

__kernel void hasty_start(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    
    for (int k = 32; k > 0; k >>= 1) {
        if (l < k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> hasty_start 256/64 : overlapping-writes

__kernel void by_thirds(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k -= 3) {
        if (l <= k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> by_thirds 256/64 : overlapping-writes

__kernel void grows(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 1; k < 64; k *= 2) {
        if (l < k)
            s[l] += s[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> grows 256/64 : index-overflow

// The barrier stands before the round's end: some of the next round are already here.
__kernel void barrier_first(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    for (int k = 32; k > 0; k >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < k)
            s[l] += s[l + k];
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> barrier_first 256/64 : scattered-writes

__kernel void barrier_between(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        float x = l < k ? s[l + k] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < k)
            s[l] += x;
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}
// >>> barrier_between 256/64 : overlapping-writes

// Two loops, one in the other.
__kernel void halves_of_rows(__global float *out, __global const float *in, int n)
{
    __local float s[64];
    int l = get_local_id(0);
    for (int j = 0; j < n; j++) {
        s[l] = in[j * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 32; k > 0; k >>= 1) {
            if (l < k)
                s[l] += s[l + k];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0)
            out[get_group_id(0) * n + j] = s[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
// >>> halves_of_rows 256/64 n=10 : proved

__kernel void hasty_rows(__global float *out, __global const float *in, int n)
{
    __local float s[64];
    int l = get_local_id(0);
    for (int j = 0; j < n; j++) {
        s[l] = in[j * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 32; k > 0; k >>= 1) {
            if (l < k)
                s[l] += s[l + k];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 1)
            out[get_group_id(0) * n + j] = s[0];
    }
}
// >>> hasty_rows 256/64 n=10 : overlapping-writes

// Halves of what may be negative.
__kernel void window(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[1 + ((l - 1) >> 1)];
}
// >>> window 256/64 : proved

// Each writes every other place, the first one before the first.
__kernel void halves_below(__global float *out, __global const float *in, int by)
{
    __local float s[128];
    int l = get_local_id(0);
    s[2 + ((2 * l - 3) >> 1)] = in[get_global_id(0)];
    if (l < by)
        s[64] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[l];
}
// >>> halves_below 256/64 by=0 : proved
// >>> halves_below 256/64 by=1 : proved
// >>> halves_below 260/65 by=1 : overlapping-writes

__kernel void quarters_below(__global float *out, __global const float *in)
{
    __local float s[128];
    int l = get_local_id(0);
    s[2 + ((2 * l - 3) >> 2)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[l];
}
// >>> quarters_below 256/64 : overlapping-writes

// A quotient of the group's place, of which the group's number is a multiple.
__kernel void half_rows(__global float *out, __global const float *in, int w)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32)
        out[(int)(get_group_id(0) * get_local_size(0) + 2 * l) / 2 + w * 256] = s[2 * l];
    else
        out[(int)(get_group_id(0) * get_local_size(0) + 2 * (l - 32)) / 2 + 128 * w] = s[2 * l - 63];
}
// >>> half_rows 256/64 w=1 : proved
// >>> half_rows 256/64 w=0 : overlapping-writes
// >>> half_rows 252/63 w=1 : overlapping-writes

// Two to a place.
__kernel void in_pairs(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(int)get_global_id(0) / 2] = s[63 - l];
}
// >>> in_pairs 256/64 : overlapping-writes

__kernel void first_of_pair(__global float *out, __global const float *in)
{
    __local float s[64];
    int l = get_local_id(0), x = get_global_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 2 == 0)
        out[x / 2] = s[63 - l];
}
// >>> first_of_pair 256/64 : proved
// >>> first_of_pair 256+1/64 : proved
// >>> first_of_pair 2147483456+128/64 : proved
// >>> first_of_pair 2147483520+128/64 : large-range

// What is only read is the same in all rounds, unless the buffer is written under another name.
__kernel void shifted(__global int *out, __global const int *n, __global int *sums)
{
    __local int s[512];
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < 4; k++) {
        int by = n[0];
        s[l + by] = k * 100 + l;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (l == 0)
            out[0] = k * 8;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        sum += s[l + by];
    }
    sums[get_global_id(0)] = sum;
}
// >>> shifted 64/64 : proved
// >>> shifted 64/64 n=0 : aliased-arguments

// In place.
__kernel void turned(__global int *out, __global const int *in)
{
    __local int s[64];
    int l = get_local_id(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[63 - l];
}
// >>> turned 256/64 : proved
// >>> turned 256/64 in=0 : proved

// Diagonal by diagonal, up to the longest and on from it (Rodinia's nw).
__kernel void diagonals(__global int *out, __global const int *in, __local int *t, int penalty)
{
    int l = get_local_id(0);
    t[(l + 1) * 17] = in[l];
    t[l + 1] = in[l + 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < 16; m++) {
        if (l <= m) {
            int x = l + 1, y = m - l + 1;
            t[y * 17 + x] = max(t[(y - 1) * 17 + x - 1], max(t[y * 17 + x - 1], t[(y - 1) * 17 + x]) - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int m = 14; m >= 0; m--) {
        if (l <= m) {
            int x = l + 16 - m, y = 16 - l;
            t[y * 17 + x] = max(t[(y - 1) * 17 + x - 1], max(t[y * 17 + x - 1], t[(y - 1) * 17 + x]) - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = t[l * 17 + 16];
}
// >>> diagonals 64/16 penalty=1 : proved
// >>> diagonals 64/32 penalty=1 : overlapping-writes

// What is read is on the same diagonal.
__kernel void diagonal_same(__global int *out, __local int *t)
{
    int l = get_local_id(0);
    for (int m = 0; m < 16; m++) {
        if (l <= m) {
            int x = l + 1, y = m - l + 1;
            t[y * 17 + x] = t[(y - 1) * 17 + x + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = t[l];
}
// >>> diagonal_same 64/16 : overlapping-writes

// Nobody waits between two diagonals.
__kernel void diagonal_hasty(__global int *out, __local int *t)
{
    int l = get_local_id(0);
    for (int m = 0; m < 16; m++)
        if (l <= m) {
            int x = l + 1, y = m - l + 1;
            t[y * 17 + x] = t[(y - 1) * 17 + x - 1];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l];
}
// >>> diagonal_hasty 64/16 : overlapping-writes

// Row by row, each from those above it (Rodinia's lud_diagonal).
__kernel void triangle(__global float *m, __local float *s)
{
    int l = get_local_id(0);
    for (int i = 0; i < 15; i++) {
        if (l > i) {
            for (int j = 0; j < i; j++)
                s[l * 16 + i] -= s[l * 16 + j] * s[j * 16 + i];
            s[l * 16 + i] /= s[i * 16 + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > i)
            for (int j = 0; j < i + 1; j++)
                s[(i + 1) * 16 + l] -= s[(i + 1) * 16 + j] * s[j * 16 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    m[get_global_id(0)] = s[l];
}
// >>> triangle 64/16 : proved

// One place too far.
__kernel void triangle_far(__global float *m, __local float *s)
{
    int l = get_local_id(0);
    for (int i = 0; i < 15; i++) {
        if (l > i)
            for (int j = 0; j < i + 2; j++)
                s[(i + 1) * 16 + l] -= s[(i + 1) * 16 + j] * 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    m[get_global_id(0)] = s[l];
}
// >>> triangle_far 64/16 : overlapping-writes

// Who is in the one loop is never there with who is in the other.
__kernel void one_then_other(__global int *out, __global const int *in, int n)
{
    __local int s[64];
    int l = get_local_id(0);
    for (int k = 0; k < n; k++) {
        s[l] = in[k * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < n; k++) {
        out[get_global_id(0) + k * 4096] = s[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
// >>> one_then_other 256/64 n=8 : proved

// In each round the row that the next one reads.
__kernel void rows(__global int *out, __local int *s, int n)
{
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < n; k++) {
        sum += s[k * 64 + 63 - l];
        s[(k + 1) * 64 + l] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
// >>> rows 256/64 n=8 : proved

// Some rounds have no barrier, and others go on from the one that the last of these comes to.
__kernel void rows_skip(__global int *out, __local int *s, int n)
{
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < n; k++) {
        sum += s[k * 64 + 63 - l];
        s[(k + 1) * 64 + l] = k;
        if (k & 1)
            continue;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
// >>> rows_skip 256/64 n=8 : overlapping-writes

// The inner loop is entered anew, and its first row written, while others are in its last round.
__kernel void rows_again(__global int *out, __local int *s, int n)
{
    int l = get_local_id(0), sum = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < 4; k++) {
            s[k * 64 + l] = j;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += s[(6 - 2 * k) * 64 + 63 - l];
        }
    out[get_global_id(0)] = sum;
}
// >>> rows_again 256/64 n=8 : overlapping-writes

// What is read anywhere was written before the last barrier; each round gives `done` a value (Rodinia's pathfinder).
__kernel void paths(__global int *out, __global const int *in, __local int *a, __local int *b, int rounds, int cols)
{
    int l = get_local_id(0), size = get_local_size(0), first = 40 * (int)get_group_id(0) - 12;
    int low = first < 0 ? -first : 0, high = first + size > cols ? cols - 1 - first : size - 1;
    int w = max(l - 1, low), e = min(l + 1, high);
    bool done;
    a[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < rounds; i++) {
        done = false;
        if (l >= i + 1 && l <= size - i - 2 && l >= low && l <= high) {
            done = true;
            b[l] = min(a[w], min(a[l], a[e])) + i;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == rounds - 1)
            break;
        if (done)
            a[l] = b[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (done)
        out[get_global_id(0)] = b[l];
}
// >>> paths 256/64 rounds=12 cols=160 : proved
// >>> paths 256/64 rounds=1 cols=160 : proved
// >>> paths 256/64 rounds=0 cols=160 : undefined-by-arguments

// Without the barrier between, others still read what is written.
__kernel void paths_hasty(__global int *out, __global const int *in, __local int *a, int rounds, int low, int high)
{
    int l = get_local_id(0), w = max(l - 1, low), e = min(l + 1, high);
    a[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < rounds; i++) {
        a[l] = min(a[w], min(a[l], a[e])) + i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = a[l];
}
// >>> paths_hasty 256/64 rounds=12 low=0 high=63 : index-overflow

// The first round may go by without a value.
__kernel void value_late(__global int *out, __local int *a, int rounds)
{
    int l = get_local_id(0), last;
    a[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < rounds; i++) {
        if (i > 0)
            last = a[63 - l] + i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = last;
}
// >>> value_late 256/64 rounds=4 : not-understood

// One left early, before it gave it one.
__kernel void value_break(__global int *out, __local int *a, int rounds, int stop)
{
    int l = get_local_id(0), last;
    a[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < rounds; i++) {
        if (i == stop)
            break;
        last = a[63 - l] + i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = last;
}
// >>> value_break 256/64 rounds=4 stop=0 : not-understood

// Without barriers, as it is for any local size.
__kernel void value_of_rounds(__global int *out, __global const int *in, int rounds)
{
    int last, i = get_global_id(0);
    for (int k = 0; k < rounds; k++)
        last = in[i + k] + k;
    out[i] = last;
}
// >>> value_of_rounds 256 rounds=4 : proved
// >>> value_of_rounds 256 rounds=0 : undefined-by-arguments
// >>> value_of_rounds 256 rounds=-1 : undefined-by-arguments

// A tile with a border on both sides, which the first and the last of a row bring in.
__kernel void bordered(__global float *out, __global const float *in, int w)
{
    __local float t[18][18];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    t[ly + 1][lx + 1] = in[y * w + x];
    if (lx == 0)
        t[ly + 1][0] = x > 0 ? in[y * w + x - 1] : 0;
    if (lx == 15)
        t[ly + 1][17] = x < w - 1 ? in[y * w + x + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly + 1][lx] + t[ly + 1][lx + 1] + t[ly + 1][lx + 2];
}
// >>> bordered 64x64/16x16 w=64 : proved

// Both bring in the same one.
__kernel void bordered_twice(__global float *out, __global const float *in, int w)
{
    __local float t[18][18];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    t[ly + 1][lx + 1] = in[y * w + x];
    if (lx == 0)
        t[ly + 1][0] = in[y * w];
    if (lx == 0 || lx == 15)
        t[ly + 1][17] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly + 1][lx] + t[ly + 1][lx + 1] + t[ly + 1][lx + 2];
}
// >>> bordered_twice 64x64/16x16 w=64 : overlapping-writes

// A tile that is larger than the group, brought in by strides (OpenCV's sep_filter does so with do).
__kernel void tile_strides(__global float *out, __global const float *in, int w)
{
    __local float t[18][34];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    for (int j = ly; j < 18; j += 16)
        for (int i = lx; i < 34; i += 16)
            t[j][i] = in[(y - ly + j) * w + x - lx + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][lx] + t[ly + 1][lx + 1] + t[ly + 2][lx + 18];
}
// >>> tile_strides 64x64/16x16 w=64 : proved
// >>> tile_strides 64x64/32x16 w=64 : overlapping-writes
// >>> tile_strides 64x64/8x16 w=64 : proved

__kernel void tile_strides_do(__global float *out, __global const float *in, int w)
{
    __local float t[18][34];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), j = ly;
    do {
        int i = lx;
        do {
            t[j][i] = in[(y - ly + j) * w + x - lx + i];
            i += 16;
        } while (i < 34);
        j += 16;
    } while (j < 18);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][lx] + t[ly + 1][lx + 1] + t[ly + 2][lx + 18];
}
// >>> tile_strides_do 64x64/16x16 w=64 : proved
// >>> tile_strides_do 64x64/32x16 w=64 : overlapping-writes

// Rows of the tile that are shorter than what is brought in.
__kernel void tile_strides_tight(__global float *out, __global const float *in, int w)
{
    __local float t[18 * 34];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    for (int j = ly; j < 18; j += 16)
        for (int i = lx; i < 34; i += 16)
            t[j * 33 + i] = in[(y - ly + j) * w + x - lx + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly * 33 + lx];
}
// >>> tile_strides_tight 64x64/16x16 w=64 : overlapping-writes

// A counter, which is ahead in some: no number of rounds.
__kernel void row_counted(__global int *out, __local int *s, int n)
{
    int l = get_local_id(0), sum = 0, c = 0;
    for (int k = 0; k < n; k++) {
        sum += s[c * 64 + 63 - l];
        s[(c + 1) * 64 + l] = k;
        if (l > k)
            c++;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
// >>> row_counted 256/64 n=8 : overlapping-writes

// What is chosen by the way into the loop is none, either.
__kernel void row_chosen(__global int *out, __local int *s, int n)
{
    int l = get_local_id(0), sum = 0, at = 0;
    for (int k = 0; k < n; k++) {
        s[at + l] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[at + 63 - l];
        at = 64;
    }
    out[get_global_id(0)] = sum;
}
// >>> row_chosen 256/64 n=8 : scattered-writes

// What is read once, at a place that is no sum, decides the rounds of all; under another name it is written.
__kernel void named_twice(__global int *out, __global const int *in, int n)
{
    __local int s[64];
    int l = get_local_id(0);
    for (int k = 0; k < in[(n * n) ^ 5]; k++) {
        s[l] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = s[63 - l] + k;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
// >>> named_twice 256/64 n=2 : proved
// >>> named_twice 256/64 in=0 n=2 : aliased-arguments

// ---- integers of groups that are made with vectors: what is computed of a group's id and size fits ----------

#define SUM_REGION(NAME, DECLARATIONS)                                                                       \
    __kernel void NAME(__global const float *in, __global float *out, int n, __local float *s)               \
    {                                                                                                        \
        DECLARATIONS                                                                                         \
        int l = get_local_id(0);                                                                             \
        float sum = 0;                                                                                       \
        while (i < stop) {                                                                                   \
            sum += in[i];                                                                                    \
            i += get_local_size(0);                                                                          \
        }                                                                                                    \
        s[l] = sum;                                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        for (unsigned k = get_local_size(0) / 2; k > 0; k >>= 1) {                                           \
            if (l < k)                                                                                       \
                s[l] += s[l + k];                                                                            \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
        }                                                                                                    \
        if (l == 0)                                                                                          \
            out[get_group_id(0)] = s[0];                                                                     \
    }

// SHOC: the number of groups is that of the launch, not any that its range would allow.
SUM_REGION(sum_region, int region = ((n / 4) / get_num_groups(0)) * 4; int start = get_group_id(0) * region;
           int stop = get_group_id(0) == get_num_groups(0) - 1 ? n : start + region;
           int i = start + get_local_id(0);)
// >>> sum_region 16384/256~ n=4194304 : proved
// >>> sum_region 16384/64~ n=4194304 : proved

// A region more than there are.
SUM_REGION(sum_regions_too_many, int region = ((n / 4) / get_num_groups(0)) * 4;
           int start = (get_group_id(0) + 1) * region; int stop = start + region; int i = start + get_local_id(0);)
// >>> sum_regions_too_many 16384/256~ n=1073741824 : proved
// >>> sum_regions_too_many 16384/256~ n=2130706432 : undefined-overflow

// NVIDIA: -16 is 2^32 - 16 where no more than 32 bits of a sum are needed.
#define SHIFTED(NAME, HALO)                                                                                  \
    __kernel void NAME(__global float *out, __global const float *in, int w)                                 \
    {                                                                                                        \
        __local float s[16 * 10];                                                                            \
        const int x = (get_group_id(0) * 8 - HALO) * 16 + get_local_id(0);                                   \
        for (int i = 0; i < 10; i++)                                                                         \
            s[get_local_id(0) + i * 16] = x + i * 16 >= 0 && x + i * 16 < w ? in[x + i * 16] : 0;            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        for (int i = 1; i < 9; i++)                                                                          \
            out[x + i * 16] = s[get_local_id(0) + i * 16 - 1] + s[get_local_id(0) + i * 16 + 1];             \
    }

SHIFTED(halo, 1)
// >>> halo 128/16~ w=1024 : proved
// >>> halo 268435456/16~ w=1024 : undefined-overflow

// The least integers: of some groups the sum has wrapped around, of others not.
SHIFTED(halo_far, 134217729)
// >>> halo_far 128/16~ w=1024 : undefined-overflow

// ---- why a place is not known ------------------------------------------------------------------------------

__kernel void says_memory(__global int *out, __global const int *at)
{
    int i = get_global_id(0);
    out[at[i]] = i;
}
// >>> says_memory 256 : scattered-writes (what is in memory decides the place)

// SHOC's writeGlobalMemory: nothing here depends on memory.
__kernel void says_loop(__global float *out, int size)
{
    int i = get_global_id(0), s = i;
    for (int j = 0; j < 16; j++) {
        out[s & (size - 1)] = i;
        s = (s + 131072) & (size - 1);
    }
}
// >>> says_loop 256 size=1048576 : scattered-writes (the place changes in a loop, and is not followed)

__kernel void says_loop_and_memory(__global float *out, __global const int *at, int size)
{
    int i = get_global_id(0), s = at[i];
    for (int j = 0; j < 16; j++) {
        out[s & (size - 1)] = i;
        s = (s + 131072) & (size - 1);
    }
}
// >>> says_loop_and_memory 256 size=1048576 : scattered-writes (what is in memory decides the place)

// A float that memory decides is stored, but where does not depend on it.
__kernel void says_nothing(__global float *out, __global const float *in, int n)
{
    int i = get_global_id(0);
    out[popcount(i) + n] = in[i];
}
// >>> says_nothing 256 n=4 : scattered-writes (the place is not followed)
