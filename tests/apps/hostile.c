/* hostile - text that is only ever data: build options and sources with shell syntax, quotes, newlines,
 * format directives and JSON in them, a long list of options, and megabytes of source.
 *
 * Where a driver refuses some of it, so it does for whoever watches; what is built must compute what it says.
 *
 * >>> shell: allowed, refused unsupported-option
 * >>> quotes: allowed, refused unsupported-option
 * >>> lines: allowed, refused unsupported-option
 * >>> large_options: allowed, refused unsupported-option|too-large
 * >>> large_source: allowed
 * >>> format_n_s_x_percent: allowed
 */
#include "common.h"

#include <string.h>

#define LARGE_OPTIONS (64u << 10) /* PoCL 3.1 takes minutes for ten megabytes */
#define LARGE_SOURCE  (10u << 20)

static void run(struct app *app, const char *name, const char *source, const char *options)
{
    const size_t n = app->n, bytes = n * sizeof(cl_int), local = 8;
    cl_int status, *out = app_alloc(bytes);
    cl_program program = clCreateProgramWithSource(app->context, 1, &source, NULL, &status);
    CL_CHECK(status);
    status = clBuildProgram(program, 1, &app->device, options, NULL, NULL);
    printf("hostile %s: build %s\n", name, status ? "refused" : "done");
    if (status == CL_SUCCESS) {
        cl_kernel kernel = app_kernel(program, name);
        cl_mem buffer = app_buffer(app, bytes, NULL);
        CL_CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        for (unsigned i = 0; i < app->launches; i++)
            CL_CHECK(clEnqueueNDRangeKernel(app->queue, kernel, 1, NULL, &n, &local, 0, NULL, NULL));
        app_read(app, buffer, bytes, out);
        for (size_t i = 0; i < n; i++)
            app_expect_int(app, i, out[i], (cl_int)i * 3);
        CL_CHECK(clReleaseMemObject(buffer));
        CL_CHECK(clReleaseKernel(kernel));
    }
    CL_CHECK(clReleaseProgram(program));
    free(out);
}

static void run_plain(struct app *app, const char *name, const char *before, const char *options)
{
    const size_t room = strlen(before) + 512;
    char *source = app_alloc(room);
    snprintf(
        source, room,
        "%s\n__kernel void %s(__global int *out) { size_t i = get_global_id(0); out[i] = (int)i * 3; }\n",
        before, name);
    run(app, name, source, options);
    free(source);
}

/* `part` over and over. */
static char *repeated(const char *part, size_t bytes, const char *end)
{
    const size_t n = strlen(part);
    char *text = app_alloc(bytes + n + strlen(end) + 1), *at = text;
    while ((size_t)(at - text) < bytes)
        at = stpcpy(at, part);
    strcpy(at, end);
    return text;
}

int main(int argc, char **argv)
{
    struct app app;
    app_begin(&app, "hostile", argc, argv, (struct app_defaults){1 << 14, 40, 1024, 20});
    const char *mark = getenv("MARK") ? getenv("MARK") : "/tmp/hostile-mark";
    char options[4096];

    snprintf(options, sizeof options, "-DA=$(touch${IFS}%s) -DB=`touch${IFS}%s` -DC=;touch${IFS}%s;", mark,
             mark, mark);
    run_plain(&app, "shell", "/* $(touch x) `y` ; | > */", options);
    snprintf(options, sizeof options, "-DA=\"\\\"; touch %s; \\\"\" -DB='\"' -DC=\"{\\\"event\\\":1}\"",
             mark);
    run_plain(&app, "quotes", "/* \"} ' */", options);
    snprintf(options, sizeof options, "-DA=1\n-DB=2\r\n\t-DC=3 \n clsizer-request 1\nsource 3\n");
    run_plain(&app, "lines", "#define LINES \\\n 1\n/* source 3\nunit c 0 0 0 */", options);
    run_plain(&app, "format_n_s_x_percent", "/* %n%s%x%p */", "-DA=%n%s%x%1000000d");

    char *large = repeated("-DA=1 ", LARGE_OPTIONS, "-DB=2");
    run_plain(&app, "large_options", "", large);
    free(large);
    large = repeated("/* ten megabytes of \"text\" \\ $(x) %s */\n", LARGE_SOURCE, "");
    run_plain(&app, "large_source", large, "");
    free(large);
    return app_end(&app);
}
