/* lattice.h - the accesses of a GPU's launch as affine functions of groups, work-items and iterations, and
 * who else touches a line.
 *
 * Time: groups run in waves, as many at once as fit; the next wave begins when one has ended.  In a wave all
 * warps make an access before any makes the next, groups in the order of their numbers, dimension 0 first.
 * Group g is on unit g modulo units. */
#pragma once

#include "select/time/reuse.h"

#define LATTICE_MOST 96 /* accesses of a trace that are looked at, evenly among all */
#define LATTICE_DIMS                                                                                         \
    (6 + TRACE_DEPTH) /* groups 0..2, work-items in a group 3..5, loops, the outermost first */
#define LATTICE_COLD 1e300

struct lattice_access {
    uint32_t entry, bytes;
    uint64_t base; /* its address at group 0, work-item 0, iteration 0 */
    uint64_t low;  /* of all its addresses */
    uint64_t high;
    int64_t stride[LATTICE_DIMS], first[LATTICE_DIMS], last[LATTICE_DIMS]; /* places along each dimension */
    double inverse[LATTICE_DIMS];                                          /* of strides */
    uint8_t order[LATTICE_DIMS]; /* those with a stride and more than one place, the largest stride first */
    unsigned ordered, sparse;    /* of those so many move by more than a line */
    unsigned loops;
    uint32_t loop[TRACE_DEPTH]; /* in the trace */
    double begin, times;        /* of a wave: its part done before, transactions of a warp */
    uint32_t warp, warps;       /* of a group: the first that makes it, and how many do */
    /* accesses that move alike and meet: */
    unsigned herd;      /* their number */
    int32_t apart[3];   /* work-items from the first of them, along dimensions with large strides */
    int64_t apart_rest; /* and bytes */
};

struct lattice {
    const struct trace *t;
    size_t local[3], groups[3], all; /* groups along each dimension, of all */
    size_t at_once;                  /* groups of a wave */
    uint32_t units, lanes;
    uint32_t common, period, inverse; /* of groups in a row and units: see find_rows() */
    unsigned n, herds;
    uint32_t step; /* each so manieth of the trace's accesses */
    struct lattice_access access[LATTICE_MOST];
    uint32_t line;  /* bytes */
    unsigned shift; /* its logarithm */
    bool own;       /* it is a unit's own */
};

/* One touch: which access, by which group, warp and iteration, of which line. */
struct lattice_touch {
    unsigned access;
    size_t group;  /* its number */
    int64_t at[3]; /* and where it is */
    size_t warp;   /* of the group */
    int64_t iteration[TRACE_DEPTH];
    uint64_t line; /* its number */
};

/* lattice.c: the accesses of `t`.  `other` is another warp of the group, which may leave out some; NULL. */
void lattice_make(struct lattice *s, const struct trace_prog *p, const struct trace *t,
                  const struct trace *other, const struct item_stride *stride,
                  const struct reuse_shape *shape);

/* lattice.c: lines that come between a touch and the one before it of the same line; LATTICE_COLD: there is
 * none. */
double lattice_distance(const struct lattice *s, const struct lattice_touch *x);

/* A piece of the time. */
struct lattice_piece {
    uint32_t from, to; /* entries [from, to) */
    unsigned fixed;    /* in one iteration of the loops around all of it, so many */
    double iterations; /* of the next loop; 0: all */
    double groups;     /* one after another */
};

/* footprint.c: distinct lines of a piece. */
double lattice_lines(const struct lattice *s, const struct lattice_piece *piece);
/* footprint.c: lines that a herd is the first to touch, all of its own in the launch; -1: it shares them with
 * others. */
double lattice_first_touches(const struct lattice *s, unsigned herd);
/* footprint.c: which accesses move alike and meet. */
void lattice_herds(struct lattice *s);

/* turns.c: as reuse_estimate(), but for the sums, which are not normalised.  `scratch` holds a struct
 * lattice. */
void turns_estimate(const struct trace_prog *p, const struct trace *t, const struct item_stride *stride,
                    const struct reuse_shape *shape, size_t limit, void *scratch, struct reuse *out);
