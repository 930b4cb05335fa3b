/* reuse.h - which cache level serves the global transactions of a candidate.
 *
 * The launch is a loop nest: groups, rows, warps, and the kernel's own loops.  A few iterations of each level
 * are sampled, in the order in which the device runs them, and stand for the rest by weight; reuse distances
 * over the sample decide hit or miss level by level.  tests/predict/shares.c compares with exact caches. */
#pragma once

#include "select/trace/trace.h"
#include <string.h>

#define REUSE_LEVELS (DEV_LEVELS + 1) /* the caches, then DRAM */

/* Bytes that an access moves by per dimension: from one work-item to the next, as by[]; where the kernel sees
 * local ids, in a group as item[], and from one group to the next by size[] for each of its work-items, and
 * group[]. */
struct item_stride {
    int64_t by[3], item[3], size[3], group[3];
};

struct reuse_shape {
    size_t local[3];
    uint32_t lanes;               /* work-items per warp along one dimension (CPU) or in linear order (GPU) */
    unsigned along;               /* that dimension, 0 or 1 */
    uint64_t resident;            /* groups per unit, N_awg */
    bool interleaved;             /* warps take turns at every access; else each runs to its end */
    const struct trace_place *at; /* GPU: where the traced warp is */
    const struct trace *other;    /* GPU: of another warp of the group, which may leave accesses out; NULL */
};

/* Fractions of located transactions by level; they sum to 1, or are all zero when there are none.  `exposed`
 * is the part of a level's fraction that no sequential prefetch hides. */
struct reuse_levels {
    float share[REUSE_LEVELS], exposed[REUSE_LEVELS];
    float lines; /* GPU: transactions on average, in those of the traced warp: others begin elsewhere in a
                    line */
};

struct reuse {
    struct reuse_levels all[2];  /* [0] reads, [1] writes */
    struct reuse_levels *access; /* by trace_prog.access, the caller's; NULL on a CPU */
    float masked;                /* of exposed loads from DRAM: the part that is because vectors have masks */
    uint32_t accesses;
    uint64_t hash; /* of all this; the caller's */
};

/* Are all transactions served alike? */
static inline bool reuse_equal(const struct reuse *a, const struct reuse *b)
{
    return a == b ||
           (a->hash == b->hash && a->accesses == b->accesses && memcmp(a->all, b->all, sizeof a->all) == 0 &&
            (a->accesses == 0 || memcmp(a->access, b->access, a->accesses * sizeof *a->access) == 0));
}

/* Bytes of scratch for a sample of at most n accesses. */
size_t reuse_scratch(size_t n);

/* out->access is kept, and filled in.  `t` is a trace of one interior warp of this shape, `stride` is indexed
 * by instruction.  At most `limit` accesses are sampled. */
void reuse_estimate(const struct trace_prog *p, const struct trace *t, const struct item_stride *stride,
                    const struct reuse_shape *shape, size_t limit, void *scratch, struct reuse *out);
