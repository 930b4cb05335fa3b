/* samples_in_flight.c - keeps the events of timed launches, and enters their times where they count
 * (samples_in_flight.h). */
#include "shim/site/samples_in_flight.h"
#include <pthread.h>
#include "shim/guest/clock.h"
#include "shim/guest/guest.h"
#include "shim/guest/next.h"
#include "shim/object/event_shadow.h"
#include "shim/site/compile_ahead.h"
#include "shim/site/hazard.h"
#include "shim/site/launch_log.h"
#include "shim/site/policy.h"
#include "shim/site/times.h"

#define NOTICED_NS  20000 /* of a shorter decided launch most is the driver's own time, which says nothing */
#define MEANINGLESS 4 /* launches in a row without a sensible time, after which a sample counts as failed */

static atomic_uint
    pending; /* events that all sites hold together; if there are none, nothing needs to be searched */

static atomic_uint cancelled_waits; /* threads that were cancelled while they waited */

bool samples_may_touch(const struct site_pending *p)
{
    return p->cancelled_waits == atomic_load(&cancelled_waits);
}

/* Release what we hold of a launch. */
static void let_go(const struct site_pending *p)
{
    const bool leave = !samples_may_touch(p);

    atomic_fetch_sub(&pending, 1);
    if (!leave)
        next_release(p->first);
    if (p->visible)
        shadow_let_go(p->event, leave);
    else if (!leave)
        next()->clReleaseEvent(p->event);
}

struct site_pending samples_expected(const struct call *c)
{
    return (struct site_pending){.queue = c->queue,
                                 .alone = hazard_waits_within(c),
                                 .visible = c->event != NULL,
                                 .cancelled_waits = samples_cancelled_waits()};
}

void samples_watch(struct shim_site *s, const struct site_pending *p)
{
    if (s->npending < SITE_PENDING && (!p->visible || shadow_keep(p->event))) {
        s->pending[s->npending] = *p;
        s->pending[s->npending].since = clock_now();
        s->pending[s->npending].work = site_work(s);
        s->pending[s->npending++].launch = s->launches;
        atomic_fetch_add(&pending, 1);
        return;
    }
    next_release(p->first);
    if (!p->visible)
        next()->clReleaseEvent(p->event);
}

void samples_share(struct shim_site *s, cl_event e)
{
    for (unsigned i = 0; i < s->npending; i++) {
        struct site_pending *p = &s->pending[i];
        if (p->event != e || p->visible)
            continue;
        p->visible = shadow_keep(e);
        if (!p->visible) { /* out of memory: the sample is lost */
            next_release(p->first);
            *p = s->pending[--s->npending];
            atomic_fetch_sub(&pending, 1);
        }
        next()->clReleaseEvent(e);
        return;
    }
}

/* The time between being ready to run and running.  A launch was not ready before the site's earlier one had
 * ended, and it cannot have waited longer than since it was enqueued, in case SUBMIT is of another clock. */
static int64_t delay_ns(const struct shim_site *s, const struct site_pending *p, const struct times *t)
{
    const cl_ulong ready = t->submit < s->last_end ? s->last_end : t->submit;
    const int64_t most = clock_now() - p->since, ns = t->start > ready ? (int64_t)(t->start - ready) : 0;

    return ns < 0 || ns > most ? most : ns;
}

/* The compilation time of a launch with a fresh size.  If the driver is known to compile once for all sizes,
 * delays that the site's other launches have as well, such as transfers, are not compilation.  0 for a launch
 * that is not fresh. */
static int64_t compilation_ns(struct shim_site *s, const struct site_pending *p, const struct times *t)
{
    int64_t ns = delay_ns(s, p, t);

    if (s->entry->build->device->model.compile_ns < POLICY_COMPILES_NS) {
        if (!p->fresh)
            prof_learn(&s->held_up_ns, ns);
        ns -= ns < s->held_up_ns ? ns : s->held_up_ns;
    }
    return p->fresh ? ns : 0;
}

/* Where the driver compiles for each size, it may have compiled the program's own for its first launch: the
 * others will not cost less. */
static void learn_from_own(struct shim_site *s, const struct site_pending *p, const struct times *t)
{
    const int64_t ns = delay_ns(s, p, t);

    if (!p->lane && !p->launch && s->entry->build->device->model.compile_ns >= POLICY_COMPILES_NS &&
        ns > POLICY_COMPILES_NS && ns > s->account.compile_ns)
        s->account.compile_ns = ns;
}

/* Does the launch or slice not count in the race?  Whole launches do not where parts are compared, nor does
 * one of which nobody knows how much it does. */
static bool is_no_sample(const struct shim_site *s, const struct site_pending *p)
{
    return p->silent || p->work < 0 || (s->in_slices && !p->items);
}

/* Enter the times of a completed launch or slice: into the race if one is open, before that into the own
 * size's record, after the decision into the drift. */
