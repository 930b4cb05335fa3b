/* device.h - a workload on the OpenCL device. */
#pragma once

#include "pool.h"

/* How the local size of each launch is chosen. */
enum local_rule { LOCAL_OWN, LOCAL_POOR, LOCAL_NULL, LOCAL_SUGGESTED, LOCAL_LIST };

struct local_choice {
    enum local_rule rule;
    const char
        *list; /* LOCAL_LIST: "64x4" for all kernels, or "KERNEL=64x4,KERNEL=null,..." (the others: own) */
};

/* A measurement of one local size. */
struct sweep_options {
    const char *kernel; /* its first step is measured */
    const char *sizes;  /* "64x4,32x8,null", in order of importance */
    unsigned rounds;    /* timed launches per size, one in each round */
    double
        budget_ms; /* no further size is compiled after this long, no further round begun after twice that */
};

struct device_run; /* buffers, kernels and times of one workload; exits with 1 on errors as app_* do */

/* Print what the device says of itself as JSON. */
void device_describe(struct app *app);

struct device_run *device_open(struct app *app, const struct bench *b, const char *file);
void device_close(struct device_run *r);

/* Run all steps `repeat` times, waiting for each launch, and print a timing line (apps/common.h) per
 * kernel, and first_ms: the first launch, which contains what the driver compiles.  `trace` (or NULL)
 * gets a line per launch: kernel, milliseconds since the program's start, duration.  Exits with 77
 * where no size is suggested. */
void device_repeat(struct device_run *r, const struct local_choice *choice, unsigned repeat, FILE *trace);
/* The contents of buffer i; the caller frees. */
void *device_fetch(struct device_run *r, unsigned i);
/* Print a JSON line per size: {"local":"64x4","first_ms":...,"ms":[...]}: the first launch, and others by the
 * device's clock; sizes that are rejected: "error". */
void device_sweep(struct device_run *r, const struct sweep_options *o);
