/* sizes SOURCE OPTIONS MATCH LOCAL... - does the local size show in what kernels compute?
 *
 * Launches every kernel of SOURCE whose name the regular expression MATCH is found in, over 5440 work-items
 * with each of the local sizes (8, 17x3, ...), and compares the bits of what each leaves in memory with what
 * the first one leaves; a size behind a slash (/16) begins a list of its own.  A size that does not divide
 * the range is launched in parts, as clsizer does: a main part and tails, which have another size and an
 * offset.
 *
 * Every kernel has the arguments (x, y, z, out): three buffers of input and one of ITEM_WORDS per work-item,
 * which is filled with one pattern before each launch.  The first letter of a kernel's name says what the
 * inputs are: f: float, d: double, i: integers, h: half; each with the values that are special to it.  m:
 * like f, with two images of 64 x 64 behind `out`, of four floats and of four normalized bytes.
 *
 * One with a fifth argument, `int n`, is to do the work of n work-items with GRID of them, in one dimension:
 * sizes with another one or that do not divide GRID are left out.  It is tried with several n, between them
 * few and many rounds.
 *
 * stdout: a line per kernel, "same NAME", "unsteady NAME" if something differs, but a list's first size alone
 * does not leave the same each time either, or "differs NAME", each of the latter followed by lines "  at
 * LOCAL words=N apart from NaNs=N" and up to four of "    item=I word=W HEX HEX". With one LOCAL: the kernels
 * are launched with it LAUNCHES times, and nothing is compared.  Exit status: 0, 1 on errors, 2 on bad usage,
 * 77 without a device.
 */
#include <math.h>
#include <regex.h>
#include <string.h>

#include "../apps/common.h"

#define ITEMS      5440 /* 2^6 * 5 * 17 */
#define WIDE       85   /* of the range that two dimensions have, where the size is no multiple of 16 */
#define WIDE_16    320  /* ... and where it is */
#define ITEM_WORDS 256
#define IN_BYTES   ((size_t)ITEMS * 16 * sizeof(double))
#define OUT_WORDS  ((size_t)ITEMS * ITEM_WORDS)
#define SIDE       64
#define GRID       1088 /* 2^6 * 17 */
#define LAUNCHES   12
#define SHOWN      4
#define REPEATS    2

static const uint32_t special_floats[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000,
    0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, /* 0 1 inf */
    0x7f812345, 0x00000001, 0x80000001, 0x007fffff,
    0x00800000, 0x80800001, 0x7f7fffff, 0xff7fffff, /* nan tiny */
    0x3f000000, 0x3effffff, 0x40200000, 0xbfc00000,
    0x437f8000, 0x43800000, 0x43965999, 0xc3005000, /* 255.5 300 */
    0x477fff80, 0x47800000, 0x4b000001, 0x4b800001,
    0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, /* 2^31 */
    0x4f7fffff, 0x4f800000, 0x4f9502f9, 0xcf9502f9,
    0x5f000000, 0xdf000000, 0x5f800000, 0x60ad78ec, /* 5e9 2^63 */
    0x3fc90fdb, 0x40490fdb, 0x47c35000, 0x42b17218,
    0xc2cff1b5, 0x42fe0000, 0x3f7fffff, 0x3f800001, /* pi exp */
};

static const uint64_t special_doubles[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
    0xfff0000000000000, 0x7ff8000000000000, 0xfff8000012345678, 0x7ff0000012345678, 0x0000000000000001,
    0x800fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x3fe0000000000000,
    0x4004000000000000, 0x406ff00000000000, 0x4072cb3333333333, 0xc060080000000000, 0x40efffe000000000,
    0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41f0000000000000,
    0x41f2a05f20000000, 0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x4415af1d78b58c40,
    0x3690000000000000, 0x380fffffe0000000, 0x47efffffe0000000, 0x47f0000000000000, 0x3ff921fb54442d18,
    0x4340000000000001, 0x4086232bdd7abcd2, 0x3ff0000010000000, 0x3ff0000030000000, 0x400921fb54442d18,
};

static const uint16_t special_halves[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00,
                                          0x7e00, 0xfe12, 0x7c01, 0x0001, 0x03ff, 0x8400,
                                          0x7bff, 0xfbff, 0x3800, 0x5bf8, 0x5c00, 0xd808};

