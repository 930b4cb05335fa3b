/* device.c - buffers, kernels, launches and their times. */
#include "device.h"

#include <string.h>

#define SWEEP_MAX    512 /* sizes of a sweep */
#define SWEEP_ROUNDS 32
#define GIVE_UP      3.0 /* a size that was twice this many times slower than the best is not launched again */

struct kernel {
    const char *name;
    cl_kernel handle;
    struct app_times times;
    double first_ms;
    unsigned dim;
    size_t local[3]; /* of its last launch; local[0] == 0: NULL */
};

struct device_run {
    struct app *app;
    const struct bench *bench;
    cl_program program;
    cl_mem buffer[BENCH_BUFFERS];
    struct kernel kernel[BENCH_STEPS]; /* one per name */
    unsigned nkernel;
};

static char *read_file(const char *file)
{
    const char *directory = getenv("BENCH_KERNELS");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory ? directory : BENCH_KERNEL_DIR, file);
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(1);
    }
    size_t room = 1 << 16;
    char *text = app_alloc(room);
    text[fread(text, 1, room - 1, f)] = 0;
    fclose(f);
    return text;
}

static struct kernel *find_kernel(struct device_run *r, const char *name)
{
    for (unsigned i = 0; i < r->nkernel; i++)
        if (!strcmp(r->kernel[i].name, name))
            return &r->kernel[i];
    return NULL;
}

struct device_run *device_open(struct app *app, const struct bench *b, const char *file)
{
    struct device_run *r = app_alloc(sizeof *r);
    char *source = read_file(file);
    r->app = app;
    r->bench = b;
    r->program = app_build(app, source, NULL);
    free(source);
    for (unsigned i = 0; i < b->nbuffer; i++)
        r->buffer[i] = app_buffer(app, bench_bytes(&b->buffer[i]), b->buffer[i].data);
    for (unsigned i = 0; i < b->nstep; i++)
        if (!find_kernel(r, b->step[i].kernel))
            r->kernel[r->nkernel++] = (struct kernel){.name = b->step[i].kernel,
                                                      .handle = app_kernel(r->program, b->step[i].kernel)};
    return r;
}

void device_close(struct device_run *r)
{
    for (unsigned i = 0; i < r->nkernel; i++)
        CL_CHECK(clReleaseKernel(r->kernel[i].handle));
    for (unsigned i = 0; i < r->bench->nbuffer; i++)
        CL_CHECK(clReleaseMemObject(r->buffer[i]));
    CL_CHECK(clReleaseProgram(r->program));
    free(r);
}

static void set_args(struct device_run *r, const struct bench_step *s, cl_kernel kernel, int repetition)
{
    for (unsigned i = 0; i < bench_nargs(s); i++) {
        const struct bench_arg *a = &s->arg[i];
        cl_int value = bench_value(a, repetition);
        if (a->kind == BENCH_BUFFER)
            CL_CHECK(clSetKernelArg(kernel, i, sizeof(cl_mem), &r->buffer[a->value]));
        else if (a->kind == BENCH_REAL)
            CL_CHECK(clSetKernelArg(kernel, i, sizeof(cl_float), &a->real));
        else
            CL_CHECK(clSetKernelArg(kernel, i, sizeof value, &value));
    }
}

/* ---- local sizes ----------------------------------------------------------------------------------- */

/* Parse "64x4" or "null" up to `end`; local[0] = 0 is NULL. */
static void parse_size(const char *text, size_t local[3])
{
    unsigned long n[3] = {1, 1, 1};
    memset(local, 0, 3 * sizeof *local);
    if (!strncmp(text, "null", 4))
        return;
    if (sscanf(text, "%lux%lux%lu", &n[0], &n[1], &n[2]) < 1 || !n[0] || !n[1] || !n[2]) {
        fprintf(stderr, "bench: not a local size: %s\n", text);
        exit(2);
    }
    for (unsigned d = 0; d < 3; d++)
        local[d] = n[d];
}

static void listed_size(const struct bench_step *s, const char *list, size_t local[3])
{
    if (!strchr(list, '=')) {
        parse_size(list, local);
        return;
    }
    size_t length = strlen(s->kernel);
    memcpy(local, s->own, 3 * sizeof *local);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (!strncmp(at, s->kernel, length) && at[length] == '=')
            parse_size(at + length + 1, local);
}

typedef cl_int CL_API_CALL suggest_fn(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                      size_t *);

