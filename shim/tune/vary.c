/* vary.c - see vary.h. */
#include "shim/tune/vary.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/driver_compiler.h"
#include "analysis/summary/hash.h"
#include "shim/enqueue/launch.h"
#include "shim/enqueue/variant_launch.h"
#include "shim/guest/clock.h"
#include "shim/guest/guest.h"
#include "shim/guest/util.h"
#include "shim/ledger/reasons.h"
#include "shim/site/compile_ahead.h"
#include "shim/site/policy.h"
#include "shim/site/samples_in_flight.h"
#include "shim/site/site_report.h"
#include "shim/tune/fixed.h"
#include "shim/tune/given.h"
#include "shim/tune/limits.h"
#include "shim/tune/noise.h"
#include "shim/tune/prove.h"
#include "shim/tune/settle.h"
#include "shim/tune/verify.h"
#include "shim/tune/wide.h"

#define LOOKED_AT      4  /* launches that show which arguments change */
#define MOST_LATE      64 /* launches after which a variant that cannot be verified is given up */
#define MOST_MISSED    16 /* launches that a competing variant did not do the work of */
#define SIZES          2  /* of each variant that compete, if it names none */
#define MOST_SIZES     (VARIANT_SIZES + 1 + SIZES)
#define ASK_EVERY      4         /* launches of a decided site */
#define WORTH_IT       0.8       /* of the time: a variant that takes more is not used */
#define TRIAL_AFTER_NS 100000000 /* kernel time that was seen: a process takes more */
#define LEAST_NS       20000     /* a launch that takes less is not worth a variant */
#define HOPED          0.5       /* of the time: what a variant may take of which nothing is known */
#define BINARY_NS      5000000   /* to build a program of its binary */
#define BUILD_NS       1e8 /* ... of its text, where nobody else can: a guess; on an H200 20 ms, at most 280 */

/* Those that there are.  `local`: the size that it may require; NULL: it must take any. */
static const struct maker {
    const char *label;
    struct variant *(*make)(const struct launching *l, uint64_t steady, const size_t local[3],
                            const char **reason, const char **detail);
    enum opt_variants asked; /* the option that asks for it alone */
    unsigned looked_at;      /* launches that show which arguments change */
    double hope;             /* the least time relative to the program's kernel that it was seen to take */
} makers[] = {{"wide", wide_variant, OPT_WIDE, 1, 0}, {"fixed", fixed_variant, OPT_FIXED, LOOKED_AT, 0.6}};
#define MAKERS (sizeof makers / sizeof *makers)

/* The search for a site's variants. */
struct vary {
    unsigned launches;     /* whose arguments were looked at */
    uint64_t steady;       /* bit i: argument i was the same in all of them; 63: so were all from there on */
    uint64_t argument[64]; /* their hashes */
    unsigned maker;        /* whose turn it is */
    bool met;              /* the one that is wanted was made */
    bool waits;            /* for another process, which tries it */
    unsigned late;         /* launches that could have been verified, but for their arguments or the queue */
    struct variant *offered; /* of that one, to be built and verified; NULL: none yet */
    double borrowed; /* the time of `offered` at another shape, where it was verified, if that is not paid for
                        here; 0: it is to be verified */
    double promised; /* the time of the best one that competes, relative to the program's kernel; 0: none */
};

/* ---- arguments -------------------------------------------------------------------------------------- */

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

/* ---- the search ------------------------------------------------------------------------------------- */

static void end_search(struct shim_site *s)
{
    if (s->vary)
        free(s->vary->offered);
    free(s->vary);
    s->vary = NULL;
    s->varied = true;
    s->variant_waits = NULL;
}

/* Nothing came of it: not in later runs either, unless it is the user's. */
static void give_back(struct shim_site *s, struct variant *v)
{
    s->tried |= v->bit;
    free(v);
}

/* Nothing comes of a variant.  Of one of the user's they are told without having asked. */
static void report_refused(const struct launching *l, const char *reason, const char *detail)
{
    const struct vary *x = l->site->vary;

    if (x && x->offered && x->offered->given)
        rep_say(l->rt->report, 0, "%s: %s: %s (%s)", l->site->entry->name, x->offered->label, detail, reason);
    report_launch(l, (struct rep_event){.event = "observed", .reason = reason, .detail = detail});
}

