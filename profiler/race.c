/* race.c - who is measured next, who is out, who won.
 *
 * A candidate's time is its smallest sample: disturbances only ever add.  The bar that it must clear is the
 * noise of the application's own size measured against itself.
 *
 * Where others use the machine it may be half as fast for a second, and the smallest samples of two sizes may
 * come from different seconds.  So each sample is also compared with the own size's nearest ones, before and
 * after it: a *pair*, won by being faster than both by the margin, lost by being faster than neither.  A size
 * that wins its pairs is not out because of the own size's fastest moment; once it has won enough, it has
 * won. */
#include "profiler/profiler.h"
#include <string.h>

#define ROUNDS_MEASURE 3    /* samples per surviving candidate */
#define ROUNDS_PATIENT 5    /* patient and exhaustive */
#define ENOUGH         2    /* samples that a winner, and the own size, must have at least */
#define BAD_CLOCK      3    /* meaningless samples of the own size after which there is no race */
#define DUEL           2    /* fresh samples that confirm a lead */
#define NOISE_FLOOR    0.02 /* differences below this never drop anybody */
#define LONG_SHOT      3    /* times the fastest's mean, beyond which one sample is enough to be out */
#define HOPE           3    /* candidates without gain after which the rest is not paid for */
#define TOO_NOISY      0.2  /* noise at which more rounds show nothing that the first ones did not hint at */
#define MOST_DOUBTS    3 /* runs that end so and find nothing, before it is believed that there is nothing */
#define OUTSTANDING    0.25 /* times the own size's best; machines were seen to be half as fast for moments */
#define CLEAR_GAP      0.1  /* between the samples of two sizes that no noise explains */
#define CLEAR_LEAD     0.2  /* likewise, between samples of different runs */
#define PAIRS_WON      7    /* pairs won that decide */
#define PAIR_LOST      3    /* a pair that is lost undoes so many */
#define MOST_PAIRS     16   /* of a lane that is measured for its pairs alone */

/* By Newton's method: the library does without libm.  Relative error below 1e-9. */
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
    return l->pairs_won - PAIR_LOST * l->pairs_lost;
}

double prof_pair_ratio(const struct prof_lane *l)
{
    return l->pairs ? l->pair_sum / l->pairs : 1;
}

/* Has the lane been faster than the own size in the same moments, as far as that is known? */
static bool wins_pairs(const struct prof_race *r, const struct prof_lane *l)
{
    const bool last = l->unpaired > 0 && l->unpaired <= r->own_last * (1 - r->margin);

    return pair_score(l) + last > 0;
}

/* Has the lane won by its pairs? */
static bool pairs_decide(const struct prof_race *r, const struct prof_lane *l)
{
    return !l->dropped && pair_score(l) >= PAIRS_WON && prof_pair_ratio(l) <= 1 - r->margin;
}

/* Is it to have more of them? */
static bool pairs_promise(const struct prof_race *r, const struct prof_lane *l)
{
    return !r->across && !l->dropped && pair_score(l) > 0 && l->pairs < MOST_PAIRS &&
           prof_pair_ratio(l) <= 1 - r->margin;
}

/* The fastest by its pairs of the lanes that are `good`; 0: none. */
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

/* The own size's sample after those that have none yet. */
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

/* The same when the times are not known yet: neither won nor lost. */
static void assume_pairs(struct prof_race *r)
{
    for (unsigned i = 1; i < r->n; i++)
        if (r->lane[i].unpaired > 0)
            add_pair(&r->lane[i], prof_pair_ratio(&r->lane[i]), false, false);
}

/* ---- who is next ------------------------------------------------------------------------------------ */

/* Samples of the candidate in the race that has fewest, and which it is; the earliest of equals.  0 when no
 * candidate is left. */
static unsigned hindmost(const struct prof_race *r, unsigned *samples)
{
    unsigned found = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped && (!found || r->lane[i].samples < r->lane[found].samples))
            found = i;
    *samples = r->lane[found].samples;
    return found;
}

/* Where each run has a launch or two, all samples of the lane clearly beat those of the own size: there are
 * none to spare for a duel, nor for more candidates than it takes to find one such. */
static bool clear_lead(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane], *own = &r->lane[0];
    const double lead = lane && l->samples && own->samples >= ENOUGH ? 1 - l->worst / own->best : 0;

    return r->single && !l->dropped && lead >= CLEAR_LEAD && lead > 2 * r->noise;
}

/* Samples that the own size is to have by the time that each candidate has so many.  What is far behind is
 * not measured again and again: each time costs as much as many of the better size's. */
