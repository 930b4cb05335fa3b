/* vary_search.c - see vary_search.h. */
#include "shim/tune/vary_search.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/summary/driver_compiler.h"
#include "analysis/summary/hash.h"
#include "shim/enqueue/launch.h"
#include "shim/enqueue/variant_launch.h"
#include "shim/guest/clock.h"
#include "shim/ledger/reasons.h"
#include "shim/site/compile_ahead.h"
#include "shim/site/policy.h"
#include "shim/site/site_report.h"
#include "shim/tune/fixed.h"
#include "shim/tune/limits.h"
#include "shim/tune/noise.h"
#include "shim/tune/prove.h"
#include "shim/tune/record.h"
#include "shim/tune/vary_sizes.h"
#include "shim/tune/vary_worth.h"
#include "shim/tune/wide.h"

#define LOOKED_AT      4  /* launches that show which arguments change */
#define MOST_LATE      64 /* launches, or 20 ms of waiting each, until a variant is given up unverified */
#define TRIAL_AFTER_NS 100000000 /* kernel time that was seen: a process takes more */
#define LITTLE_NS      4000000   /* of a launch, that a variant may make first, however slow it is */

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

void vary_end_search(struct shim_site *s)
{
    if (s->vary)
        free(s->vary->offered);
    free(s->vary);
    s->vary = NULL;
    s->varied = true;
    s->variant_waits = NULL;
}

void vary_give_back(struct shim_site *s, struct variant *v)
{
    s->tried |= v->bit;
    free(v);
}

static void report_refused(const struct launching *l, const struct variant *v, const char *reason,
                           const char *detail)
{
    if (v && v->given)
        rep_say(l->rt->report, 0, "%s: %s: %s (%s)", l->site->entry->name, v->label, detail, reason);
    report_launch(l, (struct rep_event){.event = "observed", .reason = reason, .detail = detail});
}

void vary_report_refused(const struct launching *l, const char *reason, const char *detail)
{
    report_refused(l, l->site->vary ? l->site->vary->offered : NULL, reason, detail);
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

    if ((asked != OPT_VARIANTS_AUTO && asked != m->asked) ||
        (asked == OPT_VARIANTS_AUTO && l->site->tried >> x->maker & 1) ||
        (m->asked != OPT_WIDE && prove_keeps_groups(l->site)) || (x->promised > 0 && x->promised < m->hope))
        return NULL;
    const struct driver driver = obj_driver(l->queue->device);
    const char *problem =
        drv_rewriting_problem(l->site->entry->summary, &driver, limits_in_vectors(l), &detail);
    const bool may_round = problem && drv_shows_rounding(&driver) && strcmp(problem, "driver-rounds") == 0;

    if (may_round && !(detail = noise_problem(l)))
        problem = NULL;
    if (!problem && !*l->site->wanted && !variant_passes(l, sel_loads_stay)) {
        problem = "driver-reloads";
        detail =
            "a value that is loaded is used behind a store to its place, where this driver may load it again";
    }
    if (problem)
        vary_report_refused(l, problem, detail);
    else if (!(v = m->make(l, x->steady, local, &reason, &detail)))
        vary_report_refused(l, reason, detail ? detail : rsn_words(reason));
    else if (may_round && (detail = noise_fix_scalars(l, v, x->steady))) {
        vary_report_refused(l, "driver-rounds", detail);
        free(v);
        return NULL;
    }
    if (!v)
        return NULL;
    v->bit = 1u << x->maker;
    v->may_round = may_round;
    return v;
}

/* The number n of those that the user offers (--pool), which nobody has proved; NULL: there are not so many.
 */
static const struct pool_variant *given(const struct launching *l, unsigned n)
{
    return pool_find(l->rt->pool, l->site->entry->name, l->site->entry->build->hash, n);
}

static const char *label_given(const struct pool_variant *p, char label[OPT_VARIANT])
{
    snprintf(label, OPT_VARIANT, OPT_GIVEN "%.50s", p->name);
    return label;
}

/* Of those. */
static struct variant *make_given(const struct launching *l, unsigned n)
{
    const bool may = *l->site->wanted || rt_variants_compete(l->rt);
    const struct pool_variant *p = !may || prove_keeps_groups(l->site) ? NULL : given(l, n);
    char label[OPT_VARIANT];

