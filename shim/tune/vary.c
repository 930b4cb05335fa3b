/* vary.c - see vary.h. */
#include "shim/tune/vary.h"
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/hash.h"
#include "shim/enqueue/launch.h"
#include "shim/enqueue/variant_launch.h"
#include "shim/guest/guest.h"
#include "shim/guest/util.h"
#include "shim/ledger/reasons.h"
#include "shim/site/site_report.h"
#include "shim/tune/fixed.h"
#include "shim/tune/prove.h"
#include "shim/tune/verify.h"

#define LOOKED_AT 4  /* launches that show which arguments change */
#define MOST_LATE 64 /* launches after which a variant that cannot be verified is given up */

/* The search for a site's variant. */
struct vary {
    unsigned launches;     /* whose arguments were looked at */
    uint64_t steady;       /* bit i: argument i was the same in all of them; 63: so were all from there on */
    uint64_t argument[64]; /* their hashes */
    struct variant *offered; /* to be built and verified; NULL: none yet */
};

static void end_search(struct shim_site *s)
{
    free(s->vary);
    s->vary = NULL;
}

/* No variant: launches of a kept size need no look any more. */
static void give_up(struct shim_site *s)
{
    end_search(s);
    atomic_store(&s->varies, SITE_AS_DECIDED);
    atomic_store(&s->as_written, s->keep);
}

static void refuse(const struct launching *l, const char *reason, const char *detail)
{
    report_launch(l, (struct rep_event){.event = "observed", .reason = reason, .detail = detail});
    give_up(l->site);
}

bool vary_adopt(const struct launching *l, struct variant *v, bool *later)
{
    struct shim_site *s = l->site;
    const char *reason = NULL, *detail = NULL;
    enum variant_result built = variant_holds(v, l) ? variant_build(l, v, &reason) : VARIANT_NOT_NOW;
    enum verified verified =
        built == VARIANT_LAUNCHED ? verify_variant(l, v, s->choice, &detail) : VERIFIED_LATER;

    *later = built != VARIANT_BROKEN && verified == VERIFIED_LATER;
    if (built == VARIANT_BROKEN)
        refuse(l, reason, rsn_words(reason));
    else if (verified == VERIFIED_NOT)
        refuse(l, "variant-unverified", detail);
    else if (verified == VERIFIED_DIFFERENT)
        refuse(l, "variant-differs", detail);
    if (verified != VERIFIED_EQUAL)
        return false;
    end_search(s);
    s->variant = v;
    atomic_store_explicit(&s->varies, SITE_VARIANT, memory_order_release);
    report_launch(l, (struct rep_event){.event = "observed", .reason = "variant-used", .detail = v->label});
    return true;
}

/* The arguments' hashes, those from the 64th on as one. */
static void hash_arguments(const struct shim_kernel *k, uint64_t hash[64])
{
    memset(hash, 0, 64 * sizeof *hash);
    for (unsigned i = 0; i < k->nargs; i++)
        hash[i < 63 ? i : 63] = hash64_word(hash[i < 63 ? i : 63], k->args[i].hash);
}

/* Which arguments are the same as at the launches before? */
static void look_at_arguments(const struct launching *l, struct vary *x)
{
    uint64_t hash[64];

    hash_arguments(l->kernel, hash);
    if (!x->launches++) {
        x->steady = UINT64_MAX;
        memcpy(x->argument, hash, sizeof hash);
    }
    for (unsigned i = 0; i < 64; i++)
        if (hash[i] != x->argument[i])
            x->steady &= ~(UINT64_C(1) << i);
}

/* One step closer to a variant.  Site locked. */
static void prepare(const struct launching *l)
{
    struct shim_site *s = l->site;
    const char *reason = "variant-no-memory";
    struct vary *x = s->vary ? s->vary : (s->vary = calloc(1, sizeof *s->vary));
    bool later;

    if (x)
        look_at_arguments(l, x);
    if (x && x->launches < LOOKED_AT)
        return;
    if (!s->choice[0] || !split_divides(s->choice, l->shape.global))
        refuse(l, "variant-size", rsn_words("variant-size"));
    else if (!x || (!x->offered && !(x->offered = fixed_variant(l, x->steady, s->choice, &reason))))
        refuse(l, reason, rsn_words(reason));
    else if (!vary_adopt(l, x->offered, &later) && later && x->launches >= MOST_LATE)
        refuse(l, "variant-unverified", "no launch could be waited for");
}

static void prepare_locked(const struct launching *l)
{
    struct guest guest;

    if (!guest_has_stack() || util_confined() || !launch_may_use_other(l) ||
        pthread_mutex_trylock(&l->site->lock))
        return;
    guest_begin(&guest);
    if (atomic_load(&l->site->varies) == SITE_MAY_VARY && prove_launch(l))
        prepare(l);
    pthread_mutex_unlock(&l->site->lock);
    guest_end(&guest);
}

/* The variant does not work: give it up. */
static void forsake(const struct launching *l, const char *reason)
{
    if (pthread_mutex_trylock(&l->site->lock))
        return;
    refuse(l, reason, rsn_words(reason));
    pthread_mutex_unlock(&l->site->lock);
}

bool vary_launch(const struct launching *l)
{
    struct shim_site *s = l->site;
    const int varies = atomic_load_explicit(&s->varies, memory_order_acquire);
    enum variant_result result;
    const char *reason = NULL;

    if (varies == SITE_MAY_VARY)
        prepare_locked(l);
    if (varies != SITE_VARIANT || !guest_has_stack() || !prove_holds(l) || !launch_may_use_other(l))
        return false;
    result = variant_launch(l, s->variant, s->choice, NULL, &reason);
    if (result == VARIANT_BROKEN)
        forsake(l, reason);
    return result == VARIANT_LAUNCHED;
}
