/* drift.c - does a decision still stand?  Data, clock rates and other programs change; sizes are compared
 * again when work-items have come to take longer for good.  Not when they take less: what is still at stake
 * is less then, and a decision that is made on launches that do little would replace the one that was made
 * on those that matter. */
#include "profiler/profiler.h"

#define BASE     4 /* the smallest of the first samples, this many, is the reference */
#define IN_A_ROW 4 /* consecutive samples that must be longer by the factor */
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
    d->moved = item_ns > d->reference * FACTOR ? d->moved + 1 : 0;
    return d->moved >= IN_A_ROW;
}
