/* The shapes of PolyBench's CORR and COVAR on a matrix of n observations (rows) of m variables (columns). */

__kernel void stat_mean(__global float *restrict mean, __global const float *restrict data, int m, int n)
{
    int j = get_global_id(0);
    if (j < m) {
        mean[j] = 0.0f;
        for (int i = 0; i < n; i++)
            mean[j] += data[i * m + j];
        mean[j] /= (float)n;
    }
}

__kernel void stat_deviation(__global const float *restrict mean, __global float *restrict deviation,
                             __global const float *restrict data, int m, int n)
{
    int j = get_global_id(0);
    if (j < m) {
        deviation[j] = 0.0f;
        for (int i = 0; i < n; i++)
            deviation[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
        deviation[j] = sqrt(deviation[j] / (float)n);
        if (deviation[j] <= 0.005f)
            deviation[j] = 1.0f;
    }
}

__kernel void corr_reduce(__global const float *restrict mean, __global const float *restrict deviation,
                          __global const float *restrict data, __global float *restrict centred, int m, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < m)
        centred[i * m + j] = (data[i * m + j] - mean[j]) / (sqrt((float)n) * deviation[j]);
}

__kernel void covar_reduce(__global const float *restrict mean, __global const float *restrict data,
                           __global float *restrict centred, int m, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < m)
        centred[i * m + j] = data[i * m + j] - mean[j];
}

__kernel void stat_products(__global float *restrict out, __global const float *restrict centred, int m, int n)
{
    int j = get_global_id(0);
    if (j < m)
        for (int k = j; k < m; k++) {
            float sum = 0.0f;
            for (int i = 0; i < n; i++)
                sum += centred[i * m + j] * centred[i * m + k];
            out[j * m + k] = sum;
            out[k * m + j] = sum;
        }
}
