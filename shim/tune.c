/* tune.c - a site's way from its first launch to a decision:
 *
 *   observe -> analyse -> prove -> recall wisdom -> select -> race -> decide
 *
 * Each launch advances by what can be done without waiting; the launch itself always happens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shim/intercept.h"
#include "shim/launch.h"
#include "shim/runtime.h"

#define MAX_ARGS          256
#define MAX_CANDIDATES    2048
#define MAX_FAILED_PROOFS 32
#define COMPILES_NS       1000000 /* a driver that needs longer than this for a new local size compiles for it */
#define LONG_LAUNCH       16 /* compilations: what a slice costs is small against the rest of such a launch */

struct prof_policy tune_policy(const struct runtime *rt)
{
    static const unsigned modes[] = {[OPT_MODE_AUTO] = 0,
                                     [OPT_MODE_SLICES] = 1u << PROF_SLICES,
                                     [OPT_MODE_RERUN] = 1u << PROF_RERUN,
                                     [OPT_MODE_LAUNCHES] = 1u << PROF_LAUNCHES};

    return (struct prof_policy){.effort = rt->opt.effort,
                                .budget = rt->opt.budget,
                                .margin = rt->opt.margin,
                                .min_slice_ns = 200000,
                                .modes = modes[rt->opt.mode]};
}

/* ---- reports ---------------------------------------------------------------------------------------------
 */

static void report(const struct launching *l, struct rep_event e)
{
    const struct shim_entry *entry = l->site->entry;

    e.program = entry->build->hash;
    e.kernel = entry->name;
    e.device = entry->build->device->key;
    e.launch = &l->shape;
    e.summary = entry->summary;
    e.account = &l->site->account;
    rep_emit(l->rt->report, &e);
}

/* Leave the kernel alone for good, whatever its shape. */
static void refuse_kernel(const struct launching *l, const char *fact, const char *reason, const char *detail)
{
    struct shim_entry *entry = l->site->entry;

    report(l, (struct rep_event){.event = "refusal", .fact = fact, .reason = reason, .detail = detail});
    atomic_fetch_add(&l->rt->total.refused, 1);
    atomic_store(&l->site->state, SITE_REFUSED);
    atomic_store(&entry->skip, true);
}

static void refuse_site(const struct launching *l, const char *fact, const char *reason, const char *detail)
{
    report(l, (struct rep_event){.event = "refusal", .fact = fact, .reason = reason, .detail = detail});
}

/* ---- analyse
 * ------------------------------------------------------------------------------------------------ */

static uint64_t argument_bit(uint32_t index)
{
    return (uint64_t)1 << (index < 63 ? index : 63);
}

/* The arguments that a polynomial's value depends on.  A uniform value may be computed from any. */
static uint64_t arguments_of(const struct sum_poly *p)
{
    uint64_t bits = 0;

    for (uint32_t t = 0; t < p->nterm; t++)
        for (uint32_t i = 0; i < p->term[t].nsym; i++)
            if (p->term[t].sym[i].kind == SUM_SYM_ARG)
                bits |= argument_bit(p->term[t].sym[i].index);
            else if (p->term[t].sym[i].kind == SUM_SYM_UNIFORM)
                bits = UINT64_MAX;
    return bits;
}

static uint64_t arguments_of_loop(const struct sum_loop *l)
{
    uint64_t bits = arguments_of(&l->limit) | arguments_of(&l->step_poly);

    for (uint32_t i = 0; i < l->nrange; i++)
        bits |= arguments_of(&l->range[i].poly);
    return bits;
}

static uint64_t arguments_of_access(const struct sum_access *a)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < a->ncoord; i++)
        bits |= arguments_of(&a->coord[i]);
    for (uint32_t i = 0; i < a->nrange; i++)
        bits |= arguments_of(&a->range[i].poly);
    for (uint32_t i = 0; i < a->nguard; i++)
        bits |= arguments_of(&a->guard[i].lhs) | arguments_of(&a->guard[i].rhs);
    return bits;
}

/* What a proof depends on: all memory, and the scalars that decide where it is touched. */
static uint64_t relevant_arguments(const struct kernel_summary *k)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < k->nargs; i++)
        if (k->args[i].kind != SUM_ARG_SCALAR)
            bits |= argument_bit(i);
    for (uint32_t i = 0; i < k->nloop; i++)
        bits |= arguments_of_loop(&k->loops[i]);
    for (uint32_t i = 0; i < k->naccess; i++)
        bits |= arguments_of_access(&k->access[i]);
    return bits;
}

