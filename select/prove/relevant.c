/* relevant.c - on which arguments of a launch sel_judge() depends.
 *
 * These are the arguments that name memory, and the scalars from which addresses, loop bounds, guards, and
 * what intervals.h looks at are computed.  A launch whose other scalars change keeps its proof.  And which
 * arguments decide how often loops run, whether the numbers in a buffer decide what is done, and what a place
 * that is not known is made of. */
#include "select/select.h"

#include "select/prove/parts.h"

#include <stdlib.h>

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

/* The arguments behind branches, loops, choices and what may overflow, if one of these matters.  All bits
 * when out of memory. */
static uint64_t arguments_of_body(const struct kernel_summary *k)
{
    struct slice s = {calloc(k->ninsn + 1, sizeof *s.seen), calloc(k->ninsn + 1, sizeof *s.todo), 0};
    bool matters = k->nundef > 0 || sum_has_loop(k);
    uint64_t bits = 0;

    for (uint32_t v = k->nleaf; s.seen && s.todo && v < k->ninsn; v++) {
        const unsigned op = k->insns[v].op;
        const bool open = sel_may_be_open(&k->insns[v]) || sel_place_is_computed(k, v);
        matters |= open;
        if (open || op == SUM_CONDBR || op == SUM_SWITCH || op == SUM_SELECT)
            want_operands(&s, k, v);
    }
    while (s.n) {
        const uint32_t v = s.todo[--s.n];
        if (k->insns[v].op == SUM_ARG)
            bits |= sel_argument_bit((uint32_t)k->insns[v].imm);
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

const char *sel_unplaced(const struct kernel_summary *k, const struct sum_access *a)
{
    struct slice s = {calloc(k->ninsn + 1, sizeof *s.seen), calloc(k->ninsn + 1, sizeof *s.todo), 0};
    bool memory = false, loop = false;

    if (s.seen && s.todo && a->insn < k->ninsn && k->insns[a->insn].nopnd)
        s.todo[s.n++] = sum_opnd(k, a->insn, 0);
    while (s.n) {
        const uint32_t v = s.todo[--s.n];
        const struct sum_insn *in = &k->insns[v];
        memory |= (in->op == SUM_LOAD && in->space != SUM_PRIVATE) || in->op == SUM_ATOMIC ||
                  in->op == SUM_IMAGE_READ;
        for (uint32_t i = 0; i < in->nopnd && in->op == SUM_PHI; i++)
            loop |= !sum_operand_is_block(in, i) && sum_opnd(k, v, i) >= v;
        if (in->op != SUM_LOAD)
            want_operands(&s, k, v);
    }
    free(s.seen);
    free(s.todo);
    return memory ? "what is in memory decides the place"
           : loop ? "the place changes in a loop, and is not followed"
                  : "the place is not followed";
}

/* ---- how often loops run ---------------------------------------------------------------------------- */

/* The value behind steps to a part of it, if `v` loads a part of a struct passed by value; else v. */
static uint32_t whole_of(const struct kernel_summary *k, uint32_t v)
{
    const uint32_t at = sum_base(k, sum_opnd(k, v, 0));

    return k->insns[at].op == SUM_ARG && k->args[k->insns[at].imm].kind == SUM_ARG_SCALAR ? at : v;
}

/* Which way a phi came may depend on any branch, so all of them count. */
bool sel_way_is_given(const struct kernel_summary *k, uint64_t *arguments)
{
    struct slice s = {calloc(k->ninsn + 1, sizeof *s.seen), calloc(k->ninsn + 1, sizeof *s.todo), 0};
    bool given = s.seen && s.todo;

    *arguments = 0;
    for (uint32_t v = k->nleaf; given && v < k->ninsn; v++)
        if (k->insns[v].op == SUM_CONDBR || k->insns[v].op == SUM_SWITCH)
            want_operands(&s, k, v);
    while (given && s.n) {
        const uint32_t v = s.todo[--s.n];
        const unsigned op = k->insns[v].op;
        if (op == SUM_ARG)
            *arguments |= sel_argument_bit((uint32_t)k->insns[v].imm);
        given = op != SUM_ATOMIC && op != SUM_CALL && op != SUM_IMAGE_READ &&
                (op != SUM_LOAD || whole_of(k, v) != v);
        want_operands(&s, k, v);
    }
    free(s.seen);
    free(s.todo);
    return given;
}

bool sel_rounds_are_given(const struct kernel_summary *k, uint64_t *arguments)
{
    *arguments = 0;
    return !sum_has_loop(k) || sel_way_is_given(k, arguments);
}

/* ---- proofs ------------------------------------------------------------------------------------------ */

/* The arguments that a polynomial's value depends on.  A uniform value may be computed from any of them,
 * unless it is a constant of its own. */
static uint64_t arguments_of(const struct kernel_summary *k, const struct sum_poly *p)
{
    uint64_t bits = 0;

    for (uint32_t t = 0; t < p->nterm; t++)
        for (uint32_t i = 0; i < p->term[t].nsym; i++) {
            const struct sum_sym *s = &p->term[t].sym[i];
            if (s->kind == SUM_SYM_ARG)
                bits |= sel_argument_bit(s->index);
            else if (s->kind == SUM_SYM_UNIFORM && k->insns[s->index].op != SUM_OPAQUE)
                bits = UINT64_MAX;
        }
    return bits;
}

static uint64_t arguments_of_loop(const struct kernel_summary *k, const struct sum_loop *l)
{
    uint64_t bits = arguments_of(k, &l->limit) | arguments_of(k, &l->step_poly);

    for (uint32_t i = 0; i < l->nrange; i++)
        bits |= arguments_of(k, &l->range[i].poly);
    return bits;
}

static uint64_t arguments_of_access(const struct kernel_summary *k, const struct sum_access *a)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < a->ncoord; i++)
        bits |= arguments_of(k, &a->coord[i]);
    for (uint32_t i = 0; i < a->nrange; i++)
        bits |= arguments_of(k, &a->range[i].poly);
    for (uint32_t i = 0; i < a->nguard; i++)
        bits |= arguments_of(k, &a->guard[i].lhs) | arguments_of(k, &a->guard[i].rhs);
    return bits;
}

