/* mwp.h - time by memory and computation warp parallelism ([C] 3.3-3.6).
 *
 * How many warps can have a memory access under way at a time (MWP), and how many can compute while one waits
 * (CWP): whichever is smaller decides what the warps of a unit wait for.  Closed form; GPUs only.
 *
 * Where [C] is misprinted: eq. 16 - the number of batches multiplies both terms; eq. 22 - accesses to local
 * memory and fills are not multiplied by the warps (else Table 5's first row would be 5.5 s): all warps wait
 * for theirs at once.  Meanwhile they compute, but no faster than without local memory: the slower of the two
 * counts. With that, Table 5 fits within 2 %. */
#pragma once

#include "select/time/estimate.h"

/* Classes of accesses to global memory ([C] 3.3.2). */
enum mwp_class {
    MWP_BROADCAST, /* all lanes read the same element ([C]: constant) */
    MWP_COALESCED, /* hardly more lines than the lanes need */
    MWP_UNCOALESCED,
    /* not in [C]: */
    MWP_CONSTANT, /* to constant memory, all of it in its cache */
    MWP_SPILT,    /* to values that have no registers, in the first cache level */
    MWP_CLASSES
};

/* What one warp accesses; sums. */
struct mwp_access {
    double n;                  /* accesses */
    double transactions, dram; /* to the last cache level; of those, to DRAM */
};

/* What one warp executes. */
struct mwp_warp {
    struct mwp_access access[MWP_CLASSES];
    double instructions; /* no memory accesses */
    double fills;        /* loads from global memory whose value is only stored to local memory */
    double turns;        /* of accesses to local memory: more than one each if they conflict */
    double barriers;
};

struct mwp_time {
    double cycles;          /* of one batch: all warps that a unit holds at once */
    double mwp, cwp;        /* 0 where there are no accesses to global memory */
    double latency, depart; /* of an average access: until its data is there; until the next may depart */
};

/* `warps`, `groups`: what a unit holds at once (N and B).  Cycles; nothing can fail. */
void mwp_time(const struct device *d, const struct mwp_warp *w, double warps, double groups,
              struct mwp_time *out);

/* Add what `weight` warps of trace `t` execute. */
void mwp_trace(const struct sel_work *w, const struct est_case *c, const struct est_trace *t, double weight,
               struct mwp_warp *warp);

/* For advice.c: what an access adds to which class; whether it fills local memory. */
enum mwp_class mwp_touch(const struct sel_work *w, const struct est_case *c, const struct est_touch *x,
                         struct mwp_access *a);
bool mwp_fills(const struct sel_work *w, const struct est_touch *x);

/* Take an access from one class and add what becomes of it to another; to MWP_CLASSES: it is gone. */
void mwp_move(struct mwp_warp *warp, enum mwp_class from, enum mwp_class to, const struct mwp_access *before,
              const struct mwp_access *after);

/* Of a case: the cycles of one batch; the same with what an average warp executes. */
est_model mwp_cycles;
void mwp_case(const struct sel_work *w, const struct est_case *c, struct mwp_warp *warp,
              struct mwp_time *out);
