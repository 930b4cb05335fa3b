/* predict.h - the parts of `clsizer predict`: command line, helper, output. */
#pragma once

#include "select/learn/learned.h"
#include "select/predict/simulation.h"

#include <stdio.h>

#define PREDICT_MAX_ARGS   256
#define PREDICT_MAX_GIVEN  512
#define PREDICT_MAX_LOCALS 256
#define PREDICT_DEVICES    32
#define PREDICT_ELEMENT    4 /* bytes per work-item of a buffer whose size is not given */

/* --arg or --buffer: "WHICH=..." */
struct predict_given {
    const char *which, *value; /* its index or name; what is behind the "=" */
    uint64_t bytes;            /* of --buffer, else 0 */
};

/* What the command line says.  Strings point into argv. */
struct predict_options {
    const char *device[PREDICT_DEVICES], *kernel, *build, *file, *points;
    sel_load_points *load; /* where sizes that were measured come from */
    const char *from;      /* a report: its launch counts where the command line says nothing */
    struct sel_told told;  /* ... that launch */
    unsigned ndevice;      /* more than one: they are compared */
    bool all_devices;      /* all that are built in are, too */
    unsigned launches;     /* among which their overheads are divided; 0: not said */
    struct predict_given given[PREDICT_MAX_GIVEN];
    unsigned ngiven;
    /* by index, of `given`: see predict_find_args() */
    const char *value[PREDICT_MAX_ARGS]; /* --arg; NULL: not given */
    uint64_t buffer[PREDICT_MAX_ARGS];   /* --buffer; 0: not given */
    unsigned dim;                        /* of --global */
    size_t global[3], offset[3];
    unsigned nlocal;
    size_t local[PREDICT_MAX_LOCALS][3]; /* the first is the application's */
    unsigned subject;                    /* which of them is explained, if it is there */
    enum sel_model model;
    bool from_c;         /* `file` is single-threaded C, `kernel` a function of it */
    unsigned loops;      /* of it that may become dimensions; 0: not said */
    bool all_estimators; /* `model` decides, the others are printed beside it */
    bool all_sizes, only, simulate_all, explain, trace, features, timing, emit_cl, json, list, help;
};

/* 0, -EINVAL, or another negative errno of `find`, with a message on stderr. */
int predict_parse(int argc, char **argv, sel_find_told *find, struct predict_options *o);
void predict_usage(FILE *f);

/* The description that --device NAME means: a built-in one, by its name or a part of it ("cpu": the generic
 * one of a CPU), or a file.  0, or a negative errno with a message on stderr. */
int predict_device(const char *name, struct device *out);
/* What else it may be but a file. */
void predict_list_devices(FILE *f);

/* Where a kernel takes how long.  Nanoseconds. */
struct predict_place {
    char name[sizeof((struct device *)0)->name];
    bool known, is_cpu, given; /* given: by another tool */
    size_t local[3];
    double kernel, transfer, context;
};

/* predict_devices.c: all devices of the command line, with the best size of each.  `time` fills in what a
 * place has of one that the model knows.  0 or a negative errno, with a message on stderr. */
typedef int predict_time(const struct predict_options *o, const struct kernel_summary *k,
                         const struct device *d, struct predict_place *out);
int predict_devices(const struct predict_options *o, const struct kernel_summary *k, predict_time *time);

/* predict_devices.c: does the file say how long kernels take, measured by another tool, instead of describing
 * a device? */
bool predict_is_given(const char *file);

/* predict_devices.c: to copy what a launch reads to the device, and back what it writes. */
double predict_transfer(const struct kernel_summary *k, const struct launch *l, const struct device *d);

/* Run the analysis helper (its path; NULL: it was not found) on o->file and parse what it prints; without a
 * file, what a program left that reported.  0 and *out to be released with sum_free(), or a negative errno
 * with a message on stderr. */
int predict_analyse(const struct predict_options *o, const char *helper, struct program_summary *out);
/* Print the kernel that o->dim loops of the C function make.  0 or a negative errno, told on stderr. */
int predict_emit(const struct predict_options *o, const char *helper);

/* predict_from_c.c: of the kernels that the helper made of the function the one of which most loops are
 * dimensions and no two work-items race; its range in o->dim and o->global.  0 or a negative errno, with a
 * message on stderr. */
int predict_from_c(struct predict_options *o, struct program_summary *p, const struct kernel_summary **out);

/* predict_args.c: which arguments of the kernel o->given means.  0, or -EINVAL with a message on stderr. */
int predict_find_args(struct predict_options *o, const struct kernel_summary *k);

