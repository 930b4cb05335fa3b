/* The shape of Rodinia's backprop: weights between an input layer of `rows` units and a hidden layer of `hid`. */

__kernel void backprop_adjust_weights(__global const float *restrict delta, int hid,
                                      __global const float *restrict layer, __global float *restrict weight,
                                      __global float *restrict old_weight)
{
    int x = get_global_id(0), y = get_global_id(1);
    int index = (y + 1) * (hid + 1) + x + 1;
    float change = 0.3f * delta[x + 1] * layer[y + 1] + 0.3f * old_weight[index];
    weight[index] += change;
    old_weight[index] = change;
}
