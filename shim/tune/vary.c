/* vary.c - see vary.h. */
#include "shim/tune/vary.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/enqueue/launch.h"
#include "shim/enqueue/variant_launch.h"
#include "shim/guest/guest.h"
#include "shim/guest/util.h"
#include "shim/ledger/pool.h"
#include "shim/ledger/reasons.h"
#include "shim/site/compile_ahead.h"
#include "shim/site/policy.h"
#include "shim/site/samples_in_flight.h"
#include "shim/site/site_report.h"
#include "shim/tune/limits.h"
#include "shim/tune/prove.h"
#include "shim/tune/record.h"
#include "shim/tune/settle.h"
#include "shim/tune/vary_search.h"
#include "shim/tune/vary_sizes.h"
#include "shim/tune/vary_worth.h"

#define MOST_MISSED 16  /* launches that a competing variant did not do the work of */
#define ASK_EVERY   4   /* launches of a decided site */
#define DISTURBED   1.5 /* times as long as else: what a kernel may take beside another process */
#define WORTH_IT    0.8 /* of the time: a variant that takes more is not used */
#define FAR_BETTER  0.5 /* of the time: what sizes alone are not expected to save */

/* ---- in a race -------------------------------------------------------------------------------------- */

bool vary_wants_launches(const struct launching *l)
{
    return l->site->variants || vary_joins(l);
}

/* The launch on copies is its first sample, unless earlier runs have left some. */
static void add_lane(struct shim_site *s, const struct vary_found *f, const size_t local[3],
                     double predicted_ns)
{
    struct prof_race *r = &s->race;
    const unsigned lane = prof_race_join(r, f->variant->label, f->variant->hash, local, predicted_ns);
    const bool verified = launch_same_size(local, f->local);

    if (!lane)
        return;
    r->lane[lane].seen = r->lane[lane].looked_at = verified;
    r->lane[lane].known = verified || variant_is_compiled(f->variant, local);
    if (s->before)
        prof_race_resume_lane(r, lane, s->before);
    if (verified && f->v.made && site_work(s) > 0)
        prof_race_add(r, lane, site_items(s), (int64_t)((double)f->v.variant_ns / site_work(s)), 0);
}

/* Let the variant join the race: with the size of which something is known, and with the leading size, or
 * else with the program's and the model's.  Sizes of the program's kernel that promise less leave it. */
static void join(const struct launching *l, const struct vary_found *f, double relative)
{
    struct shim_site *s = l->site;
    struct vary_entrant entrant[VARY_MOST_SIZES];
    const unsigned n = vary_entrants(l, f->variant, entrant);

    f->variant->next = s->variants;
    s->variants = f->variant;
    add_lane(s, f, f->local, relative * s->race.lane[0].predicted_ns);
    for (unsigned i = 0; i < n; i++)
        if (!launch_same_size(entrant[i].local, f->local) && limits_alike(l, f->local, entrant[i].local))
            add_lane(s, f, entrant[i].local, relative * entrant[i].predicted_ns);
    prof_race_outdo(&s->race, relative);
    if (s->vary)
        s->vary->promised = relative;
    report_launch(l, (struct rep_event){
                         .event = "observed", .reason = "variant-competes", .detail = f->variant->label});
}

/* "variant-slower", with both times in ns. */
static void report_slower(const struct launching *l, const struct variant *v, double variant_ns, double than)
{
    char words[96];

    snprintf(words, sizeof words, "%s: %.3f ms instead of %.3f ms", v->label, variant_ns / 1e6, than / 1e6);
    vary_report_refused(l, "variant-slower", words);
}

/* It joins if it was not slower where it was verified; beside the process that tried it and still compiles,
 * one look says little of that. */
