/* race.c - which lane is measured next, which ones are out, which one has won.
 *
 * Lanes are compared by their smallest samples, because disturbances only ever add time.  A winner must lead
 * the application's own size by more than the noise, which is how much repeated samples of the own size
 * differ from each other.
 *
 * On a shared machine everything may run at half speed for a second, so the smallest samples of two sizes may
 * come from different conditions.  Therefore each sample also forms a *pair* with the own size's samples
 * just before and just after it: the pair is won if the sample is faster than both by the margin, lost if it
 * is faster than neither.  A lane that wins its pairs is not dropped because of the own size's fastest
 * moment, and a lane that has won enough pairs has won the race. */
#include "profiler/profiler.h"
#include <string.h>

#define ROUNDS_MEASURE 3 /* samples per surviving candidate with the effort `measure` */
#define ROUNDS_PATIENT 5 /* likewise with `patient` and `exhaustive` */
#define MIN_SAMPLES                                                                                          \
    2 /* a lane with fewer cannot win, and nothing is decided before the own size has them                   \
       */
#define MAX_BAD_SAMPLES 3    /* meaningless samples of the own size after which the race is called off */
#define DUEL_SAMPLES    2    /* fresh samples of each side that confirm a lead */
#define NOISE_FLOOR     0.02 /* differences below this never drop a lane */
#define LONG_SHOT       3    /* times the fastest lane's mean beyond which a single sample drops a lane */
#define HOPELESS_AFTER  3    /* candidates without gain after which the others are not worth their cost */
#define TOO_NOISY       0.2  /* noise at which further rounds show no more than the first ones hinted at */
#define MAX_DOUBTS      3    /* doubtful races in a row, without a find, after which "no gain" is believed */
#define OUTSTANDING                                                                                          \
    0.25                 /* of the own size's best: no disturbance explains it, those seen halved the speed  \
                          */
#define CLEAR_GAP    0.1 /* relative distance between the samples of two sizes that no noise explains */
#define CLEAR_LEAD   0.2 /* the same between samples of different runs */
#define PAIRS_TO_WIN 7   /* score by which pairs alone decide */
#define PAIR_LOSS    3   /* won pairs that one lost pair cancels */
#define MAX_PAIRS    16  /* of a lane that is measured for its pairs alone */

/* Newton's method, because the library does without libm.  Relative error below 1e-9; 0 for x <= 0. */
static double square_root(double x)
{
    double root = x > 1 ? x : 1;

    if (!(x > 0))
        return 0;
    for (int i = 0; i < 100; i++) {
        double next = (root + x / root) / 2;
        if (root - next <= root * 1e-10)
            return next;
        root = next;
    }
    return root;
}