/* predict_args.c: arg[0..k->nargs) as the command line gives them, `items` work-items being launched.  0, or
 * -EINVAL with a message on stderr. */
int predict_args(const struct predict_options *o, const struct kernel_summary *k, size_t items,
                 struct launch_arg *arg);

/* "64x4"; returns `text`. */
#define PREDICT_SIZE 64
static inline const char *predict_size_text(const size_t size[3], unsigned dim, char text[PREDICT_SIZE])
{
    int n = snprintf(text, PREDICT_SIZE, "%zu", size[0]);
    for (unsigned d = 1; d < dim; d++)
        n += snprintf(text + n, PREDICT_SIZE - (size_t)n, "x%zu", size[d]);
    return text;
}

/* Are devices compared? */
static inline bool predict_several(const struct predict_options *o)
{
    return o->all_devices || o->ndevice > 1;
}

/* Is the device the report's? */
static inline bool predict_on_told(const struct predict_options *o)
{
    return o->from && !o->ndevice;
}

/* What an estimator is called. */
const char *predict_model_name(enum sel_model m);

static inline bool predict_for_gpus(enum sel_model m)
{
    return m == SEL_MODEL_MWP || m == SEL_MODEL_PARAM;
}

/* The candidates with the times of another estimator, by local size. */
struct predict_other {
    enum sel_model model;
    struct candidate *candidate;
};
#define PREDICT_OTHERS 5
int predict_by_size(const void *a, const void *b); /* for qsort() */

/* predict_learned.c: sizes that were measured on the device, and what is learned from them. */
struct predict_learned {
    struct learn_points points;
    struct learned learned;
};
/* 0; -ENOENT if there are none, or another negative errno, with a message but for -ENOMEM.  Release it
 * whatever the result. */
int predict_learn(const struct predict_options *o, const struct device *d, struct predict_learned *out);
void predict_forget(struct predict_learned *l);

/* Give candidates that have an estimate the times that are learned, and sort them.  0 or -ENOMEM. */
int predict_rank(const struct predict_learned *l, struct candidate *c, unsigned n);

/* All that there is to tell. */
struct prediction {
    const struct predict_options *options;
    const struct kernel_summary *kernel;
    const struct launch *launch;
    const struct device *device;
    const struct sel_proof *proof;
    const struct sel_estimate *estimate;
    const struct candidate *candidate; /* as sel_estimate() sorted them */
    unsigned n;
    struct predict_other other[PREDICT_OTHERS]; /* of --estimator all */
    unsigned nother;
    struct predict_learned *learned; /* NULL: there are no points */
    bool traced;                     /* false: the model gave up, there are no times */
    bool timed;                      /* the following two are set */
    double analysis_ms;              /* all but simulation: the median of some runs */
    double estimator_ms;             /* what the estimator takes beyond that */
};

/* The answer on stdout, for people and for programs (--json). */
void predict_print_table(const struct prediction *p);
int predict_print_json(const struct prediction *p); /* 0 or -ENOMEM */

/* predict_print.c: print `o` as JSON and release it.  0 or -ENOMEM; whether it could be written is for the
 * end. */
struct json_object;
int predict_put_json(struct json_object *o);

/* predict_metrics.c: what [R]'s model knows of a kernel beyond its time. */
#define PREDICT_SPOTS 20
struct predict_metrics {
    double compute_busy, memory_busy; /* of the time, each of its two units */
    double gflops, gbytes;            /* a second; of global accesses, as work-items make them */
    double intensity;                 /* operations a byte */
    double compute_of_peak;           /* of what the device can: fused operations of floats */
    double dram_of_peak;              /* of DRAM's bandwidth */
    struct predict_spot {
        uint32_t insn;     /* an access for which nothing computes meanwhile */
        double share;      /* of the time */
    } spot[PREDICT_SPOTS]; /* what costs most first */
    unsigned nspot;
    size_t suggested[3]; /* local size */
};
struct subject;
struct est_trace;
/* Of the launch whose usual warps are `t`.  0 or -ENOMEM. */
int predict_metrics(const struct subject *s, const struct est_trace *t, struct predict_metrics *m);

/* predict_explain.c: what is explained: the first --local of the command line, else the choice. */
const struct candidate *predict_subject(const struct prediction *p);

/* predict_explain.c: what limits the kernel with the local size of `c`, and what one warp of it executes.  0,
 * -ENOMEM, or -E2BIG (with a message) when it cannot be traced. */
int predict_explain(const struct prediction *p, const struct candidate *c);
int predict_trace(const struct prediction *p, const struct candidate *c);
