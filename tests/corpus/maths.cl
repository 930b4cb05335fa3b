/* Kernels as libraries of linear algebra and of deep learning have them: strided vectors, grid-stride loops, work spread
 * by groups. */

__kernel void axpy_strided(int n, float alpha, __global const float *x, int offx, int incx, __global float *y, int offy, int incy)
{
    int i = get_global_id(0);
    if (i < n)
        y[offy + i * incy] += alpha * x[offx + i * incx];
}
// >>> axpy_strided 65536 n=65000 offx=0 incx=1 offy=3 incy=2 : proved
// >>> axpy_strided 65536 n=65000 offx=0 incx=1 offy=3 incy=0 : overlapping-writes

__kernel void av_grid(__global float *v1, uint4 size1, __global const float *v2, uint4 size2, float alpha)
{
    for (unsigned int i = get_global_id(0); i < size1.z; i += get_global_size(0))
        v1[i * size1.y + size1.x] = v2[i * size2.y + size2.x] * alpha;
}
// >>> av_grid 16384 size1=0,1,100000,100000 size2=0,1,100000,100000 : proved
// >>> av_grid 16384 size1=5,3,100000,100000 size2=0,1,100000,100000 : proved

__kernel void rows_by_groups(__global float *a, uint start1, uint start2, uint inc1, uint inc2, uint size1, uint size2, uint internal2)
{
    unsigned int row_gid = get_global_id(0) / get_local_size(0), col_gid = get_global_id(0) % get_local_size(0);
    for (unsigned int row = row_gid; row < size1; row += get_num_groups(0))
        for (unsigned int col = col_gid; col < size2; col += get_local_size(0))
            a[(row * inc1 + start1) * internal2 + (col * inc2 + start2)] *= 2.0f;
}
// >>> rows_by_groups 16384 start1=0 start2=0 inc1=1 inc2=1 size1=500 size2=300 internal2=384 : num-groups-observed

__kernel void rows_by_group_ids(__global float *a, __global const float *b, int n, int m)
{
    for (int row = get_group_id(0); row < n; row += get_num_groups(0))
        for (int col = get_local_id(0); col < m; col += get_local_size(0))
            a[row * m + col] = b[row * m + col] + 1.0f;
}
// >>> rows_by_group_ids 16384 n=500 m=300 : local-id-observed

/* The sum of a work-item's columns depends on how many work-items share a row. */
__kernel void row_sums_by_groups(__global float *out, __global const float *b, int n, int m, int wide)
{
    for (int row = get_group_id(0); row < n; row += get_num_groups(0)) {
        float sum = 0;
        for (int col = get_local_id(0); col < m; col += get_local_size(0))
            sum += b[row * m + col];
        out[row * wide + get_local_id(0)] = sum;
    }
}
// >>> row_sums_by_groups 16384 n=500 m=300 wide=1024 : local-id-observed

__kernel void csr_by_groups(__global const uint *rows, __global const uint *cols, __global const float *val, __global const float *x,
                            __global float *y, uint n)
{
    for (unsigned int row = get_global_id(0); row < n; row += get_global_size(0)) {
        float dot = 0.0f;
        unsigned int end = rows[row + 1];
        for (unsigned int i = rows[row]; i < end; ++i)
            dot += val[i] * x[cols[i]];
        y[row] = dot;
    }
}
// >>> csr_by_groups 16384 n=100000 : proved

__kernel void ell(__global const uint *coords, __global const float *val, __global const float *x, __global float *y, uint rows,
                  uint per_row, uint internal_rows, uint aligned)
{
    uint glb_id = get_global_id(0), glb_sz = get_global_size(0);
    for (uint row = glb_id; row < rows; row += glb_sz) {
        float sum = 0;
        uint offset = row;
        for (uint item = 0; item < per_row; item++, offset += internal_rows)
            if (val[offset] != 0)
                sum += x[coords[offset]] * val[offset];
        y[row] = sum;
    }
}
// >>> ell 16384 rows=100000 per_row=7 internal_rows=100096 aligned=8 : proved

