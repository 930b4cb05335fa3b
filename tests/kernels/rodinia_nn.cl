/* The shape of Rodinia's nn: the distance of every record (latitude, longitude) from one place. */
struct nn_place {
    float latitude, longitude;
};

__kernel void nn_distance(__global const struct nn_place *restrict place, __global float *restrict distance,
                          int records, float latitude, float longitude)
{
    int i = get_global_id(0);
    if (i < records) {
        float dy = latitude - place[i].latitude, dx = longitude - place[i].longitude;
        distance[i] = sqrt(dy * dy + dx * dx);
    }
}
