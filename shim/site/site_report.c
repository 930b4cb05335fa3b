/* site_report.c - see site_report.h. */
#include "shim/site/site_report.h"
#include <stdio.h>
#include <string.h>
#include "shim/ledger/reasons.h"
#include "shim/site/arguments.h"
#include "shim/site/launch_log.h"
#include "shim/site/variant.h"

#define MAX_OPEN 500  /* told of at the end: enough to see a pattern */
#define MAX_TOLD 2000 /* shapes whose launches are counted there */

static void tell(struct report *r, const struct shim_site *s, const struct launch *shape, struct rep_event e)
{
    e.program = s->entry->build->hash;
    e.kernel = s->entry->name;
    e.device = s->entry->build->device->key;
    e.launch = shape;
    rep_emit(r, &e);
}

void report_launch(const struct launching *l, struct rep_event e)
{
    if (!e.summary)
        e.summary = atomic_load(&l->site->entry->summary);
    e.account = &l->site->account;
    e.held_ns = l->site->held_ns;
    tell(l->rt->report, l->site, &l->shape, e);
}

void report_arguments(const struct launching *l, const struct kernel_summary *k)
{
    const struct shim_build *b = l->site->entry->build;
    struct launch_arg args[ARGS_MOST];
    char file[RT_FILE];

    if (!rep_has_file(l->rt->report) || !k->nblock || l->kernel->nargs > ARGS_MOST)
        return;
    const struct launch launch = args_describe_as(l, k, args);
    ana_summary_file(b, file);
    tell(
        l->rt->report, l->site, &launch,
        (struct rep_event){.event = "arguments", .arguments = k, .file = file, .traits = &b->device->traits});
}

void refuse_kernel(const struct launching *l, const struct kernel_summary *k, bool unproved,
                   const char *reason, const char *detail)
{
    site_become(l->site, SITE_REFUSED);
    if (atomic_exchange(&l->site->entry->skip, true))
        return;
    report_launch(
        l, (struct rep_event){
               .event = "refusal", .summary = k, .unproved = unproved, .reason = reason, .detail = detail});
    atomic_fetch_add(&l->rt->total.refused, 1);
}

void report_refusal(const struct launching *l, bool unproved, const char *reason, const char *detail)
{
    atomic_fetch_add(&l->rt->total.refused, 1);
    report_launch(
        l, (struct rep_event){.event = "refusal", .unproved = unproved, .reason = reason, .detail = detail});
}

void refuse_shape(const struct launching *l, const char *reason, const char *detail)
{
    report_refusal(l, false, reason, detail);
    site_become(l->site, SITE_REFUSED);
}

void report_once(const struct launching *l, atomic_bool *said, const char *reason, const char *detail)
{
    if (!atomic_exchange(said, true))
        tell(l->rt->report, l->site, &l->shape,
             (struct rep_event){.event = "observed", .reason = reason, .detail = detail});
}

void report_whole(const struct launching *l, const char *reason)
{
    report_once(l, &l->site->whole_said, reason, rsn_words(reason));
}

/* ---- at the end of the process ----------------------------------------------------------------------- */

/* "; 13.1 of 25.0 ms of the budget are used": what tuning the site has cost in all runs of what it may cost.
 * It has cost more if an earlier run was free to, or something took longer than expected. */
static void print_budget(const struct shim_site *s, const struct options *o, char *out, size_t room)
{
    const double spent = (double)s->account.spent_ns, allowed = prof_allowance(&s->account, o->budget);

    *out = '\0';
    if (o->effort == PROF_MEASURE)
        snprintf(out, room, "; %.1f of %.1f ms of the budget are used%s", spent / 1e6, allowed / 1e6,
                 spent > allowed ? ": nothing is tried until there is more" : "");
}

/* The lane that launches have while the race goes on, if they measure nothing; 0: the program's own size. */
static unsigned lane_in_use(const struct shim_site *s)
{
    const unsigned leader = site_state(s) == SITE_RACING ? prof_race_leader(&s->race) : 0;

    return leader || site_state(s) != SITE_RACING ? leader : prof_race_outstanding(&s->race);
}

/* Its time relative to the own size's. */
static double in_use_ratio(const struct shim_site *s)
{
    const double ratio = prof_race_ratio(&s->race, lane_in_use(s));

    return ratio > 0 ? ratio : 1;
}

/* "; 64x4 is used meanwhile, 3.20 times as fast", between those words; nothing if the own size is. */
static void print_in_use(const struct shim_site *s, const char *before, const char *after, char *out,
                         size_t room)
{
    const unsigned in_use = lane_in_use(s);
    const struct prof_lane *lane = &s->race.lane[in_use];
    char size[REP_SIZE];

    *out = '\0';
    if (!in_use)
        return;
    rep_print_size(size, lane->local, s->key.dim);
    snprintf(out, room, "%s%s%s%s%s, %.2f times as fast", before, lane->variant ? lane->variant : "",
             lane->variant ? " " : "", size, after, 1 / in_use_ratio(s));
}

