/* race.c - which lane is measured next, which lanes are out, and which one has won.
 *
 * Lanes are compared by their smallest samples, because disturbances mostly add time.  A winner must lead the
 * application's own size by more than the noise, which is how much repeated samples of the own size differ
 * from each other, not owe that to one lucky sample, and then confirm its lead in a duel.  On machines whose
 * speed drifts, pairs of samples decide instead (pairs.c). */
#include "profiler/race.h"
#include <string.h>

#define ROUNDS_MEASURE  3    /* samples per surviving candidate with the effort `measure` */
#define ROUNDS_PATIENT  5    /* likewise with `patient` and `exhaustive` */
#define MAX_BAD_SAMPLES 3    /* meaningless samples of the own size after which the race is called off */
#define DUEL_SAMPLES    2    /* fresh samples of each side that confirm a lead */
#define NOISE_FLOOR     0.02 /* differences below this never drop a lane */
#define TOO_NOISY       0.2  /* noise at which "no gain" is not believed at once */
#define MAX_DOUBTS      3    /* doubtful races in a row, without a find, after which "no gain" is believed */
#define LUCK            0.25 /* share of a lead that the second samples must have, too */
#define CLEAR_GAP       0.1  /* relative distance between the samples of two sizes that no noise explains */
#define CLEAR_LEAD      0.2  /* the same between samples of different runs */
#define CLEAR_VARIANT   0.4  /* the same for another kernel, for which a run has had no time for a duel */

/* Share of the own size's best time below which a size is outstanding.  No disturbance explains that: those
 * that were seen halved the speed. */
#define OUTSTANDING 0.25

void prof_race_begin(struct prof_race *r, const struct candidate *c, unsigned n, const struct prof_policy *p)
{
    memset(r, 0, sizeof *r);
    r->margin = p->margin;
    r->effort = p->effort;
    r->rounds = p->effort == PROF_MEASURE ? ROUNDS_MEASURE : ROUNDS_PATIENT;
    r->n = 1;
    for (unsigned i = 0; i < n; i++) {
        if (!c[i].own)
            continue;
        memcpy(r->lane[0].local, c[i].local, sizeof c[i].local);
        r->lane[0].predicted_ns = c[i].time_ns;
        break;
    }
    for (unsigned i = 0; i < n && r->n < PROF_MAX_CANDIDATES; i++) {
        if (c[i].own || c[i].state != SEL_KEPT || launch_same_size(c[i].local, r->lane[0].local))
            continue;
        memcpy(r->lane[r->n].local, c[i].local, sizeof c[i].local);
        r->lane[r->n++].predicted_ns = c[i].time_ns;
    }
}

unsigned prof_race_join(struct prof_race *r, const char *variant, uint64_t text, const size_t local[3],
                        double predicted_ns)
{
    struct prof_lane *l = &r->lane[r->n];

    if (r->n == PROF_MAX_CANDIDATES)
        return 0;
    *l = (struct prof_lane){.variant = variant, .text = text, .predicted_ns = predicted_ns, .parts = 1};
    memcpy(l->local, local, sizeof l->local);
    return r->n++;
}

unsigned prof_lane_of(const struct prof_race *r, const size_t local[3])
{
    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].variant && launch_same_size(r->lane[i].local, local))
            return i;
    return 0;
}

/* ---- who is next ------------------------------------------------------------------------------------ */

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

unsigned race_predicted_best(const struct prof_race *r)
{
    unsigned best = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped && r->lane[i].predicted_ns > 0 &&
            r->lane[i].predicted_ns < r->lane[best].predicted_ns)
            best = i;
    return r->lane[best].predicted_ns <= r->lane[0].predicted_ns * (1 - r->margin) ? best : 0;
}

bool race_awaits(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane];

    if (!lane || l->tried)
        return false;
    if (r->trial && !l->variant)
        return !l->before;
    return (l->variant ? r->variants_awaited : r->awaited) && !l->known;
}

