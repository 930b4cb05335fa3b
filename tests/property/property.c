/* property SEED CASES - random kernels on random ranges, each launched several times.
 *
 * A case is a kernel (element-wise, stencil, row-wise, in place, atomic; with and without a counter for each
 * work-item), a range of one to three dimensions with primes and offsets, a local size, a queue (in order or
 * out of order, profiling or not) and a habit of waiting.  All follow from the seed.  stdout has a line per
 * case: checksums of what was written, and whether every work-item ran exactly once per launch.  Any
 * difference between a bare run and one under clsizer is a mistake of clsizer's.
 *
 * Exit status: 0, 1 when a counter is wrong, 77 without a device. */
#include "../apps/common.h"
#include <string.h>

#define LAUNCHES 14
#define ROW      12
#define BINS     61

static const char *const forms[] = {
    "float s = in[i] * 3.0f + (float)(i % 7); for (int k = 0; k < n; k++) s = s * 0.5f + in[i]; out[i] = s;",
    ("float s = in[i] + in[i + 1] + in[i + pitch]; for (int k = 0; k < n; k++) s = s * 0.5f + in[i + k]; "
     "out[i] = s;"),
    "float s = 0; for (int k = 0; k < n; k++) s += in[i + k] * in[k]; out[i] = s;",
    "float s = out[i]; for (int k = 0; k < n; k++) s = s * 0.5f + in[i]; out[i] = s;",
    "atomic_add(&bins[(i * 7) % 61], 1 + (int)(in[i] * 4.0f)); out[i] = in[i] + n;",
};
#define FORMS (sizeof forms / sizeof *forms)

struct shape {
    cl_uint dim;
    size_t offset[3], global[3], local[3];
    bool null_local, zero;
    cl_int pitch, plane;
    size_t items; /* of the buffers */
};

/* Below n.  The sample programs' generator is too regular to make choices with: a counter, hashed
 * (MurmurHash3's finaliser). */
static uint32_t pick(uint32_t *seed, uint32_t n)
{
    uint32_t h = *seed += 0x9e3779b9u;

    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return (h ^ h >> 16) % n;
}

static size_t divisor(uint32_t *seed, size_t n, size_t limit)
{
    size_t d = 1 + pick(seed, (uint32_t)limit);

    while (n % d || d > limit)
        d--;
    return d;
}

/* A range of some hundred thousand work-items. */
static struct shape random_shape(uint32_t *seed)
{
    static const size_t extents[3][6] = {{262144, 200003, 131072, 196608, 250000, 173056},
                                         {512, 509, 384, 640, 601, 448},
                                         {64, 61, 48, 80, 53, 72}};
    struct shape s = {.dim = 1 + pick(seed, 3)};
    size_t room = 256, extent[3] = {1, 1, 1};

    s.zero = pick(seed, 2);
    s.null_local = pick(seed, 5) == 0;
    for (unsigned d = 0; d < 3; d++) {
        s.global[d] = d < s.dim ? extents[s.dim - 1][pick(seed, 6)] : 1;
        s.offset[d] = d < s.dim && !s.zero ? pick(seed, 40) : 0;
        s.local[d] = d < s.dim ? divisor(seed, s.global[d], room < 64 ? room : 64) : 1;
        room /= s.local[d];
        extent[d] = s.global[d] + s.offset[d];
    }
    s.pitch = (cl_int)extent[0];
    s.plane = (cl_int)(extent[0] * extent[1]);
    s.items = extent[0] * extent[1] * extent[2];
    return s;
}

static void source_of(char *text, size_t room, unsigned form, bool counted, cl_uint dim)
{
    snprintf(text, room,
             "__kernel void k(__global const float *in, __global float *out, __global int *bins, __global "
             "int *count,\n"
             "                int pitch, int plane, int n)\n"
             "{\n"
             "    int i = get_global_id(0)%s%s;\n"
             "    %s\n"
             "    %s\n"
             "}\n",
             dim > 1 ? " + get_global_id(1) * pitch" : "", dim > 2 ? " + get_global_id(2) * plane" : "",
             forms[form], counted ? "atomic_inc(&count[i]);" : "");
}

