/* pace.c - how far a program may be ahead of the device (pace.h).
 *
 * Launches that are in the queue cannot be changed any more.  A program that enqueues all its launches before
 * it waits for the last would end its first run before anything is known of its kernels, and each later run
 * with one sample.
 *
 *   new shape       No more than LEAD_NS of its own work ahead, if the program enqueues BURST times faster
 *                   than the device works: such a program has nothing else to do.  That ends when the shape
 *                   is raced, decided or refused, if the program turns out to have something else to do
 *                   (it does not wait at the burst's end), and after MOST_HELD_NS in any case.
 *   shape in race   No more than RUN_AHEAD launches ahead of the sample that is needed next; while another
 *                   process works on what is needed, as a new shape. */
#include "shim/tune/pace.h"
#include "shim/guest/clock.h"
#include "shim/guest/next.h"
#include "shim/site/hazard.h"
#include "shim/site/policy.h"
#include "shim/site/samples_in_flight.h"

/* Launches that may follow a sample before it is waited for: enough to keep the device busy. */
#define RUN_AHEAD 2

#define PATIENCE          8         /* a sample is waited for this many times as long as expected */
#define LEAST_PATIENCE_NS 200000000 /* and at least so long: other kernels may be in the queue */

/* Of a burst. */
#define LOOK_AFTER      16 /* launches in flight before the first of them is waited for to learn its time */
#define LEAD_NS         100000000 /* device time of launches in flight that a program may have */
#define PATIENT_LEAD_NS 5000000   /* likewise with an effort without a budget */
#define BURST           4 /* times as fast as the device works: a program that enqueues so is held up */
#define MOST_HELD_NS    3000000000 /* time for which a shape's launches are held up, together */

/* When a launch of a burst was held up last; 0: the program has waited since. */
static atomic_llong held_until;

/* The program has other work to do meanwhile: time in which it is held up is lost to that. */
static atomic_bool is_busy;

/* Nanoseconds that the device needs for a launch with the application's size; 0: not known yet. */
static double own_ns(const struct launching *l)
{
    return l->site->own_item_ns * (double)launch_items(&l->shape);
}

/* The oldest of the launches in flight that are samples of the lane which the race needs next; NULL: none. */
static const struct site_pending *needed_sample(const struct shim_site *s)
{
    const int lane = prof_race_next(&s->race);

    for (unsigned i = 0; i < s->npending; i++)
        if ((int)s->pending[i].lane == lane)
            return &s->pending[i];
    return NULL;
}

/* How long a launch is waited for: several times what it, those before it and a compilation should take.
 * What takes longer probably depends on something that the application has yet to do. */
static int64_t patience_ns(const struct launching *l, unsigned launches)
{
    const double expected = own_ns(l) * launches + l->queue->device->model.compile_ns,
                 most = (double)l->rt->opt.wait * 1e6;

    return (int64_t)(PATIENCE * expected < most ? PATIENCE * expected + LEAST_PATIENCE_NS : most);
}

/* False if the wait was given up: for lack of patience, or because another thread has begun to use the queue.
 */
static bool wait_for(const struct launching *l, const struct site_pending *p, unsigned launches)
{
    const int64_t begin = clock_now();
    cl_int status;

    /* Not always this launch's: programs take turns with two.  Another thread may have released it meanwhile
     * (samples_settle() leaves alone what is locked), and that flushes it, too. */
    if (p->queue == l->call->queue || obj_queue_alive(p->queue))
        next()->clFlush(p->queue);
    status = split_wait(p->event, begin + patience_ns(l, launches), &l->queue->sharing.shared);
    l->site->held_ns += clock_now() - begin;
    return status != CL_QUEUED;
}

/* Is the launch one that may be waited for? */
static bool may_wait_for(const struct launching *l, const struct site_pending *p)
{
    return p->alone && samples_may_touch(p) && hazard_may_wait(l);
}

/* The program is not ahead of the device at present. */
static void note_even(struct shim_site *s)
{
    s->even_ns = clock_now();
    s->even = s->launches;
}

/* Has the program spent so little time between its launches since then that it must be doing nothing else? */
static bool is_burst(const struct launching *l)
{
    const struct shim_site *s = l->site;

    return (double)(clock_now() - s->even_ns) * BURST < own_ns(l) * (s->launches - s->even);
}

/* How far the program may get ahead, in ns of the device's time.  Without a budget nothing is gained by time
 * that a program saves by being ahead. */
static double lead_ns(const struct launching *l)
{
    return policy_asked(l) >= PROF_PATIENT ? PATIENT_LEAD_NS : LEAD_NS;
}

/* Must the oldest launch that is in flight have run before another is enqueued?  `ahead`: how many were
 * enqueued since. */
static bool too_far_ahead(const struct launching *l, unsigned ahead)
{
    return own_ns(l) > 0 ? ahead * own_ns(l) > lead_ns(l) && is_burst(l) : ahead >= LOOK_AFTER;
}

/* Let the device catch up, if the program enqueues in a burst. */
static void pace_burst(const struct launching *l)
{
    struct shim_site *s = l->site;
    const struct site_pending *p = &s->pending[0];
    const unsigned ahead = s->npending ? s->launches - p->launch : 0;
    const bool hopeless = s->proof_of && !s->proof.groups.proven;

    if (ahead <= RUN_AHEAD) {
        note_even(s);
        return;
    }
    if (hopeless || atomic_load(&is_busy) || l->queue->quiet || s->held_ns > MOST_HELD_NS ||
        !too_far_ahead(l, ahead) || atomic_load(&l->queue->unpaced) || !may_wait_for(l, p))
        return;
    if (wait_for(l, p, ahead))
        hazard_waited_briefly(l, true);
    else
        atomic_store(&l->queue->unpaced, true);
    note_even(s);
    atomic_store(&held_until, s->even_ns);
}

/* What is left of a burst takes at most LEAD_NS / BURST. */
void pace_before_wait(void)
{
    const int64_t held = atomic_load_explicit(&held_until, memory_order_relaxed);

    if (!held)
        return;
    if (clock_now() - held > LEAD_NS)
        atomic_store(&is_busy, true);
    atomic_store(&held_until, 0);
}

static void pace_race(const struct launching *l)
{
    const struct prof_race *r = &l->site->race;
    const struct site_pending *p = needed_sample(l->site);

    if (!p && (r->awaited || r->trial || r->variants_awaited))
        pace_burst(l);
    if (!p || l->site->launches - p->launch <= RUN_AHEAD || !may_wait_for(l, p))
        return;
    if (wait_for(l, p, RUN_AHEAD + 1))
        hazard_waited(l, true);
    else if (!atomic_load(&l->queue->sharing.shared))
        hazard_waited(l, false);
}

void pace_keep(const struct launching *l)
{
    if (l->rt->opt.orchestration == OPT_ASYNC || !policy_measures(l))
        return;
    if (site_state(l->site) == SITE_NEW)
        pace_burst(l);
    else if (site_state(l->site) == SITE_RACING)
        pace_race(l);
}
