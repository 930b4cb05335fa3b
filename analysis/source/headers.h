/* headers.h - gives clang the headers that a program passes to clCompileProgram: memory files that it finds
 * under their names in a virtual directory. */
#pragma once

#include "analysis/source/buildopts.h"
#include "analysis/summary/request.h"

struct headers {
    unsigned n;
    int *file;         /* memory files that clang inherits */
    int overlay;       /* a memory file that lists them for clang; -1 when there are none */
    struct args clang; /* arguments that make clang search the virtual directory first */
};

/* Make the unit's headers available.  0, or -EINVAL with *error ("reason: detail", owned by the caller) if
 * drivers may find another file under one of the names.  Release with headers_close() whatever the result. */
int headers_open(const struct req_unit *u, const struct args *options, struct headers *out, char **error);
void headers_close(struct headers *h);

/* If clang found one of the program's headers at `path`, its name, which is a part of `path`; NULL if it is a
 * file. */
const char *headers_name(const char *path);
