/* Distance of every record to a place. */
typedef struct {
    float latitude, longitude;
} place;

__kernel void nearest_neighbour(__global const place *records, __global float *distance, int n, float latitude,
                                float longitude)
{
    int i = get_global_id(0);
    if (i < n) {
        float dy = latitude - records[i].latitude, dx = longitude - records[i].longitude;
        distance[i] = sqrt(dy * dy + dx * dx);
    }
}
