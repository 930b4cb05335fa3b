/* estimate.c - sel_estimate(): occupancy, traces, cache behaviour, bounds, pruning, order. */
#include "select/time/balance.h"
#include "select/time/features.h"
#include "select/integer.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Accesses sampled for cache reuse, about 100 ns each on a CPU; on a GPU what they are worth (turns.c): in
 * one call, whose candidates count as so many if it is coarse, and bounds for one estimate. */
static const struct {
    unsigned total, coarse, most, least;
} sampled[] = {{40000, 100, 384, 96}, {160000, 600, 32768, 256}};
#define COARSE_FROM  200  /* with more candidates than this the estimates become coarser (sel_work.coarse) */
#define MOST_DEALT   2048 /* groups per CPU core up to which dealing them out is modelled; more balance out */
#define MASKED_SAVES 0.6  /* of row_ns, where vectors have masks: no rest of a row is left to other code */
#define STEPS_EACH   500  /* steps that each candidate adds to the budget of trace_prepare() when coarse */
#define MOST_DEFAULT 65536 /* work-items that a driver would put into a group, if the device has no limit */

struct sel_work *sel_work_new(void)
{
    return calloc(1, sizeof(struct sel_work));
}

void sel_work_free(struct sel_work *w)
{
    if (!w)
        return;
    arena_free(&w->arena);
    free(w);
}

/* ---- set-up ---------------------------------------------------------------------------------------- */

/* May the body observe the group's shape other than through global ids? */
static bool sees_local_size(const struct kernel_summary *k)
{
    if (sum_proved(k, SUM_FACT_S))
        return false;
    for (uint32_t i = 0; i < k->nleaf; i++)
        if (k->insns[i].op == SUM_WI && k->insns[i].sub != SUM_WI_GLOBAL_ID &&
            k->insns[i].sub != SUM_WI_GLOBAL_SIZE && k->insns[i].sub != SUM_WI_GLOBAL_OFFSET &&
            k->insns[i].sub != SUM_WI_WORK_DIM && k->insns[i].sub != SUM_WI_GLOBAL_LINEAR_ID)
            return true;
    return false;
}

static uint64_t local_bytes(const struct kernel_summary *k, const struct launch *l)
{
    uint64_t sum = k->local_bytes;
    for (uint32_t a = 0; a < k->nargs && a < l->nargs; a++)
        if (k->args[a].kind == SUM_ARG_LOCAL)
            sum += l->args[a].size;
    return sum;
}

/* Operations of the body, each counted once, as compilers do that ask whether a loop is to be unrolled:
 * divisions and roots are more. */
static uint32_t operations(const struct kernel_summary *k)
{
    static const uint8_t weight[SUM_C_COUNT] = {
        [SUM_C_FDIV] = 3, [SUM_C_DDIV] = 3, [SUM_C_SQRT] = 8, [SUM_C_DSQRT] = 8};
    uint32_t n = 0;

    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        n += k->insns[v].cls == SUM_C_NONE ? 0 : 1 + weight[k->insns[v].cls];
    return n;
}

static int set_up(struct sel_work *w, const struct kernel_summary *k, const struct launch *l,
                  const struct device *d, unsigned n, struct sel_estimate *out)
{
    arena_reset(&w->arena);
    memset(w->traces, 0, sizeof w->traces);
    memset(w->equal, 0, sizeof w->equal);
    memset(w->reuses, 0, sizeof w->reuses);
    memset(w->rounds, 0, sizeof w->rounds);
    w->memory = NULL;
    w->k = k;
    w->l = l;
    w->d = d;
    w->out = out;
    int e = trace_prepare(&w->prog, k, l, d, &w->arena);
    if (e)
        return e;
    w->prog.transposed = w->transposed;
    w->prog.positional &= !sum_proved(k, SUM_FACT_U); /* U proves that the position does not matter */
    w->lanes = d->warp == 0 ? 1 : d->warp < TRACE_LANES ? d->warp : TRACE_LANES;
    w->ops = operations(k);
    w->scalar = d->is_cpu && d->scalar_loops && w->prog.cfg.nloop > 0;
    w->exact_local = sees_local_size(k);
    w->coarse = n > COARSE_FROM;
    if (w->coarse)
        w->prog.budget += n * STEPS_EACH;
    w->local_bytes = local_bytes(k, l);
    const unsigned most = sampled[!d->is_cpu].most, least = sampled[!d->is_cpu].least;
    const unsigned each = sampled[!d->is_cpu].total / (w->coarse ? sampled[!d->is_cpu].coarse : n ? n : 1);
    w->sample = each > most ? most : each < least ? least : each;
    w->entry = arena_get(&w->arena, TRACE_ENTRIES * sizeof *w->entry);
    w->loop = arena_get(&w->arena, TRACE_LOOPS * sizeof *w->loop);
    w->scratch = arena_get(&w->arena, reuse_scratch(w->sample));
    if (!w->entry || !w->loop || !w->scratch)
        return -ENOMEM;
    if ((e = spill_find(w)) || (e = mwp_find_uses(w)))
        return e;
    return est_probe(w);
}

