/* select.h - from a kernel summary, a launch and a device to a short list of local sizes.
 *
 * Pure functions: no OpenCL, no I/O, no global state.  The stages, in order:
 *
 *   sel_judge       which facts hold for this launch, with its real arguments; else why not
 *   sel_candidates  which local sizes may be used
 *   sel_estimate    occupancy, traces, bounds for each candidate; prunes duplicates and inferior ones
 *
 * A short list is what is left in state SEL_KEPT, ordered by predicted time.
 */
#ifndef CLSIZER_SELECT_SELECT_H
#define CLSIZER_SELECT_SELECT_H

#include "analysis/summary.h"
#include "devices/device.h"
#include "select/launch.h"

/* ---- what is proved at the launch ------------------------------------------------------------- */

/* Reasons that only the launch can give.  X(enumerator, name, explanation) */
#define SEL_REASONS(X)                                                                                     \
    X(SEL_R_OK, "proved", "")                                                                              \
    X(SEL_R_SUMMARY, "see-fact", "the kernel's own facts already say no")                                  \
    X(SEL_R_ARG_UNKNOWN, "argument-unknown", "an argument was never seen being set")                       \
    X(SEL_R_OPAQUE_POINTER, "svm-argument", "a pointer whose memory is not known")                         \
    X(SEL_R_ALIASED, "aliased-arguments", "a written buffer overlaps another argument")                    \
    X(SEL_R_SCATTERED, "scattered-writes", "where a work-item writes depends on memory contents")          \
    X(SEL_R_OVERLAP, "overlapping-writes", "two work-items may touch the same written location")           \
    X(SEL_R_WRAP, "index-overflow", "index arithmetic may wrap around for this range")                     \
    X(SEL_R_NON_UNIFORM, "non-uniform-groups", "the application's own groups are not uniform")             \
    X(SEL_R_TOO_SMALL, "too-small", "too little work to divide")

enum sel_reason {
#define X(e, name, text) e,
    SEL_REASONS(X)
#undef X
    SEL_R_COUNT
};
const char *sel_reason_name(enum sel_reason r);
const char *sel_reason_text(enum sel_reason r);

struct sel_verdict {
    bool proven;
    enum sel_reason reason;  /* SEL_R_SUMMARY: look at fact */
    enum sum_fact fact;
    char detail[96];
};

/* What holds for this launch.  `size` is the gate: without it nothing may change. */
struct sel_proof {
    struct sel_verdict size;       /* S, and no two work-items race on a written location */
    struct sel_verdict slice[3];   /* O(d): a launch may be split along dimension d */
    struct sel_verdict idempotent; /* I: running a part twice leaves the same memory */
    struct sel_verdict order_free; /* A: atomics, if any, commute */
    struct sel_verdict uniform;    /* U */
};

