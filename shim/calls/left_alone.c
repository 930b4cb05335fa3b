/* left_alone.c - see left_alone.h. */
#include "shim/calls/left_alone.h"
#include <string.h>
#include "analysis/summary/hash.h"
#include "shim/ledger/reasons.h"

#define ROWS 1024
#define LOOK 16 /* rows in which a kernel may be, from the one that its hash names */

/* Launches of kernels of one name for one reason: programs that create a kernel object for each launch would
 * have them reported without end. */
static struct tally {
    atomic_ullong hash; /* of name and reason; 0: none */
    atomic_uint launches;
    _Atomic(char *) name; /* lives as long as the process; NULL: not yet, or out of memory */
    const char *reason;
} tallies[ROWS];

/* Where the kernel's launches are counted, *fresh: from now on.  NULL when the table is full. */
static struct tally *tally_of(const struct shim_kernel *k, const char *reason, bool *fresh)
{
    const uint64_t h = hash64(hash64(HASH64_START, k->name, strlen(k->name)), reason, strlen(reason)) | 1;

    for (unsigned i = 0; i < LOOK; i++) {
        struct tally *t = &tallies[((h >> 8) + i) % ROWS];
        unsigned long long none = 0;
        *fresh = atomic_compare_exchange_strong(&t->hash, &none, h);
        if (*fresh) {
            t->reason = reason;
            atomic_store(&t->name, strdup(k->name));
        }
        if (*fresh || none == h)
            return t;
    }
    *fresh = true;
    return NULL;
}

/* Count a launch, and report the reason once per kernel.  True if this call did. */
static bool note(struct runtime *rt, struct shim_kernel *k, const struct launch *shape, const char *event,
                 const char *reason)
{
    struct tally *t;
    bool fresh;

    if (left_alone_again(k))
        return false;
    t = tally_of(k, reason, &fresh);
    if (t) {
        atomic_fetch_add(&t->launches, 1);
        atomic_store_explicit(&k->left_alone, &t->launches, memory_order_release);
    } else if (atomic_exchange(&k->reported, true)) {
        return false;
    }
    if (!fresh)
        return false;
    rep_emit(rt->report, &(struct rep_event){.event = event,
                                             .kernel = k->name,
                                             .launch = shape,
                                             .reason = reason,
                                             .detail = rsn_words(reason)});
    return true;
}

void left_alone(struct runtime *rt, struct shim_kernel *k, const struct launch *shape, const char *reason)
{
    if (!note(rt, k, shape, "refusal", reason))
        return;
    atomic_fetch_add(&rt->total.kernels, 1);
    atomic_fetch_add(&rt->total.refused, 1);
    if (strcmp(reason, "from-binary") == 0)
        atomic_store(&rt->from_binary, true);
}

void left_without_site(struct runtime *rt, struct shim_kernel *k, const struct launch *shape,
                       const char *reason)
{
    note(rt, k, shape, "observed", reason);
}

void left_alone_at_exit(struct runtime *rt)
{
    for (struct tally *t = tallies; t < tallies + ROWS; t++) {
        const char *name = atomic_load(&t->name);
        const struct rep_launches launches = {.state = "refused", .n = atomic_load(&t->launches)};
        if (name)
            rep_emit(rt->report,
                     &(struct rep_event){
                         .event = "launches", .kernel = name, .reason = t->reason, .launches = &launches});
    }
}
