/* The kernels of [R] 7. */

#define TWICE(x)  x x
#define EIGHT(x)  TWICE(TWICE(TWICE(x)))
#define CHAIN(x)  TWICE(EIGHT(EIGHT(x))) /* 128, each waiting for the one before */

__kernel void madd(__global float *out, float a, float b)
{
    int i = get_global_id(0);
    float x = i;
    for (int k = 0; k < 1024; k++) {
        CHAIN(x = mad(x, a, b);)
    }
    out[i] = x;
}

__kernel void mul(__global int *out)
{
    int i = get_global_id(0), x = i;
    for (int k = 0; k < 1024; k++) {
        CHAIN(x *= x;)
    }
    out[i] = x;
}

/* Listing 7.1 */
__kernel void transpose(__global const float *restrict idata, __global float *restrict odata, int size_x, int size_y)
{
    int x = get_global_id(0), y = get_global_id(1);
    odata[x * size_y + y] = idata[y * size_x + x];
}

/* Listing 7.2: neighbours are in a column, as there; the filter and the part of the image in local memory. */
#define FILTER 5
#define SIDE   32
__kernel void convolution(__global const uchar *restrict image, __global const int *restrict filter,
                          __global uchar *restrict out_row, int width, int gain)
{
    __local uchar in_row[SIDE + FILTER - 1][(SIDE + FILTER - 1) * 3];
    __local int weight[FILTER * FILTER];
    int ly = get_local_id(0), lx = get_local_id(1), y = get_global_id(0), x = get_global_id(1);
    if (lx == 0 && ly < FILTER * FILTER)
        weight[ly] = filter[ly];
    for (int row = lx; row < SIDE + FILTER - 1; row += SIDE)
        for (int at = ly; at < (SIDE + FILTER - 1) * 3; at += SIDE)
            in_row[row][at] = image[(y - ly + row) * width * 3 + (x - lx) * 3 + at];
    barrier(CLK_LOCAL_MEM_FENCE);
    int red = 0, grn = 0, blu = 0;
    for (int fy = 0; fy < FILTER; fy++)
        for (int fx = 0; fx < FILTER; fx++) {
            int coeff = weight[fx + fy * FILTER];
            red += in_row[ly + fy][3 * (lx + fx)] * coeff;
            grn += in_row[ly + fy][3 * (lx + fx) + 1] * coeff;
            blu += in_row[ly + fy][3 * (lx + fx) + 2] * coeff;
        }
    out_row[(y * width + x) * 3] = red * gain;
    out_row[(y * width + x) * 3 + 1] = grn * gain;
    out_row[(y * width + x) * 3 + 2] = blu * gain;
}
