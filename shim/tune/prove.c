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
 * (scalar_ranges.h), and have many sites of short launches.  Beyond what they may cost in any case, proofs of
 * a site may cost a share of the kernel time seen, and half of what its decision has saved, added together:
 * one proof in any case.
 */
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

    report_refusal(l, "S", sum_reason_name(s->reason), detail && *detail ? detail : s->detail);
    site_become(l->site, SITE_REFUSED);
}

bool prove_failed(const struct launching *l)
{
    return atomic_load(&l->site->disproved) == args_fingerprint(l->site, l->kernel, &l->shape, 0);
}

struct between {
    const struct shim_site *s;
    struct sel_proof proof;
};

static bool proves(void *between, const struct launch *launch)
{
    struct between *b = between;

    sel_judge(b->s->entry->summary, launch, &b->proof);
    return b->proof.groups.proven;
}

/* Make s->proof, for more launches than this one if that can be. */
static void judge(const struct launching *l, const struct launch *launch, struct launch_arg *args)
{
    struct shim_site *s = l->site;
    struct between b = {.s = s};

    s->proof_range = NULL;
    if (scalars_prove(&s->scalars, s, l->kernel, launch, args, proves, &b)) {
        s->proof = b.proof;
        s->proof_range = scalars_hold(&s->scalars, s, l->kernel, &l->shape);
    } else {
        sel_judge(s->entry->summary, launch, &s->proof);
    }
}

/* Is s->proof about this launch? */
static bool is_about(const struct launching *l, uint64_t fingerprint)
{
    const struct shim_site *s = l->site;

    return s->proof_of == fingerprint ||
           (s->proof_range && scalars_hold(&s->scalars, s, l->kernel, &l->shape) == s->proof_range);
}

bool prove_launch(const struct launching *l)
{
    struct shim_site *s = l->site;
    const uint64_t fingerprint = args_fingerprint(s, l->kernel, &l->shape, 0);
    const int64_t begin = clock_now();
    struct launch_arg args[ARGS_MOST];
    struct launch launch;
    uint64_t layout;

    if (s->proof.groups.proven && is_about(l, fingerprint))
        return true;
    if (atomic_load(&s->disproved) == fingerprint || !worth_proving(l))
        return false;
    if (site_state(s) == SITE_NEW && has_no_variant(l)) {
        refuse_groups(l, NULL);
        return false;
    }
    launch = args_describe(l, args);
    layout = args_layout(s, l->kernel, &launch, 0);
    if (s->proof_layout != layout)
        judge(l, &launch, args);
    charge(l, begin);
    site_pay_proofs(s);
    s->proof_of = fingerprint;
    s->proof_layout = layout;
    if (s->proof.groups.proven) {
        site_set_proved(&s->proved, fingerprint);
        site_set_proved(&s->proved_layouts, layout);
        return true;
    }
    if (site_state(s) == SITE_NEW && prove_keeps_groups(l->site)) {
        refuse_groups(l, s->proof.groups.detail);
        return false;
    }
    atomic_store(&s->disproved, fingerprint);
    atomic_store(&s->disproved_layout, layout);
    if (atomic_fetch_add(&s->failed_proofs, 1) == 0)
        report_refusal(l, "S", sel_reason_name(s->proof.size.reason), s->proof.size.detail);
    if (atomic_load(&s->failed_proofs) >= MAX_FAILED_PROOFS)
        site_become(s, SITE_REFUSED);
    return false;
}

bool prove_size(const struct sel_proof *p, const size_t local[3], const struct launch *shape)
{
    if (!p->size.proven)
        return p->groups.proven && memcmp(local, shape->local, sizeof shape->local) == 0;
    for (unsigned d = 0; d < 3; d++)
        if (local[d] && shape->global[d] % local[d] && !p->slice[d].proven)
            return false;
    return true;
}

/* May the launch have the site's choice? */
static bool allows_choice(void *site, const struct launch *launch)
{
    const struct shim_site *s = site;
    struct sel_proof proof;

    sel_judge(s->entry->summary, launch, &proof);
    return prove_size(&proof, s->choice, launch);
}

/* If another proof is worth its cost and fails, that is noted for the arguments with this fingerprint. */
static bool proved_anew(const struct launching *l, uint64_t fingerprint)
{
    struct shim_site *s = l->site;
    const int64_t begin = clock_now();
    struct launch_arg args[ARGS_MOST];
    const struct launch launch = args_describe(l, args);
    const uint64_t layout = args_layout(s, l->kernel, &launch, 0);
    bool proved = false;

    if (site_is_proved(&s->proved_layouts, layout) || scalars_are_proved(&s->scalars, s, l->kernel, &launch))
        return true;
    if (!worth_proving(l))
        return false;
    if (atomic_load(&s->disproved_layout) == layout) {
        atomic_store(&s->disproved, fingerprint);
    } else if (scalars_prove(&s->scalars, s, l->kernel, &launch, args, allows_choice, s)) {
        proved = true;
    } else if (allows_choice(s, &launch)) {
        site_set_proved(&s->proved_layouts, layout);
        proved = true;
    } else {
        atomic_store(&s->disproved_layout, layout);
        atomic_store(&s->disproved, fingerprint);
    }
    charge(l, begin);
    return proved;
}

bool prove_holds(const struct launching *l)
{
    struct shim_site *s = l->site;
    const uint64_t fingerprint = args_fingerprint(s, l->kernel, &l->shape, 0);
    struct guest guest;
    bool proved;

    if (site_is_proved(&s->proved, fingerprint) || scalars_hold(&s->scalars, s, l->kernel, &l->shape))
        return true;
    if (atomic_load(&s->disproved) == fingerprint)
        return false;
    guest_begin(&guest);
    proved = proved_anew(l, fingerprint);
    if (proved)
        site_set_proved(&s->proved, fingerprint);
    guest_end(&guest);
    return proved;
}
