/* bench.c - runs one workload, an ordinary OpenCL program that knows nothing of clsizer.
 *
 *   bench --list                       names of all workloads
 *   bench --device                     what the device says of itself, as JSON
 *   bench NAME --describe              its kernels, sizes and arguments as JSON
 *   bench NAME --dump DIRECTORY        the buffers' initial contents, one file each: 0.raw, 1.raw, ...
 *   bench NAME [--local CHOICE] [-n SIZE] [-l REPETITIONS] [--small] [--check] [--trace FILE]
 *   bench NAME --sweep KERNEL --sizes 64x4,32x8,null [--rounds N] [--budget MS]
 *
 * CHOICE: own (default), poor, null, suggested (by the driver: exit status 77 where it does not), AxBxC, or
 * KERNEL=AxBxC,...  --check compares all results with the host's (slow: use it with --small).  stdout carries
 * a checksum of all buffers, stderr the times; exit status and lines are those of the sample programs
 * (apps/common.h). */
#include "device.h"

#include <string.h>

struct options {
    const struct workload *workload;
    size_t n;
    unsigned repeat;
    bool small, check, describe;
    const char *dump, *trace;
    struct local_choice local;
    struct sweep_options sweep;
};

static const struct workload *const suites[] = {rodinia, polybench, parboil, lift, tiled, variants, by_hand};
static const char *const suite_names[] = {"rodinia", "polybench", "parboil", "lift",
                                          "tiled",   "variants",  "by_hand"};
#define NSUITES (sizeof suites / sizeof suites[0])

static void usage(void)
{
    fprintf(
        stderr,
        "usage: bench --list | --device | NAME [--describe | --dump DIRECTORY | [--local CHOICE] [-n SIZE] "
        "[-l REPETITIONS] [--small] [--check] [--trace FILE] | --sweep KERNEL --sizes SIZE,... [--rounds N] "
        "[--budget MS]]\n");
    exit(2);
}

static void list(void)
{
    for (size_t i = 0; i < NSUITES && suites[i] != variants; i++)
        for (const struct workload *w = suites[i]; w->name; w++)
            printf("%s\n", w->name);
}

static const struct workload *find(const char *name, const char **suite)
{
    for (size_t i = 0; i < NSUITES; i++) {
        for (const struct workload *w = suites[i]; w->name; w++) {
            *suite = suite_names[i];
            if (!strcmp(w->name, name))
                return w;
        }
    }
    fprintf(stderr, "bench: no workload %s\n", name);
    exit(2);
}

static struct local_choice parse_choice(const char *text)
{
    static const char *const names[] = {"own", "poor", "null", "suggested"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(text, names[i]))
            return (struct local_choice){(enum local_rule)i, NULL};
    return (struct local_choice){LOCAL_LIST, text};
}

static unsigned long parse_number(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (!value || *end)
        usage();
    return value;
}

static struct options parse(int argc, char **argv)
{
    struct options o = {.sweep = {.rounds = 3, .budget_ms = 1e9}};
    for (int i = 2; i < argc; i++) {
        const char *option = argv[i];
        if (!strcmp(option, "--small"))
            o.small = true;
        else if (!strcmp(option, "--check"))
            o.check = true;
        else if (!strcmp(option, "--describe"))
            o.describe = true;
        else if (i + 1 == argc)
            usage();
        else if (!strcmp(option, "--dump"))
            o.dump = argv[++i];
        else if (!strcmp(option, "--trace"))
            o.trace = argv[++i];
        else if (!strcmp(option, "--local"))
            o.local = parse_choice(argv[++i]);
        else if (!strcmp(option, "-n"))
            o.n = parse_number(argv[++i]);
        else if (!strcmp(option, "-l"))
            o.repeat = (unsigned)parse_number(argv[++i]);
        else if (!strcmp(option, "--sweep"))
            o.sweep.kernel = argv[++i];
        else if (!strcmp(option, "--sizes"))
            o.sweep.sizes = argv[++i];
        else if (!strcmp(option, "--rounds"))
            o.sweep.rounds = (unsigned)parse_number(argv[++i]);
        else if (!strcmp(option, "--budget"))
            o.sweep.budget_ms = (double)parse_number(argv[++i]);
        else
            usage();
    }
    if (!o.sweep.kernel != !o.sweep.sizes)
        usage();
    return o;
}