static void book(struct shim_site *s, const struct site_pending *p, const struct times *t)
{
    const int64_t ns = (int64_t)(t->end - t->start), overhead = compilation_ns(s, p, t);
    const unsigned weight = p->weight ? p->weight : 1;
    const size_t items = p->items ? p->items : site_items(s);

    learn_from_own(s, p, t);
    s->last_end = t->end;
    s->meaningless = 0;
    s->timed += !p->items;
    log_add(s, p->lane, p->queue,
            &(struct rep_sample){
                .at_ns = p->since, .start_ns = t->start, .ns = ns, .overhead_ns = overhead, .items = items});
    if (site_state(s) == SITE_DECIDED) {
        s->decided_timed++;
        s->decided_ns += ns;
        s->moved |= prof_drift_add(&s->drift, (double)(ns > NOTICED_NS ? ns : NOTICED_NS) / (double)items);
        return;
    }
    if (!p->lane && !p->items && (!s->whole_ns || ns < s->whole_ns))
        s->whole_ns = ns;
    if (!p->repeated)
        site_seen(s, ns * weight);
    if (site_state(s) != SITE_RACING) {
        if (!p->items)
            site_own_time(s, ns, weight);
        return;
    }
    s->account.observed_ns += ns * (weight - 1);
    /* Between the parts of a fresh launch the driver may have compiled for the tail, which is not execution
     * time. */
    prof_charge(&s->account, &s->race, p->lane, (size_t)((double)items * (p->work > 0 ? p->work : 1) + 0.5),
                p->fresh && p->first ? 0 : ns, overhead, p->repeated);
    if (p->fresh && !p->first)
        ahead_check(s, p->lane, overhead);
    if (p->fresh && !p->first && !s->race.lane[p->lane].known)
        atomic_store(&s->entry->build->device->compile_ns, overhead);
    if ((p->fresh && p->first) || is_no_sample(s, p))
        return;
    if (p->items || prof_race_wants(&s->race, p->lane))
        prof_race_add(&s->race, p->lane, items, (int64_t)((double)ns / p->work), overhead);
}

/* Account for launches that found no room in `pending`, as if each had taken the shortest time measured. */
static void book_untimed(struct shim_site *s)
{
    const int64_t ns = s->whole_ns * s->untimed;

    site_seen(s, ns);
    s->account.observed_ns += ns;
    s->untimed = 0;
}

/* A launch whose event times make no sense.  After several in a row the lane's sample counts as failed,
 * because some sizes may be too fast for the clock. */
static void book_nothing(struct shim_site *s, const struct site_pending *p)
{
    if (site_state(s) != SITE_RACING || is_no_sample(s, p) || ++s->meaningless < MEANINGLESS)
        return;
    s->meaningless = 0;
    prof_race_add(&s->race, p->lane, p->items ? p->items : site_items(s), 0, 0);
}

static void samples_one(struct shim_site *s, const struct site_pending *p, cl_int status)
{
    struct times t;

    if (status < 0) {
        hazard_failed(s, status, site_state(s) == SITE_DECIDED ? site_is_retuned(s) : p->lane != 0);
        if (site_state(s) == SITE_RACING && p->lane)
            prof_race_drop(&s->race, p->lane, true);
    } else if (times_of(s->entry->build->device, p->first ? p->first : p->event, p->event, &t)) {
        book(s, p, &t);
    } else {
        book_nothing(s, p);
    }
    let_go(p);
}

void samples_leave_events(void)
{
    atomic_fetch_add(&cancelled_waits, 1);
}

unsigned samples_cancelled_waits(void)
{
    return atomic_load_explicit(&cancelled_waits, memory_order_relaxed);
}

void samples_collect(struct shim_site *s)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < s->npending; i++) {
        cl_int status;
        if (!samples_may_touch(&s->pending[i])) {
            let_go(&s->pending[i]);
            continue;
        }
        status = next_status(s->pending[i].event);
        if (status > CL_COMPLETE)
            s->pending[kept++] = s->pending[i];
        else
            samples_one(s, &s->pending[i], status);
    }
    s->npending = kept;
    if (s->whole_ns && site_state(s) != SITE_DECIDED)
        book_untimed(s);
}

void samples_abandon(struct shim_site *s)
{
    while (s->npending)
        let_go(&s->pending[--s->npending]);
}

void samples_begin_anew(struct shim_site *s)
{
    samples_abandon(s);
    s->drift = (struct prof_drift){0};
    s->moved = false;
    s->decided_timed = 0;
    s->decided_ns = 0;
}

/* There may be thousands of sites, so without a queue the walk ends once as many events were met as there
 * are. */
void samples_settle(cl_command_queue q)
{
    unsigned left = atomic_load(&pending);
    struct guest guest;

    if (!left) /* after every wait: that alone stands on the launch path */
        return;
    guest_begin(&guest);
    for (struct shim_site *s = site_newest(); s && left; s = s->older) {
        const unsigned here = s->npending;
        unsigned kept = 0;
        if (!q)
            left -= here < left ? here : left;
        if (!here || pthread_mutex_trylock(&s->lock))
            continue; /* a launch is being made there, which harvests itself */
        samples_collect(s);
        for (unsigned i = 0; i < s->npending; i++)
            if (q && s->pending[i].queue == q)
                let_go(&s->pending[i]);
            else
                s->pending[kept++] = s->pending[i];
        s->npending = kept;
        pthread_mutex_unlock(&s->lock);
    }
    guest_end(&guest);
}
