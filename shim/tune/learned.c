/* learned.c - see learned.h. */
#include "shim/tune/learned.h"
#include <string.h>
#include "analysis/summary/hash.h"
#include "shim/guest/clock.h"
#include "shim/ledger/points.h"
#include "shim/ledger/runtime.h"

/* Launches of a kernel that have the same hash are the same to a race. */
static uint64_t shape_of(const struct wis_shape *k)
{
    uint64_t h = hash64_word(hash64_word(HASH64_START, k->dim), k->zero_offset);

    for (unsigned d = 0; d < 3; d++)
        h = hash64_word(hash64_word(h, k->global[d]), k->own[d]);
    return hash64_word(h, k->local_args);
}

/* What is learned, if it pays, and what it calls this launch. */
static const struct learned *find_learned(const struct launching *l, uint64_t *launch)
{
    const struct shim_site *s = l->site;
    const struct shim_device *d = s->entry->build->device;

    *launch = learn_launch(s->entry->name, s->entry->build->hash, shape_of(&s->key));
    return pts_learned(l->rt->points, d->key, d->is_cpu);
}

bool learned_order(const struct launching *l, struct candidate *list, unsigned n)
{
    struct shim_site *s = l->site;
    const int64_t begin = clock_now();
    uint64_t launch;
    const struct learned *learned = n > 2 ? find_learned(l, &launch) : NULL;
    const bool done = learned && learn_reorder(learned, launch, list + 1, n - 1);

    s->account.spent_ns += clock_now() - begin;
    return done;
}

bool learned_times(const struct launching *l, struct candidate *list, unsigned n)
{
    uint64_t launch;
    const struct learned *learned = find_learned(l, &launch);

    for (unsigned i = 0; i < n && learned; i++)
        list[i].time_ns = *list[i].x ? 1 / learned_guess(learned, list[i].x, launch, NULL) : 0;
    return learned;
}

void learned_note(const struct runtime *rt, const struct shim_site *s)
{
    const struct shim_device *d = s->entry->build->device;
    struct learn_size size[PROF_MAX_CANDIDATES];
    unsigned n = 0;
    bool own = false;

    for (unsigned i = 0; i < s->race.n && rt->points; i++) {
        const struct prof_lane *lane = &s->race.lane[i];
        const struct candidate *c = lane->variant || lane->failed || !lane->samples || lane->best <= 0
                                        ? NULL
                                        : sel_of_size(s->candidates, s->ncandidate, lane->local);
        if (!c || !*c->x)
            continue;
        own |= i == 0;
        size[n] = (struct learn_size){.samples = lane->samples, .time = lane->best, .x = c->x};
        memcpy(size[n++].local, lane->local, sizeof lane->local);
    }
    if (n > 1)
        pts_add(rt->points, d->key, d->is_cpu,
                learn_line(s->entry->name, s->entry->build->hash, shape_of(&s->key), own, size, n));
}
