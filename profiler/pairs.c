/* pairs.c - what samples say about two sizes that were measured one right after the other.
 *
 * On a shared machine everything may run at half speed for a second, so the smallest samples of two sizes may
 * come from different conditions.  Therefore each sample of a candidate also forms a *pair* with the own
 * size's samples just before and just after it.  The pair is won if the sample is faster than both by the
 * margin, and lost if it is faster than neither.  A lane that wins its pairs stays in the race whatever the
 * own size's fastest moment was, and one that has won enough of them has won the race. */
#include "profiler/race.h"

#define PAIRS_TO_WIN 7  /* score by which pairs alone decide */
#define PAIR_LOSS    3  /* won pairs that one lost pair cancels */
#define MAX_PAIRS    16 /* of a lane; more pairs do not make a doubtful one clearer */

static int pair_score(const struct prof_lane *l)
{
    return l->pairs_won - PAIR_LOSS * l->pairs_lost;
}

double prof_pair_ratio(const struct prof_lane *l)
{
    return l->pairs ? l->pair_sum / l->pairs : 1;
}

bool race_wins_pairs(const struct prof_race *r, const struct prof_lane *l)
{
    const bool leads = l->unpaired > 0 && l->unpaired <= r->own_last * (1 - r->margin);

    return pair_score(l) + leads > 0;
}

bool race_pairs_decide(const struct prof_race *r, const struct prof_lane *l)
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

unsigned race_pairs_winner(const struct prof_race *r)
{
    return best_paired(r, race_pairs_decide);
}

int race_next_for_pairs(const struct prof_race *r)
{
    const unsigned lane = best_paired(r, pairs_promise);

    if (!lane)
        return -1;
    return r->lane[lane].unpaired > 0 ? 0 : (int)lane;
}

int race_next_pair(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane];

    if (l->samples < RACE_MIN_SAMPLES)
        return (int)lane;
    if (l->unpaired > 0)
        return 0;
    return !l->pairs || (race_wins_pairs(r, l) && !race_has_all_pairs(l)) ? (int)lane : -1;
}

bool race_has_all_pairs(const struct prof_lane *l)
{
    return l->pairs >= MAX_PAIRS;
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

void race_close_pairs(struct prof_race *r, double after)
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

void race_assume_pairs(struct prof_race *r)
{
    for (unsigned i = 1; i < r->n; i++)
        if (r->lane[i].unpaired > 0)
            add_pair(&r->lane[i], prof_pair_ratio(&r->lane[i]), false, false);
}
