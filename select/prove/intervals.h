/* intervals.h - between which bounds the integers of a kernel's body stay in one launch.  Internal to
 * select/.
 *
 * Conditional intervals over the body, from the launch's range and scalar arguments: an operation on
 * intervals gives one, where paths meet their union counts, and behind a branch what it compared is narrower.
 * Loops are widened, then narrowed again (Cousot and Cousot, "Abstract Interpretation", POPL 1977); sums in a
 * loop are bounded by its number of iterations.
 *
 * Whatever the local size: ids and sizes of groups may be anything that the range allows. */
#pragma once

#include "analysis/summary/cfg.h"
#include "select/launch.h"

/* What the language leaves open. */
enum sel_open {
    SEL_OPEN_NOT,
    SEL_OPEN_WRAPS,  /* the operation may not wrap around, and may do so (SUM_F_NSW) */
    SEL_OPEN_DIVIDES /* a division by 0, a quotient that does not fit, a shift by the width or more, a count
                         of bits that may not be of 0 (SUM_F_NONZERO) */
};

struct sel_intervals {
    struct cfg cfg;
    uint8_t *open; /* value -> enum sel_open; an operation that no work-item comes to is none */
    bool *reached; /* block -> some work-item may come there */
    bool *taken;   /* edge, by its index in cfg.succ -> some work-item may take it */
    int64_t *back; /* a loop's header -> how often the loop comes back to it at most, each time that it is
                      entered; -1: not known */
    bool *outside; /* load, store or atomic of private memory -> it may be behind the end of its array, or
                      before it, or its array is not known */
};

/* Requires sum_check(k) == 0.  0; or -ENOMEM, or -E2BIG where the work has no end in sight: then nothing is
 * known.  All goes with out->cfg: release it with cfg_free() whatever the result. */
int sel_intervals_find(const struct kernel_summary *k, const struct launch *l, struct sel_intervals *out);

/* A launch of which several things are asked, for which it is looked at once.  Begins with these two. */
struct sel_look {
    const struct kernel_summary *k;
    const struct launch *l;
    bool done, known; /* private */
    struct sel_intervals found;
};

/* NULL: nothing is known. */
struct sel_intervals *sel_look(struct sel_look *x);
void sel_look_end(struct sel_look *x);