/* ---- --describe and --dump ------------------------------------------------------------------------- */

static void print_sizes(const char *what, const size_t *size, unsigned dim)
{
    printf("\"%s\":[", what);
    for (unsigned d = 0; size[0] && d < dim; d++)
        printf("%s%zu", d ? "," : "", size[d]);
    printf("],");
}

static void print_step(const struct bench *b, const struct bench_step *s)
{
    size_t poor[3];
    bench_poor_size(s, poor);
    printf("{\"kernel\":\"%s\",", s->kernel);
    print_sizes("global", s->global, s->dim);
    print_sizes("own", s->own, s->dim);
    print_sizes("poor", poor, s->dim);
    printf("\"args\":[");
    for (unsigned i = 0; i < bench_nargs(s); i++) {
        const struct bench_arg *a = &s->arg[i];
        printf("%s", i ? "," : "");
        if (a->kind == BENCH_BUFFER)
            printf("{\"buffer\":%d,\"bytes\":%zu,\"type\":\"%s\"}", a->value,
                   bench_bytes(&b->buffer[a->value]),
                   (const char *[]){"float32", "int32", "int8"}[b->buffer[a->value].type]);
        else if (a->kind == BENCH_REAL)
            printf("{\"float\":%.9g}", (double)a->real);
        else
            printf("{\"int\":%d}", a->value);
    }
    printf("]}");
}

static void describe(const struct options *o, const struct bench *b, const char *suite)
{
    printf("{\"name\":\"%s\",\"suite\":\"%s\",\"file\":\"%s\",\"n\":%zu,\"repeat\":%u,\"steps\":[",
           o->workload->name, suite, o->workload->file, o->n, o->repeat);
    for (unsigned i = 0; i < b->nstep; i++) {
        printf("%s", i ? "," : "");
        print_step(b, &b->step[i]);
    }
    printf("]}\n");
}

static void dump(const char *directory, const struct bench *b)
{
    for (unsigned i = 0; i < b->nbuffer; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%u.raw", directory, i);
        size_t bytes = bench_bytes(&b->buffer[i]);
        FILE *f = fopen(path, "wb");
        if (!f || fwrite(b->buffer[i].data, 1, bytes, f) != bytes || fclose(f)) {
            perror(path);
            exit(1);
        }
    }
}

/* ---- runs ------------------------------------------------------------------------------------------ */

static void run(struct app *app, const struct options *o, struct bench *b, struct device_run *r)
{
    uint64_t sum = 0;
    FILE *trace = o->trace ? fopen(o->trace, "w") : NULL;
    device_repeat(r, &o->local, o->repeat, trace);
    if (trace)
        fclose(trace);
    if (o->check)
        bench_run_on_host(b, o->repeat);
    for (unsigned i = 0; i < b->nbuffer; i++) {
        void *got = device_fetch(r, i);
        sum = sum * 31 + app_fnv1a(got, bench_bytes(&b->buffer[i]));
        if (o->check)
            bench_compare(app, &b->buffer[i], got);
        free(got);
    }
    app_checksum(app, "buffers", &sum, sizeof sum);
}

int main(int argc, char **argv)
{
    const char *suite;
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        list();
        return 0;
    }
    if (argc < 2)
        usage();
    struct app app = {.name = "bench", .start_ms = app_now_ms()};
    if (!strcmp(argv[1], "--device")) {
        app_open(&app);
        device_describe(&app);
        return 0;
    }
    struct options o = parse(argc, argv);
    struct bench b = {.nbuffer = 0};
    o.workload = find(argv[1], &suite);
    o.n = o.n ? o.n : o.small ? o.workload->small_n : o.workload->n;
    o.repeat = o.repeat ? o.repeat : o.small ? o.workload->small_repeat : o.workload->repeat;
    app.name = o.workload->name;
    o.workload->set_up(&b, o.n);
    if (o.describe || o.dump) {
        if (o.describe)
            describe(&o, &b, suite);
        else
            dump(o.dump, &b);
        bench_free(&b);
        return 0;
    }
    app_open(&app);
    struct device_run *r = device_open(&app, &b, o.workload->file);
    if (o.sweep.kernel)
        device_sweep(r, &o.sweep);
    else
        run(&app, &o, &b, r);
    device_close(r);
    bench_free(&b);
    return app_end(&app);
}