static bool same_size(const size_t a[3], const size_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

void prof_race_begin(struct prof_race *r, const struct candidate *c, unsigned n, const struct prof_policy *p)
{
    memset(r, 0, sizeof *r);
    r->margin = p->margin;
    r->effort = p->effort;
    r->rounds = p->effort == PROF_MEASURE ? ROUNDS_MEASURE : ROUNDS_PATIENT;
    r->n = 1;
    r->lane[0].own = true;
    for (unsigned i = 0; i < n; i++) {
        if (!c[i].own)
            continue;
        memcpy(r->lane[0].local, c[i].local, sizeof c[i].local);
        r->lane[0].predicted_ns = c[i].time_ns;
        break;
    }
    for (unsigned i = 0; i < n && r->n < PROF_MAX_CANDIDATES; i++) {
        if (c[i].own || c[i].state != SEL_KEPT || same_size(c[i].local, r->lane[0].local))
            continue;
        memcpy(r->lane[r->n].local, c[i].local, sizeof c[i].local);
        r->lane[r->n++].predicted_ns = c[i].time_ns;
    }
}

/* ---- pairs ----------------------------------------------------------------------------------------- */

static int pair_score(const struct prof_lane *l)
{
    return l->pairs_won - PAIR_LOSS * l->pairs_lost;
}

double prof_pair_ratio(const struct prof_lane *l)
{
    return l->pairs ? l->pair_sum / l->pairs : 1;
}

/* Do the lane's pairs speak for it?  A sample that no sample of the own size has followed yet counts as a won
 * pair if it beats the one before it. */
static bool wins_pairs(const struct prof_race *r, const struct prof_lane *l)
{
    const bool leads = l->unpaired > 0 && l->unpaired <= r->own_last * (1 - r->margin);

    return pair_score(l) + leads > 0;
}

/* Has the lane won the race by its pairs alone? */
static bool pairs_decide(const struct prof_race *r, const struct prof_lane *l)
{
    return !l->dropped && pair_score(l) >= PAIRS_TO_WIN && prof_pair_ratio(l) <= 1 - r->margin;
}

/* May more pairs decide for the lane? */
static bool pairs_promise(const struct prof_race *r, const struct prof_lane *l)
{
    return !r->across && !l->dropped && pair_score(l) > 0 && l->pairs < MAX_PAIRS &&
           prof_pair_ratio(l) <= 1 - r->margin;
}

/* Of the lanes that satisfy `good`, the fastest by its pairs; 0: none. */
static unsigned best_paired(const struct prof_race *r,
                            bool (*good)(const struct prof_race *, const struct prof_lane *))
{
    unsigned best = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (good(r, &r->lane[i]) && (!best || prof_pair_ratio(&r->lane[i]) < prof_pair_ratio(&r->lane[best])))
            best = i;
    return best;
}

static void add_pair(struct prof_lane *l, double ratio, bool won, bool lost)
{
    l->unpaired = 0;
    if (l->pairs == UINT8_MAX)
        return;
    l->pairs++;
    l->pairs_won += won;
    l->pairs_lost += lost;
    l->pair_sum += (float)ratio;
}

/* Complete the open pairs with a new sample of the own size. */
static void close_pairs(struct prof_race *r, double after)
{
    const double before = r->own_last, low = before < after ? before : after, high = before + after - low;

    for (unsigned i = 1; i < r->n; i++) {
        struct prof_lane *l = &r->lane[i];
        if (l->unpaired > 0)
            add_pair(l, 2 * l->unpaired / (low + high), l->unpaired <= low * (1 - r->margin),
                     l->unpaired >= high);
    }
    r->own_last = after;
}

/* Complete the open pairs with a sample whose time is not known yet: neither won nor lost. */
static void assume_pairs(struct prof_race *r)
{
    for (unsigned i = 1; i < r->n; i++)
        if (r->lane[i].unpaired > 0)
            add_pair(&r->lane[i], prof_pair_ratio(&r->lane[i]), false, false);
}

/* ---- who is next ------------------------------------------------------------------------------------ */

/* The candidate that has fewest samples, the first of several; 0 when no candidate is left.  *samples
 * receives how many it has. */
static unsigned least_sampled(const struct prof_race *r, unsigned *samples)
{
    unsigned found = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped && (!found || r->lane[i].samples < r->lane[found].samples))
            found = i;
    *samples = r->lane[found].samples;
    return found;
}

/* In races with only a launch or two per run: do all samples of the lane clearly beat all of the own size?
 * Such a lane wins without a duel, and no further candidate is tried: samples are too few for either. */
static bool clear_lead(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane], *own = &r->lane[0];
    const double lead = lane && l->samples && own->samples >= MIN_SAMPLES ? 1 - l->worst / own->best : 0;

    return r->single && !l->dropped && lead >= CLEAR_LEAD && lead > 2 * r->noise;
}

/* How many samples the own size should have once each candidate has `samples`.  If a candidate is
 * outstanding, the own size is not measured again in each round: one of its samples costs as much as several
 * of the better size. */
static unsigned own_samples_wanted(const struct prof_race *r, unsigned samples)
{
    return prof_race_outstanding(r) ? r->rounds : r->rounds + samples;
}

/* Are all rounds complete, so that the duel comes next? */
static bool rounds_over(const struct prof_race *r)
{
    unsigned samples, candidate = least_sampled(r, &samples);
    const unsigned own = clear_lead(r, candidate) ? r->rounds + 1 : own_samples_wanted(r, r->rounds);

    return candidate && samples >= r->rounds && r->lane[0].samples >= own;
}

/* After the rounds, without a leader: alternate between the lane whose pairs may still decide and the own
 * size; -1: there is no such lane. */
static int next_for_pairs(const struct prof_race *r)
{
    const unsigned lane = best_paired(r, pairs_promise);

    if (!lane)
        return -1;
    return r->lane[lane].unpaired > 0 ? 0 : (int)lane;
}

