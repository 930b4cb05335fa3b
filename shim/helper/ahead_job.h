/* ahead_job.h - what the library asks of clsizer-ahead (compile one kernel for several local sizes, or a
 * program), and the answer.  They are files, written by one of the two and read by the other.  No function
 * here is tied to a thread.
 *
 * The job:
 *
 *     clsizer-ahead 6
 *     answer <bytes>\n<file>\n
 *     kernel <n>\n<n bytes>\n
 *     range <dim> <global x> <y> <z> <offset x> <y> <z>\n
 *     arg ...\n                      one line per argument, in order:
 *         buffer <bytes>  null  local <bytes>  value <bytes> <each byte>
 *         image <bytes> <numbers, enum ahead_image>  sampler <numbers, enum ahead_sampler>
 *     slices\n                       only if launches will be measured in slices
 *     trial <n>\n                    only if it matters whether the driver can do it, not whether
 *                                    it keeps it; the first n sizes are needed
 *     binary <bytes>\n<file>\n       only if the program's binary is wanted: too, or, without sizes, alone
 *     size <x> <y> <z>\n             one line per local size, most promising first
 *     program\n                      last: a request (analysis/summary/request.h)
 *
 * The answer has a line "<x> <y> <z>\n" for each size that the driver has compiled and keeps (a trial: that a
 * launch succeeded with); a trial's also "took <ns>\n", the CPU time of the dearest of these launches.  It
 * ends with "worked <ns>\n", the CPU time of the whole job, and "end\n" when no more will come.  It is
 * replaced as a whole whenever it grows, so readers never see half of it.
 *
 * A binary is answered with the line
 *
 *     clsizer-binary 1 <bytes> <their hash>\n
 *
 * and these bytes, or not at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "analysis/summary/request.h"
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

/* What ahead_arg.number holds, for images and samplers: values of OpenCL's enumerations, extents in
 * texels. */
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
    unsigned char value[LAUNCH_ARG_BYTES]; /* AHEAD_VALUE */
    uint64_t number[AHEAD_IMAGE_NUMBERS];  /* AHEAD_IMAGE, AHEAD_SAMPLER */
};

/* What ahead_read() returns is owned by the job; ahead_write() only borrows it. */
struct ahead_job {
    char *answer; /* the file for it */
    char *kernel;
    unsigned dim;
    size_t global[3], offset[3]; /* of the application's launch */
    unsigned narg;
    struct ahead_arg *arg;
    bool slices;    /* compile each size for launches with an offset as well */
    unsigned trial; /* list each size with which a launch succeeds; so many are needed; 0: it is no trial */
    char *binary;   /* the file for the program's binary; NULL: it is not wanted */
    unsigned nsize;
    size_t size[AHEAD_MOST_SIZES][3]; /* local sizes, the most promising first */
    struct req program;
};

/* Write the job.  0, -EIO if writing to `f` failed, or -EINVAL if there are too many arguments or sizes, or
 * the program cannot be written (req_write()). */
int ahead_write(const struct ahead_job *j, FILE *f);

/* Parse `size` bytes, which are not trusted.  0 and *out owned by the caller (ahead_free()), or -EINVAL for
 * malformed text, -EFBIG, -ENOMEM. */
int ahead_read(const char *text, size_t size, struct ahead_job *out);

void ahead_free(struct ahead_job *j); /* leaves *j zeroed */

/* The file of job number n for a process whose first job was in `first`.  False if there is no room. */
bool ahead_job_file(const char *first, unsigned n, char *path, size_t size);

/* A driver compiles other code for ranges with an extent of USHRT_MAX or more
 * (grid_width_specialization_limit in its devices' structure). */
#define AHEAD_LARGE_EXTENT 65535

/* Is a range, in work-items, one of these? */
bool ahead_is_large(const size_t global[3]);

/* The range, in work-items, of the launch that clsizer-ahead makes with a local size: the smallest for which
 * the driver compiles the same code as for the application's range.  That is one group, or, if the
 * application's range is large, as many along one dimension as make AHEAD_LARGE_EXTENT.  Pre: a group fits
 * into j->global. */
void ahead_range(const struct ahead_job *j, const size_t local[3], size_t global[3]);

/* The offset of a launch over ahead_range() that stands for a slice of the application's launch: one group
 * into its range.  False if the range has one group only and so no slices. */
bool ahead_slice_offset(const struct ahead_job *j, const size_t local[3], size_t offset[3]);

/* What an answer says. */
struct ahead_answer {
    size_t local[AHEAD_MOST_SIZES][3];
    int n;
    int64_t took_ns, worked_ns; /* 0: it does not tell */
    bool ended;                 /* no more sizes will come */
    bool young;                 /* a process may still add to it (answer_read()) */
};

/* Parse an answer of `size` bytes, which are not trusted; not `young`.  0, or -EINVAL if it is malformed. */
int ahead_read_answer(const char *text, size_t size, struct ahead_answer *a);

/* Write a program's binary as an answer.  0 or -EIO. */
int ahead_write_binary(FILE *f, const void *binary, size_t bytes);

/* The binary in an answer of `size` bytes, which are not trusted: where it begins in them, or NULL if it is
 * damaged. */
const unsigned char *ahead_read_binary(const char *text, size_t size, size_t *bytes);