/* ---- one candidate --------------------------------------------------------------------------------- */

/* A hash of what makes the rounds of two cases the same. */
static uint64_t hash_case(const struct est_case *c)
{
    const double rest[4] = {c->group, c->active, c->tail, c->amid};
    uint64_t h = est_hash(c->reuse->hash, c->trace, c->n * sizeof *c->trace);
    h = est_hash(h, c->weight, c->n * sizeof *c->weight);
    return est_hash(h, rest, sizeof rest);
}

/* Do both run the same rounds: equal traces for every warp, equally many active warps, equal cache behaviour?
 */
static bool same_round(const struct est_case *a, const struct est_case *b)
{
    return a->hash == b->hash && a->active == b->active && a->group == b->group && a->tail == b->tail &&
           memcmp(a->trace, b->trace, sizeof a->trace) == 0 &&
           memcmp(a->weight, b->weight, sizeof a->weight) == 0 &&
           memcmp(a->place, b->place, sizeof a->place) == 0 && reuse_equal(a->reuse, b->reuse);
}

static struct est_case *find_same(struct sel_work *w, struct est_case *e)
{
    struct est_case **bucket = &w->rounds[(e->hash >> 40) % EST_BUCKETS], *x = *bucket;
    while (x && !same_round(x, e))
        x = x->next;
    if (x)
        return x;
    e->next = *bucket;
    return *bucket = e;
}

#define ROUNDING 1e-6

/* For the report: transactions per work-item, by class. */
static void report_traffic(const struct sel_work *w, const struct est_case *c, struct candidate *out)
{
    double lanes = 0, sum[SEL_TRAFFIC] = {0};
    for (unsigned i = 0; i < c->n; i++) {
        const struct trace_counts *t = &c->trace[i]->t.sum;
        const double weight = c->weight[i];
        lanes += weight * c->trace[i]->lanes;
        sum[SEL_T_LOCAL] += weight * (t->transactions[TRACE_LOCAL][0] + t->transactions[TRACE_LOCAL][1]);
        sum[SEL_T_CONSTANT] +=
            weight * (t->transactions[TRACE_CONSTANT][0] + t->transactions[TRACE_CONSTANT][1]);
        for (unsigned wr = 0; wr < 2; wr++) {
            double all = t->transactions[TRACE_GLOBAL][wr] + t->transactions[TRACE_IMAGE][wr], hits = 0;
            all *= w->d->is_cpu ? 1 : (double)c->reuse->all[wr].lines;
            for (unsigned lv = 0; lv < DEV_LEVELS; lv++)
                hits += (double)c->reuse->all[wr].share[lv];
            if (fabs(1 - hits) < ROUNDING) /* the shares are in single precision */
                hits = 1;
            sum[SEL_T_GLOBAL] += weight * all * (1 - hits);
            sum[SEL_T_CACHE] += weight * all * hits;
        }
    }
    for (unsigned i = 0; i < SEL_TRAFFIC; i++)
        out->transactions[i] = lanes > 0 ? sum[i] / lanes : 0;
}

/* Do warps at different places in the range do different work? */
static bool varies(const struct est_case *c)
{
    bool any = false;
    for (unsigned i = 1; i < c->n; i++)
        any |= c->place[i] > c->place[i - 1] && c->trace[i] != c->trace[i - 1];
    return any;
}

