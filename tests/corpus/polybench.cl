/* Kernels of the shapes of PolyBench/GPU.  Lines `// >>> KERNEL GLOBAL ARGUMENTS : VERDICT` are read by judge.c. */

__kernel void conv2d(__global float *a, __global float *b, int ni, int nj)
{
    int j = get_global_id(0), i = get_global_id(1);
    if ((i < ni - 1) && (j < nj - 1) && (i > 0) && (j > 0))
        b[i * nj + j] = 0.2f * a[(i - 1) * nj + (j - 1)] + 0.5f * a[i * nj + (j - 1)] - 0.8f * a[(i + 1) * nj + (j + 1)];
}
// >>> conv2d 1024x1024 ni=1024 nj=1024 : proved
// >>> conv2d 1056x1024 ni=1000 nj=1030 : proved

__kernel void conv3d(__global float *a, __global float *b, int ni, int nj, int nk, int i)
{
    int k = get_global_id(0), j = get_global_id(1);
    if ((i < ni - 1) && (j < nj - 1) && (k < nk - 1) && (i > 0) && (j > 0) && (k > 0))
        b[i * (nk * nj) + j * nk + k] = 2 * a[(i - 1) * (nk * nj) + (j - 1) * nk + (k - 1)] + a[i * (nk * nj) + j * nk + k];
}
// >>> conv3d 256x256 ni=256 nj=256 nk=256 i=17 : proved

__kernel void mm2_first(__global float *a, __global float *b, __global float *c, int ni, int nk, int nj)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if ((i < ni) && (j < nj)) {
        int k;
        c[i * nj + j] = 0;
        for (k = 0; k < nk; k++)
            c[i * nj + j] += a[i * nk + k] * b[k * nj + j];
    }
}
// >>> mm2_first 512x512 ni=512 nk=512 nj=512 : proved

__kernel void atax_1(__global float *a, __global float *x, __global float *tmp, int nx, int ny)
{
    int i = get_global_id(0);
    if (i < nx) {
        tmp[i] = 0;
        for (int j = 0; j < ny; j++)
            tmp[i] += a[i * ny + j] * x[j];
    }
}
// >>> atax_1 4096 nx=4096 ny=4096 : proved

__kernel void atax_2(__global float *a, __global float *y, __global float *tmp, int nx, int ny)
{
    int j = get_global_id(0);
    if (j < ny) {
        y[j] = 0;
        for (int i = 0; i < nx; i++)
            y[j] += a[i * ny + j] * tmp[i];
    }
}
// >>> atax_2 4096 nx=4096 ny=4000 : proved

__kernel void corr_std(__global float *mean, __global float *std, __global float *data, float n, float eps, int m, int nn)
{
    int j = get_global_id(0) + 1;
    if ((j >= 1) && (j < (m + 1))) {
        std[j] = 0.0f;
        for (int i = 1; i < (nn + 1); i++)
            std[j] += (data[i * (m + 1) + j] - mean[j]) * (data[i * (m + 1) + j] - mean[j]);
        std[j] = sqrt(std[j] / n);
        if (std[j] <= eps)
            std[j] = 1.0f;
    }
}
// >>> corr_std 2048 m=2048 nn=2048 : proved

__kernel void corr_reduce(__global float *mean, __global float *std, __global float *data, float n, int m, int nn)
{
    int j = get_global_id(0) + 1, i = get_global_id(1) + 1;
    if ((i >= 1) && (i < (nn + 1)) && (j >= 1) && (j < (m + 1))) {
        data[i * (m + 1) + j] -= mean[j];
        data[i * (m + 1) + j] /= (sqrt(n) * std[j]);
    }
}
// >>> corr_reduce 512x512 m=512 nn=512 : proved

__kernel void corr_products(__global float *symmat, __global float *data, int m, int n)
{
    int j1 = get_global_id(0) + 1;
    if ((j1 >= 1) && (j1 < m)) {
        symmat[j1 * (m + 1) + j1] = 1.0f;
        for (int j2 = (j1 + 1); j2 < (m + 1); j2++) {
            for (int i = 1; i < (n + 1); i++)
                symmat[j1 * (m + 1) + j2] += data[i * (m + 1) + j1] * data[i * (m + 1) + j2];
            symmat[j2 * (m + 1) + j1] = symmat[j1 * (m + 1) + j2];
        }
    }
}
// >>> corr_products 512 m=512 n=512 : proved
// >>> corr_products 640 m=512 n=512 : proved

