/* profiler.h - how local sizes are compared on a program's own work: which part of it runs with which size,
 * in which mode, what that may cost, when to stop, which size wins ([D]).
 *
 * Knows nothing of OpenCL: it is written against struct prof_ops, so that tests can script the timings, and
 * against struct candidate and struct launch from select/.  Nothing here locks: an account, a race or a plan
 * belongs to one thread at a time, and the caller sees to that.
 *
 * The words (sample, race, lane, round, pair, duel, account, ...): docs/glossary.md, "What is measured".
 *
 * Times are nanoseconds, int64_t; rates are nanoseconds per work-item, double; sizes are work-items unless
 * said otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "select/select.h"

/* ---- policy ---------------------------------------------------------------------------------------- */

enum prof_effort {
    PROF_ESTIMATE,  /* measure nothing: the model decides */
    PROF_MEASURE,   /* measure within the budget */
    PROF_PATIENT,   /* measure without a budget */
    PROF_EXHAUSTIVE /* the same, and with every candidate that the model could not rule out */
};

enum prof_mode {
    PROF_NONE,     /* not measured */
    PROF_SLICES,   /* one slice after another, all of them productive */
    PROF_RERUN,    /* the first slice again and again, in place */
    PROF_LAUNCHES, /* each sample is a whole launch */
    PROF_SANDBOX,  /* the first slice again and again, on copies of what the kernel writes */
    PROF_SWAP      /* likewise the whole range, which then runs once in place */
};
#define PROF_MODES  (PROF_SWAP + 1)
#define PROF_COPIES (1u << PROF_SANDBOX | 1u << PROF_SWAP) /* the modes that work on copies */

/* The mode's name in options and reports; "?" if there is none of this number. */
const char *prof_mode_name(enum prof_mode m);

struct prof_policy {
    enum prof_effort effort;
    double budget;        /* beta: fraction of observed_ns that may be spent, default 0.05 */
    double margin;        /* a winner must beat the own size by this fraction, default 0.03 */
    int64_t min_slice_ns; /* a shorter sample is meaningless (clock granularity, launch overhead) */
    unsigned modes;       /* bit (1u << enum prof_mode) set: allowed; 0 = all */
    bool sandbox;     /* what the kernel writes can be copied: it can run without touching the originals */
    uint64_t not_yet; /* bit i: lane i must not be measured now */
    bool slices_only; /* SLICES or nothing, and as many as a race and its duel take */
};

/* ---- account --------------------------------------------------------------------------------------- */

/* Kept per kernel and device, across runs (wisdom). */
struct prof_account {
    int64_t observed_ns; /* kernel time seen, in launches of the application and in productive samples */
    int64_t spent_ns; /* time that tuning added: slower-than-own samples, compilation, waits, repeated work */
    int64_t saved_ns; /* estimate: how much longer the launches would have taken with the own size */
    int64_t compile_ns; /* learned cost of the first launch of a local size; < 0 unknown */
    int64_t variant_ns; /* the same of a variant, whose code is another; 0 unknown */
    int64_t build_ns;   /* learned cost of building a variant's program; 0 unknown */
    int64_t granted_ns; /* what may be spent besides the budget, summed over runs: PROF_GRANT_NS for each */
};

/* What tuning may cost one run in any case.  What a run does not use is available to the next. */
#define PROF_GRANT_NS 20000000

/* How many times an expected gain must cover what exceeds the allowance.  It is more than 1 because models
 * are off by small factors; it also keeps all overdrafts of a kernel together below gain / PROF_PAYBACK,
 * however many candidates disappoint. */
#define PROF_PAYBACK 4

/* The model's predicted ratios are off by about this factor on CPUs (BENCHMARKS.md, "scaled"): only what it
 * promises beyond that counts as a gain. */
#define PROF_MODEL_ERROR 1.5

/* What tuning may have cost by now, in ns: `budget` (as in prof_policy) as a share of what was observed, what
 * was granted, and one part in PROF_PAYBACK of what was saved. */
double prof_allowance(const struct prof_account *a, double budget);

/* What finding sizes has cost since then or, if faster samples gained more than that, what it has saved.  One
 * of the two is 0. */
void prof_balance(const struct prof_account *a, const struct prof_account *since, int64_t *spent_ns,
                  int64_t *saved_ns);