    if (!p)
        return NULL;
    struct variant o = {.label = label_given(p, label),
                        .text = p->text,
                        .kernel = p->name,
                        .options = p->options,
                        .nlocal = p->nlocal,
                        .tolerance = p->tolerance,
                        .given = true};
    memcpy(o.units, p->units, sizeof o.units);
    memcpy(o.local, p->local, sizeof o.local);
    return variant_new(&o, l->kernel);
}

/* Make the variant whose turn it is, unless it has been made. */
static struct variant *offered(const struct launching *l, struct vary *x, const size_t local[3])
{
    if (!x->offered)
        x->offered = x->is_given ? make_given(l, x->given) : make(l, x, local);
    return x->offered;
}

_Static_assert(AHEAD_MOST_ASKED >= 2 + VARY_MOST_SIZES, "trial(): the first, a small one, the entrants'");

/* Add a size unless it is there, or is the driver's choice. */
static void add_size(struct ahead_question *q, const size_t local[3])
{
    if (local[0] && !launch_among(q->local[0], q->n, local))
        memcpy(q->local[q->n++], local, sizeof *q->local);
}

static cl_int launch_as_asked(const struct launching *l)
{
    return site_state(l->site) == SITE_RACING ? launch_observed(l, true) : call_pass(l->call);
}

/* Are the program's launches known, so that the race compares whole ones?  From this run, from earlier ones
 * with few launches, or from those in which variants competed. */
static bool has_seen_launches(const struct shim_site *s)
{
    for (unsigned i = 0; s->before && i < s->before->n; i++)
        if (*s->before->candidate[i].variant)
            return true;
    return s->launches || (s->before && s->before->launches);
}

/* Has another process been asked so lately that there is no answer yet?  Until the next look at it nothing
 * is done, and no launch need make the system calls that doing something takes. */
static bool waits_for_answer(const struct shim_site *s)
{
    return s->vary && s->vary->waits && s->vary->offered && clock_now() < s->vary->offered->trial.look;
}

bool vary_is_looking(const struct launching *l)
{
    const struct shim_site *s = l->site;
    const unsigned modes = policy_of(l).modes;

    return rt_variants_compete(l->rt) && !s->varied && (vary_is_long(s) || policy_at_once(l)) &&
           (!modes || modes & 1u << PROF_LAUNCHES) && !policy_untimed(l);
}

bool vary_joins(const struct launching *l)
{
    const struct shim_site *s = l->site;

    return vary_is_looking(l) &&
           (s->variants || (has_seen_launches(s) && !s->in_slices && !policy_at_once(l) &&
                            (s->mode == PROF_NONE || s->mode == PROF_LAUNCHES))) &&
           (waits_for_answer(s) || launch_may_vary(l)); /* last: that takes system calls */
}

/* Is there nothing to do for the variant, whatever is proved of this launch?  It is too early to have it
 * tried, another process was asked just now, or the account cannot pay. */
static bool is_idle(const struct launching *l, struct vary *x, const size_t size[3])
{
    struct variant *v = x->offered;
    bool answered, early;

    if (!rt_variants_compete(l->rt) || *l->site->wanted)
        return false;
    if (waits_for_answer(l->site))
        return true;
    if (x->borrowed <= 0 && !vary_may_pay(l, v, x->borrowed))
        x->borrowed = vary_borrow(l, v, size);
    answered = x->borrowed > 0 || vary_is_known(l, v) || v->trial.first[0] || !ahead_is_possible(l);
    early = policy_effort(l) == PROF_MEASURE && vary_seen_ns(l->site) < TRIAL_AFTER_NS;
    x->waits = !answered && (early || clock_now() < v->trial.look);
    if (!answered)
        l->site->variant_waits =
            early ? "its kernel has not run for long enough" : "another process tries it";
    else if (!vary_may_pay(l, v, x->borrowed))
        l->site->variant_waits = "the budget does not pay for it yet";
    else
        return false;
    return x->waits || answered;
}

/* Is there a smaller size with which the variant can make a little of a launch, if it cannot with `local`? */
static bool needs_small(const struct launching *l, const struct variant *v, const size_t local[3],
                        size_t small[3])
{
    const double least = verify_least_ns(l, v, local);

    return least > LITTLE_NS && !v->nlocal && vary_divide_size(v, l, l->site->key.own, small) &&
           limits_same_code(l, small) && verify_least_ns(l, v, small) < least;
}

