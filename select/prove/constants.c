/* constants.c - may a compiler be told the values of scalar arguments without changing a result?
 *
 * It computes what follows from them when it compiles, and may round otherwise than the device does: to the
 * nearest, where the device divides with an error of 2.5 units; unfused, where the device fuses; by its own
 * library, where the device has another.  Compilers for CPUs fuse only what OpenCL's front end lets them
 * (SUM_C_FMA), and CPUs divide exactly rounded.  Sums and products are rounded alike everywhere. */
#include <stdlib.h>
#include "select/prove/parts.h"

/* May a compiler that knows the arguments know value `v`?  `known` is about its operands. */
static bool may_be_known(const struct kernel_summary *k, uint32_t v, const bool *known)
{
    const struct sum_insn *in = &k->insns[v];
    const bool any = in->op == SUM_PHI || in->op == SUM_SELECT;
    uint32_t n = 0, of = 0;

    if (in->op == SUM_CONST || in->op == SUM_OPAQUE)
        return true;
    if (in->op == SUM_ARG)
        return k->args[in->imm].kind == SUM_ARG_SCALAR;
    if (in->op == SUM_WI || in->op == SUM_VAR || in->op == SUM_ALLOCA || in->op == SUM_LOAD ||
        in->op == SUM_ATOMIC || in->op == SUM_IMAGE_READ || in->op == SUM_CALL || !in->nopnd)
        return false;
    for (uint32_t i = in->op == SUM_PHI ? 1 : 0; i < in->nopnd; i += in->op == SUM_PHI ? 2 : 1, of++)
        n += known[sum_opnd(k, v, i)];
    return any ? n > 0 : n == of;
}

/* What a compiler may know, all of it: known values can only make others known, so until nothing changes. */
static void spread(const struct kernel_summary *k, bool *known)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (uint32_t v = 0; v < k->ninsn; v++)
            if (!known[v] && may_be_known(k, v, known))
                changed = known[v] = true;
    }
}

/* Of an operation with `n` known operands out of `of`, may a compiler make another result? */
static bool may_differ(enum sum_class cls, uint32_t n, uint32_t of, bool is_cpu)
{
    switch (cls) {
    case SUM_C_SFU:
    case SUM_C_SPECIAL: /* pow(x, 2) becomes x * x */
    case SUM_C_SQRT:
    case SUM_C_DSQRT:
        return n > 0;
    case SUM_C_FMA:
    case SUM_C_DFMA:
        return n > 1; /* a product of two constants is rounded before it is added */
    case SUM_C_FMUL:
    case SUM_C_DMUL:
        return !is_cpu && n == of; /* likewise, where a device's compiler fuses what it finds */
    case SUM_C_FDIV:
    case SUM_C_DDIV:
        return is_cpu ? n == of : n > 0;
    default:
        return false;
    }
}

bool sel_constants_are_safe(const struct kernel_summary *k, bool is_cpu)
{
    bool *known = calloc(k->ninsn + 1, sizeof *known), safe = known;

    if (safe)
        spread(k, known);
    for (uint32_t v = k->nleaf; v < k->ninsn && safe; v++) {
        const struct sum_insn *in = &k->insns[v];
        uint32_t n = 0;
        for (uint32_t i = 0; in->op == SUM_PURE && i < in->nopnd; i++)
            n += known[sum_opnd(k, v, i)];
        safe = !n || (!(in->flags & (SUM_F_UNDEF | SUM_F_NAN_BITS | SUM_F_PUNNED)) &&
                      !may_differ(in->cls, n, in->nopnd, is_cpu));
    }
    free(known);
    return safe;
}

bool sel_integers_are_safe(const struct kernel_summary *k, const struct launch *l)
{
    struct launch other = *l;
    struct sel_look x = {.k = k, .l = &other};
    struct sel_verdict why;

    other.open = LAUNCH_OPEN_EVERYWHERE; /* in other code, whatever is so for other sizes */
    other.own_groups = !sum_proved(k, SUM_FACT_S) && launch_has_local(l); /* they stay as they are */
    const bool safe = sel_overflow_hidden(&x, NULL, &why) && sel_arrays_suffice(&x, NULL, &why);
    sel_look_end(&x);
    return safe;
}

bool sel_values_are_safe(const struct kernel_summary *k, const struct launch *l)
{
    struct sel_verdict why;

    return sel_integers_are_safe(k, l) && sel_loads_stay(k, l) &&
           (!l->reorders || sel_order_kept(k, l, true, &why));
}
