/* by_hand.c - four kernels that by_hand.json offers a version of which was written by hand for eight
 * neighbours at once.  Not in the benchmark's list. */
#include "reference.h"

#include "kernels/by_hand.cl"

HOST(product, P(0), P(1), P(2), I(3))
HOST(filter, P(0), P(1), P(2), I(3), I(4), I(5))
HOST(columns, P(0), P(1), P(2), I(3), I(4))
HOST(bodies, P(0), P(1), P(2), P(3), P(4), P(5), P(6), I(7))

static void all(struct bench *b, size_t n)
{
    const unsigned a = bench_random(b, n * n), c = bench_random(b, n * n),
                   d = bench_zeros(b, BENCH_FLOAT, n * n), e = bench_zeros(b, BENCH_FLOAT, n * n),
                   weight = bench_random(b, 25), x = bench_random(b, 8 * n);
    const unsigned y = bench_random(b, 8 * n), z = bench_random(b, 8 * n),
                   sum = bench_zeros(b, BENCH_FLOAT, n);
    unsigned to[3];

    for (int i = 0; i < 3; i++)
        to[i] = bench_zeros(b, BENCH_FLOAT, 8 * n);
    bench_step(b, &(struct bench_step){
                      "product", host_product, 2, {n, n}, {16, 16}, {BUF(a), BUF(c), BUF(d), INT(n)}});
    bench_step(b, &(struct bench_step){"filter",
                                       host_filter,
                                       2,
                                       {n, n},
                                       {16, 16},
                                       {BUF(a), BUF(weight), BUF(e), INT(n), INT(n), INT(2)}});
    bench_step(b, &(struct bench_step){
                      "columns", host_columns, 1, {n}, {64}, {BUF(a), BUF(x), BUF(sum), INT(n), INT(n)}});
    bench_step(b, &(struct bench_step){
                      "bodies",
                      host_bodies,
                      1,
                      {8 * n},
                      {64},
                      {BUF(x), BUF(y), BUF(z), BUF(x), BUF(to[0]), BUF(to[1]), BUF(to[2]), INT(8 * n)}});
}

const struct workload by_hand[] = {{"by_hand", "by_hand.cl", all, 512, 60, 64, 2}, {0}};