static void suggested_size(struct device_run *r, const struct bench_step *s, cl_kernel kernel,
                           size_t local[3])
{
    union {
        void *object;
        suggest_fn *function;
    } suggest = {
        clGetExtensionFunctionAddressForPlatform(r->app->platform, "clGetKernelSuggestedLocalWorkSizeKHR")};
    local[0] = local[1] = local[2] = 1;
    if (!suggest.object ||
        suggest.function(r->app->queue, kernel, s->dim, NULL, s->global, local) != CL_SUCCESS) {
        fprintf(stderr, "bench: the driver suggests no local size\n");
        exit(77);
    }
}

static void choose_size(struct device_run *r, const struct bench_step *s, cl_kernel kernel,
                        const struct local_choice *choice, size_t local[3])
{
    memset(local, 0, 3 * sizeof *local);
    if (choice->rule == LOCAL_OWN)
        memcpy(local, s->own, 3 * sizeof *local);
    else if (choice->rule == LOCAL_POOR)
        bench_poor_size(s, local);
    else if (choice->rule == LOCAL_SUGGESTED)
        suggested_size(r, s, kernel, local);
    else if (choice->rule == LOCAL_LIST)
        listed_size(s, choice->list, local);
}

/* ---- launches -------------------------------------------------------------------------------------- */

/* Launch, wait, and return the milliseconds; `status` gets what the enqueue returned. */
static double launch(struct device_run *r, const struct bench_step *s, cl_kernel kernel,
                     const size_t local[3], cl_int *status)
{
    double begin = app_now_ms();
    *status = clEnqueueNDRangeKernel(r->app->queue, kernel, s->dim, NULL, s->global, local[0] ? local : NULL,
                                     0, NULL, NULL);
    CL_CHECK(clFinish(r->app->queue));
    return app_now_ms() - begin;
}

void device_repeat(struct device_run *r, const struct local_choice *choice, unsigned repeat, FILE *trace)
{
    size_t local[BENCH_STEPS][3];
    for (unsigned i = 0; i < r->bench->nstep; i++) {
        const struct bench_step *s = &r->bench->step[i];
        struct kernel *k = find_kernel(r, s->kernel);
        choose_size(r, s, k->handle, choice, local[i]);
        memcpy(k->local, local[i], sizeof k->local);
        k->dim = s->dim;
    }
    for (unsigned n = 0; n < repeat; n++) {
        for (unsigned i = 0; i < r->bench->nstep; i++) {
            const struct bench_step *s = &r->bench->step[i];
            struct kernel *k = find_kernel(r, s->kernel);
            cl_int status;
            set_args(r, s, k->handle, (int)n);
            double ms = launch(r, s, k->handle, local[i], &status);
            CL_CHECK(status);
            if (k->times.count == 0)
                k->first_ms = ms;
            app_times_add(&k->times, ms);
            if (trace)
                fprintf(trace, "%s %.3f %.4f\n", k->name, app_now_ms() - r->app->start_ms, ms);
        }
    }
    for (unsigned i = 0; i < r->nkernel; i++) {
        struct kernel *k = &r->kernel[i];
        app_times_print(r->app, &k->times, k->name, k->dim, k->local[0] ? k->local : NULL);
        fprintf(stderr, "first=%s first_ms=%.3f\n", k->name, k->first_ms);
    }
}

void *device_fetch(struct device_run *r, unsigned i)
{
    size_t bytes = bench_bytes(&r->bench->buffer[i]);
    void *data = app_alloc(bytes);
    app_read(r->app, r->buffer[i], bytes, data);
    return data;
}

