/* select.h - from a kernel summary, a launch and a device to a short list of local sizes.
 *
 * Pure functions: no OpenCL, no I/O, no global state.  The stages, in order:
 *
 *   sel_judge       which facts hold for this launch, with its real arguments; else why not
 *   sel_candidates  which local sizes may be used
 *   sel_estimate    occupancy, traces, bounds for each candidate; prunes duplicates and inferior ones
 *
 * A short list is what is left in state SEL_KEPT, ordered by predicted time. */
#pragma once

#include "analysis/summary/driver_quirks.h"
#include "analysis/summary/summary.h"
#include "devices/device.h"
#include "select/launch.h"

/* ---- what is proved at the launch ------------------------------------------------------------------ */

/* Reasons that only the launch can give.  X(enumerator, name, explanation) */
#define SEL_REASONS(X)                                                                                       \
    X(SEL_R_OK, "proved", "")                                                                                \
    X(SEL_R_SUMMARY, "see-fact", "the kernel's own facts already say no")                                    \
    X(SEL_R_ARG_UNKNOWN, "argument-unknown", "an argument was never seen being set")                         \
    X(SEL_R_OPAQUE_POINTER, "svm-argument",                                                                  \
      "a pointer to memory that is not known, or that the host may use at any time")                         \
    X(SEL_R_RELEASED, "released-argument",                                                                   \
      "an argument, or another object in its place in a table, was released after it was set")               \
    X(SEL_R_ALIASED, "aliased-arguments", "a written buffer overlaps another argument")                      \
    X(SEL_R_SCATTERED, "scattered-writes",                                                                   \
      "where a work-item writes depends on memory contents, or is not understood")                           \
    X(SEL_R_OVERLAP, "overlapping-writes", "two work-items may touch the same written location")             \
    X(SEL_R_WRAP, "index-overflow", "index arithmetic may wrap around, or is clamped, for this range")       \
    X(SEL_R_NON_UNIFORM, "non-uniform-groups", "the application's own groups are not uniform")               \
    X(SEL_R_LARGE_RANGE, "large-range", "ids of this range may not fit the variables that hold them")        \
    X(SEL_R_APART, "partial-barrier",                                                                        \
      "with this local size, a barrier may not be reached by all of a group")                                \
    X(SEL_R_GAPS, "undefined-component", "an image keeps a component that is written without a value")       \
    X(SEL_R_UNDEFINED, "undefined-by-arguments",                                                             \
      "a variable may be used that these arguments give no value")                                           \
    X(SEL_R_INDEX, "undefined-index",                                                                        \
      "an index may leave a private array: what lies behind its end depends on the local size")              \
    X(SEL_R_ORDER, "driver-order",                                                                           \
      "a work-item touches again what it has stored, beside other places a few numbers apart: with some "    \
      "local sizes the driver changes the order")                                                            \
    X(SEL_R_LOOPS, "driver-loops",                                                                           \
      "the driver ends all loops of a few neighbouring work-items after a number of rounds that they may "   \
      "need: which ones are neighbours depends on the local size")                                           \
    X(SEL_R_OVERFLOW, "undefined-overflow",                                                                  \
      "an integer may overflow, or be divided by zero: what becomes of it depends on the local size where "  \
      "a "                                                                                                   \
      "driver makes vectors of work-items")

enum sel_reason {
#define X(e, name, text) e,
    SEL_REASONS(X)
#undef X
        SEL_R_COUNT
};
const char *sel_reason_name(enum sel_reason r); /* "?" when out of range */

struct sel_verdict {
    bool proven;
    enum sel_reason reason; /* SEL_R_SUMMARY: look at fact */
    enum sum_fact fact;
    char detail[96];
};

/* What holds for this launch.  Unless `size` is proven, nothing may be changed about it. */
struct sel_proof {
    struct sel_verdict size;       /* S, and no two work-items race on a written location */
    struct sel_verdict slice[3];   /* O(d): a launch may be split along dimension d */
    struct sel_verdict idempotent; /* I: running a part twice leaves the same memory */
    struct sel_verdict order_free; /* A: atomics, if any, commute */
    struct sel_verdict uniform;    /* U */
    struct sel_verdict groups; /* another kernel may make the launch, in the same groups: between two barriers
                                  no work-item touches what another one of its group writes.  Where `size` is
                                  not proven */
};

/* Judge the launch with its real arguments.  Cannot fail: whatever cannot be proved, for lack of memory too,
 * is reported as not proven. */
void sel_judge(const struct kernel_summary *k, const struct launch *l, struct sel_proof *out);

