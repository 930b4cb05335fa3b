/* The shapes of PolyBench's 2DCONV and 3DCONV. */

__kernel void conv2d_3x3(__global const float *restrict a, __global float *restrict b, int ni, int nj)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i > 0 && j > 0 && i < ni - 1 && j < nj - 1)
        b[i * nj + j] = 0.2f * a[(i - 1) * nj + j - 1] + 0.5f * a[(i - 1) * nj + j] - 0.8f * a[(i - 1) * nj + j + 1] -
                        0.3f * a[i * nj + j - 1] + 0.6f * a[i * nj + j] - 0.9f * a[i * nj + j + 1] +
                        0.4f * a[(i + 1) * nj + j - 1] + 0.7f * a[(i + 1) * nj + j] + 0.1f * a[(i + 1) * nj + j + 1];
}

__kernel void conv3d_plane(__global const float *restrict a, __global float *restrict b, int nj, int nk, int i)
{
    int k = get_global_id(0), j = get_global_id(1);
    if (j > 0 && k > 0 && j < nj - 1 && k < nk - 1) {
        __global const float *below = a + (i - 1) * nj * nk, *here = a + i * nj * nk, *above = a + (i + 1) * nj * nk;
        int at = j * nk + k;
        b[i * nj * nk + at] = 0.2f * below[at - nk - 1] + 0.4f * above[at - nk - 1] + 0.5f * below[at - 1] +
                              0.7f * above[at - 1] - 0.8f * below[at + nk - 1] + 1.0f * above[at + nk - 1] -
                              0.3f * here[at - nk] + 0.6f * here[at] - 0.9f * here[at + nk] +
                              0.2f * below[at + 1] + 0.1f * above[at + nk + 1];
    }
}
