/* tune.c - takes a site from its first launch to a decision:
 *
 *   observe -> analyse -> prove -> recall wisdom -> select -> race -> decide
 *
 * Each launch advances its site as far as is possible without waiting; the launch itself always happens. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/ahead.h"
#include "shim/arguments.h"
#include "shim/guest.h"
#include "shim/harvest.h"
#include "shim/intercept.h"
#include "shim/launch.h"
#include "shim/measure.h"
#include "shim/rounding.h"
#include "shim/runtime.h"
#include "shim/settle.h"
#include "shim/slices.h"
#include "shim/tune.h"

#define MAX_CANDIDATES    2048
#define MIN_SLICE_NS      200000   /* of a sample (struct prof_policy) */
#define MAX_FAILED_PROOFS 32       /* for a site, after which it is left alone */
#define HELPER_NS         80000000 /* CPU time of a helper: twice what was measured for a small program */
#define HELPER_SHARE      20       /* a helper may take one part in this many of the CPU time of kernels */
#define HELPER_UNITS      4 /* cores that count as sharing it: a launch takes as long as its slowest core */
#define POOR_EXTENT       8 /* work-items: see looks_poor() */
#define USUAL_STACK       (8u << 20)  /* bytes: the default stack of a thread on Linux */
#define SMALL_STACK       (64u << 10) /* ... that a program may give a thread which does no more than wait */
#define STACK_SHARE       4     /* private arrays of a group may take one part in this many of a stack */
#define KEPT_BYTES        16    /* saved across a barrier per 32-bit register and work-item: a high guess */
#define PATIENT_SHAPES    8     /* of a kernel that the effort `patient` measures without a budget */
#define SHORT_LAUNCH_NS   50000 /* shorter launches are not all looked at: launches_to_coast() */
#define MANY_LAUNCHES     256   /* ... in a race from this many on */
#define RACING_COAST      15    /* ... but one in 16 */
#define MAX_GRANTS        10    /* unused grants of earlier runs that accumulate */
#define PROOFS_NS         50000000 /* what proofs for a site may cost in any case */
#define PROOFS_SHARE      0.02     /* and besides, as a share of the kernel time seen at the site */

enum prof_effort tune_effort(const struct launching *l)
{
    return l->rt->opt.effort == PROF_PATIENT && l->site->one_of_many ? PROF_MEASURE : l->rt->opt.effort;
}

struct prof_policy tune_policy(const struct launching *l)
{
    const struct options *o = &l->rt->opt;

    return (struct prof_policy){.effort = tune_effort(l),
                                .budget = o->budget,
                                .margin = o->margin,
                                .min_slice_ns = MIN_SLICE_NS,
                                .modes = o->mode == PROF_NONE ? 0 : 1u << o->mode};
}

/* ---- reports --------------------------------------------------------------------------------------- */

void tune_report(const struct launching *l, struct rep_event e)
{
    const struct shim_entry *entry = l->site->entry;

    e.program = entry->build->hash;
    e.kernel = entry->name;
    e.device = entry->build->device->key;
    e.launch = &l->shape;
    if (!e.summary)
        e.summary = atomic_load(&entry->summary);
    e.account = &l->site->account;
    e.held_ns = l->site->held_ns;
    rep_emit(l->rt->report, &e);
}

void tune_refuse_kernel(const struct launching *l, const struct kernel_summary *k, const char *fact,
                        const char *reason, const char *detail)
{
    atomic_store(&l->site->state, SITE_REFUSED);
    if (atomic_exchange(&l->site->entry->skip, true))
        return;
    tune_report(l, (struct rep_event){
                       .event = "refusal", .summary = k, .fact = fact, .reason = reason, .detail = detail});
    atomic_fetch_add(&l->rt->total.refused, 1);
}

/* Report and count that the launch's shape is left alone; the site's state is the caller's. */
static void report_refusal(const struct launching *l, const char *fact, const char *reason,
                           const char *detail)
{
    atomic_fetch_add(&l->rt->total.refused, 1);
    tune_report(l, (struct rep_event){.event = "refusal", .fact = fact, .reason = reason, .detail = detail});
}

/* ---- analyse --------------------------------------------------------------------------------------- */

/* Publish the kernel's summary.  False: it says that the kernel must be left alone.  Threads with launches of
 * other shapes read entry->summary without a lock, so it is stored last. */
