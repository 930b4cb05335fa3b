/* offer - a program with two kernels for the same work, which leaves the choice to clsizer.
 *
 * Sparse matrix times vector, compressed sparse rows.  csr_rows adds a row's products one after the other;
 * csr_lanes adds eight sums side by side, which is faster where rows are long and slower where they are short
 * ([D] 4: CSR scalar and vector, on a random and on a diagonal matrix).  Which one is the better depends on
 * the matrix and on the device; so the program launches csr_rows, and offers csr_lanes.  Without clsizer
 * nothing of that happens.
 *
 * The sums are added in another order, so the program says how much they may be off.  (Here all numbers are
 * small and whole, and sums of them exact, so that any choice prints the same.)
 *
 * APP_OFFER: "none": offer nothing.  "wrong": offer wrong ones, and expect what clsizer.h says.
 *
 * >>> csr_rows: tuned
 */
#include <clsizer.h>
#include <string.h>
#include "common.h"

#define ARGS                                                                                                 \
    "(global const int *start, global const int *column, global const float *value, global const float *x, " \
    "global float *y)\n"

static const char *source =
    "kernel void csr_rows" ARGS "{\n"
    "    int row = get_global_id(0);\n"
    "    float sum = 0.0f;\n"
    "    for (int i = start[row]; i < start[row + 1]; i++)\n"
    "        sum += value[i] * x[column[i]];\n"
    "    y[row] = sum;\n"
    "}\n"
    "kernel void csr_lanes" ARGS "{\n"
    "    int row = get_global_id(0), end = start[row + 1], i = start[row];\n"
    "    float8 sum = 0.0f;\n"
    "    for (; i + 8 <= end; i += 8) {\n"
    "        int8 c = vload8(0, column + i);\n"
    "        sum += vload8(0, value + i) * (float8)(x[c.s0], x[c.s1], x[c.s2], x[c.s3],\n"
    "                                               x[c.s4], x[c.s5], x[c.s6], x[c.s7]);\n"
    "    }\n"
    "    for (; i < end; i++)\n"
    "        sum.s0 += value[i] * x[column[i]];\n"
    "    float4 s = sum.lo + sum.hi;\n"
    "    y[row] = s.x + s.y + s.z + s.w;\n"
    "}\n";

#pragma GCC diagnostic ignored "-Wpedantic" /* extensions' functions are data pointers to OpenCL */

/* clsizer's functions; NULL without clsizer. */
struct clsizer {
    clsizerAddKernelVariant_fn add;
    clsizerProfile_fn profile;
};

static struct clsizer find_clsizer(const struct app *app)
{
    const cl_platform_id p = app->platform;

    return (struct clsizer){
        (clsizerAddKernelVariant_fn)clGetExtensionFunctionAddressForPlatform(p, "clsizerAddKernelVariant"),
        (clsizerProfile_fn)clGetExtensionFunctionAddressForPlatform(p, "clsizerProfile")};
}

/* Offer csr_lanes for csr_rows, and have it decided as soon as possible. */
static void offer(struct app *app, cl_kernel rows, cl_kernel lanes)
{
    const struct clsizer c = find_clsizer(app);
    const struct clsizer_variant variant = {
        .size = sizeof variant, .kernel = lanes, .num_local = 1, .local = {{64}}, .tolerance = 1e-5};

    if (c.add)
        CL_CHECK(c.add(rows, &variant));
    if (c.profile)
        CL_CHECK(c.profile(rows, CL_TRUE));
}

