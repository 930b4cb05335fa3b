/* How well races decide in many kinds of noise: what a rule of the race must be worth to stay.
 *
 * A world is how samples are disturbed; a field is what the candidates are really worth.  Regret: how much
 * longer the chosen size takes than the best one.  `test_race_worlds table` prints all cells, for somebody
 * who changes a rule. */
#include "run_suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "profiler/profiler.h"

#define ITEMS 1000
#define RACES 150 /* per cell */
#define ROOM  16

enum noise { FLAT, ONE_SIDED, SYMMETRIC, BIMODAL, SPIKES, TAIL, PHASES, BUSY, INPUT, LUCKY, NOISES };
enum field { ALONE, MANY, TENTH, THIRD, SPREAD, FIELDS };

static const struct {
    const char *name;
    double amount[3];
} kinds[NOISES] = {
    [FLAT] = {"flat", {0.002, 0.005, 0.01}},         [ONE_SIDED] = {"one-sided", {0.03, 0.1, 0.4}},
    [SYMMETRIC] = {"symmetric", {0.01, 0.04, 0.12}}, [BIMODAL] = {"bimodal", {0.05, 0.3, 1}},
    [SPIKES] = {"spikes", {0.01, 0.05, 0.1}},        [TAIL] = {"long tail", {0.03, 0.1, 0.4}},
    [PHASES] = {"phases", {0.2, 0.6, 1.2}},          [BUSY] = {"busy machine", {0.3, 0.8, 1.5}},
    [INPUT] = {"other input", {0.3, 1, 2}},          [LUCKY] = {"lucky", {0.1, 0.25, 0.4}}};

struct world {
    enum noise noise;
    double amount;
    double busy, phase; /* how much others use the machine, from 0 to 1; the factor of this phase */
    int left;           /* samples in this phase */
};

struct result {
    double right, regret, mistaken, samples; /* means over races; mistaken: a size won that is no better */
};

/* SplitMix64. */
static uint64_t state;
static double uniform(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static double normal(void)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += uniform();
    return sum;
}

static double next_phase(struct world *w)
{
    if (w->left-- <= 0) {
        w->left = (int)(3 + 12 * uniform());
        w->phase = uniform() < 0.5 ? 1 : 1 + w->amount;
    }
    return w->phase;
}

static double more_or_less_busy(struct world *w)
{
    const double factor = 1 + w->amount * w->busy;

    w->busy = fabs(w->busy + 0.2 * (uniform() - 0.5));
    w->busy = w->busy > 1 ? 2 - w->busy : w->busy;
    return factor;
}

/* The factor by which this sample takes longer than it should. */
static double disturb(struct world *w)
{
    switch (w->noise) {
    case SYMMETRIC:
        return fmax(0.2, 1 + w->amount * normal());
    case BIMODAL:
        return (uniform() < 0.5 ? 1 : 1 + w->amount) * (1 + 0.005 * uniform());
    case SPIKES:
        return uniform() < 0.1 ? 1 + 20 * w->amount : 1 + 0.1 * w->amount * uniform();
    case TAIL:
        return 1 - w->amount * log(1 - uniform());
    case PHASES:
        return next_phase(w) * (1 + 0.02 * uniform());
    case BUSY:
        return more_or_less_busy(w) * (1 + 0.04 * normal());
    case INPUT:
        return (1 + 3 * w->amount * uniform()) * (1 + 0.02 * normal());
    case LUCKY:
        return (uniform() < 0.15 ? 1 - w->amount : 1) * (1 + 0.2 * w->amount * uniform());
    default:
        return 1 + w->amount * uniform();
    }
}

/* The true times, the own size's first; returns how many. */
static unsigned make_field(enum field f, double time[ROOM])
{
    const unsigned n = f == ALONE ? 2 : f == MANY ? 12 : 8;

    for (unsigned i = 0; i < ROOM; i++)
        time[i] = i && f == SPREAD ? 0.4 * exp(1.4 * uniform()) : 1;
    if (f == TENTH || f == THIRD)
        time[1 + (unsigned)(7 * uniform())] = f == TENTH ? 0.9 : 0.7;
    return n;
}

