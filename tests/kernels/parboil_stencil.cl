/* The shape of Parboil's stencil: 7 points in three dimensions, interior only. */

__kernel void stencil_7pt(float c0, float c1, __global const float *restrict in, __global float *restrict out, int nx,
                          int ny, int nz)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, z = get_global_id(2) + 1;
    if (x < nx - 1 && y < ny - 1 && z < nz - 1) {
        int at = x + nx * (y + ny * z);
        out[at] = c1 * (in[at + 1] + in[at - 1] + in[at + nx] + in[at - nx] + in[at + nx * ny] + in[at - nx * ny]) -
                  c0 * in[at];
    }
}
