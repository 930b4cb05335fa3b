/* dispatch.c - who decides about a launch: it is passed straight through, tuned, or made as was decided. */
#include "shim/calls/dispatch.h"
#include <pthread.h>
#include <string.h>
#include "shim/calls/left_alone.h"
#include "shim/calls/lifetime.h"
#include "shim/enqueue/launch.h"
#include "shim/enqueue/widening.h"
#include "shim/guest/guest.h"
#include "shim/guest/util.h"
#include "shim/helper/spawn.h"
#include "shim/site/hazard.h"
#include "shim/site/policy.h"
#include "shim/site/samples_in_flight.h"
#include "shim/site/site_report.h"
#include "shim/tune/pace.h"
#include "shim/tune/prove.h"
#include "shim/tune/settle.h"
#include "shim/tune/tune.h"
#include "shim/tune/vary.h"

/* Once a site is decided, one launch in this many is timed; such a launch takes two or three calls more. */
#define DECIDED_STRIDE 64

/* Fill *l without arguments.  False for what is left to the driver to judge: other than 1 to 3 dimensions,
 * empty extents, overflows. */
static bool describe(const struct call *c, struct launch *l)
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

/* Make and time a decided launch, to see whether the decision still stands.  Where a variant is used, one
 * that it cannot make says nothing of that.  Site locked. */
static cl_int launch_sampled(const struct launching *l)
{
    struct shim_site *s = l->site;
    struct site_pending watch;
    cl_int error;

    samples_collect(s);
    if (s->moved && policy_measures(l) && site_reopen(s)) {
        samples_abandon(s);
        report_launch(l, (struct rep_event){.event = "observed", .reason = "drift", .chosen = s->choice});
    }
    if (atomic_load(&s->varies) == SITE_VARIANT) {
        if (!vary_launch_timed(l, &watch))
            return s->keep ? call_pass(l->call) : launch_other(l, s->choice, NULL);
        samples_watch(s, &watch);
        return CL_SUCCESS;
    }
    if (s->keep)
        return launch_observed(l, true);
    error = launch_other(l, s->choice, &watch);
    if (!error && watch.event)
        samples_watch(s, &watch);
    return error;
}

/* Is the next launch of the decided site one of those that are timed? */
static inline bool sample_is_next(const struct shim_site *s)
{
    return atomic_load_explicit(&s->decided_launches, memory_order_relaxed) % DECIDED_STRIDE ==
           DECIDED_STRIDE - 1;
}

static bool sample_due(const struct launching *l)
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
static cl_int launch_given_up(const struct launching *l)
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

static cl_int launch_decided(const struct launching *l)
{
    struct shim_site *s = l->site;
    const bool usable = s->keep || (guest_has_stack() && prove_holds(l) && launch_may_use_other(l));
    struct guest guest;
    cl_int error;

    if (site_is_given_up(s))
        return launch_given_up(l);
    if (!usable)
        atomic_fetch_add_explicit(&s->decided_launches, 1, memory_order_relaxed);
    else if (!s->keep)
        atomic_fetch_add_explicit(&s->resized, 1, memory_order_relaxed);
    if (usable && sample_due(l)) {
        guest_begin(&guest);
        error = launch_sampled(l);
        pthread_mutex_unlock(&s->lock);
        guest_end(&guest);
        return error;
    }
    if (atomic_load_explicit(&s->varies, memory_order_relaxed) != SITE_AS_DECIDED && vary_launch(l, &error))
        return error;
    return s->keep || !usable ? call_pass(l->call) : launch_other(l, s->choice, NULL);
}

/* Report why a launch has no site, unless that was reported when its kernel was refused. */
static void report_without_site(const struct launching *l)
{
    const struct shim_entry *e = atomic_load_explicit(&l->kernel->entry, memory_order_acquire);

    if (e && e->excluded)
        left_alone(l->rt, l->kernel, &l->shape, "not-selected");
    else if (!e || !atomic_load(&e->skip))
        left_without_site(l->rt, l->kernel, &l->shape, "many-shapes");
}

/* Find the site of a launch; false if nothing is to be done but to pass the launch on. */
static bool recognise(struct launching *l)
{
    if (!describe(l->call, &l->shape) || !l->kernel)
        return false;
    if (!l->kernel->source) {
        left_alone(l->rt, l->kernel, &l->shape, l->kernel->reason);
        return false;
    }
    if (l->queue && (l->queue->untouched || atomic_load(&hazard_foreign_memory))) {
        left_alone(l->rt, l->kernel, &l->shape, l->queue->untouched ? l->queue->untouched : "shared-context");
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
static cl_int launch_coasting(const struct launching *l)
{
    const cl_int error = call_pass(l->call);

    if (error == CL_SUCCESS) {
        atomic_fetch_add_explicit(&l->site->launches, 1, memory_order_relaxed);
        atomic_fetch_sub_explicit(&l->site->coast, 1, memory_order_relaxed);
    }
    return error;
}

/* A launch that launch_passes() does not know; apart, so that what every launch executes stays short. */
static __attribute__((noinline)) cl_int launch_looked_at(struct launching *l)
{
    struct guest guest;
    cl_int error;

    if (!recognise(l))
        return call_pass(l->call);
    widening_settle(l);
    switch (site_state(l->site)) {
    case SITE_REFUSED:
        atomic_fetch_add_explicit(&l->site->decided_launches, 1, memory_order_relaxed);
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
static inline bool has_range(const struct call *c, const struct wis_shape *key)
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
    struct shim_entry *e = atomic_load_explicit(&k->entry, memory_order_acquire);
    struct shim_site *s = atomic_load_explicit(&k->recent, memory_order_acquire);

    if (!e || e->device != q->device || !obj_queue_is_usual(q) || q->untouched ||
        atomic_load_explicit(&hazard_foreign_memory, memory_order_relaxed))
        return false;
    if (atomic_load_explicit(&e->skip, memory_order_relaxed)) {
        if (e->excluded)
            return left_alone_again(k);
        atomic_fetch_add_explicit(&e->passed, 1, memory_order_relaxed);
        return true;
    }
    if (!s || s->entry != e || k->local_args != s->key.local_args || !has_range(c, &s->key) ||
        atomic_load_explicit(&s->retired, memory_order_relaxed) || widening_changed(e))
        return false;
    switch (site_state(s)) {
    case SITE_REFUSED:
        atomic_fetch_add_explicit(&s->decided_launches, 1, memory_order_relaxed);
        return true;
    case SITE_DECIDED:
        if (!site_is_as_written(s) || site_is_given_up(s) ||
            sample_is_next(s)) /* two threads may both miss that one */
            return false;
        atomic_fetch_add_explicit(&s->decided_launches, 1, memory_order_relaxed);
        return true;
    default:
        return false;
    }
}

cl_int dispatch_launch(const struct call *c)
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
        obj_note_launch(q);
    if (q && k && launch_passes(q, k, c))
        return call_pass(c);
    return launch_looked_at(&(struct launching){
        .call = c, .rt = rt, .queue = q, .kernel = k, .means = &(struct launch_means){0}});
}

void dispatch_recorded(const struct call *c)
{
    struct launching l = {.call = c, .rt = rt_get()};

    if (l.rt && describe(c, &l.shape) && (l.kernel = obj_kernel(c->kernel)))
        left_alone(l.rt, l.kernel, &l.shape, l.kernel->source ? "recorded-launch" : l.kernel->reason);
}
