/* ahead_job.h - what the library asks of clsizer-ahead: one kernel, compiled for several local sizes.
 *
 * The job file is written by the library and read by `clsizer-ahead --job`.  Text form:
 *
 *     clsizer-ahead 1
 *     kernel <n>\n<n bytes>\n
 *     range <dim> <global x> <y> <z> <offset x> <y> <z>\n
 *     arg ...\n                      one line per argument, in order:
 *         buffer <bytes>  null  local <bytes>  value <bytes> <hexadecimal>
 *         image <bytes> <numbers, enum ahead_image>  sampler <numbers, enum ahead_sampler>
 *     size <x> <y> <z>\n             one line per local size, most promising first
 *     program\n                      last: a request (analysis/request.h) with device, options and source
 *
 * The answer is a file of lines "<x> <y> <z>\n", one per size that the driver has compiled and keeps, and at
 * last "end\n"; it is replaced whole whenever it grows. */
#ifndef CLSIZER_SHIM_AHEAD_JOB_H
#define CLSIZER_SHIM_AHEAD_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "analysis/request.h"
#include "select/launch.h"

#define AHEAD_MOST_SIZES 64
#define AHEAD_MOST_ARGS  256

enum ahead_kind {
    AHEAD_BUFFER, /* a buffer of `bytes`; its contents do not matter */
    AHEAD_NULL,   /* no buffer */
    AHEAD_LOCAL,  /* `bytes` of local memory */
    AHEAD_VALUE,  /* the first `bytes` of `value` */
    AHEAD_IMAGE,  /* an image of `bytes`, made from `number`; its contents do not matter */
    AHEAD_SAMPLER /* made from `number` */
};

/* What `number` holds, as OpenCL numbers it. */
enum ahead_image {
    AHEAD_FLAGS,
    AHEAD_TYPE,
    AHEAD_CHANNEL_ORDER,
    AHEAD_CHANNEL_TYPE,
    AHEAD_WIDTH,
    AHEAD_HEIGHT,
    AHEAD_DEPTH,
    AHEAD_LAYERS,
    AHEAD_IMAGE_NUMBERS
};
enum ahead_sampler { AHEAD_NORMALIZED, AHEAD_ADDRESSING, AHEAD_FILTER, AHEAD_SAMPLER_NUMBERS };

struct ahead_arg {
    enum ahead_kind kind;
    uint64_t bytes;
    unsigned char value[LAUNCH_ARG_BYTES];
    uint64_t number[AHEAD_IMAGE_NUMBERS];
};

struct ahead_job {
    char *kernel;
    unsigned dim;
    size_t global[3], offset[3];
    unsigned narg;
    struct ahead_arg *arg;
    unsigned nsize;
    size_t size[AHEAD_MOST_SIZES][3];
    struct req program;
};

/* 0, or -EIO if `f` failed, -EINVAL if a field cannot be represented. */
int ahead_write(const struct ahead_job *j, FILE *f);

/* Parse `size` bytes.  0 and *out owned by the caller (ahead_free), or -EINVAL, -EFBIG, -ENOMEM. */
int ahead_read(const char *text, size_t size, struct ahead_job *out);

void ahead_free(struct ahead_job *j); /* leaves *j zeroed */

/* PoCL 3.1 compiles other code for ranges with an extent of USHRT_MAX or more
 * (grid_width_specialization_limit in its devices' structure). */
#define AHEAD_LARGE_EXTENT 65535

/* The range of the launch that the process makes with a local size of which `global` has room for one group:
 * the least for which the driver compiles the same code. */
void ahead_range(const struct ahead_job *j, const size_t local[3], size_t global[3]);

/* Parse an answer.  The number of sizes, at most AHEAD_MOST_SIZES; *ended: no more will come.  -EINVAL when
 * it is none. */
int ahead_read_answer(const char *text, size_t size, size_t local[AHEAD_MOST_SIZES][3], bool *ended);

#endif
