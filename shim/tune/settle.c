/* settle.c - see settle.h. */
#include <stdlib.h>
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
#include "shim/tune/settle.h"
#include "shim/tune/vary_worth.h"

/* When an open race is written to wisdom while the program runs: if SPENT_NS were spent since the last time,
 * or the kernel time seen has doubled and grown by SEEN_NS. */
#define SPENT_NS 10000000
#define SEEN_NS  100000000

#define MOST_SAVED_NS 1000000000000 /* by one launch: a guard against absurd numbers in the wisdom file */

static struct wis_key wisdom_key(const struct shim_site *s)
{
    return (struct wis_key){.program = s->entry->build->hash,
                            .kernel = s->entry->name,
                            .device = s->entry->build->device->key,
                            .shape = s->key};
}

/* How often this run has launched the shape, if its samples are whole launches, which can be compared across
 * runs; else more than PROF_FEW_LAUNCHES. */
static unsigned launches_to_compare(const struct shim_site *s)
{
    const bool whole = s->mode == PROF_NONE || s->mode == PROF_LAUNCHES;

    return whole ? s->launches : PROF_FEW_LAUNCHES + 1;
}

/* There was no race in this run: hand on the results of earlier runs, with this run's times of the own size.
 */
static void save_unopened(const struct shim_site *s, struct prof_past *past)
{
    const unsigned launches = launches_to_compare(s);

    if (s->before)
        *past = *s->before;
    past->launches = launches <= PROF_FEW_LAUNCHES ? launches : 0;
    /* The first launch of a run is a warm-up and no evidence, except where there is hardly another. */
    for (unsigned i = launches > PROF_SINGLE_LAUNCHES ? 1 : 0; past->launches && i < s->early_count; i++)
        prof_past_add_own(past, (double)s->early_ns[i] / (double)site_items(s));
}

static void save_race(const struct shim_site *s, struct prof_past *past)
{
    prof_race_save(&s->race, launches_to_compare(s), past);
    if (s->before)
        prof_past_keep_variants(past, s->before);
}

static void remember_variant(const struct shim_site *s, struct wis_record *r)
{
    r->varied = (s->varied || s->variant) && r->outcome != PROF_OPEN;
    if (!r->varied || !s->variant || strlen(s->variant->label) >= sizeof r->variant)
        return;
    strcpy(r->variant, s->variant->label);
    memcpy(r->variant_local, s->variant_local, sizeof r->variant_local);
    r->variant_gain = s->variant_gain;
    r->variant_text = s->variant->hash;
}

/* Bits, as in s->tried, of the variants that were measured and not faster.  If the race is not decided in
 * this run, they are not tried in the next. */
static unsigned lost_variants(const struct shim_site *s)
{
    const struct prof_race *r = &s->race;
    unsigned lost = 0, faster = 0;

    for (unsigned i = 1; i < r->n; i++) {
        const struct variant *v = r->lane[i].samples > 1 ? variant_labelled(s, r->lane[i].variant) : NULL;
        if (v && r->lane[i].best < r->lane[0].best * (1 - r->margin))
            faster |= v->bit;
        else if (v)
            lost |= v->bit;
    }
    return lost & ~faster;
}

/* What the user and the program offer for the kernel now; 0: nothing. */
static uint64_t offers(const struct runtime *rt, const struct shim_site *s)
{
    return pool_hash(rt->pool, s->entry->name, s->entry->build->hash);
}

static void remember(const struct runtime *rt, struct shim_site *s, const struct prof_decision *d,
                     double item_ns, bool at_exit)
{
    const struct wis_key key = wisdom_key(s);
    struct wis_record r = {.outcome = d->outcome,
                           .mode = s->mode,
                           .gain = d->gain,
                           .noise = d->noise,
                           .item_ns = item_ns,
                           .account = s->account};

    memcpy(r.local, s->choice, sizeof r.local);
    r.offers = offers(rt, s);
    r.past.doubts = d->doubts;
    r.past.runs = d->doubts ? s->race.runs + 1 : 0;
    r.tried = s->varied && d->outcome != PROF_OPEN ? 0 : s->tried | lost_variants(s);
    if (d->outcome == PROF_OPEN && s->race.n)
        save_race(s, &r.past);
    else if (d->outcome == PROF_OPEN)
        save_unopened(s, &r.past);
    if (d->outcome == PROF_OPEN && s->race.n && s->in_slices && s->launches <= PROF_FEW_LAUNCHES)
        r.past.launches = s->launches ? s->launches : 1; /* only that: slices are not compared across runs */
    remember_variant(s, &r);
    wis_store(rt->wisdom, &key, &r, at_exit);
    s->stored_ns = s->account.observed_ns;
    s->stored_spent_ns = s->account.spent_ns;
}

void settle_varied(const struct launching *l)
{
    const struct wis_key key = wisdom_key(l->site);
    struct wis_record r;

    if (l->rt->opt.dry_run || !wis_lookup(l->rt->wisdom, &key, &r))
        return;
    r.account = l->site->account;
    r.tried = l->site->varied ? 0 : l->site->tried;
    if (l->site->doubtful && l->site->variant) { /* no doubt that this one is faster */
        l->site->doubtful = false;
        r.outcome = PROF_NO_GAIN;
        r.past = (struct prof_past){0};
    }
    remember_variant(l->site, &r);
    wis_store(l->rt->wisdom, &key, &r, false);
    l->site->stored_spent_ns = l->site->account.spent_ns;
}

