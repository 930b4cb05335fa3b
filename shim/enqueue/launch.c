/* launch.c - the launch path.  A launch is passed straight through, observed, tuned, or made with the decided
 * size. */
#include "shim/enqueue/launch.h"
#include <pthread.h>
#include <string.h>
#include "analysis/summary/hash.h"
#include "shim/enqueue/pocl_widening.h"
#include "shim/guest/guest.h"
#include "shim/site/samples_in_flight.h"
#include "shim/calls/intercept.h"
#include "shim/tune/pace.h"
#include "shim/tune/prove.h"
#include "shim/ledger/reasons.h"
#include "shim/ledger/runtime.h"
#include "shim/tune/settle.h"
#include "shim/helper/spawn.h"
#include "shim/tune/tune.h"
#include "shim/guest/util.h"

#define ALL_OBSERVED    64 /* the first launches of a site are all timed */
#define OBSERVED_STRIDE 16 /* afterwards one in this many */

/* Once a site is decided, one launch in this many is timed; such a launch takes two or three calls more. */
#define DECIDED_STRIDE 64

/* Waits in vain after which a device whose events were never seen to complete is not waited for any more. */
#define VAIN_WAITS 3

#define NOT_TRIED 1 /* not an OpenCL error: those are negative */

static atomic_int user_events;       /* that are not complete */
static atomic_int callbacks;         /* ever registered */
static atomic_bool failures;         /* some command or user event failed */
static atomic_bool program_failures; /* ... because the program said so */

void launch_user_event(int change)
{
    atomic_fetch_add(&user_events, change);
}

void launch_failure(bool by_program)
{
    if (by_program)
        atomic_store(&program_failures, true);
    atomic_store(&failures, true);
}

bool launch_is_our_doing(cl_int status)
{
    return status < 0 && status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
           status != CL_INVALID_EVENT && /* the driver did not tell */
           !atomic_load(&program_failures);
}

/* Counts in favour of the device, or against it: with some drivers, events progress only during a blocking
 * wait and not when their status is polled. */
void launch_waited_briefly(const struct launching *l, bool done)
{
    struct shim_device *d = l->queue->device;

    if (done)
        atomic_store_explicit(&d->waited_well, true, memory_order_relaxed);
    else if (!atomic_load(&d->waited_well))
        atomic_fetch_add(&d->waited_in_vain, 1);
}

void launch_waited(const struct launching *l, bool done)
{
    if (!done)
        atomic_store(&l->queue->stalls, true);
    launch_waited_briefly(l, done);
}

void launch_callback(int change)
{
    atomic_fetch_add(&callbacks, change);
}

bool launch_needs_host(void)
{
    return atomic_load(&user_events) > 0 || atomic_load(&callbacks) > 0;
}

/* Only the thread that created the queue waits: a driver's worker that runs an event callback, or a thread
 * that holds a lock which others need, is most likely another one. */