static void race(struct world *w, enum field f, enum prof_effort effort, struct result *sum)
{
    const struct prof_policy p = {.effort = effort, .budget = 0.05, .margin = 0.03};
    struct candidate c[ROOM] = {{.own = true}};
    struct prof_decision d;
    struct prof_race r;
    double time[ROOM], best = 1;
    const unsigned n = make_field(f, time);
    int lane, samples = 0;

    for (unsigned i = 1; i < n; i++) {
        c[i] = (struct candidate){.local = {i + 1, 1, 1}};
        best = fmin(best, time[i]);
    }
    prof_race_begin(&r, c, n, &p);
    while ((lane = prof_race_next(&r)) >= 0) {
        prof_race_add(&r, (unsigned)lane, ITEMS, (int64_t)(1e6 * time[lane] * disturb(w)), 0);
        ck_assert_int_lt(++samples, 2000);
    }
    prof_race_decide(&r, &p, &d);
    sum->right += (time[d.winner] <= best * 1.03) / (double)RACES;
    sum->regret += (time[d.winner] / best - 1) / RACES;
    sum->mistaken += (d.winner && time[d.winner] >= 1) / (double)RACES;
    sum->samples += samples / (double)RACES;
}

static struct result cell(enum noise noise, unsigned amount, enum field f, enum prof_effort effort)
{
    struct result sum = {0};

    state = noise * 1000 + amount * 100 + f * 10 + effort;
    for (int i = 0; i < RACES; i++) {
        struct world w = {.noise = noise, .amount = kinds[noise].amount[amount], .busy = uniform()};
        race(&w, f, effort, &sum);
    }
    return sum;
}

/* The means over all cells; `mistaken` is that of the fields in which nothing is better than the own size. */
static struct result all_worlds(bool print)
{
    static const enum prof_effort efforts[] = {PROF_MEASURE, PROF_PATIENT};
    struct result all = {0};
    const double cells = 2.0 * NOISES * 3 * FIELDS;

    for (unsigned i = 0; i < 2 * NOISES * 3; i++) {
        const unsigned e = i / (NOISES * 3), noise = i / 3 % NOISES, amount = i % 3;
        if (print)
            printf("%s %-12s %.3f: right regret mistaken samples", e ? "patient" : "measure",
                   kinds[noise].name, kinds[noise].amount[amount]);
        for (enum field f = 0; f < FIELDS; f++) {
            const struct result one = cell(noise, amount, f, efforts[e]);
            if (print)
                printf("  %.3f %.3f %.3f %4.1f", one.right, one.regret, one.mistaken, one.samples);
            all.right += one.right / cells;
            all.regret += one.regret / cells;
            all.samples += one.samples / cells;
            all.mistaken += f <= MANY ? one.mistaken / (cells / FIELDS * 2) : 0;
        }
        if (print)
            putchar('\n');
    }
    return all;
}

/* Measured with these seeds: regret 0.0191, mistaken 0.0173, 27.8 samples, 0.207 of the races end in doubt.
 * Where what was slower once has no second look when nothing wins: 0.0187, 0.0160, 27.2 and 0.257.  Then,
 * where one sample gives up what beats the own size: 0.0193, 0.0157, 26.6; then, where one lucky sample wins:
 * 0.0196, 0.0239, 26.6. Measured without lucky samples, 0.0194, 0.0196, 26.7; where one sample gives a size
 * up: 0.0206, 0.0172, 25.9; then, where pairs never decide: 0.0277, 0.0094, 26.8. */
TEST(races_decide_well)
{
    const struct result all = all_worlds(false);

    ck_assert_double_le(all.regret, 0.025);
    ck_assert_double_le(all.mistaken, 0.018);
    ck_assert_double_le(all.samples, 28);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "table")) {
        const struct result all = all_worlds(true);
        printf("all: right %.4f regret %.4f mistaken %.4f samples %.2f\n", all.right, all.regret,
               all.mistaken, all.samples);
        return 0;
    }
    return run_tests("race_worlds", NULL, NULL);
}
