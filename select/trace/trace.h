/* trace.h - the execution trace of one warp ([W] 4.2).
 *
 * The summary's body is executed for the lanes of one warp.  A lane of a value is a concrete integer where it
 * follows from ids, sizes, scalar arguments and constants, and unknown where it comes from memory.
 *
 * The words (slice, segment, entry, watch): docs/glossary.md, "The model".
 *
 * Requires sum_check() == 0.  Used only inside select/; nothing here is thread-safe, one prog per thread. */
#pragma once

#include "analysis/summary/cfg.h"
#include "devices/device.h"
#include "select/launch.h"

#define TRACE_LANES   64   /* widest warp; a wider device is executed 64 lanes at a time */
#define TRACE_DEPTH   6    /* loop levels kept per entry; deeper loops are walked, not nested */
#define TRACE_ENTRIES 1024 /* entries kept per trace; accesses beyond are counted but not located */
#define TRACE_LOOPS   64
#define TRACE_LINES   6 /* lines of an access whose place is kept: all of them if there are no more */
#define TRACE_FEW     4 /* else so many */

enum trace_mem {
    TRACE_GLOBAL,
    TRACE_CONSTANT,
    TRACE_LOCAL,
    TRACE_IMAGE, /* texels with integer coordinates; their latency is the operation's own */
    TRACE_MEMS,
    /* entries that are no accesses: */
    TRACE_WORK = TRACE_MEMS, /* the operations of a segment; insn = segment */
    TRACE_BARRIER
};

/* Operations that are no memory traffic are executed by: */
enum trace_unit {
    UNIT_ARITHMETIC,
    UNIT_SPECIAL, /* transcendental functions and roots */
    UNIT_MEMORY,  /* atomics */
    UNIT_TEXTURE,
    TRACE_UNITS
};

struct trace_entry {
    uint32_t insn;
    uint8_t mem; /* enum trace_mem; only memory accesses use what follows but `depth`, `lanes` */
    bool write;
    bool unknown;   /* address not known: addr is 0, `extent` tells where it may lie */
    uint8_t depth;  /* loops around it that were multiplied */
    uint16_t lines; /* transactions (local memory: conflict degree) */
    uint16_t lanes; /* active */
    uint64_t mask;  /* which */
    uint64_t addr;  /* virtual address of the lowest byte touched */
    uint32_t
        at[TRACE_LINES]; /* where some of its lines are first touched, bytes from addr: see trace_lines() */
    int64_t step;        /* bytes from one transaction to the next; 0 = one transaction or no pattern */
    uint64_t extent;     /* bytes of the buffer; 0 = not known */
    int64_t stride[TRACE_DEPTH]; /* bytes per iteration, innermost loop first */
};

/* Lines of an entry whose place is known: at[0..result), evenly among all of them. */
static inline unsigned trace_lines(unsigned lines)
{
    return lines <= TRACE_LINES ? lines : TRACE_FEW;
}

/* Entries [begin, end) are the body of a loop of `trip` iterations.  Loops nest; inner ones come first. */
struct trace_loop {
    uint32_t begin, end;
    double trip;
};

/* Per warp; a vector operation counts once per component.  What starts with `lane_` is summed over the active
 * lanes instead. */
struct trace_counts {
    double ops[SUM_C_COUNT], lane_ops[SUM_C_COUNT]; /* memory classes excluded */
    double lane_accesses[TRACE_MEMS][2], lane_bytes[TRACE_MEMS][2];
    double accesses[TRACE_MEMS][2]; /* [0] reads, [1] writes */
    double transactions[TRACE_MEMS][2];
    double unknown;                  /* global transactions whose address is not known */
    double unknown_extent;           /* their buffers' bytes, weighted by transactions */
    double hidden[TRACE_UNITS];      /* cycles: latencies that others of the block overlap (overlap.c) */
    double hidden_loads[TRACE_MEMS]; /* accesses: loads that pass while others of the block are waited for */
    double chain;                    /* cycles: the recurrences of its loops in a row (chain.c) */
};

static inline double trace_operations(const struct trace_counts *c)
{
    double sum = 0;
    for (unsigned i = 0; i < SUM_C_COUNT; i++)
        sum += c->ops[i];
    for (unsigned m = 0; m < TRACE_MEMS; m++)
        sum += c->accesses[m][0] + c->accesses[m][1];
    return sum;
}