bool launch_may_wait(const struct launching *l)
{
    if (l->queue->device->forgets_callbacks || launch_needs_host() || atomic_load(&l->queue->stalls) ||
        atomic_load(&l->queue->device->waited_in_vain) >= VAIN_WAITS ||
        l->queue->creator != feed_this_thread())
        return false;
    for (cl_uint i = 0; i < l->call->nwait; i++) {
        cl_int status = CL_QUEUED;
        next()->clGetEventInfo(l->call->wait[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                               NULL);
        if (status != CL_COMPLETE)
            return false;
    }
    return true;
}

/* Fill *l without arguments.  False for what is left to the driver to judge: other than 1 to 3 dimensions,
 * empty extents, overflows. */
static HOT bool describe(const struct call *c, struct launch *l)
{
    size_t items = 1;

    if (c->dim < 1 || c->dim > 3 || !c->global || !c->nwait != !c->wait)
        return false;
    memset(l, 0, sizeof *l);
    l->dim = c->dim;
    for (unsigned d = 0; d < 3; d++) {
        l->global[d] = d < c->dim ? c->global[d] : 1;
        l->offset[d] = d < c->dim && c->offset ? c->offset[d] : 0;
        l->local[d] = !c->local ? 0 : d < c->dim ? c->local[d] : 1;
        if (!l->global[d] || __builtin_mul_overflow(items, l->global[d], &items) ||
            (c->local && !l->local[d]))
            return false;
        if (l->offset[d] > SIZE_MAX - l->global[d])
            return false;
    }
    return items <= (size_t)1 << 62;
}

static struct prof_range whole(const struct launch *l)
{
    struct prof_range r;

    memcpy(r.offset, l->offset, sizeof r.offset);
    memcpy(r.size, l->global, sizeof r.size);
    return r;
}

/* A user event that fails makes everything behind it fail, and PoCL 3.1 aborts if one of several events that
 * fail together, such as a part's, was released by then. */
const char *launch_problem(const struct launching *l, bool *lasting)
{
    *lasting = atomic_load(&user_events) == 0;
    if (!*lasting)
        return "user-event";
    if (atomic_load(&failures))
        return "failed-commands";
    if (l->call->nwait > SPLIT_LONGEST_LIST)
        return "long-wait-list";
    if (l->queue->device->api < 110)
        return "no-offsets";
    if (alike_required(l))
        return "several-queues";
    return feed_problem(&l->queue->feed);
}

/* Report why the shape is not tuned fully, once, which `said` remembers.  The site need not be locked. */
static COLD void report_once(const struct launching *l, atomic_bool *said, const char *reason,
                             const char *detail)
{
    const struct shim_entry *e = l->site->entry;

    if (atomic_exchange(said, true))
        return;
    rep_emit(l->rt->report, &(struct rep_event){.event = "observed",
                                                .program = e->build->hash,
                                                .kernel = e->name,
                                                .device = e->build->device->key,
                                                .launch = &l->shape,
                                                .reason = reason,
                                                .detail = detail});
}

static void report_whole(const struct launching *l, const char *reason)
{
    report_once(l, &l->site->whole_said, reason, rsn_words(reason));
}

HOT bool launch_may_compile(const struct launching *l)
{
    struct shim_site *s = l->site;
    const char *why;

    if (atomic_load_explicit(&s->launched, memory_order_relaxed) || !l->queue->device->is_cpu)
        return true;
    why = util_hampered();
    if (why)
        report_once(l, &s->hampered_said, "hampered", why);
    return !why;
}

/* The driver took a launch with `local`.  If that is the decided size, later launches need no compilation. */
static HOT void note_launched(struct shim_site *s, const size_t local[3])
{
    if (!atomic_load_explicit(&s->launched, memory_order_relaxed) && atomic_load(&s->state) == SITE_DECIDED &&
        memcmp(local, s->choice, sizeof s->choice) == 0)
        atomic_store_explicit(&s->launched, true, memory_order_relaxed);
}

HOT bool launch_meets_other_shapes(const struct launching *l)
{
    return atomic_load(&l->site->entry->ranges_differ) && alike_required(l);
}

/* May the launch use another size than the application's at present?  If not, that is reported once. */
static HOT bool may_use_other(const struct launching *l)
{
    if (!launch_may_compile(l))
        return false;
    if (!launch_meets_other_shapes(l))
        return true;
    report_whole(l, "several-queues");
    return false;
}

bool launch_may_split(const struct launching *l)
{
    bool lasting;
    const char *reason = launch_problem(l, &lasting);

    if (reason && lasting)
        report_whole(l, reason);
    return !reason;
}

bool launch_open_parts(const struct launching *l, int *cancel)
{
    if (!launch_may_split(l) || !alike_begin(l, SITE_PARTS, (size_t[3]){0}))
        return false;
    if (feed_open(&l->queue->feed, cancel))
        return true;
    alike_end(l, SITE_PARTS);
    report_whole(l, feed_problem(&l->queue->feed));
    return false;
}

void launch_close_parts(const struct launching *l, int cancel)
{
    feed_close(&l->queue->feed, cancel);
    alike_end(l, SITE_PARTS);
}

/* Enqueue the whole range with `local`, in parts if that does not divide it.  NOT_TRIED if it must not be
 * made in parts. */
static HOT cl_int enqueue_whole(const struct launching *l, const size_t local[3], cl_event *done,
                                cl_event *first, bool *partial)
{
    const bool parts = !split_divides(local, l->shape.global);
    const struct prof_range range = whole(&l->shape);
    int cancel = 0;
    cl_int error;

    *partial = false;
    if (parts && !launch_open_parts(l, &cancel))
        return NOT_TRIED;
    error = split_enqueue(l->call, l->queue->out_of_order, &range, local, NULL, done, first, partial);
    if (parts)
        launch_close_parts(l, cancel);
    return error;
}

/* The application's own call, argument for argument, with an event for `watch`. */
static cl_int launch_own(const struct launching *l, struct site_pending *watch)
{
    const struct call *c = l->call;
    struct call watched = *c;
    cl_event event = NULL;
    cl_int error;

    watched.event = &event;
    error = call_pass(&watched);
    if (error)
        return error;
    if (c->event)
        *c->event = event;
    watch->event = event;
    watch->alone = !c->nwait;
    watch->visible = c->event != NULL;
    return CL_SUCCESS;
}

/* Launch with the application's own size after `error` with another.  A driver may refuse a decided size that
 * it said it would take, for lack of registers, for example; then it is not tried again. */
static cl_int launch_instead(const struct launching *l, cl_int error)
{
    const cl_int own = call_pass(l->call);

    if (error != NOT_TRIED && own == CL_SUCCESS && atomic_load(&l->site->state) == SITE_DECIDED)
        atomic_store(&l->site->rejected, true);
    return own;
}

/* launch_with() for a size that is not the application's, where such a size may be used. */
static HOT cl_int launch_other(const struct launching *l, const size_t local[3], struct site_pending *watch)
{
    const struct call *c = l->call;
    const bool visible = c->event && !l->queue->hidden && l->queue->timed;
    cl_event done = NULL, first = NULL;
    bool partial;
    cl_int error;

    if (!alike_begin(l, SITE_SIZE, local))
        return call_pass(c);
    error =
        enqueue_whole(l, local, c->event || watch ? &done : NULL, visible || watch ? &first : NULL, &partial);
    alike_end(l, SITE_SIZE);
    if (error) {
        if (watch)
            watch->refused = error != NOT_TRIED;
        return partial ? error : launch_instead(l, error);
    }
    note_launched(l->site, local);
    if (c->event)
        *c->event = done;
    if (first && visible) {
        if (watch && !split_ref(first))
            watch = NULL; /* the sample is lost */
        split_remember(done, first);
        first = watch ? first : NULL;
    }
    if (watch) {
        watch->event = done;
        watch->first = first;
        watch->alone = !c->nwait;
        watch->visible = c->event != NULL;
    } else if (first) {
        next()->clReleaseEvent(first);
    }
    return CL_SUCCESS;
}

static struct site_pending nothing_watched(const struct launching *l)
{
    return (struct site_pending){.queue = l->call->queue, .cancelled_waits = harvest_cancelled_waits()};
}

cl_int launch_with(const struct launching *l, const size_t local[3], struct site_pending *watch)
{
    if (watch)
        *watch = nothing_watched(l);
    if (memcmp(local, l->shape.local, sizeof l->shape.local) == 0)
        return watch ? launch_own(l, watch) : call_pass(l->call);
    return may_use_other(l) ? launch_other(l, local, watch) : call_pass(l->call);
}

unsigned launch_stride(const struct launching *l)
{
    return l->site->launches < ALL_OBSERVED ? 1 : OBSERVED_STRIDE;
}

cl_int launch_observed(const struct launching *l, bool wanted)
{
    const unsigned stride = wanted ? 1 : launch_stride(l);
    struct site_pending watch = nothing_watched(l);
    cl_int error;

    if (!l->queue->timed || l->site->launches % stride)
        return call_pass(l->call);
    if (l->site->npending == SITE_PENDING) {
        error = call_pass(l->call);
        l->site->untimed += error ? 0 : stride;
        return error;
    }
    watch.weight = stride;
    error = launch_own(l, &watch);
    if (!error)
        harvest_watch(l->site, &watch);
    return error;
}

/* Make and time a decided launch, to see whether the decision still stands.  Site locked. */
static COLD cl_int launch_sampled(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct site_pending watch = nothing_watched(l);
    cl_int error;

    harvest_site(s);
    if (s->moved && site_reopen(s)) {
        harvest_abandon(s);
        atomic_fetch_sub(s->keep ? &l->rt->total.kept : &l->rt->total.retuned, 1); /* no longer decided */
        tune_report(l, (struct rep_event){.event = "observed", .reason = "drift", .chosen = s->choice});
    }
    if (s->keep)
        return launch_observed(l, true);
    error = launch_other(l, s->choice, &watch);
    if (!error && watch.event)
        harvest_watch(s, &watch);
    return error;
}

/* Is the next launch of the decided site one of those that are timed? */
static inline bool sample_is_next(const struct shim_site *s)
{
    return atomic_load_explicit(&s->decided_launches, memory_order_relaxed) % DECIDED_STRIDE ==
           DECIDED_STRIDE - 1;
}

static HOT bool sample_due(const struct launching *l)
{
    struct shim_site *s = l->site;
    const unsigned n = atomic_fetch_add_explicit(&s->decided_launches, 1, memory_order_relaxed);

    return n % DECIDED_STRIDE == DECIDED_STRIDE - 1 && l->queue->timed &&
           !atomic_load_explicit(&l->queue->device->no_event_times, memory_order_relaxed) &&
           !atomic_load_explicit(&s->retired, memory_order_relaxed) && guest_has_stack() &&
           !util_confined() && pthread_mutex_trylock(&s->lock) == 0;
}

/* The decided size does not work: give it up, unless another thread has the site locked; then a later launch
 * will. */
static COLD cl_int launch_given_up(const struct launching *l)
{
    struct guest guest;

    if (guest_has_stack() && !util_confined() && pthread_mutex_trylock(&l->site->lock) == 0) {
        guest_begin(&guest);
        settle_give_up(l);
        pthread_mutex_unlock(&l->site->lock);
        guest_end(&guest);
    }
    return call_pass(l->call);
}

static HOT cl_int launch_decided(const struct launching *l)
{
    struct shim_site *s = l->site;
    const bool usable = s->keep || (guest_has_stack() && prove_holds(l) && may_use_other(l));
    struct guest guest;
    cl_int error;

    if (site_is_given_up(s))
        return launch_given_up(l);
    if (!s->keep && usable)
        atomic_fetch_add_explicit(&l->rt->total.saved_ns, s->saved_ns, memory_order_relaxed);
    if (usable && sample_due(l)) {
        guest_begin(&guest);
        error = launch_sampled(l);
        pthread_mutex_unlock(&s->lock);
        guest_end(&guest);
        return error;
    }
    return s->keep || !usable ? call_pass(l->call) : launch_other(l, s->choice, NULL);
}

/* Has the reason been reported for a kernel of this name?  Programs that create a kernel object for each
 * launch would repeat it.  When the table is full the answer is no. */
static bool said_before(const struct shim_kernel *k, const char *reason)
{
    static atomic_ullong said[1024];
    const uint64_t h = hash64(hash64(HASH64_START, k->name, strlen(k->name)), reason, strlen(reason)) | 1;

    for (unsigned i = 0; i < 16; i++) {
        unsigned long long none = 0;
        if (atomic_compare_exchange_strong(&said[((h >> 8) + i) & 1023], &none, h))
            return false;
        if (none == h)
            return true;
    }
    return false;
}

/* Report the reason once per kernel.  True if this call did. */
static COLD bool report_kernel(struct runtime *rt, struct shim_kernel *k, const struct launch *shape,
                               const char *event, const char *reason)
{
    if (atomic_load_explicit(&k->reported, memory_order_relaxed) || atomic_exchange(&k->reported, true) ||
        said_before(k, reason))
        return false;
    rep_emit(rt->report, &(struct rep_event){.event = event,
                                             .kernel = k->name,
                                             .launch = shape,
                                             .reason = reason,
                                             .detail = rsn_words(reason)});
    return true;
}

/* Report and count a kernel of which nothing is known, or which is left alone whatever is known. */
static COLD void report_unknown(struct runtime *rt, struct shim_kernel *k, const struct launch *shape,
                                const char *reason)
{
    if (!report_kernel(rt, k, shape, "refusal", reason))
        return;
    atomic_fetch_add(&rt->total.kernels, 1);
    atomic_fetch_add(&rt->total.refused, 1);
}

/* Report why a launch has no site, unless that was reported when its kernel was refused. */
static HOT void report_without_site(const struct launching *l)
{
    const struct shim_entry *e = atomic_load_explicit(&l->kernel->entry, memory_order_acquire);

    if (e && e->excluded)
        report_unknown(l->rt, l->kernel, &l->shape, "not-selected");
    else if (!e || !atomic_load(&e->skip))
        report_kernel(l->rt, l->kernel, &l->shape, "observed", "many-shapes");
}

/* Find the site of a launch; false if nothing is to be done but to pass the launch on. */
static HOT bool recognise(struct launching *l)
{
    if (!describe(l->call, &l->shape) || !l->kernel)
        return false;
    if (!l->kernel->source) {
        report_unknown(l->rt, l->kernel, &l->shape, l->kernel->reason);
        return false;
    }
    if (l->queue && (l->queue->untouched || atomic_load(&ext_foreign_memory))) {
        report_unknown(l->rt, l->kernel, &l->shape,
                       l->queue->untouched ? l->queue->untouched : "shared-context");
        return false;
    }
    if (!l->queue || !obj_queue_is_usual(l->queue))
        return false;
    l->site = site_find(l->kernel, l->queue, &l->shape);
    if (!l->site)
        report_without_site(l);
    return l->site;
}

/* Pass on a launch that needs no look.  Several threads may pass on a few more than they should. */
static HOT cl_int launch_coasting(const struct launching *l)
{
    const cl_int error = call_pass(l->call);

    if (error == CL_SUCCESS) {
        atomic_fetch_add_explicit(&l->site->launches, 1, memory_order_relaxed);
        atomic_fetch_sub_explicit(&l->site->coast, 1, memory_order_relaxed);
    }
    return error;
}

/* A launch that launch_passes() does not know; apart, so that what every launch executes stays short. */
static __attribute__((noinline)) HOT cl_int launch_looked_at(struct launching *l)
{
    struct guest guest;
    cl_int error;

    if (!recognise(l))
        return call_pass(l->call);
    alike_settle(l);
    switch ((enum site_state)atomic_load_explicit(&l->site->state, memory_order_acquire)) {
    case SITE_REFUSED:
        return call_pass(l->call);
    case SITE_DECIDED:
        return launch_decided(l);
    case SITE_NEW:
    case SITE_RACING:
        if (atomic_load_explicit(&l->site->coast, memory_order_relaxed) > 0)
            return launch_coasting(l);
        break;
    }
    if (!guest_has_stack() || util_forbidden() || pthread_mutex_trylock(&l->site->lock))
        return call_pass(l->call); /* the last: another thread is tuning this site */
    guest_begin(&guest);
    pace_keep(l);
    error = tune_launch(l);
    pthread_mutex_unlock(&l->site->lock);
    guest_end(&guest);
    return error;
}

/* Has the call this range?  A local size of 0, which is an error, counts as none. */
static inline bool has_range(const struct call *c, const struct site_key *key)
{
    size_t differences = 0;

    if (c->dim != key->dim || !c->global || !key->zero_offset || !c->nwait != !c->wait)
        return false;
    for (unsigned d = 0; d < c->dim; d++)
        differences |= (c->global[d] ^ key->global[d]) | (c->offset ? c->offset[d] : 0) |
                       ((c->local ? c->local[d] : 0) ^ key->own[d]);
    return !differences;
}

/* Is the launch to be passed on like the last one of its kernel?  Most are that are given no other size. */
static inline bool launch_passes(const struct shim_queue *q, const struct shim_kernel *k,
                                 const struct call *c)
{
    const struct shim_entry *e = atomic_load_explicit(&k->entry, memory_order_acquire);
    struct shim_site *s = atomic_load_explicit(&k->recent, memory_order_acquire);

    if (!e || e->device != q->device || !obj_queue_is_usual(q) || q->untouched ||
        atomic_load_explicit(&ext_foreign_memory, memory_order_relaxed))
        return false;
    if (atomic_load_explicit(&e->skip, memory_order_relaxed))
        return !e->excluded || atomic_load_explicit(&k->reported, memory_order_relaxed);
    if (!s || s->entry != e || k->local_args != s->key.local_args || !has_range(c, &s->key) ||
        atomic_load_explicit(&s->retired, memory_order_relaxed) || alike_changed(e))
        return false;
    switch ((enum site_state)atomic_load_explicit(&s->state, memory_order_acquire)) {
    case SITE_REFUSED:
        return true;
    case SITE_DECIDED:
        if (!s->keep || site_is_given_up(s) || sample_is_next(s)) /* two threads may both miss that one */
            return false;
        atomic_fetch_add_explicit(&s->decided_launches, 1, memory_order_relaxed);
        return true;
    default:
        return false;
    }
}

HOT cl_int launch_enqueue(const struct call *c)
{
    struct runtime *rt = rt_get();
    struct shim_queue *q;
    struct shim_kernel *k;

    if (!rt)
        return call_pass(c);
    spawn_sweep();
    q = obj_queue(c->queue);
    k = obj_kernel(c->kernel);
    if (q)
        feed_note(&q->feed);
    if (q && k && launch_passes(q, k, c))
        return call_pass(c);
    return launch_looked_at(&(struct launching){.call = c, .rt = rt, .queue = q, .kernel = k});
}

void launch_recorded(const struct call *c)
{
    struct launching l = {.call = c, .rt = rt_get()};

    if (l.rt && describe(c, &l.shape) && (l.kernel = obj_kernel(c->kernel)))
        report_unknown(l.rt, l.kernel, &l.shape, l.kernel->source ? "recorded-launch" : l.kernel->reason);
}