bool settle_owes(const struct shim_site *s)
{
    return s->account.spent_ns - s->stored_spent_ns >= SPENT_NS;
}

/* Continue with what earlier runs have observed, spent and measured. */
static void go_on(struct shim_site *s, const struct wis_record *r)
{
    s->account.observed_ns += r->account.observed_ns;
    s->account.spent_ns += r->account.spent_ns;
    s->account.saved_ns += r->account.saved_ns;
    s->account.granted_ns += r->account.granted_ns;
    if (r->account.compile_ns > s->account.compile_ns)
        s->account.compile_ns = r->account.compile_ns;
    s->account.variant_ns = r->account.variant_ns;
    s->account.build_ns = r->account.build_ns;
    s->stored_ns = r->account.observed_ns;
    s->stored_spent_ns = r->account.spent_ns;
    s->earlier = r->account;
    s->tried = r->tried;
    if ((s->before = malloc(sizeof *s->before)))
        *s->before = r->past;
    for (unsigned i = 0; i < r->past.nown; i++)
        if (s->own_item_ns <= 0 || r->past.own[i] < s->own_item_ns)
            s->own_item_ns = r->past.own[i];
    if (r->outcome == PROF_OPEN && s->own_item_ns <= 0)
        s->own_item_ns = r->item_ns;
}

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

/* The choice, and what is told of it, for which `e` has what is not known by the site. */
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

/* What earlier runs know of the site.  True if they do, and it is not to be decided again. */
static bool look_up(const struct runtime *rt, const struct shim_site *s, struct wis_record *out)
{
    const struct wis_key key = wisdom_key(s);

    return (s->verify || !opt_retunes(&rt->opt, s->entry->name)) && wis_lookup(rt->wisdom, &key, out);
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
    const uint64_t now = offers(l->rt, l->site);

    return now && now != r->offers && opt_measures(&l->rt->opt) && !l->queue->quiet;
}

/* The launch that the application asked for must be one that the driver accepts: a wrong local size is left
 * to the driver to reject. */
bool settle_recall(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct wis_record r;
    bool anew, keep;

    if (!look_up(l->rt, s, &r))
        return false;
    r.stale |= s->verify;
    if (!r.stale)
        go_on(s, &r);
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
    struct wis_key key = wisdom_key(s);

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
    const struct wis_key key = wisdom_key(s);
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
        remember(l->rt, s, &kept, item_ns, false);
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

static const struct prof_decision undecided = {.outcome = PROF_OPEN, .gain = 1};

void settle_progress(const struct launching *l)
{
    struct shim_site *s = l->site;
    const int64_t seen = s->account.observed_ns;

    if (s->verify || l->rt->opt.use_only)
        return; /* the old decision stays in wisdom until there is a new one */
    if (settle_owes(s) || (seen >= 2 * s->stored_ns && seen - s->stored_ns >= SEEN_NS))
        remember(l->rt, s, &undecided, site_own_rate(s), false);
}

void settle_without_variant(const struct launching *l, const char *label)
{
    struct shim_site *s = l->site;
    const struct wis_key key = wisdom_key(s);
    struct wis_record r;

    if (s->verify || l->rt->opt.use_only || l->rt->opt.dry_run || !wis_lookup(l->rt->wisdom, &key, &r))
        return;
    if (site_is_open(s)) {
        remember(l->rt, s, &undecided, site_own_rate(s), false);
        return;
    }
    if (r.stale || strcmp(r.variant, label) != 0)
        return;
    r.account = s->account;
    r.varied = true;
    *r.variant = '\0';
    wis_store(l->rt->wisdom, &key, &r, false);
}

/* Nothing is measured in this run: would the site have been?  Not if it is known what to do. */
static bool lacks_decision(const struct runtime *rt, const struct shim_site *s)
{
    struct wis_record r;

    return site_is_open(s) && !atomic_load(&s->entry->skip) && s->account.observed_ns >= rt_enough_ns(rt) &&
           (!look_up(rt, s, &r) || r.stale || r.outcome == PROF_OPEN);
}

/* A variant may come when the kernel has run for longer: what ran in this run counts in the next. */
static void save_searched(const struct runtime *rt, const struct shim_site *s)
{
    const struct wis_key key = wisdom_key(s);
    const double seen = vary_seen_ns(s);
    struct wis_record r;

    if (atomic_load(&s->varies) != SITE_MAY_VARY || s->varied || *s->wanted || !vary_is_long(s) ||
        s->verify || rt->opt.use_only || rt->opt.dry_run || !wis_lookup(rt->wisdom, &key, &r) || r.stale ||
        r.outcome == PROF_OPEN || seen - (double)r.account.observed_ns < (double)rt_enough_ns(rt))
        return;
    r.account = s->account;
    r.account.observed_ns = (int64_t)seen;
    wis_store(rt->wisdom, &key, &r, true);
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
        save_searched(rt, s);
    if (!site_is_open(s) || s->verify || rt->opt.use_only || atomic_load(&s->entry->skip) ||
        (s->account.observed_ns - s->stored_ns < rt_enough_ns(rt) && !s->variants)) /* they were verified */
        return;
    /* Perhaps wisdom has not been consulted yet. */
    if (!s->max_items && look_up(rt, s, &r) && !r.stale) {
        if (r.outcome != PROF_OPEN)
            return;
        go_on(s, &r);
    }
    remember(rt, s, &undecided, site_own_rate(s), true);
    learned_note(rt, s);
}

void settle_at_exit(struct runtime *rt)
{
    site_each(save_open, rt);
}