/* Under relaxed options PoCL 3.1 rounds quotients differently in vectorised and in scalar code; nothing else
 * of some 260 kernels tried differed. */
static bool divides_numbers(const struct kernel_summary *k)
{
    for (uint32_t i = 0; i < k->ninsn; i++)
        if (k->insns[i].cls == SUM_C_FDIV || k->insns[i].cls == SUM_C_DDIV)
            return true;
    return false;
}

/* True when the kernel's summary is there and says that local sizes do not matter to results. */
static bool analysed(const struct launching *l)
{
    struct shim_entry *entry = l->site->entry;
    struct shim_build *b = entry->build;
    enum ana_state state = ana_look(b);
    const struct kernel_summary *k;
    const struct sum_verdict *s;

    if (entry->summary)
        return true;
    if (state != ANA_READY && state != ANA_FAILED &&
        atomic_load(&b->observed_ns) >= (int64_t)l->rt->opt.analyse_after * 1000000)
        state = ana_advance(b);
    if (state == ANA_FAILED)
        refuse_kernel(l, NULL, b->reason, b->detail);
    if (state != ANA_READY)
        return false;
    k = sum_find(&b->summary, entry->name);
    if (!k) {
        refuse_kernel(l, NULL, "kernel-not-found", "the driver knows a kernel that analysis did not see");
        return false;
    }
    if (k->nargs != l->kernel->nargs) {
        refuse_kernel(l, NULL, "kernel-differs", "the driver sees other arguments than analysis does");
        return false;
    }
    s = &k->fact[SUM_FACT_S];
    atomic_store(&entry->relevant, relevant_arguments(k));
    atomic_store(&entry->summary, k); /* last: others look for it without a lock */
    if (s->reason != SUM_R_NONE)
        refuse_kernel(l, "S", sum_reason_name(s->reason), s->detail ? s->detail : sum_reason_text(s->reason));
    else if (k->relaxed_math && (l->rt->opt.strict || divides_numbers(k)))
        refuse_kernel(l, NULL, "relaxed-math", "the driver may round differently for different local sizes");
    else
        return true;
    return false;
}

/* ---- prove
 * --------------------------------------------------------------------------------------------------- */

static void judge(const struct launching *l, struct sel_proof *proof)
{
    struct launch_arg args[MAX_ARGS];
    struct launch launch = l->shape;

    site_arguments(l->site, l->kernel, args);
    launch.args = args;
    launch.nargs = l->kernel->nargs;
    sel_judge(l->site->entry->summary, &launch, proof);
}

/* A site whose proofs keep failing is left alone; one failure is reported. */
static bool proved(const struct launching *l)
{
    struct shim_site *s = l->site;
    const uint64_t print = site_fingerprint(s, l->kernel, &l->shape);

    if (site_is_proved(s, print))
        return true;
    if (s->disproved == print)
        return false;
    judge(l, &s->proof);
    if (s->proof.size.proven) {
        site_set_proved(s, print);
        return true;
    }
    s->disproved = print;
    if (atomic_fetch_add(&s->failed_proofs, 1) == 0) {
        atomic_fetch_add(&l->rt->total.refused, 1);
        refuse_site(l, "S", sel_reason_name(s->proof.size.reason), s->proof.size.detail);
    }
    if (atomic_load(&s->failed_proofs) >= MAX_FAILED_PROOFS)
        atomic_store(&s->state, SITE_REFUSED);
    return false;
}

/* A size that does not divide the range needs main and tail launches. */
static bool tails_proved(const struct sel_proof *p, const size_t local[3], const size_t global[3])
{
    for (unsigned d = 0; d < 3; d++)
        if (local[d] && global[d] % local[d] && !p->slice[d].proven)
            return false;
    return true;
}

bool tune_still_proved(const struct launching *l)
{
    struct shim_site *s = l->site;
    const uint64_t print = site_fingerprint(s, l->kernel, &l->shape);
    struct sel_proof proof;

    if (site_is_proved(s, print))
        return true;
    judge(l, &proof);
    if (!proof.size.proven || !tails_proved(&proof, s->choice, l->shape.global))
        return false;
    site_set_proved(s, print);
    return true;
}

