/* binary.h - where a program binary came from.
 *
 * Programs that cache binaries (most large ones do) build from source only once in their life.  A binary that
 * the library saw being fetched from a program built from source is remembered by its hash, with that source
 * and its options, in the cache directory: a program made from the same bytes later is the same program. */
#ifndef CLSIZER_SHIM_BINARY_H
#define CLSIZER_SHIM_BINARY_H

#include "shim/object.h"
#include "shim/runtime.h"

/* Remember that the driver made `binary` from `source`.  Failures are of no consequence. */
void bin_remember(const struct runtime *rt, const void *binary, size_t size,
                  const struct shim_source *source);

/* The source of a binary with a reference for the caller, NULL if it was never seen. */
struct shim_source *bin_recall(const struct runtime *rt, const void *binary, size_t size);

#endif
