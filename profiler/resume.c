/* resume.c - races that span runs: what a race leaves to the next run, and how that run continues with it.
 *
 * Machines are not equally fast from run to run, so candidates are handed on as ratios to the own size.
 * Where a run has too few launches for a comparison of its own, the own size's samples are handed on as they
 * are, and the difference between runs becomes part of the noise. */
#include "profiler/race.h"
#include <string.h>

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
    if (!r->duel || r->lane[r->duel].variant)
        return;
    memcpy(past->duel, r->lane[r->duel].local, sizeof past->duel);
    memcpy(past->duel_samples, r->duel_samples, sizeof past->duel_samples);
    memcpy(past->duel_best, r->duel_best, sizeof past->duel_best);
}

/* Save what is known of a lane.  `doubt`: the race was decided in doubt, so if the lane might be faster than
 * the own size, the next run measures it anew. */
static void save_lane(const struct prof_race *r, const struct prof_lane *l, bool doubt,
                      struct prof_evidence *to)
{
    const double own = r->lane[0].samples ? r->lane[0].best : 0;

    *to = (struct prof_evidence){.samples = l->before,
                                 .best = l->before_best,
                                 .worst = l->before_worst,
                                 .dropped = l->dropped,
                                 .failed = l->failed,
                                 .used = l->used || l->samples,
                                 .text = l->text};
    memcpy(to->local, l->local, sizeof to->local);
    if (l->variant)
        strcpy(to->variant, l->variant);
    if (own > 0 && l->samples) {
        to->samples = l->samples;
        to->best = l->best / own;
        to->worst = l->worst / own;
    }
    if (doubt && !l->failed && to->best < 1 + r->noise) {
        to->dropped = false;
        to->samples = 0;
        to->best = to->worst = 0;
    }
}

/* Save what is known of the lanes that have run: of variants, or of sizes. */
static void save_lanes(const struct prof_race *r, bool variants, bool doubt, struct prof_past *past)
{
    for (unsigned i = 1; i < r->n && past->n < PROF_MAX_EVIDENCE; i++) {
        const struct prof_lane *l = &r->lane[i];
        if ((l->variant != NULL) == variants && (l->tried || l->known) &&
            (!variants || strlen(l->variant) < PROF_VARIANT))
            save_lane(r, l, doubt, &past->candidate[past->n++]);
    }
}

/* Has this run measured a candidate? */
static bool measured(const struct prof_race *r)
{
    for (unsigned i = 1; i < r->n; i++)
        if (r->lane[i].tried)
            return true;
    return false;
}

void prof_race_save(const struct prof_race *r, unsigned launches, struct prof_past *past)
{
    const bool doubt = r->decided && !r->winner && race_in_doubt(r);

    memset(past, 0, sizeof *past);
    past->doubts = r->doubts + doubt;
    past->runs = r->runs + measured(r);
    save_lanes(r, true, doubt, past);
    save_lanes(r, false, doubt, past);
    if (doubt || launches > PROF_FEW_LAUNCHES)
        return;
    past->launches = launches;
    save_own(r, past);
}

static bool covers(const struct prof_past *past, uint64_t text)
{
    for (unsigned i = 0; i < past->n; i++)
        if (*past->candidate[i].variant && past->candidate[i].text == text)
            return true;
    return false;
}

void prof_past_keep_variants(struct prof_past *past, const struct prof_past *before)
{
    const struct prof_past covered = *past;

    for (unsigned i = 0; i < before->n && past->n < PROF_MAX_EVIDENCE; i++)
        if (*before->candidate[i].variant && !covers(&covered, before->candidate[i].text))
            past->candidate[past->n++] = before->candidate[i];
}

/* Go on with the own size's samples of earlier runs as samples of this race, and with their duel. */
static void resume_own(struct prof_race *r, const struct prof_past *past)
{
    r->across = true;
    r->single = past->launches <= PROF_SINGLE_LAUNCHES;
    r->warm = r->single;
    r->rounds = RACE_MIN_SAMPLES;
    for (unsigned i = 0; i < past->nown; i++)
        race_take_own_sample(r, past->own[i]);
    r->own_last = 0;
    r->duel = prof_lane_of(r, past->duel);
    memcpy(r->duel_samples, past->duel_samples, sizeof r->duel_samples);
    memcpy(r->duel_best, past->duel_best, sizeof r->duel_best);
    r->confirmed = race_duel_won(r) ? r->duel : 0;
    for (unsigned i = 1; i < r->n; i++)
        race_stop_search(r, i);
}

static void take_evidence(const struct prof_race *r, struct prof_lane *l, const struct prof_evidence *e)
{
    l->known = true;
    l->failed = e->failed;
    l->used = e->used;
    /* A single bad sample may be bad luck. */
    l->dropped |= e->failed || (e->dropped && e->samples >= RACE_MIN_SAMPLES);
    if (!(e->best > 0) || e->worst < e->best)
        return;
    l->before = e->samples < r->rounds ? e->samples : r->rounds;
    l->before_best = e->best;
    l->before_worst = e->worst;
}

const struct prof_evidence *prof_past_of(const struct prof_past *past, const struct prof_lane *l)
{
    for (const struct prof_evidence *e = past->candidate; e < past->candidate + past->n; e++)
        if (launch_same_size(e->local, l->local) && e->text == l->text &&
            strcmp(e->variant, l->variant ? l->variant : "") == 0)
            return e;
    return NULL;
}

void prof_race_resume_lane(struct prof_race *r, unsigned lane, const struct prof_past *past)
{
    const struct prof_evidence *e = prof_past_of(past, &r->lane[lane]);

    if (e)
        take_evidence(r, &r->lane[lane], e);
    race_take_over(r);
}

void prof_race_resume(struct prof_race *r, const struct prof_past *past)
{
    for (unsigned i = 1; i < r->n; i++)
        prof_race_resume_lane(r, i, past);
    r->doubts = past->doubts;
    r->runs = past->runs;
    if (past->launches)
        resume_own(r, past);
}
