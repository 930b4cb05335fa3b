/* first_use.c - see first_use.h. */
#include "shim/tune/first_use.h"
#include <string.h>
#include "shim/enqueue/launch.h"
#include "shim/site/policy.h"
#include "shim/site/site_report.h"
#include "shim/tune/vary_search.h"

#define MOST_LATE 8 /* looks that would have had to wait: it will stay so */

/* The program's kernel writes something else with this size, which was proved to be impossible. */
static void refuse_size(const struct launching *l, const size_t local[3], const char *detail)
{
    report_launch(l, (struct rep_event){
                         .event = "observed", .reason = "size-differs", .chosen = local, .detail = detail});
    l->site->differs = true;
    atomic_store(&l->site->failed, true);
}

static void refuse_variant(const struct launching *l, struct variant *v, const char *detail)
{
    struct prof_race *r = &l->site->race;

    l->site->tried |= v->bit;
    for (unsigned i = 1; i < r->n; i++)
        if (r->lane[i].variant == v->label)
            prof_race_drop(r, i, true);
    vary_refuse_different(l, v, detail);
}

/* What the driver did for the size's first run is done. */
static void note_build(struct prof_account *a, struct prof_lane *p, int64_t build_ns)
{
    if (p->tried || p->known || build_ns <= 0)
        return;
    prof_learn(p->variant ? &a->variant_ns : &a->compile_ns, build_ns);
    p->known = p->ahead = true;
}

/* Nothing is done in the program's place where it could not be. */
static enum variant_result look(const struct launching *l, struct variant *v, const size_t local[3],
                                const struct prof_range *of, struct verification *out)
{
    const int64_t before = l->site->account.spent_ns;
    enum variant_result result;

    if (!(v ? launch_may_vary(l) : launch_may_use_other(l)))
        return VARIANT_LATER;
    result = verify_size(l, v, local, of, out);
    if (result == VARIANT_WORKS)
        rep_say(l->rt->report, 3, "%s: %s %zux%zux%zu was looked at on copies, in %.2f ms",
                l->site->entry->name, v ? v->label : "size", local[0], local[1], local[2],
                (double)(l->site->account.spent_ns - before) / 1e6);
    return result;
}

static bool is_overdrawn(const struct launching *l)
{
    const struct prof_policy policy = policy_of(l);

    return !prof_may_spend(&l->site->account, &policy, 1, INT64_MAX);
}

bool first_use(const struct launching *l, unsigned lane, const struct prof_range *of)
{
    struct shim_site *s = l->site;
    struct prof_lane *p = &s->race.lane[lane];
    struct variant *v = p->variant ? variant_labelled(s, p->variant) : NULL;
    struct verification out;

    if (!lane || p->used || p->samples || p->looked_at)
        return true;
    if (atomic_load(&s->failed) || (p->variant && !v) || is_overdrawn(l))
        return false;
    switch (look(l, v, p->local, of, &out)) {
    case VARIANT_DIFFERS:
        if (v)
            refuse_variant(l, v, out.detail);
        else
            refuse_size(l, p->local, out.detail);
        return false;
    case VARIANT_LATER:
        if (++s->looks_late < MOST_LATE)
            return false;
        break;
    case VARIANT_WORKS:
        s->looks_late = 0;
        note_build(&s->account, p, out.build_ns);
        break;
    case VARIANT_NEVER:
        break;
    }
    p->looked_at = true;
    return !atomic_load(&s->failed);
}

bool first_use_unraced(const struct launching *l, const size_t local[3])
{
    struct verification out;

    if (!launch_same_size(local, l->shape.local) && look(l, NULL, local, NULL, &out) == VARIANT_DIFFERS)
        refuse_size(l, local, out.detail);
    return !atomic_load(&l->site->failed);
}