/* Is this the variant that wisdom wants, if it wants one? */
static bool is_wanted(const struct shim_site *s, const char *label)
{
    return !*s->wanted || strcmp(s->wanted, label) == 0;
}

/* Of those that we make. */
static struct variant *make(const struct launching *l, const struct vary *x, const size_t local[3])
{
    const struct maker *m = &makers[x->maker];
    const char *reason = "variant-no-memory", *detail = NULL;
    const enum opt_variants asked = l->rt->opt.variants;
    struct variant *v = NULL;

    if (!is_wanted(l->site, m->label) || (asked != OPT_VARIANTS_AUTO && asked != m->asked) ||
        (asked == OPT_VARIANTS_AUTO && l->site->tried >> x->maker & 1) ||
        (m->asked != OPT_WIDE && prove_keeps_groups(l->site)) || (x->promised > 0 && x->promised < m->hope))
        return NULL;
    const struct driver driver = obj_driver(l->queue->device);
    const char *problem =
        drv_rewriting_problem(l->site->entry->summary, &driver, limits_in_vectors(l), &detail);
    const bool may_round = problem && drv_shows_rounding(&driver) && strcmp(problem, "driver-rounds") == 0;

    if (may_round && !(detail = noise_problem(l)))
        problem = NULL;
    if (problem)
        report_refused(l, problem, detail);
    else if (!(v = m->make(l, x->steady, local, &reason, &detail)))
        report_refused(l, reason, detail ? detail : rsn_words(reason));
    else
        v->bit = 1u << x->maker, v->may_round = may_round;
    return v;
}

/* Of those that the user offers. */
static struct variant *make_given(const struct launching *l, unsigned n)
{
    struct variant *v = prove_keeps_groups(l->site) ? NULL : given_variant(l, n);

    if (v && is_wanted(l->site, v->label))
        return v;
    free(v);
    return NULL;
}

/* Make the variant whose turn it is, unless it has been made. */
static struct variant *offered(const struct launching *l, struct vary *x, const size_t local[3])
{
    if (!x->offered && x->maker < MAKERS)
        x->offered = make(l, x, local);
    else if (!x->offered)
        x->offered = make_given(l, x->maker - (unsigned)MAKERS);
    return x->offered;
}

/* A size of the program's kernel divided by the units; false: it does not divide the range. */
static bool divided_size(const struct variant *v, const struct launching *l, const size_t from[3],
                         size_t to[3])
{
    size_t global[3], offset[3];

    for (unsigned d = 0; d < 3; d++)
        to[d] = from[d] > v->units[d] ? from[d] / v->units[d] : 1;
    return from[0] && variant_range(v, &l->shape, to, global, offset);
}

/* A size of the program's kernel as one of the variant's: itself, or divided by the units, or else one that
 * it names.  False: none divides the range; then it is the driver's choice. */
static bool own_size(const struct variant *v, const struct launching *l, const size_t from[3], size_t to[3])
{
    size_t global[3], offset[3];

    memcpy(to, from, 3 * sizeof *to);
    if (variant_range(v, &l->shape, to, global, offset))
        return true;
    if (divided_size(v, l, from, to))
        return true;
    for (unsigned i = 0; i < v->nlocal; i++) {
        memcpy(to, v->local[i], 3 * sizeof *to);
        if (variant_range(v, &l->shape, to, global, offset))
            return true;
    }
    memset(to, 0, 3 * sizeof *to);
    return false;
}

/* A size with which it competes, and the time of the size of the program's kernel that it comes from. */
struct entrant {
    size_t local[3];
    double predicted_ns;
};

static bool is_among(const struct entrant *e, unsigned n, const size_t local[3])
{
    while (n--)
        if (memcmp(e[n].local, local, sizeof e[n].local) == 0)
            return true;
    return false;
}

/* Those that it names, or else like those of the leading size of the program's kernel, or of its own and the
 * model's; 0, the driver's choice, where its range may be odd. */
