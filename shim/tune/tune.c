/* tune.c - takes a site from its first launch to a decision:
 *
 *   observe -> analyse -> prove -> recall wisdom -> select -> race -> decide
 *
 * Each launch advances its site as far as is possible without waiting; the launch itself always happens. */
#include <stdlib.h>
#include <string.h>
#include "shim/enqueue/launch.h"
#include "shim/enqueue/widening.h"
#include "shim/ledger/reasons.h"
#include "shim/ledger/runtime.h"
#include "shim/object/driver_sizes.h"
#include "shim/site/arguments.h"
#include "shim/site/compile_ahead.h"
#include "shim/site/hazard.h"
#include "shim/site/policy.h"
#include "shim/site/samples_in_flight.h"
#include "shim/site/site_report.h"
#include "shim/tune/advise.h"
#include "shim/tune/analyse.h"
#include "shim/tune/first_use.h"
#include "shim/tune/learned.h"
#include "shim/tune/limits.h"
#include "shim/tune/measure.h"
#include "shim/tune/prove.h"
#include "shim/tune/record.h"
#include "shim/tune/settle.h"
#include "shim/tune/slices.h"
#include "shim/tune/vary.h"
#include "shim/tune/work.h"
#include "shim/tune/tune.h"

#define MAX_CANDIDATES 2048
#define FIELD          8   /* sizes that are measured with the effort `measure`, the own one included */
#define SMALL_FIELD    4   /* ... if a run has only few launches to measure with */
#define PATIENT_FIELD  16  /* ... with the effort `patient` */
#define MANY_LAUNCHES  256 /* in a race from this many on not all short ones are looked at, */
#define RACING_COAST   15  /* ... but one in 16 */
#define MOST_MET       16  /* launches in a row that met other shapes: it will stay so */
#define MAX_GRANTS     10  /* unused grants of earlier runs that accumulate */

/* ---- select ---------------------------------------------------------------------------------------- */

/* How many sizes are measured, the own one included. */
static unsigned field_size(const struct launching *l)
{
    const struct prof_past *before = l->site->before;
    const enum prof_effort effort = policy_effort(l);

    if (effort == PROF_MEASURE)
        return before && before->launches && !l->site->in_slices ? SMALL_FIELD : FIELD;
    return effort == PROF_PATIENT ? PATIENT_FIELD : PROF_MAX_CANDIDATES;
}

/* Does `n` have no divisor that makes a good extent?  Only then are main and tail launches worth considering.
 */
static bool divides_badly(size_t n)
{
    for (size_t d = 16; d <= 128; d++)
        if (n % d == 0)
            return false;
    return n > 16;
}

/* Fill s->candidates and have the model estimate them.  Where groups must stay there is the own size alone.
 * False when there is nothing to choose from, or when out of memory. */
static bool select_candidates(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct sel_options o = {.max_items = s->max_items};
    struct launch_arg args[ARGS_MOST];
    const struct launch launch = args_describe(l, args);
    const bool alone = prove_keeps_groups(s);
    struct sel_work *work;
    int n;

    memcpy(o.max_dim, l->queue->device->max_dim, sizeof o.max_dim);
    o.classes = s->classes;
    memcpy(o.usual, s->usual, sizeof o.usual);
    for (unsigned d = 0; d < 3; d++)
        o.max_groups[d] = limits_most_groups(l, d);
    for (unsigned d = 0; d < 3; d++)
        o.tails[d] =
            !sel_has_classes(&o.classes) && s->proof.slice[d].proven && divides_badly(l->shape.global[d]);
    s->candidates = calloc(MAX_CANDIDATES, sizeof *s->candidates);
    work = sel_work_new();
    if (!s->candidates || !work) {
        sel_work_free(work);
        return false;
    }
    n = sel_candidates(s->entry->summary, &launch, &o, s->candidates, alone ? 1 : MAX_CANDIDATES);
    if (n > 1 || alone) {
        struct candidate *fitting = realloc(s->candidates, (size_t)n * sizeof *s->candidates);
        s->candidates = fitting ? fitting : s->candidates;
        s->ncandidate = (unsigned)n;
        sel_estimate_with(l->rt->opt.estimator, s->entry->summary, &launch, &l->queue->device->model,
                          s->candidates, s->ncandidate, work, &s->estimate);
    }
    for (unsigned i = 0; i < s->ncandidate; i++)
        if (s->candidates[i].own) {
            s->predicted_ns = s->candidates[i].time_ns;
            s->memory_ns = s->candidates[i].memory_ns;
            s->vectors = s->candidates[i].vectors;
        }
    sel_work_free(work);
    return s->ncandidate > 0;
}

