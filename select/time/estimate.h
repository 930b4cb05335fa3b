/* estimate.h - the parts of sel_estimate(); private to select/. */
#pragma once

#include "select/time/bounds.h"
#include "select/time/occupancy.h"
#include "select/time/reuse.h"
#include "select/integer.h"
#include "select/select.h"
#include <string.h>

#define EST_PLACES 5 /* first, quarter, half, three quarters, last warp of the range */
#define EST_KINDS  2 /* kinds of warps that one group mixes */

/* What one instruction accesses, in all of a trace's entries. */
struct est_touch {
    uint32_t insn;
    uint8_t mem; /* TRACE_GLOBAL or TRACE_IMAGE */
    bool write, unknown;
    double n, lines; /* accesses, transactions */
    double lanes;    /* active, on average */
    double waits;    /* accesses whose latency no other of their block overlaps */
    double extent;   /* bytes of the buffer, where the address is unknown; 0 = not known */
};

/* Accesses of a warp to values that have no registers: of a block, of a trace. */
struct est_spill {
    double stores, loads;
};

/* A warp trace that candidates share.  Keyed by the shape of the warp and its place. */
struct est_trace {
    struct est_trace *next, *next_equal;
    struct est_demand *demand; /* where it has been asked for */
    struct est_trace *equal;   /* the first one that costs the same; itself if there is none */
    uint64_t hash;             /* of what it costs */
    uint64_t key[5];           /* local size, first lane, lanes and place packed */
    struct trace_place at;
    struct trace t;
    bool looped;               /* CPU: in a loop over the row's vectors */
    struct demand part[PARTS]; /* but for the global memory parts */
    double lanes;              /* active */
    struct est_touch *touch;   /* of located entries: what is beyond TRACE_ENTRIES is in t.sum alone */
    uint32_t ntouch;
    struct est_spill spill;
};

/* What a warp asks of each part, its transactions served in one way. */
struct est_demand {
    struct est_demand *next;
    const struct reuse *reuse;
    struct demand part[PARTS];
    struct param_steps *steps; /* param.c's, once it has asked */
};

struct est_reuse {
    struct est_reuse *next;
    uint64_t key[5];
    struct reuse r;
};

#define EST_SORTS (EST_KINDS * EST_PLACES)

/* One candidate while it is being estimated; kept for the comparison of duplicates. */
struct est_case {
    /* its distinct warps, kind by kind, in the order of their places */
    unsigned n;
    const struct est_trace *trace[EST_SORTS]; /* of equal ones the first */
    struct est_demand *demand[EST_SORTS];
    double weight[EST_SORTS]; /* of all warps; sums to 1 */
    uint8_t place[EST_SORTS];
    const struct reuse *reuse;
    double warps;     /* warps executed per group; CPU: vectors and single work-items */
    double active;    /* N_aw as executed */
    double group;     /* warps that wait for each other at barriers; 0 = there are none */
    double tail;      /* the longest round's excess over the average that counts, see est_tail() */
    bool amid;        /* GPU: a unit gets more groups than it holds at once */
    double cycle_ns;  /* a cycle */
    double rounds_ns; /* what a cycle of a round adds to the launch */
    double whole_ns;  /* the same without a last round that is not full */
    double last_ns;   /* that round, at least; 0: there is none */
    double round_ns;  /* GPU: a cycle, of the round in which the last group is alone */
    double fill_ns, dispatch_ns, fixed_ns; /* dispatch of what a unit holds, and of all; launches */
    double cycles;                         /* of a round, by a model that is asked for */
    struct est_case *same, *next; /* the first one that runs the same rounds, itself if there is none */
    uint64_t hash;        /* of what makes rounds the same: traces, weights, active, shares by level */
    struct bounds bounds; /* of a round, in cycles; closed form */
    double closed;
    double memory; /* cycles for which a warp holds the busiest level beyond the first cache */
};

/* What the launch takes, in ns, if a round takes so many cycles.  A GPU's units work while further groups are
 * dispatched: either they are full from the first round on and work through all rounds, or they wait for the
 * last group, which then takes a round. */
static inline double est_time(const struct est_case *e, double cycles)
{
    const double even = cycles * e->rounds_ns,
                 uneven = e->last_ns > 0 ? cycles * e->whole_ns + e->last_ns : 0;
    const double busy = (even > uneven ? even : uneven) + e->fill_ns,
                 starved = cycles * e->round_ns + e->dispatch_ns;
    return (busy > starved ? busy : starved) + e->fixed_ns;
}

