/* settle.c - see settle.h. */
#include <string.h>
#include "shim/guest/guest.h"
#include "shim/guest/util.h"
#include "shim/ledger/reasons.h"
#include "shim/ledger/runtime.h"
#include "shim/site/hazard.h"
#include "shim/site/launch_log.h"
#include "shim/site/policy.h"
#include "shim/site/site_report.h"
#include "shim/site/variant.h"
#include "shim/tune/learned.h"
#include "shim/tune/limits.h"
#include "shim/tune/prove.h"
#include "shim/tune/ranks.h"
#include "shim/tune/record.h"
#include "shim/tune/settle.h"

#define MOST_SAVED_NS 1000000000000 /* by one launch: a guard against absurd numbers in the wisdom file */

/* Make the decision effective.  A dry run leaves the launches as they are. */
static void publish(const struct launching *l)
{
    struct shim_site *s = l->site;
    const enum opt_variants asked = l->rt->opt.variants;
    const bool search = *s->wanted || asked == OPT_FIXED || asked == OPT_WIDE ||
                        (rt_variants_compete(l->rt) && !s->varied && l->rt->opt.effort != PROF_ESTIMATE &&
                         policy_measures(l));

    atomic_store(&s->varies, s->variant ? SITE_VARIANT : search ? SITE_MAY_VARY : SITE_AS_DECIDED);
    s->dry = l->rt->opt.dry_run;
    site_become(s, s->dry ? SITE_REFUSED : SITE_DECIDED);
}

/* Make the choice, and tell of it: `e` has what the site does not know. */
static void conclude(const struct launching *l, const size_t choice[3], bool keep, struct rep_event e)
{
    struct shim_site *s = l->site;

    memcpy(s->choice, choice, sizeof s->choice);
    s->keep = keep;
    e.event = "decision";
    e.chosen = s->choice;
    e.mode = s->mode;
    e.variant_local = s->variant_local;
    e.variant_gain = s->variant_gain;
    e.dry_run = l->rt->opt.dry_run;
    report_launch(l, e);
}

static int64_t launch_ns(const struct shim_site *s, double item_ns)
{
    const double ns = item_ns * (double)site_items(s);

    return ns < (double)MOST_SAVED_NS ? (int64_t)ns : MOST_SAVED_NS;
}

/* A variant that won in an earlier run is built and verified again. */
static void want_variant(const struct launching *l, const struct wis_record *r)
{
    struct shim_site *s = l->site;

    if (!rt_variants_compete(l->rt) || !*r->variant)
        return;
    strcpy(s->wanted, r->variant);
    s->wanted_text = r->variant_text;
    memcpy(s->variant_local, r->variant_local, sizeof s->variant_local);
    s->variant_gain = r->variant_gain;
    if (r->variant_gain > 1 && r->gain > 0)
        s->variant_saved_ns = launch_ns(s, r->item_ns * r->gain * (1 - 1 / r->variant_gain)) - s->saved_ns;
}

/* Why the own size is kept: nothing is faster, or nothing else may be tried. */
static const char *why_kept(const struct shim_site *s)
{
    return prove_keeps_groups(s) ? sum_reason_name(s->entry->summary->fact[SUM_FACT_S].reason) : "no-gain";
}

/* As the driver says, which may make a launch all the same. */
static bool own_is_legal(const struct launching *l)
{
    return limits_legal(l, l->shape.local) && split_divides(l->shape.local, l->shape.global);
}

/* Was the own size kept only because times never stopped varying?  Then runs that measure anyway look again.
 */
static bool is_in_doubt(const struct launching *l, const struct wis_record *r)
{
    return r->outcome == PROF_NO_GAIN && r->past.doubts &&
           (r->past.runs < PROF_MOST_RUNS || policy_asked(l) >= PROF_PATIENT) && opt_measures(&l->rt->opt) &&
           !l->queue->quiet;
}

/* Is something offered that was not when the record was made?  Then runs that measure decide anew. */
static bool has_new_offers(const struct launching *l, const struct wis_record *r)
{
    const uint64_t now = record_offers(l->rt, l->site);

    return now && now != r->offers && opt_measures(&l->rt->opt) && !l->queue->quiet;
}

/* The launch that the application asked for must be one that the driver accepts: a wrong local size is left
 * to the driver to reject. */