/* Where it may depend on the local size what becomes of integers of which the language leaves it open. */
enum launch_open sel_open(const struct kernel_summary *k, const struct driver *d);

/* What can be said of all launches of a kernel (any_launch.c). */
enum sel_chance {
    SEL_CHANCE_GOOD, /* nothing */
    SEL_CHANCE_FEW,  /* those that were tried are refused because of *why; others may not be */
    SEL_CHANCE_NONE  /* so are all in which a work-item passes the guards of the range (early_exit.h) */
};

/* Judge launches that are easy to prove: of one work-item, with small scalars and large buffers that lie
 * apart.  `d`: the driver; NULL: one of which nothing bad is known.  *why is set unless the result is
 * SEL_CHANCE_GOOD; where work-items collide is not asked.  Requires that S is proved. */
enum sel_chance sel_judge_any(const struct kernel_summary *k, const struct driver *d,
                              struct sel_verdict *why);

/* Is more asked of launches with this driver than with others, apart from what its compiler makes of the
 * kernel (drv_compiler_problem())? */
bool sel_driver_matters(const struct kernel_summary *k, const struct driver *d);

/* The race-freedom part of sel_judge() alone: true only if no location that a work-item writes is touched by
 * another work-item (disjoint.c). */
bool sel_disjoint(const struct kernel_summary *k, const struct launch *l, struct sel_verdict *why);

/* The bytes [*begin, *end) of buffer argument `arg` that the launch may read or write through it, counted
 * from where it begins; both 0: none.  False if that is not known; it takes the buffer's size. */
bool sel_touched(const struct kernel_summary *k, const struct launch *l, uint32_t arg, uint64_t *begin,
                 uint64_t *end);

/* Arguments are a set of bits; all from index 63 on share the last one. */
static inline uint64_t sel_argument_bit(uint32_t index)
{
    return UINT64_C(1) << (index < 63 ? index : 63);
}

/* The arguments on which sel_judge() depends.  While they and the launch's range stay the same, so does the
 * proof. */
uint64_t sel_judge_arguments(const struct kernel_summary *k);

/* Do nothing but ids, sizes and arguments decide which branches the kernel takes?  *arguments: which ones, as
 * above.  False: memory does, too. */
bool sel_way_is_given(const struct kernel_summary *k, uint64_t *arguments);

/* Likewise how often its loops run: always, where it has none. */
bool sel_rounds_are_given(const struct kernel_summary *k, uint64_t *arguments);

/* Does the kernel take the same branches, and touch the same places, whatever numbers are in the buffers of
 * the arguments `any`, bits as above?  False if that is not known. */
bool sel_keeps_its_way(const struct kernel_summary *k, uint64_t any);

/* Does no buffer or image that the kernel may write share memory with another argument's?  Then its pointers
 * may be called `restrict`.  False if that is not known. */
bool sel_buffers_are_apart(const struct kernel_summary *k, const struct launch *l);

/* May a compiler know the values of scalar arguments, without rounding a result otherwise than the device
 * would (constants.c)?  `is_cpu`: the device is one.  False if that is not known. */
bool sel_constants_are_safe(const struct kernel_summary *k, bool is_cpu);

/* The same question for the integers of a launch: does nothing show of one that overflows, whatever a
 * compiler makes of `x + 5 > 10` once it knows the numbers?  False if that is not known. */
bool sel_integers_are_safe(const struct kernel_summary *k, const struct launch *l);

/* That, and the order in which each work-item touches its places: may a compiler know the values of a
 * launch's arguments?  False if that is not known. */
bool sel_values_are_safe(const struct kernel_summary *k, const struct launch *l);

/* Where a driver may load again what a kernel has loaded (reload.c): does no store to the same place come in
 * between?  Else another kernel that does the same may find something else.  False if that is not known. */
bool sel_loads_stay(const struct kernel_summary *k, const struct launch *l);

/* Do all work-items of the launch stay where a kernel may send some home at once (early_exit.h)?  False if
 * that is not known, or if others than the last ones may leave. */
bool sel_all_stay(const struct kernel_summary *k, const struct launch *l);

/* ---- candidates ------------------------------------------------------------------------------------ */