static unsigned entrants(const struct launching *l, const struct variant *v, struct entrant to[MOST_SIZES])
{
    size_t global[3], offset[3];
    const struct prof_race *r = &l->site->race;
    const unsigned first = prof_race_leader(r), leader = r->lane[first].variant ? 0 : first,
                   from[SIZES] = {leader, leader ? r->n : 1};
    unsigned n = 0;

    for (unsigned i = 0; i < v->nlocal; i++)
        if (variant_range(v, &l->shape, v->local[i], global, offset)) {
            to[n] = (struct entrant){.predicted_ns = r->lane[0].predicted_ns};
            memcpy(to[n++].local, v->local[i], sizeof to->local);
        }
    if (v->end)
        to[n++] = (struct entrant){.predicted_ns = r->lane[0].predicted_ns};
    for (unsigned i = 0; i < SIZES; i++)
        if (!v->nlocal && from[i] < r->n && !r->lane[from[i]].variant &&
            own_size(v, l, r->lane[from[i]].local, to[n].local) && !is_among(to, n, to[n].local))
            to[n++].predicted_ns = r->lane[from[i]].predicted_ns;
    return n;
}

/* A variant that is found, with a size that it takes, and how it was verified. */
struct found {
    struct variant *variant;
    size_t local[3];
    struct verification v;
    double borrowed; /* struct vary */
};

static cl_int launch_as_asked(const struct launching *l)
{
    return site_state(l->site) == SITE_RACING ? launch_observed(l, true) : call_pass(l->call);
}

/* Time that a launch takes as decided or, before that, as the program asks, and the program's own, in ns; 0:
 * not known. */
static double present_ns(const struct shim_site *s, double *own)
{
    *own = site_own_rate(s) * (double)site_items(s);
    return *own > (double)s->saved_ns ? *own - (double)s->saved_ns : 0;
}

/* Kernel time that the site has taken, as far as it is known, in ns. */
static double seen_ns(const struct shim_site *s)
{
    double own, now = present_ns(s, &own), seen = (double)s->account.observed_ns;

    now *= s->launches + atomic_load(&s->decided_launches);
    return now > seen ? now : seen;
}

/* Does a launch take so long that a variant may be worth while? */
static bool is_long(const struct shim_site *s)
{
    return site_own_rate(s) * (double)site_items(s) > LEAST_NS;
}

/* What an earlier run measured of it, with its best size, and so verified; NULL: nothing. */
static const struct prof_evidence *evidence(const struct shim_site *s, const struct variant *v)
{
    const struct prof_past *past = s->before;
    const struct prof_evidence *found = NULL;

    for (unsigned i = 0; past && i < past->n; i++) {
        const struct prof_evidence *e = &past->candidate[i];
        if (e->samples && e->text == v->hash && strcmp(e->variant, v->label) == 0 &&
            (!found || e->best < found->best))
            found = e;
    }
    return found;
}

/* Did an earlier run verify it, and is that enough? */
static bool is_known(const struct launching *l, const struct variant *v)
{
    const struct shim_site *s = l->site;

    if (l->rt->opt.verify)
        return false;
    return *s->wanted ? v->hash == s->wanted_text : evidence(s, v) != NULL;
}

/* It was verified at this shape, where it takes so much of the time; 0: it differs, so that no shape's
 * verification serves another one. */
static void lend(const struct launching *l, const struct variant *v, const size_t local[3], double relative)
{
    struct shim_entry *e = l->site->entry;

    pthread_mutex_lock(&e->build->lock);
    e->verified = (struct site_verified){
        .text = v->hash, .relative = relative, .none = e->verified.none || relative <= 0};
    memcpy(e->verified.local, local, sizeof e->verified.local);
    pthread_mutex_unlock(&e->build->lock);
}

/* The time that the same text took at another shape of the kernel, where it was verified with this size:
 * that is the same code, and does the same if the driver does not lose rounds in some shapes.  0: it was not,
 * or that is not enough. */
static double borrow(const struct launching *l, const struct variant *v, const size_t local[3])
{
    struct shim_entry *e = l->site->entry;
    struct site_verified found;

    if (l->rt->opt.verify || v->given || site_state(l->site) != SITE_RACING || l->site->in_slices ||
        !local[0] || (e->summary->has_barrier && obj_has(l->queue->device, DRV_LOSES_ROUNDS)))
        return 0;
    pthread_mutex_lock(&e->build->lock);
    found = e->verified;
    pthread_mutex_unlock(&e->build->lock);
    return !found.none && found.text == v->hash && !memcmp(found.local, local, sizeof found.local)
               ? found.relative
               : 0;
}

/* What it costs to have `v`, in ns, or at least the next one if that is NULL: its program is built and,
 * unless that is `known` from earlier runs, it is compiled if no other process can have that done, and
 * verified. */
