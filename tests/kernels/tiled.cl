/* The shapes of the tiled kernels of vendors' samples: groups of 16x16 that share what they read in local memory. */
#define TILE 16

__kernel void mm_tiled(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
                       int n)
{
    __local float s[TILE][TILE], t[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        s[ty][tx] = a[y * n + k + tx];
        t[ty][tx] = b[(k + ty) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; i++)
            sum += s[ty][i] * t[i][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

/* Rows of the tile are padded, as against bank conflicts. */
__kernel void transpose_tiled(__global const float *restrict in, __global float *restrict out, int n)
{
    __local float s[TILE][TILE + 1];
    int tx = get_local_id(0), ty = get_local_id(1);
    s[ty][tx] = in[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * TILE + ty) * n + get_group_id(1) * TILE + tx] = s[tx][ty];
}

/* A blur of 5x5 numbers; each work-item loads up to four of a tile with its borders, which lie in the input. */
__kernel void blur_tiled(__global const float *restrict in, __global float *restrict out, int n)
{
    __local float s[TILE + 4][TILE + 4];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1), row = n + 4;
    s[ty][tx] = in[y * row + x];
    if (tx < 4)
        s[ty][tx + TILE] = in[y * row + x + TILE];
    if (ty < 4)
        s[ty + TILE][tx] = in[(y + TILE) * row + x];
    if (tx < 4 && ty < 4)
        s[ty + TILE][tx + TILE] = in[(y + TILE) * row + x + TILE];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum += s[ty + j][tx + i];
    out[y * n + x] = sum * 0.04f;
}