__kernel void covar_products(__global float *symmat, __global float *data, int m, int n)
{
    int j1 = get_global_id(0) + 1;
    int i, j2;
    if ((j1 >= 1) && (j1 < (m + 1))) {
        for (j2 = j1; j2 < (m + 1); j2++) {
            symmat[j1 * (m + 1) + j2] = 0.0f;
            for (i = 1; i < (n + 1); i++)
                symmat[j1 * (m + 1) + j2] += data[i * (m + 1) + j1] * data[i * (m + 1) + j2];
            symmat[j2 * (m + 1) + j1] = symmat[j1 * (m + 1) + j2];
        }
    }
}
// >>> covar_products 512 m=512 n=512 : proved

/* Near miss: the mirrored element is one row too early and falls on the neighbour's. */
__kernel void covar_wrong(__global float *symmat, __global float *data, int m, int n)
{
    int j1 = get_global_id(0);
    if (j1 < m)
        for (int j2 = j1; j2 < m; j2++) {
            symmat[j1 * m + j2] = data[j2];
            symmat[j2 * m + j1 + 1] = data[j1];
        }
}
// >>> covar_wrong 512 m=512 n=512 : overlapping-writes

__kernel void fdtd_ey(__global float *fict, __global float *ex, __global float *ey, __global float *hz, int t, int nx, int ny)
{
    int j = get_global_id(0), i = get_global_id(1);
    if ((i < nx) && (j < ny)) {
        if (i == 0)
            ey[i * ny + j] = fict[t];
        else
            ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    }
}
// >>> fdtd_ey 512x512 t=3 nx=512 ny=512 : proved

__kernel void fdtd_ex(__global float *ex, __global float *ey, __global float *hz, int nx, int ny)
{
    int j = get_global_id(0), i = get_global_id(1);
    if ((i < nx) && (j < ny) && (j > 0))
        ex[i * (ny + 1) + j] = ex[i * (ny + 1) + j] - 0.5f * (hz[i * ny + j] - hz[i * ny + (j - 1)]);
}
// >>> fdtd_ex 512x512 nx=512 ny=512 : proved

__kernel void gramschmidt_3(__global float *a, __global float *r, __global float *q, int k, int m, int n)
{
    int j = get_global_id(0) + (k + 1);
    if ((j < n)) {
        r[k * n + j] = 0.0f;
        for (int i = 0; i < m; i++)
            r[k * n + j] += q[i * n + k] * a[i * n + j];
        for (int i = 0; i < m; i++)
            a[i * n + j] -= q[i * n + k] * r[k * n + j];
    }
}
// >>> gramschmidt_3 512 k=5 m=512 n=512 : proved

__kernel void gramschmidt_update(__global float *a, __global float *r, __global const float *q, int k, int m, int n)
{
    int j = get_global_id(0);
    if (j > k && j < n) {
        float dot = 0.0f;
        for (int i = 0; i < m; i++)
            dot += q[i * n + k] * a[i * n + j];
        r[k * n + j] = dot;
        for (int i = 0; i < m; i++)
            a[i * n + j] -= q[i * n + k] * dot;
    }
}
// >>> gramschmidt_update 512 k=5 m=512 n=512 : proved
// >>> gramschmidt_update 1024 k=5 m=512 n=512 : proved

__kernel void gramschmidt_1(__global float *a, __global float *r, int k, int m, int n)
{
    int tid = get_global_id(0);
    if (tid == 0) {
        float nrm = 0.0;
        for (int i = 0; i < m; i++)
            nrm += a[i * n + k] * a[i * n + k];
        r[k * n + k] = sqrt(nrm);
    }
}
// >>> gramschmidt_1 256 k=5 m=512 n=512 : proved

__kernel void gesummv(__global float *a, __global float *b, __global float *x, __global float *y, __global float *tmp,
                      float alpha, float beta, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        for (int j = 0; j < n; j++) {
            tmp[i] += a[i * n + j] * x[j];
            y[i] += b[i * n + j] * x[j];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
// >>> gesummv 4096 n=4096 : proved

__kernel void mvt_2(__global float *a, __global float *x2, __global float *y2, int n)
{
    int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < n; j++)
            x2[i] += a[j * n + i] * y2[j];
}
// >>> mvt_2 4096 n=4096 : proved

__kernel void syr2k(__global float *a, __global float *b, __global float *c, float alpha, float beta, int ni, int nj)
{
    int j = get_global_id(0), i = get_global_id(1);
    if ((i < ni) && (j < ni)) {
        c[i * ni + j] *= beta;
        for (int k = 0; k < nj; k++)
            c[i * ni + j] += alpha * a[i * nj + k] * b[j * nj + k] + alpha * b[i * nj + k] * a[j * nj + k];
    }
}
// >>> syr2k 512x512 ni=512 nj=512 : proved

__kernel void syrk_lower(__global float *a, __global float *c, float alpha, float beta, int m, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < m && j <= i) {
        c[i * m + j] *= beta;
        for (int k = 0; k < n; k++)
            c[i * m + j] += alpha * a[i * n + k] * a[j * n + k];
    }
}
// >>> syrk_lower 512x512 m=512 n=512 : proved

