/* kept_binary.h - what the driver made of a variant's text, kept in the cache.
 *
 * A driver that keeps what it compiles may still preprocess a text before it finds that (40 ms or more), in
 * every run.  So clsizer-ahead keeps the binary of each variant that a run has used, and later runs build
 * that.  Whatever is wrong with a binary, the text is built as before. */
#pragma once

#include "analysis/summary/hash.h"
#include "shim/ledger/runtime.h"
#include "shim/site/variant.h"

/* A hash of the program and of the included files in their present state. */
hash128_t kept_hash_build(const struct shim_build *b);

/* The same, and of the variant as the driver of the build's device gets it. */
hash128_t kept_hash(const struct shim_build *b, const struct variant *v);

/* The file for the binary. */
void kept_path(const struct runtime *rt, const struct shim_build *b, const struct variant *v,
               char path[RT_FILE]);

/* The binary, in what is returned, which the caller frees; NULL: there is none, and *binary is NULL. */
char *kept_read(const struct runtime *rt, const struct shim_build *b, const struct variant *v,
                const unsigned char **binary, size_t *bytes);
