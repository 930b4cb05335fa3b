/* vary_worth.c - see vary_worth.h. */
#include "shim/tune/vary_worth.h"
#include <string.h>
#include "shim/enqueue/variant_launch.h"
#include "shim/site/compile_ahead.h"
#include "shim/site/policy.h"
#include "shim/tune/verify.h"

#define LEAST_NS  20000   /* a launch that takes less is not worth a variant */
#define HOPED     0.5     /* of the time: what a variant may take of which nothing is known */
#define BINARY_NS 5000000 /* to build a program of its binary */
#define BUILD_NS  1e8     /* ... of its text, where nobody else can: a guess; on an H200 20 ms, at most 280 */

double vary_present_ns(const struct shim_site *s, double *own)
{
    *own = site_own_ns(s);
    return *own > (double)s->saved_ns ? *own - (double)s->saved_ns : 0;
}

double vary_seen_ns(const struct shim_site *s)
{
    double own, now = vary_present_ns(s, &own), seen = (double)s->account.observed_ns;

    now *= s->launches + atomic_load(&s->decided_launches);
    now += (double)s->earlier.observed_ns;
    return now > seen ? now : seen;
}

double vary_hope(const struct shim_site *s, double least)
{
    const struct prof_lane *lane = s->race.lane;
    const double own = site_own_ns(s);
    double now = 1;

    for (unsigned i = 1; s->variants && i < s->race.n; i++)
        if (lane[i].samples && lane[0].samples && lane[i].best < now * lane[0].best)
            now = lane[i].best / lane[0].best;
    if (s->vectors && s->memory_ns > least * own)
        least = s->memory_ns / own;
    return now > least ? (now - least) * (now - least) / (s->vectors ? 4 : 2) : 0;
}

bool vary_is_long(const struct shim_site *s)
{
    return site_own_ns(s) > LEAST_NS;
}

const struct prof_evidence *vary_evidence(const struct shim_site *s, const struct variant *v)
{
    const struct prof_past *past = s->before;
    const struct prof_evidence *found = NULL;

    for (unsigned i = 0; past && i < past->n; i++) {
        const struct prof_evidence *e = &past->candidate[i];
        if (e->samples && !e->failed && e->text == v->hash && strcmp(e->variant, v->label) == 0 &&
            (!found || e->best < found->best))
            found = e;
    }
    return found;
}

bool vary_is_known(const struct launching *l, const struct variant *v)
{
    const struct shim_site *s = l->site;

    if (l->rt->opt.verify)
        return false;
    return *s->wanted ? v->hash == s->wanted_text : vary_evidence(s, v) != NULL;
}

void vary_lend(const struct launching *l, const struct variant *v, const size_t local[3], double relative)
{
    struct shim_entry *e = l->site->entry;

    pthread_mutex_lock(&e->build->lock);
    e->verified = (struct site_verified){
        .text = v->hash, .relative = relative, .none = e->verified.none || relative <= 0};
    memcpy(e->verified.local, local, sizeof e->verified.local);
    pthread_mutex_unlock(&e->build->lock);
}

double vary_borrow(const struct launching *l, const struct variant *v, const size_t local[3])
{
    struct shim_entry *e = l->site->entry;
    struct site_verified found;

    if (l->rt->opt.verify || v->given || site_state(l->site) != SITE_RACING || l->site->in_slices ||
        !local[0] || (e->summary->has_barrier && obj_has(l->queue->device, DRV_LOSES_ROUNDS)))
        return 0;
    pthread_mutex_lock(&e->build->lock);
    found = e->verified;
    pthread_mutex_unlock(&e->build->lock);
    return !found.none && found.text == v->hash && launch_same_size(found.local, local) ? found.relative : 0;
}

/* What it costs to have `v`, in ns, or at least the next one if that is NULL: its program is built and,
 * unless that is `known` from earlier runs, it is compiled if no other process can have that done, and
 * verified. */
static double cost_ns(const struct launching *l, struct variant *v, bool known)
{
    const struct prof_account *a = &l->site->account;
    const double compile = policy_compile_ns(l),
                 build = v && variant_private(l, v)
                             ? 0 /* for another shape of the kernel, or kernel object */
                         : v && v->trial.has_binary ? BINARY_NS
                         : a->build_ns > 0          ? (double)a->build_ns
                         : compile > 0              ? compile
                                                    : BUILD_NS;

    if (known)
        return build;
    return build + (ahead_is_possible(l) ? 0 : compile) + (v ? verify_cost_ns(l, v) : 0);
}

bool vary_may_pay(const struct launching *l, struct variant *v, double borrowed)
{
    const struct shim_site *s = l->site;
    const struct prof_policy policy = policy_of(l);
    const struct prof_evidence *e = v ? vary_evidence(s, v) : NULL;
    const bool known = borrowed > 0 || (e && vary_is_known(l, v));
    const double cost = cost_ns(l, v, known), seen = vary_seen_ns(s),
                 gain = e              ? 1 - e->best
                        : borrowed > 0 ? 1 - borrowed
                                       : HOPED;
    struct prof_account account = s->account;

    account.observed_ns = (int64_t)seen; /* launches of a decided site are not all observed */
    return prof_may_spend(&account, &policy, (int64_t)cost, (int64_t)(gain * seen)) ||
           (known && gain * ((double)s->seen_ns + site_own_ns(s)) >= PROF_PAYBACK * cost);
}

void vary_charge_build(struct shim_site *s, struct variant *v)
{
    const int64_t ns = atomic_exchange(&v->unpaid_ns, 0);

    if (ns)
        prof_charge_build(&s->account, ns);
}