uint64_t sel_judge_arguments(const struct kernel_summary *k)
{
    uint64_t bits = arguments_of_body(k);

    for (uint32_t i = 0; i < k->nargs; i++)
        if (k->args[i].kind != SUM_ARG_SCALAR)
            bits |= sel_argument_bit(i);
    for (uint32_t i = 0; i < k->nloop; i++)
        bits |= arguments_of_loop(k, &k->loops[i]);
    for (uint32_t i = 0; i < k->naccess; i++)
        bits |= arguments_of_access(k, &k->access[i]);
    return k->group ? bits | sel_judge_arguments(k->group) : bits;
}

/* ---- the way through the kernel --------------------------------------------------------------------- */

/* May the value that is loaded depend on the numbers in these buffers: is it one, or was it written by the
 * kernel? */
static bool may_be_any(const struct kernel_summary *k, uint32_t v, uint64_t any)
{
    const uint32_t at = sum_base(k, sum_opnd(k, v, 0));
    const struct sum_arg *a;

    if (whole_of(k, v) != v)
        return false;
    if (k->insns[at].op != SUM_ARG)
        return true;
    a = &k->args[k->insns[at].imm];
    return a->may_write || any & sel_argument_bit((uint32_t)k->insns[at].imm);
}

bool sel_keeps_its_way(const struct kernel_summary *k, uint64_t any)
{
    struct slice s = {calloc(k->ninsn + 1, sizeof *s.seen), calloc(k->ninsn + 1, sizeof *s.todo), 0};
    bool keeps = s.seen && s.todo;

    for (uint32_t v = k->nleaf; keeps && v < k->ninsn; v++) {
        const unsigned op = k->insns[v].op;
        const bool places = op == SUM_LOAD || op == SUM_STORE || op == SUM_ATOMIC;
        if (op == SUM_CONDBR || op == SUM_SWITCH || op == SUM_IMAGE_READ)
            want_operands(&s, k, v);
        else if (places && !s.seen[sum_opnd(k, v, 0)])
            s.seen[s.todo[s.n++] = sum_opnd(k, v, 0)] = true;
    }
    while (keeps && s.n) {
        const uint32_t v = s.todo[--s.n];
        const unsigned op = k->insns[v].op;
        keeps = op != SUM_ATOMIC && op != SUM_CALL && (op != SUM_LOAD || !may_be_any(k, v, any));
        want_operands(&s, k, v);
    }
    free(s.seen);
    free(s.todo);
    return keeps;
}
