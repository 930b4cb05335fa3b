/* bounds.c - [W] eq. 11-21.
 *
 * Two readings differ from the print, both needed for the bounds to enclose what the pipeline of [W] 5.2 can
 * do: arithmetic counts all N_i warps of a trace (eq. 12-13 count one), like every other part; and the lower
 * bound knows that traces share a part, so that its total occupancy is a floor too (eq. 19 takes the maximum
 * over traces only). */
#include "select/bounds.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

double bounds_part(const struct demand *d, double warps)
{
    if (d->count <= 0 || warps <= 0)
        return 0;
    if (warps < 1)
        return warps * bounds_part(d, 1);
    double busy = warps * d->delay, wait = d->latency;
    double low = busy < wait ? busy : wait;
    double drain = (low - d->delay) / larger(d->count, 1);
    return larger(busy, wait) + larger(drain, 0);
}

/* The longest row of operations that one warp has to go through, and the average one. */
static double longest_chain(const struct warp_group *g, unsigned n)
{
    double longest = 0, all = 0, warps = 0;
    for (unsigned i = 0; i < n; i++) {
        double serial = 0;
        for (unsigned c = 0; c < PARTS; c++)
            serial += g[i].part[c].count > 0 ? g[i].part[c].latency : 0;
        longest = larger(longest, g[i].warps < 1 ? g[i].warps * serial : serial);
        all += g[i].warps * serial;
        warps += g[i].warps;
    }
    return larger(longest, all / larger(warps, 1));
}

void bounds_round(const struct warp_group *g, unsigned n, struct bounds *out)
{
    double warps = 0;
    *out = (struct bounds){0};
    for (unsigned c = 0; c < PARTS; c++) {
        double occupied = 0, rare = 0;
        for (unsigned i = 0; i < n; i++) {
            double alone = bounds_part(&g[i].part[c], g[i].warps);
            out->worst += alone;
            if (g[i].warps < 1)
                rare += alone;
            else
                out->best = larger(out->best, alone);
            occupied += g[i].part[c].count > 0 ? g[i].warps * g[i].part[c].delay : 0;
        }
        out->best = larger(out->best, larger(rare, occupied));
    }
    for (unsigned i = 0; i < n; i++)
        warps += g[i].warps;
    out->worst = larger(out->worst, out->best);
    /* One warp overlaps nothing; with N warps all but the busiest part is hidden behind the others, N times
     * better than with one.  No warp is faster than its own operations in a row. */
    double overlapped = out->best + (out->worst - out->best) / larger(warps, 1);
    out->time = larger(overlapped, longest_chain(g, n));
    if (out->time > out->worst)
        out->time = out->worst;
}
