/* calibrate_curve.c - plateaus and steps in measured curves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "devices/calibrate/calibrate.h"

#define MOST_POINTS 128
#define PIECE_COST  0.5 /* squared octaves that a further piece must save */
#define LEAST_RISE  1.6 /* between neighbouring plateaus: page walks rise less, caches more */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *v, unsigned n)
{
    double copy[MOST_POINTS];
    memcpy(copy, v, n * sizeof *v);
    qsort(copy, n, sizeof *copy, ascending);
    return n % 2 ? copy[n / 2] : (copy[n / 2 - 1] + copy[n / 2]) / 2;
}

/* Sum of squared deviations of x[from, to) from their mean, from running sums. */
static double spread(const double *sum, const double *square, unsigned from, unsigned to)
{
    double s = sum[to] - sum[from], q = square[to] - square[from];
    return q - s * s / (to - from);
}

/* Where the best `pieces` flat pieces of x[0, n) end: end[i] is one past the last of piece i.  Returns the
 * sum of squares. */
static double fit(const double *sum, const double *square, unsigned n, unsigned pieces, unsigned *end)
{
    double best[CURVE_LEVELS][MOST_POINTS + 1];
    unsigned from[CURVE_LEVELS][MOST_POINTS + 1];

    for (unsigned k = 0; k < pieces; k++)
        for (unsigned to = k + 1; to <= n; to++) {
            best[k][to] = k ? HUGE_VAL : spread(sum, square, 0, to);
            from[k][to] = 0;
            for (unsigned at = k; k && at < to; at++) {
                double cost = best[k - 1][at] + spread(sum, square, at, to);
                if (cost < best[k][to]) {
                    best[k][to] = cost;
                    from[k][to] = at;
                }
            }
        }
    end[pieces - 1] = n;
    for (unsigned k = pieces - 1; k > 0; k--)
        end[k - 1] = from[k][end[k]];
    return best[pieces - 1][n];
}

static bool apart(const double *latency, const unsigned *end, unsigned pieces)
{
    double before = 0;
    for (unsigned k = 0, from = 0; k < pieces; from = end[k++]) {
        double here = median(latency + from, end[k] - from);
        if (here < before * LEAST_RISE)
            return false;
        before = here;
    }
    return true;
}

unsigned curve_levels(const double *latency, unsigned n, double plateau[CURVE_LEVELS],
                      unsigned last[CURVE_LEVELS])
{
    double sum[MOST_POINTS + 1] = {0}, square[MOST_POINTS + 1] = {0}, least = HUGE_VAL;
    unsigned end[CURVE_LEVELS] = {0}, pieces = 1;

    if (n == 0 || n > MOST_POINTS)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        double x = log2(latency[i]);
        sum[i + 1] = sum[i] + x;
        square[i + 1] = square[i] + x * x;
    }
    for (unsigned k = 1; k <= CURVE_LEVELS && k <= n; k++) {
        unsigned trial[CURVE_LEVELS];
        double cost = fit(sum, square, n, k, trial) + k * PIECE_COST;
        if (cost < least && apart(latency, trial, k)) {
            least = cost;
            pieces = k;
            memcpy(end, trial, sizeof end);
        }
    }
    for (unsigned k = 0, from = 0; k < pieces; from = end[k++])
        plateau[k] = median(latency + from, end[k] - from);
    for (unsigned k = 0, i = 0; k < pieces; k++) {
        double limit = k + 1 < pieces ? plateau[k] + (plateau[k + 1] - plateau[k]) / 2 : HUGE_VAL;
        /* one slow point among fast ones is noise: look from the far end of what may belong to the piece */
        unsigned far = k + 1 < pieces ? end[k + 1] - 1 : n - 1;
        while (far > i && latency[far] > limit)
            far--;
        last[k] = far;
        i = far;
    }
    return pieces;
}

unsigned curve_step(const double *v, unsigned n)
{
    if (n < 2 || v[n - 1] < v[0] * 1.25)
        return n;
    for (unsigned i = 1; i < n; i++)
        if (v[i] * v[i] > v[0] * v[n - 1])
            return i;
    return n;
}
