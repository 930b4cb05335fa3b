/* relevant.c - on which arguments of a launch sel_judge() depends.
 *
 * These are the arguments that name memory, and the scalars from which addresses, loop bounds, guards and the
 * conditions of edges with undefined values (undef.h) are computed.  A launch whose other scalars change
 * keeps its proof. */
#include "select/select.h"

#include "select/prove/overflow.h"
#include "select/prove/slice.h"
#include "select/prove/undef.h"

/* The arguments that a polynomial's value depends on.  A uniform value may be computed from any of them. */
static uint64_t arguments_of(const struct sum_poly *p)
{
    uint64_t bits = 0;

    for (uint32_t t = 0; t < p->nterm; t++)
        for (uint32_t i = 0; i < p->term[t].nsym; i++)
            if (p->term[t].sym[i].kind == SUM_SYM_ARG)
                bits |= slice_bit(p->term[t].sym[i].index);
            else if (p->term[t].sym[i].kind == SUM_SYM_UNIFORM)
                bits = UINT64_MAX;
    return bits;
}

static uint64_t arguments_of_loop(const struct sum_loop *l)
{
    uint64_t bits = arguments_of(&l->limit) | arguments_of(&l->step_poly);

    for (uint32_t i = 0; i < l->nrange; i++)
        bits |= arguments_of(&l->range[i].poly);
    return bits;
}

static uint64_t arguments_of_access(const struct sum_access *a)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < a->ncoord; i++)
        bits |= arguments_of(&a->coord[i]);
    for (uint32_t i = 0; i < a->nrange; i++)
        bits |= arguments_of(&a->range[i].poly);
    for (uint32_t i = 0; i < a->nguard; i++)
        bits |= arguments_of(&a->guard[i].lhs) | arguments_of(&a->guard[i].rhs);
    return bits;
}

uint64_t sel_judge_arguments(const struct kernel_summary *k)
{
    uint64_t bits = sel_undef_arguments(k) | sel_overflow_arguments(k);

    for (uint32_t i = 0; i < k->nargs; i++)
        if (k->args[i].kind != SUM_ARG_SCALAR)
            bits |= slice_bit(i);
    for (uint32_t i = 0; i < k->nloop; i++)
        bits |= arguments_of_loop(&k->loops[i]);
    for (uint32_t i = 0; i < k->naccess; i++)
        bits |= arguments_of_access(&k->access[i]);
    return bits;
}
