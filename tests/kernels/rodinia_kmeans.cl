/* The shape of Rodinia's kmeans: transpose the features, then the nearest cluster of every point. */

__kernel void kmeans_swap(__global const float *restrict feature, __global float *restrict by_feature, int points,
                          int features)
{
    int i = get_global_id(0);
    if (i < points)
        for (int f = 0; f < features; f++)
            by_feature[f * points + i] = feature[i * features + f];
}

__kernel void kmeans_c(__global const float *restrict by_feature, __global const float *restrict cluster,
                       __global int *restrict member, int points, int clusters, int features)
{
    int i = get_global_id(0);
    if (i >= points)
        return;
    float least = 3.4e38f;
    int nearest = 0;
    for (int c = 0; c < clusters; c++) {
        float distance = 0.0f;
        for (int f = 0; f < features; f++) {
            float d = by_feature[f * points + i] - cluster[c * features + f];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    member[i] = nearest;
}
