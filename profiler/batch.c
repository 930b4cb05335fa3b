/* batch.c - planning the samples of one launch before any of it has run, because their times will be known
 * only later ([D] asynchronous profiling, eager execution). */
#include "profiler/profiler.h"

struct batch {
    const struct prof_plan *plan;
    const struct launch *launch;
    const struct prof_policy *policy;
    struct prof_race race;       /* a copy: what it becomes if all candidates are equally fast */
    struct prof_account account; /* a copy: what it becomes if all cost what is expected */
    struct prof_part *part;
    unsigned n, room;
};

static void add(struct batch *b, size_t at, unsigned lane, bool repeated, bool record)
{
    const double rate = b->race.own_item_ns > 0 ? b->race.own_item_ns : b->plan->item_ns;
    struct prof_part *p = &b->part[b->n++];

    *p = (struct prof_part){.range = prof_range_of(b->launch, b->plan->dim, at, b->plan->slice),
                            .lane = lane,
                            .repeated = repeated,
                            .record = record};
    if (record)
        prof_race_assume(&b->race, lane);
    if (repeated && lane == 0) /* candidates: next_lane() */
        b->account.spent_ns +=
            (int64_t)(rate * (double)prof_stake_of(b->plan, b->launch, b->plan->slice, 0).items);
}

/* The lane of the next sample, a candidate's charged to the copied account; -1: there is no room, or it
 * cannot be paid for. */
static int next_lane(struct batch *b, size_t done)
{
    const struct prof_stake stake = prof_stake_of(b->plan, b->launch, b->plan->slice, done);
    const int lane = prof_race_next(&b->race);
    int64_t cost, gain;

    if (b->n == b->room || lane < 0 ||
        !prof_affordable(&b->race, (unsigned)lane, &b->account, b->policy, &stake))
        return -1;
    if (lane) {
        prof_price(&b->race, (unsigned)lane, &b->account, &stake, &cost, &gain);
        b->race.lane[lane].tried = true;
        b->account.spent_ns += cost;
    }
    return lane;
}

unsigned prof_batch(const struct prof_plan *plan, const struct launch *l, struct prof_race *r,
                    const struct prof_account *a, const struct prof_policy *p, struct prof_part *part,
                    unsigned room)
{
    struct batch b = {.plan = plan, .launch = l, .policy = p, .account = *a, .part = part, .room = room};
    size_t done = 0;
    int lane;

    if (plan->mode != PROF_SLICES && plan->mode != PROF_RERUN)
        return 0;
    prof_drop_misfits(r, plan);
    b.race = *r;
    if (plan->mode == PROF_SLICES) {
        while (plan->slice <= plan->budget_items - done && (lane = next_lane(&b, done)) >= 0) {
            add(&b, done, (unsigned)lane, false, true);
            done += plan->slice;
        }
        return b.n;
    }
    if (room < 2 || next_lane(&b, 0) < 0)
        return 0;
    add(&b, 0, 0, false, !r->warm); /* with cold caches: only a warm-up, as in prof_run() */
    while ((lane = next_lane(&b, plan->slice)) >= 0)
        add(&b, 0, (unsigned)lane, true, true);
    return b.n;
}
