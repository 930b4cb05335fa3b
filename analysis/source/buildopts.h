/* buildopts.h - turns the option string of clBuildProgram into arguments for clang.  Helper only. */
#pragma once

#include "analysis/prove/must.h"
#include <stdbool.h>

struct args {
    char **v; /* owned, NULL-terminated */
    unsigned n;
};

/* Append a copy of the text.  Ends the process, which is the helper, when out of memory. */
void args_add(struct args *a, const char *arg);
void args_add_words(struct args *a, const char *words); /* with single blanks between them */
void args_add_all(struct args *a, const struct args *from);
void args_addf(struct args *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool args_have(const struct args *a, const char *arg);
void args_free(struct args *a); /* leaves *a empty */

struct buildopts {
    struct args clang;   /* arguments for clang: -D, -U, -I and -cl-* options, without -cl-std */
    struct args defines; /* NAME or NAME=VALUE of every -D */
    unsigned std;        /* 100, 110, 120, 200, 300; 0 = not given */
    bool fuse_fma;
    bool relaxed_math;
    bool loose_math;     /* -cl-finite-math-only, -cl-denorms-are-zero, -cl-no-signed-zeros */
    bool unoptimised;    /* -cl-opt-disable, -O0 */
    bool uniform_groups; /* -cl-uniform-work-group-size */
};

/* Parse an option string.  0, or -EINVAL with *error "unsupported-option: ...", owned by the caller.  Release
 * *o whatever the result. */
int buildopts_parse(const char *options, struct buildopts *o, char **error);

void buildopts_free(struct buildopts *o); /* what it holds, not *o itself */