static double cost_ns(const struct launching *l, struct variant *v, bool known)
{
    const struct prof_account *a = &l->site->account;
    const double model = l->queue->device->model.compile_ns, learned = (double)a->compile_ns,
                 compile = learned > model ? learned : model,
                 build = v && variant_private(l, v)
                             ? 0 /* for another shape of the kernel, or kernel object */
                         : v && v->has_binary ? BINARY_NS
                         : a->build_ns > 0    ? (double)a->build_ns
                         : compile > 0        ? compile
                                              : BUILD_NS;

    if (known)
        return build;
    return build + (ahead_is_possible(l) ? 0 : compile) + (v ? verify_cost_ns(l, v) : 0);
}

/* --variants auto: is the variant, or the next one if `v` is NULL, worth its cost?  If it halves the time, or
 * takes what it did in earlier runs, as many launches again as were seen must gain that several times, unless
 * the budget has it (prof_may_spend()).  What was measured, and is not only hoped for, may pay for itself
 * within this run, however much was spent before. */
static bool may_pay(const struct launching *l, struct variant *v)
{
    const struct shim_site *s = l->site;
    const struct prof_policy policy = policy_of(l);
    const struct prof_evidence *e = v ? evidence(s, v) : NULL;
    const double borrowed = v && s->vary ? s->vary->borrowed : 0;
    const bool known = borrowed > 0 || (e && is_known(l, v));
    const double cost = cost_ns(l, v, known), seen = seen_ns(s),
                 gain = e              ? 1 - e->best
                        : borrowed > 0 ? 1 - borrowed
                                       : HOPED;
    struct prof_account account = s->account;

    account.observed_ns = (int64_t)seen; /* launches of a decided site are not all observed */
    return prof_may_spend(&account, &policy, (int64_t)cost, (int64_t)(gain * seen)) ||
           (known && gain * (double)s->seen_ns >= PROF_PAYBACK * cost);
}

/* Enter what building the variant took since it was last entered. */
static void charge_build(struct shim_site *s, struct variant *v)
{
    const int64_t ns = atomic_exchange(&v->unpaid_ns, 0);

    if (ns)
        prof_charge_build(&s->account, ns);
}

/* The size with which it is verified: one of the program's or the decided one's kind, else the driver's. */
static void first_size(const struct launching *l, const struct variant *v, const size_t local[3],
                       size_t to[3])
{
    if (*l->site->wanted)
        memcpy(to, local, 3 * sizeof *to);
    else
        own_size(v, l, local, to);
}

/* Add a size unless it is there, or is the driver's choice. */
static void add_size(size_t size[][3], unsigned *n, const size_t local[3])
{
    bool there = !local[0];

    for (unsigned i = 0; i < *n; i++)
        there |= memcmp(size[i], local, sizeof size[i]) == 0;
    if (!there)
        memcpy(size[(*n)++], local, sizeof *size);
}

/* Did variants compete in an earlier run? */
static bool competed_before(const struct shim_site *s)
{
    for (unsigned i = 0; s->before && i < s->before->n; i++)
        if (*s->before->candidate[i].variant)
            return true;
    return false;
}

/* Variants that may compete have not all been looked at, and the race can take one, if this launch can have
 * another kernel. */
static bool is_looking(const struct launching *l)
{
    const struct shim_site *s = l->site;
    const unsigned modes = policy_of(l).modes;

    return rt_variants_compete(l->rt) && !s->varied && is_long(s) &&
           (!modes || modes & 1u << PROF_LAUNCHES) && !policy_untimed(l) && launch_has_local(&l->shape);
}

/* Does a variant that is found compete?  Else it is used at once, with the best of its sizes.  With the first
 * one that competes samples become whole launches, for good. */
static bool joins(const struct launching *l)
{
    const struct shim_site *s = l->site;

    return is_looking(l) &&
           (s->variants || ((s->launches || competed_before(s)) && !s->in_slices && !policy_at_once(l) &&
                            (s->mode == PROF_NONE || s->mode == PROF_LAUNCHES))) &&
           launch_may_vary(l); /* last: that takes system calls */
}

/* Is there nothing to do for the variant, whatever is proved of this launch?  It is too early to have it
 * tried, another process was asked just now, or the account cannot pay. */