/* Why a site was not decided, as a reason and in words. */
static const char *why_open(const struct shim_site *s, const struct options *o, char *words, size_t room)
{
    const struct shim_build *b = s->entry->build;
    const double ms = (double)s->account.observed_ns / 1e6;
    char spent[128], in_use[160];
    unsigned measured = 0;

    if (s->unmeasured) {
        snprintf(words, room, "%u launches, %.1f ms; %s", s->launches, ms,
                 o->use_only ? "--use-only" : "the budget is 0");
        return "not-measured";
    }
    if (site_state(s) == SITE_RACING) {
        for (unsigned i = 0; i < s->race.n; i++)
            measured += s->race.lane[i].samples > 0;
        if (measured < 2 && atomic_load(&s->hampered_said)) { /* why was said then */
            snprintf(words, room, "%s", rsn_words("hampered"));
            return "hampered";
        }
        print_budget(s, o, spent, sizeof spent);
        print_in_use(s, "; ", " is used meanwhile", in_use, sizeof in_use);
        snprintf(words, room, "%u of %u sizes were measured in %u launches%s%s%s%s; the next run goes on",
                 measured, s->race.n, s->launches, s->variant_waits ? "; a variant waits: " : "",
                 s->variant_waits ? s->variant_waits : "", in_use, spent);
        return "race-unfinished";
    }
    if (obj_is_quiet(b->device)) {
        snprintf(words, room, "%u launches; the last runs left nothing else to decide", s->launches);
        return "not-timed";
    }
    if (atomic_load(&b->state) == ANA_PENDING) {
        snprintf(words, room, "the program ended before its kernels were analysed");
        return "analysis-unfinished";
    }
    if (ms >= o->analyse_after) {
        snprintf(words, room,
                 "its launches (%u, %.1f ms) were made before the kernel was known; run it again",
                 s->launches, ms);
        return "few-launches";
    }
    snprintf(words, room, "seen to run for %.1f ms in %u launches; kernels are looked at from %d ms on", ms,
             s->launches, o->analyse_after);
    return "little-time";
}

static void report_open(struct runtime *rt, const struct shim_site *s)
{
    const struct launch shape = site_shape(s);
    char words[400];

    tell(rt->report, s, &shape,
         (struct rep_event){.event = "observed",
                            .summary = atomic_load(&s->entry->summary),
                            .race = s->race.n ? &s->race : NULL,
                            .account = &s->account,
                            .held_ns = s->held_ns,
                            .reason = why_open(s, &rt->opt, words, sizeof words),
                            .detail = words});
}

static const char *state_name(const struct shim_site *s)
{
    static const char *const names[] = {
        [SITE_NEW] = "new", [SITE_RACING] = "racing", [SITE_DECIDED] = "decided", [SITE_REFUSED] = "refused"};

    return atomic_load(&s->retired) ? "retired" : names[site_state(s)];
}

/* The time of a launch with the own size: the shortest, as decisions compare them. */
static int64_t own_ns(const struct shim_site *s)
{
    const double measured = s->race.n ? s->race.lane[0].best : 0;

    return (int64_t)((measured > 0 ? measured : s->own_item_ns) * (double)site_items(s));
}

/* What is launched now, if that is not what the program asks for. */
static void describe_now(const struct shim_site *s, struct rep_launches *out)
{
    const bool variant = atomic_load(&s->varies) == SITE_VARIANT;
    const unsigned in_use = lane_in_use(s);
    const struct prof_lane *lane = &s->race.lane[in_use];

    out->now_ns = out->own_ns;
    if (in_use) {
        out->local = lane->local;
        out->variant = lane->variant;
        out->now_ns = (int64_t)(in_use_ratio(s) * (double)out->own_ns);
    }
    if (site_state(s) != SITE_DECIDED || site_is_given_up(s) || !site_is_retuned(s))
        return;
    out->local = variant ? s->variant_local : s->choice;
    out->variant = variant ? s->variant->label : NULL;
    if (variant && s->variant_gain > 0)
        out->now_ns = (int64_t)((double)out->own_ns / s->variant_gain);
    else
        out->now_ns -= s->saved_ns;
}

/* To what share of what the decision said launches save time: in proportion, if those of this run are shorter
 * than it said, as when it was made beside other processes. */
static double share_saved(const struct shim_site *s)
{
    struct rep_launches l = {.own_ns = own_ns(s)};

    describe_now(s, &l);
    const double said = (double)l.now_ns * s->decided_timed;
    return said > 0 && (double)s->decided_ns < said ? (double)s->decided_ns / said : 1;
}

