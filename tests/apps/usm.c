/* usm - unified shared memory (cl_intel_unified_shared_memory): pointers at any place of allocations that
 * come and go, and pointers inside of what kernels get.  Every kernel may follow pointers, as SYCL's runtime
 * says of all of its own.
 *
 * `map` and `every` get allocations of the device, made anew for every launch; `halves` two places in one;
 * `slide` two that overlap; `shared` one that the host uses, too; `follow` and `peek` find their data through
 * a pointer in memory.
 *
 * >>> map: allowed
 * >>> every: allowed
 * >>> halves: allowed
 * >>> slide: refused aliased-arguments|scattered-writes|written-by-others
 * >>> shared: refused svm-argument
 * >>> follow: refused unknown-pointer
 * >>> peek: refused scattered-writes
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200
#include "common.h"

static const char *source = "struct list { __global int *data; int factor; };\n"
                            "__kernel void map(__global const int *in, __global int *out, int factor)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * factor;\n"
                            "}\n"
                            "__kernel void every(__global const int *in, __global int *out, int stride)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i * stride];\n"
                            "}\n"
                            "__kernel void halves(__global const int *in, __global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] + 3;\n"
                            "}\n"
                            "__kernel void slide(__global const int *in, __global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i];\n"
                            "}\n"
                            "__kernel void shared(__global const int *in, __global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] - 1;\n"
                            "}\n"
                            "__kernel void follow(__global struct list *l)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    l->data[i] = l->data[i] * l->factor + 1;\n"
                            "}\n"
                            "__kernel void peek(__global struct list *l, __global int *out)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = l->data[i];\n"
                            "}\n";

struct list {
    cl_int *data;
    cl_int factor;
};

/* ---- the extension ---------------------------------------------------------------------------------- */

#define DEVICE_MEM_CAPABILITIES 0x4191 /* cl_ext.h has them from 2020 on */
#define INDIRECT_HOST           0x4200
#define INDIRECT_DEVICE         0x4201
#define INDIRECT_SHARED         0x4202

typedef void *CL_API_CALL alloc_function(cl_context, cl_device_id, const cl_ulong *, size_t, cl_uint,
                                         cl_int *);
static alloc_function *alloc_device, *alloc_shared;
static cl_int(CL_API_CALL *free_now)(cl_context, void *);
static cl_int(CL_API_CALL *free_waiting)(cl_context, void *);
static cl_int(CL_API_CALL *set_pointer)(cl_kernel, cl_uint, const void *);
static cl_int(CL_API_CALL *copy)(cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint,
                                 const cl_event *, cl_event *);
static cl_int(CL_API_CALL *fill)(cl_command_queue, void *, const void *, size_t, size_t, cl_uint,
                                 const cl_event *, cl_event *);

static bool have_extension(const struct app *app)
{
    const struct {
        const char *name;
        void *at;
    } functions[] = {{"clDeviceMemAllocINTEL", &alloc_device},
                     {"clSharedMemAllocINTEL", &alloc_shared},
                     {"clMemFreeINTEL", &free_now},
                     {"clMemBlockingFreeINTEL", &free_waiting},
                     {"clEnqueueMemcpyINTEL", &copy},
                     {"clEnqueueMemFillINTEL", &fill},
                     {"clSetKernelArgMemPointerINTEL", &set_pointer}};
    cl_ulong capabilities = 0;

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        *(void **)functions[i].at =
            clGetExtensionFunctionAddressForPlatform(app->platform, functions[i].name);
    return alloc_device && alloc_shared && free_now && free_waiting && set_pointer && copy && fill &&
           clGetDeviceInfo(app->device, DEVICE_MEM_CAPABILITIES, sizeof capabilities, &capabilities, NULL) ==
               CL_SUCCESS &&
           capabilities;
}

static void *allocate(const struct app *app, alloc_function *f, size_t bytes)
{
    cl_int error;
    void *memory = f(app->context, app->device, NULL, bytes, 0, &error);

    CL_CHECK(error);
    return memory;
}

/* n ints of the device: from, from + 1, ... */
static cl_int *counted(const struct app *app, size_t n, cl_int from)
{
    cl_int *host = app_alloc(n * sizeof *host), *memory = allocate(app, alloc_device, n * sizeof *host);

    for (size_t i = 0; i < n; i++)
        host[i] = from + (cl_int)i;
    CL_CHECK(copy(app->queue, CL_TRUE, memory, host, n * sizeof *host, 0, NULL, NULL));
    free(host);
    return memory;
}

static cl_kernel kernel(cl_program program, const char *name)
{
    const cl_kernel_exec_info all[] = {INDIRECT_HOST, INDIRECT_DEVICE, INDIRECT_SHARED};
    const cl_bool yes = CL_TRUE;
    cl_kernel k = app_kernel(program, name);

    for (unsigned i = 0; i < 3; i++)
        CL_CHECK(clSetKernelExecInfo(k, all[i], sizeof yes, &yes));
    return k;
}

static void launch(struct app *app, cl_kernel k, size_t n)
{
    const size_t local[3] = {16, 1, 1};

    CL_CHECK(clEnqueueNDRangeKernel(app->queue, k, 1, NULL, &n, app_local(app, local), 0, NULL, NULL));
}

