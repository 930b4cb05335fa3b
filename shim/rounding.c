/* rounding.c - see rounding.h.
 *
 * What is known is from trying: under plain options PoCL 3.1, Mesa's llvmpipe and Oclgrind gave the same bits
 * with every size, for some 300 kernels and thousands of random ones.  Not so in two cases:
 *
 *   relaxed options  PoCL rounds quotients differently in vectors and in scalar code, adds up in another
 *                    order where it unrolls a group, and makes x * 0.5f + x one product or not: three of
 *                    forty random kernels differed.  A single sum or product, in no loop, has no other
 *                    form.
 *   other drivers    Intel's for CPUs (2026.22) makes vectors of 8 or 16 work-items as the size allows,
 *                    estimates rsqrt(), native_ and half_ functions differently in them, and adds up in
 *                    another order where the rounds of a loop differ by work-item (60 functions, some
 *                    loops, 11 sizes).  Of others nothing is known (shim_device.rounds_by_size). */
#include "shim/rounding.h"

static unsigned count(const struct kernel_summary *k, enum sum_class single, enum sum_class twice)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < k->ninsn; i++)
        n += k->insns[i].cls == single || k->insns[i].cls == twice;
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

static bool divides(const struct kernel_summary *k)
{
    return count(k, SUM_C_FDIV, SUM_C_DDIV) > 0;
}

static bool has_functions(const struct kernel_summary *k)
{
    return count(k, SUM_C_SQRT, SUM_C_DSQRT) + count(k, SUM_C_SFU, SUM_C_SFU) > 0;
}

/* Are there sums and products that could be made in another order? */
static bool reorders(const struct kernel_summary *k)
{
    const unsigned n = count(k, SUM_C_FADD, SUM_C_DADD) + count(k, SUM_C_FMUL, SUM_C_DMUL) +
                       2 * count(k, SUM_C_FMA, SUM_C_DFMA);

    return n > 1 || (n && has_loop(k));
}

static bool relaxed_differs(const struct kernel_summary *k, const struct shim_device *d)
{
    return divides(k) ||
           (d->is_cpu && (reorders(k) || has_functions(k) || count(k, SUM_C_SPECIAL, SUM_C_SPECIAL) > 0));
}

const char *rounding_problem(const struct kernel_summary *k, const struct shim_device *d,
                             const struct options *o, const char **detail)
{
    if (k->relaxed_math && (o->strict || (!o->relaxed && relaxed_differs(k, d)))) {
        *detail =
            "the driver may round differently for different local sizes; --relaxed tunes it all the same";
        return "relaxed-math";
    }
    if (d->rounds_by_size && (has_functions(k) || (reorders(k) && has_loop(k)))) {
        *detail = "a root, a native_ or half_ function, or sums in a loop";
        return "driver-rounds";
    }
    return NULL;
}
