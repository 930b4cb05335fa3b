/* table.h - look-up tables by LLVM's pointers.  Helper only. */
#pragma once

#include "analysis/prove/must.h"
#include <stdint.h>

#define TABLE_NONE UINT32_MAX /* what a key has that is absent */

struct table; /* begins as NULL */

uint32_t table_get(struct table *table, const void *key);
/* In place of what the key has.  Ends the process, which is the helper, when out of memory. */
void table_put(struct table **table, const void *key, uint32_t value);
void table_free(struct table **table); /* leaves NULL */