static const uint32_t special_integers[] = {
    0,          1,      2,      3,          31,         32,         33,         63,         64,
    255,        256,    65535,  65536,      0x7fffffff, 0x80000000, ~0u,        ~1u,        0xffffff80,
    0x00ff00ff, 0x7fff, 0x8000, 0xffff8000, 46341u,     65521u,     0x01000001, 0x7f7f7f7f, 0x80808080};

#define ANY_OF(table, r) ((table)[(r) % (sizeof(table) / sizeof *(table))])

struct local {
    const char *name;
    bool first; /* of a list */
    size_t size[2];
};

struct test {
    struct app app;
    cl_program program;
    cl_mem image[2];
    char kind; /* of `in` */
    cl_mem in[2][3], out;
    uint32_t *pattern, *want, *got, *again; /* OUT_WORDS each */
    cl_int n;                               /* the fifth argument, 0: there is none */
    regex_t match;
    unsigned nlocal;
    struct local *local;
};

static float moderate(uint32_t *state)
{
    const float unit = (float)app_random(state) / (1 << 24);

    return (unit * 2 - 1) * ldexpf(1.0f, (int)(app_random(state) % 24) - 8);
}

/* One value in three is special, one in eight has any bits at all; but not if floating-point numbers are to
 * be `finite`, so that sums do not end in NaN, which hides how they are rounded. */
static void fill(unsigned char *to, char kind, bool finite, uint32_t seed)
{
    uint32_t state = seed;
    const size_t each = kind == 'd' ? 8 : kind == 'h' ? 2 : 4;

    for (size_t i = 0; i < IN_BYTES / each; i++, to += each) {
        const uint32_t r = app_random(&state), at = app_random(&state), pick = finite ? 23 : r % 24;
        const uint64_t bits = (uint64_t)app_random(&state) << 40 ^ (uint64_t)app_random(&state) << 20 ^ at;
        const float f = moderate(&state);
        const double d = f * (1 + (double)bits * 0x1p-80);
        const uint64_t any_double = pick < 8 ? ANY_OF(special_doubles, at) : bits;
        const uint32_t any_float = pick < 8 ? ANY_OF(special_floats, at) : (uint32_t)(bits >> 16);
        const uint16_t half = pick < 8 ? ANY_OF(special_halves, at) : (uint16_t)bits;
        const uint32_t integer = pick < 8    ? ANY_OF(special_integers, at)
                                 : pick < 16 ? (uint32_t)(bits >> 16)
                                             : at % 1000;
        if (kind == 'd')
            memcpy(to, pick < 11 ? (const void *)&any_double : &d, each);
        else if (kind == 'h')
            memcpy(to, &half, each);
        else if (kind == 'i')
            memcpy(to, &integer, each);
        else
            memcpy(to, pick < 11 ? (const void *)&any_float : &f, each);
    }
}

static void release_inputs(struct test *t)
{
    for (unsigned i = 0; t->kind && i < 6; i++)
        CL_CHECK(clReleaseMemObject(t->in[i / 3][i % 3]));
}

/* The inputs of kernels of this kind: those of the last kernel, if it was of the same. */
static void make_inputs(struct test *t, char kind)
{
    if (kind == t->kind)
        return;
    unsigned char *bytes = app_alloc(IN_BYTES);
    release_inputs(t);
    for (unsigned i = 0; i < 6; i++) {
        fill(bytes, kind, i / 3, 1000 + i % 3);
        t->in[i / 3][i % 3] = app_buffer(&t->app, IN_BYTES, bytes);
    }
    t->kind = kind;
    free(bytes);
}

static cl_mem make_image(struct test *t, cl_channel_type type)
{
    const cl_image_format format = {CL_RGBA, type};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    float *data = app_random_floats((size_t)SIDE * SIDE * 4, 77);
    cl_int error;

    cl_mem m =
        clCreateImage(t->app.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, data, &error);
    CL_CHECK(error);
    free(data);
    return m;
}

