/* policy.c - see policy.h. */
#include "shim/site/policy.h"
#include "shim/guest/clock.h"
#include "shim/guest/cores.h"
#include "shim/guest/idle.h"
#include "shim/guest/util.h"
#include "shim/site/site_report.h"

#define MIN_SLICE_NS 200000 /* of a sample (struct prof_policy) */
#define MOST_CORES   4      /* policy_cores() */
#define PART_OF_TIME 8      /* with `patient` there is no budget for a shape that takes one part in so many */

/* Does the shape take its part of the kernel's time, seen so far in this run?  Of the first launch the
 * model's prediction counts. */
static bool takes_its_part(const struct shim_site *s)
{
    const double first = s->seen_ns ? 0 : s->predicted_ns;

    return PART_OF_TIME * ((double)s->seen_ns + first) >= (double)atomic_load(&s->entry->seen_ns) + first;
}

double policy_cores(const struct launching *l)
{
    const double allowed = cores_allowed();
    const unsigned units = l->site->entry->build->device->model.units,
                   shared = units < MOST_CORES ? units : MOST_CORES;

    return shared < allowed ? shared : allowed;
}

bool policy_has_time(const struct launching *l, int64_t cpu_ns, int share)
{
    const double cores_ns = (double)(clock_now() - l->rt->started_ns) * policy_cores(l);

    return !l->site->entry->build->device->model.is_cpu || cores_ns >= (double)cpu_ns * share ||
           idle_ns(policy_cores(l)) >= cpu_ns;
}

/* Has the program asked this of the launch's kernel?  It may be unknown at present (analyse_after_wait()). */
static bool is_asked(const struct launching *l, enum shim_profile what)
{
    return l->kernel && atomic_load_explicit(&l->kernel->profile, memory_order_relaxed) == (int)what;
}

enum prof_effort policy_asked(const struct launching *l)
{
    const enum prof_effort effort = l->rt->opt.effort;

    return effort == PROF_MEASURE && is_asked(l, KERNEL_PROFILE) ? PROF_PATIENT : effort;
}

bool policy_measures(const struct launching *l)
{
    return opt_measures(&l->rt->opt) && !is_asked(l, KERNEL_LEAVE);
}

enum prof_effort policy_effort(const struct launching *l)
{
    const enum prof_effort effort = policy_asked(l);

    return effort == PROF_PATIENT && !takes_its_part(l->site) ? PROF_MEASURE : effort;
}

struct prof_policy policy_of(const struct launching *l)
{
    const struct options *o = &l->rt->opt;

    return (struct prof_policy){.effort = policy_effort(l),
                                .budget = o->budget,
                                .margin = o->margin,
                                .min_slice_ns = MIN_SLICE_NS,
                                .slices_only = l->site->in_slices,
                                .modes = o->mode == PROF_NONE ? 0 : 1u << o->mode};
}

bool policy_untimed(const struct launching *l)
{
    return !l->queue->timed || atomic_load(&l->queue->device->no_event_times);
}

double policy_own_item_ns(const struct launching *l)
{
    const struct shim_site *s = l->site;
    const double measured = s->own_item_ns > 0 ? s->own_item_ns : s->race.own_item_ns,
                 predicted = s->race.n ? s->race.lane[0].predicted_ns : 0;

    if (measured > 0 || !prof_settles_at_once(policy_effort(l), predicted))
        return measured;
    return predicted / (double)launch_items(&l->shape);
}

double policy_compile_ns(const struct launching *l)
{
    const double learned = (double)l->site->account.compile_ns, model = l->queue->device->model.compile_ns;

    return learned > model ? learned : model;
}

bool policy_at_once(const struct launching *l)
{
    return prof_settles_at_once(policy_effort(l), policy_own_item_ns(l) * (double)launch_items(&l->shape));
}

const char *policy_hampered(const struct launching *l)
{
    struct launch_means anew = {0}, *means = l->means ? l->means : &anew;
    const struct shim_device *d = l->queue->device;

    if (!means->asked)
        *means = (struct launch_means){.asked = true,
                                       .hampered = d->is_cpu ? util_hampered(obj_has(d, DRV_LINKS)) : NULL};
    return means->hampered;
}

bool policy_may_compile(const struct launching *l)
{
    struct shim_site *s = l->site;
    const char *why;

    if (atomic_load_explicit(&s->launched, memory_order_relaxed) || !l->queue->device->is_cpu)
        return true;
    why = policy_hampered(l);
    if (why)
        report_once(l, &s->hampered_said, "hampered", why);
    return !why;
}