struct trace {
    struct trace_counts sum;
    uint32_t lanes; /* active at the start */
    bool pessimistic, estimated;
    uint32_t nentry, nloop;
    struct trace_entry *entry; /* borrowed, room for TRACE_ENTRIES */
    struct trace_loop *loop;   /* borrowed, room for TRACE_LOOPS */
};

/* Where the warp is: lanes are consecutive local linear ids from `first` on. */
struct trace_place {
    size_t local[3], group[3];
    size_t first;
    uint32_t lanes; /* at most TRACE_LANES; lanes outside the group or the range are idle */
};

/* The outermost of the loops [0, loops) that begins at entry e and ends no later than `end`; `loops` if none
 * does: to go through entries [begin, end), go through the loop's own with loops = the result. */
static inline uint32_t trace_loop_at(const struct trace *t, uint32_t e, uint32_t end, uint32_t loops)
{
    for (uint32_t l = loops; l-- > 0;)
        if (t->loop[l].begin == e && t->loop[l].end <= end && t->loop[l].end > e)
            return l;
    return loops;
}

/* Times that entry `e` is executed. */
static inline double trace_times(const struct trace *t, uint32_t e)
{
    double n = 1;
    for (uint32_t l = 0; l < t->nloop; l++)
        n *= e >= t->loop[l].begin && e < t->loop[l].end ? t->loop[l].trip : 1;
    return n;
}

/* ---- memory that is kept between calls ------------------------------------------------------------- */

struct arena_chunk;
struct arena {
    struct arena_chunk *first, *now;
};
void *arena_get(struct arena *a, size_t bytes); /* 16-byte aligned, zeroed; NULL when out of memory */
void arena_reset(struct arena *a);              /* everything handed out becomes invalid; chunks stay */
void arena_free(struct arena *a);

/* ---- a kernel made ready for one launch ------------------------------------------------------------ */

struct value {
    uint64_t known; /* lanes whose number is known */
    uint64_t valid; /* uniform values: lanes that have been written */
    int64_t all;    /* uniform: the number */
    bool uniform;
};

/* How a header phi, or the difference of a watched comparison's operands, moves from
 * iteration to iteration. */
struct history {
    uint32_t count; /* observations in a row with the same lanes */
    bool steady;    /* the last two steps were equal on every active lane */
    bool unknown;   /* some active lane was unknown at the last observation */
    bool uniform;   /* only index 0 is used */
    uint64_t mask;  /* active lanes at the last observation */
    int64_t last[TRACE_LANES], step[TRACE_LANES];
};

struct loop_state {
    uint64_t mask;     /* lanes at the last arrival at the header */
    uint32_t walked;   /* arrivals in a row with this mask; 1 = the first */
    double iterations; /* completed since entry, multiplied ones included */
    double decided;    /* iterations begun when a known condition last decided an exit; 0 = none did */
    bool muted;        /* iterations no longer make entries */
    bool marked;       /* mark_second is set */
    uint32_t mark_first, mark_second, mark_last; /* out->nentry at these arrivals */
    uint32_t loops_second;                       /* out->nloop at the second arrival */
    uint32_t completed;                          /* iterations walked before mark_last */
    uint32_t nested;                             /* out->nloop behind the loop that it became; 0 = none */
    double each;                                 /* operations and accesses of one iteration */
    struct trace_counts at[4];                   /* counts at the last arrivals, newest first */
    struct trace_counts first;                   /* counts when `walked` was 1 */
};

/* The loops out of which an access is kept (kept.c). */
struct kept {
    uint32_t innermost, outermost; /* the one that it stands in, CFG_NONE; out of which it goes, CFG_NONE */
};

struct block_cost {
    uint8_t cls, as; /* what it is, and what it is executed as */
    uint32_t count;
};

struct trace_segment {
    uint32_t block;
    uint32_t cost_end, work_end;                    /* its part of `cost` and `work` ends here */
    float latency[TRACE_UNITS], delay[TRACE_UNITS]; /* cycles of its operations, summed */
    float hidden[TRACE_UNITS];                      /* cycles of them that others of the block overlap */
    uint32_t count[TRACE_UNITS];                    /* operations */
    bool any;                                       /* some of latency and delay are not 0 */
};

/* An argument's buffer as if it were stored transposed: element `i` of row `r` as element `r` of row `i`. */
struct trace_layout {
    uint32_t arg;
    uint32_t element; /* bytes */
    uint64_t row;     /* bytes, a multiple of that */
    uint64_t rows;
};

