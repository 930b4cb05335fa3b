/* Kernels of the shapes of Rodinia's that use no local memory. */

typedef struct {
    int starting;
    int no_of_edges;
} Node;

__kernel void bfs_1(__global const Node *nodes, __global const int *edges, __global char *mask, __global char *updating,
                    __global char *visited, __global int *cost, const int n)
{
    int tid = get_global_id(0);
    if (tid < n && mask[tid]) {
        mask[tid] = false;
        for (int i = nodes[tid].starting; i < (nodes[tid].no_of_edges + nodes[tid].starting); i++) {
            int id = edges[i];
            if (!visited[id]) {
                cost[id] = cost[tid] + 1;
                updating[id] = true;
            }
        }
    }
}
// >>> bfs_1 65536 n=65000 : scattered-writes

__kernel void bfs_2(__global char *mask, __global char *updating, __global char *visited, __global char *over, const int n)
{
    int tid = get_global_id(0);
    if (tid < n && updating[tid]) {
        mask[tid] = true;
        visited[tid] = true;
        *over = true;
        updating[tid] = false;
    }
}
// >>> bfs_2 65536 n=65000 : proved

__kernel void fan1(__global float *m, __global float *a, __global float *b, const int size, const int t)
{
    int id = get_global_id(0);
    if (id < size - 1 - t)
        *(m + size * (id + t + 1) + t) = *(a + size * (id + t + 1) + t) / *(a + size * t + t);
}
// >>> fan1 1024 size=1024 t=3 : proved

__kernel void fan2(__global float *m, __global float *a, __global float *b, const int size, const int t)
{
    int idx = get_global_id(0), idy = get_global_id(1);
    if (idx < size - 1 - t && idy < size - t) {
        a[size * (idx + 1 + t) + (idy + t)] -= m[size * (idx + 1 + t) + t] * a[size * t + (idy + t)];
        if (idy == 0)
            b[idx + 1 + t] -= m[size * (idx + 1 + t) + (idy + t)] * b[t];
    }
}
// >>> fan2 1024x1024 size=1024 t=3 : proved

typedef struct latLong {
    float lat, lng;
} LatLong;

__kernel void nn_distance(__global LatLong *locations, __global float *distances, const int num, const float lat, const float lng)
{
    int id = get_global_id(0);
    if (id < num) {
        __global LatLong *at = locations + id;
        __global float *dist = distances + id;
        *dist = (float)sqrt((lat - at->lat) * (lat - at->lat) + (lng - at->lng) * (lng - at->lng));
    }
}
// >>> nn_distance 43008 num=42764 : proved

__kernel void kmeans_swap(__global float *feature, __global float *feature_swap, int npoints, int nfeatures)
{
    unsigned int tid = get_global_id(0);
    if (tid >= npoints)
        return;
    for (int i = 0; i < nfeatures; i++)
        feature_swap[i * npoints + tid] = feature[tid * nfeatures + i];
}
// >>> kmeans_swap 100096 npoints=100000 nfeatures=34 : proved

__kernel void kmeans_c(__global float *feature, __global float *clusters, __global int *membership, int npoints, int nclusters,
                       int nfeatures, int offset, int size)
{
    unsigned int point_id = get_global_id(0);
    int index = 0;
    if (point_id < npoints) {
        float min_dist = FLT_MAX;
        for (int i = 0; i < nclusters; i++) {
            float ans = 0;
            for (int l = 0; l < nfeatures; l++)
                ans += (feature[l * npoints + point_id] - clusters[i * nfeatures + l]) *
                       (feature[l * npoints + point_id] - clusters[i * nfeatures + l]);
            if (ans < min_dist) {
                min_dist = ans;
                index = i;
            }
        }
        membership[point_id] = index;
    }
}
// >>> kmeans_c 100096 npoints=100000 nclusters=5 nfeatures=34 offset=0 size=0 : proved

__kernel void srad_extract(long d_Ne, __global float *d_I)
{
    int bx = get_group_id(0), tx = get_local_id(0);
    int ei = (bx * 256) + tx;
    if (ei < d_Ne)
        d_I[ei] = exp(d_I[ei] / 255);
}
// >>> srad_extract 65536 d_Ne=65000 : local-id-observed

