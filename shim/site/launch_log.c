/* launch_log.c - see launch_log.h. */
#include "shim/site/launch_log.h"
#include <stdlib.h>
#include "shim/site/variant.h"

#define MOST        512   /* samples of a site */
#define MOST_ALL    65536 /* ... of all sites together, 3.6 MB */
#define FIRST       16
#define MOST_QUEUES 64 /* that are told apart */

static atomic_int taken; /* room for so many samples has been allocated */

/* Twice as much room.  False if that is too much, or when out of memory. */
static bool grow(struct shim_log *log)
{
    const unsigned more = log->room ? log->room : FIRST;
    struct logged *list;

    if (log->room + more > MOST || atomic_load(&taken) + (int)more > MOST_ALL)
        return false;
    list = realloc(log->list, (log->room + more) * sizeof *list);
    if (!list)
        return false;
    log->list = list;
    log->room += more;
    atomic_fetch_add(&taken, (int)more);
    return true;
}

/* Forget every other launch of the own or the decided size, which are many and alike. */
static void thin(struct shim_log *log)
{
    unsigned kept = 0, met = 0;

    for (unsigned i = 0; i < log->n; i++)
        if ((log->list[i].lane && log->list[i].lane != LOG_DECIDED) || met++ % 2 == 0)
            log->list[kept++] = log->list[i];
    log->n = kept;
}

void log_add(struct shim_site *s, const struct logged *sample)
{
    struct shim_log *log = &s->log;
    const struct runtime *rt = rt_current();

    if (!rt || !rep_has_file(rt->report))
        return;
    if (log->n == log->room && !grow(log))
        thin(log);
    if (log->n < log->room)
        log->list[log->n++] = *sample;
}

/* A number for each queue, in the order in which they are met; 0 for all that are too many. */
static unsigned queue_number(const void *queue)
{
    static _Atomic(const void *) met[MOST_QUEUES];

    for (unsigned i = 0; i < MOST_QUEUES; i++) {
        const void *none = NULL;
        if (atomic_compare_exchange_strong(&met[i], &none, queue) || none == queue)
            return i + 1;
    }
    return 0;
}

static struct rep_sample as_reported(const struct shim_site *s, const struct logged *e)
{
    const struct prof_lane *lane = e->lane < s->race.n ? &s->race.lane[e->lane] : NULL;
    const bool decided = e->lane == LOG_DECIDED, varied = decided && atomic_load(&s->varies) == SITE_VARIANT;

    return (struct rep_sample){.local = varied    ? s->variant_local
                                        : decided ? s->choice
                                        : lane    ? lane->local
                                                  : s->key.own,
                               .variant = varied ? s->variant->label
                                          : lane ? lane->variant
                                                 : NULL,
                               .at_ns = e->at_ns,
                               .start_ns = e->start_ns,
                               .ns = e->ns,
                               .overhead_ns = e->overhead_ns,
                               .items = e->items,
                               .queue = queue_number(e->queue)};
}

void log_tell(struct report *r, struct shim_site *s)
{
    const struct launch shape = site_shape(s);
    struct rep_sample samples[REP_SAMPLES];

    for (unsigned from = 0; from < s->log.n; from += REP_SAMPLES) {
        unsigned n = 0;
        while (n < REP_SAMPLES && from + n < s->log.n) {
            samples[n] = as_reported(s, &s->log.list[from + n]);
            n++;
        }
        rep_emit(r, &(struct rep_event){.event = "samples",
                                        .program = s->entry->build->hash,
                                        .kernel = s->entry->name,
                                        .device = s->entry->build->device->key,
                                        .launch = &shape,
                                        .samples = samples,
                                        .nsample = n});
    }
    atomic_fetch_sub(&taken, (int)s->log.room);
    free(s->log.list);
    s->log = (struct shim_log){0};
}
