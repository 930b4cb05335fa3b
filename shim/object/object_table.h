/* object_table.h - tables of the application's objects by handle: finding, counting references, dropping.
 *
 * For queues.c, programs.c and kernels.c: one table and one lock each, a pthread_mutex_t or, where launches
 * read the table, a pthread_rwlock_t, so that readers share it.  Under a lock no driver call is made, but for
 * obj_hold_confused_queues(). */
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
        const void *key_ = (handle_);                                                                        \
        LOCK_TO_READ(lock);                                                                                  \
        TABLE_FIND(table, key_, table_hash(key_), out);                                                      \
        then;                                                                                                \
        UNLOCK(lock);                                                                                        \
    } while (0)

#define FIND(table, lock, handle_, out) FIND_AND(table, lock, handle_, out, (void)0)

/* A handle that is still in the table was recycled behind our back: the old state goes. */
#define PUT(table, lock, item, old, drop)                                                                    \
    do {                                                                                                     \
        const unsigned hash_ = table_hash((item)->handle);                                                   \
        LOCK_TO_WRITE(lock);                                                                                 \
        TABLE_FIND(table, (item)->handle, hash_, old);                                                       \
        if (old)                                                                                             \
            HASH_DEL(table, old);                                                                            \
        TABLE_ADD(table, hash_, item);                                                                       \
        UNLOCK(lock);                                                                                        \
        if (old)                                                                                             \
            drop(old);                                                                                       \
        if (!(item)->hh.tbl) /* out of memory: the object stays unknown */                                   \
            drop(item);                                                                                      \
    } while (0)

#define RETAIN(table, lock, type, handle_)                                                                   \
    do {                                                                                                     \
        type *found_;                                                                                        \
        FIND(table, lock, handle_, found_);                                                                  \
        if (found_)                                                                                          \
            atomic_fetch_add(&found_->refs, 1);                                                              \
    } while (0)

/* `gone`: set to whether that was the last reference. */
#define RELEASE(table, lock, type, handle_, drop, gone)                                                      \
    do {                                                                                                     \
        const void *key_ = (handle_);                                                                        \
        type *found_;                                                                                        \
        LOCK_TO_WRITE(lock);                                                                                 \
        TABLE_FIND(table, key_, table_hash(key_), found_);                                                   \
        if (found_ && atomic_fetch_sub(&found_->refs, 1) == 1)                                               \
            HASH_DEL(table, found_);                                                                         \
        else                                                                                                 \
            found_ = NULL;                                                                                   \
        UNLOCK(lock);                                                                                        \
        gone = found_ != NULL;                                                                               \
        if (found_)                                                                                          \
            drop(found_);                                                                                    \
    } while (0)
