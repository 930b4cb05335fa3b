/* compact - stream compaction: an atomic counter hands out places in the output.
 *
 * The old value of the atomic is used, so the order of execution decides who stands where.  The program sorts
 * what it gets and lives with any order; a tuner cannot know that and must leave it alone.
 *
 * >>> compact: refused ordered-atomic
 */
#include "common.h"

static const char *source =
    "__kernel void compact(__global const int *in, __global int *out, __global int *count)\n"
    "{\n"
    "    int v = in[get_global_id(0)];\n"
    "    if (v % 3 == 0)\n"
    "        out[atomic_inc(count)] = v;\n"
    "}\n";

static int compare_int(const void *a, const void *b)
{
    cl_int x = *(const cl_int *)a, y = *(const cl_int *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "compact", argc, argv, (struct app_defaults){1 << 17, 8, 1024, 3});
    size_t n = app.n / 16 * 16, room = n * app.launches, kept = 0;
    cl_int *in = app_alloc(n * sizeof *in), *out = app_alloc(room * sizeof *out),
           *want = app_alloc(room * sizeof *want);
    uint32_t seed = 1;
    for (size_t i = 0; i < n; i++) {
        in[i] = (cl_int)(app_random(&seed) % 100000);
        for (unsigned k = 0; k < app.launches && in[i] % 3 == 0; k++)
            want[kept++] = in[i];
    }

    cl_int count = 0;
    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "compact");
    cl_mem din = app_buffer(&app, n * sizeof *in, in), dout = app_buffer(&app, room * sizeof *out, NULL);
    cl_mem dcount = app_buffer(&app, sizeof count, &count);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof dcount, &dcount));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){16, 1, 1});

    app_read(&app, dcount, sizeof count, &count);
    app_read(&app, dout, room * sizeof *out, out);
    app_expect_int(&app, 0, count, (int64_t)kept);
    qsort(out, kept, sizeof *out, compare_int);
    qsort(want, kept, sizeof *want, compare_int);
    for (size_t i = 0; i < kept; i++)
        app_expect_int(&app, i, out[i], want[i]);
    app_checksum(&app, "sorted", out, kept * sizeof *out);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseMemObject(dcount));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    free(want);
    return app_end(&app);
}
