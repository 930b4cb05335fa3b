/* separate - programs that are compiled in pieces and linked: headers from memory, a library, callbacks.
 *
 * `joined` calls a function of another unit, and both include headers that exist only as program objects; it
 * is linked with a callback, in which its kernel is made.  `patron` calls a function of a library.  `again`
 * is compiled, linked, and then its program built as a whole with other options.  A compilation that fails
 * leaves things as they were.
 *
 * >>> joined: tuned
 * >>> patron: tuned
 * >>> again: tuned
 */
#include "common.h"

#include <pthread.h>
#include <string.h>

static const char *const header_names[] = {"scale.h", "deep/inner.h"};
static const char *const header_texts[] = {"#include \"deep/inner.h\"\n"
                                           "int scaled(int x);\n",
                                           "#define FACTOR (3 * UNIT)\n"};
static const char *joined_source = "#include \"scale.h\"\n"
                                   "__kernel void joined(__global const int *in, __global int *out)\n"
                                   "{\n"
                                   "    size_t i = get_global_id(0);\n"
                                   "    out[i] = scaled(in[i]) + FACTOR;\n"
                                   "}\n";
static const char *scaled_source = "#include \"scale.h\"\n"
                                   "int scaled(int x)\n"
                                   "{\n"
                                   "    return FACTOR * x;\n"
                                   "}\n";
static const char *patron_source = "int scaled(int x);\n"
                                   "__kernel void patron(__global const int *in, __global int *out)\n"
                                   "{\n"
                                   "    size_t i = get_global_id(0);\n"
                                   "    out[i] = scaled(scaled(in[i]));\n"
                                   "}\n";
static const char *again_source = "__kernel void again(__global const int *in, __global int *out)\n"
                                  "{\n"
                                  "    size_t i = get_global_id(0);\n"
                                  "    out[i] = in[i] + UNIT;\n"
                                  "}\n";
static const char *broken_source = "#include \"nowhere.h\"\n"
                                   "__kernel void broken() {}\n";

static cl_program from_source(struct app *app, const char *text)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(app->context, 1, &text, NULL, &status);
    CL_CHECK(status);
    return program;
}

static cl_program compile(struct app *app, const char *text, const char *options)
{
    cl_program headers[2] = {from_source(app, header_texts[0]), from_source(app, header_texts[1])};
    const char *names[2] = {header_names[0], header_names[1]};
    cl_program program = from_source(app, text);
    CL_CHECK(clCompileProgram(program, 1, &app->device, options, 2, headers, names, NULL, NULL));
    CL_CHECK(clReleaseProgram(headers[0]));
    CL_CHECK(clReleaseProgram(headers[1]));
    return program;
}

/* Whoever waits for a linking. */
struct linking {
    pthread_mutex_t lock;
    pthread_cond_t done;
    cl_kernel kernel;
    bool called;
};

static void CL_CALLBACK on_linked(cl_program program, void *data)
{
    struct linking *l = data;
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, "joined", &status);
    pthread_mutex_lock(&l->lock);
    l->kernel = status == CL_SUCCESS ? kernel : NULL;
    l->called = true;
    pthread_cond_signal(&l->done);
    pthread_mutex_unlock(&l->lock);
}

static void check(struct app *app, cl_kernel kernel, const char *name, const cl_int *in, cl_int factor,
                  cl_int summand)
{
    const size_t n = app->n, bytes = n * sizeof(cl_int);
    cl_int *out = app_alloc(bytes);
    cl_mem din = app_buffer(app, bytes, in), dout = app_buffer(app, bytes, NULL);
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof din, &din));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof dout, &dout));
    app_run(app, kernel, 1, NULL, &n, app_local(app, (size_t[]){8, 1, 1}));
    app_read(app, dout, bytes, out);
    for (size_t i = 0; i < n; i++)
        app_expect_int(app, i, out[i], factor * in[i] + summand);
    app_checksum(app, name, out, bytes);
    CL_CHECK(clReleaseMemObject(din));
    CL_CHECK(clReleaseMemObject(dout));
    CL_CHECK(clReleaseKernel(kernel));
    free(out);
}

static void run_joined(struct app *app, const cl_int *in)
{
    struct linking l = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, false};
    cl_program units[2] = {compile(app, joined_source, "-DUNIT=2"), compile(app, scaled_source, "-DUNIT=2")};
    cl_int status;
    cl_program program = clLinkProgram(app->context, 1, &app->device, NULL, 2, units, on_linked, &l, &status);
    CL_CHECK(status);
    pthread_mutex_lock(&l.lock);
    while (!l.called)
        pthread_cond_wait(&l.done, &l.lock);
    pthread_mutex_unlock(&l.lock);
    CL_CHECK(clReleaseProgram(units[0]));
    CL_CHECK(clReleaseProgram(units[1]));
    CL_CHECK(clReleaseProgram(program));
    if (!l.kernel) {
        fprintf(stderr, "separate: no kernel in the callback\n");
        exit(1);
    }
    check(app, l.kernel, "joined", in, 6, 6);
}

static void run_patron(struct app *app, const cl_int *in)
{
    cl_program parts[2] = {compile(app, patron_source, NULL), NULL};
    cl_program unit = compile(app, scaled_source, "-DUNIT=1");
    cl_int status;
    parts[1] = clLinkProgram(app->context, 1, &app->device, "-create-library", 1, &unit, NULL, NULL, &status);
    CL_CHECK(status);
    cl_program program = clLinkProgram(app->context, 1, &app->device, NULL, 2, parts, NULL, NULL, &status);
    CL_CHECK(status);
    check(app, app_kernel(program, "patron"), "patron", in, 9, 0);
    CL_CHECK(clReleaseProgram(unit));
    CL_CHECK(clReleaseProgram(parts[0]));
    CL_CHECK(clReleaseProgram(parts[1]));
    CL_CHECK(clReleaseProgram(program));
}

static void run_again(struct app *app, const cl_int *in)
{
    cl_program unit = compile(app, again_source, "-DUNIT=5");
    cl_program broken = from_source(app, broken_source);
    cl_int status;
    printf("separate missing header: %s\n",
           clCompileProgram(broken, 1, &app->device, NULL, 0, NULL, NULL, NULL, NULL) ? "error" : "fine");
    cl_program program = clLinkProgram(app->context, 1, &app->device, NULL, 1, &unit, NULL, NULL, &status);
    CL_CHECK(status);
    check(app, app_kernel(program, "again"), "again", in, 1, 5);
    CL_CHECK(clReleaseProgram(program));
    CL_CHECK(clBuildProgram(unit, 1, &app->device, "-DUNIT=7", NULL, NULL));
    check(app, app_kernel(unit, "again"), "again rebuilt", in, 1, 7);
    CL_CHECK(clReleaseProgram(unit));
    CL_CHECK(clReleaseProgram(broken));
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "separate", argc, argv, (struct app_defaults){1 << 16, 40, 1024, 5});
    cl_int *in = app_alloc(app.n * sizeof *in);
    for (size_t i = 0; i < app.n; i++)
        in[i] = (cl_int)(i * 7 % 1000);
    run_joined(&app, in);
    run_patron(&app, in);
    run_again(&app, in);
    free(in);
    return app_end(&app);
}
