/* reduction - sums per work-group through local memory and barriers.
 *
 * The group's size decides which elements are added up together and how many sums come out: the local size is
 * part of the algorithm and must be left alone.
 *
 * >>> reduction: refused barrier|local-memory
 */
#include "common.h"

#define GROUP 64

static const char *source =
    "__kernel void reduction(__global const int *in, __global int *sums, __local int *scratch)\n"
    "{\n"
    "    size_t l = get_local_id(0);\n"
    "    scratch[l] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {\n"
    "        if (l < step)\n"
    "            scratch[l] += scratch[l + step];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (l == 0)\n"
    "        sums[get_group_id(0)] = scratch[0];\n"
    "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "reduction", argc, argv, (struct app_defaults){1 << 21, 50, 1024, 3});
    size_t n = app.n / GROUP * GROUP, groups = n / GROUP, bytes = groups * sizeof(cl_int);
    cl_int *in = app_alloc(n * sizeof *in), *sums = app_alloc(bytes);
    uint32_t seed = 1;
    for (size_t i = 0; i < n; i++)
        in[i] = (cl_int)(app_random(&seed) % 1000);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "reduction");
    cl_mem din = app_buffer(&app, n * sizeof *in, in), dsums = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dsums, &dsums));
    CL_CHECK(clSetKernelArg(kernel, 2, GROUP * sizeof(cl_int), NULL));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){GROUP, 1, 1});

    app_read(&app, dsums, bytes, sums);
    for (size_t g = 0; g < groups; g++) {
        cl_int want = 0;
        for (size_t i = 0; i < GROUP; i++)
            want += in[g * GROUP + i];
        app_expect_int(&app, g, sums[g], want);
    }
    app_checksum(&app, "sums", sums, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dsums));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(sums);
    return app_end(&app);
}
