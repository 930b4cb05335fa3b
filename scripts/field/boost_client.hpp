// boost_client.hpp - what the clients of Boost.Compute share: checksums of vectors.
#include <boost/compute.hpp>
#include <cstdio>
#include <vector>

namespace compute = boost::compute;
using compute::lambda::_1;
using compute::lambda::_2;

template <class V> static void show(const char *name, const V &v, compute::command_queue &queue)
{
    std::vector<typename V::value_type> host(v.size());
    unsigned long long h = 1469598103934665603ull;

    compute::copy(v.begin(), v.end(), host.begin(), queue);
    for (auto x : host)
        for (size_t i = 0; i < sizeof x; i++)
            h = (h ^ reinterpret_cast<unsigned char *>(&x)[i]) * 1099511628211ull;
    std::printf("%s %016llx\n", name, h);
}
