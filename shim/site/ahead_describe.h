/* ahead_describe.h - the job of a site, for compile_ahead.c; what a job holds is said in ahead_job.h. */
#pragma once

#include "shim/site/variant.h"

/* Write the job of the launch's site, which wants its `answer` in that file, to the file `path`, in place of
 * a file that is there: the sizes of its race that still have to be compiled, and all that another process
 * needs to launch the kernel as this launch does.
 *
 * Returns the number of sizes; 0, and no file, if there is nothing to compile; -EINVAL if another process
 * cannot have such arguments, or too much memory would be needed for them; -ENOMEM or another negative errno
 * if the file was not written.  Asks the driver about images and samplers.  Site locked. */
int ahead_make_job(const struct launching *l, const char *answer, const char *path);

#define AHEAD_MOST_ASKED 16

/* About a variant. */
struct ahead_question {
    size_t local[AHEAD_MOST_ASKED][3];
    unsigned n, needed; /* the variant can compete with the first ones */
    double hoped_ns;    /* what it might have saved in this run, had it been there */
};

/* Likewise the job of a variant, with sizes none of which may be 0.  `binary`: the file for its program's
 * binary, or NULL. */
int ahead_make_trial(const struct launching *l, const struct variant *v, const struct ahead_question *q,
                     char *binary, const char *answer, const char *path);

/* Likewise the job to make the binary alone of a variant of a kernel of this build.  0 or negative errno. */
int ahead_make_binary(const struct shim_build *b, const struct variant *v, char *binary, const char *path);
