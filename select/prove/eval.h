/* eval.h - integers of a kernel's body, computed with one launch's real arguments.  Internal to select/.
 *
 * Values are zero-extended from their width.  False: not known, or the operation is undefined for them. */
#pragma once

#include "analysis/summary/summary.h"
#include "select/launch.h"

/* An integer scalar argument, and its width. */
bool sel_eval_scalar(const struct kernel_summary *k, const struct launch *l, uint64_t index, uint64_t *out,
                     unsigned *bits);

/* The bounds of a leaf that is the same for all work-items, where these are all that is known: an argument of
 * a launch that stands for several (struct launch_arg.bounded); in the view of a group, what a work-item
 * function of the whole launch has told.  False: it is no such leaf, or the number does not fit; *lo and *hi
 * stay as they are. */
bool sel_eval_bounds(const struct kernel_summary *k, const struct launch *l, uint32_t id, int64_t *lo,
                     int64_t *hi);

/* A constant, an argument or a component of one, the size or the offset of the range. */
bool sel_eval_leaf(const struct kernel_summary *k, const struct launch *l, uint32_t id, uint64_t *out);

/* What load `id` finds in a struct passed by value, provided that nobody has stored there. */
bool sel_eval_member(const struct kernel_summary *k, const struct launch *l, uint32_t id, uint64_t *out);

/* A change of width, a comparison or arithmetic; `y` counts where there are two operands. */
bool sel_eval_operation(const struct kernel_summary *k, uint32_t id, uint64_t x, uint64_t y, uint64_t *out);

/* Evaluates values that follow from leaves. */
struct sel_eval {
    const struct kernel_summary *k;
    const struct launch *l;
    /* What a work-item function tells the work-item looked at, false if it is not known: then nothing may be
     * cut off to fewer than 32 bits.  NULL: none is looked at, and values must be launch-wide. */
    bool (*id)(const struct launch *l, const struct sum_insn *in, uint64_t *out);
    unsigned steps; /* done */
};
bool sel_eval_value(struct sel_eval *e, uint32_t id, unsigned depth, uint64_t *out);
