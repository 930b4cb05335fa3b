/* forked - a program that forks first and uses OpenCL afterwards, in the child and then in the parent.
 *
 * Servers do that: the library is mapped before the fork, its work begins after it, twice, with the same
 * files.
 *
 * >>> square: tuned
 */
#include "common.h"

#include <sys/wait.h>
#include <unistd.h>

static const char *source = "__kernel void square(__global const int *in, __global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * in[i];\n"
                            "}\n";

static int compute(struct app *app, const char *who)
{
    app_open(app);
    size_t n = app->n, bytes = n * sizeof(cl_int);
    cl_int *in = app_alloc(bytes), *out = app_alloc(bytes);
    for (size_t i = 0; i < n; i++)
        in[i] = (cl_int)(i % 40000);
    cl_program program = app_build(app, source, NULL);
    cl_kernel kernel = app_kernel(program, "square");
    cl_mem din = app_buffer(app, bytes, in), dout = app_buffer(app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    app_run(app, kernel, 1, NULL, &n, (size_t[]){4, 1, 1});

    app_read(app, dout, bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_int(app, i, out[i], in[i] * in[i]);
    app_checksum(app, who, out, bytes);
    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    return app_end(app);
}

int main(int argc, char **argv)
{
    struct app app;
    int status = 0;
    app_args(&app, "forked", argc, argv, (struct app_defaults){1 << 20, 20, 1024, 3});
    pid_t child = fork();
    if (child < 0)
        return 1;
    if (child == 0)
        return compute(&app, "child");
    if (waitpid(child, &status, 0) != child || status != 0)
        app.wrong++;
    return compute(&app, "parent");
}
