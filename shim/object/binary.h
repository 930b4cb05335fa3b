/* binary.h - where a program binary came from.
 *
 * Programs that cache binaries, as most large ones do, build from source only once and never again.  When a
 * program fetches the binary of what it built from source, the source and its options are stored in the cache
 * directory under the binary's hash.  A program made from the same bytes later is the same program. */
#pragma once

#include "shim/ledger/runtime.h"
#include "shim/object/source.h"

/* Remember that the driver made the `size` bytes of `binary` from `source`.  Errors are ignored: the binary
 * then stays unknown. */
void bin_remember(const struct runtime *rt, const void *binary, size_t size,
                  const struct shim_source *source);

/* The source of a binary, with a reference for the caller; NULL if it is unknown. */
struct shim_source *bin_recall(const struct runtime *rt, const void *binary, size_t size);