static bool accepted(const struct launching *l, const struct kernel_summary *k)
{
    struct shim_entry *entry = l->site->entry;
    const struct sum_verdict *s = &k->fact[SUM_FACT_S];
    const char *detail, *rounding = rounding_problem(k, entry->build->device, &l->rt->opt, &detail);

    atomic_store(&entry->relevant, sel_judge_arguments(k));
    if (s->reason == SUM_R_NONE && !rounding) {
        atomic_store(&entry->summary, k);
        return true;
    }
    if (s->reason != SUM_R_NONE)
        tune_refuse_kernel(l, k, "S", sum_reason_name(s->reason),
                           s->detail ? s->detail : sum_reason_text(s->reason));
    else
        tune_refuse_kernel(l, k, NULL, rounding, detail);
    return false;
}

/* Are groups so small, or their rows so short, that a CPU's vector units and caches are badly used? */
static bool looks_poor(const size_t local[3], unsigned dim)
{
    return local[0] && (local[0] * local[1] * local[2] < POOR_EXTENT || (dim > 1 && local[0] < POOR_EXTENT));
}

/* Is the analysis waited for?  If a size was asked for, or the effort has no budget. */
static bool awaited(const struct launching *l)
{
    return l->rt->opt.effort >= PROF_PATIENT || settle_asked(l);
}

/* Is a helper's CPU time small compared with what the device's cores do in `ns`?  A GPU's are not slowed
 * down. */
static bool helper_is_cheap(const struct launching *l, int64_t ns)
{
    const struct shim_device *d = l->queue->device;
    const int64_t units = d->model.units < HELPER_UNITS ? d->model.units : HELPER_UNITS;

    return !d->model.is_cpu || ns * units >= (int64_t)HELPER_NS * HELPER_SHARE;
}

/* Should the helper run at the application's priority?  Yes if the budget does not count.  Also if the local
 * size looks poor, so that much may be gained, once the kernels have run long enough that the helper is cheap
 * whatever it finds. */
static bool urgent(const struct launching *l)
{
    return l->rt->opt.effort != PROF_MEASURE || settle_asked(l) ||
           (looks_poor(l->shape.local, l->shape.dim) &&
            helper_is_cheap(l, atomic_load(&l->site->entry->build->observed_ns)));
}

static bool has_run_for_long(const struct launching *l)
{
    return atomic_load(&l->site->entry->build->observed_ns) >= rt_enough_ns(l->rt);
}

/* Should the program be analysed now?  If the analysis is waited for, it is started at the first launch,
 * which may be the only one. */
static bool worth_analysing(const struct launching *l)
{
    return awaited(l) || has_run_for_long(l);
}

/* On a CPU the helper competes with the kernels, and a short program has no time to profit: unless it is
 * urgent, the program is analysed when it ends, for its next run. */
static bool better_at_exit(const struct launching *l)
{
    return l->rt->opt.analyse_after && !helper_is_cheap(l, rt_now() - l->rt->started_ns) && !urgent(l);
}

/* True when the kernel's summary is available and says that local sizes do not affect results. */
static bool analysed(const struct launching *l)
{
    struct shim_entry *entry = l->site->entry;
    struct shim_build *b = entry->build;
    enum ana_state state = ana_look(b);
    const struct kernel_summary *k;

    if (atomic_load(&entry->summary))
        return true;
    if (state != ANA_READY && state != ANA_FAILED && worth_analysing(l) &&
        (state == ANA_PENDING || !better_at_exit(l)))
        state = ana_advance(b, urgent(l));
    if (state == ANA_PENDING && awaited(l))
        state = ana_wait(b);
    if (state == ANA_FAILED)
        tune_refuse_kernel(l, NULL, NULL, b->reason, b->detail);
    if (state != ANA_READY)
        return false;
    k = sum_find(&b->summary, entry->name);
    if (!k) {
        tune_refuse_kernel(l, NULL, NULL, "kernel-not-found",
                           "the driver knows a kernel that analysis did not see");
        return false;
    }
    if (k->nargs != l->kernel->nargs) {
        tune_refuse_kernel(l, NULL, NULL, "kernel-differs",
                           "the driver sees other arguments than analysis does");
        return false;
    }
    return accepted(l, k);
}

/* ---- prove ----------------------------------------------------------------------------------------- */

/* The launch with its arguments, which are written to `args`. */
static struct launch with_arguments(const struct launching *l, struct launch_arg args[ARGS_MOST])
{
    struct launch launch = l->shape;