static bool is_idle(const struct launching *l, struct vary *x, const size_t size[3])
{
    struct variant *v = x->offered;
    bool answered, early;

    if (!rt_variants_compete(l->rt) || *l->site->wanted)
        return false;
    if (x->borrowed <= 0 && !may_pay(l, v))
        x->borrowed = borrow(l, v, size);
    answered = x->borrowed > 0 || is_known(l, v) || v->tried[0] || !ahead_is_possible(l);
    early = policy_effort(l) == PROF_MEASURE && seen_ns(l->site) < TRIAL_AFTER_NS;
    x->waits = !answered && (early || clock_now() < v->look);
    if (!answered)
        l->site->variant_waits =
            early ? "its kernel has not run for long enough" : "another process tries it";
    else if (!may_pay(l, v))
        l->site->variant_waits = "the budget does not pay for it yet";
    else
        return false;
    return x->waits || answered;
}

/* Has another process found that the driver can do it?  A variant that is asked for by name, or that an
 * earlier run used, is not tried.  The other sizes that compete are compiled with the first one, and a small
 * one with which a little of a launch can be made. */
static enum ahead_trial trial(const struct launching *l, struct variant *v, const size_t local[3])
{
    struct entrant entrant[MOST_SIZES];
    size_t size[2 + MOST_SIZES][3] = {{1, 1, 1}}, small[3];
    unsigned n = 1, others;

    if (!rt_variants_compete(l->rt) || *l->site->wanted || !ahead_is_possible(l))
        return AHEAD_TRIED;
    if (local[0])
        memcpy(size[0], local, sizeof *size);
    if (l->site->vary->borrowed > 0 || is_known(l, v)) {
        ahead_recall(l, v, size[0]);
        return AHEAD_TRIED;
    }
    if (!v->nlocal && divided_size(v, l, l->site->key.own, small) && limits_same_code(l, small))
        add_size(size, &n, small);
    others = site_state(l->site) == SITE_RACING ? entrants(l, v, entrant) : 0;
    for (unsigned i = 0; i < others; i++)
        add_size(size, &n, entrant[i].local);
    return ahead_try(l, v, size, n, policy_effort(l) >= PROF_PATIENT || !joins(l));
}

/* Build it and compare what it writes, unless an earlier run did so with this text.  *reason: why it cannot
 * be built. */
static enum verified build_and_verify(const struct launching *l, struct vary *x, struct found *out,
                                      const char **reason)
{
    enum verified result = VERIFIED_EQUAL;
    enum variant_result built;

    if (!*l->site->wanted && rt_variants_compete(l->rt) && !may_pay(l, x->offered))
        return VERIFIED_LATER;
    built = variant_build(l, x->offered, reason);
    charge_build(l->site, x->offered);
    switch (built) {
    case VARIANT_LAUNCHED:
        *reason = NULL;
        break;
    case VARIANT_BROKEN:
        return VERIFIED_NOT;
    case VARIANT_NOT_NOW:
        return VERIFIED_LATER;
    }
    if (x->borrowed <= 0 && !is_known(l, x->offered))
        result = verify_variant(l, x->offered, out->local, launch_as_asked, &out->v);
    if (result != VERIFIED_LATER || ++x->late < MOST_LATE)
        return result;
    out->v.detail = "no launch could be waited for";
    return VERIFIED_NOT;
}

/* It differs: what earlier runs knew of it does not count any more, nor in later runs. */
static void forget(const struct launching *l, const struct variant *v)
{
    struct prof_past *past = l->site->before;
    unsigned kept = 0;

    for (unsigned i = 0; past && i < past->n; i++)
        if (past->candidate[i].text != v->hash)
            past->candidate[kept++] = past->candidate[i];
    if (past)
        past->n = kept;
    lend(l, v, l->shape.local, 0);
    if (rt_variants_compete(l->rt))
        settle_without_variant(l, v->label);
}

/* Try it, build it and verify it, unless an earlier run did.  VERIFIED_NOT: the reason was reported. */
static enum verified check(const struct launching *l, struct vary *x, const size_t local[3],
                           struct found *out)
{
    size_t global[3], offset[3];
    const char *reason = NULL;
    enum verified verified;

