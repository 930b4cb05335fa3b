/* Kernels of the shapes of Parboil's and SHOC's that use neither barriers nor local memory. */

__kernel void sgemm_nt(__global const float *a, int lda, __global const float *b, int ldb, __global float *c, int ldc, int k,
                       float alpha, float beta)
{
    float s = 0.0f;
    int m = get_global_id(0), n = get_global_id(1);
    for (int i = 0; i < k; ++i)
        s += a[m + i * lda] * b[n + i * ldb];
    c[m + n * ldc] = c[m + n * ldc] * beta + alpha * s;
}
// >>> sgemm_nt 1024x512 lda=1024 ldb=512 ldc=1024 k=992 : proved
// >>> sgemm_nt 1024x512 lda=1024 ldb=512 ldc=1000 k=992 : overlapping-writes

__kernel void spmv_jds(__global float *dst, __global const float *data, __global const int *index, __global const int *perm,
                       __global const float *x, const int dim, __constant int *ptr, __constant int *nzcnt)
{
    int ix = get_global_id(0);
    if (ix < dim) {
        float sum = 0.0f;
        int bound = nzcnt[ix / 32];
        for (int k = 0; k < bound; k++) {
            int j = ptr[k] + ix;
            sum += data[j] * x[index[j]];
        }
        dst[perm[ix]] = sum;
    }
}
// >>> spmv_jds 146944 dim=146689 : scattered-writes

#define IDX(x, y, z) ((x) + ((y) + (z) * ny) * nx)
__kernel void stencil_naive(float c0, float c1, __global float *a0, __global float *anext, int nx, int ny, int nz)
{
    int i = get_global_id(0) + 1, j = get_global_id(1) + 1, k = get_global_id(2) + 1;
    if (i < nx - 1)
        anext[IDX(i, j, k)] = (a0[IDX(i, j, k + 1)] + a0[IDX(i, j, k - 1)] + a0[IDX(i, j + 1, k)] + a0[IDX(i, j - 1, k)] +
                               a0[IDX(i + 1, j, k)] + a0[IDX(i - 1, j, k)]) * c1 - a0[IDX(i, j, k)] * c0;
}
// >>> stencil_naive 512x510x62 nx=512 ny=512 nz=64 : proved

#define LBM_X 120
#define LBM_Y 120
#define LBM_Z 150
#define LBM_PAD 128
#define AT(grid, x, y, z, e) grid[(LBM_PAD * LBM_Y * (LBM_Z + 4)) * (e) + (x) + (y) * LBM_PAD + (z) * LBM_PAD * LBM_Y]
__kernel void lbm(__global float *src, __global float *dst)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float c = AT(src, x, y, z, 0), n = AT(src, x, y, z, 1), t = AT(src, x, y, z, 5);
    float rho = c + n + t;
    AT(dst, x, y, z, 0) = c - 0.1f * rho;
    AT(dst, x, y + 1, z, 1) = n - 0.2f * rho;
    AT(dst, x, y, z + 1, 5) = t + 0.1f * rho;
}
// >>> lbm 120x120x150 : proved
// >>> lbm 121x120x150 : proved

#define KM 1024
struct kvalues {
    float kx, ky, kz, phi;
};
__kernel void mriq_compute_q(int num, int first, __global float *x, __global float *y, __global float *z, __global float *qr,
                             __global float *qi, __constant struct kvalues *ck)
{
    int i = get_global_id(0);
    float r = qr[i], s = qi[i];
    for (int k = 0; k < KM && first < num; k++, first++) {
        float e = 6.28f * (ck[k].kx * x[i] + ck[k].ky * y[i] + ck[k].kz * z[i]);
        r += ck[k].phi * cos(e);
        s += ck[k].phi * sin(e);
    }
    qr[i] = r;
    qi[i] = s;
}
// >>> mriq_compute_q 262144 num=3072 first=0 : proved

__kernel void histo_saturate(__global uint *input, __global uchar *out, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = input[i] > 255 ? 255 : input[i];
}
// >>> histo_saturate 4096 n=1000003 : proved

/* Three strips, one after the other, each in steps of the range; the sizes of the strips are quotients. */
__kernel void histo_strips(__global ushort *narrow, __global uint *wide, __global uchar *out, uint low, uint high, uint n)
{
    uint first = get_local_id(0) + get_group_id(0) * get_local_size(0);
    uint step = get_num_groups(0) * get_local_size(0);
    for (uint i = first; i < low / 4; i += step) {
        out[4 * i] = min(narrow[4 * i], (ushort)255);
        narrow[4 * i] = 0;
    }
    for (uint i = low / 4 + first; i < high / 4; i += step) {
        out[4 * i] = min(wide[4 * i], 255u);
        wide[4 * i] = 0;
    }
    for (uint i = high / 4 + first; i < n / 4; i += step) {
        out[4 * i] = min(narrow[4 * i], (ushort)255);
        narrow[4 * i] = 0;
    }
}
// >>> histo_strips 21504 low=73728 high=147456 n=4079616 : proved

__kernel void histo_global(__global const uint *input, __global uint *histo, uint n)
{
    uint i = get_global_id(0);
    while (i < n) {
        atomic_inc(&histo[input[i]]);
        i += get_global_size(0);
    }
}
// >>> histo_global 4096 n=1000003 : proved