/* Is the lane's smallest sample behind the mean of the fastest lane, or of the own size if nothing beats
 * that, by more than the noise? */
static bool is_behind(const struct prof_race *r, unsigned lane)
{
    const double bar = r->noise > NOISE_FLOOR ? r->noise : NOISE_FLOOR;

    return r->lane[lane].best > r->lane[race_fastest(r, RACE_MIN_SAMPLES)].mean * (1 + bar);
}

/* Candidates for which another process compiles come after those that can be measured at once, and then those
 * that have had all their rounds.  While something beats the own size, the last are those that one look
 * showed to be slower: if that wins, they need no second one. */
static unsigned turn(const struct prof_race *r, unsigned lane)
{
    if (r->lane[lane].samples >= r->rounds)
        return 2;
    if (race_awaits(r, lane))
        return 1;
    return race_had_one_look(r, lane) && r->lane[lane].best >= r->lane[0].best && is_behind(r, lane) ? 3 : 0;
}

static bool is_before(const struct prof_race *r, unsigned lane, unsigned other)
{
    const struct prof_lane *l = &r->lane[lane], *o = &r->lane[other];
    const unsigned a = turn(r, lane), b = turn(r, other);

    if (a != b || l->samples != o->samples)
        return a != b ? a < b : l->samples < o->samples;
    if (l->seen != o->seen)
        return l->seen;
    return l->variant && l->predicted_ns > 0 && l->predicted_ns < o->predicted_ns;
}

/* The candidate whose turn it is, of those with fewest samples one that was seen to be faster, which costs
 * nothing, else the variant that is expected to take least, or the first one; 0 when no candidate is left.
 * *samples receives how many it has. */
static unsigned least_sampled(const struct prof_race *r, unsigned *samples)
{
    unsigned found = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped && (!found || is_before(r, i, found)))
            found = i;
    *samples = r->lane[found].samples;
    return found;
}

/* By how much do all samples of the lane beat all of the own size, if that is more than noise explains? */
static double least_lead(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane], *own = &r->lane[0];
    const double lead = lane && l->samples && own->samples >= RACE_MIN_SAMPLES ? 1 - l->worst / own->best : 0;

    return !l->dropped && lead > 2 * r->noise ? lead : 0;
}

/* In races with only a launch or two per run: is the lane clearly ahead?  Such a lane wins without a duel,
 * and no further candidate is tried: samples are too few for either. */
static bool clear_lead(const struct prof_race *r, unsigned lane)
{
    return r->single && least_lead(r, lane) >= CLEAR_LEAD;
}

bool prof_race_variant_won(const struct prof_race *r)
{
    const unsigned leader = prof_race_leader(r);

    return r->lane[leader].variant && !r->variants_awaited &&
           (leader == r->confirmed || least_lead(r, leader) >= CLEAR_VARIANT);
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

/* Have so many runs not decided the race that it ends with what is proven? */
static bool gives_up(const struct prof_race *r)
{
    return r->effort == PROF_MEASURE && r->runs >= PROF_MOST_RUNS;
}

/* Who is next in the duel of the leader, a lane, with the own size; -1: it needs none, or no more. */
static int next_in_duel(const struct prof_race *r, unsigned leader)
{
    if (leader == r->confirmed || leader == prof_race_outstanding(r) || clear_lead(r, leader) ||
        race_pairs_decide(r, &r->lane[leader]))
        return -1;
    return leader == r->duel && r->duel_samples[1] > r->duel_samples[0] ? 0 : (int)leader;
}

unsigned race_looked_at_once(const struct prof_race *r)
{
    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped && race_had_one_look(r, i))
            return i;
    return 0;
}

