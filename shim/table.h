/* table.h - uthash for a library inside other people's programs: out of memory is not the end of the process.
 *
 * An element that could not be added is left out of the table, and its hh.tbl is NULL. */
#ifndef CLSIZER_SHIM_TABLE_H
#define CLSIZER_SHIM_TABLE_H

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#endif
