/* known.c - see known.h.
 *
 * While its handle may be in use, a place does not change.  So who finds the handle there finds the object
 * that belongs to it, whatever happened to the place before. */
#include "shim/object/known.h"

static const char being_taken; /* its address is no handle */

void known_put(struct known *k, const void *handle, void *object)
{
    struct known_place *p = known_place(k, handle);
    const void *nobody = NULL;

    if (!handle || !object || !atomic_compare_exchange_strong(&p->handle, &nobody, &being_taken))
        return;
    atomic_store_explicit(&p->object, object, memory_order_relaxed);
    atomic_store_explicit(&p->handle, handle, memory_order_release);
}

void known_drop(struct known *k, const void *handle)
{
    if (handle)
        atomic_compare_exchange_strong(&known_place(k, handle)->handle, &handle, NULL);
}
