/* masked.c - what a CPU's vectors do under a mask.
 *
 * Where neighbours along dimension 0 may part at a branch, a compiler that makes one vector of them runs both
 * sides, and the accesses there with masks, whichever way all lanes go in the end. */
#include <errno.h>
#include "select/trace/trace.h"

/* May neighbours along dimension 0 have different values of it, by their operands? */
static bool differs(const struct kernel_summary *k, const bool *parts, uint32_t v)
{
    const struct sum_insn *in = &k->insns[v];

    if (in->op == SUM_WI)
        return (in->sub == SUM_WI_GLOBAL_ID || in->sub == SUM_WI_LOCAL_ID) && in->imm == 0;
    for (uint32_t i = 0; v >= k->nleaf && i < in->nopnd; i++)
        if (!sum_operand_is_block(in, i) && parts[k->opnds[in->opnd + i]])
            return true;
    return false;
}

/* The accesses to global memory in these blocks, as a part of all. */
static double part_of_accesses(const struct trace_prog *p, const bool *blocks)
{
    uint32_t all = 0, masked = 0;

    for (uint32_t v = p->k->nleaf; v < p->k->ninsn; v++) {
        const struct sum_insn *in = &p->k->insns[v];
        if ((in->op == SUM_LOAD || in->op == SUM_STORE) && in->space == SUM_GLOBAL) {
            all++;
            masked += blocks[p->cfg.block_of[v]];
        }
    }
    return all ? (double)masked / all : 0;
}

int masked_find(struct trace_prog *p)
{
    const struct kernel_summary *k = p->k;
    const struct cfg *c = &p->cfg;
    bool *parts = arena_get(p->arena, (size_t)k->ninsn + 1),
         *masked = arena_get(p->arena, (size_t)k->nblock + 1);

    if (!parts || !masked)
        return -ENOMEM;
    for (uint32_t v = 0; v < k->nleaf; v++)
        parts[v] = differs(k, parts, v);
    for (uint32_t i = 0; i < c->nreach; i++) { /* what only a back edge brings is not followed */
        const uint32_t b = c->rpo[i], above = c->idom[b];
        for (uint32_t v = k->blocks[b].first; v < k->blocks[b].end; v++)
            parts[v] = differs(k, parts, v);
        if (above != CFG_NONE)
            masked[b] = masked[above] || (parts[k->blocks[above].end - 1] && c->ipdom[above] != b);
    }
    p->masked_part = part_of_accesses(p, masked);
    return 0;
}
