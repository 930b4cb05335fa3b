/* k-means: nearest cluster of each point (features stored by feature), and the transposition before it. */
__kernel void assign(__global const float *feature, __global const float *cluster, __global int *membership,
                     int points, int clusters, int features)
{
    int i = get_global_id(0), best = 0;
    if (i >= points)
        return;
    float least = FLT_MAX;
    for (int c = 0; c < clusters; c++) {
        float sum = 0;
        for (int f = 0; f < features; f++) {
            float d = feature[f * points + i] - cluster[c * features + f];
            sum += d * d;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    membership[i] = best;
}

__kernel void swap(__global const float *feature, __global float *swapped, int points, int features)
{
    int i = get_global_id(0);
    if (i >= points)
        return;
    for (int f = 0; f < features; f++)
        swapped[f * points + i] = feature[i * features + f];
}
