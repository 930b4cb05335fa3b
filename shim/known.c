/* known.c - see known.h.
 *
 * While its handle may be in use, a place does not change.  So who finds the handle there finds the object
 * that belongs to it, whatever happened to the place before. */
#include "shim/known.h"
#include <stdint.h>
#include "analysis/hash.h"
#include "shim/util.h"

static const char being_taken; /* its address is no handle */

static HOT struct known_place *place_of(struct known *k, const void *handle)
{
    return &k->place[hash64_word(HASH64_START, (uintptr_t)handle) % KNOWN_PLACES];
}

HOT void *known_find(struct known *k, const void *handle)
{
    struct known_place *p = place_of(k, handle);

    if (!handle || atomic_load_explicit(&p->handle, memory_order_acquire) != handle)
        return NULL;
    return atomic_load_explicit(&p->object, memory_order_relaxed);
}

void known_put(struct known *k, const void *handle, void *object)
{
    struct known_place *p = place_of(k, handle);
    const void *nobody = NULL;

    if (!handle || !object || !atomic_compare_exchange_strong(&p->handle, &nobody, &being_taken))
        return;
    atomic_store_explicit(&p->object, object, memory_order_relaxed);
    atomic_store_explicit(&p->handle, handle, memory_order_release);
}

void known_drop(struct known *k, const void *handle)
{
    if (handle)
        atomic_compare_exchange_strong(&place_of(k, handle)->handle, &handle, NULL);
}