    first_size(l, x->offered, local, out->local);
    if (is_idle(l, x, out->local) || !prove_launch(l) ||
        (!variant_holds(x->offered, l) && ++x->late < MOST_LATE))
        return VERIFIED_LATER;
    if (x->late >= MOST_LATE) {
        report_refused(l, "variant-unverified", "no launch has arguments for which it does the same");
        return VERIFIED_NOT;
    }
    if (!variant_range(x->offered, &l->shape, out->local, global, offset)) {
        report_refused(l, "variant-size", "neither its units nor its sizes divide the range");
        return VERIFIED_NOT;
    }
    switch (trial(l, x->offered, out->local)) {
    case AHEAD_LATER:
        x->waits = true;
        return VERIFIED_LATER;
    case AHEAD_FAILED:
        report_refused(l, "variant-not-built", "another process could not compile or launch it");
        return VERIFIED_NOT;
    case AHEAD_TRIED:
        break;
    }
    verified = build_and_verify(l, x, out, &reason);
    if (reason)
        report_refused(l, reason, rsn_words(reason));
    else if (verified == VERIFIED_NOT)
        report_refused(l, "variant-unverified", out->v.detail);
    else if (verified == VERIFIED_DIFFERENT)
        report_refused(l, "variant-differs", out->v.detail);
    if (verified != VERIFIED_DIFFERENT)
        return verified;
    forget(l, x->offered);
    return VERIFIED_NOT;
}

/* Does the first launch make the very text that wisdom wants, which may require the size?  Then no more need
 * be seen. */
static bool is_as_wanted(const struct launching *l, struct vary *x, const size_t local[3])
{
    const struct shim_site *s = l->site;
    const int may_require = local[0] && split_divides(local, l->shape.global);

    if (x->launches > 1 || strcmp(s->wanted, makers[x->maker].label) != 0 || !prove_launch(l))
        return false;
    for (int required = 0; required <= may_require; required++) {
        if (offered(l, x, required ? local : NULL) && x->offered->hash == s->wanted_text)
            return true;
        free(x->offered);
        x->offered = NULL;
    }
    return false;
}

/* Come one step closer to a verified variant with this size; `required`: it may require the size.  False:
 * there is none yet, or, once s->vary is NULL, no other.  out->v says whether the launch was made. */
static bool search(const struct launching *l, const size_t local[3], bool required, struct found *out)
{
    struct shim_site *s = l->site;
    struct vary *x = s->vary ? s->vary : (s->vary = calloc(1, sizeof *s->vary));
    enum verified verified = VERIFIED_NOT;

    *out = (struct found){0};
    if (!x) {
        end_search(s);
        return false;
    }
    look_at_arguments(l, x);
    while (*s->wanted && x->maker < MAKERS && strcmp(s->wanted, makers[x->maker].label) != 0)
        x->maker++;
    if (x->maker < MAKERS && x->launches < makers[x->maker].looked_at && !is_as_wanted(l, x, local))
        return false;
    if (!x->offered && !prove_launch(l))
        return false;
    x->met |= offered(l, x, required ? local : NULL) != NULL;
    if (x->offered)
        verified = check(l, x, local, out);
    if (verified == VERIFIED_LATER)
        return false;
    if (verified == VERIFIED_EQUAL) {
        out->variant = x->offered;
        out->borrowed = x->borrowed;
    } else if (x->offered) {
        give_back(s, x->offered);
    }
    x->borrowed = 0;
    x->offered = NULL;
    s->variant_waits = NULL;
    x->late = 0;
    if (++x->maker < MAKERS + given_variants(s))
        return out->variant;
    if (*s->wanted && !x->met)
        report_refused(l, "variant-none", "no variant of that name could be made");
    end_search(s);
    return out->variant;
}

/* ---- in a race -------------------------------------------------------------------------------------- */

bool vary_wants_launches(const struct launching *l)
{
    return l->site->variants || joins(l);
}

/* The launch on copies is its first sample, unless earlier runs have left some. */
static void add_lane(struct shim_site *s, const struct found *f, const size_t local[3], double predicted_ns)
{
    struct prof_race *r = &s->race;
    const unsigned lane = prof_race_join(r, f->variant->label, f->variant->hash, local, predicted_ns);
    const bool verified = memcmp(local, f->local, sizeof f->local) == 0;

    if (!lane)
        return;
    r->lane[lane].known = verified || variant_is_compiled(f->variant, local);
    if (s->before)
        prof_race_resume_lane(r, lane, s->before);
    if (verified && f->v.made)
        prof_race_add(r, lane, site_items(s), f->v.variant_ns, 0);
}

