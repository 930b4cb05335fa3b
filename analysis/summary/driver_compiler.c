/* driver_compiler.c - see driver_compiler.h.  What is known of which driver, and how it was tried:
 * driver_quirks.def. */
#include "analysis/summary/driver_compiler.h"
#include "analysis/summary/early_exit.h"

#define CLASS(c)  (1u << SUM_C_##c)
#define SUMS      (CLASS(FADD) | CLASS(DADD) | CLASS(FMUL) | CLASS(DMUL))
#define FUSED     (CLASS(FMA) | CLASS(DFMA))
#define QUOTIENTS (CLASS(FDIV) | CLASS(DDIV))
#define ESTIMATES (CLASS(SQRT) | CLASS(DSQRT) | CLASS(SFU))
_Static_assert(SUM_C_COUNT <= 32, "a class is a bit");

/* How many instructions are of these classes. */
static unsigned count(const struct kernel_summary *k, uint32_t classes)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < k->ninsn; i++)
        n += classes >> k->insns[i].cls & 1;
    return n;
}

/* Or multiplies, or divides: x / y / z is x / (y * z) to who reorders.  A comparison of numbers, which costs
 * as much as their sum, rounds nothing. */
static bool adds_in_loop(const struct kernel_summary *k)
{
    for (uint32_t i = 0; i < k->ninsn; i++)
        if (((SUMS | FUSED | QUOTIENTS) >> k->insns[i].cls & 1) && (k->insns[i].flags & SUM_F_FLOAT))
            return sum_has_loop(k);
    return false;
}

/* Is there an instruction of this kind with this flag? */
static bool has(const struct kernel_summary *k, enum sum_op op, unsigned flag)
{
    for (uint32_t v = 0; v < k->ninsn; v++)
        if (k->insns[v].op == op && (k->insns[v].flags & flag))
            return true;
    return false;
}

static bool has_pure(const struct kernel_summary *k, unsigned flag)
{
    return has(k, SUM_PURE, flag);
}

/* Was it tried whether sizes of a class have the same results? */
static bool classes_are_tried(const struct driver *d)
{
    return d->is_cpu && drv_has(d, DRV_SAME_IN_CLASS);
}

/* Is there more than one way to compute it for who may estimate, reorder or contract?  A single sum or
 * product, outside loops, has only one. */
static bool may_round_otherwise(const struct kernel_summary *k)
{
    return count(k, ESTIMATES | CLASS(SPECIAL)) || count(k, SUMS) + 2 * count(k, FUSED) > 1 ||
           adds_in_loop(k);
}

/* Is anything computed in floating point? */
static bool has_floats(const struct kernel_summary *k)
{
    return has_pure(k, SUM_F_FLOAT) || count(k, SUMS | FUSED | QUOTIENTS | ESTIMATES | CLASS(SPECIAL));
}

bool drv_mixes_classes(const struct kernel_summary *k, const struct driver *d)
{
    struct early_exits exits;

    return classes_are_tried(d) && drv_has(d, DRV_ADDS_IN_PARTS) && !early_exits(k, &exits);
}

/* A single comparison may already be made in several ways if there need be no NaNs, or no signs of zeros. */
static bool relaxed_differs(const struct kernel_summary *k, const struct driver *d)
{
    if (classes_are_tried(d))
        return drv_mixes_classes(k, d) && has_floats(k);
    return (k->relaxed_math && count(k, QUOTIENTS)) ||
           (d->is_cpu && (k->loose_math ? has_floats(k) : may_round_otherwise(k)));
}

bool drv_makes_other_vectors(const struct driver *d)
{
    return d->is_cpu && !classes_are_tried(d) && !drv_has(d, DRV_SAME_VECTORS);
}

static bool driver_is_unknown(const struct driver *d)
{
    return drv_makes_other_vectors(d) && !drv_has(d, DRV_ROUNDS_ALIKE);
}

/* What depends on whether the code is for vectors (analysis/lower/lower_range.c): conversions of what may not
 * fit, bools that may be neither 0 nor 1, the bits of NaNs, and accesses of one place as two types. */
static const char *open_problem(const struct kernel_summary *k, const char **detail)
{
    if (has_pure(k, SUM_F_UNDEF)) {
        *detail =
            "a floating-point number may not fit the integer that it is converted to; convert_..._sat(), or "
            "clamp() before it, makes it sure";
        return "undefined-conversion";
    }
    if (has_pure(k, SUM_F_NAN_BITS)) {
        *detail = "the sign or other bits of what may be NaN are asked for, as by copysign(), signbit() or "
                  "as_int()";
        return "nan-bits";
    }
    if (has_pure(k, SUM_F_PUNNED)) {
        *detail = "a private array is read as another type than it was written as; a union makes it sure";
        return "undefined-alias";
    }
    return NULL;
}

