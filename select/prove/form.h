/* form.h - summary polynomials with one launch's real values in them.  Internal to select/.
 *
 * A form is  constant + sum gid[d]*get_global_id(d) + sum coef*iteration(loop) + sum coef*unknown,
 * where an unknown is a product of values that are the same for every work-item at all times
 * (analysis/prove/affine.h, aff_options.constant), so that it cancels in the difference of two accesses.  Its
 * bounds may be known, as those of a group's number are: then what is said here holds for all groups.  A form
 * stands for an address or index only modulo 2^wrap_bits (summary.h): who reasons with it must keep
 * differences below that.
 */
#pragma once

#include "select/select.h"

#define SEL_FORM_LOOPS    8
#define SEL_FORM_UNKNOWNS 4 /* a group's place has three: its numbers */
/* Launches whose work-item ids reach this are not reasoned about: keeps every product inside 128 bits. */
#define SEL_FORM_MAX_ID ((int64_t)1 << 48)

__extension__ typedef __int128 sel_wide;

/* Quotient rounded down. */
static inline sel_wide sel_floor_div(sel_wide a, sel_wide b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Integers that signed and unsigned, 32- and 64-bit arithmetic agree about lie in [0, SEL_FORM_AGREED). */
#define SEL_FORM_AGREED ((sel_wide)1 << 31)

/* Inclusive; empty when lo > hi. */
struct sel_range {
    int64_t lo, hi;
};

struct sel_form_loop {
    uint32_t loop; /* index into kernel_summary.loops */
    int64_t coef;
    int64_t trips; /* iterations at most, >= 1; set by sel_form_loops() */
};

struct sel_form_unknown {
    int64_t coef;
    uint32_t nid;
    uint32_t id[SUM_TERM_SYMS]; /* value ids, sorted as in the summary */
};

struct sel_form {
    int64_t gid[3];
    int64_t constant;
    unsigned nloop, nunknown;
    struct sel_form_loop loop[SEL_FORM_LOOPS];
    struct sel_form_unknown unknown[SEL_FORM_UNKNOWNS];
};

/* Does the argument stand for memory of the application's? */
static inline bool sel_has_memory(const struct sum_arg *a)
{
    return a->kind == SUM_ARG_BUFFER || a->kind == SUM_ARG_IMAGE;
}

/* May arguments i and j share a byte (judge.c)?  False if one is no buffer or image. */
bool sel_shared(const struct kernel_summary *k, const struct launch *l, unsigned i, unsigned j);

/* Substitute the launch's ids that do not vary, sizes, offsets and scalar arguments.  SEL_R_OK, or why not:
 * SEL_R_OVERLAP (not linear), SEL_R_WRAP (exceeds 64 bits), SEL_R_ARG_UNKNOWN. */
enum sel_reason sel_form_make(const struct kernel_summary *k, const struct launch *l,
                              const struct sum_poly *p, struct sel_form *out);

/* Are they the same sum of unknowns?  Of ids, iterations and unknowns, so that a constant is their
 * difference?
 */
bool sel_form_same_unknowns(const struct sel_form *a, const struct sel_form *b);
bool sel_form_same(const struct sel_form *a, const struct sel_form *b);

/* The iterations of a loop, with a coefficient, as a part of f; NULL if there is none. */
const struct sel_form_loop *sel_form_find(const struct sel_form *f, const struct sel_form_loop *like);

/* The ids that can execute `a`: the NDRange, narrowed by those of its guards that can be relied upon. */
void sel_form_box(const struct kernel_summary *k, const struct launch *l, const struct sum_access *a,
                  struct sel_range box[3]);

/* The two sides of a guard, iterations bounded; false if they cannot be known.  *lhs < *rhs (or == when the
 * guard says so) holds wherever its access runs if both lie in [0, SEL_FORM_AGREED) there. */
bool sel_form_guard(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                    const struct sum_guard *g, struct sel_form *lhs, struct sel_form *rhs);

/* A loop's step or a quotient's divisor: launch-wide and positive, or 0. */
int64_t sel_form_step(const struct kernel_summary *k, const struct launch *l, const struct sum_loop *loop);

/* If entry `loop` of k->loops is a quotient that is known but for ids and iterations: floor(x / divisor). */
bool sel_form_quotient(const struct kernel_summary *k, const struct launch *l, uint32_t loop,
                       struct sel_form *x, int64_t *divisor);

/* Bound the iterations of f's loops for work-items in `box`.  False if one has no bound. */
bool sel_form_loops(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                    struct sel_form *f);

/* Bounds of what f's unknowns make, whichever group and round it is.  False if they are not known. */
bool sel_form_unknowns(const struct kernel_summary *k, const struct launch *l, const struct sel_form *f,
                       sel_wide *lo, sel_wide *hi);

/* Do the conditions of an access hold for all work-items in `box` (not empty), whatever the iteration? */
bool sel_form_ranges(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                     const struct sum_access *a);

/* Bounds of a form's values over `box` (not empty) and its loops, which sel_form_loops() has bounded;
 * unknowns left out. */
void sel_form_interval(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                       const struct sel_form *f, sel_wide *lo, sel_wide *hi);

/* Are all of them in [0, SEL_FORM_AGREED)?  Then a comparison means the same whatever its width and
 * signedness, and nothing wrapped around. */
bool sel_form_agreed(const struct kernel_summary *k, const struct launch *l, const struct sel_range box[3],
                     const struct sel_form *f);