/* Let the variant join the race, with the leading size, or else with the program's and the model's.  Sizes of
 * the program's kernel that promise less leave it. */
static void join(const struct launching *l, const struct found *f, double relative)
{
    struct shim_site *s = l->site;
    struct entrant entrant[MOST_SIZES];
    const unsigned n = entrants(l, f->variant, entrant);

    f->variant->next = s->variants;
    s->variants = f->variant;
    for (unsigned i = 0; i < n; i++)
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
    report_refused(l, "variant-slower", words);
}

/* It joins if it was not slower where it was verified. */
static void join_if_fast(const struct launching *l, struct found *f)
{
    const double items = (double)site_items(l->site), best = l->site->race.lane[0].best * items;
    const struct prof_evidence *e = evidence(l->site, f->variant);
    /* A part is compared with a part; in a race the shortest times are. */
    const double own = f->v.made ? site_own_rate(l->site) * items : (double)f->v.own_ns;

    if (e || f->borrowed > 0 || (double)f->v.variant_ns < own) {
        const double relative = e ? e->best
                                : f->borrowed > 0
                                    ? f->borrowed
                                    : (double)f->v.variant_ns / (f->v.made && best > 0 ? best : own);
        if (f->borrowed <= 0)
            lend(l, f->variant, f->local, relative);
        join(l, f, relative);
        return;
    }
    report_slower(l, f->variant, (double)f->v.variant_ns, own);
    give_back(l->site, f->variant);
}

bool vary_may_join(const struct launching *l)
{
    const struct shim_site *s = l->site;

    return joins(l) && !(s->vary && s->vary->waits) && may_pay(l, s->vary ? s->vary->offered : NULL);
}

/* Does the variant take less time than a launch as decided?  Note by how much.  What the program's kernel
 * took beside it counts, as earlier times may be of slices, which stay in the cache.  But a whole launch was
 * looked at once: if an earlier one took less, that counts. */