enum sel_state { SEL_KEPT, SEL_DUPLICATE, SEL_INFERIOR, SEL_INFEASIBLE };
/* What keeps more work-groups from being resident on a unit; of SEL_INFEASIBLE candidates, even one. */
enum sel_limiter {
    SEL_LIM_NONE,
    SEL_LIM_GROUPS,
    SEL_LIM_WARPS,
    SEL_LIM_REGISTERS,
    SEL_LIM_LOCAL,
    SEL_LIM_RANGE /* the launch has no more; SEL_INFEASIBLE: more work-items than a work-group may have */
};
enum sel_traffic {
    SEL_T_LOCAL,
    SEL_T_CONSTANT, /* of the constant cache, which is taken to hold everything */
    SEL_T_GLOBAL,
    SEL_T_CACHE,
    SEL_TRAFFIC
};

#define SEL_FEATURES  19
#define SEL_DESCRIBED 256 /* candidates that have features: the first ones, and the own size */

struct candidate {
    size_t local[3];
    bool own;     /* the application's local size */
    bool divides; /* divides the global size in every dimension; else needs main + tail launches */
    enum sel_state state;
    unsigned other;           /* SEL_DUPLICATE, SEL_INFERIOR: index of the candidate that makes it so */
    double best_ns, worst_ns; /* bounds (select/time/bounds.h) of the whole launch */
    double time_ns;           /* predicted, within [best_ns, worst_ns] */
    double memory_ns;         /* of it, moving lines into the first cache: other code takes as long */
    bool vectors;             /* CPU: the driver makes vectors of neighbouring work-items */
    unsigned active_warps;    /* per unit */
    enum sel_limiter limiter;
    bool known; /* set by the caller: it was measured or compiled before, so measuring it costs less */
    double transactions[SEL_TRAFFIC]; /* per work-item, memory transactions by class */
    uint16_t x[SEL_FEATURES];         /* features (select/time/features.h); x[0] is 0: it has none */
};

/* The one of this size among n; NULL: there is none. */
static inline const struct candidate *sel_of_size(const struct candidate *c, unsigned n,
                                                  const size_t local[3])
{
    while (n && !launch_same_size(c->local, local))
        c++, n--;
    return n ? c : NULL;
}

/* Sizes for which a driver runs the same code as for the program's own: along the dimension in which its
 * vectors lie, in every one where that is not known, both extents are below `single`, or multiples of
 * `whole`, or equal.  And if its compiler takes another way for groups of no more than `few` work-items, both
 * have no more, or both have.  All 0: any size does. */
#define SEL_ANY_DIMENSION 3
struct sel_classes {
    unsigned single, whole, along; /* along: 0 to 2, SEL_ANY_DIMENSION */
    unsigned few;
};
static inline bool sel_has_classes(const struct sel_classes *c)
{
    return c->whole || c->few;
}
static inline bool sel_same_class(const struct sel_classes *c, unsigned d, size_t own, size_t extent)
{
    return !c->whole || (c->along != SEL_ANY_DIMENSION && d != c->along) || own == extent ||
           (own && own < c->single && extent < c->single) ||
           (own && own % c->whole == 0 && extent % c->whole == 0);
}

/* Are both sizes compiled in the same way (`few`)?  An own size of 0 is not known. */
static inline bool sel_same_way(const struct sel_classes *c, const size_t own[3], const size_t size[3])
{
    return !c->few ||
           (own[0] && (own[0] * own[1] * own[2] <= c->few) == (size[0] * size[1] * size[2] <= c->few));
}

struct sel_options {
    unsigned max_items;   /* largest work-group for this kernel on this device (CL_KERNEL_WORK_GROUP_SIZE) */
    size_t max_dim[3];    /* CL_DEVICE_MAX_WORK_ITEM_SIZES; 0 = no limit */
    size_t max_groups[3]; /* work-groups along each dimension; 0 = no limit */
    bool all_sizes;       /* every size up to the limits, divisible or not, as [W] enumerates them */
    bool tails[3];        /* indivisible sizes are allowed along these dimensions (main + tail launches) */
    struct sel_classes classes;
    size_t usual[3]; /* with classes: the size whose class it must be; 0: not known, no other is possible */
};

/* Fill out[0..room) with candidates for this launch; if there are more, with those of the most promising
 * shapes. out[0] is always the application's own size (all 0: the driver's choice).  Returns the number, or
 * -ENOSPC when `room` is 0. */
int sel_candidates(const struct kernel_summary *k, const struct launch *l, const struct sel_options *o,
                   struct candidate *out, unsigned room);

/* ---- the model ------------------------------------------------------------------------------------- */

struct sel_work;                     /* scratch memory, reused between calls */
struct sel_work *sel_work_new(void); /* NULL when out of memory */
void sel_work_free(struct sel_work *w);

/* Estimators that simulate nothing; SEL_AUTO, and any of a CPU, is the first one.  In the order of the
 * option's words. */