int prof_race_next(const struct prof_race *r)
{
    unsigned samples, candidate = least_sampled(r, &samples), leader;

    if (r->decided || r->effort == PROF_ESTIMATE || r->bad >= MAX_BAD_SAMPLES || !candidate)
        return -1;
    if (!rounds_over(r))
        return !r->warm || r->lane[0].samples < own_samples_wanted(r, samples) ? 0 : (int)candidate;
    leader = prof_race_leader(r);
    if (!leader)
        return next_for_pairs(r);
    if (leader == r->confirmed || leader == prof_race_outstanding(r) || clear_lead(r, leader) ||
        pairs_decide(r, &r->lane[leader]))
        return -1;
    return leader == r->duel && r->duel_samples[1] > r->duel_samples[0] ? 0 : (int)leader;
}

/* ---- who is out ------------------------------------------------------------------------------------- */

/* Of the candidates with enough samples whose smallest one beats the own size's, the fastest; 0: none. */
static unsigned fastest(const struct prof_race *r)
{
    unsigned best = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped && r->lane[i].samples >= MIN_SAMPLES && r->lane[i].best < r->lane[best].best)
            best = i;
    return best;
}

/* A lane that is behind the leader by a single sample, but beats the own size, gets another one: that costs
 * the program nothing, and a shared device may have been half as fast for a while. */
static bool deserves_another(const struct prof_race *r, const struct prof_lane *l,
                             const struct prof_lane *leader)
{
    return l->samples < MIN_SAMPLES && !r->across && l->best < r->lane[0].best * (1 - r->margin) &&
           l->best < LONG_SHOT * leader->mean;
}

/* Drop lanes that are behind the fastest by more than the noise, and lanes that have enough samples and still
 * do not beat the own size.  A single sample may be behind the leader's mean by twice the noise. */
static void drop_beaten(struct prof_race *r)
{
    const double bar = r->noise > NOISE_FLOOR ? r->noise : NOISE_FLOOR;
    const unsigned first = fastest(r);
    const struct prof_lane *leader = &r->lane[first];

    if (r->lane[0].samples < MIN_SAMPLES)
        return;
    for (unsigned i = 1; i < r->n; i++) {
        struct prof_lane *l = &r->lane[i];
        /* The mean is what one sample can be expected to take; the smallest of several is less than that. */
        const bool single = l->samples < MIN_SAMPLES;
        const bool beats_own = wins_pairs(r, l);
        if (l->samples && !deserves_another(r, l, leader) && (first || !beats_own) &&
            l->best > (single ? leader->mean * (1 + 2 * bar) : leader->best * (1 + bar)))
            l->dropped = true;
        if (l->samples >= MIN_SAMPLES && l->best >= r->lane[0].best && !beats_own)
            l->dropped = true;
    }
}

/* Drop the candidates without a sample, in this run or an earlier one. */
static void drop_untried(struct prof_race *r)
{
    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].samples && !r->lane[i].before)
            r->lane[i].dropped = true;
}

/* ---- samples ---------------------------------------------------------------------------------------- */

/* Enter a sample, in ns per work-item, into the lane's statistics. */
static void take_sample(struct prof_lane *l, double rate)
{
    if (!l->samples || rate < l->best) {
        l->third_best = l->second_best;
        l->second_best = l->best;
        l->best = rate;
    } else if (l->samples < 2 || rate < l->second_best) {
        l->third_best = l->second_best;
        l->second_best = rate;
    } else if (l->samples < 3 || rate < l->third_best) {
        l->third_best = rate;
    }
    if (rate > l->worst) {
        l->second_worst = l->worst;
        l->worst = rate;
    } else if (rate > l->second_worst) {
        l->second_worst = rate;
    }
    l->samples++;
    l->mean += (rate - l->mean) / l->samples;
}

/* Twice the relative standard deviation of the own size's samples, at least two.  Of three or more the
 * largest is left out: an occasional disturbance says nothing about how well the others repeat. */
static double own_noise(const struct prof_race *r)
{
    unsigned all = r->lane[0].samples < PROF_OWN_SAMPLES ? r->lane[0].samples : PROF_OWN_SAMPLES, n = all,
             largest = 0;
    double sum = 0, squares = 0, mean;

    for (unsigned i = 1; i < all; i++)
        if (r->own_rate[i] > r->own_rate[largest])
            largest = i;
    if (all <= MIN_SAMPLES)
        largest = all;
    for (unsigned i = 0; i < all; i++)
        sum += i == largest ? 0 : r->own_rate[i];
    n -= largest < all;
    mean = sum / n;
    for (unsigned i = 0; i < all; i++)
        squares += i == largest ? 0 : (r->own_rate[i] - mean) * (r->own_rate[i] - mean);
    return 2 * square_root(squares / (n - 1)) / mean;
}

