/* relevant.c - on which arguments of a launch sel_judge() depends.
 *
 * These are the arguments that name memory, and the scalars from which addresses, loop bounds, guards, and
 * what intervals.h looks at are computed.  A launch whose other scalars change keeps its proof. */
#include "select/select.h"

#include "select/prove/overflow.h"

#include <stdlib.h>

/* Arguments are a set of bits; all from index 63 on share the last one. */
static uint64_t slice_bit(uint32_t index)
{
    return (uint64_t)1 << (index < 63 ? index : 63);
}

struct slice {
    bool *seen;
    uint32_t *todo, n;
};

static void want_operands(struct slice *s, const struct kernel_summary *k, uint32_t v)
{
    for (uint32_t i = 0; i < k->insns[v].nopnd; i++) {
        const uint32_t o = sum_opnd(k, v, i);
        if (sum_operand_is_block(&k->insns[v], i) || s->seen[o])
            continue;
        s->seen[o] = true;
        s->todo[s->n++] = o;
    }
}

/* Is it computed from its operands, or loaded from what may be a struct passed by value? */
static bool is_computed(const struct sum_insn *in)
{
    return in->lanes == 1 && !(in->flags & SUM_F_FLOAT) &&
           ((in->op >= SUM_ADD && in->op <= SUM_PHI) || in->op == SUM_LOAD);
}

/* The arguments behind branches, choices and what may overflow, if one of these matters.  All bits when out
 * of memory. */
static uint64_t arguments_of_body(const struct kernel_summary *k)
{
    struct slice s = {calloc(k->ninsn + 1, sizeof *s.seen), calloc(k->ninsn + 1, sizeof *s.todo), 0};
    bool matters = k->nundef > 0;
    uint64_t bits = 0;

    for (uint32_t v = k->nleaf; s.seen && s.todo && v < k->ninsn; v++) {
        const unsigned op = k->insns[v].op;
        const bool open = sel_may_be_open(&k->insns[v]);
        matters |= open;
        if (open || op == SUM_CONDBR || op == SUM_SWITCH || op == SUM_SELECT)
            want_operands(&s, k, v);
    }
    while (s.n) {
        const uint32_t v = s.todo[--s.n];
        if (k->insns[v].op == SUM_ARG)
            bits |= slice_bit((uint32_t)k->insns[v].imm);
        if (is_computed(&k->insns[v]))
            want_operands(&s, k, v);
    }
    if (!s.seen || !s.todo) {
        matters = true;
        bits = UINT64_MAX;
    }
    free(s.seen);
    free(s.todo);
    return matters ? bits : 0;
}

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
    uint64_t bits = arguments_of_body(k);

    for (uint32_t i = 0; i < k->nargs; i++)
        if (k->args[i].kind != SUM_ARG_SCALAR)
            bits |= slice_bit(i);
    for (uint32_t i = 0; i < k->nloop; i++)
        bits |= arguments_of_loop(&k->loops[i]);
    for (uint32_t i = 0; i < k->naccess; i++)
        bits |= arguments_of_access(&k->access[i]);
    return k->group ? bits | sel_judge_arguments(k->group) : bits;
}
