/* overlap.c - what one warp of a GPU overlaps in a block ([R] 6.1: ILP = instructions / longest chain).
 *
 * A warp waits where an operation needs what is not there yet.  So of a block's operations it waits for the
 * longest chain of dependent ones, and so of its loads; what is independent passes meanwhile.  Values from
 * other blocks are there.  A CPU's core overlaps more: chain.c. */
#include <errno.h>
#include "select/trace/trace.h"

/* The longest chains that end in a value. */
struct chains {
    float latency; /* cycles of operations */
    uint32_t loads;
};

static bool is_load(const struct trace_prog *p, uint32_t v)
{
    const uint32_t a = p->access[v];
    return a != CFG_NONE && p->k->insns[v].op == SUM_LOAD && p->kept[a].outermost == CFG_NONE;
}

static float latency_of(const struct trace_prog *p, const struct sum_insn *in)
{
    const bool counted = in->cls < SUM_C_COUNT && in->cls != SUM_C_NONE && in->cls != SUM_C_MEM &&
                         trace_unit_of((enum sum_class)in->cls) != UNIT_MEMORY;
    return counted ? (float)p->d->latency[in->cls] : 0;
}

/* From the operands of `v` that are in its block, which begins at `first`. */
static struct chains operands(const struct trace_prog *p, const struct chains *of, uint32_t first, uint32_t v)
{
    const struct sum_insn *in = &p->k->insns[v];
    struct chains most = {0};
    for (uint32_t i = 0; i < in->nopnd && in->op != SUM_PHI; i++) {
        const uint32_t o = p->k->opnds[in->opnd + i];
        if (sum_operand_is_block(in, i) || o < first || o >= v)
            continue;
        most.latency = most.latency > of[o].latency ? most.latency : of[o].latency;
        most.loads = most.loads > of[o].loads ? most.loads : of[o].loads;
    }
    return most;
}

static void find_block(struct trace_prog *p, uint32_t b, struct chains *of)
{
    const struct sum_block *block = &p->k->blocks[b];
    struct chains longest = {0};
    float latency = 0;
    uint32_t loads = 0;
    for (uint32_t v = block->first; v < block->end; v++) {
        of[v] = operands(p, of, block->first, v);
        of[v].latency += latency_of(p, &p->k->insns[v]);
        of[v].loads += is_load(p, v);
        latency += latency_of(p, &p->k->insns[v]);
        loads += is_load(p, v);
        longest.latency = longest.latency > of[v].latency ? longest.latency : of[v].latency;
        longest.loads = longest.loads > of[v].loads ? longest.loads : of[v].loads;
    }
    p->ilp[b] = longest.latency > 0 ? latency / longest.latency : 1;
    for (uint32_t v = block->first; v < block->end; v++)
        if (is_load(p, v))
            p->mlp[p->access[v]] = (float)loads / (float)longest.loads;
}

int overlap_find(struct trace_prog *p)
{
    struct chains *of = arena_get(p->arena, ((size_t)p->k->ninsn + 1) * sizeof *of);
    p->ilp = arena_get(p->arena, ((size_t)p->k->nblock + 1) * sizeof *p->ilp);
    p->mlp = arena_get(p->arena, ((size_t)p->naccess + 1) * sizeof *p->mlp);
    if (!of || !p->ilp || !p->mlp)
        return -ENOMEM;
    for (uint32_t i = 0; i < p->naccess; i++)
        p->mlp[i] = 1;
    for (uint32_t b = 0; b < p->k->nblock; b++)
        p->ilp[b] = 1;
    for (uint32_t b = 0; !p->d->is_cpu && b < p->k->nblock; b++)
        find_block(p, b, of);
    return 0;
}
