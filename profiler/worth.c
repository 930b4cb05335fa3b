/* worth.c - which lanes are worth a sample: what is still to be gained from them, as far as the model and the
 * samples taken so far can tell, and what is measured if the next one is too expensive for now. */
#include "profiler/race.h"

/* Candidates without gain after which the others are not worth their cost. */
#define HOPELESS_AFTER 3

/* The most promising sizes are tried whatever the model says of them: it cannot know which of them the
 * driver's compiler vectorises. */
#define ALWAYS_TRIED 2

/* What a size of which nothing is known may reach. */
#define UNKNOWN_RATIO 0.5

double prof_race_ratio(const struct prof_race *r, unsigned lane)
{
    const struct prof_lane *l = &r->lane[lane];

    return l->samples && r->lane[0].samples ? l->best / r->lane[0].best : l->before ? l->before_best : 0;
}

double race_predicted_ratio(const struct prof_race *r, unsigned lane)
{
    const double own = r->lane[0].predicted_ns;

    return own > 0 ? r->lane[lane].predicted_ns / own : 0;
}

bool prof_race_hopeless(const struct prof_race *r, unsigned lane)
{
    const double own = r->lane[0].predicted_ns, promise = race_predicted_ratio(r, lane);
    double optimism = 0; /* the model's: the least factor by which a candidate was slower than predicted */
    unsigned beaten = 0;

    for (unsigned i = 1; i < r->n; i++) {
        const double ratio = r->lane[i].failed ? 1 : prof_race_ratio(r, i),
                     predicted = r->lane[i].predicted_ns;
        const double factor = own > 0 && predicted > 0 ? ratio * own / predicted : 0;
        if (i == lane || ratio == 0 || race_had_one_look(r, i))
            continue;
        if (ratio < 1 - r->margin && !r->lane[i].dropped)
            return false;
        beaten++;
        if (factor > 0 && (optimism == 0 || factor < optimism))
            optimism = factor;
    }
    return beaten >= HOPELESS_AFTER && (optimism == 0 || promise <= 0 || promise * optimism > 1 - r->margin);
}

void prof_race_outdo(struct prof_race *r, double relative)
{
    unsigned kept = 0;

    for (unsigned i = 1; i < r->n; i++) {
        const double measured = prof_race_ratio(r, i),
                     ratio = measured > 0 ? measured : race_predicted_ratio(r, i) / PROF_MODEL_ERROR;
        if (r->lane[i].variant || r->lane[i].dropped || (measured == 0 && kept++ < ALWAYS_TRIED))
            continue;
        r->lane[i].dropped = (ratio > 0 ? ratio : UNKNOWN_RATIO) > relative;
    }
}

unsigned prof_race_initial(const struct prof_race *r)
{
    const unsigned leader = prof_race_leader(r), known = leader ? leader : prof_race_outstanding(r),
                   model = race_predicted_best(r);

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

    r->waits = 0;
    while ((next = prof_race_next(r)) > 0 && !affordable(context, (unsigned)next)) {
        const unsigned lane = (unsigned)next, leader = prof_race_leader(r), promising = race_fastest(r, 1),
                       again = promising ? promising : race_looked_at_once(r);
        if (lane == leader)
            return -1; /* wait until it can be paid for */
        if ((!leader || race_awaits(r, lane)) && !prof_race_hopeless(r, lane)) {
            if (repeated || !again)
                return -1;
            r->waits = leader ? leader : again;
            next = race_next_waiting(r);
            if (next < 0 && leader)
                next = (int)leader; /* for the account */
            break;
        }
        prof_race_drop(r, lane, false);
    }
    return next >= 0 && affordable(context, (unsigned)next) ? next : -1;
}