/* Once the decision is reported nobody needs them, and sites live as long as the process. */
static void drop_candidates(struct shim_site *s)
{
    free(s->candidates);
    s->candidates = NULL;
    s->ncandidate = 0;
}

static bool seen_long(const struct launching *l)
{
    return l->site->account.observed_ns >= rt_enough_ns(l->rt);
}

/* Shapes that are launched once or take no time are not worth more than a look-up in wisdom. */
static bool worth_a_look(const struct launching *l)
{
    return (policy_asked(l) != PROF_MEASURE && !l->site->looks_short) || seen_long(l);
}

/* Mark candidates that earlier runs measured or had compiled: they are cheaper to measure than their
 * neighbours. */
static void mark_known(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct prof_past *past = s->before;

    for (unsigned i = 0; past && i < s->ncandidate; i++)
        for (unsigned k = 0; k < past->n; k++)
            s->candidates[i].known |= !*past->candidate[k].variant &&
                                      launch_same_size(s->candidates[i].local, past->candidate[k].local);
    ahead_mark_known(l, s->candidates, s->ncandidate);
}

/* Put the size that won at the nearest global size to the front of the n candidates in `list`, behind the own
 * size.  Returns the new length. */
static unsigned add_guess(const struct shim_site *s, struct candidate *list, unsigned n)
{
    const struct candidate *guess = s->guess[0] ? sel_of_size(s->candidates, s->ncandidate, s->guess) : NULL;
    unsigned at = 0;

    if (!guess || guess->state == SEL_INFEASIBLE || guess->own || n < 2)
        return n;
    while (at < n && !launch_same_size(list[at].local, s->guess))
        at++;
    if (at == n && n < PROF_MAX_CANDIDATES)
        n++;
    else if (at == n)
        at--;
    memmove(&list[2], &list[1], (at - 1) * sizeof *list);
    list[1] = *guess;
    list[1].state = SEL_KEPT;
    return n;
}

/* The site may be decided without a race: is what it chose right? */
static void look_at_choice(const struct launching *l)
{
    const struct shim_site *s = l->site;

    if (site_state(s) == SITE_DECIDED && !s->keep && !first_use_unraced(l, s->choice))
        settle_give_up(l);
}

/* Asked once per site: is its fate known without measuring, by a failure in an earlier run, or from wisdom?
 */
static bool settled_beforehand(const struct launching *l)
{
    l->site->recalled = true;
    limits_ask(l);
    return settle_failed_before(l) || (!l->site->entry->asked && settle_recall(l));
}

/* Put the short list into the race. */
static void line_up(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct prof_policy policy = policy_of(l);
    struct candidate list[PROF_MAX_CANDIDATES];
    unsigned n = sel_shortlist(s->candidates, s->ncandidate, field_size(l), list);

    s->estimate.by_both = learned_order(l, list, n);
    n = add_guess(s, list, n);
    prof_race_begin(&s->race, list, n, &policy);
    for (unsigned i = 1; i < s->race.n; i++)
        s->race.lane[i].parts = split_parts(s->race.lane[i].local, s->key.global);
}

