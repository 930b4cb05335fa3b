/* uniform.c - fact U: trip counts and branches depend neither on memory contents nor on the position ([D],
 * uniform workload analysis), except for guards that let a work-item at the border skip something.
 *
 * A branch that the position decides passes as a guard iff
 *   - its condition is made of order comparisons (<, <=, ...) of ids, sizes, arguments and loop counters,
 *   - one of its edges leads directly to the block where its paths meet again, and
 *   - what it guards stays inside the innermost loop around the branch, so that it decides no trip count. */
#include "analysis/prove/proof.h"

#include "analysis/summary/conditions.h"

#include <string.h>

/* Blocks visited below guards, per kernel; beyond, U is refused. */
#define WALK_LIMIT 2000000u
/* Nested extensions that a guard's comparison may see through. */
#define MAX_EXTENSIONS 3

struct walk {
    struct proof *p;
    uint32_t *seen; /* block -> last branch block that visited it, CFG_NONE */
    uint32_t *stack;
    uint32_t steps;
};

/* Are all symbols of v's polynomial that depend on the position the ids themselves,
 * extensions seen through? */
static bool plain_position(const struct proof *p, uint32_t v, unsigned depth)
{
    struct aff_poly poly;
    struct aff_value info;
    aff_integer(&p->exact, v, &poly, &info);
    for (uint32_t i = 0; i < poly.n; i++)
        for (uint32_t j = 0; j < poly.term[i].n; j++) {
            aff_sym s = poly.term[i].sym[j];
            const struct aff_poly one = {.n = 1, .term = {{.coef = 1, .n = 1, .sym = {s}}}};
            uint32_t from = AFF_INDEX(s);
            bool extended = AFF_KIND(s) == AFF_VALUE &&
                            (p->k->insns[from].op == SUM_ZEXT || p->k->insns[from].op == SUM_SEXT);
            if (AFF_KIND(s) == AFF_GID || !(taint_poly(&p->taint, &p->exact, &one) & TAINT_POSITION))
                continue;
            if (!extended || depth == 0 || !plain_position(p, sum_opnd(p->k, from, 0), depth - 1))
                return false;
        }
    return true;
}

/* Is the condition a conjunction or disjunction of order comparisons, as far as the position decides it? */
static bool ordered_condition(const struct proof *p, uint32_t cond)
{
    const struct kernel_summary *k = p->k;
    uint32_t stack[CONDITIONS_MAX] = {cond};
    unsigned depth = 1, visits = 0;
    while (depth) {
        uint32_t v = stack[--depth];
        const struct sum_insn *in = &k->insns[v];
        struct ordering o;
        if (!(p->taint.of[v] & TAINT_POSITION))
            continue;
        if (in->op == SUM_ICMP) {
            struct condition c = {in->sub, sum_opnd(k, v, 0), sum_opnd(k, v, 1)};
            if (!condition_ordering(&c, &o) || !plain_position(p, o.x, MAX_EXTENSIONS) ||
                !plain_position(p, o.y, MAX_EXTENSIONS))
                return false;
            continue;
        }
        if ((in->op != SUM_AND && in->op != SUM_OR && in->op != SUM_XOR && in->op != SUM_SELECT) ||
            in->bits != 1 || depth + in->nopnd > CONDITIONS_MAX || visits++ > 4 * CONDITIONS_MAX)
            return false;
        for (uint32_t i = 0; i < in->nopnd; i++)
            stack[depth++] = sum_opnd(k, v, i);
    }
    return true;
}

/* Follow blocks that do nothing but go on. */
static uint32_t skip_empty(const struct proof *p, uint32_t b, uint32_t until)
{
    for (unsigned i = 0; i < 8 && b != until; i++) {
        const struct sum_block *block = &p->k->blocks[b];
        if (block->end - block->first != 1 || p->k->insns[block->first].op != SUM_BR)
            break;
        b = sum_opnd(p->k, block->first, 0);
    }
    return b;
}

