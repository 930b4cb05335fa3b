/* rodinia.c - the kernels of [W] Table 4, with the local sizes of Rodinia: 16x16 (backprop), 192 (cfd), 512
 * and 4x4 (gaussian), 256 elsewhere. */
#include "reference.h"

#include "kernels/rodinia_backprop.cl"
#include "kernels/rodinia_bfs.cl"
#include "kernels/rodinia_cfd.cl"
#include "kernels/rodinia_gaussian.cl"
#include "kernels/rodinia_kmeans.cl"
#include "kernels/rodinia_nn.cl"
#include "kernels/rodinia_particle.cl"

HOST(backprop_adjust_weights, P(0), I(1), P(2), P(3), P(4))
HOST(bfs_expand, P(0), P(1), P(2), P(3), P(4), P(5), P(6), I(7))
HOST(bfs_commit, P(0), P(1), P(2), P(3), I(4))
HOST(cfd_initialize, P(0), P(1), I(2))
HOST(cfd_step_factor, P(0), P(1), P(2), I(3))
HOST(cfd_compute_flux, P(0), P(1), P(2), P(3), P(4), I(5))
HOST(cfd_time_step, P(0), P(1), P(2), P(3), I(4))
HOST(gaussian_fan1, P(0), P(1), I(2), I(3))
HOST(gaussian_fan2, P(0), P(1), P(2), I(3), I(4))
HOST(kmeans_swap, P(0), P(1), I(2), I(3))
HOST(kmeans_c, P(0), P(1), P(2), I(3), I(4), I(5))
HOST(nn_distance, P(0), P(1), I(2), F(3), F(4))
HOST(particle_naive, P(0), P(1), P(2), P(3), P(4), P(5), I(6))

static void backprop(struct bench *b, size_t n)
{
    const size_t hid = 1024;
    unsigned delta = bench_random(b, hid + 1), layer = bench_random(b, n + 1);
    unsigned weight = bench_random(b, (n + 1) * (hid + 1)), old = bench_random(b, (n + 1) * (hid + 1));
    bench_step(b, &(struct bench_step){"backprop_adjust_weights",
                                       host_backprop_adjust_weights,
                                       2,
                                       {hid, n},
                                       {16, 16},
                                       {BUF(delta), INT(hid), BUF(layer), BUF(weight), BUF(old)}});
}

/* The forward pass runs on the device in groups of 16x16; here the first work-item of each column of a group
 * does the group's sum, in the order of the tree. */