/* ---- launches -------------------------------------------------------------------------------------- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void launch(struct test *t, cl_kernel k, const struct local *l)
{
    const size_t grid = GRID;

    if (t->n) {
        CL_CHECK(clEnqueueNDRangeKernel(t->app.queue, k, 1, NULL, &grid, l->size, 0, NULL, NULL));
        CL_CHECK(clFinish(t->app.queue));
        return;
    }
    const bool flat = l->size[1] == 1;
    const size_t wide = l->size[0] % 16 ? WIDE : WIDE_16;
    const size_t range[2] = {flat ? ITEMS : wide, flat ? 1 : ITEMS / wide};
    size_t at[2], part[2], local[2];

    for (at[1] = 0; at[1] < range[1]; at[1] += part[1]) {
        part[1] =
            range[1] - at[1] < l->size[1] ? range[1] - at[1] : (range[1] - at[1]) / l->size[1] * l->size[1];
        for (at[0] = 0; at[0] < range[0]; at[0] += part[0]) {
            part[0] = range[0] - at[0] < l->size[0] ? range[0] - at[0]
                                                    : (range[0] - at[0]) / l->size[0] * l->size[0];
            for (unsigned d = 0; d < 2; d++)
                local[d] = least(l->size[d], part[d]);
            CL_CHECK(clEnqueueNDRangeKernel(t->app.queue, k, flat ? 1 : 2, at[0] || at[1] ? at : NULL, part,
                                            local, 0, NULL, NULL));
        }
    }
    CL_CHECK(clFinish(t->app.queue));
}

static void run(struct test *t, cl_kernel k, const struct local *l, uint32_t *result)
{
    CL_CHECK(
        clEnqueueWriteBuffer(t->app.queue, t->out, CL_TRUE, 0, OUT_WORDS * 4, t->pattern, 0, NULL, NULL));
    launch(t, k, l);
    app_read(&t->app, t->out, OUT_WORDS * 4, result);
}

static bool is_wanted(const struct test *t, const uint32_t *result)
{
    return memcmp(t->want, result, OUT_WORDS * 4) == 0;
}

/* Does the size that left what is wanted leave it again?  What the language leaves open may vary so. */
static bool is_steady(struct test *t, cl_kernel k, const struct local *l)
{
    bool steady = true;

    for (unsigned i = 0; i < REPEATS && steady; i++) {
        run(t, k, l, t->again);
        steady = is_wanted(t, t->again);
    }
    return steady;
}

/* ---- comparison ------------------------------------------------------------------------------------ */

static bool is_nan(uint32_t word)
{
    return (word & 0x7fffffff) > 0x7f800000;
}

/* The word as it stands, or with its neighbour, may be a NaN in both. */
static bool both_nan(const struct test *t, size_t i)
{
    const size_t pair = i & ~(size_t)1;
    double want, got;

    memcpy(&want, t->want + pair, sizeof want);
    memcpy(&got, t->got + pair, sizeof got);
    return (is_nan(t->want[i]) && is_nan(t->got[i])) || (isnan(want) && isnan(got));
}

/* Says what differs. */
static void compare(const struct test *t, const char *kernel, const struct local *l, bool first)
{
    size_t words = 0, numbers = 0, shown = 0;

    for (size_t i = 0; i < OUT_WORDS; i++) {
        words += t->want[i] != t->got[i];
        numbers += t->want[i] != t->got[i] && !both_nan(t, i);
    }
    if (first)
        printf("differs %s\n", kernel);
    printf("  at %s words=%zu apart from NaNs=%zu\n", l->name, words, numbers);
    for (size_t i = 0; i < OUT_WORDS && shown < SHOWN; i++) {
        if (t->want[i] == t->got[i] || (numbers && both_nan(t, i)))
            continue;
        printf("    item=%zu word=%zu %08x %08x\n", i / ITEM_WORDS, i % ITEM_WORDS, t->want[i], t->got[i]);
        shown++;
    }
}

enum verdict { SAME, UNSTEADY, DIFFERS };

/* Compare the sizes on one set of inputs, and tell what differs, or that the kernel is none to compare.
 * `so_far`: what was found with other inputs.  Returns what is found with all of them. */
static enum verdict try_inputs(struct test *t, cl_kernel k, const char *name, bool finite,
                               enum verdict so_far)
{
    const cl_mem arg[6] = {t->in[finite][0], t->in[finite][1], t->in[finite][2],
                           t->out,           t->image[0],      t->image[1]};
    const struct local *first = NULL;