const char *drv_compiler_problem(const struct kernel_summary *k, const struct driver *d, bool strict,
                                 bool relaxed, const char **detail)
{
    if (drv_has(d, DRV_LOSES_ROUNDS) && k->has_barrier) {
        *detail =
            "a barrier, even one that nobody needs, may change what this driver makes of the code around it";
        return "driver-barriers";
    }
    return drv_code_problem(k, d, strict, relaxed, detail);
}

const char *drv_code_problem(const struct kernel_summary *k, const struct driver *d, bool strict,
                             bool relaxed, const char **detail)
{
    if (drv_has(d, DRV_LEAVES_TOGETHER) && k->parts_at_loops) {
        *detail = "work-items part around or behind a loop, where this driver may send all the same way";
        return "driver-exits";
    }
    if ((k->relaxed_math || k->loose_math) && (strict || (!relaxed && relaxed_differs(k, d)))) {
        *detail = strict ? "asked for by --strict"
                         : "the driver may round differently for different local sizes; --relaxed tunes "
                           "it all the same";
        return "relaxed-math";
    }
    if (drv_mixes_classes(k, d) &&
        (has_pure(k, SUM_F_INEXACT | SUM_F_UNDEF | SUM_F_NAN_BITS | SUM_F_PUNNED) || adds_in_loop(k))) {
        *detail =
            "work-items at the begin of the range leave at once: which others run one by one then depends on "
            "the size, and for these the driver rounds otherwise";
        return "driver-rounds";
    }
    if (driver_is_unknown(d) && (count(k, ESTIMATES) || adds_in_loop(k))) {
        *detail = "a root, a native_ or half_ function, or sums or quotients in a loop";
        return "driver-rounds";
    }
    if (drv_has(d, DRV_LOSES_QUOTIENTS) && has_pure(k, SUM_F_BY_ZERO)) {
        *detail =
            "a floating-point number may be divided by what this driver finds to be 0, of which it makes "
            "anything, instead of infinity or NaN";
        return "driver-quotients";
    }
    if (drv_has(d, DRV_SHOWS_GAPS) && has(k, SUM_OPAQUE, SUM_F_GAP)) {
        *detail =
            "bytes of a structure or union that were given no value are written, or read as another member";
        return sum_reason_name(SUM_R_UNDEFINED_BYTES);
    }
    return drv_makes_other_vectors(d) ? open_problem(k, detail) : NULL;
}

bool drv_needs_vectors(const struct kernel_summary *k, const struct driver *d)
{
    return drv_has(d, DRV_ADDS_IN_PARTS) && adds_in_loop(k);
}

/* Of a driver with classes of sizes it is known what is the same in all its code. */
static const char *problem_of_classes(const struct kernel_summary *k, const struct driver *d, bool in_vectors,
                                      const char **detail)
{
    if (has_pure(k, SUM_F_INEXACT)) {
        *detail = "this driver may have several versions of a function that is called";
        return "driver-rounds";
    }
    if (drv_needs_vectors(k, d) && (!in_vectors || drv_mixes_classes(k, d))) {
        *detail =
            "sums or quotients in a loop: the program's launch may run work-items one by one, for which "
            "this driver takes the rounds in another order";
        return "driver-rounds";
    }
    return open_problem(k, detail);
}

const char *drv_rewriting_problem(const struct kernel_summary *k, const struct driver *d, bool in_vectors,
                                  const char **detail)
{
    if ((k->relaxed_math || k->loose_math) && has_floats(k)) {
        *detail = "the options let the driver compute otherwise in another kernel that does the same";
        return "relaxed-math";
    }
    if (classes_are_tried(d))
        return drv_has(d, DRV_ADDS_IN_PARTS) ? problem_of_classes(k, d, in_vectors, detail) : NULL;
    if (drv_has(d, DRV_ROUNDS_ALIKE) || drv_has(d, DRV_SAME_VECTORS) || !may_round_otherwise(k))
        return NULL;
    *detail = "it may round a product and its sum once in one kernel and twice in another that does the same";
    return "driver-rounds";
}

bool drv_shows_rounding(const struct driver *d)
{
    return !d->is_cpu;
}