/* Warps of one round: `n` sorts of a case's, `warps` of each. */
struct est_round {
    double weight;
    unsigned n, sort[EST_KINDS];
    struct warp_group g[EST_KINDS];
    uint32_t at_once; /* at most EST_WARPS */
};

#define EST_WARPS   64 /* looked at at once; more resident warps are taken in several steps */
#define EST_BUCKETS 2048

struct sel_work {
    struct arena arena;
    struct trace_prog prog;
    const struct kernel_summary *k;
    const struct launch *l;
    const struct device *d;
    const struct trace_layout *transposed; /* the caller's, before it asks; NULL: memory is as it is */
    struct item_stride *stride;
    struct est_spill *spill; /* per block; NULL: there are registers enough */
    uint8_t *uses;           /* per instruction: of its value (mwp.c) */
    struct est_trace *traces[EST_BUCKETS];
    struct est_trace *equal[EST_BUCKETS]; /* by hash */
    struct est_reuse *reuses[EST_BUCKETS];
    struct est_case *rounds[EST_BUCKETS]; /* by hash */
    struct est_memory *memory;            /* simulation.c's, once it has simulated */
    struct trace_entry *entry;            /* of the run in progress */
    struct trace_loop *loop;
    void *scratch;
    size_t sample;        /* accesses per reuse estimate */
    uint32_t lanes;       /* of a full warp */
    bool scalar;          /* CPU: the driver runs work-items one by one */
    uint32_t ops;         /* of the body, each counted once */
    bool columns;         /* CPU: vectors along dimension 1 gather no more than along 0 */
    bool exact_local;     /* the body sees the local size: traces are not shared between sizes */
    bool coarse;          /* many candidates: reuse is shared between sizes of the same magnitude */
    uint64_t local_bytes; /* __local memory per group */
    struct sel_estimate *out;
};

/* warps.c: fill `c` for the local size.  0, or a negative errno. */
int est_warps(struct sel_work *w, const size_t local[3], uint64_t resident, struct est_case *c);
/* warps.c: the loops over work-items that a CPU driver makes of a group. */
double est_rows(const struct sel_work *w, const size_t local[3]);
/* warps.c: the vectors that a CPU driver makes of one of these loops; 0 where it runs work-items one by one,
 * as it does if the row is short (as measured). */
size_t est_vectors(const struct sel_work *w, const size_t local[3]);
/* warps.c: strides per work-item, found by running single work-items side by side. */
int est_probe(struct sel_work *w);
/* Mix n bytes, a multiple of 8, into h. */
static inline uint64_t est_hash(uint64_t h, const void *p, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        uint64_t v;
        memcpy(&v, (const char *)p + i, sizeof v);
        h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h;
}

/* Transactions that elements of `bytes` need, one for each lane, side by side. */
static inline double est_lines(const struct sel_work *w, uint64_t bytes)
{
    const uint64_t line = w->d->line_bytes ? w->d->line_bytes : 64;
    return (double)((bytes * w->lanes + line - 1) / line);
}

/* Likewise those of an access. */
static inline double est_needed(const struct sel_work *w, uint32_t insn)
{
    return est_lines(w, w->k->insns[insn].bytes);
}

/* 1 where the driver chooses the local size. */
static inline double est_groups(const struct sel_work *w, const struct candidate *c)
{
    double groups = 1;
    for (unsigned i = 0; i < 3 && c->local[0]; i++)
        groups *= (double)sel_ceil_div(w->l->global[i], c->local[i]);
    return groups;
}

/* The cycles of a round of the case, in place of the closed form. */
typedef double est_model(struct sel_work *w, const struct est_case *c);

/* estimate.c: sel_estimate() with times by `model`, NULL: the closed form; those of pruned candidates, too,
 * if `all`. */
int est_all(est_model *model, bool all, const struct kernel_summary *k, const struct launch *l,
            const struct device *d, struct candidate *c, unsigned n, struct sel_work *w,
            struct sel_estimate *out);

/* estimate.c: one candidate on its own, sampled as if there were `among`; `e` is kept.  0 or a negative
 * errno; release w->prog with trace_done() whatever the result. */