static bool is_faster(const struct launching *l, const struct found *f)
{
    struct shim_site *s = l->site;
    const double took = (double)f->v.variant_ns;
    double own, than = present_ns(s, &own), beside = (double)f->v.own_ns;

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

/* The fastest of the sizes that are compiled. */
static void find_best_size(const struct launching *l, struct found *f)
{
    struct variant *v = f->variant;

    for (unsigned i = 0; i < v->ncompiled; i++) {
        const int64_t ns =
            memcmp(v->compiled[i], f->local, sizeof f->local) ? verify_time(l, v, v->compiled[i]) : INT64_MAX;
        if (ns < f->v.variant_ns) {
            f->v.variant_ns = ns;
            memcpy(f->local, v->compiled[i], sizeof f->local);
        }
    }
}

/* A race of slices, of launches that are long and few, ends with the first variant that was clearly faster
 * where it was verified. */
static void win_if_fast(const struct launching *l, struct found *f)
{
    find_best_size(l, f);
    if (!is_faster(l, f)) {
        give_back(l->site, f->variant);
        return;
    }
    if (l->site->vary)
        end_search(l->site);
    settle_by_variant(l, f->variant, f->local);
}

/* Which sizes of the competing variants are compiled by now, and are more to come? */
static void look_again(const struct launching *l)
{
    struct prof_race *r = &l->site->race;

    r->variants_awaited = false;
    for (struct variant *v = l->site->variants; v; v = v->next) {
        r->variants_awaited |= ahead_goes_on(l, v);
        for (unsigned i = 1; i < r->n; i++)
            r->lane[i].known |= r->lane[i].variant == v->label && variant_is_compiled(v, r->lane[i].local);
    }
}

bool vary_is_awaited(const struct launching *l)
{
    return prove_keeps_groups(l->site) && joins(l);
}

bool vary_race(const struct launching *l, cl_int *error)
{
    struct shim_site *s = l->site;
    struct found found = {0};
    const bool competes = joins(l), wins = s->in_slices && is_looking(l) && launch_may_vary(l);

    if ((competes || wins) && search(l, s->key.own, false, &found)) {
        if (competes)
            join_if_fast(l, &found);
        else
            win_if_fast(l, &found);
    }
    look_again(l);
    *error = found.v.error;
    return found.v.made;
}

/* The lane's variant did not do the launch's work: one that rarely does is not worth more launches. */
static void miss(struct shim_site *s, unsigned lane, struct variant *v)
{
    if (++v->missed >= MOST_MISSED)
        prof_race_drop(&s->race, lane, false);
}

bool vary_measure(const struct launching *l, unsigned lane, struct site_pending *watch)
{
    struct shim_site *s = l->site;
    struct variant *v = variant_labelled(s, s->race.lane[lane].variant);
    enum variant_result result = VARIANT_NOT_NOW;
    const char *reason = NULL;

    if (launch_may_vary(l))
        result = variant_launch(l, v, s->race.lane[lane].local, watch, &reason);
    charge_build(s, v);
    switch (result) {
    case VARIANT_LAUNCHED:
        return true;
    case VARIANT_BROKEN:
        report_refused(l, reason, rsn_words(reason));
        prof_race_drop(&s->race, lane, true);
        return false;
    case VARIANT_NOT_NOW:
        break;
    }
    miss(s, lane, v);
    return false;
}

/* ---- of decided sites ------------------------------------------------------------------------------- */

/* From now on launches are made with the decided size alone. */
static void give_up(const struct launching *l)
{
    struct shim_site *s = l->site;

    if (site_is_retuned(s) && s->keep) {
        atomic_fetch_sub(&l->rt->total.retuned, 1);
        atomic_fetch_add(&l->rt->total.kept, 1);
    }
    samples_begin_anew(s);
    atomic_store(&s->varies, SITE_AS_DECIDED);
    atomic_store(&s->as_written, s->keep);
}

static void adopt(const struct launching *l, struct variant *v, const size_t local[3])
{
    struct shim_site *s = l->site;

    if (s->vary)
        end_search(s);
    s->variant = v;
    memmove(s->variant_local, local, sizeof s->variant_local);
    samples_begin_anew(s);
    if (s->keep) {
        atomic_fetch_sub(&l->rt->total.kept, 1);
        atomic_fetch_add(&l->rt->total.retuned, 1);
    }
    atomic_store_explicit(&s->varies, SITE_VARIANT, memory_order_release);
    report_launch(l, (struct rep_event){.event = "observed", .reason = "variant-used", .detail = v->label});
}

/* One step closer to the variant that is looked for: with the decided size, unless wisdom knows a better one.
 * True if the launch was made, with its result in *error. */
static bool prepare(const struct launching *l, cl_int *error)
{
    struct shim_site *s = l->site;
    const bool wanted = *s->wanted, chosen = !wanted && rt_variants_compete(l->rt);
    const size_t *local = wanted ? s->variant_local : s->choice;
    const bool required = !wanted && local[0] && split_divides(local, l->shape.global);
    struct found found = {0};

    if (chosen && !is_long(s)) { /* it will stay so */
        give_up(l);
        return false;
    }
    if (l->rt->opt.variants == OPT_FIXED && !required) {
        report_refused(l, "variant-size", rsn_words("variant-size"));
        give_up(l);
    } else if (!search(l, local, required, &found) || (chosen && !is_faster(l, &found))) {
        free(found.variant);
        if (!s->vary)
            give_up(l);
    } else {
        adopt(l, found.variant, found.local);
    }
    if (chosen && s->varied)
        settle_varied(l);
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
    report_refused(l, reason, rsn_words(reason));
    give_up(l);
    if (rt_variants_compete(l->rt))
        settle_without_variant(l, l->site->variant->label);
}

/* While the account cannot pay yet, most launches do not ask. */
static bool is_occasion(const struct launching *l)
{
    return !rt_variants_compete(l->rt) || *l->site->wanted ||
           (policy_measures(l) &&
            atomic_load_explicit(&l->site->decided_launches, memory_order_relaxed) % ASK_EVERY == 0);
}

/* The variant that is used makes the launch, if it does its work.  *broken: why it cannot any more. */
static bool launch_variant(const struct launching *l, struct site_pending *watch, const char **broken)
{
    struct shim_site *s = l->site;

    if (atomic_load_explicit(&s->varies, memory_order_acquire) != SITE_VARIANT || !guest_has_stack() ||
        !prove_holds(l) || !launch_may_vary(l) ||
        variant_launch(l, s->variant, s->variant_local, watch, broken) != VARIANT_LAUNCHED)
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
