/* link.h - links several LLVM modules into one, as clLinkProgram does. */
#pragma once

#include <stddef.h>

struct bitcode {
    char *data; /* owned by the code that fills it in */
    size_t size;
};

/* Link `n` > 0 modules, which may be of the older form with typed pointers.  NULL, with out->data malloc'ed;
 * or an error ("reason: detail"), owned by the caller. */
char *link_bitcode(const struct bitcode *parts, unsigned n, struct bitcode *out);
