/* lifetime.h - begin and end of the library in a process.
 *
 * It starts at the first intercepted call and reads its options then.  It ends in an exit handler, or in a
 * fork child at once: calls are bare from then on. */
#pragma once

#include "shim/ledger/runtime.h"

/* For rt_get(): start the library, unless that has been done.  Returns what rt_current() does then. */
struct runtime *rt_start(void);

/* The runtime, started if this is the first intercepted call; NULL when off, in a fork child, or after
 * teardown.  Every interceptor asks this, or rt_tracks(), before it calls anything else of the library. */
static inline struct runtime *rt_get(void)
{
    struct runtime *rt = rt_current();

    return rt ? rt : rt_start();
}

/* Are the application's objects being kept track of?  Unlike rt_get(), still true after teardown: what was
 * hidden from the application stays hidden from its exit handlers. */
bool rt_tracks(void);