static void join_if_fast(const struct launching *l, struct vary_found *f)
{
    const double best = l->site->race.lane[0].best * (double)site_items(l->site);
    const struct prof_evidence *e = vary_evidence(l->site, f->variant);
    /* A part is compared with a part; in a race the shortest times are. */
    const double own = f->v.made ? site_own_ns(l->site) : (double)f->v.own_ns;

    if (e || f->borrowed > 0 || (double)f->v.variant_ns < (f->variant->trial.more ? DISTURBED : 1) * own) {
        double relative = e                 ? e->best
                          : f->borrowed > 0 ? f->borrowed
                                            : (double)f->v.variant_ns / (f->v.made && best > 0 ? best : own);
        if (!e && relative > 1) /* disturbed */
            relative = 1;
        if (e && !f->v.variant_ns) /* it was not verified now */
            memcpy(f->local, e->local, sizeof f->local);
        if (f->borrowed <= 0)
            vary_lend(l, f->variant, f->local, relative);
        join(l, f, relative);
        return;
    }
    report_slower(l, f->variant, (double)f->v.variant_ns, own);
    vary_give_back(l->site, f->variant);
}

bool vary_may_join(const struct launching *l)
{
    const struct shim_site *s = l->site;

    if (!vary_joins(l) || prove_keeps_groups(s))
        return vary_joins(l);
    return s->vary ? !s->vary->waits && vary_may_pay(l, s->vary->offered, s->vary->borrowed)
                   : vary_may_pay(l, NULL, 0);
}

/* It was not verified now, since it was in an earlier run, which measured its sizes, or at another shape. */
static void recall_time(const struct launching *l, struct vary_found *f)
{
    const struct prof_evidence *e = vary_evidence(l->site, f->variant);
    double own;

    vary_present_ns(l->site, &own);
    f->v.own_ns = (int64_t)own;
    f->v.variant_ns = (int64_t)((e ? e->best : f->borrowed) * own);
    if (e)
        memcpy(f->local, e->local, sizeof f->local);
}

/* Does the variant take less time than a launch as decided?  Note by how much.  What the program's kernel
 * took beside it counts, as earlier times may be of slices, which stay in the cache.  But a whole launch was
 * looked at once: if an earlier one took less, that counts. */
static bool is_faster(const struct launching *l, struct vary_found *f)
{
    struct shim_site *s = l->site;
    double own, than = vary_present_ns(s, &own), beside, took;

    if (!f->v.variant_ns)
        recall_time(l, f);
    took = (double)f->v.variant_ns;
    beside = (double)f->v.own_ns;
    if (f->v.made && beside < own) /* that of the whole launch is the host's */
        beside = own;
    if (f->v.made && s->whole_ns && (double)s->whole_ns < beside)
        beside = (double)s->whole_ns;
    than = than > 0 ? than * (beside / own) : beside;
    if (took > WORTH_IT * than) {
        report_slower(l, f->variant, took, than);
        return false;
    }
    s->variant_gain = (beside > than ? beside : than) / took;
    s->variant_saved_ns = (int64_t)((than - took) * (own / beside));
    return true;
}

/* The fastest of the sizes that are compiled.  False: the variant writes something else with one of them. */
static bool find_best_size(const struct launching *l, struct vary_found *f)
{
    struct variant *v = f->variant;
    struct verification with;
    enum variant_result verified;

    if (!f->v.variant_ns) /* it was not verified now, and is_faster() knows the best one */
        return true;
    for (unsigned i = 0; i < v->trial.ncompiled; i++) {
        if (launch_same_size(v->trial.compiled[i], f->local) ||
            !limits_alike(l, f->local, v->trial.compiled[i]))
            continue;
        verified = verify_long(l, v, v->trial.compiled[i], &with);
        if (verified == VARIANT_DIFFERS) {
            vary_refuse_different(l, v, with.detail);
            return false;
        }
        if (verified == VARIANT_WORKS && with.variant_ns < f->v.variant_ns) {
            f->v.variant_ns = with.variant_ns;
            memcpy(f->local, v->trial.compiled[i], sizeof f->local);
        }
    }
    return true;
}

/* Is this the first launch of a race that it is to decide, by slices of sizes?  Then what we write comes
 * first, unless the user offers more: that would have to compete. */
static bool comes_first(const struct launching *l)
{
    const struct shim_site *s = l->site;

    return policy_at_once(l) && !s->in_slices && !s->launches && s->mode == PROF_NONE &&
           !pool_find(l->rt->pool, s->entry->name, s->entry->build->hash, 0);
}

/* It is looked for anew once sizes were measured: one of them may be as good. */
static void leave_to_sizes(struct shim_site *s, struct variant *v)
{
    free(v);
    vary_end_search(s);
    s->varied = false;
}

