/* loop_limit.h - could a driver that gives loops a number of rounds, and ends them then, do so in a launch?
 * Internal to select/.
 *
 * Such a driver (struct launch, ends_loops) counts the rounds of a vector of work-items, all its loops
 * together. Which work-items make a vector follows from the local size: where they go round differently
 * often, so does what is left undone. */
#pragma once

#include "select/select.h"

/* True iff no vector of work-items can come near the limit, however they are put together.  False, with *why
 * set (SEL_R_LOOPS), if one might, if that is not known, and when out of memory. */
bool sel_within_loop_limit(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why);