void device_describe(struct app *app)
{
    char text[4][256] = {"", "", "", ""};
    size_t items = 0, extent[3] = {0};
    cl_uint units = 0;
    cl_device_type type = 0;
    bool suggests = clGetExtensionFunctionAddressForPlatform(app->platform,
                                                             "clGetKernelSuggestedLocalWorkSizeKHR") != NULL;
    CL_CHECK(clGetPlatformInfo(app->platform, CL_PLATFORM_VERSION, sizeof text[0], text[0], NULL));
    CL_CHECK(clGetDeviceInfo(app->device, CL_DEVICE_NAME, sizeof text[1], text[1], NULL));
    CL_CHECK(clGetDeviceInfo(app->device, CL_DEVICE_VENDOR, sizeof text[2], text[2], NULL));
    CL_CHECK(clGetDeviceInfo(app->device, CL_DRIVER_VERSION, sizeof text[3], text[3], NULL));
    CL_CHECK(clGetDeviceInfo(app->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CL_CHECK(clGetDeviceInfo(app->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL));
    CL_CHECK(clGetDeviceInfo(app->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof extent, extent, NULL));
    CL_CHECK(clGetDeviceInfo(app->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    printf("{\"platform\":\"%s\",\"name\":\"%s\",\"vendor\":\"%s\",\"driver\":\"%s\",\"max_items\":%zu,"
           "\"max_extent\":[%zu,%zu,%zu],\"units\":%u,\"gpu\":%s,\"suggests\":%s}\n",
           text[0], text[1], text[2], text[3], items, extent[0], extent[1], extent[2], units,
           type & CL_DEVICE_TYPE_GPU ? "true" : "false", suggests ? "true" : "false");
}

/* ---- sweeps ---------------------------------------------------------------------------------------- */

struct sweep_size {
    char name[64];
    size_t local[3];
    cl_int status;
    double first_ms, best;
    unsigned count;
    double ms[SWEEP_ROUNDS];
};

static unsigned parse_sizes(const char *text, struct sweep_size *size)
{
    unsigned n = 0;
    for (const char *at = text; at && n < SWEEP_MAX; at = strchr(at, ','), at = at ? at + 1 : NULL, n++) {
        size[n] = (struct sweep_size){0};
        snprintf(size[n].name, sizeof size[n].name, "%.*s", (int)strcspn(at, ","), at);
        parse_size(size[n].name, size[n].local);
    }
    return n;
}

static void print_size(const struct sweep_size *s)
{
    printf("{\"local\":\"%s\"", s->name);
    if (s->status != CL_SUCCESS)
        printf(",\"error\":%d", s->status);
    else
        printf(",\"first_ms\":%.4f", s->first_ms);
    printf(",\"ms\":[");
    for (unsigned i = 0; i < s->count; i++)
        printf("%s%.4f", i ? "," : "", s->ms[i]);
    printf("]}\n");
}

/* The same by the device's clock: an enqueue and its clFinish() take a GPU longer than many a kernel. */
static double launch_timed(cl_command_queue timed, const struct bench_step *s, cl_kernel kernel,
                           const size_t local[3], cl_int *status)
{
    cl_ulong begin = 0, end = 0;
    cl_event event;
    *status = clEnqueueNDRangeKernel(timed, kernel, s->dim, NULL, s->global, local[0] ? local : NULL, 0, NULL,
                                     &event);
    CL_CHECK(clFinish(timed));
    if (*status != CL_SUCCESS)
        return 0;
    CL_CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
    CL_CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    CL_CHECK(clReleaseEvent(event));
    return (double)(end - begin) / 1e6;
}

void device_sweep(struct device_run *r, const struct sweep_options *o)
{
    static struct sweep_size size[SWEEP_MAX];
    cl_command_queue timed;
    unsigned n = parse_sizes(o->sizes, size), rounds = o->rounds < SWEEP_ROUNDS ? o->rounds : SWEEP_ROUNDS,
             at = 0;
    double begin = app_now_ms(), best = 1e30;
    cl_int status;
    for (; at < r->bench->nstep && strcmp(r->bench->step[at].kernel, o->kernel); at++) {
        const struct bench_step *before = &r->bench->step[at]; /* so that the kernel finds what it reads */
        cl_kernel kernel = find_kernel(r, before->kernel)->handle;
        set_args(r, before, kernel, 0);
        launch(r, before, kernel, before->own, &status);
        CL_CHECK(status);
    }
    if (at == r->bench->nstep) {
        fprintf(stderr, "bench: no kernel %s\n", o->kernel);
        exit(2);
    }
    const struct bench_step *s = &r->bench->step[at];
    cl_kernel kernel = find_kernel(r, s->kernel)->handle;
    set_args(r, s, kernel, 0);
    timed = clCreateCommandQueue(r->app->context, r->app->device, CL_QUEUE_PROFILING_ENABLE, &status);
    CL_CHECK(status);
    unsigned compiled = 0;
    for (; compiled < n && (compiled == 0 || app_now_ms() - begin < o->budget_ms); compiled++)
        size[compiled].first_ms = launch(r, s, kernel, size[compiled].local, &size[compiled].status);
    for (unsigned round = 0; round < rounds && (round == 0 || app_now_ms() - begin < 2 * o->budget_ms);
         round++) {
        for (unsigned i = 0; i < compiled; i++) {
            struct sweep_size *z = &size[i];
            if (z->status != CL_SUCCESS || (z->count > 1 && z->best > GIVE_UP * best))
                continue;
            double ms = launch_timed(timed, s, kernel, z->local, &z->status);
            z->best = z->count && z->best < ms ? z->best : ms;
            z->ms[z->count++] = ms;
            best = ms < best ? ms : best;
        }
    }
    CL_CHECK(clReleaseCommandQueue(timed));
    for (unsigned i = 0; i < compiled; i++)
        print_size(&size[i]);
}
