/* race.h - what the files that make up a race share; profiler.h has what others may call.
 *
 *   race.c     who is next, who is out, the duel, who has won
 *   pairs.c    the pairs that samples form with those of the own size
 *   worth.c    which lanes are worth a sample
 *   resume.c   what one run hands on to the next
 *
 * A race belongs to one thread at a time; nothing here fails or allocates.  A lane is its index in
 * prof_race.lane; where a function looks for one, 0 (the own size) means that there is none. */
#pragma once

#include "profiler/profiler.h"

/* A lane with fewer samples cannot win, and nothing is decided before the own size has as many. */
#define RACE_MIN_SAMPLES 2

/* ---- race.c ---------------------------------------------------------------------------------------- */

/* Enter a sample of the own size, in ns per work-item, from this run or handed on by an earlier one.  The
 * second one makes the noise known, and with it the samples that candidates had in earlier runs count. */
void race_take_own_sample(struct prof_race *r, double rate);

/* Turn the ratios that candidates had in an earlier run into samples, at the own size's rate in this run,
 * once that is known. */
void race_take_over(struct prof_race *r);

/* If the lane leads so clearly that it needs no duel, drop the candidates that have never been measured: with
 * a launch or two per run, trying them would take many runs. */
void race_stop_search(struct prof_race *r, unsigned lane);

/* Who is measured while the race waits (r->waits): the leader and the own size in their duel, or without a
 * leader the lane and the own size in pairs; -1: that shows nothing more. */
int race_next_waiting(const struct prof_race *r);

/* Has the lane that is in the duel confirmed its lead? */
bool race_duel_won(const struct prof_race *r);

/* Is the lane's only sample, of this run or an earlier one, behind the own size's by no more than a
 * disturbance may do?  Then the lane is neither better nor beaten. */
bool race_had_one_look(const struct prof_race *r, unsigned lane);

/* A lane that a second look may bring back; 0: none. */
unsigned race_looked_at_once(const struct prof_race *r);

/* Is it uncertain that nothing beats the own size?  Either something was faster by the margin without being
 * sure to win, or was given up after a single sample, or times vary too much: from run to run, where sizes
 * are compared across runs, or within this run, while only a few before it ended in doubt. */
bool race_in_doubt(const struct prof_race *r);

/* Of the candidates with `least` samples or more whose smallest one beats the own size's, the fastest; 0:
 * none.  That with one sample is the promising lane: measuring it again costs nothing. */
unsigned race_fastest(const struct prof_race *r, unsigned least);

/* The lane with the smallest prediction, if that beats the own size's by the margin; else 0. */
unsigned race_predicted_best(const struct prof_race *r);

/* Predicted time relative to the own size's; 0: unknown. */
double race_predicted_ratio(const struct prof_race *r, unsigned lane);

/* Is another process having the driver compile for this lane, or does it try a variant?  Until that is done,
 * compiling it here is worth while only if the gain covers the cost several times, or not at all
 * (prof_price()). */
bool race_awaits(const struct prof_race *r, unsigned lane);

/* ---- pairs.c --------------------------------------------------------------------------------------- */

/* Do the lane's pairs speak for it?  A sample that no sample of the own size has followed yet counts as a won
 * pair if it beats the one before it. */
bool race_wins_pairs(const struct prof_race *r, const struct prof_lane *l);

/* Has the lane won the race by its pairs alone? */
bool race_pairs_decide(const struct prof_race *r, const struct prof_lane *l);

/* The fastest of the lanes that have won the race by their pairs alone; 0: none. */
unsigned race_pairs_winner(const struct prof_race *r);

/* When all rounds are over and nobody leads: the lane whose pairs may still decide and the own size (0) take
 * turns; -1: there is no such lane. */
int race_next_for_pairs(const struct prof_race *r);

/* The lane, or the own size (0) to complete its pair; -1: it has had more than one look, and all pairs or
 * such as do not speak for it. */
int race_next_pair(const struct prof_race *r, unsigned lane);

/* Has the lane as many pairs as a lane gets that is measured for its pairs alone? */
bool race_has_all_pairs(const struct prof_lane *l);

/* Complete the open pairs with a new sample of the own size, in ns per work-item. */
void race_close_pairs(struct prof_race *r, double after);

/* Complete the open pairs with a sample of the own size whose time is not known yet: neither won nor lost. */
void race_assume_pairs(struct prof_race *r);