static void launch_all(cl_command_queue q, cl_kernel k, const struct shape *s, unsigned habit)
{
    cl_event last = NULL;

    for (unsigned i = 0; i < LAUNCHES; i++) {
        cl_event done = NULL;
        /* out-of-order queues: launches depend on each other */
        CL_CHECK(clEnqueueNDRangeKernel(q, k, s->dim, s->zero ? NULL : s->offset, s->global,
                                        s->null_local ? NULL : s->local, last ? 1 : 0, last ? &last : NULL,
                                        habit & 1 ? &done : NULL));
        if (last)
            CL_CHECK(clReleaseEvent(last));
        last = done;
        if (!(habit & 1) || habit & 2)
            CL_CHECK(clFinish(q));
    }
    CL_CHECK(clFinish(q));
    if (last)
        CL_CHECK(clReleaseEvent(last));
}

/* How many counters are wrong. */
static size_t miscounted(const cl_int *count, const struct shape *s)
{
    size_t wrong = 0;

    for (size_t i = 0; i < s->items; i++) {
        const size_t x = i % (size_t)s->pitch, y = i % (size_t)s->plane / (size_t)s->pitch,
                     z = i / (size_t)s->plane;
        const bool inside = x >= s->offset[0] && y >= s->offset[1] && z >= s->offset[2];
        wrong += count[i] != (inside ? LAUNCHES : 0);
    }
    return wrong;
}

static cl_command_queue make_queue(struct app *app, unsigned kind)
{
    cl_int error;
    cl_command_queue q = clCreateCommandQueue(app->context, app->device,
                                              (kind & 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
                                                  (kind & 2 ? CL_QUEUE_PROFILING_ENABLE : 0),
                                              &error);

    CL_CHECK(error);
    return q;
}

static void read_back(cl_command_queue q, cl_mem m, size_t bytes, void *to)
{
    CL_CHECK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

static void run_case(struct app *app, unsigned number, uint32_t *seed)
{
    const struct shape s = random_shape(seed);
    const unsigned form = pick(seed, FORMS), habit = pick(seed, 4), kind = pick(seed, 4);
    const bool counted = pick(seed, 3) == 0;
    const size_t floats = (s.items + (size_t)s.pitch + ROW + 1) * sizeof(float),
                 ints = s.items * sizeof(cl_int);
    const cl_int n = ROW;
    char source[2048];
    float *in = app_random_floats(floats / sizeof(float), *seed), *out = app_alloc(floats);
    cl_int *count = app_alloc(ints), bins[BINS] = {0};

    memset(count, 0, ints);
    source_of(source, sizeof source, form, counted, s.dim);
    cl_program program = app_build(app, source, NULL);
    cl_kernel kernel = app_kernel(program, "k");
    const cl_command_queue q = app->queue = make_queue(app, kind);
    cl_mem args[4] = {app_buffer(app, floats, in), app_buffer(app, floats, in),
                      app_buffer(app, sizeof bins, bins), app_buffer(app, ints, count)};
    for (cl_uint i = 0; i < 4; i++)
        CL_CHECK(clSetKernelArg(kernel, i, sizeof args[i], &args[i]));
    CL_CHECK(clSetKernelArg(kernel, 4, sizeof s.pitch, &s.pitch));
    CL_CHECK(clSetKernelArg(kernel, 5, sizeof s.plane, &s.plane));
    CL_CHECK(clSetKernelArg(kernel, 6, sizeof n, &n));
    launch_all(q, kernel, &s, habit);

    read_back(q, args[1], floats, out);
    read_back(q, args[2], sizeof bins, bins);
    read_back(q, args[3], ints, count);
    const size_t wrong = counted ? miscounted(count, &s) : 0;
    app->wrong += wrong != 0;
    printf("case %u form %u queue %u habit %u dim %u %zux%zux%zu out %016llx bins %016llx %s\n", number, form,
           kind, habit, s.dim, s.global[0], s.global[1], s.global[2],
           (unsigned long long)app_fnv1a(out, floats), (unsigned long long)app_fnv1a(bins, sizeof bins),
           !counted ? "uncounted"
           : wrong  ? "MISCOUNTED"
                    : "each once per launch");

    for (cl_uint i = 0; i < 4; i++)
        CL_CHECK(clReleaseMemObject(args[i]));
    CL_CHECK(clReleaseCommandQueue(q));
    app->queue = NULL;
    CL_CHECK(clReleaseKernel(kernel));
    CL_CHECK(clReleaseProgram(program));
    free(in);
    free(out);
    free(count);
}

int main(int argc, char **argv)
{
    struct app app = {.name = "property"};
    uint32_t seed = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
    const unsigned cases = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 10;

    seed = seed * 2654435761u + 12345;
    app_open(&app);
    CL_CHECK(clReleaseCommandQueue(app.queue)); /* each case has its own */
    app.queue = NULL;
    for (unsigned i = 0; i < cases; i++)
        run_case(&app, i, &seed);
    return app_end(&app);
}