    args_describe(l->site, l->kernel, args);
    launch.args = args;
    launch.nargs = l->kernel->nargs;
    return launch;
}

/* Programs may change the arguments that a proof depends on at every launch.  Proofs of a site may cost
 * PROOFS_NS, a share of the kernel time seen, and half of what the site's decision has saved, added together.
 */
static bool worth_proving(struct shim_site *s)
{
    const double saved = (double)s->saved_ns * atomic_load(&s->decided_launches);

    return (double)atomic_load(&s->proof_ns) <=
           PROOFS_NS + saved / 2 + PROOFS_SHARE * (double)s->account.observed_ns;
}

/* Is this launch proved?  If so, s->proof is about this launch and not an earlier one with other arguments:
 * that those may be run twice, for example, says nothing about these.  Of failing proofs one is reported; a
 * site with many of them is left alone. */
static bool prove_launch(const struct launching *l)
{
    struct shim_site *s = l->site;
    const uint64_t print = args_fingerprint(s, l->kernel, &l->shape);
    const int64_t begin = rt_now();
    struct launch_arg args[ARGS_MOST];
    struct launch launch;
    uint64_t layout;

    if (s->proof_of == print && s->proof.size.proven)
        return true;
    if (atomic_load(&s->disproved) == print || !worth_proving(s))
        return false;
    launch = with_arguments(l, args);
    layout = args_layout(s, l->kernel, &launch);
    if (s->proof_layout != layout)
        sel_judge(s->entry->summary, &launch, &s->proof);
    atomic_fetch_add(&s->proof_ns, rt_now() - begin);
    s->proof_of = print;
    s->proof_layout = layout;
    if (s->proof.size.proven) {
        site_set_proved(&s->proved, print);
        site_set_proved(&s->proved_layouts, layout);
        return true;
    }
    atomic_store(&s->disproved, print);
    atomic_store(&s->disproved_layout, layout);
    if (atomic_fetch_add(&s->failed_proofs, 1) == 0)
        report_refusal(l, "S", sel_reason_name(s->proof.size.reason), s->proof.size.detail);
    if (atomic_load(&s->failed_proofs) >= MAX_FAILED_PROOFS)
        atomic_store(&s->state, SITE_REFUSED);
    return false;
}

bool tune_tails_proved(const struct sel_proof *p, const size_t local[3], const size_t global[3])
{
    for (unsigned d = 0; d < 3; d++)
        if (local[d] && global[d] % local[d] && !p->slice[d].proven)
            return false;
    return true;
}

/* Is the launch proved, by the layout of its arguments or by a proof made now?  The site need not be locked.
 */
static bool proved_anew(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct launch_arg args[ARGS_MOST];
    const struct launch launch = with_arguments(l, args);
    const uint64_t layout = args_layout(s, l->kernel, &launch);
    struct sel_proof proof;

    if (site_is_proved(&s->proved_layouts, layout))
        return true;
    if (atomic_load(&s->disproved_layout) == layout)
        return false;
    sel_judge(s->entry->summary, &launch, &proof);
    if (!proof.size.proven || !tune_tails_proved(&proof, s->choice, l->shape.global)) {
        atomic_store(&s->disproved_layout, layout);
        return false;
    }
    site_set_proved(&s->proved_layouts, layout);
    return true;
}

/* The same, but false without a try if another proof is not worth its cost.  The result is noted for
 * arguments with this fingerprint. */
static bool proved_now(const struct launching *l, uint64_t print)
{
    struct shim_site *s = l->site;
    int64_t begin;
    bool proved;

    if (!worth_proving(s))
        return false;
    begin = rt_now();
    proved = proved_anew(l);
    atomic_fetch_add(&s->proof_ns, rt_now() - begin);
    if (proved)
        site_set_proved(&s->proved, print);
    else
        atomic_store(&s->disproved, print);
    return proved;
}

bool tune_still_proved(const struct launching *l)
{
    struct shim_site *s = l->site;
    const uint64_t print = args_fingerprint(s, l->kernel, &l->shape);
    struct guest guest;
    bool proved;

    if (site_is_proved(&s->proved, print))
        return true;
    if (atomic_load(&s->disproved) == print)
        return false;
    guest_begin(&guest);
    proved = proved_now(l, print);
    guest_end(&guest);
    return proved;
}

