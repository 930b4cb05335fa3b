/* touch.h - one access of a launch, as race-freedom compares it.  Internal to select/. */
#pragma once

#include "select/prove/form.h"
#include "select/prove/phases.h"

#define TOUCH_COORDS   3
#define TOUCH_ANYWHERE UINT32_MAX

struct touch {
    bool write;
    enum sel_reason unknown; /* why it may be anywhere in its argument, without box and coord; SEL_R_OK */
    uint64_t family;         /* atomics of equal family commute; 0: not an atomic */
    struct phase_set phases; /* all but in the view of a group */
    uint32_t part; /* of `from` (phases.h), if only touches in its phases are compared, else TOUCH_ANYWHERE */
    uint8_t wrap_bits;
    sel_wide lo[TOUCH_COORDS], hi[TOUCH_COORDS];
    unsigned ncoord;               /* 1: a byte offset, or a 1-dimensional image */
    int64_t bytes;                 /* footprint from the form's value upwards; images: 1 texel */
    const struct sum_access *from; /* the access, or one of several that are neighbours */
    uint32_t guards;               /* those of from->guard[0..32) that hold for all of them, one bit each */
    struct sel_range box[3];
    struct sel_form coord[TOUCH_COORDS];
};

/* Loops whose rounds who runs A and who runs B make in step: A's are `ahead` more than B's. */
struct lockstep {
    unsigned n;
    struct {
        uint32_t loop; /* index into kernel_summary.loops */
        int ahead;
    } of[SEL_FORM_LOOPS];
};

/* The harder half of the comparison (overlap.c). */
struct overlap;

/* NULL when out of memory. */
struct overlap *overlap_new(void);
void overlap_free(struct overlap *o);

/* True: no work-item that runs `a` overlaps another one that runs `b`; `a` may be `b`.  Unknowns that
 * occur in both are the same, and no difference of places may reach 2^wrap_bits (disjoint.c sees to that).
 * False means nothing.  After a bounded number of pairs it is always false. */
bool overlap_excluded(struct overlap *o, const struct kernel_summary *k, const struct launch *l,
                      const struct lockstep *steps, const struct touch *a, const struct touch *b);
