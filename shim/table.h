/* table.h - uthash for a library inside other people's programs: out of memory is not the end of the process.
 *
 * An element that could not be added is left out of the table, and its hh.tbl is NULL.  Most keys are
 * handles, which every call looks up: a key of one word is hashed by a few instructions. */
#ifndef CLSIZER_SHIM_TABLE_H
#define CLSIZER_SHIM_TABLE_H

#include <string.h>
#include "analysis/hash.h"

static inline unsigned table_hash(const void *key, size_t size)
{
    uint64_t word;

    if (size != sizeof word)
        return (unsigned)(hash64(HASH64_START, key, size) >> 32);
    memcpy(&word, key, sizeof word);
    return (unsigned)hash64_word(HASH64_START, word);
}

#define HASH_NONFATAL_OOM                  1
#define HASH_FUNCTION(key, size, hash_out) ((hash_out) = table_hash(key, size))
#include <uthash.h>

#endif