/* May `cost_ns` be spent now?  Never for PROF_ESTIMATE or with a budget of 0, always for the efforts without
 * a budget.  Otherwise if that much of prof_allowance() is left, or if nothing is overdrawn and `gain_ns` is
 * at least PROF_PAYBACK times what is missing: what a promise has cost must be earned before another one is
 * believed. The gain is what the rest of this launch, and as many launches again as have been seen, are
 * expected to save (prof_price()). */
bool prof_may_spend(const struct prof_account *a, const struct prof_policy *p, int64_t cost_ns,
                    int64_t gain_ns);

/* Learn a cost, in ns.  A larger one than was known is believed at once, a smaller one by and by. */
void prof_learn(int64_t *known_ns, int64_t ns);

/* Enter the building of a variant's program. */
void prof_charge_build(struct prof_account *a, int64_t ns);

/* ---- race: what is known --------------------------------------------------------------------------- */

#define PROF_MAX_CANDIDATES 64
#define PROF_OWN_SAMPLES    16 /* samples of the own size from which the noise is computed */

/* What is known of one candidate.  Times are rates, so that samples of different length can be compared. */
struct prof_lane {
    const char *variant; /* the name of another kernel that does the same work, to tell lanes apart and for
                            people; its memory is the caller's.  NULL: the program's own kernel */
    uint64_t text;       /* hash of what that kernel is made from: another text is another kernel */
    size_t local[3];
    bool tried;     /* it has run: its compilation is paid for */
    unsigned parts; /* main and tail launches that one launch becomes, each compiled separately; 0 means 1 */
    bool known;     /* it ran in an earlier run: the driver is expected to have kept what it compiled */
    bool ahead;     /* with `known`: it has never run, but was compiled ahead */
    bool looked_at; /* the caller's: it was used on copies, if it can be */
    bool used;      /* an earlier run used it, after looking at it first if that could be */
    bool sliced;    /* what slices with it need was compiled ahead */
    bool dropped;   /* out of the race: beaten beyond the noise, failed, or not affordable */
    bool failed;    /* the driver rejected it, or a launch with it failed */
    double predicted_ns; /* for the whole launch, 0 = unknown: from the model, or as it was `seen` */
    bool seen;           /* ... at work on copies, in a part of a launch */
    unsigned samples;
    double best;                    /* the smallest sample */
    double second_best, third_best; /* the next smallest; 0 while there are fewer samples */
    double worst;                   /* the largest */
    double mean;                    /* of the samples */
    double unpaired; /* the last sample, until the own size's next one completes the pair; 0: none */
    float pair_sum;  /* sum over pairs: sample / mean of the own size's two samples around it */
    uint8_t pairs, pairs_won, pairs_lost; /* all; faster than both of those samples; faster than neither */
    int64_t overhead_ns;                  /* compilation and waiting charged to this candidate so far */
    int64_t lost_ns; /* time that its productive samples took longer than with the own size; < 0: less */
    unsigned before; /* samples of earlier runs, entered once this run knows the own size's rate */
    double before_best, before_worst; /* their extremes, relative to the own size's best at that time */
};

struct prof_race {
    unsigned n;
    struct prof_lane lane[PROF_MAX_CANDIDATES]; /* lane[0] is the application's own size */

    /* the own size */
    double own_rate[PROF_OWN_SAMPLES]; /* its first samples */
    double noise;    /* relative: twice the standard deviation of own_rate over its mean, of three samples or
                        more without the largest */
    double own_last; /* its latest sample in this run; 0: none */
    double own_item_ns; /* its rate for the account: the warm-up's, then the mean; 0 unknown */
    bool warm;          /* it has had its first sample, a warm-up that does not count */
    unsigned bad;       /* its meaningless samples: the clock may not work */

    /* the rules */
    enum prof_effort effort;
    double margin;         /* the policy's */
    unsigned rounds;       /* samples wanted per surviving candidate */
    unsigned doubts;       /* earlier races in a row that were decided in doubt */
    unsigned runs;         /* earlier runs in a row that measured candidates and did not decide */
    bool across;           /* each run has few launches: samples of earlier runs count as they are */
    bool single;           /* ... at most PROF_SINGLE_LAUNCHES */
    bool awaited;          /* another process is compiling lanes ahead; the caller may set it at any time */
    bool variants_awaited; /* ... those of variants */
    bool trial;            /* ... tries a variant, which promises more than a size: no new one is measured */
    unsigned waits; /* the next candidate cannot be paid for: meanwhile this lane and the own size take turns
                       (prof_race_choose()); 0: no */

