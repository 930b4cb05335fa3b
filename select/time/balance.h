/* balance.h - how evenly the groups of a launch keep the cores of a CPU busy. */
#pragma once

#define BALANCE_CORES 256 /* of a device that has more, so many */

/* The busiest core's share of a launch of `groups` groups (a whole number) on `units` cores, in groups of
 * average cost.  cost[0, n), n >= 2: of a group, at evenly spaced places along the range, first to last; any
 * unit.  At most groups / 32 + 2 * log2(groups) * units steps. */
double balance_groups(double groups, unsigned units, const double *cost, unsigned n);
