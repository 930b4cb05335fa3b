/* object_table.h - tables of the application's objects by handle: finding, counting references, dropping.
 *
 * For queues.c, programs.c, kernels.c and extension.c: one table and one lock each, a pthread_mutex_t or,
 * where launches read the table, a pthread_rwlock_t, so that readers share it.  Under a lock no driver call
 * is made, but for obj_hold_confused_queues(). */
#pragma once

#include <pthread.h>
#include "shim/guest/table.h"

#define FOR_KIND(lock, of_mutex, of_rwlock)                                                                  \
    _Generic(&(lock), pthread_mutex_t * : of_mutex, pthread_rwlock_t * : of_rwlock)(&(lock))
#define LOCK_TO_READ(lock)  FOR_KIND(lock, pthread_mutex_lock, pthread_rwlock_rdlock)
#define LOCK_TO_WRITE(lock) FOR_KIND(lock, pthread_mutex_lock, pthread_rwlock_wrlock)
#define UNLOCK(lock)        FOR_KIND(lock, pthread_mutex_unlock, pthread_rwlock_unlock)

#define FIND_AND(table, lock, handle_, out, then)                                                            \
    do {                                                                                                     \
        LOCK_TO_READ(lock);                                                                                  \
        TABLE_FIND(table, handle_, out);                                                                     \
        then;                                                                                                \
        UNLOCK(lock);                                                                                        \
    } while (0)

#define FIND(table, lock, handle_, out) FIND_AND(table, lock, handle_, out, (void)0)

/* A handle that is still in the table was recycled behind our back: the old state goes. */
#define PUT(table, lock, item, drop)                                                                         \
    do {                                                                                                     \
        __typeof__(table) old_;                                                                              \
        LOCK_TO_WRITE(lock);                                                                                 \
        TABLE_FIND(table, (item)->handle, old_);                                                             \
        if (old_)                                                                                            \
            HASH_DEL(table, old_);                                                                           \
        TABLE_ADD(table, item);                                                                              \
        UNLOCK(lock);                                                                                        \
        if (old_)                                                                                            \
            drop(old_);                                                                                      \
        if (!(item)->hh.tbl) /* out of memory: the object stays unknown */                                   \
            drop(item);                                                                                      \
    } while (0)

#define RETAIN(table, lock, handle_)                                                                         \
    do {                                                                                                     \
        __typeof__(table) found_;                                                                            \
        FIND(table, lock, handle_, found_);                                                                  \
        if (found_)                                                                                          \
            atomic_fetch_add(&found_->refs, 1);                                                              \
    } while (0)

/* With the last reference, do `then`, and drop what is known of the object. */
#define RELEASE(table, lock, handle_, drop, then)                                                            \
    do {                                                                                                     \
        __typeof__(table) found_;                                                                            \
        LOCK_TO_WRITE(lock);                                                                                 \
        TABLE_FIND(table, handle_, found_);                                                                  \
        if (found_ && atomic_fetch_sub(&found_->refs, 1) == 1)                                               \
            HASH_DEL(table, found_);                                                                         \
        else                                                                                                 \
            found_ = NULL;                                                                                   \
        UNLOCK(lock);                                                                                        \
        if (found_) {                                                                                        \
            then;                                                                                            \
            drop(found_);                                                                                    \
        }                                                                                                    \
    } while (0)
