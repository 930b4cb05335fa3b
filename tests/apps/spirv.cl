/* The kernels of spirv.c; made into SPIR-V by the build. */
int weigh(int x)
{
    int sum = 0;
    for (int k = 1; k <= 4; k++)
        sum += k * x;
    return sum;
}

__kernel void mixed(__global const int *in, __global int *out, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        out[i] = weigh(in[i]) + in[i];
}

__kernel void plain(__global const int *in, __global int *out, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        out[i] = 2 * in[i];
}