/* What a unit's groups, of which it holds `at_once`, take longer than their rounds: the launches, whose
 * number doubles for each dimension that the size does not divide, and the dispatch of groups.  On a GPU that
 * overlaps with work, unless memory decides how much of that there is.  [R] and [W] count neither. */
static void count_dispatch(const struct sel_work *w, double per_unit, double at_once,
                           const struct candidate *c, struct est_case *e)
{
    const enum sum_reason varies_by = w->k->fact[SUM_FACT_U].reason;
    const bool overlaps = !w->d->is_cpu && (varies_by == SUM_R_NONE || varies_by == SUM_R_POSITION_DEPENDENT);
    const double masked = c->local[0] < w->d->row_min || w->d->masked_wait <= 0
                              ? 0
                              : MASKED_SAVES * w->prog.masked_part,
                 rows_ns = w->d->is_cpu ? w->d->row_ns * (1 - masked) * (est_rows(w, c->local) - 1) : 0;
    double launches = 1;
    for (unsigned i = 0; i < 3; i++)
        launches *= w->l->global[i] % c->local[i] ? 2 : 1;
    e->fixed_ns = w->d->launch_ns * launches;
    e->dispatch_ns = (w->d->group_ns + rows_ns) * per_unit;
    e->fill_ns = overlaps && at_once < per_unit ? w->d->group_ns * at_once : e->dispatch_ns;
    e->round_ns = overlaps ? e->cycle_ns : 0;
    e->last_ns = 0;
    e->whole_ns = (double)(uint64_t)(per_unit / at_once) * e->cycle_ns;
    if (overlaps && e->amid && e->whole_ns < e->rounds_ns) {
        struct demand part[PARTS];
        e->last_ns = est_load(e, part) * e->cycle_ns;
    }
}

/* What groups cost along the range, at EST_PLACES of it.  Where memory decides how much they do, nobody
 * knows: rows of a sparse matrix are often sorted by length, so it may be twice as much at one end as at the
 * other. */
static bool slopes(const struct sel_work *w, const struct est_case *e, double *cost)
{
    if (w->prog.positional && est_slope(e, cost))
        return true;
    for (unsigned i = 0; i < EST_PLACES; i++)
        cost[i] = 2 - (double)i / (EST_PLACES - 1);
    return w->k->fact[SUM_FACT_U].reason == SUM_R_DATA_DEPENDENT;
}

/* T_kernel ([W] eq. 8, 10) with rounds = ceil(groups / N_SM) / N_awg, not rounded up again. */
static void count_rounds(const struct sel_work *w, const struct occupancy *occ, double groups,
                         const struct candidate *c, struct est_case *e)
{
    const double at_once = (double)occ->groups, units = w->d->units ? w->d->units : 1;
    double per_unit = groups / units, cost[EST_PLACES];
    e->active = e->warps * at_once;
    e->group = w->k->has_barrier ? e->warps : 0;
    e->tail = 0;
    per_unit = per_unit > (double)(uint64_t)per_unit ? (double)(uint64_t)per_unit + 1 : per_unit;
    double busiest = per_unit;
    if (w->d->is_cpu && groups < MOST_DEALT * units && slopes(w, e, cost))
        busiest = balance_groups(groups, w->d->units, cost, EST_PLACES);
    e->amid = !w->d->is_cpu && per_unit > at_once;
    if (!w->d->is_cpu && varies(e))
        e->tail = per_unit > at_once ? at_once / per_unit : 1;
    e->cycle_ns = w->d->clock_mhz > 0 ? 1000 / w->d->clock_mhz : 1;
    e->rounds_ns = busiest / at_once * e->cycle_ns;
    count_dispatch(w, per_unit, at_once, c, e);
}

/* How long an average warp holds the busiest level beyond the first cache. */
static double memory_cycles(const struct sel_work *w, const struct est_case *e)
{
    struct demand part[PARTS];
    double most = 0;
    est_load(e, part);
    part[PART_GM].delay -= est_masked_wait(w, e); /* other code may have no masks */
    for (unsigned p = PART_GC2; p <= PART_GM; p++)
        most = part[p].delay > most ? part[p].delay : most;
    return most;
}

