/* Resampling step of a particle filter: search the cumulative distribution from its start. */
__kernel void particle(__global const float *x, __global const float *y, __global const float *cdf,
                       __global const float *u, __global float *newx, __global float *newy, int particles)
{
    int i = get_global_id(0), found = -1;
    if (i >= particles)
        return;
    for (int j = 0; j < particles; j++)
        if (cdf[j] >= u[i]) {
            found = j;
            break;
        }
    if (found == -1)
        found = particles - 1;
    newx[i] = x[found];
    newy[i] = y[found];
}