bool settle_recall(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct wis_record r;
    bool anew, keep;

    if (!record_find(l->rt, s, &r))
        return false;
    r.stale |= s->verify;
    if (!r.stale)
        record_go_on(s, &r);
    anew = r.stale || (r.outcome != PROF_OPEN && has_new_offers(l, &r));
    if (anew && r.outcome == PROF_WON)
        memcpy(s->guess, r.local, sizeof s->guess);
    if (r.outcome == PROF_OPEN || anew || is_in_doubt(l, &r) ||
        (r.outcome == PROF_MODEL && l->rt->opt.effort != PROF_ESTIMATE) || !limits_legal(l, r.local) ||
        !prove_size(&s->proof, r.local, &l->shape) || !own_is_legal(l))
        return false;
    keep = r.outcome == PROF_NO_GAIN || launch_same_size(r.local, s->key.own);
    s->mode = r.mode;
    s->saved_ns = r.gain > 1 ? launch_ns(s, r.item_ns * (r.gain - 1)) : 0;
    s->varied = r.varied;
    if (s->own_item_ns <= 0 && r.gain > 0)
        s->own_item_ns = r.item_ns * r.gain;
    want_variant(l, &r);
    conclude(l, r.local, keep,
             (struct rep_event){
                 .source = "wisdom",
                 .reason = *s->wanted                ? "variant-faster"
                           : keep                    ? why_kept(s)
                           : r.outcome == PROF_MODEL ? "predicted-faster"
                                                     : "faster",
                 .variant = *s->wanted ? s->wanted : NULL,
                 .decision = &(struct prof_decision){
                     .outcome = keep ? PROF_NO_GAIN : r.outcome, .gain = r.gain, .noise = r.noise}});
    publish(l);
    return true;
}

/* ---- sizes that do not work ------------------------------------------------------------------------- */

/* The wisdom key that stands for all shapes of a kernel. */
static struct wis_key kernel_key(const struct shim_site *s)
{
    struct wis_key key = record_key(s);

    key.shape = (struct wis_shape){
        .dim = 1, .global = {1, 1, 1}, .own = {1, 1, 1}, .zero_offset = true, .local_args = WIS_ALL_SHAPES};
    return key;
}

static void remember_failure(const struct runtime *rt, const struct shim_site *s)
{
    const struct wis_key key = kernel_key(s);
    const struct wis_record r = {
        .outcome = PROF_NO_GAIN, .local = {1, 1, 1}, .gain = 1, .account.compile_ns = -1};

    if (!rt->opt.dry_run && !util_confined())
        wis_store(rt->wisdom, &key, &r, false);
}

static void refuse_failing(const struct launching *l, const char *reason)
{
    refuse_kernel(l, NULL, false, reason, rsn_words(reason));
}

bool settle_failed_before(const struct launching *l)
{
    const struct wis_key key = kernel_key(l->site);
    struct wis_record r;

    if (!wis_lookup(l->rt->wisdom, &key, &r) || r.stale)
        return false;
    refuse_failing(l, "launch-failed");
    return true;
}

void settle_give_up(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct wis_key key = record_key(s);
    struct wis_record kept = {.outcome = PROF_NO_GAIN, .gain = 1};

    if (site_state(s) == SITE_REFUSED)
        return;
    if (atomic_load(&s->failed)) {
        remember_failure(l->rt, s);
        refuse_failing(l, s->differs ? "size-differs" : "launch-failed");
        return;
    }
    kept.account = s->account;
    memcpy(kept.local, s->key.own, sizeof kept.local);
    if (!l->rt->opt.dry_run)
        wis_store(l->rt->wisdom, &key, &kept, false);
    refuse_shape(l, "size-rejected", "the driver does not take the size that was decided on");
}

/* Mark the site as failed if one of our sizes may have been running on it.  Site locked. */
static void fail_if_retuned(struct shim_site *s, void *context)
{
    const enum site_state state = site_state(s);
    bool ours = state == SITE_DECIDED && site_is_retuned(s);

    for (unsigned i = 0; state == SITE_RACING && i < s->npending; i++)
        ours |= s->pending[i].lane != 0;
    if (ours && !atomic_exchange(&s->failed, true))
        remember_failure(context, s);
}

void settle_device_failed(struct runtime *rt)
{
    struct guest guest;

    if (!hazard_is_our_doing(CL_OUT_OF_RESOURCES))
        return;
    hazard_failure(false);
    guest_begin(&guest);
    site_each(fail_if_retuned, rt);
    guest_end(&guest);
}

