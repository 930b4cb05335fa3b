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

/* Counters of a byte. */
__kernel void bytes(__global int *o, uchar n)
{
    int x = get_global_id(0);
    for (uchar i = 0; i < n; i++)
        o[x * n + i] = i;
}
// >>> bytes 100000 n=5 : proved
// >>> bytes 100000 n=127 : proved
// >>> bytes 536870912 n=5 : index-overflow

__kernel void bytes_by_int(__global int *o, int n)
{
    int x = get_global_id(0);
    for (uchar i = 0; i < n; i++)
        o[x * n + i] = i;
}
// >>> bytes_by_int 100000 n=200 : proved
// >>> bytes_by_int 100000 n=300 : index-overflow

/* Two of the 300 are one place of the work-item's own; but that is not followed. */
__kernel void low_byte(__global int *o, int n)
{
    int x = get_global_id(0);
    for (int i = 0; i < n; i++)
        o[x * n + (uchar)i] = i;
}
// >>> low_byte 100000 n=200 : proved
// >>> low_byte 100000 n=300 : index-overflow

__kernel void low_byte_of_id(__global int *o)
{
    o[(uchar)get_global_id(0)] = 1 + get_global_id(0);
}
// >>> low_byte_of_id 256 : proved
// >>> low_byte_of_id 257 : index-overflow

__kernel void low_byte_of_id_and_row(__global int *o)
{
    o[(uchar)get_global_id(0) + 256 * get_global_id(1)] = 1 + get_global_id(0);
}
// >>> low_byte_of_id_and_row 256x100 : proved
// >>> low_byte_of_id_and_row 257x100 : index-overflow
// >>> low_byte_of_id_and_row 16+250x100 : index-overflow

__kernel void signed_byte_of_id(__global int *o)
{
    o[128 + (char)get_global_id(0)] = 1 + get_global_id(0);
}
// >>> signed_byte_of_id 128 : proved
// >>> signed_byte_of_id 257 : index-overflow

// What a wide counter from a narrow id is compared with bounds it.
__kernel void two_halves(__global float *e, __global const float *h, int n)
{
    for (long i = (int)get_global_id(0); i < n; i += get_global_size(0)) {
        e[i] *= h[i];
        e[i + n] *= h[i + n];
    }
}
// >>> two_halves 64 n=1000 : proved
// >>> two_halves 1024 n=1000 : proved
// >>> two_halves 64 n=-1000 : proved

__kernel void halves_that_meet(__global float *e, __global const float *h, int n)
{
    for (long i = (int)get_global_id(0); i <= n; i += get_global_size(0)) {
        e[i] *= h[i];
        e[i + n] *= h[i + n];
    }
}
// >>> halves_that_meet 64 n=1000 : overlapping-writes
