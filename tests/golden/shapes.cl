// The shapes of common benchmarks: linear algebra, stencils, statistics, graphs, histograms, particles.
// FORM: --facts
#define A(p, i, j) p[(i) * n + (j)]
__kernel void gemm(__global const float *a, __global const float *b, __global float *c, float alpha, float beta, int m,
                   int n, int k)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < m && j < n) {
        c[i * n + j] *= beta;
        for (int l = 0; l < k; l++)
            c[i * n + j] += alpha * a[i * k + l] * b[l * n + j];
    }
}
__kernel void atax(__global const float *a, __global const float *x, __global float *y, int n, int m)
{
    int j = get_global_id(0);
    if (j < n)
        for (int i = 0; i < m; i++)
            y[j] += A(a, i, j) * x[i];
}
__kernel void correlation(__global float *sym, __global const float *data, int m, int n)
{
    int j1 = get_global_id(0);
    if (j1 < m - 1) {
        A(sym, j1, j1) = 1;
        for (int j2 = j1 + 1; j2 < m; j2++) {
            A(sym, j1, j2) = 0;
            for (int i = 0; i < n; i++)
                A(sym, j1, j2) += A(data, i, j1) * A(data, i, j2);
        }
    }
}
__kernel void mirrored(__global float *sym, __global const float *data, int m, int n)
{
    int j1 = get_global_id(0);
    if (j1 < m)
        for (int j2 = j1; j2 < m; j2++)
            A(sym, j2, j1) = A(sym, j1, j2) = A(data, j1, j2);
}
__kernel void gramschmidt(__global float *a, __global float *r, __global const float *q, int k, int m, int n)
{
    int j = get_global_id(0) + k + 1;
    if (j < n) {
        A(r, k, j) = 0;
        for (int i = 0; i < m; i++)
            A(r, k, j) += A(q, i, k) * A(a, i, j);
        for (int i = 0; i < m; i++)
            A(a, i, j) -= A(q, i, k) * A(r, k, j);
    }
}
__kernel void fdtd(__global float *ex, __global const float *hz, int m, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < m && j > 0 && j < n)
        ex[i * (n + 1) + j] -= 0.5f * (A(hz, i, j) - A(hz, i, j - 1));
}
__kernel void stencil3d(__global const float *in, __global float *out, int nx, int ny, int nz)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    if (x < nx - 1 && y < ny - 1)
        for (int z = 1; z < nz - 1; z++) {
            int i = (z * ny + y) * nx + x;
            out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny];
        }
}
__kernel void bfs(__global const int2 *nodes, __global const int *edges, __global char *mask, __global char *next,
                  __global const char *seen, __global int *cost, int n)
{
    int v = get_global_id(0);
    if (v < n && mask[v]) {
        mask[v] = 0;
        for (int e = nodes[v].x; e < nodes[v].x + nodes[v].y; e++)
            if (!seen[edges[e]]) {
                cost[edges[e]] = cost[v] + 1;
                next[edges[e]] = 1;
            }
    }
}
__kernel void histogram(__global const uchar *in, __global uint *bins, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[in[i]]);
}
__kernel void nbody(__global const float4 *pos, __global float4 *next, __global float4 *vel, int n, float dt)
{
    int i = get_global_id(0);
    float4 p = pos[i], a = 0;
    for (int j = 0; j < n; j++) {
        float4 r = pos[j] - p;
        a += r * rsqrt(dot(r, r) + 1e-3f);
    }
    vel[i] += dt * a;
    next[i] = p + dt * vel[i];
}
__kernel void spmv(__global const int *row, __global const int *col, __global const float *v, __global const float *x,
                   __global float *y, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
        s += v[k] * x[col[k]];
    y[i] = s;
}
__kernel void kmeans(__global const float *feature, __global const float *centre, __global int *member, int points,
                     int clusters, int features)
{
    uint p = get_global_id(0);
    if (p < points) {
        int best = 0;
        float least = FLT_MAX;
        for (int c = 0; c < clusters; c++) {
            float d = 0;
            for (int f = 0; f < features; f++)
                d += (feature[f * points + p] - centre[c * features + f]) *
                     (feature[f * points + p] - centre[c * features + f]);
            if (d < least) {
                least = d;
                best = c;
            }
        }
        member[p] = best;
    }
}
// Groups and items stride over rows and columns: whoever does it, each element is done once.
__kernel void by_groups(__global float *a, int rows, int n)
{
    for (int i = get_group_id(0); i < rows; i += get_num_groups(0))
        for (int j = get_local_id(0); j < n; j += get_local_size(0))
            A(a, i, j) *= 2;
}
// >>> gemm	S012-AU	tunable	0	-
// >>> atax	S012-AU	tunable	0	-
// >>> correlation	S012-A-	tunable	0	-
// >>> mirrored	S012IA-	tunable	0	-
// >>> gramschmidt	S012-AU	tunable	0	-
// >>> fdtd	S012-AU	tunable	0	-
// >>> stencil3d	S012IAU	tunable	0	-
// >>> bfs	S012-A-	scattered-writes	74	cost
// >>> histogram	S-12-A-	tunable	0	-
// >>> nbody	S012-AU	tunable	0	-
// >>> spmv	S012IA-	tunable	0	-
// >>> kmeans	S012IAU	tunable	0	-
// >>> by_groups	--12-A-	local-id-observed	130	get_local_id(0) reaches a branch
