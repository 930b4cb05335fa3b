/* predict_options.c - the command line of `clsizer predict`. */
#include "select/predict/predict.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ITEMS (UINT64_C(1) << 56)

enum option {
    DEVICE,
    DEVICES,
    LIST,
    LAUNCHES,
    ESTIMATOR,
    POINTS,
    KERNEL,
    FROM,
    FROM_C,
    FUNCTION,
    FOLDED,
    GLOBAL,
    OFFSET,
    LOCAL,
    ARG,
    BUFFER,
    BUILD,
    EMIT,
    ALL,
    ONLY,
    PRUNED,
    EXPLAIN,
    TRACE,
    NUMBERS,
    TIMING,
    JSON,
    HELP,
    OPTIONS
};

#define FLAG(member) offsetof(struct predict_options, member)
#define NO_FLAG      0 /* of options with a value: not looked at */

static const struct {
    const char *name, *value, *help;
    size_t flag; /* without value: the member that it sets */
} table[OPTIONS] = {
    [DEVICE] = {"--device", "NAME|FILE",
                "built-in device, \"cpu\" for the generic one, or a file (default generic-gpu); repeat to "
                "compare devices",
                NO_FLAG},
    [DEVICES] = {"--devices", "all", "compare all built-in devices, and those of --device", NO_FLAG},
    [LIST] = {"--list-devices", NULL, "print the built-in devices", FLAG(list)},
    [LAUNCHES] = {"--launches", "N",
                  "compare devices over that many launches, set-up included, buffers copied once", NO_FLAG},
    [ESTIMATOR] = {"--estimator", "NAME",
                   "where times come from: pipeline, simulated; bounds, its closed form; mwp; median of "
                   "these (default on GPUs); param; learned, from what races have measured; all. On CPUs "
                   "pipeline (default), bounds and learned; mwp and param are for GPUs",
                   NO_FLAG},
    [POINTS] =
        {"--points", "FILE",
         "what is learned from: a file of `clsizer learn` (default: what races here left on the device)",
         NO_FLAG},
    [KERNEL] = {"--kernel", "NAME", "the kernel to predict", NO_FLAG},
    [FROM] = {"--from", "REPORT",
              "a launch that a program made, from what `clsizer --report` wrote: kernel, sizes, arguments, "
              "device, as far as they are not given; --kernel and --global say which one (default: what took "
              "the most time)",
              NO_FLAG},
    [FROM_C] = {"--from-c", "FILE.c", "single-threaded C in place of a kernel: its loops become the range",
                NO_FLAG},
    [FUNCTION] = {"--function", "NAME", "the function to predict, or the region `#pragma clsizer begin NAME`",
                  NO_FLAG},
    [FOLDED] = {"--loops", "1|2|3", "how many loops at most, the outermost first (default 3)", NO_FLAG},
    [GLOBAL] = {"--global", "X[xY[xZ]]", "global size", NO_FLAG},
    [OFFSET] = {"--offset", "X[xY[xZ]]", "global offset", NO_FLAG},
    [LOCAL] = {"--local", "X[xY[xZ]]", "local size of the application; repeat to add sizes to compare",
               NO_FLAG},
    [ARG] = {"--arg", "ARG=VALUE",
             "value of a scalar argument, by its index or name, a vector's with commas, or any as it lies in "
             "memory (bytes:0000803f); bytes of a __local argument",
             NO_FLAG},
    [BUFFER] = {"--buffer", "ARG=BYTES", "size of a buffer argument", NO_FLAG},
    [BUILD] = {"--build-options", "OPTIONS", "options of clBuildProgram", NO_FLAG},
    [EMIT] = {"--emit-cl", NULL, "print the kernel that --from-c finds, and predict nothing", FLAG(emit_cl)},
    [ALL] = {"--all-sizes", NULL, "every size up to the device's limit, whether it divides the range or not",
             FLAG(all_sizes)},
    [ONLY] = {"--only", NULL, "no sizes but those given with --local", FLAG(only)},
    [PRUNED] = {"--simulate-all", NULL, "simulate the pruned sizes too", FLAG(simulate_all)},
    [EXPLAIN] = {"--explain", NULL,
                 "say what limits the kernel with the first --local, else with the chosen size",
                 FLAG(explain)},
    [TRACE] = {"--trace", NULL, "print what one warp executes with that size", FLAG(trace)},
    [NUMBERS] = {"--features", NULL,
                 "print that size (--json: each) as the numbers by which sizes are learned from",
                 FLAG(features)},
    [TIMING] = {"--timing", NULL, "tell how long the model took", FLAG(timing)},
    [JSON] = {"--json", NULL, "print JSON", FLAG(json)},
    [HELP] = {"--help", NULL, "print this", FLAG(help)},
};