    /* the duel: index 0 is the own size, 1 the lane that must confirm its lead */
    unsigned duel; /* that lane, 0 = none */
    unsigned duel_samples[2];
    double duel_best[2];
    unsigned confirmed; /* lane whose lead was confirmed, 0 = none */

    bool decided;
    unsigned winner; /* valid when decided */
};

/* ---- race: its course ------------------------------------------------------------------------------ */

/* Start a race over the kept candidates c[0..n) in their order, PROF_MAX_CANDIDATES at most.  The own size
 * becomes lane 0; when the application gave none, the candidate marked `own` stands for the driver's choice
 * (local all 0). */
void prof_race_begin(struct prof_race *r, const struct candidate *c, unsigned n, const struct prof_policy *p);

/* Let another kernel with this local size join a race under way; `variant` as in struct prof_lane, NULL not
 * allowed.  `predicted_ns` for the whole launch, 0 = unknown.  Its samples must be whole launches: it fits no
 * slices.  Returns its lane, 0 if there is no room. */
unsigned prof_race_join(struct prof_race *r, const char *variant, uint64_t text, const size_t local[3],
                        double predicted_ns);

/* Has a variant confirmed its lead, or is it so far ahead, that it may win although the race is not over? For
 * the end of a run: the next one need not build what competes with it. */
bool prof_race_variant_won(const struct prof_race *r);

/* A variant takes `relative` of the own size's time: drop the sizes of the program's own kernel that can
 * hardly take less, by their samples, or else by the model, but not the two most promising ones. */
void prof_race_outdo(struct prof_race *r, double relative);

/* The lane to measure next, -1 when the race is over.  The own size comes first, once to warm up and `rounds`
 * times to learn the noise; then the candidates, the most promising first, with one sample each per round,
 * and the own size again after every round, so that a drift of the machine makes no winner.  Finally the
 * leader and the own size take turns: being the best of many is partly luck, which fresh samples do not
 * repeat.  If a candidate is outstanding (prof_race_outstanding()), the own size is measured only `rounds`
 * times. */
int prof_race_next(const struct prof_race *r);

/* Add a sample: `items` work-items took `ns` (execution alone) plus `overhead_ns` (compilation, waiting), and
 * drop the candidates that are beaten now.  ns <= 0 is a failed or meaningless measurement: it drops a
 * candidate, but never the own size. */
void prof_race_add(struct prof_race *r, unsigned lane, size_t items, int64_t ns, int64_t overhead_ns);

/* Advance the race as if `lane` had been sampled with the time that its earlier samples, or else the own
 * size's, took.  For planning on a copy of a race (prof_batch()). */
void prof_race_assume(struct prof_race *r, unsigned lane);

/* Measure the lane no more; `failed`: because the driver rejected it or a launch failed.  The own size stays
 * in the race whatever happens: nothing is done for it. */
void prof_race_drop(struct prof_race *r, unsigned lane, bool failed);

/* The lane's smallest sample relative to the own size's, of this run or else of earlier ones; 0: there is
 * none. */
double prof_race_ratio(const struct prof_race *r, unsigned lane);

/* The lane's time relative to the own size's under the same conditions: the mean over its pairs; 1 if it has
 * none. */
double prof_pair_ratio(const struct prof_lane *l);

/* The lane of the program's kernel with this size; 0, too, if there is none. */
unsigned prof_lane_of(const struct prof_race *r, const size_t local[3]);

/* The lane that prof_race_decide() would choose now, 0 when in doubt.  Launches that are no samples use
 * it. */
unsigned prof_race_leader(const struct prof_race *r);

/* Does a sample of `lane` count, also if the race did not ask for it?  Only while the lane has few, and of
 * the own size only when a promising lane has enough samples and does not lead, perhaps because the own
 * size's noise hides how much better it is: launch times may change slowly, and the smallest of ever more
 * samples of one size becomes less and less comparable with those of the others. */
bool prof_race_wants(const struct prof_race *r, unsigned lane);

/* ---- race: what is worth measuring ----------------------------------------------------------------- */

/* A size is used before it was measured if it is predicted to be this many times as fast as the own size.  Of
 * the benchmark's kernels 17 had such a prediction, and all of them became faster, by a tenth at least. */
#define PROF_TRUST 1.25

