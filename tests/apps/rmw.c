/* rmw - read-modify-write: every launch steps a random-number generator per element, in place.
 *
 * Each work-item reads and writes its own element only: size-invariant and sliceable, but running a part
 * twice would step twice.  A tuner may only use what is productive.  Integers, so every bit counts.
 *
 * >>> rmw: tuned
 */
#include "common.h"

#define STEPS 8

static const char *source = "#define STEPS 8\n"
                            "__kernel void rmw(__global uint *state)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    uint s = state[i];\n"
                            "#pragma unroll\n"
                            "    for (int k = 0; k < STEPS; k++)\n"
                            "        s = (s ^ (s >> 15)) * 2246822519u + 374761393u;\n"
                            "    state[i] = s;\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "rmw", argc, argv, (struct app_defaults){1 << 21, 200, 2048, 6});
    size_t n = app.n, bytes = n * sizeof(cl_uint);
    cl_uint *before = app_alloc(bytes), *after = app_alloc(bytes);
    uint32_t seed = 1;
    for (size_t i = 0; i < n; i++)
        before[i] = app_random(&seed);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "rmw");
    cl_mem state = app_buffer(&app, bytes, before);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof state, &state));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){4, 1, 1});

    app_read(&app, state, bytes, after);
    for (size_t i = 0; i < n; i += app.small ? 1 : 16) {
        cl_uint s = before[i];
        for (unsigned k = 0; k < STEPS * app.launches; k++)
            s = (s ^ (s >> 15)) * 2246822519u + 374761393u;
        app_expect_int(&app, i, after[i], s);
    }
    app_checksum(&app, "state", after, bytes);

    CL_CHECK(clReleaseMemObject(state));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(before);
    free(after);
    return app_end(&app);
}
