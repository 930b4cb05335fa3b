/* drift.c - does a decision still stand?  Data, clock rates and other programs change; sizes are compared
 * again when the time per work-item has changed for good. */
#include "profiler/profiler.h"

#define BASE     4 /* the smallest of the first samples, this many, is the reference */
#define IN_A_ROW 4 /* consecutive samples that must differ by the factor, all in one direction */
#define FACTOR   2.0

bool prof_drift_add(struct prof_drift *d, double item_ns)
{
    if (!(item_ns > 0))
        return false;
    if (d->samples < BASE) {
        if (!d->samples++ || item_ns < d->reference)
            d->reference = item_ns;
        return false;
    }
    if (item_ns > d->reference * FACTOR)
        d->moved = d->moved > 0 ? d->moved + 1 : 1;
    else if (item_ns < d->reference / FACTOR)
        d->moved = d->moved < 0 ? d->moved - 1 : -1;
    else
        d->moved = 0;
    return d->moved >= IN_A_ROW || d->moved <= -IN_A_ROW;
}