static void bound_time(struct sel_work *w, struct est_case *e, struct candidate *c)
{
    e->hash = hash_case(e);
    e->same = find_same(w, e);
    const struct bounds *b = &e->same->bounds;
    if (e->same == e) {
        est_bounds(w, e, &e->bounds, &e->closed);
        e->memory = memory_cycles(w, e);
    }
    c->best_ns = est_time(e, b->best);
    c->worst_ns = est_time(e, b->worst);
    c->time_ns = est_time(e, e->same->closed);
    c->memory_ns = e->same->memory * e->active * e->rounds_ns;
}

/* How many groups a unit holds; why no more. */
static void occupy(const struct sel_work *w, const struct est_need *n, struct candidate *c,
                   struct occupancy *occ)
{
    const struct occ_need need = {.items = (uint64_t)c->local[0] * c->local[1] * c->local[2],
                                  .warps = occ_warps(w->d, c->local),
                                  .registers = n->registers,
                                  .local_bytes = n->local_bytes,
                                  .groups = (uint64_t)(n->times * est_groups(w, c))};
    occ_compute(w->d, &need, occ);
    c->limiter = occ->limiter;
    c->active_warps = (unsigned)(occ->warps < UINT32_MAX ? occ->warps : UINT32_MAX);
}

struct est_need est_needs(const struct sel_work *w)
{
    const uint32_t most = w->d->regs_item, regs = w->k->registers; /* estimated; what is too many is spilt */
    return (struct est_need){most && regs > most ? most : regs, w->local_bytes, 1};
}

void est_occupy(const struct sel_work *w, const struct est_need *need, struct candidate *c,
                struct est_case *e)
{
    struct occupancy occ;
    occupy(w, need, c, &occ);
    if (occ.groups)
        count_rounds(w, &occ, need->times * est_groups(w, c), c, e);
}

static int estimate_one(struct sel_work *w, struct candidate *c, struct est_case *e)
{
    c->state = SEL_KEPT;
    c->other = 0;
    c->best_ns = c->worst_ns = c->time_ns = c->memory_ns = 0;
    memset(c->transactions, 0, sizeof c->transactions);
    memset(c->x, 0, sizeof c->x);
    const struct est_need need = est_needs(w);
    struct occupancy occ;
    occupy(w, &need, c, &occ);
    if (occ.groups == 0) {
        c->state = SEL_INFEASIBLE;
        return 0;
    }
    int err = est_warps(w, c->local, occ.groups, e);
    if (err)
        return err;
    count_rounds(w, &occ, est_groups(w, c), c, e);
    bound_time(w, e, c);
    c->vectors = w->d->is_cpu && est_vectors(w, c->local);
    report_traffic(w, e, c);
    return 0;
}

/* ---- all ------------------------------------------------------------------------------------------- */

/* Roughly what drivers choose when the program leaves the size to them: the largest divisors, dimension 0
 * first, that leave a group for every unit.  A prime range gets groups of one work-item. */
static void default_size(const struct sel_work *w, size_t local[3])
{
    const size_t share = launch_items(w->l) / (w->d->units ? w->d->units : 1);
    size_t room = w->d->max_group_items ? w->d->max_group_items : MOST_DEFAULT;

    if (share < room)
        room = share ? share : 1;
    for (unsigned d = 0; d < 3; d++) {
        size_t extent = w->l->global[d] < room ? w->l->global[d] : room;
        while (w->l->global[d] % extent)
            extent--;
        local[d] = extent;
        room /= extent;
    }
}

/* A candidate of local size 0 stands for the driver's choice. */
static int estimate(struct sel_work *w, struct candidate *c, struct est_case *e)
{
    int err;

    if (c->local[0])
        return estimate_one(w, c, e);
    default_size(w, c->local);
    err = estimate_one(w, c, e);
    memset(c->local, 0, sizeof c->local);
    return err;
}

/* A duplicate's rounds take as long as those of the candidate that it duplicates. */
static int refine(struct sel_work *w, est_model *model, bool all, struct candidate *c, struct est_case *e,
                  unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (c[i].state == SEL_KEPT || (all && c[i].state != SEL_INFEASIBLE)) {
            if (e[i].same->cycles <= 0)
                e[i].same->cycles = model(w, e[i].same);
            if (e[i].same->cycles < 0)
                return -ENOMEM;
            e[i].cycles = e[i].same->cycles;
            c[i].time_ns = est_time(&e[i], e[i].cycles);
        }
    for (unsigned i = 0; i < n && !all; i++)
        if (c[i].state == SEL_DUPLICATE && c[c[i].other].state == SEL_KEPT)
            c[i].time_ns = est_time(&e[i], e[c[i].other].cycles);
    return 0;
}