/* Do all paths from `start` to `meet` stay inside the innermost loop around `branch`? */
static bool stays_inside(struct walk *w, uint32_t branch, uint32_t start, uint32_t meet)
{
    const struct cfg *c = &w->p->cfg;
    uint32_t l = c->loop_of[branch], depth = 0;
    if (l == CFG_NONE)
        return true;
    if (meet == c->nblock || !cfg_in_loop(c, l, meet))
        return false;
    w->seen[start] = branch;
    w->stack[depth++] = start;
    while (depth) {
        uint32_t b = w->stack[--depth];
        if (b == meet)
            continue;
        if (!cfg_in_loop(c, l, b) || b == branch || w->steps++ > WALK_LIMIT)
            return false;
        for (uint32_t i = c->succ_first[b]; i < c->succ_first[b + 1]; i++)
            if (w->seen[c->succ[i]] != branch) {
                w->seen[c->succ[i]] = branch;
                w->stack[depth++] = c->succ[i];
            }
    }
    return true;
}

static bool is_guard(struct walk *w, uint32_t b)
{
    const struct proof *p = w->p;
    uint32_t t = p->k->blocks[b].end - 1, meet = p->cfg.ipdom[b];
    if (p->k->insns[t].op != SUM_CONDBR || meet == CFG_NONE || !ordered_condition(p, sum_opnd(p->k, t, 0)))
        return false;
    for (unsigned i = 1; i <= 2; i++) {
        uint32_t skip = skip_empty(p, sum_opnd(p->k, t, i), meet);
        bool returns = meet == p->cfg.nblock && cfg_nsucc(&p->cfg, skip) == 0 &&
                       p->k->blocks[skip].end - p->k->blocks[skip].first == 1;
        if (skip == meet || returns)
            return stays_inside(w, b, sum_opnd(p->k, t, 3 - i), meet);
    }
    return false;
}

static void judge_branch(struct walk *w, uint32_t b)
{
    struct proof *p = w->p;
    uint32_t t = p->k->blocks[b].end - 1;
    unsigned op = p->k->insns[t].op;
    if (op != SUM_CONDBR && op != SUM_SWITCH)
        return;
    taint_set s = p->taint.of[sum_opnd(p->k, t, 0)];
    uint32_t l = p->cfg.loop_of[b];
    bool exit = l != CFG_NONE && cfg_leaves(&p->cfg, l, b);
    if (s & (TAINT_MEMORY | TAINT_SETTINGS))
        proof_refuse(p->k, SUM_FACT_U, SUM_R_DATA_DEPENDENT, t, "memory contents decide %s",
                     exit ? "a trip count" : "a branch");
    else if ((s & TAINT_POSITION) && exit)
        proof_refuse(p->k, SUM_FACT_U, SUM_R_POSITION_DEPENDENT, t, "the position decides a trip count");
    else if ((s & TAINT_POSITION) && !is_guard(w, b))
        proof_refuse(p->k, SUM_FACT_U, SUM_R_POSITION_DEPENDENT, t, "the position decides a branch");
}

void proof_uniform(struct proof *p)
{
    struct walk w = {.p = p};
    if (p->mem.call)
        proof_refuse(p->k, SUM_FACT_U, SUM_R_UNKNOWN_CALL, CFG_NONE, "a function whose work is not known");
    if (p->cfg.irreducible)
        proof_refuse(p->k, SUM_FACT_U, SUM_R_POSITION_DEPENDENT, CFG_NONE, "a loop with several entries");
    w.seen = must_array(&p->cfg, p->k->nblock, sizeof(*w.seen));
    w.stack = must_array(&p->cfg, p->k->nblock, sizeof(*w.stack));
    memset(w.seen, 0xff, p->k->nblock * sizeof(*w.seen));
    for (uint32_t b = 0; b < p->k->nblock; b++)
        judge_branch(&w, b);
}