static unsigned own_wanted(const struct prof_race *r, unsigned samples)
{
    return prof_race_outstanding(r) ? r->rounds : r->rounds + samples;
}

/* All rounds are complete: what comes now is the duel. */
static bool rounds_over(const struct prof_race *r)
{
    unsigned samples, candidate = hindmost(r, &samples);
    const unsigned own = clear_lead(r, candidate) ? r->rounds + 1 : own_wanted(r, r->rounds);

    return candidate && samples >= r->rounds && r->lane[0].samples >= own;
}

/* Another sample of the lane that its pairs may decide for, and of the own size after it. */
static int next_for_pairs(const struct prof_race *r)
{
    const unsigned lane = best_paired(r, pairs_promise);

    if (!lane)
        return -1;
    return r->lane[lane].unpaired > 0 ? 0 : (int)lane;
}

int prof_race_next(const struct prof_race *r)
{
    unsigned samples, candidate = hindmost(r, &samples), leader;

    if (r->decided || r->effort == PROF_ESTIMATE || r->bad >= BAD_CLOCK || !candidate)
        return -1;
    if (!rounds_over(r))
        return !r->warm || r->lane[0].samples < own_wanted(r, samples) ? 0 : (int)candidate;
    leader = prof_race_leader(r);
    if (!leader)
        return next_for_pairs(r);
    if (leader == r->confirmed || leader == prof_race_outstanding(r) || clear_lead(r, leader) ||
        pairs_decide(r, &r->lane[leader]))
        return -1;
    return leader == r->duel && r->duel_samples[1] > r->duel_samples[0] ? 0 : (int)leader;
}

/* The fastest lane with enough evidence; 0 without any. */
static unsigned fastest(const struct prof_race *r)
{
    unsigned best = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped && r->lane[i].samples >= ENOUGH && r->lane[i].best < r->lane[best].best)
            best = i;
    return best;
}

/* Is one sample all that there is against the lane, though it beats the own size?  Another costs the program
 * nothing then, and a device that others use may have been half as fast for a while. */
static bool deserves_another(const struct prof_race *r, const struct prof_lane *l,
                             const struct prof_lane *leader)
{
    return l->samples < ENOUGH && !r->across && l->best < r->lane[0].best * (1 - r->margin) &&
           l->best < LONG_SHOT * leader->mean;
}

/* A lane is out when it is behind the fastest by more than the noise (twice the noise after a single sample),
 * or when after enough samples it still does not beat the own size. */
static void drop_beaten(struct prof_race *r)
{
    const double bar = r->noise > NOISE_FLOOR ? r->noise : NOISE_FLOOR;
    const unsigned first = fastest(r);
    const struct prof_lane *leader = &r->lane[first];

    if (r->lane[0].samples < ENOUGH)
        return;
    for (unsigned i = 1; i < r->n; i++) {
        struct prof_lane *l = &r->lane[i];
        const bool single = l->samples < ENOUGH; /* the least of several is less than any one should be */
        const bool beats_own = wins_pairs(r, l);
        if (l->samples && !deserves_another(r, l, leader) && (first || !beats_own) &&
            l->best > (single ? leader->mean * (1 + 2 * bar) : leader->best * (1 + bar)))
            l->dropped = true;
        if (l->samples >= ENOUGH && l->best >= r->lane[0].best && !beats_own)
            l->dropped = true;
    }
}

static void drop_untried(struct prof_race *r)
{
    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].samples && !r->lane[i].before)
            r->lane[i].dropped = true;
}

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

/* Disturbances add time now and then: the largest sample says nothing about how well the others repeat. */
static double own_noise(const struct prof_race *r)
{
    unsigned all = r->lane[0].samples < PROF_OWN_SAMPLES ? r->lane[0].samples : PROF_OWN_SAMPLES, n = all,
             largest = 0;
    double sum = 0, squares = 0, mean;

    for (unsigned i = 1; i < all; i++)
        if (r->own_rate[i] > r->own_rate[largest])
            largest = i;
    if (all <= ENOUGH)
        largest = all;
    for (unsigned i = 0; i < all; i++)
        sum += i == largest ? 0 : r->own_rate[i];
    n -= largest < all;
    mean = sum / n;
    for (unsigned i = 0; i < all; i++)
        squares += i == largest ? 0 : (r->own_rate[i] - mean) * (r->own_rate[i] - mean);
    return 2 * square_root(squares / (n - 1)) / mean;
}

/* Samples of an earlier run count from now on, at this run's rate of the own size. */
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
    if (own->samples < ENOUGH)
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

