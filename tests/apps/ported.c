/* ported - a kernel as it comes from CUDA: the global id is made of the group's number, in an int.
 *
 * Whatever the local size is, group * size + local is the same number, unless the group's number does not fit
 * the int.  In a range of some millions it does.
 *
 * >>> ported: tuned
 */
#include "common.h"

#include <string.h>

static const char *source = "__kernel void ported(__global const float4 *in, __global float4 *out, int n)\n"
                            "{\n"
                            "    int bx = get_group_id(0);\n"
                            "    if (bx * get_local_size(0) + get_local_id(0) < n / 4) {\n"
                            "        float4 v = in[bx * get_local_size(0) + get_local_id(0)];\n"
                            "        out[bx * get_local_size(0) + get_local_id(0)] = v.wzyx;\n"
                            "    }\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "ported", argc, argv, (struct app_defaults){1 << 21, 200, 1024, 3});
    size_t items = app.n / 4, bytes = items * 4 * sizeof(float);
    cl_int n = (cl_int)items * 4 - 400; /* the last work-items have nothing to do */
    float *in = app_random_floats(items * 4, 1), *out = app_alloc(bytes), *zero = app_alloc(bytes);
    memset(zero, 0, bytes);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "ported");
    cl_mem din = app_buffer(&app, bytes, in), dout = app_buffer(&app, bytes, zero);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof n, &n));
    app_run(&app, kernel, 1, NULL, &items, (size_t[]){4, 1, 1});

    app_read(&app, dout, bytes, out);
    for (size_t i = 0; i < items * 4; i++)
        app_expect_near(&app, i, out[i], i < (size_t)n ? in[i / 4 * 4 + 3 - i % 4] : 0);
    app_checksum(&app, "out", out, bytes);

    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    free(zero);
    return app_end(&app);
}