__kernel void ger(__global float *a, __global const float *x, __global const float *y, float alpha, int m, int n, int lda)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i < m && j < n)
        a[i + j * lda] += alpha * x[i] * y[j];
}
// >>> ger 512x512 m=500 n=500 lda=512 : proved

__kernel void lower_triangle(__global float *a, int n, int lda)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    for (int j = 0; j <= i; j++)
        a[i * lda + j] = 0;
}
// >>> lower_triangle 512 n=500 lda=512 : proved

__kernel void symmetrise(__global float *a, int n, int lda)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i < n && j < i)
        a[j * lda + i] = a[i * lda + j];
}
// >>> symmetrise 512x512 n=512 lda=512 : proved

__kernel void symmetrise_rows(__global float *a, int n)
{
    int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < i; j++)
            a[j * n + i] = a[i * n + j];
}
// >>> symmetrise_rows 512 n=512 : proved

__kernel void packed_triangle(__global const float *full, __global float *packed, int n)
{
    int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j <= i; j++)
            packed[i * (i + 1) / 2 + j] = full[i * n + j];
}
// >>> packed_triangle 512 n=512 : overlapping-writes

__kernel void triangular_solve_step(__global const float *a, __global float *b, int n, int k)
{
    int i = get_global_id(0) + k + 1;
    if (i < n)
        b[i] -= a[i * n + k] * b[k];
}
// >>> triangular_solve_step 512 n=512 k=5 : proved

__kernel void cholesky_step(__global float *a, int n, int k)
{
    int j = get_global_id(0) + k + 1, i = get_global_id(1) + k + 1;
    if (i < n && j <= i)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
}
// >>> cholesky_step 512x512 n=512 k=5 : proved

__kernel void relu(const int n, __global const float *in, __global float *out, float slope)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] > 0 ? in[i] : in[i] * slope;
}
// >>> relu 16384 n=1000000 : proved

__kernel void batch_norm(__global float *x, __global const float *mean, __global const float *var, int filters, int spatial, int batch)
{
    int g = get_global_id(0);
    if (g >= batch * filters * spatial)
        return;
    int f = (g / spatial) % filters;
    x[g] = (x[g] - mean[f]) / (sqrt(var[f]) + 0.00001f);
}
// >>> batch_norm 602112 filters=64 spatial=3136 batch=3 : proved

__kernel void add_bias_3d(__global float *out, __global const float *bias, int n, int size)
{
    int id = get_global_id(0) + get_global_id(1) * get_global_size(0);
    if (id >= n * size)
        return;
    int i = id % size;
    id /= size;
    int j = id % n;
    id /= n;
    int k = id;
    out[(k * n + j) * size + i] += bias[j];
}
// >>> add_bias_3d 512x64 n=32 size=1024 : proved

__kernel void shortcut(int size, int minw, int minh, int minc, int stride, int sample, int batch, int w1, int h1, int c1,
                       __global const float *add, int w2, int h2, int c2, __global float *out)
{
    int id = get_global_id(0);
    if (id >= size)
        return;
    int i = id % minw;
    id /= minw;
    int j = id % minh;
    id /= minh;
    int k = id % minc;
    id /= minc;
    int b = id % batch;
    int to = i * sample + w2 * (j * sample + h2 * (k + c2 * b)), from = i * stride + w1 * (j * stride + h1 * (k + c1 * b));
    out[to] += add[from];
}
// >>> shortcut 43264 size=43264 minw=26 minh=26 minc=64 stride=1 sample=1 batch=1 w1=26 h1=26 c1=64 w2=26 h2=26 c2=64 : proved

__kernel void softmax_rows(int n, int batch, int offset, __global const float *in, __global float *out)
{
    int b = get_global_id(0);
    if (b >= batch)
        return;
    in += b * offset;
    out += b * offset;
    float largest = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, in[i]);
    for (int i = 0; i < n; i++) {
        float e = exp(in[i] - largest);
        sum += e;
        out[i] = e;
    }
    for (int i = 0; i < n; i++)
        out[i] /= sum;
}
// >>> softmax_rows 128 n=1000 batch=100 offset=1000 : proved