static bool duel_over(const struct prof_race *r)
{
    return r->duel_samples[0] >= DUEL && r->duel_samples[1] >= DUEL;
}

static bool duel_won(const struct prof_race *r)
{
    return duel_over(r) && r->duel_best[1] <= r->duel_best[0] * (1 - r->margin);
}

/* A sample of the leader or of the own size after all rounds. */
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
    else if (!wins_pairs(r, &r->lane[leader]) || r->lane[leader].pairs >= MOST_PAIRS)
        prof_race_drop(r, leader, false);
}

/* After as many rounds as `measure` takes: where the noise is great and the fastest leads by less than half
 * of it (the standard deviation), the remaining rounds are left out. */
static void save_rounds(struct prof_race *r)
{
    unsigned samples, best = fastest(r);

    hindmost(r, &samples);
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

/* At least three samples of the lane clearly beat every sample of the own size.  One more may have been
 * disturbed, and one of three where the others take less than half the time; any number where the own size
 * has had as many chances as two complete rounds give it. */
static bool separated(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane], *own = &r->lane[0];
    const double clear = own->best * (1 - CLEAR_GAP);

    if (l->samples <= ENOUGH || own->samples <= ENOUGH)
        return false;
    return (l->samples > ENOUGH + 1 ? l->second_worst : l->worst) <= clear ||
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

static bool enough_of(const struct prof_race *r, unsigned lane)
{
    return r->lane[lane].samples >= 2 * r->rounds;
}

bool prof_race_wants(const struct prof_race *r, unsigned lane)
{
    return lane ? prof_race_next(r) == (int)lane || !enough_of(r, lane) : prof_race_wants_own(r);
}

bool prof_race_wants_own(const struct prof_race *r)
{
    const unsigned lane = prof_race_promising(r);

    return prof_race_next(r) == 0 ||
           (lane && !prof_race_leader(r) && r->lane[lane].samples >= r->rounds && !enough_of(r, 0));
}

unsigned prof_race_leader(const struct prof_race *r)
{
    unsigned best = fastest(r);
    double lead;

    if (r->decided)
        return r->winner;
    if (r->lane[0].samples < ENOUGH)
        return 0;
    if (!best)
        return best_paired(r, pairs_decide);
    lead = 1 - r->lane[best].best / r->lane[0].best;
    return lead >= r->margin && (lead > r->noise || separated(r, best)) ? best : best_paired(r, pairs_decide);
}

/* Something was faster than the own size, but not by enough to be sure; or times differ too much to say that
 * nothing is: from run to run, where sizes are compared across runs, or within this one and a few before. */
static bool in_doubt(const struct prof_race *r)
{
    unsigned best = fastest(r);

    return (best && r->lane[best].best < r->lane[0].best * (1 - r->margin)) ||
           (r->across && r->noise > CLEAR_GAP) || (r->noise > TOO_NOISY && r->doubts < MOST_DOUBTS);
}

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

/* What the next run needs to compare its samples with those of this one. */
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
        if (doubt && !l->failed && to->best < 1 + r->noise) { /* the next run is to find out */
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

/* The own size's samples of earlier runs are samples of this race. */
static void resume_own(struct prof_race *r, const struct prof_past *past)
{
    r->across = true;
    r->single = past->launches <= PROF_SINGLE_LAUNCHES;
    r->warm = r->single;
    r->rounds = ENOUGH;
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
            l->dropped = e->failed || (e->dropped && e->samples >= ENOUGH); /* one may be bad luck */
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

bool prof_race_awaits(const struct prof_race *r, unsigned lane)
{
    return r->awaited && lane && !r->lane[lane].tried && !r->lane[lane].known;
}

/* Time relative to the own size, 0 without evidence; what failed is as good as nothing gained. */
static double shown(const struct prof_race *r, unsigned lane)
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
    double short_of = 0; /* the least factor by which a candidate was slower than predicted */
    unsigned beaten = 0;

    for (unsigned i = 1; i < r->n; i++) {
        const double ratio = shown(r, i), factor = own > 0 && r->lane[i].predicted_ns > 0
                                                       ? ratio * own / r->lane[i].predicted_ns
                                                       : 0;
        if (i == lane || ratio == 0)
            continue;
        if (ratio < 1 - r->margin && !r->lane[i].dropped)
            return false;
        beaten++;
        if (factor > 0 && (short_of == 0 || factor < short_of))
            short_of = factor;
    }
    return beaten >= HOPE && (short_of == 0 || promise <= 0 || promise * short_of > 1 - r->margin);
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

/* The model's choice: the smallest prediction, if it beats the own size's by the margin. */
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
            return -1; /* its next samples are saved for */
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