__kernel void sad_larger(__global ushort *sads, int width, int height)
{
    int bx = get_global_id(0), by = get_global_id(1), s = get_global_id(2);
    __global ushort *in = sads + (by * width + bx) * 4 * 32 + s;
    __global ushort *out = sads + width * height * 4 * 32 + (by * width + bx) * 32 + s;
    *out = in[0] + in[32] + in[64] + in[96];
}
// >>> sad_larger 44x36x32 width=44 height=36 : proved

__kernel void cutcp_lattice(int nx, int ny, float h, __global float *energy, __global const float4 *atoms, int natoms, int zi)
{
    int x = get_global_id(0), y = get_global_id(1);
    int out = zi * nx * ny + y * nx + x;
    float e = 0;
    for (int i = 0; i < natoms; i++) {
        float4 a = atoms[i];
        float dx = h * x - a.x, dy = h * y - a.y, dz = h * zi - a.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < 144.0f)
            e += a.w * rsqrt(r2);
    }
    energy[out] += e;
}
// >>> cutcp_lattice 208x208 nx=208 ny=208 natoms=1000 zi=3 : proved

__kernel void tpacf_hist(__global const float *x, __global const float *y, __global uint *hist, __constant float *binb, int n, int nbins)
{
    int i = get_global_id(0);
    for (int j = i + 1; j < n; j++) {
        float d = x[i] * x[j] + y[i] * y[j];
        int lo = 0, hi = nbins;
        while (hi > lo + 1) {
            int k = (lo + hi) / 2;
            if (d >= binb[k])
                hi = k;
            else
                lo = k;
        }
        atomic_add(&hist[lo], 1u);
    }
}
// >>> tpacf_hist 4096 n=4096 nbins=20 : proved

__kernel void gridding_bin(__global const float2 *sample, __global uint *bin, __global uint *count, uint n, uint side)
{
    uint i = get_global_id(0);
    if (i < n) {
        uint b = (uint)sample[i].x + side * (uint)sample[i].y;
        bin[i] = b;
        atomic_inc(count + b);
    }
}
// >>> gridding_bin 65536 n=65000 side=64 : proved

/* SHOC */

__kernel void triad(__global const float *a, __global const float *b, __global float *c, float s)
{
    uint gid = get_global_id(0);
    c[gid] = a[gid] + s * b[gid];
}
// >>> triad 65536 : proved

__kernel void md_lj(__global float4 *force, __global const float4 *position, const int neighcount, __global const int *neigh,
                    const float cutsq, const float lj1, const float lj2, const int inum)
{
    uint idx = get_global_id(0);
    float4 ipos = position[idx], f = {0.0f, 0.0f, 0.0f, 0.0f};
    int j = 0;
    while (j < neighcount) {
        int jidx = neigh[j * inum + idx];
        float4 jpos = position[jidx];
        float dx = ipos.x - jpos.x, dy = ipos.y - jpos.y, dz = ipos.z - jpos.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutsq) {
            float r2i = 1.0f / r2, r6i = r2i * r2i * r2i, fr = r2i * r6i * (lj1 * r6i - lj2);
            f.x += dx * fr;
            f.y += dy * fr;
            f.z += dz * fr;
        }
        j++;
    }
    force[idx] = f;
}
// >>> md_lj 12288 neighcount=128 inum=12288 : proved

__kernel void spmv_csr_scalar(__global const float *restrict val, __global const float *restrict vec, __global const int *restrict cols,
                              __global const int *restrict rows, const int dim, __global float *restrict out)
{
    int row = get_global_id(0);
    if (row < dim) {
        float t = 0;
        int start = rows[row], end = rows[row + 1];
        for (int j = start; j < end; j++)
            t += val[j] * vec[cols[j]];
        out[row] = t;
    }
}
// >>> spmv_csr_scalar 12416 dim=12400 : proved

__kernel void spmv_ellpackr(__global const float *restrict val, __global const float *restrict vec, __global const int *restrict cols,
                            __global const int *restrict lengths, const int dim, __global float *restrict out)
{
    uint t = get_global_id(0);
    if (t < dim) {
        float r = 0.0f;
        int max = lengths[t];
        for (int i = 0; i < max; i++) {
            int ind = i * dim + t;
            r += val[ind] * vec[cols[ind]];
        }
        out[t] = r;
    }
}
// >>> spmv_ellpackr 12416 dim=12400 : proved

__kernel void spmv_coo(__global const int *row, __global const int *col, __global const float *val, __global const float *x,
                       __global float *y, int n)
{
    int i = get_global_id(0);
    if (i < n)
        y[row[i]] += val[i] * x[col[i]];
}
// >>> spmv_coo 65536 n=65000 : scattered-writes

#define getpos(x, y, z) ((x) + (y) * nx + (z) * nx * ny)
__kernel void s3d_rates(__global const float *p, __global const float *t, __global float *rf, const float tconv, const int n)
{
    int i = get_global_id(0);
    float temp = t[i] * tconv, ort = 1.0f / temp, al = log(temp);
    rf[0 * n + i] = exp(1.2f + 0.3f * al - ort);
    rf[1 * n + i] = exp(2.2f + 1.3f * al - 2 * ort);
    rf[2 * n + i] = p[i] * exp(2.2f - ort);
}
// >>> s3d_rates 13824 n=13824 : proved

__kernel void qtc_distance(__global const float2 *points, __global float *dist, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    if (i >= n || j >= n || j < i)
        return;
    float2 d = points[i] - points[j];
    float r = sqrt(d.x * d.x + d.y * d.y);
    dist[i * n + j] = r;
    dist[j * n + i] = r;
}
// >>> qtc_distance 1024x1024 n=1000 : proved
