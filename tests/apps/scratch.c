/* scratch - every work-item has a private array of 16 KB: a few groups of 4, where a large group's arrays
 * would not fit the stack of a driver's thread (PoCL 3.1 crashes from 512 work-items on).
 *
 * >>> scratch: tuned
 */
#include "common.h"

#define WORDS 4096
#define STEPS 16

static const char *source = "__kernel void scratch(__global const uint *in, __global uint *out)\n"
                            "{\n"
                            "    uint table[4096], i = get_global_id(0), v = in[i];\n"
                            "    for (uint k = 0; k < 16; k++)\n"
                            "        table[(i * k + k) & 4095] = v ^ k;\n"
                            "    for (uint k = 0; k < 16; k++)\n"
                            "        v = v * 31 + table[(i * k + k) & 4095];\n"
                            "    out[i] = v;\n"
                            "}\n";

static uint32_t host_scratch(uint32_t i, uint32_t v)
{
    static uint32_t table[WORDS];

    for (uint32_t k = 0; k < STEPS; k++)
        table[(i * k + k) % WORDS] = v ^ k;
    for (uint32_t k = 0; k < STEPS; k++)
        v = v * 31 + table[(i * k + k) % WORDS];
    return v;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "scratch", argc, argv, (struct app_defaults){65536, 100, 4096, 12});
    const size_t bytes = app.n * sizeof(uint32_t), local = 4;
    uint32_t *in = app_alloc(bytes), *out = app_alloc(bytes), seed = 1;
    for (size_t i = 0; i < app.n; i++)
        in[i] = app_random(&seed);

    cl_program program = app_build(&app, source, NULL);
    cl_kernel kernel = app_kernel(program, "scratch");
    cl_mem buffer_in = app_buffer(&app, bytes, in), buffer_out = app_buffer(&app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof buffer_in, &buffer_in));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof buffer_out, &buffer_out));
    app_run(&app, kernel, 1, NULL, &app.n, &local);

    app_read(&app, buffer_out, bytes, out);
    for (size_t i = 0; i < app.n; i++)
        app_expect_int(&app, i, out[i], host_scratch((uint32_t)i, in[i]));
    app_checksum(&app, "out", out, bytes);
    CL_CHECK(clReleaseMemObject(buffer_in));
    CL_CHECK(clReleaseMemObject(buffer_out));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(&app);
}