int prof_race_next(const struct prof_race *r)
{
    unsigned samples, candidate = least_sampled(r, &samples), leader;
    int next;

    if (r->decided || r->effort == PROF_ESTIMATE || r->bad >= MAX_BAD_SAMPLES)
        return -1;
    if (r->n == 1) /* what a variant that joins is compared with */
        return r->lane[0].samples < r->rounds ? 0 : -1;
    if (!candidate)
        return -1;
    if (gives_up(r)) /* earlier samples count once there are some of the own size */
        return !r->warm || r->lane[0].samples < r->rounds ? 0 : -1;
    if (!rounds_over(r))
        return !r->warm || r->lane[0].samples < own_samples_wanted(r, samples) ? 0 : (int)candidate;
    leader = prof_race_leader(r);
    if (leader)
        return next_in_duel(r, leader);
    next = race_next_for_pairs(r);
    return next < 0 && race_looked_at_once(r) ? (int)race_looked_at_once(r) : next;
}

/* ---- who is out ------------------------------------------------------------------------------------- */

unsigned race_fastest(const struct prof_race *r, unsigned least)
{
    unsigned best = 0;

    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].dropped && r->lane[i].samples >= least && r->lane[i].best < r->lane[best].best)
            best = i;
    return best;
}

bool race_had_one_look(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane], *own = &r->lane[0];

    return lane && !l->failed && l->samples == 1 && l->best * OUTSTANDING < own->mean;
}

/* Drop lanes whose smallest sample is behind the fastest's mean by more than the noise, and lanes that have
 * enough samples and still do not beat the own size.  One look is not enough for either: to keep the own size
 * takes as much evidence as to change it. */
static void drop_beaten(struct prof_race *r)
{
    const unsigned first = race_fastest(r, RACE_MIN_SAMPLES);

    if (r->lane[0].samples < RACE_MIN_SAMPLES)
        return;
    for (unsigned i = 1; i < r->n; i++) {
        struct prof_lane *l = &r->lane[i];
        const bool beats_own = race_wins_pairs(r, l);
        const bool looked_at = l->samples >= RACE_MIN_SAMPLES || l->best >= r->lane[0].best;
        if (looked_at && !race_had_one_look(r, i) && (first || !beats_own) && is_behind(r, i))
            l->dropped = true;
        if (l->samples >= RACE_MIN_SAMPLES && l->best >= r->lane[0].best && !beats_own)
            l->dropped = true;
    }
}

void race_stop_search(struct prof_race *r, unsigned lane)
{
    if (!clear_lead(r, lane))
        return;
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
    if (rate > l->worst)
        l->worst = rate;
    l->samples++;
    l->mean += (rate - l->mean) / l->samples;
}

/* The noise: twice the relative standard deviation of the own size's samples.  Of three or more the largest
 * is left out, because an occasional disturbance says nothing about how well the others repeat.  Pre: there
 * are two. */
static double own_noise(const struct prof_race *r)
{
    unsigned all = r->lane[0].samples < PROF_OWN_SAMPLES ? r->lane[0].samples : PROF_OWN_SAMPLES, n = all,
             largest = 0;
    double sum = 0, squares = 0, mean;

    for (unsigned i = 1; i < all; i++)
        if (r->own_rate[i] > r->own_rate[largest])
            largest = i;
    if (all <= RACE_MIN_SAMPLES)
        largest = all;
    for (unsigned i = 0; i < all; i++)
        sum += i == largest ? 0 : r->own_rate[i];
    n -= largest < all;
    mean = sum / n;
    for (unsigned i = 0; i < all; i++)
        squares += i == largest ? 0 : (r->own_rate[i] - mean) * (r->own_rate[i] - mean);
    return 2 * __builtin_sqrt(squares / (n - 1)) / mean;
}

void race_take_over(struct prof_race *r)
{
    if (r->lane[0].samples < RACE_MIN_SAMPLES)
        return;
    for (unsigned i = 1; i < r->n; i++) {
        struct prof_lane *l = &r->lane[i];
        const unsigned n = l->before;
        l->before = 0;
        for (unsigned k = 0; k < n; k++)
            take_sample(l, (k ? l->before_worst : l->before_best) * r->lane[0].best);
    }
}