/* Should the lane be given up if it is expensive?  True when several candidates brought no gain, and this one
 * would not either if the model is as optimistic about it as about the best of those.  A single sample that
 * may be a disturbance's is no evidence. */
bool prof_race_hopeless(const struct prof_race *r, unsigned lane);

/* The lane whose slowest sample, of this run or of earlier ones, took less than a quarter of the own size's
 * fastest; of several the one with the least.  0 if there is none. */
unsigned prof_race_outstanding(const struct prof_race *r);

/* The lane for work that is enqueued behind samples whose times are not known yet ([D]'s initial choice): the
 * leader or an outstanding lane; while nothing but the own size was measured, the model's choice if it
 * promises PROF_TRUST; else 0.  The caller must see to it that the lane is compiled by then. */
unsigned prof_race_initial(const struct prof_race *r);

/* The lane to measure now, -1: none.  `affordable` is called with `context` and tells whether a sample of a
 * lane can be paid for.
 *
 * A lane that prof_race_next() names but that cannot be paid for is dropped once there is a leader and no
 * other process is compiling for it, or when it is hopeless (prof_race_hopeless()).  Otherwise the race waits
 * until the budget covers it.  Meanwhile the leader and the own size take turns in the duel or, without a
 * leader, the promising lane, or one that had a single look, in pairs, as long as these speak for it: what
 * was once fast may have met a quiet moment.  But not if samples only repeat work (`repeated`): those would
 * use up what is being saved. */
int prof_race_choose(struct prof_race *r, bool repeated,
                     bool (*affordable)(const void *context, unsigned lane), const void *context);

/* ---- race: the decision ---------------------------------------------------------------------------- */

enum prof_outcome {
    PROF_OPEN,    /* not decided */
    PROF_WON,     /* another size beats the application's */
    PROF_NO_GAIN, /* nothing beats the application's size by margin and noise */
    PROF_MODEL,   /* effort estimate: the model's choice, not measured */
    PROF_ASKED    /* the user's choice */
};
#define PROF_OUTCOMES (PROF_ASKED + 1)

/* The outcome's name in reports and wisdom; "?" if there is none of this number. */
const char *prof_outcome_name(enum prof_outcome outcome);

struct prof_decision {
    enum prof_outcome outcome;
    unsigned winner;
    double gain; /* own time / winner time, 1.0 when equal or unknown */
    double noise;
    bool doubtful;   /* PROF_NO_GAIN, but something was faster by more than the margin though less than the
                        noise, or the times vary too much to rule that out */
    unsigned doubts; /* PROF_NO_GAIN that is believed although they do: so many races in a row ended in doubt
                        before; 0: it is certain */
};

/* Decide now with what is known.  Ties and doubt go to the own size. */
void prof_race_decide(struct prof_race *r, const struct prof_policy *p, struct prof_decision *out);

/* ---- race: from run to run ------------------------------------------------------------------------- */

#define PROF_MAX_EVIDENCE    16
#define PROF_FEW_LAUNCHES    12 /* a run with no more launches of a shape is too short to compare sizes in */
#define PROF_SINGLE_LAUNCHES 2  /* with no more, the first one is a sample and not a warm-up */
#define PROF_MOST_RUNS       16 /* that measure candidates; then a race ends with what is proven */
#define PROF_PAST_OWN        8  /* samples of the own size that are handed on */
#define PROF_VARIANT         64 /* bytes of a variant's name; one with a longer name is not handed on */

/* What is known of a candidate, handed on to the next run.  Times are relative to the own size's best sample
 * in the same run, because times differ more between runs than their ratios do. */
struct prof_evidence {
    size_t local[3];
    unsigned samples;
    double best, worst; /* relative; 0 without samples */
    bool dropped, failed;
    bool used;                  /* also where no samples are handed on */
    char variant[PROF_VARIANT]; /* as in struct prof_lane; "": the program's own kernel */
    uint64_t text;
};

/* What a race leaves to the next run.  Sizes of shapes with few launches per run are compared across runs:
 * then the own size's samples are handed on as well. */
struct prof_past {
    unsigned n;
    struct prof_evidence candidate[PROF_MAX_EVIDENCE];
    unsigned doubts;   /* races in a row that were decided in doubt */
    unsigned runs;     /* runs in a row that measured candidates and did not decide */
    unsigned launches; /* in the last run, where they were few; 0: many, and nothing below is valid */
    unsigned nown;
    double own[PROF_PAST_OWN]; /* rates, oldest first */
    size_t duel[3];            /* the size that is confirming its lead; all 0: none */
    unsigned duel_samples[2];  /* of the own size, of that one */
    double duel_best[2];       /* rates */
};