__kernel void srad_prepare(long d_Ne, __global float *d_I, __global float *d_sums, __global float *d_sums2)
{
    int bx = get_group_id(0), tx = get_local_id(0);
    int ei = bx * get_local_size(0) + tx;
    if (ei < d_Ne) {
        d_sums[ei] = d_I[ei];
        d_sums2[ei] = d_I[ei] * d_I[ei];
    }
}
// >>> srad_prepare 65536 d_Ne=65000 : proved

__kernel void srad_1(int rows, int cols, long ne, __global int *iN, __global int *iS, __global int *jE, __global int *jW,
                     __global float *dN, __global float *dS, __global float *dE, __global float *dW, __global float *c,
                     __global float *img, float q0)
{
    int ei = get_global_id(0);
    int row = (ei + 1) % rows - 1, col = (ei + 1) / rows + 1 - 1;
    if ((ei + 1) % rows == 0) {
        row = rows - 1;
        col = col - 1;
    }
    if (ei < ne) {
        float jc = img[ei];
        float n = img[iN[row] + rows * col] - jc, s = img[iS[row] + rows * col] - jc;
        float w = img[row + rows * jW[col]] - jc, e = img[row + rows * jE[col]] - jc;
        float g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
        dN[ei] = n;
        dS[ei] = s;
        dW[ei] = w;
        dE[ei] = e;
        c[ei] = clamp(1.0f / (1.0f + g2 - q0), 0.0f, 1.0f);
    }
}
// >>> srad_1 230400 rows=502 cols=458 ne=229916 : proved

__kernel void lavamd_copy(__global double4 *rv, __global double4 *fv, long n)
{
    long i = get_global_id(0);
    if (i >= n)
        return;
    fv[i].x += rv[i].y;
    fv[i].w += rv[i].z;
}
// >>> lavamd_copy 4096 n=4000 : driver-order

#define NVAR 5
__kernel void cfd_initialize(__global float *variables, __constant float *ff, int nelr)
{
    const int i = get_global_id(0);
    if (i >= nelr)
        return;
    for (int j = 0; j < NVAR; j++)
        variables[i + j * nelr] = ff[j];
}
// >>> cfd_initialize 97152 nelr=97046 : proved

__kernel void cfd_time_step(int j, int nelr, __global float *old, __global float *variables, __global float *step,
                            __global float *fluxes)
{
    const int i = get_global_id(0);
    if (i >= nelr)
        return;
    float factor = step[i] / (float)(3 + 1 - j);
    variables[i + 0 * nelr] = old[i + 0 * nelr] + factor * fluxes[i + 0 * nelr];
    variables[i + 4 * nelr] = old[i + 4 * nelr] + factor * fluxes[i + 4 * nelr];
    variables[i + 1 * nelr] = old[i + 1 * nelr] + factor * fluxes[i + 1 * nelr];
}
// >>> cfd_time_step 97152 j=1 nelr=97046 : proved

__kernel void cfd_flux(__global int *neighbours, __global float *normals, __global float *variables, __global float *fluxes, int nelr)
{
    const int i = get_global_id(0);
    if (i >= nelr)
        return;
    float3 n;
    float sum = 0, q[NVAR];
    for (int v = 0; v < NVAR; v++)
        q[v] = variables[i + v * nelr];
    for (int j = 0; j < 4; j++) {
        int nb = neighbours[i + j * nelr];
        n.x = normals[i + (j + 0 * 4) * nelr];
        if (nb >= 0)
            sum += n.x * variables[nb + 1 * nelr] - q[j];
        else if (nb == -1)
            sum += q[0];
    }
    for (int v = 0; v < NVAR; v++)
        fluxes[i + v * nelr] = sum + q[v];
}
// >>> cfd_flux 97152 nelr=97046 : proved

__kernel void pf_sum(__global float *seed_unused, __global int *seed, __global double *x, __global double *y, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        int num = 1103515245 * seed[i] + 12345;
        seed[i] = num % 0x7fffffff;
        double u = fabs(seed[i] / (double)0x7fffffff);
        x[i] = x[i] + 1.0 + 5.0 * u;
        y[i] = y[i] - 2.0 + 2.0 * u;
    }
}
// >>> pf_sum 100096 n=100000 : undefined-overflow