__kernel void trmm(__global float *a, __global float *b, float alpha, int m, int n)
{
    int j = get_global_id(0);
    if (j < n)
        for (int i = 0; i < m; i++) {
            for (int k = i + 1; k < m; k++)
                b[i * n + j] += a[k * m + i] * b[k * n + j];
            b[i * n + j] = alpha * b[i * n + j];
        }
}
// >>> trmm 512 m=512 n=512 : proved

__kernel void lu_1(__global float *a, int k, int n)
{
    int j = get_global_id(0) + (k + 1);
    if ((j < n))
        a[k * n + j] = a[k * n + j] / a[k * n + k];
}
// >>> lu_1 512 k=7 n=512 : proved

__kernel void lu_2(__global float *a, int k, int n)
{
    int j = get_global_id(0) + (k + 1), i = get_global_id(1) + (k + 1);
    if ((i < n) && (j < n))
        a[i * n + j] = a[i * n + j] - a[i * n + k] * a[k * n + j];
}
// >>> lu_2 512x512 k=7 n=512 : proved

__kernel void adi_column(__global float *a, __global float *b, __global float *x, int n)
{
    int i1 = get_global_id(0);
    if ((i1 < n))
        for (int i2 = 1; i2 < n; i2++) {
            x[i1 * n + i2] = x[i1 * n + i2] - x[i1 * n + (i2 - 1)] * a[i1 * n + i2] / b[i1 * n + (i2 - 1)];
            b[i1 * n + i2] = b[i1 * n + i2] - a[i1 * n + i2] * a[i1 * n + i2] / b[i1 * n + (i2 - 1)];
        }
}
// >>> adi_column 1024 n=1024 : proved

__kernel void adi_back(__global float *a, __global float *b, __global float *x, int n)
{
    int i1 = get_global_id(0);
    if (i1 < n)
        for (int i2 = 0; i2 < n - 2; i2++)
            x[i1 * n + (n - i2 - 2)] =
                (x[i1 * n + (n - 2 - i2)] - x[i1 * n + (n - 2 - i2 - 1)] * a[i1 * n + (n - i2 - 3)]) /
                b[i1 * n + (n - 3 - i2)];
}
// >>> adi_back 1024 n=1024 : proved

__kernel void adi_row(__global float *a, __global float *b, __global float *x, int i1, int n)
{
    int i2 = get_global_id(0);
    if (i2 < n) {
        x[i1 * n + i2] = x[i1 * n + i2] - x[(i1 - 1) * n + i2] * a[i1 * n + i2] / b[(i1 - 1) * n + i2];
        b[i1 * n + i2] = b[i1 * n + i2] - a[i1 * n + i2] * a[i1 * n + i2] / b[(i1 - 1) * n + i2];
    }
}
// >>> adi_row 1024 i1=4 n=1024 : proved

__kernel void jacobi1d(__global float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if ((i > 1) && (i < (n - 1)))
        b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
}
// >>> jacobi1d 4096 n=4096 : proved

__kernel void doitgen_copy(__global float *a, __global float *sum, int nr, int nq, int np, int r)
{
    int p = get_global_id(0), q = get_global_id(1);
    if ((p < np) && (q < nq))
        a[r * (nq * np) + q * np + p] = sum[r * (nq * np) + q * np + p];
}
// >>> doitgen_copy 128x128 nr=128 nq=128 np=128 r=9 : proved

/* In place: each row reads the one above, which another work-item writes. */
__kernel void seidel_wrong(__global float *a, int n)
{
    int i = get_global_id(0) + 1;
    if (i < n - 1)
        for (int j = 1; j < n - 1; j++)
            a[i * n + j] = (a[(i - 1) * n + j] + a[i * n + j - 1] + a[i * n + j]) / 3;
}
// >>> seidel_wrong 512 n=512 : overlapping-writes
