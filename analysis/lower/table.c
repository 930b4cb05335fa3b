/* table.c - look-up by LLVM's pointers: see ir.h. */
#include "analysis/lower/ir.h"

#include <stdlib.h>
#include <uthash.h>

struct table {
    const void *key;
    uint32_t value;
    UT_hash_handle hh;
};

uint32_t table_get(struct table *table, const void *key)
{
    struct table *e;

    HASH_FIND_PTR(table, &key, e);
    return e ? e->value : TABLE_NONE;
}

void table_put(struct table **table, const void *key, uint32_t value)
{
    struct table *e;

    HASH_FIND_PTR(*table, &key, e);
    if (!e) {
        e = must_calloc(1, sizeof *e);
        e->key = key;
        HASH_ADD_PTR(*table, key, e);
    }
    e->value = value;
}

void table_free(struct table **table)
{
    struct table *e, *next;

    HASH_ITER(hh, *table, e, next)
    {
        HASH_DEL(*table, e);
        free(e);
    }
}