void race_take_own_sample(struct prof_race *r, double rate)
{
    struct prof_lane *own = &r->lane[0];

    if (own->samples < PROF_OWN_SAMPLES)
        r->own_rate[own->samples] = rate;
    take_sample(own, rate);
    r->own_item_ns = own->mean;
    race_close_pairs(r, rate);
    if (own->samples < RACE_MIN_SAMPLES)
        return;
    r->noise = own_noise(r);
    race_take_over(r);
}

static void take_candidate_sample(struct prof_race *r, unsigned lane, double rate)
{
    take_sample(&r->lane[lane], rate);
    if (r->own_last > 0)
        r->lane[lane].unpaired = rate;
}

/* ---- the duel --------------------------------------------------------------------------------------- */

/* Have both sides of the duel had their fresh samples? */
static bool duel_over(const struct prof_race *r)
{
    return r->duel_samples[0] >= DUEL_SAMPLES && r->duel_samples[1] >= DUEL_SAMPLES;
}

bool race_duel_won(const struct prof_race *r)
{
    return duel_over(r) && r->duel_best[1] <= r->duel_best[0] * (1 - r->margin);
}

/* A new leader starts the duel anew. */
static void enter_duel(struct prof_race *r, unsigned leader)
{
    if (r->duel == leader)
        return;
    r->duel = leader;
    r->duel_samples[0] = r->duel_samples[1] = 0;
}

/* Enter a sample of a duel, of the leader or of the own size.  One that loses it is dropped, unless its pairs
 * may still decide. */
static void take_duel_sample(struct prof_race *r, unsigned leader, bool own, double rate)
{
    unsigned side = own ? 0 : 1;

    enter_duel(r, leader);
    if (!r->duel_samples[side] || rate < r->duel_best[side])
        r->duel_best[side] = rate;
    r->duel_samples[side]++;
    if (!duel_over(r))
        return;
    if (race_duel_won(r))
        r->confirmed = leader;
    else if (!race_wins_pairs(r, &r->lane[leader]) || race_has_all_pairs(&r->lane[leader]))
        prof_race_drop(r, leader, false);
}

void prof_race_add(struct prof_race *r, unsigned lane, size_t items, int64_t ns, int64_t overhead_ns)
{
    unsigned leader = rounds_over(r) || r->waits ? prof_race_leader(r) : 0;
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
        race_take_own_sample(r, rate);
    else
        take_candidate_sample(r, lane, rate);
    if (leader && (lane == 0 || lane == leader))
        take_duel_sample(r, leader, lane == 0, rate);
    race_stop_search(r, lane);
    drop_beaten(r);
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
        race_assume_pairs(r);
        r->own_last = own->best;
    } else if (r->own_last > 0) {
        l->unpaired = l->best;
    }
    if (!leader || (lane != 0 && lane != leader))
        return;
    enter_duel(r, leader);
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

/* Do three of the lane's samples beat the own size's best so clearly that the noise does not matter, or all
 * of them so that no disturbance explains it? */
static bool separated(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane], *own = &r->lane[0];

    return l->samples > RACE_MIN_SAMPLES && own->samples > RACE_MIN_SAMPLES
               ? l->third_best <= own->best * (1 - CLEAR_GAP)
               : l->worst <= own->best * OUTSTANDING;
}

/* Has the lane as many samples as it gets unless the race asks for more? */
static bool has_enough(const struct prof_race *r, unsigned lane)
{
    return r->lane[lane].samples >= 2 * r->rounds;
}

int race_next_waiting(const struct prof_race *r)
{
    const unsigned leader = prof_race_leader(r);

    return leader ? next_in_duel(r, leader) : race_next_pair(r, r->waits);
}

