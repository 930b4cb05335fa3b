/* chain.c - the recurrence of each loop ([R] 6.1: ILP = instructions / longest dependence chain).
 *
 * An out-of-order core overlaps everything but what waits for the iteration before: the longest path from a
 * phi of the loop's header through the body back to that phi, in latencies; or from a load that is kept out
 * of the loop to what is stored in its place (kept.c).  Other values that go through memory are not followed.
 */
#include <errno.h>
#include "select/integer.h"
#include "select/trace/trace.h"

/* Instructions looked at per kernel; loops beyond count as having no recurrence. */
#define MOST_WORK 200000u

struct search {
    struct trace_prog *p;
    uint32_t loop;
    double *far; /* per instruction: longest path from the phi, -1 = none */
};

/* The longest path to an operand; phis of other loops pass on what enters them. */
static double farthest(const struct search *s, const struct sum_insn *in)
{
    double most = -1;

    for (uint32_t i = 0; i < in->nopnd; i++)
        if (!sum_operand_is_block(in, i))
            most = sel_larger(most, s->far[s->p->k->opnds[in->opnd + i]]);
    return most;
}

static double latency_of(const struct search *s, uint32_t block, const struct sum_insn *in)
{
    if (in->op == SUM_PHI ||
        s->p->cfg.loop_of[block] != s->loop) /* an inner loop counts its own recurrence */
        return 0;
    if (in->op == SUM_LOAD)
        return in->space == SUM_PRIVATE ? s->p->d->latency[SUM_C_IADD] : s->p->d->cache[0].latency;
    return in->cls < SUM_C_COUNT && in->cls != SUM_C_MEM && in->cls != SUM_C_NONE ? s->p->d->latency[in->cls]
                                                                                  : 0;
}

static bool has_operands(const struct sum_insn *in)
{
    return in->op >= SUM_ADD && in->op != SUM_STORE && in->op < SUM_FENCE;
}

/* One pass in reverse post order: operands come first, but for back edges. */
static void spread(const struct search *s, uint32_t phi)
{
    const struct kernel_summary *k = s->p->k;
    const struct cfg *c = &s->p->cfg;

    for (uint32_t v = 0; v < k->ninsn; v++)
        s->far[v] = -1;
    s->far[phi] = 0;
    for (uint32_t i = 0; i < c->nreach; i++) {
        const uint32_t b = c->rpo[i];
        if (!cfg_in_loop(c, s->loop, b))
            continue;
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++) {
            const struct sum_insn *in = &k->insns[v];
            const double most = v != phi && has_operands(in) ? farthest(s, in) : -1;
            if (most >= 0)
                s->far[v] = most + latency_of(s, b, in);
        }
    }
}

static double back_at(const struct search *s, uint32_t phi)
{
    const struct sum_insn *in = &s->p->k->insns[phi];
    const uint32_t *o = &s->p->k->opnds[in->opnd];
    double most = 0;

    for (uint32_t i = 0; i + 1 < in->nopnd; i += 2)
        if (cfg_in_loop(&s->p->cfg, s->loop, o[i]))
            most = sel_larger(most, s->far[o[i + 1]]);
    return most;
}

/* The longest path from a load that is kept out of the loop to what is stored in its place. */
static double stored_at(const struct search *s, uint32_t load)
{
    const struct kernel_summary *k = s->p->k;
    double most = 0;

    for (uint32_t v = k->nleaf; v < k->ninsn; v++)
        if (k->insns[v].op == SUM_STORE && sum_opnd(k, v, 0) == sum_opnd(k, load, 0))
            most = sel_larger(most, s->far[sum_opnd(k, v, 1)]);
    return most;
}

/* Is `v` a value that one iteration of the loop hands to the next in a register? */
static bool handed_on(const struct search *s, uint32_t v)
{
    const uint32_t header = s->p->cfg.loop[s->loop].header;
    const struct sum_block *b = &s->p->k->blocks[header];
    const uint8_t op = s->p->k->insns[v].op;

    return op == SUM_PHI ? v >= b->first && v < b->end : op == SUM_LOAD && kept_out_of(s->p, v, s->loop);
}

/* False: too much work. */
static bool find_loop(struct search *s, uint64_t *work)
{
    const struct kernel_summary *k = s->p->k;
    const struct cfg_loop *l = &s->p->cfg.loop[s->loop];
    double *chain = &s->p->chain[l->header];

    for (uint32_t i = l->first; i < l->end; i++) {
        const struct sum_block *b = &k->blocks[s->p->cfg.loop_block[i]];
        for (uint32_t v = b->first; v < b->end; v++) {
            if (!handed_on(s, v))
                continue;
            if ((*work += k->ninsn) > MOST_WORK)
                return false;
            spread(s, v);
            *chain = sel_larger(*chain, k->insns[v].op == SUM_PHI ? back_at(s, v) : stored_at(s, v));
        }
    }
    return true;
}

int chain_find(struct trace_prog *p)
{
    struct search s = {.p = p};
    uint64_t work = 0;

    p->chain = arena_get(p->arena, ((size_t)p->k->nblock + 1) * sizeof *p->chain);
    s.far = arena_get(p->arena, ((size_t)p->k->ninsn + 1) * sizeof *s.far);
    if (!p->chain || !s.far)
        return -ENOMEM;
    while (s.loop < p->cfg.nloop && find_loop(&s, &work))
        s.loop++;
    return 0;
}
