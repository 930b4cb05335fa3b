/* settle.c - decisions: made from a race or by the model alone, written down, and taken over from earlier
 * runs. */
#include <string.h>
#include "shim/launch.h"
#include "shim/runtime.h"
#include "shim/tune.h"

static struct wis_key wisdom_key(const struct shim_site *s)
{
    struct wis_key key = {.program = s->entry->build->hash,
                          .kernel = s->entry->name,
                          .device = s->entry->build->device->key,
                          .dim = s->key.dim,
                          .zero_offset = s->key.zero_offset,
                          .local_args = s->key.local_args};

    memcpy(key.global, s->key.global, sizeof key.global);
    memcpy(key.own, s->key.own, sizeof key.own);
    return key;
}

static void remember(const struct launching *l, const struct prof_decision *d, double item_ns)
{
    struct shim_site *s = l->site;
    const struct wis_key key = wisdom_key(s);
    struct wis_record r = {.outcome = d->outcome,
                           .mode = s->mode,
                           .gain = d->gain,
                           .margin = d->margin,
                           .noise = d->noise,
                           .item_ns = item_ns,
                           .account = s->account};

    memcpy(r.local, s->choice, sizeof r.local);
    wis_store(l->rt->wisdom, &key, &r);
    s->stored_ns = s->account.observed_ns;
}

/* Would the driver take this size for this kernel, as far as can be known without asking it? */
bool settle_legal(const struct launching *l, const size_t local[3])
{
    const struct shim_device *d = l->queue->device;
    size_t items = 1;

    for (unsigned i = 0; i < 3; i++) {
        if (!local[i])
            return !local[0] && !local[1] && !local[2];
        if (d->max_dim[i] && local[i] > d->max_dim[i])
            return false;
        items *= local[i];
    }
    return items <= l->site->max_items;
}

/* Take over what was decided in an earlier run.  The launch that the application asked for must be one that
 * the driver would take: a wrong local size is the driver's to reject. */
bool settle_recall(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct wis_key key = wisdom_key(s);
    struct wis_record r;

    if (!wis_lookup(l->rt->wisdom, &key, &r))
        return false;
    if (!r.stale) {
        s->account = r.account;
        s->stored_ns = r.account.observed_ns;
    }
    if (r.outcome == PROF_OPEN || r.stale ||
        (r.outcome == PROF_MODEL && l->rt->opt.effort != PROF_ESTIMATE) || !settle_legal(l, r.local) ||
        !tune_tails_proved(&s->proof, r.local, l->shape.global) || !settle_legal(l, l->shape.local) ||
        !split_divides(l->shape.local, l->shape.global))
        return false;
    memcpy(s->choice, r.local, sizeof s->choice);
    s->keep = r.outcome == PROF_NO_GAIN;
    s->mode = r.mode;
    s->saved_item_ns = r.gain > 1 ? r.item_ns * (r.gain - 1) : 0;
    atomic_fetch_add(s->keep ? &l->rt->total.kept : &l->rt->total.retuned, 1);
    tune_report(l, (struct rep_event){
                       .event = "decision",
                       .source = "wisdom",
                       .mode = r.mode,
                       .reason = s->keep ? "no-gain" : "faster",
                       .chosen = s->choice,
                       .decision = &(struct prof_decision){
                           .outcome = r.outcome, .gain = r.gain, .margin = r.margin, .noise = r.noise}});
    atomic_store_explicit(&s->state, SITE_DECIDED, memory_order_release);
    return true;
}

void settle_decide(const struct launching *l, const struct prof_decision *d, const struct prof_race *race,
                   const size_t choice[3], double own_item_ns, double item_ns)
{
    struct shim_site *s = l->site;
    const bool keep = d->outcome == PROF_NO_GAIN || d->winner == 0;
    struct prof_decision kept;

    memcpy(s->choice, choice, sizeof s->choice);
    s->keep = keep;
    s->saved_item_ns = keep || own_item_ns <= item_ns ? 0 : own_item_ns - item_ns;
    atomic_fetch_add(keep ? &l->rt->total.kept : &l->rt->total.retuned, 1);
    tune_report(l, (struct rep_event){.event = "decision",
                                      .source = race ? "measured" : "model",
                                      .reason = d->doubtful ? "too-noisy"
                                                : keep      ? "no-gain"
                                                : race      ? "faster"
                                                            : "predicted-faster",
                                      .proof = &s->proof,
                                      .candidates = s->candidates,
                                      .ncandidate = s->ncandidate,
                                      .estimate = &s->estimate,
                                      .race = race,
                                      .decision = d,
                                      .chosen = s->choice,
                                      .mode = s->mode,
                                      .overhead_ns = s->account.spent_ns,
                                      .dry_run = l->rt->opt.dry_run});
    if (l->rt->opt.dry_run) {
        atomic_store(&s->state, SITE_REFUSED);
        return;
    }
    kept = *d;
    if (d->doubtful)
        kept.outcome = PROF_OPEN; /* for this run; the next one may find the machine quieter */
    remember(l, &kept, item_ns);
    atomic_store_explicit(&s->state, SITE_DECIDED, memory_order_release);
}

/* The model alone: its first choice, if it promises more than the margin over the application's size. */
void settle_by_model(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct candidate *best = &s->candidates[0], *own = NULL;
    struct prof_decision d = {.outcome = PROF_MODEL, .gain = 1};

    for (unsigned i = 0; i < s->ncandidate && !own; i++)
        if (s->candidates[i].own)
            own = &s->candidates[i];
    if (own && own != best && best->time_ns > 0 && own->time_ns > best->time_ns * (1 + l->rt->opt.margin)) {
        d.gain = own->time_ns / best->time_ns;
        d.winner = 1;
    } else {
        d.outcome = PROF_NO_GAIN;
        best = own ? own : best;
    }
    settle_decide(l, &d, NULL, d.winner ? best->local : s->key.own, 0, 0);
}

/* An account that grew is written down now and then: a later run goes on from there. */
void settle_progress(const struct launching *l)
{
    struct shim_site *s = l->site;

    if (s->account.observed_ns >= 2 * s->stored_ns && s->account.observed_ns - s->stored_ns >= 100000000)
        remember(l, &(struct prof_decision){.outcome = PROF_OPEN, .gain = 1}, s->own_item_ns);
}