/* Continue where an earlier run stopped, and enter the launches of the own size that were timed before.
 * Slices are not compared with whole launches, only the candidates' ratios of earlier runs with theirs. */
static void resume_race(const struct launching *l)
{
    struct shim_site *s = l->site;

    if (s->before && s->in_slices)
        s->before->launches = 0;
    if (s->before)
        prof_race_resume(&s->race, s->before);
    if (work_differs(s, s->early_ns, s->early_count))
        return;
    for (unsigned i = 0; i < s->early_count && !s->in_slices; i++)
        prof_race_add(&s->race, 0, launch_items(&l->shape), s->early_ns[i], 0);
}

/* From candidates to a race.  The first race of a run gets the run's grant. */
static void begin_race(const struct launching *l)
{
    struct shim_site *s = l->site;

    mark_known(l);
    s->in_slices = policy_effort(l) == PROF_MEASURE;
    line_up(l);
    s->in_slices = s->in_slices && measure_prepare_slices(l);
    if (!s->in_slices)
        line_up(l);
    resume_race(l);
    if (!atomic_exchange(&l->rt->granted, true) &&
        s->account.granted_ns < MAX_GRANTS * (int64_t)PROF_GRANT_NS)
        s->account.granted_ns += PROF_GRANT_NS;
    if (s->account.compile_ns < 0)
        s->account.compile_ns = atomic_load(&l->queue->device->compile_ns);
    ahead_together(l);
    site_become(s, SITE_RACING);
}

/* From a proof to a race, or right to a decision that needs none.  The site's state says how far it went. */
static void prepare(const struct launching *l)
{
    struct shim_site *s = l->site;

    if (!s->recalled && settled_beforehand(l))
        return;
    if (s->entry->asked) {
        settle_as_asked(l);
        look_at_choice(l);
        return;
    }
    if (!limits_legal(l, l->shape.local) && !s->launches)
        return; /* the driver will reject the launch, unless it has made one */
    if (l->queue->quiet || s->met || !policy_measures(l))
        return; /* nothing is measured in this run, or at present */
    if (!worth_a_look(l))
        return;
    if (!select_candidates(l)) {
        if (sel_has_classes(&s->classes))
            refuse_shape(l, "driver-classes", "no other legal size certainly has the same code");
        else
            refuse_shape(l, "no-candidates", "no other local size is legal here");
        return;
    }
    if (l->rt->opt.effort == PROF_ESTIMATE || l->rt->opt.dry_run) {
        settle_by_model(l);
        if (!l->rt->opt.dry_run)
            look_at_choice(l);
        return;
    }
    if (policy_asked(l) >= PROF_PATIENT && !s->before && !seen_long(l) &&
        !prof_settles_at_once(policy_effort(l), s->predicted_ns)) {
        s->looks_short = true;
        drop_candidates(s);
        return;
    }
    begin_race(l);
}

/* Has the race shown what it will, with all that may still join it? */
static bool race_is_over(const struct launching *l)
{
    struct shim_site *s = l->site;

    return site_state(s) == SITE_RACING && prof_race_next(&s->race) < 0 && !vary_may_join(l);
}

/* Make the launch as was decided just now. */
static cl_int launch_decided(const struct launching *l)
{
    struct shim_site *s = l->site;
    const bool usable = !s->keep && prove_holds(l);
    cl_int error;

    if (vary_launch_decided(l, &error))
        return error;
    error = usable ? launch_with(l, s->choice, NULL) : call_pass(l->call);
    if (usable && !error)
        atomic_fetch_add(&s->resized, 1);
    return error;
}

/* One more step of the race, which may be the last. */
static cl_int race(const struct launching *l)
{
    struct shim_site *s = l->site;
    cl_int error;
    bool made;

    work_set(l);
    made = vary_race(l, &error); /* first: its trial goes before what is compiled ahead */
    if (site_state(s) == SITE_DECIDED)
        return made ? error : launch_decided(l);
    if (!s->met)
        ahead_advance(l);
    if (!made)
        error = measure_sample(l);
    if (atomic_load(&s->failed))
        return error; /* it is given up */
    if (race_is_over(l) && !s->npending)
        settle_race(l);
    if (site_state(s) == SITE_RACING)
        record_progress(l);
    return error;
}