void predict_usage(FILE *f)
{
    fputs("usage: clsizer predict --kernel NAME --global X[xY[xZ]] [OPTION...] FILE.cl\n"
          "       clsizer predict --from REPORT [--kernel NAME] [OPTION...] [FILE.cl]\n"
          "       clsizer predict --from-c FILE.c --function NAME [OPTION...]\n",
          f);
    for (unsigned i = 0; i < OPTIONS; i++)
        fprintf(f, "  %-15s %-12s %s\n", table[i].name, table[i].value ? table[i].value : "", table[i].help);
}

static int bad(const char *option, const char *value, const char *expected)
{
    fprintf(stderr, "clsizer predict: %s '%s': expected %s\n", option, value, expected);
    return -EINVAL;
}

static bool read_number(const char **s, int base, uint64_t *out)
{
    char *end;
    if (**s < '0' || **s > '9')
        return false;
    errno = 0;
    *out = strtoull(*s, &end, base);
    *s = end;
    return errno == 0;
}

static bool read_size(const char **s, uint64_t *out)
{
    return read_number(s, 0, out);
}

/* "X[xY[xZ]]", or with commas, into size; `least` is the smallest extent allowed.  Decimal, as
 * 0x4 is an offset of 0 and 4.  The number of dimensions, 0 if malformed. */
static unsigned read_sizes(const char *s, size_t size[3], uint64_t least)
{
    for (unsigned d = 0; d < 3; d++) {
        uint64_t v;
        if (!read_number(&s, 10, &v) || v < least || v > (uint64_t)1 << 40)
            return 0;
        size[d] = (size_t)v;
        if (!*s)
            return d + 1;
        if (*s != ',' && *s != 'x')
            return 0;
        s++;
    }
    return 0;
}

/* "ARG=VALUE", "ARG=BYTES" */
static int take_given(struct predict_options *o, enum option which, const char *value)
{
    const char *rest = strchr(value, '=');
    struct predict_given *g = &o->given[o->ngiven++];
    if (o->ngiven > PREDICT_MAX_GIVEN)
        return bad(table[which].name, value, "fewer arguments");
    if (!rest || rest == value || !*++rest)
        return bad(table[which].name, value, table[which].value);
    *g = (struct predict_given){.which = value, .value = rest};
    const bool fits = which == ARG || (read_size(&rest, &g->bytes) && !*rest && g->bytes);
    return fits ? 0 : bad(table[which].name, value, table[which].value);
}

static const struct {
    const char *name;
    enum sel_model model;
} estimators[] = {{"median", SEL_MODEL_MEDIAN}, {"pipeline", SEL_MODEL_SIM}, {"bounds", SEL_MODEL_BOUNDS},
                  {"mwp", SEL_MODEL_MWP},       {"param", SEL_MODEL_PARAM},  {"learned", SEL_MODEL_LEARNED},
                  {"all", SEL_MODEL_MEDIAN}};

const char *predict_model_name(enum sel_model m)
{
    unsigned i = 0;
    while (estimators[i].model != m)
        i++;
    return estimators[i].name;
}

static int take_estimator(struct predict_options *o, const char *value)
{
    for (unsigned i = 0; i < sizeof estimators / sizeof *estimators; i++)
        if (strcmp(value, estimators[i].name) == 0) {
            o->model = estimators[i].model;
            o->all_estimators = strcmp(value, "all") == 0;
            return 0;
        }
    return bad("--estimator", value, "median, pipeline, bounds, mwp, param, learned or all");
}

