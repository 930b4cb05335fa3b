/* Sparse matrix times vector: SHOC's scalar CSR (one row per work-item) and the shape of Parboil's JDS. */

__kernel void spmv_csr(__global const float *restrict value, __global const int *restrict column,
                       __global const int *restrict row_start, __global const float *restrict x,
                       __global float *restrict y, int rows)
{
    int row = get_global_id(0);
    if (row < rows) {
        float sum = 0.0f;
        for (int k = row_start[row]; k < row_start[row + 1]; k++)
            sum += value[k] * x[column[k]];
        y[row] = sum;
    }
}

/* Rows sorted by length; `start[d]` is where the d-th elements of all rows begin, `length` is per sorted row.  The
 * result stays in sorted order. */
__kernel void spmv_jds(__global const float *restrict value, __global const int *restrict column,
                       __global const int *restrict start, __global const int *restrict length,
                       __global const float *restrict x, __global float *restrict y, int rows)
{
    int row = get_global_id(0);
    if (row < rows) {
        float sum = 0.0f;
        for (int d = 0; d < length[row]; d++) {
            int k = start[d] + row;
            sum += value[k] * x[column[k]];
        }
        y[row] = sum;
    }
}
