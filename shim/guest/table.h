/* table.h - uthash for a library inside other people's programs: out of memory is not the end of the process.
 *
 * An element that could not be added is left out of the table, and its hh.tbl is NULL. */
#pragma once

#include "analysis/summary/hash.h"

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Tables of elements by their member `handle`, an object's.  Of the time that is added to creating, building
 * and releasing a program, a tenth (30 ns) was uthash's own hash. */
static inline unsigned table_hash(const void *handle)
{
    return (unsigned)hash64_word(HASH64_START, (uintptr_t)handle);
}

/* Set `out` to the element of this handle, or to NULL; add one. */
#define TABLE_FIND(head, handle_, out)                                                                       \
    HASH_FIND_BYHASHVALUE(hh, head, (&(const void *){handle_}), sizeof(void *), table_hash(handle_), out)
#define TABLE_ADD(head, item)                                                                                \
    HASH_ADD_BYHASHVALUE(hh, head, handle, sizeof(void *), table_hash((item)->handle), item)
