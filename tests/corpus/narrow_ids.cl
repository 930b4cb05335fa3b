// Launches of kernels that put ids into int variables, or multiply them as 24 bits: proved in ranges that fit.
__kernel void group_int(__global float *x, int n)
{
    int bx = get_group_id(0);
    if (bx * get_local_size(0) + get_local_id(0) < n)
        x[bx * get_local_size(0) + get_local_id(0)] *= 2;
}
// >>> group_int 65536 n=65000 : proved
// >>> group_int 2147483647 n=65000 : proved
// >>> group_int 2147483648 n=65000 : large-range
// >>> group_int 65536+2147418111 n=65000 : proved
// >>> group_int 65536+2147418112 n=65000 : large-range
// >>> group_int 1x2147483648 n=65000 : large-range

__kernel void plane(__global float *x, int pitch, int h)
{
    int bx = get_group_id(0), by = get_group_id(1);
    size_t c = bx * get_local_size(0) + get_local_id(0), r = by * get_local_size(1) + get_local_id(1);
    if (c < pitch && r < h)
        x[r * pitch + c] *= 2;
}
// >>> plane 1024x1024 pitch=1000 h=1000 : proved

__kernel void whole_index(__global float *x)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    x[i] *= 2;
}
// >>> whole_index 65536 : proved

__kernel void mad24_int(__global float *x, int n)
{
    int i = mad24((int)get_group_id(0), (int)get_local_size(0), (int)get_local_id(0));
    if (i < n)
        x[i] *= 2;
}
// >>> mad24_int 65536 n=65000 : proved
// >>> mad24_int 8388607 n=65000 : proved
// >>> mad24_int 8388608 n=65000 : large-range
// >>> mad24_int 16777216 n=65000 : large-range
// >>> mad24_int 65536+8323072 n=65000 : large-range

__kernel void mad24_uint(__global float *x, uint n)
{
    uint i = mad24((uint)get_group_id(0), (uint)get_local_size(0), (uint)get_local_id(0));
    if (i < n)
        x[i] *= 2;
}
// >>> mad24_uint 16777215 n=65000 : proved
// >>> mad24_uint 16777216 n=65000 : large-range
