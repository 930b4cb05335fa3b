/* references.c - see references.h. */
#include "shim/object/references.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "analysis/summary/hash.h"

#define SLOTS 65536 /* a power of two */

/* What the application did to the handles that hash to a slot.  A driver may give the next object the handle
 * of one that is gone, so a handle alone does not tell which object it is. */
static struct slot {
    _Atomic(const void *) user; /* the object whose retained references it counts; NULL: none; or SEVERAL */
    atomic_uint released;       /* references given up, of all objects together */
    atomic_int retained; /* references that are still held beyond the one that each object is made with */
    atomic_uint gone;    /* objects whose last reference was given up, or may have been */
} slots[SLOTS];

#define SEVERAL ((const void *)slots) /* no object's address */

static struct slot *slot_of(const void *handle)
{
    return &slots[hash64_word(HASH64_START, (uintptr_t)handle) % SLOTS];
}

/* Is this the only object in the slot?  Once there is a second one, it is not known any more whose retained
 * references are still held. */
static bool has_to_itself(struct slot *s, const void *handle)
{
    const void *user = NULL;

    if (atomic_compare_exchange_strong(&s->user, &user, handle) || user == handle)
        return true;
    atomic_store(&s->user, SEVERAL);
    return false;
}

void ref_retained(const void *handle)
{
    struct slot *s = slot_of(handle);

    has_to_itself(s, handle); /* first, so that whoever counts this reference down knows whose it may be */
    atomic_fetch_add_explicit(&s->retained, 1, memory_order_release);
}

void ref_released(const void *handle)
{
    struct slot *s = slot_of(handle);
    const void *user = handle;
    int retained = atomic_load_explicit(&s->retained, memory_order_relaxed);

    atomic_fetch_add_explicit(&s->released, 1, memory_order_relaxed);
    while (retained > 0)
        if (atomic_compare_exchange_weak(&s->retained, &retained, retained - 1)) {
            if (has_to_itself(s, handle))
                return;
            break;
        }
    atomic_compare_exchange_strong(&s->user, &user, NULL); /* its last: the slot is free for others */
    atomic_fetch_add_explicit(&s->gone, 1, memory_order_relaxed);
}

unsigned ref_gone(const void *handle)
{
    return atomic_load_explicit(&slot_of(handle)->gone, memory_order_relaxed);
}

unsigned ref_releases(const void *handle)
{
    return atomic_load_explicit(&slot_of(handle)->released, memory_order_relaxed);
}
