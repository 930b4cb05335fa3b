/* unseen - launches that are left alone for what the kernel's own code does not show.
 *
 * `linked` is made from the binary of a compiled object that was never source to whoever watches the program.
 * `quotient` and `sums` are built with relaxed floating point, under which a driver may round quotients
 * differently in vectorised and in scalar code, and add up in another order.  `single` has one work-item, and
 * no other local size to choose.
 *
 * >>> linked: refused from-binary
 * >>> quotient: refused relaxed-math
 * >>> sums: refused relaxed-math
 * >>> single: refused no-candidates
 */
#include "common.h"

static const char *linked_source = "__kernel void linked(__global int *y)\n"
                                   "{\n"
                                   "    int i = get_global_id(0);\n"
                                   "    y[i] = 3 * i;\n"
                                   "}\n";

static const char *source = "__kernel void quotient(__global float *y)\n"
                            "{\n"
                            "    int i = get_global_id(0);\n"
                            "    y[i] = 1.0f / (i + 1);\n"
                            "}\n"
                            "__kernel void sums(__global float *y)\n"
                            "{\n"
                            "    int i = get_global_id(0);\n"
                            "    float sum = 0;\n"
                            "    for (int k = 0; k < 5; k++)\n"
                            "        sum += 0.37f * (i ^ k);\n"
                            "    y[i] = sum;\n"
                            "}\n"
                            "__kernel void single(__global int *y)\n"
                            "{\n"
                            "    y[get_global_id(0)] = 7;\n"
                            "}\n";

/* From source to the binary of a compiled object, and on from there. */
static cl_program link_program(struct app *app)
{
    cl_int status, binary_status;
    size_t size;
    cl_program source_program = clCreateProgramWithSource(app->context, 1, &linked_source, NULL, &status);
    CL_CHECK(status);
    CL_CHECK(clCompileProgram(source_program, 1, &app->device, NULL, 0, NULL, NULL, NULL, NULL));
    CL_CHECK(clGetProgramInfo(source_program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = app_alloc(size);
    CL_CHECK(clGetProgramInfo(source_program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program compiled = clCreateProgramWithBinary(app->context, 1, &app->device, &size,
                                                    (const unsigned char **)&binary, &binary_status, &status);
    CL_CHECK(status);
    cl_program program =
        clLinkProgram(app->context, 1, &app->device, NULL, 1, &compiled, NULL, NULL, &status);
    CL_CHECK(status);
    CL_CHECK(clReleaseProgram(source_program));
    CL_CHECK(clReleaseProgram(compiled));
    free(binary);
    return program;
}

/* Launch one kernel of the program on a buffer and print the buffer's checksum. */
static void launch(struct app *app, cl_program program, const char *name, size_t n, size_t local)
{
    const size_t bytes = app->n * sizeof(cl_int);
    cl_int *zero = calloc(app->n, sizeof *zero), *y = app_alloc(bytes);
    cl_mem buffer = app_buffer(app, bytes, zero);
    cl_kernel kernel = app_kernel(program, name);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    app_run(app, kernel, 1, NULL, &n, &local);
    app_read(app, buffer, bytes, y);
    app_checksum(app, name, y, bytes);
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseMemObject(buffer));
    free(zero);
    free(y);
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "unseen", argc, argv, (struct app_defaults){1 << 16, 40, 1024, 5});
    cl_program linked = link_program(&app), program = app_build(&app, source, "-cl-fast-relaxed-math");
    launch(&app, linked, "linked", app.n, 16);
    launch(&app, program, "quotient", app.n, 16);
    launch(&app, program, "sums", app.n, 16);
    launch(&app, program, "single", 1, 1);
    CL_CHECK(clReleaseProgram(linked));
    CL_CHECK(clReleaseProgram(program));
    return app_end(&app);
}