/* The size that another process compiles first: that of the launch, or, where the driver chooses it, any that
 * it compiles likewise.  False: none is known, and compiling may end the process. */
static bool first_size(const struct launching *l, const struct variant *v, const size_t local[3],
                       size_t first[3])
{
    size_t global[3], offset[3];

    if (local[0])
        memcpy(first, local, 3 * sizeof *first);
    if (local[0] || !obj_has(l->queue->device, DRV_MAY_ABORT))
        return true;
    first[0] = 0;
    if (variant_range(v, &l->shape, local, global, offset))
        limits_stand_in(&l->site->classes, global, first);
    return first[0] > 0;
}

/* Has another process found that the driver can do it?  A variant that an earlier run used is not tried; for
 * one that is asked for by name, that is waited for.  The other sizes that compete are compiled with the
 * first one, and before them a small one, if a little of a launch can be made with no other. */
static enum variant_result trial(const struct launching *l, struct variant *v, const size_t local[3])
{
    struct vary_entrant entrant[VARY_MOST_SIZES];
    struct ahead_question q = {.n = 1, .local = {{1, 1, 1}}};
    const struct vary *x = l->site->vary;
    const bool may_abort = obj_has(l->queue->device, DRV_MAY_ABORT);
    size_t small[3];
    unsigned others;

    if (*l->site->wanted && vary_is_known(l, v))
        return VARIANT_WORKS;
    if (!ahead_is_possible(l) || !first_size(l, v, local, q.local[0]))
        return may_abort ? VARIANT_NEVER : VARIANT_WORKS;
    if (!may_abort && (l->site->vary->borrowed > 0 || vary_is_known(l, v))) {
        ahead_recall(l, v, q.local[0]);
        return VARIANT_WORKS;
    }
    if (needs_small(l, v, q.local[0], small))
        add_size(&q, small);
    q.needed = q.n;
    q.hoped_ns = vary_hope(l->site, x->is_given ? 0 : makers[x->maker].hope) * vary_seen_ns(l->site);
    others = site_state(l->site) == SITE_RACING ? vary_entrants(l, v, entrant) : 0;
    for (unsigned i = 0; i < others; i++)
        if (limits_alike(l, local, entrant[i].local))
            add_size(&q, entrant[i].local);
    if (policy_effort(l) >= PROF_PATIENT || !vary_joins(l)) /* there all are waited for */
        q.needed = q.n;
    return ahead_try(l, v, &q);
}

/* Has no earlier run verified it with this text? */
static bool is_to_be_verified(const struct launching *l, const struct vary *x)
{
    return x->borrowed <= 0 && !vary_is_known(l, x->offered);
}

/* Build it and compare what it writes, unless an earlier run did so with this text.  *reason: why it cannot
 * be built. */
static enum variant_result build_and_verify(const struct launching *l, struct vary *x, struct vary_found *out,
                                            const char **reason)
{
    enum variant_result result;
    int64_t begin;

    if (!*l->site->wanted && rt_variants_compete(l->rt) && !vary_may_pay(l, x->offered, x->borrowed))
        return VARIANT_LATER;
    result = variant_build(l, x->offered, reason);
    vary_charge_build(l->site, x->offered);
    if (result != VARIANT_WORKS)
        return result;
    *reason = NULL;
    begin = clock_now();
    if (is_to_be_verified(l, x))
        result = verify_variant(l, x->offered, out->local, launch_as_asked, &out->v);
    if (result != VARIANT_LATER)
        return result;
    l->site->variant_waits = "what was enqueued before its launches is still at work";
    x->late += 1 + (unsigned)((clock_now() - begin) / SANDBOX_DRAIN_NS);
    if (x->late < MOST_LATE)
        return result;
    out->v.detail = "no launch could be waited for";
    return VARIANT_NEVER;
}

void vary_refuse_different(const struct launching *l, const struct variant *v, const char *detail)
{
    struct prof_past *past = l->site->before;
    unsigned kept = 0;

    report_refused(l, v, "variant-differs", detail);
    for (unsigned i = 0; past && i < past->n; i++)
        if (past->candidate[i].text != v->hash)
            past->candidate[kept++] = past->candidate[i];
    if (past)
        past->n = kept;
    vary_lend(l, v, l->shape.local, 0);
    if (rt_variants_compete(l->rt))
        record_without_variant(l, v->label);
}

