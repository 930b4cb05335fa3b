/* predict_learn.c - `clsizer learn`: what the benchmark measured, judged as if each program were new.
 *
 * Reads raw results of the benchmark (scripts/bench/static.py).  For each program a size's goodness is
 * learned from all other programs, and the sizes of its launches are ordered by the model, by what was
 * learned, and by both. What is printed tells whether listening to what was learned would pay; nothing else
 * listens. */
#include "select/predict/learned.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATTERS       1.25 /* worst / best of a launch whose size matters */
#define FEW_SIZES     5    /* launches with fewer are learned from, not judged */
#define GOOD          0.9  /* best / time of a size that is good enough */
#define LEAST_BETTER  0.03 /* of the rank correlation, for both to be used */
#define LEAST_POINTS  100
#define LEAST_KERNELS 8
#define BINS          10

enum { EXIT_ERROR = 1, EXIT_USAGE = 2 };
enum order { MODEL, LEARNED, BOTH, RANDOM, ORDERS };

struct data {
    struct point *point; /* of a launch in a row */
    unsigned n, room, launches, programs;
    char **program; /* names */
};

/* ---- reading --------------------------------------------------------------------------------------- */

static unsigned program_number(struct data *d, const char *name)
{
    const size_t n = strcspn(name, "/");
    for (unsigned i = 0; i < d->programs; i++)
        if (strlen(d->program[i]) == n && strncmp(d->program[i], name, n) == 0)
            return i;
    char **more = realloc(d->program, (d->programs + 1) * sizeof *more);
    if (!more)
        abort();
    d->program = more;
    d->program[d->programs] = strndup(name, n);
    return d->programs++;
}

/* False if a number is missing or none. */
static bool read_numbers(json_object *array, unsigned from, unsigned n, double *out)
{
    for (unsigned i = 0; i < n; i++) {
        json_object *v = json_object_array_get_idx(array, from + i);
        if (!json_object_is_type(v, json_type_double) && !json_object_is_type(v, json_type_int))
            return false;
        out[i] = json_object_get_double(v);
    }
    return true;
}

static bool is_array(json_object *o, size_t n)
{
    return json_object_is_type(o, json_type_array) && json_object_array_length(o) >= n;
}

/* "pairs": [size, predicted, measured, state] each; "features": those of each. */
static void read_launch(struct data *d, const char *name, json_object *launch)
{
    json_object *pairs, *features;
    const unsigned begin = d->n;
    double best = INFINITY;
    if (!json_object_object_get_ex(launch, "pairs", &pairs) ||
        !json_object_object_get_ex(launch, "features", &features) || !is_array(pairs, 1) ||
        !is_array(features, json_object_array_length(pairs)))
        return;
    for (size_t i = 0; i < json_object_array_length(pairs); i++) {
        json_object *pair = json_object_array_get_idx(pairs, i), *x = json_object_array_get_idx(features, i);
        struct point p = {.launch = d->launches, .program = program_number(d, name)};
        double times[2];
        if (!is_array(pair, 3) || !is_array(x, FEATURES) || !read_numbers(pair, 1, 2, times) ||
            !read_numbers(x, 0, FEATURES, p.x) || !(times[0] > 0 && times[1] > 0))
            continue;
        p.predicted = times[0];
        p.time = times[1];
        if (d->n == d->room) {
            d->room = 2 * d->room + 64;
            d->point = realloc(d->point, d->room * sizeof *d->point);
            if (!d->point)
                abort();
        }
        best = p.time < best ? p.time : best;
        d->point[d->n++] = p;
    }
    for (unsigned i = begin; i < d->n; i++)
        d->point[i].y = best / d->point[i].time;
    d->launches += d->n > begin;
}

static int read_results(struct data *d, const char *path)
{
    json_object *all = json_object_from_file(path), *launches;
    const bool right = all && json_object_object_get_ex(all, "static", &launches) &&
                       json_object_is_type(launches, json_type_object);
    if (!right) {
        fprintf(stderr, "clsizer learn: %s: %s\n", path,
                all ? "no results of the benchmark's section 'static'" : json_util_get_last_err());
    } else {
        for (struct json_object_iterator i = json_object_iter_begin(launches),
                                         end = json_object_iter_end(launches);
             !json_object_iter_equal(&i, &end); json_object_iter_next(&i))
            read_launch(d, json_object_iter_peek_name(&i), json_object_iter_peek_value(&i));
    }
    json_object_put(all);
    return right ? 0 : -EINVAL;
}

/* ---- judging --------------------------------------------------------------------------------------- */

/* Of a way to order sizes, one number per launch or their sums. */
struct score {
    double *runs; /* until a size is good enough */
    double first, three, correlation;
    unsigned n;
};

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Average ranks. */
static void rank(const double *v, unsigned n, double *out)
{
    for (unsigned i = 0; i < n; i++) {
        out[i] = 0.5;
        for (unsigned j = 0; j < n; j++)
            out[i] += v[j] < v[i] ? 1 : v[j] == v[i] ? 0.5 : 0;
    }
}