/* What the site has gained and cost in this process.  Where the program's own launches are kept, samples that
 * gained on balance did so by chance. */
static void site_costs(const struct shim_site *s, int64_t *spent_ns, int64_t *saved_ns)
{
    const int64_t decided =
        atomic_load(&s->resized) * s->saved_ns + atomic_load(&s->varied_launches) * s->variant_saved_ns;

    prof_balance(&s->account, &s->earlier, spent_ns, saved_ns);
    if (s->keep && !site_is_retuned(s))
        *saved_ns = 0;
    *saved_ns += (int64_t)(share_saved(s) * (double)decided);
}

/* How long all launches took: what was seen before the decision, and later ones as long as those that were
 * timed. */
static int64_t kernel_ns(const struct shim_site *s, const struct rep_launches *l, uint64_t before,
                         uint64_t later)
{
    const int64_t seen = s->account.observed_ns - s->earlier.observed_ns;

    return (seen > 0 ? seen : l->own_ns * (int64_t)before) +
           (s->decided_timed ? s->decided_ns / s->decided_timed : l->now_ns) * (int64_t)later;
}

/* How much of its race is done: each size that is not out is to have `rounds` samples. */
static void add_race(const struct prof_race *r, struct report_totals *out)
{
    double done = 0;

    for (unsigned i = 1; i < r->n; i++) {
        const struct prof_lane *l = &r->lane[i];
        const unsigned samples = l->samples > l->before ? l->samples : l->before;
        done += l->dropped || samples >= r->rounds ? 1 : (double)samples / r->rounds;
    }
    out->settled += r->n > 1 ? done / (r->n - 1) : 0;
    out->runs = r->runs + 1 > out->runs ? r->runs + 1 : out->runs;
}

void report_open_sites(struct runtime *rt, struct report_totals *out)
{
    int64_t spent, saved;

    *out = (struct report_totals){0};
    for (struct shim_site *s = site_newest(); s; s = s->older) {
        const bool decided = (site_state(s) == SITE_DECIDED || s->dry) && !atomic_load(&s->retired);
        out->retuned += decided && site_is_retuned(s);
        out->kept += decided && !site_is_retuned(s);
        if (pthread_mutex_trylock(&s->lock))
            continue;
        site_pay_proofs(s);
        site_costs(s, &spent, &saved);
        out->spent_ns += spent;
        out->saved_ns += saved;
        if (site_is_open(s) && !atomic_load(&s->retired) && !atomic_load(&s->entry->skip) &&
            !atomic_load(&s->failed_proofs) && s->launches && !s->mode_refused) {
            if (lane_in_use(s)) {
                out->faster++;
                print_in_use(s, ": ", "", out->in_use, sizeof out->in_use);
            }
            if (site_state(s) == SITE_RACING)
                add_race(&s->race, out);
            out->unmeasured += s->unmeasured;
            if (out->open++ < MAX_OPEN)
                report_open(rt, s);
        }
        pthread_mutex_unlock(&s->lock);
    }
}

/* `left`: launches of any shape that its kernel had after it was left alone. */
static void report_site(struct runtime *rt, struct shim_site *s, uint64_t left)
{
    const struct launch shape = site_shape(s);
    const uint64_t before = atomic_load(&s->launches) - s->inherited,
                   later = atomic_load(&s->decided_launches) + left, resized = atomic_load(&s->resized),
                   varied = atomic_load(&s->varied_launches);
    const char *driver = strrchr(s->entry->build->device->compiler, '|');
    struct rep_launches l = {.state = state_name(s),
                             .driver = driver ? driver + 1 : NULL,
                             .n = before + later,
                             .changed = resized > varied ? resized : varied,
                             .timed = s->timed,
                             .own_ns = own_ns(s)};

    site_costs(s, &l.spent_ns, &l.saved_ns);
    describe_now(s, &l);
    l.kernel_ns = kernel_ns(s, &l, before, later);
    tell(rt->report, s, &shape, (struct rep_event){.event = "launches", .launches = &l});
    log_tell(rt->report, s);
}

void report_all_sites(struct runtime *rt)
{
    unsigned told = 0;

    for (struct shim_site *s = site_newest(); s && told < MAX_TOLD && rep_has_file(rt->report);
         s = s->older) {
        /* Launches after its kernel was left alone are told of with one of its shapes. */
        if (pthread_mutex_trylock(&s->lock))
            continue;
        const uint64_t left = atomic_exchange(&s->entry->passed, 0);
        if (s->launches || atomic_load(&s->decided_launches) || left) {
            report_site(rt, s, left);
            told++;
        }
        pthread_mutex_unlock(&s->lock);
    }
}
