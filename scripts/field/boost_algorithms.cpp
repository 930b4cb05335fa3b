// boost_algorithms.cpp - a client of Boost.Compute: searches, sorts, sets, random numbers.
// Build: -DCL_TARGET_OPENCL_VERSION=120 -lOpenCL
#include "boost_client.hpp"
#include <boost/compute/random.hpp>

static compute::command_queue queue;

static void tell(const char *name, long value)
{
    std::printf("%s %ld\n", name, value);
}

BOOST_COMPUTE_FUNCTION(bool, third, (int x), { return x % 3 == 0; });
BOOST_COMPUTE_FUNCTION(int, counted, (int x), { return x * 2 + 1; });

using ints = compute::vector<int>;

static void rearranged(const ints &a, const ints &b, const ints &ascending)
{
    ints c(a.size(), 0, queue), d(a.size() + b.size(), 0, queue), keys(a, queue);
    ints values(ascending, queue);

    compute::copy_if(a.begin(), a.end(), c.begin(), third, queue);
    show("copy_if", c, queue);
    compute::partition_copy(a.begin(), a.end(), c.begin(), d.begin(), third, queue);
    show("partition_copy", d, queue);
    compute::rotate_copy(a.begin(), a.begin() + 1234, a.end(), c.begin(), queue);
    show("rotate_copy", c, queue);
    compute::scatter(a.begin(), a.end(), ascending.begin(), c.begin(), queue);
    show("scatter", c, queue);
    compute::replace_copy(a.begin(), a.end(), c.begin(), 17, -1, queue);
    show("replace_copy", c, queue);
    compute::unique_copy(a.begin(), a.end(), c.begin(), queue);
    show("unique_copy", c, queue);
    compute::exclusive_scan(a.begin(), a.end(), c.begin(), queue);
    show("exclusive_scan", c, queue);
    compute::sort_by_key(keys.begin(), keys.end(), values.begin(), queue);
    show("sort_by_key", keys, queue);
    compute::stable_sort(c.begin(), c.end(), compute::greater<int>(), queue);
    show("stable_sort", c, queue);
    compute::merge(ascending.begin(), ascending.end(), keys.begin(), keys.end(), d.begin(), queue);
    show("merge", d, queue);
    compute::fill(d.begin(), d.end(), 0, queue);
    compute::set_union(ascending.begin(), ascending.end(), keys.begin(), keys.end(), d.begin(), queue);
    show("set_union", d, queue);
    compute::set_intersection(ascending.begin(), ascending.end(), keys.begin(), keys.end(), d.begin(), queue);
    show("set_intersection", d, queue);
    compute::reduce_by_key(keys.begin(), keys.end(), ascending.begin(), c.begin(), d.begin(), queue);
    show("reduce_by_key", d, queue);
    compute::swap_ranges(c.begin(), c.begin() + 5000, d.begin(), queue);
    compute::transform_if(a.begin(), a.end(), c.begin(), counted, third, queue);
    show("transform_if", c, queue);
    compute::generate(c.begin(), c.end(),
                      compute::function<int()>(compute::make_function_from_source<int()>(
                          "seven", "inline int seven() { return 7; }")),
                      queue);
    show("generate", c, queue);
}

static void found(const ints &a, const ints &ascending)
{
    tell("find", compute::find(a.begin(), a.end(), 99, queue) - a.begin());
    tell("find_if", compute::find_if(a.begin(), a.end(), _1 > 60000, queue) - a.begin());
    tell("adjacent_find", compute::adjacent_find(a.begin(), a.end(), queue) - a.begin());
    tell("search", compute::search(a.begin(), a.end(), a.begin() + 900, a.begin() + 905, queue) - a.begin());
    tell("max_element", compute::max_element(a.begin(), a.end(), queue) - a.begin());
    tell("min_element", compute::min_element(a.begin(), a.end(), queue) - a.begin());
    tell("lower_bound",
         compute::lower_bound(ascending.begin(), ascending.end(), 777, queue) - ascending.begin());
    tell("all_of", compute::all_of(a.begin(), a.end(), _1 >= 0, queue));
    tell("is_sorted", compute::is_sorted(a.begin(), a.end(), queue));
    tell("equal", compute::equal(a.begin(), a.end(), ascending.begin(), queue));
    tell("is_permutation",
         compute::is_permutation(a.begin(), a.begin() + 2000, a.begin(), a.begin() + 2000, queue));
    tell("inner_product", compute::inner_product(a.begin(), a.begin() + 3000, ascending.begin(), 0, queue));
}

static void random_numbers(size_t n)
{
    compute::default_random_engine mersenne(queue, 11u);
    compute::threefry_engine<> threefry(queue, 12u);
    compute::linear_congruential_engine<> congruential(queue, 13u);
    compute::vector<compute::uint_> words(n, 0u, queue);

    mersenne.generate(words.begin(), words.end(), queue);
    show("mersenne", words, queue);
    threefry.generate(words.begin(), words.end(), queue);
    show("threefry", words, queue);
    congruential.generate(words.begin(), words.end(), queue);
    show("congruential", words, queue);
}

int main()
{
    const size_t n = 40000;
    std::vector<int> host(n);
    queue = compute::system::default_queue();

    for (size_t i = 0; i < n; i++)
        host[i] = int(i * 7919 % 65537);
    for (int round = 0; round < 3; round++) {
        ints a(host.begin(), host.end(), queue), b(a, queue), ascending(n, 0, queue);

        compute::iota(ascending.begin(), ascending.end(), 0, queue);
        compute::transform(b.begin(), b.end(), ascending.begin(), b.begin(), _1 + _2, queue);
        show("sum", b, queue);
        rearranged(a, b, ascending);
        found(a, ascending);
        random_numbers(n);
    }
    queue.finish();
    return 0;
}
