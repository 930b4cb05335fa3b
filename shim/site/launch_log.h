/* launch_log.h - launches and slices of a site that were timed, one by one, for the report.
 *
 * Kept only if the report has a file, and of a bounded number: where it gets too long, every other launch of
 * the own or the decided size is forgotten.  The site's lock is held. */
#pragma once

#include "shim/ledger/runtime.h"
#include "shim/site/site.h"

/* A launch or slice of that lane, or, if the site is decided, one as decided.  Of the sample, `local`,
 * `variant` and `queue` are filled in. */
void log_add(struct shim_site *s, unsigned lane, const void *queue, const struct rep_sample *sample);

/* Report what was logged ("samples" events), and forget it. */
void log_tell(struct report *r, struct shim_site *s);
