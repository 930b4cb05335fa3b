/* simulation.c - see simulation.h: the rounds of a case are those of the closed form (rounds.c). */
#include "select/predict/simulation.h"
#include "select/time/param.h"
#include "select/time/mwp.h"

#define EVENTS 8192 /* operations simulated per round, about */

_Static_assert(EST_WARPS <= SIM_WARPS, "a round's warps are simulated at once");

/* ---- rounds that have been simulated ------------------------------------------------------------------ */

#define MOST_KEPT 65536 /* further ones are simulated each time */

/* A demand belongs to one trace whose transactions are served in one way. */
struct simulated {
    struct simulated *next;
    uint64_t key[2 * EST_KINDS + 1]; /* demand and warps of each kind; group, and whether amid others */
    double cycles;
};

struct est_memory {
    struct simulated *bucket[EST_BUCKETS]; /* by hash */
    unsigned n;
};

static void make_key(const struct est_round *r, const struct sim_round *round,
                     uint64_t key[2 * EST_KINDS + 1])
{
    memset(key, 0, 2 * EST_KINDS * sizeof *key);
    for (unsigned k = 0; k < r->n; k++) {
        key[2 * k] = (uintptr_t)r->g[k].part;
        key[2 * k + 1] = (uint64_t)r->g[k].warps;
    }
    key[2 * EST_KINDS] = (uint64_t)round->group << 1 | round->amid;
}

/* The round with this key, or a new one without a time; NULL: no memory for it. */
static struct simulated *find(struct sel_work *w, const uint64_t key[2 * EST_KINDS + 1])
{
    if (!w->memory)
        w->memory = arena_get(&w->arena, sizeof *w->memory);
    if (!w->memory)
        return NULL;
    const uint64_t hash = est_hash(1, key, sizeof((struct simulated *)0)->key);
    struct simulated **bucket = &w->memory->bucket[(hash >> 40) % EST_BUCKETS], *x = *bucket;
    while (x && memcmp(x->key, key, sizeof x->key) != 0)
        x = x->next;
    if (x || w->memory->n == MOST_KEPT)
        return x;
    x = arena_get(&w->arena, sizeof *x);
    if (!x)
        return NULL;
    memcpy(x->key, key, sizeof x->key);
    x->cycles = -1;
    x->next = *bucket;
    w->memory->n++;
    return *bucket = x;
}

/* ---- simulating --------------------------------------------------------------------------------------- */

static double run(struct sel_work *w, const struct est_case *c, const struct est_round *r,
                  struct sim_round *round)
{
    static struct sim_op op[EST_KINDS][EST_PROGRAM]; /* one thread predicts */
    struct sim_kind kind[EST_KINDS];

    for (unsigned k = 0; k < r->n; k++) {
        kind[k].op = op[k];
        kind[k].warps = (uint32_t)r->g[k].warps;
        kind[k].nop =
            est_program(w, c->trace[r->sort[k]], c->reuse, r->g[k].part, EVENTS / r->at_once, op[k]);
    }
    round->kind = kind;
    w->out->rounds++;
    return sim_run(round);
}

/* What was simulated before is not again. */
static double simulate(struct sel_work *w, const struct est_case *c, const struct est_round *r)
{
    struct sim_round round = {.kinds = r->n, .amid = c->amid};
    round.oldest_first = w->d->oldest_first && !c->amid; /* the oldest are replaced as they end */
    round.group = c->group > 0 && c->group < SIM_WARPS ? (uint32_t)c->group : c->group > 0 ? SIM_WARPS : 1;
    uint64_t key[2 * EST_KINDS + 1];
    make_key(r, &round, key);
    struct simulated *known = find(w, key);
    const double cycles = known && known->cycles >= 0 ? known->cycles : run(w, c, r, &round);
    if (known)
        known->cycles = cycles;
    return cycles * c->active / r->at_once;
}

double est_simulate(struct sel_work *w, const struct est_case *c)
{
    return est_over_rounds(w, c, simulate);
}

/* Of the closed form, the simulation and [C]'s. */
static double median(struct sel_work *w, const struct est_case *c)
{
    const double a = c->same->closed, b = est_simulate(w, c), m = mwp_cycles(w, c);
    const double low = a < b ? a : b, high = a < b ? b : a;
    return m < low ? low : m > high ? high : m;
}

int sel_estimate_by(enum sel_model model, const struct kernel_summary *k, const struct launch *l,
                    const struct device *d, struct candidate *c, unsigned n, struct sel_work *w,
                    struct sel_estimate *out)
{
    static est_model *const cycles[] = {NULL, est_simulate, est_simulate, mwp_cycles, param_time, median};
    const bool all = model != SEL_MODEL_SIM && model != SEL_MODEL_MEDIAN;

    const int r = est_all(cycles[model], all, k, l, d, c, n, w, out);
    for (unsigned i = 0; i < n && r == 0; i++)
        out->simulated +=
            all ? model == SEL_MODEL_SIM_ALL && c[i].state != SEL_INFEASIBLE : c[i].state == SEL_KEPT;
    return r;
}
