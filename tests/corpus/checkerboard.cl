// One colour of a checkerboard is computed from the other one.

__kernel void colour(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && ((x + y) & 1) == colour)
        o[y * w + x] = (o[y * w + x - 1] + o[y * w + x + 1] + o[(y - 1) * w + x] + o[(y + 1) * w + x]) / 4;
}
// >>> colour 64x32 w=64 h=32 colour=1 : proved
// >>> colour 64x32 w=64 h=32 colour=0 : proved
// >>> colour 64x32 w=63 h=32 colour=0 : proved
// >>> colour 1024x1000 w=1000 h=1000 colour=1 : proved

// As LLVM states constant bounds: x - 1 < 62, unsigned.
__kernel void constant_extents(__global float *o)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < 63 && y < 31 && ((x + y) & 1))
        o[y * 64 + x] = (o[y * 64 + x - 1] + o[y * 64 + x + 1] + o[(y - 1) * 64 + x] + o[(y + 1) * 64 + x]) / 4;
}
// >>> constant_extents 64x32 : proved

__kernel void dense(__global float *o, int w, int h, int colour)
{
    int y = get_global_id(1), x = 2 * get_global_id(0) + ((y + colour) & 1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        o[y * w + x] = (o[y * w + x - 1] + o[y * w + x + 1] + o[(y - 1) * w + x] + o[(y + 1) * w + x]) / 4;
}
// >>> dense 32x32 w=64 h=32 colour=1 : proved
// >>> dense 32x32 w=63 h=33 colour=0 : proved
// >>> dense 33x32 w=64 h=32 colour=0 : proved

__kernel void dense_constant_extents(__global float *o, int colour)
{
    int y = get_global_id(1), x = 2 * get_global_id(0) + ((y + colour) & 1);
    if (x > 0 && y > 0 && x < 63 && y < 31)
        o[y * 64 + x] = (o[y * 64 + x - 1] + o[y * 64 + x + 1] + o[(y - 1) * 64 + x] + o[(y + 1) * 64 + x]) / 4;
}
// >>> dense_constant_extents 32x32 colour=1 : proved

__kernel void diagonal(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && ((x + y) & 1) == colour)
        o[y * w + x] = o[(y - 1) * w + x - 1];
}
// >>> diagonal 64x32 w=64 h=32 colour=1 : overlapping-writes

// The row's end and the next row's beginning have one colour if w is even.
__kernel void around_the_end(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (y > 0 && x < w && y < h - 1 && ((x + y) & 1) == colour)
        o[y * w + x] = o[y * w + x - 1];
}
// >>> around_the_end 64x32 w=64 h=32 colour=1 : overlapping-writes

__kernel void columns(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && (x & 1) == colour)
        o[y * w + x] = o[y * w + x - 1] + o[y * w + x + 1];
}
// >>> columns 64x32 w=64 h=32 colour=1 : proved

__kernel void columns_above(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && (x & 1) == colour)
        o[y * w + x] = o[(y - 1) * w + x];
}
// >>> columns_above 64x32 w=64 h=32 colour=1 : overlapping-writes

__kernel void pairs(__global float *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && ((x + y) & 2))
        o[y * w + x] = o[y * w + x - 1];
}
// >>> pairs 64x32 w=64 h=32 : overlapping-writes

__kernel void three_colours(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && (x + y) % 3 == colour)
        o[y * w + x] = o[y * w + x - 1] + o[(y + 1) * w + x] + o[(y - 1) * w + x - 1];
}
// >>> three_colours 64x32 w=64 h=32 colour=1 : proved

__kernel void three_colours_wrong(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && (x + y) % 3 == colour)
        o[y * w + x] = o[(y - 1) * w + x + 1];
}
// >>> three_colours_wrong 64x32 w=64 h=32 colour=1 : overlapping-writes

__kernel void dense_two_rows(__global float *o, int w, int h)
{
    int y = get_global_id(1), x = 2 * get_global_id(0) + (y / 2 & 1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        o[y * w + x] = o[(y - 1) * w + x];
}
// >>> dense_two_rows 32x32 w=64 h=32 : overlapping-writes

__kernel void dense_two_away(__global float *o, int w, int h, int colour)
{
    int y = get_global_id(1), x = 2 * get_global_id(0) + ((y + colour) & 1);
    if (x > 1 && y > 0 && x < w - 1 && y < h - 1)
        o[y * w + x] = o[y * w + x - 2];
}
// >>> dense_two_away 32x32 w=64 h=32 colour=1 : overlapping-writes

// Two bits do not fit into what 2 * id leaves free.
__kernel void joined(__global float *o, int w, int colour)
{
    int y = get_global_id(1), x = 2 * get_global_id(0) | ((y + colour) & 3);
    o[y * w + x] = y;
}
// >>> joined 32x32 w=64 colour=1 : scattered-writes

/* The lowest bit of x ^ y is that of x + y. */
__kernel void colour_by_xor(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && ((x ^ y) & 1) == colour)
        o[y * w + x] = (o[y * w + x - 1] + o[y * w + x + 1] + o[(y - 1) * w + x] + o[(y + 1) * w + x]) / 4;
}
// >>> colour_by_xor 64x32 w=64 h=32 colour=1 : proved

__kernel void dense_by_xor(__global float *o, int w, int h, int colour)
{
    int y = get_global_id(1), x = 2 * get_global_id(0) + ((y ^ colour) & 1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        o[y * w + x] = (o[y * w + x - 1] + o[y * w + x + 1] + o[(y - 1) * w + x] + o[(y + 1) * w + x]) / 4;
}
// >>> dense_by_xor 32x32 w=64 h=32 colour=1 : proved

__kernel void diagonal_by_xor(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && ((x ^ y) & 1) == colour)
        o[y * w + x] = (o[(y - 1) * w + x - 1] + o[(y + 1) * w + x + 1]) / 2;
}
// >>> diagonal_by_xor 64x32 w=64 h=32 colour=1 : overlapping-writes

__kernel void second_bit_of_xor(__global float *o, int w, int h, int colour)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1 && ((x ^ y) & 2) == colour)
        o[y * w + x] = (o[y * w + x - 1] + o[y * w + x + 1]) / 2;
}
// >>> second_bit_of_xor 64x32 w=64 h=32 colour=2 : overlapping-writes
