/* cfg.h - the control-flow graph of a summary's body: order, dominance, natural loops.
 *
 * Used by sum_check(), by the proofs (facts.c, affine.c) and by the executor (select/trace/trace.c).  All
 * work is bounded, because sum_check() runs on untrusted input.
 *
 * Sources: K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", 2001; natural loops as in
 * Aho, Lam, Sethi, Ullman, "Compilers", 9.6. */
#pragma once

#include "analysis/summary/summary.h"

#define CFG_NONE UINT32_MAX

/* A natural loop.  All back edges to one header make one loop. */
struct cfg_loop {
    uint32_t header;
    uint32_t parent; /* index of the innermost enclosing loop, CFG_NONE at top level; parent < own index */
    uint32_t depth;  /* 1 = outermost */
    uint32_t first, end; /* its blocks, those of inner loops included: loop_block[first .. end) */
};

struct cfg {
    uint32_t nblock;
    uint32_t *block_of;          /* instruction -> its block; CFG_NONE for leaves */
    uint32_t *succ_first, *succ; /* distinct successors of b: succ[succ_first[b] .. succ_first[b + 1]) */
    uint32_t *pred_first, *pred; /* distinct predecessors, likewise */
    uint32_t nreach;             /* blocks reachable from the entry */
    uint32_t *rpo;               /* the reachable blocks in reverse post order; rpo[0] is the entry */
    uint32_t *rpo_pos;           /* block -> position in rpo, CFG_NONE when unreachable */
    uint32_t *idom;              /* immediate dominator; CFG_NONE for the entry and unreachable blocks */
    uint32_t *ipdom;             /* immediate post-dominator; nblock stands for the exit behind all returns;
                                    CFG_NONE when the block cannot reach a return */
    uint32_t nloop;
    struct cfg_loop *loop;      /* outer loops before inner ones */
    uint32_t *loop_of;          /* block -> innermost loop, CFG_NONE */
    uint32_t *loop_block;       /* blocks grouped by loop */
    uint32_t *loop_pos;         /* block -> position in loop_block, CFG_NONE outside all loops */
    bool irreducible;           /* some cycle is not a natural loop; `loop` lists only those that are */
    uint32_t *dom_in, *dom_out; /* private: intervals of the dominator tree */
    struct cfg_array *arrays;   /* private: all of these, and those of cfg_array() */
    bool failed;                /* one could not be allocated */
};

/* Build the graph.  Requires that every block has a terminator and all targets are in range.  0, -ENOMEM,
 * -EINVAL if there are no blocks, or -E2BIG if the dominator computation exceeds its work limit, which no
 * compiler's output does.  Release with cfg_free() whatever the result. */
int cfg_build(const struct kernel_summary *k, struct cfg *c);
void cfg_free(struct cfg *c);

/* `n` elements, zeroed, that go with the graph.  NULL, and c->failed, when out of memory. */
void *cfg_array(struct cfg *c, size_t n, size_t size);

/* Does `a` dominate `b`?  A block dominates itself; false if either is unreachable.  O(1). */
static inline bool cfg_dominates(const struct cfg *c, uint32_t a, uint32_t b)
{
    return c->rpo_pos[a] != CFG_NONE && c->rpo_pos[b] != CFG_NONE && c->dom_in[a] <= c->dom_in[b] &&
           c->dom_out[b] <= c->dom_out[a];
}

/* Is block `b` part of loop `l`, inner loops included?  O(1). */
static inline bool cfg_in_loop(const struct cfg *c, uint32_t l, uint32_t b)
{
    uint32_t pos = c->loop_pos[b];
    return pos != CFG_NONE && c->loop[l].first <= pos && pos < c->loop[l].end;
}

/* Does every path from the entry to block `b` take the edge from -> to?  `to` must be a successor of
 * `from`. */
bool cfg_edge_dominates(const struct cfg *c, uint32_t from, uint32_t to, uint32_t b);

/* Mark in `seen` the blocks that the end of block `from` leads to without coming to block `but` (CFG_NONE:
 * there is none) or through a block of `ends` (NULL: likewise).  What is marked already is not looked behind.
 * `stack` has room for all blocks. */
void cfg_reach(const struct cfg *c, uint32_t from, uint32_t but, const bool *ends, bool *seen,
               uint32_t *stack);

/* Is block `b` passed in every round of loop `l` that another one follows? */
bool cfg_each_round(const struct cfg *c, uint32_t l, uint32_t b);

/* Does an edge from block `b` lead out of loop `l`? */
bool cfg_leaves(const struct cfg *c, uint32_t l, uint32_t b);

/* Number of distinct successors of block `b`. */
static inline uint32_t cfg_nsucc(const struct cfg *c, uint32_t b)
{
    return c->succ_first[b + 1] - c->succ_first[b];
}
