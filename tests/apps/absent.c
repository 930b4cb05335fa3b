/* absent - optional outputs: buffers that are NULL, one from the start, one that was set to a buffer before.
 *
 * The kernel works in place, so it is measured on copies where launches are measured alone, and the copies'
 * kernel must not have another idea of what is NULL.
 *
 * >>> absent: tuned
 */
#include "common.h"

#define STEPS 8

static const char *source =
    "#define STEPS 8\n"
    "__kernel void absent(__global uint *state, __global uint *trace, __global uint *copy)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    uint s = state[i];\n"
    "    for (int k = 0; k < STEPS; k++)\n"
    "        s = (s ^ (s >> 15)) * 2246822519u + 374761393u;\n"
    "    state[i] = s;\n"
    "    if (trace)\n"
    "        trace[i] = s;\n"
    "    if (copy)\n"
    "        copy[i] = s;\n"
    "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "absent", argc, argv, (struct app_defaults){1 << 20, 200, 2048, 6});
    const size_t n = app.n, bytes = n * sizeof(cl_uint);
    cl_uint *before = app_alloc(bytes), *after = app_alloc(bytes);
    uint32_t seed = 1;
    for (size_t i = 0; i < n; i++)
        before[i] = app_random(&seed);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "absent");
    cl_mem state = app_buffer(&app, bytes, before), trace = app_buffer(&app, bytes, before), none = NULL;
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof state, &state));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof trace, &trace));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof none, &none));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof none, NULL));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){4, 1, 1});

    app_read(&app, trace, bytes, after);
    for (size_t i = 0; i < n; i++)
        app_expect_int(&app, i, after[i], before[i]);
    app_read(&app, state, bytes, after);
    for (size_t i = 0; i < n; i += app.small ? 1 : 16) {
        cl_uint s = before[i];
        for (unsigned k = 0; k < STEPS * app.launches; k++)
            s = (s ^ (s >> 15)) * 2246822519u + 374761393u;
        app_expect_int(&app, i, after[i], s);
    }
    app_checksum(&app, "state", after, bytes);

    CL_CHECK(clReleaseMemObject(state));
    CL_CHECK(clReleaseMemObject(trace));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(before);
    free(after);
    return app_end(&app);
}
