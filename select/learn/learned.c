/* learned.c - centred and scaled features, the principal components that make up most of their variance, the
 * mean of the nearest neighbours ([L] 5). */
#include "select/learn/learned.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define F        SEL_FEATURES
#define VARIANCE 0.95 /* that the components keep */
#define SWEEPS   64
#define NOTHING  1e-14

double learn_root(double v)
{
    return v > 0 ? __builtin_sqrt(v) : 0;
}

double learn_power(unsigned thousandths)
{
    double power = ldexp(1, (int)(thousandths / 1000)), step = 1.000693387462580632; /* 2^0.001 */
    for (unsigned rest = thousandths % 1000; rest; rest /= 2, step *= step)
        power *= rest % 2 ? step : 1;
    return power;
}

/* ---- principal components -------------------------------------------------------------------------- */

static void turn(double *x, double *y, double c, double s)
{
    const double was = *x;
    *x = c * was - s * *y;
    *y = s * was + c * *y;
}

void learned_eigen(unsigned n, double a[F][F], double v[F][F])
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            v[i][j] = i == j;
    for (unsigned sweep = 0; sweep < SWEEPS; sweep++)
        for (unsigned p = 0; p < n; p++)
            for (unsigned q = p + 1; q < n; q++) {
                if (fabs(a[p][q]) < NOTHING)
                    continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + learn_root(theta * theta + 1));
                const double c = 1 / learn_root(t * t + 1);
                for (unsigned k = 0; k < n; k++)
                    turn(&a[k][p], &a[k][q], c, t * c);
                for (unsigned k = 0; k < n; k++)
                    turn(&a[p][k], &a[q][k], c, t * c);
                for (unsigned k = 0; k < n; k++)
                    turn(&v[k][p], &v[k][q], c, t * c);
            }
}

static void scaled(const struct learned *l, const uint16_t *x, double out[F])
{
    for (unsigned f = 0; f < F; f++)
        out[f] = (x[f] - l->mean[f]) * l->scale[f];
}

static void measure_features(struct learned *l)
{
    const double n = l->p->n;
    double squares[F] = {0};
    for (unsigned i = 0; i < l->p->n; i++)
        for (unsigned f = 0; f < F; f++)
            l->mean[f] += l->p->point[i].x[f] / n;
    for (unsigned i = 0; i < l->p->n; i++)
        for (unsigned f = 0; f < F; f++)
            squares[f] += (l->p->point[i].x[f] - l->mean[f]) * (l->p->point[i].x[f] - l->mean[f]);
    for (unsigned f = 0; f < F; f++)
        l->scale[f] = squares[f] > 0.5 ? learn_root(n / squares[f]) : 0;
}

static void find_covariance(const struct learned *l, double a[F][F])
{
    double x[F];
    for (unsigned i = 0; i < l->p->n; i++) {
        scaled(l, l->p->point[i].x, x);
        for (unsigned f = 0; f < F; f++)
            for (unsigned g = 0; g <= f; g++)
                a[f][g] += x[f] * x[g];
    }
    for (unsigned f = 0; f < F; f++)
        for (unsigned g = 0; g <= f; g++)
            a[g][f] = a[f][g] /= l->p->n;
}

/* Those of the largest eigenvalues, until they have most of the variance. */
static void find_components(struct learned *l)
{
    double a[F][F] = {{0}}, v[F][F], all = 0, kept = 0;
    bool taken[F] = {false};
    find_covariance(l, a);
    for (unsigned f = 0; f < F; f++)
        all += a[f][f];
    learned_eigen(F, a, v);
    while (kept < VARIANCE * all && l->components < F) {
        unsigned most = F;
        for (unsigned f = 0; f < F; f++)
            if (!taken[f] && (most == F || a[f][f] > a[most][most]))
                most = f;
        taken[most] = true;
        kept += a[most][most];
        for (unsigned f = 0; f < F; f++)
            l->axis[l->components][f] = v[f][most];
        l->components++;
    }
}

static void project(const struct learned *l, const uint16_t *x, float *at)
{
    double s[F], sum;
    scaled(l, x, s);
    for (unsigned c = 0; c < l->components; c++) {
        sum = 0;
        for (unsigned f = 0; f < F; f++)
            sum += l->axis[c][f] * s[f];
        at[c] = (float)sum;
    }
}

int learned_make(struct learned *l, const struct learn_points *p)
{
    *l = (struct learned){.p = p};
    measure_features(l);
    find_components(l);
    l->at = malloc(((size_t)p->n * l->components + 1) * sizeof *l->at);
    if (!l->at)
        return -ENOMEM;
    for (unsigned i = 0; i < p->n; i++)
        project(l, p->point[i].x, l->at + (size_t)i * l->components);
    return 0;
}

void learned_free(struct learned *l)
{
    free(l->at);
    l->at = NULL;
}

/* ---- neighbours ------------------------------------------------------------------------------------ */

struct nearest {
    unsigned n;
    float far[LEARN_NEIGHBOURS]; /* squares, the smallest first */
    double y[LEARN_NEIGHBOURS];
};

static void meet(struct nearest *o, float far, double y)
{
    if (o->n == LEARN_NEIGHBOURS && far >= o->far[LEARN_NEIGHBOURS - 1])
        return;
    unsigned j = o->n < LEARN_NEIGHBOURS ? o->n++ : LEARN_NEIGHBOURS - 1;
    for (; j > 0 && o->far[j - 1] > far; j--) {
        o->far[j] = o->far[j - 1];
        o->y[j] = o->y[j - 1];
    }
    o->far[j] = far;
    o->y[j] = y;
}

double learned_guess(const struct learned *l, const uint16_t x[F], uint64_t launch,
                     const struct learn_point *left_out)
{
    float here[F], far;
    struct nearest o = {0};
    double sum = 0;
    project(l, x, here);
    for (unsigned i = 0; i < l->p->n; i++) {
        const struct learn_point *p = &l->p->point[i];
        const float *at = l->at + (size_t)i * l->components;
        if ((launch && p->launch == launch) ||
            (left_out && (p->kernel == left_out->kernel || p->program == left_out->program)))
            continue;
        far = 0;
        for (unsigned c = 0; c < l->components; c++)
            far += (here[c] - at[c]) * (here[c] - at[c]);
        meet(&o, far, 1000.0 / p->time);
    }
    for (unsigned i = 0; i < o.n; i++)
        sum += o.y[i];
    return sum > LEARN_LEAST * o.n ? sum / o.n : LEARN_LEAST;
}