    for (cl_uint i = 0; i < (name[0] == 'm' ? 6 : 4); i++)
        CL_CHECK(clSetKernelArg(k, i, sizeof arg[i], &arg[i]));
    if (t->n)
        CL_CHECK(clSetKernelArg(k, 4, sizeof t->n, &t->n));
    for (unsigned i = 0; t->nlocal == 1 && i < LAUNCHES; i++)
        launch(t, k, &t->local[0]);
    for (unsigned i = 0; t->nlocal > 1 && i < t->nlocal; i++) {
        const struct local *l = &t->local[i];
        if (t->n && (l->size[1] != 1 || GRID % l->size[0]))
            continue;
        first = l->first ? l : first;
        run(t, k, l, l->first ? t->want : t->got);
        if (l->first || is_wanted(t, t->got))
            continue;
        if (!is_steady(t, k, first)) {
            printf("unsteady %s\n", name);
            return UNSTEADY;
        }
        compare(t, name, l, so_far == SAME);
        so_far = DIFFERS;
    }
    return so_far;
}

static void try_kernel(struct test *t, cl_kernel k)
{
    static const cl_int grids[] = {ITEMS - 3, ITEMS - 3, GRID - 100};
    char name[128] = "";
    cl_uint args = 0;
    enum verdict found = SAME;

    CL_CHECK(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL));
    CL_CHECK(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    if (regexec(&t->match, name, 0, NULL, 0))
        return;
    make_inputs(t, name[0]);
    for (unsigned i = 0; found != UNSTEADY && i < (args == 5 ? 3 : strchr("fd", name[0]) ? 2 : 1); i++) {
        t->n = args == 5 ? grids[i] : 0;
        found = try_inputs(t, k, name, i > 0, found);
    }
    if (found == SAME)
        printf("same %s\n", name);
    fflush(stdout);
}

/* ---- main ------------------------------------------------------------------------------------------ */

static bool has_images(const struct test *t)
{
    cl_bool images = CL_FALSE;

    return clGetDeviceInfo(t->app.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL) ==
               CL_SUCCESS &&
           images;
}

static bool read_locals(struct test *t, char **words)
{
    for (unsigned i = 0; i < t->nlocal; i++) {
        struct local *l = &t->local[i];
        l->first = !i || words[i][0] == '/';
        l->name = words[i] + (words[i][0] == '/');
        l->size[1] = 1;
        if (sscanf(l->name, "%zux%zu", &l->size[0], &l->size[1]) < 1 || !l->size[0] || !l->size[1])
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct test t = {.app = {.name = "sizes"}, .nlocal = argc > 4 ? (unsigned)argc - 4 : 0};
    cl_uint n = 0;

    t.local = calloc(t.nlocal + 1, sizeof *t.local);
    if (argc < 5 || !t.local || !read_locals(&t, argv + 4) ||
        regcomp(&t.match, argv[3], REG_EXTENDED | REG_NOSUB))
        return 2;
    char *source = app_read_text(argv[1]);
    app_open(&t.app);
    t.program = app_build(&t.app, source, argv[2]);
    t.pattern = app_alloc(OUT_WORDS * 4);
    t.want = app_alloc(OUT_WORDS * 4);
    t.got = app_alloc(OUT_WORDS * 4);
    t.again = app_alloc(OUT_WORDS * 4);
    memset(t.pattern, 0x5b, OUT_WORDS * 4);
    t.out = app_buffer(&t.app, OUT_WORDS * 4, t.pattern);
    if (has_images(&t)) {
        t.image[0] = make_image(&t, CL_FLOAT);
        t.image[1] = make_image(&t, CL_UNORM_INT8);
    }
    CL_CHECK(clCreateKernelsInProgram(t.program, 0, NULL, &n));
    cl_kernel *kernel = app_alloc(n * sizeof *kernel);
    CL_CHECK(clCreateKernelsInProgram(t.program, n, kernel, NULL));
    for (cl_uint i = 0; i < n; i++) {
        try_kernel(&t, kernel[i]);
        CL_CHECK(clReleaseKernel(kernel[i]));
    }
    release_inputs(&t);
    CL_CHECK(clReleaseMemObject(t.out));
    for (unsigned i = 0; i < 2; i++)
        if (t.image[i])
            CL_CHECK(clReleaseMemObject(t.image[i]));
    CL_CHECK(clReleaseProgram(t.program));
    free(kernel);
    free(t.pattern);
    free(t.want);
    free(t.got);
    free(t.again);
    free(t.local);
    free(source);
    regfree(&t.match);
    CL_CHECK(clReleaseCommandQueue(t.app.queue));
    CL_CHECK(clReleaseContext(t.app.context));
    return 0;
}
