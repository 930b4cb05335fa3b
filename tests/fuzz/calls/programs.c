/* programs.c - the ways to a program and its kernels. */
#include "calls.h"

/* ---- kernels --------------------------------------------------------------------------------------- */

void make_kernels(struct player *p)
{
    for (unsigned k = 0; k < KERNELS; k++)
        p->kernel[k] = app_kernel(p->program, kernel_names[k]);
}

void drop_kernels(struct player *p)
{
    for (unsigned k = 0; k < KERNELS; k++)
        CL_CHECK(clReleaseKernel(p->kernel[k]));
}

static bool is_named(cl_kernel k, const char *name)
{
    char its[64];

    CL_CHECK(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof its, its, NULL));
    return strcmp(its, name) == 0;
}

/* One of all kernels that the program has.  Mesa 22.3 lists them once for each time that it was built. */
static cl_kernel one_of_all(struct player *p, const char *name)
{
    cl_kernel *all, found = NULL;
    cl_uint n = 0;

    CL_CHECK(clCreateKernelsInProgram(p->program, 0, NULL, &n));
    all = app_alloc(n * sizeof(cl_kernel));
    CL_CHECK(clCreateKernelsInProgram(p->program, n, all, NULL));
    for (cl_uint i = 0; i < n; i++)
        if (!found && is_named(all[i], name))
            found = all[i];
        else
            CL_CHECK(clReleaseKernel(all[i]));
    free(all);
    return found;
}

cl_kernel own_kernel(struct player *p, enum kernel kernel)
{
    const unsigned way = upto(p, 8);
    cl_kernel k;
    cl_int error;

    if (way == 0)
        return one_of_all(p, kernel_names[kernel]);
    if (way > 2 || !p->clones)
        return app_kernel(p->program, kernel_names[kernel]);
    k = clCloneKernel(p->kernel[kernel], &error);
    CL_CHECK(error);
    return k;
}

void new_kernel(struct player *p)
{
    const enum kernel k = (enum kernel)upto(p, KERNELS);

    CL_CHECK(clReleaseKernel(p->kernel[k]));
    p->kernel[k] = app_kernel(p->program, kernel_names[k]);
    say(p, "new %s", kernel_names[k]);
}

/* ---- programs -------------------------------------------------------------------------------------- */

#define MIXED                                                                                                \
    "int mixed(int x, int turns)\n"                                                                          \
    "{\n"                                                                                                    \
    "    uint h = (uint)x + SALT;\n"                                                                         \
    "    for (int j = 0; j < turns; j++)\n"                                                                  \
    "        h = h * 1664525u + 1013904223u;\n"                                                              \
    "    return (int)(h >> 4);\n"                                                                            \
    "}\n"

struct options {
    char text[64];
};

/* Kernels compute something else with another salt. */
static struct options draw_options(struct player *p)
{
    static const char *const others[] = {"", " -DOTHER", " -cl-std=CL3.0"};
    struct options o;

    snprintf(o.text, sizeof o.text, "-DSALT=%u%s", upto(p, 3), others[upto(p, p->newest ? 3 : 2)]);
    return o;
}

static cl_program of_text(struct player *p, const char *text)
{
    cl_int error;
    cl_program made = clCreateProgramWithSource(p->app->context, 1, &text, NULL, &error);

    CL_CHECK(error);
    return made;
}

/* NULL: it cannot be built so, and *error says why. */
static cl_program built(struct player *p, cl_program made, const char *options, cl_int *error)
{
    *error = clBuildProgram(made, 1, &p->app->device, options, NULL, NULL);
    if (!*error)
        return made;
    CL_CHECK(clReleaseProgram(made));
    return NULL;
}

static cl_program from_source(struct player *p, cl_int *error)
{
    return built(p, of_text(p, p->source), draw_options(p).text, error);
}

/* The old one with other options. */
static cl_program again(struct player *p, cl_int *error)
{
    CL_CHECK(clRetainProgram(p->program));
    return built(p, p->program, draw_options(p).text, error);
}

/* Of two that are compiled apart, with a header that is one more program. */
static cl_program linked(struct player *p, cl_int *error)
{
    const struct options o = draw_options(p);
    const char *const name = "mixed.h";
    const cl_program header = of_text(p, "int mixed(int x, int turns);\n");
    const cl_program part[2] = {of_text(p, p->source), of_text(p, MIXED)};
    char with[sizeof o.text + 16];
    cl_program whole = NULL;

    snprintf(with, sizeof with, "%s -DAPART", o.text);
    *error =
        clCompileProgram(part[0], 1, &p->app->device, with, 1, &header, (const char **)&name, NULL, NULL);
    if (!*error)
        *error = clCompileProgram(part[1], 1, &p->app->device, o.text, 0, NULL, NULL, NULL, NULL);
    if (!*error)
        whole = clLinkProgram(p->app->context, 1, &p->app->device, NULL, 2, part, NULL, NULL, error);
    CL_CHECK(clReleaseProgram(header));
    CL_CHECK(clReleaseProgram(part[0]));
    CL_CHECK(clReleaseProgram(part[1]));
    return *error ? NULL : whole;
}

/* Of the binary of the old one. */
static cl_program from_binary(struct player *p, cl_int *error)
{
    size_t size = 0;
    unsigned char *binary;
    cl_program made;
    cl_int status = CL_SUCCESS;

    CL_CHECK(clGetProgramInfo(p->program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    binary = app_alloc(size + 1);
    CL_CHECK(clGetProgramInfo(p->program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    made = clCreateProgramWithBinary(p->app->context, 1, &p->app->device, &size,
                                     (const unsigned char **)&binary, &status, error);
    free(binary);
    return *error ? NULL : built(p, made, NULL, error);
}

/* Kernels of the old one are gone by then; if there is no new one, it stays. */
void new_program(struct player *p)
{
    static const struct {
        const char *name;
        cl_program (*make)(struct player *, cl_int *);
        bool from_source;
    } ways[] = {{"from source", from_source, true},
                {"built again", again, true},
                {"linked", linked, false},
                {"from binary", from_binary, false}};
    const unsigned way = p->from_source ? upto(p, 4) : 0;
    cl_program made;
    cl_int error;

    settle(p); /* launches may hold kernels */
    drop_kernels(p);
    made = ways[way].make(p, &error);
    say(p, "new program %s: %d", ways[way].name, error);
    if (made) {
        CL_CHECK(clReleaseProgram(p->program));
        p->program = made;
        p->from_source = ways[way].from_source;
    }
    make_kernels(p);
}
