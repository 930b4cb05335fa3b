/* launch_log.h - launches and slices of a site that were timed, one by one, for the report.
 *
 * Kept only if the report has a file, and of a bounded number: where it gets too long, every other launch of
 * the own or the decided size is forgotten.  The site's lock is held. */
#ifndef CLSIZER_SHIM_LAUNCH_LOG_H
#define CLSIZER_SHIM_LAUNCH_LOG_H

#include "shim/ledger/runtime.h"
#include "shim/site/site.h"

#define LOG_DECIDED 255 /* logged.lane: as decided, after the race */

struct logged {
    int64_t at_ns;     /* when it was enqueued, clock_now() */
    uint64_t start_ns; /* when it began, by the device's clock; 0: timed by the host's */
    int64_t ns, overhead_ns;
    size_t items;
    const void *queue; /* its handle, to tell queues apart */
    unsigned lane;     /* of the race; 0: the own size */
};

void log_add(struct shim_site *s, const struct logged *sample);

/* Report what was logged ("samples" events), and forget it. */
void log_tell(struct report *r, struct shim_site *s);

#endif