/* Fill *past for the next run; this one launched the shape `launches` times.  It covers all candidates that
 * have run, PROF_MAX_EVIDENCE at most, variants before sizes.  If the race was decided in doubt, those that
 * might be faster count as compiled but not measured. */
void prof_race_save(const struct prof_race *r, unsigned launches, struct prof_past *past);

/* Add to *past what `before` knows of variants with texts that *past does not cover, as far as there is room:
 * they have not joined the race yet. */
void prof_past_keep_variants(struct prof_past *past, const struct prof_past *before);

/* Continue where an earlier run stopped.  Pre: prof_race_begin() was just called.  Candidates that were
 * beaten stay out.  Their earlier samples count once this run has some of the own size, and nothing wins
 * without a duel in this run.  Shapes with few launches per run differ: there the own size's earlier samples
 * count at once, and so does a duel that was begun earlier. */
void prof_race_resume(struct prof_race *r, const struct prof_past *past);

/* What earlier runs found out about a lane: its size, of the same kernel; NULL: nothing. */
const struct prof_evidence *prof_past_of(const struct prof_past *past, const struct prof_lane *l);

/* Take that over, of a lane that has joined later. */
void prof_race_resume_lane(struct prof_race *r, unsigned lane, const struct prof_past *past);

/* Add a sample of the own size, in ns per work-item; if there is no room it replaces the oldest. */
void prof_past_add_own(struct prof_past *past, double rate);

/* ---- the price of a sample ------------------------------------------------------------------------- */

/* A sample that might be taken. */
struct prof_stake {
    size_t items;       /* work-items in the sample */
    size_t left;        /* work-items of this launch that have not run, the sample's included */
    bool repeated;      /* the results are not needed: RERUN, or on copies */
    double item_ns;     /* rate of the own size, used while the race has not measured it; 0 unknown */
    int64_t compile_ns; /* used while the account has learned none (struct device: compile_ns) */
};

/* The price of a sample of `lane`.
 *
 * *cost_ns: compilation, plus the time that its items take longer than with the own size (all of their time
 * if the work is repeated).  An untried size is assumed to take twice the predicted time, and at least a
 * quarter more than the own size; without a prediction, twice the own size's time.
 *
 * *gain_ns: what the lane's size may save on the rest of this launch and on as much kernel time again as the
 * account has observed.  For a size that must be compiled only what it promises beyond the best measured size
 * counts; without a prediction it promises nothing.
 *
 * A sample of the own size alone is useless: until a candidate was tried, its cost includes that of the first
 * candidate, and its gain is that of the most promising one. */
void prof_price(const struct prof_race *r, unsigned lane, const struct prof_account *a,
                const struct prof_stake *s, int64_t *cost_ns, int64_t *gain_ns);

/* Can a sample of `lane` be paid for (prof_may_spend())? */
bool prof_affordable(const struct prof_race *r, unsigned lane, const struct prof_account *a,
                     const struct prof_policy *p, const struct prof_stake *s);

/* Enter a sample into the account; before prof_race_add().  `repeated`: not productive; all is spent. */
void prof_charge(struct prof_account *a, struct prof_race *r, unsigned lane, size_t items, int64_t ns,
                 int64_t overhead_ns, bool repeated);

/* ---- drift ----------------------------------------------------------------------------------------- */

/* Times of a decided kernel since the decision; all 0 to begin with. */
struct prof_drift {
    double reference; /* the smallest rate among the first samples */
    unsigned samples; /* how many of those there have been */
    unsigned moved;   /* samples in a row that took more than twice the reference */
};

/* Add a sample, in ns per work-item; ignored if <= 0.  True when the decision should be made anew, because
 * several in a row took more than twice the reference. */
bool prof_drift_add(struct prof_drift *d, double item_ns);

/* ---- plan ------------------------------------------------------------------------------------------ */

struct prof_plan {
    enum prof_mode mode;
    char why[192];       /* why no cheaper mode of those allowed: "mode: reason", joined by "; " */
    unsigned dim;        /* sliced dimension (all but LAUNCHES) */
    size_t grain;        /* slices are multiples of this many work-items along dim: lcm of the candidates'
                            extents there, without candidates that would make it too large
                            (prof_drop_misfits()) */
    size_t slice;        /* work-items along dim per sample */
    size_t budget_items; /* at most this many work-items along dim may go into samples */
    double item_ns;      /* as given, else predicted for the own size; 0 unknown */
    int64_t compile_ns;  /* the device's, for prof_stake */
};