/* Turn the ratios that candidates had in an earlier run into samples, at the own size's rate in this run. */
static void take_over(struct prof_race *r)
{
    for (unsigned i = 1; i < r->n; i++) {
        struct prof_lane *l = &r->lane[i];
        const unsigned n = l->before;
        l->before = 0;
        for (unsigned k = 0; k < n; k++)
            take_sample(l, (k ? l->before_worst : l->before_best) * r->lane[0].best);
    }
}

static void take_own_sample(struct prof_race *r, double rate)
{
    struct prof_lane *own = &r->lane[0];

    if (own->samples < PROF_OWN_SAMPLES)
        r->own_rate[own->samples] = rate;
    take_sample(own, rate);
    r->own_item_ns = own->mean;
    close_pairs(r, rate);
    if (own->samples < MIN_SAMPLES)
        return;
    r->noise = own_noise(r);
    take_over(r);
}

static void take_candidate_sample(struct prof_race *r, unsigned lane, double rate)
{
    take_sample(&r->lane[lane], rate);
    if (r->own_last > 0)
        r->lane[lane].unpaired = rate;
}

/* ---- the duel --------------------------------------------------------------------------------------- */

static bool duel_over(const struct prof_race *r)
{
    return r->duel_samples[0] >= DUEL_SAMPLES && r->duel_samples[1] >= DUEL_SAMPLES;
}

static bool duel_won(const struct prof_race *r)
{
    return duel_over(r) && r->duel_best[1] <= r->duel_best[0] * (1 - r->margin);
}

/* Enter a sample that was taken after all rounds, of the leader or of the own size.  A new leader starts the
 * duel anew; one that loses it is dropped, unless its pairs may still decide. */
static void take_duel_sample(struct prof_race *r, unsigned leader, bool own, double rate)
{
    unsigned side = own ? 0 : 1;

    if (r->duel != leader) {
        r->duel = leader;
        r->duel_samples[0] = r->duel_samples[1] = 0;
    }
    if (!r->duel_samples[side] || rate < r->duel_best[side])
        r->duel_best[side] = rate;
    r->duel_samples[side]++;
    if (!duel_over(r))
        return;
    if (duel_won(r))
        r->confirmed = leader;
    else if (!wins_pairs(r, &r->lane[leader]) || r->lane[leader].pairs >= MAX_PAIRS)
        prof_race_drop(r, leader, false);
}

/* Skip the additional rounds of `patient` if, after as many as `measure` has, the noise is great and the
 * fastest lane leads by less than half of it, that is, by less than the standard deviation. */
static void save_rounds(struct prof_race *r)
{
    unsigned samples, best = fastest(r);

    least_sampled(r, &samples);
    if (r->rounds > ROUNDS_MEASURE && r->noise > TOO_NOISY && samples >= ROUNDS_MEASURE &&
        r->lane[0].samples >= 2 * ROUNDS_MEASURE && !prof_race_leader(r) &&
        1 - r->lane[best].best / r->lane[0].best <= r->noise / 2)
        r->rounds = ROUNDS_MEASURE;
}

void prof_race_add(struct prof_race *r, unsigned lane, size_t items, int64_t ns, int64_t overhead_ns)
{
    unsigned leader = rounds_over(r) ? prof_race_leader(r) : 0;
    double rate = items ? (double)ns / (double)items : 0;

    if (overhead_ns > 0)
        r->lane[lane].overhead_ns += overhead_ns;
    if (ns <= 0 || items == 0) {
        if (lane == 0)
            r->bad++;
        else
            prof_race_drop(r, lane, false);
        return;
    }
    if (lane == 0 && !r->warm) {
        r->warm = true;
        r->own_item_ns = rate;
        return;
    }
    if (lane == 0)
        take_own_sample(r, rate);
    else
        take_candidate_sample(r, lane, rate);
    if (leader && (lane == 0 || lane == leader))
        take_duel_sample(r, leader, lane == 0, rate);
    if (clear_lead(r, lane))
        drop_untried(r);
    drop_beaten(r);
    save_rounds(r);
}

