/* bounds.c - [W] eq. 11-21; what they enclose and where they differ from the print: bounds.h. */
#include "select/time/bounds.h"
#include "select/integer.h"

double bounds_part(const struct demand *d, double warps)
{
    if (d->count <= 0 || warps <= 0)
        return 0;
    if (warps < 1)
        return warps * bounds_part(d, 1);
    double busy = warps * d->delay, wait = d->latency;
    double low = busy < wait ? busy : wait;
    double drain = (low - d->delay) / sel_larger(d->count, 1);
    return sel_larger(busy, wait) + sel_larger(drain, 0);
}

static double serial(const struct warp_group *g)
{
    double sum = 0;
    for (unsigned c = 0; c < PARTS; c++)
        sum += g->part[c].latency;
    return sum;
}

void bounds_round(const struct warp_group *g, unsigned n, bool barrier, struct bounds *out)
{
    double longest = 0, chains = 0, held = 0;
    *out = (struct bounds){0};
    for (unsigned i = 0; i < n; i++) {
        double chain = g[i].warps > 0 ? serial(&g[i]) : 0;
        longest = sel_larger(longest, chain);
        chains += chain; /* a path that changes warps at barriers goes through each trace at most once */
    }
    out->best = longest;
    for (unsigned c = 0; c < PARTS; c++) {
        double occupied = 0;
        for (unsigned i = 0; i < n; i++)
            occupied += g[i].warps > 0 ? g[i].warps * g[i].part[c].delay : 0;
        out->best = sel_larger(out->best, occupied);
        held += occupied;
    }
    out->worst = (barrier ? chains : longest) + held;
}

/* The longest row of operations that one warp has to go through, and the average one. */
static double longest_chain(const struct warp_group *g, unsigned n)
{
    double longest = 0, all = 0, warps = 0;
    for (unsigned i = 0; i < n; i++) {
        double chain = serial(&g[i]);
        longest = sel_larger(longest, g[i].warps < 1 ? g[i].warps * chain : chain);
        all += g[i].warps * chain;
        warps += g[i].warps;
    }
    return sel_larger(longest, all / sel_larger(warps, 1));
}

double bounds_time(const struct warp_group *g, unsigned n)
{
    double warps = 0, best = 0, worst = 0;
    for (unsigned c = 0; c < PARTS; c++) {
        double occupied = 0, rare = 0;
        for (unsigned i = 0; i < n; i++) {
            if (g[i].part[c].count <= 0)
                continue;
            double alone = bounds_part(&g[i].part[c], g[i].warps);
            worst += alone;
            if (g[i].warps < 1)
                rare += alone;
            else
                best = sel_larger(best, alone);
            occupied += g[i].warps * g[i].part[c].delay;
        }
        best = sel_larger(best, sel_larger(rare, occupied));
    }
    for (unsigned i = 0; i < n; i++)
        warps += g[i].warps;
    worst = sel_larger(worst, best);
    /* One warp overlaps nothing; with N warps all but the busiest part is hidden behind the others, N times
     * better than with one.  No warp is faster than its own operations in a row. */
    double time = sel_larger(best + (worst - best) / sel_larger(warps, 1), longest_chain(g, n));
    return time < worst ? time : worst;
}