__kernel void pf_find_index(__global double *x, __global double *xj, __global double *cdf, __global double *u, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        int index = -1;
        for (int k = 0; k < n; k++)
            if (cdf[k] >= u[i]) {
                index = k;
                break;
            }
        if (index == -1)
            index = n - 1;
        xj[i] = x[index];
    }
}
// >>> pf_find_index 100096 n=100000 : proved

__kernel void hotspot3d(__global float *p, __global float *tin, __global float *tout, float sdc, int nx, int ny, int nz, float ce,
                        float cw)
{
    int i = get_global_id(0), j = get_global_id(1);
    int c = i + j * nx, xy = nx * ny;
    int W = (i == 0) ? c : c - 1, E = (i == nx - 1) ? c : c + 1;
    int N = (j == 0) ? c : c - nx, S = (j == ny - 1) ? c : c + nx;
    float t1, t2 = tin[c], t3 = tin[c + xy];
    t1 = t2;
    tout[c] = t2 * ce + cw * tin[W] + tin[E] + tin[S] + tin[N] + sdc * p[c];
    c += xy;
    W += xy;
    E += xy;
    N += xy;
    S += xy;
    for (int k = 1; k < nz - 1; ++k) {
        t1 = t2;
        t2 = t3;
        t3 = tin[c + xy];
        tout[c] = ce * t2 + cw * tin[W] + tin[E] + tin[S] + tin[N] + t1 + sdc * p[c];
        c += xy;
        W += xy;
        E += xy;
        N += xy;
        S += xy;
    }
    tout[c] = t3 * ce + tin[W] + tin[E] + tin[S] + tin[N] + t2;
}
// >>> hotspot3d 512x512 nx=512 ny=512 nz=8 : proved

__kernel void myocyte_ecc(const int timeinst, __global float *initvalu, __global float *finavalu, const int valu_offset,
                          __global float *params)
{
    int i = get_global_id(0);
    float a = initvalu[valu_offset + i], p = params[i & 3];
    for (int j = 0; j < 91; j++)
        finavalu[i * 91 + j] = a * p + (float)timeinst;
}
// >>> myocyte_ecc 128 timeinst=3 valu_offset=0 : proved

__kernel void btree_find_k(long height, __global const int *keys, __global const int *indices, __global int *ans,
                           __global const int *want, int order, int n)
{
    int q = get_global_id(0);
    if (q >= n)
        return;
    int node = 0;
    for (int i = 0; i < height; i++) {
        int next = 0;
        for (int t = 0; t < order; t++)
            if (keys[node * order + t] <= want[q] && keys[node * order + t + 1] > want[q])
                next = indices[node * order + t];
        node = next;
    }
    ans[q] = node;
}
// >>> btree_find_k 10240 height=3 order=256 n=10000 : proved

__kernel void heartwall_conv(__global const float *in, __global float *out, int rows, int cols, int krows, __global const float *mask)
{
    int ei = get_global_id(0), n = rows * cols;
    while (ei < n) {
        int row = ei % rows, col = ei / rows;
        float s = 0;
        for (int c = max(0, col - krows); c < min(cols, col + krows); c++)
            s += in[c * rows + row] * mask[abs(c - col)];
        out[col * rows + row] = s;
        ei = ei + get_global_size(0);
    }
}
// >>> heartwall_conv 512 rows=81 cols=81 krows=5 : proved

__kernel void streamcluster_pgain(__global const float *coord, __global const float *weight, __global const float *cost,
                                  __global const int *assign, __global const int *centre, __global float *lower,
                                  __global char *switch_membership, int num, int dim, long x, int k)
{
    const int tid = get_global_id(0);
    if (tid < num) {
        float d = 0;
        for (int i = 0; i < dim; i++) {
            float t = coord[i * num + tid] - coord[i * num + x];
            d += t * t;
        }
        d = d * weight[tid] - cost[tid];
        __global float *low = &lower[tid * (k + 1)];
        if (d < 0) {
            switch_membership[tid] = 1;
            low[k] += d;
        } else {
            low[centre[assign[tid]]] -= d;
        }
    }
}
// >>> streamcluster_pgain 65536 num=65536 dim=256 x=5 k=10 : scattered-writes