void prof_race_assume(struct prof_race *r, unsigned lane)
{
    const unsigned leader = rounds_over(r) ? prof_race_leader(r) : 0;
    struct prof_lane *l = &r->lane[lane], *own = &r->lane[0];

    if (lane == 0 && !r->warm) {
        r->warm = true;
        return;
    }
    if (!l->samples)
        l->best = l->worst = lane && own->samples ? own->best : r->own_item_ns > 0 ? r->own_item_ns : 1;
    l->samples++;
    if (lane == 0) {
        assume_pairs(r);
        r->own_last = own->best;
    } else if (r->own_last > 0) {
        l->unpaired = l->best;
    }
    if (!leader || (lane != 0 && lane != leader))
        return;
    if (r->duel != leader) {
        r->duel = leader;
        r->duel_samples[0] = r->duel_samples[1] = 0;
    }
    r->duel_samples[lane != 0]++;
    if (duel_over(r))
        r->confirmed = leader;
}

void prof_race_drop(struct prof_race *r, unsigned lane, bool failed)
{
    if (lane == 0)
        return;
    r->lane[lane].dropped = true;
    r->lane[lane].failed |= failed;
}

/* ---- who leads -------------------------------------------------------------------------------------- */

/* Do the lane's samples, at least three, beat the own size's best so clearly that the noise does not matter?
 * All of three must, or all but one of more, since one may have been disturbed.  All but one are enough in
 * any case if they take less than half the own size's time, and any three are if the own size has had
 * twice ROUNDS_MEASURE chances. */
static bool separated(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane], *own = &r->lane[0];
    const double clear = own->best * (1 - CLEAR_GAP);

    if (l->samples <= MIN_SAMPLES || own->samples <= MIN_SAMPLES)
        return false;
    return (l->samples > MIN_SAMPLES + 1 ? l->second_worst : l->worst) <= clear ||
           l->second_worst <= own->best / 2 || (own->samples >= 2 * ROUNDS_MEASURE && l->third_best <= clear);
}

unsigned prof_race_promising(const struct prof_race *r)
{
    unsigned best = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (r->lane[i].samples && !r->lane[i].dropped && r->lane[i].best < r->lane[best].best)
            best = i;
    return best;
}

/* Has the lane as many samples as it gets unless the race asks for more? */
static bool has_enough(const struct prof_race *r, unsigned lane)
{
    return r->lane[lane].samples >= 2 * r->rounds;
}

bool prof_race_wants(const struct prof_race *r, unsigned lane)
{
    return lane ? prof_race_next(r) == (int)lane || !has_enough(r, lane) : prof_race_wants_own(r);
}

bool prof_race_wants_own(const struct prof_race *r)
{
    const unsigned lane = prof_race_promising(r);

    return prof_race_next(r) == 0 ||
           (lane && !prof_race_leader(r) && r->lane[lane].samples >= r->rounds && !has_enough(r, 0));
}

unsigned prof_race_leader(const struct prof_race *r)
{
    unsigned best = fastest(r);
    double lead;

    if (r->decided)
        return r->winner;
    if (r->lane[0].samples < MIN_SAMPLES)
        return 0;
    if (!best)
        return best_paired(r, pairs_decide);
    lead = 1 - r->lane[best].best / r->lane[0].best;
    return lead >= r->margin && (lead > r->noise || separated(r, best)) ? best : best_paired(r, pairs_decide);
}

/* Is it uncertain that nothing beats the own size?  Either something was faster by the margin without being
 * sure to win, or times vary too much: from run to run, where sizes are compared across runs, or within this
 * run while only a few before it ended in doubt. */
static bool in_doubt(const struct prof_race *r)
{
    unsigned best = fastest(r);

    return (best && r->lane[best].best < r->lane[0].best * (1 - r->margin)) ||
           (r->across && r->noise > CLEAR_GAP) || (r->noise > TOO_NOISY && r->doubts < MAX_DOUBTS);
}

/* ---- from run to run -------------------------------------------------------------------------------- */

unsigned prof_race_samples(const struct prof_race *r)
{
    unsigned sum = 0;

    for (unsigned i = 1; i < r->n; i++)
        sum += r->lane[i].samples;
    return sum;
}

void prof_past_add_own(struct prof_past *past, double rate)
{
    if (past->nown == PROF_PAST_OWN)
        memmove(&past->own[0], &past->own[1], --past->nown * sizeof past->own[0]);
    past->own[past->nown++] = rate;
}

