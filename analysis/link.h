/* link.h - several LLVM modules into one, as clLinkProgram does. */
#ifndef CLSIZER_ANALYSIS_LINK_H
#define CLSIZER_ANALYSIS_LINK_H

#include <stddef.h>

struct bitcode {
    char *data; /* owned by whoever made it */
    size_t size;
};

/* Link `n` > 0 modules, the older form with typed pointers included.  NULL and *out owned by the caller, or
 * the error ("reason: detail", owned by the caller). */
char *link_bitcode(const struct bitcode *parts, unsigned n, struct bitcode *out);

#endif
