/* frontend.h - OpenCL C source -> LLVM bitcode, by running clang as a child process. */
#ifndef CLSIZER_ANALYSIS_FRONTEND_H
#define CLSIZER_ANALYSIS_FRONTEND_H

#include "analysis/included.h"
#include "analysis/lower.h"
#include "analysis/request.h"

struct front_result {
    char *bitcode; /* owned; NULL on failure */
    size_t size;
    struct lower_options options;
    struct included
        files;   /* not known where `strict` was not asked for, or the request does not tell enough */
    char *error; /* owned; "reason: detail", one line; NULL on success */
};

/* `strict`: refuse programs that ask for macros which only the driver knows (macros.h), as the library must.
 * Without it every extension that clang knows is on.  Release the result with front_free(). */
void front_compile(const struct req *r, bool strict, struct front_result *out);

void front_free(struct front_result *out);

#endif
