/* ranks.h - what each estimator had said of the size that won. */
#pragma once

#include "shim/enqueue/launch.h"
#include "shim/ledger/report.h"

/* Of the size `won` of the site's race, by those that were measured; all 0 if it is not among them, or if
 * nobody reads it; without a kernel (at the end of the program), by the estimator in use and by what was
 * learned alone.  Pre: the site has its candidates; it is locked. */
void ranks_find(const struct launching *l, const size_t won[3], struct rep_ranks *out);
