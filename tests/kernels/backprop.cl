/* The two kernels of a back-propagation step: layers of `width` units in tiles of TILE rows. */
#define TILE 16

__kernel void adjust_weights(__global const float *delta, int width, __global const float *units,
                             __global float *weight, __global float *old)
{
    int row = get_global_id(1) + 1, column = get_global_id(0) + 1;
    int at = row * (width + 1) + column;
    float step = 0.3f * delta[column] * units[row] + 0.3f * old[at];
    weight[at] += step;
    old[at] = step;
    if (row == 1) {
        weight[column] += 0.3f * delta[column] + 0.3f * old[column];
        old[column] = 0.3f * delta[column] + 0.3f * old[column];
    }
}

__kernel void layer_forward(__global const float *units, __global float *weight, __global float *partial,
                            __local float *input, __local float *product, int width)
{
    int x = get_local_id(0), y = get_local_id(1), across = get_local_size(0), down = get_local_size(1);
    int row = get_global_id(1) + 1, at = row * (width + 1) + get_global_id(0) + 1;
    if (x == 0)
        input[y] = units[row];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[y * across + x] = weight[at] * input[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = 1; reach < TILE; reach *= 2) {
        if (y % (2 * reach) == 0 && y + reach < down)
            product[y * across + x] += product[(y + reach) * across + x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    weight[at] = product[y * across + x];
    if (y == 0)
        partial[get_group_id(1) * width + get_global_id(0)] = product[x];
}