static void host_backprop_layer_forward(void *const *arg)
{
    const float *input = P(0), *weight = P(1);
    float *partial = P(2), product[16];
    size_t x = get_global_id(0), y = get_global_id(1), hid = (size_t)I(3);
    if (y % 16)
        return;
    for (size_t i = 0; i < 16; i++)
        product[i] = weight[(y + i) * hid + x] * input[y + i];
    for (size_t half = 8; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            product[i] += product[i + half];
    partial[y / 16 * hid + x] = product[0];
}

static void backprop_forward(struct bench *b, size_t n)
{
    const size_t hid = 16;
    unsigned input = bench_random(b, n), weight = bench_random(b, n * hid);
    unsigned partial = bench_zeros(b, BENCH_FLOAT, n / 16 * hid);
    bench_step(b, &(struct bench_step){"backprop_layer_forward",
                                       host_backprop_layer_forward,
                                       2,
                                       {hid, n},
                                       {16, 16},
                                       {BUF(input), BUF(weight), BUF(partial), INT(hid)}});
}

/* A random graph, four edges a node on average; the search starts at node 0. */
static void bfs(struct bench *b, size_t n)
{
    uint32_t seed = 7;
    int *first = app_alloc(n * sizeof *first), *count = app_alloc(n * sizeof *count);
    int *edge = app_alloc(8 * n * sizeof *edge), *cost = app_alloc(n * sizeof *cost);
    char *frontier = app_alloc(n), *visited = app_alloc(n);
    int edges = 0;
    for (size_t i = 0; i < n; i++) {
        first[i] = edges;
        count[i] = (int)(app_random(&seed) % 8) + 1;
        for (int e = 0; e < count[i]; e++)
            edge[edges++] = (int)(app_random(&seed) % n);
        cost[i] = i ? -1 : 0;
    }
    frontier[0] = visited[0] = 1;
    unsigned bfirst = bench_data(b, BENCH_INT, n, first), bcount = bench_data(b, BENCH_INT, n, count);
    unsigned bedge = bench_data(b, BENCH_INT, 8 * n, edge),
             bfrontier = bench_data(b, BENCH_CHAR, n, frontier);
    unsigned next = bench_zeros(b, BENCH_CHAR, n), bvisited = bench_data(b, BENCH_CHAR, n, visited);
    unsigned bcost = bench_data(b, BENCH_INT, n, cost), over = bench_zeros(b, BENCH_INT, 1);
    size_t items = bench_round_up(n, 256);
    bench_step(b, &(struct bench_step){"bfs_expand",
                                       host_bfs_expand,
                                       1,
                                       {items},
                                       {256},
                                       {BUF(bfirst), BUF(bcount), BUF(bedge), BUF(bfrontier), BUF(next),
                                        BUF(bvisited), BUF(bcost), INT(n)}});
    bench_step(b, &(struct bench_step){"bfs_commit",
                                       host_bfs_commit,
                                       1,
                                       {items},
                                       {256},
                                       {BUF(bfrontier), BUF(next), BUF(bvisited), BUF(over), INT(n)}});
}

static void cfd(struct bench *b, size_t n)
{
    uint32_t seed = 11;
    int *neighbour = app_alloc(4 * n * sizeof *neighbour);
    float *far = app_alloc(5 * sizeof *far), *area = app_random_floats(n, 3),
          *normal = app_random_floats(12 * n, 4);
    for (size_t i = 0; i < 4 * n; i++) { /* mostly near, some far away, some the border */
        uint32_t r = app_random(&seed);
        size_t near = (i % n + r % 64) % n;
        neighbour[i] = r % 97 == 0 ? -1 : (int)(r % 13 ? near : r % n);
    }
    for (size_t i = 0; i < n; i++)
        area[i] += 0.5f;
    for (size_t i = 0; i < 12 * n; i++)
        normal[i] = 0.02f * (normal[i] - 0.5f);
    memcpy(far, (float[]){1.4f, 1.2f, 0.1f, 0.05f, 3.0f}, 5 * sizeof *far);
    unsigned bneighbour = bench_data(b, BENCH_INT, 4 * n, neighbour),
             bfar = bench_data(b, BENCH_FLOAT, 5, far);
    unsigned barea = bench_data(b, BENCH_FLOAT, n, area),
             bnormal = bench_data(b, BENCH_FLOAT, 12 * n, normal);
    unsigned old = bench_zeros(b, BENCH_FLOAT, 5 * n), variables = bench_zeros(b, BENCH_FLOAT, 5 * n);
    unsigned step = bench_zeros(b, BENCH_FLOAT, n), flux = bench_zeros(b, BENCH_FLOAT, 5 * n);
    size_t items = bench_round_up(n, 192);
    bench_step(b,
               &(struct bench_step){
                   "cfd_initialize", host_cfd_initialize, 1, {items}, {192}, {BUF(old), BUF(bfar), INT(n)}});
    bench_step(b, &(struct bench_step){"cfd_step_factor",
                                       host_cfd_step_factor,
                                       1,
                                       {items},
                                       {192},
                                       {BUF(old), BUF(barea), BUF(step), INT(n)}});
    bench_step(b,
               &(struct bench_step){"cfd_compute_flux",
                                    host_cfd_compute_flux,
                                    1,
                                    {items},
                                    {192},
                                    {BUF(bneighbour), BUF(bnormal), BUF(old), BUF(bfar), BUF(flux), INT(n)}});
    bench_step(b, &(struct bench_step){"cfd_time_step",
                                       host_cfd_time_step,
                                       1,
                                       {items},
                                       {192},
                                       {BUF(old), BUF(variables), BUF(step), BUF(flux), INT(n)}});
}

static void gaussian(struct bench *b, size_t n)
{
    float *a = app_random_floats(n * n, 5);
    for (size_t i = 0; i < n; i++)
        a[i * n + i] += (float)n; /* no pivoting: dominated by the diagonal */
    unsigned ba = bench_data(b, BENCH_FLOAT, n * n, a), m = bench_zeros(b, BENCH_FLOAT, n * n);
    unsigned rhs = bench_random(b, n);
    bench_step(b, &(struct bench_step){"gaussian_fan1",
                                       host_gaussian_fan1,
                                       1,
                                       {bench_round_up(n, 512)},
                                       {512},
                                       {BUF(m), BUF(ba), INT(n), REPEAT(0, n - 1)}});
    bench_step(b, &(struct bench_step){"gaussian_fan2",
                                       host_gaussian_fan2,
                                       2,
                                       {n, n},
                                       {4, 4},
                                       {BUF(m), BUF(ba), BUF(rhs), INT(n), REPEAT(0, n - 1)}});
}

static void kmeans(struct bench *b, size_t n, int features)
{
    const int clusters = 5;
    unsigned feature = bench_random(b, n * features), swapped = bench_zeros(b, BENCH_FLOAT, n * features);
    unsigned cluster = bench_random(b, clusters * features), member = bench_zeros(b, BENCH_INT, n);
    size_t items = bench_round_up(n, 256);
    bench_step(b, &(struct bench_step){"kmeans_swap",
                                       host_kmeans_swap,
                                       1,
                                       {items},
                                       {256},
                                       {BUF(feature), BUF(swapped), INT(n), INT(features)}});
    bench_step(b, &(struct bench_step){
                      "kmeans_c",
                      host_kmeans_c,
                      1,
                      {items},
                      {256},
                      {BUF(swapped), BUF(cluster), BUF(member), INT(n), INT(clusters), INT(features)}});
}

static void kmeans_16(struct bench *b, size_t n)
{
    kmeans(b, n, 16);
}

static void kmeans_32(struct bench *b, size_t n)
{
    kmeans(b, n, 32);
}

static void kmeans_64(struct bench *b, size_t n)
{
    kmeans(b, n, 64);
}

static void nn(struct bench *b, size_t n)
{
    unsigned place = bench_random(b, 2 * n), distance = bench_zeros(b, BENCH_FLOAT, n);
    bench_step(b, &(struct bench_step){"nn_distance",
                                       host_nn_distance,
                                       1,
                                       {bench_round_up(n, 256)},
                                       {256},
                                       {BUF(place), BUF(distance), INT(n), FLT(0.3f), FLT(0.9f)}});
}

static void particle(struct bench *b, size_t n)
{
    float *cumulative = app_alloc(n * sizeof *cumulative);
    for (size_t i = 0; i < n; i++)
        cumulative[i] = (float)(i + 1) / (float)n;
    unsigned x = bench_random(b, n), y = bench_random(b, n), c = bench_data(b, BENCH_FLOAT, n, cumulative);
    unsigned u = bench_random(b, n), new_x = bench_zeros(b, BENCH_FLOAT, n),
             new_y = bench_zeros(b, BENCH_FLOAT, n);
    bench_step(b, &(struct bench_step){"particle_naive",
                                       host_particle_naive,
                                       1,
                                       {bench_round_up(n, 256)},
                                       {256},
                                       {BUF(x), BUF(y), BUF(c), BUF(u), BUF(new_x), BUF(new_y), INT(n)}});
}

const struct workload rodinia[] = {
    {"backprop", "rodinia_backprop.cl", backprop, 1600, 60, 64, 2},
    {"backprop_forward", "rodinia_backprop_forward.cl", backprop_forward, 65536, 200, 256, 2},
    {"bfs", "rodinia_bfs.cl", bfs, 1 << 20, 24, 1 << 10, 4},
    {"cfd", "rodinia_cfd.cl", cfd, 97152, 60, 1000, 2},
    {"gaussian", "rodinia_gaussian.cl", gaussian, 1024, 300, 64, 8},
    {"kmeans_rodinia", "rodinia_kmeans.cl", kmeans_32, 100000, 40, 1000, 2},
    {"nn", "rodinia_nn.cl", nn, 1 << 20, 300, 1 << 10, 2},
    {"particle", "rodinia_particle.cl", particle, 16384, 15, 512, 2},
    {0},
};

const struct workload variants[] = {
    {"kmeans_16", "rodinia_kmeans.cl", kmeans_16, 10000, 40, 1000, 2},
    {"kmeans_64", "rodinia_kmeans.cl", kmeans_64, 10000, 40, 1000, 2},
    {0},
};