/* The lane that is measured next, also while the race waits. */
static int next_at_present(const struct prof_race *r)
{
    return r->waits ? race_next_waiting(r) : prof_race_next(r);
}

bool prof_race_wants(const struct prof_race *r, unsigned lane)
{
    const unsigned promising = race_fastest(r, 1);

    return next_at_present(r) == (int)lane ||
           (!has_enough(r, lane) &&
            (lane || (promising && !prof_race_leader(r) && r->lane[promising].samples >= r->rounds)));
}

/* By how much the lane's second smallest sample leads the own size's; `lead`, that of the smallest, where
 * there are no two of each, or those of earlier runs count, of which the extremes are known. */
static double second_lead(const struct prof_race *r, unsigned lane, double lead)
{
    const struct prof_lane *l = &r->lane[lane], *own = &r->lane[0];

    return !r->across && l->samples > 1 && own->samples > 1 && own->second_best > 0
               ? 1 - l->second_best / own->second_best
               : lead;
}

unsigned prof_race_leader(const struct prof_race *r)
{
    const unsigned best = race_fastest(r, RACE_MIN_SAMPLES);
    double lead;

    if (r->decided)
        return r->winner;
    if (r->lane[0].samples < RACE_MIN_SAMPLES)
        return 0;
    if (!best)
        return race_pairs_winner(r);
    lead = 1 - r->lane[best].best / r->lane[0].best;
    return lead >= r->margin && (lead > r->noise || separated(r, best)) &&
                   second_lead(r, best, lead) >= LUCK * lead
               ? best
               : race_pairs_winner(r);
}

bool race_in_doubt(const struct prof_race *r)
{
    const unsigned best = race_fastest(r, RACE_MIN_SAMPLES);

    if (gives_up(r) || r->n < 2) /* nobody to compare with */
        return false;
    for (unsigned i = 1; i < r->n; i++)
        if (!r->lane[i].variant && race_had_one_look(r, i))
            return true;
    return (best && r->lane[best].best < r->lane[0].best * (1 - r->margin)) ||
           (r->across && r->noise > CLEAR_GAP) || (r->noise > TOO_NOISY && r->doubts < MAX_DOUBTS);
}

/* ---- the decision ----------------------------------------------------------------------------------- */

const char *prof_outcome_name(enum prof_outcome outcome)
{
    static const char *const names[PROF_OUTCOMES] = {"open", "won", "no-gain", "model", "asked"};

    return (unsigned)outcome < PROF_OUTCOMES ? names[outcome] : "?";
}

/* What a winner is said to gain: no more than its second samples do. */
static double measured_gain(const struct prof_race *r, unsigned lane)
{
    const double lead = 1 - r->lane[lane].best / r->lane[0].best, second = second_lead(r, lane, lead);

    return 1 / (1 - (second < lead ? second : lead));
}

void prof_race_decide(struct prof_race *r, const struct prof_policy *p, struct prof_decision *out)
{
    const struct prof_lane *own = &r->lane[0], *won;
    bool model = p->effort == PROF_ESTIMATE;

    r->margin = p->margin;
    r->decided = false;
    r->winner = model ? race_predicted_best(r) : prof_race_leader(r);
    r->decided = true;
    won = &r->lane[r->winner];
    *out = (struct prof_decision){.outcome = PROF_NO_GAIN, .winner = r->winner, .gain = 1, .noise = r->noise};
    if (r->winner) {
        out->outcome = model ? PROF_MODEL : PROF_WON;
        out->gain = model                       ? own->predicted_ns / won->predicted_ns
                    : race_pairs_decide(r, won) ? 1 / prof_pair_ratio(won)
                                                : measured_gain(r, r->winner);
    } else if (!model) {
        out->doubtful = race_in_doubt(r);
        out->doubts = !out->doubtful && r->noise > TOO_NOISY && !gives_up(r) ? r->doubts : 0;
    }
}
