/* learn_report.c - see learn_report.h.  Random: what may be expected of sizes in any order. */
#include "shim/command/learn_report.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "select/time/features.h"

#define BINS 10 /* of equal count, for redundancy */

enum { RANDOM = LEARN_ORDERS, ROWS };

/* Of a way to order sizes: sums over races. */
struct row {
    double *runs; /* owned: of each race */
    double first, three, winner, correlation;
};

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add(struct row *r, unsigned race, double runs, double first, double three, double winner)
{
    r->runs[race] = runs;
    r->first += first;
    r->three += three;
    r->winner += winner;
}

static void add_random(struct row *r, unsigned race, const struct learn_point *p, unsigned n)
{
    const double triples = n * (n - 1.0) * (n - 2.0) / 6;
    double time[LEARN_SIZES] = {0}, sum = 0, three = 0;
    unsigned good = 0;
    for (unsigned i = 0; i < n; i++)
        time[i] = p[i].time;
    qsort(time, n, sizeof *time, by_value);
    for (unsigned i = n; i-- > 0;) {
        time[i] /= time[0];
        good += time[i] * LEARN_GOOD <= 1;
        sum += time[i];
    }
    for (unsigned i = 0; i + 2 < n; i++)
        three += time[i] * (n - i - 1.0) * (n - i - 2.0) / 2 / triples;
    add(r, race, (n + 1.0) / (good + 1.0), sum / n, three, (n + 1.0) / 2);
}

/* How many races there were to judge by. */
static unsigned judge_all(const struct learned *l, struct row row[ROWS])
{
    unsigned n = 0;
    for (unsigned i = 0, end; i < l->p->n; i = end) {
        struct learn_verdict v[LEARN_ORDERS];
        end = learn_end(l->p, i);
        if (!learn_judge(l, i, end, v))
            continue;
        for (unsigned o = 0; o < LEARN_ORDERS; o++) {
            add(&row[o], n, v[o].runs, v[o].first, v[o].three, v[o].winner);
            row[o].correlation += v[o].correlation;
        }
        i += l->p->point[i].own;
        add_random(&row[RANDOM], n++, l->p->point + i, end - i);
    }
    return n;
}

static void print_rows(struct row row[ROWS], unsigned n)
{
    static const char *const names[ROWS] = {"model", "learned", "both", "random"};
    puts("Each program as if it were new, what is learned being that of the others (without the own sizes):\n"
         "           runs to 90 %  first / best  best of 3 / best  winner's place  rank correlation");
    for (unsigned o = 0; o < ROWS; o++) {
        double sum = 0;
        for (unsigned i = 0; i < n; i++)
            sum += row[o].runs[i];
        qsort(row[o].runs, n, sizeof *row[o].runs, by_value);
        printf("  %-8s %5.2f (%.2g) %15.3f %17.3f %15.2f", names[o], sum / n, row[o].runs[n / 2],
               row[o].first / n, row[o].three / n, row[o].winner / n);
        if (o < RANDOM)
            printf(" %17.2f", row[o].correlation / n);
        putchar('\n');
    }
}

static void print_verdict(const struct learned *l)
{
    struct learn_sum s;
    learn_sum_up(l, &s);
    printf(
        "Both order sizes by %+.3f better than the model (rank correlation); asked for are %+.3f, %d points "
        "of %d kernels: %s.\n",
        (s.both - s.model) / 1e3, LEARN_BETTER / 1e3, LEARN_POINTS, LEARN_KERNELS,
        learn_pays(&s) ? "after `clsizer learn` both decide what is measured first"
                       : "the model decides what is measured first");
}

/* ---- redundancy ------------------------------------------------------------------------------------ */

static double value_of(const struct learn_point *p, unsigned f)
{
    return f < SEL_FEATURES ? p->x[f] : p->time;
}

static double entropy(const unsigned *count, unsigned bins, unsigned n)
{
    double h = 0;
    for (unsigned i = 0; i < bins; i++)
        h -= count[i] ? count[i] / (double)n * log2(count[i] / (double)n) : 0;
    return h;
}

/* Equal values share a bin. */
static unsigned bin_of(const double *sorted, unsigned n, double v)
{
    unsigned bin = 0;
    while (bin + 1 < BINS && v >= sorted[(size_t)(bin + 1) * n / BINS])
        bin++;
    return bin;
}

/* R = I(X,Y) / (H(X) + H(Y)) of a feature and the time; `v` has room for two numbers of each point. */
static double redundancy(const struct learn_points *p, unsigned f, double *v)
{
    const unsigned feature[2] = {f, SEL_FEATURES};
    unsigned x[2][BINS] = {{0}}, xy[BINS * BINS] = {0};
    for (unsigned s = 0; s < 2; s++) {
        for (unsigned i = 0; i < p->n; i++)
            v[s * p->n + i] = value_of(&p->point[i], feature[s]);
        qsort(v + s * p->n, p->n, sizeof *v, by_value);
    }
    for (unsigned i = 0; i < p->n; i++) {
        unsigned bin[2];
        for (unsigned s = 0; s < 2; s++) {
            bin[s] = bin_of(v + s * p->n, p->n, value_of(&p->point[i], feature[s]));
            x[s][bin[s]]++;
        }
        xy[bin[0] * BINS + bin[1]]++;
    }
    const double h = entropy(x[0], BINS, p->n) + entropy(x[1], BINS, p->n);
    return h > 0 ? (h - entropy(xy, BINS * BINS, p->n)) / h : 0;
}

static int print_redundancy(const struct learn_points *p)
{
    double *v = malloc(2 * (size_t)p->n * sizeof *v + 1);
    puts("What each feature tells of the time (redundancy I / (H + H), 0.5 at most):");
    for (unsigned f = 0; v && f < SEL_FEATURES; f++)
        printf("  %-28s %6.3f\n", est_feature_names[f], redundancy(p, f, v));
    free(v);
    return v ? 0 : -ENOMEM;
}

int learn_report(const char *device, const struct learn_points *p)
{
    struct learned l;
    struct row row[ROWS] = {{0}};
    int err = learned_make(&l, p);
    for (unsigned o = 0; o < ROWS; o++)
        err = (row[o].runs = calloc((size_t)p->races + 1, sizeof *row[o].runs)) ? err : -ENOMEM;
    if (!err) {
        const unsigned n = judge_all(&l, row);
        printf("%s\n%u points of %u races of %u kernels; in %u races the size matters\n", device, p->n,
               p->races, learn_kernels(p), n);
        if (n)
            print_rows(row, n);
        print_verdict(&l);
        err = print_redundancy(p);
    }
    for (unsigned o = 0; o < ROWS; o++)
        free(row[o].runs);
    learned_free(&l);
    return err;
}
