/* prove.c - see prove.h. */
#include "shim/tune/prove.h"
#include <string.h>
#include "shim/guest/clock.h"
#include "shim/guest/guest.h"
#include "shim/site/arguments.h"
#include "shim/site/policy.h"
#include "shim/site/site_report.h"

#define MAX_FAILED_PROOFS 32       /* for a site, after which it is left alone */
#define PROOFS_NS         20000000 /* what proofs may cost in any case, in a run; without a budget: for a site */
#define FIRST_NS          1000000 /* ... of these, for a site of which it is known what its decision saves */
#define PROOFS_SHARE      0.02    /* and besides, as a share of the kernel time seen at the site */

/* Programs may change the arguments that a proof depends on at every launch, so that no proof holds for many
 * (proofs.h), and have many sites of short launches.  Beyond what they may cost in any case, proofs of a site
 * may cost a share of the kernel time seen, and half of what its decision has saved, added together: one
 * proof in any case. */
static bool worth_proving(const struct launching *l)
{
    struct shim_site *s = l->site;
    const double saved = (double)s->saved_ns * atomic_load(&s->decided_launches);
    const int64_t cost = atomic_load(&s->proof_ns),
                  all = policy_asked(l) == PROF_MEASURE ? atomic_load(&l->rt->proof_ns) : cost;

    return (all <= PROOFS_NS && (s->saved_ns <= 0 || cost <= FIRST_NS)) ||
           (double)cost <= saved / 2 + PROOFS_SHARE * (double)s->account.observed_ns;
}

static void charge(const struct launching *l, int64_t begin)
{
    const int64_t ns = clock_now() - begin;

    site_charge_proof(l->site, ns);
    atomic_fetch_add(&l->rt->proof_ns, ns);
}

bool prove_keeps_groups(const struct shim_site *s)
{
    return !sum_proved(s->entry->summary, SUM_FACT_S);
}

/* ... and is there none whose work-items have whole groups to do? */
static bool has_no_variant(const struct launching *l)
{
    const struct sum_wide *w = &l->site->entry->summary->wide;

    return prove_keeps_groups(l->site) &&
           (!launch_has_local(&l->shape) || l->shape.local[w->dimension] % w->lanes);
}

static void refuse_groups(const struct launching *l, const char *detail)
{
    const struct sum_verdict *s = &l->site->entry->summary->fact[SUM_FACT_S];

    report_refusal(l, true, sum_reason_name(s->reason), detail && *detail ? detail : s->detail);
    site_become(l->site, SITE_REFUSED);
}

bool prove_failed(const struct launching *l)
{
    bool holds;

    return proofs_know(&l->site->proofs, l, &holds) && !holds;
}

/* The question that a site's launches are asked, and the last answer. */
struct judging {
    const struct kernel_summary *k;
    struct sel_proof proof;
};

static bool proves(void *judging, const struct launch *launch)
{
    struct judging *j = judging;

    sel_judge(j->k, launch, &j->proof);
    return j->proof.groups.proven;
}

/* Is s->proof about this launch? */
static bool is_about(const struct launching *l, uint64_t fingerprint)
{
    const struct shim_site *s = l->site;

    return s->proof_of == fingerprint || (s->proof_range && proofs_range(&s->proofs, l) == s->proof_range);
}

bool prove_launch(const struct launching *l)
{
    struct shim_site *s = l->site;
    const uint64_t fingerprint = args_fingerprint(l, 0);
    const int64_t begin = clock_now();
    struct judging j = {.k = s->entry->summary};
    struct launch_arg args[ARGS_MOST];
    struct launch launch;
    uint64_t layout;

    if (s->proof.groups.proven && is_about(l, fingerprint))
        return true;
    if (prove_failed(l) || !worth_proving(l))
        return false;
    if (site_state(s) == SITE_NEW && has_no_variant(l)) {
        refuse_groups(l, NULL);
        return false;
    }
    launch = args_describe(l, args);
    layout = args_layout(l, args, 0);
    if (s->proof_layout == layout) {
        proofs_note(&s->proofs, l, layout, s->proof.groups.proven);
    } else {
        proofs_make(&s->proofs, l, args, &launch, proves, &j, &s->proof_range);
        s->proof = j.proof;
    }
    charge(l, begin);
    site_pay_proofs(s);
    s->proof_of = fingerprint;
    s->proof_layout = layout;
    if (s->proof.groups.proven)
        return true;
    if (site_state(s) == SITE_NEW && prove_keeps_groups(l->site)) {
        refuse_groups(l, s->proof.groups.detail);
        return false;
    }
    if (atomic_fetch_add(&s->failed_proofs, 1) == 0)
        report_refusal(l, true, sel_reason_name(s->proof.size.reason), s->proof.size.detail);
    if (atomic_load(&s->failed_proofs) >= MAX_FAILED_PROOFS)
        site_become(s, SITE_REFUSED);
    return false;
}

bool prove_size(const struct sel_proof *p, const size_t local[3], const struct launch *shape)
{
    if (!p->size.proven)
        return p->groups.proven && launch_same_size(local, shape->local);
    for (unsigned d = 0; d < 3; d++)
        if (local[d] && shape->global[d] % local[d] && !p->slice[d].proven)
            return false;
    return true;
}

/* Of arguments that were not met before.  A proof that was paid for and failed is remembered. */
static bool holds_now(const struct launching *l)
{
    struct shim_site *s = l->site;
    const int64_t begin = clock_now();
    struct judging j = {.k = s->entry->summary};
    struct launch_arg args[ARGS_MOST];
    const struct launch launch = args_describe(l, args);
    bool holds;

    if (proofs_know_layout(&s->proofs, l, args, &holds))
        return holds;
    if (!worth_proving(l))
        return false;
    holds = proofs_make(&s->proofs, l, args, &launch, proves, &j, NULL);
    charge(l, begin);
    return holds;
}

bool prove_holds(const struct launching *l)
{
    struct guest guest;
    bool holds;

    if (proofs_know(&l->site->proofs, l, &holds))
        return holds;
    guest_begin(&guest);
    holds = holds_now(l);
    guest_end(&guest);
    return holds;
}