struct trace_prog {
    const struct kernel_summary *k;
    const struct launch *l;
    const struct device *d;
    const struct trace_layout *transposed; /* borrowed; NULL: all is as it is */
    struct arena *arena;
    struct cfg cfg;
    uint32_t *slot; /* instruction -> value slot, CFG_NONE outside the slice */
    uint32_t nslot;
    uint32_t *access; /* instruction -> its number among those that access memory, else CFG_NONE */
    uint32_t naccess;
    struct kept *kept; /* per access */
    float *ilp, *mlp; /* per block, per access: operations and loads that a GPU's warp overlaps; at least 1 */
    struct value *value;
    int64_t *lane;           /* nslot * TRACE_LANES */
    uint32_t *work;          /* instructions that need executing, by block */
    struct block_cost *cost; /* operations outside the slice and in it, by class, by segment */
    struct trace_segment *segment;
    uint32_t *segment_first;       /* block -> its segments; work and cost of [0] start where [-1]'s end */
    uint32_t *phi, *phi_first;     /* block -> its phis in the slice */
    uint32_t *watch, *watch_first; /* loop -> comparisons in the slice directly inside it */
    uint32_t *hist_of;             /* slot -> history, CFG_NONE */
    struct history *hist;
    struct loop_state *state; /* per loop */
    double *assumed;          /* per loop: iterations when nothing bounds it */
    double *chain;            /* per block: the recurrence of the loop that it is the header of, cycles */
    uint64_t *arg_base, *var_base;
    bool stores_args;   /* private copies of arguments may not be what was passed */
    double masked_part; /* of the accesses to global memory, as they stand in the body: masked.c */
    bool positional;    /* the place of a group in the range decides a branch */
    /* the run in progress */
    struct trace *out;
    const struct trace_place *at;
    uint32_t lanes;
    uint64_t live; /* active lanes at the start */
    int64_t lid[3][TRACE_LANES];
    uint64_t steps;  /* instructions executed, all runs since trace_prepare() */
    uint64_t budget; /* limit of `steps` */
    uint32_t muted;  /* loops that are muted */
};

/* Make `p` ready; `arena` must outlive it and is not reset.  0, -ENOMEM, or -E2BIG for a kernel too large to
 * execute.  Release with trace_done(). */
int trace_prepare(struct trace_prog *p, const struct kernel_summary *k, const struct launch *l,
                  const struct device *d, struct arena *arena);
void trace_done(struct trace_prog *p);

/* chain.c: p->chain.  0 or -ENOMEM. */
int chain_find(struct trace_prog *p);

/* masked.c: p->masked_part.  0 or -ENOMEM. */
int masked_find(struct trace_prog *p);

/* overlap.c: p->ilp, p->mlp.  0 or -ENOMEM. */
int overlap_find(struct trace_prog *p);

/* kept.c: p->kept.  0 or -ENOMEM. */
int kept_find(struct trace_prog *p);

/* Is the load or store `v` made outside of `loop`, in which it stands? */
bool kept_out_of(const struct trace_prog *p, uint32_t v, uint32_t loop);

/* Has the load or store `v`, which the run in progress comes to, been made before its loops? */
bool kept_is_made(const struct trace_prog *p, uint32_t v);

/* `v` has just been counted, for the first time since its loops began; `before`: the counts before it, and
 * how many entries there were.  If it is kept out of loops, it is as if it had been made before them (a store
 * too). */
void kept_lift(struct trace_prog *p, uint32_t v, const struct trace_counts *before, uint32_t entries);

/* The block of an entry. */
static inline uint32_t trace_block(const struct trace_prog *p, const struct trace_entry *e)
{
    return e->mem == TRACE_WORK ? p->segment[e->insn].block : p->cfg.block_of[e->insn];
}

/* Is it known which lines of memory it touches? */
static inline bool trace_located(const struct trace_entry *e)
{
    return (e->mem == TRACE_GLOBAL || e->mem == TRACE_IMAGE) && !e->unknown && e->lines > 0;
}

/* Which unit executes operations of a class. */
static inline enum trace_unit trace_unit_of(enum sum_class c)
{
    switch (c) {
    case SUM_C_SFU:
    case SUM_C_SPECIAL:
    case SUM_C_SQRT:
    case SUM_C_DSQRT:
        return UNIT_SPECIAL;
    case SUM_C_IMAGE:
        return UNIT_TEXTURE;
    case SUM_C_ATOMIC:
        return UNIT_MEMORY;
    default:
        return UNIT_ARITHMETIC;
    }
}

