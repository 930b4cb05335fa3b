// Private arrays: one that survives because its index is dynamic, one that becomes registers.
__kernel void histogram(__global uint *out, __global const uchar *in, int n)
{
    uint bins[16];
    int t = get_global_id(0);
    for (int i = 0; i < 16; i++)
        bins[i] = 0;
    for (int i = 0; i < n; i++)
        bins[in[t * n + i] & 15]++;
    for (int i = 0; i < 16; i++)
        out[t * 16 + i] = bins[i];
}
__kernel void registers(__global int *out)
{
    int a[2];
    a[0] = get_global_id(0);
    a[1] = a[0] * 2;
    out[a[0]] = a[1];
}
// >>> exit status 127
