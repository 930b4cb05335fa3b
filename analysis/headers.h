/* headers.h - the headers that a program passes to clCompileProgram, where clang finds them under their
 * names: memory files in a virtual folder. */
#ifndef CLSIZER_ANALYSIS_HEADERS_H
#define CLSIZER_ANALYSIS_HEADERS_H

#include "analysis/buildopts.h"
#include "analysis/request.h"

struct headers {
    unsigned n;
    int *file;         /* memory files that clang inherits */
    int overlay;       /* the list of them; -1 when there are none */
    struct args clang; /* arguments that make clang look there before anywhere else */
};

/* Make the unit's headers available.  0, or -EINVAL and *error ("reason: detail", owned by the caller) where
 * drivers may take a name for another file than we would.  Release with headers_close() in both cases. */
int headers_open(const struct req_unit *u, const struct args *options, struct headers *out, char **error);
void headers_close(struct headers *h);

/* The name of the header that clang found at `path`, a part of it; NULL: it is a file. */
const char *headers_name(const char *path);

#endif