/* Execute one warp.  out->entry and out->loop are the caller's.  0, or -E2BIG when the budget is used up. */
int trace_run(struct trace_prog *p, const struct trace_place *at, struct trace *out);

/* ---- exec.c: evaluation ---------------------------------------------------------------------------- */

static inline int64_t *exec_lanes(struct trace_prog *p, uint32_t slot)
{
    return p->lane + (size_t)slot * TRACE_LANES;
}
static inline bool exec_known(const struct trace_prog *p, uint32_t insn, unsigned lane)
{
    return p->value[p->slot[insn]].known >> lane & 1;
}
static inline int64_t exec_get(const struct trace_prog *p, uint32_t insn, unsigned lane)
{
    const struct value *v = &p->value[p->slot[insn]];
    return v->uniform ? v->all : p->lane[(size_t)p->slot[insn] * TRACE_LANES + lane];
}

/* Set the leaves in the slice: ids, sizes, arguments and constants, for all lanes of the warp. */
void exec_leaves(struct trace_prog *p);
/* Evaluate one instruction of the slice for the lanes of `mask`. */
void exec_insn(struct trace_prog *p, uint32_t v, uint64_t mask);
/* Take the edge from -> to: evaluate the phis of `to`, all at once.  Lanes of `join` have been there already
 * on another path of an unknown branch: they stay known only where both agree. */
void exec_phis(struct trace_prog *p, uint32_t from, uint32_t to, uint64_t mask, uint64_t join);
/* Write known lanes `known` of `mask` from num[] (uniform: all lanes num[0]). */
void exec_put(struct trace_prog *p, uint32_t slot, uint64_t mask, uint64_t known, const int64_t *num,
              bool uniform);

/* ---- loops.c: loops that are multiplied ---------------------------------------------------------- */

/* Lanes `mask` stand at the header of `loop`, its phis evaluated; `entry`: they come from outside.  May
 * advance the phis and the counts by many iterations. */
void loops_arrive(struct trace_prog *p, uint32_t loop, bool entry, uint64_t mask);

/* Some lanes leave the loop: entries are made again. */
void loops_leave(struct trace_prog *p, uint32_t loop);

/* Does a known condition decide when the loop ends?  One that did so once and not since (a value that was an
 * argument first and comes from memory now) no longer counts. */
static inline bool loops_decided(const struct loop_state *s)
{
    return s->decided > 0 && s->iterations <= s->decided;
}

/* The comparison `v` has just been evaluated for `mask`. */
void loops_compare(struct trace_prog *p, uint32_t v, uint64_t mask);

/* ---- memory.c: transactions ------------------------------------------------------------------------ */

/* Count the memory instruction `v` for the lanes of `mask` and append its entry. */
void memory_access(struct trace_prog *p, uint32_t v, uint64_t mask);

/* The same for an image; texels whose coordinates are not known integers are not
 * located, hence not counted. */
void memory_image(struct trace_prog *p, uint32_t v, uint64_t mask);

/* The leaf that a pointer is computed from: an SUM_ARG, SUM_VAR or SUM_ALLOCA;
 * CFG_NONE if it cannot be told. */
uint32_t memory_root(const struct kernel_summary *k, uint32_t pointer);

/* Append an entry, unless it is an iteration that a multiplied loop stands for. */
void memory_append(struct trace_prog *p, const struct trace_entry *e);

/* Distinct lines of `line` > 0 bytes touched by n accesses of `bytes` at addr[] (sorted on return).
 * *step receives the constant distance between neighbouring lines' first touched byte, 0 if there is none;
 * first[0..room) those bytes. */
unsigned memory_lines(uint64_t *addr, unsigned n, uint32_t bytes, uint32_t line, uint64_t *first,
                      unsigned room, int64_t *step);

/* Conflict degree of a local access ([R] Alg. 6.1): the most distinct words that one bank has to deliver. */
unsigned memory_conflicts(uint64_t *addr, unsigned n, uint32_t bytes, uint32_t banks, uint32_t bank_bytes);

/* The same for an atomic: lanes that meet on a word do not share it, they take turns. */
unsigned memory_collisions(const uint64_t *addr, unsigned n, uint32_t banks, uint32_t bank_bytes);