static void expect(struct app *app, const char *what, const cl_int *memory, size_t n, cl_int first,
                   cl_int step)
{
    cl_int *host = app_alloc(n * sizeof *host);

    CL_CHECK(copy(app->queue, CL_TRUE, host, memory, n * sizeof *host, 0, NULL, NULL));
    for (size_t i = 0; i < n; i++)
        app_expect_int(app, i, host[i], first + step * (cl_int)i);
    app_checksum(app, what, host, n * sizeof *host);
    free(host);
}

/* ---- kernels ---------------------------------------------------------------------------------------- */

/* Memory is made for every launch, and its addresses are used again and again. */
static void come_and_go(struct app *app, cl_kernel k, cl_int factor, size_t span)
{
    for (unsigned round = 0; round < app->launches; round++) {
        cl_int *in = counted(app, app->n * span, (cl_int)round), *out = counted(app, app->n, 0);

        CL_CHECK(set_pointer(k, 0, in));
        CL_CHECK(set_pointer(k, 1, out));
        CL_CHECK(clSetKernelArg(k, 2, sizeof factor, &factor));
        launch(app, k, app->n);
        if (round + 1 == app->launches)
            expect(app, span > 1 ? "every" : "map", out, app->n,
                   span > 1 ? (cl_int)round : factor * (cl_int)round, factor);
        CL_CHECK(free_waiting(app->context, in));
        CL_CHECK(free_now(app->context, out));
    }
}

/* From the first half of an allocation into the second, and back. */
static void halves(struct app *app, cl_kernel k)
{
    const size_t n = app->n / 2;
    cl_int *both = counted(app, app->n, 0);

    for (unsigned round = 0; round < app->launches; round++) {
        CL_CHECK(set_pointer(k, 0, round % 2 ? both + n : both));
        CL_CHECK(set_pointer(k, 1, round % 2 ? both : both + n));
        launch(app, k, n);
    }
    CL_CHECK(clFinish(app->queue));
    const cl_int last = 3 * (cl_int)app->launches;
    expect(app, "halves", app->launches % 2 ? both + n : both, n, last, 1);
    CL_CHECK(free_now(app->context, both));
}

/* What overlaps is the same everywhere, so that the order does not show. */
static void slide(struct app *app, cl_kernel k)
{
    const cl_int seven = 7;
    cl_int *memory = allocate(app, alloc_device, 2 * app->n * sizeof *memory);

    CL_CHECK(fill(app->queue, memory, &seven, sizeof seven, 2 * app->n * sizeof *memory, 0, NULL, NULL));
    for (unsigned round = 0; round < app->launches; round++) {
        CL_CHECK(set_pointer(k, 0, memory + 9));
        CL_CHECK(set_pointer(k, 1, memory + round % 9));
        launch(app, k, app->n);
    }
    CL_CHECK(clFinish(app->queue));
    expect(app, "slide", memory, app->n, 7, 0);
    CL_CHECK(free_waiting(app->context, memory));
}

static void shared(struct app *app, cl_kernel k)
{
    const size_t bytes = app->n * sizeof(cl_int);
    cl_int *in = allocate(app, alloc_shared, bytes), *out = allocate(app, alloc_shared, bytes);

    CL_CHECK(set_pointer(k, 0, in));
    CL_CHECK(set_pointer(k, 1, out));
    for (unsigned round = 0; round < app->launches; round++) {
        for (size_t i = 0; i < app->n; i++)
            in[i] = (cl_int)(i + round);
        launch(app, k, app->n);
        CL_CHECK(clFinish(app->queue));
        for (size_t i = 0; i < app->n; i++)
            app_expect_int(app, i, out[i], (cl_int)(i + round) - 1);
    }
    CL_CHECK(free_now(app->context, in));
    CL_CHECK(free_now(app->context, out));
}

static void follow(struct app *app, cl_kernel follower, cl_kernel peeks)
{
    cl_int *data = counted(app, app->n, 0), *out = counted(app, app->n, 0);
    const struct list l = {data, 1};
    struct list *there = allocate(app, alloc_device, sizeof *there);

    CL_CHECK(copy(app->queue, CL_TRUE, there, &l, sizeof l, 0, NULL, NULL));
    CL_CHECK(set_pointer(follower, 0, there));
    CL_CHECK(set_pointer(peeks, 0, there));
    CL_CHECK(set_pointer(peeks, 1, out));
    for (unsigned round = 0; round < app->launches; round++) {
        launch(app, follower, app->n);
        launch(app, peeks, app->n);
    }
    CL_CHECK(clFinish(app->queue));
    expect(app, "peek", out, app->n, (cl_int)app->launches, 1);
    CL_CHECK(free_now(app->context, data));
    CL_CHECK(free_now(app->context, out));
    CL_CHECK(free_now(app->context, there));
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"map", "every", "halves", "slide", "shared", "follow", "peek"};
    struct app app;
    cl_kernel k[7];

    app_begin(&app, "usm", argc, argv, (struct app_defaults){1 << 16, 60, 1024, 9});
    if (!have_extension(&app))
        return 77;
    cl_program program = app_build(&app, source, NULL);
    for (unsigned i = 0; i < 7; i++)
        k[i] = kernel(program, names[i]);
    come_and_go(&app, k[0], 5, 1);
    come_and_go(&app, k[1], 3, 3);
    halves(&app, k[2]);
    slide(&app, k[3]);
    shared(&app, k[4]);
    follow(&app, k[5], k[6]);
    for (unsigned i = 0; i < 7; i++)
        CL_CHECK(clReleaseKernel(k[i]));
    CL_CHECK(clReleaseProgram(program));
    return app_end(&app);
}
