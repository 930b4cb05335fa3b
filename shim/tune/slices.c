/* slices.c - launches what samples have left of a range, and makes one event of it all (slices.h). */
#include "shim/tune/slices.h"
#include <stdio.h>
#include "shim/guest/next.h"
#include "shim/object/event_shadow.h"
#include "shim/site/policy.h"
#include "shim/site/site_report.h"
#include "shim/tune/first_use.h"
#include "shim/tune/sandbox.h"

void slices_keep(struct slicing *s, cl_event first, cl_event last)
{
    if (!s->first)
        s->first = split_ref(first);
    next_release(s->last);
    s->last = last;
}

cl_int slices_rest(struct slicing *s, unsigned dim, size_t done, const size_t best[3])
{
    const struct launching *l = s->l;
    const struct call *c = l->call;
    const bool visible = c->event && !l->queue->hidden && l->queue->timed;
    const struct prof_range rest = prof_range_of(&l->shape, dim, done, l->shape.global[dim] - done);
    cl_event event = NULL;
    bool partial;
    cl_int error = CL_SUCCESS;

    if (rest.size[dim]) {
        error = split_enqueue(c, l->queue->out_of_order, &rest, best, s->late ? s->last : NULL,
                              c->event ? &event : NULL, NULL, &partial);
        if (error && !partial)
            error = split_enqueue(c, l->queue->out_of_order, &rest, l->shape.local, s->late ? s->last : NULL,
                                  c->event ? &event : NULL, NULL, &partial);
    } else if (c->event) {
        event = s->last; /* changes hands: a reference more could be refused */
        s->last = NULL;
    }
    if (!error && c->event) {
        *c->event = event;
        if (visible && s->first && s->first != event) {
            shadow_set_first(event, s->first);
            s->first = NULL;
        }
    }
    return error;
}

void slices_release(const struct slicing *s)
{
    next_release(s->first);
    next_release(s->last);
}

/* The lanes that no slice may have now: looks are for before the launch is cut up, since other threads wait
 * from then on.  A slice behind the first has an offset, for which the driver may have other code. */
static uint64_t not_yet(const struct launching *l, const struct prof_plan *plan,
                        const struct prof_policy *policy)
{
    const struct prof_race *r = &l->site->race;
    const size_t extent = l->shape.global[plan->dim],
                 at = plan->mode == PROF_SLICES && 2 * plan->slice <= extent ? plan->slice : 0;
    const struct prof_range slice = prof_range_of(&l->shape, plan->dim, at, plan->slice);
    const struct prof_stake stake = prof_stake_of(plan, &l->shape, plan->slice, 0);
    uint64_t lanes = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (r->lane[i].dropped || !prof_fits(&r->lane[i], plan) ||
            !prof_affordable(r, i, &l->site->account, policy, &stake) || !first_use(l, i, &slice))
            lanes |= UINT64_C(1) << i;
    return lanes;
}

bool slices_plan(const struct launching *l, bool repeats, struct prof_policy *policy, struct prof_plan *plan)
{
    struct shim_site *s = l->site;
    const char *problem = NULL;

    *policy = policy_of(l);
    if (policy->modes & PROF_COPIES || (!policy->modes && (!repeats || policy_at_once(l)))) {
        problem = sandbox_problem(l, false);
        policy->sandbox = !problem;
    }
    prof_plan_make(plan, &s->proof, &l->shape, &s->race, &l->queue->device->model, policy,
                   policy_own_item_ns(l), repeats);
    if (plan->mode != PROF_NONE && plan->mode != PROF_LAUNCHES) {
        policy->not_yet = not_yet(l, plan, policy);
        return true;
    }
    /* Whole launches are always possible: a plan without parts does not refuse them. */
    if (plan->mode == PROF_NONE && policy->modes && !(policy->modes & 1u << PROF_LAUNCHES) &&
        !s->mode_refused && prof_race_next(&s->race) >= 0) {
        char detail[sizeof plan->why + 96];
        snprintf(detail, sizeof detail, "%s%s%s", plan->why, problem ? "; copies: " : "",
                 problem ? problem : "");
        s->mode_refused = true;
        report_refusal(l, false, "mode-not-proved", detail);
    }
    return false;
}
