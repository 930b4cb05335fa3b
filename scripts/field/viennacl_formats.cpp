// viennacl_formats.cpp - a client of ViennaCL: sparse formats, dense factorisations, solvers.
// Build: -DVIENNACL_WITH_OPENCL -lOpenCL
#define CL_TARGET_OPENCL_VERSION 120
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/coordinate_matrix.hpp>
#include <viennacl/ell_matrix.hpp>
#include <viennacl/fft.hpp>
#include <viennacl/hyb_matrix.hpp>
#include <viennacl/linalg/bicgstab.hpp>
#include <viennacl/linalg/direct_solve.hpp>
#include <viennacl/linalg/gmres.hpp>
#include <viennacl/linalg/jacobi_precond.hpp>
#include <viennacl/linalg/lu.hpp>
#include <viennacl/linalg/maxmin.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/norm_inf.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/linalg/sum.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/matrix_proxy.hpp>
#include <viennacl/sliced_ell_matrix.hpp>
#include <viennacl/vector.hpp>
#include <viennacl/vector_proxy.hpp>

using vec = viennacl::vector<float>;
using rows = std::vector<std::map<unsigned, float>>;

static void show(const char *name, const vec &v)
{
    std::vector<float> host(v.size());
    unsigned h = 2166136261u, word;

    viennacl::copy(v, host);
    for (float x : host) {
        std::memcpy(&word, &x, sizeof word);
        h = (h ^ word) * 16777619u;
    }
    std::printf("%s %08x\n", name, h);
}

template <class M> static void product(const char *name, const rows &entries, const vec &x)
{
    M matrix;
    vec y(x.size());

    viennacl::copy(entries, matrix);
    for (int r = 0; r < 8; r++)
        y = viennacl::linalg::prod(matrix, x);
    show(name, y);
}

static void solvers(const rows &entries, const vec &x)
{
    viennacl::compressed_matrix<float> matrix(entries.size(), entries.size());

    viennacl::copy(entries, matrix);
    viennacl::linalg::jacobi_precond<viennacl::compressed_matrix<float>> jacobi(
        matrix, viennacl::linalg::jacobi_tag());
    vec a = viennacl::linalg::solve(matrix, x, viennacl::linalg::bicgstab_tag(1e-6, 20), jacobi);
    show("bicgstab", a);
    a = viennacl::linalg::solve(matrix, x, viennacl::linalg::gmres_tag(1e-6, 20, 10));
    show("gmres", a);
}

static void dense(size_t n)
{
    std::vector<std::vector<float>> host(n, std::vector<float>(n));
    viennacl::matrix<float> a(n, n), b(n, n);
    viennacl::matrix<float, viennacl::column_major> c(n, n);
    vec x = viennacl::scalar_vector<float>(n, 1.0f), y(n);

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            host[i][j] = i == j ? 50.0f : float((i * 31 + j * 17) % 101) / 101;
    viennacl::copy(host, a);
    viennacl::copy(host, c);
    b = a;
    viennacl::range half(0, n / 2);
    viennacl::matrix_range<viennacl::matrix<float>> corner(b, half, half);
    corner *= 3.0f;
    b += viennacl::linalg::outer_prod(x, x);
    y = viennacl::linalg::prod(b, x);
    show("range", y);
    y = viennacl::linalg::prod(viennacl::trans(c), x);
    show("column major", y);
    y = viennacl::linalg::solve(a, x, viennacl::linalg::upper_tag());
    show("triangular", y);
    viennacl::linalg::lu_factorize(a);
    y = x;
    viennacl::linalg::lu_substitute(a, y);
    show("lu", y);
    viennacl::vector_slice<vec> every(y, viennacl::slice(1, 3, n / 4));
    every *= 2.0f;
    y = viennacl::linalg::element_exp(0.001f * y) +
        viennacl::linalg::element_sqrt(viennacl::linalg::element_fabs(y));
    show("slice", y);
    std::printf("norms %a %a %a\n", double(float(viennacl::linalg::norm_2(y))),
                double(float(viennacl::linalg::norm_inf(y))), double(float(viennacl::linalg::sum(y))));
}

int main()
{
    const size_t n = 30000;
    rows entries(n);
    std::vector<float> host(n);
    vec x(n);

    for (size_t i = 0; i < n; i++) {
        host[i] = float(i % 1013) / 1013;
        entries[i][unsigned(i)] = 9;
        for (size_t k = 1; k <= 1 + i % 7; k++)
            entries[i][unsigned((i * 13 + k * 977) % n)] = -0.5f;
    }
    viennacl::copy(host, x);
    product<viennacl::compressed_matrix<float>>("compressed", entries, x);
    product<viennacl::coordinate_matrix<float>>("coordinate", entries, x);
    product<viennacl::ell_matrix<float>>("ell", entries, x);
    product<viennacl::sliced_ell_matrix<float>>("sliced ell", entries, x);
    product<viennacl::hyb_matrix<float>>("hybrid", entries, x);
    solvers(entries, x);
    dense(200);
    for (size_t size : {4096, 1000, 77}) {
        vec part(2 * size), out(2 * size);
        viennacl::copy(host.begin(), host.begin() + long(part.size()), part.begin());
        viennacl::fft(part, out);
        show("fft", out);
        viennacl::ifft(out, part);
        show("ifft", part);
    }
    return 0;
}