/* A race of slices, of launches that are long and few, ends with the first variant that was clearly faster
 * where it was verified; before the race has begun, with one that is far better. */
static void win_if_fast(const struct launching *l, struct vary_found *f)
{
    struct shim_site *s = l->site;
    const bool first = comes_first(l);

    if (first && s->own_item_ns <= 0) /* nobody has timed a launch */
        s->own_item_ns = (double)f->v.own_ns / (double)site_items(s);
    if (!find_best_size(l, f) || !is_faster(l, f)) {
        vary_give_back(s, f->variant);
    } else if (first && (double)f->v.variant_ns > FAR_BETTER * (double)f->v.own_ns) {
        leave_to_sizes(s, f->variant);
    } else {
        vary_end_search(s);
        settle_by_variant(l, f->variant, f->local);
    }
}

/* Which sizes of the competing variants are compiled by now, and are more to come? */
static void look_again(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct prof_race *r = &s->race;

    r->variants_awaited = false;
    for (struct variant *v = s->variants; v; v = v->next) {
        r->variants_awaited |= ahead_goes_on(l, v);
        for (unsigned i = 1; i < r->n; i++)
            r->lane[i].known |= r->lane[i].variant == v->label && variant_is_compiled(v, r->lane[i].local);
    }
}

/* Is a variant tried by another process, or will it be soon, so that the few launches of a run, and what they
 * may cost, are kept for it? */
static bool is_tried(const struct shim_site *s)
{
    const bool few = s->before && s->before->launches;

    return s->vary && s->vary->offered && (s->vary->offered->trial.at_work || (few && s->vary->waits));
}

bool vary_race(const struct launching *l, cl_int *error)
{
    struct shim_site *s = l->site;
    struct vary_found found = {0};
    const bool competes = vary_joins(l),
               wins = (s->in_slices || comes_first(l)) && vary_is_looking(l) && launch_may_vary(l);

    if ((competes || wins) && vary_search(l, s->key.own, false, &found)) {
        if (competes)
            join_if_fast(l, &found);
        else
            win_if_fast(l, &found);
    }
    look_again(l);
    s->race.trial = (competes || wins) && is_tried(s);
    *error = found.v.error;
    return found.v.made;
}

bool vary_measure(const struct launching *l, unsigned lane, struct site_pending *watch)
{
    struct shim_site *s = l->site;
    struct variant *v = variant_labelled(s, s->race.lane[lane].variant);
    enum variant_result result = VARIANT_LATER;
    const char *reason = NULL;

    if (launch_may_vary(l))
        result = variant_launch(l, v, s->race.lane[lane].local, watch, &reason);
    vary_charge_build(s, v);
    if (result == VARIANT_NEVER) {
        vary_report_refused(l, reason, rsn_words(reason));
        prof_race_drop(&s->race, lane, true);
    } else if (result == VARIANT_LATER && ++v->missed >= MOST_MISSED) { /* it rarely does a launch's work */
        prof_race_drop(&s->race, lane, false);
    }
    return result == VARIANT_WORKS;
}

/* ---- of decided sites ------------------------------------------------------------------------------- */

/* From now on launches are made with the decided size alone. */
static void give_up(const struct launching *l)
{
    struct shim_site *s = l->site;

    samples_begin_anew(s);
    atomic_store(&s->varies, SITE_AS_DECIDED);
}

static void adopt(const struct launching *l, struct variant *v, const size_t local[3])
{
    struct shim_site *s = l->site;

    vary_end_search(s);
    s->variant = v;
    memmove(s->variant_local, local, sizeof s->variant_local);
    samples_begin_anew(s);
    atomic_store_explicit(&s->varies, SITE_VARIANT, memory_order_release);
    report_launch(l, (struct rep_event){.event = "observed",
                                        .reason = "variant-used",
                                        .variant = v->label,
                                        .variant_local = s->variant_local,
                                        .variant_gain = s->variant_gain});
}

/* One step closer to the variant that is looked for: with the decided size, unless wisdom knows a better one.
 * True if the launch was made, with its result in *error. */
