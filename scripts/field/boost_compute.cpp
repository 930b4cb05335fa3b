// boost_compute.cpp - a client of Boost.Compute: its algorithms on one vector; prints checksums.
// Build: -DCL_TARGET_OPENCL_VERSION=120 -lOpenCL
#include "boost_client.hpp"
#include <cstdlib>

BOOST_COMPUTE_FUNCTION(float, squash, (float x), { return x / (1 + fabs(x)); });

int main()
{
    compute::device device = compute::system::default_device();
    compute::context context(device);
    compute::command_queue queue(context, device);
    const size_t n = 300001;
    std::vector<int> ints(n);
    std::vector<float> floats(n);

    for (size_t i = 0; i < n; i++) {
        ints[i] = int(i * 7919 % 100003);
        floats[i] = float(i % 997) / 31 - 10;
    }
    compute::vector<int> a(n, context), b(n, context);
    compute::vector<float> x(n, context), y(n, context);
    compute::copy(ints.begin(), ints.end(), a.begin(), queue);
    compute::copy(floats.begin(), floats.end(), x.begin(), queue);
    for (int r = 0; r < 20; r++) {
        compute::transform(x.begin(), x.end(), y.begin(), squash, queue);
        compute::transform(x.begin(), x.end(), y.begin(), y.begin(), _1 * 0.5f + _2, queue);
        compute::transform(a.begin(), a.end(), b.begin(), _1 * 3 + 1, queue);
        compute::reverse(b.begin(), b.end(), queue);
    }
    show("transform", y, queue);
    show("reverse", b, queue);
    compute::inclusive_scan(a.begin(), a.end(), b.begin(), queue);
    show("scan", b, queue);
    compute::sort(a.begin(), a.end(), queue);
    show("sort", a, queue);
    int sum = 0;
    compute::reduce(a.begin(), a.end(), &sum, queue);
    std::printf("reduce %d count %zu\n", sum, size_t(compute::count_if(a.begin(), a.end(), _1 > 5000, queue)));
    compute::iota(b.begin(), b.end(), 0, queue);
    compute::gather(b.begin(), b.end(), x.begin(), y.begin(), queue);
    show("gather", y, queue);
    compute::fill(b.begin(), b.end(), 5, queue);
    compute::adjacent_difference(a.begin(), a.end(), b.begin(), queue);
    show("difference", b, queue);
    queue.finish();
    return 0;
}