/* ---- wisdom
 * --------------------------------------------------------------------------------------------------- */

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
static bool legal(const struct launching *l, const size_t local[3])
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
static bool recall(const struct launching *l)
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
        (r.outcome == PROF_MODEL && l->rt->opt.effort != PROF_ESTIMATE) || !legal(l, r.local) ||
        !tails_proved(&s->proof, r.local, l->shape.global) || !legal(l, l->shape.local) ||
        !split_divides(l->shape.local, l->shape.global))
        return false;
    memcpy(s->choice, r.local, sizeof s->choice);
    s->keep = r.outcome == PROF_NO_GAIN;
    s->mode = r.mode;
    s->saved_item_ns = r.gain > 1 ? r.item_ns * (r.gain - 1) : 0;
    atomic_fetch_add(s->keep ? &l->rt->total.kept : &l->rt->total.retuned, 1);
    report(l, (struct rep_event){
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

/* ---- select
 * --------------------------------------------------------------------------------------------------- */

static void decide(const struct launching *l, const struct prof_decision *d, const struct prof_race *race,
                   const size_t choice[3], double own_item_ns, double item_ns)
{
    struct shim_site *s = l->site;
    const bool keep = d->outcome == PROF_NO_GAIN || d->winner == 0;
    struct prof_decision kept;

    memcpy(s->choice, choice, sizeof s->choice);
    s->keep = keep;
    s->saved_item_ns = keep || own_item_ns <= item_ns ? 0 : own_item_ns - item_ns;
    atomic_fetch_add(keep ? &l->rt->total.kept : &l->rt->total.retuned, 1);
    report(l, (struct rep_event){.event = "decision",
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
static void decide_by_model(const struct launching *l)
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
    decide(l, &d, NULL, d.winner ? best->local : s->key.own, 0, 0);
}

/* How many sizes are measured, the own one included. */
static unsigned field_size(enum prof_effort effort)
{
    switch (effort) {
    case PROF_MEASURE:
        return 8;
    case PROF_PATIENT:
        return 16;
    case PROF_ESTIMATE:
    case PROF_EXHAUSTIVE:
        break;
    }
    return PROF_MAX_CANDIDATES;
}

/* Has `n` no divisor that would do as an extent?  Only then are main and tail launches worth their trouble.
 */
static bool divides_badly(size_t n)
{
    for (size_t d = 16; d <= 128; d++)
        if (n % d == 0)
            return false;
    return n > 16;
}

/* Candidates, and the model's word on them.  False when there is nothing to choose from. */
static bool select_candidates(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct sel_options o = {.max_items = s->max_items};
    struct launch_arg args[MAX_ARGS];
    struct launch launch = l->shape;
    struct sel_work *work;
    int n;

    memcpy(o.max_dim, l->queue->device->max_dim, sizeof o.max_dim);
    for (unsigned d = 0; d < 3; d++)
        o.tails[d] = s->proof.slice[d].proven && divides_badly(l->shape.global[d]);
    s->candidates = calloc(MAX_CANDIDATES, sizeof *s->candidates);
    work = sel_work_new();
    if (!s->candidates || !work) {
        sel_work_free(work);
        return false;
    }
    site_arguments(s, l->kernel, args);
    launch.args = args;
    launch.nargs = l->kernel->nargs;
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

/* They are for the report of the decision; sites live as long as the process. */
static void drop_candidates(struct shim_site *s)
{
    free(s->candidates);
    s->candidates = NULL;
    s->ncandidate = 0;
}

static void ask_kernel_limits(const struct launching *l)
{
    size_t items = 0;

    if (next()->clGetKernelWorkGroupInfo(l->call->kernel, l->queue->device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                         sizeof items, &items, NULL) != CL_SUCCESS ||
        !items)
        items = 1;
    l->site->max_items = items < l->queue->device->max_items ? (unsigned)items : l->queue->device->max_items;
}

/* Shapes that come once, or take no time, are not worth a look beyond what wisdom knows of them. */
static bool worth_a_look(const struct launching *l)
{
    return l->rt->opt.effort != PROF_MEASURE ||
           l->site->account.observed_ns >= (int64_t)l->rt->opt.analyse_after * 1000000;
}

/* From proof to race.  The state says how far it went. */
static void prepare(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct prof_policy policy = tune_policy(l->rt);
    struct candidate list[PROF_MAX_CANDIDATES];
    unsigned n;

    if (!s->max_items) {
        ask_kernel_limits(l);
        if (recall(l))
            return;
    }
    if (!legal(l, l->shape.local))
        return; /* the driver's to reject */
    if (!worth_a_look(l))
        return;
    if (!select_candidates(l)) {
        atomic_fetch_add(&l->rt->total.refused, 1);
        refuse_site(l, NULL, "no-candidates", "no other local size is legal here");
        atomic_store(&s->state, SITE_REFUSED);
        return;
    }
    if (l->rt->opt.effort == PROF_ESTIMATE || l->rt->opt.dry_run) {
        decide_by_model(l);
        return;
    }
    n = sel_shortlist(s->candidates, s->ncandidate, field_size(l->rt->opt.effort), list);
    prof_race_begin(&s->race, list, n, 0, &policy);
    for (unsigned i = 0; i < s->nearly; i++)
        prof_race_add(&s->race, 0, launch_items(&l->shape), s->early_ns[i], 0);
    if (s->account.compile_ns < 0)
        s->account.compile_ns = atomic_load(&l->queue->device->compile_ns);
    atomic_store(&s->state, SITE_RACING);
}

/* ---- race
 * ------------------------------------------------------------------------------------------------------- */

static void finish(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct prof_policy policy = tune_policy(l->rt);
    struct prof_decision d;

    prof_race_decide(&s->race, &policy, &d);
    atomic_fetch_add(&l->rt->total.spent_ns, s->account.spent_ns);
    decide(l, &d, &s->race, d.winner ? s->race.lane[d.winner].local : s->key.own, s->race.lane[0].best,
           s->race.lane[d.winner].best);
}

static bool in_flight(const struct shim_site *s, unsigned lane)
{
    for (unsigned i = 0; i < s->npending; i++)
        if (s->pending[i].lane == lane)
            return true;
    return false;
}

static bool affordable(const struct launching *l, unsigned lane)
{
    const struct shim_site *s = l->site;
    const struct prof_policy policy = tune_policy(l->rt);
    const size_t items = launch_items(&l->shape);
    const struct prof_stake stake = {.items = items,
                                     .left = items,
                                     .item_ns = s->own_item_ns,
                                     .compile_ns = (int64_t)l->queue->device->model.compile_ns};
    int64_t cost, gain;

    prof_price(&s->race, lane, &s->account, &stake, &cost, &gain);
    return prof_may_spend(&s->account, &policy, cost, gain);
}

/* A size that was seen to be faster than the application's, though not often enough to trust; 0 if none. */
static unsigned promising(const struct prof_race *r)
{
    unsigned best = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (r->lane[i].samples && !r->lane[i].dropped && r->lane[i].best < r->lane[best].best)
            best = i;
    return best;
}

/* The lane that this launch is to measure, or -1: none now.  Where the next one costs too much: once
 * something better than the application's size is known, others are given up rather than waited for; what
 * looks better is measured again, which costs nothing. */
static int choose_lane(const struct launching *l)
{
    struct shim_site *s = l->site;
    int lane;

    while ((lane = prof_race_next(&s->race)) > 0 && !in_flight(s, (unsigned)lane) &&
           !affordable(l, (unsigned)lane)) {
        if (!prof_race_leader(&s->race)) {
            lane = (int)promising(&s->race);
            return lane && !in_flight(s, (unsigned)lane) ? lane : -1;
        }
        prof_race_drop(&s->race, (unsigned)lane, false);
    }
    return lane >= 0 && in_flight(s, (unsigned)lane) ? -1 : lane;
}

/* Nothing to measure now: the best that is known.  Samples of the own size may be in flight in any number. */
static cl_int launch_meanwhile(const struct launching *l)
{
    const struct prof_race *r = &l->site->race;
    const unsigned leader = prof_race_leader(r);

    return leader ? launch_with(l, r->lane[leader].local, NULL) : launch_observed(l, prof_race_next(r) == 0);
}

/* One whole launch is one sample. */
static cl_int measure_launch(const struct launching *l, int lane)
{
    struct shim_site *s = l->site;
    struct site_pending watch;
    cl_int error;

    if (lane < 0)
        return launch_meanwhile(l);
    if (lane == 0)
        return launch_observed(l, true);
    if (!split_divides(s->race.lane[lane].local, l->shape.global) && !launch_may_split())
        return launch_observed(l, false);
    s->mode = PROF_LAUNCHES;
    error = launch_with(l, s->race.lane[lane].local, &watch);
    watch.lane = (unsigned)lane;
    watch.fresh = !s->race.lane[lane].tried;
    if (!error && watch.event)
        site_watch(s, &watch);
    else if (!error)
        prof_race_drop(&s->race, (unsigned)lane, true); /* refused by the driver */
    return error;
}

/* Devices without event times: the host clock around a launch that is waited for. */
static cl_int measure_by_host(const struct launching *l, int lane)
{
    struct shim_site *s = l->site;
    const size_t items = launch_items(&l->shape);
    int64_t ns;
    cl_int error;

    if (lane < 0 || !launch_may_wait(l))
        return launch_meanwhile(l);
    error = sync_whole(l, s->race.lane[lane].local, &ns);
    if (error || ns <= 0)
        return error;
    s->mode = PROF_LAUNCHES;
    atomic_fetch_add(&s->entry->build->observed_ns, ns);
    prof_charge(&s->account, &s->race, (unsigned)lane, items, ns, 0, false);
    prof_race_add(&s->race, (unsigned)lane, items, ns, 0);
    return CL_SUCCESS;
}

static bool untimed(const struct launching *l)
{
    return !l->queue->timed || atomic_load(&l->queue->device->no_event_times);
}

/* Are whole launches better samples than slices?  A slice has an offset that the launches to come do not
 * have: where the driver compiles for each, whole launches cost half, unless one launch is long and may be
 * the only one. */
static bool prefer_launches(const struct launching *l)
{
    const struct shim_site *s = l->site;
    const double learned = (double)s->account.compile_ns, model = l->queue->device->model.compile_ns;
    const double compile =
        learned > model ? learned : model; /* a driver's own cache makes some cheap, not all */

    return compile > COMPILES_NS &&
           (s->launches > 0 || s->own_item_ns * (double)launch_items(&l->shape) < LONG_LAUNCH * compile);
}

/* Slices where they pay.  Where the application leaves the size to the driver, only whole launches show what
 * the driver makes of the range. */
static cl_int measure(const struct launching *l)
{
    const struct prof_policy policy = tune_policy(l->rt);
    const bool launches = policy.modes == 0 || policy.modes & 1u << PROF_LAUNCHES;
    cl_int error;

    if (!(launches && prefer_launches(l)) && launch_has_local(&l->shape) && launch_may_wait(l) &&
        l->site->race.n > 1 && affordable(l, 1) && sync_profile(l, l->site->launches > 0, &error))
        return error;
    if (!launches)
        return launch_meanwhile(l);
    return untimed(l) ? measure_by_host(l, choose_lane(l)) : measure_launch(l, choose_lane(l));
}

/* An account that grew is written down now and then: a later run goes on from there. */
static void save_account(const struct launching *l)
{
    struct shim_site *s = l->site;

    if (s->account.observed_ns >= 2 * s->stored_ns && s->account.observed_ns - s->stored_ns >= 100000000)
        remember(l, &(struct prof_decision){.outcome = PROF_OPEN, .gain = 1}, s->own_item_ns);
}

/* ---- one launch
 * --------------------------------------------------------------------------------------------------- */

static cl_int launch_new(const struct launching *l)
{
    int64_t ns = 0;
    cl_int error;

    if (!untimed(l) || !launch_may_wait(l))
        return launch_observed(l, false);
    error = sync_whole(l, l->site->key.own, &ns);
    if (ns > 0) {
        atomic_fetch_add(&l->site->entry->build->observed_ns, ns);
        site_own_time(l->site, ns, 1);
    }
    return error;
}

cl_int tune_launch(const struct launching *l)
{
    struct shim_site *s = l->site;
    cl_int error;

    site_harvest(s);
    if (atomic_load(&s->state) == SITE_NEW && l->kernel->nargs <= MAX_ARGS && analysed(l) &&
        (!s->max_items || worth_a_look(l)) && proved(l))
        prepare(l);
    if (atomic_load(&s->state) == SITE_RACING && prof_race_next(&s->race) < 0)
        finish(l);
    switch ((enum site_state)atomic_load(&s->state)) {
    case SITE_RACING:
        error = proved(l) ? measure(l) : call_pass(l->call);
        save_account(l);
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
    s->launches += error == CL_SUCCESS;
    if (atomic_load(&s->state) == SITE_DECIDED || atomic_load(&s->state) == SITE_REFUSED) {
        site_abandon(s);
        drop_candidates(s);
    }
    return error;
}
