/* histogram - counts values in 256 bins with global atomics whose old value is not used.
 *
 * Work-items meet on the same bins, but additions commute: any order, any grouping gives the same counts.
 * Running a part twice would count it twice.
 *
 * >>> histogram: tuned
 */
#include "common.h"

#define BINS 256

static const char *source = "__kernel void histogram(__global const uchar *data, __global int *bins)\n"
                            "{\n"
                            "    atomic_inc(&bins[data[get_global_id(0)]]);\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "histogram", argc, argv, (struct app_defaults){1 << 20, 30, 4096, 4});
    size_t n = app.n;
    uint8_t *data = app_alloc(n);
    cl_int bins[BINS] = {0}, want[BINS] = {0};
    uint32_t seed = 1;
    for (size_t i = 0; i < n; i++) {
        data[i] = (uint8_t)(app_random(&seed) % 200);
        want[data[i]] += (cl_int)app.launches; /* bins are not cleared between launches */
    }

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "histogram");
    cl_mem ddata = app_buffer(&app, n, data), dbins = app_buffer(&app, sizeof bins, bins);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof ddata, &ddata));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dbins, &dbins));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){16, 1, 1});

    app_read(&app, dbins, sizeof bins, bins);
    for (size_t i = 0; i < BINS; i++)
        app_expect_int(&app, i, bins[i], want[i]);
    app_checksum(&app, "bins", bins, sizeof bins);

    CL_CHECK(clReleaseMemObject(ddata));
    CL_CHECK(clReleaseMemObject(dbins));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(data);
    return app_end(&app);
}