static int take_local(struct predict_options *o, const char *value)
{
    if (o->nlocal == PREDICT_MAX_LOCALS)
        return bad("--local", value, "fewer sizes");
    size_t *size = o->local[o->nlocal++];
    size[0] = size[1] = size[2] = 1;
    return read_sizes(value, size, 1) ? 0 : bad("--local", value, table[LOCAL].value);
}

/* An option that has a value. */
static int take(struct predict_options *o, enum option which, const char *value)
{
    const char *rest;
    uint64_t number;
    switch (which) {
    case DEVICE:
        if (o->ndevice == PREDICT_DEVICES)
            return bad("--device", value, "fewer devices");
        o->device[o->ndevice++] = value;
        return 0;
    case DEVICES:
        o->all_devices = strcmp(value, "all") == 0;
        return o->all_devices ? 0 : bad("--devices", value, table[DEVICES].value);
    case LAUNCHES:
        rest = value;
        if (!read_size(&rest, &number) || *rest || number < 1 || number > 1000000000)
            return bad("--launches", value, table[LAUNCHES].value);
        o->launches = (unsigned)number;
        return 0;
    case KERNEL:
    case FUNCTION:
        o->kernel = value;
        return 0;
    case FROM_C:
        o->from_c = true;
        o->file = value;
        return 0;
    case FOLDED:
        o->loops = (unsigned)(*value - '0');
        return o->loops >= 1 && o->loops <= 3 && !value[1] ? 0 : bad("--loops", value, table[FOLDED].value);
    case BUILD:
        o->build = value;
        return 0;
    case GLOBAL:
        o->dim = read_sizes(value, o->global, 1);
        return o->dim ? 0 : bad("--global", value, table[GLOBAL].value);
    case FROM:
        o->from = value;
        return 0;
    case OFFSET:
        return read_sizes(value, o->offset, 0) ? 0 : bad("--offset", value, table[OFFSET].value);
    case LOCAL:
        return take_local(o, value);
    case ARG:
    case BUFFER:
        return take_given(o, which, value);
    case ESTIMATOR:
        return take_estimator(o, value);
    case POINTS:
        o->points = value;
        return 0;
    default: /* flags have no value to take */
        return -EINVAL;
    }
}

/* One option, as "--name VALUE" or "--name=VALUE"; *i is advanced over the value. */
static int parse_option(int argc, char **argv, int *i, struct predict_options *o)
{
    const char *arg = strcmp(argv[*i], "-h") == 0 ? "--help" : argv[*i], *equals = strchr(arg, '=');
    size_t n = equals ? (size_t)(equals - arg) : strlen(arg);
    for (unsigned w = 0; w < OPTIONS; w++) {
        if (strlen(table[w].name) != n || strncmp(table[w].name, arg, n) != 0)
            continue;
        if (!table[w].value) {
            *(bool *)((char *)o + table[w].flag) = true;
            return equals ? bad(table[w].name, equals + 1, "no value") : 0;
        }
        if (equals)
            return take(o, (enum option)w, equals + 1);
        if (*i + 1 == argc)
            return bad(table[w].name, "", table[w].value);
        return take(o, (enum option)w, argv[++*i]);
    }
    fprintf(stderr, "clsizer predict: unknown option '%s'\n", arg);
    return -EINVAL;
}

static bool locals_fit(const struct predict_options *o)
{
    for (unsigned i = 0; i < o->nlocal; i++)
        for (unsigned d = o->from_c ? 3 : o->dim; d < 3; d++)
            if (o->local[i][d] != 1)
                return false;
    return true;
}

/* Fewer work-items than overflow a byte count. */
static bool range_fits(const struct predict_options *o)
{
    return o->global[0] <= MOST_ITEMS / o->global[1] / o->global[2];
}