/* A range that was rounded up, and nothing that keeps the rest of it out. */
__kernel void features_by_column(__global const float *rows, __global float *columns, int n, int features)
{
    uint point = get_global_id(0);
    for (int f = 0; f < features; f++)
        columns[f * n + point] = rows[point * features + f];
}
// >>> features_by_column 4096 n=4096 features=34 : proved
// >>> features_by_column 4096 n=4000 features=34 : overlapping-writes

/* A frame of the picture is left out: the result lies inside it. */
__kernel void ellipse_score(__global const float *gradient, __constant int *dx, __constant int *dy, __global float *score,
                            int pitch, int width, int height)
{
    int pixel = get_global_id(0);
    float best = 0;
    if (pixel >= width * height)
        return;
    int y = pixel / width + 22, x = pixel % width + 22;
    for (int radius = 0; radius < 7; radius++) {
        float sum = 0;
        for (int n = 0; n < 150; n++)
            sum += gradient[(y + dy[radius * 150 + n]) * pitch + x + dx[radius * 150 + n]];
        best = fmax(best, sum * sum);
    }
    score[y * pitch + x] = best;
}
// >>> ellipse_score 104448 pitch=640 width=596 height=175 : proved
// >>> ellipse_score 104448 pitch=500 width=596 height=175 : overlapping-writes

/* The test lets one column too many in; only a rounded range has it. */
__kernel void dilate_columns(__global const float *in, __global float *out, int rows, int columns, int radius)
{
    int i = get_global_id(0) % rows, j = get_global_id(0) / rows;
    float most = 0;
    if (j > columns)
        return;
    for (int y = max(0, i - radius); y <= min(rows - 1, i + radius); y++)
        for (int x = max(0, j - radius); x <= min(columns - 1, j + radius); x++)
            most = fmax(most, in[x * rows + y]);
    out[i * columns + j] = most;
}
// >>> dilate_columns 140160 rows=219 columns=640 radius=12 : proved
// >>> dilate_columns 140288 rows=219 columns=640 radius=12 : overlapping-writes

/* Nobody needs what is behind the barrier. */
__kernel void pf_find_index_barrier(__global const float *x, __global const float *cdf, __global const float *u,
                                    __global float *xj, int n)
{
    int i = get_global_id(0), found = 0;
    if (i < n) {
        while (found < n - 1 && cdf[found] < u[i])
            found++;
        xj[i] = x[found];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}
// >>> pf_find_index_barrier 1024 n=1000 : proved

/* Two passes over one's own column, in place. */
__kernel void own_column_twice(__global float *a, int n)
{
    int x = get_global_id(0);
    for (int y = 1; y < n; y++)
        a[y * n + x] += 0.5f * a[(y - 1) * n + x];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int y = n - 2; y >= 0; y--)
        a[y * n + x] += 0.5f * a[(y + 1) * n + x];
}
// >>> own_column_twice 512 n=512 : proved
// >>> own_column_twice 1024 n=512 : overlapping-writes

/* The group's results are needed. */
__kernel void neighbours_result(__global const float *in, __global float *halves, __global float *out)
{
    int i = get_global_id(0);
    halves[i] = in[i] * 0.5f;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = halves[i ^ 1];
}
// >>> neighbours_result 1024 : overlapping-writes

/* Not every work-item of every group would come by. */
__kernel void early_return_barrier(__global float *a, int n)
{
    int x = get_global_id(0);
    if (x >= n)
        return;
    a[x] *= 2.0f;
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[x] += 1.0f;
}
// >>> early_return_barrier 1024 n=1024 : barrier

__kernel void barrier_in_loop(__global float *a, int n)
{
    int x = get_global_id(0);
    for (int i = 0; i < n; i++) {
        a[x] *= 2.0f;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
// >>> barrier_in_loop 1024 n=4 : barrier
