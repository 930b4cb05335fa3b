/* The shape of Rodinia's backprop forward pass: a group of 16x16 sums 16 weighted inputs in local memory. */
#define FORWARD_TILE 16

__kernel void backprop_layer_forward(__global const float *restrict input, __global const float *restrict weight,
                                     __global float *restrict partial, int hid)
{
    __local float product[FORWARD_TILE][FORWARD_TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1);
    product[ty][tx] = weight[y * hid + x] * input[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int left = FORWARD_TILE / 2; left > 0; left /= 2) {
        if (ty < left)
            product[ty][tx] += product[ty + left][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (ty == 0)
        partial[get_group_id(1) * hid + x] = product[0][tx];
}
