/* known.h - handles that every launch looks up, and what is known of their objects, in one place of memory.
 *
 * A table (table.h) has a lock and half a dozen places, which are in no cache once the device's threads have
 * run.  This stands before it: an array in which each handle has one place, by its hash.  A place belongs to
 * the first handle put there, until that one is dropped; others are found in their table only. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "analysis/summary/hash.h"

#define KNOWN_PLACES 256

/* All zeros: empty. */
struct known {
    struct known_place {
        _Atomic(const void *) handle; /* NULL: free */
        _Atomic(void *) object;
    } place[KNOWN_PLACES];
};

static inline struct known_place *known_place(struct known *k, const void *handle)
{
    return &k->place[hash64_word(HASH64_START, (uintptr_t)handle) % KNOWN_PLACES];
}

/* The object that was put there for the handle, or NULL.  Takes no lock: its caller keeps the handle alive,
 * so nobody drops it meanwhile. */
static inline void *known_find(struct known *k, const void *handle)
{
    struct known_place *p = known_place(k, handle);

    if (!handle || atomic_load_explicit(&p->handle, memory_order_acquire) != handle)
        return NULL;
    return atomic_load_explicit(&p->object, memory_order_relaxed);
}

/* Put the object of the handle there if its place is free; NULLs are left out.  The caller holds a lock that
 * keeps the object from being dropped. */
void known_put(struct known *k, const void *handle, void *object);

/* The handle, if it is there, is about to lose its object. */
void known_drop(struct known *k, const void *handle);