/* Why the launch cannot have this size, in words; NULL if it can. */
static const char *not_possible(const struct launching *l, const size_t local[3])
{
    const struct kernel_summary *k = l->site->entry->summary;

    if (!own_is_legal(l))
        return "the program's own size is none that the driver says it takes";
    for (unsigned d = 0; d < 3; d++)
        if ((k->reqd[d] && local[d] != k->reqd[d]) || (d >= l->shape.dim && local[d] > 1))
            return k->reqd[d] ? "the kernel requires another" : "it has more dimensions than the range";
    for (unsigned d = 0; d < 3; d++)
        if (local[d] > l->shape.global[d])
            return "it is larger than the range";
    for (unsigned d = 0; d < 3 && local[d]; d++)
        if (l->shape.global[d] / local[d] > limits_most_groups(l, d))
            return "it makes more groups than a device may count";
    if (!limits_same_code(l, local))
        return "this driver may run other code with it, whose results may differ";
    if (!limits_legal(l, local))
        return "it is larger than this kernel can have on this device";
    if (prove_keeps_groups(l->site))
        return "the kernel's groups must stay as they are";
    if (!prove_size(&l->site->proof, local, &l->shape))
        return "it does not divide the range, which cannot be launched in parts";
    return NULL;
}

void settle_as_asked(const struct launching *l)
{
    struct shim_site *s = l->site;
    const char *why, *variant = s->entry->asked_variant;
    const size_t *local = *variant ? s->key.own : s->entry->asked_local;
    const bool keep = launch_same_size(local, s->key.own);
    char looked_for[OPT_VARIANT + 48];

    if (!own_is_legal(l) && !s->launches)
        return;     /* the driver will reject the launch, unless it has made one */
    if (*variant) { /* vary_search.c looks for it; until then, launches are the program's */
        memcpy(s->wanted, variant, sizeof s->wanted);
        memcpy(s->variant_local, s->entry->asked_local, sizeof s->variant_local);
    }
    why = not_possible(l, local);
    if (why) {
        refuse_shape(l, "size-not-possible", why);
        return;
    }
    snprintf(looked_for, sizeof looked_for, "until its variant %s is ready", variant);
    s->varied = !*variant; /* none unless it is asked for, too */
    conclude(l, local, keep,
             (struct rep_event){.source = "asked",
                                .reason = "asked-for",
                                .detail = *variant ? looked_for : NULL,
                                .decision = &(struct prof_decision){
                                    .outcome = keep ? PROF_NO_GAIN : PROF_ASKED, .gain = 1}});
    publish(l);
}

static const char in_doubt[] =
    "another size was or may be faster, but times vary by more than that; the next run looks again";

/* Decide the site: report, remember and publish the decision.  `race` is NULL if nothing was measured;
 * `choice` is copied; times are ns per work-item, with the own size and with the choice. */
static void decide(const struct launching *l, const struct prof_decision *d, const struct prof_race *race,
                   const size_t choice[3], double own_item_ns, double item_ns)
{
    struct shim_site *s = l->site;
    const bool keep = d->outcome == PROF_NO_GAIN;
    struct prof_decision kept;
    struct rep_ranks ranks = {0};

    if (race)
        ranks_find(l, choice, &ranks);
    s->doubtful = d->doubtful;
    s->saved_ns = keep || own_item_ns <= item_ns ? 0 : launch_ns(s, own_item_ns - item_ns);
    conclude(l, choice, keep,
             (struct rep_event){.source = race ? "measured" : "model",
                                .reason = s->variant    ? "variant-faster"
                                          : d->doubtful ? "too-noisy"
                                          : keep        ? why_kept(s)
                                          : race        ? "faster"
                                                        : "predicted-faster",
                                .detail = d->doubtful ? in_doubt : NULL,
                                .proof = &s->proof,
                                .candidates = s->candidates,
                                .ncandidate = s->ncandidate,
                                .estimate = &s->estimate,
                                .ranks = &ranks,
                                .race = race,
                                .decision = d,
                                .variant = s->variant ? s->variant->label : NULL});
    log_tell(l->rt->report, s);
    if (race && !l->rt->opt.dry_run)
        learned_note(l->rt, s);
    kept = *d;
    if (d->doubtful)
        kept.outcome = PROF_OPEN; /* decided for this run only; the next one may find the machine quieter */
    else if (!race)
        kept.outcome = PROF_MODEL; /* runs that measure ignore it */
    if (!l->rt->opt.dry_run)
        record_decision(l->rt, s, &kept, item_ns, false);
    publish(l);
}

