/* ranks.c - see ranks.h. */
#include "shim/tune/ranks.h"
#include <string.h>
#include "shim/ledger/runtime.h"
#include "shim/site/arguments.h"
#include "shim/tune/learned.h"

#define SAME 1.0001 /* a ratio of times that says nothing */

/* The sizes that the race has measured, as candidates. */
static unsigned find_measured(const struct shim_site *s, struct candidate list[PROF_MAX_CANDIDATES])
{
    unsigned n = 0;

    for (unsigned i = 0; i < s->race.n; i++) {
        const struct prof_lane *lane = &s->race.lane[i];
        const struct candidate *c =
            lane->variant || !lane->samples ? NULL : sel_of_size(s->candidates, s->ncandidate, lane->local);
        if (c)
            list[n++] = *c;
    }
    return n;
}

/* From 1; 0 if it is not among them, or has no time. */
static unsigned rank(const struct candidate *list, unsigned n, const size_t won[3])
{
    const struct candidate *at = sel_of_size(list, n, won);
    unsigned place = 1;

    if (!at || at->time_ns <= 0)
        return 0;
    for (unsigned i = 0; i < n; i++)
        place += list[i].time_ns * SAME < at->time_ns;
    return place;
}

/* By the times that another estimator gives the list. */
static unsigned rank_by(const struct launching *l, enum sel_estimator by, struct candidate *list, unsigned n,
                        const size_t won[3])
{
    struct launch_arg args[ARGS_MOST];
    const struct launch launch = args_describe(l, args);
    struct sel_work *work = sel_work_new();
    struct sel_estimate out;
    unsigned place = 0;

    if (work && sel_estimate_with(by, l->site->entry->summary, &launch, &l->queue->device->model, list, n,
                                  work, &out) == 0)
        place = rank(list, n, won);
    sel_work_free(work);
    return place;
}

void ranks_find(const struct launching *l, const size_t won[3], struct rep_ranks *out)
{
    const struct shim_site *s = l->site;
    struct candidate list[PROF_MAX_CANDIDATES];
    const unsigned n = rep_has_file(l->rt->report) ? find_measured(s, list) : 0,
                   first = rank(list, n, won); /* by the times that they have */

    *out = (struct rep_ranks){.of = first ? n : 0};
    if (!first)
        return;
    out->by[s->estimate.by] = first;
    for (enum sel_estimator e = SEL_BOUNDS; e < SEL_ESTIMATORS; e++)
        if (e != s->estimate.by && l->kernel && !l->queue->device->model.is_cpu)
            out->by[e] = rank_by(l, e, list, n, won);
    if (learned_times(l, list, n))
        out->learned = rank(list, n, won);
}