/* Try it, build it and verify it, unless an earlier run did.  VARIANT_NEVER: the reason was reported. */
static enum variant_result check(const struct launching *l, struct vary *x, const size_t local[3],
                                 struct vary_found *out)
{
    size_t global[3], offset[3];
    const char *reason = NULL;
    enum variant_result result;

    vary_first_size(l, x->offered, local, out->local);
    if (is_idle(l, x, out->local) || !prove_launch(l) ||
        (!variant_holds(x->offered, l) && ++x->late < MOST_LATE))
        return VARIANT_LATER;
    if (x->late >= MOST_LATE) {
        vary_report_refused(l, "variant-unverified", "no launch has arguments for which it does the same");
        return VARIANT_NEVER;
    }
    if (!variant_range(x->offered, &l->shape, out->local, global, offset)) {
        vary_report_refused(l, "variant-size", "neither its units nor its sizes divide the range");
        return VARIANT_NEVER;
    }
    if (is_to_be_verified(l, x) && (reason = verify_problem(l, x->offered))) {
        vary_report_refused(l, "variant-unverified", reason);
        return VARIANT_NEVER;
    }
    result = trial(l, x->offered, out->local);
    x->waits |= result == VARIANT_LATER;
    if (result == VARIANT_NEVER)
        vary_report_refused(l, "variant-not-built", "another process could not compile or launch it");
    if (result != VARIANT_WORKS)
        return result;
    result = build_and_verify(l, x, out, &reason);
    if (reason)
        vary_report_refused(l, reason, rsn_words(reason));
    else if (result == VARIANT_NEVER)
        vary_report_refused(l, "variant-unverified", out->v.detail);
    if (result != VARIANT_DIFFERS)
        return result;
    vary_refuse_different(l, x->offered, out->v.detail);
    return VARIANT_NEVER;
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

/* Is the given one that is next, or else the maker, what wisdom wants, if it wants one? */
static bool is_turn(const struct launching *l, struct vary *x)
{
    const struct pool_variant *p = given(l, x->given);
    char label[OPT_VARIANT];

    x->is_given = p;
    return is_wanted(l->site, p ? label_given(p, label) : makers[x->maker].label);
}

/* Whose turn is it?  False: all had theirs. */
static bool take_turn(const struct launching *l, struct vary *x)
{
    while ((given(l, x->given) || x->maker < MAKERS) && !is_turn(l, x))
        ++*(x->is_given ? &x->given : &x->maker);
    return given(l, x->given) || x->maker < MAKERS;
}

/* All were looked at. */
static bool end(const struct launching *l, const struct vary *x, const struct vary_found *out)
{
    if (*l->site->wanted && !x->met)
        vary_report_refused(l, "variant-none", "no variant of that name could be made");
    vary_end_search(l->site);
    return out->variant;
}

bool vary_search(const struct launching *l, const size_t local[3], bool required, struct vary_found *out)
{
    struct shim_site *s = l->site;
    struct vary *x = s->vary ? s->vary : (s->vary = calloc(1, sizeof *s->vary));
    enum variant_result verified = VARIANT_NEVER;

    *out = (struct vary_found){0};
    if (!x) {
        vary_end_search(s);
        return false;
    }
    look_at_arguments(l, x);
    if (!x->offered && !take_turn(l, x))
        return end(l, x, out);
    if (!x->is_given && x->launches < makers[x->maker].looked_at && !is_as_wanted(l, x, local))
        return false;
    if (!x->offered && !prove_launch(l))
        return false;
    x->met |= offered(l, x, required ? local : NULL) != NULL;
    if (x->offered)
        verified = check(l, x, local, out);
    if (verified == VARIANT_LATER)
        return false;
    if (verified == VARIANT_WORKS) {
        out->variant = x->offered;
        out->borrowed = x->borrowed;
    } else if (x->offered) {
        vary_give_back(s, x->offered);
    }
    x->borrowed = 0;
    x->offered = NULL;
    s->variant_waits = NULL;
    x->late = 0;
    ++*(x->is_given ? &x->given : &x->maker);
    return take_turn(l, x) ? out->variant != NULL : end(l, x, out);
}