int est_one(struct sel_work *w, const struct kernel_summary *k, const struct launch *l,
            const struct device *d, unsigned among, struct candidate *c, struct est_case *e,
            struct sel_estimate *out);

/* estimate.c: what decides how many groups a unit holds, beside their size. */
struct est_need {
    uint32_t registers;   /* per work-item */
    uint64_t local_bytes; /* per group */
    double times;         /* as many groups as there are */
};
struct est_need est_needs(const struct sel_work *w);
/* The candidate and its case with other needs: residency and rounds; what warps execute stays.
 * c->active_warps is 0 where not even one group fits. */
void est_occupy(const struct sel_work *w, const struct est_need *need, struct candidate *c,
                struct est_case *e);

/* mwp.c: w->uses.  0 or -ENOMEM. */
int mwp_find_uses(struct sel_work *w);

/* spill.c: w->spill.  0 or -ENOMEM.  What a trace makes of it. */
int spill_find(struct sel_work *w);
struct est_spill spill_of(const struct sel_work *w, const struct trace *t);

/* demand.c: add what a spilt value's accesses ask of the first level that there is. */
void est_spill(const struct sel_work *w, const struct est_spill *s, struct demand *part);
/* demand.c: which part executes what is no memory traffic. */
extern const enum bounds_part est_part_of_unit[TRACE_UNITS];
/* demand.c: t->part from its counts: all but global memory. */
void est_fixed_demand(const struct sel_work *w, struct est_trace *t);
/* demand.c: what one warp of trace `t` asks of each part, its global transactions served as `r` says. */
void est_demand(const struct sel_work *w, const struct est_trace *t, const struct reuse *r,
                struct demand *part);
/* demand.c: cycles that an average warp waits only because a CPU's vectors have masks (reuse.masked); they
 * are part of its demand. */
double est_masked_wait(const struct sel_work *w, const struct est_case *c);
/* demand.c: which levels serve the transactions of `x`: its own, or where its address is unknown any. */
void est_shares(const struct sel_work *w, const struct reuse *r, const struct est_touch *x,
                double share[REUSE_LEVELS]);
/* demand.c: add what one memory access asks for. */
void est_access(const struct sel_work *w, const struct trace_entry *e, const struct reuse *r,
                struct demand *part);

/* rounds.c: bounds and closed-form estimate between them, in cycles, of an average round of the case. */
void est_bounds(const struct sel_work *w, const struct est_case *c, struct bounds *b, double *time);
/* On a GPU units take groups as they become free: the launch ends when its longest round does, which may have
 * begun as late as the average ends.  From the average and the longest of all rounds: what a round counts. */
static inline double est_tail(const struct est_case *c, double average, double longest)
{
    return longest > average ? average + (longest - average) * c->tail : average;
}
/* rounds.c: CPU: what a warp costs at EST_PLACES places along the range, in cycles.  False where it is the
 * same everywhere, but for a twentieth. */
bool est_slope(const struct est_case *c, double cost[EST_PLACES]);
/* rounds.c: what an average warp of the case asks of each part; returns its latencies in a row. */
double est_load(const struct est_case *c, struct demand *part);
/* rounds.c: the rounds of a case, equal ones put together.  Returns how many. */
unsigned est_rounds(const struct sel_work *w, const struct est_case *c, struct est_round r[EST_SORTS + 1]);

/* All of a case's warps that a unit holds at once, if they are as in this round, in cycles.  Negative: out of
 * memory. */
typedef double est_round_time(struct sel_work *w, const struct est_case *c, const struct est_round *r);
/* rounds.c: what a round of the case counts, from each of its rounds. */
double est_over_rounds(struct sel_work *w, const struct est_case *c, est_round_time *time);

/* prune.c: mark duplicates and inferior candidates among those in state SEL_KEPT with a time.  `scratch`: 2n
 * + 2 elements. */
void est_prune(struct candidate *c, const struct est_case *e, unsigned n, uint32_t *scratch);
/* prune.c: sort by time as sel_estimate() promises; the others are scratch of n elements each. */
void est_sort(struct candidate *c, unsigned n, uint32_t *order, uint32_t *place, struct candidate *copy);
/* prune.c: of the first candidates that are as good as equal, put the most robust one first. */
void est_prefer(const struct sel_work *w, struct candidate *c, unsigned n);
