/* refusals - a museum of kernels whose local size must be left alone, one exhibit per reason.
 *
 * The name of each kernel says what is wrong with it.  All take (in, out, extra, n) and are launched in
 * groups of 8; the host knows what each must compute.  The reasons that larger programs show (reduction,
 * reqd, groupid, localid, print, scatter, overlap, alias, compact) are not repeated here.
 *
 * >>> barrier_only: refused barrier|overlapping-writes|driver-barriers
 * >>> local_scratch: refused local-memory
 * >>> group_copy: refused work-group-function|local-memory|barrier
 * >>> local_size: refused local-size-observed
 * >>> number_of_groups: refused num-groups-observed
 * >>> spin: refused spin-loop|volatile
 * >>> swap_order: refused ordered-atomic
 * >>> wraps: refused index-overflow
 * >>> other_buffer: refused unknown-pointer|scattered-writes
 */
#include "common.h"

#include <string.h>

#define GROUP 8

static const char *source =
    "#define ARGS __global const int *in, __global int *out, __global int *extra, uint n\n"
    "#define I    get_global_id(0)\n"
    "__kernel void barrier_only(ARGS)\n"
    "{\n"
    "    extra[I] = in[I];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    out[I] = extra[I ^ 1];\n"
    "}\n"
    "__kernel void local_scratch(ARGS)\n"
    "{\n"
    "    __local int scratch[8];\n"
    "    scratch[get_local_id(0)] = in[I];\n"
    "    out[I] = scratch[get_local_id(0)] * 2;\n"
    "}\n"
    "__kernel void group_copy(ARGS)\n"
    "{\n"
    "    __local int tile[8];\n"
    "    event_t e = async_work_group_copy(tile, in + get_group_id(0) * 8, 8, 0);\n"
    "    wait_group_events(1, &e);\n"
    "    out[I] = tile[7 - get_local_id(0)];\n"
    "}\n"
    "__kernel void local_size(ARGS)\n"
    "{\n"
    "    out[I] = in[I] + (int)get_local_size(0);\n"
    "}\n"
    "__kernel void number_of_groups(ARGS)\n"
    "{\n"
    "    out[I] = in[I] + (int)get_num_groups(0);\n"
    "}\n"
    "__kernel void spin(ARGS)\n" /* extra[n] is 1 from the start: nobody really waits */
    "{\n"
    "    volatile __global int *flag = extra + n;\n"
    "    if (I == 0)\n"
    "        *flag = 1;\n"
    "    while (*flag == 0)\n"
    "        ;\n"
    "    out[I] = in[I] * 5;\n"
    "}\n"
    "__kernel void swap_order(ARGS)\n" /* the last one wins */
    "{\n"
    "    atomic_xchg(&extra[I / 2], (int)I);\n"
    "    out[I] = in[I] * 6;\n"
    "}\n"
    "__kernel void wraps(ARGS)\n" /* n is 3, and 3 * 0xaaaaaaab is 1 modulo 2^32 */
    "{\n"
    "    uint i = (uint)I * n * 0xaaaaaaabu;\n"
    "    out[i] = in[i] * 7;\n"
    "}\n"
    "__kernel void other_buffer(ARGS)\n" /* which buffer is written, and where, depends on memory */
    "{\n"
    "    __global int *target = in[I] % 2 ? out : extra;\n"
    "    out[I] = in[I] * 8;\n"
    "    target[in[I]] = in[I] * 8;\n"
    "}\n";

static cl_int same_pair(const cl_int *in, size_t i, size_t n)
{
    (void)n;
    return in[i ^ 1];
}
static cl_int mirrored(const cl_int *in, size_t i, size_t n)
{
    (void)n;
    return in[i / GROUP * GROUP + GROUP - 1 - i % GROUP];
}
static cl_int plus_size(const cl_int *in, size_t i, size_t n)
{
    (void)n;
    return in[i] + GROUP;
}
static cl_int plus_groups(const cl_int *in, size_t i, size_t n)
{
    return in[i] + (cl_int)(n / GROUP);
}

static const struct exhibit {
    const char *kernel;
    cl_int factor; /* result is in[i] * factor, unless `want` is given */
    cl_int (*want)(const cl_int *in, size_t i, size_t n);
} exhibits[] = {
    {"barrier_only", 0, same_pair},
    {"local_scratch", 2, NULL},
    {"group_copy", 0, mirrored},
    {"local_size", 0, plus_size},
    {"number_of_groups", 0, plus_groups},
    {"spin", 5, NULL},
    {"swap_order", 6, NULL},
    {"wraps", 7, NULL},
    {"other_buffer", 8, NULL},
};

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "refusals", argc, argv, (struct app_defaults){1 << 16, 5, 256, 3});
    size_t n = app.n / GROUP * GROUP, bytes = n * sizeof(cl_int);
    cl_int *in = app_alloc(bytes), *out = app_alloc(bytes), *extra = app_alloc(bytes + sizeof(cl_int));
    for (size_t i = 0; i < n; i++)
        in[i] = (cl_int)i;
    extra[n] = 1;

    cl_program program = app_build(&app, source, NULL);
    cl_mem din = app_buffer(&app, bytes, in), dextra = app_buffer(&app, bytes + sizeof(cl_int), extra);
    for (size_t e = 0; e < sizeof exhibits / sizeof exhibits[0]; e++) {
        const struct exhibit *x = &exhibits[e];
        const cl_uint count = strcmp(x->kernel, "wraps") == 0 ? 3 : (cl_uint)n;
        cl_kernel kernel = app_kernel(program, x->kernel);
        cl_mem dout = app_buffer(&app, bytes, NULL);
        CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
        CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
        CL_CHECK(clSetKernelArg(kernel, 2, sizeof dextra, &dextra));
        CL_CHECK(clSetKernelArg(kernel, 3, sizeof count, &count));
        app_run(&app, kernel, 1, NULL, &n, (size_t[]){GROUP, 1, 1});
        app_read(&app, dout, bytes, out);
        for (size_t i = 0; i < n; i++)
            app_expect_int(&app, i, out[i], x->want ? x->want(in, i, n) : in[i] * x->factor);
        app_checksum(&app, x->kernel, out, bytes);
        CL_CHECK(clReleaseMemObject(dout));
        CL_CHECK(clReleaseKernel(kernel));
    }

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dextra));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    free(extra);
    return app_end(&app);
}
