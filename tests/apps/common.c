/* common.c - the part of common.h that calls no OpenCL: arguments, times, data, results. */
#include "common.h"

#include <math.h>
#include <string.h>

static void usage(const char *name)
{
    fprintf(stderr, "usage: %s [-n SIZE] [-l LAUNCHES] [--local A[xB[xC]]|null] [--small]\n", name);
    exit(2);
}

static size_t parse_size(const char *name, const char *text)
{
    char *end;
    unsigned long long value = text ? strtoull(text, &end, 10) : 0;
    if (value == 0 || *end)
        usage(name);
    return (size_t)value;
}

static void parse_local(struct app *app, const char *text)
{
    unsigned long a = 0, b = 1, c = 1;
    if (!text || (strcmp(text, "null") && sscanf(text, "%lux%lux%lu", &a, &b, &c) < 1))
        usage(app->name);
    app->local_given = true;
    app->local[0] = a;
    app->local[1] = a ? b : 0;
    app->local[2] = a ? c : 0;
}

void app_args(struct app *app, const char *name, int argc, char **argv, struct app_defaults defaults)
{
    memset(app, 0, sizeof *app);
    app->name = name;
    app->start_ms = app_now_ms();
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--small"))
            app->small = true;
        else if (!strcmp(argv[i], "-n"))
            app->n = parse_size(name, argv[++i]);
        else if (!strcmp(argv[i], "-l"))
            app->launches = (unsigned)parse_size(name, argv[++i]);
        else if (!strcmp(argv[i], "--local"))
            parse_local(app, argv[++i]);
        else
            usage(name);
    }
    if (!app->n)
        app->n = app->small ? defaults.small_n : defaults.n;
    if (!app->launches)
        app->launches = app->small ? defaults.small_launches : defaults.launches;
}

void app_times_add(struct app_times *t, double ms)
{
    if (t->count < sizeof t->ms / sizeof t->ms[0])
        t->ms[t->count] = ms;
    t->count++;
    t->sum_ms += ms;
}

static int compare_ms(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void app_times_print(const struct app *app, const struct app_times *t, const char *kernel, unsigned dim,
                     const size_t *local)
{
    struct app_times sorted = *t;
    size_t kept = sizeof t->ms / sizeof t->ms[0];
    if (t->count < kept)
        kept = t->count;
    qsort(sorted.ms, kept, sizeof sorted.ms[0], compare_ms);
    fprintf(stderr, "kernel=%s local=", kernel);
    if (!local)
        fprintf(stderr, "null");
    for (unsigned d = 0; local && d < dim; d++)
        fprintf(stderr, "%s%zu", d ? "x" : "", local[d]);
    fprintf(stderr, " launches=%u kernel_ms=%.3f min_ms=%.3f median_ms=%.3f wall_ms=%.3f\n", t->count,
            t->sum_ms, kept ? sorted.ms[0] : 0.0, kept ? sorted.ms[kept / 2] : 0.0,
            app_now_ms() - app->start_ms);
}

const size_t *app_local(const struct app *app, const size_t *own)
{
    if (!app->local_given)
        return own;
    return app->local[0] ? app->local : NULL;
}

void *app_alloc(size_t bytes)
{
    void *p = calloc(1, bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

float *app_random_floats(size_t count, uint32_t seed)
{
    float *f = app_alloc(count * sizeof *f);
    for (size_t i = 0; i < count; i++)
        f[i] = (float)app_random(&seed) * (1.0f / 16777216.0f);
    return f;
}

void app_checksum(const struct app *app, const char *what, const void *data, size_t bytes)
{
    printf("%s %s %016llx\n", app->name, what, (unsigned long long)app_fnv1a(data, bytes));
}

static void count_wrong(struct app *app, size_t index, double got, double want)
{
    if (app->wrong++ < 5)
        fprintf(stderr, "%s: element %zu is %.9g, not %.9g\n", app->name, index, got, want);
}

void app_expect_near(struct app *app, size_t index, float got, float want)
{
    if (!(fabsf(got - want) <= 1e-4f * fmaxf(1.0f, fabsf(want))))
        count_wrong(app, index, (double)got, (double)want);
}

void app_expect_int(struct app *app, size_t index, int64_t got, int64_t want)
{
    if (got != want)
        count_wrong(app, index, (double)got, (double)want);
}

int app_verdict(const struct app *app)
{
    printf("%s %s\n", app->name, app->wrong ? "FAILED" : "OK");
    return app->wrong ? 1 : 0;
}

char *app_read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;

    if (!f || (getdelim(&text, &room, '\0', f) < 0 && ferror(f)) || !text) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(f);
    return text;
}
