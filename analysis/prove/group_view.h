/* group_view.h - a kernel as one of its groups sees it.  Helper only. */
#pragma once

#include "analysis/summary/summary.h"

/* The kernel whose launches are the groups of k's, with its facts; NULL: it cannot be said so.  Of S it says
 * that all of a group meet at its barriers.  Requires sum_check(k) == 0.  To be released with
 * sum_free_kernel() and free(). */
struct kernel_summary *group_view(const struct kernel_summary *k);
