/* analyse.c - see analyse.h. */
#include "shim/tune/analyse.h"
#include "shim/guest/clock.h"
#include "shim/guest/guest.h"
#include "shim/ledger/reasons.h"
#include "shim/ledger/runtime.h"
#include "shim/object/driver_sizes.h"
#include "shim/site/policy.h"
#include "shim/site/site_report.h"

#define HELPER_NS    80000000  /* CPU time of a helper: twice what was measured for a small program */
#define HELPER_SHARE 20        /* a helper may take one part in this many of the cores' time, */
#define POOR_SHARE   10        /* or in this many where much may be gained: see looks_poor() */
#define LOOK_NS      100000000 /* between two looks after waits, at least */
#define POOR_EXTENT  8         /* work-items: see looks_poor() */

/* Its groups must stay as they are, but another kernel may do its work in them (sel_proof.groups). */
static bool may_vary_in_groups(const struct launching *l, const struct kernel_summary *k,
                               const struct driver *d)
{
    const struct options *o = &l->rt->opt;
    const char *detail;

    return k->group && sum_proved(k->group, SUM_FACT_S) && k->wide.text &&
           (rt_variants_compete(l->rt) || o->variants == OPT_WIDE) && !l->site->entry->asked &&
           !drv_code_problem(k, d, o->strict, o->relaxed, &detail);
}

/* Publish the kernel's summary.  False: it says that the kernel must be left alone.  Threads with launches of
 * other shapes read entry->summary without a lock, so it is stored last. */
static bool accepted(const struct launching *l, const struct kernel_summary *k)
{
    struct shim_entry *entry = l->site->entry;
    const struct sum_verdict *s = &k->fact[SUM_FACT_S];
    const struct driver d = obj_driver(entry->build->device);
    const struct options *o = &l->rt->opt;
    const char *detail, *driver = drv_compiler_problem(k, &d, o->strict, o->relaxed, &detail);

    atomic_store(&entry->relevant, sel_judge_arguments(k));
    atomic_store(&entry->open, sel_open(k, &d));
    if (s->reason == SUM_R_NONE ? !driver : may_vary_in_groups(l, k, &d)) {
        atomic_store(&entry->summary, k);
        return true;
    }
    report_arguments(l, k);
    if (s->reason != SUM_R_NONE)
        refuse_kernel(l, k, true, sum_reason_name(s->reason),
                      s->detail ? s->detail : sum_reason_text(s->reason));
    else
        refuse_kernel(l, k, false, driver, detail);
    return false;
}

/* Are groups so small, or their rows so short, that a CPU's vector units and caches are badly used, though
 * the launch would allow larger ones? */
static bool looks_poor(const struct launching *l)
{
    const struct launch *shape = &l->shape;
    const size_t *local = shape->local, items = local[0] * local[1] * local[2];

    if (!items)
        return false; /* the driver's choice, which is not known */
    return (items < POOR_EXTENT && items < launch_items(shape)) ||
           (shape->dim > 1 && local[0] < POOR_EXTENT && local[0] < shape->global[0]);
}

/* Is the analysis waited for?  If a size was asked for, or the effort has no budget. */
static bool awaited(const struct launching *l)
{
    return policy_asked(l) >= PROF_PATIENT || l->site->entry->asked;
}

/* Should the program be analysed now, because its kernels have run for long enough?  If the analysis is
 * waited for, it is started at the first launch, which may be the only one. */
static bool worth_analysing(const struct launching *l)
{
    return awaited(l) || atomic_load(&l->site->entry->build->observed_ns) >= rt_enough_ns(l->rt);
}

/* On a CPU the helper competes with the kernels, and a short program has no time to profit: where there is a
 * budget, it is analysed when it ends, for its next run. */
static bool better_at_exit(const struct launching *l)
{
    return l->rt->opt.analyse_after && policy_asked(l) == PROF_MEASURE && !l->site->entry->asked &&
           !policy_has_time(l, HELPER_NS, looks_poor(l) ? POOR_SHARE : HELPER_SHARE);
}

/* Start the analysis, or see how far it is, if that is due. */
static enum ana_state advance(const struct launching *l)
{
    struct shim_build *b = l->site->entry->build;
    const enum ana_state state = ana_look(b);

    if (state == ANA_READY || state == ANA_FAILED || !worth_analysing(l) ||
        (state != ANA_PENDING && better_at_exit(l)))
        return state;
    return ana_advance(b);
}

static void advance_site(struct shim_site *s, void *context)
{
    if (site_is_open(s) && !atomic_load(&s->entry->summary) && !atomic_load(&s->entry->skip))
        advance(&(struct launching){.rt = context, .site = s, .shape = site_shape(s)});
}

void analyse_after_wait(struct runtime *rt)
{
    static _Atomic int64_t looked_ns;
    const int64_t now = clock_now();
    struct guest guest;

    if (now - atomic_load(&looked_ns) < LOOK_NS)
        return;
    atomic_store(&looked_ns, now);
    guest_begin(&guest);
    site_each(advance_site, rt);
    guest_end(&guest);
}

bool analyse_kernel(const struct launching *l)
{
    struct shim_entry *entry = l->site->entry;
    struct shim_build *b = entry->build;
    const struct kernel_summary *k;
    const char *problem;
    enum ana_state state;

    if (atomic_load(&entry->summary))
        return true;
    state = advance(l);
    if (state == ANA_PENDING && awaited(l))
        state = ana_wait(b);
    if (state == ANA_FAILED)
        refuse_kernel(l, NULL, false, b->reason, b->detail);
    if (state != ANA_READY)
        return false;
    k = sum_find(&b->summary, entry->name);
    problem = !k                                          ? "kernel-not-found"
              : k->nblock && k->nargs != l->kernel->nargs ? "kernel-differs"
                                                          : NULL; /* one that is too large has no body */
    if (problem)
        refuse_kernel(l, NULL, false, problem, rsn_words(problem));
    return !problem && accepted(l, k);
}
