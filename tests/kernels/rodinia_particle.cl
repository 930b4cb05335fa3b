/* The shape of Rodinia's particlefilter (naive): each particle looks for its place in the cumulative weights. */

__kernel void particle_naive(__global const float *restrict x, __global const float *restrict y,
                             __global const float *restrict cumulative, __global const float *restrict u,
                             __global float *restrict new_x, __global float *restrict new_y, int particles)
{
    int i = get_global_id(0);
    if (i >= particles)
        return;
    int found = -1;
    for (int j = 0; j < particles; j++) {
        if (cumulative[j] >= u[i]) {
            found = j;
            break;
        }
    }
    if (found == -1)
        found = particles - 1;
    new_x[i] = x[found];
    new_y[i] = y[found];
}