__kernel void gather_rows(__global const float *in, __global const int *index, __global float *out, int rows, int cols)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c < cols && r < rows)
        out[r * cols + c] = in[index[r] * cols + c];
}
// >>> gather_rows 64x1024 rows=1000 cols=64 : proved

__kernel void take_scatter(__global float *out, __global const int *index, __global const float *in, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[index[i]] = in[i];
}
// >>> take_scatter 65536 n=65000 : scattered-writes

typedef struct {
    uint n, stride, start, pad;
} Shape;

__kernel void shaped(__global float *x, Shape s)
{
    for (uint i = get_global_id(0); i < s.n; i += get_global_size(0))
        x[s.start + i * s.stride] = i;
}
// >>> shaped 1024 s=100000,2,3,0 : proved
// >>> shaped 1024 s=100000,0,3,0 : overlapping-writes

/* Near miss: the member is another one for every work-item. */
__kernel void shaped_anew(__global float *x, Shape s)
{
    uint i = get_global_id(0);
    if (x[i] > 1)
        s.stride = 0;
    x[s.start + i * s.stride] = 0.0f;
}
// >>> shaped_anew 1024 s=100000,2,3,0 : scattered-writes overlapping-writes

typedef struct {
    int size[3], stride[3];
} Tensor;

__kernel void tensor_copy(__global float *dst, __global const float *src, Tensor t)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < t.size[0] && y < t.size[1] && z < t.size[2])
        dst[x * t.stride[0] + y * t.stride[1] + z * t.stride[2]] = src[(z * t.size[1] + y) * t.size[0] + x];
}
// >>> tensor_copy 64x64x16 t=64,64,16,1,64,4096 : proved

__kernel void long_ids(__global double *y, __global const double *x, ulong n, ulong offset)
{
    ulong i = get_global_id(0);
    if (i >= n)
        return;
    y[i + offset] = x[i];
}
// >>> long_ids 65536 n=65000 offset=5 : proved

__kernel void negated_guard(__global float *y, unsigned n)
{
    size_t i = get_global_id(0);
    if (!(i < n))
        return;
    y[2 * i] = 1;
    y[2 * i + 1] = 2;
}
// >>> negated_guard 65536 n=65000 : proved

__kernel void unrolled(__global float *y, __global const float *x, int n)
{
    int i = get_global_id(0) * 8;
    if (i + 8 <= n) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            y[i + k] = 2 * x[i + k];
    } else {
        for (; i < n; i++)
            y[i] = 2 * x[i];
    }
}
// >>> unrolled 8192 n=65533 : proved

__kernel void strided_tail(__global float *y, int n)
{
    int i = get_global_id(0), stride = get_global_size(0);
    for (; i + 3 * stride < n; i += 4 * stride) {
        y[i] += 1;
        y[i + stride] += 1;
        y[i + 2 * stride] += 1;
        y[i + 3 * stride] += 1;
    }
    for (; i < n; i += stride)
        y[i] += 1;
}
// >>> strided_tail 1024 n=100000 : proved

__kernel void float4_cast(__global float *y, __global const float *x, int n4)
{
    int i = get_global_id(0);
    if (i < n4)
        ((__global float4 *)y)[i] = ((__global const float4 *)x)[i] * 2.0f;
}
// >>> float4_cast 16384 n4=16000 : proved

__kernel void private_index(__global float *y, __global const float *x, int w, int h)
{
    int at[2], i = get_global_id(0);
    at[0] = i % w;
    at[1] = i / w;
    if (at[1] < h)
        y[at[1] * w + at[0]] = x[at[0] * h + at[1]];
}
// >>> private_index 65536 w=256 h=250 : proved

__kernel void union_find_min(__global int *label, __global const int2 *edge, int n)
{
    int i = get_global_id(0);
    if (i < n)
        atomic_min(&label[edge[i].x], edge[i].y);
}
// >>> union_find_min 65536 n=65000 : proved

__kernel void compact(__global const int *in, __global int *out, __global int *count, int n)
{
    int i = get_global_id(0);
    if (i < n && in[i] > 0)
        out[atomic_inc(count)] = in[i];
}
// >>> compact 65536 n=65000 : ordered-atomic