static double rank_correlation(const double *a, const double *b, unsigned n, double *scratch)
{
    double *x = scratch, *y = scratch + n, xy = 0, xx = 0, yy = 0;
    rank(a, n, x);
    rank(b, n, y);
    for (unsigned i = 0; i < n; i++) {
        const double dx = x[i] - (n + 1) / 2.0, dy = y[i] - (n + 1) / 2.0;
        xy += dx * dy;
        xx += dx * dx;
        yy += dy * dy;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

/* Sizes are tried from the smallest key on; of equal ones the first. */
static void judge(struct score *s, const struct point *p, const double *key, const double *time, unsigned n,
                  double *scratch)
{
    double runs = 0, three = 0, last = -INFINITY;
    unsigned at = n;
    for (unsigned done = 0; done < n && (done < 3 || runs == 0); done++) {
        unsigned next = n;
        for (unsigned i = 0; i < n; i++) {
            const bool later = key[i] > last || (key[i] == last && i > at);
            if (later && (next == n || key[i] < key[next]))
                next = i;
        }
        at = next;
        last = key[next];
        s->first += done == 0 ? 1 / p[next].y : 0;
        three = done < 3 && p[next].y > three ? p[next].y : three;
        runs = runs == 0 && p[next].y >= GOOD ? done + 1 : runs;
    }
    s->runs[s->n++] = runs;
    s->three += 1 / three;
    s->correlation += rank_correlation(key, time, n, scratch);
}

/* What may be expected of sizes in any order. */
static void judge_random(struct score *s, const struct point *p, unsigned n, double *ratio)
{
    const double triples = n * (n - 1.0) * (n - 2.0) / 6;
    unsigned good = 0;
    double sum = 0;
    for (unsigned i = 0; i < n; i++) {
        ratio[i] = 1 / p[i].y;
        good += p[i].y >= GOOD;
        sum += ratio[i];
    }
    qsort(ratio, n, sizeof *ratio, by_value);
    for (unsigned i = 0; i + 2 < n; i++)
        s->three += ratio[i] * (n - i - 1.0) * (n - i - 2.0) / 2 / triples;
    s->runs[s->n++] = (n + 1.0) / (good + 1.0);
    s->first += sum / n;
}

static bool is_judged(const struct point *p, unsigned n)
{
    double worst = 1;
    for (unsigned i = 0; i < n; i++)
        worst = p[i].y < worst ? p[i].y : worst;
    return n >= FEW_SIZES && worst * MATTERS <= 1;
}

static void judge_launch(struct score score[ORDERS], const struct point *p, unsigned n,
                         const struct learned *l, double *scratch)
{
    double *key[RANDOM] = {scratch, scratch + n, scratch + 2 * n}, *time = scratch + 3 * n, best = INFINITY;
    for (unsigned i = 0; i < n; i++)
        best = p[i].predicted < best ? p[i].predicted : best;
    for (unsigned i = 0; i < n; i++) {
        const double guess = learned_guess(l, p[i].x);
        time[i] = p[i].time;
        key[MODEL][i] = p[i].predicted / best;
        key[LEARNED][i] = 1 / (guess > 1e-3 ? guess : 1e-3);
        key[BOTH][i] = sqrt(key[MODEL][i] * key[LEARNED][i]);
    }
    for (unsigned o = MODEL; o < RANDOM; o++)
        judge(&score[o], p, key[o], time, n, scratch + 4 * n);
    judge_random(&score[RANDOM], p, n, scratch + 4 * n);
}

static unsigned end_of(const struct data *d, unsigned begin)
{
    unsigned end = begin;
    while (end < d->n && d->point[end].launch == d->point[begin].launch)
        end++;
    return end;
}

/* Each program's launches, with what is learned from the others.  0 or -ENOMEM. */
static int judge_all(const struct data *d, struct score score[ORDERS])
{
    double *scratch = malloc((6 * (size_t)d->n + 1) * sizeof *scratch);
    if (!scratch)
        return -ENOMEM;
    for (unsigned program = 0; program < d->programs; program++) {
        struct learned l;
        if (learned_make(&l, d->point, d->n, program) != 0) {
            free(scratch);
            return -ENOMEM;
        }
        for (unsigned i = 0, end; i < d->n; i = end) {
            end = end_of(d, i);
            if (d->point[i].program == program && is_judged(d->point + i, end - i))
                judge_launch(score, d->point + i, end - i, &l, scratch);
        }
        learned_free(&l);
    }
    free(scratch);
    return 0;
}

/* ---- redundancy ------------------------------------------------------------------------------------ */

static double entropy(const unsigned *count, unsigned bins, unsigned n)
{
    double h = 0;
    for (unsigned i = 0; i < bins; i++)
        h -= count[i] ? count[i] / (double)n * log2(count[i] / (double)n) : 0;
    return h;
}

/* R = I(X,Y) / (H(X) + H(Y)) of a feature and y, in bins of equal count; equal values share one. */
static double redundancy(const struct data *d, unsigned f, double *v)
{
    unsigned x[BINS] = {0}, y[BINS] = {0}, xy[BINS * BINS] = {0};
    double *sorted[2] = {v, v + d->n};
    for (unsigned i = 0; i < d->n; i++) {
        sorted[0][i] = d->point[i].x[f];
        sorted[1][i] = d->point[i].y;
    }
    for (unsigned s = 0; s < 2; s++)
        qsort(sorted[s], d->n, sizeof *v, by_value);
    for (unsigned i = 0; i < d->n; i++) {
        unsigned bin[2] = {0, 0};
        for (unsigned s = 0; s < 2; s++)
            while (bin[s] + 1 < BINS &&
                   (s ? d->point[i].y : d->point[i].x[f]) >= sorted[s][(size_t)(bin[s] + 1) * d->n / BINS])
                bin[s]++;
        x[bin[0]]++;
        y[bin[1]]++;
        xy[bin[0] * BINS + bin[1]]++;
    }
    const double hx = entropy(x, BINS, d->n), hy = entropy(y, BINS, d->n);
    return hx + hy > 0 ? (hx + hy - entropy(xy, BINS * BINS, d->n)) / (hx + hy) : 0;
}

static void print_redundancy(const struct data *d)
{
    double *v = malloc(2 * (size_t)d->n * sizeof *v);
    printf("\nWhat each feature tells of the time, of the most that it could tell\n");
    for (unsigned f = 0; v && f < FEATURES; f++)
        printf("  %-28s %6.3f\n", feature_names[f], 2 * redundancy(d, f, v));
    free(v);
}

/* ---- the report ------------------------------------------------------------------------------------ */

static void print_score(const char *name, struct score *s, bool ordered)
{
    double sum = 0;
    for (unsigned i = 0; i < s->n; i++)
        sum += s->runs[i];
    qsort(s->runs, s->n, sizeof *s->runs, by_value);
    printf("  %-10s %6.2f (%g) %15.3f %15.3f", name, sum / s->n, s->runs[s->n / 2], s->first / s->n,
           s->three / s->n);
    if (ordered)
        printf(" %12.2f", s->correlation / s->n);
    putchar('\n');
}

static void print_verdict(const struct data *d, const struct score score[ORDERS])
{
    const double gain = (score[BOTH].correlation - score[MODEL].correlation) / score[MODEL].n;
    if (d->n < LEAST_POINTS || d->launches < LEAST_KERNELS)
        printf("\nToo little to learn from: %u points of %u launches; %d and %d are needed.\n", d->n,
               d->launches, LEAST_POINTS, LEAST_KERNELS);
    else
        printf("\nBoth order sizes %s the model alone: rank correlation %+.2f (%+.2f is asked for).\n",
               gain >= LEAST_BETTER ? "better than" : "no better than", gain, LEAST_BETTER);
}

static int report(const struct data *d)
{
    static const char *const names[ORDERS] = {"model", "learned", "both", "random"};
    struct score score[ORDERS] = {{0}};
    int r = d->n ? 0 : -EINVAL;
    for (unsigned o = 0; o < ORDERS; o++) {
        score[o].runs = calloc((size_t)d->launches + 1, sizeof *score[o].runs);
        r = score[o].runs ? r : -ENOMEM;
    }
    r = r ? r : judge_all(d, score);
    if (r == 0) {
        printf("%u points of %u launches of %u programs; of %u launches the size matters (%g times)\n\n",
               d->n, d->launches, d->programs, score[MODEL].n, MATTERS);
        printf("Each program as if it were new, what is learned being that of the others\n");
        printf("             runs to 90 %%    first / best  best of 3 / best  rank corr.\n");
        for (unsigned o = 0; score[MODEL].n && o < ORDERS; o++)
            print_score(names[o], &score[o], o != RANDOM);
        print_verdict(d, score);
        print_redundancy(d);
    } else if (r == -EINVAL) {
        fputs("clsizer learn: no measured sizes with features\n", stderr);
    }
    for (unsigned o = 0; o < ORDERS; o++)
        free(score[o].runs);
    return r;
}

int sel_learn_main(int argc, char **argv)
{
    static const char usage[] = "usage: clsizer learn --report RESULTS.json...\n";
    struct data d = {0};
    int r = 0;
    if (argc > 0 && strcmp(argv[0], "--help") == 0) {
        printf("%s\nTell whether what was measured of other programs would order sizes better than the model "
               "does.\n"
               "RESULTS.json: raw results of scripts/bench.sh.\n",
               usage);
        return 0;
    }
    if (argc < 2 || strcmp(argv[0], "--report") != 0) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    for (int i = 1; i < argc && r == 0; i++)
        r = read_results(&d, argv[i]);
    r = r ? r : report(&d);
    for (unsigned i = 0; i < d.programs; i++)
        free(d.program[i]);
    free(d.program);
    free(d.point);
    return r ? EXIT_ERROR : 0;
}
