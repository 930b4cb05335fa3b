/* earlyrelease - everything is released as soon as it has been enqueued.
 *
 * The standard allows it: commands keep what they need.  Each round makes kernel and input buffer anew and
 * lets go of them before the launch has finished, so drivers hand out the same handles again and again for
 * other objects. Whoever remembers a handle for longer than the program holds it, remembers the wrong thing.
 *
 * >>> add: tuned
 * >>> subtract: allowed
 */
#include "common.h"

static const char *source = "__kernel void add(__global const int *in, __global int *sum)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    sum[i] = sum[i] + in[i];\n"
                            "}\n"
                            "__kernel void subtract(__global const int *in, __global int *sum)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    sum[i] = sum[i] - in[i];\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "earlyrelease", argc, argv, (struct app_defaults){1 << 18, 60, 512, 8});
    size_t n = app.n, bytes = n * sizeof(cl_int);
    const size_t *local = app_local(&app, (size_t[]){4, 1, 1});
    cl_int *in = app_alloc(bytes), *sum = app_alloc(bytes), *want = app_alloc(bytes);
    cl_program program = app_build(&app, source, NULL);
    cl_mem dsum = app_buffer(&app, bytes, sum);

    struct app_times times = {0};
    for (unsigned round = 0; round < app.launches; round++) {
        bool subtract = round % 3 == 2;
        for (size_t i = 0; i < n; i++) {
            in[i] = (cl_int)((i + round) % 1000);
            want[i] += subtract ? -in[i] : in[i];
        }
        cl_kernel kernel = app_kernel(program, subtract ? "subtract" : "add");
        cl_mem din = app_buffer(&app, bytes, in);
        double begin = app_now_ms();
        CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
        CL_CHECK(clSetKernelArg(kernel, 1, sizeof dsum, &dsum));
        CL_CHECK(clEnqueueNDRangeKernel(app.queue, kernel, 1, NULL, &n, local, 0, NULL, NULL));
        CL_CHECK(clReleaseKernel(kernel));
        CL_CHECK(clReleaseMemObject(din));
        if (round % 4 == 3)
            CL_CHECK(clFinish(app.queue));
        app_times_add(&times, app_now_ms() - begin);
    }
    CL_CHECK(clReleaseProgram(program));
    app_read(&app, dsum, bytes, sum);
    app_times_print(&app, &times, "add", 1, local);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, sum[i], want[i]);
    app_checksum(&app, "sum", sum, bytes);

    CL_CHECK(clReleaseMemObject(dsum));
    free(in);
    free(sum);
    free(want);
    return app_end(&app);
}