/* ---- select ---------------------------------------------------------------------------------------- */

/* How many sizes are measured, the own one included.  Fewer if a run has only few launches to measure with.
 */
static unsigned field_size(const struct launching *l)
{
    const struct prof_past *before = l->site->before;

    switch (tune_effort(l)) {
    case PROF_MEASURE:
        return before && before->launches ? 4 : 8;
    case PROF_PATIENT:
        return 16;
    case PROF_ESTIMATE:
    case PROF_EXHAUSTIVE:
        break;
    }
    return PROF_MAX_CANDIDATES;
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

/* Fill s->candidates and have the model estimate them.  False when there is nothing to choose from, or when
 * out of memory. */
static bool select_candidates(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct sel_options o = {.max_items = s->max_items};
    struct launch_arg args[ARGS_MOST];
    const struct launch launch = with_arguments(l, args);
    struct sel_work *work;
    int n;

    memcpy(o.max_dim, l->queue->device->max_dim, sizeof o.max_dim);
    for (unsigned d = 0; d < 3; d++)
        o.max_groups[d] = settle_most_groups(l, d);
    for (unsigned d = 0; d < 3; d++)
        o.tails[d] = s->proof.slice[d].proven && divides_badly(l->shape.global[d]);
    s->candidates = calloc(MAX_CANDIDATES, sizeof *s->candidates);
    work = sel_work_new();
    if (!s->candidates || !work) {
        sel_work_free(work);
        return false;
    }
    n = sel_candidates(s->entry->summary, &launch, &o, s->candidates, MAX_CANDIDATES);
    if (n > 1) {
        struct candidate *fitting = realloc(s->candidates, (size_t)n * sizeof *s->candidates);
        s->candidates = fitting ? fitting : s->candidates;
        s->ncandidate = (unsigned)n;
        sel_estimate(s->entry->summary, &launch, &l->queue->device->model, s->candidates, s->ncandidate, work,
                     &s->estimate);
    }
    sel_work_free(work);
    return n > 1;
}

/* Once the decision is reported nobody needs them, and sites live as long as the process. */
static void drop_candidates(struct shim_site *s)
{
    free(s->candidates);
    s->candidates = NULL;
    s->ncandidate = 0;
}

/* Does the driver run kernels in the thread that launches or waits, whichever that is?  PoCL has such a
 * device beside the usual one; later versions call it by another name. */
static bool runs_in_callers(const struct shim_device *d)
{
    return d->is_pocl && (strncmp(d->key, "basic", 5) == 0 || strncmp(d->key, "cpu-minimal", 11) == 0);
}

/* The largest group whose private arrays fit on a CPU driver's stack.  PoCL puts those of a whole group on
 * the stack of its thread without checking its size, and with barriers also whatever is used after them.  The
 * application's own size is known to fit.  SIZE_MAX if there is no such limit. */
static size_t items_on_stack(const struct launching *l)
{
    const struct kernel_summary *k = l->site->entry->summary;
    const uint64_t bytes = k->private_bytes + (k->has_barrier ? KEPT_BYTES * (uint64_t)k->registers : 0);
    const size_t *own = l->shape.local, least = own[0] ? own[0] * own[1] * own[2] : 1;
    size_t stack = 0, items;
    pthread_attr_t attr;

    if (!bytes || !l->queue->device->is_cpu)
        return SIZE_MAX;
    if (pthread_getattr_default_np(&attr) == 0) {
        pthread_attr_getstacksize(&attr, &stack);
        pthread_attr_destroy(&attr);
    }
    if (stack > USUAL_STACK)
        stack = USUAL_STACK; /* the driver's threads may have less than the default */
    if (stack > SMALL_STACK && runs_in_callers(l->queue->device))
        stack = SMALL_STACK;
    items = (size_t)(stack / STACK_SHARE / bytes);
    return items > least ? items : least;
}

/* Set max_items, the largest group of the kernel that the driver and the stack allow. */
static void ask_kernel_limits(const struct launching *l)
{
    size_t items = 0, fitting = items_on_stack(l);

    if (next()->clGetKernelWorkGroupInfo(l->call->kernel, l->queue->device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                         sizeof items, &items, NULL) != CL_SUCCESS ||
        !items)
        items = 1;
    if (items > fitting)
        items = fitting;
    l->site->max_items = items < l->queue->device->max_items ? (unsigned)items : l->queue->device->max_items;
}

/* Shapes that are launched once or take no time are not worth more than a look-up in wisdom. */
static bool worth_a_look(const struct launching *l)
{
    if (l->rt->opt.effort != PROF_MEASURE)
        return !l->site->looks_short || has_run_for_long(l);
    return l->site->account.observed_ns >= rt_enough_ns(l->rt);
}

/* According to the model, does the launch take so long with the application's size that it will be measured
 * until its kernel is decided? */
static bool predicted_long(const struct launching *l)
{
    const struct prof_policy policy = tune_policy(l);
    const struct shim_site *s = l->site;

    for (unsigned i = 0; i < s->ncandidate; i++)
        if (s->candidates[i].own)
            return prof_settles_at_once(&policy, s->candidates[i].time_ns);
    return false;
}

/* Mark candidates that earlier runs measured or had compiled: they are cheaper to measure than their
 * neighbours. */
static void mark_known(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct prof_past *past = s->before;

    for (unsigned i = 0; past && i < s->ncandidate; i++)
        for (unsigned k = 0; k < past->n; k++)
            s->candidates[i].known |=
                memcmp(s->candidates[i].local, past->candidate[k].local, sizeof s->candidates[i].local) == 0;
    ahead_mark_known(l, s->candidates, s->ncandidate);
}

/* Put the size that won at the nearest global size to the front of the n candidates in `list`, behind the own
 * size.  Returns the new length. */
static unsigned add_guess(const struct shim_site *s, struct candidate *list, unsigned n)
{
    const struct candidate *guess = NULL;
    unsigned at = 0;

    for (unsigned i = 0; i < s->ncandidate && s->guess[0] && !guess; i++)
        if (!memcmp(s->candidates[i].local, s->guess, sizeof s->guess) &&
            s->candidates[i].state != SEL_INFEASIBLE && !s->candidates[i].own)
            guess = &s->candidates[i];
    if (!guess || n < 2)
        return n;
    while (at < n && memcmp(list[at].local, s->guess, sizeof s->guess))
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

/* Asked once per site: is its fate known without measuring, by a failure in an earlier run, by --sizes, or
 * from wisdom? */
static bool settled_beforehand(const struct launching *l)
{
    ask_kernel_limits(l);
    if (settle_failed_before(l))
        return true;
    if (settle_asked(l)) {
        settle_as_asked(l);
        return true;
    }
    return settle_recall(l);
}

/* Put the short list into the race, continue where an earlier run stopped, and enter the launches of the own
 * size that were timed before.  The first race of a run gets the run's grant. */
static void begin_race(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct prof_policy policy;
    struct candidate list[PROF_MAX_CANDIDATES];
    unsigned n;

    s->one_of_many = atomic_fetch_add(&s->entry->nrace, 1) >= PATIENT_SHAPES;
    policy = tune_policy(l);
    mark_known(l);
    n = sel_shortlist(s->candidates, s->ncandidate, field_size(l), list);
    n = add_guess(s, list, n);
    prof_race_begin(&s->race, list, n, &policy);
    for (unsigned i = 1; i < s->race.n; i++)
        s->race.lane[i].parts = split_parts(s->race.lane[i].local, s->key.global);
    if (s->before)
        prof_race_resume(&s->race, s->before);
    free(s->before);
    s->before = NULL;
    s->stored_samples = prof_race_samples(&s->race);
    for (unsigned i = 0; i < s->early_count; i++)
        prof_race_add(&s->race, 0, launch_items(&l->shape), s->early_ns[i], 0);
    if (!atomic_exchange(&l->rt->granted, true) &&
        s->account.granted_ns < MAX_GRANTS * (int64_t)PROF_GRANT_NS)
        s->account.granted_ns += PROF_GRANT_NS;
    if (s->account.compile_ns < 0)
        s->account.compile_ns = atomic_load(&l->queue->device->compile_ns);
    ahead_together(l);
    atomic_store(&s->state, SITE_RACING);
}

/* From a proof to a race, or right to a decision that needs none.  The site's state says how far it went. */
static void prepare(const struct launching *l)
{
    struct shim_site *s = l->site;

    if (!s->max_items && settled_beforehand(l))
        return;
    if (!settle_legal(l, l->shape.local))
        return; /* the driver will reject the launch */
    if (l->queue->quiet)
        return; /* nothing is measured in this run */
    if (!worth_a_look(l))
        return;
    if (!select_candidates(l)) {
        report_refusal(l, NULL, "no-candidates", "no other local size is legal here");
        atomic_store(&s->state, SITE_REFUSED);
        return;
    }
    if (l->rt->opt.effort == PROF_ESTIMATE || l->rt->opt.dry_run) {
        settle_by_model(l);
        return;
    }
    if (l->rt->opt.effort >= PROF_PATIENT && !s->before && !has_run_for_long(l) && !predicted_long(l)) {
        s->looks_short = true;
        drop_candidates(s);
        return;
    }
    begin_race(l);
}

/* One more step of the race, which may be the last. */
static cl_int race(const struct launching *l)
{
    struct shim_site *s = l->site;
    cl_int error;

    ahead_advance(l);
    error = measure_sample(l);
    if (atomic_load(&s->state) == SITE_RACING && prof_race_next(&s->race) < 0 && !s->npending)
        measure_finish(l);
    if (atomic_load(&s->state) == SITE_RACING)
        settle_progress(l);
    return error;
}

/* ---- one launch ------------------------------------------------------------------------------------ */

/* A launch before there is a race.  Without event times, timing a launch means waiting for it, which is not
 * done if the site cannot be tuned anyway. */
static cl_int launch_new(const struct launching *l)
{
    struct shim_site *s = l->site;
    const bool hopeless = l->kernel->nargs > ARGS_MOST || (s->proof_of && !s->proof.size.proven);
    const unsigned stride = launch_stride(l);
    int64_t ns = 0;
    cl_int error;

    if (!measure_untimed(l) || l->queue->quiet || !launch_may_wait(l))
        return launch_observed(l, false);
    if (hopeless || s->launches % stride)
        return call_pass(l->call);
    error = sync_whole(l, s->key.own, &ns);
    if (ns > 0) {
        atomic_fetch_add(&s->entry->build->observed_ns, ns * stride);
        site_own_time(s, ns, stride);
    }
    return error;
}

/* How many launches need no look after this one?  A look takes microseconds, which counts where launches are
 * short and many.  None while the race would have them made with another size. */
static int launches_to_coast(const struct launching *l)
{
    const struct shim_site *s = l->site;
    const double ns = s->own_item_ns * (double)launch_items(&l->shape);
    const unsigned stride = launch_stride(l);

    if (l->rt->opt.effort != PROF_MEASURE || ns <= 0 || ns > SHORT_LAUNCH_NS)
        return 0;
    switch ((enum site_state)atomic_load(&s->state)) {
    case SITE_NEW:
        return (int)((stride - s->launches % stride) % stride);
    case SITE_RACING:
        return s->launches < MANY_LAUNCHES || prof_race_leader(&s->race) || prof_race_outstanding(&s->race)
                   ? 0
                   : RACING_COAST;
    case SITE_DECIDED:
    case SITE_REFUSED:
        break;
    }
    return 0;
}

cl_int tune_launch(const struct launching *l)
{
    struct shim_site *s = l->site;
    cl_int error;

    harvest_site(s);
    if (atomic_load(&s->failed))
        settle_give_up(l);
    if (atomic_load(&s->state) == SITE_NEW && l->kernel->nargs <= ARGS_MOST && analysed(l) &&
        (!s->max_items || worth_a_look(l)) && prove_launch(l))
        prepare(l);
    if (atomic_load(&s->state) == SITE_RACING && prof_race_next(&s->race) < 0)
        measure_finish(l);
    switch ((enum site_state)atomic_load(&s->state)) {
    case SITE_RACING:
        error = !l->queue->quiet && prove_launch(l) ? race(l) : call_pass(l->call);
        break;
    case SITE_DECIDED:
        error = s->keep || !tune_still_proved(l) ? call_pass(l->call) : launch_with(l, s->choice, NULL);
        break;
    case SITE_NEW:
        error = launch_new(l);
        break;
    case SITE_REFUSED:
    default:
        error = call_pass(l->call);
        break;
    }
    if (error == CL_SUCCESS && atomic_fetch_add(&s->launches, 1) == 0)
        site_note_own(s);
    atomic_store(&s->coast, launches_to_coast(l));
    if (atomic_load(&s->state) == SITE_DECIDED || atomic_load(&s->state) == SITE_REFUSED) {
        harvest_abandon(s);
        drop_candidates(s);
    }
    return error;
}
