// viennacl.cpp - a client of ViennaCL: vectors, dense and sparse matrices, a solver; prints checksums.
// Build: -DVIENNACL_WITH_OPENCL -lOpenCL
#define CL_TARGET_OPENCL_VERSION 120
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

static void show(const char *name, const std::vector<float> &v)
{
    unsigned h = 2166136261u, word;

    for (float x : v) {
        std::memcpy(&word, &x, sizeof word);
        h = (h ^ word) * 16777619u;
    }
    std::printf("%s %08x\n", name, h);
}

int main()
{
    const size_t n = 200000, m = 300;
    std::vector<float> host(n), small(m * m), result(n);
    std::vector<std::map<unsigned, float>> rows(n);

    for (size_t i = 0; i < n; i++)
        host[i] = float(i % 1013) / 1013;
    viennacl::vector<float> x(n), y(n), z(n);
    viennacl::copy(host, x);
    y = x;
    for (int r = 0; r < 40; r++) {
        z = 0.5f * x + y;
        y = z - 0.25f * x;
        y = viennacl::linalg::element_prod(y, x);
    }
    viennacl::copy(y, result);
    show("vector", result);

    std::vector<std::vector<float>> dense(m, std::vector<float>(m));
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            dense[i][j] = float((i * 31 + j * 17) % 101) / 101;
    viennacl::matrix<float> a(m, m), b(m, m), c(m, m);
    viennacl::copy(dense, a);
    b = viennacl::trans(a);
    for (int r = 0; r < 20; r++) {
        c = viennacl::linalg::prod(a, b);
        b = 0.01f * c + a;
    }
    viennacl::copy(b, dense);
    for (size_t i = 0; i < m; i++)
        std::copy(dense[i].begin(), dense[i].end(), small.begin() + long(i * m));
    show("matrix", small);

    for (size_t i = 0; i < n; i++) {
        rows[i][unsigned(i)] = 4;
        if (i)
            rows[i][unsigned(i - 1)] = -1;
        if (i + 1 < n)
            rows[i][unsigned(i + 1)] = -1;
    }
    viennacl::compressed_matrix<float> sparse(n, n);
    viennacl::copy(rows, sparse);
    for (int r = 0; r < 20; r++)
        y = viennacl::linalg::prod(sparse, x);
    viennacl::copy(y, result);
    show("sparse", result);
    x = viennacl::linalg::solve(sparse, y, viennacl::linalg::cg_tag(1e-6, 30));
    viennacl::copy(x, result);
    show("solved", result);
    return 0;
}
