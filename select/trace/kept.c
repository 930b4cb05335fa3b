/* kept.c - accesses that a compiler makes once, outside of a loop, and keeps in a register meanwhile.
 *
 * `c[i] += ...` in a loop over k: the address does not change.  As LLVM's loop-invariant code motion does, a
 * load is made before the loop if no store of the loop may change what it reads, but stores to the very same
 * place, whose values are in a register.  A store is made behind the loop if besides no other access of the
 * loop may touch its place.  Both must happen in each iteration, and nothing may make the work-item's memory
 * visible to others meanwhile.  What may touch what is what the driver's compiler knows: pointers declared
 * `restrict`, distinct variables, constant distances. */
#include <errno.h>
#include <string.h>
#include "select/trace/trace.h"

/* Instructions looked at per kernel; accesses beyond are made as written. */
#define MOST_WORK 200000u

struct search {
    const struct trace_prog *p;
    uint64_t work;
};

static bool touches(const struct sum_insn *in)
{
    return (in->op == SUM_LOAD || in->op == SUM_STORE) && in->space != SUM_PRIVATE;
}

/* Others may see memory meanwhile, or change it. */
static bool is_visible(const struct sum_insn *in)
{
    return in->op == SUM_ATOMIC || (in->op >= SUM_FENCE && in->op <= SUM_CALL) ||
           (touches(in) && in->flags & SUM_F_VOLATILE);
}

static bool invariant(struct search *s, uint32_t loop, uint32_t v, unsigned depth)
{
    const struct kernel_summary *k = s->p->k;
    const struct sum_insn *in = &k->insns[v];
    if (v < k->nleaf || !cfg_in_loop(&s->p->cfg, loop, s->p->cfg.block_of[v]))
        return true;
    if (in->op < SUM_ADD || in->op > SUM_PTRADD || depth == 0 || ++s->work > MOST_WORK)
        return false;
    for (uint32_t i = 0; i < in->nopnd; i++)
        if (!invariant(s, loop, sum_opnd(k, v, i), depth - 1))
            return false;
    return true;
}

/* A pointer as another one and a constant distance, 0 if there is none. */
static int64_t distance(const struct kernel_summary *k, uint32_t *pointer)
{
    const struct sum_insn *in = &k->insns[*pointer];
    if (in->op != SUM_PTRADD || k->insns[sum_opnd(k, *pointer, 1)].op != SUM_CONST)
        return 0;
    const int64_t by = k->insns[sum_opnd(k, *pointer, 1)].imm;
    *pointer = sum_opnd(k, *pointer, 0);
    return by;
}

static bool is_restricted(const struct kernel_summary *k, const struct sum_insn *root)
{
    return root->op == SUM_ARG && k->args[root->imm].restricted;
}

/* Can a compiler tell that two accesses touch different memory? */
static bool apart(const struct kernel_summary *k, uint32_t a, uint32_t b)
{
    const struct sum_insn *x = &k->insns[a], *y = &k->insns[b];
    uint32_t p = sum_opnd(k, a, 0), q = sum_opnd(k, b, 0);
    const uint32_t m = memory_root(k, p), n = memory_root(k, q);
    if (x->space != y->space)
        return x->space != SUM_GENERIC && y->space != SUM_GENERIC;
    if (m == CFG_NONE || n == CFG_NONE)
        return false;
    if (m != n)
        return is_restricted(k, &k->insns[m]) || is_restricted(k, &k->insns[n]) ||
               (k->insns[m].op == SUM_VAR && k->insns[n].op == SUM_VAR);
    const int64_t i = distance(k, &p), j = distance(k, &q);
    return p == q && (i < j ? i + x->bytes <= j : j + y->bytes <= i);
}

static bool same_place(const struct kernel_summary *k, uint32_t a, uint32_t b)
{
    return sum_opnd(k, a, 0) == sum_opnd(k, b, 0) && k->insns[a].bytes == k->insns[b].bytes;
}

/* May another access of its loop come between `v` and its place outside? */
static bool disturbs(const struct kernel_summary *k, uint32_t v, uint32_t other)
{
    const bool store = k->insns[v].op == SUM_STORE, stores = k->insns[other].op == SUM_STORE;
    return (store || stores) && !same_place(k, v, other) && !apart(k, v, other);
}

