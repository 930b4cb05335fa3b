/* columns - two passes over columns, down and up, in place, with a barrier between them.
 *
 * Each work-item reads and writes its own column only, so that nobody has anything to wait for at the
 * barrier, which everybody passes: size-invariant.  Integers, so every bit counts.  PoCL is not trusted with
 * barriers.
 *
 * >>> columns: allowed, refused driver-barriers
 */
#include "common.h"

#define ROWS 16

static const char *source = "#define ROWS 16\n"
                            "__kernel void columns(__global uint *a)\n"
                            "{\n"
                            "    size_t x = get_global_id(0), n = get_global_size(0);\n"
                            "    uint down = 1, up = 2;\n"
                            "    for (int y = 0; y < ROWS; y++)\n"
                            "        a[y * n + x] = down = a[y * n + x] * 3u + down;\n"
                            "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                            "    for (int y = ROWS - 1; y >= 0; y--)\n"
                            "        a[y * n + x] = up = a[y * n + x] * 5u + up;\n"
                            "}\n";

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "columns", argc, argv, (struct app_defaults){1 << 18, 100, 2048, 6});
    size_t n = app.n, bytes = n * ROWS * sizeof(cl_uint);
    cl_uint *before = app_alloc(bytes), *after = app_alloc(bytes);
    uint32_t seed = 1;
    for (size_t i = 0; i < n * ROWS; i++)
        before[i] = app_random(&seed);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "columns");
    cl_mem a = app_buffer(&app, bytes, before);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof a, &a));
    app_run(&app, kernel, 1, NULL, &n, (size_t[]){4, 1, 1});

    app_read(&app, a, bytes, after);
    for (size_t x = 0; x < n; x += app.small ? 1 : 16) {
        for (unsigned k = 0; k < app.launches; k++) {
            cl_uint down = 1, up = 2;
            for (size_t y = 0; y < ROWS; y++)
                before[y * n + x] = down = before[y * n + x] * 3u + down;
            for (size_t y = ROWS; y-- > 0;)
                before[y * n + x] = up = before[y * n + x] * 5u + up;
        }
        for (size_t y = 0; y < ROWS; y++)
            app_expect_int(&app, y * n + x, after[y * n + x], before[y * n + x]);
    }
    app_checksum(&app, "a", after, bytes);

    CL_CHECK(clReleaseMemObject(a));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(before);
    free(after);
    return app_end(&app);
}
