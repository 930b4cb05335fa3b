/* steady.h - values that all of a group agree about for as long as it matters.  Of the view of a group
 * (group_view.c).
 *
 * A value that does not differ between work-items that meet at the same barriers (meet.c) may change from
 * round to round, as the k of `for (k = n / 2; k > 0; k /= 2)` does.  Two work-items have the same one when
 * they touch memory between the same two barriers if each came by its definition, once, since the first of
 * these. */
#pragma once

#include "analysis/summary/cfg.h"

struct steady;

/* `same`: value -> it does not differ between work-items that meet at the same barriers.  The arguments must
 * outlive it; it goes with the graph. */
struct steady *steady_new(const struct kernel_summary *k, struct cfg *c, const bool *same);

/* Is value v, no leaf, as block b sees it the same for all who are in such a block between two barriers? */
bool steady_at(struct steady *s, uint32_t v, uint32_t b);