/* An option that tells of one device, where several are compared; NULL: there is none. */
static const char *alone(const struct predict_options *o)
{
    return !predict_several(o)             ? NULL
           : o->explain                    ? table[EXPLAIN].name
           : o->trace                      ? table[TRACE].name
           : o->features                   ? table[NUMBERS].name
           : o->timing                     ? table[TIMING].name
           : o->all_estimators             ? "--estimator all"
           : o->model == SEL_MODEL_LEARNED ? "--estimator learned"
                                           : NULL;
}

static int check(const struct predict_options *o)
{
    const char *missing = !o->file && !o->from    ? "a source file"
                          : !o->kernel            ? o->from_c ? "--function" : "--kernel"
                          : !o->dim && !o->from_c ? "--global"
                                                  : NULL;
    if (missing)
        fprintf(stderr, "clsizer predict: %s is missing\n", missing);
    else if (o->from && o->from_c)
        fprintf(stderr, "clsizer predict: --from does not go with --from-c\n");
    else if (o->from && !o->file && *o->build)
        fprintf(stderr, "clsizer predict: --build-options is for a source file\n");
    else if (o->only && o->nlocal == 0)
        fprintf(stderr, "clsizer predict: --only needs at least one --local\n");
    else if (o->simulate_all && o->model != SEL_MODEL_SIM && o->model != SEL_MODEL_MEDIAN)
        fprintf(stderr, "clsizer predict: --simulate-all is for --estimator pipeline\n");
    else if (o->points && o->model != SEL_MODEL_LEARNED && !o->all_estimators)
        fprintf(stderr, "clsizer predict: --points is for --estimator learned and all\n");
    else if (o->json && (o->explain || o->trace))
        fprintf(stderr, "clsizer predict: --json goes with neither --explain nor --trace\n");
    else if (alone(o))
        fprintf(stderr, "clsizer predict: %s tells of one device: give one --device alone\n", alone(o));
    else if (o->launches && !predict_several(o))
        fprintf(stderr,
                "clsizer predict: --launches compares devices: give another --device, or --devices all\n");
    else if (o->loops && !o->from_c)
        fprintf(stderr, "clsizer predict: --loops is for --from-c\n");
    else if (o->emit_cl && !o->from_c)
        fprintf(stderr, "clsizer predict: --emit-cl is for --from-c\n");
    else if (o->from_c && o->dim)
        fprintf(stderr, "clsizer predict: with --from-c the loops are the range, not --global\n");
    else if (!range_fits(o))
        fprintf(stderr, "clsizer predict: --global has more than 2^56 work-items\n");
    else if (!locals_fit(o))
        fprintf(stderr, "clsizer predict: --local has more dimensions than --global\n");
    else
        return 0;
    return -EINVAL;
}

static int parse_words(int argc, char **argv, struct predict_options *o)
{
    int r = 0;
    for (int i = 0; i < argc && r == 0 && !o->help && !o->list; i++) {
        if (argv[i][0] == '-')
            r = parse_option(argc, argv, &i, o);
        else if (o->file)
            r = bad("argument", argv[i], "one source file");
        else
            o->file = argv[i];
    }
    return r;
}

int predict_parse(int argc, char **argv, sel_find_told *find, struct predict_options *o)
{
    const struct predict_options nothing = {
        .device = {"generic-gpu"}, .model = SEL_MODEL_MEDIAN, .build = "", .global = {1, 1, 1}};
    struct sel_told told;
    char size[PREDICT_SIZE];
    *o = nothing;
    int r = parse_words(argc, argv, o);
    if (r || o->help || o->list)
        return r;
    if (o->from && !o->from_c) { /* what it says comes first: what is given by hand counts more */
        r = find(o->from, o->kernel, o->dim ? predict_size_text(o->global, o->dim, size) : NULL, &told);
        if (r)
            return r;
        *o = nothing;
        o->told = told;
        r = parse_words(told.nword, told.word, o);
        if (r) {
            fprintf(stderr, "clsizer predict: %s: makes no sense\n", told.place);
            return -EBADMSG;
        }
        o->subject = o->nlocal;
        r = parse_words(argc, argv, o);
    }
    return r ? r : check(o);
}
