/* judge.c - see judge.h. */
#include "select/learn/judge.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_SIZES   5    /* races with fewer are learned from, not judged */
#define MATTERS     1.25 /* worst / best of a race whose size matters */
#define FIRST_STAYS 2

/* Smaller is to be measured earlier.  The mean's square is ordered as the mean is. */
static void find_keys(const struct learned *l, const uint16_t x[SEL_FEATURES], uint64_t launch,
                      const struct learn_point *left_out, double key[LEARN_ORDERS])
{
    key[LEARN_MODEL] = learn_power(x[SEL_FEATURES - 1]) - 1; /* log2(1 + time / best) */
    key[LEARN_LEARNED] = 1 / learned_guess(l, x, launch, left_out);
    key[LEARN_BOTH] = key[LEARN_MODEL] * key[LEARN_LEARNED];
}

/* Doubled ranks from 0, equal values sharing theirs. */
static double rank_of(const double *v, unsigned n, unsigned i)
{
    double rank = 0;
    for (unsigned j = 0; j < n; j++)
        rank += v[j] < v[i] ? 2 : v[j] == v[i];
    return rank;
}

static double rank_correlation(const double *a, const double *b, unsigned n)
{
    double xy = 0, xx = 0, yy = 0;
    for (unsigned i = 0; i < n; i++) {
        const double x = rank_of(a, n, i) - n, y = rank_of(b, n, i) - n;
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    return xx > 0 && yy > 0 ? xy / learn_root(xx * yy) : 0;
}

/* Of equal keys the first comes first. */
static unsigned place_of(const double *key, unsigned n, unsigned i)
{
    unsigned place = 1;
    for (unsigned j = 0; j < n; j++)
        place += key[j] < key[i] || (key[j] == key[i] && j < i);
    return place;
}

static void judge(const double *key, const double *time, unsigned n, struct learn_verdict *out)
{
    *out = (struct learn_verdict){.runs = n, .winner = n, .first = 1, .three = time[0]};
    double three = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned place = place_of(key, n, i);
        if (place == 1)
            out->first = time[i];
        if (place <= 3 && (three <= 0 || time[i] < three))
            three = time[i];
        if (time[i] * LEARN_GOOD <= 1 && place < out->runs)
            out->runs = place;
        if (time[i] <= 1 && place < out->winner)
            out->winner = place;
    }
    out->three = three;
    out->correlation = rank_correlation(key, time, n);
}

bool learn_judge(const struct learned *l, unsigned begin, unsigned end,
                 struct learn_verdict out[LEARN_ORDERS])
{
    const unsigned own = l->p->point[begin].own;
    const struct learn_point *p = l->p->point + begin + own;
    const unsigned n = end - begin - own;
    double key[LEARN_ORDERS][LEARN_SIZES], time[LEARN_SIZES], best = INFINITY, worst = 0;

    for (unsigned i = 0; i < n && n <= LEARN_SIZES; i++) {
        time[i] = p[i].time;
        best = time[i] < best ? time[i] : best;
        worst = time[i] > worst ? time[i] : worst;
    }
    if (n < FEW_SIZES || n > LEARN_SIZES || worst < MATTERS * best)
        return false;
    for (unsigned i = 0; i < n; i++)
        time[i] /= best;
    for (unsigned i = 0; i < n; i++) {
        double one[LEARN_ORDERS];
        find_keys(l, p[i].x, 0, &p[i], one);
        for (unsigned o = 0; o < LEARN_ORDERS; o++)
            key[o][i] = one[o];
    }
    for (unsigned o = 0; o < LEARN_ORDERS; o++)
        judge(key[o], time, n, &out[o]);
    return true;
}

void learn_sum_up(const struct learned *l, struct learn_sum *out)
{
    const struct learn_points *p = l->p;
    double sum[LEARN_ORDERS] = {0};

    *out = (struct learn_sum){.points = p->n, .races = p->races, .kernels = learn_kernels(p)};
    for (unsigned i = 0, end; i < p->n; i = end) {
        struct learn_verdict v[LEARN_ORDERS];
        end = learn_end(p, i);
        if (!learn_judge(l, i, end, v))
            continue;
        out->judged++;
        for (unsigned o = 0; o < LEARN_ORDERS; o++)
            sum[o] += v[o].correlation;
    }
    if (out->judged) {
        out->model = (int)(1000 * sum[LEARN_MODEL] / out->judged);
        out->both = (int)(1000 * sum[LEARN_BOTH] / out->judged);
    }
}

bool learn_pays(const struct learn_sum *s)
{
    return s->points >= LEARN_POINTS && s->kernels >= LEARN_KERNELS && s->both >= s->model + LEARN_BETTER;
}

bool learn_reorder(const struct learned *l, uint64_t launch, struct candidate *c, unsigned n)
{
    double key[LEARN_SIZES], one[LEARN_ORDERS];
    const struct candidate first = n ? c[0] : (struct candidate){0};

    for (unsigned i = 0; i < n; i++) {
        if (n > LEARN_SIZES || !*c[i].x)
            return false;
        find_keys(l, c[i].x, launch, NULL, one);
        key[i] = one[LEARN_BOTH];
    }
    for (unsigned i = 1; i < n; i++) /* insertion keeps the model's order of equal ones */
        for (unsigned j = i; j > 0 && key[j] < key[j - 1]; j--) {
            const struct candidate x = c[j];
            const double k = key[j];
            c[j] = c[j - 1];
            key[j] = key[j - 1];
            c[j - 1] = x;
            key[j - 1] = k;
        }
    if (n && c[0].time_ns > FIRST_STAYS * first.time_ns) {
        unsigned at = 0;
        while (!launch_same_size(c[at].local, first.local))
            at++;
        memmove(c + 1, c, at * sizeof *c);
        c[0] = first;
    }
    return true;
}
