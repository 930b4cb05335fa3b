/* record.c - see record.h. */
#include "shim/tune/record.h"
#include <stdlib.h>
#include <string.h>
#include "shim/ledger/runtime.h"
#include "shim/site/variant.h"
#include "shim/tune/vary_worth.h"

/* When an open race is written to wisdom while the program runs: if SPENT_NS were spent since the last time,
 * or the kernel time seen has doubled and grown by SEEN_NS. */
#define SPENT_NS 10000000
#define SEEN_NS  100000000

struct wis_key record_key(const struct shim_site *s)
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

static void save_variant(const struct shim_site *s, struct wis_record *r)
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

uint64_t record_offers(const struct runtime *rt, const struct shim_site *s)
{
    return pool_hash(rt->pool, s->entry->name, s->entry->build->hash);
}

void record_decision(const struct runtime *rt, struct shim_site *s, const struct prof_decision *d,
                     double item_ns, bool at_exit)
{
    const struct wis_key key = record_key(s);
    struct wis_record r = {.outcome = d->outcome,
                           .mode = s->mode,
                           .gain = d->gain,
                           .noise = d->noise,
                           .item_ns = item_ns,
                           .account = s->account};

    memcpy(r.local, s->choice, sizeof r.local);
    r.offers = record_offers(rt, s);
    r.past.doubts = d->doubts;
    r.past.runs = d->doubts ? s->race.runs + 1 : 0;
    r.tried = s->varied && d->outcome != PROF_OPEN ? 0 : s->tried | lost_variants(s);
    if (d->outcome == PROF_OPEN && s->race.n)
        save_race(s, &r.past);
    else if (d->outcome == PROF_OPEN)
        save_unopened(s, &r.past);
    if (d->outcome == PROF_OPEN && s->race.n && s->in_slices && s->launches <= PROF_FEW_LAUNCHES)
        r.past.launches = s->launches ? s->launches : 1; /* only that: slices are not compared across runs */
    save_variant(s, &r);
    wis_store(rt->wisdom, &key, &r, at_exit);
    s->stored_ns = s->account.observed_ns;
    s->stored_spent_ns = s->account.spent_ns;
}

void record_open(const struct runtime *rt, struct shim_site *s, bool at_exit)
{
    record_decision(rt, s, &(struct prof_decision){.outcome = PROF_OPEN, .gain = 1}, site_own_rate(s),
                    at_exit);
}

void record_varied(const struct launching *l)
{
    const struct wis_key key = record_key(l->site);
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
    save_variant(l->site, &r);
    wis_store(l->rt->wisdom, &key, &r, false);
    l->site->stored_spent_ns = l->site->account.spent_ns;
}

bool record_owes(const struct shim_site *s)
{
    return s->account.spent_ns - s->stored_spent_ns >= SPENT_NS;
}

void record_progress(const struct launching *l)
{
    struct shim_site *s = l->site;
    const int64_t seen = s->account.observed_ns;

    if (s->verify || l->rt->opt.use_only)
        return; /* the old decision stays in wisdom until there is a new one */
    if (record_owes(s) || (seen >= 2 * s->stored_ns && seen - s->stored_ns >= SEEN_NS))
        record_open(l->rt, s, false);
}

void record_without_variant(const struct launching *l, const char *label)
{
    struct shim_site *s = l->site;
    const struct wis_key key = record_key(s);
    struct wis_record r;

    if (s->verify || l->rt->opt.use_only || l->rt->opt.dry_run || !wis_lookup(l->rt->wisdom, &key, &r))
        return;
    if (site_is_open(s)) {
        record_open(l->rt, s, false);
        return;
    }
    if (r.stale || strcmp(r.variant, label) != 0)
        return;
    r.account = s->account;
    r.varied = true;
    *r.variant = '\0';
    wis_store(l->rt->wisdom, &key, &r, false);
}

void record_searched(const struct runtime *rt, const struct shim_site *s)
{
    const struct wis_key key = record_key(s);
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

bool record_find(const struct runtime *rt, const struct shim_site *s, struct wis_record *out)
{
    const struct wis_key key = record_key(s);

    return (s->verify || !opt_retunes(&rt->opt, s->entry->name)) && wis_lookup(rt->wisdom, &key, out);
}

void record_go_on(struct shim_site *s, const struct wis_record *r)
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
