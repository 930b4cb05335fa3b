/* driver_compiler.c - see driver_compiler.h.
 *
 * What is known comes from trying local sizes and comparing the results bit by bit (tests/fuzz/sizes.py),
 * with special values among the inputs.  Under plain options these gave the same bits for all sizes:
 *
 *   PoCL 3.1         For AVX-512: 139 functions and operators of float, each in a kernel of its own (4
 *                    sizes); 106 kernels of loops, branches, private memory, images, conversions,
 *                    overflows, shifts, divisions by zero; 248 random kernels, 40 of them of double; 32
 *                    under each of seven options (listed in sizes.py); some 320 kernels of other programs.
 *                    The bits of NaNs differed in 9 of the 248: where two NaNs meet, compilers choose which
 *                    is the result.
 *
 *                    For AVX2 (sizes 1, 5, 64): the functions in scalar code, 83 of the kernels, 88 random
 *                    ones (two used values that were never given).  For SSE2: half of the functions, 16
 *                    random kernels.
 *
 *   Mesa's llvmpipe  50 of those 106, 32 random kernels, 26 kernels of other programs
 *
 *   Oclgrind         47 of those 106; it runs work-items one by one
 *
 * There are four exceptions:
 *
 *   relaxed options  PoCL rounds quotients differently in vectors and in scalar code, adds in another order
 *                    where it unrolls a group, and turns x * 0.5f + x into one product or not: three of forty
 *                    expressions differed.  A single sum or product, outside loops, can be computed in only
 *                    one way.
 *   conversions      of values that do not fit (analysis/lower/lower_range.c) differ in vectors, on PoCL
 *                    with SSE2, AVX2 and AVX-512; with AVX-512 only a few do, such as shorts that become
 * longs. Integers that overflow (select/prove/overflow.c) differ where they are extended.
 *
 *   barriers         Of 39 random kernels with barriers that nobody needs, one computed something else, not
 *                    only in the last bits, where PoCL makes loops over the work-items between them.  Mesa's
 *                    llvmpipe made no such mistake.
 *
 *   other drivers    Nothing is known of them.
 *
 * Intel's runtime for CPUs (2026.22) compiles a kernel once, for vectors of 16 work-items (8 with AVX2) and
 * for single ones.  Extents below 16 (8) have the code of single ones, multiples of 16 that of vectors, all
 * others both.  It chooses the dimension along which its vectors lie by how memory is touched, so all extents
 * count. Between the classes it estimates rsqrt(), native_ and half_ functions differently, adds in another
 * order, and makes mistakes: mad_sat() of ints and step() of NaN are wrong in vectors.  Within a class the
 * results of constructs.cl were the same for ten sizes each, but for what is garbage with one size as well.
 */
#include "analysis/summary/driver_compiler.h"
#include <stdlib.h>
#include <string.h>

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

static bool has_loop(const struct kernel_summary *k)
{
    for (uint32_t v = 0; v < k->ninsn; v++) /* a value from further down comes from the round before */
        for (uint32_t i = 1; k->insns[v].op == SUM_PHI && i < k->insns[v].nopnd; i += 2)
            if (k->opnds[k->insns[v].opnd + i] > v)
                return true;
    return false;
}

static bool adds_in_loop(const struct kernel_summary *k)
{
    return count(k, SUMS | FUSED) > 0 && has_loop(k);
}

/* Was it tried whether sizes of a class have the same results? */
static bool classes_are_tried(const struct driver *d)
{
    return d->is_cpu && drv_has(d, DRV_SAME_IN_CLASS);
}

static bool relaxed_differs(const struct kernel_summary *k, const struct driver *d)
{
    if (classes_are_tried(d))
        return false;
    if (count(k, QUOTIENTS))
        return true;
    return d->is_cpu && (count(k, ESTIMATES | CLASS(SPECIAL)) || count(k, SUMS) + 2 * count(k, FUSED) > 1 ||
                         adds_in_loop(k));
}

bool drv_makes_other_vectors(const struct driver *d)
{
    return d->is_cpu && !classes_are_tried(d) && !drv_has(d, DRV_SAME_VECTORS);
}

static bool driver_is_unknown(const struct driver *d)
{
    return drv_makes_other_vectors(d) && !drv_has(d, DRV_ROUNDS_ALIKE);
}

/* Conversions of what may not fit (analysis/lower/lower_range.c). */
static bool converts_openly(const struct kernel_summary *k)
{
    for (uint32_t v = 0; v < k->ninsn; v++)
        if (k->insns[v].op == SUM_PURE && (k->insns[v].flags & SUM_F_UNDEF))
            return true;
    return false;
}

/* Beside a barrier PoCL 3.1 leaves out a round of a loop in a loop, with some sizes (i_barrier_after_loops in
 * tests/fuzz/constructs.cl). */
static bool mistakes_barriers(const struct kernel_summary *k, const struct driver *d)
{
    return drv_has(d, DRV_LOSES_ROUNDS) && k->has_barrier;
}

const struct driver drv_named[DRV_NAMED] = {
    {"pocl", "cpu|CPU|OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu", "3.1", true},
    {"mesa", "llvmpipe|Mesa|OpenCL 3.0 ", "22.3", true},
    {"oclgrind", "Oclgrind Simulator|Oclgrind|OpenCL 1.2 ", "Oclgrind 21.10", true},
    {"intel-cpu", "CPU|Intel(R) Corporation|OpenCL 3.0 (Build 0)", "2026", true},
    {"intel", "GPU|Intel(R) Corporation|OpenCL 3.0 NEO ", "", false},
    {"nvidia", "GPU|NVIDIA Corporation|OpenCL 3.0 CUDA", "", false},
    {"amd", "gfx|Advanced Micro Devices, Inc.|OpenCL 2.0 AMD-APP", "", false},
    {NULL, NULL, NULL, false}};

const struct driver *drv_find(const char *name)
{
    const struct driver *d = drv_named;

    while (d->name && strcmp(d->name, name) != 0)
        d++;
    return d->name ? d : NULL;
}

const char *drv_compiler_problem(const struct kernel_summary *k, const struct driver *d, bool strict,
                                 bool relaxed, const char **detail)
{
    if (mistakes_barriers(k, d)) {
        *detail = "a barrier, even one that nobody needs, may change what PoCL makes of the code around it";
        return "driver-barriers";
    }
    if (k->relaxed_math && (strict || (!relaxed && relaxed_differs(k, d)))) {
        *detail = strict ? "asked for by --strict"
                         : "the driver may round differently for different local sizes; --relaxed tunes "
                           "it all the same";
        return "relaxed-math";
    }
    if (driver_is_unknown(d) && (count(k, ESTIMATES) || adds_in_loop(k))) {
        *detail = "a root, a native_ or half_ function, or sums in a loop";
        return "driver-rounds";
    }
    if (drv_makes_other_vectors(d) && converts_openly(k)) {
        *detail =
            "a floating-point number may not fit the integer that it is converted to; convert_..._sat(), or "
            "clamp() before it, makes it sure";
        return "undefined-conversion";
    }
    return NULL;
}