/* A variant has won: note it, and decide between the program's own kernel's sizes alone for launches that it
 * does not make. */
static void settle_variant(struct shim_site *s, const struct prof_policy *policy, struct prof_decision *d)
{
    const struct prof_lane *won = &s->race.lane[d->winner];
    const double own = s->race.lane[0].best;
    struct prof_race rest = s->race;

    s->variant = variant_labelled(s, won->variant);
    memcpy(s->variant_local, won->local, sizeof s->variant_local);
    s->variant_gain = d->gain;
    for (unsigned i = 1; i < rest.n; i++) /* many were beaten by the variant alone */
        rest.lane[i].dropped = rest.lane[i].variant || rest.lane[i].failed;
    prof_race_decide(&rest, policy, d);
    d->doubtful = false;
    s->variant_saved_ns = launch_ns(s, own * (1 / d->gain - 1 / s->variant_gain));
}

void settle_by_variant(const struct launching *l, struct variant *v, const size_t local[3])
{
    struct shim_site *s = l->site;
    const double own = site_own_rate(s);

    s->variant = v;
    memcpy(s->variant_local, local, sizeof s->variant_local);
    decide(l, &(struct prof_decision){.outcome = PROF_NO_GAIN, .gain = 1}, &s->race, s->key.own, own, own);
}

void settle_race(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct prof_policy policy = policy_of(l);
    /* Where earlier runs left nobody to compare it with, the own size is not measured again. */
    const double own = s->race.lane[0].samples ? s->race.lane[0].best : s->own_item_ns;
    struct prof_decision d;

    prof_race_decide(&s->race, &policy, &d);
    if (d.winner && s->race.lane[d.winner].variant)
        settle_variant(s, &policy, &d);
    decide(l, &d, &s->race, d.winner ? s->race.lane[d.winner].local : s->key.own, own, own / d.gain);
}

void settle_by_model(const struct launching *l)
{
    const struct shim_site *s = l->site;
    const struct candidate *best = &s->candidates[0];
    struct prof_decision d = {.outcome = PROF_NO_GAIN, .gain = 1};

    if (best->time_ns > 0 && s->predicted_ns > best->time_ns * (1 + l->rt->opt.margin))
        d = (struct prof_decision){
            .outcome = PROF_MODEL, .winner = 1, .gain = s->predicted_ns / best->time_ns};
    decide(l, &d, NULL, d.winner ? best->local : s->key.own, 0, 0);
}

/* Nothing is measured in this run: would the site have been?  Not if it is known what to do. */
static bool lacks_decision(const struct runtime *rt, const struct shim_site *s)
{
    struct wis_record r;

    return site_is_open(s) && !atomic_load(&s->entry->skip) && s->account.observed_ns >= rt_enough_ns(rt) &&
           (!record_find(rt, s, &r) || r.stale || r.outcome == PROF_OPEN);
}

/* Write an undecided site to wisdom, or decide it if its race has just been completed.  Site locked. */
static void save_open(struct shim_site *s, void *context)
{
    struct runtime *rt = context;
    const enum site_state state = site_state(s);
    struct wis_record r;

    site_pay_proofs(s);
    s->unmeasured = !opt_measures(&rt->opt) && lacks_decision(rt, s);
    /* The last launch brought the last sample of the race, or one that is as good. */
    if (state == SITE_RACING && ((prof_race_next(&s->race) < 0 && (!prove_keeps_groups(s) || s->varied)) ||
                                 prof_race_variant_won(&s->race))) {
        settle_race(&(struct launching){.rt = rt, .site = s, .shape = site_shape(s)});
        return;
    }
    if (state == SITE_DECIDED)
        record_searched(rt, s);
    if (!site_is_open(s) || s->verify || rt->opt.use_only || atomic_load(&s->entry->skip) ||
        (s->account.observed_ns - s->stored_ns < rt_enough_ns(rt) && !s->variants)) /* they were verified */
        return;
    /* Perhaps wisdom has not been consulted yet. */
    if (!s->recalled && record_find(rt, s, &r) && !r.stale) {
        if (r.outcome != PROF_OPEN)
            return;
        record_go_on(s, &r);
    }
    record_open(rt, s, true);
    learned_note(rt, s);
}

void settle_at_exit(struct runtime *rt)
{
    site_each(save_open, rt);
}