/* ---- one launch ------------------------------------------------------------------------------------ */

/* A launch before there is a race.  Without event times, timing a launch means waiting for it, which is not
 * done if the site cannot be tuned anyway. */
static cl_int launch_new(const struct launching *l)
{
    struct shim_site *s = l->site;
    const bool hopeless = l->kernel->nargs > ARGS_MOST || (s->proof_of && !s->proof.groups.proven);
    const unsigned stride = launch_stride(l);
    int64_t ns = 0;
    cl_int error;

    if (!policy_untimed(l) || l->queue->quiet || !hazard_may_wait(l))
        return launch_observed(l, false);
    if (hopeless || s->launches % stride)
        return call_pass(l->call);
    error = sample_whole(l, s->key.own, &ns);
    if (ns > 0) {
        site_seen(s, ns * stride);
        site_own_time(s, ns, stride);
    }
    return error;
}

/* Refuse the shape if nothing can be tried with it, because its launches meet those of other shapes. */
static void refuse_if_hemmed_in(const struct launching *l)
{
    struct shim_site *s = l->site;

    s->met = widening_forbids(l) ? s->met + 1 : 0;
    if (s->met == MOST_MET)
        refuse_shape(l, "several-queues", rsn_words("several-queues"));
}

/* How many launches need no look after this one?  A look takes microseconds, which counts where launches are
 * short and many.  None while the race would have them made with another size. */
static int launches_to_coast(const struct launching *l)
{
    const struct shim_site *s = l->site;
    const unsigned stride = launch_stride(l);
    const int to_the_next = (int)((stride - s->launches % stride) % stride); /* that is observed */

    if (policy_asked(l) != PROF_MEASURE || !launch_is_short(l))
        return 0;
    if (site_state(s) == SITE_NEW)
        return to_the_next;
    if (site_state(s) != SITE_RACING || prof_race_leader(&s->race) || prof_race_outstanding(&s->race))
        return 0;
    if (s->unpaid)
        return to_the_next;
    return s->launches < MANY_LAUNCHES ? 0 : RACING_COAST;
}

cl_int tune_launch(const struct launching *l)
{
    struct shim_site *s = l->site;
    cl_int error;

    samples_collect(s);
    if (atomic_load(&s->failed))
        settle_give_up(l);
    if (site_is_open(s))
        refuse_if_hemmed_in(l);
    if (site_state(s) == SITE_NEW && l->kernel->nargs <= ARGS_MOST && analyse_kernel(l) &&
        (!s->recalled || s->entry->asked || worth_a_look(l)) && prove_launch(l))
        prepare(l);
    if (race_is_over(l))
        settle_race(l);
    switch (site_state(s)) {
    case SITE_RACING:
        /* It is proved once the race wants another size or kernel for it. */
        error = !l->queue->quiet && policy_measures(l) && !prove_failed(l) ? race(l) : call_pass(l->call);
        break;
    case SITE_DECIDED:
        error = launch_decided(l);
        break;
    case SITE_NEW:
        error = launch_new(l);
        break;
    case SITE_REFUSED:
    default:
        error = call_pass(l->call);
        break;
    }
    if (s->differs)
        settle_give_up(l);
    if (error == CL_SUCCESS)
        atomic_fetch_add(&s->launches, 1);
    atomic_store(&s->coast, launches_to_coast(l));
    if (site_state(s) != SITE_NEW)
        advise_launch(l);
    if (!site_is_open(s)) {
        samples_abandon(s);
        drop_candidates(s);
        free(s->before);
        s->before = NULL;
    }
    return error;
}
