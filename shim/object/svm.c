/* svm.c - see svm.h.  A tree in the order of contexts and addresses, to which places that overlap are equal.
 */
#include "shim/object/svm.h"
#include <pthread.h>
#include <search.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *allocations;
static _Atomic uint64_t changes;

static int compare(const void *one, const void *other)
{
    const struct svm_allocation *a = one, *b = other;

    if (a->context != b->context)
        return (uintptr_t)a->context < (uintptr_t)b->context ? -1 : 1;
    if (a->start < b->start)
        return b->start - a->start >= a->size ? -1 : 0;
    return a->start - b->start >= b->size ? 1 : 0;
}

/* Take out what overlaps `place`; NULL if nothing does.  With the lock held. */
static struct svm_allocation *take_out(const struct svm_allocation *place)
{
    struct svm_allocation *const *node = tfind(place, &allocations, compare), *a;

    if (!node)
        return NULL;
    a = *node;
    tdelete(a, &allocations, compare);
    return a;
}

void svm_allocated(cl_context context, const void *start, size_t size, bool quiet)
{
    const struct svm_allocation place = {.context = context, .start = (uintptr_t)start, .size = size};
    struct svm_allocation *a = quiet && size ? malloc(sizeof *a) : NULL, *old;

    pthread_rwlock_wrlock(&lock);
    while ((old = take_out(&place))) /* freed behind our back */
        free(old);
    if (a) {
        *a = place;
        if (!tsearch(a, &allocations, compare)) /* out of memory: it stays unknown */
            free(a);
    }
    atomic_fetch_add(&changes, 1);
    pthread_rwlock_unlock(&lock);
}

void svm_freed(cl_context context, const void *start)
{
    struct svm_allocation *a;

    pthread_rwlock_wrlock(&lock);
    a = take_out(&(struct svm_allocation){.context = context, .start = (uintptr_t)start, .size = 1});
    atomic_fetch_add(&changes, 1);
    pthread_rwlock_unlock(&lock);
    free(a);
}

bool svm_find(cl_context context, const void *pointer, struct svm_allocation *found)
{
    const struct svm_allocation place = {.context = context, .start = (uintptr_t)pointer, .size = 1};
    struct svm_allocation *const *node;

    pthread_rwlock_rdlock(&lock);
    node = tfind(&place, &allocations, compare);
    if (node)
        *found = **node;
    pthread_rwlock_unlock(&lock);
    return node != NULL;
}

uint64_t svm_changes(void)
{
    return atomic_load_explicit(&changes, memory_order_relaxed);
}
