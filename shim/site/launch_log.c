/* launch_log.c - see launch_log.h. */
#include "shim/site/launch_log.h"
#include <stdlib.h>
#include "shim/site/variant.h"

#define MOST        512   /* samples of a site */
#define MOST_ALL    65536 /* ... of all sites together, 4 MB */
#define FIRST       16
#define MOST_QUEUES 64 /* that are told apart */

static atomic_int taken; /* room for so many samples has been allocated */

/* Twice as much room.  False if that is too much, or when out of memory. */
static bool grow(struct shim_log *log)
{
    const unsigned more = log->room ? log->room : FIRST;
    struct rep_sample *list;

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

/* Forget every other launch with the own size or as decided, which are many and alike. */
static void thin(const struct shim_site *s, struct shim_log *log)
{
    unsigned kept = 0, met = 0;

    for (unsigned i = 0; i < log->n; i++) {
        const size_t *local = log->list[i].local;
        if ((local != s->key.own && local != s->choice && local != s->variant_local) || met++ % 2 == 0)
            log->list[kept++] = log->list[i];
    }
    log->n = kept;
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

void log_add(struct shim_site *s, unsigned lane, const void *queue, const struct rep_sample *sample)
{
    struct shim_log *log = &s->log;
    const struct runtime *rt = rt_current();
    struct rep_sample *to;

    if (!rt || !rep_has_file(rt->report))
        return;
    if (log->n == log->room && !grow(log))
        thin(s, log);
    if (log->n == log->room)
        return;
    to = &log->list[log->n++];
    *to = *sample;
    to->queue = queue_number(queue);
    if (site_state(s) != SITE_DECIDED) {
        to->local = lane ? s->race.lane[lane].local : s->key.own;
        to->variant = s->race.lane[lane].variant;
    } else if (atomic_load(&s->varies) != SITE_VARIANT) {
        to->local = s->choice;
    } else {
        to->local = s->variant_local;
        to->variant = s->variant->label;
    }
}

void log_tell(struct report *r, struct shim_site *s)
{
    const struct launch shape = site_shape(s);

    for (unsigned from = 0; from < s->log.n; from += REP_SAMPLES)
        rep_emit(
            r, &(struct rep_event){.event = "samples",
                                   .program = s->entry->build->hash,
                                   .kernel = s->entry->name,
                                   .device = s->entry->build->device->key,
                                   .launch = &shape,
                                   .samples = s->log.list + from,
                                   .nsample = s->log.n - from < REP_SAMPLES ? s->log.n - from : REP_SAMPLES});
    atomic_fetch_sub(&taken, (int)s->log.room);
    free(s->log.list);
    s->log = (struct shim_log){0};
}
