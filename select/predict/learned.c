/* learned.c - centred and scaled features, the principal components that make up most of their variance, the
 * mean of the nearest neighbours. */
#include "select/predict/learned.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VARIANCE   0.95 /* that the components keep */
#define NEIGHBOURS 5
#define SWEEPS     64

/* Columns p and q of m, turned. */
static void turn(unsigned n, double m[FEATURES][FEATURES], unsigned p, unsigned q, double c, double s)
{
    for (unsigned k = 0; k < n; k++) {
        const double x = m[k][p], y = m[k][q];
        m[k][p] = c * x - s * y;
        m[k][q] = s * x + c * y;
    }
}

static void turn_rows(unsigned n, double m[FEATURES][FEATURES], unsigned p, unsigned q, double c, double s)
{
    for (unsigned k = 0; k < n; k++) {
        const double x = m[p][k], y = m[q][k];
        m[p][k] = c * x - s * y;
        m[q][k] = s * x + c * y;
    }
}

void learned_eigen(unsigned n, double a[FEATURES][FEATURES], double v[FEATURES][FEATURES])
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            v[i][j] = i == j;
    for (unsigned sweep = 0; sweep < SWEEPS; sweep++)
        for (unsigned p = 0; p < n; p++)
            for (unsigned q = p + 1; q < n; q++) {
                if (fabs(a[p][q]) < 1e-14)
                    continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                const double c = 1 / sqrt(t * t + 1);
                turn(n, a, p, q, c, t * c);
                turn_rows(n, a, p, q, c, t * c);
                turn(n, v, p, q, c, t * c);
            }
}

static bool counts(const struct learned *l, unsigned i)
{
    return l->point[i].program != l->left_out;
}

static double scaled(const struct learned *l, const double *x, unsigned f)
{
    return (x[f] - l->mean[f]) * l->scale[f];
}

static void measure_features(struct learned *l)
{
    double n = 0, squares[FEATURES] = {0};
    for (unsigned i = 0; i < l->n; i++)
        for (unsigned f = 0; counts(l, i) && f < FEATURES; f++) {
            n += f == 0;
            l->mean[f] += l->point[i].x[f];
        }
    for (unsigned f = 0; n > 0 && f < FEATURES; f++)
        l->mean[f] /= n;
    for (unsigned i = 0; i < l->n; i++)
        for (unsigned f = 0; counts(l, i) && f < FEATURES; f++)
            squares[f] += (l->point[i].x[f] - l->mean[f]) * (l->point[i].x[f] - l->mean[f]);
    for (unsigned f = 0; f < FEATURES; f++)
        l->scale[f] = squares[f] > 1e-12 * n ? sqrt(n / squares[f]) : 0;
}

static void find_components(struct learned *l)
{
    double a[FEATURES][FEATURES] = {{0}}, v[FEATURES][FEATURES], all = 0, kept = 0;
    bool taken[FEATURES] = {false};
    for (unsigned i = 0; i < l->n; i++)
        for (unsigned f = 0; counts(l, i) && f < FEATURES; f++)
            for (unsigned g = 0; g < FEATURES; g++)
                a[f][g] += scaled(l, l->point[i].x, f) * scaled(l, l->point[i].x, g) / l->n;
    for (unsigned f = 0; f < FEATURES; f++)
        all += a[f][f];
    learned_eigen(FEATURES, a, v);
    while (kept < VARIANCE * all && l->components < FEATURES) {
        unsigned most = FEATURES;
        for (unsigned f = 0; f < FEATURES; f++)
            if (!taken[f] && (most == FEATURES || a[f][f] > a[most][most]))
                most = f;
        taken[most] = true;
        kept += a[most][most];
        for (unsigned f = 0; f < FEATURES; f++)
            l->axis[l->components][f] = v[f][most];
        l->components++;
    }
}

static void project(const struct learned *l, const double *x, double *at)
{
    for (unsigned c = 0; c < l->components; c++) {
        at[c] = 0;
        for (unsigned f = 0; f < FEATURES; f++)
            at[c] += l->axis[c][f] * scaled(l, x, f);
    }
}

int learned_make(struct learned *l, const struct point *p, unsigned n, unsigned left_out)
{
    *l = (struct learned){.point = p, .n = n, .left_out = left_out};
    measure_features(l);
    find_components(l);
    l->at = malloc(((size_t)n * l->components + 1) * sizeof *l->at);
    if (!l->at)
        return -ENOMEM;
    for (unsigned i = 0; i < n; i++)
        project(l, p[i].x, l->at + (size_t)i * l->components);
    return 0;
}

void learned_free(struct learned *l)
{
    free(l->at);
    l->at = NULL;
}

double learned_guess(const struct learned *l, const double x[FEATURES])
{
    double at[FEATURES], far[NEIGHBOURS], y[NEIGHBOURS], sum = 0;
    unsigned found = 0;
    project(l, x, at);
    for (unsigned i = 0; i < l->n; i++) {
        double d = 0;
        for (unsigned c = 0; c < l->components; c++) {
            const double by = at[c] - l->at[(size_t)i * l->components + c];
            d += by * by;
        }
        if (!counts(l, i) || (found == NEIGHBOURS && d >= far[NEIGHBOURS - 1]))
            continue;
        unsigned j = found < NEIGHBOURS ? found++ : NEIGHBOURS - 1;
        for (; j > 0 && far[j - 1] > d; j--) {
            far[j] = far[j - 1];
            y[j] = y[j - 1];
        }
        far[j] = d;
        y[j] = l->point[i].y;
    }
    for (unsigned i = 0; i < found; i++)
        sum += y[i];
    return found ? sum / found : 0;
}