/* Should a launch that takes this long be measured until its kernel is decided, rather than be one sample? */
bool prof_settles_at_once(enum prof_effort effort, double launch_ns);

/* Choose the cheapest mode that is proved and fits: SLICES, else RERUN, else LAUNCHES, else SANDBOX, else
 * SWAP, else NONE.  Where prof_settles_at_once(), SLICES only come first if there is room for a whole race
 * and its duel; else they, like LAUNCHES, come after the modes that repeat work.  `item_ns`: estimated
 * nanoseconds per work-item (0 = unknown), `repeats`: the same launch is expected again. */
void prof_plan_make(struct prof_plan *plan, const struct sel_proof *proof, const struct launch *l,
                    const struct prof_race *r, const struct device *d, const struct prof_policy *p,
                    double item_ns, bool repeats);

/* A sample of `slice` work-items along the plan's dimension, once so many of the launch are `done`. */
struct prof_stake prof_stake_of(const struct prof_plan *plan, const struct launch *l, size_t slice,
                                size_t done);

/* Does the candidate's extent divide the plan's slices?  The plan leaves out those that do not. */
bool prof_fits(const struct prof_lane *l, const struct prof_plan *plan);

/* Drop the candidates that the plan left out. */
void prof_drop_misfits(struct prof_race *r, const struct prof_plan *plan);

/* ---- synchronous execution ------------------------------------------------------------------------- */

/* A sub-range of the application's NDRange, absolute: offset includes the application's. */
struct prof_range {
    size_t offset[3], size[3];
};

/* The part [from, from + size) of a launch along one dimension. */
static inline struct prof_range prof_range_of(const struct launch *l, unsigned dim, size_t from, size_t size)
{
    struct prof_range r = {{l->offset[0], l->offset[1], l->offset[2]},
                           {l->global[0], l->global[1], l->global[2]}};

    r.offset[dim] += from;
    r.size[dim] = size;
    return r;
}

/* What the runner needs from a device; called by the thread that called prof_run(), with `ctx`.
 *
 * run(): execute `range` with `local` (all 0: driver's choice) and wait with a deadline.  Returns
 *   0           with *ns (execution) and *overhead_ns (everything else that it cost) set;
 *   -ETIMEDOUT  it was enqueued and will complete, but was not measured in time;
 *   other negative errno  it did not run at all.
 *
 * sandbox(): likewise, but on private copies of what the kernel writes, made afresh.  May be NULL unless the
 * policy allows it. */
typedef int prof_op(void *ctx, const struct prof_range *range, const size_t local[3], int64_t *ns,
                    int64_t *overhead_ns);
struct prof_ops {
    prof_op *run, *sandbox;
    int64_t (*now)(void *ctx); /* monotonic */
    void *ctx;
};

/* Run slices until the race is over, the account is exhausted, the plan's items are used, or a deadline
 * passed.  SLICES: successive slices, all productive.  RERUN: the first slice again and again; SANDBOX: the
 * first slice, then the same on copies.  SWAP: the whole range on copies.
 *
 * Returns how many work-items along plan->dim, from the front, have run or are enqueued for good, with some
 * candidate: RERUN, SANDBOX: 0 or one slice, SWAP: 0.  The caller launches the rest. */
size_t prof_run(const struct prof_plan *plan, const struct launch *l, struct prof_race *r,
                struct prof_account *a, const struct prof_policy *p, const struct prof_ops *ops);

/* ---- asynchronous execution ------------------------------------------------------------------------ */

/* One part of a launch that becomes a sample. */
struct prof_part {
    struct prof_range range;
    unsigned lane;
    bool repeated; /* the work has been done by a part before */
    bool record;   /* its time is evidence */
};

/* Plan the samples of one launch whose times will be known only later: those that prof_run() would take if
 * all candidates were equally fast, at most `room`.  Modes SLICES and RERUN only.  Returns the number of
 * parts, in the order in which they must be enqueued. */
unsigned prof_batch(const struct prof_plan *plan, const struct launch *l, struct prof_race *r,
                    const struct prof_account *a, const struct prof_policy *p, struct prof_part *part,
                    unsigned room);
