/* counts.c - executes every warp of a launch in the model and prints what all work-items together did:
 *
 *   counts SUMMARY KERNEL GX,GY,GZ LX,LY,LZ WARP ARGUMENT...
 *
 * ARGUMENT as in witness.py: bN buffer of N bytes, lN local memory, iN int, fX float (its value is
 * unknown to the model).  Output: `ops CLASS N`, `GLOBAL|CONSTANT|LOCAL read|write N BYTES`,
 * `pessimistic`, `estimated`. */
#include "select/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGS 16

struct total {
    struct trace_counts sum;
    bool pessimistic, estimated;
};

#define MAX_TEXT (1 << 20)

/* NULL when it cannot be read. */
static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text = f ? malloc(MAX_TEXT) : NULL;
    *size = text ? fread(text, 1, MAX_TEXT, f) : 0;
    if (f)
        fclose(f);
    return text;
}

static bool read_size(const char *s, size_t size[3])
{
    return sscanf(s, "%zu,%zu,%zu", &size[0], &size[1], &size[2]) == 3 && size[0] && size[1] && size[2];
}

static bool read_argument(const char *s, unsigned index, struct launch_arg *a)
{
    int value = atoi(s + 1);
    *a = (struct launch_arg){.set = true};
    switch (*s) {
    case 'b':
        a->size = 8;
        a->bytes = (uint64_t)value;
        a->memory = index + 1;
        return true;
    case 'l':
        a->size = (uint32_t)value;
        return true;
    case 'i':
        a->size = sizeof value;
        memcpy(a->value, &value, sizeof value);
        return true;
    case 'f':
        a->size = 4;
        return true;
    default:
        return false;
    }
}

static int run_group(struct trace_prog *p, struct trace_place *at, uint32_t warp, struct trace *t,
                     struct total *out)
{
    size_t items = at->local[0] * at->local[1] * at->local[2];
    double *sum = (double *)&out->sum;
    const double *more = (const double *)&t->sum;
    for (at->first = 0; at->first < items; at->first += warp) {
        at->lanes = warp;
        int r = trace_run(p, at, t);
        if (r)
            return r;
        for (size_t i = 0; i < sizeof out->sum / sizeof *sum; i++)
            sum[i] += more[i];
        out->pessimistic |= t->pessimistic;
        out->estimated |= t->estimated;
    }
    return 0;
}

static int run_all(struct trace_prog *p, const struct launch *l, uint32_t warp, struct total *out)
{
    static struct trace_entry entry[TRACE_ENTRIES];
    static struct trace_loop loop[TRACE_LOOPS];
    struct trace t = {.entry = entry, .loop = loop};
    struct trace_place at = {{l->local[0], l->local[1], l->local[2]}, {0}, 0, 0};
    int r = 0;
    p->budget = UINT64_MAX;
    for (at.group[2] = 0; at.group[2] * l->local[2] < l->global[2]; at.group[2]++)
        for (at.group[1] = 0; at.group[1] * l->local[1] < l->global[1]; at.group[1]++)
            for (at.group[0] = 0; at.group[0] * l->local[0] < l->global[0] && r == 0; at.group[0]++)
                r = run_group(p, &at, warp, &t, out);
    return r;
}

static void print_total(const struct total *o)
{
    static const char *const space[TRACE_MEMS] = {"global", "constant", "local", "image"};
    for (unsigned c = SUM_C_NONE + 1; c < SUM_C_COUNT; c++)
        if (o->sum.lane_ops[c] > 0)
            printf("ops %s %.0f\n", sum_class_name((enum sum_class)c), o->sum.lane_ops[c]);
    for (unsigned m = 0; m < TRACE_MEMS; m++)
        for (unsigned w = 0; w < 2; w++)
            if (o->sum.lane_accesses[m][w] > 0)
                printf("%s %s %.0f %.0f\n", space[m], w ? "write" : "read", o->sum.lane_accesses[m][w],
                       o->sum.lane_bytes[m][w]);
    if (o->pessimistic)
        puts("pessimistic");
    if (o->estimated)
        puts("estimated");
}

int main(int argc, char **argv)
{
    struct program_summary program = {0};
    struct launch_arg arg[MAX_ARGS];
    struct launch l = {.dim = 3, .args = arg};
    struct arena arena = {0};
    struct trace_prog p;
    struct total total = {0};
    size_t size;
    uint32_t warp = argc > 5 ? (uint32_t)atoi(argv[5]) : 0;
    bool ok = argc > 5 && argc - 6 <= MAX_ARGS && read_size(argv[3], l.global) && read_size(argv[4], l.local);
    for (int i = 6; ok && i < argc; i++)
        ok = read_argument(argv[i], l.nargs, &arg[l.nargs]) && ++l.nargs;
    char *text = ok ? read_file(argv[1], &size) : NULL;
    const struct device *d = dev_builtin("generic-gpu");
    int r = 1;
    if (!ok || !warp || warp > TRACE_LANES || !d) {
        fputs("usage: counts SUMMARY KERNEL GX,GY,GZ LX,LY,LZ WARP ARGUMENT...\n", stderr);
    } else if (!text || sum_parse(text, size, &program, NULL) != 0 || !sum_find(&program, argv[2])) {
        fprintf(stderr, "counts: no kernel %s in %s\n", argv[2], argv[1]);
    } else {
        r = trace_prepare(&p, sum_find(&program, argv[2]), &l, d, &arena);
        r = r ? r : run_all(&p, &l, warp, &total);
        trace_done(&p);
        print_total(&total);
    }
    arena_free(&arena);
    sum_free(&program);
    free(text);
    return r != 0;
}