static bool prepare(const struct launching *l, cl_int *error)
{
    struct shim_site *s = l->site;
    const bool wanted = *s->wanted, chosen = !wanted && rt_variants_compete(l->rt);
    const size_t *local = wanted ? s->variant_local : s->choice;
    const bool required = !wanted && local[0] && split_divides(local, l->shape.global);
    const unsigned tried = s->tried;
    struct vary_found found = {0};

    if (chosen && !vary_is_long(s)) { /* it will stay so */
        give_up(l);
        return false;
    }
    if (l->rt->opt.variants == OPT_FIXED && !required) {
        vary_report_refused(l, "variant-size", rsn_words("variant-size"));
        give_up(l);
    } else if (!vary_search(l, local, required, &found) || (chosen && !is_faster(l, &found))) {
        if (found.variant)
            vary_give_back(s, found.variant);
        if (!s->vary)
            give_up(l);
    } else {
        adopt(l, found.variant, found.local);
    }
    /* The run may be over before the search is. */
    if (chosen && (s->varied || s->tried != tried || record_owes(s)))
        record_varied(l);
    *error = found.v.error;
    return found.v.made;
}

static bool prepare_locked(const struct launching *l, cl_int *error)
{
    struct guest guest;
    bool made = false;

    if (!guest_has_stack() || util_confined() || !launch_may_vary(l) || pthread_mutex_trylock(&l->site->lock))
        return false;
    guest_begin(&guest);
    if (atomic_load(&l->site->varies) == SITE_MAY_VARY)
        made = prepare(l, error);
    pthread_mutex_unlock(&l->site->lock);
    guest_end(&guest);
    return made;
}

/* The variant does not work: give it up, unless another thread has.  Site locked. */
static void forsake(const struct launching *l, const char *reason)
{
    if (atomic_load(&l->site->varies) != SITE_VARIANT)
        return;
    vary_report_refused(l, reason, rsn_words(reason));
    give_up(l);
    if (rt_variants_compete(l->rt))
        record_without_variant(l, l->site->variant->label);
}

/* While the account cannot pay yet, most launches do not ask; none where times are not to be had. */
static bool is_occasion(const struct launching *l)
{
    return !rt_variants_compete(l->rt) || *l->site->wanted ||
           (policy_measures(l) &&
            atomic_load_explicit(&l->site->decided_launches, memory_order_relaxed) % ASK_EVERY == 0 &&
            !policy_untimed(l));
}

/* The variant that is used makes the launch, if it does its work.  *broken: why it cannot any more. */
static bool launch_variant(const struct launching *l, struct site_pending *watch, const char **broken)
{
    struct shim_site *s = l->site;

    if (atomic_load_explicit(&s->varies, memory_order_acquire) != SITE_VARIANT || !guest_has_stack() ||
        !prove_holds(l) || !launch_may_vary(l) ||
        variant_launch(l, s->variant, s->variant_local, watch, broken) != VARIANT_WORKS)
        return false;
    atomic_fetch_add_explicit(&s->varied_launches, 1, memory_order_relaxed);
    return true;
}

static bool may_prepare(const struct launching *l)
{
    return atomic_load_explicit(&l->site->varies, memory_order_acquire) == SITE_MAY_VARY && is_occasion(l);
}

bool vary_launch(const struct launching *l, cl_int *error)
{
    const char *broken = NULL;
    struct guest guest;

    if (may_prepare(l) && prepare_locked(l, error))
        return true;
    *error = CL_SUCCESS;
    if (launch_variant(l, NULL, &broken))
        return true;
    if (broken && !pthread_mutex_trylock(&l->site->lock)) {
        guest_begin(&guest);
        forsake(l, broken);
        pthread_mutex_unlock(&l->site->lock);
        guest_end(&guest);
    }
    return false;
}

bool vary_launch_timed(const struct launching *l, struct site_pending *watch)
{
    const char *broken = NULL;
    const bool made = launch_variant(l, watch, &broken);

    if (broken)
        forsake(l, broken);
    return made;
}

bool vary_launch_decided(const struct launching *l, cl_int *error)
{
    if (may_prepare(l) && launch_may_vary(l) && prepare(l, error))
        return true;
    *error = CL_SUCCESS;
    return vary_launch_timed(l, NULL);
}
