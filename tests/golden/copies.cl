// Block copies that stay memcpy and memset: large structs and initialised arrays.
struct big { int v[300]; };
__kernel void copy(__global struct big *o, __global const struct big *in)
{
    o[get_global_id(0)] = in[get_global_id(0)];
}
__kernel void table(__global int *o, int i)
{
    int t[40] = {1, 2, 3};
    t[i] = 7;
    o[get_global_id(0)] = t[get_global_id(0) & 31];
}
// >>> exit status 127