enum sel_estimator { SEL_AUTO, SEL_BOUNDS, SEL_MWP, SEL_PARAM, SEL_ESTIMATORS };

struct sel_estimate {
    enum sel_estimator by;
    bool pessimistic;   /* both sides of an unknown branch were taken */
    bool estimated;     /* a trip count was assumed */
    unsigned traces;    /* distinct warp traces executed */
    unsigned simulated; /* candidates */
    unsigned rounds;    /* of warps that were simulated for them, each once */
    unsigned kept;
    double pruned_fraction;
    bool by_both; /* set by the caller: what was learned, too, orders the short list (learn_reorder()) */
};

#define SEL_NEAR_TIE     1.02 /* a ratio of predicted times; the model's error is many times as large */
#define SEL_NEAR_TIE_GPU 1.05

/* Predict the times of all candidates, set their states, and sort them: kept ones first, by time_ns, with
 * ties going to the application's own size.
 *
 * One of those within SEL_NEAR_TIE of the fastest is moved to the front.  On a CPU: the one with the largest
 * groups of which there are enough to keep all cores busy, and of several such the one with the smaller upper
 * bound if these differ clearly, else the one with the longest rows.  On a GPU (SEL_NEAR_TIE_GPU): the one
 * nearest 256 work-items, of several such the one with the longest rows.
 *
 * `other` indices refer to the sorted order.  Returns 0, -ENOMEM, or -E2BIG if the kernel cannot be traced
 * within the step budget; on an error all states are SEL_KEPT, all times
 * 0, and the order is unchanged. */
int sel_estimate(const struct kernel_summary *k, const struct launch *l, const struct device *d,
                 struct candidate *c, unsigned n, struct sel_work *w, struct sel_estimate *out);

/* sel_estimate() with times by another estimator, those of pruned candidates, too. */
int sel_estimate_with(enum sel_estimator by, const struct kernel_summary *k, const struct launch *l,
                      const struct device *d, struct candidate *c, unsigned n, struct sel_work *w,
                      struct sel_estimate *out);

/* Choose what to measure of c[0..n), which sel_estimate() has sorted: the application's own size first, then
 * at most want - 1 kept candidates.  Those are c[0] and, by predicted time, known ones and others of
 * different shapes. `list` has room for `want` >= 1.  Returns the number, 0 if the own size is not among the
 * candidates. */
unsigned sel_shortlist(const struct candidate *c, unsigned n, unsigned want, struct candidate *list);

/* What would make a kernel faster. */
struct advice {
    const char *what;     /* "coalesce", "stage", "constant", "pad", "branch", "registers", "range" */
    const char *argument; /* what the first access goes to, in the source's words; NULL: it is of none */
    unsigned line;        /* 0 = not known */
    char text[256];
    double gain;            /* how many times as fast, by [C]'s equations; on a CPU by the closed form */
    double now_ns, then_ns; /* a launch: the candidate's time; that divided by the gain */
};
#define ADVICE_MOST 16

/* Advice for the launch with the local size of `c`, and its time unless that is 0.  Strings point into
 * the summary.  Returns how many. */
unsigned sel_advise(const struct kernel_summary *k, const struct launch *l, const struct device *d,
                    const struct candidate *c, struct advice out[ADVICE_MOST]);

/* Names as they stand in reports; "?" when out of range. */
const char *sel_state_name(enum sel_state s);
const char *sel_limiter_name(enum sel_limiter l);

/* Sizes that were measured on the described device: of `file`, NULL: of this user's races.  0, -ENOENT if
 * there are none, or another negative errno with a message. */
struct learn_points;
typedef int sel_load_points(const char *file, const struct device *d, struct learn_points *out);

/* A launch that a report tells of.  Strings stay valid until the process ends. */
struct sel_told {
    const char *summary;  /* the file of its program's summary; "": it is not told */
    bool described;       /* `device` is the one that it ran on, as the library described it */
    struct device device; /* ... else nothing */
    int nword;
    char **word;       /* all else: the options that it takes to say the same by hand */
    const char *place; /* where that stands: "FILE:LINE" */
};

/* Find the launches in the report that took the most time: of the kernel (NULL: any), of the global size
 * "64x4" (NULL: any).  0 or a negative errno, with a message. */
typedef int sel_find_told(const char *report, const char *kernel, const char *global, struct sel_told *out);

/* clsizer predict: the offline front end; argc/argv without the sub-command's name; `helper`: the path of
 * clsizer-analyze, NULL if it was not found.  Returns an exit code. */
int sel_predict_main(int argc, char **argv, const char *helper, sel_load_points *load, sel_find_told *find);
