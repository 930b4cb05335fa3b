/* svm.c - see svm.h. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include "shim/guest/table.h"
#include "shim/object/svm.h"

struct allocation {
    const void *start;
    size_t size;
    UT_hash_handle hh;
};
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct allocation *allocations;

/* Take it out of the table; NULL if it is not there.  With the lock held. */
static struct allocation *take_out(const void *start)
{
    struct allocation *a;

    HASH_FIND_PTR(allocations, &start, a);
    if (a)
        HASH_DEL(allocations, a);
    return a;
}

void svm_allocated(const void *start, size_t size, cl_svm_mem_flags flags)
{
    const bool fine = flags & (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
    struct allocation *a = fine ? NULL : calloc(1, sizeof *a), *old;

    if (a)
        *a = (struct allocation){.start = start, .size = size};
    pthread_rwlock_wrlock(&lock);
    old = take_out(start); /* freed behind our back */
    if (a)
        HASH_ADD_PTR(allocations, start, a);
    pthread_rwlock_unlock(&lock);
    free(old);
    if (a && !a->hh.tbl) /* out of memory: it stays unknown */
        free(a);
}

void svm_freed(const void *start)
{
    struct allocation *a;

    pthread_rwlock_wrlock(&lock);
    a = take_out(start);
    pthread_rwlock_unlock(&lock);
    free(a);
}

size_t svm_size(const void *start)
{
    const struct allocation *a;
    size_t size;

    pthread_rwlock_rdlock(&lock);
    HASH_FIND_PTR(allocations, &start, a);
    size = a ? a->size : 0;
    pthread_rwlock_unlock(&lock);
    return size;
}