/* Save the own size's samples and the state of the duel, for a run that goes on with this run's samples. */
static void save_own(const struct prof_race *r, struct prof_past *past)
{
    const unsigned n = r->lane[0].samples < PROF_OWN_SAMPLES ? r->lane[0].samples : PROF_OWN_SAMPLES;

    for (unsigned i = 0; i < n; i++)
        prof_past_add_own(past, r->own_rate[i]);
    if (!r->duel)
        return;
    memcpy(past->duel, r->lane[r->duel].local, sizeof past->duel);
    memcpy(past->duel_samples, r->duel_samples, sizeof past->duel_samples);
    memcpy(past->duel_best, r->duel_best, sizeof past->duel_best);
}

void prof_race_save(const struct prof_race *r, unsigned launches, struct prof_past *past)
{
    const double own = r->lane[0].samples ? r->lane[0].best : 0;
    const bool doubt = r->decided && !r->winner && in_doubt(r);

    memset(past, 0, sizeof *past);
    past->doubts = r->doubts + doubt;
    for (unsigned i = 1; i < r->n && past->n < PROF_MAX_EVIDENCE; i++) {
        const struct prof_lane *l = &r->lane[i];
        struct prof_evidence *to = &past->candidate[past->n];
        if (!l->tried && !l->known)
            continue;
        *to = (struct prof_evidence){.samples = l->before,
                                     .best = l->before_best,
                                     .worst = l->before_worst,
                                     .dropped = l->dropped,
                                     .failed = l->failed};
        memcpy(to->local, l->local, sizeof to->local);
        if (own > 0 && l->samples) {
            to->samples = l->samples;
            to->best = l->best / own;
            to->worst = l->worst / own;
        }
        if (doubt && !l->failed && to->best < 1 + r->noise) { /* the next run measures it anew */
            to->dropped = false;
            to->samples = 0;
            to->best = to->worst = 0;
        }
        past->n++;
    }
    if (doubt || launches > PROF_FEW_LAUNCHES)
        return;
    past->launches = launches;
    save_own(r, past);
}

/* Go on with the own size's samples of earlier runs as samples of this race, and with their duel. */
static void resume_own(struct prof_race *r, const struct prof_past *past)
{
    r->across = true;
    r->single = past->launches <= PROF_SINGLE_LAUNCHES;
    r->warm = r->single;
    r->rounds = MIN_SAMPLES;
    for (unsigned i = 0; i < past->nown; i++)
        take_own_sample(r, past->own[i]);
    r->own_last = 0;
    for (unsigned i = 1; i < r->n; i++)
        if (same_size(r->lane[i].local, past->duel))
            r->duel = i;
    memcpy(r->duel_samples, past->duel_samples, sizeof r->duel_samples);
    memcpy(r->duel_best, past->duel_best, sizeof r->duel_best);
    r->confirmed = duel_won(r) ? r->duel : 0;
    for (unsigned i = 1; i < r->n; i++)
        if (clear_lead(r, i))
            drop_untried(r);
}

void prof_race_resume(struct prof_race *r, const struct prof_past *past)
{
    for (unsigned k = 0; k < past->n; k++)
        for (unsigned i = 1; i < r->n; i++) {
            const struct prof_evidence *e = &past->candidate[k];
            struct prof_lane *l = &r->lane[i];
            if (!same_size(l->local, e->local))
                continue;
            l->known = true;
            l->failed = e->failed;
            /* A single bad sample may be bad luck. */
            l->dropped = e->failed || (e->dropped && e->samples >= MIN_SAMPLES);
            if (!(e->best > 0) || e->worst < e->best)
                continue;
            l->before = e->samples < r->rounds ? e->samples : r->rounds;
            l->before_best = e->best;
            l->before_worst = e->worst;
        }
    r->doubts = past->doubts;
    if (past->launches)
        resume_own(r, past);
}

/* ---- what is worth measuring ------------------------------------------------------------------------ */

bool prof_race_awaits(const struct prof_race *r, unsigned lane)
{
    return r->awaited && lane && !r->lane[lane].tried && !r->lane[lane].known;
}

/* Measured time relative to the own size's; 1 if the size failed, 0 if it was not measured. */
static double measured_ratio(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane];

    if (l->failed)
        return 1;
    if (l->before)
        return l->before_best;
    return l->samples && r->lane[0].samples ? l->best / r->lane[0].best : 0;
}

