/* balance.c - how evenly the groups of a launch keep the cores of a CPU busy.
 *
 * A driver's threads take runs of consecutive groups from one counter: an even share of what is left,
 * but at most 32 per thread of them, or 256 while a great deal is left
 * (as one does: analysis/summary/driver_quirks.def).  Where the work of a group
 * grows along the range the first runs can hold most of it. */
#include "select/time/balance.h"
#include <stdint.h>

#define RUN_LEAST 32.0
#define RUN_MOST  256.0

static double at(const double *cost, unsigned n, double where)
{
    const double x = where * (n - 1);
    unsigned i = (unsigned)x;

    if (i >= n - 1)
        return cost[n - 1];
    return cost[i] + (cost[i + 1] - cost[i]) * (x - i);
}

static double run_length(double left, double cores)
{
    const double most = cores * (left <= RUN_MOST * cores * cores ? RUN_LEAST : RUN_MOST);
    double share = (double)(uint64_t)((left + cores - 1) / cores);

    share = share < most ? share : most;
    return share < left ? share : left;
}

double balance_groups(double groups, unsigned units, const double *cost, unsigned n)
{
    const unsigned cores = units < 1 ? 1 : units < BALANCE_CORES ? units : BALANCE_CORES;
    double busy[BALANCE_CORES] = {0}, sum = 0, longest = 0;

    for (double from = 0, length; from < groups; from += length) {
        unsigned next = 0;
        length = run_length(groups - from, cores);
        for (unsigned i = 1; i < cores; i++)
            if (busy[i] < busy[next])
                next = i;
        const double work = length * at(cost, n, (from + length / 2) / groups);
        busy[next] += work;
        sum += work;
    }
    for (unsigned i = 0; i < cores; i++)
        longest = busy[i] > longest ? busy[i] : longest;
    return sum > 0 ? longest / sum * groups : groups;
}