/* Each answer that clsizer.h lists for wrong arguments. */
static void offer_wrongly(struct app *app, cl_kernel rows, cl_kernel lanes)
{
    const struct clsizer c = find_clsizer(app);
    const struct clsizer_variant good = {.size = sizeof good, .kernel = lanes};
    struct clsizer_variant v[6];
    static const char *const broken = "kernel void csr_lanes(";

    if (!c.add || !c.profile)
        return;
    for (size_t i = 0; i < 6; i++)
        v[i] = good;
    v[0].size = 8;
    v[1].name = "both";
    v[2].kernel = NULL;
    v[3].units[1] = (size_t)1 << 40;
    v[4].num_local = 9;
    v[5].tolerance = -1;
    for (size_t i = 0; i < 6; i++)
        app_expect_int(app, i, c.add(rows, &v[i]), CL_INVALID_VALUE);
    app_expect_int(app, 6, c.add(rows, NULL), CL_INVALID_VALUE);
    app_expect_int(app, 7, c.add(NULL, &good), CL_INVALID_KERNEL);
    app_expect_int(app, 8, c.profile(NULL, CL_TRUE), CL_INVALID_KERNEL);
    v[0] = (struct clsizer_variant){.size = sizeof good, .source = broken, .name = "csr_lanes"};
    app_expect_int(app, 9, c.add(rows, &v[0]), CL_SUCCESS); /* noticed when it is built */
    app_expect_int(app, 10, c.add(rows, &v[0]), CL_SUCCESS);
}

/* `rows` rows of `length` entries: anywhere, or the diagonal if that is 1. */
static void multiply(struct app *app, cl_kernel kernel, size_t rows, size_t length)
{
    const size_t entries = rows * length;
    cl_int *start = app_alloc((rows + 1) * sizeof *start), *column = app_alloc(entries * sizeof *column);
    float *value = app_alloc(entries * sizeof *value), *x = app_alloc(rows * sizeof *x),
          *y = app_alloc(rows * sizeof *y);
    uint32_t seed = 3;
    cl_mem args[5];

    for (size_t i = 0; i < entries; i++) {
        column[i] = (cl_int)(length == 1 ? i : app_random(&seed) % rows);
        value[i] = (float)(app_random(&seed) % 16);
    }
    for (size_t row = 0; row < rows; row++) {
        start[row] = (cl_int)(row * length);
        x[row] = (float)(app_random(&seed) % 16);
    }
    start[rows] = (cl_int)entries;
    args[0] = app_buffer(app, (rows + 1) * sizeof *start, start);
    args[1] = app_buffer(app, entries * sizeof *column, column);
    args[2] = app_buffer(app, entries * sizeof *value, value);
    args[3] = app_buffer(app, rows * sizeof *x, x);
    args[4] = app_buffer(app, rows * sizeof *y, NULL);
    for (cl_uint i = 0; i < 5; i++)
        CL_CHECK(clSetKernelArg(kernel, i, sizeof args[i], &args[i]));
    app_run(app, kernel, 1, NULL, &rows, (size_t[]){64, 1, 1});
    app_read(app, args[4], rows * sizeof *y, y);
    for (size_t row = 0; row < rows; row++) {
        float sum = 0.0f;
        for (cl_int i = start[row]; i < start[row + 1]; i++)
            sum += value[i] * x[column[i]];
        app_expect_near(app, row, y[row], sum);
    }
    app_checksum(app, length == 1 ? "diagonal" : "random", y, rows * sizeof *y);
    for (cl_uint i = 0; i < 5; i++)
        CL_CHECK(clReleaseMemObject(args[i]));
    free(start);
    free(column);
    free(value);
    free(x);
    free(y);
}

int main(int argc, char **argv)
{
    const char *how = getenv("APP_OFFER");
    struct app app;
    app_begin(&app, "offer", argc, argv, (struct app_defaults){16384, 200, 256, 3});
    cl_program program = app_build(&app, source, NULL);
    cl_kernel rows = app_kernel(program, "csr_rows"), lanes = app_kernel(program, "csr_lanes");

    if (how && strcmp(how, "wrong") == 0)
        offer_wrongly(&app, rows, lanes);
    else if (!how || strcmp(how, "none") != 0)
        offer(&app, rows, lanes);
    multiply(&app, rows, app.n, 64);
    multiply(&app, rows, 16 * app.n, 1);

    CL_CHECK(clReleaseKernel(rows));
    CL_CHECK(clReleaseKernel(lanes));
    CL_CHECK(clReleaseProgram(program));
    return app_end(&app);
}