/* The features of the first candidates and of the own size; order[i]: the case of c[i]. */
static void describe(const struct sel_work *w, struct candidate *c, const struct est_case *e,
                     const uint32_t *order, unsigned n)
{
    double best = INFINITY;
    for (unsigned i = 0; i < n; i++)
        if (c[i].state != SEL_INFEASIBLE && c[i].time_ns < best)
            best = c[i].time_ns;
    for (unsigned i = 0; i < n; i++)
        if ((i < SEL_DESCRIBED || c[i].own) && c[i].state != SEL_INFEASIBLE && c[i].local[0])
            est_features(w, &e[order[i]], &c[i], best, c[i].x);
}

/* Estimate, prune, refine and sort.  0 or a negative errno. */
static int run(struct sel_work *w, est_model *model, bool all, struct candidate *c, unsigned n)
{
    struct est_case *cases = arena_get(&w->arena, ((size_t)n + 1) * sizeof *cases);
    uint32_t *scratch = arena_get(&w->arena, (2 * (size_t)n + 2) * sizeof *scratch);
    struct candidate *copy = arena_get(&w->arena, ((size_t)n + 1) * sizeof *copy);
    if (!cases || !scratch || !copy)
        return -ENOMEM;
    for (unsigned i = 0; i < n; i++) {
        int e = estimate(w, &c[i], &cases[i]);
        if (e)
            return e;
    }
    est_prune(c, cases, n, scratch);
    int e = model ? refine(w, model, all, c, cases, n) : 0;
    if (e)
        return e;
    est_sort(c, n, scratch, scratch + n, copy);
    describe(w, c, cases, scratch, n);
    est_prefer(w, c, n);
    return 0;
}

static bool sane(const struct launch *l)
{
    return l->dim >= 1 && l->dim <= 3 && l->global[0] && l->global[1] && l->global[2];
}

int est_one(struct sel_work *w, const struct kernel_summary *k, const struct launch *l,
            const struct device *d, unsigned among, struct candidate *c, struct est_case *e,
            struct sel_estimate *out)
{
    *out = (struct sel_estimate){0};
    *e = (struct est_case){0};
    int err = sane(l) ? set_up(w, k, l, d, among, out) : -E2BIG;
    return err ? err : estimate(w, c, e);
}

int sel_estimate(const struct kernel_summary *k, const struct launch *l, const struct device *d,
                 struct candidate *c, unsigned n, struct sel_work *w, struct sel_estimate *out)
{
    return est_all(NULL, false, k, l, d, c, n, w, out);
}

int est_all(est_model *model, bool all, const struct kernel_summary *k, const struct launch *l,
            const struct device *d, struct candidate *c, unsigned n, struct sel_work *w,
            struct sel_estimate *out)
{
    *out = (struct sel_estimate){0};
    int e = sane(l) ? set_up(w, k, l, d, n, out) : -E2BIG;
    if (e == 0)
        e = run(w, model, all, c, n);
    trace_done(&w->prog);
    if (e) {
        for (unsigned i = 0; i < n; i++) {
            c[i].state = SEL_KEPT;
            c[i].best_ns = c[i].worst_ns = c[i].time_ns = 0;
        }
    }
    for (unsigned i = 0; i < n; i++)
        out->kept += c[i].state == SEL_KEPT;
    out->pruned_fraction = n ? 1 - (double)out->kept / n : 0;
    return e;
}

const char *sel_state_name(enum sel_state s)
{
    static const char *const names[] = {"kept", "duplicate", "inferior", "infeasible"};
    return (unsigned)s < sizeof names / sizeof *names ? names[s] : "?";
}

const char *sel_limiter_name(enum sel_limiter l)
{
    static const char *const names[] = {"none", "groups", "warps", "registers", "local-memory", "range"};
    return (unsigned)l < sizeof names / sizeof *names ? names[l] : "?";
}
