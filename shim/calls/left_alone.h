/* left_alone.h - launches that are passed on without a look, because nothing is known of their kernel or
 * because it is left alone whatever is known: why is told once, and they are counted.  Thread-safe. */
#pragma once

#include "shim/ledger/runtime.h"
#include "shim/object/kernels.h"

/* A launch of a kernel that is left alone for this reason (reasons.h; a static string). */
void left_alone(struct runtime *rt, struct shim_kernel *k, const struct launch *shape, const char *reason);

/* A launch that has no site, for this reason. */
void left_without_site(struct runtime *rt, struct shim_kernel *k, const struct launch *shape,
                       const char *reason);

/* Another launch of the kernel; false if there was none before. */
static inline bool left_alone_again(const struct shim_kernel *k)
{
    atomic_uint *launches = atomic_load_explicit(&k->left_alone, memory_order_acquire);

    if (launches)
        atomic_fetch_add_explicit(launches, 1, memory_order_relaxed);
    return launches;
}

/* At the end of the process: report how many launches there were ("launches" events). */
void left_alone_at_exit(struct runtime *rt);