static bool can_leave(struct search *s, uint32_t loop, uint32_t v)
{
    const struct kernel_summary *k = s->p->k;
    const struct cfg *c = &s->p->cfg;
    if (!cfg_each_round(c, loop, c->block_of[v]) || !invariant(s, loop, sum_opnd(k, v, 0), 16))
        return false;
    for (uint32_t i = c->loop[loop].first; i < c->loop[loop].end; i++) {
        const struct sum_block *b = &k->blocks[c->loop_block[i]];
        s->work += b->end - b->first;
        for (uint32_t o = b->first; o < b->end; o++) {
            const struct sum_insn *other = &k->insns[o];
            if (is_visible(other) || (touches(other) && disturbs(k, v, o)))
                return false;
            if (touches(other) && other->op == SUM_STORE && same_place(k, v, o) &&
                !cfg_each_round(c, loop, c->block_of[o]))
                return false;
        }
    }
    return s->work < MOST_WORK;
}

int kept_find(struct trace_prog *p)
{
    const struct kernel_summary *k = p->k;
    struct search s = {.p = p};
    p->kept = arena_get(p->arena, ((size_t)p->naccess + 1) * sizeof *p->kept);
    if (!p->kept)
        return -ENOMEM;
    memset(p->kept, 0xff, p->naccess * sizeof *p->kept);
    for (uint32_t v = k->nleaf; v < k->ninsn; v++) {
        if (!touches(&k->insns[v]))
            continue;
        struct kept *x = &p->kept[p->access[v]];
        uint32_t l = x->innermost = p->cfg.loop_of[p->cfg.block_of[v]];
        for (; l != CFG_NONE && s.work < MOST_WORK && can_leave(&s, l, v); l = p->cfg.loop[l].parent)
            x->outermost = l;
    }
    return 0;
}

/* The loops out of which an access is made, from the innermost: the first, and the one after `l`; CFG_NONE:
 * no more. */
static uint32_t first_loop(const struct kept *x)
{
    return x->outermost == CFG_NONE ? CFG_NONE : x->innermost;
}

static uint32_t next_loop(const struct trace_prog *p, const struct kept *x, uint32_t l)
{
    return l == x->outermost ? CFG_NONE : p->cfg.loop[l].parent;
}

bool kept_out_of(const struct trace_prog *p, uint32_t v, uint32_t loop)
{
    if (p->access[v] == CFG_NONE)
        return false;
    const struct kept *x = &p->kept[p->access[v]];
    uint32_t l = first_loop(x);
    while (l != CFG_NONE && l != loop)
        l = next_loop(p, x, l);
    return l != CFG_NONE;
}

bool kept_is_made(const struct trace_prog *p, uint32_t v)
{
    const struct kept *x = &p->kept[p->access[v]];
    for (uint32_t l = first_loop(x); l != CFG_NONE; l = next_loop(p, x, l))
        if (p->state[l].iterations > 0)
            return true;
    return false;
}

static void add_counts(struct trace_counts *to, const struct trace_counts *after,
                       const struct trace_counts *before)
{
    double *sum = (double *)to;
    const double *a = (const double *)after, *b = (const double *)before;
    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += a[i] - b[i];
}

/* Move the last entry to `at`, in front of loops that began there. */
static void move_entry(struct trace *t, uint32_t at)
{
    const struct trace_entry e = t->entry[t->nentry - 1];
    memmove(&t->entry[at + 1], &t->entry[at], (t->nentry - 1 - at) * sizeof e);
    t->entry[at] = e;
    for (uint32_t i = 0; i < t->nloop; i++)
        if (t->loop[i].begin >= at) {
            t->loop[i].begin++;
            t->loop[i].end++;
        }
}

void kept_lift(struct trace_prog *p, uint32_t v, const struct trace_counts *before, uint32_t entries)
{
    const struct kept *x = &p->kept[p->access[v]];
    const bool entry = p->out->nentry > entries;
    if (entry)
        move_entry(p->out, p->state[x->outermost].mark_first);
    for (uint32_t l = x->innermost; l != CFG_NONE;
         l = next_loop(p, x, l)) { /* as if counted before they began */
        struct loop_state *s = &p->state[l];
        add_counts(&s->at[0], &p->out->sum, before);
        add_counts(&s->first, &p->out->sum, before);
        s->mark_first += entry;
        s->mark_last += entry;
    }
}