bool prof_race_hopeless(const struct prof_race *r, unsigned lane)
{
    const double own = r->lane[0].predicted_ns, promise = own > 0 ? r->lane[lane].predicted_ns / own : 0;
    double optimism = 0; /* the model's: the least factor by which a candidate was slower than predicted */
    unsigned beaten = 0;

    for (unsigned i = 1; i < r->n; i++) {
        const double ratio = measured_ratio(r, i), predicted = r->lane[i].predicted_ns;
        const double factor = own > 0 && predicted > 0 ? ratio * own / predicted : 0;
        if (i == lane || ratio == 0)
            continue;
        if (ratio < 1 - r->margin && !r->lane[i].dropped)
            return false;
        beaten++;
        if (factor > 0 && (optimism == 0 || factor < optimism))
            optimism = factor;
    }
    return beaten >= HOPELESS_AFTER && (optimism == 0 || promise <= 0 || promise * optimism > 1 - r->margin);
}

unsigned prof_race_outstanding(const struct prof_race *r)
{
    const double own = r->lane[0].best; /* 0 without samples */
    double least = OUTSTANDING;
    unsigned found = 0;

    for (unsigned i = 1; i < r->n; i++) {
        const struct prof_lane *l = &r->lane[i];
        const double worst = l->before ? l->before_worst : own > 0 && l->samples ? l->worst / own : 1;
        if (!l->dropped && worst > 0 && worst < least) {
            least = worst;
            found = i;
        }
    }
    return found;
}

/* The size with the smallest prediction if that beats the own size's by the margin, else 0. */
static unsigned predicted_best(const struct prof_race *r)
{
    unsigned best = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped && r->lane[i].predicted_ns > 0 &&
            r->lane[i].predicted_ns < r->lane[best].predicted_ns)
            best = i;
    return r->lane[best].predicted_ns <= r->lane[0].predicted_ns * (1 - r->margin) ? best : 0;
}

unsigned prof_race_initial(const struct prof_race *r)
{
    const unsigned leader = prof_race_leader(r), known = leader ? leader : prof_race_outstanding(r),
                   model = predicted_best(r);

    if (known)
        return known;
    for (unsigned i = 1; i < r->n; i++)
        if (r->lane[i].samples || r->lane[i].before)
            return 0;
    return r->lane[0].predicted_ns >= PROF_TRUST * r->lane[model].predicted_ns ? model : 0;
}

int prof_race_choose(struct prof_race *r, bool repeated,
                     bool (*affordable)(const void *context, unsigned lane), const void *context)
{
    int next;

    while ((next = prof_race_next(r)) > 0 && !affordable(context, (unsigned)next)) {
        const unsigned lane = (unsigned)next, leader = prof_race_leader(r),
                       promising = prof_race_promising(r);
        if (lane == leader)
            return -1; /* wait until it can be paid for */
        if ((!leader || prof_race_awaits(r, lane)) && !prof_race_hopeless(r, lane)) {
            if (repeated || !promising)
                return -1;
            next = prof_race_wants_own(r) ? 0 : (int)promising;
            break;
        }
        prof_race_drop(r, lane, false);
    }
    return next >= 0 && affordable(context, (unsigned)next) ? next : -1;
}

/* ---- the decision ----------------------------------------------------------------------------------- */

const char *prof_outcome_name(enum prof_outcome outcome)
{
    static const char *const names[PROF_OUTCOMES] = {"open", "won", "no-gain", "model", "asked"};

    return (unsigned)outcome < PROF_OUTCOMES ? names[outcome] : "?";
}

void prof_race_decide(struct prof_race *r, const struct prof_policy *p, struct prof_decision *out)
{
    const struct prof_lane *own = &r->lane[0], *won;
    bool model = p->effort == PROF_ESTIMATE;

    r->margin = p->margin;
    r->decided = false;
    r->winner = model ? predicted_best(r) : prof_race_leader(r);
    r->decided = true;
    won = &r->lane[r->winner];
    *out = (struct prof_decision){.outcome = PROF_NO_GAIN, .winner = r->winner, .gain = 1, .noise = r->noise};
    if (r->winner) {
        out->outcome = model ? PROF_MODEL : PROF_WON;
        out->gain = model                  ? own->predicted_ns / won->predicted_ns
                    : pairs_decide(r, won) ? 1 / prof_pair_ratio(won)
                                           : own->best / won->best;
        out->margin = 1 - 1 / out->gain;
    } else if (!model) {
        out->doubtful = in_doubt(r);
    }
}
